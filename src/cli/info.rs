//! `jostle info` and `jostle recover`.

use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use crate::analysis;
use crate::record::{self, Recovery};
use crate::run::text::{bytes_text, counted, time_text};

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
    let path = arguments.file;
    let done = match record::recover(&path)? {
        Recovery::Nothing => "nothing to do, the file was closed properly".to_owned(),
        Recovery::Mark => "the mark of the killed run is cleared".to_owned(),
        Recovery::CutShort { missing } => {
            format!("{} are missing at its end; the rest can be read again", bytes_text(missing as f64))
        }
    };
    let reading = analysis::open(&path)?;
    let frames = counted(reading.frames() as u64, "frame");
    let last =
        reading.times()?.last().map_or(String::new(), |&time| format!(", the last at {}", time_text(time)));
    writeln!(std::io::stdout(), "{}: {done}; it has {frames}{last}", path.display())?;
    Ok(())
}
