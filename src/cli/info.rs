//! `jostle info` and `jostle recover`.

use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use crate::analysis;
use crate::record::{self, Recovery};
use crate::words::{bytes_text, counted, time_text};

/// The command line of `jostle info`.
#[derive(clap::Args)]
pub(super) struct InfoArguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    /// Print a JSON object; the manual explains its keys.
    #[arg(long)]
    json: bool,
}

pub(super) fn execute(arguments: InfoArguments) -> Result<(), Failure> {
    let reading = analysis::open(&arguments.file)?;
    let info = analysis::info(&reading)?;
    if arguments.json {
        writeln!(crate::cli::printed(), "{:#}", info.to_json())?;
    } else {
        write!(crate::cli::printed(), "{info}")?;
    }
    Ok(())
}

/// The command line of `jostle recover`.
#[derive(clap::Args)]
pub(super) struct RecoverArguments {
    /// The file of a killed run.
    file: PathBuf,
}

pub(super) fn recover(arguments: RecoverArguments) -> Result<(), Failure> {
    let path = arguments.file;
    let done = match record::recover(&path)? {
        Recovery::Nothing => "nothing to do, every program can read it".to_owned(),
        Recovery::Mark => "the mark left by the killed run is cleared".to_owned(),
        Recovery::CutShort { missing } => {
            format!("{} are missing at its end", bytes_text(missing as f64))
        }
    };
    let reading = analysis::open(&path)?;
    let frames = counted(reading.frames() as u64, "frame");
    // They may be in the part that is missing.
    let times = reading.times().unwrap_or_default();
    let at =
        |frame: Option<usize>| frame.and_then(|frame| times.get(frame).copied()).map(time_text);
    let whole = reading.whole_frames();
    let which = match at(whole.checked_sub(1)) {
        Some(last) if whole == reading.frames() => format!("it has {frames}, the last at {last}"),
        Some(last) => format!("of its {frames} the first {whole}, up to {last}, can be read"),
        _ if whole == 0 && reading.frames() > 0 => format!("none of its {frames} can be read"),
        _ if whole < reading.frames() => format!("of its {frames} the first {whole} can be read"),
        _ => format!("it has {frames}"),
    };
    writeln!(crate::cli::printed(), "{}: {done}; {which}", path.display())?;
    Ok(())
}
