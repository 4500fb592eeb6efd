//! What a model says for one engine: all that is to be known to run an engine.

use std::time::Duration;

use super::balance::Accounts;
use super::error::RunError;
use super::header::header_of;
use super::ledger::RuleCounts;
use super::self_check::Subject;
use super::summary::{Account, RunTotals};
use jostle_core::engine::{Engine, Figure};
use jostle_h5md::record::{Header, WarningRow};
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

    /// What its user should know of the results; `rule_counts` says what each rule has done.
    fn warnings(_: &Model, _: &Self::Engine, _: &[RuleCounts]) -> Vec<WarningRow> {
        Vec::new()
    }

    /// What the run has done, for people.
    fn account(model: &Model, engine: &mut Self::Engine, totals: RunTotals<'_>) -> Account;
}

/// The state of an engine as it is read from a checkpoint.
pub(super) type StateOf<R, const D: usize> =
    <<R as Runnable<D>>::Engine as Engine<D>>::State<'static>;

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
