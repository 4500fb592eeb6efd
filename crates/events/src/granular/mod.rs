//! The event-driven engine: particles fly on parabolas from event to event, none ever overlap, and
//! no time step is chosen (Gavrilova and Rokne 2002, section 2; Gavrilova et al. 2003, section 3).
//!
//! Three kinds of events stand in one [`Timetable`]: *collisions* of two particles or of a particle
//! and a wall, *trajectory events*, at which forces that bend paths are taken in, and *topological
//! events*, changes of the search structure. States are delayed: a particle is where its last event
//! left it, and nothing but its own events ever rewrites its flight.
//!
//! Every particle has one slot, for the first thing that will happen to it as far as it knows. Of a
//! pair that is to collide, one of the two knows, at least: particles that took up its new path
//! last looked at all its neighbours, and keeps the earliest. When that comes up and the partner
//! has meanwhile got another path, the particle looks at its neighbours again. That is half the
//! bookkeeping of an entry with both; a void collision costs one more look around.

mod ahead;
mod compiled;
#[cfg(test)]
mod conformance;
pub mod container;
mod error;
mod events;
mod face;
mod follow;
pub mod forces;
mod impacts;
mod report;
pub mod response;
pub mod restitution;
mod setup;
mod state;
mod tally;
pub mod tc;
mod watch;

pub use error::{RunFault, SetupError};
pub use impacts::Collisions;
pub use jostle_core::parameters::granular::{Trajectory, TrajectoryClock};
pub use jostle_core::units;
pub use setup::{Grain, Setup};
pub use state::State;
pub use tally::{Pending, Tally};

use crate::kinetic::{Facets, Kinetic};
use compiled::compiled;
use container::Container;
use events::{Expected, Next};
use forces::Forces;
use jostle_core::agenda::Timetable;
use jostle_core::observe::{Clock, EnergyBalance, Observer};
use jostle_core::space::{Domain, Flight, Flights, Vector};
use report::Snapshot;
use setup::Trajectories;
use tc::LastContacts;

/// The engine.
///
/// ```
/// use jostle_core::observe::NoObserver;
/// use jostle_core::space::{Domain, Vector};
/// use jostle_events::granular::container::Container;
/// use jostle_events::granular::forces::Forces;
/// use jostle_events::granular::{Collisions, Grain, Granular, Setup};
/// use jostle_events::kinetic::{KineticKind, KineticSettings};
///
/// // A ball that falls 4.9 nm at 9.8 nm/µs² on an elastic floor is back where it was after 2 µs.
/// let kind = KineticSettings { kind: KineticKind::Direct, cell_size: None };
/// let setup = Setup {
///     container: Container::new_box(Domain::new([20.0; 2], [false; 2]), None)?,
///     forces: Forces { gravity: Vector([0.0, -9.8]), ..Forces::default() },
///     trajectory: None,
///     collisions: Collisions::elastic(),
///     search: kind.build().unwrap(),
///     output_interval: 1.0,
/// };
/// let position = Vector([10.0, 1.0 + 4.9]);
/// let ball = Grain { position, velocity: Vector::ZERO, radius: 1.0, mass: 1.0, species: 0 };
/// let mut engine = Granular::<2>::new(setup, &[ball])?;
/// engine.advance(2.0, &mut NoObserver)?;
/// assert_eq!(engine.tally().wall_collisions, 1);
/// assert!((engine.balance().potential - 9.8 * 5.9).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Granular<const D: usize> {
    domain: Domain<D>,
    container: Container<D>,
    /// The constant gravity of `forces`, which bends all paths. \[nm/µs²\]
    acceleration: Vector<D>,
    forces: Forces<D>,
    trajectory: Option<Trajectories>,
    collisions: Collisions,
    last_contacts: LastContacts,
    search: Box<dyn Kinetic<D>>,
    /// \[particle\]
    flights: Vec<Flight<D>>,
    /// How many flights each particle has begun. \[particle\]
    begun: Vec<u32>,
    /// What each particle's slot in the timetable stands for. \[particle\]
    next: Vec<Next>,
    /// \[particle\], \[kg\]
    mass: Vec<f64>,
    /// \[particle\]
    species: Vec<u16>,
    /// Periods travelled along each axis by the start of the flight. \[particle\]
    image: Vec<[i32; D]>,
    /// Slots of particles first, then those of the structure's facets.
    timetable: Timetable,
    /// \[µs\]
    now: f64,
    /// Time between two looks of the observers. \[µs\]
    output_interval: f64,
    clock: Clock,
    /// \[particle\]
    calm: Vec<error::Standstill>,
    tally: Tally,
    /// Sums only; what the particles have now is added when a particle asks.
    balance: EnergyBalance,
    snapshot: Snapshot<D>,
    near: Vec<u32>,
    /// When each of those that are near is met. \[µs\]
    contacts: Vec<f64>,
    gained: Vec<[u32; 2]>,
    /// Whether the structure is held to its promises at every event.
    watched: bool,
}

/// The view that the search structure and the narrow phase have: a macro, since it borrows single
/// fields.
macro_rules! flights {
    ($engine:ident) => {
        Flights {
            domain: &$engine.domain,
            acceleration: $engine.acceleration,
            all: &$engine.flights,
        }
    };
}
use flights;

impl<const D: usize> Granular<D> {
    /// Carries out, in order of time, everything that is due before `end` \[µs\] or at it. Nothing
    /// if that is past.
    ///
    /// # Errors
    /// If the run cannot be trusted any longer, or an observer fails.
    pub fn advance(&mut self, end: f64, observer: &mut dyn Observer<D>) -> Result<(), RunFault> {
        self.advance_part(end, u64::MAX, observer).map(|_| ())
    }

    /// The same, but for no more than so many events. Whether all that is due by `end` is done.
    fn advance_part(
        &mut self,
        end: f64,
        most: u64,
        observer: &mut dyn Observer<D>,
    ) -> Result<bool, RunFault> {
        (compiled().advance)(self, end, most, observer)
    }

    fn advance_some_events(
        &mut self,
        end: f64,
        most: u64,
        observer: &mut dyn Observer<D>,
    ) -> Result<bool, RunFault> {
        let particles = self.flights.len() as u32;
        for _ in 0..most {
            let due = self.timetable.first();
            if due.time > end || due.time == f64::INFINITY {
                self.now = end.max(self.now);
                self.keep_time();
                return Ok(true);
            }
            self.tally.late += u64::from(due.time < self.now);
            self.now = due.time.max(self.now);
            if self.watched {
                self.examine(due.slot);
            }
            if due.slot >= particles {
                self.change(due.slot - particles);
                continue;
            }
            let particle = due.slot;
            // Taken out, so that what comes after it can be seen.
            self.timetable.plan(particle, f64::INFINITY, u64::MAX);
            self.fetch(self.timetable.first().slot);
            match self.next[particle as usize].expected {
                Expected::Partner { particle: other, begun }
                    if self.begun[other as usize] == begun =>
                {
                    self.collide(particle, other, due.time, observer)?;
                }
                Expected::Partner { .. } => {
                    self.tally.void += 1;
                    self.foresee(particle);
                }
                Expected::Wall(wall) => self.strike(particle, wall, due.time, observer)?,
                Expected::Trajectory => self.follow(particle, due.time)?,
                Expected::Nothing => {}
            }
        }
        Ok(false)
    }

    /// Carries out a topological event: particles that become neighbours are looked at.
    fn change(&mut self, facet: u32) {
        let particles = self.flights.len() as u32;
        self.gained.clear();
        let mut facets = Facets::new(&mut self.timetable, particles);
        self.search.change(facet, &flights!(self), self.now, &mut facets, &mut self.gained);
        let gained = std::mem::take(&mut self.gained);
        for &[a, b] in &gained {
            self.look_at(a, b);
        }
        self.gained = gained;
    }

    /// Where the run stands. \[µs\]
    pub fn now(&self) -> f64 {
        self.now
    }

    /// What has been done.
    pub fn tally(&self) -> Tally {
        Tally { lasting: self.last_contacts.elastic(), ..self.tally }
    }

    /// What is due some time, by kind.
    pub fn pending(&self) -> Pending {
        let mut pending = Pending::default();
        for next in &self.next {
            match next.expected {
                Expected::Partner { particle, begun } if self.begun[particle as usize] != begun => {
                    pending.void += 1
                }
                Expected::Partner { .. } if next.is_due() => pending.collisions += 1,
                Expected::Wall(_) => pending.walls += 1,
                Expected::Trajectory => pending.trajectory += 1,
                Expected::Partner { .. } | Expected::Nothing => {}
            }
        }
        let particles = pending.collisions + pending.void + pending.walls + pending.trajectory;
        pending.topological = self.timetable.pending().saturating_sub(particles);
        pending
    }

    /// The mass of each particle. \[kg\]
    pub fn masses(&self) -> &[f64] {
        &self.mass
    }

    /// How much memory the engine and its search structure hold. \[bytes\]
    pub fn bytes(&self) -> usize {
        let n = self.flights.capacity();
        let each = size_of::<Flight<D>>()
            + size_of::<Next>()
            + size_of::<error::Standstill>()
            + size_of::<[i32; D]>()
            + 2 * size_of::<f64>()
            + size_of::<u32>()
            + size_of::<u16>();
        n * each + self.timetable.bytes() + self.search.bytes()
    }

    /// The search structure.
    pub fn search(&self) -> &dyn Kinetic<D> {
        &*self.search
    }

    /// All particles.
    pub fn flights(&self) -> Flights<'_, D> {
        flights!(self)
    }
}
