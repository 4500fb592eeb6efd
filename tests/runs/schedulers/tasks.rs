//! Finds the tasks that run at the moment, and ends them.

use std::fs;
use std::path::Path;

use super::{system, wait_for};

/// The variables in which schedulers number tasks.
const NUMBERS: [&str; 2] = ["SLURM_ARRAY_TASK_ID=", "HQ_TASK_ID="];

/// A process `jostle sweep task`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub(super) task: usize,
    pub(super) pid: u32,
}

impl Running {
    /// Those started in a folder.
    pub(super) fn all(dir: &Path) -> Vec<Self> {
        let dir = dir.canonicalize().unwrap();
        let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
            let pid = entry.ok()?.file_name().to_str()?.parse().ok()?;
            Some(Self { task: task(pid, &dir)?, pid })
        });
        processes.collect()
    }

    /// That of a task, once some of its work has been begun.
    pub(super) fn at_work(dir: &Path, task: usize) -> Self {
        let work = dir.join(format!("sweep/work/{task:06}"));
        wait_for(&format!("task {task} at work"), 60, || {
            let has_files = fs::read_dir(&work).is_ok_and(|files| files.count() > 0);
            has_files.then(|| Self::all(dir).into_iter().find(|one| one.task == task))?
        })
    }

    /// Sends it a signal; whether it was still there.
    pub(super) fn signal(self, name: &str) -> bool {
        signal(self.pid, name)
    }

    /// The process that has started it, while it is there.
    pub(super) fn parent(self) -> Option<u32> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid)).ok()?;
        status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
    }
}

/// Sends a signal to a process; whether it was still there.
pub(super) fn signal(pid: u32, name: &str) -> bool {
    system(&format!("kill -{name} {pid}")).code == Some(0)
}

/// The task of a process, if it is one that was started in this folder.
fn task(pid: u32, dir: &Path) -> Option<usize> {
    let of = |file: &str| format!("/proc/{pid}/{file}");
    (fs::read_link(of("cwd")).ok()? == dir).then_some(())?;
    let arguments = fs::read_to_string(of("cmdline")).ok()?;
    let arguments: Vec<&str> = arguments.trim_end_matches('\0').split('\0').collect();
    match arguments[..] {
        [program, "sweep", "task", _, ref number @ ..] if program.ends_with("jostle") => {
            if let [number] = number {
                return number.parse().ok();
            }
            let environment = fs::read_to_string(of("environ")).ok()?;
            let mut all = environment.split('\0');
            all.find_map(|one| NUMBERS.iter().find_map(|name| one.strip_prefix(name)))?.parse().ok()
        }
        _ => None,
    }
}
