//! Walking the tree of a model file: typed values, and a fault for everything that does not fit.

mod quantities;
mod section;
mod setting;

pub(super) use section::Section;
pub(super) use setting::{Setting, quantity};

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::fault::{Fault, MOST_FAULTS, Origin, Place};
use super::hints;
use super::nearest::nearest;
use super::schema::{Engine, Key, ROOT, Table, Type};
use super::tree::{Entry, Node, Value, segments};
use super::units::{Bare, Unit, Wanted};
use jostle_files::positions::file_and_group;
use jostle_files::{is_unseen, shortened};
use section::NO_TABLE;

/// The longest text of a model: a path is not longer on most systems. \[bytes\]
const LONGEST_TEXT: usize = 4096;

/// The tree, the units of bare numbers, and the faults found so far.
pub(super) struct Reader<'a> {
    root: &'a Node,
    pub(super) bare: Cell<Bare>,
    /// The largest length that makes sense here. \[nm\]
    pub(super) longest: Cell<f64>,
    /// The engine whose keys are read.
    pub(super) engine: Cell<Engine>,
    /// How many dimensions the space has, as far as is known.
    dimension: Cell<usize>,
    faults: RefCell<Vec<Fault>>,
    /// Files that the model names.
    files: RefCell<Vec<PathBuf>>,
    /// Where the tables of its lists are, by section and name: a model may have thousands of rules.
    tables: OnceCell<HashMap<String, HashMap<String, usize>>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(root: &'a Node, faults: Vec<Fault>) -> Self {
        Self {
            root,
            bare: Cell::new(Bare::default()),
            longest: Cell::new(f64::INFINITY),
            engine: Cell::new(Engine::Brownian),
            dimension: Cell::new(3),
            faults: RefCell::new(faults),
            files: RefCell::default(),
            tables: OnceCell::new(),
        }
    }

    /// The whole file as a section.
    pub(super) fn root(&'a self) -> Section<'a> {
        self.root_as(&ROOT)
    }

    /// The whole file as a section of another kind of file.
    pub(super) fn root_as(&'a self, table: &'static Table) -> Section<'a> {
        let entries = match &self.root.value {
            Value::Table(entries) => entries.as_slice(),
            _ => &[],
        };
        Section::new(self, table, String::new(), self.root.place.clone(), entries)
    }

    /// Whether the model says anything at `key`.
    pub(super) fn has(&self, key: &str) -> bool {
        let segments = segments(key);
        let (start, rest) = match segments.as_slice() {
            [section, name, rest @ ..] if name.parse::<usize>().is_err() => {
                (self.table(section, name), rest)
            }
            all => (Some(self.root), all),
        };
        rest.iter().try_fold(start, |node, segment| Some(node?.child(segment))).flatten().is_some()
    }

    /// What is behind a name in a section, which may be a list of tables.
    fn table(&self, section: &str, name: &str) -> Option<&'a Node> {
        let node = self.root.child(section)?;
        let Value::List(list) = &node.value else { return node.child(name) };
        let known = self.tables.get_or_init(|| places_in(self.root));
        known.get(section)?.get(name).map(|&place| &list[place])
    }

    /// Notes a fault at the place of `key`, or of the nearest table around it that exists.
    pub(super) fn fault_at(&self, key: &str, message: impl Into<String>) {
        let mut node = self.root;
        for segment in segments(key) {
            match node.child(segment) {
                Some(child) => node = child,
                None => break,
            }
        }
        self.note(node.place.clone(), key, message.into());
    }

    /// Notes a fault of `key` of the species called `name`, which may be a state of one.
    pub(super) fn fault_of_species(&self, name: &str, key: &str, message: impl Into<String>) {
        let table = |name: &str| self.root.child("species").and_then(|all| all.child(name));
        let declared = name.split('{').next().unwrap_or(name);
        let name = if table(name).is_some() { name } else { declared };
        let dot = if key.is_empty() { "" } else { "." };
        self.fault_at(&format!("species.{name}{dot}{key}"), message);
    }

    fn note(&self, place: Place, key: &str, message: String) {
        let mut faults = self.faults.borrow_mut();
        if faults.len() <= MOST_FAULTS {
            faults.push(Fault { place, key: shortened(key, LONGEST_TEXT).into_owned(), message });
        }
    }

    /// The faults, and the files that the model names.
    pub(super) fn into_findings(self) -> (Vec<Fault>, Vec<PathBuf>) {
        (self.faults.into_inner(), self.files.into_inner())
    }
}

/// Where the tables of a file's lists are, by section and name.
fn places_in(root: &Node) -> HashMap<String, HashMap<String, usize>> {
    let Value::Table(sections) = &root.value else { return HashMap::new() };
    let lists = sections.iter().filter_map(|Entry { key, node }| match &node.value {
        Value::List(list) => Some((key.clone(), places(list))),
        _ => None,
    });
    lists.collect()
}

/// Where the tables of a list are, by name; of two of one name, the first.
fn places(list: &[Node]) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    for (place, name) in list.iter().enumerate().filter_map(|(n, table)| Some((n, table.name()?))) {
        found.entry(name.to_owned()).or_insert(place);
    }
    found
}

/// A value on its way to a type.
#[derive(Clone)]
pub(super) struct Item<'a> {
    reader: &'a Reader<'a>,
    pub(super) path: String,
    node: &'a Node,
    takes: &'static Type,
    /// What the schema says of its key.
    pub(super) row: &'static Key,
}

impl<'a> Item<'a> {
    /// Where it is.
    pub(super) fn origin(&self) -> Origin {
        Origin { place: self.node.place.clone(), key: self.path.clone() }
    }

    /// Notes a fault of this value.
    pub(super) fn fault(&self, message: impl Into<String>) {
        self.reader.note(self.node.place.clone(), &self.path, message.into());
    }

    /// Notes that something else was found than was needed.
    fn misfit<T>(&self, needed: &str) -> Option<T> {
        self.fault(format!("found {}, but {needed}", self.node.describe()));
        None
    }

    /// The file that it names, sought from `folder`.
    pub(super) fn file(&self, folder: &Path) -> Option<PathBuf> {
        let path = folder.join(self.text()?);
        self.reader.files.borrow_mut().push(file_and_group(&path).0);
        Some(path)
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.node.value, Value::Text(_))
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(&self.node.value, Value::Text(text) if text == word)
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self.node.value, Value::List(_))
    }

    /// The dimension of the unit that the schema declares.
    pub(super) fn unit_wanted(&self) -> Option<&'static Wanted> {
        match self.takes {
            Type::Unit(wanted) => Some(wanted),
            _ => None,
        }
    }

    /// The unit of a bare length here.
    pub(super) fn bare_length(&self) -> Unit {
        self.reader.bare.get().length
    }

    /// The texts of a list.
    pub(super) fn texts(&self) -> Option<Vec<&'a str>> {
        self.list()?.iter().map(Item::text).collect()
    }

    pub(super) fn text(&self) -> Option<&'a str> {
        match &self.node.value {
            Value::Text(text) if text.len() > LONGEST_TEXT => {
                self.misfit(&format!("text of at most {LONGEST_TEXT} bytes is needed; these are {}", text.len()))
            }
            Value::Text(text) => match text.chars().find(|&c| is_unseen(c)) {
                None => Some(text),
                Some(c) => self.misfit(&format!(
                    "text in one line is needed, without control characters and marks that turn its direction; \
                     it has {}",
                    c.escape_unicode()
                )),
            },
            _ => self.misfit("text in quotes is needed"),
        }
    }

    pub(super) fn boolean(&self) -> Option<bool> {
        match self.node.value {
            Value::Boolean(value) => Some(value),
            _ => self.misfit("`true` or `false` is needed"),
        }
    }

    /// A whole number, `least` or more.
    pub(super) fn whole(&self, least: u64) -> Option<u64> {
        self.whole_as(least, &format!("a whole number of at least {least} is needed"))
    }

    /// A whole number of up to 64 bits.
    pub(super) fn whole_of_64_bits(&self) -> Option<u64> {
        match self.node.value {
            Value::Large(number) => Some(number),
            _ => self
                .whole_as(0, "a whole number from 0 to 18446744073709551615 (64 bits) is needed"),
        }
    }

    /// The same, where something else would do too, as `needed` says.
    pub(super) fn whole_as(&self, least: u64, needed: &str) -> Option<u64> {
        let number = match self.node.value {
            Value::Integer(number) => u64::try_from(number).ok(),
            // 1e6 is a whole number too.
            Value::Float(x) if x.fract() == 0.0 && (0.0..9e15).contains(&x) => Some(x as u64),
            _ => None,
        };
        match number {
            Some(number) if number >= least => Some(number),
            _ => self.misfit(needed),
        }
    }

    /// The words that the schema has for it.
    pub(super) fn words(&self) -> impl Iterator<Item = &'static str> {
        self.takes.words().iter().copied()
    }

    /// `x`, `y` or `z`, as far as the space has them.
    pub(super) fn axis(&self) -> Option<usize> {
        let axis = self.word(&[("x", 0), ("y", 1), ("z", 2)])?;
        let dimension = self.reader.dimension.get();
        if axis < dimension {
            return Some(axis);
        }
        let axes = &["x", "x and y", "x, y and z"][dimension - 1];
        self.fault(format!("a space of dimension {dimension} has only {axes}"));
        None
    }

    /// Whether the table that it may be has this key in models of this engine.
    pub(super) fn may_have(&self, key: &str) -> bool {
        let engine = self.reader.engine.get();
        self.takes.table().is_some_and(|table| table.key(key, engine).is_some())
    }

    /// One word out of a list.
    pub(super) fn word<T: Copy>(&self, words: &[(&'static str, T)]) -> Option<T> {
        let known = || words.iter().map(|(word, _)| *word);
        debug_assert!(
            known().all(|word| self.takes.words().contains(&word)),
            "{}: not all of these are words of the schema",
            self.path
        );
        let needed = format!("one of {} is needed", listed(known()));
        let Value::Text(text) = &self.node.value else {
            return self.misfit(&needed);
        };
        if let Some((_, meaning)) = words.iter().find(|(word, _)| word == text) {
            return Some(*meaning);
        }
        if let Some(hint) = hints::of_word(text, &known().collect::<Vec<_>>()) {
            return self.misfit(&format!("{needed}; {hint}"));
        }
        let hint = nearest(text, known())
            .map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
        self.misfit(&format!("{needed}{hint}"))
    }

    /// One of the words of the schema, as `meaning` understands it; those that it does not
    /// understand are not for here.
    pub(super) fn word_by<T: Copy>(&self, meaning: impl Fn(&str) -> Option<T>) -> Option<T> {
        let known: Vec<_> = self.words().filter_map(|word| Some((word, meaning(word)?))).collect();
        self.word(&known)
    }

    pub(super) fn list(&self) -> Option<Vec<Item<'a>>> {
        debug_assert!(self.takes.entry().is_some(), "{} is no list in the schema", self.path);
        let Value::List(list) = &self.node.value else {
            return self.misfit("a list is needed");
        };
        let takes = self.takes.entry().unwrap_or(self.takes);
        let item = |(n, node): (usize, &'a Node)| {
            let path = match node.name() {
                Some(name) => format!("{}.{name}", self.path),
                None => format!("{}[{n}]", self.path),
            };
            self.within(path, node, takes)
        };
        Some(list.iter().enumerate().map(item).collect())
    }

    /// A value that lies within this one.
    fn within(&self, path: String, node: &'a Node, takes: &'static Type) -> Item<'a> {
        Item { reader: self.reader, path, node, takes, row: self.row }
    }

    /// A list of as many items as there are axes.
    pub(super) fn per_axis(&self, dimension: usize) -> Option<Vec<Item<'a>>> {
        let list = self.list()?;
        if list.len() == dimension {
            Some(list)
        } else {
            self.misfit(&format!("one value per axis is needed, {dimension} in all"))
        }
    }

    /// One component per axis, the rest zero.
    pub(super) fn components(&self, dimension: usize) -> Option<[f64; 3]> {
        let mut components = [0.0; 3];
        for (k, item) in self.per_axis(dimension)?.iter().enumerate() {
            components[k] = item.quantity()?;
        }
        Some(components)
    }

    pub(super) fn is_table(&self) -> bool {
        matches!(self.node.value, Value::Table(_))
    }

    /// The keys of a table that the user names, with their values.
    pub(super) fn entries(&self) -> Option<Vec<(&'a str, Item<'a>)>> {
        debug_assert!(self.takes.named().is_some(), "{} has keys of its own", self.path);
        let Value::Table(entries) = &self.node.value else {
            return self.misfit("a table is needed");
        };
        let takes = self.takes.named().unwrap_or(self.takes);
        let item = |entry: &'a Entry| {
            let path = format!("{}.{}", self.path, entry.key);
            (entry.key.as_str(), self.within(path, &entry.node, takes))
        };
        Some(entries.iter().map(item).collect())
    }

    /// Whether this is a table with such a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.node.child(key).is_some()
    }

    /// The value as a section, if it is a table; nothing is noted if it is not.
    pub(super) fn section_if_any(&self) -> Option<Section<'a>> {
        if self.is_table() { self.section() } else { None }
    }

    pub(super) fn section(&self) -> Option<Section<'a>> {
        let Value::Table(entries) = &self.node.value else {
            return self.misfit("a table is needed");
        };
        debug_assert!(self.takes.table().is_some(), "{} is no table in the schema", self.path);
        let table = self.takes.table().unwrap_or(&NO_TABLE);
        let place = self.node.place.clone();
        Some(Section::new(self.reader, table, self.path.clone(), place, entries))
    }
}

/// What may be left out, if it is there; nothing at all if it is faulty.
pub(super) fn sound<T>(given: Option<Option<T>>) -> Option<Option<T>> {
    match given {
        Some(None) => None,
        given => Some(given.flatten()),
    }
}

/// Words in quotes, one after the other.
pub(super) fn listed<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}
