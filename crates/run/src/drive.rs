//! One driver for all engines: sets one up, takes it to the end of its run, and sums up.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use super::balance::{Accounts, BalanceObserver};
use super::checkpoint::{Keeper, Memoir, Start};
use super::ledger::{Ledger, RuleCounts};
use super::self_check::{SelfCheck, Subject, Watch};
use super::summary::{Account, Course};
use super::tape::Tape;
use super::threads::Team;
use super::{Ending, Options, RunError, Summary, header_of, population};
use jostle_core::engine::{Engine, Figure};
use jostle_core::observe::{EnergyBalance, Observer};
use jostle_h5md::record::Header;
use jostle_model::Model;

/// What a model says for one engine: how the engine is made of it, and what a run tells of the
/// engine.
pub(super) trait Runnable<const D: usize>: Sync {
    /// What runs it.
    type Engine: Engine<D> + 'static;

    /// The word for it in files and messages.
    const NAME: &'static str = <Self::Engine as Engine<D>>::NAME;
    /// What its steps are called.
    const STEPS: &'static str = "steps";

    /// The engine at the start.
    fn start(&self, model: &Model) -> Result<Self::Engine, RunError>;

    /// The engine where a run had come.
    fn resume(&self, model: &Model, state: StateOf<Self, D>) -> Result<Self::Engine, RunError>;

    /// What the run has taken, by name.
    fn figures(engine: &Self::Engine) -> Vec<Figure> {
        engine.figures()
    }

    /// What the energy is reckoned from, where the engine does not do it.
    fn accounts(&self, _: &Model) -> Option<Accounts<D>> {
        None
    }

    /// What the file of a run says about itself, completed by what only runs of this engine have.
    fn header(&self, model: &Model, engine: &mut Self::Engine, common: Header) -> Header;

    /// What the self-check knows of the run.
    fn subject(&self, model: &Model, engine: &mut Self::Engine) -> Subject<D>;

    /// What the run has done, for people.
    fn account(&self, model: &Model, engine: &mut Self::Engine, story: Story<'_>) -> Account;
}

/// The state of an engine as it is read from a checkpoint.
pub(super) type StateOf<R, const D: usize> =
    <<R as Runnable<D>>::Engine as Engine<D>>::State<'static>;

/// What a run knows at its end besides its engine.
pub(super) struct Story<'a> {
    /// Where the energy was at the start, and is at the end.
    pub(super) balance: [EnergyBalance; 2],
    /// How many particles there were at the start and at the end, on average.
    pub(super) particles: f64,
    /// What each rule has done.
    pub(super) rule_counts: &'a [(String, RuleCounts)],
}

/// All figures of a run that has worked for so long.
pub(super) fn figures<R: Runnable<D>, const D: usize>(
    engine: &R::Engine,
    worked: Duration,
) -> Vec<Figure> {
    let wall = ("wall time (s)", worked.as_secs_f64());
    std::iter::once(wall).chain(R::figures(engine)).collect()
}

/// What the file of a run of so many particles says about itself.
pub(super) fn header<R: Runnable<D>, const D: usize>(
    model: &Model,
    part: &R,
    engine: &mut R::Engine,
    particles: usize,
) -> Header {
    let names = figures::<R, D>(engine, Duration::ZERO).into_iter().map(|(name, _)| name);
    let common = header_of(model, particles, engine.search_in_words(), names);
    part.header(model, engine, common)
}

/// Where the energy is.
fn balance<const D: usize, E: Engine<D>>(
    accounts: Option<&Accounts<D>>,
    engine: &mut E,
) -> Option<EnergyBalance> {
    match accounts {
        Some(accounts) => Some(accounts.balance(&engine.view())),
        None => engine.energy(),
    }
}

/// Runs a model to its end, or until it is told to stop.
pub(super) fn run_in<R: Runnable<D>, const D: usize>(
    model: &Model,
    part: &R,
    mut options: Options<'_>,
) -> Result<Summary, RunError>
where
    StateOf<R, D>: DeserializeOwned,
{
    let started = Instant::now();
    let mut team = Team::of::<R::Engine, D>(model)?;
    let accounts = part.accounts(model);
    let (mut engine, Start { mut memoir, continued }) = match options.checkpoints.from.take() {
        Some(kept) => {
            let (state, start) = kept.take(R::NAME, D)?;
            (part.resume(model, state)?, start)
        }
        None => {
            let mut engine = part.start(model)?;
            let first = population(model, engine.view().particles);
            let balance = balance(accounts.as_ref(), &mut engine);
            (engine, Start::of(first, balance))
        }
    };
    let placed = started.elapsed();
    let particles = memoir.first.iter().sum();
    log::info!("{particles} particles placed in {:.3} s", placed.as_secs_f64());
    let header = header::<R, D>(model, part, &mut engine, particles);
    let tape = Tape::<D>::new(&options, &header, continued, engine.clock())?;
    let ledger = Ledger::new(std::mem::take(&mut memoir.rule_counts), model.causes().len(), tape);
    let check = options.self_check.then(|| SelfCheck::new(part.subject(model, &mut engine)));
    let next = BalanceObserver { accounts: accounts.as_ref(), next: ledger };
    let mut watch = Watch { brake: Some(options.brake()), check, next };
    let mut keeper = Keeper::new(&options.checkpoints, memoir, R::NAME, figures::<R, D>, &engine);
    let done =
        drive(&mut engine, model.run.steps, &mut watch, &mut keeper, &mut options, &mut team);
    let checked = watch.account();
    let (elapsed, taken) = ([placed, keeper.worked()], keeper.took(&engine));
    let Ledger { rule_counts, next: tape } = watch.next.next;
    let (ending, written) = tape.close(done, &taken, &engine)?;
    let Memoir { first, balance: at_start, .. } = keeper.into_memoir();
    let at_end = balance(accounts.as_ref(), &mut engine);
    let balance = [at_start, at_end].map(Option::unwrap_or_default);
    let course = Course { ending, first, rule_counts, elapsed, written, checked, balance };
    Ok(Summary::new::<R, D>(model, part, &mut engine, course))
}

/// Those that hear of a run, each passing on what it hears, down to the one that writes.
pub(super) trait Chain<const D: usize>: Observer<D> + Send {
    /// A particle that writes.
    fn tape(&mut self) -> &mut Tape<D>;

    /// What each rule has done, where a particle counts it.
    fn rule_counts(&self) -> &[RuleCounts] {
        &[]
    }
}

/// Continues until `steps` are done or a particle stops the run; keeps the state when it is time,
/// and where the run is stopped.
pub(super) fn drive<const D: usize, E: Engine<D>, C: Chain<D>>(
    engine: &mut E,
    steps: u64,
    watch: &mut Watch<'_, D, C>,
    keeper: &mut Keeper<'_, E>,
    options: &mut Options<'_>,
    team: &mut Team,
) -> Result<Ending, E::Error> {
    if watch.tape().is_continued() {
        watch.begin(&engine.view());
    } else {
        engine.show(watch)?;
    }
    let ending = team.steps(|shift| {
        while engine.clock().step < steps {
            if options.stop.load(Ordering::Relaxed) {
                return Some(Ok(Ending::Interrupted));
            }
            match advance(engine, watch) {
                // What is left within a step is no state to look at, or to resume.
                Err(error) if E::is_stopped(&error) => return Some(Ok(Ending::BrokenOff)),
                Err(error) => return Some(Err(error)),
                Ok(()) => {}
            }
            if keeper.is_due(engine.clock())
                && let Err(source) = keeper.keep(engine, watch)
            {
                return Some(Err(engine.failed(source)));
            }
            (options.progress)(engine.clock());
            if shift.is_over(engine.is_measuring()) {
                return None;
            }
        }
        Some(Ok(Ending::Finished))
    })?;
    if ending == Ending::BrokenOff {
        return Ok(ending);
    }
    if ending == Ending::Interrupted && keeper.keeps_at_stops() {
        keeper.keep(engine, watch).map_err(|source| engine.failed(source))?;
    }
    watch.finish(&engine.view()).map_err(|fault| engine.failed(fault.into()))?;
    Ok(ending)
}

/// Continues by a step, or a part of one. Where the engine does not show every step, the self-check
/// looks for itself.
fn advance<const D: usize, E: Engine<D>, C: Chain<D>>(
    engine: &mut E,
    watch: &mut Watch<'_, D, C>,
) -> Result<(), E::Error> {
    let before = engine.work();
    engine.advance(watch)?;
    watch.worked(engine.work() - before);
    if !E::SHOWS_EVERY_STEP && watch.is_due() {
        watch.look(&engine.view()).map_err(|fault| engine.failed(fault.into()))?;
    }
    Ok(())
}
