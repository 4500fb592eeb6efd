//! `jostle sweep task`.

use std::path::Path;
use std::str::FromStr;

use super::super::signals::heed_signals;
use super::super::{Failure, say};
use crate::sweep::{End, check_task, open, task};
use crate::words::counted;

/// Variables in which job schedulers give the number of a task.
const VARIABLES: [&str; 4] =
    ["SLURM_ARRAY_TASK_ID", "HQ_TASK_ID", "PBS_ARRAY_INDEX", "SGE_TASK_ID"];

/// Tasks by their numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tasks {
    first: usize,
    last: usize,
}

impl FromStr for Tasks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            let found = text.trim().parse::<usize>();
            found.map_err(|_| {
                format!("`{text}`: give the number of a task, 17, or a range, 100..120")
            })
        };
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let (first, last) = (number(first)?, number(last)?);
        match first <= last {
            true => Ok(Self { first, last }),
            false => Err(format!("{first}..{last}: the range is empty")),
        }
    }
}

pub(super) fn execute(folder: &Path, given: Option<Tasks>) -> Result<(), Failure> {
    let plan = open(folder)?;
    let Tasks { first, last } = match given {
        Some(tasks) => tasks,
        None => from_scheduler()?,
    };
    check_task(&plan, folder, last)?;
    let stop = heed_signals()?;
    let mut failures = 0;
    for number in first..=last {
        match task(folder, number, &stop)? {
            End::Done { failed } => failures += failed,
            End::Stopped => {
                say(&format!("task {number} stopped; the same command continues it"));
                return Err(Failure::Stopped);
            }
        }
    }
    match failures {
        0 => Ok(()),
        _ => {
            let (runs, folder) = (counted(failures as u64, "run"), folder.display());
            Err(format!("{runs} failed; jostle sweep status {folder} tells why").into())
        }
    }
}

/// The task that a job scheduler has started.
fn from_scheduler() -> Result<Tasks, Failure> {
    let mut set = VARIABLES.iter().filter_map(|name| Some((name, std::env::var(name).ok()?)));
    let refused = |text: String| Failure::Trouble(text.into());
    match set.next() {
        Some((name, value)) => value.parse().map_err(|why| refused(format!("{name}: {why}"))),
        None => {
            let text =
                format!("give the number of a task; none of {} is set", VARIABLES.join(", "));
            Err(refused(text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_a_number_or_a_range() {
        assert_eq!("17".parse(), Ok(Tasks { first: 17, last: 17 }));
        assert_eq!("100..120".parse(), Ok(Tasks { first: 100, last: 120 }));
        assert!("9..3".parse::<Tasks>().unwrap_err().contains("empty"));
        assert!("all".parse::<Tasks>().unwrap_err().contains("give the number"));
    }
}
