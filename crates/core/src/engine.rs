//! An engine as the driver of runs, the self-check and the laboratory see it. They know no other
//! interface, so a new engine is one more implementation of this trait.

use serde::Serialize;

use crate::observe::{Clock, EnergyBalance, Observer, ObserverError, View};

/// An amount of work or time, by name.
pub type Figure = (&'static str, f64);

/// A change of the state between two steps that comes from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alteration<'a> {
    /// New particles.
    Add {
        /// What they are.
        species: u16,
        /// Where, within the box: as many components for each as there are dimensions. \[nm\]
        places: &'a [f64],
    },
    /// Particles cease to be, with all that is inside them.
    Remove {
        /// Their identities.
        ids: &'a [u64],
    },
    /// A rule gets another rate, of the kind that it has.
    SetRate {
        /// The rule's number.
        rule: u16,
        /// Its new rate, probability or rate constant. \[as the rule's own\]
        rate: f64,
    },
}

/// Why the state was not changed from outside.
#[derive(Debug, thiserror::Error)]
pub enum AlterationError {
    /// It cannot be changed so, and is as it was.
    #[error("{0}")]
    Refused(String),
    /// An observer failed when it was told. The state has changed.
    #[error("{0}")]
    Observer(ObserverError),
}

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

    /// Changes the state between steps. The observer is told under the number `cause`. Returns the
    /// identities of new particles, in the order of their places.
    ///
    /// # Errors
    /// If the state cannot be changed so, or the observer fails.
    fn alter(
        &mut self,
        _: Alteration<'_>,
        _cause: u16,
        _: &mut dyn Observer<D>,
    ) -> Result<Vec<u64>, AlterationError> {
        let why = "particles cannot be added or removed between steps, and there are no rates";
        Err(AlterationError::Refused(format!("{} engine: {why}", Self::NAME)))
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
