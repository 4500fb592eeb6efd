//! The three engines that can run a disk gas, as one.

use serde::{Deserialize, Serialize};

use crate::memory::check_room;
use crate::{RunError, domain};
use jostle_brownian::{self as brownian, Brownian, Launch};
use jostle_core::observe::{Clock, Observer, ObserverError, View};
use jostle_core::rules::RuleSet;
use jostle_core::search::Kind;
use jostle_core::search::kinetic::{KineticSettings, advise};
use jostle_core::space::Vector;
use jostle_core::species::{MobilityLaw, Species};
use jostle_events::gas::{self, Arrangement, Disk, Gas};
use jostle_events::granular::container::Container;
use jostle_events::granular::forces::Forces;
use jostle_events::granular::{self, Collisions, Grain, Granular, RunFault};
use jostle_model::Model;
use jostle_model::gas::{Contact, GasModel};
use jostle_model::placement::{Ball, place_balls, velocities};

/// Whichever engine runs the gas.
pub enum GasEngine {
    /// Contacts at their moment within the step.
    Exact(Box<Brownian<2>>),
    /// Overlaps after the move.
    AfterMove(Box<Gas>),
    /// From event to event; a beat is a time step.
    Events(Box<Granular<2>>),
}

/// Why a step of one of them could not be done.
#[derive(Debug, thiserror::Error)]
pub enum GasFault {
    /// Of the stepped engine.
    #[error("{0}")]
    Exact(#[from] brownian::StepError),
    /// Of the algorithm that collides disks after the move.
    #[error("{0}")]
    AfterMove(#[from] gas::StepError),
    /// Of the event-driven engine.
    #[error("{0}")]
    Events(#[from] RunFault),
}

impl GasFault {
    /// What an observer complained of, or the fault itself.
    pub(super) fn into_complaint(self) -> Result<ObserverError, Self> {
        match self {
            Self::Exact(brownian::StepError::Observer { source, .. })
            | Self::AfterMove(gas::StepError::Observer { source, .. })
            | Self::Events(RunFault::Observer(source)) => Ok(source),
            other => Err(other),
        }
    }
}

/// The engine of a disk gas, at step 0. All three start from the same disks.
///
/// # Errors
/// If disks cannot be placed or the engine cannot start so.
pub fn gas_engine(model: &Model, gas: &GasModel) -> Result<GasEngine, RunError> {
    check_room(model)?;
    let balls = place_balls::<2>(model, &gas.granular)?;
    let speeds = velocities(model, &gas.granular, &balls);
    let start: Vec<(Ball<2>, Vector<2>)> = balls.into_iter().zip(speeds).collect();
    let engine = match gas.contact {
        Contact::Exact => GasEngine::Exact(Box::new(launch(model, gas, &start)?)),
        Contact::AfterMove => GasEngine::AfterMove(Box::new(after_move(model, gas, &start)?)),
        Contact::Events => GasEngine::Events(Box::new(events(model, gas, &start)?)),
    };
    Ok(engine)
}

/// The stepped engine of a disk gas, at step 0.
///
/// # Errors
/// If disks cannot be placed or the engine cannot start so.
pub(crate) fn exact_engine<const D: usize>(model: &Model, gas: &GasModel) -> Result<Brownian<D>, RunError> {
    let balls = place_balls::<D>(model, &gas.granular)?;
    let speeds = velocities(model, &gas.granular, &balls);
    let start: Vec<_> = balls.into_iter().zip(speeds).collect();
    launch(model, gas, &start)
}

type Start<const D: usize> = [(Ball<D>, Vector<D>)];

fn gravity<const D: usize>(gas: &GasModel) -> Vector<D> {
    Vector::from_fn(|k| gas.granular.gravity.acceleration[k])
}

/// The mass of a disk of a species. \[kg\]
fn mass(gas: &GasModel, species: u16) -> f64 {
    let disks = &gas.granular.balls[species as usize];
    disks.mass_of(disks.radius[0])
}

fn launch<const D: usize>(model: &Model, gas: &GasModel, start: &Start<D>) -> Result<Brownian<D>, RunError> {
    let launch = |(ball, velocity): &(Ball<D>, Vector<D>)| Launch {
        species: ball.species,
        position: ball.position,
        velocity: *velocity,
    };
    let bodies: Vec<_> = start.iter().map(launch).collect();
    Ok(Brownian::ballistic(exact_setup(model), &masses(model, gas), gravity(gas), &bodies)?)
}

/// What the stepped engine is made of.
fn exact_setup<const D: usize>(model: &Model) -> brownian::Setup<D> {
    let species = model.species.iter().cloned();
    brownian::Setup {
        species: species.map(|one| Species { diffusion_coefficient: Some(0.0), ..one }).collect(),
        rules: RuleSet::default(),
        mobility: MobilityLaw::Rouse,
        ..crate::setup(model)
    }
}

/// By species. \[kg\]
fn masses(model: &Model, gas: &GasModel) -> Vec<f64> {
    (0..model.species.len()).map(|s| mass(gas, s as u16)).collect()
}

fn after_move(model: &Model, gas: &GasModel, start: &Start<2>) -> Result<Gas, RunError> {
    let largest = start.iter().map(|(ball, _)| ball.radius).fold(0.0, f64::max);
    let disk = |(ball, velocity): &(Ball<2>, Vector<2>)| Disk {
        position: ball.position,
        velocity: *velocity,
        radius: ball.radius,
        mass: mass(gas, ball.species),
        species: ball.species,
    };
    let disks: Vec<_> = start.iter().map(disk).collect();
    Ok(Gas::new(after_move_setup(model, gas, largest), &disks)?)
}

/// What the gas that collides after the move is made of; its largest disk has this radius, 0 if there is none.
fn after_move_setup(model: &Model, gas: &GasModel, largest: f64) -> gas::Setup {
    let arrangement = match model.search.kind {
        Kind::Naive => Arrangement::Naive,
        // Without disks nothing says how wide strips should be.
        _ if largest == 0.0 => Arrangement::Naive,
        _ => {
            let width = model.search.cell_size.unwrap_or(2.0 * largest);
            Arrangement::Strips { axis: model.search.axis, width }
        }
    };
    gas::Setup { domain: domain(model), timestep: model.timestep, gravity: gravity(gas), arrangement }
}

fn events(model: &Model, gas: &GasModel, start: &Start<2>) -> Result<Granular<2>, RunError> {
    let grain = |(ball, velocity): &(Ball<2>, Vector<2>)| Grain {
        position: ball.position,
        velocity: *velocity,
        radius: ball.radius,
        mass: mass(gas, ball.species),
        species: ball.species,
    };
    let grains: Vec<_> = start.iter().map(grain).collect();
    let radii: Vec<f64> = grains.iter().map(|grain| grain.radius).collect();
    Ok(Granular::new(events_setup(model, gas, &radii)?, &grains)?)
}

/// What the event-driven engine is made of.
fn events_setup(
    model: &Model,
    gas: &GasModel,
    radii: &[f64],
) -> Result<jostle_events::granular::Setup<2>, RunError> {
    let kind = gas.granular.search.unwrap_or_else(|| advise(&domain::<2>(model), radii));
    let search = KineticSettings { kind, cell_size: None }.build::<2>();
    Ok(jostle_events::granular::Setup {
        container: Container::new_box(domain(model), None)?,
        forces: Forces { gravity: gravity(gas), ..Forces::default() },
        trajectory: None,
        collisions: Collisions::elastic(),
        search: search.ok_or_else(|| RunError::Search { kind: kind.name() })?,
        beat: model.timestep,
    })
}

/// The state of whichever engine runs the gas.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum GasState<'a> {
    /// Of the stepped engine.
    Exact(Box<brownian::State<'a, 2>>),
    /// Of the algorithm that collides disks after the move.
    AfterMove(gas::State<'a>),
    /// Of the event-driven engine.
    Events(granular::State<'a, 2>),
}

/// The engine of a disk gas, where a run had come.
///
/// # Errors
/// If the state is not one of this model.
pub(super) fn resumed(model: &Model, gas: &GasModel, state: GasState<'_>) -> Result<GasEngine, RunError> {
    let species = model.species.len();
    match (gas.contact, state) {
        (Contact::Exact, GasState::Exact(state)) => {
            let (setup, masses) = (exact_setup(model), masses(model, gas));
            let engine = Brownian::resume_ballistic(setup, &masses, gravity(gas), *state)?;
            Ok(GasEngine::Exact(Box::new(engine)))
        }
        (Contact::AfterMove, GasState::AfterMove(state)) if state.is_of_species(species) => {
            let setup = after_move_setup(model, gas, state.largest_radius());
            Ok(GasEngine::AfterMove(Box::new(Gas::resume(setup, state)?)))
        }
        (Contact::Events, GasState::Events(state)) if state.is_of_species(species) => {
            let setup = events_setup(model, gas, &state.radii())?;
            Ok(GasEngine::Events(Box::new(Granular::resume(setup, state)?)))
        }
        _ => {
            Err(gas::SetupError::State("its contacts are settled otherwise, or a disk is of no species")
                .into())
        }
    }
}

impl GasEngine {
    /// One step.
    ///
    /// # Errors
    /// If it could not be done, or an observer fails.
    pub fn step(&mut self, observer: &mut dyn Observer<2>) -> Result<(), GasFault> {
        match self {
            Self::Exact(engine) => engine.step(observer)?,
            Self::AfterMove(engine) => engine.step(observer)?,
            Self::Events(engine) => engine.step(observer)?,
        }
        Ok(())
    }

    /// The state, between steps.
    pub fn state(&self) -> GasState<'_> {
        match self {
            Self::Exact(engine) => GasState::Exact(Box::new(engine.state())),
            Self::AfterMove(engine) => GasState::AfterMove(engine.state()),
            Self::Events(engine) => GasState::Events(engine.state()),
        }
    }

    /// Where the run stands.
    pub fn clock(&self) -> Clock {
        match self {
            Self::Exact(engine) => engine.clock(),
            Self::AfterMove(engine) => engine.clock(),
            Self::Events(engine) => engine.clock(),
        }
    }

    /// The state; between steps.
    pub fn view(&self) -> View<'_, 2> {
        match self {
            Self::Exact(engine) => engine.view(),
            Self::AfterMove(engine) => engine.view(),
            Self::Events(engine) => engine.view(),
        }
    }

    /// Collisions so far: of two disks, and with walls.
    pub fn collisions(&self) -> [u64; 2] {
        match self {
            Self::Exact(engine) => [engine.tally().contacts, engine.tally().wall_contacts],
            Self::AfterMove(engine) => [engine.tally().collisions, engine.tally().wall_collisions],
            Self::Events(engine) => [engine.tally().collisions, engine.tally().wall_collisions],
        }
    }

    /// How contacts are searched for, in words.
    pub fn search_in_words(&self) -> String {
        match self {
            Self::Exact(engine) => engine.search().describe(),
            Self::AfterMove(engine) => engine.describe(),
            Self::Events(engine) => engine.search().describe(),
        }
    }

    /// What the search has done, by name.
    pub fn work(&self) -> Vec<(&'static str, u64)> {
        match self {
            Self::Exact(engine) => {
                let counters = engine.search().counters().named();
                counters.into_iter().chain([("narrow tests", engine.tally().narrow_tests)]).collect()
            }
            Self::AfterMove(engine) => {
                let tally = engine.tally();
                vec![
                    ("placements in strips", tally.placements),
                    ("comparisons", tally.comparisons),
                    ("distance tests", tally.distance_tests),
                    ("overlaps", tally.overlaps),
                ]
            }
            Self::Events(engine) => {
                let (tally, topology) = (engine.tally(), engine.search().topology());
                vec![
                    ("topological events", topology.events),
                    ("pairs examined", tally.pair_tests),
                    ("void events", tally.void),
                ]
            }
        }
    }
}
