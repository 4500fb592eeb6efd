//! The first steps of a run, tried before it is made.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::error::RunError;
use super::threads::Team;
use jostle_core::engine::Engine;
use jostle_core::observe::Brake;
use jostle_model::Model;

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

/// What was measured of the first steps.
pub(super) struct Tried {
    /// The wall time of each step, or part of a step. \[s\]
    pub(super) times: Vec<f64>,
    /// Numbers of threads, and the wall time of a step on each \[s\]; empty where there was no
    /// choice, or no time to try.
    pub(super) threads: Vec<(usize, f64)>,
}

/// Takes an engine to step `until` if a second suffices for that.
///
/// # Errors
/// If a step fails, or the system gives no threads.
pub(super) fn try_out<const D: usize, E: Engine<D>>(
    model: &Model,
    engine: &mut E,
    until: u64,
) -> Result<Tried, RunError> {
    let mut team = Team::of::<E, D>(model)?;
    let begun = Instant::now();
    let mut times = Vec::new();
    let mut patience = Brake::new(&ENDS, TRIAL);
    let done = team.steps(|shift| {
        while engine.clock().step < until && begun.elapsed() < TRIAL {
            let begun = Instant::now();
            match engine.advance(&mut patience) {
                Err(error) if E::is_stopped(&error) => break,
                Err(error) => return Some(Err(error)),
                Ok(()) => times.push(begun.elapsed().as_secs_f64()),
            }
            if shift.is_over(engine.is_measuring()) {
                return None;
            }
        }
        Some(Ok(()))
    });
    done.map_err(RunError::step)?;
    Ok(Tried { times, threads: team.tried() })
}

impl Pace {
    /// The mean of so many steps that took these times together; none of none.
    pub(super) fn mean(times: &[f64], steps: f64) -> Option<Self> {
        (steps > 0.0).then(|| Self { steps, step: times.iter().sum::<f64>() / steps })
    }

    /// The median of the later half of them, since the first steps build the structures, or measure
    /// several; where several numbers of threads were tried, the time on the fastest.
    pub(super) fn settled(tried: &Tried) -> Option<Self> {
        let steps = tried.times.len() as f64;
        let fastest = tried.threads.iter().map(|(_, time)| *time).min_by(f64::total_cmp);
        if let Some(step) = fastest {
            return Some(Self { steps, step });
        }
        let mut times = tried.times.clone();
        let half = times.len() / 2;
        let later = &mut times[half..];
        later.sort_by(f64::total_cmp);
        later.get(later.len() / 2).map(|&step| Self { steps, step })
    }
}
