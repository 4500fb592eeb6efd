//! Errors of jostle as exceptions of Python; see `python/jostle/errors.py`.

use std::error::Error;

use jostle::analysis::ReadError;
use jostle::cli::Failure;
use jostle::model::{Fault, Faults, Place};
use jostle::record::RecordError;
use jostle::run::RunError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::words::in_python;

/// The exception that tells of an error, by the error's own type.
pub(crate) fn exception(py: Python<'_>, error: &(dyn Error + Send + Sync + 'static)) -> PyErr {
    let text = in_python(&message(error));
    if let Some(faults) = error.downcast_ref::<Faults>() {
        return of_model(py, "ModelError", faults);
    }
    let name = match error.downcast_ref::<RunError>() {
        Some(RunError::Placement(_) | RunError::Memory { .. }) => "PlacementError",
        Some(_) => "RunError",
        None if error.is::<RecordError>() => "RunError",
        None if error.is::<ReadError>() => "ReadError",
        None => "JostleError",
    };
    by_name(py, name, (text,))
}

/// The exception that tells why a command of the program fails.
pub(crate) fn of_failure(py: Python<'_>, failure: Failure) -> PyErr {
    match failure {
        Failure::Error(error) | Failure::Trouble(error) | Failure::Machine(error) => {
            exception(py, &*error)
        }
        Failure::Different => by_name(py, "JostleError", ("the results differ",)),
        Failure::Stopped | Failure::Interrupted => {
            pyo3::exceptions::PyKeyboardInterrupt::new_err("stopped")
        }
        Failure::Unread => pyo3::exceptions::PyBrokenPipeError::new_err("nobody reads the output"),
    }
}

/// The same where it is about a run, whatever the program calls it.
pub(crate) fn of_run(py: Python<'_>, failure: Failure) -> PyErr {
    match failure {
        Failure::Error(error) | Failure::Trouble(error) | Failure::Machine(error)
            if !(error.is::<Faults>() || error.is::<ReadError>() || error.is::<RunError>()) =>
        {
            by_name(py, "RunError", (in_python(&message(&*error)),))
        }
        other => of_failure(py, other),
    }
}

/// The exception of this name in `jostle.errors`.
pub(crate) fn by_name<'py>(
    py: Python<'py>,
    name: &str,
    arguments: impl pyo3::call::PyCallArgs<'py>,
) -> PyErr {
    let made = || py.import("jostle.errors")?.getattr(name)?.call1(arguments);
    match made() {
        Ok(made) => PyErr::from_value(made),
        Err(why) => why,
    }
}

/// An exception about a model, with its faults one by one.
pub(crate) fn of_model(py: Python<'_>, name: &str, faults: &Faults) -> PyErr {
    let fault = |fault: &Fault| -> PyResult<Py<PyAny>> {
        let class = py.import("jostle.errors")?.getattr("Fault")?;
        let line = match fault.place {
            Place::Line(line) | Place::Column(line, _) => Some(line),
            Place::File | Place::Override(_) => None,
        };
        Ok(class.call1((key_of(fault), &fault.message, line))?.unbind())
    };
    let list: PyResult<Vec<_>> = faults.list.iter().map(fault).collect();
    let text = faults.list.iter().map(|fault| in_words(fault, &faults.name));
    let text = text.collect::<Vec<_>>().join("\n");
    match list.and_then(|list| PyTuple::new(py, list)) {
        Ok(list) => by_name(py, name, (text, list)),
        Err(why) => why,
    }
}

/// The key of a fault; where the model has none for it, that which was to be set.
fn key_of(fault: &Fault) -> &str {
    match &fault.place {
        Place::Override(set) if fault.key.is_empty() => {
            set.split_once('=').map_or(set.as_str(), |(key, _)| key)
        }
        _ => &fault.key,
    }
}

/// A fault with its place. The program would say `--set` of what was set on top of the file.
fn in_words(fault: &Fault, name: &str) -> String {
    let place = match fault.place {
        Place::File => format!("{name}: "),
        Place::Line(line) => format!("{name}:{line}: "),
        Place::Column(line, column) => format!("{name}:{line}:{column}: "),
        Place::Override(_) => String::new(),
    };
    let key = match key_of(fault) {
        "" => String::new(),
        key => format!("{key}: "),
    };
    format!("{place}{key}{}", fault.message)
}

/// An error and its causes, in one text.
fn message(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str("; because ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
