//! `jostle diff`.

use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use crate::analysis;

/// The command line of `jostle diff`.
#[derive(clap::Args)]
pub(super) struct DiffArguments {
    /// A file that a run wrote, or is writing.
    a: PathBuf,
    /// Another such file.
    b: PathBuf,
}

pub(super) fn execute(arguments: DiffArguments) -> Result<(), Failure> {
    compare(arguments).map_err(Failure::into_trouble)
}

fn compare(DiffArguments { a, b }: DiffArguments) -> Result<(), Failure> {
    let comparison = analysis::compare(&analysis::open(&a)?, &analysis::open(&b)?, None)?;
    write!(crate::cli::printed(), "{comparison}")?;
    if comparison.is_equal() { Ok(()) } else { Err(Failure::Different) }
}
