//! Sorting anew by insertion: as many exchanges as the order asks for, and the lists follow.

use super::ring::OfEndpoints;
use super::{Endpoint, Endpoints, Ring};

/// Where the endpoints of one axis lie.
///
/// Along a periodic axis they lie on a circle that is cut open before the endpoint of rank 0: a
/// particle that crosses the cut is moved by a period, so that places always grow with the rank.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// \[endpoint\]
    at: Vec<f64>,
    /// The edge, along a periodic axis. \[length\]
    period: Option<f64>,
}

impl Places {
    /// All at 0, for so many particles.
    pub fn new(particles: usize, period: Option<f64>) -> Self {
        Self { at: vec![0.0; 2 * particles], period }
    }

    /// As they were, on a circle.
    pub fn at(at: Vec<f64>, period: f64) -> Self {
        Self { at, period: Some(period) }
    }

    /// Of all endpoints. \[endpoint\]
    pub fn all(&self) -> &[f64] {
        &self.at
    }

    /// Makes room for so many particles.
    pub fn cover(&mut self, particles: usize) {
        self.at.resize(self.at.len().max(2 * particles), 0.0);
    }

    /// Where an endpoint lies.
    #[inline]
    pub fn of(&self, endpoint: Endpoint) -> f64 {
        self.at[endpoint.0 as usize]
    }

    /// Puts the interval of a particle, which has no rank yet, to `[begin, end]`, each moved by
    /// whole periods into the one that starts at `cut`.
    pub fn put(&mut self, particle: u32, [begin, end]: [f64; 2], cut: f64) {
        let Some(period) = self.period else { return self.set(particle, [begin, end]) };
        let begin_now = cut + (begin - cut).rem_euclid(period);
        let end_now = begin_now + (end - begin);
        self.set(
            particle,
            [begin_now, if end_now < cut + period { end_now } else { end_now - period }],
        );
    }

    /// Moves the interval of a particle to `[begin, end]`, by the shorter way round. If it reaches
    /// across the cut it does so still; sorting sees to what is not right any more.
    pub fn follow(&mut self, particle: u32, [begin, end]: [f64; 2]) {
        let Some(period) = self.period else { return self.set(particle, [begin, end]) };
        let [old_begin, old_end] =
            [Endpoint::begin(particle), Endpoint::end(particle)].map(|e| self.of(e));
        let away = old_begin - begin;
        // Most need no division, which takes longer than all else here.
        let laps = if away.abs() <= 0.5 * period { 0.0 } else { (away / period).round() };
        let begin_now = begin + period * laps;
        let across = if old_end < old_begin { period } else { 0.0 };
        self.set(particle, [begin_now, begin_now + (end - begin) - across]);
    }

    fn set(&mut self, particle: u32, places: [f64; 2]) {
        let first = Endpoint::begin(particle).0 as usize;
        self.at[first..first + 2].copy_from_slice(&places);
    }

    /// The same places for particles with other numbers.
    pub fn renamed(&self, particles: usize, new_name: impl Fn(u32) -> Option<u32>) -> Self {
        let mut renamed = Self::new(particles, self.period);
        for old in 0..self.at.len() as u32 / 2 {
            if let Some(new) = new_name(old) {
                renamed.set(new, [Endpoint::begin(old), Endpoint::end(old)].map(|e| self.of(e)));
            }
        }
        renamed
    }
}

/// Takes whole periods off all places, so that they never get far from 0, however often particles
/// go round.
pub fn rewind(ring: &impl Ring, places: &mut Places) {
    let Some(period) = places.period.filter(|_| ring.count() > 0) else { return };
    let laps = period * (places.of(ring.at(0)) / period).floor();
    if laps != 0.0 {
        places.at.iter_mut().for_each(|at| *at -= laps);
    }
}

/// Holds a ring to be in order. For tests.
///
/// # Panics
/// If it is not.
pub fn assert_sorted(ring: &impl Ring, places: &Places) {
    for rank in 0..ring.count() {
        assert!(!is_out_of_order(ring, rank, places), "rank {rank}");
    }
}

/// Sorts a ring anew by insertion (Schinner's section 3.3.1), and returns the number of exchanges:
/// O(n) and one for each two endpoints that have changed places. Gives up after `most`: a particle
/// that hears of the exchanges is right even so, for the order as it is.
pub fn sort(ring: &mut impl Ring, places: &mut Places, most: u64) -> Option<u64> {
    let mut exchanges = 0;
    for start in 1..ring.count() {
        let mut rank = start;
        while rank > 0 && is_out_of_order(ring, rank - 1, places) {
            rank -= 1;
            ring.exchange(rank);
            exchanges += 1;
        }
        if exchanges > most {
            return None;
        }
    }
    // What has crossed the cut.
    while ring.count() > 0 && is_out_of_order(ring, ring.count() - 1, places) {
        let last = ring.count() - 1;
        let pair = [ring.at(last), ring.at(0)];
        pass(ring, last, places);
        exchanges += 1;
        exchanges += pair.into_iter().map(|e| settle(ring, e, places)).sum::<u64>();
        if exchanges > most {
            return None;
        }
    }
    Some(exchanges)
}

/// Brings both ends of one particle to where they belong among the others, which are in order, and
/// returns the number of exchanges.
pub fn settle_box(ring: &mut impl Ring, particle: u32, places: &mut Places) -> u64 {
    // An end that moves far back has to wait for its beginning to make way.
    let in_turn = [Endpoint::end(particle), Endpoint::begin(particle), Endpoint::end(particle)];
    in_turn.into_iter().map(|endpoint| settle(ring, endpoint, places)).sum()
}

/// Brings one endpoint to where it belongs.
fn settle(ring: &mut impl Ring, endpoint: Endpoint, places: &mut Places) -> u64 {
    let mut exchanges = 0;
    loop {
        let rank = ring.rank_of(endpoint);
        let before = ring.before(rank);
        if is_out_of_order(ring, before, places) {
            pass(ring, before, places);
        } else if is_out_of_order(ring, rank, places) {
            pass(ring, rank, places);
        } else {
            return exchanges;
        }
        exchanges += 1;
    }
}

/// Exchanges the endpoints at `rank` and after it, which may be on either side of the cut.
fn pass(ring: &mut impl Ring, rank: usize, places: &mut Places) {
    if let (true, Some(period)) = (rank + 1 == ring.count(), places.period) {
        let [last, first] = [ring.at(rank), ring.at(0)];
        places.at[last.0 as usize] -= period;
        places.at[first.0 as usize] += period;
    }
    ring.exchange(rank);
}

/// Whether the endpoints at `rank` and after it are to be exchanged. Beginnings come before ends at
/// the same place.
#[inline]
fn is_out_of_order(ring: &impl Ring, rank: usize, places: &Places) -> bool {
    let next = ring.after(rank);
    let (p, q) = (ring.at(rank), ring.at(next));
    let (x, mut y) = (places.of(p), places.of(q));
    if next == 0 {
        let Some(period) = places.period else { return false };
        y += period;
    }
    x > y || (x == y && p.is_end() && !q.is_end())
}

impl<const D: usize> Endpoints<D> {
    /// As [`rewind`], for one axis.
    pub fn rewind(&mut self, axis: usize, places: &mut Places) {
        rewind(&OfEndpoints { endpoints: self, axis }, places);
    }

    /// As [`assert_sorted`], for one axis.
    pub fn assert_sorted(&self, axis: usize, places: &Places) {
        assert_sorted(&OfEndpoints { endpoints: &mut self.clone(), axis }, places);
    }

    /// As [`sort`], for one axis: the lists follow.
    pub fn sort(&mut self, axis: usize, places: &mut Places, most: u64) -> Option<u64> {
        sort(&mut OfEndpoints { endpoints: self, axis }, places, most)
    }

    /// As [`settle_box`], for one axis: the lists follow.
    pub fn settle_box(&mut self, axis: usize, particle: u32, places: &mut Places) -> u64 {
        settle_box(&mut OfEndpoints { endpoints: self, axis }, particle, places)
    }
}
