//! `jostle run --resume`: one command line that a queue may start as often as it likes.

use std::path::{Path, PathBuf};

use super::resuming;
use super::run::{Manners, carry};
use super::{Failure, ModelArguments, say};
use crate::analysis;
use crate::model::Model;
use crate::run::checkpoint::checkpoints_of;
use crate::sweep::{mend, results_change};

/// Resumes the run that wrote `out`, starts it again if it has no checkpoint, or finds it finished.
pub(super) fn carry_out(
    given: &ModelArguments,
    model: &Model,
    out: &Path,
    manners: Manners,
    verbose: bool,
) -> Result<(), Failure> {
    let reading = analysis::open(out)?;
    is_of_this_model(&reading, model)?;
    let info = analysis::info(&reading)?;
    drop(reading);
    let done = info.runs.last().map_or(0, |run| u64::try_from(run.step).unwrap_or(0));
    let name = out.display();
    if info.status() == "finished" {
        if model.run.steps > done {
            let asked = model.run.steps;
            let text = "a finished run has no checkpoint to resume from; write another file (--out), or start \
                again (--force)";
            return Err(format!(
                "{name}: finished at step {done}, but {asked} are now requested: {text}"
            )
            .into());
        }
        if !manners.quiet {
            say(&format!("{name}: finished at step {done}; nothing to do"));
        }
        return Ok(());
    }
    if checkpoints_of(out).iter().any(|path| path.exists()) {
        return resuming::carry_out(resuming(given, model, out, manners), verbose);
    }
    // What is being written at this moment is refused here.
    mend(out, &mut |note| say(note))?;
    if !manners.quiet {
        let why = match &info.lost {
            Some(lost) => format!("only {lost} are there, and there is no checkpoint"),
            None => format!("the run ended at step {done} before its first checkpoint"),
        };
        say(&format!("{name}: {why}; it starts again"));
    }
    carry(model, out, true, None, &manners, verbose)
}

/// What `jostle resume` is asked for: all that may be set of a run that has begun.
fn resuming(
    given: &ModelArguments,
    model: &Model,
    out: &Path,
    manners: Manners,
) -> resuming::ResumeArguments {
    let set = given.set.iter().filter(|(key, _)| !results_change(key, model) && !is_length(key));
    resuming::ResumeArguments {
        file: PathBuf::from(out),
        out: None,
        threads: given.threads,
        steps: Some(model.run.steps),
        until: None,
        set: set.cloned().collect(),
        changed: false,
        manners,
    }
}

/// Whether a key says how long the run is, which the model's number of steps tells already.
fn is_length(key: &str) -> bool {
    ["run.steps", "run.until"].contains(&key)
}

/// Refuses an output that another model has written.
fn is_of_this_model(reading: &analysis::Reading, model: &Model) -> Result<(), Failure> {
    let all = analysis::settings_unlike(reading, &model.source.resolved)?;
    let longer = all.iter().any(|setting| is_length(&setting.name));
    // Of a run with so many frames it follows from the length.
    let follows = |key: &str| key == "version" || (longer && key == "output.frame_every");
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
