//! Writes tables in the keys of the schema.

use std::fmt::Display;

use crate::schema::{Absent, Engine, Key, ROOT, Table, Type};
use crate::units::Wanted;
use crate::walker::{Setting, quantity};

/// A model file that is being written, section by section.
pub(super) struct ModelText {
    engine: Engine,
    text: String,
}

impl ModelText {
    pub(super) fn new(engine: Engine, title: &str) -> Self {
        let mut head = TableText { table: &ROOT, engine, pairs: Vec::new() };
        head.text("title", title);
        Self { engine, text: head.to_lines() }
    }

    /// Adds a section with the keys that `fill` puts into it; one of several that are called alike,
    /// if the schema has them as a list.
    pub(super) fn add(&mut self, section: &'static str, fill: impl FnOnce(&mut TableText)) {
        let root = TableText { table: &ROOT, engine: self.engine, pairs: Vec::new() };
        let Some(Key { takes, .. }) = root.key(section) else { return };
        let (tables, head) = match takes.entry() {
            Some(entry) => (entry, format!("\n[[{section}]]\n")),
            None => (takes, format!("\n[{section}]\n")),
        };
        let mut lines = root.of(tables);
        fill(&mut lines);
        self.text += &head;
        self.text += &lines.to_lines();
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// The keys of one table with their values, in the order in which they are written.
pub(in super::super) struct TableText {
    table: &'static Table,
    engine: Engine,
    pairs: Vec<(&'static str, String)>,
}

impl TableText {
    /// What the schema says of a key. To write one that this engine does not have is a mistake of
    /// ours: it could not be read again.
    fn key(&self, key: &'static str) -> Option<&'static Key> {
        let found = self.table.key(key, self.engine);
        debug_assert!(
            found.is_some(),
            "`{key}` is not declared in the table `{}` of {}",
            self.table.name,
            self.engine.models()
        );
        found
    }

    /// The table that a value of this type is, with nothing in it yet.
    fn of(&self, takes: &Type) -> Self {
        static NONE: Table = Table { name: "", keys: &[] };
        debug_assert!(takes.table().is_some(), "no table within `{}`", self.table.name);
        let table = takes.table().unwrap_or(&NONE);
        Self { table, engine: self.engine, pairs: Vec::new() }
    }

    /// The value of a key, written as the schema says, if models of this engine have the key.
    pub(in super::super) fn set(&mut self, key: &'static str, value: &impl Setting) {
        let Some(row) = self.table.key(key, self.engine) else { return };
        let value = value.written(row);
        let is_usual = |value: &str| matches!(row.absent, Absent::Value(usual) if usual == value);
        // Defaults are written out, as they might be others in a later version; but not those that
        // the schema calls brief.
        if let Some(value) = value.filter(|value| !(row.is_brief && is_usual(value))) {
            self.put(key, value);
        }
    }

    /// Whether models of this engine have a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.key(key, self.engine).is_some()
    }

    /// A value that is TOML already.
    pub(super) fn put(&mut self, key: &'static str, value: impl Display) {
        if self.key(key).is_some() {
            self.pairs.push((key, value.to_string()));
        }
    }

    pub(super) fn text(&mut self, key: &'static str, text: &str) {
        self.put(key, quoted(text));
    }

    /// Names in a list.
    pub(super) fn texts<'t>(&mut self, key: &'static str, texts: impl Iterator<Item = &'t str>) {
        self.put(key, listed(texts.map(quoted)));
    }

    /// One of the words that the schema has for a key.
    pub(super) fn word(&mut self, key: &'static str, word: &str) {
        let Some(Key { takes, .. }) = self.key(key) else { return };
        debug_assert!(takes.words().contains(&word), "`{key}` has no word \"{word}\"");
        self.text(key, word);
    }

    /// A quantity in nm, µs, kg, K, rad and kT.
    pub(super) fn quantity(&mut self, key: &'static str, value: f64) {
        if let Some(wanted) = self.wanted(key) {
            self.quantity_as(key, value, wanted);
        }
    }

    /// The same where the schema leaves the dimension open.
    pub(super) fn quantity_as(&mut self, key: &'static str, value: f64, wanted: &Wanted) {
        self.put(key, quantity(value, wanted));
    }

    /// The same, if there is one.
    pub(super) fn quantity_if_any(&mut self, key: &'static str, value: Option<f64>) {
        if let Some(value) = value {
            self.quantity(key, value);
        }
    }

    /// A list of quantities.
    pub(super) fn quantities(&mut self, key: &'static str, values: &[f64]) {
        if let Some(wanted) = self.wanted(key) {
            self.put(key, listed(values.iter().map(|value| quantity(*value, wanted))));
        }
    }

    /// A list of pairs of quantities.
    pub(super) fn quantity_pairs(&mut self, key: &'static str, pairs: &[[f64; 2]]) {
        let Some(wanted) = self.wanted(key) else { return };
        let pair = |pair: &[f64; 2]| listed(pair.iter().map(|value| quantity(*value, wanted)));
        self.put(key, listed(pairs.iter().map(pair)));
    }

    /// The quantity that the schema has for a key, or for the entries of its list.
    fn wanted(&self, key: &'static str) -> Option<&'static Wanted> {
        let takes = self.key(key)?.takes;
        let wanted = takes.quantity().or_else(|| takes.entry()?.quantity());
        debug_assert!(wanted.is_some(), "`{key}` is no quantity in the schema");
        wanted
    }

    /// A table behind a key, with the keys that `fill` puts into it.
    pub(super) fn table(&mut self, key: &'static str, fill: impl FnOnce(&mut Self)) {
        let Some(Key { takes, .. }) = self.key(key) else { return };
        let mut within = self.of(takes);
        fill(&mut within);
        self.put(key, within.to_inline());
    }

    /// So many tables in a list, each with the keys that `fill` puts into it.
    pub(super) fn tables(
        &mut self,
        key: &'static str,
        count: usize,
        fill: impl Fn(&mut Self, usize),
    ) {
        let Some(entry) = self.key(key).and_then(|key| key.takes.entry()) else { return };
        let row = |n| {
            let mut within = self.of(entry);
            fill(&mut within, n);
            format!("    {},", within.to_inline())
        };
        // A line for each: files of thousands of spheres are read by people, and compared line by
        // line.
        let rows: Vec<_> = (0..count).map(row).collect();
        self.put(key, format!("[\n{}\n]", rows.join("\n")));
    }

    /// What stands behind each of some names of the model, if there are any: TOML that `write`
    /// makes, of a table in which nothing is yet.
    pub(super) fn named<'n, T>(
        &mut self,
        key: &'static str,
        values: impl Iterator<Item = (&'n str, T)>,
        write: impl Fn(T, Self) -> String,
    ) {
        let Some(each) = self.key(key).and_then(|key| key.takes.named()) else { return };
        let pairs: Vec<_> = values
            .map(|(name, value)| format!("{} = {}", quoted(name), write(value, self.of(each))))
            .collect();
        if !pairs.is_empty() {
            self.put(key, format!("{{ {} }}", pairs.join(", ")));
        }
    }

    /// `key = value`, line by line.
    fn to_lines(&self) -> String {
        self.pairs.iter().map(|(key, value)| format!("{key} = {value}\n")).collect()
    }

    /// `{ key = value, key = value }`
    pub(super) fn to_inline(&self) -> String {
        let pairs: Vec<_> =
            self.pairs.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        format!("{{ {} }}", pairs.join(", "))
    }
}

/// Text as TOML has it.
pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// `[a, b]`
pub(super) fn listed(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A list with a line for each entry.
pub(super) fn stacked(rows: &[String]) -> String {
    format!("[\n{}\n]", rows.join(",\n"))
}
