//! Sweeps: planned, run, and asked what came of them. Python has their folder; all else is in it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jostle::report::sweep_page;
use jostle::sweep::{
    self, Added, End, News, Outcome, Plan, PlanError, State, Status, SweepError, SweepOptions,
    merge_all, missing, of_replicas,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::Raise;
use crate::tables::Table;

/// Between two looks at signals while Python waits.
const PAUSE: Duration = Duration::from_millis(50);

/// A run of a sweep that failed: its point, its replica, its seed, and why.
type FailedRun = (usize, u32, u64, String);
/// A run of a sweep that warned of something: its point, its replica, its seed, and of what.
type WarnedRun = (usize, u32, u64, Vec<String>);

/// Says what starts the program, so that runs of sweeps find it: a command and its first arguments.
#[pyfunction]
pub(crate) fn set_program(command: Vec<std::ffi::OsString>) {
    sweep::set_program(command);
}

/// Stops what it was given to, from any thread.
#[pyclass(frozen, module = "jostle._jostle")]
pub(crate) struct StopFlag(Arc<AtomicBool>);

#[pymethods]
impl StopFlag {
    #[new]
    fn new() -> Self {
        Self(Arc::default())
    }

    /// Stops it soon.
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A sweep that is planned in a folder.
#[pyclass(frozen, module = "jostle._jostle")]
pub(crate) struct SweepFolder {
    folder: PathBuf,
}

impl SweepFolder {
    fn opened(&self, py: Python<'_>) -> PyResult<Plan> {
        py.detach(|| sweep::open(&self.folder)).map_err(|why| why.raise(py))
    }

    /// Asks something of the folder.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        what: impl FnOnce(&Plan) -> Result<T, PlanError> + Send,
    ) -> PyResult<T> {
        let plan = self.opened(py)?;
        py.detach(|| what(&plan)).map_err(|why| SweepError::from(why).raise(py))
    }

    /// Does something that needs no watching.
    fn act<T: Send>(
        &self,
        py: Python<'_>,
        what: impl FnOnce() -> Result<T, SweepError> + Send,
    ) -> PyResult<T> {
        py.detach(what).map_err(|why| why.raise(py))
    }
}

#[pymethods]
impl SweepFolder {
    /// Plans a sweep file in a folder; with it comes what its author should know.
    #[staticmethod]
    fn plan(py: Python<'_>, file: PathBuf, folder: PathBuf) -> PyResult<(Self, Vec<String>)> {
        let out = folder.clone();
        let work = move |_: &AtomicBool| sweep::plan(&file, &out);
        let (_, notes) = watched(py, &Arc::default(), work, |_| Ok(()))?;
        Ok((Self { folder }, notes.into_iter().map(|note| note.message).collect()))
    }

    /// Opens a folder with a plan.
    #[staticmethod]
    fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let this = Self { folder };
        this.opened(py).map(|_| this)
    }

    /// Whether the plan was made of this sweep file and its model, whatever was added since.
    fn is_of(&self, py: Python<'_>, file: PathBuf) -> PyResult<bool> {
        let plan = self.opened(py)?;
        let folder = &self.folder;
        let is_of = py.detach(|| -> Result<bool, SweepError> {
            let sweep = jostle::sweep::read(&file)?;
            let model = file.with_file_name("").join(&sweep.model);
            let same_text = Plan::file_text(folder)?.is_some_and(|text| text == sweep.text);
            Ok(same_text && plan.is_of(&sweep, &model, folder))
        });
        is_of.map_err(|why| why.raise(py))
    }

    /// The sweep file, if there was one.
    fn text(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.ask(py, |_| Plan::file_text(&self.folder))
    }

    /// What the sweep will take, line by line.
    fn forecast(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let (plan, folder) = (self.opened(py)?, self.folder.clone());
        let work = move |_: &AtomicBool| sweep::foretell(&plan, &folder);
        watched(py, &Arc::default(), work, |_| Ok(()))
    }

    /// Runs what has not been done; `tell` is called now and then with the number of runs that are
    /// done, and of all that are to be. Returns what is to be said to the user.
    #[pyo3(signature = (jobs, more, stop, tell))]
    fn run(
        &self,
        py: Python<'_>,
        jobs: Option<usize>,
        more: bool,
        stop: &StopFlag,
        tell: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<String>> {
        let heard = Arc::new(Heard::default());
        let (folder, hears) = (self.folder.clone(), heard.clone());
        let work = move |stop: &AtomicBool| {
            sweep::run(&folder, &SweepOptions::new(jobs, more), stop, &|news| hears.hear(news))
        };
        let show = |_: Python<'_>| match &tell {
            Some(tell) => tell.call1(heard.runs()).map(drop),
            None => Ok(()),
        };
        watched(py, &stop.0, work, show)?;
        show(py)?;
        Ok(std::mem::take(&mut *heard.said.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Runs a task, unless it has been done; returns how many of its runs failed.
    fn task(&self, py: Python<'_>, number: usize, stop: &StopFlag) -> PyResult<usize> {
        let folder = self.folder.clone();
        let work = move |stop: &AtomicBool| sweep::task(&folder, number, stop);
        match watched(py, &stop.0, work, |_| Ok(()))? {
            End::Done { failed } => Ok(failed),
            End::Stopped => Err(SweepError::Stopped.raise(py)),
        }
    }

    /// The tasks that have not been done, each with the number of its runs.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<(usize, usize)>> {
        self.ask(py, |plan| {
            let tasks = missing(plan, &self.folder).into_iter();
            Ok(tasks.map(|task| (task, plan.members_of(task).len())).collect())
        })
    }

    /// The number of points, of tasks and of runs, how many runs are done, which of them failed, the
    /// tasks that have not been done, and which runs warned of something.
    #[expect(clippy::type_complexity, reason = "a tuple for Python, which names its parts")]
    fn status(
        &self,
        py: Python<'_>,
    ) -> PyResult<(usize, usize, usize, usize, Vec<FailedRun>, Vec<usize>, Vec<WarnedRun>)> {
        let Status { points, tasks, runs, done, failures, warned, missing } =
            self.act(py, || sweep::status(&self.folder))?;
        let failure = |member: jostle::sweep::MemberResult| match member.outcome {
            Outcome::Failed(why) => Some((member.point, member.replica, member.seed, why)),
            Outcome::Tables(_) => None,
        };
        let failures = failures.into_iter().filter_map(failure).collect();
        let warning = |member: jostle::sweep::MemberResult| {
            (member.point, member.replica, member.seed, member.warnings)
        };
        let warned = warned.into_iter().map(warning).collect();
        Ok((points, tasks, runs, done, failures, missing, warned))
    }

    /// Adds replicas; returns the points that got more and how many, how many runs and tasks that
    /// is, and what is to be said to the user.
    #[expect(clippy::type_complexity, reason = "a tuple for Python, which names its parts")]
    fn more(
        &self,
        py: Python<'_>,
        replicas: Option<u32>,
    ) -> PyResult<(Vec<(usize, u32)>, usize, usize, Vec<String>)> {
        let Added { points, runs, tasks, notes } =
            self.act(py, || sweep::more(&self.folder, replicas))?;
        Ok((points, runs, tasks, notes))
    }

    /// A job script for what has not been done, and what its user should know.
    fn script(&self, py: Python<'_>, engine: &str) -> PyResult<(String, Option<String>)> {
        let engine = engine.parse().map_err(PyValueError::new_err)?;
        self.act(py, || sweep::script(&self.folder, engine))
    }

    /// The page about the sweep, to be written to `out`, and what its reader should know.
    fn page(&self, py: Python<'_>, out: PathBuf) -> PyResult<(String, Vec<String>)> {
        let page =
            self.act(py, || Ok(sweep_page(&sweep::open(&self.folder)?, &self.folder, &out)?))?;
        Ok((page.html, page.notes))
    }

    /// All tables that have rows, merged over replicas or of differences from a point, in the order in
    /// which they are measured.
    #[pyo3(signature = (against=None))]
    fn merged(&self, py: Python<'_>, against: Option<usize>) -> PyResult<Vec<(String, Table)>> {
        let tables = self.ask(py, |plan| {
            let names = State::of(plan, &self.folder)?.tables;
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let merged = merge_all(plan, &self.folder, &names, against)?;
            // The others have no rows in any run.
            let merged = merged.into_iter().flatten();
            Ok(merged.map(|table| (table.name.clone(), table.to_table(plan))).collect::<Vec<_>>())
        });
        Ok(tables?.into_iter().map(|(name, table)| (name, Table::from(&table))).collect())
    }

    /// A table of all replicas, and how many of its columns, behind those of the point and the
    /// replica, say what a row is about.
    fn of_replicas(&self, py: Python<'_>, name: &str) -> PyResult<(Table, usize)> {
        let found = self.ask(py, |plan| {
            let found = of_replicas(plan, &self.folder, name)?;
            Ok((found.to_table(plan), found.about.len()))
        });
        let (table, about) = found?;
        Ok((Table::from(&table), about))
    }

    /// The main table of each thing that is measured.
    fn main_tables(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let plan = self.opened(py)?;
        let tables: Result<Vec<_>, _> = plan.measures.iter().map(sweep::main_table).collect();
        tables.map_err(|why| SweepError::from(why).raise(py))
    }

    /// What each point sets, and how many replicas it has.
    #[expect(clippy::type_complexity, reason = "a tuple for Python, which names its parts")]
    fn points(&self, py: Python<'_>) -> PyResult<Vec<(Vec<(String, String)>, u32)>> {
        let plan = self.opened(py)?;
        let points = plan.points().iter().enumerate();
        Ok(points.map(|(n, point)| (point.values.clone(), plan.replicas_of(n))).collect())
    }

    /// The seed, and whether the plan says how well something is to be known.
    fn facts(&self, py: Python<'_>) -> PyResult<(u64, bool)> {
        let plan = self.opened(py)?;
        Ok((plan.seed(), plan.precision.is_some()))
    }
}

/// What has been heard of a sweep that runs.
#[derive(Default)]
struct Heard {
    done: AtomicUsize,
    all: AtomicUsize,
    said: Mutex<Vec<String>>,
}

impl Heard {
    fn hear(&self, news: News) {
        match news {
            News::Begun(runs) => drop(self.all.fetch_add(runs, Ordering::Relaxed)),
            News::Done(runs) => drop(self.done.fetch_add(runs, Ordering::Relaxed)),
            News::Ended => {}
            News::Said(text) => {
                self.said.lock().unwrap_or_else(PoisonError::into_inner).push(text);
            }
        }
    }

    /// How many runs are done, and how many there are.
    fn runs(&self) -> (usize, usize) {
        (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed))
    }
}

/// Does something on a thread of its own and waits for it. Python's signals are looked at all the
/// while, and so is `show`; if either raises an exception, the work is stopped, and the exception
/// goes on when the work has ended.
fn watched<T: Send + 'static>(
    py: Python<'_>,
    stop: &Arc<AtomicBool>,
    work: impl FnOnce(&AtomicBool) -> Result<T, SweepError> + Send + 'static,
    mut show: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::channel();
    let its_stop = stop.clone();
    let thread = std::thread::Builder::new().name("jostle".into());
    thread.spawn(move || {
        // Without a receiver, nobody waits any longer.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(|| work(&its_stop))));
    })?;
    let receiver = Mutex::new(receiver);
    let wait = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PAUSE);
    let mut raised = None;
    let done = loop {
        match py.detach(wait) {
            Ok(Ok(done)) => break done,
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                let text = "an internal error of jostle, which should be reported";
                break Err(SweepError::Other(text.into()));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        // A second Ctrl-C does not wait any longer.
        if raised.is_some() {
            py.check_signals()?;
        } else if let Err(why) = py.check_signals().and_then(|()| show(py)) {
            stop.store(true, Ordering::Relaxed);
            raised = Some(why);
        }
    };
    match raised {
        Some(why) => Err(why),
        None => done.map_err(|why| why.raise(py)),
    }
}
