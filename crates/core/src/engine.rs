//! An engine as everything above it sees it. Whoever runs, times or watches an engine goes by this
//! trait, so that a new engine is one more implementation of it.

use serde::Serialize;

use crate::observe::{Books, Clock, Observer, ObserverError, View};

/// How much of something an engine has used or done: a name and a number.
pub type Figure = (&'static str, f64);

/// Something that moves bodies in a box of `D` dimensions, step by step.
pub trait Engine<const D: usize> {
    /// The word for it in files and messages.
    const NAME: &'static str;

    /// Whether it shows its state after every step. If not, only where the observer wants to see it
    /// ([`Observer::wants_step`]), since it is work to put in order.
    const SHOWS_EVERY_STEP: bool = true;

    /// Why it cannot go on.
    type Error: std::error::Error + Send + Sync + 'static;

    /// All that the rest of the run follows from, besides what the engine was set up with.
    type State<'a>: Serialize
    where
        Self: 'a;

    /// Goes on by a step, or by a part of one that is long.
    ///
    /// # Errors
    /// If the run cannot be trusted any longer, was stopped within a step, or an observer fails.
    fn advance(&mut self, observer: &mut dyn Observer<D>) -> Result<(), Self::Error>;

    /// Shows the state as it is now; a run begins with it.
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

    /// The state, from which another engine can go on.
    fn state(&self) -> Self::State<'_>;

    /// Where the energy is, was, and came from, if the engine knows.
    fn energy(&self) -> Option<Books> {
        None
    }

    /// How contacts are searched for, in words.
    fn search_in_words(&self) -> String;

    /// What the run has taken so far, by name. Results never depend on any of it.
    fn figures(&self) -> Vec<Figure>;

    /// About how much has been done so far, beyond what each state that is shown takes. Counted,
    /// not timed, so that it is the same in every run of a model. \[ns, roughly\]
    fn work(&self) -> f64 {
        0.0
    }

    /// Whether the engine only was stopped within a step, on request.
    fn is_stopped(_: &Self::Error) -> bool {
        false
    }

    /// An observer could not do its work.
    fn failed(&self, source: ObserverError) -> Self::Error;

    /// What an observer complained of, or else the error itself.
    ///
    /// # Errors
    /// If it was the engine that failed, not an observer.
    fn complaint(error: Self::Error) -> Result<ObserverError, Self::Error>;
}
