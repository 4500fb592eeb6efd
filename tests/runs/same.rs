//! Two files of the same run, as h5py sees them.

use std::path::Path;

use crate::program::{self, Apart, Done, repository};

/// Holds pairs of files to have the same datasets, bit by bit.
pub(crate) fn hold_same<'a>(pairs: impl IntoIterator<Item = [&'a Path; 2]>) {
    let mut python = program::python(repository());
    python.arg("tests/python/same_datasets.py").args(pairs.into_iter().flatten());
    let done = Done::from(python.output_apart()).succeeds();
    print!("{}", done.out);
}
