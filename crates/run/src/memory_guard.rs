//! Ends a run before it takes all the memory that there is, so that it keeps its file and its
//! checkpoint. Reactions may make particles without bound.

use std::fs::read_to_string;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, park_timeout, spawn};
use std::time::Duration;

use super::error::RunError;
use super::ledger::RuleCounts;
use super::memory::{limits, line};
use super::start::{Options, run};
use super::summary::{Ending, Summary};
use jostle_core::words::bytes_text;
use jostle_model::Model;

/// Between two looks.
pub(super) const PAUSE: Duration = Duration::from_millis(20);
/// Of all memory that there is. The rest is for the last checkpoint, and for tables that grow.
const SHARE: f64 = 0.8;
/// A run that takes so many times as much as after its first step goes on growing.
const GROWN: f64 = 1.5;

/// Runs a model as [`run`] does, but stops it, as the flag `stop` does, once the process takes more
/// than `most` \[bytes\], or four fifths of what the machine, its control group or a limit of the shell
/// allows. Says which limit it was that ended the run before its time. Where the system does not tell how
/// much memory is in use, nothing is watched.
///
/// # Errors
/// As [`run`].
pub fn run_within_memory(
    model: &Model,
    most: Option<f64>,
    stop: &Arc<AtomicBool>,
    options: Options<'_>,
) -> Result<(Summary, Option<MemoryReached>), RunError> {
    let guard = MemoryGuard::start(most, stop);
    let Options { out, force, self_check, progress, checkpoints, .. } = options;
    let progress = &mut |clock| {
        guard.note_step();
        progress(clock);
    };
    let summary = run(model, Options { out, force, self_check, stop, progress, checkpoints })?;
    let reached = guard.finish().filter(|_| summary.ending != Ending::Finished);
    Ok((summary, reached))
}

/// How much memory this process may take. It is asked now and then how much it takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryLimits {
    /// \[bytes\]
    memory: Option<f64>,
    addresses: Option<f64>,
    /// What it took after the first step. \[bytes\]
    first: Option<f64>,
}

impl MemoryLimits {
    /// This much \[bytes\], or four fifths of what the system allows.
    ///
    /// A limit of the shell (`ulimit -v`) counts addresses, and a process that asks for one too many is aborted.
    /// The tables of a run that grows are all of about one length, and double within one step: such a run is
    /// stopped while there are still enough addresses for that.
    pub(super) fn new(most: Option<f64>) -> Self {
        let [memory, addresses] = limits();
        Self {
            memory: most.or_else(|| memory.map(|memory| SHARE * memory)),
            addresses,
            first: None,
        }
    }

    /// Which limit is reached, if one is; what is taken once the first step is done may grow.
    pub(super) fn reached(&mut self, has_begun: bool) -> Option<MemoryReached> {
        let taken = Taken::now()?;
        if has_begun {
            self.first.get_or_insert(taken.memory);
        }
        taken.over(self.memory, self.addresses, self.first)
    }
}

/// Watches how much memory this process takes, and stops a run that takes too much.
struct MemoryGuard {
    done: Arc<AtomicBool>,
    has_begun: Arc<AtomicBool>,
    watch: Option<JoinHandle<Option<MemoryReached>>>,
}

/// A run took too much memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryReached {
    /// How much it took. \[bytes\]
    pub used: f64,
    /// How much it may take. \[bytes\]
    pub most: f64,
    /// Whether it is addresses that the limit counts, as `ulimit -v` does.
    pub of_addresses: bool,
}

impl MemoryGuard {
    /// Sets `stop` once the process takes more than `most` \[bytes\], or than the system allows.
    fn start(most: Option<f64>, stop: &Arc<AtomicBool>) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let has_begun = Arc::new(AtomicBool::new(false));
        let (stop, is_over, begun) = (Arc::clone(stop), Arc::clone(&done), Arc::clone(&has_begun));
        let mut limits = MemoryLimits::new(most);
        let watch = move || {
            while !is_over.load(Ordering::Relaxed) {
                if let Some(reached) = limits.reached(begun.load(Ordering::Relaxed)) {
                    stop.store(true, Ordering::Relaxed);
                    return Some(reached);
                }
                park_timeout(PAUSE);
            }
            None
        };
        Self { done, has_begun, watch: Some(spawn(watch)) }
    }

    /// The run has done a step: what it takes from now on, it takes since it grows.
    fn note_step(&self) {
        self.has_begun.store(true, Ordering::Relaxed);
    }

    /// Ends the watch. Says whether it has stopped the run.
    fn finish(mut self) -> Option<MemoryReached> {
        self.end()
    }

    fn end(&mut self) -> Option<MemoryReached> {
        self.done.store(true, Ordering::Relaxed);
        let watch = self.watch.take()?;
        watch.thread().unpark();
        watch.join().ok().flatten()
    }
}

impl Drop for MemoryGuard {
    fn drop(&mut self) {
        self.end();
    }
}

/// What this process takes. \[bytes\]
#[derive(Clone, Copy, Debug)]
struct Taken {
    memory: f64,
    addresses: f64,
}

impl Taken {
    fn now() -> Option<Self> {
        let status = read_to_string("/proc/self/status").ok()?;
        Some(Self { memory: line(&status, "VmRSS:")?, addresses: line(&status, "VmSize:")? })
    }

    /// Which limit is reached: on memory, or on addresses. `first` is the memory after the first step.
    fn over(
        self,
        memory: Option<f64>,
        address_space: Option<f64>,
        first: Option<f64>,
    ) -> Option<MemoryReached> {
        let is_growing = first.is_some_and(|first| self.memory > GROWN * first);
        let doubling = if is_growing { self.memory } else { 0.0 };
        let addresses = address_space.map(|space| space - doubling.max((1.0 - SHARE) * space));
        let reached = |used: f64, most: Option<f64>, of_addresses| {
            let most = most.filter(|&most| used > most)?;
            Some(MemoryReached { used, most, of_addresses })
        };
        reached(self.memory, memory, false).or_else(|| reached(self.addresses, addresses, true))
    }
}

impl MemoryReached {
    /// What there is to say of a run: how much it was, and of what there are so many particles.
    pub fn describe(&self, summary: &Summary) -> String {
        let growth = |(_, first, last): &&(String, usize, usize)| last.saturating_sub(*first);
        let grown = summary.population.iter().max_by_key(growth);
        let grown = grown.filter(|(_, first, last)| last > first).map(|(name, first, last)| {
            format!("; there were {first} particles of {name}, and there are {last}")
        });
        self.text(
            &grown.unwrap_or_default(),
            summary.rule_counts.iter().map(|(name, n)| (&**name, n)),
        )
    }

    /// How much it was, then `grown`, and which rule is at work.
    pub(super) fn text<'a>(
        &self,
        grown: &str,
        rules: impl Iterator<Item = (&'a str, &'a RuleCounts)>,
    ) -> String {
        let most =
            rules.max_by_key(|(_, counts)| counts.done).filter(|(_, counts)| counts.done > 0);
        let most = most.map(|(rule, counts)| {
            format!("; the rule \"{rule}\" has applied most often, {} times", counts.done)
        });
        format!(
            "the run was stopped because it takes {} of {}, and may take {}{grown}{}{}",
            bytes_text(self.used),
            if self.of_addresses { "address space" } else { "memory" },
            bytes_text(self.most),
            most.unwrap_or_default(),
            match self.of_addresses {
                true => "; the rest is kept free for tables that double (ulimit -v sets the limit)",
                false =>
                    " (memory under [run], or --memory on the command line, sets another limit)",
            }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_run_is_stopped_at_its_limit_and_not_before() {
        let stop = Arc::new(AtomicBool::new(false));
        assert_eq!(MemoryGuard::start(Some(1e15), &stop).finish(), None);
        assert!(!stop.load(Ordering::Relaxed));
        let guard = MemoryGuard::start(Some(1e4), &stop);
        let begun = Instant::now();
        while !stop.load(Ordering::Relaxed) && begun.elapsed() < Duration::from_secs(60) {
            std::thread::yield_now();
        }
        let reached = guard.finish().unwrap();
        assert!(reached.used > reached.most && reached.most == 1e4, "{reached:?}");
    }

    #[test]
    fn addresses_are_left_for_tables_that_double() {
        let over = |memory, addresses, first| {
            Taken { memory, addresses }
                .over(Some(9e9), Some(1e9), first)
                .map(|reached| reached.most)
        };
        // A run that does not grow may take four fifths, whatever it began with.
        assert_eq!(over(7e8, 7.9e8, None), None);
        assert_eq!(over(7e8, 7.9e8, Some(5e8)), None);
        assert_eq!(over(7e8, 8.1e8, Some(5e8)), Some(8e8));
        // One that grows, as much as it can double from.
        assert_eq!(over(4e8, 5.9e8, Some(2e8)), None);
        assert_eq!(over(4e8, 6.1e8, Some(2e8)), Some(6e8));
        assert_eq!(over(1e8, 8.1e8, Some(2e7)), Some(8e8));
    }
}
