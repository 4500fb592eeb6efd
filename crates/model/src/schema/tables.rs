//! All tables of the schema, one after the other.

use super::engine::Engine;
use super::root::ROOT;
use super::types::{Key, Table};

/// A table, and how to get to it.
#[derive(Clone, Debug)]
pub struct TablePath {
    /// The table.
    pub table: &'static Table,
    /// The keys that lead to it from the root, the first of several ways; none for the root itself.
    pub keys: Vec<&'static Key>,
}

impl TablePath {
    /// What it is headed by in a model file, `[run]` or `[[species]]`; within a section its path,
    /// `species.drift`.
    pub fn heading(&self) -> String {
        match self.keys.as_slice() {
            [section] if section.takes.entry().is_some() => format!("[[{}]]", section.name),
            [section] => format!("[{}]", section.name),
            keys => keys.iter().map(|key| key.name).collect::<Vec<_>>().join("."),
        }
    }

    /// Whether it is there in models of an engine.
    pub fn is_of(&self, engine: Engine) -> bool {
        self.keys.iter().all(|key| key.engines.contains(&engine))
    }

    /// What it is for: the words of the key that leads to it.
    pub fn key(&self) -> Option<&'static Key> {
        self.keys.last().copied()
    }
}

/// The root and all tables within it in models of any of these engines, each once and followed by
/// those within it.
pub fn tables(engines: &[Engine]) -> Vec<TablePath> {
    let mut found = Vec::new();
    gather(TablePath { table: &ROOT, keys: Vec::new() }, engines, &mut found);
    found
}

fn gather(place: TablePath, engines: &[Engine], found: &mut Vec<TablePath>) {
    if found.iter().any(|known| known.table.name == place.table.name) {
        return;
    }
    let (table, keys) = (place.table, place.keys.clone());
    found.push(place);
    for key in table.keys.iter().filter(|key| key.is_of(engines)) {
        if let Some(table) = key.takes.table_within() {
            let keys = keys.iter().copied().chain([key]).collect();
            gather(TablePath { table, keys }, engines, found);
        }
    }
}
