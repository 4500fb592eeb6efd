//! The granular engine as an [`Engine`].

use super::{Granular, RunFault, State};
use jostle_core::engine::{Engine, Figure};
use jostle_core::observe::{Clock, EnergyBalance, Observer, ObserverError, View};

/// So many events are settled between two looks at whether the run is to end.
const EVENTS_AT_A_TIME: u64 = 50_000;

/// What a collision takes. \[ns, roughly\]
const WORK_PER_COLLISION: f64 = 600.0;

impl<const D: usize> Engine<D> for Granular<D> {
    const NAME: &'static str = "granular";
    const USES_THREADS: bool = false;

    type Error = RunFault;
    type State<'a> = State<'a, D>;

    /// an output interval may be long, and a run can be stopped within it.
    fn advance(&mut self, observer: &mut dyn Observer<D>) -> Result<(), RunFault> {
        self.step_part(EVENTS_AT_A_TIME, observer).map(|_| ())
    }

    fn show(&mut self, observer: &mut dyn Observer<D>) -> Result<(), RunFault> {
        Self::show(self, observer)
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

    fn energy(&self) -> Option<EnergyBalance> {
        Some(self.balance())
    }

    fn search_in_words(&self) -> String {
        self.search().describe()
    }

    fn figures(&self) -> Vec<Figure> {
        let (tally, topology) = (self.tally(), self.search().topology());
        let counts = [
            ("collisions of two balls", tally.collisions),
            ("collisions with walls", tally.wall_collisions),
            ("trajectory events", tally.trajectory_events),
            ("topological events", topology.events),
            ("pairs announced by them", topology.gained),
            ("pairs examined", tally.pair_tests),
            ("walls examined", tally.wall_tests),
            ("void events", tally.void),
            ("collisions in lasting contact", tally.lasting),
            ("memory (bytes)", self.bytes() as u64),
        ];
        counts.map(|(name, count)| (name, count as f64)).to_vec()
    }

    fn work(&self) -> f64 {
        self.tally().collisions as f64 * WORK_PER_COLLISION
    }

    fn failed(&self, source: ObserverError) -> RunFault {
        RunFault::Observer(source)
    }

    fn complaint(error: RunFault) -> Result<ObserverError, RunFault> {
        match error {
            RunFault::Observer(source) => Ok(source),
            other => Err(other),
        }
    }
}
