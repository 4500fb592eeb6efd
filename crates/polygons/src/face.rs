//! The polygon engine as an [`Engine`].

use super::{Polygons, RunFault, State};
use jostle_core::engine::{Engine, Figure};
use jostle_core::observe::{Clock, EnergyBalance, Observer, ObserverError, View};

/// How contacts are searched for, in words.
const SEARCH: &str =
    "sweep: boxes sorted along both axes from step to step, closest features of pairs";

/// What a step does for a body. \[ns, roughly\]
const WORK_PER_BODY: f64 = 500.0;

impl Engine<2> for Polygons {
    const NAME: &'static str = "polygons";
    const SHOWS_EVERY_STEP: bool = false;

    type Error = RunFault;
    type State<'a> = State<'a>;

    fn advance(&mut self, observer: &mut dyn Observer<2>) -> Result<(), RunFault> {
        self.step()?;
        if observer.wants_step(self.clock()) { self.show(observer) } else { Ok(()) }
    }

    fn show(&mut self, observer: &mut dyn Observer<2>) -> Result<(), RunFault> {
        Self::show(self, observer)
    }

    fn view(&mut self) -> View<'_, 2> {
        Self::view(self)
    }

    fn clock(&self) -> Clock {
        self.clock()
    }

    fn state(&self) -> State<'_> {
        self.state()
    }

    fn energy(&self) -> Option<EnergyBalance> {
        Some(self.balance())
    }

    fn search_in_words(&self) -> String {
        SEARCH.to_owned()
    }

    fn figures(&self) -> Vec<Figure> {
        let tally = self.tally();
        let counts = [
            ("overlapping pairs, all steps", tally.contact_steps),
            ("closest features, calls", tally.features.calls),
            ("closest features, steps", tally.features.steps),
            ("closest features, full searches", tally.features.full_searches),
            ("closest features, changes", tally.features.changes),
            ("pairs not looked at", tally.skipped),
            ("exchanges along x", tally.exchanges[0]),
            ("exchanges along y", tally.exchanges[1]),
            ("boxes sorted anew", tally.resorted),
            ("pairs of boxes at the end", tally.candidates),
        ];
        counts.map(|(name, count)| (name, count as f64)).to_vec()
    }

    fn work(&self) -> f64 {
        self.clock().step as f64 * (self.motion.len() as f64 * WORK_PER_BODY)
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
