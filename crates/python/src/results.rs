//! Questions to output files. A file is opened for each question: it may still be written, here or
//! elsewhere, and nothing keeps it from being resumed or replaced afterwards.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use jostle::analysis::{self, Cell, Reading, TableError};
use jostle::cli::Failure;
use jostle::cli::ask::{self, Given, Misasked};
use jostle::export::ExportError;
use jostle::report::{PageOptions, Thinning, page, player_page};
use jostle::run::in_pool;
use pyo3::exceptions::{PyFileExistsError, PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::errors::of_failure;
use crate::forks::detached;
use crate::outputs::may_write;
use crate::pictures::Sheet;
use crate::tables::Table;
use crate::words::in_python;

/// Between two looks at signals while a file is written. \[s\]
const PAUSE: Duration = Duration::from_millis(50);

/// The value of an option.
#[derive(FromPyObject)]
pub(crate) enum Value {
    Flag(bool),
    Text(String),
    List(Vec<String>),
}

/// Options by the names of the command line.
type Options = Vec<(String, Value)>;

fn given(options: Options) -> Vec<(String, Given)> {
    let given = |value| match value {
        Value::Flag(is_set) => Given::Flag(is_set),
        Value::Text(text) => Given::Text(text),
        Value::List(texts) => Given::List(texts),
    };
    options.into_iter().map(|(key, value)| (key, given(value))).collect()
}

/// Answers a question to a file while Python does other things.
pub(crate) fn ask_file<T: Send>(
    py: Python<'_>,
    path: &Path,
    question: impl FnOnce(&Reading) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    // Never on the pool of the process, which a forked child could not use.
    let answer = detached(py, || in_pool(0, || question(&analysis::open(path)?)));
    answer.map_err(Failure::from).and_then(|answer| answer).map_err(|why| raised(py, why))
}

/// The exception that tells why a question has no answer.
fn raised(py: Python<'_>, failure: Failure) -> PyErr {
    let Failure::Error(error) = failure else { return of_failure(py, failure) };
    let text = in_python(&error.to_string());
    let error = match error.downcast::<ExportError>() {
        Ok(why) => match *why {
            ExportError::Exists(_) => return PyFileExistsError::new_err(text),
            ExportError::Asked(_) => return PyValueError::new_err(text),
            ExportError::Write { .. } => return PyOSError::new_err(text),
            ExportError::Interrupted => return of_failure(py, Failure::Interrupted),
            ExportError::Read(why) => why.into(),
        },
        Err(error) => error,
    };
    if error.is::<Misasked>() {
        return PyValueError::new_err(text);
    }
    if error.is::<std::io::Error>() || error.is::<TableError>() {
        return PyOSError::new_err(text);
    }
    of_failure(py, Failure::Error(error))
}

/// What a file answers: a title, tables and figures by name, and notes.
type Answered = (String, Vec<(String, Table)>, Vec<(String, Sheet)>, Vec<String>);

fn answered(answer: ask::Answered) -> Answered {
    let tables = answer.tables.into_iter().map(|(name, table)| (name, table.into()));
    let figures = answer.figures.into_iter().map(|(name, sheet)| (name, Sheet(sheet)));
    (answer.title, tables.collect(), figures.collect(), answer.notes)
}

/// What an analysis says of a file.
#[pyfunction]
pub(crate) fn analyse(
    py: Python<'_>,
    path: PathBuf,
    what: &str,
    options: Options,
) -> PyResult<Answered> {
    let options = given(options);
    ask_file(py, &path, |reading| ask::analyse(reading, what, &options)).map(answered)
}

/// What the log of contacts says.
#[pyfunction]
pub(crate) fn contacts(py: Python<'_>, path: PathBuf, options: Options) -> PyResult<Answered> {
    let options = given(options);
    ask_file(py, &path, |reading| ask::contacts(reading, &options)).map(answered)
}

/// What is in a file: as JSON, as rows of names and values, and as text.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "a tuple for Python, which names its parts")]
pub(crate) fn info(
    py: Python<'_>,
    path: PathBuf,
) -> PyResult<(String, Vec<(String, String)>, String)> {
    let info = ask_file(py, &path, |reading| Ok(analysis::info(reading)?))?;
    let cell = |cell: Option<&Cell>| cell.map_or(String::new(), ToString::to_string);
    let rows = info.to_table().rows;
    let rows = rows.iter().map(|row| (cell(row.first()), cell(row.get(1))));
    Ok((info.to_json().to_string(), rows.collect(), info.to_string()))
}

/// What the run of a file has warned of.
#[pyfunction]
pub(crate) fn warnings(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    ask_file(py, &path, |reading| Ok(analysis::warnings(reading)?))
}

/// How clusters merged and fell apart.
#[pyclass(frozen, module = "jostle._jostle")]
pub(crate) struct Genealogy(analysis::Genealogy);

#[pymethods]
impl Genealogy {
    /// A row for each life of a cluster.
    fn lives(&self) -> Table {
        (&self.0.to_table()).into()
    }

    /// A row for each descent.
    fn descents(&self) -> Table {
        (&self.0.descents_to_table()).into()
    }

    /// Writes it as .graphml, .dot or .csv.
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        may_write(path.clone(), overwrite)?;
        py.detach(|| ask::save_genealogy(&path, &self.0)).map_err(|why| raised(py, why))
    }
}

/// The genealogy of clusters in a file.
#[pyfunction]
pub(crate) fn genealogy(
    py: Python<'_>,
    path: PathBuf,
    cluster: Option<u64>,
    size: Option<u32>,
) -> PyResult<Genealogy> {
    ask_file(py, &path, |reading| ask::genealogy(reading, cluster, size)).map(Genealogy)
}

/// A picture of frames, and what is missing in it.
#[pyfunction]
pub(crate) fn snapshot(
    py: Python<'_>,
    path: PathBuf,
    options: Options,
) -> PyResult<(Sheet, Vec<String>)> {
    let options = given(options);
    let drawn = ask_file(py, &path, |reading| ask::snapshot(reading, &options))?;
    Ok((Sheet(drawn.0), drawn.1))
}

/// A page about a file, or only its player, with this many frames; and its notes.
#[pyfunction]
pub(crate) fn report(
    py: Python<'_>,
    path: PathBuf,
    frames: Option<u32>,
    only_player: bool,
) -> PyResult<(String, Vec<String>)> {
    let mut options = PageOptions::default();
    if let Some(count) = frames {
        if count == 0 {
            return Err(PyValueError::new_err("frames: at least one is needed"));
        }
        options.thinning = Thinning::Frames(count as usize);
    }
    let page = ask_file(py, &path, |reading| match only_player {
        true => Ok(player_page(reading, &options)?),
        false => Ok(page(reading, &options)?),
    })?;
    Ok((page.html, page.notes))
}

/// Writes a file in the format of another program; the files written, and notes.
#[pyfunction]
pub(crate) fn export(
    py: Python<'_>,
    path: PathBuf,
    out: PathBuf,
    options: Options,
) -> PyResult<(Vec<PathBuf>, Vec<String>)> {
    let options = given(options);
    let work = |stop: &AtomicBool| {
        let reading = analysis::open(&path)?;
        ask::export(&reading, &out, &options, stop)
    };
    let done = until_signal(py, work)?.map_err(|why| raised(py, why))?;
    let missing = done.missing.iter().map(|what| format!("the file has no {what}"));
    let renamed = done.renamed.iter().map(|[whole, short]| format!("{whole} is called {short}"));
    let notes = missing.chain(renamed).collect();
    Ok((std::iter::once(done.path).chain(done.folder).collect(), notes))
}

/// Does `work` on a thread and looks at Python's signals meanwhile; one that raises an exception
/// sets the flag that `work` is given, and is raised when `work` has ended.
fn until_signal<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    std::thread::scope(|threads| {
        let (send, mut receive) = channel();
        let stop = &stop;
        let thread = threads.spawn(move || {
            let _ = send.send(work(stop));
        });
        let mut heard = Ok(());
        loop {
            let (back, word) = py.detach(move || {
                let word = receive.recv_timeout(PAUSE);
                (receive, word)
            });
            receive = back;
            match word {
                Ok(done) => return heard.map(|()| done),
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => {
                    // It panicked; so does this thread, and Python gets an exception.
                    let panic = thread.join().err();
                    std::panic::resume_unwind(panic.unwrap_or_else(|| Box::new("no result")));
                }
            }
            if heard.is_ok() {
                heard = py.check_signals();
                stop.store(heard.is_err(), Ordering::Relaxed);
            }
        }
    })
}
