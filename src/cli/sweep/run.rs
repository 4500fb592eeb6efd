//! `jostle sweep run`: all tasks, on this machine.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::super::signals::heed_signals;
use super::super::{Failure, say};
use super::more::{Added, add_needed};
use super::share::Share;
use super::task::{self, End};
use super::{failures, measure, open, say_warnings};
use crate::words::{counted, wall_text};
use jostle_sweep::{Plan, missing};

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

/// How a sweep is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// How many runs at a time [default: as many as there are cores].
    pub jobs: Option<usize>,
    /// Whether replicas are added where `[precision]` asks for them, until no point needs more.
    pub more: bool,
    pub(super) share: Option<Share>,
}

impl How {
    /// This many runs at a time, and whether to add replicas where they are needed.
    pub fn new(jobs: Option<usize>, more: bool) -> Self {
        Self { jobs, more, share: None }
    }
}

/// What is heard of a sweep that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// This many runs are to be done.
    Begun(usize),
    /// This many more of them are done.
    Done(usize),
    /// These are all there are for now.
    Ended,
    /// A message for the user.
    Said(String),
}

/// Runs the tasks that have not been done, several at a time, and stops soon after `stop` is set.
/// Runs that fail are recorded, which is no error.
///
/// # Errors
/// [`Failure::Stopped`] if it was stopped; otherwise why a task cannot be run here.
pub fn run(
    folder: &Path,
    how: &How,
    stop: &AtomicBool,
    tell: &(dyn Fn(News) + Sync),
) -> Result<(), Failure> {
    let mut plan = open(folder)?;
    if how.more && plan.precision.is_none() {
        return Err(
            "--more: the sweep has no [precision] that says what is to be known how well".into()
        );
    }
    loop {
        run_what_is_left(&plan, folder, how, stop, tell)?;
        if !how.more {
            return Ok(());
        }
        let Added { points, notes, .. } = add_needed(plan, folder)?;
        notes.into_iter().for_each(|note| tell(News::Said(note)));
        if points.is_empty() {
            return Ok(());
        }
        let points = counted(points.len() as u64, "point");
        tell(News::Said(format!("{points} get more replicas")));
        plan = open(folder)?;
    }
}

pub(super) fn carry_out(folder: &Path, how: &How, is_quiet: bool) -> Result<(), Failure> {
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
        Err(Failure::Stopped) => {
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
    if !is_quiet && how.share.is_none() {
        say_warnings(&plan, folder)?;
        let out = folder.display();
        let next = match measure::first_table(&plan.measures) {
            Ok(table) => format!("jostle sweep merge {out} {table}, jostle report {out}"),
            Err(_) => format!("jostle report {out}"),
        };
        writeln!(crate::cli::printed(), "{runs} runs are done\n\nNext: {next}")?;
    }
    Ok(())
}

/// Runs the tasks of this process that have not been done.
fn run_what_is_left(
    plan: &Plan,
    folder: &Path,
    how: &How,
    stop: &AtomicBool,
    tell: &(dyn Fn(News) + Sync),
) -> Result<(), Failure> {
    let share = how.share.unwrap_or(Share::ALL);
    let left = || -> Vec<usize> {
        missing(plan, folder).into_iter().filter(|&task| share.has(task)).collect()
    };
    let open = left();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // Processes that share a sweep are usually started one for each core.
    let usual = if share.of > 1 { 1 } else { (cores / plan.threads.max(1)).max(1) };
    let jobs = how.jobs.unwrap_or(usual).min(open.len().max(1));
    tell(News::Begun(open.iter().map(|&task| plan.members_of(task).len()).sum()));
    let done = run_all(plan, folder, (&open, jobs), stop, tell);
    tell(News::Ended);
    done?;
    if left().is_empty() { Ok(()) } else { Err(Failure::Stopped) }
}

/// Runs tasks, some at a time, until all are done, one cannot be, or a stop is requested.
fn run_all(
    plan: &Plan,
    folder: &Path,
    (open, jobs): (&[usize], usize),
    stop: &AtomicBool,
    tell: &(dyn Fn(News) + Sync),
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<Failure>> = Mutex::new(None);
    let work = || {
        while !stop.load(Ordering::Relaxed)
            && let Some(&task) = open.get(next.fetch_add(1, Ordering::Relaxed))
        {
            match task::run(plan, folder, task, stop) {
                Ok(End::Done { .. }) => tell(News::Done(plan.members_of(task).len())),
                Ok(End::Stopped) => return,
                Err(why) => {
                    stop.store(true, Ordering::Relaxed);
                    if let Ok(mut failure) = failure.lock() {
                        failure.get_or_insert(why);
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| (0..jobs).for_each(|_| drop(scope.spawn(work))));
    failure.into_inner().ok().flatten().map_or(Ok(()), Err)
}
