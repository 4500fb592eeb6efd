//! `jostle run --resume`: one command line that a queue may start as often as it likes.

use std::path::{Path, PathBuf};

use super::resume::{self, is_about_a_checkpoint};
use super::run::{RunOptions, carry};
use super::{Failure, ModelArguments, say};
use crate::analysis;
use crate::model::{Model, edited};
use crate::run::checkpoint::checkpoints_of;
use crate::sweep::{is_length, mend, results_change};
use crate::words::time_text;

/// Keys that say how far frames are apart.
const CADENCE: [&str; 2] = ["output.every", "output.frame_every"];

/// Times that differ by less, relatively, are the same.
const ROUNDING: f64 = 1e-9;

/// Resumes the run that wrote `out`, starts it again if it has no checkpoint, makes it longer if the model now is, or
/// finds it finished.
pub(super) fn execute(
    given: &ModelArguments,
    model: &Model,
    out: &Path,
    options: RunOptions,
    verbose: bool,
) -> Result<(), Failure> {
    let reading = analysis::open(out)?;
    is_of_this_model(&reading, model)?;
    let info = analysis::info(&reading)?;
    drop(reading);
    let done = info.runs.last().map_or(0, |run| u64::try_from(run.step).unwrap_or(0));
    let name = out.display();
    let in_steps = !info.granular;
    let resumed = || resume::execute(resuming(given, (model, in_steps), out, options), verbose);
    if info.status() == "finished" {
        // Steps of granular runs are frames, whose cadence may be another one here.
        let [reached, asked] = [info.timestep * done as f64, model.run.duration()];
        if asked > reached * (1.0 + ROUNDING) {
            return resumed();
        }
        let beyond = match asked < reached * (1.0 - ROUNDING) {
            true => format!(" ({}), after the end that is requested", time_text(reached)),
            false => String::new(),
        };
        if !options.quiet {
            say(&format!("{name}: finished at step {done}{beyond}; nothing to do"));
        }
        return Ok(());
    }
    if checkpoints_of(out).iter().any(|path| path.exists()) {
        let done = resumed();
        // Where rows are lost that a checkpoint relies on, none serves.
        let is_lost = info.lost.is_some() && done.as_ref().is_err_and(is_about_a_checkpoint);
        if !is_lost {
            return done;
        }
    }
    // What is being written at this moment is refused here.
    mend(out, &mut |note| say(note))?;
    if !options.quiet {
        let why = match &info.lost {
            Some(lost) => {
                format!("only {lost} are there, and there is no checkpoint that leads on")
            }
            None => format!("the run ended at step {done} before its first checkpoint"),
        };
        say(&format!("{name}: {why}; it starts again"));
    }
    carry(model, out, true, None, &options, verbose)
}

/// What `jostle resume` is asked for: all that may be set of a run that has begun, whose length is counted
/// in steps or not.
fn resuming(
    given: &ModelArguments,
    (model, in_steps): (&Model, bool),
    out: &Path,
    options: RunOptions,
) -> resume::ResumeArguments {
    let set = given.set.iter().filter(|(key, _)| !results_change(key, model) && !is_length(key));
    // What is not counted in steps has to be told as a time.
    let (steps, until) = match in_steps {
        true => (Some(model.run.steps), None),
        false => (None, Some(format!("{:?} us", model.run.duration()))),
    };
    resume::ResumeArguments {
        file: PathBuf::from(out),
        out: None,
        threads: given.threads,
        steps,
        until,
        set: set.cloned().collect(),
        changed: false,
        options,
    }
}

/// Whether the model says how far frames are apart, and not how many there are.
fn says_cadence(model: &Model) -> Result<bool, Failure> {
    let source = &model.source;
    let text = edited(&source.text, "", &source.overrides)?;
    let table: toml::Table = text.parse().map_err(|why: toml::de::Error| why.to_string())?;
    let output = table.get("output");
    let has = |key: &str| output.is_some_and(|output| output.get(key).is_some());
    Ok(CADENCE.iter().any(|key| key.strip_prefix("output.").is_some_and(has)))
}

/// Refuses an output that another model has written.
fn is_of_this_model(reading: &analysis::Reading, model: &Model) -> Result<(), Failure> {
    let all = analysis::settings_unlike(reading, &model.source.resolved)?;
    // A number of frames says nothing where a run gets another length: those that come are as far apart as
    // those that are there.
    let by_number = !says_cadence(model)?;
    let follows = |key: &str| key == "version" || (by_number && CADENCE.contains(&key));
    let other =
        all.iter().find(|setting| !follows(&setting.name) && results_change(&setting.name, model));
    let Some(analysis::Parameter { name, values: [its, asked] }) = other else { return Ok(()) };
    let path = reading.path().display();
    let text = "write another file (--out), or start again (--force without --resume)";
    Err(format!(
        "{path} belongs to another run: {name} is {its} there, but {asked} is now requested; {text}"
    )
    .into())
}
