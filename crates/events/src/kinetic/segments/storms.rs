//! Storms of swaps: particles that fly through each other and turn at random, held to brute force.

use std::collections::BTreeSet;

use super::*;
use jostle_core::agenda::Timetable;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Flight, Vector};

/// A little engine: particles that ignore each other, and a structure that follows them.
pub(super) struct World<const D: usize> {
    pub(super) domain: Domain<D>,
    pub(super) acceleration: Vector<D>,
    pub(super) all: Vec<Flight<D>>,
    pub(super) now: f64,
    pub(super) timetable: Timetable,
    pub(super) structure: Segments<D>,
}

/// How particles move after a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Speeds {
    Any,
    /// -1, 0 or 1 along each axis: many swaps at one moment.
    Whole,
    /// As `Whole` along the first axis, 0 along the others.
    Line,
}

/// Random numbers in a row.
pub(super) struct Draws(Random, u64);

impl Draws {
    pub(super) fn new(seed: u64) -> Self {
        Self(Random::new(seed), 0)
    }

    pub(super) fn uniform(&mut self) -> f64 {
        self.1 += 1;
        self.0.uniform(Purpose::Waiting, [self.1, 0, 0, 0])
    }

    pub(super) fn velocity<const D: usize>(&mut self, speeds: Speeds) -> Vector<D> {
        Vector::from_fn(|k| match speeds {
            Speeds::Any => 2.0 * self.uniform() - 1.0,
            Speeds::Line if k > 0 => 0.0,
            _ => (3.0 * self.uniform()).floor() - 1.0,
        })
    }
}

impl<const D: usize> World<D> {
    pub(super) fn new(domain: Domain<D>, acceleration: Vector<D>, all: Vec<Flight<D>>) -> Self {
        let (timetable, structure) = (Timetable::default(), Segments::new());
        let mut world = Self { domain, acceleration, all, now: 0.0, timetable, structure };
        let flights =
            Flights { domain: &world.domain, acceleration: world.acceleration, all: &world.all };
        world.structure.build(&flights, 0.0, &mut Facets::new(&mut world.timetable, 0));
        world
    }

    pub(super) fn flights(&self) -> Flights<'_, D> {
        Flights { domain: &self.domain, acceleration: self.acceleration, all: &self.all }
    }

    /// Carries out the swap that is due first.
    pub(super) fn swap(&mut self, gained: &mut Vec<[u32; 2]>) {
        let due = self.timetable.first();
        self.now = due.time;
        let flights =
            Flights { domain: &self.domain, acceleration: self.acceleration, all: &self.all };
        let facets = &mut Facets::new(&mut self.timetable, 0);
        self.structure.change(due.slot, &flights, self.now, facets, gained);
    }

    /// Gives `i` another velocity at `now`; along axes with walls towards the box if it is outside.
    pub(super) fn turn(&mut self, i: u32, velocity: Vector<D>) {
        let (place, _) = self.domain.wrap(self.flights().at(i, self.now));
        let turned = Vector::from_fn(|k| match place[k] {
            x if self.domain.is_periodic(k) || (0.0..self.domain.edges()[k]).contains(&x) => {
                velocity[k]
            }
            x => -x.signum() * velocity[k].abs(),
        });
        let flight = &mut self.all[i as usize];
        *flight = Flight { position: place, velocity: turned, since: self.now, ..*flight };
        let flights =
            Flights { domain: &self.domain, acceleration: self.acceleration, all: &self.all };
        self.structure.update(i, &flights, self.now, &mut Facets::new(&mut self.timetable, 0));
    }

    /// All pairs that are listed, the lower particle first.
    pub(super) fn listed(&self) -> BTreeSet<[u32; 2]> {
        let mut pairs = BTreeSet::new();
        let mut near = Vec::new();
        for i in 0..self.all.len() as u32 {
            near.clear();
            self.structure.near(i, &self.flights(), self.now, &mut near);
            pairs.extend(near.iter().filter(|&&j| i < j).map(|&j| [i, j]));
        }
        pairs
    }

    /// Everything that must hold at any moment.
    pub(super) fn examine(&self) {
        self.structure.assert_well_formed(&self.flights(), self.now);
        self.examine_lists();
        self.examine_plans();
    }

    /// Boxes that overlap are listed, and those that do not are not, but for rounding.
    fn examine_lists(&self) {
        let listed = self.listed();
        let centres: Vec<_> =
            (0..self.all.len() as u32).map(|i| self.flights().at(i, self.now)).collect();
        for i in 0..self.all.len() {
            for j in i + 1..self.all.len() {
                let apart = self.domain.nearest_image(centres[j] - centres[i]);
                let reach = (self.all[i].radius + self.all[j].radius) * (1.0 + MARGIN);
                let gap = (0..D).map(|k| apart[k].abs() - reach).fold(f64::NEG_INFINITY, f64::max);
                let is_listed = listed.contains(&[i as u32, j as u32]);
                assert!(gap.abs() < 1e-11 || is_listed == (gap < 0.0), "{i} and {j}, {gap} apart");
                assert!(
                    is_listed || apart.norm() >= reach / (1.0 + MARGIN),
                    "{i} and {j} touch unlisted"
                );
            }
        }
    }

    /// Each pair of endpoints that close in on each other is planned, at its time.
    fn examine_plans(&self) {
        let count = self.structure.endpoints.count();
        for axis in 0..D {
            for rank in 0..count {
                let planned = self.timetable.time((axis * count + rank) as u32);
                assert!(planned >= self.now);
                let pair = [rank, self.structure.endpoints.after(rank)];
                let pair = pair.map(|rank| self.structure.endpoints.at(axis, rank));
                if planned < f64::INFINITY {
                    assert_ne!(pair[0].owner(), pair[1].owner());
                    assert!(
                        gap(axis, pair, &self.flights(), planned).abs() < 1e-10,
                        "met elsewhere"
                    );
                } else if rank + 1 < count || self.domain.is_periodic(axis) {
                    let soon = [0.0, 1e-3, 1.0].map(|t| self.now + t);
                    let gaps = soon.map(|t| gap(axis, pair, &self.flights(), t));
                    let grows = gaps.windows(2).all(|g| g[1] > g[0] - 1e-11 || g[1] < 1e-11);
                    assert!(grows, "{pair:?} would meet: {gaps:?}");
                }
            }
        }
    }
}

/// Swaps and turns in order of time; turns come at times from a coarse set, so that some coincide
/// with swaps. Examined after each of them if `often`, else after every 500.
pub(super) fn storm<const D: usize>(
    world: &mut World<D>,
    speeds: Speeds,
    rounds: usize,
    often: bool,
    seed: u64,
) {
    let mut draws = Draws::new(seed);
    let (mut next_turn, mut at_once) = (0.0, (0.0, 0));
    let most = 2 * D * world.structure.endpoints.count().pow(2);
    world.examine();
    for round in 0..rounds {
        let examine = often || round.is_multiple_of(500);
        let before = if examine { world.listed() } else { BTreeSet::new() };
        let mut gained = Vec::new();
        if world.timetable.first().time <= next_turn {
            world.swap(&mut gained);
            at_once =
                if at_once.0 == world.now { (world.now, at_once.1 + 1) } else { (world.now, 1) };
            assert!(at_once.1 <= most, "swaps without end at {}", world.now);
        } else {
            world.now = next_turn;
            next_turn += (4.0 * draws.uniform()).floor() / (4.0 * world.all.len() as f64);
            let i = (draws.uniform() * world.all.len() as f64) as u32;
            world.turn(i, draws.velocity(speeds));
        }
        assert!(gained.len() <= 1, "at most one check for each swap");
        if examine {
            let now_listed = world.listed();
            let new: Vec<_> = now_listed.difference(&before).copied().collect();
            let announced: Vec<_> = gained.iter().map(|&[i, j]| [i.min(j), i.max(j)]).collect();
            assert_eq!(new, announced);
            world.examine();
        }
    }
}
