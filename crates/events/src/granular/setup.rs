//! How an engine starts.

use super::compiled::compiled;
use super::container::Container;
use super::error::MOST_OVERLAP;
use super::events::{MOST_PARTICLES, Next};
use super::forces::Forces;
use super::impacts::Collisions;
use super::report::Snapshot;
use super::{Granular, SetupError, State, flights};
use crate::kinetic::{Facets, Kinetic};
use jostle_core::agenda::Timetable;
use jostle_core::observe::Clock;
use jostle_core::parameters::granular::Trajectory;
use jostle_core::space::{Flights, Vector};

/// A particle at the start.
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

/// The trajectory events of all particles.
#[derive(Clone, Debug)]
pub(super) struct Trajectories {
    pub(super) settings: Trajectory,
    /// When each particle has its next one. \[particle\], \[µs\]
    pub(super) due: Vec<f64>,
    /// Until when forces have acted on each particle. \[particle\], \[µs\]
    pub(super) forced_until: Vec<f64>,
}

/// Everything that an engine is made of.
pub struct Setup<const D: usize> {
    /// The box and its walls.
    pub container: Container<D>,
    /// What acts on the particles. Its constant gravity bends their paths; all else needs
    /// trajectory events.
    pub forces: Forces<D>,
    /// None if paths are parabolas from collision to collision.
    pub trajectory: Option<Trajectory>,
    /// What collisions leave.
    pub collisions: Collisions,
    /// The search structure.
    pub search: Box<dyn Kinetic<D>>,
    /// After so much time observers are shown the state, again and again. \[µs\]
    pub output_interval: f64,
}

impl<const D: usize> Granular<D> {
    /// An engine at time 0.
    ///
    /// # Errors
    /// If particles overlap or stick in a wall, or forces act without trajectory events.
    pub fn new(setup: Setup<D>, grains: &[Grain<D>]) -> Result<Self, SetupError> {
        let state = State::start(grains, setup.trajectory.is_some());
        (compiled().start)(setup, state)
    }

    pub(super) fn started(setup: Setup<D>, state: State<'_, D>) -> Result<Self, SetupError> {
        let mut engine = Self::assembled(setup, state)?;
        engine.apart()?;
        engine.begin()?;
        Ok(engine)
    }

    /// All parts put together, with nothing predicted yet.
    pub(super) fn assembled(setup: Setup<D>, state: State<'_, D>) -> Result<Self, SetupError> {
        let Setup { container, forces, trajectory, collisions, search, output_interval } = setup;
        let n = state.flights.len();
        if n >= MOST_PARTICLES {
            return Err(SetupError::TooMany { found: n });
        }
        if !forces.are_analytic() && trajectory.is_none() {
            return Err(SetupError::NoTrajectoryEvents);
        }
        let (due, forced_until) = (state.due.into_owned(), state.forced_until.into_owned());
        let mut engine = Self {
            domain: container.domain().clone(),
            acceleration: forces.gravity,
            container,
            forces,
            trajectory: trajectory.map(|settings| Trajectories { settings, due, forced_until }),
            collisions,
            last_contacts: state.last_contacts.into_owned(),
            search,
            flights: state.flights.into_owned(),
            begun: vec![0; n],
            next: vec![Next::NOTHING; n],
            mass: state.mass.into_owned(),
            species: state.species.into_owned(),
            image: state.image.into_owned(),
            timetable: Timetable::new(n),
            now: state.now,
            output_interval,
            clock: Clock { step: state.step, timestep: output_interval },
            calm: state.calm.into_owned(),
            tally: state.tally,
            balance: state.balance,
            snapshot: Snapshot::default(),
            near: Vec::new(),
            contacts: Vec::new(),
            gained: Vec::new(),
            watched: false,
        };
        let mut facets = Facets::new(&mut engine.timetable, n as u32);
        engine.search.build(&flights!(engine), engine.now, &mut facets);
        Ok(engine)
    }

    /// Foresees what happens to every particle, and takes a first look.
    ///
    /// # Errors
    /// If a particle is farther than periods can be counted.
    pub(super) fn begin(&mut self) -> Result<(), SetupError> {
        (0..self.flights.len() as u32).for_each(|i| self.foresee(i));
        self.look().map_or(Ok(()), |particle| Err(SetupError::TooFar(particle)))
    }

    /// Holds the particles to be apart at the start, and in the container.
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
