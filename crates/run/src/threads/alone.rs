//! Work that one thread does by itself.

use rayon::ThreadPoolBuilder;

use super::super::error::RunError;
use super::in_pool;

/// Does `work` on the present thread, and all parallel parts of it too: no other thread has to wake
/// up, and the pool that all of a process share is left alone, whose threads a forked process does
/// not have. For that, the thread becomes the only one of a pool, once and for all.
///
/// # Errors
/// If the system gives no threads.
pub(in super::super) fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, RunError> {
    if rayon::current_thread_index().is_none() {
        let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        let pool =
            pool.map_err(|error| RunError::Threads { threads: 1, reason: error.to_string() })?;
        // The thread stays in it for as long as it lives.
        std::mem::forget(pool);
    }
    match rayon::current_num_threads() {
        1 => Ok(work()),
        // A thread that works for others shares its work with them.
        _ => in_pool(1, work),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::thread;

    #[test]
    fn everything_is_done_by_the_present_thread_wherever_it_is_called() {
        let here = || {
            let me = thread::current().id();
            alone(|| {
                let done = (0..1000_u32).into_par_iter().map(|n| (thread::current().id(), n));
                let done: Vec<_> = done.with_max_len(1).collect();
                (rayon::current_num_threads(), done.iter().all(|(by, _)| *by == me), done.len())
            })
            .unwrap()
        };
        let threads: Vec<_> = (0..3).map(|_| thread::spawn(move || [here(), here()])).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), [(1, true, 1000); 2]);
        }
        // Within a pool of several, a thread of its own does it.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (threads, _, count) = pool.install(here);
        assert_eq!((threads, count), (1, 1000));
        // A thread that is alone can still hand work to others.
        let many = alone(|| in_pool(2, rayon::current_num_threads)).unwrap();
        assert_eq!(many.unwrap(), 2);
    }
}
