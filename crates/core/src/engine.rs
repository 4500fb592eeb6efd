//! An engine as the driver of runs, the self-check and the laboratory see it. They know no other
//! interface, so a new engine is one more implementation of this trait.

use serde::Serialize;

use crate::observe::{Clock, EnergyBalance, Observer, ObserverError, View};

/// An amount of work or time, by name.
pub type Figure = (&'static str, f64);

/// A simulation of particles in a box of `D` dimensions, which advances step by step.
pub trait Engine<const D: usize>: Send {
    /// Its name in files and messages.
    const NAME: &'static str;

    /// Whether the observer sees the state after every step. If not, it sees the state only where
    /// it asks for it ([`Observer::wants_step`]), since preparing it takes time.
    const SHOWS_EVERY_STEP: bool = true;

    /// Whether several threads can share the work of a step.
    const USES_THREADS: bool = true;

    /// Why a step failed.
    type Error: std::error::Error + Send + Sync + 'static;

    /// The state that a run can be resumed from, together with the set-up of the engine.
    type State<'a>: Serialize + Send
    where
        Self: 'a;

    /// Advances by one step, or by part of a long one.
    ///
    /// # Errors
    /// If the state is no longer valid, the step was stopped on request, or an observer fails.
    fn advance(&mut self, observer: &mut dyn Observer<D>) -> Result<(), Self::Error>;

    /// Shows the present state to the observer; a run begins with that.
    ///
    /// # Errors
    /// If the state cannot be shown, or the observer fails.
    fn show(&mut self, observer: &mut dyn Observer<D>) -> Result<(), Self::Error> {
        let shown = observer.step(&self.view());
        shown.map_err(|source| self.failed(source))
    }

    /// The state as observers see it; between steps.
    fn view(&mut self) -> View<'_, D>;

    /// Where the run stands.
    fn clock(&self) -> Clock;

    /// The state that another engine can be resumed from.
    fn state(&self) -> Self::State<'_>;

    /// The energy balance, if the engine keeps one.
    fn energy(&self) -> Option<EnergyBalance> {
        None
    }

    /// The search structure at work, in words.
    fn search_in_words(&self) -> String;

    /// The time and work that the run has taken so far, by name. No result depends on them.
    fn figures(&self) -> Vec<Figure>;

    /// An estimate of the work done so far, besides the work of showing states. It is counted, not
    /// timed, and so the same in every run of a model. \[ns, roughly\]
    fn work(&self) -> f64 {
        0.0
    }

    /// Whether it is measuring what serves best, for which one thread should do all the work.
    fn is_measuring(&self) -> bool {
        false
    }

    /// Whether this error only says that the step was stopped on request.
    fn is_stopped(_: &Self::Error) -> bool {
        false
    }

    /// The error that reports the failure of an observer.
    fn failed(&self, source: ObserverError) -> Self::Error;

    /// The error of the observer that made a step fail.
    ///
    /// # Errors
    /// If it was the engine that failed, not an observer.
    fn complaint(error: Self::Error) -> Result<ObserverError, Self::Error>;
}
