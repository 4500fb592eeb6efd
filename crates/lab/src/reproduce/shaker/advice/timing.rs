//! What a trajectory event costs with each structure, in 100 and in 10 000 balls.

use std::time::Instant;

use super::super::placement::{MILLIMETRE, SECOND, Speeds, place, set_moving};
use super::super::printed::{COLUMNS, Column, EDGE, TIMESTEP};
use crate::reproduce::gauge::{Costs, Gauge, Meter, clock};
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

/// The column that sizes and packing are taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdviceCase {
    /// Of one size, 5 %.
    MonoDilute,
    /// Of one size, 70 %, from a lattice.
    MonoDense,
    /// 0.4 to 4 mm, 5 %.
    PolyDilute,
    /// 3 to 27 mm, 50 %.
    PolyMiddle,
    /// One of 50 mm among 99 of 8 mm, 70 %.
    PolyDense,
}

impl AdviceCase {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::MonoDilute, Self::MonoDense, Self::PolyDilute, Self::PolyMiddle, Self::PolyDense];

    /// The column of the tables.
    fn column(self) -> &'static Column {
        &COLUMNS[[0, 4, 5, 8, 9][self as usize]]
    }

    /// `Table 1, 5 %`.
    pub fn name(self) -> String {
        self.column().title()
    }
}

/// What a trajectory event costs.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// The column that sizes are taken from.
    pub case: AdviceCase,
    /// How many balls.
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

/// Times all structures; `tiles` boxes of 100 balls along each edge.
///
/// # Errors
/// If a run fails.
pub fn timings(
    cases: &[AdviceCase],
    tiles: &[usize],
    progress: Progress<'_>,
) -> Result<Vec<Timed>, ReproduceError> {
    let mut all = Vec::new();
    for &case in cases {
        for &tiles in tiles {
            progress(&format!("guidelines: {} with {} balls", case.name(), 100 * tiles * tiles));
            let scene = TimingScene::new(case, tiles)?;
            for kind in contestants(2) {
                all.push(scene.time(case, kind)?);
            }
        }
    }
    Ok(all)
}

struct TimingScene {
    domain: Domain<2>,
    grains: Vec<Grain<2>>,
}

impl TimingScene {
    /// The box of the column side by side with itself, with other velocities in each.
    fn new(case: AdviceCase, tiles: usize) -> Result<Self, ReproduceError> {
        let column = case.column();
        let balls = place(column, &Random::new(1))
            .ok_or_else(|| ReproduceError::NoPlacement { column: column.title(), seed: 1 })?;
        let edge = EDGE * MILLIMETRE;
        let mut grains = Vec::with_capacity(balls.len() * tiles * tiles);
        for tile in 0..tiles * tiles {
            let corner = Vector([(tile % tiles) as f64, (tile / tiles) as f64]) * edge;
            let own = set_moving(&balls, &Random::new(1 + tile as u64), Speeds::Maxwell);
            grains.extend(own.into_iter().map(|g| Grain { position: g.position + corner, ..g }));
        }
        Ok(Self { domain: Domain::new([edge * tiles as f64; 2], [false; 2]), grains })
    }

    /// Some 30 thousand trajectory events or more; at the least two of each ball.
    fn steps(&self, kind: KineticKind) -> u64 {
        match self.grains.len() {
            0..1000 => 300,
            _ if kind == KineticKind::Direct => 1,
            _ => 8,
        }
    }

    fn time(&self, case: AdviceCase, kind: KineticKind) -> Result<Timed, ReproduceError> {
        let largest = self.grains.iter().map(|grain| grain.radius).fold(0.0, f64::max);
        let structure =
            || build::<2>(kind, Some(2.0 * largest)).ok_or(ReproduceError::NoStructure(kind));
        let rounds = if kind == KineticKind::Direct && self.grains.len() > 1000 { 1 } else { 3 };
        let (mut least, mut watched, mut share) = (f64::INFINITY, f64::INFINITY, f64::NAN);
        let mut engine = self.engine(structure()?)?;
        for _ in 0..rounds {
            least = least.min(self.go(self.engine(structure()?)?, kind)?.1);
            let (gauge, meter) = Gauge::new(structure()?);
            let seconds;
            (engine, seconds) = self.go(self.engine(Box::new(gauge))?, kind)?;
            if seconds < watched {
                watched = seconds;
                share = share_of_detection(&engine, &meter, seconds);
            }
        }
        let tally = engine.tally();
        let events = tally.trajectory_events as f64;
        Ok(Timed {
            case,
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
        mut engine: Granular<2>,
        kind: KineticKind,
    ) -> Result<(Granular<2>, f64), ReproduceError> {
        let begun = Instant::now();
        engine.advance(self.steps(kind) as f64 * TIMESTEP * SECOND, &mut NoObserver)?;
        let seconds = begun.elapsed().as_secs_f64();
        Ok((engine, seconds))
    }

    fn engine(&self, search: Box<dyn Kinetic<2>>) -> Result<Granular<2>, ReproduceError> {
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
fn share_of_detection(engine: &Granular<2>, meter: &Meter, seconds: f64) -> f64 {
    let Costs { near, update, change, .. } = meter.costs();
    let clock = clock();
    let calls: u64 = [near, update, change].iter().map(|cost| cost.calls).sum();
    let structure = near.seconds + update.seconds + change.seconds - calls as f64 * clock;
    let checks = engine.tally().pair_tests as f64 * check_time(engine);
    // Each call reads the clock twice, and sees half of that itself.
    ((structure.max(0.0) + checks) / (seconds - 2.0 * calls as f64 * clock)).min(1.0)
}

/// How long it takes to check a pair. \[s\]
fn check_time(engine: &Granular<2>) -> f64 {
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
