//! The gas as an [`Engine`].

use super::{Gas, GasState, StepError};
use jostle_core::engine::{Engine, Figure};
use jostle_core::observe::{Clock, Observer, ObserverError, View};

impl Engine<2> for Gas {
    const NAME: &'static str = "gas";
    const USES_THREADS: bool = false;

    type Error = StepError;
    type State<'a> = GasState<'a>;

    fn advance(&mut self, observer: &mut dyn Observer<2>) -> Result<(), StepError> {
        self.step(observer)
    }

    fn view(&mut self) -> View<'_, 2> {
        Self::view(self)
    }

    fn clock(&self) -> Clock {
        self.clock()
    }

    fn state(&self) -> GasState<'_> {
        self.state()
    }

    fn search_in_words(&self) -> String {
        self.describe()
    }

    fn figures(&self) -> Vec<Figure> {
        let tally = self.tally();
        let counts = [
            ("collisions of two disks", tally.collisions),
            ("collisions with walls", tally.wall_collisions),
            ("placements in strips", tally.placements),
            ("comparisons", tally.comparisons),
            ("distance tests", tally.distance_tests),
            ("overlaps", tally.overlaps),
        ];
        counts.map(|(name, count)| (name, count as f64)).to_vec()
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
