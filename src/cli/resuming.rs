//! `jostle resume`.

use std::path::PathBuf;

use super::run::{Manners, carry};
use super::{Failure, Why, say};
use crate::run::checkpoint::Preamble;
use crate::sweep::{AgainError, Resumption};
use crate::words::time_text;

/// The command line of `jostle resume`.
#[derive(clap::Args)]
pub(super) struct ResumeArguments {
    /// The file (.h5md) of a run that was stopped or killed; its checkpoint is in the same folder.
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
    /// How long to simulate in total ("10 ms"), overriding the model.
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
    pub(super) manners: Manners,
}

pub(super) fn carry_out(arguments: ResumeArguments, verbose: bool) -> Result<(), Failure> {
    let ResumeArguments { file, out, threads, steps, until, set, changed, manners } = arguments;
    let given = |key: &str, value: Option<String>| value.map(|value| (key.to_owned(), value));
    let mut overrides = set;
    overrides.extend(given("run.threads", threads.map(|n| n.to_string())));
    overrides.extend(given("run.steps", steps.map(|n| n.to_string())));
    overrides.extend(given("run.until", until));
    let resumption = Resumption::of(file, out, &overrides, changed, &mut |note| say(note))?;
    let done = resumption.attempt(&mut |note| say(note), |from| {
        if !manners.quiet {
            let Preamble { step, time, .. } = from.preamble();
            say(&format!("resuming from step {step}, at {}", time_text(*time)));
        }
        match carry(&resumption.model, &resumption.out, false, Some(from), &manners, verbose) {
            // It may lie in the checkpoint.
            Err(Failure::Error(Why::Run(why))) => Err(AgainError::Run(why)),
            done => Ok(done),
        }
    });
    done?
}
