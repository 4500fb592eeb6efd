//! Work on all cores.

use std::any::Any;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Works on each number once, with as many threads as there are cores.
pub(crate) fn for_each(numbers: Range<u64>, work: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(numbers.start);
    let go_on = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                break;
            }
            work(number);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(go_on))));
}

/// What a panic said.
pub(crate) fn said_by(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<String>().cloned();
    said.or_else(|| panic.downcast_ref::<&str>().map(|said| (*said).to_owned())).unwrap_or_default()
}
