//! The Brownian engine as an [`Engine`].

use super::compiled::compiled;
use super::{Brownian, State, StepError};
use jostle_core::engine::{Alteration, AlterationError, Engine, Figure};
use jostle_core::observe::{Clock, Observer, ObserverError, View};

impl<const D: usize> Engine<D> for Brownian<D> {
    const NAME: &'static str = "brownian";

    type Error = StepError;
    type State<'a> = State<'a, D>;

    fn advance(&mut self, observer: &mut dyn Observer<D>) -> Result<(), StepError> {
        self.step(observer)
    }

    fn alter(
        &mut self,
        alteration: Alteration<'_>,
        cause: u16,
        observer: &mut dyn Observer<D>,
    ) -> Result<Vec<u64>, AlterationError> {
        (compiled().alter)(self, alteration, cause, observer)
    }

    fn view(&mut self) -> View<'_, D> {
        Self::view(self)
    }

    fn clock(&self) -> Clock {
        self.clock()
    }

    fn state(&self) -> State<'_, D> {
        self.state()
    }

    fn is_measuring(&self) -> bool {
        self.search.is_measuring()
    }

    fn search_in_words(&self) -> String {
        if self.system.groups.is_none() {
            return "not needed: no two species interact".to_owned();
        }
        self.search().describe()
    }

    fn figures(&self) -> Vec<Figure> {
        let (phases, tally) = (self.phases(), self.tally());
        let times = [
            ("drawing displacements (s)", phases.draw),
            ("renewing the search structure (s)", phases.relink),
            ("listing candidate pairs (s)", phases.search),
            ("first contacts (s)", phases.narrow),
            ("settling contacts (s)", phases.settle),
            ("arriving (s)", phases.arrive),
        ];
        let work = self.search().counters().named();
        let tests = [
            ("narrow tests", tally.narrow_tests),
            ("contacts", tally.contacts + tally.wall_contacts),
        ];
        let counts = work.into_iter().chain(tests).map(|(name, count)| (name, count as f64));
        times.into_iter().map(|(name, time)| (name, time.as_secs_f64())).chain(counts).collect()
    }

    fn is_stopped(error: &StepError) -> bool {
        matches!(error, StepError::Stopped { .. })
    }

    fn failed(&self, source: ObserverError) -> StepError {
        StepError::Observer { step: self.clock().step, source }
    }

    fn complaint(error: StepError) -> Result<ObserverError, StepError> {
        match error {
            StepError::Observer { source, .. } => Ok(source),
            other => Err(other),
        }
    }
}
