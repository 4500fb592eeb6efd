//! A run that is repeated, to see whether the same comes out.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::SweepError;
use crate::again::model_of;
use jostle_analysis::{Comparison, Reading};
use jostle_core::observe::Clock;
use jostle_core::words::counted;
use jostle_files::PassingFolder;
use jostle_h5md::record::schema::BY_HAND;
use jostle_model::Model;
use jostle_model::schema::{changes_results, settable};
use jostle_run::{Ending, Options, RunError, run_within_memory};

/// A run that is repeated to compare the results.
pub struct Repetition {
    /// The model of the file, with what is set on top of it.
    pub model: Model,
    first: Reading,
    /// How many steps the file has.
    done: u64,
}

impl Repetition {
    /// Of the run that wrote `file`, for this many steps or until this time, or else for as long as
    /// the file has it.
    ///
    /// # Errors
    /// If the file cannot be read, or `set` changes what results depend on.
    pub fn of(
        file: &Path,
        set: Vec<(String, String)>,
        steps: Option<u64>,
        until: Option<String>,
    ) -> Result<Self, SweepError> {
        let first = jostle_analysis::open(file)?;
        let done = steps_done(&first)?;
        let mut overrides = overrides(set, steps, until, done)?;
        if first.is_granular() {
            in_output_intervals(&mut overrides, first.timestep());
        }
        let model = model_of(file, &overrides)?;
        is_of_its_model(&first, model.run.steps)?;
        Ok(Self { model, first, done })
    }

    /// Runs it again, into the file `out` (which may be replaced if that is said) or into one that
    /// is not kept, and compares; none if it was stopped.
    ///
    /// # Errors
    /// If the run fails or takes too much memory, or a file cannot be read or written.
    pub fn execute(
        &self,
        out: Option<(&Path, bool)>,
        stop: &Arc<AtomicBool>,
        progress: &mut (dyn FnMut(Clock) + Send),
    ) -> Result<Option<Comparison>, SweepError> {
        // Dropped at the end, with what is in it.
        let mut passing = None;
        let (out, force) = match out {
            Some((out, force)) => (out.to_owned(), force),
            None => {
                let folder = passing.insert(folder_beside(self.first.path())?);
                (folder.path().join("rerun.h5md"), false)
            }
        };
        let options = Options {
            out: Some(&out),
            force,
            self_check: false,
            stop,
            progress,
            checkpoints: Default::default(),
        };
        let (summary, reached) =
            run_within_memory(&self.model, self.model.run.memory, stop, options)?;
        if let Some(reached) = reached {
            return Err(RunError::GrownTooLarge(reached.describe(&summary)).into());
        }
        if summary.ending != Ending::Finished {
            return Ok(None);
        }
        let steps = self.model.run.steps.min(self.done);
        Ok(Some(jostle_analysis::compare(&self.first, &jostle_analysis::open(&out)?, Some(steps))?))
    }

    /// In a sentence whether the same came out; if not, where the two runs part.
    pub fn verdict(&self, comparison: &Comparison) -> String {
        let (model, done) = (&self.model, self.done);
        let file = self.first.path().display();
        let what = format!("{file}, run again for {}", counted(model.run.steps, "step"));
        if !comparison.is_equal() {
            return format!(
                "{what}, differs from the new result (first: the file)\n{}",
                comparison.details()
            );
        }
        let parts = [&comparison.frames, &comparison.changes, &comparison.contacts];
        let parts = parts.map(|part| counted(part.rows[0] as u64, &part.what));
        let far = match model.run.steps > done {
            true => format!(" as far as the file goes, {}", counted(done, "step")),
            false => String::new(),
        };
        format!("{what}: equal, to the bit{far} ({})\n", parts.join(", "))
    }
}

/// Whether so many steps of a file are what its model leads to: not once its state was changed by
/// hand.
fn is_of_its_model(first: &Reading, steps: u64) -> Result<(), SweepError> {
    let runs = jostle_analysis::info(first)?.runs;
    let altered = runs.iter().filter(|run| run.what == BY_HAND).map(|run| run.step as u64).min();
    let Some(step) = altered.filter(|step| *step < steps) else { return Ok(()) };
    let before = match step {
        0 => String::new(),
        _ => format!("; the steps before can be compared (--steps {step})"),
    };
    let name = first.path().display();
    let why = "particles were added or removed, or rates set, which its model does not contain";
    Err(format!("{name}: {BY_HAND} at step {step}: {why}{before}").into())
}

/// What is set on top of the file's model; no more than leaves results, and what is written of
/// them, as they are.
fn overrides(
    mut set: Vec<(String, String)>,
    steps: Option<u64>,
    until: Option<String>,
    done: u64,
) -> Result<Vec<(String, String)>, SweepError> {
    let output = |key: &str| key == "output" || key.starts_with("output.");
    if let Some((key, _)) = set.iter().find(|(key, _)| changes_results(key) || output(key)) {
        let text = "with it the second file would differ in any case; only these can be set here";
        return Err(format!("{key}: {text}: {}", settable()).into());
    }
    let bounded = set.iter().any(|(key, _)| ["run.steps", "run.until"].contains(&key.as_str()));
    match (steps, until) {
        (_, Some(until)) => set.push(("run.until".into(), until)),
        (Some(steps), _) => set.push(("run.steps".into(), steps.to_string())),
        (None, None) if !bounded => set.push(("run.steps".into(), done.to_string())),
        (None, None) => (),
    }
    Ok(set)
}

/// A granular run has no steps: a number of frames is said as the time that they take.
fn in_output_intervals(overrides: &mut [(String, String)], output_interval: f64) {
    for (key, value) in overrides.iter_mut().filter(|(key, _)| key == "run.steps") {
        if let Ok(steps) = value.parse::<f64>() {
            (*key, *value) = ("run.until".into(), format!("{:?} us", steps * output_interval));
        }
    }
}

/// How many steps the run of a file did: what it says at its end, else those of the last frame.
fn steps_done(reading: &Reading) -> Result<u64, SweepError> {
    let info = jostle_analysis::info(reading)?;
    let reported = info.runs.last().filter(|_| !info.is_open()).map(|run| run.step);
    let step = match reported {
        Some(step) => step,
        None => reading.steps()?.last().copied().unwrap_or(0),
    };
    if step < 1 {
        let name = reading.path().display();
        return Err(
            format!("{name}: no steps have been done, so there is nothing to compare").into()
        );
    }
    Ok(step as u64)
}

/// A folder for what is not kept, where there is as much room as for the file.
fn folder_beside(file: &Path) -> Result<PassingFolder, SweepError> {
    let folder =
        file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let made = PassingFolder::inside(folder);
    let made =
        made.map_err(|why| format!("{}: {why}; choose a file to write", folder.display()))?;
    Ok(made)
}
