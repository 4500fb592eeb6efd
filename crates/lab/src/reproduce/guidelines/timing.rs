//! What a trajectory event costs with each structure.

use std::time::Instant;

use crate::reproduce::gauge::{Costs, Gauge, Meter, clock};
use crate::reproduce::shaker::BallMixture;
use crate::reproduce::shaker::placement::{MILLIMETRE, SECOND, Speeds, from_faces, set_moving};
use crate::reproduce::shaker::printed::{EDGE, TIMESTEP};
use crate::reproduce::structures::{build, contestants};
use crate::reproduce::{Progress, ReproduceError};
use jostle_core::narrow::{Images, flight_contact};
use jostle_core::observe::NoObserver;
use jostle_core::random::Random;
use jostle_core::space::{Domain, Vector};
use jostle_events::granular::container::Container;
use jostle_events::granular::forces::Forces;
use jostle_events::granular::{Collisions, Grain, Granular, Setup, Trajectory, TrajectoryClock};
use jostle_events::kinetic::{Kinetic, KineticKind};

/// What a trajectory event costs.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// Of space.
    pub dimension: usize,
    /// Sizes and packing.
    pub mixture: BallMixture,
    /// How many balls were asked for.
    pub wanted: usize,
    /// How many there are.
    pub balls: usize,
    /// The structure.
    pub kind: KineticKind,
    /// Time per trajectory event. \[ns\]
    pub nanoseconds: f64,
    /// Checks of pairs per trajectory event.
    pub checks: f64,
    /// Topological events per trajectory event.
    pub topological: f64,
    /// The share of the time that goes into the structure and checks of pairs.
    pub share: f64,
    /// What the structure holds. \[bytes\]
    pub bytes: f64,
}

impl Timed {
    /// Dimension, mixture, and balls that were asked for: structures are compared within these.
    pub(super) fn scene(&self) -> (usize, BallMixture, usize) {
        (self.dimension, self.mixture, self.wanted)
    }
}

/// All pairs are looked at with so many balls at most.
pub(super) const MOST_DIRECT: usize = 20_000;
/// A run that would take longer, reckoned from the one with fewer balls, is left out. \[s\]
pub(super) const LONGEST: f64 = 5.0;

/// Times all structures with a mixture, with so many `balls` (rising).
///
/// # Errors
/// If balls cannot be placed, or a run fails.
pub(super) fn timings<const D: usize>(
    mixture: BallMixture,
    balls: &[usize],
    progress: Progress<'_>,
) -> Result<Vec<Timed>, ReproduceError> {
    let mut all: Vec<Timed> = Vec::new();
    for &wanted in balls {
        let scene = TimingScene::<D>::new(mixture, wanted)?;
        progress(&format!("{}, {} balls", mixture.name(D), scene.grains.len()));
        for kind in contestants(D) {
            let with_fewer = all.iter().rev().find(|timed| timed.kind == kind);
            if scene.is_in_time(kind, with_fewer) {
                all.push(scene.time(mixture, wanted, kind)?);
            }
        }
    }
    Ok(all)
}

struct TimingScene<const D: usize> {
    domain: Domain<D>,
    grains: Vec<Grain<D>>,
}

impl<const D: usize> TimingScene<D> {
    /// As many copies of the box, side by side, as come closest to the number of balls that is asked
    /// for; each copy has its own velocities.
    fn new(mixture: BallMixture, wanted: usize) -> Result<Self, ReproduceError> {
        let balls = mixture.balls::<D>(1, from_faces)?;
        let in_line = |n: usize| balls.len() * n.pow(D as u32);
        let too_many = (1..).find(|&n| in_line(n) > wanted).unwrap_or(1);
        let tiles = match too_many {
            1 => 1,
            n if in_line(n) - wanted < wanted - in_line(n - 1) => n,
            n => n - 1,
        };
        let edge = EDGE * MILLIMETRE;
        let mut grains = Vec::with_capacity(in_line(tiles));
        for tile in 0..tiles.pow(D as u32) {
            let corner = Vector::from_fn(|k| (tile / tiles.pow(k as u32) % tiles) as f64) * edge;
            let own = set_moving(&balls, &Random::new(1 + tile as u64), Speeds::Maxwell);
            grains.extend(own.into_iter().map(|g| Grain { position: g.position + corner, ..g }));
        }
        Ok(Self { domain: Domain::new([edge * tiles as f64; D], [false; D]), grains })
    }

    /// Some 30 thousand trajectory events or more; at the least one of each ball.
    fn steps(&self, kind: KineticKind) -> u64 {
        match self.grains.len() {
            0..1000 => 300,
            _ if kind == KineticKind::Direct => 1,
            1000..20_000 => 8,
            20_000..200_000 => 2,
            _ => 1,
        }
    }

    /// Whether a run ends soon, by what a trajectory event costs `with_fewer` balls.
    fn is_in_time(&self, kind: KineticKind, with_fewer: Option<&Timed>) -> bool {
        let balls = self.grains.len();
        if kind == KineticKind::Direct {
            return balls <= MOST_DIRECT;
        }
        let seconds = |t: &Timed| 1e-9 * t.nanoseconds * (balls as u64 * self.steps(kind)) as f64;
        with_fewer.is_none_or(|t| seconds(t) <= LONGEST)
    }

    fn time(
        &self,
        mixture: BallMixture,
        wanted: usize,
        kind: KineticKind,
    ) -> Result<Timed, ReproduceError> {
        let largest = self.grains.iter().map(|grain| grain.radius).fold(0.0, f64::max);
        let structure =
            || build::<D>(kind, Some(2.0 * largest)).ok_or(ReproduceError::NoStructure(kind));
        let begun = Instant::now();
        let (mut least, mut watched, mut share, mut rounds) =
            (f64::INFINITY, f64::INFINITY, f64::NAN, 0);
        let engine = loop {
            least = least.min(self.go(self.engine(structure()?)?, kind)?.1);
            let (gauge, meter) = Gauge::new(structure()?);
            let (engine, seconds) = self.go(self.engine(Box::new(gauge))?, kind)?;
            if seconds < watched {
                watched = seconds;
                share = share_of_detection(&engine, &meter, seconds);
            }
            rounds += 1;
            // One round is enough for what takes long.
            if rounds == 3 || begun.elapsed().as_secs_f64() > 3.0 {
                break engine;
            }
        };
        let tally = engine.tally();
        let events = tally.trajectory_events as f64;
        Ok(Timed {
            dimension: D,
            mixture,
            wanted,
            balls: self.grains.len(),
            kind,
            nanoseconds: 1e9 * least / events,
            checks: tally.pair_tests as f64 / events,
            topological: engine.search().topology().events as f64 / events,
            share,
            bytes: engine.search().bytes() as f64,
        })
    }

    /// Runs; the time that it took, without the start. \[s\]
    fn go(
        &self,
        mut engine: Granular<D>,
        kind: KineticKind,
    ) -> Result<(Granular<D>, f64), ReproduceError> {
        let begun = Instant::now();
        engine.advance(self.steps(kind) as f64 * TIMESTEP * SECOND, &mut NoObserver)?;
        let seconds = begun.elapsed().as_secs_f64();
        Ok((engine, seconds))
    }

    fn engine(&self, search: Box<dyn Kinetic<D>>) -> Result<Granular<D>, ReproduceError> {
        let every = TIMESTEP * SECOND;
        let setup = Setup {
            container: Container::new_box(self.domain.clone(), None)?,
            forces: Forces::default(),
            trajectory: Some(Trajectory { every, clock: TrajectoryClock::Grid }),
            collisions: Collisions::elastic(),
            search,
            output_interval: every,
        };
        Ok(Granular::new(setup, &self.grains)?)
    }
}

/// The share of the time of a watched run that went into the structure and into checks of pairs,
/// without reading the clock.
fn share_of_detection<const D: usize>(engine: &Granular<D>, meter: &Meter, seconds: f64) -> f64 {
    let Costs { near, update, change, .. } = meter.costs();
    let clock = clock();
    let calls: u64 = [near, update, change].iter().map(|cost| cost.calls).sum();
    let structure = near.seconds + update.seconds + change.seconds - calls as f64 * clock;
    let checks = engine.tally().pair_tests as f64 * check_time(engine);
    // Each call reads the clock twice, and sees half of that itself.
    ((structure.max(0.0) + checks) / (seconds - 2.0 * calls as f64 * clock)).min(1.0)
}

/// How long it takes to check a pair. \[s\]
fn check_time<const D: usize>(engine: &Granular<D>) -> f64 {
    let flights = engine.flights();
    let (n, now) = (flights.len() as u32, engine.now());
    let sweep = |by: u32| {
        let begun = Instant::now();
        let mut first = f64::INFINITY;
        for i in 0..n {
            let j = (i + by) % n;
            if i != j {
                first =
                    first.min(flight_contact(&flights, i.min(j), i.max(j), now, Images::Nearest));
            }
        }
        // What was found is looked at, so that it has to be found.
        if first < now { f64::INFINITY } else { begun.elapsed().as_secs_f64() / f64::from(n) }
    };
    crate::reproduce::sample::least((1..50).map(sweep))
}
