//! Simulations that Python advances step by step, and looks at in between.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, TryLockError};
use std::time::Duration;

use jostle::analysis::{Column, Columns, NO_WORD, Values};
use jostle::model::LogLevel;
use jostle::observe::{ChangeKind, Clock, Outcome};
use jostle::run::{self, ChangeColumns, Collect, ContactColumns, Ending, Lists, Snapshot};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Raise, by_name};
use crate::forks::{self, detached};
use crate::jobs::{Ended, cadence};
use crate::model::ParsedModel;
use crate::tables::Table;

/// Between two looks at signals while steps are done.
const PAUSE: Duration = Duration::from_millis(50);

/// A simulation that is advanced step by step.
#[pyclass(frozen, module = "jostle._jostle")]
pub(crate) struct Simulation {
    /// None once it is finished. One thread at a time has it.
    simulation: Mutex<Option<run::Simulation>>,
    /// When it was finished.
    end: OnceLock<Clock>,
    /// The names of faces of the box and of surfaces, by number.
    faces: Vec<String>,
}

impl Simulation {
    /// The simulation, for this thread alone.
    fn own(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Option<run::Simulation>>> {
        match self.simulation.try_lock() {
            Ok(simulation) => Ok(simulation),
            Err(TryLockError::Poisoned(simulation)) => Ok(simulation.into_inner()),
            Err(TryLockError::WouldBlock) => {
                let text = "another thread is using this simulation; let it finish first";
                Err(by_name(py, "RunError", (text,)))
            }
        }
    }

    /// Looks at it, or does something with it.
    fn with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut run::Simulation) -> PyResult<T>,
    ) -> PyResult<T> {
        match &mut *self.own(py)? {
            Some(simulation) => work(simulation),
            None => Err(by_name(py, "RunError", ("the simulation is finished",))),
        }
    }

    /// Where it is, or where it ended.
    fn clock(&self, py: Python<'_>) -> PyResult<Clock> {
        match self.end.get() {
            Some(&end) => Ok(end),
            None => self.with(py, |simulation| Ok(simulation.clock())),
        }
    }

    /// Asks it something that may fail.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&mut run::Simulation) -> Result<T, run::RunError> + Send,
    ) -> PyResult<T> {
        self.with(py, |simulation| {
            detached(py, || question(simulation)).map_err(|why| why.raise(py))
        })
    }

    /// Does steps, without the GIL, while Python's signals are looked at. After Ctrl-C it stands at
    /// the end of a step, and can be continued.
    fn advance(
        &self,
        py: Python<'_>,
        steps: impl FnOnce(&mut run::Simulation, &mut dyn FnMut(Clock)) -> Result<Ending, run::RunError>
        + Send,
    ) -> PyResult<()> {
        self.with(py, |simulation| {
            let stop = Arc::clone(simulation.stop());
            let mut raised = None;
            let attend = &mut |_: Clock| {
                forks::let_by();
                if let Err(why) = Python::attach(|py| py.check_signals()) {
                    raised = Some(why);
                    stop.store(true, Ordering::Relaxed);
                }
            };
            let done = detached(py, || steps(simulation, attend));
            stop.store(false, Ordering::Relaxed);
            match (raised, done) {
                (Some(why), _) => Err(why),
                (None, done) => done.map(drop).map_err(|why| why.raise(py)),
            }
        })
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (model, out, *, overwrite, self_check, checkpoint, contacts, changes))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        py: Python<'_>,
        model: &ParsedModel,
        out: Option<PathBuf>,
        overwrite: bool,
        self_check: bool,
        checkpoint: &str,
        contacts: &str,
        changes: bool,
    ) -> PyResult<Self> {
        let contacts = LogLevel::parse(contacts).ok_or_else(|| {
            PyValueError::new_err("contacts: write \"none\", \"reactions\" or \"all\"")
        })?;
        let options = run::SimulationOptions {
            keep: out.as_ref().map(|_| cadence(checkpoint)).transpose()?,
            out,
            force: overwrite,
            self_check,
            collect: Collect { contacts, changes },
            ..Default::default()
        };
        let faces = ["x-", "x+", "y-", "y+", "z-", "z+", "side"].map(str::to_owned).into_iter();
        let surfaces = model.model.surroundings().surfaces.iter();
        let faces = faces.chain(surfaces.map(|surface| surface.name.clone())).collect();
        let model = Arc::clone(&model.model);
        let made = detached(py, || run::Simulation::new(model, options));
        let simulation = made.map_err(|why| why.raise(py))?;
        Ok(Self { simulation: Mutex::new(Some(simulation)), end: OnceLock::new(), faces })
    }

    /// Does this many steps.
    fn step(&self, py: Python<'_>, steps: u64) -> PyResult<()> {
        self.advance(py, |simulation, attend| simulation.step_attended(steps, PAUSE, attend))
    }

    /// Does all steps up to a time. \[µs\]
    fn run_until(&self, py: Python<'_>, time_us: f64) -> PyResult<()> {
        self.advance(py, |simulation, attend| simulation.run_until_attended(time_us, PAUSE, attend))
    }

    /// Whether it is finished.
    #[getter]
    fn is_finished(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.own(py)?.is_none())
    }

    /// The names of the species, by number.
    #[getter]
    fn species(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |simulation| Ok(names(simulation)))
    }

    /// The steps done.
    #[getter]
    fn steps_done(&self, py: Python<'_>) -> PyResult<u64> {
        self.clock(py).map(|clock| clock.step)
    }

    /// \[µs\]
    #[getter]
    fn time_us(&self, py: Python<'_>) -> PyResult<f64> {
        self.clock(py).map(|clock| clock.time())
    }

    /// The fingerprint of the state.
    fn state_hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.ask(py, run::Simulation::state_hash)
    }

    /// The state, array by array.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = self.ask(py, run::Simulation::state)?;
        arrays(py, state)
    }

    /// Positions alone. \[nm\]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let positions = self.ask(py, run::Simulation::positions)?;
        let dimension = self.with(py, |simulation| Ok(simulation.model().space.dimension))?;
        let shape = [positions.len() / dimension, dimension];
        positions.into_pyarray(py).reshape(shape)
    }

    /// How often each cause of changes has applied and was refused, by name.
    fn rule_counts(&self, py: Python<'_>) -> PyResult<Vec<(String, u64, u64)>> {
        let counts = self.ask(py, run::Simulation::rule_counts)?;
        let causes = self.with(py, |simulation| Ok(simulation.causes()))?;
        Ok(causes.into_iter().zip(counts).map(|(name, n)| (name, n.done, n.refused)).collect())
    }

    /// What it would warn of if it ended here.
    fn warnings(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, run::Simulation::warnings)
    }

    /// Contacts and changes since the last call, as two tables.
    fn collected(&self, py: Python<'_>) -> PyResult<(Table, Table)> {
        let collected = self.ask(py, run::Simulation::collected)?;
        let (species, causes) =
            self.with(py, |simulation| Ok((names(simulation), simulation.causes())))?;
        let words = Words { species, causes, faces: self.faces.clone() };
        let tables =
            py.detach(|| (words.contacts(collected.contacts), words.changes(collected.changes)));
        Ok((tables.0.into(), tables.1.into()))
    }

    /// Adds particles of a species at these places \[nm\], one after the other; their identities.
    fn add(&self, py: Python<'_>, species: &str, places: Vec<f64>) -> PyResult<Vec<u64>> {
        self.ask(py, |simulation| simulation.add(species, &places))
    }

    /// Takes particles away.
    fn remove(&self, py: Python<'_>, ids: Vec<u64>) -> PyResult<()> {
        self.ask(py, |simulation| simulation.remove(&ids))
    }

    /// Gives a rule another rate.
    fn set_rate(&self, py: Python<'_>, rule: &str, rate: &str) -> PyResult<()> {
        self.ask(py, |simulation| simulation.set_rate(rule, rate))
    }

    /// Ends it, and closes its file.
    fn finish(&self, py: Python<'_>) -> PyResult<Ended> {
        let finished = || by_name(py, "RunError", ("the simulation is finished",));
        let simulation = self.own(py)?.take().ok_or_else(finished)?;
        self.end.get_or_init(|| simulation.clock());
        let summary = detached(py, || simulation.finish()).map_err(|why| why.raise(py))?;
        Ok(Ended {
            is_finished: summary.ending == Ending::Finished,
            text: summary.to_string(),
            is_equal: None,
        })
    }
}

/// The names of the species, by number.
fn names(simulation: &run::Simulation) -> Vec<String> {
    simulation.species().into_iter().map(|species| species.name).collect()
}

/// The arrays of a state by name; those that it does not have are left out.
fn arrays(py: Python<'_>, state: Snapshot) -> PyResult<Bound<'_, PyDict>> {
    let (n, d) = (state.len(), state.dimension);
    let dict = PyDict::new(py);
    // Bonds are between places in these arrays, as those of frames are.
    let places: HashMap<u64, i64> = state.id.iter().copied().zip(0..).collect();
    let identities = |ids: Vec<u64>| ids.into_iter().map(|id| id as i64).collect::<Vec<_>>();
    // In files and tables, velocities are in nm/ns.
    let per_ns = |all: Vec<f64>| all.into_iter().map(|v| v / 1e3).collect::<Vec<_>>();
    dict.set_item("step", state.step)?;
    dict.set_item("time_us", state.time_us)?;
    dict.set_item("ids", identities(state.id).into_pyarray(py))?;
    dict.set_item("species_index", state.species.into_pyarray(py))?;
    dict.set_item("positions", state.position.into_pyarray(py).reshape([n, d])?)?;
    dict.set_item("images", state.image.into_pyarray(py).reshape([n, d])?)?;
    dict.set_item("radii", state.radius.into_pyarray(py))?;
    dict.set_item("clusters", identities(state.cluster).into_pyarray(py))?;
    dict.set_item("cluster_sizes", state.cluster_size.into_pyarray(py))?;
    dict.set_item("largest_cluster", state.largest_cluster)?;
    let bonds: Vec<i64> = state.bonds.iter().flatten().map(|id| places[id]).collect();
    dict.set_item("bonds", bonds.into_pyarray(py).reshape([state.bonds.len(), 2])?)?;
    if let Some(velocity) = state.velocity {
        dict.set_item("velocities", per_ns(velocity).into_pyarray(py).reshape([n, d])?)?;
    }
    let turned = [("orientations", state.angle), ("angular_velocities", state.angular_velocity)];
    for (name, values) in turned {
        let values: Option<Bound<'_, PyArray1<f64>>> = values.map(|all| all.into_pyarray(py));
        if let Some(values) = values {
            dict.set_item(name, values)?;
        }
    }
    Ok(dict)
}

/// The names that stand in tables.
struct Words {
    species: Vec<String>,
    causes: Vec<String>,
    faces: Vec<String>,
}

impl Words {
    /// The columns of `jostle contacts`.
    fn contacts(&self, found: ContactColumns) -> Columns {
        let walls = self.faces.iter().map(|face| format!("wall {face}"));
        let partners: Vec<String> = self.species.iter().cloned().chain(walls).collect();
        let partner = |k: usize| match found.species_b[k] {
            -1 => self.species.len() as i32 + found.face[k],
            species => species,
        };
        let is_wall: Vec<bool> = found.b.iter().map(|&b| b < 0).collect();
        let outcomes = Outcome::ALL.iter().map(|outcome| outcome.name().to_owned()).collect();
        let place = |axis: usize| match axis < found.dimension {
            true => found.place.iter().skip(axis).step_by(found.dimension).copied().collect(),
            false => vec![0.0; found.len()],
        };
        let species_a = found.species_a.iter().map(|&s| i32::from(s)).collect();
        let missing = is_wall.contains(&true).then_some(is_wall);
        columns([
            ("time (µs)", Values::Numbers(found.time_us.clone())),
            ("step", integers(&found.step)),
            ("a", integers(&found.a)),
            ("b", Values::Integers(found.b.iter().map(|&b| b.max(0)).collect(), missing)),
            ("species", Values::Texts(species_a, self.species.clone())),
            ("partner", Values::Texts((0..found.len()).map(partner).collect(), partners)),
            ("outcome", Values::Texts(codes(&found.outcome), outcomes)),
            ("rule", Values::Texts(found.rule.clone(), self.causes.clone())),
            ("x (nm)", Values::Numbers(place(0))),
            ("y (nm)", Values::Numbers(place(1))),
            ("z (nm)", Values::Numbers(place(2))),
            ("approach (nm/ns)", Values::Numbers(found.approach.iter().map(|v| v / 1e3).collect())),
        ])
    }

    /// Changes, in which several particles stand one after the other in a text.
    fn changes(&self, found: ChangeColumns) -> Columns {
        let kinds = ChangeKind::ALL.iter().map(|kind| kind.name().to_owned()).collect();
        let causes = found.cause.iter().map(|&cause| i32::from(cause)).collect();
        let name = |&species: &u16| self.species[species as usize].clone();
        let place = |axis: usize| match axis < found.dimension {
            true => found.place.iter().skip(axis).step_by(found.dimension).copied().collect(),
            false => vec![0.0; found.len()],
        };
        columns([
            ("time (µs)", Values::Numbers(found.time_us.clone())),
            ("step", integers(&found.step)),
            ("kind", Values::Texts(codes(&found.kind), kinds)),
            ("rule", Values::Texts(causes, self.causes.clone())),
            ("reactants", listed(&found.reactants.id, u64::to_string)),
            ("reactant species", listed(&found.reactants.species, name)),
            ("products", listed(&found.products.id, u64::to_string)),
            ("product species", listed(&found.products.species, name)),
            ("x (nm)", Values::Numbers(place(0))),
            ("y (nm)", Values::Numbers(place(1))),
            ("z (nm)", Values::Numbers(place(2))),
        ])
    }
}

fn columns<const N: usize>(columns: [(&str, Values); N]) -> Columns {
    let column = |(head, values): (&str, Values)| Column { head: head.to_owned(), values };
    Columns { columns: columns.map(column).into() }
}

fn integers(values: &[u64]) -> Values {
    Values::Integers(values.iter().map(|&value| value as i64).collect(), None)
}

fn codes(values: &[u8]) -> Vec<i32> {
    values.iter().map(|&value| i32::from(value)).collect()
}

/// Lists as texts, each entry after a space; an empty list is missing.
fn listed<T>(lists: &Lists<T>, word: impl Fn(&T) -> String) -> Values {
    let mut words: Vec<String> = Vec::new();
    let mut known = std::collections::HashMap::new();
    let text = |ends: &[i32]| {
        let list = &lists.values[ends[0] as usize..ends[1] as usize];
        list.iter().map(&word).collect::<Vec<_>>().join(" ")
    };
    let place = |text: String| match text.is_empty() {
        true => NO_WORD,
        false => *known.entry(text.clone()).or_insert_with(|| {
            words.push(text);
            words.len() as i32 - 1
        }),
    };
    let places = lists.offsets.windows(2).map(text).map(place).collect();
    Values::Texts(places, words)
}

/// A time with its unit in µs; `name` stands for the argument in messages.
#[pyfunction]
pub(crate) fn microseconds(text: &str, name: &str) -> PyResult<f64> {
    jostle::analysis::ask::time(text).map_err(|why| PyValueError::new_err(format!("{name}: {why}")))
}
