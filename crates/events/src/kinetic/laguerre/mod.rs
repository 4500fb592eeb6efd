//! The dynamic generalised Delaunay triangulation in Laguerre geometry (Gavrilova and Rokne 2002,
//! section 3.1; Gavrilova et al. 2003, section 4), in the plane. In space: `space`.
//!
//! The Laguerre distance of a point to a disk is the square of the tangent, |x - c|² - r². The
//! cells of least distance make the power diagram; two disks are neighbours if their cells share an
//! edge, and these pairs make the triangulation. Disks that touch are neighbours whatever the
//! radii: at the point of contact both distances are zero, and all others positive. So no pair has
//! to be announced early, and a particle has six neighbours on average, near walls fewer.
//!
//! As particles move, an edge flips when the four around it become orthogonal to one circle: a root
//! of a quartic (Lemma 1). The hull changes at roots of quadratics, by the same flips, since the
//! outside is made of triangles too. Each edge is a facet and keeps its number for good.
//!
//! No edge flips before its certificate has certainly failed, so lattices and sites on a line need
//! no special case. Cost: 52 bytes a particle, building in expected O(n log n), and for each flip
//! five edges replanned, for each new path some twelve.
//!
//! In boxes that close on themselves it is a triangulation of the torus: without a hull, and with edges
//! that know to which image of a particle they lead, so that any box will do. An axis that ends in walls
//! is closed there as well, behind a gap. 148 bytes a particle.
//!
//! For particles that do not overlap by more than rounding.

mod build;
mod certificate;
mod closed;
mod diagram;
mod exact;
mod mesh;
mod order;
mod power;
mod roots;
mod space;
#[cfg(test)]
mod tests;

pub use diagram::{Diagram, diagram};
pub use power::{RelativeSite, Site, oriented_volume, power_in_sphere};
pub use roots::{Polynomial, TERMS, first_fall, value};
pub use space::SpatialLaguerre;

use self::certificate::View;
use self::closed::ClosedBox;
use self::mesh::{Mesh, Quad};
use super::direct::when_far;
use super::{Facets, Kinetic, Topology};
use jostle_core::space::{Flight, Flights};

/// By how many tolerances of now a certificate may have failed before its edge flips: it waits for
/// the tolerance of the time at which it was planned, which may be larger.
const MOST_LATE: f64 = 100.0;

/// The triangulation, kept right by flips.
#[derive(Clone, Debug, Default)]
pub struct Laguerre {
    mesh: Mesh,
    topology: Topology,
    /// When it was last built because flips did not help.
    afresh: Option<f64>,
    around: Option<Around>,
}

/// What it takes to follow particles round a box that closes on itself.
#[derive(Clone, Debug)]
struct Around {
    closed: ClosedBox<2>,
    /// The paths that are known. A new one may begin whole periods back. \[particle\]
    known: Vec<Flight<2>>,
}

impl Around {
    fn of(flights: &Flights<'_, 2>, now: f64) -> Self {
        Self { closed: ClosedBox::around(flights, now), known: flights.all.to_vec() }
    }

    /// Takes up a new path of `i`. Says by how many periods it has gone back.
    fn take(&mut self, i: u32, flights: &Flights<'_, 2>, now: f64) -> [i32; 2] {
        let known = &mut self.known[i as usize];
        let was = known.at(now, flights.acceleration);
        *known = flights.all[i as usize];
        self.closed.turns_back(was, flights.at(i, now)).map(|turns| turns as i32)
    }
}

impl Laguerre {
    fn view<'a>(&self, flights: &'a Flights<'a, 2>, now: f64) -> View<'a> {
        match &self.around {
            Some(around) => View::around(flights, now, around.closed.periods),
            None => View::new(flights, now),
        }
    }

    /// On a torus, the slots after those of the edges: one for each particle, which is looked at because
    /// of its images, and one for particles that leave the box.
    fn slot_of_look(&self, i: u32) -> u32 {
        self.mesh.edges() + i
    }

    fn slot_of_all(&self) -> u32 {
        self.mesh.edges() + self.mesh.sites()
    }

    /// Plans when to look at `i` again, because other images of its partners may be the nearest.
    fn plan_look(&self, i: u32, flights: &Flights<'_, 2>, now: f64, facets: &mut Facets<'_>) {
        facets.plan(self.slot_of_look(i), when_far(i, flights, now));
    }

    /// Announces the pairs of `i` again.
    fn look_at(
        &mut self,
        i: u32,
        flights: &Flights<'_, 2>,
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

    /// Rebuilds everything, and announces every pair.
    fn make_afresh(
        &mut self,
        flights: &Flights<'_, 2>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        self.build(flights, now, facets);
        let known = gained.len();
        gained.extend((0..self.mesh.edges()).filter_map(|edge| self.pair(edge)));
        self.topology.gained += (gained.len() - known) as u64;
    }

    /// How many pairs are neighbours.
    pub fn pairs(&self) -> usize {
        (0..self.mesh.edges()).filter(|&edge| self.pair(edge).is_some()).count()
    }

    /// The two particles that `edge` joins; none if it goes to infinity, or to an image of the same.
    fn pair(&self, edge: u32) -> Option<[u32; 2]> {
        let ends = [2 * edge, 2 * edge + 1].map(|half| self.mesh.origin(half));
        let is_pair = ends[0] != ends[1] && !ends.iter().any(|&end| self.mesh.is_ghost(end));
        is_pair.then_some(ends)
    }

    /// An edge that is wrong but cannot flip, since a corner of its quadrilateral points inwards:
    /// the disk there is covered by others, or has passed through an edge within the rounding of
    /// the time, where that is not small against the disks. Everything is rebuilt, and every pair
    /// announced, but only once at any one time, since it does not help where disks are covered. Those edges
    /// wait for others to change.
    fn start_afresh(
        &mut self,
        facet: u32,
        flights: &Flights<'_, 2>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        if self.afresh == Some(now) {
            facets.plan(facet, f64::INFINITY);
            return;
        }
        self.make_afresh(flights, now, facets, gained);
        self.afresh = Some(now);
    }

    /// Plans when to look at `edge`, no later than it flips. Most edges are replanned, because
    /// of a new path or a flip beside them, long before anyone looks, so that its root would be
    /// found in vain.
    fn plan(&mut self, edge: u32, view: &View<'_>, facets: &mut Facets<'_>) {
        self.topology.planned += 1;
        facets.plan(edge, view.stays_until(self.mesh.quad(edge)));
    }

    /// Plans the flip of `edge`.
    fn plan_flip(&mut self, edge: u32, view: &View<'_>, facets: &mut Facets<'_>) {
        self.topology.planned += 1;
        facets.plan(edge, view.due(self.mesh.quad(edge)));
    }
}

impl Kinetic<2> for Laguerre {
    fn build(&mut self, flights: &Flights<'_, 2>, now: f64, facets: &mut Facets<'_>) {
        let disks: Vec<_> = flights
            .all
            .iter()
            .map(|flight| (flight.at(now, flights.acceleration), flight.radius))
            .collect();
        let is_closed = (0..2).any(|k| flights.domain.is_periodic(k));
        self.around = is_closed.then(|| Around::of(flights, now));
        self.mesh = match &self.around {
            Some(around) if !disks.is_empty() => {
                build::triangulate_around(&disks, around.closed.periods)
            }
            None if disks.len() >= 2 => build::triangulate(&disks),
            _ => Mesh::default(),
        };
        // `start_afresh` sets it again after this call.
        self.afresh = None;
        facets.cover(match is_closed {
            true => self.slot_of_all() as usize + 1,
            false => self.mesh.edges() as usize,
        });
        let view = self.view(flights, now);
        for edge in 0..self.mesh.edges() {
            self.plan(edge, &view, facets);
        }
        if is_closed {
            facets.plan(self.slot_of_all(), f64::INFINITY);
            (0..self.mesh.sites()).for_each(|i| self.plan_look(i, flights, now, facets));
        }
    }

    fn near(&self, i: u32, _: &Flights<'_, 2>, _: f64, out: &mut Vec<u32>) {
        if self.mesh.edges() == 0 {
            return;
        }
        let first = out.len();
        for end in self.mesh.ring(i).map(|half| self.mesh.origin(half ^ 1)) {
            // While a site passes through the line of two others on the hull, these may be joined
            // twice; and in a narrow box to several images.
            if end != i && !self.mesh.is_ghost(end) && !out[first..].contains(&end) {
                out.push(end);
            }
        }
    }

    fn update(&mut self, i: u32, flights: &Flights<'_, 2>, now: f64, facets: &mut Facets<'_>) {
        if self.mesh.edges() == 0 {
            return;
        }
        if let Some(around) = &mut self.around {
            let back = around.take(i, flights, now);
            let is_held = around.closed.holds(flights.at(i, now));
            if back != [0; 2] {
                self.mesh.shift(i, back);
            }
            if !is_held {
                facets.plan(self.slot_of_all(), now);
            }
            self.plan_look(i, flights, now, facets);
        }
        let view = self.view(flights, now);
        let first = self.mesh.out_of(i);
        let mut spoke = first;
        // Site i is among the four of every edge that ends at it, and of every edge opposite to it
        // in a triangle. No other certificate depends on its path.
        loop {
            self.plan(spoke / 2, &view, facets);
            self.plan(self.mesh.next(spoke) / 2, &view, facets);
            spoke = self.mesh.previous(spoke) ^ 1;
            if spoke == first {
                return;
            }
        }
    }

    fn change(
        &mut self,
        facet: u32,
        flights: &Flights<'_, 2>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        if facet >= self.mesh.edges() {
            return match facet == self.slot_of_all() {
                true => self.make_afresh(flights, now, facets, gained),
                false => self.look_at(facet - self.mesh.edges(), flights, now, facets, gained),
            };
        }
        let view = self.view(flights, now);
        let quad = self.mesh.quad(facet);
        let failed = view.certificate(quad).is_some_and(|certificate| certificate.has_failed());
        // The first visit mostly follows a lower bound (see `plan`): the edge is still right, and
        // only now is the root worth computing.
        if !failed || !view.can_flip(quad, 0.0) {
            self.plan_flip(facet, &view, facets);
            let is_stuck = failed && matches!(quad, Quad::Inner(_));
            // An edge planned for this very moment again would come back for ever.
            if is_stuck || facets.time(facet) <= now {
                self.start_afresh(facet, flights, now, facets, gained);
            }
            return;
        }
        self.mesh.flip(facet);
        self.topology.events += 1;
        if let Some(pair) = self.pair(facet) {
            self.topology.gained += 1;
            gained.push(pair);
        }
        self.plan_flip(facet, &view, facets);
        for edge in self.mesh.frame(facet) {
            self.plan(edge, &view, facets);
        }
    }

    fn tells_images_apart(&self) -> bool {
        // There is only one, between walls.
        self.around.is_none()
    }

    fn topology(&self) -> Topology {
        self.topology
    }

    fn bytes(&self) -> usize {
        let known = self.around.as_ref().map_or(0, |around| around.known.capacity());
        size_of::<Self>() + self.mesh.bytes() + known * size_of::<Flight<2>>()
    }

    fn describe(&self) -> String {
        "laguerre: edges of the power triangulation".to_owned()
    }

    fn assert_well_formed(&self, flights: &Flights<'_, 2>, now: f64) {
        self.mesh.assert_closed();
        assert!(flights.len() < 2 || self.mesh.sites() as usize == flights.len());
        let view = self.view(flights, now);
        for edge in 0..self.mesh.edges() {
            let quad = self.mesh.quad(edge);
            // At the hull this says that the outline is convex.
            if let Some(certificate) = view.certificate(quad) {
                let least = -MOST_LATE * certificate.tolerance;
                assert!(
                    certificate.value[0] >= least,
                    "edge {edge}, {quad:?}, is wrong: {certificate:?}"
                );
            }
            for half in [2 * edge, 2 * edge + 1] {
                let corners = self.mesh.corners(half);
                if !corners.iter().any(|corner| self.mesh.is_ghost(corner.site)) {
                    let turn = view.turn_of(corners);
                    assert!(turn.value[0] >= -MOST_LATE * turn.tolerance, "{corners:?}");
                }
            }
        }
    }
}
