//! Building the triangulation at one moment: sites are put in one by one and bad edges flipped
//! (Lawson 1977; Edelsbrunner and Shah 1996), with exact signs.
//!
//! In a biased random order a site is found by a walk of few steps from the one before, and the
//! expected time is O(n log n) for any sites (the sort), the number of flips O(n) for those spread
//! like particles.

use std::cmp::Ordering;

use super::exact::{Circle, inside, turn};
use super::mesh::{Corner, Mesh, Quad};
use super::order::insertion_order;
use jostle_core::space::Vector;

/// The power triangulation of at least two disks.
pub(super) fn triangulate(disks: &[Circle]) -> Mesh {
    let order = insertion_order(disks.iter().map(|disk| disk.0));
    let mut build = TriangulationBuild {
        disks,
        periods: [0.0; 2],
        mesh: Mesh::pair(disks.len() as u32, order[0], order[1]),
        wrong: Vec::new(),
    };
    let mut last = order[1];
    for &site in &order[2..] {
        let triangle = build.locate(site, build.mesh.out_of(last));
        build.insert(triangle, site, [0; 2]);
        last = site;
    }
    build.mesh
}

/// The power triangulation of disks, of which there is at least one, and of all their images.
///
/// The first is joined to its own images, and the others are put in as between walls. Flips do not get stuck
/// on a torus either (Bobenko and Springborn 2007), however narrow it is.
pub(super) fn triangulate_around(disks: &[Circle], periods: [f64; 2]) -> Mesh {
    let (disks, periods) = on_grid(disks, periods);
    let order = insertion_order(disks.iter().map(|disk| disk.0));
    let mesh = Mesh::torus(disks.len() as u32, order[0]);
    let mut build = TriangulationBuild { disks: &disks, periods, mesh, wrong: Vec::new() };
    let mut last = order[0];
    for &site in &order[1..] {
        let (triangle, away) = build.locate_image(site, build.mesh.out_of(last));
        build.insert(triangle, site, away);
        last = site;
    }
    build.mesh
}

/// In units in which centres and periods are integers, so that images are exact.
fn on_grid(disks: &[Circle], periods: [f64; 2]) -> (Vec<Circle>, [f64; 2]) {
    let largest = |most: f64, at: &Circle| most.max(at.0[0].abs()).max(at.0[1].abs());
    let extent = disks.iter().fold(periods[0].max(periods[1]), largest);
    // Leaves four bits of a double for images and differences.
    let unit = libm::exp2(libm::ceil(libm::log2(extent)) - 49.0);
    let whole = |length: f64| libm::round(length / unit);
    let disks =
        disks.iter().map(|(centre, radius)| (Vector::from_fn(|k| whole(centre[k])), radius / unit));
    (disks.collect(), periods.map(whole))
}

struct TriangulationBuild<'a> {
    disks: &'a [Circle],
    /// On a torus.
    periods: [f64; 2],
    mesh: Mesh,
    /// Edges to be looked at.
    wrong: Vec<u32>,
}

impl TriangulationBuild<'_> {
    fn at(&self, site: u32) -> Vector<2> {
        self.disks[site as usize].0
    }

    /// A disk, or its image.
    fn disk(&self, Corner { site, away }: Corner) -> Circle {
        let (centre, radius) = self.disks[site as usize];
        (Vector::from_fn(|k| centre[k] + f64::from(away[k]) * self.periods[k]), radius)
    }

    /// On a torus: a half-edge of a triangle that has an image of `site` inside or on its rim, and how many
    /// periods away from its first corner that is.
    fn locate_image(&self, site: u32, from: u32) -> (u32, [i32; 2]) {
        let mut half = from;
        let apart = self.at(self.mesh.origin(from)) - self.at(site);
        let mut away = [0, 1].map(|k| libm::round(apart[k] / self.periods[k]) as i32);
        for _ in 0..2 * self.mesh.edges() {
            let sides = self.mesh.triangle(half);
            let corners = self.mesh.corners(half);
            let places = corners.map(|corner| self.disk(corner).0);
            let to = self.disk(Corner { site, away }).0;
            let is_beyond = |k: &usize| turn(places[*k], places[(k + 1) % 3], to) == Ordering::Less;
            let Some(k) = (0..3).find(is_beyond) else { break };
            half = sides[k] ^ 1;
            // Seen from the corner at which the twin starts.
            let corner = corners[(k + 1) % 3].away;
            away = [away[0] - corner[0], away[1] - corner[1]];
        }
        (half, away)
    }

    /// A triangle that has `site` inside or on its rim, or one outside from which its hull edge is
    /// seen; a half-edge of it. Walks from triangle to triangle, through any edge that has the site
    /// beyond it, which in a power triangulation leads round no circle (Edelsbrunner 1990).
    fn locate(&self, site: u32, from: u32) -> u32 {
        let mut half = from;
        // More steps than triangles are only possible where disks cover each other.
        for _ in 0..2 * self.mesh.edges() {
            let Some(next) = self.step(site, half) else { break };
            half = next;
        }
        half
    }

    /// A half-edge of the next triangle on the way to `site`.
    fn step(&self, site: u32, half: u32) -> Option<u32> {
        let sides = self.mesh.triangle(half);
        // A ghost has no place, so a triangle with the ghost is judged by its one edge between
        // sites.
        if let Some(side) = sides.into_iter().find(|&side| self.is_hull(side)) {
            return self.step_outside(site, side);
        }
        sides.into_iter().find(|&side| self.side(side, site) == Ordering::Less).map(|side| side ^ 1)
    }

    /// Whether both ends are sites, and the triangle has the ghost.
    fn is_hull(&self, half: u32) -> bool {
        self.mesh.is_ghost(self.mesh.origin(self.mesh.previous(half)))
    }

    /// On which side of a half-edge `site` is; left is `Greater`.
    fn side(&self, half: u32, site: u32) -> Ordering {
        let [a, b] = [half, half ^ 1].map(|half| self.at(self.mesh.origin(half)));
        turn(a, b, self.at(site))
    }

    /// The next triangle after the one outside `side`: inside, unless the site is seen from here;
    /// along the chain where all sites so far and this one are on a line.
    fn step_outside(&self, site: u32, side: u32) -> Option<u32> {
        let seen = self.side(side, site);
        if seen == Ordering::Greater {
            return None;
        }
        if seen == Ordering::Less || !self.is_hull(side ^ 1) {
            return Some(side ^ 1);
        }
        let [a, b] = [side, side ^ 1].map(|half| self.at(self.mesh.origin(half)));
        let to = self.at(site);
        let [_, towards_b, towards_a] = self.mesh.triangle(side);
        let across = match ((to - b).dot(b - a) > 0.0, (to - a).dot(a - b) > 0.0) {
            (true, _) => towards_b ^ 1,
            (_, true) => towards_a ^ 1,
            _ => return None,
        };
        // Round the end of the chain is the other side of the same edge.
        (!self.mesh.triangle(across).contains(&(side ^ 1))).then_some(across)
    }

    /// Puts `site`, or an image of it, into a triangle and flips until every edge is right.
    fn insert(&mut self, half: u32, site: u32, away: [i32; 2]) {
        let edges = self.mesh.split(half, site, away);
        self.wrong.extend(edges);
        while let Some(edge) = self.wrong.pop() {
            if self.is_wrong(self.mesh.quad(edge)) {
                self.mesh.flip(edge);
                // All four edges around, not only the two that the new site sees: `is_wrong` may
                // have refused one before because a corner pointed inwards, and this flip may have
                // changed that.
                self.wrong.extend(self.mesh.frame(edge));
            }
        }
    }

    /// Whether an edge has to go. A site exactly on a hull edge comes out to the hull.
    fn is_wrong(&self, quad: Quad) -> bool {
        match quad {
            Quad::Inner(all) => {
                let [a, b, c, d] = all.map(|corner| self.disk(corner));
                inside([a, b, c], d) == Ordering::Greater
                    // Only disks that are covered by others could stand in the way.
                    && turn(d.0, b.0, c.0) == Ordering::Greater
                    && turn(c.0, a.0, d.0) == Ordering::Greater
            }
            // Three sites on a line are wrong here, but right in the case below, which undoes this
            // flip; otherwise the two would alternate for ever.
            Quad::Hull(all) => {
                let [before, tip, after] = all.map(|site| self.at(site));
                turn(before, tip, after) != Ordering::Greater
                    && (before - tip).dot(after - tip) < 0.0
            }
            Quad::Corner(all) => {
                let [before, tip, after] = all.map(|site| self.at(site));
                turn(before, tip, after) == Ordering::Less
            }
            Quad::Fixed => false,
        }
    }
}
