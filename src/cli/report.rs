//! `jostle report`.

use std::io::Write;
use std::path::PathBuf;

use super::{Failure, may_write, say};
use crate::analysis;
use crate::report::{PageOptions, Thinning, page};
use crate::words::bytes_text;

/// The command line of `jostle report`.
#[derive(clap::Args)]
pub(super) struct ReportArguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    /// The page to write [default: the file's name with .html, in the current folder].
    #[arg(long, value_name = "PAGE")]
    out: Option<PathBuf>,
    /// Replace the page if it exists.
    #[arg(long)]
    force: bool,
    /// The number of frames in the player, evenly spaced [default: as many as fit into 40 MB].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
}

pub(super) fn carry_out(arguments: ReportArguments) -> Result<(), Failure> {
    let ReportArguments { file, out, force, frames } = arguments;
    let out = out.unwrap_or_else(|| {
        let name = file.file_stem().unwrap_or(file.as_os_str());
        PathBuf::from(name).with_added_extension("html")
    });
    may_write(&out, force)?;
    let reading = analysis::open(&file)?;
    let mut options = PageOptions::default();
    if let Some(count) = frames {
        options.thinning = Thinning::Frames(count as usize);
    }
    let page = page(&reading, &options)?;
    std::fs::write(&out, &page.html)
        .map_err(|why| format!("cannot write {}: {why}", out.display()))?;
    for note in page.notes.iter().filter(|note| **note != page.frames) {
        say(&format!("note: {note}"));
    }
    let size = bytes_text(page.html.len() as f64);
    writeln!(std::io::stdout(), "{}, {size}. {}", out.display(), page.frames)?;
    Ok(())
}
