//! The threads that a run works on. No result depends on them.

mod alone;
mod awake;
mod choice;

use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::error::RunError;
pub(super) use alone::alone;
use awake::Awake;
use choice::Choice;
use jostle_core::engine::Engine;
use jostle_model::Model;

/// The threads of a run: as many as the model says, or else as many as turn out to be fastest.
pub(super) struct Team {
    choice: Choice,
    /// Of each number of threads that may serve; none for a single one, which is the present one.
    pools: Vec<Option<ThreadPool>>,
    /// Whether the engine is measuring something, which it does on one thread.
    is_measuring: bool,
}

impl Team {
    /// Those of an engine for a model.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub(super) fn of<E: Engine<D>, const D: usize>(model: &Model) -> Result<Self, RunError> {
        let numbers = match model.run.threads {
            _ if !E::USES_THREADS => vec![1],
            Some(threads) => vec![threads],
            None => powers_of_two_up_to(cores()),
        };
        let pools =
            numbers.iter().map(|&threads| pool_of_many(threads)).collect::<Result<_, _>>()?;
        Ok(Self { choice: Choice::among(numbers), pools, is_measuring: false })
    }

    /// Numbers of threads that have been tried, and the wall time of a step on each \[s\]; empty
    /// where there was no choice, or no time to try.
    pub(super) fn tried(&self) -> Vec<(usize, f64)> {
        self.choice.tried()
    }

    /// Calls `work` until it has a result. It takes steps, and returns without a result when its
    /// shift is over, since another number of threads is to do the next ones.
    pub(super) fn steps<T: Send>(
        &mut self,
        mut work: impl FnMut(&mut Shift<'_>) -> Option<T> + Send,
    ) -> T {
        loop {
            let Self { choice, pools, is_measuring } = self;
            let pool = if *is_measuring { None } else { pools[choice.place()].as_ref() };
            let mut shift = Shift { choice, is_measuring, began: Instant::now() };
            // Where a single thread serves, this one does: it is the only one of its pool.
            let done = match pool {
                None => work(&mut shift),
                Some(pool) => pool.install(|| {
                    let _awake = Awake::new();
                    work(&mut shift)
                }),
            };
            if let Some(done) = done {
                return done;
            }
        }
    }
}

/// Steps that are all done by the same number of threads.
pub(super) struct Shift<'a> {
    choice: &'a mut Choice,
    is_measuring: &'a mut bool,
    began: Instant,
}

impl Shift<'_> {
    /// A step has been done: whether another number of threads is to do the next.
    pub(super) fn is_over(&mut self, engine_is_measuring: bool) -> bool {
        let began = std::mem::replace(&mut self.began, Instant::now());
        let before = (*self.is_measuring, self.choice.place());
        if !*self.is_measuring {
            self.choice.took((self.began - began).as_secs_f64());
        }
        *self.is_measuring = engine_is_measuring;
        before != (*self.is_measuring, self.choice.place())
    }
}

/// Does `work` on a pool of `threads` threads (0: one for each core), which stay awake for it.
/// Results never depend on their number.
///
/// # Errors
/// If the system gives no threads.
pub fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, RunError> {
    Ok(pool(threads)?.install(|| {
        let _awake = Awake::new();
        work()
    }))
}

/// A pool of `threads` threads, unless the present one suffices.
fn pool_of_many(threads: usize) -> Result<Option<ThreadPool>, RunError> {
    let pool = (threads != 1).then(|| pool(threads)).transpose()?;
    Ok(pool.filter(|pool| pool.current_num_threads() > 1))
}

fn pool(threads: usize) -> Result<ThreadPool, RunError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| RunError::Threads { threads, reason: error.to_string() })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// 1, 2, 4, ... and `most`.
fn powers_of_two_up_to(most: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |n| Some(2 * n)).take_while(|n| *n < most);
    powers.chain([most]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_of_threads_are_tried() {
        assert_eq!(
            [1, 2, 3, 8].map(powers_of_two_up_to),
            [vec![1], vec![1, 2], vec![1, 2, 3], vec![1, 2, 4, 8]]
        );
        let numbers = vec![1, 2, 3];
        let pools = numbers.iter().map(|&n| pool_of_many(n).unwrap()).collect();
        let mut team = Team { choice: Choice::among(numbers), pools, is_measuring: false };
        let (mut steps, mut seen) = (0, [0; 3]);
        let done = in_pool(1, || {
            team.steps(|shift| {
                loop {
                    steps += 1;
                    std::thread::sleep(std::time::Duration::from_micros(100));
                    seen[rayon::current_num_threads() - 1] += 1;
                    if steps == 1000 {
                        return Some(steps);
                    }
                    // At first something is measured, on one thread.
                    if shift.is_over(steps < 50) {
                        return None;
                    }
                }
            })
        });
        assert_eq!(done.unwrap(), 1000);
        assert!(seen[0] >= 80 && seen[1] >= 60, "{seen:?}");
    }
}
