//! The sweep file.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::SweepFault;
use super::points::{Axis, Point, combinations};
use super::values::{text, values};
use jostle_analysis::ask::Given;
use jostle_core::words::counted;
use jostle_files::{named_text_of, text_of};
use jostle_model::schema::no_axis;

/// The fewest replicas from whose scatter it is judged how well their mean is known.
const FEWEST_TO_JUDGE: u32 = 5;

/// The most members of a sweep.
pub(crate) const MOST_MEMBERS: u64 = 10_000_000;
/// No sweep file is longer, and no table of its points. \[bytes\]
const LONGEST_FILE: u64 = 1 << 28;

/// A sweep, as its file says it.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepFile {
    /// The model, sought from the sweep file's folder.
    pub model: PathBuf,
    /// The seeds of all members follow from it.
    pub seed: u64,
    /// How many members each point has.
    pub replicas: u32,
    /// Whether points share their noise.
    pub noise: Noise,
    /// The points, each different from all others. At least one.
    pub points: Vec<Point>,
    /// What is measured of each member.
    pub measures: Vec<MeasureTable>,
    /// Which output files are kept.
    pub keep: Keep,
    /// How many members one task runs, if the file says so.
    pub members_per_task: Option<u32>,
    /// On how many threads a member runs.
    pub threads: usize,
    /// How well is to be known what, if the file says so.
    pub precision: Option<Precision>,
    /// The file itself; empty where there is none.
    pub text: String,
}

/// How well a mean is to be known at every point; see [`lacking`](crate::lacking).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Precision {
    /// The table in which it is.
    pub table: String,
    /// Its column, without the unit.
    pub column: String,
    /// Only rows with these words in these columns.
    pub only: Vec<(String, String)>,
    /// The largest standard error between replicas.
    pub error: Tolerance,
    /// The most replicas of a point.
    pub most: u32,
    /// Where the file says it, counted from 1.
    pub line: usize,
}

/// A standard error that is small enough.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tolerance {
    /// As a share of the mean.
    Relative(f64),
    /// In the unit of the column.
    Absolute(f64),
}

/// Which members have the same noise.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Noise {
    /// None: each member has a seed of its own.
    #[default]
    Independent,
    /// Members of different points with the same replica number, for paired differences.
    Common,
}

/// Which output files of members are kept.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// None: only what is measured.
    #[default]
    None,
    /// That of the first replica of each point.
    First,
    /// Those of members that failed.
    Failed,
    /// All.
    All,
}

/// One thing that is measured, as the file says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasureTable {
    /// What: the name of an analysis.
    pub what: String,
    /// What its tables are called, if not as usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its options, by the names that they have on the command line.
    pub options: Vec<(String, Given)>,
    /// Where the file says it, counted from 1.
    pub line: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sections {
    sweep: Sweep,
    #[serde(default)]
    axes: InOrder,
    #[serde(default)]
    together: Vec<Spanned<InOrder>>,
    points: Option<Spanned<Design>>,
    #[serde(default)]
    measure: Vec<Spanned<InOrder>>,
    #[serde(default)]
    keep: KeepSection,
    #[serde(default)]
    task: Task,
    precision: Option<Spanned<PrecisionSection>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sweep {
    model: PathBuf,
    seed: u64,
    replicas: Spanned<u32>,
    #[serde(default)]
    seeds: Noise,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Design {
    file: PathBuf,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeepSection {
    #[serde(default)]
    files: Keep,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    replicas: Option<Spanned<u32>>,
    threads: Option<Spanned<usize>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrecisionSection {
    of: Spanned<String>,
    #[serde(default)]
    only: InOrder,
    relative: Option<f64>,
    absolute: Option<f64>,
    most: Spanned<u32>,
}

/// A table whose keys keep their order, each value with its place in the file.
#[derive(Clone, Default)]
struct InOrder(Vec<(String, Spanned<toml::Value>)>);

impl<'de> Deserialize<'de> for InOrder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = InOrder;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<InOrder, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry::<String, Spanned<toml::Value>>()? {
                    entries.push(entry);
                }
                entries.sort_by_key(|(_, value)| value.span().start);
                Ok(InOrder(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// Reads a sweep file. The design that it may name is sought from its folder.
///
/// # Errors
/// What is wrong with it, with its line.
pub fn read(path: &Path) -> Result<SweepFile, SweepFault> {
    let name = path.display().to_string();
    let unreadable = |error: std::io::Error| SweepFault {
        name: name.clone(),
        line: None,
        message: format!("cannot be read: {error}"),
    };
    let text = text_of(path, LONGEST_FILE).map_err(unreadable)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Reader { name: &name, text: &text, folder }.read()
}

struct Reader<'a> {
    name: &'a str,
    text: &'a str,
    folder: &'a Path,
}

impl Reader<'_> {
    fn read(&self) -> Result<SweepFile, SweepFault> {
        let sections: Sections = toml::from_str(self.text).map_err(|error| {
            self.fault(error.span().map(|span| span.start), error.message().to_owned())
        })?;
        let Sections { sweep, axes, together, points, measure, keep, task, precision } = sections;
        let replicas = self.at_least_one(&sweep.replicas, "replicas")?;
        let too_many = |points: u64| {
            let message = format!(
                "{} with {replicas} replicas each: a sweep has at most {MOST_MEMBERS} runs",
                counted(points, "point")
            );
            self.fault(Some(sweep.replicas.span().start), message)
        };
        let most = MOST_MEMBERS / u64::from(replicas);
        let points = match points {
            Some(design) if axes.0.is_empty() && together.is_empty() => self.design(&design)?,
            Some(design) => {
                let message =
                    "[points] gives all points; leave out [axes] and [[together]], or [points]";
                return Err(self.fault(Some(design.span().start), message.into()));
            }
            None => {
                let axes = self.axes(&axes, &together)?;
                let count =
                    axes.iter().fold(1, |all: u64, axis| all.saturating_mul(axis.len() as u64));
                if count > most {
                    return Err(too_many(count));
                }
                combinations(&axes)
            }
        };
        if points.len() as u64 > most {
            return Err(too_many(points.len() as u64));
        }
        self.are_different(&points)?;
        let per_task =
            task.replicas.map(|given| self.at_least_one(&given, "task.replicas")).transpose()?;
        let threads = match task.threads {
            Some(given) if *given.get_ref() == 0 => {
                return Err(self.fault(Some(given.span().start), "task.threads: at least 1".into()));
            }
            given => given.map_or(1, Spanned::into_inner),
        };
        Ok(SweepFile {
            model: sweep.model,
            seed: sweep.seed,
            replicas,
            noise: sweep.seeds,
            points,
            measures: measure.iter().map(|table| self.measure(table)).collect::<Result<_, _>>()?,
            keep: keep.files,
            members_per_task: per_task,
            threads,
            precision: precision.map(|given| self.precision(given, replicas)).transpose()?,
            text: self.text.to_owned(),
        })
    }

    fn precision(
        &self,
        given: Spanned<PrecisionSection>,
        replicas: u32,
    ) -> Result<Precision, SweepFault> {
        let at = given.span().start;
        let PrecisionSection { of, only, relative, absolute, most } = given.into_inner();
        let Some((table, column)) = of.get_ref().split_once('.') else {
            let message = format!(
                "precision.of = \"{}\": name a table and its column, such as \"rates.k\"",
                of.get_ref()
            );
            return Err(self.fault(Some(of.span().start), message));
        };
        let error = match (relative, absolute) {
            (Some(share), None) if share > 0.0 => Tolerance::Relative(share),
            (None, Some(error)) if error > 0.0 => Tolerance::Absolute(error),
            _ => {
                let message = "[precision] needs one of `relative` and `absolute`, above 0: the largest standard \
                               error of the mean";
                return Err(self.fault(Some(at), message.into()));
            }
        };
        if replicas < FEWEST_TO_JUDGE {
            let message = format!(
                "[precision] needs sweep.replicas of {FEWEST_TO_JUDGE} or more: of fewer it is not known well \
                 enough how much they differ"
            );
            return Err(self.fault(Some(at), message));
        }
        if *most.get_ref() <= replicas {
            let message = format!(
                "precision.most = {}: there are {replicas} replicas at first",
                most.get_ref()
            );
            return Err(self.fault(Some(most.span().start), message));
        }
        let word = |(column, given): &(String, Spanned<toml::Value>)| {
            let word = text(given.get_ref()).map_err(|message| {
                self.fault(Some(given.span().start), format!("{column}: {message}"))
            })?;
            Ok((column.clone(), word))
        };
        let only = only.0.iter().map(word).collect::<Result<_, SweepFault>>()?;
        let [table, column] = [table, column].map(|part| part.trim().to_owned());
        let line = self.line(of.span().start);
        Ok(Precision { table, column, only, error, most: most.into_inner(), line })
    }

    /// A fault at this byte of the file.
    fn fault(&self, at: Option<usize>, message: String) -> SweepFault {
        SweepFault { name: self.name.to_owned(), line: at.map(|at| self.line(at)), message }
    }

    fn line(&self, at: usize) -> usize {
        1 + self.text.bytes().take(at).filter(|&byte| byte == b'\n').count()
    }

    fn at_least_one(&self, given: &Spanned<u32>, key: &str) -> Result<u32, SweepFault> {
        match *given.get_ref() {
            0 => Err(self.fault(Some(given.span().start), format!("{key} = 0: at least 1"))),
            number => Ok(number),
        }
    }

    /// The axes of the file: those of `[axes]`, then each `[[together]]` as one.
    fn axes(&self, axes: &InOrder, together: &[Spanned<InOrder>]) -> Result<Vec<Axis>, SweepFault> {
        let mut all = Vec::new();
        let mut keys = HashMap::new();
        for (key, given) in &axes.0 {
            self.is_free(&mut keys, key, given)?;
            let values = self.values(key, given)?;
            all.push(values.into_iter().map(|value| vec![(key.clone(), value)]).collect());
        }
        for table in together {
            let mut axis: Axis = Vec::new();
            for (key, given) in &table.get_ref().0 {
                self.is_free(&mut keys, key, given)?;
                let values = self.values(key, given)?;
                if axis.is_empty() {
                    axis.resize(values.len(), Vec::new());
                }
                if axis.len() != values.len() {
                    let message = format!(
                        "{key} has {} values, but those before it in this [[together]] have {}",
                        values.len(),
                        axis.len()
                    );
                    return Err(self.fault(Some(given.span().start), message));
                }
                for (place, value) in axis.iter_mut().zip(values) {
                    place.push((key.clone(), value));
                }
            }
            if axis.is_empty() {
                let message = "[[together]] names no key; it needs two or more".into();
                return Err(self.fault(Some(table.span().start), message));
            }
            all.push(axis);
        }
        Ok(all)
    }

    fn values(&self, key: &str, given: &Spanned<toml::Value>) -> Result<Vec<String>, SweepFault> {
        values(given.get_ref())
            .map_err(|message| self.fault(Some(given.span().start), format!("{key}: {message}")))
    }

    /// Whether nothing else sets a key.
    fn is_free(
        &self,
        keys: &mut HashMap<String, usize>,
        key: &str,
        given: &Spanned<toml::Value>,
    ) -> Result<(), SweepFault> {
        let at = given.span().start;
        if let Some(message) = refused(key) {
            return Err(self.fault(Some(at), message));
        }
        match keys.insert(key.to_owned(), self.line(at)) {
            None => Ok(()),
            Some(line) => {
                Err(self.fault(Some(at), format!("{key} is already an axis (line {line})")))
            }
        }
    }

    /// The points of a CSV file: a key at the head of each column, a point in each row.
    fn design(&self, design: &Spanned<Design>) -> Result<Vec<Point>, SweepFault> {
        let (path, start) = (self.folder.join(&design.get_ref().file), design.span().start);
        let name = path.display().to_string();
        let fault = |line: Option<u64>, message: String| SweepFault {
            name: name.clone(),
            line: line.and_then(|line| usize::try_from(line).ok()),
            message,
        };
        let at = |error: &csv::Error| error.position().map(csv::Position::line);
        let text = named_text_of(&path, LONGEST_FILE).map_err(|error| {
            self.fault(Some(start), format!("points.file: {name}: cannot be read: {error}"))
        })?;
        let mut rows = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
        let heads = rows.headers().map_err(|error| fault(at(&error), error.to_string()))?;
        let keys: Vec<String> = heads.iter().map(str::to_owned).collect();
        for (n, key) in keys.iter().enumerate() {
            if key.is_empty() {
                return Err(fault(Some(1), format!("column {} has no key at its head", n + 1)));
            }
            if keys[..n].contains(key) {
                return Err(fault(Some(1), format!("two columns are called {key}")));
            }
            if let Some(message) = refused(key) {
                return Err(fault(Some(1), message));
            }
        }
        let mut points = Vec::new();
        for row in rows.records() {
            let row = row.map_err(|error| fault(at(&error), error.to_string()))?;
            if let Some(n) = row.iter().position(str::is_empty) {
                let line = row.position().map(csv::Position::line);
                return Err(fault(line, format!("{} has no value here", keys[n])));
            }
            let values = keys.iter().cloned().zip(row.iter().map(str::to_owned)).collect();
            points.push(Point { values });
        }
        match points.is_empty() {
            true => Err(fault(None, "there is no row below the heads of the columns".into())),
            false => Ok(points),
        }
    }

    /// Whether no point is there twice: its members would be the same.
    fn are_different(&self, points: &[Point]) -> Result<(), SweepFault> {
        let mut known = HashMap::new();
        for (n, point) in points.iter().enumerate() {
            if let Some(other) = known.insert(point.key(), n) {
                let message = format!(
                    "points {other} and {n} are the same ({}); their runs would be, too",
                    point.as_options()
                );
                return Err(self.fault(None, message));
            }
        }
        Ok(())
    }

    fn measure(&self, table: &Spanned<InOrder>) -> Result<MeasureTable, SweepFault> {
        let (mut what, mut name) = (None, None);
        let mut options = Vec::new();
        for (key, given) in &table.get_ref().0 {
            let fault = |message| self.fault(Some(given.span().start), format!("{key}: {message}"));
            match key.as_str() {
                "what" => what = Some(text(given.get_ref()).map_err(fault)?),
                "name" => name = Some(text(given.get_ref()).map_err(fault)?),
                _ => options.push((key.clone(), self::given(given.get_ref()).map_err(fault)?)),
            }
        }
        let at = table.span().start;
        match what {
            Some(what) => Ok(MeasureTable { what, name, options, line: self.line(at) }),
            None => {
                let message = "[[measure]] does not say `what`, such as what = \"counts\"".into();
                Err(self.fault(Some(at), message))
            }
        }
    }
}

/// What an option of a measure is given.
fn given(value: &toml::Value) -> Result<Given, String> {
    Ok(match value {
        toml::Value::Boolean(yes) => Given::Flag(*yes),
        toml::Value::Array(list) => Given::List(list.iter().map(text).collect::<Result<_, _>>()?),
        one => Given::Text(text(one)?),
    })
}

/// Why a key cannot be an axis, if it cannot.
fn refused(key: &str) -> Option<String> {
    no_axis(key).map(|why| format!("{key} cannot be an axis: {why}"))
}

#[cfg(test)]
mod tests;
