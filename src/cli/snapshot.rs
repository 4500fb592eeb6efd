//! `jostle snapshot`.

use std::io::Write;
use std::path::PathBuf;

use super::options::Typed;
use super::{Failure, may_write, say};
use crate::analysis;
use crate::files::Inputs;
use crate::report::FrameOptions;

/// The command line of `jostle snapshot`.
#[derive(clap::Args)]
pub(super) struct SnapshotArguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    /// The picture to write; its name ends in .png or .svg.
    #[arg(short, long, value_name = "PICTURE")]
    out: PathBuf,
    #[command(flatten)]
    how: Typed<FrameOptions>,
    /// Replace the picture if it exists.
    #[arg(long)]
    force: bool,
}

pub(super) fn carry_out(arguments: SnapshotArguments) -> Result<(), Failure> {
    let SnapshotArguments { file, out, how, force } = arguments;
    let drawn = how.options.draw(&analysis::open(&file)?)?;
    drawn.notes.iter().for_each(|note| say(note));
    may_write(&out, force, &Inputs::of([&file]))?;
    drawn.sheet.save(&out)?;
    writeln!(crate::cli::printed(), "{}: {}", out.display(), drawn.moments.join("; "))?;
    Ok(())
}
