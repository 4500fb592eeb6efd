//! The messages of the library, in the log of Python.

use ::log::{Level, LevelFilter, Log, Metadata, Record};
use pyo3::prelude::*;

/// Hands messages to `logging.getLogger("jostle")`, which decides what is shown.
struct PythonLog;

impl Log for PythonLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("jostle") || metadata.target().starts_with("_jostle")
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        // The numbers of Python's levels.
        let level = match record.level() {
            Level::Error => 40,
            Level::Warn => 30,
            Level::Info => 20,
            Level::Debug | Level::Trace => 10,
        };
        let told = Python::attach(|py| -> PyResult<()> {
            let logger = py.import("logging")?.call_method1("getLogger", ("jostle",))?;
            // As an argument, so that a % in the message stands for itself.
            logger.call_method1("log", (level, "%s", record.args().to_string())).map(drop)
        });
        // A handler that fails must not fail a run.
        drop(told);
    }

    fn flush(&self) {}
}

/// From now on the messages of the library go to `logging.getLogger("jostle")`.
///
/// The program writes them to standard error itself; so this is not done when the module is loaded.
#[pyfunction]
pub(crate) fn log_to_python() {
    // Where there is a log already, that one stays.
    if ::log::set_logger(&PythonLog).is_ok() {
        ::log::set_max_level(LevelFilter::Info);
    }
}
