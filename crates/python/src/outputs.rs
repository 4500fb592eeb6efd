//! Files that are written on the side of results: what may be replaced, and what never is.

use std::path::PathBuf;

use pyo3::exceptions::{PyFileExistsError, PyIsADirectoryError};
use pyo3::prelude::*;

/// Refuses to replace a file unless that is allowed; the results of a run are never replaced.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn may_write(path: PathBuf, overwrite: bool) -> PyResult<()> {
    let name = path.display();
    let refused = |why: &str| Err(PyFileExistsError::new_err(format!("{name}: {why}")));
    if path.is_dir() {
        let text = format!("{name}: this is a folder; give the name of a file");
        return Err(PyIsADirectoryError::new_err(text));
    }
    match path.exists() {
        true if path.extension().is_some_and(|ending| ending == "h5md") => {
            refused("this file contains the results of a run; choose another name")
        }
        true if !overwrite => refused("this file exists; overwrite=True replaces it"),
        _ => Ok(()),
    }
}
