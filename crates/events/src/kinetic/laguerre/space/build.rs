//! Building the triangulation of spheres at rest: each is put into the tetrahedra whose sphere it
//! comes into, all at once (Bowyer 1981; Watson 1981), with exact signs.
//!
//! Spheres on one sphere, as in lattices, leave the triangulation open. It becomes the one that it
//! would be if each weight were larger by its own infinitesimal amount, the first one's by far the
//! most, and so on (Edelsbrunner and Mücke 1990; Devillers and Teillaud 2011). That settles all
//! cases together, and so that no tetrahedron is flat.

use std::cmp::Ordering;

use super::super::order::insertion_order;
use super::grid::{Spot, Wide, orientation, power, volume};
use super::mesh::{NONE, OPPOSITE, TetrahedronMesh};
use jostle_core::space::Vector;

/// The power triangulation of spheres of which the last four, without extent, enclose all others.
/// One that is covered by others is left out. Equal `names` have equal infinitesimal amounts.
pub(super) fn triangulate(spots: &[Spot], names: &[u32]) -> TetrahedronMesh {
    let inner = spots.len() - 4;
    let mut corners = std::array::from_fn(|k| (inner + k) as u32);
    if orientation(corners.map(|i: u32| &spots[i as usize])) == Ordering::Less {
        corners.swap(0, 1);
    }
    let mut building = Building {
        mesh: TetrahedronMesh::single(spots.len() as u32, corners),
        spots,
        names,
        seen: Vec::new(),
        round: 0,
        cavity: Vec::new(),
    };
    let mut last = corners[0];
    let places = spots[..inner].iter().map(|spot| Vector(spot.at.map(|x| x as f64)));
    for site in insertion_order(places) {
        if building.insert(site, building.mesh.at(last)) {
            last = site;
        }
    }
    building.mesh
}

struct Building<'a> {
    mesh: TetrahedronMesh,
    spots: &'a [Spot],
    names: &'a [u32],
    /// In which round each tetrahedron was found to be in the way. \[tetrahedron\]
    seen: Vec<u32>,
    round: u32,
    cavity: Vec<u32>,
}

impl Building<'_> {
    fn spots<const N: usize>(&self, sites: [u32; N]) -> [&Spot; N] {
        sites.map(|site| &self.spots[site as usize])
    }

    /// Puts `site` in, and says whether there is room for it.
    fn insert(&mut self, site: u32, from: u32) -> bool {
        let first = self.locate(site, from);
        if !self.is_in_the_way(first, site) {
            return false;
        }
        // All that are in the way are next to each other.
        self.round += 1;
        self.seen.resize(self.mesh.room() as usize, 0);
        self.cavity.clear();
        self.cavity.push(first);
        self.seen[first as usize] = self.round;
        let mut done = 0;
        while let Some(&t) = self.cavity.get(done) {
            done += 1;
            for facet in self.mesh.facets_of(t) {
                let next = self.mesh.beyond(t, facet);
                if next != NONE
                    && self.seen[next as usize] != self.round
                    && self.is_in_the_way(next, site)
                {
                    self.seen[next as usize] = self.round;
                    self.cavity.push(next);
                }
            }
        }
        let (seen, round) = (&self.seen, self.round);
        self.mesh.star(&self.cavity, site, |t| seen[t as usize] == round);
        true
    }

    /// The tetrahedron with `site` inside or on its surface. Walks through any facet that has the
    /// site beyond it, which in a power triangulation leads round no circle (Edelsbrunner 1990).
    fn locate(&self, site: u32, from: u32) -> u32 {
        let mut t = from;
        'walk: loop {
            let corners = self.mesh.corners(t);
            for (k, facet) in self.mesh.facets_of(t).into_iter().enumerate() {
                let [a, b, c] = OPPOSITE[k].map(|i| corners[i]);
                let beyond = self.mesh.beyond(t, facet);
                let side = orientation(self.spots([a, b, c, site]));
                if side == Ordering::Less && beyond != NONE {
                    t = beyond;
                    continue 'walk;
                }
            }
            return t;
        }
    }

    /// Whether `site` comes into the sphere of a tetrahedron.
    fn is_in_the_way(&self, t: u32, site: u32) -> bool {
        let corners = self.mesh.corners(t);
        match power(self.spots(corners), &self.spots[site as usize]) {
            Ordering::Equal => self.would_be_in_the_way(corners, site),
            sign => sign == Ordering::Less,
        }
    }

    /// The same where a sphere is orthogonal to all five. The larger weight of a corner puts the
    /// site in or out according to the side on which the site is of the other three.
    fn would_be_in_the_way(&self, corners: [u32; 4], site: u32) -> bool {
        // The determinant's slope with each weight: minors, by the name of the sphere.
        let mut slopes: [(u32, Wide); 5] =
            [(self.names[site as usize], volume(self.spots(corners))); 5];
        for (slope, corner) in slopes.iter_mut().zip(corners) {
            let with_site = corners.map(|other| if other == corner { site } else { other });
            let minor = volume(self.spots(with_site));
            *slope = (self.names[corner as usize], Wide::of(0).minus(&minor));
        }
        slopes.sort_by_key(|(name, _)| *name);
        // Images of one sphere grow together.
        let of_a_name = slopes.chunk_by(|(one, _), (other, _)| one == other);
        let mut signs = of_a_name.map(|slopes| {
            slopes.iter().fold(Wide::of(0), |sum, (_, slope)| sum.plus(slope)).sign()
        });
        signs.find(|sign| *sign != Ordering::Equal).unwrap_or(Ordering::Less) == Ordering::Greater
    }
}
