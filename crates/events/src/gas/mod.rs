//! The disk gas as a page on thermodynamics programs it ("Grouping the particles", 2021): every
//! particle moves, then a particle that overlaps and approaches exchanges momentum.
//!
//! A contact is noticed at the end of the step in which it happens, half a step late on average,
//! and particles stay where they are: the rate of collisions of a dense gas errs in proportion to
//! speed times step over diameter, that of a dilute one in proportion to its square, and fast pairs
//! may jump through each other. The exact ways are the stepped engine with ballistic paths
//! (`ballistic` of the Brownian engine) and the event-driven one.
//!
//! The web page does not print how particles move and meet the walls. Here they fly as in the exact
//! stepped engine: half of gravity's push, a straight path that walls throw back, the other half.

mod collide;
mod face;
mod report;
mod state;
mod strips;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use jostle_core::clusters::Clusters;
use jostle_core::observe::{Clock, Observer, ObserverError, View};
use jostle_core::particles::{Particle, Particles};
use jostle_core::space::{Domain, Vector};
use jostle_core::stopwatch::Stopwatch;

pub use state::GasState;
pub use strips::Arrangement;
use strips::Strips;

/// A disk at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disk {
    /// Within the box, not in a wall. \[nm\]
    pub position: Vector<2>,
    /// \[nm/µs\]
    pub velocity: Vector<2>,
    /// \[nm\]
    pub radius: f64,
    /// \[kg\]
    pub mass: f64,
    /// Index into the model's species.
    pub species: u16,
}

/// Everything the engine needs but the disks.
#[derive(Clone, Debug, PartialEq)]
pub struct GasSetup {
    /// The box, with walls all round. \[nm\]
    pub domain: Domain<2>,
    /// \[µs\]
    pub timestep: f64,
    /// \[nm/µs²\]
    pub gravity: Vector<2>,
    /// Which particles are compared.
    pub arrangement: Arrangement,
}

impl GasSetup {
    /// Holds the box to be one for this algorithm, and strips to be wide enough for disks of these
    /// radii.
    fn check(&self, radii: impl Iterator<Item = f64>) -> Result<(), GasSetupError> {
        if let Some(k) = (0..2).find(|&k| self.domain.is_periodic(k)) {
            return Err(GasSetupError::Periodic { axis: ["x", "y"][k] });
        }
        let least = 2.0 * radii.fold(0.0, f64::max);
        match self.arrangement {
            Arrangement::Strips { width, .. } if width < least => {
                Err(GasSetupError::Narrow { width, least })
            }
            _ => Ok(()),
        }
    }
}

/// Why there is no such gas.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GasSetupError {
    /// The page's box has walls, and strips have ends.
    #[error("a box that is periodic along {axis}: the strips of this algorithm end at walls")]
    Periodic {
        /// `x` or `y`
        axis: &'static str,
    },
    /// Pairs would be missed.
    #[error(
        "strips {width:?} nm wide miss pairs that touch: at least the largest diameter, {least:?} nm, is needed"
    )]
    Narrow {
        /// \[nm\]
        width: f64,
        /// \[nm\]
        least: f64,
    },
    /// A disk is outside the box.
    #[error("disk {disk} (counted from 0) is outside the box at the start")]
    Outside {
        /// The disk, counted from 0 in the order of placement.
        disk: usize,
    },
    /// A state that was kept is not of this gas.
    #[error("the state that was kept is damaged, or not of this model: {0}")]
    State(&'static str),
}

/// Why a step could not be done.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// A coordinate is not a number any more.
    #[error("step {step}: disk {id} got lost: its position is not a finite number")]
    Lost {
        /// The step.
        step: u64,
        /// The disk.
        id: u64,
    },
    /// An observer could not continue.
    #[error("step {step}: {source}")]
    Observer {
        /// The step.
        step: u64,
        /// What the observer says.
        source: ObserverError,
    },
}

/// What has been done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GasTally {
    /// Disks put into strips.
    pub placements: u64,
    /// Pairs whose distance along one axis was compared with the diameter: the comparisons of
    /// "Grouping the particles".
    pub comparisons: u64,
    /// Pairs of which that let the distance be computed.
    pub distance_tests: u64,
    /// Pairs that overlapped: those that collided, and those on their way apart.
    pub overlaps: u64,
    /// Collisions of two disks.
    pub collisions: u64,
    /// Collisions with walls.
    pub wall_collisions: u64,
}

/// Where the time went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Moving, walls included.
    pub moving: Duration,
    /// Putting disks into strips, comparing, colliding.
    pub colliding: Duration,
}

/// The gas. Disks have the identities 0, 1, 2, ... in the order they were given; slots are the
/// same.
///
/// ```
/// use jostle_core::observe::NoObserver;
/// use jostle_core::space::{Domain, Vector};
/// use jostle_events::gas::{Arrangement, Disk, Gas, GasSetup};
///
/// // A disk runs into another one head-on, and hands its velocity over: half a step late on average.
/// let setup = GasSetup {
///     domain: Domain::new([20.0, 10.0], [false; 2]),
///     timestep: 0.1,
///     gravity: Vector::ZERO,
///     arrangement: Arrangement::Strips { axis: 0, width: 2.0 },
/// };
/// let disk = |x, speed| Disk {
///     position: Vector([x, 5.0]),
///     velocity: Vector([speed, 0.0]),
///     radius: 1.0,
///     mass: 1.0,
///     species: 0,
/// };
/// let mut gas = Gas::new(setup, &[disk(3.0, 1.0), disk(8.0, 0.0)])?;
/// for _ in 0..40 {
///     gas.step(&mut NoObserver)?;
/// }
/// let speed = |n: usize| gas.particles().velocity[n][0] / 0.1;
/// assert!(speed(0).abs() < 1e-12 && (speed(1) - 1.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Gas {
    domain: Domain<2>,
    strips: Strips,
    /// What half a step of gravity adds. \[nm per step\]
    half_kick: Vector<2>,
    particles: Particles<2>,
    /// \[disk\], \[kg\]
    mass: Vec<f64>,
    /// There are none.
    clusters: Clusters,
    clock: Clock,
    /// How many contacts of this step there were so far.
    subdivision: u32,
    tally: GasTally,
    times: Times,
}

impl Gas {
    /// What it holds of each disk. \[bytes\]
    pub const EACH: usize = Particles::<2>::EACH + size_of::<f64>() + size_of::<[u32; 3]>();

    /// The gas at step 0. Disks that overlap at the start part, as on that web page.
    ///
    /// # Errors
    /// If the box is periodic, strips are narrower than the largest disk, or a disk is outside.
    pub fn new(setup: GasSetup, disks: &[Disk]) -> Result<Self, GasSetupError> {
        setup.check(disks.iter().map(|disk| disk.radius))?;
        let mut particles = Particles::default();
        for (n, disk) in disks.iter().enumerate() {
            let (domain, slack) = (&setup.domain, setup.domain.rounding());
            let inside = |k: usize| {
                let x = disk.position[k];
                x >= disk.radius - slack && x <= domain.edges()[k] - disk.radius + slack
            };
            if !(0..2).all(inside) {
                return Err(GasSetupError::Outside { disk: n });
            }
            particles.push(particle(n, disk, setup.timestep));
        }
        let mass = disks.iter().map(|disk| disk.mass).collect();
        Ok(Self::assembled(setup, particles, mass))
    }

    /// All parts put together, at step 0.
    fn assembled(setup: GasSetup, particles: Particles<2>, mass: Vec<f64>) -> Self {
        let GasSetup { domain, timestep, gravity, arrangement } = setup;
        Self {
            half_kick: gravity * (0.5 * timestep * timestep),
            strips: Strips::new(arrangement, &domain),
            clock: Clock { step: 0, timestep },
            clusters: Clusters::default(),
            subdivision: 0,
            tally: GasTally::default(),
            times: Times::default(),
            domain,
            particles,
            mass,
        }
    }

    /// One step: every particle moves, then those that overlap collide.
    ///
    /// # Errors
    /// If a disk gets lost or an observer fails.
    pub fn step(&mut self, observer: &mut dyn Observer<2>) -> Result<(), StepError> {
        let mut watch = Stopwatch::start();
        self.subdivision = 0;
        self.fly(observer)?;
        watch.split(&mut self.times.moving);
        self.collide_all(observer)?;
        watch.split(&mut self.times.colliding);
        self.clock.step += 1;
        let step = self.clock.step;
        observer.step(&self.view()).map_err(|source| StepError::Observer { step, source })
    }

    /// Moves every particle by a step. Walls throw back what went through them.
    fn fly(&mut self, observer: &mut dyn Observer<2>) -> Result<(), StepError> {
        for i in 0..self.particles.len() {
            self.particles.velocity[i] += self.half_kick;
            let mut place = self.particles.position[i] + self.particles.velocity[i];
            if !place.is_finite() {
                return Err(StepError::Lost { step: self.clock.step, id: self.particles.id[i] });
            }
            let radius = self.particles.radius[i];
            for k in 0..2 {
                let (low, high) = (radius, (self.domain.edges()[k] - radius).max(radius));
                let upper = place[k] > high;
                if place[k] >= low && !upper {
                    continue;
                }
                let thrown_back = 2.0 * if upper { high } else { low } - place[k];
                place[k] = thrown_back.clamp(low, high);
                self.hit_wall(i, k, upper, place, observer)?;
            }
            self.particles.position[i] = place;
            self.particles.velocity[i] += self.half_kick;
        }
        Ok(())
    }

    /// Takes over the disks of another gas, where they are and as they move now.
    pub fn follow(&mut self, other: &Self) {
        self.particles.clone_from(&other.particles);
        self.mass.clone_from(&other.mass);
        self.clock = other.clock;
    }

    /// The state; between steps.
    pub fn view(&self) -> View<'_, 2> {
        View::new(self.clock, &self.domain, &self.particles, &self.clusters)
    }

    /// Where the run stands.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The disks. Velocities are displacements per step.
    pub fn particles(&self) -> &Particles<2> {
        &self.particles
    }

    /// \[disk\], \[kg\]
    pub fn masses(&self) -> &[f64] {
        &self.mass
    }

    /// What has been done so far.
    pub fn tally(&self) -> GasTally {
        self.tally
    }

    /// Where the time went.
    pub fn times(&self) -> Times {
        self.times
    }

    /// The arrangement, in words.
    pub fn describe(&self) -> String {
        self.strips.describe()
    }
}

fn particle(n: usize, disk: &Disk, timestep: f64) -> Particle<2> {
    Particle {
        sites: 0,
        position: disk.position,
        velocity: disk.velocity * timestep,
        since: 0.0,
        radius: disk.radius,
        diffusion_coefficient: 0.0,
        species: disk.species,
        id: n as u64,
        image: [0; 2],
    }
}

#[cfg(test)]
mod tests;
