//! Ends a run before it takes all the memory that there is, so that it keeps its file and its
//! checkpoint. Reactions may make particles without bound.

use std::fs::read_to_string;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, park_timeout, spawn};
use std::time::Duration;

use super::Summary;
use super::memory::{limits, line};
use jostle_core::words::bytes_text;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(100);
/// Of all memory that there is. The rest is for the last checkpoint, and for tables that grow.
const SHARE: f64 = 0.8;

/// Watches how much memory this process takes, and stops a run that takes too much.
pub struct MemoryGuard {
    done: Arc<AtomicBool>,
    watch: Option<JoinHandle<Option<MemoryReached>>>,
}

/// A run took too much memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryReached {
    /// How much it took. \[bytes\]
    pub used: f64,
    /// How much it may take. \[bytes\]
    pub most: f64,
}

impl MemoryGuard {
    /// Sets `stop` once the process takes more than `most` \[bytes\], or four fifths of what the machine,
    /// its control group or a limit of the shell allows. Where the system does not tell, nothing is watched.
    pub fn start(most: Option<f64>, stop: &Arc<AtomicBool>) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let [memory, address_space] = limits();
        let memory = most.or_else(|| memory.map(|memory| SHARE * memory));
        let allowed = [memory, address_space.map(|space| SHARE * space)];
        let (stop, is_over) = (Arc::clone(stop), Arc::clone(&done));
        let watch = move || {
            while !is_over.load(Ordering::Relaxed) {
                if let Some(reached) = reached(allowed) {
                    stop.store(true, Ordering::Relaxed);
                    return Some(reached);
                }
                park_timeout(PAUSE);
            }
            None
        };
        Self { done, watch: Some(spawn(watch)) }
    }

    /// Ends the watch. Says whether it has stopped the run.
    pub fn finish(mut self) -> Option<MemoryReached> {
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

/// Which of the two limits is reached: of what is in memory, and of the addresses in use.
fn reached(allowed: [Option<f64>; 2]) -> Option<MemoryReached> {
    let status = read_to_string("/proc/self/status").ok()?;
    let labels = ["VmRSS:", "VmSize:"];
    labels.iter().zip(allowed).find_map(|(label, most)| {
        let (used, most) = (line(&status, label)?, most?);
        (used > most).then_some(MemoryReached { used, most })
    })
}

impl MemoryReached {
    /// What there is to say: how much it was, and of what there are so many particles.
    pub fn describe(&self, summary: &Summary) -> String {
        let mut text = format!(
            "the run was stopped because it takes {} of memory, and may take {}",
            bytes_text(self.used),
            bytes_text(self.most)
        );
        let growth = |(_, first, last): &&(String, usize, usize)| last.saturating_sub(*first);
        if let Some((name, first, last)) = summary.population.iter().max_by_key(growth)
            && last > first
        {
            text += &format!("; there were {first} particles of {name}, and there are {last}");
        }
        let most = summary.rule_counts.iter().max_by_key(|(_, counts)| counts.done);
        if let Some((rule, counts)) = most.filter(|(_, counts)| counts.done > 0) {
            text += &format!("; the rule \"{rule}\" has applied most often, {} times", counts.done);
        }
        text + " (--memory sets another limit)"
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
}
