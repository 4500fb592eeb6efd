//! `jostle import`.

mod beside;

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
    /// Run the model and the BNGL file in BioNetGen this many times each [default: 8], and compare what is
    /// observed; exit code 1 if it differs. BioNetGen is that of the Python package `bionetgen`, of BNGPATH, or
    /// BNG2.pl in the PATH.
    #[arg(long, value_name = "RUNS", num_args = 0..=1, default_missing_value = "8",
          value_parser = clap::value_parser!(u32).range(3..=1000))]
    check: Option<u32>,
}

pub(super) fn execute(arguments: ImportArguments) -> Result<(), Failure> {
    let ImportArguments { model, geometry, out, force, check } = arguments;
    if let Some(out) = &out {
        may_write(out, force, &Inputs::of([&model, &geometry]))?;
    }
    let read = |path: &Path| {
        text_of(path, LONGEST_FILE)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))
    };
    let [bngl, geometry_text] = [read(&model)?, read(&geometry)?];
    let [name, geometry_name] = [&model, &geometry].map(|path| path.display().to_string());
    let Imported { text, notes } = import([&bngl, &name], [&geometry_text, &geometry_name])
        .map_err(|faults| Failure::Trouble(faults.into()))?;
    notes.iter().for_each(|note| say(&format!("note: {note}")));
    let imported = text;
    match out {
        None if check.is_some() => {}
        None => std::io::stdout().write_all(imported.as_bytes())?,
        Some(out) => {
            fresh(&out, |file| file.write_all(imported.as_bytes()))
                .map_err(|error| format!("{} cannot be written: {error}", out.display()))?;
        }
    }
    match check {
        None => Ok(()),
        Some(runs) => beside::compare([&bngl, &geometry_text], &imported, &name, runs),
    }
}
