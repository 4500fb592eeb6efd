//! `jostle snapshot`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::options::Typed;
use super::{Failure, may_write, say};
use crate::analysis;
use crate::files::Inputs;
use crate::report::{DOTS_PER_INCH, FrameOptions, Sheet, picture_width};

/// The command line of `jostle snapshot`.
#[derive(clap::Args)]
pub(super) struct SnapshotArguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    /// The picture to write; its name ends in .png, .pdf or .svg.
    #[arg(short, long, value_name = "PICTURE")]
    out: PathBuf,
    #[command(flatten)]
    how: Typed<FrameOptions>,
    #[command(flatten)]
    resolution: Resolution,
    /// Replace the picture if it exists.
    #[arg(long)]
    force: bool,
}

/// How fine a picture is.
#[derive(clap::Args)]
pub(super) struct Resolution {
    /// The dots per inch of a PNG picture.
    #[arg(long, value_name = "DOTS", default_value_t = DOTS_PER_INCH, value_parser = dots_per_inch)]
    dpi: f64,
    /// The width of the picture: "3.4 in", "86 mm", "8.6 cm". Plots are laid out for it, with letters
    /// of 8 points and without a title [default: 760 units of 1/96 inch].
    #[arg(long, value_name = "WIDTH", value_parser = picture_width)]
    width: Option<f64>,
}

impl Resolution {
    /// Writes a picture.
    pub(super) fn save(&self, sheet: &Sheet, path: &Path) -> Result<(), Failure> {
        match self.width {
            Some(width) => Ok(sheet.of_width(width).save_at(path, self.dpi)?),
            None => Ok(sheet.save_at(path, self.dpi)?),
        }
    }
}

fn dots_per_inch(text: &str) -> Result<f64, String> {
    let dots = text.parse().ok().filter(|dots| (10.0..=10_000.0).contains(dots));
    dots.ok_or_else(|| "give a number from 10 to 10000".to_owned())
}

pub(super) fn execute(arguments: SnapshotArguments) -> Result<(), Failure> {
    let SnapshotArguments { file, out, how, resolution, force } = arguments;
    let drawn = how.options.draw(&analysis::open(&file)?)?;
    drawn.notes.iter().for_each(|note| say(note));
    may_write(&out, force, &Inputs::of([&file]))?;
    resolution.save(&drawn.sheet, &out)?;
    writeln!(crate::cli::printed(), "{}: {}", out.display(), drawn.moments.join("; "))?;
    Ok(())
}
