//! `jostle report`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Failure, inputs_of, may_write, say};
use crate::analysis::{self, ask::split_names};
use crate::files::fresh;
use crate::report::{PageOptions, Thinning, page, sweep_page};
use crate::sweep::open;
use crate::words::bytes_text;

/// The command line of `jostle report`.
#[derive(clap::Args)]
pub(super) struct ReportArguments {
    /// A file that a run wrote, or is writing; or the folder of a sweep.
    file: PathBuf,
    /// The page to write [default: the file's name with .html, in the current folder].
    #[arg(short, long, value_name = "PAGE")]
    out: Option<PathBuf>,
    /// Replace the page if it exists.
    #[arg(long)]
    force: bool,
    /// The number of frames in the player, evenly spaced [default: as many as fit into 40 MB].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
    /// Figures and tables of these species only, separated by commas; the player shows all.
    #[arg(long, value_name = "NAMES")]
    species: Option<String>,
}

pub(super) fn execute(arguments: ReportArguments) -> Result<(), Failure> {
    let ReportArguments { file, out, force, frames, species } = arguments;
    let out = out.unwrap_or_else(|| {
        // `.` has a name, too.
        let path = file.canonicalize().unwrap_or_else(|_| file.clone());
        let name = path.file_stem().unwrap_or(path.as_os_str());
        PathBuf::from(name).with_added_extension("html")
    });
    may_write(&out, force, &inputs_of(&file))?;
    if file.is_dir() {
        if frames.is_some() {
            return Err("--frames: the page about a sweep has no player".into());
        }
        if species.is_some() {
            let text = "--species: the page about a sweep shows the tables that were measured";
            return Err(text.into());
        }
        let page = sweep_page(&open(&file)?, &file, &out)?;
        write(&out, &page.html, &page.notes)?;
        writeln!(
            crate::cli::printed(),
            "{}, {}",
            out.display(),
            bytes_text(page.html.len() as f64)
        )?;
        return Ok(());
    }
    let reading = analysis::open(&file)?;
    let mut options = PageOptions::default();
    if let Some(count) = frames {
        options.thinning = Thinning::Frames(count as usize);
    }
    options.species = species.as_deref().map_or_else(Vec::new, split_names);
    let page = page(&reading, &options)?;
    let notes = page.notes.iter().filter(|note| **note != page.frames);
    write(&out, &page.html, notes)?;
    let size = bytes_text(page.html.len() as f64);
    writeln!(crate::cli::printed(), "{}, {size}. {}", out.display(), page.frames)?;
    Ok(())
}

/// Writes a page, and says what its reader should know.
fn write<'a>(
    out: &Path,
    html: &str,
    notes: impl IntoIterator<Item = &'a String>,
) -> Result<(), Failure> {
    fresh(out, |file| file.write_all(html.as_bytes()))
        .map_err(|why: std::io::Error| format!("cannot write {}: {why}", out.display()))?;
    notes.into_iter().for_each(|note| say(&format!("note: {note}")));
    Ok(())
}
