//! How far a run is: a bar on a terminal, plain lines elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::model::Model;
use crate::observe::Clock;
use crate::run::time_text;

/// Shows how far a run is, with its rate and the time that remains.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    plain: bool,
    steps: u64,
    begun: Instant,
    told: Instant,
}

/// Between plain lines.
const PAUSE: Duration = Duration::from_secs(10);

impl Progress {
    /// For a run of `model`; a quiet one shows nothing.
    pub(super) fn new(model: &Model, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = (terminal && !quiet).then(|| {
            let bar = ProgressBar::new(model.steps);
            let template = "{bar:30} {percent:>3} %  {msg}  {per_sec}, {eta} left";
            let style =
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            bar.set_style(style.with_key(
                "per_sec",
                |state: &indicatif::ProgressState, w: &mut dyn std::fmt::Write| {
                    let _ = write!(w, "{:.0} steps/s", state.per_sec());
                },
            ));
            bar
        });
        let now = Instant::now();
        Self { bar, plain: !terminal && !quiet, steps: model.steps, begun: now, told: now }
    }

    /// A step is done.
    pub(super) fn step(&mut self, clock: Clock) {
        // Asking the time, and drawing, cost more than a step of a small model.
        if !clock.step.is_multiple_of(64) && clock.step != self.steps {
            return;
        }
        if let Some(bar) = &self.bar {
            bar.set_position(clock.step);
            bar.set_message(time_text(clock.time()));
        }
        if self.plain && self.told.elapsed() >= PAUSE {
            self.told = Instant::now();
            let rate = clock.step as f64 / self.begun.elapsed().as_secs_f64();
            let left = (self.steps - clock.step) as f64 / rate;
            let percent = 100 * clock.step / self.steps;
            let time = time_text(clock.time());
            eprintln!(
                "{percent} %, step {} of {}, {time}, {rate:.0} steps/s, {left:.0} s left",
                clock.step, self.steps
            );
        }
    }

    /// The run is over, one way or another.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
