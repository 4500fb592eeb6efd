//! The seven figures of Table 1 of Gavrilova & Rokne 2002, measured.

use super::scene::Scene;
use crate::reproduce::gauge::{Costs, Gauge, Meter, clock};
use crate::reproduce::{ReproduceError, structures};
use jostle_core::observe::{Contact, Observer, ObserverError};
use jostle_events::granular::container::Container;
use jostle_events::granular::forces::Forces;
use jostle_events::granular::{Collisions, Granular, Pending, Setup, Trajectory, TrajectoryClock};
use jostle_events::kinetic::KineticKind;

/// The packing of all measurements.
pub const PACKING: f64 = 0.3;

/// The figures of a structure among so many particles.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The structure.
    pub kind: KineticKind,
    /// Of space.
    pub dimension: usize,
    /// How many particles.
    pub particles: usize,
    /// A: neighbours of a particle, the mean and the most.
    pub neighbours: [f64; 2],
    /// B: new neighbours by a topological event, the mean and the most.
    pub gained: [f64; 2],
    /// C: time per topological event, without collision checks \[ns\]; events planned by it.
    pub topological: [f64; 2],
    /// D: time per trajectory event, without collision checks \[ns\]; topological events planned by
    /// it.
    pub trajectory: [f64; 2],
    /// E: topological events between two collisions, the mean and the most.
    pub between: [f64; 2],
    /// F: time to build it. \[s\]
    pub build: f64,
    /// G: what it holds. \[bytes\]
    pub bytes: f64,
    /// What the engine holds altogether. \[bytes\]
    pub engine_bytes: f64,
    /// What is due at the end.
    pub pending: Pending,
    /// Topological events that were measured.
    pub events: u64,
}

impl Measured {
    /// The same counts, and the least of the times of two rounds, which other work on the machine
    /// disturbed least.
    #[must_use]
    fn with_the_least_times(mut self, other: &Self) -> Self {
        self.topological[0] = self.topological[0].min(other.topological[0]);
        self.trajectory[0] = self.trajectory[0].min(other.trajectory[0]);
        self.build = self.build.min(other.build);
        self
    }
}

/// Collisions, and the longest wait for one in topological events.
struct Waits {
    meter: Meter,
    collisions: u64,
    last: u64,
    longest: u64,
}

impl<const D: usize> Observer<D> for Waits {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, _: &Contact<D>) -> Result<(), ObserverError> {
        let events = self.meter.costs().change.calls;
        if self.collisions > 0 {
            self.longest = self.longest.max(events - self.last);
        }
        (self.collisions, self.last) = (self.collisions + 1, events);
        Ok(())
    }
}

/// Measures a structure in a gas, in about `budget` topological events.
///
/// # Errors
/// If the run fails.
fn measure<const D: usize>(
    kind: KineticKind,
    scene: &Scene<D>,
    budget: u64,
) -> Result<Measured, ReproduceError> {
    let (mut engine, meter) = start(scene, kind)?;
    let mut waits = Waits { meter: meter.clone(), collisions: 0, last: 0, longest: 0 };
    // Some time in which a share of the particles collides, at first; then more of it until enough
    // happened.
    let mut end = 1e-3;
    loop {
        engine.advance(end, &mut waits)?;
        let Costs { change, near, .. } = meter.costs();
        let topological = change.calls >= budget || kind == KineticKind::Direct;
        if (topological && near.calls >= budget / 10) || end >= 200.0 {
            break;
        }
        end *= 1.3;
    }
    let (mut near, mut sum, mut most) = (Vec::new(), 0, 0);
    for i in 0..scene.grains.len() as u32 {
        near.clear();
        engine.search().near(i, &engine.flights(), engine.now(), &mut near);
        sum += near.len();
        most = most.max(near.len());
    }
    let (costs, topology, clock) = (meter.costs(), engine.search().topology(), clock());
    let events = topology.events as f64;
    Ok(Measured {
        kind,
        dimension: D,
        particles: scene.grains.len(),
        neighbours: [sum as f64 / scene.grains.len() as f64, most as f64],
        gained: [topology.gained as f64 / events, costs.most_gained as f64],
        topological: [costs.change.nanoseconds(clock), costs.change.planned_each()],
        trajectory: [
            costs.update.nanoseconds(clock) + costs.near.nanoseconds(clock),
            costs.update.planned_each(),
        ],
        between: [events / waits.collisions as f64, waits.longest as f64],
        build: costs.build.seconds,
        bytes: engine.search().bytes() as f64,
        engine_bytes: engine.bytes() as f64,
        pending: engine.pending(),
        events: topology.events,
    })
}

/// The same several times.
///
/// # Errors
/// If a run fails.
pub(super) fn measure_again<const D: usize>(
    kind: KineticKind,
    scene: &Scene<D>,
    budget: u64,
    rounds: usize,
) -> Result<Measured, ReproduceError> {
    let mut best = measure(kind, scene, budget)?;
    for _ in 1..rounds {
        best = best.with_the_least_times(&measure(kind, scene, budget)?);
    }
    Ok(best)
}

/// An engine whose structure is watched.
fn start<const D: usize>(
    scene: &Scene<D>,
    kind: KineticKind,
) -> Result<(Granular<D>, Meter), ReproduceError> {
    let inner = structures::build(kind, None).ok_or(ReproduceError::NoStructure(kind))?;
    let (gauge, meter) = Gauge::new(inner);
    let setup = Setup {
        container: Container::new_box(scene.domain.clone(), None)?,
        forces: Forces::default(),
        trajectory: Some(Trajectory { every: 0.5, clock: TrajectoryClock::Grid }),
        collisions: Collisions::elastic(),
        search: Box::new(gauge),
        output_interval: 1.0,
    };
    Ok((Granular::new(setup, &scene.grains)?, meter))
}
