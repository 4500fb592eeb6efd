//! How long work takes where other work disturbs.

use std::time::Instant;

/// What this thread has had of a processor, where the system tells, or else the time on the wall.
pub(super) struct ProcessorTime {
    wall: Instant,
    nanoseconds: Option<u64>,
}

impl ProcessorTime {
    pub(super) fn now() -> Self {
        Self { wall: Instant::now(), nanoseconds: of_this_thread() }
    }

    /// Since then. \[s\]
    pub(super) fn elapsed(&self) -> f64 {
        match (self.nanoseconds, of_this_thread()) {
            (Some(then), Some(now)) => (now - then) as f64 * 1e-9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

fn of_this_thread() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// What the threads of this process, those that are still there, have had of processors, where the
/// system tells. \[s\]
pub(super) fn processor_seconds() -> Option<f64> {
    let mut nanoseconds = 0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        // A thread may end while one looks.
        let Ok(text) = std::fs::read_to_string(task.ok()?.path().join("schedstat")) else {
            continue;
        };
        nanoseconds += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(nanoseconds as f64 * 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time() {
        let begun = ProcessorTime::now();
        let mut x = 1.0;
        while begun.elapsed() < 0.02 {
            x = std::hint::black_box(x) * 0.999;
        }
        // Other threads of this process come and go; this one is still there.
        let (Some(own), Some(all)) = (of_this_thread(), processor_seconds()) else { return };
        assert!(own >= 20_000_000 && all >= own as f64 * 1e-9, "{own} {all}");
    }
}
