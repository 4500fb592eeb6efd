//! What is wrong with a model: all faults at once, each with its place and key.

use std::fmt;

/// Where a fault lies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of the file, counted from 1.
    Line(usize),
    /// Something that the command line set on top of the file, as `key=value`.
    Override(String),
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// The key, as `--set` takes it (`species.EGFR.radius`); may be empty.
    pub key: String,
    /// What was found, and what would do.
    pub message: String,
}

/// Everything that is wrong with a model, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    /// The file's name.
    pub name: String,
    /// The faults; never empty.
    pub list: Vec<Fault>,
}

impl Faults {
    pub(super) fn new(name: &str, mut list: Vec<Fault>) -> Self {
        list.sort_by(|a, b| a.place.cmp(&b.place));
        list.dedup();
        Self { name: name.to_owned(), list }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.list.iter().enumerate() {
            if n > 0 {
                writeln!(f)?;
            }
            match &fault.place {
                Place::File => write!(f, "{}: ", self.name)?,
                Place::Line(line) => write!(f, "{}:{line}: ", self.name)?,
                Place::Override(set) => write!(f, "--set {set}: ")?,
            }
            if !fault.key.is_empty() {
                write!(f, "{}: ", fault.key)?;
            }
            write!(f, "{}", fault.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
