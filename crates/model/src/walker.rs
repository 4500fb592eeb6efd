//! Walking the tree of a model file: typed values, and a fault for everything that does not fit.

use std::cell::{Cell, RefCell};

use super::fault::{Fault, MOST_FAULTS, Origin, Place};
use super::hints;
use super::nearest::nearest;
use super::schema::{Engine, Key, ROOT, Table, Type};
use super::tree::{Entry, Node, Value, segments};
use super::units::{Bare, Quantity, Unit, UnitError, Wanted};
use super::unknown::{elsewhere, unknown};
use jostle_files::{is_unseen, shortened};

/// The longest text of a model: a path is not longer on most systems. \[bytes\]
const LONGEST_TEXT: usize = 4096;
/// The most tables of a kind, such as `[[rule]]`.
const MOST_TABLES: usize = 20_000;

/// The tree, the units of bare numbers, and the faults found so far.
pub(super) struct Reader<'a> {
    root: &'a Node,
    pub(super) bare: Cell<Bare>,
    /// The largest length that makes sense here. \[nm\]
    pub(super) longest: Cell<f64>,
    /// Whose models have the keys that are read.
    pub(super) engine: Cell<Engine>,
    faults: RefCell<Vec<Fault>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(root: &'a Node, faults: Vec<Fault>) -> Self {
        Self {
            root,
            bare: Cell::new(Bare::default()),
            longest: Cell::new(f64::INFINITY),
            engine: Cell::new(Engine::Brownian),
            faults: RefCell::new(faults),
        }
    }

    /// The whole file as a section.
    pub(super) fn root(&'a self) -> Section<'a> {
        let entries = match &self.root.value {
            Value::Table(entries) => entries.as_slice(),
            _ => &[],
        };
        Section::new(self, &ROOT, String::new(), self.root.place.clone(), entries)
    }

    /// Whether the model says anything at `key`.
    pub(super) fn has(&self, key: &str) -> bool {
        segments(key).into_iter().try_fold(self.root, |node, segment| node.child(segment)).is_some()
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

    pub(super) fn into_faults(self) -> Vec<Fault> {
        self.faults.into_inner()
    }
}

/// A table of the file, with what the schema says of its keys. They are asked for one by one, in
/// the words of the schema.
pub(super) struct Section<'a> {
    reader: &'a Reader<'a>,
    table: &'static Table,
    pub(super) path: String,
    place: Place,
    entries: &'a [Entry],
    asked: RefCell<Vec<&'static str>>,
    /// How many faults had been found when it was opened.
    faults: usize,
}

impl<'a> Section<'a> {
    fn new(
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
    pub(super) fn get(&self, key: &'static str) -> Option<Item<'a>> {
        let Key { takes, example, .. } = self.key(key)?;
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        let path = self.path_to(key);
        Some(Item { reader: self.reader, path, node: &entry.node, takes, example })
    }

    /// Whether a key is there, whatever may come of it.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.iter().any(|entry| entry.key == key)
    }

    /// The value of a key that must be there.
    pub(super) fn require(&self, key: &'static str) -> Option<Item<'a>> {
        let example = self.table.key(key, self.reader.engine.get()).map_or("", |key| key.example);
        self.require_like(key, example)
    }

    /// The same where `example` would do, and that of the schema would not.
    pub(super) fn require_like(&self, key: &'static str, example: &str) -> Option<Item<'a>> {
        let item = self.get(key);
        if item.is_none() {
            self.fault(format!("`{key}` is missing, for example `{key} = {example}`"));
        }
        item
    }

    /// A table within this one; an empty one if it is not there.
    pub(super) fn table(&self, key: &'static str) -> Section<'a> {
        self.get(key).and_then(|item| item.section()).unwrap_or_else(|| {
            let declared = self.table.named(key).find_map(|key| key.takes.table());
            let table = declared.unwrap_or(&NO_TABLE);
            Section::new(self.reader, table, self.path_to(key), self.place.clone(), &[])
        })
    }

    /// A list of tables, each called after its `name`.
    pub(super) fn tables(&self, key: &'static str) -> Vec<Section<'a>> {
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
    pub(super) fn refuse(&self, key: &'static str, why: &str) {
        if let Some(item) = self.get(key) {
            item.fault(why);
        }
    }

    /// Notes a fault of the table as a whole.
    pub(super) fn fault(&self, message: impl Into<String>) {
        self.reader.note(self.place.clone(), &self.path, message.into());
    }

    /// Where the table is.
    pub(super) fn origin(&self) -> Origin {
        Origin { place: self.place.clone(), key: self.path.clone() }
    }

    /// Notes every key that is not known here, that belongs to models of another engine, or that
    /// nobody has asked for, since it does not go with the others. Of the last nothing is said where
    /// there are other faults, which may be why.
    pub(super) fn finish(self) {
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

/// A value on its way to a type.
#[derive(Clone)]
pub(super) struct Item<'a> {
    reader: &'a Reader<'a>,
    pub(super) path: String,
    node: &'a Node,
    takes: &'static Type,
    /// A value that would do in its place, as TOML.
    pub(super) example: &'static str,
}

/// What stands in for a table that the schema does not declare, which is a mistake of ours.
static NO_TABLE: Table = Table { name: "", keys: &[] };

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

    /// The quantity that the schema declares. To ask for one where it declares none is a mistake of
    /// ours.
    fn declared(&self) -> &'static Wanted {
        let wanted = self.takes.quantity();
        debug_assert!(wanted.is_some(), "{} is no quantity in the schema", self.path);
        wanted.unwrap_or(&Wanted::NUMBER)
    }

    /// One of the words of the schema, as `meaning` understands it; those that it does not
    /// understand are not for here.
    pub(super) fn word_by<T: Copy>(&self, meaning: impl Fn(&str) -> Option<T>) -> Option<T> {
        let known: Vec<_> = self.words().filter_map(|word| Some((word, meaning(word)?))).collect();
        self.word(&known)
    }

    /// A quantity in nm, µs, kg and K, of the dimension that the schema declares; bare numbers are
    /// in the units that the file declares.
    pub(super) fn quantity(&self) -> Option<f64> {
        self.quantity_as(self.declared())
    }

    /// The same where the schema leaves the dimension open.
    pub(super) fn quantity_as(&self, wanted: &Wanted) -> Option<f64> {
        let quantity = match &self.node.value {
            Value::Integer(number) => Ok(Quantity { number: *number as f64, unit: None }),
            Value::Float(number) => Ok(Quantity { number: *number, unit: None }),
            Value::Text(text) => Quantity::parse(text),
            _ => return self.unfit(wanted, ""),
        };
        let quantity = match quantity {
            Ok(quantity) => quantity,
            Err(error) => return self.unfit(wanted, &format!(", which {}", as_clause(&error))),
        };
        let bare = || self.reader.bare.get().unit(wanted.dimension);
        let Some(unit) = quantity.unit.or_else(bare) else {
            return self.unfit(wanted, ", which has no unit");
        };
        if unit.dimension != wanted.dimension {
            let of = |rate: fn(usize) -> Wanted| {
                unit.dimension == rate(3).dimension && [rate(1), rate(2)].contains(wanted)
            };
            let explain = if of(Wanted::contact_rate) {
                ": a rate per concentration belongs to a volume, and this space has none"
            } else if of(Wanted::creation_rate) {
                ": a concentration belongs to a volume, and this space has none"
            } else if self.meant_under_one_slash(wanted) {
                ": each unit under a slash needs one of its own, as in `/M/s`"
            } else {
                ""
            };
            let found = format!(", which is {}{explain}", unit.dimension.name());
            return self.unfit(wanted, &found);
        }
        let value = unit.to_internal(quantity.number);
        if !value.is_finite() {
            return self.unfit(wanted, ", which is not a finite number");
        }
        let [_, largest] = wanted.range(self.reader.longest.get());
        if value.abs() > largest {
            let most = wanted.in_example_unit(largest);
            return self.unfit(
                wanted,
                &format!(", which is beyond the range of such quantities, up to {most}"),
            );
        }
        Some(value)
    }

    /// Whether it would be right if all units behind the first slash were divided by: `1e7 /M s`.
    fn meant_under_one_slash(&self, wanted: &Wanted) -> bool {
        let Value::Text(text) = &self.node.value else { return false };
        let Some((before, after)) = text.split_once('/') else { return false };
        let after: Vec<_> = after.split_whitespace().collect();
        let meant = Quantity::parse(&format!("{before}/{}", after.join("/")));
        after.len() > 1
            && meant.is_ok_and(|q| q.unit.is_some_and(|unit| unit.dimension == wanted.dimension))
    }

    fn unfit<T>(&self, wanted: &Wanted, what: &str) -> Option<T> {
        self.fault(format!(
            "found {}{what}; {} is needed, for example \"{}\"",
            self.node.describe(),
            wanted.noun,
            wanted.example
        ));
        None
    }

    /// A quantity above zero.
    pub(super) fn positive(&self) -> Option<f64> {
        self.positive_as(self.declared())
    }

    /// The same where the schema leaves the dimension open.
    pub(super) fn positive_as(&self, wanted: &Wanted) -> Option<f64> {
        let value = self.quantity_as(wanted)?;
        if value > 0.0 {
            self.not_too_small(wanted, value)
        } else {
            self.unfit(wanted, ", which is not above zero")
        }
    }

    /// A quantity of zero or more.
    pub(super) fn not_negative(&self) -> Option<f64> {
        self.not_negative_as(self.declared())
    }

    /// The same where the schema leaves the dimension open.
    pub(super) fn not_negative_as(&self, wanted: &Wanted) -> Option<f64> {
        let value = self.quantity_as(wanted)?;
        if value >= 0.0 {
            self.not_too_small(wanted, value)
        } else {
            self.unfit(wanted, ", which is negative")
        }
    }

    /// A quantity that is zero, or not so small that its inverse is beyond all numbers.
    fn not_too_small(&self, wanted: &Wanted, value: f64) -> Option<f64> {
        let [least, _] = wanted.range(self.reader.longest.get());
        if value == 0.0 || value >= least {
            return Some(value);
        }
        let least = wanted.in_example_unit(least);
        self.unfit(
            wanted,
            &format!(", which is beyond the range of such quantities, from {least} on"),
        )
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
        Item { reader: self.reader, path, node, takes, example: self.example }
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

/// Words in quotes, one after the other.
pub(super) fn listed<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

/// The message of a unit error as the end of a sentence about the text.
fn as_clause(error: &UnitError) -> String {
    match error {
        UnitError::NoNumber => error.to_string(),
        _ => format!("cannot be read: {error}"),
    }
}
