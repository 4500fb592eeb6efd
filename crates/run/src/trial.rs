//! The first steps of a run, tried before it is made.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::RunError;
use jostle_core::engine::Engine;
use jostle_core::observe::{Brake, Clock, Observer};

/// How fast the first steps went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// How many steps were tried, the last of them perhaps in part.
    pub steps: f64,
    /// The wall time of one step. \[s\]
    pub step: f64,
}

/// What a trial may take.
const TRIAL: Duration = Duration::from_secs(1);

/// The trial ends, whatever happens.
static ENDS: AtomicBool = AtomicBool::new(true);

/// Hears of nothing, and breaks off the step in which the time of the trial is over.
struct Patience(Brake<'static>);

impl<const D: usize> Observer<D> for Patience {
    fn brake(&self) -> Option<&Brake<'_>> {
        Some(&self.0)
    }

    fn wants_step(&self, _: Clock) -> bool {
        false
    }
}

/// Takes an engine to step `until` if a second suffices for that; the wall time of each of its
/// steps, or parts of steps. \[s\]
///
/// # Errors
/// If a step fails.
pub(super) fn try_out<const D: usize, E: Engine<D>>(
    engine: &mut E,
    until: u64,
) -> Result<Vec<f64>, RunError> {
    let begun = Instant::now();
    let mut times = Vec::new();
    let mut patience = Patience(Brake::new(&ENDS, TRIAL));
    while engine.clock().step < until && begun.elapsed() < TRIAL {
        let begun = Instant::now();
        match engine.advance(&mut patience) {
            Err(error) if E::is_stopped(&error) => break,
            done => done.map_err(RunError::step)?,
        }
        times.push(begun.elapsed().as_secs_f64());
    }
    Ok(times)
}

impl Pace {
    /// The mean of so many steps that took these times together; none of none.
    pub(super) fn mean(times: &[f64], steps: f64) -> Option<Self> {
        (steps > 0.0).then(|| Self { steps, step: times.iter().sum::<f64>() / steps })
    }

    /// The median of the later half of them: the first steps build the structures, or measure
    /// several.
    pub(super) fn settled(mut times: Vec<f64>) -> Option<Self> {
        let steps = times.len() as f64;
        let half = times.len() / 2;
        let later = &mut times[half..];
        later.sort_by(f64::total_cmp);
        later.get(later.len() / 2).map(|&step| Self { steps, step })
    }
}
