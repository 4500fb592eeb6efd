//! What a key takes and what holds without it, in words.

use super::engine::Engine;
use super::types::{Absent, Key, Type};

impl Type {
    /// What it is in words, code in backticks: `a length`, `` `"step"` or `"move"` ``.
    pub fn describe(&self) -> String {
        match self {
            Self::Quantity(wanted) | Self::Bounded(wanted, _) => wanted.noun.to_owned(),
            Self::InSpace(wanted) => {
                let [length, area, volume] = [1, 2, 3].map(|d| wanted(d).dimension.name());
                format!("{volume} ({area} in 2D, {length} in 1D)")
            }
            Self::Unit(wanted) => format!("the unit of {}", wanted.dimension.name()),
            Self::Whole(0) => "a whole number".to_owned(),
            Self::Whole(least) | Self::UpTo(least, ..) => {
                format!("a whole number of at least {least}")
            }
            Self::Boolean => "`true` or `false`".to_owned(),
            Self::Text => "text".to_owned(),
            Self::Memory => "an amount of memory".to_owned(),
            Self::Word(words) => any_of(words.iter().map(|word| format!("`\"{word}\"`")), " or "),
            Self::List(entry) => format!("a list, each entry {}", entry.describe()),
            Self::PerAxis(entry) => format!("{} for each axis", entry.describe()),
            Self::Table(table) => format!("a table `{}`", table.name),
            Self::Named(value) => format!("a table by name, each entry {}", value.describe()),
            Self::Either(choices) => {
                let each = choices.iter().enumerate();
                any_of(each.map(|(n, choice)| choice.describe_after(&choices[..n])), ", or ")
            }
        }
    }

    /// The same after other choices, which lists and tables may consist of.
    fn describe_after(&self, others: &[Self]) -> String {
        let other = any_of(others.iter().map(Self::describe), ", or ");
        let is_other = |entry: &Self| entry.describe() == other;
        match self {
            Self::List(entry) if is_other(entry) => "a list of these".to_owned(),
            Self::PerAxis(entry) if is_other(entry) => "one for each axis".to_owned(),
            Self::Named(value) if is_other(value) => "a table of these by name".to_owned(),
            _ => self.describe(),
        }
    }
}

impl Key {
    /// The engines that it belongs to, as a clause in brackets; empty if it belongs to models of
    /// all engines.
    pub fn describe_engines(&self) -> String {
        if self.engines.len() == Engine::ALL.len() {
            return String::new();
        }
        let models: Vec<_> = self.engines.iter().map(|engine| engine.models()).collect();
        format!(" ({})", models.join(", "))
    }

    /// What holds without it, in words, code in backticks; may be empty.
    pub fn describe_absent(&self) -> String {
        match self.absent {
            Absent::Fault => "needed".to_owned(),
            Absent::Value(value) => format!("`{value}`"),
            Absent::Means(meaning) => meaning.to_owned(),
        }
    }
}

/// `a, b or c`, with `or` as it is given.
pub(super) fn any_of(words: impl Iterator<Item = String>, or: &str) -> String {
    let words: Vec<_> = words.collect();
    match words.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{}{or}{last}", rest.join(", ")),
    }
}
