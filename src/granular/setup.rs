//! How an engine starts.

use super::container::Container;
use super::error::{Calm, MOST_OVERLAP};
use super::events::{MOST_BODIES, Next};
use super::forces::Forces;
use super::impacts::Collisions;
use super::report::Snapshot;
use super::tc::LastContacts;
use super::{Granular, SetupError, Tally, flights};
use crate::agenda::Timetable;
use crate::observe::{Books, Clock};
use crate::search::kinetic::{Facets, Kinetic};
use crate::space::{Flight, Flights, Vector};

/// A body at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain<const D: usize> {
    /// Within the container. \[nm\]
    pub position: Vector<D>,
    /// \[nm/µs\]
    pub velocity: Vector<D>,
    /// \[nm\]
    pub radius: f64,
    /// \[kg\]
    pub mass: f64,
    /// Index into the model's species.
    pub species: u16,
}

/// When a body's next trajectory event is, after a collision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrajectoryClock {
    /// At the next whole multiple of the interval, for all bodies alike. (The counts of 001 agree.)
    Grid,
    /// At once, and then an interval later: as printed in 000, section 2.
    Reset,
}

/// Trajectory events, at which forces are taken in (000, section 2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trajectory {
    /// \[µs\]
    pub every: f64,
    /// What a collision does to them.
    pub clock: TrajectoryClock,
}

/// The trajectory events of all bodies.
#[derive(Clone, Debug)]
pub(super) struct Trajectories {
    pub(super) settings: Trajectory,
    /// When each body has its next one. \[body\], \[µs\]
    pub(super) due: Vec<f64>,
    /// Until when forces have acted on each body. \[body\], \[µs\]
    pub(super) forced_until: Vec<f64>,
}

/// Everything that an engine is made of.
pub struct Setup<const D: usize> {
    /// The box and its walls.
    pub container: Container<D>,
    /// What acts on the bodies. Its constant gravity bends their paths; all else needs trajectory
    /// events.
    pub forces: Forces<D>,
    /// None if paths are parabolas from collision to collision.
    pub trajectory: Option<Trajectory>,
    /// What collisions leave.
    pub collisions: Collisions,
    /// The search structure.
    pub search: Box<dyn Kinetic<D>>,
    /// After so much time observers are shown the state, again and again. \[µs\]
    pub beat: f64,
}

impl<const D: usize> Granular<D> {
    /// An engine at time 0.
    ///
    /// # Errors
    /// If bodies overlap or stick in a wall, or forces act without trajectory events.
    pub fn new(setup: Setup<D>, grains: &[Grain<D>]) -> Result<Self, SetupError> {
        let Setup { container, forces, trajectory, collisions, search, beat } = setup;
        let n = grains.len();
        if n >= MOST_BODIES {
            return Err(SetupError::TooMany { found: n });
        }
        if !forces.are_analytic() && trajectory.is_none() {
            return Err(SetupError::NoTrajectoryEvents);
        }
        let flight = |grain: &Grain<D>| Flight {
            position: grain.position,
            velocity: grain.velocity,
            since: 0.0,
            radius: grain.radius,
        };
        let trajectories =
            |settings| Trajectories { settings, due: vec![0.0; n], forced_until: vec![0.0; n] };
        let mut engine = Self {
            domain: container.domain().clone(),
            acceleration: forces.gravity,
            container,
            forces,
            trajectory: trajectory.map(trajectories),
            collisions,
            last_contacts: LastContacts::new(n),
            search,
            flights: grains.iter().map(flight).collect(),
            begun: vec![0; n],
            next: vec![Next::NOTHING; n],
            mass: grains.iter().map(|grain| grain.mass).collect(),
            species: grains.iter().map(|grain| grain.species).collect(),
            image: vec![[0; D]; n],
            timetable: Timetable::new(n),
            now: 0.0,
            beat,
            clock: Clock { step: 0, timestep: beat },
            calm: vec![Calm::default(); n],
            tally: Tally::default(),
            books: Books::default(),
            snapshot: Snapshot::default(),
            near: Vec::new(),
            gained: Vec::new(),
            watched: false,
        };
        let mut facets = Facets::new(&mut engine.timetable, n as u32);
        engine.search.build(&flights!(engine), 0.0, &mut facets);
        engine.apart()?;
        for i in 0..n as u32 {
            engine.foresee(i);
        }
        engine.look();
        Ok(engine)
    }

    /// Holds the bodies to be apart at the start, and in the container.
    fn apart(&self) -> Result<(), SetupError> {
        let mut near = Vec::new();
        for (i, one) in (0..).zip(&self.flights) {
            for wall in self.container.walls() {
                let gap = self.container.gap(wall, one.position, one.radius, 0.0);
                if gap < -MOST_OVERLAP * one.radius {
                    return Err(SetupError::Stuck(i, -gap / one.radius));
                }
            }
            near.clear();
            self.search.near(i, &flights!(self), 0.0, &mut near);
            for &j in near.iter().filter(|&&j| i < j) {
                let other = &self.flights[j as usize];
                let distance = self.domain.nearest_image(other.position - one.position).norm();
                let overlap = 1.0 - distance / (one.radius + other.radius);
                if overlap > MOST_OVERLAP {
                    return Err(SetupError::Overlap(i, j, overlap));
                }
            }
        }
        Ok(())
    }
}
