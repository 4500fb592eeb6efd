//! Model files as Python sees them: read, checked, and never changed.

use std::path::PathBuf;
use std::sync::Arc;

use jostle::analysis::{self, ReadError};
use jostle::model::units::Unit;
use jostle::model::{self, Datum, Faults, Model, Warning};
use jostle::run::check;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList};

use crate::check::{foretold, refused};
use crate::errors::Raise;
use crate::forks::detached;

/// A model that has been read and checked.
#[pyclass(frozen, module = "jostle._jostle")]
pub struct ParsedModel {
    /// The model itself.
    pub model: Arc<Model>,
    /// What stands for the file in messages; its folder is where other files are sought.
    name: String,
}

/// Keys and the values that go on top of a text, as `--set` takes them.
type Overrides = Vec<(String, String)>;

#[pymethods]
impl ParsedModel {
    /// Reads and checks a model file, or the model of an output file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, overrides: Overrides) -> PyResult<Self> {
        let name = path.display().to_string();
        if path.extension().is_none_or(|extension| extension != "h5md") {
            return Self::new(py, detached(py, || model::load(&path, &overrides)), name);
        }
        let resolved = detached(py, || Ok(analysis::open(&path)?.model()?.1));
        let resolved = resolved.map_err(|error: ReadError| error.raise(py))?;
        Self::new(py, detached(py, || model::parse(&resolved, &name, &overrides)), name)
    }

    /// Reads and checks the text of a model; `path` is the file that it was read from.
    #[staticmethod]
    #[pyo3(signature = (text, name, overrides, path=None))]
    fn parse(
        py: Python<'_>,
        text: &str,
        name: String,
        overrides: Overrides,
        path: Option<PathBuf>,
    ) -> PyResult<Self> {
        let read = detached(py, || model::parse(text, &name, &overrides));
        let with_path = |mut model: Model| {
            model.source.path = path;
            model
        };
        Self::new(py, read.map(with_path), name)
    }

    /// The same model with more on top of it.
    fn with_overrides(&self, py: Python<'_>, more: Overrides) -> PyResult<Self> {
        let source = &self.model.source;
        let overrides = [source.overrides.clone(), more].concat();
        Self::parse(py, &source.text, self.name.clone(), overrides, source.path.clone())
    }

    #[getter]
    fn title(&self) -> &str {
        &self.model.title
    }

    /// The text that the model was read from.
    #[getter]
    fn text(&self) -> &str {
        &self.model.source.text
    }

    /// The text with what went on top of it, written out as if it had said so itself.
    fn edited(&self, py: Python<'_>) -> PyResult<String> {
        let source = &self.model.source;
        let edited = detached(py, || model::edited(&source.text, &self.name, &source.overrides));
        edited.map_err(|faults| faults.raise(py))
    }

    /// What a run will be like, after a few steps have been tried: the text that `jostle check`
    /// prints, and the figures in it.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let model = &*self.model;
        let checked = detached(py, || check(model));
        foretold(py, model, &checked.map_err(|error| refused(py, &self.name, model, &error))?)
    }

    /// What looks wrong, without a trial: keys and texts.
    fn warnings(&self, py: Python<'_>) -> Vec<(String, String)> {
        let warnings = detached(py, || self.model.located_warnings());
        warnings.into_iter().map(|Warning { key, text }| (key, text)).collect()
    }

    /// Everything that applies, defaults included, as TOML.
    #[getter]
    fn resolved(&self) -> &str {
        &self.model.source.resolved
    }

    /// Keys and values that went on top of the text.
    #[getter]
    fn overrides(&self) -> Overrides {
        self.model.source.overrides.clone()
    }

    /// The file that the model was read from.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.model.source.path.clone()
    }

    /// What stands for the file in messages.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Other files that the model reads.
    #[getter]
    fn files(&self) -> Vec<PathBuf> {
        self.model.source.files.clone()
    }

    /// The word for the engine that runs it.
    #[getter]
    fn engine(&self) -> &'static str {
        self.model.engine.kind().name()
    }

    #[getter]
    fn dimension(&self) -> usize {
        self.model.space.dimension
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.model.run.seed
    }

    #[getter]
    fn steps(&self) -> u64 {
        self.model.run.steps
    }

    #[getter]
    fn timestep_us(&self) -> f64 {
        self.model.run.timestep
    }

    #[getter]
    fn until_us(&self) -> f64 {
        self.model.run.duration()
    }

    /// The names of the species, a state being a species of its own.
    #[getter]
    fn species(&self) -> Vec<String> {
        self.model.species.iter().map(|species| species.name.clone()).collect()
    }

    /// How many particles of each species there are at the start.
    #[getter]
    fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.model.species.len()];
        for placement in &self.model.placement {
            counts[placement.species as usize] += placement.count();
        }
        counts
    }

    /// The names of rules and of the entries of the schedule.
    #[getter]
    fn rules(&self) -> Vec<String> {
        self.model.rules().names()
    }
}

impl ParsedModel {
    fn new(py: Python<'_>, read: Result<Model, Faults>, name: String) -> PyResult<Self> {
        let model = read.map_err(|faults| faults.raise(py))?;
        Ok(Self { model: Arc::new(model), name })
    }
}

/// The table of keys as JSON.
#[pyfunction]
pub(crate) fn keys() -> String {
    model::keys_as_json().to_string()
}

/// Whether the text is a unit that model files know.
#[pyfunction]
pub(crate) fn is_unit(text: &str) -> bool {
    Unit::parse(text).is_ok()
}

/// A model file with these sections, as TOML.
#[pyfunction]
pub(crate) fn written(sections: &Bound<'_, PyDict>) -> PyResult<String> {
    match datum(sections.as_any())? {
        Datum::Table(sections) => Ok(model::written(&sections)),
        _ => Ok(String::new()),
    }
}

/// A value as TOML in one line.
#[pyfunction]
pub(crate) fn inline(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(datum(value)?.inline())
}

/// A value that consists of dict, list, str, int, float and bool alone.
fn datum(value: &Bound<'_, PyAny>) -> PyResult<Datum> {
    // The order matters: a bool is an int for Python.
    if let Ok(value) = value.cast::<PyBool>() {
        return Ok(Datum::Boolean(value.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return value.extract().map(Datum::Integer);
    }
    if let Ok(value) = value.cast::<PyFloat>() {
        return Ok(Datum::Float(value.value()));
    }
    if let Ok(list) = value.cast::<PyList>() {
        return list.iter().map(|item| datum(&item)).collect::<PyResult<_>>().map(Datum::List);
    }
    if let Ok(table) = value.cast::<PyDict>() {
        let entries = table.iter().map(|(key, value)| Ok((key.extract()?, datum(&value)?)));
        return entries.collect::<PyResult<_>>().map(Datum::Table);
    }
    value.extract().map(Datum::Text)
}
