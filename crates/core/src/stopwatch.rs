//! How long work takes, and whether that has changed.

use std::time::{Duration, Instant};

/// The cheapest of so many counts, since other programs may have disturbed the rest.
const TIMES: u32 = 8;
/// So many times as much, or as little, is a change.
const CHANGE: f64 = 1.5;

/// Measures how long the parts of a step take, one after the other.
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// The first part begins.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// A part ends, and the next begins.
    pub fn split(&mut self, part: &mut Duration) {
        let now = Instant::now();
        *part += now - self.0;
        self.0 = now;
    }
}

/// What this thread takes of a processor, where the system tells, or else time on the wall: other
/// programs disturb it less.
#[derive(Clone, Copy, Debug)]
pub struct ProcessorTime {
    wall: Instant,
    of_thread: Option<Duration>,
}

impl ProcessorTime {
    /// The work begins.
    pub fn now() -> Self {
        Self { wall: Instant::now(), of_thread: of_this_thread() }
    }

    /// What it took of this thread since then. \[s\]
    pub fn elapsed(&self) -> f64 {
        match (self.of_thread, of_this_thread()) {
            (Some(then), Some(now)) => now.saturating_sub(then).as_secs_f64(),
            _ => self.wall(),
        }
    }

    /// How long ago that was. \[s\]
    pub fn wall(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }
}

#[cfg(unix)]
fn of_this_thread() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.try_into().ok()
}

#[cfg(not(unix))]
fn of_this_thread() -> Option<Duration> {
    None
}

/// Compares what steps cost now with what they cost at first, [`STEPS`](Self::STEPS) at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct CostWatch {
    times: u32,
    least: f64,
    /// What so many steps cost at first. \[s\]
    first: Option<f64>,
}

impl CostWatch {
    /// Steps that are measured together: some take longer than others, such as those that make
    /// neighbour lists, and to ask for the time takes as long as a particle's step.
    pub const STEPS: u64 = 32;

    /// Takes down what so many steps have cost \[s\]: whether the last 256 steps cost half as much
    /// again as the first 256, or two thirds of it.
    pub fn has_changed(&mut self, seconds: f64) -> bool {
        self.least = if self.times == 0 { seconds } else { self.least.min(seconds) };
        self.times += 1;
        if self.times < TIMES {
            return false;
        }
        self.times = 0;
        let first = *self.first.get_or_insert(self.least);
        self.least > CHANGE * first || self.least * CHANGE < first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_processor_time_and_rest_does_not() {
        let begun = ProcessorTime::now();
        let mut x = 1.0;
        while begun.elapsed() < 0.02 {
            x = std::hint::black_box(x) * 0.999;
        }
        assert!(begun.wall() >= 0.02);
        let begun = ProcessorTime::now();
        std::thread::sleep(Duration::from_millis(20));
        assert!(begun.wall() >= 0.02);
        assert!(cfg!(not(unix)) || begun.elapsed() < 0.015, "{}", begun.elapsed());
    }

    #[test]
    fn it_notices_a_change_by_half_and_no_disturbance() {
        let mut watch = CostWatch::default();
        let mut times = |count: u32, cost: f64| (0..count).any(|_| watch.has_changed(cost));
        assert!(!times(32, 1.0) && !times(32, 1.4), "it is not half as much again");
        assert!(!times(7, 9.0) && !times(33, 0.8), "it does not last");
        assert!(times(16, 1.6));
        assert!(!times(16, 1.0) && times(16, 0.6));
    }
}
