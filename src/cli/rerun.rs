//! `jostle rerun`.

use std::io::Write;
use std::path::PathBuf;

use super::progress::Progress;
use super::signals::heed_signals;
use super::{Failure, say};
use crate::sweep::Repetition;

/// The command line of `jostle rerun`.
#[derive(clap::Args)]
pub(super) struct RerunArguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    /// The number of steps [default: as many as the file has].
    #[arg(long, value_name = "N", conflicts_with = "until")]
    steps: Option<u64>,
    /// How long to simulate ("10 ms") [default: as long as in the file].
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Set any value of the model on which results must not depend, e.g. --set search.kind=slices.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = super::key_and_value)]
    set: Vec<(String, String)>,
    /// Keep the output of the second run in this file; its name ends in .h5md.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
    /// Print nothing but the result.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn execute(arguments: RerunArguments, verbose: bool) -> Result<(), Failure> {
    rerun(arguments, verbose).map_err(Failure::into_trouble)
}

fn rerun(arguments: RerunArguments, verbose: bool) -> Result<(), Failure> {
    let RerunArguments { file, steps, until, set, out, force, quiet } = arguments;
    let repetition = Repetition::of(&file, set, steps, until)?;
    let stop = heed_signals()?;
    let mut progress = Progress::new(&repetition.model, quiet, verbose);
    let target = out.as_deref().map(|out| (out, force));
    let comparison = repetition.execute(target, &stop, &mut |clock| progress.step(clock));
    progress.end();
    let Some(comparison) = comparison? else {
        say("interrupted; nothing was compared");
        return Err(Failure::Interrupted);
    };
    write!(crate::cli::printed(), "{}", repetition.verdict(&comparison))?;
    if let Some(out) = &out {
        writeln!(crate::cli::printed(), "-> {}", out.display())?;
    }
    if comparison.is_equal() { Ok(()) } else { Err(Failure::Different) }
}
