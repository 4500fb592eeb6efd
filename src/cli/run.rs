//! `jostle run`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::progress::Progress;
use super::{Failure, ModelArguments};
use crate::run::{Ending, Options, run};

/// The command line of `jostle run`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    /// The file to write [default: the model's name with .h5md, in this folder].
    #[arg(long)]
    out: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
    /// Say nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn carry_out(arguments: Arguments) -> Result<(), Failure> {
    let model = arguments.model.load()?;
    let out = arguments.out.unwrap_or_else(|| {
        PathBuf::from(arguments.model.model.file_stem().unwrap_or_default()).with_extension("h5md")
    });
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    // The first Ctrl-C ends the run after the present step; the second ends the program.
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    let mut progress = Progress::new(&model, arguments.quiet);
    let options = Options {
        out: Some(&out),
        force: arguments.force,
        stop: &stop,
        progress: &mut |clock| progress.step(clock),
    };
    let done = run(&model, options);
    progress.end();
    let summary = done?;
    if !arguments.quiet {
        write!(std::io::stdout(), "{summary}")?;
    }
    match summary.ending {
        Ending::Finished => Ok(()),
        Ending::Interrupted => {
            let [done, asked] = summary.steps;
            eprintln!("interrupted after step {done} of {asked}; {} is whole", out.display());
            Err(Failure::Interrupted)
        }
    }
}
