//! Drives an engine, whichever it is, to the end of its run.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::Serialize;

use super::checkpoint::Keeper;
use super::ledger::Deeds;
use super::self_check::Watch;
use super::tape::Tape;
use super::{Ending, Options};
use jostle_core::observe::{Clock, Observer, ObserverError, View};

/// What a run has taken of something: a name and a number.
pub(super) type Figure = (&'static str, f64);

/// An engine as a run sees it.
pub(super) trait Driven<const D: usize> {
    /// Why it cannot go on.
    type Fault;
    /// All that the rest of the run follows from.
    type State<'a>: Serialize
    where
        Self: 'a;

    /// Where it stands.
    fn clock(&self) -> Clock;

    /// What observers see.
    fn view(&mut self) -> View<'_, D>;

    /// Shows the state before the first step.
    fn show(&mut self, watch: &mut impl Observer<D>) -> Result<(), Self::Fault>;

    /// Goes on by a step, or by a part of one that is long.
    fn go_on<C: Chain<D>>(&mut self, watch: &mut Watch<'_, D, C>) -> Result<(), Self::Fault>;

    /// The state, from which another engine can go on.
    fn state(&self) -> Self::State<'_>;

    /// What has been taken, by name, where the engine has worked for so long. Results never depend on any of it.
    fn figures(&self, worked: Duration) -> Vec<Figure>;

    /// Whether it only was stopped within a step.
    fn is_stopped(_: &Self::Fault) -> bool {
        false
    }

    /// An observer could not do its work.
    fn failed(&self, source: ObserverError) -> Self::Fault;
}

/// Those who hear of a run, each passing on what it hears, down to the one who writes.
pub(super) trait Chain<const D: usize>: Observer<D> {
    /// Who writes.
    fn tape(&mut self) -> &mut Tape<D>;

    /// What each rule has done, where somebody counts it.
    fn deeds(&self) -> &[Deeds] {
        &[]
    }
}

/// Goes on until `steps` are done or somebody stops the run; keeps the state when it is time, and where
/// the run is stopped.
pub(super) fn drive<const D: usize, E: Driven<D>, C: Chain<D>>(
    engine: &mut E,
    steps: u64,
    watch: &mut Watch<'_, D, C>,
    keeper: &mut Keeper<'_>,
    options: &mut Options<'_>,
) -> Result<Ending, E::Fault> {
    if watch.tape().is_continued() {
        watch.begin(&engine.view());
    } else {
        engine.show(watch)?;
    }
    let mut ending = Ending::Finished;
    while engine.clock().step < steps {
        if options.stop.load(Ordering::Relaxed) {
            ending = Ending::Interrupted;
            break;
        }
        match engine.go_on(watch) {
            // What is left within a step is no state to look at, or to go on from.
            Err(fault) if E::is_stopped(&fault) => return Ok(Ending::BrokenOff),
            done => done?,
        }
        if keeper.is_due(engine.clock()) {
            keeper.keep(engine, watch).map_err(|source| engine.failed(source))?;
        }
        (options.progress)(engine.clock());
    }
    if ending == Ending::Interrupted && keeper.keeps_at_stops() {
        keeper.keep(engine, watch).map_err(|source| engine.failed(source))?;
    }
    watch.finish(&engine.view()).map_err(|fault| engine.failed(fault.into()))?;
    Ok(ending)
}
