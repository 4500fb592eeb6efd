//! Ways to run a model, all of which lead to the same results.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use jostle::model::Model;
use jostle::observe::Clock;
use jostle::run::checkpoint::{Cadence, Checkpoint, Checkpoints, checkpoints_of};
use jostle::run::{Options, RunError, run};

use crate::program::inherited_by_none;
use jostle_lab::validate::random::Draws;

/// A way to run a model.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) set: Vec<(String, String)>,
    /// How often the state is kept, and after which step the run is stopped and resumed.
    cadence: Cadence,
    stops: Vec<u64>,
    /// What is set from the first stop on.
    pub(crate) later: Vec<(String, String)>,
    self_check: bool,
}

fn set(key: &str, value: impl ToString) -> (String, String) {
    (key.to_owned(), value.to_string())
}

/// What can be chosen of a model without consequences for its results.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choices {
    /// Structures for steps, schedulers, threads. A Brownian model can log reactions alone.
    Steps {
        dimension: usize,
        is_brownian: bool,
    },
    /// Structures that follow particles from event to event.
    Events {
        dimension: usize,
    },
    Threads,
    Nothing,
}

impl Choices {
    /// All pairs, one queue, one thread.
    fn plain(self) -> Vec<(String, String)> {
        match self {
            Self::Steps { .. } => vec![
                set("search.kind", "naive"),
                set("run.scheduler", "queue"),
                set("run.threads", 1),
            ],
            Self::Events { .. } => vec![set("search.kind", "direct")],
            Self::Threads => vec![set("run.threads", 1)],
            Self::Nothing => vec![],
        }
    }

    /// Some of them.
    pub(crate) fn draw(self, dice: &mut Draws) -> Vec<(String, String)> {
        match self {
            Self::Steps { dimension, .. } => for_steps(dice, dimension),
            Self::Events { dimension } => {
                let kinds = ["auto", "direct", "cubic", "tree", "segments", "levels", "laguerre"];
                let known = if dimension == 1 { &kinds[..6] } else { &kinds };
                vec![set("search.kind", dice.pick(known))]
            }
            Self::Threads => vec![set("run.threads", dice.whole(1, 3))],
            Self::Nothing => vec![],
        }
    }

    fn logs(self) -> &'static [&'static str] {
        match self {
            Self::Steps { is_brownian: true, .. } => &["none", "reactions", "all", "all"],
            // The forces between polygons are in tables of their own, which are compared.
            Self::Threads => &["all"],
            _ => &["none", "all", "all"],
        }
    }
}

impl Way {
    /// The plainest, with everything logged.
    pub(crate) fn plain(choices: Choices) -> Self {
        let mut settings = choices.plain();
        settings.push(set("output.log", "all"));
        Self {
            set: settings,
            cadence: Cadence::Never,
            stops: vec![],
            later: vec![],
            self_check: false,
        }
    }

    pub(crate) fn draw(dice: &mut Draws, choices: Choices, steps: u64) -> Self {
        let stops = (0..dice.below(3)).map(|_| dice.whole(1, steps as usize - 1) as u64);
        let mut stops: Vec<u64> = stops.collect();
        stops.sort_unstable();
        let cadence = match dice.below(3) {
            0 => Cadence::Steps(dice.whole(1, 60) as u64),
            _ => Cadence::AtStops,
        };
        let [mut first, later] = [(); 2].map(|()| choices.draw(dice));
        first.push(set("output.log", dice.pick(choices.logs())));
        Self { set: first, cadence, stops, later, self_check: true }
    }

    /// Whether contacts are logged as the plain way logs them.
    pub(crate) fn logs_all(&self) -> bool {
        self.set.contains(&set("output.log", "all"))
    }

    /// Runs the first model to its first stop, and the second one from there, stop by stop.
    pub(crate) fn go(&self, [first, later]: [&Model; 2], out: &Path) -> Result<(), RunError> {
        let stops = self.stops.iter().copied().chain([u64::MAX]);
        for (n, stop_at) in stops.enumerate() {
            inherited_by_none();
            let latest = &checkpoints_of(out)[0];
            let from =
                (n > 0 && latest.exists()).then(|| Checkpoint::open(latest, out)).transpose()?;
            let stop = AtomicBool::new(false);
            let mut progress = |clock: Clock| stop.store(clock.step >= stop_at, Ordering::Relaxed);
            let options = Options {
                out: Some(out),
                force: n > 0,
                self_check: self.self_check,
                stop: &stop,
                progress: &mut progress,
                checkpoints: Checkpoints {
                    every: Some(self.cadence),
                    from,
                    ..Checkpoints::default()
                },
            };
            run(if n == 0 { first } else { later }, options)?;
        }
        Ok(())
    }
}

/// A search structure with its options, a scheduler and a number of threads.
fn for_steps(dice: &mut Draws, dimension: usize) -> Vec<(String, String)> {
    let kind =
        dice.pick(&["auto", "naive", "cubic", "slices", "levels", "sweep", "swept", "verlet"]);
    let mut all = vec![set("search.kind", kind)];
    if ["cubic", "levels"].contains(&kind) {
        all.push(set("search.relink", dice.pick(&["step", "move"])));
        all.push(set("search.listing", dice.pick(&["centre", "touch"])));
    }
    if ["cubic", "slices", "levels"].contains(&kind) {
        all.push(set("search.pruning", dice.pick(&["true", "false"])));
        all.push(set("search.resize", dice.pick(&["auto", "never", "5"])));
    }
    if kind == "slices" {
        all.push(set("search.axis", ["x", "y", "z"][dice.below(dimension)]));
    }
    all.push(set("run.scheduler", dice.pick(&["islands", "queue", "rescan"])));
    all.push(set("run.threads", dice.whole(1, 3)));
    all
}
