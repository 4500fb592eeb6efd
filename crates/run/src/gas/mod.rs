//! Runs disk gases. A gas has no engine of its own: its disks fly in the stepped engine, or from
//! event to event in the granular one, as `contact` says. Only the rule that lets disks collide
//! after the move has one.

mod account;
mod forecast;

use super::balance::Accounts;
use super::drive::{AnyDrive, Drive, Plan};
use super::error::RunError;
use super::granular::{ROUNDING_OF_BALANCE, search};
use super::header::domain;
use super::memory::check_room;
use super::runnable::{Runnable, StateOf};
use super::self_check::{Hardness, Subject};
use super::summary;
use jostle_brownian::{self, Brownian, Launch};
use jostle_core::engine::{Engine, Figure};
use jostle_core::search::Kind;
use jostle_core::space::Vector;
use jostle_core::species::{MobilityLaw, Species};
use jostle_events::gas::{self, Arrangement, Disk, Gas};
use jostle_events::granular::container::Container;
use jostle_events::granular::forces::Forces;
use jostle_events::granular::{self, Collisions, Grain, Granular};
use jostle_h5md::record::{Grains, Header};
use jostle_model::Model;
use jostle_model::gas::{Contact, GasModel};
use jostle_model::placement::{Ball, place_balls, velocities};

pub(super) use forecast::forecast;

/// Starts a run of a disk gas.
pub(super) fn start_run(
    model: &Model,
    gas: &GasModel,
    plan: Plan<'_>,
) -> Result<Box<dyn AnyDrive>, RunError> {
    Ok(match gas.contact {
        Contact::Exact => Box::new(Drive::start(model, &Exact(gas), plan)?),
        Contact::AfterMove => Box::new(Drive::start(model, &AfterMove(gas), plan)?),
        Contact::Events => Box::new(Drive::start(model, &Events(gas), plan)?),
    })
}

/// Contacts at their moment within the step: spheres of the stepped engine in ballistic flight.
pub(super) struct Exact<'a>(pub(super) &'a GasModel);

/// Overlaps after the move.
pub(super) struct AfterMove<'a>(pub(super) &'a GasModel);

/// From event to event; an output interval is a time step.
pub(super) struct Events<'a>(pub(super) &'a GasModel);

impl Runnable<2> for Exact<'_> {
    type Engine = Brownian<2>;

    const NAME: &'static str = "gas (exact)";

    fn start(&self, model: &Model) -> Result<Brownian<2>, RunError> {
        check_room(model)?;
        exact_engine(model, self.0)
    }

    fn resume(&self, model: &Model, state: StateOf<Self, 2>) -> Result<Brownian<2>, RunError> {
        let engine = Brownian::resume_ballistic(
            exact_setup(model, self.0),
            &masses(model, self.0),
            gravity(self.0),
            state,
        );
        engine.map_err(RunError::setup)
    }

    fn figures(engine: &Brownian<2>) -> Vec<Figure> {
        let tally = engine.tally();
        let counters = engine.search().counters().named();
        let work = counters.into_iter().chain([("narrow tests", tally.narrow_tests)]);
        figures([tally.contacts, tally.wall_contacts], work)
    }

    fn accounts(&self, model: &Model) -> Option<Accounts<2>> {
        Some(accounts(model, self.0))
    }

    fn header(&self, model: &Model, engine: &mut Brownian<2>, common: Header) -> Header {
        header(model, self.0, engine, common)
    }

    fn subject(&self, model: &Model, engine: &mut Brownian<2>) -> Subject<2> {
        subject(model, self.0, engine)
    }

    fn account(
        _: &Model,
        engine: &mut Brownian<2>,
        totals: summary::RunTotals<'_>,
    ) -> summary::Account {
        account::account(&Self::figures(engine), engine, &totals)
    }
}

impl Runnable<2> for AfterMove<'_> {
    type Engine = Gas;

    const NAME: &'static str = "gas (after_move)";

    fn start(&self, model: &Model) -> Result<Gas, RunError> {
        after_move_engine(model, self.0)
    }

    fn resume(&self, model: &Model, state: StateOf<Self, 2>) -> Result<Gas, RunError> {
        of_species(state.is_of_species(model.species.len()))?;
        let setup = after_move_setup(model, self.0, state.largest_radius());
        Gas::resume(setup, state).map_err(RunError::setup)
    }

    fn accounts(&self, model: &Model) -> Option<Accounts<2>> {
        Some(accounts(model, self.0))
    }

    fn header(&self, model: &Model, engine: &mut Gas, common: Header) -> Header {
        header(model, self.0, engine, common)
    }

    /// Disks overlap there, and part.
    fn subject(&self, model: &Model, engine: &mut Gas) -> Subject<2> {
        Subject { hardness: Hardness::None, ..subject(model, self.0, engine) }
    }

    fn account(_: &Model, engine: &mut Gas, totals: summary::RunTotals<'_>) -> summary::Account {
        account::account(&Self::figures(engine), engine, &totals)
    }
}

impl Runnable<2> for Events<'_> {
    type Engine = Granular<2>;

    const NAME: &'static str = "gas (events)";

    fn start(&self, model: &Model) -> Result<Granular<2>, RunError> {
        events_engine(model, self.0)
    }

    fn resume(&self, model: &Model, state: StateOf<Self, 2>) -> Result<Granular<2>, RunError> {
        of_species(state.is_of_species(model.species.len()))?;
        Granular::resume(events_setup(model, self.0, &state.radii())?, state)
            .map_err(RunError::setup)
    }

    fn figures(engine: &Granular<2>) -> Vec<Figure> {
        let (tally, topology) = (engine.tally(), engine.search().topology());
        let work = [
            ("topological events", topology.events),
            ("pairs examined", tally.pair_tests),
            ("void events", tally.void),
        ];
        figures([tally.collisions, tally.wall_collisions], work)
    }

    fn header(&self, model: &Model, engine: &mut Granular<2>, common: Header) -> Header {
        header(model, self.0, engine, common)
    }

    /// This engine reckons the energy itself.
    fn subject(&self, model: &Model, engine: &mut Granular<2>) -> Subject<2> {
        Subject { imbalance: Some(ROUNDING_OF_BALANCE), ..subject(model, self.0, engine) }
    }

    fn account(
        _: &Model,
        engine: &mut Granular<2>,
        totals: summary::RunTotals<'_>,
    ) -> summary::Account {
        account::account(&Self::figures(engine), engine, &totals)
    }
}

/// What a run took, by name, whichever engine runs it: collisions of two disks and with walls come
/// first.
fn figures(
    [disks, walls]: [u64; 2],
    work: impl IntoIterator<Item = (&'static str, u64)>,
) -> Vec<Figure> {
    let collisions = [("collisions of two disks", disks), ("collisions with walls", walls)];
    collisions.into_iter().chain(work).map(|(name, count)| (name, count as f64)).collect()
}

fn accounts(model: &Model, gas: &GasModel) -> Accounts<2> {
    Accounts { mass: masses(model, gas), gravity: gravity(gas) }
}

fn header(model: &Model, gas: &GasModel, engine: &mut impl Engine<2>, common: Header) -> Header {
    let masses = accounts(model, gas).masses(&engine.view());
    Header { grains: Some(Grains { engine: "gas", masses }), ..common }
}

/// What the self-check knows of a disk gas.
fn subject(model: &Model, gas: &GasModel, engine: &mut impl Engine<2>) -> Subject<2> {
    let pull = &gas.granular.gravity.acceleration;
    Subject {
        hardness: Hardness::Hard,
        isolated: std::array::from_fn(|k| model.space.periodic[k] && pull[k] == 0.0),
        mass: accounts(model, gas).masses(&engine.view()).iter().sum(),
        work_per_particle: 50.0,
        ..Subject::of(model)
    }
}

fn of_species(known: bool) -> Result<(), RunError> {
    match known {
        true => Ok(()),
        false => Err(RunError::setup(gas::GasSetupError::State("a disk is of no species"))),
    }
}

type InitialDisks<const D: usize> = Vec<(Ball<D>, Vector<D>)>;

/// The disks of a gas at the start, the same for all engines, and how they move.
fn start<const D: usize>(model: &Model, gas: &GasModel) -> Result<InitialDisks<D>, RunError> {
    let balls = place_balls::<D>(model, &gas.granular)?;
    let speeds = velocities(model, &gas.granular, &balls);
    Ok(balls.into_iter().zip(speeds).collect())
}

fn gravity<const D: usize>(gas: &GasModel) -> Vector<D> {
    Vector::from_fn(|k| gas.granular.gravity.acceleration[k])
}

/// The mass of a disk of a species. \[kg\]
fn mass(gas: &GasModel, species: u16) -> f64 {
    let disks = &gas.granular.balls[species as usize];
    disks.mass_of(disks.radius[0])
}

/// By species. \[kg\]
fn masses(model: &Model, gas: &GasModel) -> Vec<f64> {
    (0..model.species.len()).map(|s| mass(gas, s as u16)).collect()
}

/// The stepped engine of a disk gas, at step 0.
///
/// # Errors
/// If disks cannot be placed or the engine cannot start so.
pub(crate) fn exact_engine<const D: usize>(
    model: &Model,
    gas: &GasModel,
) -> Result<Brownian<D>, RunError> {
    let launch = |(ball, velocity): (Ball<D>, Vector<D>)| Launch {
        species: ball.species,
        position: ball.position,
        velocity,
    };
    let particles: Vec<_> = start(model, gas)?.into_iter().map(launch).collect();
    let engine =
        Brownian::ballistic(exact_setup(model, gas), &masses(model, gas), gravity(gas), &particles);
    engine.map_err(RunError::setup)
}

/// What the stepped engine is made of.
fn exact_setup<const D: usize>(model: &Model, gas: &GasModel) -> jostle_brownian::Setup<D> {
    let species = model.species.iter().cloned();
    jostle_brownian::Setup {
        // No particle is bound to another.
        mobility: MobilityLaw::Rouse,
        search: gas.search.build::<D>(),
        scheduler: gas.scheduler,
        seed: model.run.seed,
        ..jostle_brownian::Setup::new(
            domain(model),
            model.run.timestep,
            species.map(|one| Species { diffusion_coefficient: Some(0.0), ..one }).collect(),
        )
    }
}

/// The engine of a gas whose disks collide after the move, at step 0.
///
/// # Errors
/// If disks cannot be placed or the engine cannot start so.
pub fn after_move_engine(model: &Model, gas: &GasModel) -> Result<Gas, RunError> {
    check_room(model)?;
    let start = start(model, gas)?;
    let largest = start.iter().map(|(ball, _)| ball.radius).fold(0.0, f64::max);
    let disk = |(ball, velocity): &(Ball<2>, Vector<2>)| Disk {
        position: ball.position,
        velocity: *velocity,
        radius: ball.radius,
        mass: mass(gas, ball.species),
        species: ball.species,
    };
    let disks: Vec<_> = start.iter().map(disk).collect();
    Gas::new(after_move_setup(model, gas, largest), &disks).map_err(RunError::setup)
}

/// What that engine is made of; its largest disk has this radius, 0 if there is none.
fn after_move_setup(model: &Model, gas: &GasModel, largest: f64) -> gas::GasSetup {
    let arrangement = match gas.search.kind {
        Kind::Naive => Arrangement::Naive,
        // Without disks nothing says how wide strips should be.
        _ if largest == 0.0 => Arrangement::Naive,
        _ => {
            let width = gas.search.cell_size.unwrap_or(2.0 * largest);
            Arrangement::Strips { axis: gas.search.axis, width }
        }
    };
    gas::GasSetup {
        domain: domain(model),
        timestep: model.run.timestep,
        gravity: gravity(gas),
        arrangement,
    }
}

/// The engine of a gas whose disks go from event to event, at time 0.
///
/// # Errors
/// If disks cannot be placed or the engine cannot start so.
pub fn events_engine(model: &Model, gas: &GasModel) -> Result<Granular<2>, RunError> {
    check_room(model)?;
    let grain = |(ball, velocity): (Ball<2>, Vector<2>)| Grain {
        position: ball.position,
        velocity,
        radius: ball.radius,
        mass: mass(gas, ball.species),
        species: ball.species,
    };
    let grains: Vec<_> = start(model, gas)?.into_iter().map(grain).collect();
    let radii: Vec<f64> = grains.iter().map(|grain| grain.radius).collect();
    Granular::new(events_setup(model, gas, &radii)?, &grains).map_err(RunError::setup)
}

/// What the event-driven engine is made of.
fn events_setup(
    model: &Model,
    gas: &GasModel,
    radii: &[f64],
) -> Result<granular::Setup<2>, RunError> {
    Ok(granular::Setup {
        container: Container::new_box(domain(model), None).map_err(RunError::setup)?,
        forces: Forces { gravity: gravity(gas), ..Forces::default() },
        trajectory: None,
        collisions: Collisions::elastic(),
        search: search(model, gas.granular.search, radii)?,
        output_interval: model.run.timestep,
    })
}
