//! The laws, each computed anew from what a run wrote.

mod paths;
mod places;
mod population;

use std::fmt;

use super::file::Record;
use super::sketch::Sketch;
use paths::Paths;
use population::Population;

/// What a run may break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Law {
    /// A valid model runs to its end.
    Ends,
    /// What `--self-check` sees.
    SelfCheck,
    /// The same datasets, whatever is chosen.
    SameBits,
    /// No identity twice at a time, and none that comes back from the dead.
    Identity,
    /// What binds, unbinds or changes its state holds as many particles before as after.
    Parts,
    /// No particles overlap with which it interacts.
    Overlap,
    /// No particle is beyond a wall, and which particles live on a surface is on it.
    Place,
    /// Unwrapped paths are continuous.
    Path,
    /// The log of changes gives every membership.
    Replay,
}

/// A law that was broken, and how.
#[derive(Clone, Debug)]
pub(crate) struct Breach {
    pub(crate) law: Law,
    pub(crate) what: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.law, self.what)
    }
}

/// Lengths below this are rounding. \[nm\]
const ROUNDING: f64 = 1e-9;

/// What has been seen of the laws.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    pub(crate) breaches: Vec<Breach>,
    /// Paths from one frame to the next that were looked at, and those for which a jump by an edge
    /// could be distinguished from a step.
    pub(crate) paths: [usize; 2],
    /// How many changes there were.
    pub(crate) changes: usize,
}

impl Findings {
    /// Takes down the first breach of each law.
    fn breach(&mut self, law: Law, what: impl FnOnce() -> String) {
        if self.breaches.iter().all(|breach| breach.law != law) {
            self.breaches.push(Breach { law, what: what() });
        }
    }
}

/// Holds what a run wrote to the laws.
pub(crate) fn hold(sketch: &Sketch, record: &Record) -> Findings {
    let mut findings = Findings { changes: record.changes.len(), ..Findings::default() };
    let kinds = sketch.kinds();
    let names: Vec<&String> = kinds.iter().map(|kind| &kind.name).collect();
    assert!(record.species.iter().eq(names.iter().copied()), "{names:?} are {:?}", record.species);
    let places = places::Places::of(sketch, &kinds);
    let mut population = Population::of(&record.frames[0]);
    let mut paths = Paths::of(sketch, &record.frames[0]);
    let mut changes = record.changes.iter().peekable();
    for (n, frame) in record.frames.iter().enumerate() {
        while let Some(change) = changes.next_if(|change| change.step < frame.step) {
            let within = population.apply(change, sketch, &kinds, &mut findings);
            paths.note(change, within);
        }
        population.compare(frame, &mut findings);
        if n > 0 {
            paths.follow(frame, &record.frames[n - 1], &population, &mut findings);
        }
        places.hold(
            frame,
            n.checked_sub(1).map(|n| &record.frames[n]),
            paths.touched(),
            &mut findings,
        );
        paths.rest();
    }
    if let Some(change) = changes.next() {
        findings.breach(Law::Replay, || format!("a change after the last frame: {change:?}"));
    }
    findings
}
