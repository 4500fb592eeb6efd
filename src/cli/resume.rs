//! `jostle resume`.

use std::path::PathBuf;

use super::run::{RunOptions, carry};
use super::{Failure, Why, say};
use crate::sweep::{Resumption, SweepError, is_about_the_checkpoint};

/// The command line of `jostle resume`.
#[derive(clap::Args)]
pub(super) struct ResumeArguments {
    /// The file (.h5md) of a run that was stopped or killed, or is finished and is to be made longer; its
    /// checkpoint is in the same folder.
    pub(super) file: PathBuf,
    /// Write to this file, and leave the first one as it is [default: continue the file].
    #[arg(short, long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// The number of threads; results do not depend on it.
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<usize>,
    /// The total number of steps, overriding the model.
    #[arg(long, value_name = "N", conflicts_with = "until")]
    pub(super) steps: Option<u64>,
    /// How long to simulate in total ("10 ms"), overriding the model. Frames keep their cadence.
    #[arg(long, value_name = "TIME")]
    pub(super) until: Option<String>,
    /// Set any value of the model on which results do not depend, e.g. --set search.kind=slices.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = super::key_and_value)]
    pub(super) set: Vec<(String, String)>,
    /// Resume even though the results will not be those of a single run: with other settings of the
    /// model, or from a checkpoint of another version of the physics. The file's history records
    /// this.
    #[arg(long)]
    pub(super) changed: bool,
    #[command(flatten)]
    pub(super) options: RunOptions,
}

pub(super) fn execute(arguments: ResumeArguments, verbose: bool) -> Result<(), Failure> {
    let ResumeArguments { file, out, threads, steps, until, set, changed, options } = arguments;
    let given = |key: &str, value: Option<String>| value.map(|value| (key.to_owned(), value));
    let mut overrides = set;
    overrides.extend(given("run.threads", threads.map(|n| n.to_string())));
    overrides.extend(given("run.steps", steps.map(|n| n.to_string())));
    overrides.extend(given("run.until", until));
    let resumption = Resumption::of(file, out, &overrides, changed, &mut |note| say(note))?;
    let done = resumption.attempt(&mut |note| say(note), |from| {
        if !options.quiet {
            say(&resumption.beginning(from.preamble()));
        }
        match carry(&resumption.model, &resumption.out, false, Some(from), &options, verbose) {
            // It may lie in the checkpoint.
            Err(Failure::Error(Why::Run(why))) => Err(SweepError::Run(why)),
            done => Ok(done),
        }
    });
    done?
}

/// Whether it failed because of a checkpoint.
pub(super) fn is_about_a_checkpoint(failure: &Failure) -> bool {
    matches!(failure, Failure::Error(Why::Run(why)) if is_about_the_checkpoint(why))
}
