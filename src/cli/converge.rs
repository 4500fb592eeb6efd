//! `jostle converge`.

use std::io::Write;
use std::iter;

use super::signals::heed_signals;
use super::tables::Destination;
use super::{Failure, ModelArguments, say};
use crate::files::{Inputs, paragraph};
use crate::model::Model;
use crate::words::{abridged, counted, time_text};
use jostle_lab::converge::{
    ConvergeError, ConvergencePlan, MOST_LEVELS, converge, overrides, suits,
};

/// The command line of `jostle converge`.
#[derive(clap::Args)]
pub(super) struct ConvergeArguments {
    #[command(flatten)]
    model: ModelArguments,
    /// The number of time steps, 2 to 10: the model's, half of it, a quarter ...
    #[arg(long, value_name = "N", default_value_t = 3, display_order = 0,
          value_parser = clap::value_parser!(u32).range(2..=MOST_LEVELS as i64))]
    levels: u32,
    /// The number of runs at each time step, 3 or more, each with its own seed: the model's and
    /// the following ones.
    #[arg(long, value_name = "R", default_value_t = 8, display_order = 0,
          value_parser = clap::value_parser!(u64).range(3..=100_000))]
    replicas: u64,
    /// Print everything as JSON.
    #[arg(long, display_order = 0, conflicts_with_all = ["out", "format"])]
    json: bool,
    #[command(flatten)]
    destination: Destination,
    /// Print nothing but the result.
    #[arg(long, short, display_order = 0)]
    quiet: bool,
}

pub(super) fn execute(arguments: ConvergeArguments) -> Result<(), Failure> {
    let ConvergeArguments { model, levels, replicas, json, mut destination, quiet } = arguments;
    let levels = load(&model, levels)?;
    let model_file = iter::once(model.model.as_path());
    destination.check(Inputs::of(model_file.chain(levels[0].source.inputs())))?;
    for warning in abridged(levels[0].warnings(), "warnings").iter().filter(|_| !quiet) {
        say(paragraph("warning: ", warning).trim_end());
    }
    let stop = heed_signals()?;
    let steps: u64 = levels.iter().map(|level| level.run.steps).sum();
    if !quiet {
        say(&format!("{} of {} each", counted(replicas, "replica"), counted(steps, "step")));
    }
    let progress = |done: u64| {
        if !quiet {
            say(&format!("{done} of {} done", counted(replicas, "replica")));
        }
    };
    let found = converge(&levels, &ConvergencePlan { replicas, stop: &stop, progress: &progress });
    let found = match found {
        Err(ConvergeError::Interrupted) => {
            say("interrupted; nothing was compared");
            return Err(Failure::Interrupted);
        }
        found => found?,
    };
    match found.plot() {
        plot if plot.series.is_empty() => {
            destination.draw_nothing("no observable differs from step to step")
        }
        plot => destination.draw(|| Ok(plot.draw()))?,
    }
    if json {
        writeln!(crate::cli::printed(), "{:#}", found.to_json())?;
    } else if destination.is_screen() {
        write!(crate::cli::printed(), "{found}")?;
    } else {
        destination.write(&found.to_table())?;
    }
    Ok(())
}

/// The model at each time step, checked anew: what it derives from the step follows.
fn load(given: &ModelArguments, count: u32) -> Result<Vec<Model>, Failure> {
    let model = given.load()?;
    suits(&model)?;
    let mut levels = vec![];
    for level in 1..count {
        let set = overrides(&model, level);
        let timestep = model.run.timestep / f64::from(1 << level);
        let finer = given.load_with(&set).map_err(|failure| match failure {
            Failure::Error(why) | Failure::Trouble(why) => Failure::from(format!(
                "the model is not possible at a time step of {}: {why}",
                time_text(timestep)
            )),
            other => other,
        });
        levels.push(finer?);
    }
    levels.insert(0, model);
    Ok(levels)
}
