//! Runs disk gases.

mod account;
mod books;
mod engine;
mod forecast;

use std::path::Path;
use std::time::{Duration, Instant};

use super::checkpoint::{Keeper, Memoir, Start};
use super::drive::{Chain, Driven, Figure, drive};
use super::self_check::{Hardness, SelfCheck, Subject, Watch};
use super::summary::{Course, population_of};
use super::tape::{Tape, observer_failed};
use super::{Options, RunError, Summary, header_of};
use books::{Accounts, Bookkeeper};
use jostle_core::observe::{Clock, Observer, ObserverError, View};
use jostle_h5md::record::{Grains, Header};
use jostle_model::Model;
use jostle_model::gas::{Contact, GasModel};

pub use account::GasAccount;
use engine::GasState;
pub(super) use engine::exact_engine;
use engine::resumed;
pub use engine::{GasEngine, GasFault, gas_engine};
pub use forecast::{GasForecast, gas_forecast};

/// The word for the engine, in files.
const ENGINE: &str = "gas";

/// Runs a disk gas to its end, or until it is told to stop.
pub(super) fn run(model: &Model, gas: &GasModel, mut options: Options<'_>) -> Result<Summary, RunError> {
    let started = Instant::now();
    let accounts = Accounts::new(model, gas);
    let (mut engine, Start { memoir, continued }) = match options.checkpoints.from.take() {
        Some(kept) => {
            let (state, start) = kept.take(ENGINE, 2)?;
            (resumed(model, gas, state)?, start)
        }
        None => {
            let engine = gas_engine(model, gas)?;
            let first = population_of(model, engine.view().particles);
            let start = Start::of(first, Some(accounts.books(&engine.view())));
            (engine, start)
        }
    };
    let placed = started.elapsed();
    let tape = Tape::<2>::new(&options, &header(model, &engine, &accounts), continued, engine.clock())?;
    let check = options.self_check.then(|| SelfCheck::new(subject(model, gas, &accounts, &engine)));
    let mut watch =
        Watch { brake: Some(options.brake()), check, next: Bookkeeper { accounts: &accounts, next: tape } };
    let mut keeper = Keeper::new(&options.checkpoints, memoir, ENGINE, &engine);
    let done = drive(&mut engine, model.steps, &mut watch, &mut keeper, &mut options);
    let checked = watch.account();
    let (elapsed, figures) = ([placed, keeper.worked()], keeper.took(&engine));
    let (ending, written) = watch.next.next.close(done, &figures, engine.clock(), fault_of_run)?;
    let Memoir { first, books, .. } = keeper.into_memoir();
    let disks: usize = first.iter().sum();
    let account = GasAccount {
        collisions: engine.collisions(),
        work: engine.work(),
        books: [books.unwrap_or_default(), accounts.books(&engine.view())],
        disk_steps: engine.clock().step as f64 * disks as f64,
    };
    let course = Course { ending, first, deeds: Vec::new(), elapsed, written, checked };
    Ok(Summary::of_gas(model, &engine, account, course))
}

impl Driven<2> for GasEngine {
    type Fault = GasFault;
    type State<'a> = GasState<'a>;

    fn clock(&self) -> Clock {
        self.clock()
    }

    fn view(&mut self) -> View<'_, 2> {
        Self::view(self)
    }

    fn show(&mut self, watch: &mut impl Observer<2>) -> Result<(), GasFault> {
        let shown = watch.step(&Self::view(self));
        shown.map_err(|source| self.failed(source))
    }

    fn go_on<C: Chain<2>>(&mut self, watch: &mut Watch<'_, 2, C>) -> Result<(), GasFault> {
        self.step(watch)
    }

    fn state(&self) -> GasState<'_> {
        self.state()
    }

    fn figures(&self, worked: Duration) -> Vec<Figure> {
        figures(self, worked)
    }

    fn is_stopped(fault: &GasFault) -> bool {
        matches!(fault, GasFault::Exact(jostle_brownian::StepError::Stopped { .. }))
    }

    fn failed(&self, source: ObserverError) -> GasFault {
        jostle_events::gas::StepError::Observer { step: self.clock().step, source }.into()
    }
}

/// What the self-check knows of a disk gas. The books are kept by the engine only where it goes from event
/// to event.
fn subject(model: &Model, gas: &GasModel, accounts: &Accounts, engine: &GasEngine) -> Subject<2> {
    let hardness = match gas.contact {
        // Disks overlap there, and part.
        Contact::AfterMove => Hardness::None,
        Contact::Exact | Contact::Events => Hardness::Hard,
    };
    let gravity = &gas.granular.gravity.acceleration;
    Subject {
        hardness,
        isolated: std::array::from_fn(|k| model.periodic[k] && gravity[k] == 0.0),
        mass: accounts.masses(&engine.view()).iter().sum(),
        imbalance: matches!(gas.contact, Contact::Events).then_some(1e-8),
        work_per_body: 50.0,
        ..Subject::of(model)
    }
}

fn fault_of_run(fault: GasFault, out: Option<&Path>) -> RunError {
    let kept = |reason: String| RunError::Gas { reason, out: out.map(Path::to_owned) };
    match fault.into_complaint() {
        Ok(source) => observer_failed(source, out, |source| kept(source.to_string())),
        Err(fault) => kept(fault.to_string()),
    }
}

/// What a run took, by name.
fn figures(engine: &GasEngine, elapsed: Duration) -> Vec<Figure> {
    let [disks, walls] = engine.collisions();
    let mut all = vec![
        ("wall time (s)", elapsed.as_secs_f64()),
        ("collisions of two disks", disks as f64),
        ("collisions with walls", walls as f64),
    ];
    all.extend(engine.work().into_iter().map(|(name, count)| (name, count as f64)));
    all
}

/// What the file of a run says about itself.
fn header(model: &Model, engine: &GasEngine, accounts: &Accounts) -> Header {
    let masses = accounts.masses(&engine.view());
    let figures = figures(engine, Duration::ZERO).into_iter().map(|(name, _)| name);
    let common = header_of(model, masses.len(), engine.search_in_words(), figures);
    Header { grains: Some(Grains { engine: "gas", masses }), ..common }
}
