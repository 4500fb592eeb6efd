//! A task of a sweep: stateless, and nothing happens twice.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{SweepError, member, open};
use crate::{MemberResult, Outcome, Plan, read_members, read_task, write_members};
use jostle_files::is_endless;

/// Between looks whether another process is done with a task.
const PAUSE: Duration = Duration::from_millis(50);

/// How a task ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It is done, now or before.
    Done {
        /// How many of its runs failed.
        failed: usize,
    },
    /// It was stopped, and can be continued.
    Stopped,
}

/// Runs a task that has not been done, and stops soon after `stop` is set. Nothing happens twice,
/// however many processes are asked.
///
/// # Errors
/// If there is no such task, or it cannot be run here, which says nothing about the model.
pub fn task(folder: &Path, number: usize, stop: &AtomicBool) -> Result<End, SweepError> {
    let plan = open(folder)?;
    check_task(&plan, folder, number)?;
    run(&plan, folder, number, stop)
}

/// Refuses a task that the plan does not have.
///
/// # Errors
/// If it does not.
pub fn check_task(plan: &Plan, folder: &Path, number: usize) -> Result<(), SweepError> {
    let count = plan.task_count();
    if number < count {
        return Ok(());
    }
    let folder = folder.display();
    let text = format!("{folder}: there is no task {number}; there are 0 to {}", count - 1);
    Err(SweepError::Refused(text))
}

/// Runs the members of a task that have not been done, and writes down what all came to.
pub(super) fn run(
    plan: &Plan,
    folder: &Path,
    task: usize,
    stop: &AtomicBool,
) -> Result<End, SweepError> {
    let result = plan.result_path(folder, task);
    if let Some(members) = read_task(plan, folder, task)? {
        return Ok(End::Done { failed: failed(&members) });
    }
    let work = plan.work_folder(folder, task);
    work.parent().map_or(Ok(()), fs::create_dir_all)?;
    let lock = work.with_extension("lock");
    let Some(_held) = locked(&lock, stop)? else { return Ok(End::Stopped) };
    // Done by the process that had it, perhaps.
    if let Some(members) = read_task(plan, folder, task)? {
        remove(&lock)?;
        return Ok(End::Done { failed: failed(&members) });
    }
    fs::create_dir_all(&work)?;
    let mut members: Vec<MemberResult> = Vec::new();
    for number in plan.members_of(task) {
        // Each is written down by itself until all are done: what is done is never done again.
        let part = work.join(format!("{number:08}.json"));
        let member = plan.member(number);
        let (done, _claim) = match read_members(&part)?.and_then(|mut done| done.pop()) {
            Some(done) => (done, None),
            None => {
                let Some(measured) = member::run(plan, folder, member, &work, stop)? else {
                    return Ok(End::Stopped);
                };
                write_members(&part, std::slice::from_ref(&measured.0))?;
                measured
            }
        };
        member::keep(plan, folder, member, &work, &done.outcome)?;
        members.push(done);
    }
    let failed = failed(&members);
    if failed > 0 {
        let only: Vec<MemberResult> =
            members.iter().filter(|one| is_failed(one)).cloned().collect();
        write_members(&plan.failures_path(folder, task), &only)?;
    }
    let warned: Vec<MemberResult> = (members.iter())
        .filter(|one| !one.warnings.is_empty())
        .map(MemberResult::only_warnings)
        .collect();
    if !warned.is_empty() {
        write_members(&plan.warnings_path(folder, task), &warned)?;
    }
    write_members(&result, &members)?;
    fs::remove_dir_all(&work)?;
    // Processes that wait for it find the result.
    remove(&lock)?;
    Ok(End::Done { failed })
}

/// Removes a file that another process may remove as well.
fn remove(path: &Path) -> std::io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Holds a task for this process alone, as long as the file is kept; nothing if a stop is requested
/// before. A scheduler may start a task again that it takes for lost, while it still runs.
fn locked(path: &Path, stop: &AtomicBool) -> std::io::Result<Option<File>> {
    if is_endless(path) {
        let text = format!("{}: this is not a regular file", path.display());
        return Err(std::io::Error::other(text));
    }
    let file = File::options().create(true).append(true).open(path)?;
    while !stop.load(Ordering::Relaxed) {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            // Some network file systems have no locks: then schedulers are trusted.
            Err(TryLockError::Error(why)) => {
                static SAID: Once = Once::new();
                SAID.call_once(|| {
                    log::warn!(
                        "{}: there are no locks on this file system ({why}); whether another process does the same \
                         task at the same time cannot be detected",
                        path.display()
                    );
                });
                return Ok(Some(file));
            }
            Ok(()) => return Ok(Some(file)),
        }
    }
    Ok(None)
}

fn is_failed(member: &MemberResult) -> bool {
    matches!(member.outcome, Outcome::Failed(_))
}

fn failed(members: &[MemberResult]) -> usize {
    members.iter().filter(|member| is_failed(member)).count()
}
