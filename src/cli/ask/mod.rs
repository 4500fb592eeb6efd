//! Questions to a file by name and options, as on the command line, for callers that print nothing:
//! what `jostle analyse`, `contacts`, `genealogy`, `snapshot` and `export` answer.
//!
//! ```no_run
//! use jostle::cli::ask::{Given, analyse};
//!
//! let reading = jostle::analysis::open("run.h5md".as_ref())?;
//! let options = [("from".to_owned(), Given::Text("10 ms".to_owned()))];
//! let answer = analyse(&reading, "rates", &options).map_err(|_| "no rates")?;
//! println!("{}: {} rows", answer.title, answer.tables[0].1.rows());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(super) mod words;

use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

pub use jostle_sweep::Given;

use super::Failure;
use super::analyse::Answer;
use super::contacts::LogAsked;
use super::export::ExportHow;
use super::genealogy;
use super::snapshot::SnapshotHow;
use crate::analysis::{self, Columns, Genealogy, ReadError, Reading, TableError, UnitSystem};
use crate::export::{ExportError, Exported};
use crate::report::{PictureError, Sheet};

/// What a file answers.
pub struct Answered {
    /// What it is about, in words.
    pub title: String,
    /// Tables by name, the main one first.
    pub tables: Vec<(String, Columns)>,
    /// Figures by name, the main one first.
    pub figures: Vec<(String, Sheet)>,
    /// What a reader has to know about the numbers.
    pub notes: Vec<String>,
}

/// A question that is not understood, or makes no sense for the file. Options are called by the
/// names that they have on the command line: `--from`.
#[derive(Debug)]
pub struct Misasked(pub String);

impl fmt::Display for Misasked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misasked {}

/// What an analysis (`rates`) says of a file.
///
/// # Errors
/// [`Misasked`] if there is no such analysis or option, or [`ReadError`].
pub fn analyse(
    reading: &Reading,
    what: &str,
    options: &[(String, Given)],
) -> Result<Answered, Failure> {
    let what = words::what_of(what).map_err(Misasked)?;
    let measure = words::measure_of(what, options).map_err(Misasked)?;
    let answer = Answer::of(what, reading, &measure)?.in_units(UnitSystem::of(reading));
    Ok(Answered {
        title: what.title().to_owned(),
        tables: answer.tables().map(|(name, table)| (name.to_owned(), table.into())).collect(),
        figures: answer.figures.into_iter().map(|f| (f.name.to_owned(), f.sheet)).collect(),
        notes: answer.notes,
    })
}

/// What the log of contacts says; without any question the contacts are listed.
///
/// # Errors
/// [`Misasked`] if there is no such option, or [`ReadError`].
pub fn contacts(reading: &Reading, options: &[(String, Given)]) -> Result<Answered, Failure> {
    let asked: LogAsked = words::given(options).map_err(Misasked)?;
    let answer = asked.of(reading).map_err(about_the_question)?;
    let name = answer.name.to_owned();
    Ok(Answered {
        title: answer.title.to_owned(),
        figures: answer.figure.map(|sheet| (name.clone(), sheet)).into_iter().collect(),
        tables: vec![(name, answer.table)],
        notes: answer.notes,
    })
}

/// The genealogy of clusters: that of one cluster, or that of all which something happened to, if
/// wanted only of those which had at least so many particles at some time.
///
/// # Errors
/// [`Misasked`] if there never was such a cluster, or [`ReadError`].
pub fn genealogy(
    reading: &Reading,
    cluster: Option<u64>,
    least: Option<u32>,
) -> Result<Genealogy, Failure> {
    let whole = analysis::genealogy(reading)?;
    genealogy::part(&whole, cluster, least).map_err(about_the_question)
}

/// Writes a genealogy as a graph or a table, as the name asks: .graphml, .dot or .csv.
///
/// # Errors
/// [`Misasked`] if the name ends otherwise, or if the file cannot be written.
pub fn save_genealogy(path: &Path, tree: &Genealogy) -> Result<(), Failure> {
    genealogy::write(path, tree).map_err(about_the_question)
}

/// A picture of one or several frames, and what is missing in it.
///
/// # Errors
/// [`Misasked`] if there is no such option or frame, or [`ReadError`].
pub fn snapshot(
    reading: &Reading,
    options: &[(String, Given)],
) -> Result<(Sheet, Vec<String>), Failure> {
    let how: SnapshotHow = words::given(options).map_err(Misasked)?;
    let drawn = how.draw(reading).map_err(about_the_question)?;
    Ok((drawn.sheet, drawn.notes))
}

/// Writes a file to `out` in the format of another program, until `stop` is set.
///
/// # Errors
/// [`Misasked`] if there is no such option, [`ReadError`], [`ExportError`], or
/// [`Failure::Interrupted`] if it was stopped.
pub fn export(
    reading: &Reading,
    out: &Path,
    options: &[(String, Given)],
    stop: &AtomicBool,
) -> Result<Exported, Failure> {
    let how: ExportHow = words::given(options).map_err(Misasked)?;
    how.export(reading, out, stop).map_err(about_the_question)
}

/// What neither the file nor the system says is said of the question.
fn about_the_question(failure: Failure) -> Failure {
    let Failure::Error(error) = failure else { return failure };
    let of_others = error.is::<ReadError>()
        || error.is::<ExportError>()
        || error.is::<PictureError>()
        || error.is::<TableError>()
        || error.is::<std::io::Error>();
    match of_others {
        true => Failure::Error(error),
        false => Misasked(error.to_string()).into(),
    }
}
