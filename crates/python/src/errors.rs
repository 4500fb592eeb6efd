//! Errors of jostle as exceptions of Python; see `python/jostle/errors.py`.

use std::error::Error;

use jostle::analysis::ask::{AskError, QuestionError};
use jostle::analysis::{ReadError, TableError};
use jostle::export::ExportError;
use jostle::model::{Fault, Faults, Place};
use jostle::record::RecordError;
use jostle::run::RunError;
use jostle::sweep::{SweepError, SweepFault};
use pyo3::exceptions::{PyFileExistsError, PyKeyboardInterrupt, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What an error is as an exception.
pub(crate) trait Raise {
    fn raise(&self, py: Python<'_>) -> PyErr;
}

impl Raise for Faults {
    fn raise(&self, py: Python<'_>) -> PyErr {
        of_model(py, "ModelError", self)
    }
}

impl Raise for ReadError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        by_name(py, "ReadError", (message(self),))
    }
}

impl Raise for RecordError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        let text = match self {
            Self::Exists { .. } => format!("{self}{MAY_BE_REPLACED}"),
            _ => message(self),
        };
        by_name(py, "RunError", (text,))
    }
}

impl Raise for RunError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Record(why) => why.raise(py),
            Self::Placement(_) | Self::Memory { .. } => {
                by_name(py, "PlacementError", (message(self),))
            }
            _ => by_name(py, "RunError", (message(self),)),
        }
    }
}

impl Raise for QuestionError {
    fn raise(&self, _: Python<'_>) -> PyErr {
        PyValueError::new_err(self.in_words(argument))
    }
}

impl Raise for AskError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Asked(why) => why.raise(py),
            Self::Read(why) => why.raise(py),
        }
    }
}

impl Raise for TableError {
    fn raise(&self, _: Python<'_>) -> PyErr {
        PyOSError::new_err(message(self))
    }
}

impl Raise for ExportError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Exists(_) => PyFileExistsError::new_err(format!("{self}{MAY_BE_REPLACED}")),
            Self::Asked(why) => {
                let called = |option: &str| match option {
                    "to" => "format".to_owned(),
                    option => argument(option),
                };
                PyValueError::new_err(why.in_words(called))
            }
            Self::Write { .. } => PyOSError::new_err(message(self)),
            Self::Interrupted => PyKeyboardInterrupt::new_err("stopped"),
            Self::Read(why) => why.raise(py),
        }
    }
}

impl Raise for SweepError {
    fn raise(&self, py: Python<'_>) -> PyErr {
        let text = match self {
            Self::Model(faults) => return faults.raise(py),
            Self::Stopped => {
                let text = "stopped before its end; running it again continues";
                return by_name(py, "StoppedError", (text,));
            }
            // Python has made the file, so that neither its name nor its lines say anything.
            Self::File(SweepFault { message, .. }) => message.clone(),
            _ => self.to_string(),
        };
        by_name(py, "SweepError", (text,))
    }
}

/// Why a run cannot be continued or repeated.
pub(crate) fn of_run(py: Python<'_>, why: &SweepError) -> PyErr {
    let text = match why {
        SweepError::Run(why) => return why.raise(py),
        SweepError::Record(why) => return why.raise(py),
        SweepError::Read(why) => return why.raise(py),
        SweepError::Model(why) => return why.raise(py),
        SweepError::Changed(why) => {
            format!("{why}; changed=True continues all the same, and records it")
        }
        _ => message(why),
    };
    by_name(py, "RunError", (text,))
}

/// What to do where a file is in the way.
const MAY_BE_REPLACED: &str = "; choose another name, or replace it with overwrite=True";

/// What an option of the library is called in Python, where `from` is a word of the language.
fn argument(option: &str) -> String {
    match option {
        "from" => "start".to_owned(),
        "to" => "end".to_owned(),
        option => option.replace('-', "_"),
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
