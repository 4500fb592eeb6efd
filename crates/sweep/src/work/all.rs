//! All tasks of a sweep, on this machine.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::added::{Added, add_needed};
use super::share::Share;
use super::task::{self, End};
use super::{SweepError, open};
use crate::{Plan, missing};
use jostle_core::words::counted;

/// How a sweep is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct SweepOptions {
    /// How many runs at a time [default: as many as there are cores].
    pub jobs: Option<usize>,
    /// Whether replicas are added where `[precision]` asks for them, until no point needs more.
    pub more: bool,
    /// Which tasks are this process's [default: all].
    pub share: Option<Share>,
}

impl SweepOptions {
    /// This many runs at a time, and whether to add replicas where they are needed.
    pub fn new(jobs: Option<usize>, more: bool) -> Self {
        Self { jobs, more, share: None }
    }

    /// Whether other processes run tasks of the sweep, too.
    pub fn is_shared(&self) -> bool {
        self.share.is_some()
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
/// [`SweepError::Stopped`] if it was stopped; otherwise why a task cannot be run here.
pub fn run(
    folder: &Path,
    how: &SweepOptions,
    stop: &AtomicBool,
    tell: &(dyn Fn(News) + Sync),
) -> Result<(), SweepError> {
    let mut plan = open(folder)?;
    if how.more && plan.precision.is_none() {
        let text = "more: the sweep has no [precision] that says what is to be known how well";
        return Err(SweepError::Other(text.into()));
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

/// Runs the tasks of this process that have not been done.
fn run_what_is_left(
    plan: &Plan,
    folder: &Path,
    how: &SweepOptions,
    stop: &AtomicBool,
    tell: &(dyn Fn(News) + Sync),
) -> Result<(), SweepError> {
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
    if left().is_empty() { Ok(()) } else { Err(SweepError::Stopped) }
}

/// Runs tasks, some at a time, until all are done, one cannot be, or a stop is requested.
fn run_all(
    plan: &Plan,
    folder: &Path,
    (open, jobs): (&[usize], usize),
    stop: &AtomicBool,
    tell: &(dyn Fn(News) + Sync),
) -> Result<(), SweepError> {
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<SweepError>> = Mutex::new(None);
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
