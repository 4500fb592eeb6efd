//! A table of the file, read in the words of the schema.

use std::cell::RefCell;

use super::{Item, Reader};
use crate::fault::{Origin, Place};
use crate::schema::{Key, Table};
use crate::tree::Entry;
use crate::unknown::{elsewhere, unknown};

/// The most tables of a kind, such as `[[rule]]`.
const MOST_TABLES: usize = 100_000;

/// A table of the file, with what the schema says of its keys. They are asked for one by one, in
/// the words of the schema.
pub(crate) struct Section<'a> {
    reader: &'a Reader<'a>,
    table: &'static Table,
    pub(crate) path: String,
    place: Place,
    entries: &'a [Entry],
    asked: RefCell<Vec<&'static str>>,
    /// How many faults had been found when it was opened.
    faults: usize,
}

impl<'a> Section<'a> {
    pub(super) fn new(
        reader: &'a Reader<'a>,
        table: &'static Table,
        path: String,
        place: Place,
        entries: &'a [Entry],
    ) -> Self {
        let faults = reader.faults.borrow().len();
        Self { reader, table, path, place, entries, asked: RefCell::default(), faults }
    }

    /// What the schema says of a key in models of this engine. To ask for a key that no engine has
    /// is a mistake of ours, not of the user.
    fn key(&self, key: &'static str) -> Option<&'static Key> {
        debug_assert!(
            self.table.named(key).next().is_some(),
            "`{key}` is not declared in the table `{}` of the schema",
            self.table.name
        );
        self.asked.borrow_mut().push(key);
        self.table.key(key, self.reader.engine.get())
    }

    /// The value of a key, if it is there and belongs to models of this engine.
    pub(crate) fn get(&self, key: &'static str) -> Option<Item<'a>> {
        let Key { takes, example, .. } = self.key(key)?;
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        let path = self.path_to(key);
        Some(Item { reader: self.reader, path, node: &entry.node, takes, example })
    }

    /// Whether a key is there, whatever may come of it.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    /// The value of a key that must be there.
    pub(crate) fn require(&self, key: &'static str) -> Option<Item<'a>> {
        let example = self.table.key(key, self.reader.engine.get()).map_or("", |key| key.example);
        self.require_like(key, example)
    }

    /// The same where `example` would do, and that of the schema would not.
    pub(crate) fn require_like(&self, key: &'static str, example: &str) -> Option<Item<'a>> {
        let item = self.get(key);
        if item.is_none() {
            self.fault(format!("`{key}` is missing, for example `{key} = {example}`"));
        }
        item
    }

    /// A table within this one; an empty one if it is not there.
    pub(crate) fn table(&self, key: &'static str) -> Section<'a> {
        self.get(key).and_then(|item| item.section()).unwrap_or_else(|| {
            let declared = self.table.named(key).find_map(|key| key.takes.table());
            let table = declared.unwrap_or(&NO_TABLE);
            Section::new(self.reader, table, self.path_to(key), self.place.clone(), &[])
        })
    }

    /// A list of tables, each called after its `name`.
    pub(crate) fn tables(&self, key: &'static str) -> Vec<Section<'a>> {
        let Some(item) = self.get(key) else {
            return Vec::new();
        };
        if item.is_table() {
            let _: Option<()> =
                item.misfit(&format!("a list is needed, each of which begins with `[[{key}]]`"));
            return Vec::new();
        }
        let list = item.list().unwrap_or_default();
        if list.len() > MOST_TABLES {
            item.fault(format!("there are {} of them; at most {MOST_TABLES} are read", list.len()));
            return Vec::new();
        }
        let sections = list.into_iter();
        sections.filter_map(|item| item.section()).collect()
    }

    /// Notes a key that makes no sense here, if it is there.
    pub(crate) fn refuse(&self, key: &'static str, why: &str) {
        if let Some(item) = self.get(key) {
            item.fault(why);
        }
    }

    /// Notes a fault of the table as a whole.
    pub(crate) fn fault(&self, message: impl Into<String>) {
        self.reader.note(self.place.clone(), &self.path, message.into());
    }

    /// Where the table is.
    pub(crate) fn origin(&self) -> Origin {
        Origin { place: self.place.clone(), key: self.path.clone() }
    }

    /// Notes every key that is not known here, that belongs to models of another engine, or that has
    /// not been read, since it does not go with the others. Of the last nothing is said
    /// where there are other faults, which may be why.
    pub(crate) fn finish(self) {
        let is_sound = self.reader.faults.borrow().len() == self.faults;
        for entry in self.entries {
            if let Some(message) = self.objection(&entry.key, is_sound) {
                self.reader.note(entry.node.place.clone(), &self.path_to(&entry.key), message);
            }
        }
    }

    /// What is wrong with a key being there.
    fn objection(&self, key: &str, is_sound: bool) -> Option<String> {
        let engine = self.reader.engine.get();
        if self.table.key(key, engine).is_some() {
            let is_idle = is_sound && !self.asked.borrow().contains(&key);
            return is_idle.then(|| format!("`{key}` does not go with the other keys here"));
        }
        if self.table.named(key).next().is_some() {
            return Some(elsewhere(self.table, key, engine));
        }
        let known: Vec<&str> = self.table.of(engine).map(|key| key.name).collect();
        Some(unknown(key, &known))
    }

    fn path_to(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }
}

/// What stands in for a table that the schema does not declare, which is a mistake of ours.
pub(super) static NO_TABLE: Table = Table { name: "", keys: &[] };
