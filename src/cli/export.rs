//! `jostle export`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::options::Typed;
use super::signals::heed_signals;
use super::{Failure, say};
use crate::analysis;
use crate::export::{ExportAsked, ExportError};
use crate::files::paragraph;
use crate::words::counted;

/// The command line of `jostle export`.
#[derive(clap::Args)]
pub(super) struct ExportArguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    /// The file to write [default: the name of FILE with another ending, in the current folder].
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
    #[command(flatten)]
    how: Typed<ExportAsked>,
}

pub(super) fn execute(arguments: ExportArguments) -> Result<(), Failure> {
    let ExportArguments { file, out, how } = arguments;
    let asked = how.options;
    let out = out.map_or_else(|| out_of(&asked, &file), Ok)?;
    asked.format(&out)?;
    let stop = heed_signals()?;
    let reading = analysis::open(&file)?;
    let done = match asked.export(&reading, &out, &stop) {
        Err(ExportError::Interrupted) => {
            say(&ExportError::Interrupted.to_string());
            return Err(Failure::Interrupted);
        }
        done => done?,
    };
    let folder = done.folder.map_or(String::new(), |folder| format!(" and {}", folder.display()));
    let frames = counted(done.frames as u64, "frame");
    let particles = counted(done.particles, "particle");
    writeln!(
        crate::cli::printed(),
        "{}{folder}: {frames}, {particles} in all",
        done.path.display()
    )?;
    let names: Vec<String> =
        done.renamed.iter().map(|[whole, short]| format!("{whole} is {short}")).collect();
    if !names.is_empty() {
        let text = format!("names are shortened in this format: {}", names.join(", "));
        writeln!(crate::cli::printed(), "{}", paragraph("", &text).trim_end())?;
    }
    if !done.missing.is_empty() {
        say(&format!("note: {} has no {}", file.display(), done.missing.join(" and no ")));
    }
    Ok(())
}

/// The file to write if nothing else is said.
fn out_of(asked: &ExportAsked, file: &Path) -> Result<PathBuf, Failure> {
    let format =
        asked.to.ok_or("give the format: --to FORMAT, or --out with a name that ends in it")?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    Ok(PathBuf::from(format!("{stem}.{}", format.ending())))
}
