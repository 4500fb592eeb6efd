//! Questions to output files. A file is opened for each question: it may still be written, here or
//! elsewhere, and nothing keeps it from being resumed or replaced afterwards.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use jostle::analysis::ask::{
    Analysis, AnalysisOptions, AskError, Given, GraphFormat, LogOptions, read, split_names,
};
use jostle::analysis::{self, Cell, Columns, ReadError, Reading, UnitSystem};
use jostle::export::{ExportAsked, ExportError};
use jostle::report::figures::{of_answer, of_log};
use jostle::report::{FrameOptions, PageOptions, Thinning, page, player_page};
use jostle::run::in_pool;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::Raise;
use crate::forks::detached;
use crate::outputs::may_write;
use crate::pictures::Sheet;
use crate::tables::Table;

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
pub(crate) fn ask_file<T: Send, E: Raise + From<ReadError> + Send>(
    py: Python<'_>,
    path: &Path,
    question: impl FnOnce(&Reading) -> Result<T, E> + Send,
) -> PyResult<T> {
    // Never on the pool of the process, which a forked child could not use.
    let answer = detached(py, || in_pool(0, || question(&analysis::open(path)?)));
    answer.map_err(|why| why.raise(py))?.map_err(|why| why.raise(py))
}

/// What a file answers: a title, tables and figures by name, and notes.
type Answered = (String, Vec<(String, Table)>, Vec<(String, Sheet)>, Vec<String>);

/// What an analysis says of a file.
#[pyfunction]
pub(crate) fn analyse(
    py: Python<'_>,
    path: PathBuf,
    what: &str,
    options: Options,
) -> PyResult<Answered> {
    let options = given(options);
    ask_file(py, &path, |reading| -> Result<Answered, AskError> {
        let analysis = Analysis::named(what)?;
        let options: AnalysisOptions = read(&options)?;
        options.check(&[analysis])?;
        let answer = analysis.answer(reading, &options)?;
        let figures = of_answer(&answer.found, reading)?.into_iter();
        let figures = figures.map(|(name, sheet)| (name.to_owned(), Sheet(sheet))).collect();
        let tables = answer.tables.in_units(UnitSystem::of(reading));
        let all = tables.all().map(|(name, table)| (name.to_owned(), Columns::from(table).into()));
        Ok((analysis.title.to_owned(), all.collect(), figures, tables.notes.clone()))
    })
}

/// What the log of contacts says.
#[pyfunction]
pub(crate) fn contacts(py: Python<'_>, path: PathBuf, options: Options) -> PyResult<Answered> {
    let options = given(options);
    ask_file(py, &path, |reading| -> Result<Answered, AskError> {
        let asked: LogOptions = read(&options)?;
        let answer = asked.answer(reading)?;
        let name = asked.kind().to_owned();
        let sheet = answer.found.and_then(|found| of_log(&found, UnitSystem::of(reading)));
        let figures = sheet.map(|sheet| (name.clone(), Sheet(sheet))).into_iter().collect();
        let tables = vec![(name, answer.table.into())];
        Ok((asked.title().to_owned(), tables, figures, answer.notes))
    })
}

/// What is in a file: as JSON, as rows of names and values, and as text.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "a tuple for Python, which names its parts")]
pub(crate) fn info(
    py: Python<'_>,
    path: PathBuf,
) -> PyResult<(String, Vec<(String, String)>, String)> {
    let info = ask_file(py, &path, analysis::info)?;
    let cell = |cell: Option<&Cell>| cell.map_or(String::new(), ToString::to_string);
    let rows = info.to_table().rows;
    let rows = rows.iter().map(|row| (cell(row.first()), cell(row.get(1))));
    Ok((info.to_json().to_string(), rows.collect(), info.to_string()))
}

/// What the run of a file has warned of.
#[pyfunction]
pub(crate) fn warnings(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    ask_file(py, &path, analysis::warnings)
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
        let format = GraphFormat::of(&path).map_err(|why| why.raise(py))?;
        py.detach(|| self.0.save(&path, format)).map_err(|why| why.raise(py))
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
    let part = |reading: &Reading| -> Result<_, AskError> {
        Ok(analysis::genealogy(reading)?.part(cluster, size)?)
    };
    ask_file(py, &path, part).map(Genealogy)
}

/// A picture of frames, and what is missing in it.
#[pyfunction]
pub(crate) fn snapshot(
    py: Python<'_>,
    path: PathBuf,
    options: Options,
) -> PyResult<(Sheet, Vec<String>)> {
    let options = given(options);
    let drawn = ask_file(py, &path, |reading| read::<FrameOptions>(&options)?.draw(reading))?;
    Ok((Sheet(drawn.sheet), drawn.notes))
}

/// A page about a file, or only its player, with this many frames; and its notes.
#[pyfunction]
pub(crate) fn report(
    py: Python<'_>,
    path: PathBuf,
    frames: Option<u32>,
    species: Vec<String>,
    only_player: bool,
) -> PyResult<(String, Vec<String>)> {
    let species = species.iter().flat_map(|names| split_names(names)).collect();
    let mut options = PageOptions { species, ..PageOptions::default() };
    if let Some(count) = frames {
        if count == 0 {
            return Err(PyValueError::new_err("frames: at least one is needed"));
        }
        options.thinning = Thinning::Frames(count as usize);
    }
    let page = ask_file(py, &path, |reading| match only_player {
        true => player_page(reading, &options),
        false => page(reading, &options),
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
    let work = |stop: &AtomicBool| -> Result<_, ExportError> {
        let asked: ExportAsked = read(&options)?;
        asked.export(&analysis::open(&path)?, &out, stop)
    };
    let done = until_signal(py, work)?.map_err(|why| why.raise(py))?;
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
