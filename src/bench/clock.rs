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
