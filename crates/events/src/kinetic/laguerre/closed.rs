//! A box that closes on itself along every axis. One that ends in walls is closed behind a gap:
//! images beyond it are neighbours in vain.

use jostle_core::space::{Flights, Vector, to_whole};

/// Of a gap behind walls: part of the edge.
const GAP: f64 = 0.25;

/// The box and its gaps.
#[derive(Clone, Debug)]
pub(super) struct ClosedBox<const D: usize> {
    /// Of the box, with gaps. \[length\]
    pub(super) periods: [f64; D],
    /// Where the box begins, and how long it is without gaps. \[length\]
    pub(super) low: [f64; D],
    spans: [f64; D],
    /// Along which axes particles stay between walls.
    pub(super) walls: [bool; D],
}

impl<const D: usize> ClosedBox<D> {
    /// The box with the particles as they are.
    pub(super) fn around(flights: &Flights<'_, D>, now: f64) -> Self {
        let edges = flights.domain.edges();
        let (mut periods, mut low, mut spans) = (edges, [0.0; D], edges);
        let walls = std::array::from_fn(|k| !flights.domain.is_periodic(k));
        for k in (0..D).filter(|&k| walls[k]) {
            let places = (0..flights.len() as u32).map(|i| flights.at(i, now)[k]);
            let high = places.clone().fold(edges[k], f64::max);
            low[k] = places.fold(0.0, f64::min);
            spans[k] = high - low[k];
            periods[k] = (1.0 + GAP) * spans[k] + 2.0 * flights.largest_radius();
        }
        Self { periods, low, spans, walls }
    }

    /// By how many periods a particle that is now at `to` has gone back from `from`.
    pub(super) fn turns_back(&self, from: Vector<D>, to: Vector<D>) -> [i64; D] {
        std::array::from_fn(|k| to_whole((from[k] - to[k]) / self.periods[k]) as i64)
    }

    /// Whether a particle is where the gaps allow. Moving walls may lead out on both sides, and images
    /// are not to overlap.
    #[inline]
    pub(super) fn holds(&self, place: Vector<D>) -> bool {
        (0..D).filter(|&k| self.walls[k]).all(|k| {
            let beyond = (place[k] - self.low[k]) / self.spans[k];
            (-0.4 * GAP..1.0 + 0.4 * GAP).contains(&beyond)
        })
    }

    /// By how much coordinates may be wrong on a torus with such edges. \[length\]
    pub(super) fn rounding(edges: [f64; D], flights: &Flights<'_, D>) -> f64 {
        let longest = edges.into_iter().fold(0.0, f64::max);
        f64::max(8.0 * f64::EPSILON * longest, flights.domain.rounding())
    }
}
