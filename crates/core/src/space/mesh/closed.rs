//! Whether facets make closed surfaces, and which facets hang together.
//!
//! A *ridge* is where two facets join: an edge in 3D, a corner in 2D. In a closed surface whose
//! facets face the same side each ridge has two facets, and they run through it in opposite
//! directions.

use std::cmp::Reverse;

use super::Vector;
use super::error::{MeshError, place};
use crate::unions::Unions;

/// The most facets that a message names.
const MOST_NAMED: usize = 4;

/// One facet's share in a ridge.
struct Share {
    /// The vertices at its ends, the lower first; in 2D twice the same.
    ridge: [u32; 2],
    /// Whether the facet runs through it from the lower to the higher; in 2D, whether it begins
    /// there.
    forth: bool,
    facet: u32,
    /// Which of the facet's ridges it is.
    side: usize,
}

/// The number of the surface that each facet belongs to: the lowest of its facets. \[facet\]
///
/// # Errors
/// If they are not closed, or neighbours face different sides.
pub(super) fn surfaces<const D: usize>(
    vertices: &[Vector<D>],
    facets: &[[u32; D]],
) -> Result<Vec<u32>, MeshError> {
    let mut shares: Vec<Share> =
        (0..).zip(facets).flat_map(|(number, facet)| shares_of(number, facet)).collect();
    shares.sort_unstable_by_key(|share| (share.ridge, Reverse(share.forth), share.facet));
    let ridges = || shares.chunk_by(|a, b| a.ridge == b.ridge);
    let mut joined = Unions::default();
    joined.clear(facets.len());
    for ridge in ridges() {
        match ridge {
            [a, b] if a.forth != b.forth => joined.join(a.facet, b.facet),
            [a, b] => {
                let place = words(vertices, a.ridge);
                return Err(MeshError::Turned { facets: [a.facet, b.facet], place });
            }
            [alone] => {
                let others = ridges().filter(|ridge| ridge.len() == 1).count() - 1;
                let more = if others == 0 {
                    String::new()
                } else {
                    format!(" ({others} more of the kind)")
                };
                return Err(MeshError::Open {
                    facet: alone.facet,
                    place: words(vertices, alone.ridge),
                    more,
                });
            }
            many => {
                let mut named: Vec<_> =
                    many.iter().take(MOST_NAMED).map(|share| share.facet.to_string()).collect();
                named.extend((many.len() > MOST_NAMED).then(|| "…".to_owned()));
                let (place, facets) = (words(vertices, many[0].ridge), named.join(", "));
                return Err(MeshError::Branching { place, count: many.len(), facets });
            }
        }
    }
    Ok((0..facets.len() as u32).map(|facet| joined.root(facet)).collect())
}

fn shares_of<const D: usize>(facet: u32, corners: &[u32; D]) -> impl Iterator<Item = Share> {
    (0..D).map(move |k| {
        let (a, b) =
            if D == 2 { (corners[k], corners[k]) } else { (corners[k], corners[(k + 1) % D]) };
        let forth = if D == 2 { k == 0 } else { a < b };
        Share { ridge: [a.min(b), a.max(b)], forth, facet, side: k }
    })
}

/// The facet on the other side of each ridge of each facet of a closed surface: of the edge from corner k to the next
/// (3D), or of corner k (2D). \[facet\]
pub(super) fn neighbours<const D: usize>(facets: &[[u32; D]]) -> Vec<[u32; D]> {
    let mut shares: Vec<Share> =
        (0..).zip(facets).flat_map(|(number, facet)| shares_of(number, facet)).collect();
    shares.sort_unstable_by_key(|share| (share.ridge, share.facet));
    let mut neighbours = vec![[0; D]; facets.len()];
    for ridge in shares.chunk_by(|a, b| a.ridge == b.ridge) {
        if let [a, b] = ridge {
            neighbours[a.facet as usize][a.side] = b.facet;
            neighbours[b.facet as usize][b.side] = a.facet;
        }
    }
    neighbours
}

/// A ridge in words.
fn words<const D: usize>(vertices: &[Vector<D>], [a, b]: [u32; 2]) -> String {
    let at = |vertex: u32| place(vertices[vertex as usize]);
    if a == b {
        format!("the corner at {}", at(a))
    } else {
        format!("the edge from {} to {}", at(a), at(b))
    }
}
