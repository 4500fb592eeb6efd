//! Runs on threads of their own: Python waits for them, watches them, and may stop them.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jostle::model::Model;
use jostle::observe::Clock;
use jostle::run::checkpoint::{Cadence, Checkpoint, Checkpoints};
use jostle::run::{Ending, Options, RunError, run_within_memory};
use jostle::sweep::{Repetition, Resumption, SweepError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{Raise, by_name, of_run};
use crate::forks::{self, AtWork, detached};
use crate::model::ParsedModel;

/// Between two looks at signals while Python waits. \[s\]
const PAUSE: Duration = Duration::from_millis(50);

/// What a job tells those that wait for it.
#[derive(Default)]
struct Shared {
    /// Set to end the job after the present step.
    stop: Arc<AtomicBool>,
    step: AtomicU64,
    /// The bits of the time. \[µs\]
    time: AtomicU64,
    /// What came of it; taken by the first that asks.
    outcome: Mutex<Option<Result<Outcome, SweepError>>>,
    /// Whether particles are placed, and the file is there.
    has_begun: AtomicBool,
    is_over: AtomicBool,
    /// Told when either becomes so.
    news: Condvar,
}

/// What comes of a job.
struct Outcome {
    is_finished: bool,
    /// What the program would print.
    text: String,
    /// Of two runs that are compared: whether they are equal.
    is_equal: Option<bool>,
}

impl Shared {
    fn hears_of(&self, clock: Clock) {
        self.step.store(clock.step, Ordering::Relaxed);
        self.time.store(clock.time().to_bits(), Ordering::Relaxed);
        if !self.has_begun.load(Ordering::Relaxed) {
            self.set(&self.has_begun);
        }
        forks::let_by();
    }

    fn outcome(&self) -> MutexGuard<'_, Option<Result<Outcome, SweepError>>> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets a flag that others wait for.
    fn set(&self, flag: &AtomicBool) {
        let _outcome = self.outcome();
        flag.store(true, Ordering::Release);
        self.news.notify_all();
    }

    /// Waits for a flag, or until the job is over, at most for this long; whether either is so.
    fn wait(&self, flag: &AtomicBool, longest: Duration) -> bool {
        let is_so = || [flag, &self.is_over].iter().any(|flag| flag.load(Ordering::Acquire));
        let until = Instant::now() + longest;
        let mut outcome = self.outcome();
        while !is_so() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let woken = self.news.wait_timeout(outcome, left);
            outcome = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

/// A run on a thread of its own.
#[pyclass(frozen, module = "jostle._jostle")]
pub(crate) struct Job {
    shared: Arc<Shared>,
    steps: u64,
    timestep: f64,
    /// The process that its thread belongs to.
    process: u32,
}

impl Job {
    /// Starts `work` on a thread.
    fn start(
        model: &Model,
        work: impl FnOnce(&Shared) -> Result<Outcome, SweepError> + Send + 'static,
    ) -> PyResult<Self> {
        let shared = Arc::new(Shared::default());
        let theirs = shared.clone();
        let done = std::thread::Builder::new().name("jostle".into()).spawn(move || {
            let at_work = AtWork::begin();
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&theirs)));
            drop(at_work);
            let done = done.unwrap_or_else(|_| {
                let text =
                    "an internal error of jostle, which should be reported: the run panicked";
                Err(SweepError::Other(text.into()))
            });
            *theirs.outcome() = Some(done);
            theirs.set(&theirs.is_over);
        });
        done.map_err(|why| PyErr::from(std::io::Error::other(why)))?;
        let (steps, timestep) = (model.run.steps, model.run.timestep);
        Ok(Self { shared, steps, timestep, process: std::process::id() })
    }

    /// Refuses what a forked child asks: the thread stayed behind in its parent.
    fn check_process(&self, py: Python<'_>) -> PyResult<()> {
        if self.process == std::process::id() {
            return Ok(());
        }
        let text =
            "this run belongs to the process that started it, not to a process forked from it";
        Err(by_name(py, "RunError", (text,)))
    }

    /// Waits for the end, and tells what came of it.
    fn see_through(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Ended> {
        self.attend(py, &self.shared.is_over, progress)?;
        let ended = self.ended(py)?;
        if let (Some(progress), true) = (progress, ended.is_finished) {
            progress.call1((self.step(), self.time_us(), self.steps))?;
        }
        Ok(ended)
    }

    /// Waits until it has begun: its file can then be opened.
    ///
    /// # Errors
    /// Why it has ended instead.
    fn begun(self, py: Python<'_>) -> PyResult<Self> {
        self.attend(py, &self.shared.has_begun, None)?;
        let failed = self.shared.outcome().take_if(|outcome| outcome.is_err());
        match failed {
            Some(Err(failure)) => Err(of_run(py, &failure)),
            _ => Ok(self),
        }
    }

    /// Waits for a flag, or for the end. Python's signals are looked at all the while, and `progress`
    /// is called with the step, the time and the number of steps; if either raises an exception, the
    /// run is stopped, and the exception is raised when everything is kept.
    fn attend(
        &self,
        py: Python<'_>,
        flag: &AtomicBool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        loop {
            if py.detach(|| self.shared.wait(flag, PAUSE)) {
                return Ok(());
            }
            let heard = py.check_signals().and_then(|()| match progress {
                Some(progress) => {
                    progress.call1((self.step(), self.time_us(), self.steps)).map(drop)
                }
                None => Ok(()),
            });
            if let Err(why) = heard {
                self.stop();
                // A second Ctrl-C does not wait any longer.
                while !py.detach(|| self.shared.wait(&self.shared.is_over, PAUSE)) {
                    py.check_signals()?;
                }
                return Err(why);
            }
        }
    }

    /// What came of it.
    fn ended(&self, py: Python<'_>) -> PyResult<Ended> {
        match self.shared.outcome().take() {
            Some(Ok(Outcome { is_finished, text, is_equal })) => {
                Ok(Ended { is_finished, text, is_equal })
            }
            Some(Err(failure)) => Err(of_run(py, &failure)),
            None => Err(by_name(py, "RunError", ("what came of this run has been told already",))),
        }
    }
}

#[pymethods]
impl Job {
    /// The steps done.
    #[getter]
    fn step(&self) -> u64 {
        self.shared.step.load(Ordering::Relaxed)
    }

    /// The steps of the whole run.
    #[getter]
    fn steps(&self) -> u64 {
        self.steps
    }

    /// The time that the run has come to. \[µs\]
    #[getter]
    fn time_us(&self) -> f64 {
        f64::from_bits(self.shared.time.load(Ordering::Relaxed))
    }

    /// The time at its end. \[µs\]
    #[getter]
    fn until_us(&self) -> f64 {
        self.steps as f64 * self.timestep
    }

    /// Whether it is over, one way or another.
    #[getter]
    fn is_over(&self) -> bool {
        self.shared.is_over.load(Ordering::Acquire)
    }

    /// Ends it after the present step.
    fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    /// Waits for at most this long \[s\]; whether it is over.
    fn wait(&self, py: Python<'_>, seconds: f64) -> PyResult<bool> {
        self.check_process(py)?;
        let longest = Duration::try_from_secs_f64(seconds)
            .map_err(|_| PyValueError::new_err("give a time in seconds that is not negative"))?;
        Ok(py.detach(|| self.shared.wait(&self.shared.is_over, longest)))
    }

    /// Waits for the end, and tells what came of it.
    #[pyo3(signature = (progress=None))]
    fn finish(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Ended> {
        self.check_process(py)?;
        self.see_through(py, progress)
    }
}

/// What came of a run.
#[pyclass(frozen, get_all, module = "jostle._jostle")]
pub(crate) struct Ended {
    /// Whether all steps were done.
    pub(crate) is_finished: bool,
    /// What the program would print.
    pub(crate) text: String,
    /// Of a run that was compared with another: whether they are equal.
    pub(crate) is_equal: Option<bool>,
}

/// How a run behaves; results do not depend on it.
#[derive(Clone)]
pub(crate) struct RunOptions {
    out: Option<PathBuf>,
    overwrite: bool,
    self_check: bool,
    checkpoint: Cadence,
}

impl RunOptions {
    fn of(
        out: Option<PathBuf>,
        overwrite: bool,
        self_check: bool,
        checkpoint: &str,
    ) -> PyResult<Self> {
        Ok(Self { out, overwrite, self_check, checkpoint: cadence(checkpoint)? })
    }

    /// Runs a model, from the start or from a checkpoint.
    fn carry(
        &self,
        model: &Model,
        from: Option<Checkpoint>,
        shared: &Shared,
    ) -> Result<Outcome, SweepError> {
        let checkpoints = Checkpoints {
            every: self.out.as_ref().map(|_| self.checkpoint),
            from,
            stays: model.run.keep_checkpoint,
            ..Checkpoints::default()
        };
        let options = Options {
            out: self.out.as_deref(),
            force: self.overwrite,
            self_check: self.self_check,
            stop: &shared.stop,
            progress: &mut |clock| shared.hears_of(clock),
            checkpoints,
        };
        let (summary, reached) = run_within_memory(model, model.run.memory, &shared.stop, options)?;
        if let Some(reached) = reached {
            return Err(RunError::GrownTooLarge(reached.describe(&summary)).into());
        }
        Ok(Outcome {
            is_finished: summary.ending == Ending::Finished,
            text: summary.to_string(),
            is_equal: None,
        })
    }
}

/// How often to write a checkpoint.
pub(crate) fn cadence(text: &str) -> PyResult<Cadence> {
    text.parse().map_err(|why: String| PyValueError::new_err(format!("checkpoint: {why}")))
}

fn started(model: &ParsedModel, options: RunOptions) -> PyResult<Job> {
    let model = model.model.clone();
    Job::start(&model.clone(), move |shared| options.carry(&model, None, shared))
}

/// Starts a run of a model; it has begun when this returns.
#[pyfunction]
#[pyo3(signature = (model, out, *, overwrite, self_check, checkpoint))]
pub(crate) fn start(
    py: Python<'_>,
    model: &ParsedModel,
    out: Option<PathBuf>,
    overwrite: bool,
    self_check: bool,
    checkpoint: &str,
) -> PyResult<Job> {
    started(model, RunOptions::of(out, overwrite, self_check, checkpoint)?)?.begun(py)
}

/// Runs a model to its end.
#[pyfunction]
#[pyo3(signature = (model, out, *, overwrite, self_check, checkpoint, progress=None))]
pub(crate) fn run_to_end(
    py: Python<'_>,
    model: &ParsedModel,
    out: Option<PathBuf>,
    overwrite: bool,
    self_check: bool,
    checkpoint: &str,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Ended> {
    started(model, RunOptions::of(out, overwrite, self_check, checkpoint)?)?
        .see_through(py, progress)
}

/// Starts to resume a run that was stopped or killed; the file that it writes, and the job.
#[pyfunction]
#[pyo3(signature = (file, out, set, *, steps, until, changed, self_check, checkpoint))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub(crate) fn resume(
    py: Python<'_>,
    file: PathBuf,
    out: Option<PathBuf>,
    mut set: Vec<(String, String)>,
    steps: Option<u64>,
    until: Option<String>,
    changed: bool,
    self_check: bool,
    checkpoint: &str,
) -> PyResult<(PathBuf, Job)> {
    set.extend(steps.map(|steps| ("run.steps".into(), steps.to_string())));
    set.extend(until.map(|until| ("run.until".into(), until)));
    let mut options = RunOptions::of(out.clone(), false, self_check, checkpoint)?;
    let note = |note: &str| log::warn!("{note}");
    let found = detached(py, || Resumption::of(file, out, &set, changed, &mut { note }));
    let resumption = found.map_err(|why| of_run(py, &why))?;
    let out = resumption.out.clone();
    options.out = Some(out.clone());
    let model = resumption.model.clone();
    let job = Job::start(&model, move |shared| {
        resumption
            .attempt(&mut { note }, |from| options.carry(&resumption.model, Some(from), shared))
    })?;
    Ok((out, job))
}

/// Starts to repeat the run of a file, to compare the results.
#[pyfunction]
#[pyo3(signature = (file, out, set, *, steps, until, overwrite))]
pub(crate) fn rerun(
    py: Python<'_>,
    file: PathBuf,
    out: Option<PathBuf>,
    set: Vec<(String, String)>,
    steps: Option<u64>,
    until: Option<String>,
    overwrite: bool,
) -> PyResult<Job> {
    let found = detached(py, || Repetition::of(&file, set, steps, until));
    let repetition = found.map_err(|why| of_run(py, &why))?;
    let model = repetition.model.clone();
    Job::start(&model, move |shared| {
        let out = out.as_deref().map(|out| (out, overwrite));
        let progress = &mut |clock| shared.hears_of(clock);
        let comparison = repetition.execute(out, &shared.stop, progress)?;
        Ok(match comparison {
            None => Outcome { is_finished: false, text: String::new(), is_equal: None },
            Some(comparison) => Outcome {
                is_finished: true,
                text: repetition.verdict(&comparison),
                is_equal: Some(comparison.is_equal()),
            },
        })
    })
}

/// Refuses what is no output file, or cannot be read.
#[pyfunction]
pub(crate) fn check_readable(py: Python<'_>, file: PathBuf) -> PyResult<()> {
    let opened = detached(py, || jostle::analysis::open(&file).map(drop));
    opened.map_err(|why| why.raise(py))
}

/// The fingerprints of the states at the frames of a file.
#[pyfunction]
pub(crate) fn state_hashes(py: Python<'_>, file: PathBuf) -> PyResult<Vec<u64>> {
    let read = || jostle::analysis::open(&file)?.state_hashes();
    detached(py, read).map_err(|why| why.raise(py))
}
