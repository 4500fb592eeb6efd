//! Forks of the process: they wait until no thread is at work in HDF5.
//!
//! A forked child has only the thread that forked. If another one was at work in HDF5 at that
//! moment, the child would wait for it for ever, or find half a change in HDF5's tables. So whatever
//! reads or writes files says so here, and a run lets forks by after each of its steps. (Holding the
//! lock of HDF5 over the fork does not help: others then queue for it, and the child hands the lock
//! to them.)

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jostle::record::{WritersAtRest, writers_at_rest};
use pyo3::prelude::*;

/// How many threads are at work.
static AT_WORK: Mutex<usize> = Mutex::new(0);
/// Told when one of them has left.
static LEFT: Condvar = Condvar::new();
/// Whether somebody waits to fork.
static IS_FORKING: AtomicBool = AtomicBool::new(false);

/// A step may take long; a fork waits no longer than this, and then takes its chance.
const PATIENCE: Duration = Duration::from_secs(10);

thread_local! {
    /// Held from before a fork until after it.
    static HELD: RefCell<Option<Held>> = const { RefCell::new(None) };
}

/// What keeps all threads from their work.
struct Held {
    at_work: MutexGuard<'static, usize>,
    /// Of runs that were let by, some may still have frames written.
    _writers: WritersAtRest,
}

/// While it lives, a thread is at work in files.
pub(crate) struct AtWork(());

impl AtWork {
    /// Begins work, after a fork that is in progress.
    pub(crate) fn begin() -> Self {
        *count() += 1;
        Self(())
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        let mut at_work = count();
        *at_work = at_work.saturating_sub(1);
        LEFT.notify_all();
    }
}

fn count() -> MutexGuard<'static, usize> {
    AT_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets a fork by that waits. To be called at work, by one thread for all that are part of the work.
pub(crate) fn let_by() {
    if IS_FORKING.load(Ordering::Relaxed) {
        drop(AtWork(()));
        std::mem::forget(AtWork::begin());
    }
}

/// Does work in files without the GIL.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| {
        let _at_work = AtWork::begin();
        work()
    })
}

/// Waits until no thread is at work, and keeps others from it.
#[pyfunction]
pub(crate) fn before_fork(py: Python<'_>) {
    py.detach(|| {
        IS_FORKING.store(true, Ordering::Relaxed);
        let until = Instant::now() + PATIENCE;
        let mut at_work = count();
        while *at_work > 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            at_work = LEFT.wait_timeout(at_work, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        let held = Held { at_work, _writers: writers_at_rest() };
        HELD.with_borrow_mut(|place| *place = Some(held));
    });
}

/// Lets threads work again, in the parent.
#[pyfunction]
pub(crate) fn after_fork() {
    IS_FORKING.store(false, Ordering::Relaxed);
    HELD.with_borrow_mut(|held| *held = None);
}

/// Lets threads work, in the child: there are no others yet.
#[pyfunction]
pub(crate) fn after_fork_in_child() {
    HELD.with_borrow_mut(|held| {
        if let Some(held) = held {
            *held.at_work = 0;
        }
    });
    after_fork();
}
