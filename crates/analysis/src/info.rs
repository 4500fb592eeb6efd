//! What is in a file, at a glance.

use std::fmt;
use std::path::PathBuf;

use ndarray::Array2;
use serde_json::{Map, Value, json};

use super::contacts::word;
use super::tables::Table;
use jostle_core::sites::Site;
use jostle_core::words::{
    abridged, bytes_text, column_width, counted, digits, length_text, time_text,
};
use jostle_files::paragraph;
use jostle_h5md::reading::{
    BoxVectors, ReadError, Reading, SiteData, lost, may_be_written, species_in, warnings,
};
use jostle_h5md::record::schema::{RunCode, RunRow};

/// How many particles of a species there are.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeciesCount {
    /// The species.
    pub name: String,
    /// In the first frame.
    pub first: i64,
    /// In the last frame.
    pub last: i64,
    /// The sites of its molecules, with their states; none if it has no sites.
    pub sites: Vec<Site>,
}

/// A moment in the history of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// By the clock on the wall. \[s since 1970\]
    pub unix_time: f64,
    /// What happened: started, resumed, finished, interrupted, failed.
    pub what: String,
    /// The step the run stood at.
    pub step: i64,
    /// How many frames there were.
    pub frames: i64,
}

impl Run {
    /// Whether it is the end of a run.
    pub fn is_end(&self) -> bool {
        let ends = [RunCode::Finished, RunCode::Interrupted, RunCode::Failed];
        ends.into_iter().any(|code| code.name() == self.what)
    }
}

/// What is in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// The file.
    pub path: PathBuf,
    /// \[bytes\]
    pub size: u64,
    /// The model's title; of another program's file, the file's name.
    pub title: String,
    /// The program that wrote it, with its version; empty if the file does not say.
    pub creator: String,
    /// What jostle would have written and is not in it.
    pub missing: Vec<&'static str>,
    /// Everything random followed from it.
    pub seed: Option<u64>,
    /// 1, 2 or 3.
    pub dimension: usize,
    /// \[nm\]; the first `dimension` count.
    pub edges: [f64; 3],
    /// What it is like, in words, if it is sheared or changes in time; then there are no such edges.
    pub odd_box: Option<String>,
    /// Whether each axis closes on itself; the first `dimension` count.
    pub periodic: [bool; 3],
    /// \[µs\] 0 if it is not known.
    pub timestep: f64,
    /// Whether balls flew from event to event, and a step is the time between two frames.
    pub granular: bool,
    /// What only runs of particles with outlines have, in words: shapes, walls, forces.
    pub outlines: Option<String>,
    /// How contacts were searched for.
    pub search: Option<String>,
    /// Which contacts were logged: none, reactions, all.
    pub log: Option<String>,
    /// How many frames there are.
    pub frames: usize,
    /// Of the first and the last frame. \[µs\]
    pub span: Option<[f64; 2]>,
    /// By species.
    pub species: Vec<SpeciesCount>,
    /// How many clusters there are in the last frame, and how many particles the largest holds.
    pub clusters: Option<[i64; 2]>,
    /// How many contacts are logged.
    pub contacts: Option<usize>,
    /// How many changes of the population.
    pub changes: Option<usize>,
    /// When runs began and how they ended.
    pub runs: Vec<Run>,
    /// What is missing of what the file says that it has: `1 of 21 frames, 0 of 947 contacts`.
    pub lost: Option<String>,
    /// What the runs have warned of when they ended, in words.
    pub warnings: Vec<String>,
    /// What the last run took, by name: wall times, and the work of the search structure.
    pub figures: Vec<(String, f64)>,
    /// Whether a run was writing it when it was opened.
    pub written_now: bool,
    /// Whether that is not known, for want of locks.
    pub may_be_written: bool,
}

/// Looks a file over.
///
/// # Errors
/// If it cannot be read.
pub fn info(reading: &Reading) -> Result<Info, ReadError> {
    let size = std::fs::metadata(reading.path()).map_err(|error| ReadError::Open {
        path: reading.path().to_owned(),
        reason: error.to_string(),
    })?;
    let mut missing = Vec::new();
    let times = known(reading.times(), "times", &mut missing)?.unwrap_or_default();
    let boundary = known(reading.boundary(), "box", &mut missing)?.unwrap_or_default();
    let closed = |k: usize| boundary.get(k).is_some_and(|word| word == "periodic");
    let title = known(reading.line("parameters/title"), "model", &mut missing)?;
    let name = || reading.path().file_stem().map(|name| name.to_string_lossy().into_owned());
    let runs = known(runs(reading), "history of runs", &mut missing)?.unwrap_or_default();
    Ok(Info {
        path: reading.path().to_owned(),
        size: size.len(),
        title: title.or_else(name).unwrap_or_default(),
        creator: reading.creator().to_owned(),
        seed: known(reading.scalar("parameters/seed"), "seed", &mut missing)?,
        dimension: reading.dimension(),
        edges: reading.edges(),
        odd_box: odd_box(reading),
        periodic: std::array::from_fn(closed),
        timestep: reading.timestep(),
        granular: reading.is_granular(),
        outlines: outlines(reading)?,
        search: known(reading.line("parameters/search"), "", &mut missing)?,
        log: known(reading.line("parameters/log"), "", &mut missing)?,
        frames: reading.frames(),
        span: times.first().zip(times.last()).map(|(a, b)| [*a, *b]),
        species: species(reading)?,
        clusters: known(clusters(reading), "clusters", &mut missing)?.flatten(),
        contacts: known(reading.length("events/contacts"), "contact log", &mut missing)?,
        changes: known(reading.length("events/changes"), "log of changes", &mut missing)?,
        lost: known(lost(reading), "", &mut missing)?.flatten(),
        runs,
        // These are written last, and lost first where the end of a file is missing; nothing hangs
        // on them.
        warnings: warnings(reading).unwrap_or_default(),
        figures: figures(reading).unwrap_or_default(),
        missing,
        written_now: reading.is_written(),
        may_be_written: may_be_written(reading),
    })
}

/// What another program's file may not have is told by its name, and is no error.
fn known<T>(
    asked: Result<T, ReadError>,
    what: &'static str,
    missing: &mut Vec<&'static str>,
) -> Result<Option<T>, ReadError> {
    match asked {
        Ok(found) => Ok(Some(found)),
        Err(ReadError::Foreign { .. }) => {
            missing.extend(Some(what).filter(|what| !what.is_empty()));
            Ok(None)
        }
        Err(other) => Err(other),
    }
}

/// The last row that belongs to a whole frame. Of a file that is being written, a series may be
/// behind the frames.
fn last_row(reading: &Reading, series: &str) -> Result<Option<usize>, ReadError> {
    let rows = reading.length(series)?.min(reading.frames());
    Ok(rows.checked_sub(1))
}

fn species(reading: &Reading) -> Result<Vec<SpeciesCount>, ReadError> {
    let names = reading.species().iter().enumerate();
    let (first, last) = match reading.frames() {
        0 => (vec![0; names.len()], vec![0; names.len()]),
        frames => (population(reading, 0)?, population(reading, frames - 1)?),
    };
    let data = SiteData::of(reading)?;
    let count = |(k, name): (usize, &String)| SpeciesCount {
        name: name.clone(),
        first: first[k],
        last: last[k],
        sites: data.sites[k].list().to_vec(),
    };
    Ok(names.map(count).collect())
}

/// How many particles of each species a frame shows.
fn population(reading: &Reading, frame: usize) -> Result<Vec<i64>, ReadError> {
    let id = reading.identities(frame..frame + 1, 0..reading.slots())?;
    let mut count = vec![0; reading.species().len()];
    for (species, _) in species_in(reading, frame)?.iter().zip(&id).filter(|(_, id)| **id >= 0) {
        if let Some(count) = usize::try_from(*species).ok().and_then(|k| count.get_mut(k)) {
            *count += 1;
        }
    }
    Ok(count)
}

fn clusters(reading: &Reading) -> Result<Option<[i64; 2]>, ReadError> {
    let mut found = [0; 2];
    for (k, name) in ["clusters", "largest_cluster"].into_iter().enumerate() {
        let series = format!("observables/{name}/value");
        let Some(row) = last_row(reading, &series)? else {
            return Ok(None);
        };
        found[k] = reading.column::<i64>(&series, row..row + 1)?[0];
    }
    Ok(Some(found))
}

fn runs(reading: &Reading) -> Result<Vec<Run>, ReadError> {
    let words = reading.texts("runs/codes")?;
    let rows: Vec<RunRow> = reading.column("runs/log", 0..reading.length("runs/log")?)?;
    let run = |row: &RunRow| Run {
        unix_time: row.unix_time,
        what: word(&words, row.code.into()),
        step: row.step,
        frames: row.frames,
    };
    Ok(rows.iter().map(run).collect())
}

/// `polygons: 3 shapes, 2 walls, 1200 forces of contacts in the log`.
fn outlines(reading: &Reading) -> Result<Option<String>, ReadError> {
    let Some(shapes) = reading.shapes()? else { return Ok(None) };
    let mut text = counted(shapes.shapes.len() as u64, "shape");
    text += &format!(", {}", counted(shapes.walls.len() as u64, "wall"));
    if reading.has_forces() {
        let forces = reading.length("events/forces/body")?;
        text += &format!(", {} of contacts in the log", counted(forces as u64, "force"));
    }
    Ok(Some(text))
}

/// What the last run took; nothing if none has ended yet.
fn figures(reading: &Reading) -> Result<Vec<(String, f64)>, ReadError> {
    let names = reading.texts("runs/figure_names")?;
    let rows = reading.length("runs/figures")?;
    if rows == 0 {
        return Ok(Vec::new());
    }
    let last: Array2<f64> = reading.slice("runs/figures", (rows - 1..rows, 0..names.len()))?;
    Ok(names.into_iter().zip(last).collect())
}

impl Info {
    /// Whether the last run has neither ended nor failed: it continues, or was killed.
    pub fn is_open(&self) -> bool {
        self.runs.last().is_none_or(|run| !run.is_end())
    }

    /// Name and value, one row each.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&["what", "value"]);
        let mut row = |what: &str, value: String| table.push(vec![what.into(), value.into()]);
        row("title", self.title.clone());
        row("file", format!("{}, {}", self.path.display(), bytes_text(self.size as f64)));
        row(
            "written by",
            if self.creator.is_empty() { "an unknown program" } else { &self.creator }.into(),
        );
        if let Some(seed) = self.seed {
            row("seed", seed.to_string());
        }
        row("box", self.describe_box());
        if self.timestep > 0.0 {
            let label = if self.granular { "granular, seen every" } else { "time step" };
            row(label, time_text(self.timestep));
        }
        if let Some(outlines) = &self.outlines {
            row("polygons", outlines.clone());
        }
        if let Some(search) = &self.search {
            row("search", search.clone());
        }
        let span = self.span.map_or(String::new(), |[first, last]| {
            format!(", from {} to {}", time_text(first), time_text(last))
        });
        row("frames", format!("{}{span}", self.frames));
        for SpeciesCount { name, first, last, sites } in &self.species {
            row(
                &format!("particles of {name}"),
                format!("{first} in the first frame, {last} in the last"),
            );
            if !sites.is_empty() {
                let sites: Vec<String> = sites.iter().map(site_text).collect();
                row(&format!("sites of {name}"), sites.join(", "));
            }
        }
        if let Some([count, largest]) = self.clusters {
            let largest = counted(largest.max(0) as u64, "particle");
            row("clusters, last frame", format!("{count}, the largest of {largest}"));
        }
        if let Some(changes) = self.changes {
            row("changes", format!("{changes} (of bonds, states, number or kind of particles)"));
        }
        // Polygons log forces, told above, instead of contacts.
        if let (Some(contacts), Some(log), None) = (self.contacts, &self.log, &self.outlines) {
            row("contacts", format!("{contacts} in the log (log = \"{log}\")"));
        }
        if !self.missing.is_empty() {
            row("has no", self.missing.join(", no "));
        }
        for run in &self.runs {
            let Run { step, frames, .. } = run;
            let value = format!("{} at step {step}, with {frames} frames", date(run.unix_time));
            row(&run.what, value);
        }
        for text in abridged(self.warnings.iter().cloned(), "warnings") {
            row("warning", text);
        }
        if let Some(lost) = &self.lost {
            row("incomplete", format!("{lost} are there: {LOST}"));
        }
        if self.is_open() && !self.runs.is_empty() {
            let ended = match (self.written_now, self.may_be_written) {
                (true, _) => "not yet: a run writes it",
                (false, true) => UNKNOWN,
                (false, false) => KILLED,
            };
            row("ended", ended.into());
        }
        table
    }

    /// What became of the run: `finished`, `interrupted`, `failed`, `running`, `killed`,
    /// `incomplete` where the file has lost what it had, or `unknown` of a file without a history,
    /// or without locks that would tell whether it is running.
    pub fn status(&self) -> &str {
        match self.runs.last() {
            None => "unknown",
            Some(_) if self.lost.is_some() => "incomplete",
            Some(_) if self.is_open() && self.written_now => "running",
            Some(_) if self.is_open() && self.may_be_written => "unknown",
            Some(_) if self.is_open() => "killed",
            Some(run) => &run.what,
        }
    }

    /// All of it for programs; the manual explains the keys. What the file does not say is null.
    pub fn to_json(&self) -> Value {
        let site = |site: &Site| json!({ "name": site.name, "states": site.states });
        let count = |one: &SpeciesCount| {
            let sites: Vec<Value> = one.sites.iter().map(site).collect();
            json!({ "name": one.name, "first": one.first, "last": one.last, "sites": sites })
        };
        let run = |run: &Run| json!({ "unix_time_s": run.unix_time, "what": run.what, "step": run.step, "frames": run.frames });
        let figures = self.figures.iter().map(|(name, value)| (name.clone(), json!(value)));
        json!({
            "title": self.title,
            "file": self.path.display().to_string(),
            "size_bytes": self.size,
            "written_by": Some(&self.creator).filter(|name| !name.is_empty()),
            "status": self.status(),
            "lost": self.lost,
            "seed": self.seed,
            "dimension": self.dimension,
            "edges_nm": self.odd_box.is_none().then(|| &self.edges[..self.dimension]),
            "periodic": self.periodic[..self.dimension],
            "timestep_us": Some(self.timestep).filter(|step| *step > 0.0),
            "granular": self.granular,
            "polygons": self.outlines,
            "search": self.search,
            "log": self.log,
            "frames": self.frames,
            "first_time_us": self.span.map(|[first, _]| first),
            "last_time_us": self.span.map(|[_, last]| last),
            "species": self.species.iter().map(count).collect::<Vec<_>>(),
            "clusters": self.clusters.map(|[count, _]| count),
            "largest_cluster": self.clusters.map(|[_, largest]| largest),
            "changes": self.changes,
            "contacts": self.contacts,
            "missing": self.missing,
            "runs": self.runs.iter().map(run).collect::<Vec<_>>(),
            "warnings": self.warnings,
            "figures": figures.collect::<Map<_, _>>(),
        })
    }

    fn describe_box(&self) -> String {
        if let Some(text) = &self.odd_box {
            return text.clone();
        }
        if self.edges == [0.0; 3] {
            return "none".to_owned();
        }
        let edges = self.edges.iter().take(self.dimension);
        let axes = edges.zip(self.periodic).map(|(edge, periodic)| {
            format!("{} {}", length_text(*edge), if periodic { "periodic" } else { "with walls" })
        });
        axes.collect::<Vec<_>>().join(" x ")
    }
}

/// The box in words, if it is sheared or changes in time, as it may in the files of others.
fn odd_box(reading: &Reading) -> Option<String> {
    let (boxes, dimension) = (reading.boxes(), reading.dimension());
    if !boxes.change() && !boxes.are_sheared() {
        return None;
    }
    let in_words = |vectors: BoxVectors| {
        let edges = vectors.lengths().map(length_text)[..dimension].join(" x ");
        match vectors.edges() {
            Some(_) => edges,
            None => {
                let angles = vectors.angles().map(|angle| digits(angle, 5));
                let angles = match dimension {
                    2 => angles[2].clone(),
                    _ => angles.join(", "),
                };
                format!("{edges}, sheared to angles of {angles} degrees")
            }
        }
    };
    let [first, last] = [0, reading.frames().saturating_sub(1)].map(|frame| boxes.get(frame));
    let first = first.map_or_else(|| "none".to_owned(), in_words);
    Some(match last.filter(|_| boxes.change()) {
        Some(last) => format!("changes in time, first {first}, last {}", in_words(last)),
        None => first,
    })
}

/// A site with its states: `Y1068 (u, p)`.
fn site_text(site: &Site) -> String {
    match site.states.as_slice() {
        [] => site.name.clone(),
        states => format!("{} ({})", site.name, states.join(", ")),
    }
}

/// Of a file that a run has marked, where there are no locks.
const UNKNOWN: &str = "not yet, or not properly: there are no locks on this file system, which would tell whether a run \
                       is writing it";
/// Of a file that has lost what it had.
const LOST: &str =
    "the rest was lost on its way to the disk (jostle run --resume computes it again)";
/// Of a file whose run neither continues nor said how it ended.
const KILLED: &str = "not properly: the run was killed (jostle recover makes the file readable)";

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let table = self.to_table();
        let rows = || table.rows.iter().map(|row| [row[0].to_string(), row[1].to_string()]);
        let width = column_width(rows().map(|[what, _]| what));
        rows().try_for_each(|[what, value]| {
            f.write_str(&paragraph(&format!("{what:<width$}  "), &value))
        })
    }
}

/// Date and time in UTC, from seconds since 1970 (H. Hinnant's `civil_from_days`).
fn date(unix_time: f64) -> String {
    let seconds = unix_time.max(0.0) as i64;
    let days = seconds / 86400 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + 400 * era + i64::from(month <= 2);
    let [hour, minute, second] = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60];
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right_across_leap_days() {
        assert_eq!(date(0.0), "1970-01-01 00:00:00 UTC");
        assert_eq!(date(951_782_399.0), "2000-02-28 23:59:59 UTC");
        assert_eq!(date(951_782_400.0), "2000-02-29 00:00:00 UTC");
        assert_eq!(date(1_795_219_200.0), "2026-11-21 00:00:00 UTC");
    }
}
