//! One driver for all engines: sets one up, advances it as far as it is told, and sums up. It may
//! pause between any two steps, on which nothing depends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use super::balance::Accounts;
use super::checkpoint::{Cadence, Checkpoint, History, Keeper, Start, forget, leave_last};
use super::collect::{Collect, Collected, Collector};
use super::error::RunError;
use super::header::population;
use super::ledger::{Ledger, RuleCounts};
use super::observers::{Observers, Watch};
use super::runnable::{self, Runnable, StateOf, figures};
use super::self_check::SelfCheck;
use super::snapshot::{Snapshot, hash_of, positions};
use super::summary::{Ending, RunRecord, Summary, Teller, Written, in_words};
use super::tape::Tape;
use super::threads::Team;
use jostle_core::engine::{Alteration, AlterationError, Engine};
use jostle_core::observe::{Brake, Clock, EnergyBalance};
use jostle_h5md::record::schema::BY_HAND;
use jostle_model::Model;

/// How long a step still has to finish once a stop is requested.
const GRACE: Duration = Duration::from_secs(3);

/// What is to be kept of a run, and where it starts.
#[derive(Default)]
pub(super) struct Plan<'a> {
    /// The file to write, and whether an existing one may be replaced.
    pub(super) out: Option<&'a std::path::Path>,
    pub(super) force: bool,
    pub(super) self_check: bool,
    /// How often the state is kept.
    pub(super) every: Option<Cadence>,
    /// A state to resume from; none: from the start.
    pub(super) from: Option<Checkpoint>,
    /// Whether the last state stays when the run is finished.
    pub(super) stays: bool,
    /// What is handed over between steps.
    pub(super) collect: Collect,
    /// Whether the state may be changed by hand between steps.
    pub(super) by_hand: bool,
}

/// What may stop or pause a run between two steps.
pub(super) struct Controls<'a> {
    /// Set to stop it: after the present step, or within it if it takes long.
    pub(super) stop: &'a AtomicBool,
    /// Set to have the state kept now; it is then unset.
    pub(super) keep: Option<&'a AtomicBool>,
    /// When it pauses, however far it has come.
    pub(super) pause: Option<Instant>,
    /// Told after each step.
    pub(super) progress: &'a mut (dyn FnMut(Clock) + Send),
}

impl Controls<'_> {
    fn ask_to_pause(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.pause.is_some_and(|pause| Instant::now() >= pause)
    }
}

/// A step failed, or was broken off: no more can be done. [`AnyDrive::finish`] says why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Over;

/// A run under way, whatever its engine.
pub(super) trait AnyDrive: Send {
    /// Where it stands.
    fn clock(&self) -> Clock;

    /// Continues until step `until`, or until it is to stop or to pause. Returns whether it got there.
    fn advance(&mut self, until: u64, controls: &mut Controls<'_>) -> Result<bool, Over>;

    /// Ends the run where it is: as finished if all steps of the model are done, else as one that
    /// was stopped.
    fn finish(self: Box<Self>, model: &Model) -> Result<Summary, RunError>;

    /// Changes the state by hand. Returns the identities of new particles, or why it cannot be
    /// changed so.
    fn alter(&mut self, alteration: Alteration<'_>) -> Result<Result<Vec<u64>, String>, Over>;

    /// The state, between steps.
    fn snapshot(&mut self) -> Snapshot;

    /// Positions alone, as the [`Snapshot`] has them.
    fn positions(&mut self) -> Vec<f64>;

    /// The fingerprint of the state, as files have it.
    fn state_hash(&mut self) -> u64;

    /// Where the energy is, in runs of particles that have masses.
    fn balance(&mut self) -> Option<EnergyBalance>;

    /// What each cause of changes has done.
    fn rule_counts(&self) -> &[RuleCounts];

    /// What the run would warn of if it ended here, in words.
    fn warnings(&self, model: &Model) -> Vec<String>;

    /// What has been collected since the last call.
    fn collected(&mut self) -> Collected;
}

/// A run under way: the engine, its observers, what keeps its state, and its threads.
pub(super) struct Drive<E: Engine<D>, const D: usize> {
    engine: E,
    pub(super) observers: Observers<D>,
    keeper: Keeper<E>,
    /// Whether the last state stays when the run is finished.
    stays: bool,
    team: Team,
    teller: Teller<E>,
    /// The number under which changes by hand are told.
    by_hand: u16,
    /// What it took to place the particles.
    placed: Duration,
    /// Why no more can be done.
    fault: Option<E::Error>,
}

impl<E: Engine<D> + 'static, const D: usize> Drive<E, D> {
    /// Sets an engine up, makes or resumes its file, and shows where the run starts.
    pub(super) fn start<R: Runnable<D, Engine = E>>(
        model: &Model,
        part: &R,
        mut plan: Plan<'_>,
    ) -> Result<Self, RunError>
    where
        StateOf<R, D>: DeserializeOwned,
    {
        let started = Instant::now();
        let team = Team::of::<E, D>(model)?;
        let accounts = part.accounts(model);
        let (mut engine, Start { mut history, continued }) = match plan.from.take() {
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
        let particles = history.first.iter().sum();
        log::info!("{particles} particles placed in {:.3} s", placed.as_secs_f64());
        let mut header = runnable::header::<R, D>(model, part, &mut engine, particles);
        let by_hand = header.rules.len();
        if plan.by_hand {
            header.rules.push(BY_HAND.to_owned());
        }
        let tape = Tape::new(plan.out, plan.force, &header, continued, engine.clock())?;
        let collector = Collector::new(plan.collect, engine.clock(), D);
        let rule_counts = std::mem::take(&mut history.rule_counts);
        let ledger = Ledger::new(rule_counts, header.rules.len());
        let check = plan.self_check.then(|| SelfCheck::new(part.subject(model, &mut engine)));
        let keeper = Keeper::new(plan.every, history, R::NAME, figures::<R, D>, &engine);
        let stays = plan.stays && keeper.keeps_at_stops();
        let observers = Observers { accounts, ledger, collector, tape, check };
        let teller = Teller { called: R::STEPS, warnings: R::warnings, account: R::account };
        let (by_hand, fault) = (by_hand as u16, None);
        let mut drive =
            Self { engine, observers, keeper, stays, team, teller, by_hand, placed, fault };
        drive.fault = drive.begin().err();
        Ok(drive)
    }

    fn begin(&mut self) -> Result<(), E::Error> {
        self.keeper.work(|_| {
            if self.observers.tape.is_continued() {
                if let Some(check) = &mut self.observers.check {
                    check.begin(&self.engine.view());
                }
                return Ok(());
            }
            self.engine.show(&mut self.observers.with(None))
        })
    }
}

impl<E: Engine<D>, const D: usize> Drive<E, D> {
    /// Continues until `until` steps are done or it is to stop or to pause; keeps the state when it is
    /// time. Returns whether it got there.
    fn take_steps(&mut self, until: u64, controls: &mut Controls<'_>) -> Result<bool, E::Error> {
        let Self { engine, observers, keeper, team, .. } = self;
        let brake = Brake::new(controls.stop, GRACE);
        let mut watch = observers.with(Some(&brake));
        keeper.work(|keeper| {
            team.steps(|shift| {
                while engine.clock().step < until {
                    if controls.ask_to_pause() {
                        return Some(Ok(false));
                    }
                    if let Err(error) = advance(engine, &mut watch) {
                        return Some(Err(error));
                    }
                    if keeper.is_due(engine.clock(), controls.keep)
                        && let Err(source) = watch.observers.keep(keeper, engine)
                    {
                        return Some(Err(engine.failed(source)));
                    }
                    (controls.progress)(engine.clock());
                    if shift.is_over(engine.is_measuring()) {
                        return None;
                    }
                }
                Some(Ok(true))
            })
        })
    }

    /// Waits until everything is written: the caller may fork the process, and the child would wait for ever for
    /// a thread that was writing.
    fn rest(&mut self) -> Result<(), E::Error> {
        let Self { engine, observers, keeper, .. } = self;
        keeper.work(|_| observers.tape.rest().map_err(|error| engine.failed(error.into())))
    }

    /// How the run ends if it ends here.
    fn end(&mut self, steps: u64) -> Result<Ending, E::Error> {
        let ending = match self.fault.take() {
            // What is left within a step is no state to look at, or to resume.
            Some(error) if E::is_stopped(&error) => return Ok(Ending::BrokenOff),
            Some(error) => return Err(error),
            None if self.engine.clock().step < steps => Ending::Interrupted,
            None => Ending::Finished,
        };
        let Self { engine, observers, keeper, stays, .. } = self;
        keeper.work(|keeper| {
            if *stays || (ending == Ending::Interrupted && keeper.keeps_at_stops()) {
                observers.keep(keeper, engine).map_err(|source| engine.failed(source))?;
            }
            observers.finish(&engine.view()).map_err(|fault| engine.failed(fault.into()))?;
            Ok(ending)
        })
    }
}

impl<E: Engine<D>, const D: usize> AnyDrive for Drive<E, D> {
    fn clock(&self) -> Clock {
        self.engine.clock()
    }

    fn advance(&mut self, until: u64, controls: &mut Controls<'_>) -> Result<bool, Over> {
        if self.fault.is_some() {
            return Err(Over);
        }
        let taken = self.take_steps(until, controls);
        taken.and_then(|whole| self.rest().map(|()| whole)).map_err(|error| {
            self.fault = Some(error);
            Over
        })
    }

    fn alter(&mut self, alteration: Alteration<'_>) -> Result<Result<Vec<u64>, String>, Over> {
        if self.fault.is_some() {
            return Err(Over);
        }
        let Self { engine, observers, by_hand, .. } = self;
        let altered =
            engine.alter(alteration, *by_hand, &mut observers.with(None)).and_then(|ids| {
                let told = observers.tape.altered(engine.clock(), alteration);
                told.map(|()| ids).map_err(|error| AlterationError::Observer(error.into()))
            });
        match altered {
            Ok(ids) => Ok(Ok(ids)),
            Err(AlterationError::Refused(why)) => Ok(Err(why)),
            Err(AlterationError::Observer(source)) => {
                self.fault = Some(engine.failed(source));
                Err(Over)
            }
        }
    }

    fn finish(mut self: Box<Self>, model: &Model) -> Result<Summary, RunError> {
        let done = self.end(model.run.steps);
        let Self { mut engine, observers, keeper, stays, teller, placed, .. } = *self;
        let Observers { accounts, ledger: Ledger(rule_counts), tape, check, .. } = observers;
        let checked = check.as_ref().and_then(SelfCheck::said);
        let (elapsed, taken) = ([placed, keeper.worked()], keeper.took(&engine));
        let warnings = (teller.warnings)(model, &engine, &rule_counts);
        let (ending, written) = tape.close(done, &taken, &warnings, &engine)?;
        if let (Ending::Finished, Some(Written { path, .. })) = (ending, &written) {
            if stays { leave_last(path) } else { forget(path) }
        }
        let History { first, balance: at_start, .. } = keeper.into_history();
        let at_end = balance(accounts.as_ref(), &mut engine);
        let balance = [at_start, at_end].map(Option::unwrap_or_default);
        let record =
            RunRecord { ending, first, rule_counts, elapsed, warnings, written, checked, balance };
        Ok(Summary::new(model, &mut engine, &teller, record))
    }

    fn snapshot(&mut self) -> Snapshot {
        Snapshot::of(&self.engine.view(), self.observers.accounts.is_some())
    }

    fn positions(&mut self) -> Vec<f64> {
        positions(self.engine.view().particles)
    }

    fn state_hash(&mut self) -> u64 {
        hash_of(&self.engine.view())
    }

    fn balance(&mut self) -> Option<EnergyBalance> {
        balance(self.observers.accounts.as_ref(), &mut self.engine)
    }

    fn rule_counts(&self) -> &[RuleCounts] {
        &self.observers.ledger.0
    }

    fn warnings(&self, model: &Model) -> Vec<String> {
        in_words(model, &(self.teller.warnings)(model, &self.engine, self.rule_counts()))
    }

    fn collected(&mut self) -> Collected {
        self.observers.collector.take()
    }
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

/// Continues by a step, or a part of one. Where the engine does not show every step, the self-check
/// looks for itself.
fn advance<const D: usize, E: Engine<D>>(
    engine: &mut E,
    watch: &mut Watch<'_, D>,
) -> Result<(), E::Error> {
    let (before, step) = (engine.work(), engine.clock().step);
    engine.advance(watch)?;
    let Observers { check, tape, .. } = &mut *watch.observers;
    if let Some(check) = check {
        check.worked(engine.work() - before);
        if !E::SHOWS_EVERY_STEP && check.is_due() {
            check.look(&engine.view()).map_err(|fault| engine.failed(fault.into()))?;
        }
    }
    // Hours may go by until a step is shown, or ends.
    if !E::SHOWS_EVERY_STEP || engine.clock().step == step {
        let flushed = tape.flush_if_due(engine.clock());
        flushed.map_err(|error| engine.failed(error.into()))?;
    }
    Ok(())
}
