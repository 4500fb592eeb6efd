//! `jostle diff`.

use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use crate::analysis;

/// The command line of `jostle diff`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A file that a run wrote, or is writing.
    a: PathBuf,
    /// Another such file.
    b: PathBuf,
}

pub(super) fn carry_out(arguments: Arguments) -> Result<(), Failure> {
    compare(arguments).map_err(Failure::into_trouble)
}

fn compare(Arguments { a, b }: Arguments) -> Result<(), Failure> {
    let comparison = analysis::compare(&analysis::open(&a)?, &analysis::open(&b)?, None)?;
    write!(std::io::stdout(), "{comparison}")?;
    if comparison.is_equal() { Ok(()) } else { Err(Failure::Different) }
}
