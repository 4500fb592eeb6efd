//! Whether two files tell the same, and if not, where they part.
//!
//! Two files are equal if every dataset under `/particles`, `/connectivity`, `/events`,
//! `/observables` and `/series` is, to the bit. What stands under `/parameters` and `/runs` is no
//! result: it is distinguished. A few rows are in memory at a time; of files that are still being
//! written, what is there is compared.

mod parameters;
mod rows;
mod words;

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use jostle_core::words::counted;
use jostle_files::plain_line;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use jostle_model::schema::changes_results;
pub use parameters::{Parameter, settings_unlike};
use rows::{first_difference, length};

const CHANGES: &str = "events/changes";
const CONTACTS: &str = "events/contacts";
/// Row by row beside the contacts, in files of granular runs.
const IMPACTS: &str = "events/impacts";
const BLOCKS: &str = "events/contacts_index";
/// The tables that changes point into.
const FLAT: [&str; 6] = [
    "events/reactants",
    "events/products",
    "events/bonds_broken",
    "events/bonds_made",
    "events/clusters_before",
    "events/clusters_after",
];
/// Where results are.
const RESULTS: [&str; 5] = ["particles", "connectivity", "events", "observables", "series"];
/// One entry per slot: a file with more frames can have more slots.
const SLOTS: [&str; 2] = ["particles/trajectory/species", "particles/trajectory/radius"];

/// What the comparison of two files has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The files.
    pub paths: [PathBuf; 2],
    /// The frames.
    pub frames: Section,
    /// The log of changes.
    pub changes: Section,
    /// The log of contacts.
    pub contacts: Section,
    /// All other datasets that are not equal.
    pub others: Vec<Section>,
    /// Settings that differ, which by itself is no difference in results.
    pub parameters: Vec<Parameter>,
}

/// A part of the results, in both files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// What its rows are: `frame`, `change`, `contact`, `row of /series/...`.
    pub what: String,
    /// How many each file has.
    pub rows: [usize; 2],
    /// The first row that both have and in which they differ.
    pub first: Option<Difference>,
}

/// A row in which two files differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Counted from 0.
    pub row: usize,
    /// When it is and what differs, one line each.
    pub says: Vec<String>,
}

impl Section {
    /// Whether both files have the same.
    pub fn is_equal(&self) -> bool {
        self.first.is_none() && self.rows[0] == self.rows[1]
    }

    fn details(&self) -> String {
        let Self { what, rows: [a, b], first } = self;
        let head = match first {
            None if a == b => format!("equal ({a})"),
            None => format!("{a} and {b}, equal as far as both go"),
            Some(Difference { row, .. }) => {
                format!("{a} and {b}; the first that differs is {what} {row}")
            }
        };
        let says = first.iter().flat_map(|difference| &difference.says);
        let lines = says.map(|line| format!("    {line}\n"));
        let (noun, of) = what
            .split_once(' ')
            .map_or((what.as_str(), String::new()), |(noun, of)| (noun, format!(" {of}")));
        format!("  {noun}s{of}: {head}\n{}", lines.collect::<String>())
    }
}

/// Compares two files: all that is in them, or only what happened in the first `steps` steps.
///
/// # Errors
/// If one of them cannot be read.
pub fn compare(a: &Reading, b: &Reading, steps: Option<u64>) -> Result<Comparison, ReadError> {
    let pair = [a, b];
    let mut left = names(pair)?;
    let frames = frames(pair, steps, &mut left)?;
    let changes = changes(pair, steps)?;
    let contacts = contacts(pair, steps)?;
    for name in FLAT.iter().chain(&[CHANGES, CONTACTS, BLOCKS, IMPACTS]) {
        left.remove(*name);
    }
    let others: Result<Vec<Section>, ReadError> =
        left.iter().map(|name| other(pair, steps, name)).collect();
    Ok(Comparison {
        paths: pair.map(|reading| reading.path().to_owned()),
        frames,
        changes,
        contacts,
        others: others?.into_iter().filter(|section| !section.is_equal()).collect(),
        parameters: parameters::differences(pair)?,
    })
}

/// The datasets with results in either file.
fn names(pair: [&Reading; 2]) -> Result<BTreeSet<String>, ReadError> {
    let mut names = BTreeSet::new();
    for reading in pair {
        for group in RESULTS {
            names.extend(reading.datasets_below(group)?);
        }
    }
    Ok(names)
}

/// Compares frame by frame, and takes the datasets that have one row per frame from `left`.
fn frames(
    pair: [&Reading; 2],
    steps: Option<u64>,
    left: &mut BTreeSet<String>,
) -> Result<Section, ReadError> {
    let per_frame = |name: &String| {
        let within = |group: &&str| name.starts_with(*group);
        let ends = ["/value", "/position/step", "/position/time"];
        ["particles/", "connectivity/", "observables/"].iter().any(within)
            && ends.iter().any(|end| name.ends_with(end))
    };
    let mut names: Vec<String> = left.iter().filter(|name| per_frame(name)).cloned().collect();
    left.retain(|name| !per_frame(name));
    // One number tells of a whole state: where it differs, nothing later need be looked at.
    names.sort_by_key(|name| !name.contains("state_hash"));
    let rows = [rows::frames(pair[0], steps)?, rows::frames(pair[1], steps)?];
    let mut first = rows[0].min(rows[1]);
    for name in &names {
        first = first_difference(pair, name, 0..first)?.unwrap_or(first);
    }
    let mut section = Section { what: "frame".into(), rows, first: None };
    if first < rows[0].min(rows[1]) {
        let mut differing = Vec::new();
        for name in names {
            if first_difference(pair, &name, first..first + 1)?.is_some() {
                differing.push(name);
            }
        }
        section.first =
            Some(Difference { row: first, says: words::frame(pair, first, &differing)? });
    }
    Ok(section)
}

/// Compares change by change, with all that they point to.
fn changes(pair: [&Reading; 2], steps: Option<u64>) -> Result<Section, ReadError> {
    let rows = [rows::changes(pair[0], steps)?, rows::changes(pair[1], steps)?];
    let both = rows[0].min(rows[1]);
    let mut first = first_difference(pair, CHANGES, 0..both)?.unwrap_or(both);
    for (table, name) in FLAT.iter().enumerate() {
        let shared = length(pair[0], name)?.min(length(pair[1], name)?);
        if let Some(row) = first_difference(pair, name, 0..shared)? {
            first = first.min(rows::change_of(pair[0], table, row as u64)?);
        }
    }
    let mut section = Section { what: "change".into(), rows, first: None };
    if first < both {
        section.first = Some(Difference { row: first, says: words::change(pair, first)? });
    }
    Ok(section)
}

/// Compares contact by contact, with the steps that the index gives them.
fn contacts(pair: [&Reading; 2], steps: Option<u64>) -> Result<Section, ReadError> {
    let rows = [rows::contacts(pair[0], steps)?, rows::contacts(pair[1], steps)?];
    let both = rows[0].min(rows[1]);
    let mut first = first_difference(pair, CONTACTS, 0..both)?.unwrap_or(both);
    first = first_difference(pair, IMPACTS, 0..first)?.unwrap_or(first);
    let blocks = length(pair[0], BLOCKS)?.min(length(pair[1], BLOCKS)?);
    if let Some(block) = first_difference(pair, BLOCKS, 0..blocks)? {
        for reading in pair {
            first = first.min(rows::first_contact_of(reading, block)?);
        }
    }
    let mut section = Section { what: "contact".into(), rows, first: None };
    if first < both {
        section.first = Some(Difference { row: first, says: words::contact(pair, first)? });
    }
    Ok(section)
}

/// Compares a dataset of any other kind.
fn other(pair: [&Reading; 2], steps: Option<u64>, name: &str) -> Result<Section, ReadError> {
    let mut rows = [length(pair[0], name)?, length(pair[1], name)?];
    let both = rows[0].min(rows[1]);
    if SLOTS.contains(&name) || steps.is_some() {
        rows = [both; 2];
    }
    let row = first_difference(pair, name, 0..both)?;
    let first = row.map(|row| Difference { row, says: Vec::new() });
    Ok(Section { what: format!("row of /{}", plain_line(name)), rows, first })
}

impl Comparison {
    fn sections(&self) -> impl Iterator<Item = &Section> {
        [&self.frames, &self.changes, &self.contacts].into_iter().chain(&self.others)
    }

    /// Whether both files have the same results.
    pub fn is_equal(&self) -> bool {
        self.sections().all(Section::is_equal)
    }

    /// Which of the two is the beginning of the other: it has less of something, more of nothing,
    /// and what it has is the same.
    pub fn beginning(&self) -> Option<usize> {
        let agree = self.sections().all(|section| section.first.is_none());
        let less = |k: usize| self.sections().all(|section| section.rows[k] <= section.rows[1 - k]);
        [0, 1]
            .into_iter()
            .find(|&k| agree && self.frames.rows[k] < self.frames.rows[1 - k] && less(k))
    }

    /// Part by part, what differs; `first` and `second` are the two files.
    pub fn details(&self) -> String {
        self.sections().map(Section::details).collect()
    }

    /// How much the file `k` has: `16 frames, 63 changes, 44 contacts`.
    fn amount(&self, k: usize) -> String {
        let sections = [&self.frames, &self.changes, &self.contacts];
        sections.map(|section| counted(section.rows[k] as u64, &section.what)).join(", ")
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.paths.each_ref().map(|path| path.display().to_string());
        let [a, b] = &names;
        match self.beginning() {
            _ if self.is_equal() => writeln!(f, "{a} and {b} are equal: {}", self.amount(0))?,
            Some(k) => {
                let (short, long) = (&names[k], &names[1 - k]);
                writeln!(
                    f,
                    "{short} is the beginning of {long}: all it has is there ({})",
                    self.amount(k)
                )?;
                writeln!(f, "  {long} continues: {}", self.amount(1 - k))?;
            }
            None => {
                write!(f, "{a} and {b} differ\n{}", self.details())?;
            }
        }
        let (matter, rest): (Vec<&Parameter>, Vec<&Parameter>) =
            self.parameters.iter().partition(|parameter| changes_results(&parameter.name));
        let kinds = [("results depend", matter), ("no results depend", rest)];
        for (how, parameters) in kinds.iter().filter(|(_, parameters)| !parameters.is_empty()) {
            writeln!(f, "settings that differ, on which {how}:")?;
            for Parameter { name, values: [a, b] } in parameters {
                writeln!(f, "  {name}: {a} | {b}")?;
            }
        }
        Ok(())
    }
}
