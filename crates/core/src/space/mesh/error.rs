//! What can be wrong with a mesh.

use thiserror::Error;

use super::Vector;

/// Why facets do not bound a solid. Facets and vertices are counted from 0 in the order in which
/// they were given; places are given by their coordinates, since programs that make meshes number
/// them in other ways.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeshError {
    /// Facets of one point.
    #[error("there are no meshes in 1D: use a box with reflecting faces")]
    Dimension,
    /// There is nothing.
    #[error("the mesh has no facets")]
    Empty,
    /// More than can be numbered.
    #[error("the mesh has {0} facets; at most {most} can be used", most = super::MOST)]
    TooMany(usize),
    /// A corner that is no vertex.
    #[error(
        "facet {facet} has vertex {vertex} for a corner, but there are only {vertices} vertices, from 0"
    )]
    Index {
        /// The facet.
        facet: u32,
        /// Its corner.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A coordinate that is no number, or one that cannot be squared.
    #[error("vertex {vertex} is at {place}; coordinates have to be finite and below {largest:e}", largest = super::LARGEST)]
    Coordinate {
        /// The vertex.
        vertex: u32,
        /// Where it is, as far as that can be said.
        place: String,
    },
    /// A triangle whose corners lie on a line, a segment whose ends are at one place.
    #[error(
        "facet {facet} is degenerate: its corners, {place}, lie {within}; leave it out and join its neighbours"
    )]
    Degenerate {
        /// The facet.
        facet: u32,
        /// Its corners.
        place: String,
        /// `on one line` or `at one place`.
        within: &'static str,
    },
    /// The surface ends somewhere.
    #[error(
        "the mesh is open: {place} belongs to facet {facet} alone, where it has to join two{more}; if the mesh looks \
         closed, vertices stand in it several times, with coordinates that differ a little"
    )]
    Open {
        /// A facet at the rim.
        facet: u32,
        /// Its edge (its corner in 2D).
        place: String,
        /// How many more such places there are, in words.
        more: String,
    },
    /// More than two facets meet.
    #[error(
        "{place} joins {count} facets ({facets}), where it has to join two: surfaces may not touch each other there"
    )]
    Branching {
        /// The edge (the corner in 2D).
        place: String,
        /// How many facets meet there; two would be right.
        count: usize,
        /// Some of them.
        facets: String,
    },
    /// Two neighbours face different sides.
    #[error(
        "facets {0} and {1} meet at {place}, but one faces inwards and the other outwards: turn one of them round \
         (exchange two of its corners)", facets[0], facets[1]
    )]
    Turned {
        /// The two.
        facets: [u32; 2],
        /// The edge (the corner in 2D) between them.
        place: String,
    },
    /// Two facets go through each other, or touch where they are no neighbours.
    #[error("the mesh crosses or touches itself: facets {0} and {1}, near {place}", facets[0], facets[1])]
    Crossing {
        /// The two.
        facets: [u32; 2],
        /// The middle of the first.
        place: String,
    },
}

/// A point in words: `(1, 2.5, -3)`.
pub(super) fn place<const D: usize>(point: Vector<D>) -> String {
    let coordinates: Vec<_> = point.0.iter().map(|x| format!("{x:?}")).collect();
    format!("({})", coordinates.join(", ").replace(".0,", ",").trim_end_matches(".0"))
}
