//! Runs granular models.

mod account;
mod forecast;

use super::error::RunError;
use super::header::domain;
use super::memory::check_room;
use super::runnable::{Runnable, StateOf};
use super::self_check::{Hardness, Subject};
use super::summary;
use jostle_core::space::Vector;
use jostle_events::granular::container::Container;
use jostle_events::granular::forces::{Forces, Swing, Well};
use jostle_events::granular::{Collisions, Grain, Granular, Setup, SetupError};
use jostle_events::kinetic::{Kinetic, KineticKind, KineticSettings, advise};
use jostle_h5md::record::{Grains, Header};
use jostle_model::Model;
use jostle_model::granular as given;
use jostle_model::placement::{place_balls, velocities};

pub(super) use forecast::forecast;

/// The engine of a granular model in `D` dimensions, at time 0.
///
/// # Errors
/// If balls cannot be placed or the engine cannot start so.
pub fn granular_engine<const D: usize>(
    model: &Model,
    granular: &given::GranularModel,
) -> Result<Granular<D>, RunError> {
    check_room(model)?;
    let balls = place_balls::<D>(model, granular)?;
    let speeds = velocities(model, granular, &balls);
    let grain = |(ball, velocity): (&jostle_model::placement::Ball<D>, Vector<D>)| Grain {
        position: ball.position,
        velocity,
        radius: ball.radius,
        mass: granular.balls[ball.species as usize].mass_of(ball.radius),
        species: ball.species,
    };
    let grains: Vec<Grain<D>> = balls.iter().zip(speeds).map(grain).collect();
    let radii: Vec<f64> = grains.iter().map(|grain| grain.radius).collect();
    Granular::new(setup(model, granular, &radii)?, &grains).map_err(RunError::setup)
}

/// What the engine is made of besides its particles, which have these radii.
fn setup<const D: usize>(
    model: &Model,
    granular: &given::GranularModel,
    radii: &[f64],
) -> Result<Setup<D>, RunError> {
    Ok(Setup {
        container: container(model, granular)?,
        forces: forces(granular),
        trajectory: granular.trajectory,
        collisions: collisions(granular),
        search: search(model, granular.search, radii)?,
        output_interval: model.run.timestep,
    })
}

/// The search structure that the model names, or the one that is best for balls of these radii.
pub(super) fn search<const D: usize>(
    model: &Model,
    kind: Option<KineticKind>,
    radii: &[f64],
) -> Result<Box<dyn Kinetic<D>>, RunError> {
    let kind = kind.unwrap_or_else(|| advise(&domain::<D>(model), radii));
    let search = KineticSettings { kind, cell_size: None }.build::<D>();
    let unfit = || {
        let kind = kind.name();
        format!("the search structure \"{kind}\" cannot be used for this box; use \"auto\"")
    };
    search.ok_or_else(|| RunError::setup(unfit()))
}

fn container<const D: usize>(
    model: &Model,
    granular: &given::GranularModel,
) -> Result<Container<D>, RunError> {
    let shaking = granular.shaking;
    let container = match granular.shape {
        given::Enclosure::Box => Container::new_box(domain(model), shaking),
        given::Enclosure::Cylinder => Container::cylinder(domain(model), 2, shaking),
    };
    container.map_err(RunError::setup)
}

fn forces<const D: usize>(granular: &given::GranularModel) -> Forces<D> {
    let gravity = &granular.gravity;
    let components = |all: &[f64; 3]| Vector::from_fn(|k| all[k]);
    Forces {
        gravity: components(&gravity.acceleration),
        swing: gravity.driven.map(|wave| Swing {
            amplitude: components(&gravity.direction) * wave.amplitude,
            frequency: wave.frequency,
            phase: wave.phase,
        }),
        well: granular.field.map(|field| Well {
            centre: components(&field.centre),
            // The engine has the square of the angular frequency.
            rate: field.rate * field.rate,
        }),
        field: None,
        drag: granular.drag,
    }
}

/// What collisions leave, as the engine has it.
pub(super) fn collisions(granular: &given::GranularModel) -> Collisions {
    let given::CollisionLaw { restitution, contact_time } = granular.collisions;
    let material = granular.material;
    Collisions { restitution: restitution.law(&material), material, contact_time }
}

impl<const D: usize> Runnable<D> for given::GranularModel {
    type Engine = Granular<D>;

    const STEPS: &'static str = "output intervals";

    fn start(&self, model: &Model) -> Result<Granular<D>, RunError> {
        granular_engine(model, self)
    }

    fn resume(&self, model: &Model, state: StateOf<Self, D>) -> Result<Granular<D>, RunError> {
        if !state.is_of_species(model.species.len()) {
            return Err(RunError::setup(SetupError::State(
                "a particle is of no species of the model",
            )));
        }
        Granular::resume(setup(model, self, &state.radii())?, state).map_err(RunError::setup)
    }

    fn header(&self, _: &Model, engine: &mut Granular<D>, common: Header) -> Header {
        Header {
            grains: Some(Grains { engine: "granular", masses: engine.masses().to_vec() }),
            ..common
        }
    }

    fn subject(&self, model: &Model, engine: &mut Granular<D>) -> Subject<D> {
        let forces = forces::<D>(self);
        let free = forces.well.is_none() && forces.swing.is_none() && forces.drag == 0.0;
        Subject {
            hardness: Hardness::Hard,
            cylinder: matches!(self.shape, given::Enclosure::Cylinder),
            shaking: self.shaking,
            isolated: std::array::from_fn(|k| {
                free && model.space.periodic[k] && forces.gravity[k] == 0.0
            }),
            mass: engine.masses().iter().sum(),
            imbalance: Some(ROUNDING_OF_BALANCE),
            work_per_particle: WORK_PER_PARTICLE_OF_AN_INTERVAL,
            ..Subject::of(model)
        }
    }

    fn account(
        _: &Model,
        engine: &mut Granular<D>,
        totals: summary::RunTotals<'_>,
    ) -> summary::Account {
        account::account(engine, &totals)
    }
}

/// What the energy balance may leave unexplained, over what was turned over: rounding of many sums.
pub(super) const ROUNDING_OF_BALANCE: f64 = 1e-8;

/// What it takes to show a particle at the end of an output interval. \[ns, roughly\]
const WORK_PER_PARTICLE_OF_AN_INTERVAL: f64 = 20.0;
