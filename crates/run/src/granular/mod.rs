//! Runs granular models.

mod account;
mod forecast;

use std::path::Path;
use std::time::{Duration, Instant};

use super::checkpoint::{Keeper, Memoir, Start};
use super::drive::{Chain, Driven, Figure, drive};
use super::memory::check_room;
use super::self_check::{Hardness, SelfCheck, Subject, Watch};
use super::summary::{Course, population_of};
use super::tape::{Tape, observer_failed};
use super::{Options, RunError, Summary, domain, header_of};
use jostle_core::observe::{Clock, Observer, ObserverError, View};
use jostle_core::search::kinetic::{KineticSettings, advise};
use jostle_core::space::Vector;
use jostle_events::granular::container::{Container, Shaking};
use jostle_events::granular::forces::{Forces, Swing, Well};
use jostle_events::granular::restitution::{Material, Restitution};
use jostle_events::granular::tc::ContactTime;
use jostle_events::granular::{
    Collisions, Grain, Granular, RunFault, Setup, SetupError, State, Trajectory, TrajectoryClock,
};
use jostle_h5md::record::{Grains, Header};
use jostle_model::Model;
use jostle_model::granular as given;
use jostle_model::placement::{place_balls, velocities};

pub use account::Account;
pub use forecast::{GranularForecast, Kind, granular_forecast};

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
    Ok(Granular::new(setup(model, granular, &radii)?, &grains)?)
}

/// What the engine is made of besides its bodies, which have these radii.
fn setup<const D: usize>(
    model: &Model,
    granular: &given::GranularModel,
    radii: &[f64],
) -> Result<Setup<D>, RunError> {
    let kind = granular.search.unwrap_or_else(|| advise(&domain::<D>(model), radii));
    let search = KineticSettings { kind, cell_size: None }.build::<D>();
    let clock = |events: given::TrajectoryEvents| Trajectory {
        every: events.every,
        clock: if events.reset { TrajectoryClock::Reset } else { TrajectoryClock::Grid },
    };
    Ok(Setup {
        container: container(model, granular)?,
        forces: forces(granular),
        trajectory: granular.trajectory.map(clock),
        collisions: collisions(granular),
        search: search.ok_or_else(|| RunError::Search { kind: kind.name() })?,
        beat: model.timestep,
    })
}

/// The engine of a granular model, where a run had come.
fn resumed<const D: usize>(
    model: &Model,
    granular: &given::GranularModel,
    state: State<'_, D>,
) -> Result<Granular<D>, RunError> {
    if !state.is_of_species(model.species.len()) {
        return Err(SetupError::State("a body is of no species of the model").into());
    }
    Ok(Granular::resume(setup(model, granular, &state.radii())?, state)?)
}

fn shaking(granular: &given::GranularModel) -> Option<Shaking> {
    granular.shaking.map(|given::Shaking { axis, wave }| Shaking {
        axis,
        amplitude: wave.amplitude,
        frequency: wave.frequency,
        phase: wave.phase,
    })
}

fn container<const D: usize>(
    model: &Model,
    granular: &given::GranularModel,
) -> Result<Container<D>, RunError> {
    let shaking = shaking(granular);
    Ok(match granular.shape {
        given::Shape::Box => Container::new_box(domain(model), shaking)?,
        given::Shape::Cylinder => Container::cylinder(domain(model), 2, shaking)?,
    })
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
    let given::Material { youngs_modulus, poissons_ratio, density, yield_pressure, heat_capacity } =
        granular.material;
    let material = Material { youngs_modulus, poissons_ratio, density, yield_pressure, heat_capacity };
    let restitution = match granular.collisions.restitution {
        given::Restitution::Elastic => Restitution::Constant(1.0),
        given::Restitution::Constant(e) => Restitution::Constant(e),
        given::Restitution::Plastic => Restitution::Plastic,
        given::Restitution::Viscoelastic(given::Viscosity::Constant(relaxation)) => {
            Restitution::Viscoelastic { relaxation }
        }
        given::Restitution::Viscoelastic(given::Viscosity::Reference { coefficient, speed, radius }) => {
            Restitution::viscoelastic_through(&material, coefficient, speed, radius)
                .unwrap_or(Restitution::Constant(coefficient))
        }
    };
    let contact_time = match granular.collisions.contact_time {
        given::ContactTime::Auto => ContactTime::Hertz,
        given::ContactTime::None => ContactTime::None,
        given::ContactTime::Fixed(time) => ContactTime::Constant(time),
    };
    Collisions { restitution, material, contact_time }
}

/// So many events are settled between two looks at whether the run is to end.
const EVENTS_AT_A_TIME: u64 = 50_000;

/// The word for the engine, in files.
const ENGINE: &str = "granular";

/// Runs a granular model to its end, or until it is told to stop.
pub(super) fn run_in<const D: usize>(
    model: &Model,
    granular: &given::GranularModel,
    mut options: Options<'_>,
) -> Result<Summary, RunError> {
    let started = Instant::now();
    let (mut engine, Start { memoir, continued }) = match options.checkpoints.from.take() {
        Some(kept) => {
            let (state, start) = kept.take(ENGINE, D)?;
            (resumed::<D>(model, granular, state)?, start)
        }
        None => {
            let engine = granular_engine::<D>(model, granular)?;
            let first = population_of(model, engine.view().particles);
            let start = Start::of(first, Some(engine.books()));
            (engine, start)
        }
    };
    let placed = started.elapsed();
    log::info!("{} balls placed in {:.3} s", engine.masses().len(), placed.as_secs_f64());
    let tape = Tape::<D>::new(&options, &header(model, &engine), continued, engine.clock())?;
    let check = options.self_check.then(|| SelfCheck::new(subject(model, granular, &engine)));
    let mut watch = Watch { brake: None, check, next: tape };
    let mut keeper = Keeper::new(&options.checkpoints, memoir, ENGINE, &engine);
    let done = drive(&mut engine, model.steps, &mut watch, &mut keeper, &mut options);
    let checked = watch.account();
    let (elapsed, figures) = ([placed, keeper.worked()], keeper.took(&engine));
    let (ending, written) = watch.next.close(done, &figures, engine.clock(), fault_of_run)?;
    let Memoir { first, books, .. } = keeper.into_memoir();
    let course = Course { ending, first, deeds: Vec::new(), elapsed, written, checked };
    let account = Account::of(&engine, &books.unwrap_or_default());
    Ok(Summary::of_granular(model, &engine, account, course))
}

impl<const D: usize> Driven<D> for Granular<D> {
    type Fault = RunFault;
    type State<'a> = State<'a, D>;

    fn clock(&self) -> Clock {
        self.clock()
    }

    fn view(&mut self) -> View<'_, D> {
        Self::view(self)
    }

    fn show(&mut self, watch: &mut impl Observer<D>) -> Result<(), RunFault> {
        Self::show(self, watch)
    }

    /// A beat may be long: whoever wants the run to end need not wait for it.
    fn go_on<C: Chain<D>>(&mut self, watch: &mut Watch<'_, D, C>) -> Result<(), RunFault> {
        let before = self.tally().collisions;
        self.step_part(EVENTS_AT_A_TIME, watch)?;
        watch.worked((self.tally().collisions - before) as f64 * WORK_PER_COLLISION);
        Ok(())
    }

    fn state(&self) -> State<'_, D> {
        self.state()
    }

    fn figures(&self, worked: Duration) -> Vec<Figure> {
        figures(self, worked).to_vec()
    }

    fn failed(&self, source: ObserverError) -> RunFault {
        RunFault::Observer(source)
    }
}

/// What the self-check knows of a granular run.
fn subject<const D: usize>(
    model: &Model,
    granular: &given::GranularModel,
    engine: &Granular<D>,
) -> Subject<D> {
    let forces = forces::<D>(granular);
    let free = forces.well.is_none() && forces.swing.is_none() && forces.drag == 0.0;
    let shaking = shaking(granular);
    Subject {
        hardness: Hardness::Hard,
        cylinder: matches!(granular.shape, given::Shape::Cylinder),
        shaking,
        isolated: std::array::from_fn(|k| free && model.periodic[k] && forces.gravity[k] == 0.0),
        mass: engine.masses().iter().sum(),
        imbalance: Some(ROUNDING_OF_BOOKS),
        work_per_body: WORK_PER_BODY_OF_A_BEAT,
        ..Subject::of(model)
    }
}

/// What the books may leave unexplained, over what was turned over: rounding of many sums.
const ROUNDING_OF_BOOKS: f64 = 1e-8;

/// What a collision takes, and what it takes to show a body at the end of a beat. \[ns, roughly\]
const WORK_PER_COLLISION: f64 = 600.0;
const WORK_PER_BODY_OF_A_BEAT: f64 = 20.0;

/// A run that failed.
fn fault_of_run(fault: RunFault, out: Option<&Path>) -> RunError {
    let kept = |reason| RunError::Fault { reason, out: out.map(Path::to_owned) };
    match fault {
        RunFault::Observer(source) => observer_failed(source, out, |source| kept(RunFault::Observer(source))),
        fault => kept(fault),
    }
}

/// What a run took, by name.
fn figures<const D: usize>(engine: &Granular<D>, elapsed: Duration) -> [Figure; 11] {
    let tally = engine.tally();
    let topology = engine.search().topology();
    [
        ("wall time (s)", elapsed.as_secs_f64()),
        ("collisions of two balls", tally.collisions as f64),
        ("collisions with walls", tally.wall_collisions as f64),
        ("trajectory events", tally.trajectory_events as f64),
        ("topological events", topology.events as f64),
        ("pairs announced by them", topology.gained as f64),
        ("pairs examined", tally.pair_tests as f64),
        ("walls examined", tally.wall_tests as f64),
        ("void events", tally.void as f64),
        ("collisions in lasting contact", tally.lasting as f64),
        ("memory (bytes)", engine.bytes() as f64),
    ]
}

/// What the file of a run says about itself.
fn header<const D: usize>(model: &Model, engine: &Granular<D>) -> Header {
    let masses = engine.masses().to_vec();
    let figures = figures(engine, Duration::ZERO).map(|(name, _)| name);
    let common = header_of(model, masses.len(), engine.search().describe(), figures);
    Header { grains: Some(Grains { engine: "granular", masses }), ..common }
}
