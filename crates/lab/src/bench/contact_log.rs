//! How fast the contact log answers, beside reading the same file byte for byte.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Instant;

use super::memory::peak;
use super::report::rows;
use super::study::digits;
use super::{BenchError, Machine, Progress, free};
use jostle_analysis::contacts::{Apart, Filter, Grouping, Key, LogBins, Query, intervals};
use jostle_analysis::{self as analysis, Table};
use jostle_core::observe::{Clock, Contact, Observer, Outcome, Partner};
use jostle_core::output::LogLevel;
use jostle_core::space::Vector;
use jostle_h5md::record::{Recorder, Status};
use jostle_run as run;

/// Contacts in one step.
const PER_STEP: u64 = 1000;
/// Particles that meet.
const PARTICLES: u64 = 10_000;

/// How fast the contact log answers.
#[derive(Clone, Debug)]
pub struct LogSpeed {
    /// When and where.
    pub machine: Machine,
    /// One row for each question.
    pub table: Table,
    /// The most memory this process had. \[bytes\]
    pub peak: Option<u64>,
}

/// Writes a log of so many made-up contacts into `folder`, asks it, and removes it again.
///
/// # Errors
/// If the file cannot be written or read.
pub fn contact_log(
    contacts: u64,
    folder: &Path,
    progress: Progress<'_>,
) -> Result<LogSpeed, BenchError> {
    let machine = Machine::look(1);
    let beside = tempfile::Builder::new().prefix("jostle-bench-").tempdir_in(folder);
    let beside = beside.map_err(|source| BenchError::Write { path: folder.to_owned(), source })?;
    let path = beside.path().join("log.h5md");
    progress(&format!("writing {contacts} contacts"));
    let begun = Instant::now();
    let steps = write(&path, contacts)?;
    let mut table = Table::new(&[
        "question",
        "answer",
        "time [s]",
        "million contacts/s",
        "against reading the file",
    ]);
    let mut row = |what: &str, answer: u64, looked_at: u64, seconds: f64, raw: f64| {
        let speed = digits(looked_at as f64 / seconds / 1e6);
        let ratio = if raw > 0.0 { digits(seconds / raw) } else { "-".into() };
        table.push_texts(vec![what.into(), answer.to_string(), digits(seconds), speed, ratio]);
    };
    row("(writing the log)", contacts, contacts, begun.elapsed().as_secs_f64(), 0.0);
    // Once to bring the file into memory, as far as it fits.
    read_through(&path)?;
    let begun = Instant::now();
    let bytes = read_through(&path)?;
    let raw = begun.elapsed().as_secs_f64();
    row("reading the file byte for byte", bytes, contacts, raw, raw);
    for (what, filter) in questions(steps) {
        progress(what);
        let begun = Instant::now();
        let reading = analysis::open(&path)?;
        let found = Query::new(&reading, &filter)?.count()?;
        let looked_at = if filter.time.is_some() { found } else { contacts };
        row(what, found, looked_at, begun.elapsed().as_secs_f64(), raw);
    }
    let reading = analysis::open(&path)?;
    let query = Query::new(&reading, &Filter::default())?;
    progress("groups and intervals");
    let begun = Instant::now();
    let keys = vec![Key::Species, Key::Outcome, Key::Time];
    let groups = query.group(&Grouping { keys, every: None })?.groups.len();
    row(
        "all, by species, outcome and time",
        groups as u64,
        contacts,
        begun.elapsed().as_secs_f64(),
        raw,
    );
    let begun = Instant::now();
    let between = intervals(&query, Apart::Particle, LogBins::About(40))?.histogram.total();
    row(
        "all, time between contacts of a particle",
        between,
        contacts,
        begun.elapsed().as_secs_f64(),
        raw,
    );
    Ok(LogSpeed { machine, table, peak: peak().ok() })
}

fn questions(steps: u64) -> [(&'static str, Filter); 4] {
    let timestep = free(3, 10).map_or(1.0, |model| model.run.timestep);
    let part = |from: f64, to: f64| {
        Some([from, to].map(|share| (share * steps as f64).floor() * timestep))
    };
    let bound = vec!["bound".to_owned()];
    [
        ("count, a tenth of the time", Filter { time: part(0.4, 0.5), ..Filter::default() }),
        (
            "count bound, a hundredth of the time",
            Filter { time: part(0.4, 0.41), outcomes: bound.clone(), ..Filter::default() },
        ),
        ("count bound, all of the time", Filter { outcomes: bound, ..Filter::default() }),
        (
            "count of a particle within a region, all",
            Filter {
                particles: vec![417],
                region: Some([[0.0, 50.0], [f64::NEG_INFINITY, f64::INFINITY], [0.0, 80.0]]),
                ..Filter::default()
            },
        ),
    ]
}

/// Writes made-up contacts; returns how many steps they take.
fn write(path: &Path, contacts: u64) -> Result<u64, BenchError> {
    let mut model = free(3, 10)?;
    model.output.log = LogLevel::All;
    let mut engine = run::engine::<3>(&model)?;
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| BenchError::Write {
        path: path.to_owned(),
        source: std::io::Error::other(error),
    };
    let header = run::header(&model, &mut engine)
        .ok_or_else(|| failed("this is no Brownian model".into()))?;
    let mut recorder = Recorder::<3>::create(path, &header, false).map_err(|e| failed(e.into()))?;
    recorder.step(&engine.view()).map_err(failed)?;
    let mut state = 1u64;
    for n in 0..contacts {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        recorder.contact(&made_up(n, state)).map_err(failed)?;
    }
    let steps = contacts.div_ceil(PER_STEP);
    let clock = Clock { step: steps, ..engine.clock() };
    recorder.finish(Status::Finished, clock).map_err(|e| failed(e.into()))?;
    Ok(steps)
}

fn made_up(n: u64, bits: u64) -> Contact<3> {
    let share = |shift: u32| (bits >> shift & 0xfff) as f64 / 4096.0;
    let id = (bits >> 13) % (PARTICLES - 1);
    Contact {
        step: n / PER_STEP,
        time: (n % PER_STEP) as f64 / PER_STEP as f64,
        id,
        place: Vector([100.0 * share(10), 100.0 * share(24), 100.0 * share(38)]),
        normal: Vector([1.0, 0.0, 0.0]),
        approach: share(50),
        outcome: if bits >> 54 == 0 { Outcome::Bound } else { Outcome::Bounced },
        rule: Some(0),
        ..Contact::bounce(Partner::Particle {
            id: id + 1 + (bits >> 40) % (PARTICLES - 1 - id),
            species: 0,
        })
    }
}

/// Reads a file from its beginning to its end.
fn read_through(path: &Path) -> Result<u64, BenchError> {
    let failed = |source| BenchError::Write { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(failed)?;
    let mut part = vec![0; 8 << 20];
    let mut bytes = 0;
    loop {
        match file.read(&mut part).map_err(failed)? {
            0 => return Ok(bytes),
            count => bytes += count as u64,
        }
    }
}

impl LogSpeed {
    /// All figures.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({ "machine": self.machine, "log": rows(&self.table), "peak_bytes": self.peak })
    }
}

impl std::fmt::Display for LogSpeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}\n\n{}", self.machine, self.table)?;
        match self.peak {
            Some(peak) => writeln!(f, "memory: {:.0} MB at most", peak as f64 / 1e6),
            None => Ok(()),
        }
    }
}
