//! `jostle import`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Failure, may_write, say};
use crate::files::{Inputs, fresh, text_of};
use crate::model::bngl::{Imported, import};

/// A longer file is none of these. \[bytes\]
const LONGEST_FILE: u64 = 64 << 20;

/// The command line of `jostle import`.
#[derive(clap::Args)]
pub(super) struct ImportArguments {
    /// The file with molecules and rules (.bngl).
    model: PathBuf,
    /// The file with the box, the time step, radii and diffusion coefficients (TOML).
    #[arg(long, value_name = "PATH")]
    geometry: PathBuf,
    /// The model file to write [default: standard output].
    #[arg(short, long, visible_alias = "output", value_name = "PATH")]
    out: Option<PathBuf>,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
}

pub(super) fn execute(arguments: ImportArguments) -> Result<(), Failure> {
    let ImportArguments { model, geometry, out, force } = arguments;
    if let Some(out) = &out {
        may_write(out, force, &Inputs::of([&model, &geometry]))?;
    }
    let read = |path: &Path| {
        text_of(path, LONGEST_FILE)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))
    };
    let [text, geometry_text] = [read(&model)?, read(&geometry)?];
    let [name, geometry_name] = [&model, &geometry].map(|path| path.display().to_string());
    let Imported { text, notes } = import([&text, &name], [&geometry_text, &geometry_name])
        .map_err(|faults| Failure::Trouble(faults.into()))?;
    notes.iter().for_each(|note| say(&format!("note: {note}")));
    match out {
        None => std::io::stdout().write_all(text.as_bytes())?,
        Some(out) => {
            fresh(&out, |file| file.write_all(text.as_bytes()))
                .map_err(|error| format!("{} cannot be written: {error}", out.display()))?;
        }
    }
    Ok(())
}
