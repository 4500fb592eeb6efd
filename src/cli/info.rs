//! `jostle info` and `jostle recover`.

use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use crate::{analysis, record};

/// The command line of `jostle info`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
}

pub(super) fn carry_out(arguments: Arguments) -> Result<(), Failure> {
    let reading = analysis::open(&arguments.file)?;
    write!(std::io::stdout(), "{}", analysis::info(&reading)?)?;
    Ok(())
}

/// The command line of `jostle recover`.
#[derive(clap::Args)]
pub(super) struct RecoverArguments {
    /// A file that a killed run has left.
    file: PathBuf,
}

pub(super) fn recover(arguments: RecoverArguments) -> Result<(), Failure> {
    let file = arguments.file.display();
    if record::recover(&arguments.file)? {
        writeln!(std::io::stdout(), "{file}: the mark is cleared")?;
    } else {
        writeln!(std::io::stdout(), "{file}: nothing to do, the file was closed properly")?;
    }
    Ok(())
}
