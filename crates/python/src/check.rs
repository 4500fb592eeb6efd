//! What `jostle check` foretells, as figures for Python.

use jostle::model::{Model, measure};
use jostle::output::LogLevel;
use jostle::rules::Chance;
use jostle::run::{Check, PairForecast, RunError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Raise, of_model};

/// Everything that is foretold: the keys are the attributes of `Check` in `python/jostle/check.py`.
pub(crate) fn foretold<'py>(
    py: Python<'py>,
    model: &Model,
    checked: &Check,
) -> PyResult<Bound<'py, PyDict>> {
    let forecast = &checked.forecast;
    let figures = PyDict::new(py);
    figures.set_item("text", checked.to_string())?;
    let warnings = checked.warnings.iter().map(|warning| (&warning.key, &warning.text));
    figures.set_item("warnings", warnings.collect::<Vec<_>>())?;
    figures.set_item("fault", checked.fault)?;
    let counts = PyDict::new(py);
    for kind in &forecast.particles {
        counts.set_item(&kind.name, kind.count)?;
    }
    figures.set_item("counts", counts)?;
    figures.set_item("packing_fraction", forecast.packing_fraction)?;
    let step = step_nm(model);
    figures.set_item("step_nm", step)?;
    let radius = measure::smallest_radius(model);
    figures.set_item("step_over_radius", step.zip(radius).map(|(step, radius)| step / radius))?;
    figures.set_item("search", &forecast.search)?;
    figures.set_item("contacts_per_step", forecast.contacts_per_step)?;
    figures.set_item("wall_contacts_per_step", forecast.wall_contacts_per_step)?;
    figures.set_item("seconds", forecast.run_time)?;
    figures.set_item("seconds_per_step", forecast.pace.map(|pace| pace.step))?;
    figures.set_item("threads", &forecast.threads)?;
    figures.set_item("memory_bytes", forecast.memory)?;
    let with_contacts = model.output.log == LogLevel::All;
    let size = |[frames, contacts]: [f64; 2]| frames + if with_contacts { contacts } else { 0.0 };
    figures.set_item("file_bytes", forecast.file.map(size))?;
    let events = PyDict::new(py);
    for (name, expected) in model.rules().names().iter().zip(&forecast.outlook.events) {
        events.set_item(name, expected)?;
    }
    figures.set_item("events", events)?;
    let rules: PyResult<Vec<_>> = forecast.pairs.iter().map(|pair| rule(py, pair)).collect();
    figures.set_item("rules", rules?)?;
    Ok(figures)
}

/// The rms step per axis of the fastest species \[nm\], in Brownian models.
fn step_nm(model: &Model) -> Option<f64> {
    let diffusion = model.species.iter().filter_map(|species| species.diffusion_coefficient);
    let largest = diffusion.reduce(f64::max)?;
    Some(measure::rms_step(largest, model.run.timestep))
}

/// What a rule amounts to for some pairs of species.
fn rule<'py>(py: Python<'py>, pair: &PairForecast) -> PyResult<Bound<'py, PyDict>> {
    let figures = PyDict::new(py);
    figures.set_item("rule", &pair.rule)?;
    let pairs: Vec<_> = pair.pairs.iter().map(|[a, b]| (a, b)).collect();
    figures.set_item("pairs", pairs)?;
    figures.set_item("dimension", pair.dimension)?;
    let given = match pair.chance {
        Chance::Intrinsic(_) => "rate",
        Chance::Macroscopic(_) => "k_on",
        Chance::Probability(_) => "probability",
    };
    figures.set_item("given", given)?;
    let odds = pair.odds.as_ref();
    let probability = odds.map(|odds| odds.probability.as_ref());
    figures.set_item("probability", probability.and_then(Result::ok))?;
    figures.set_item("impossible", probability.and_then(Result::err))?;
    figures.set_item("k_a", odds.and_then(|odds| odds.rate))?;
    figures.set_item("k_on", odds.and_then(|odds| odds.macroscopic))?;
    figures.set_item("unbinding", pair.unbinding)?;
    figures.set_item("unbinding_correction", odds.map(|odds| odds.unbinding_correction))?;
    figures.set_item("step_over_distance", odds.map(|odds| odds.step_over_distance))?;
    figures.set_item("calibrated_up_to", odds.map(|odds| odds.calibrated_up_to))?;
    figures.set_item("largest_timestep_us", odds.and_then(|odds| odds.largest_timestep))?;
    Ok(figures)
}

/// Why a model that is valid in itself cannot be run, with the place in its text that says so.
pub(crate) fn refused(py: Python<'_>, name: &str, model: &Model, error: &RunError) -> PyErr {
    let origin = match error {
        RunError::Placement(amiss) => amiss.origin(model),
        RunError::Memory { most, .. } => model.origin_of(most),
        _ => None,
    };
    let Some(origin) = origin else { return error.raise(py) };
    let faults = origin.fault(name, error.to_string());
    of_model(py, "PlacementError", &faults)
}
