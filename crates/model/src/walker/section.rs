//! A table of the file, read in the words of the schema.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use super::{Item, Reader, Setting};
use crate::fault::{Origin, Place};
use crate::schema::{Absent, Engine, Key, Table, Type, tables};
use crate::tree::{Entry, Node};
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
        let row = self.key(key)?;
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        Some(self.item(row, &entry.node))
    }

    /// A value of a key.
    fn item(&self, row: &'static Key, node: &'a Node) -> Item<'a> {
        Item { reader: self.reader, path: self.path_to(row.name), node, takes: &row.takes, row }
    }

    /// The one of these keys that is given, with its value; none if several are, or none is.
    pub(crate) fn only<const N: usize>(
        &self,
        keys: [&'static str; N],
    ) -> Option<(&'static str, Item<'a>)> {
        let given = keys.map(|key| self.get(key).map(|item| (key, item)));
        let mut given = given.into_iter().flatten();
        given.next().filter(|_| given.next().is_none())
    }

    /// The value that a key has by the schema: the one in the file, if it is right; without one,
    /// the default. What is faulty or missing is noted, and something stands in for it: NaN for a
    /// quantity, nothing for what need not be there.
    pub(crate) fn setting<T: Setting>(&self, key: &'static str) -> T {
        self.value(key, false)
    }

    /// The same for a key that is needed here, though not everywhere.
    pub(crate) fn needed<T: Setting>(&self, key: &'static str) -> T {
        self.value(key, true)
    }

    fn value<T: Setting>(&self, key: &'static str, is_needed: bool) -> T {
        let row = self.key(key).or_else(|| self.table.named(key).next()).unwrap_or(&NO_KEY);
        let given = if is_needed || row.absent == Absent::Fault {
            self.require(key)
        } else {
            self.get(key)
        };
        if let Some(value) = given.as_ref().and_then(T::read) {
            return value;
        }
        match row.absent {
            Absent::Value(usual) if given.is_none() => self.known(row, usual),
            Absent::Value(usual) => T::FAULTY.unwrap_or_else(|| self.known(row, usual)),
            _ => T::FAULTY.unwrap_or_else(|| self.known(row, row.example)),
        }
    }

    /// A value that the schema has for a key.
    fn known<T: Setting>(&self, row: &'static Key, toml: &'static str) -> T {
        let value = known_values().get(toml).and_then(|node| T::read(&self.item(row, node)));
        value.or(T::FAULTY).expect("the schema has values that can be read, as its tests see to")
    }

    /// Tells later keys how many dimensions the space has.
    pub(crate) fn is_in_dimension(&self, dimension: usize) {
        self.reader.dimension.set(dimension);
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

    /// Whether no fault has been found since it was opened.
    pub(crate) fn is_sound(&self) -> bool {
        self.reader.faults.borrow().len() == self.faults
    }

    /// Where the table is.
    pub(crate) fn origin(&self) -> Origin {
        Origin { place: self.place.clone(), key: self.path.clone() }
    }

    /// Notes every key that is not known here, that belongs to models of another engine, or that has
    /// not been read, since it does not go with the others. Of the last nothing is said
    /// where there are other faults, which may be why.
    pub(crate) fn finish(self) {
        let is_sound = self.is_sound();
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

/// What stands in for a key that the schema does not declare.
static NO_KEY: Key = Key::new("", Type::Text, "", "");

/// The values that stand in the schema as TOML, defaults and examples, read once.
fn known_values() -> &'static HashMap<&'static str, Node> {
    static VALUES: OnceLock<HashMap<&'static str, Node>> = OnceLock::new();
    let usual = |key: &Key| match key.absent {
        Absent::Value(usual) => Some(usual),
        _ => None,
    };
    VALUES.get_or_init(|| {
        let all = tables(&Engine::ALL);
        let keys = all.iter().flat_map(|place| place.table.keys);
        let values = keys.flat_map(|key| usual(key).into_iter().chain([key.example]));
        values.map(|toml| (toml, Node::from_override(toml, &Place::File))).collect()
    })
}
