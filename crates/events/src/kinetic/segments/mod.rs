//! The set of segment trees: neighbours are particles whose bounding boxes overlap (Gavrilova and
//! Rokne 2002, section 3.4).
//!
//! What Gavrilova & Rokne say of it holds: at most one pair to check for each swap, up to three
//! events planned (the two new pairs of adjacent endpoints, and the old one that has swapped, which
//! ends its plan), 4 D at a change of path, and O(n) memory: 73 bytes a particle in two dimensions
//! and 91 in three, timetable apart. A swap takes 140 ns at 100 disks and 210 ns at 10 000, nearly
//! half of it in the timetable; a change of path 320 and 370 ns (packing 0.3). But a particle that
//! crosses the box meets the endpoints of all others, so that swaps per particle grow with the
//! number of particles. Each of them is cheap; there are many.

#[cfg(test)]
mod storms;
#[cfg(test)]
mod tests;

use super::{Facets, Kinetic, MARGIN, Topology};
use jostle_core::search::endpoints::{Endpoint, Endpoints, Exchange};
use jostle_core::space::Flights;

/// The endpoints of all boxes along each axis, in order. Facet `axis 2n + rank` is the pair of the
/// endpoints at `rank` and after it; its event is the moment at which they meet, and exchanges
/// them. Along a periodic axis the last endpoint is followed by the first. No particle may be wider
/// than half of a periodic edge.
///
/// All share one acceleration, so that any two endpoints move straight relative to each other, and
/// meet after gap over closing speed. How fast two of them close in depends on nothing but their
/// paths, and its sign turns with the two; so while no path changes, two endpoints are exchanged
/// once and never back (once per lap, along a periodic axis). Hence even if all of them are due at
/// one moment, on top of each other or out of order by rounding, the exchanges end, and leave no
/// particle closing in on that is behind him.
#[derive(Clone, Debug, Default)]
pub struct Segments<const D: usize> {
    endpoints: Endpoints<D>,
    topology: Topology,
}

impl<const D: usize> Segments<D> {
    /// A structure without particles.
    pub fn new() -> Self {
        Self::default()
    }

    /// Plans when the endpoints at `rank` and after it meet.
    #[inline]
    fn plan(
        &mut self,
        axis: usize,
        rank: usize,
        flights: &Flights<'_, D>,
        now: f64,
        facets: &mut Facets<'_>,
    ) {
        let count = self.endpoints.count();
        if rank + 1 == count && !flights.domain.is_periodic(axis) {
            return;
        }
        self.topology.planned += 1;
        facets.plan((axis * count + rank) as u32, self.meet(axis, rank, flights, now));
    }

    /// When the endpoints at `rank` and after it meet, or infinity: now, if they are out of order
    /// by rounding and get farther so; never, if they do not close in.
    #[inline]
    fn meet(&self, axis: usize, rank: usize, flights: &Flights<'_, D>, now: f64) -> f64 {
        let pair = [rank, self.endpoints.after(rank)].map(|rank| self.endpoints.at(axis, rank));
        let speed = closing_speed(axis, pair, flights);
        if speed > 0.0 {
            now + gap(axis, pair, flights, now).max(0.0) / speed
        } else {
            f64::INFINITY
        }
    }
}

/// How fast the first of two endpoints closes in on the second. Not the difference of what the
/// velocities are now: that would be rounded anew each time.
#[inline]
fn closing_speed<const D: usize>(
    axis: usize,
    pair: [Endpoint; 2],
    flights: &Flights<'_, D>,
) -> f64 {
    let [p, q] = pair.map(|endpoint| &flights.all[endpoint.owner() as usize]);
    (p.velocity[axis] - q.velocity[axis]) - flights.acceleration[axis] * (p.since - q.since)
}

/// How far the second of two endpoints is ahead of the first, along a periodic axis on the way
/// round; negative only by rounding.
#[inline]
fn gap<const D: usize>(
    axis: usize,
    pair: [Endpoint; 2],
    flights: &Flights<'_, D>,
    now: f64,
) -> f64 {
    let [p, q] = pair.map(|endpoint| place(axis, endpoint, flights, now));
    let gap = q - p;
    if !flights.domain.is_periodic(axis) {
        return gap;
    }
    // The interval of the first lies either before the gap or around it: the gap is at most the
    // edge less the width of that, and what is nearly the edge is in truth a little below 0.
    let (edge, below) =
        (flights.domain.edges()[axis], flights.all[pair[0].owner() as usize].radius);
    if (-below..edge - below).contains(&gap) {
        gap
    } else {
        gap - edge * ((gap + below) / edge).floor()
    }
}

/// Where an endpoint is `now`, on the unwrapped path of its particle.
#[inline]
fn place<const D: usize>(
    axis: usize,
    endpoint: Endpoint,
    flights: &Flights<'_, D>,
    now: f64,
) -> f64 {
    let flight = &flights.all[endpoint.owner() as usize];
    // One coordinate only: half of the time went into the others.
    let t = now - flight.since;
    let centre = flight.position[axis]
        + flight.velocity[axis] * t
        + flights.acceleration[axis] * (0.5 * t * t);
    endpoint.place(centre, flight.radius * (1.0 + MARGIN))
}

impl<const D: usize> Kinetic<D> for Segments<D> {
    fn build(&mut self, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>) {
        let domain = flights.domain;
        let wrapped = |axis, endpoint| {
            let place = place(axis, endpoint, flights, now);
            if domain.is_periodic(axis) { place.rem_euclid(domain.edges()[axis]) } else { place }
        };
        self.endpoints.build(flights.len(), |_| true, wrapped);
        let count = self.endpoints.count();
        facets.cover(D * count);
        for axis in 0..D {
            // Facets that nothing is ever planned for keep what was there before.
            (0..count).for_each(|rank| facets.plan((axis * count + rank) as u32, f64::INFINITY));
            (0..count).for_each(|rank| self.plan(axis, rank, flights, now, facets));
        }
    }

    fn near(&self, i: u32, _: &Flights<'_, D>, _: f64, out: &mut Vec<u32>) {
        out.extend(self.endpoints.near(i));
    }

    fn update(&mut self, i: u32, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>) {
        for axis in 0..D {
            for endpoint in [Endpoint::begin(i), Endpoint::end(i)] {
                let rank = self.endpoints.rank_of(axis, endpoint);
                self.plan(axis, self.endpoints.before(rank), flights, now, facets);
                self.plan(axis, rank, flights, now, facets);
            }
        }
    }

    fn change(
        &mut self,
        facet: u32,
        flights: &Flights<'_, D>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        let count = self.endpoints.count();
        let (axis, rank) = (facet as usize / count, facet as usize % count);
        self.topology.events += 1;
        if let Exchange::Gained(pair) = self.endpoints.exchange(axis, rank) {
            self.topology.gained += 1;
            gained.push(pair);
        }
        // The facet that was due comes last: while it holds the first place in the timetable, the
        // others are entered without looking far.
        for rank in [self.endpoints.before(rank), self.endpoints.after(rank), rank] {
            self.plan(axis, rank, flights, now, facets);
        }
    }

    fn tells_images_apart(&self) -> bool {
        // Boxes overlap through one image only.
        true
    }

    fn topology(&self) -> Topology {
        self.topology
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.endpoints.bytes()
    }

    fn describe(&self) -> String {
        format!("segments: {} sorted endpoints along each axis", self.endpoints.count())
    }

    fn assert_well_formed(&self, flights: &Flights<'_, D>, now: f64) {
        assert_eq!(self.endpoints.count(), 2 * flights.len());
        self.endpoints.assert_well_formed();
        for axis in 0..D {
            let periodic = flights.domain.is_periodic(axis);
            let last = if periodic {
                self.endpoints.count()
            } else {
                self.endpoints.count().saturating_sub(1)
            };
            let places = (0..flights.len() as u32).map(|i| flights.at(i, now)[axis].abs());
            let far = places.fold(flights.domain.edges()[axis], f64::max);
            for rank in 0..last {
                let pair =
                    [rank, self.endpoints.after(rank)].map(|rank| self.endpoints.at(axis, rank));
                let gap = gap(axis, pair, flights, now);
                assert!(gap > -1e-12 * far, "axis {axis}, rank {rank}: {pair:?} are {gap} apart");
            }
        }
    }
}
