//! The same in space: tetrahedra, with a facet for each triangle between two of them.
//!
//! A facet fails when five spheres become orthogonal to one: a root of a polynomial of degree 5.
//! Then two tetrahedra become three, or three become two; four become four where the flip happens
//! in a plane (Ferrez 2001, chapter 4; Schaller and Meyer-Hermann 2004). Such flips may get stuck
//! where a triangulation is *made* by them. Here there is always one: at the moment of the failure
//! the five spheres have two triangulations, and the one that is there is the one that is not
//! right any more.
//!
//! Rounding may put failures in the wrong order, and in lattices that dissolve many fail at once. A
//! facet that has failed and cannot change waits until it has failed by twice as much, and again;
//! others fail meanwhile. If that does not help, everything is rebuilt.
//!
//! Between walls there is a frame of four sites far outside (see `frame`); boxes that close on
//! themselves are triangulated as they are (see `torus`). Cost: some 450 bytes a particle, building
//! in expected O(n log n), and for each flip seven or nine facets replanned, for each new path
//! some sixty.

mod build;
mod frame;
mod grid;
mod mesh;
mod sites;
#[cfg(test)]
mod tests;
mod torus;
mod view;

use std::cell::RefCell;

use self::mesh::{Joint, NONE, TetrahedronMesh};
use self::sites::Sites;
use self::torus::Torus;
use self::view::{Move, SpatialView};
use super::super::direct::when_far;
use super::super::{Facets, Kinetic, Topology};
use jostle_core::space::Flights;

/// By how many tolerances a certificate may have failed before everything is rebuilt.
const MOST_LATE: f64 = 100.0;

/// See [`SpatialLaguerre::few`]: some 65 facets at 0.2 µs each, and pairs at 20 ns.
const FEW: u32 = 650;

/// Slots are added this many at a time, since the timetable is rebuilt when it grows.
const PORTION: usize = 1024;

/// The triangulation of space, kept right by flips.
#[derive(Clone, Debug)]
pub struct SpatialLaguerre {
    mesh: TetrahedronMesh,
    sites: Sites,
    particles: u32,
    /// Particles that are covered by others.
    covered: Vec<u32>,
    /// Facets for which the timetable has room, the frame's among them.
    slots: usize,
    topology: Topology,
    /// When it was last rebuilt because flips did not help, and how often.
    afresh: Option<f64>,
    rebuilt: u64,
    /// Looking at so many particles costs as much as replanning all facets round one site.
    few: u32,
    scratch: RefCell<Visited>,
}

impl Default for SpatialLaguerre {
    fn default() -> Self {
        Self {
            mesh: TetrahedronMesh::default(),
            sites: Sites::default(),
            particles: 0,
            covered: Vec::new(),
            slots: 0,
            topology: Topology::default(),
            afresh: None,
            rebuilt: 0,
            few: FEW,
            scratch: RefCell::default(),
        }
    }
}

/// What a walk round a site has seen.
#[derive(Clone, Debug, Default)]
struct Visited {
    walk: u32,
    /// In which walk each was last seen. \[tetrahedron\], \[site\]
    tetrahedra: Vec<u32>,
    sites: Vec<u32>,
    stack: Vec<u32>,
}

impl Visited {
    /// Calls `each` for every tetrahedron round `site`.
    fn round(&mut self, mesh: &TetrahedronMesh, site: u32, mut each: impl FnMut(u32, &mut Self)) {
        let first = mesh.at(site);
        if first == NONE {
            return;
        }
        self.tetrahedra.resize(mesh.room() as usize, 0);
        self.sites.resize(mesh.sites() as usize, 0);
        self.walk += 1;
        if self.walk == u32::MAX {
            self.tetrahedra.fill(0);
            self.sites.fill(0);
            self.walk = 1;
        }
        self.stack.clear();
        self.stack.push(first);
        self.tetrahedra[first as usize] = self.walk;
        while let Some(t) = self.stack.pop() {
            each(t, self);
            let corners = mesh.corners(t);
            for (corner, facet) in corners.into_iter().zip(mesh.facets_of(t)) {
                if corner == site {
                    continue;
                }
                let next = mesh.beyond(t, facet);
                if next != NONE && self.tetrahedra[next as usize] != self.walk {
                    self.tetrahedra[next as usize] = self.walk;
                    self.stack.push(next);
                }
            }
        }
    }
}

/// The slot of what concerns all: the frame, and particles that leave it. One follows for each
/// particle that has to be looked at because of its images, then those of facets.
const COMMON: u32 = 0;

impl SpatialLaguerre {
    /// How often everything was rebuilt because flips did not help.
    pub fn rebuilt(&self) -> u64 {
        self.rebuilt
    }

    fn slot(&self, facet: u32) -> u32 {
        1 + self.particles + facet
    }

    fn make(&mut self, flights: &Flights<'_, 3>, now: f64, facets: &mut Facets<'_>) {
        self.particles = flights.len() as u32;
        (self.sites, self.mesh) = Sites::triangulated(self.few, flights, now);
        self.covered = (0..self.particles).filter(|&i| self.mesh.at(i) == NONE).collect();
        let known = self.slots;
        self.cover(facets);
        facets.plan(COMMON, self.sites.comes_down());
        for i in 0..self.particles {
            self.plan_look(i, flights, now, facets);
        }
        for facet in 0..self.mesh.facets() {
            self.plan(facet, flights, now, facets);
        }
        for unused in self.slot(self.mesh.facets())..known as u32 {
            facets.plan(unused, f64::INFINITY);
        }
    }

    /// Plans when to look at `i` again, because other images of its partners may be the nearest.
    fn plan_look(&self, i: u32, flights: &Flights<'_, 3>, now: f64, facets: &mut Facets<'_>) {
        let apart = self.tells_images_apart();
        facets.plan(1 + i, if apart { f64::INFINITY } else { when_far(i, flights, now) });
    }

    /// Makes room for all facets, and for those to come.
    fn cover(&mut self, facets: &mut Facets<'_>) {
        let needed = self.slot(self.mesh.facets()) as usize;
        if needed > self.slots {
            self.slots = needed + (needed / 8).max(PORTION);
            facets.cover(self.slots);
        }
    }

    fn make_afresh(
        &mut self,
        flights: &Flights<'_, 3>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        self.make(flights, now, facets);
        let known = gained.len();
        let mut near = Vec::new();
        for i in 0..flights.len() as u32 {
            near.clear();
            self.near(i, flights, now, &mut near);
            gained.extend(near.iter().filter(|&&j| i < j).map(|&j| [i, j]));
        }
        self.topology.gained += (gained.len() - known) as u64;
    }

    /// A facet is wrong but will never be able to change. Everything is rebuilt, and every pair
    /// announced, but only once at any one time, since it does not help where spheres overlap.
    fn start_afresh(
        &mut self,
        facet: u32,
        flights: &Flights<'_, 3>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        if self.afresh == Some(now) {
            facets.plan(self.slot(facet), f64::INFINITY);
            return;
        }
        self.make_afresh(flights, now, facets, gained);
        self.afresh = Some(now);
        self.rebuilt += 1;
    }

    /// Plans when to look at `facet`, no later than it fails.
    #[inline]
    fn plan(&mut self, facet: u32, flights: &Flights<'_, 3>, now: f64, facets: &mut Facets<'_>) {
        let time = match self.mesh.joint(facet) {
            Some(joint) => {
                self.topology.planned += 1;
                SpatialView::new(flights, &self.sites, now).stays_until(&joint)
            }
            None => f64::INFINITY,
        };
        facets.plan(self.slot(facet), time);
    }

    /// Plans the failure of `facet`.
    fn plan_failure(
        &mut self,
        facet: u32,
        joint: &Joint,
        flights: &Flights<'_, 3>,
        now: f64,
        facets: &mut Facets<'_>,
    ) {
        self.topology.planned += 1;
        facets.plan(self.slot(facet), SpatialView::new(flights, &self.sites, now).due(joint));
    }

    /// Takes up a new path of a site: it is among the five of every facet that it is a corner of,
    /// and of every facet opposite to it in a tetrahedron.
    fn plan_round(
        &mut self,
        site: u32,
        flights: &Flights<'_, 3>,
        now: f64,
        facets: &mut Facets<'_>,
    ) {
        let view = SpatialView::new(flights, &self.sites, now);
        let mut visited = self.scratch.borrow_mut();
        let (mesh, topology, first) = (&self.mesh, &mut self.topology, 1 + self.particles);
        visited.round(mesh, site, |t, _| {
            for (corner, facet) in mesh.corners(t).into_iter().zip(mesh.facets_of(t)) {
                // Those that it is a corner of are met from both sides.
                if corner != site && !mesh.is_first(t, facet) {
                    continue;
                }
                if let Some(joint) = mesh.joint(facet) {
                    topology.planned += 1;
                    facets.plan(first + facet, view.stays_until(&joint));
                }
            }
        });
    }

    /// Throws the frame up, or makes one that holds all particles.
    fn change_common(
        &mut self,
        flights: &Flights<'_, 3>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        let Sites::Framed(frame) = &mut self.sites else {
            return self.make_afresh(flights, now, facets, gained);
        };
        if now < frame.comes_down() {
            return self.make_afresh(flights, now, facets, gained);
        }
        frame.throw(flights.acceleration, now);
        facets.plan(COMMON, frame.comes_down());
        (0..4).for_each(|k| self.plan_round(self.particles + k, flights, now, facets));
    }

    /// Announces the pairs of `i` again.
    fn look_at(
        &mut self,
        i: u32,
        flights: &Flights<'_, 3>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        let mut near = Vec::new();
        self.near(i, flights, now, &mut near);
        gained.extend(near.iter().map(|&j| [i, j]));
        self.topology.gained += near.len() as u64;
        self.topology.planned += 1;
        self.plan_look(i, flights, now, facets);
    }

    /// Carries out a move at `joint`.
    fn flip(
        &mut self,
        joint: &Joint,
        what: Move,
        flights: &Flights<'_, 3>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        let [d, e] = joint.apexes;
        let beside = |[a, b, c]: [u32; 3]| [[b, c, e, d], [c, a, e, d]];
        // The base beginning with the pivot.
        let turned = |[a, _]: [u32; 2]| {
            let [p, q, r] = joint.base;
            if a == p {
                [p, q, r]
            } else if a == q {
                [q, r, p]
            } else {
                [r, p, q]
            }
        };
        let replaced = match what {
            Move::TwoToThree => {
                let [a, b, _] = joint.base;
                let [one, other] = beside(joint.base);
                self.mesh.replace(&joint.sides, &[[a, b, e, d], one, other])
            }
            Move::ThreeToTwo(old, pivot) => self.mesh.replace(&old, &beside(turned(pivot))),
            Move::FourToFour(old, pivot) => {
                let [a, b, _] = turned(pivot);
                let known = [a, b, d, e];
                let beyond = old.iter().filter(|t| !joint.sides.contains(t));
                let far = beyond
                    .flat_map(|&t| self.mesh.corners(t))
                    .find(|corner| !known.contains(corner))
                    .unwrap_or(NONE);
                let [one, other] = beside(turned(pivot));
                self.mesh.replace(&old, &[one, other, [far, b, e, d], [a, far, e, d]])
            }
            Move::Wait => return,
        };
        self.topology.events += 1;
        let are_new = !matches!(what, Move::ThreeToTwo(..));
        let pair = [d, e].map(|site| self.sites.particle(site, self.particles));
        if let ([Some(d), Some(e)], true) = (pair, are_new)
            && d != e
        {
            self.topology.gained += 1;
            gained.push([d, e]);
        }
        self.cover(facets);
        for &facet in &replaced.freed {
            facets.plan(self.slot(facet), f64::INFINITY);
        }
        for &facet in &replaced.made {
            if let Some(joint) = self.mesh.joint(facet) {
                self.plan_failure(facet, &joint, flights, now, facets);
            }
        }
        for &facet in &replaced.outline {
            self.plan(facet, flights, now, facets);
        }
    }
}

impl Kinetic<3> for SpatialLaguerre {
    fn build(&mut self, flights: &Flights<'_, 3>, now: f64, facets: &mut Facets<'_>) {
        // The timetable may be another one.
        facets.cover(self.slots);
        self.afresh = None;
        self.make(flights, now, facets);
    }

    fn near(&self, i: u32, flights: &Flights<'_, 3>, _: f64, out: &mut Vec<u32>) {
        if self.mesh.at(i) == NONE {
            out.extend((0..flights.len() as u32).filter(|&j| j != i));
            return;
        }
        self.scratch.borrow_mut().round(&self.mesh, i, |t, visited| {
            for corner in self.mesh.corners(t) {
                let Some(j) = self.sites.particle(corner, self.particles) else { continue };
                let seen = &mut visited.sites[j as usize];
                if j != i && *seen != visited.walk {
                    *seen = visited.walk;
                    out.push(j);
                }
            }
        });
        out.extend_from_slice(&self.covered);
    }

    fn update(&mut self, i: u32, flights: &Flights<'_, 3>, now: f64, facets: &mut Facets<'_>) {
        if !self.sites.holds(flights.at(i, now)) {
            facets.plan(COMMON, now);
        }
        if let Sites::Around(torus) = &mut self.sites {
            torus.takes(i, flights, now);
        }
        self.plan_look(i, flights, now, facets);
        for copy in 0..self.sites.copies(self.particles) {
            self.plan_round(copy * self.particles + i, flights, now, facets);
        }
    }

    fn change(
        &mut self,
        facet: u32,
        flights: &Flights<'_, 3>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        if facet == COMMON {
            return self.change_common(flights, now, facets, gained);
        }
        if facet <= self.particles {
            return self.look_at(facet - 1, flights, now, facets, gained);
        }
        let facet = facet - 1 - self.particles;
        let Some(joint) = self.mesh.joint(facet) else {
            return facets.plan(self.slot(facet), f64::INFINITY);
        };
        let view = SpatialView::new(flights, &self.sites, now);
        if view.is_too_narrow(&joint) {
            return self.make_afresh(flights, now, facets, gained);
        }
        let certificate = view.certificate(&joint);
        // The first visit mostly follows a lower bound: the facet is still right, and only now is
        // the root worth computing.
        if !certificate.has_failed() {
            self.plan_failure(facet, &joint, flights, now, facets);
            // A facet planned for this very moment again would come back for ever.
            if facets.time(self.slot(facet)) <= now {
                self.start_afresh(facet, flights, now, facets, gained);
            }
            return;
        }
        match view.what_to_do(&joint, &self.mesh) {
            Move::Wait => {
                let again = view.fails_twice_as_much(&certificate);
                let hopeless = certificate.value[0] < -MOST_LATE * certificate.tolerance;
                match hopeless || again <= now {
                    true => self.start_afresh(facet, flights, now, facets, gained),
                    false => facets.plan(self.slot(facet), again),
                }
            }
            what => self.flip(&joint, what, flights, now, facets, gained),
        }
    }

    fn tells_images_apart(&self) -> bool {
        self.sites.torus().is_none_or(|torus| torus.tells_images_apart() && self.covered.is_empty())
    }

    fn topology(&self) -> Topology {
        self.topology
    }

    fn bytes(&self) -> usize {
        let visited = self.scratch.borrow();
        size_of::<Self>()
            + self.mesh.bytes()
            + self.sites.torus().map_or(0, Torus::bytes)
            + (visited.tetrahedra.capacity() + visited.sites.capacity()) * size_of::<u32>()
    }

    fn describe(&self) -> String {
        let copies = self.sites.copies(self.particles);
        format!("laguerre: edges of the power triangulation, {copies} times each particle")
    }

    fn assert_well_formed(&self, flights: &Flights<'_, 3>, now: f64) {
        self.mesh.assert_closed(if self.sites.torus().is_some() { 0 } else { 4 });
        assert_eq!(self.particles as usize, flights.len());
        let view = SpatialView::new(flights, &self.sites, now);
        // What happens to one image happens to all, but for rounding, and there may be many.
        let is_first = |corners: &[u32]| {
            self.sites.torus().is_none() || corners.iter().any(|&corner| corner < self.particles)
        };
        for facet in 0..self.mesh.facets() {
            let joint = self.mesh.joint(facet);
            if let Some(joint) = joint.filter(|joint| is_first(&joint.base)) {
                let certificate = view.certificate(&joint);
                let least = -MOST_LATE * certificate.tolerance;
                assert!(
                    certificate.value[0] >= least,
                    "facet {facet}, {joint:?}, is wrong: {certificate:?}"
                );
            }
        }
        for t in self.mesh.all().filter(|&t| is_first(&self.mesh.corners(t))) {
            let corners = self.mesh.corners(t);
            let side = view.side(corners);
            assert!(side >= -MOST_LATE, "{corners:?}: {side}");
        }
    }
}
