//! `jostle sweep run`.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::super::signals::heed_signals;
use super::super::{Failure, say};
use super::say_warnings;
use crate::sweep::{News, SweepError, SweepOptions, failures, first_table, open, run};
use crate::words::wall_text;

/// Between lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(10);

/// How far it is.
struct RunsDone {
    bar: Option<ProgressBar>,
    is_quiet: bool,
    all: usize,
    done: usize,
    begun: Instant,
    told: Instant,
}

impl RunsDone {
    fn new(all: usize, is_quiet: bool) -> Self {
        let bar = (!is_quiet && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template(
                "{bar:30} {pos}/{len} runs, {per_sec}, {eta} remaining",
            );
            ProgressBar::new(all as u64)
                .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        Self { bar, is_quiet, all, done: 0, begun: Instant::now(), told: Instant::now() }
    }

    /// So many more runs are done.
    fn advance(&mut self, runs: usize) {
        self.done += runs;
        if let Some(bar) = &self.bar {
            bar.set_position(self.done as u64);
        } else if !self.is_quiet && self.told.elapsed() >= PAUSE {
            self.told = Instant::now();
            let rate = self.done as f64 / self.begun.elapsed().as_secs_f64();
            let left = wall_text((self.all - self.done) as f64 / rate);
            say(&format!("{} of {} runs, {rate:.3}/s, {left} remaining", self.done, self.all));
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

pub(super) fn execute(folder: &Path, how: &SweepOptions, is_quiet: bool) -> Result<(), Failure> {
    let stop = heed_signals()?;
    let progress: Mutex<Option<RunsDone>> = Mutex::new(None);
    let tell = |news| {
        let Ok(mut progress) = progress.lock() else { return };
        match (news, &mut *progress) {
            (News::Begun(all), progress) => *progress = Some(RunsDone::new(all, is_quiet)),
            (News::Done(runs), Some(progress)) => progress.advance(runs),
            (News::Ended, Some(progress)) => progress.end(),
            (News::Said(text), _) if !is_quiet => say(&text),
            _ => {}
        }
    };
    match run(folder, how, &stop, &tell) {
        Err(SweepError::Stopped) => {
            say(&format!("stopped; jostle sweep run {} continues", folder.display()));
            return Err(Failure::Stopped);
        }
        done => done?,
    }
    let plan = open(folder)?;
    let runs = plan.member_count();
    let failed = failures(&plan, folder)?.len();
    if failed > 0 {
        let text = format!(
            "{failed} of {runs} runs failed; jostle sweep status {} tells why",
            folder.display()
        );
        return Err(text.into());
    }
    if !is_quiet && !how.is_shared() {
        say_warnings(&plan, folder)?;
        let out = folder.display();
        let next = match first_table(&plan.measures) {
            Ok(table) => format!("jostle sweep merge {out} {table}, jostle report {out}"),
            Err(_) => format!("jostle report {out}"),
        };
        writeln!(crate::cli::printed(), "{runs} runs are done\n\nNext: {next}")?;
    }
    Ok(())
}
