//! The program `jostle`, which the package brings along.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Carries out a command line of the program, its name first, and returns the exit code.
///
/// It reads and writes the standard streams of the process, and its Ctrl-C is the program's own.
#[pyfunction]
pub(crate) fn cli(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| jostle::cli::main(arguments))
}
