//! How far a run is: a bar on a terminal, plain lines elsewhere.

use std::fmt::Write;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::say;
use crate::model::Model;
use crate::observe::Clock;
use crate::words::{digits, time_text, wall_text};

/// Shows how far a run is, with its rate and the time that remains.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    plain: bool,
    steps: u64,
    /// The step that was heard of first, and when.
    begun: Option<(u64, Instant)>,
    reported: Instant,
}

/// Between plain lines.
const PAUSE: Duration = Duration::from_secs(10);
/// Between looks of the bar.
const REDRAW: Duration = Duration::from_millis(100);

impl Progress {
    /// For a run of `model`; a quiet one shows nothing. A bar would be torn by the lines of a
    /// verbose one.
    pub(super) fn new(model: &Model, quiet: bool, verbose: bool) -> Self {
        let terminal = std::io::stderr().is_terminal() && !verbose;
        let now = Instant::now();
        Self {
            bar: (terminal && !quiet).then(|| bar(model.run.steps)),
            plain: !terminal && !quiet,
            steps: model.run.steps,
            begun: None,
            reported: now,
        }
    }

    /// A step is done.
    pub(super) fn step(&mut self, clock: Clock) {
        let &mut (first, begun) = self.begun.get_or_insert_with(|| (clock.step, Instant::now()));
        let pause = if self.bar.is_some() { REDRAW } else { PAUSE };
        // Drawing costs more than a step of a small model.
        if self.reported.elapsed() < pause {
            return;
        }
        self.reported = Instant::now();
        if let Some(bar) = &self.bar {
            bar.set_message(time_text(clock.time()));
            bar.set_position(clock.step);
        }
        if self.plain {
            let rate = (clock.step - first) as f64 / begun.elapsed().as_secs_f64();
            let left = wall_text((self.steps - clock.step) as f64 / rate);
            let percent = 100 * clock.step / self.steps;
            let time = time_text(clock.time());
            let rate = digits(rate, 3);
            let Clock { step, .. } = clock;
            say(&format!(
                "{percent:>3} %  {time}, step {step} of {}, {rate} steps/s, {left} left",
                self.steps
            ));
        }
    }

    /// The run is over, one way or another.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(steps: u64) -> ProgressBar {
    let template = "{bar:30} {percent:>3} %  {msg}, {speed}, {rest} left";
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let speed = |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{} steps/s", digits(state.per_sec(), 3));
    };
    let rest = |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{}", wall_text(state.eta().as_secs_f64()));
    };
    ProgressBar::new(steps).with_style(style.with_key("speed", speed).with_key("rest", rest))
}
