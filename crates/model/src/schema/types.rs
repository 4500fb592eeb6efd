//! What a table of the model file consists of: keys, and what they take.

use crate::units::Wanted;

use super::engine::{ALL, Engine};

/// A section of the model file, or a table within one.
#[derive(Debug)]
pub struct Table {
    /// What it is called: `run`, `drift`. No two tables have the same name.
    pub name: &'static str,
    /// Its keys. A key whose meaning differs between engines stands once for each.
    pub keys: &'static [Key],
}

impl Table {
    pub(super) const fn new(name: &'static str, keys: &'static [Key]) -> Self {
        Self { name, keys }
    }

    /// The key of this name in models of `engine`.
    pub fn key(&self, name: &str, engine: Engine) -> Option<&'static Key> {
        self.named(name).find(|key| key.engines.contains(&engine))
    }

    /// The keys in models of `engine`.
    pub fn of(&self, engine: Engine) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().filter(move |key| key.engines.contains(&engine))
    }

    /// The keys of this name in models of any engine.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().filter(move |key| key.name == name)
    }
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub takes: Type,
    /// What holds without it.
    pub absent: Absent,
    /// A value that would do, as TOML.
    pub example: &'static str,
    /// What it means, in one sentence or a few words. Code is in backticks.
    pub doc: &'static str,
    /// The heading of the manual that says more.
    pub see: Option<&'static str>,
    /// The engines that it belongs to.
    pub engines: &'static [Engine],
    /// What is said of it in models of other engines, where more can be said than whose it is.
    pub elsewhere: &'static [(Engine, &'static str)],
    /// The keys that stand for it in a model written out in full, if it does not stand there
    /// itself: of the same table, or paths from the root (`space.edges`). One of them is there.
    pub written_as: &'static [&'static str],
    /// Whether a model written out in full leaves it out where it has the value that it has without
    /// it.
    pub is_brief: bool,
    /// Whether what happens in a run depends on it: not where it says how the run is done, how long
    /// it is or what is written.
    pub changes_results: bool,
    /// Why it cannot be an axis of a sweep, if it cannot.
    pub no_axis: Option<&'static str>,
}

/// Which quantities are right.
#[derive(Clone, Copy, Debug)]
pub enum Bounds {
    /// Those above zero.
    Positive,
    /// Zero and those above.
    NotNegative,
    /// Those to which this does not object.
    Unless(fn(f64) -> Option<String>),
}

/// What holds without a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// The key is needed.
    Fault,
    /// The same as with this value, as TOML.
    Value(&'static str),
    /// What these words say; nothing, if there are none.
    Means(&'static str),
}

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// A quantity of one dimension: a text with a unit, or a bare number in the units of the file.
    Quantity(&'static Wanted),
    /// The same, if it is within bounds.
    Bounded(&'static Wanted, Bounds),
    /// A quantity whose dimension follows from that of the space.
    InSpace(fn(usize) -> Wanted),
    /// A unit of such quantities.
    Unit(&'static Wanted),
    /// A whole number of at least this.
    Whole(u64),
    /// A whole number from one to another; what is said behind a larger one.
    UpTo(u64, u64, &'static str),
    /// `true` or `false`.
    Boolean,
    /// Text in quotes.
    Text,
    /// An amount of memory: a text with a unit.
    Memory,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list.
    List(&'static Type),
    /// A list with one entry per axis.
    PerAxis(&'static Type),
    /// A table with these keys.
    Table(&'static Table),
    /// A table whose keys are names in the model, of species or states.
    Named(&'static Type),
    /// Any of several.
    Either(&'static [Type]),
}

impl Type {
    /// All that would do, one by one.
    pub fn choices(&self) -> &[Self] {
        match self {
            Self::Either(choices) => choices,
            _ => std::slice::from_ref(self),
        }
    }

    /// The table that it may be.
    pub fn table(&self) -> Option<&'static Table> {
        self.choices().iter().find_map(|choice| match choice {
            Self::Table(table) => Some(*table),
            _ => None,
        })
    }

    /// What the entries of the list are that it may be.
    pub fn entry(&self) -> Option<&'static Self> {
        self.choices().iter().find_map(|choice| match choice {
            Self::List(entry) | Self::PerAxis(entry) => Some(*entry),
            _ => None,
        })
    }

    /// What stands behind each name in the table that it may be.
    pub fn named(&self) -> Option<&'static Self> {
        self.choices().iter().find_map(|choice| match choice {
            Self::Named(value) => Some(*value),
            _ => None,
        })
    }

    /// The table that it may be, or that each of its entries may be.
    pub fn table_within(&self) -> Option<&'static Table> {
        let entry = || self.entry().or_else(|| self.named())?.table();
        self.table().or_else(entry)
    }

    /// The quantity that it may be, whatever the space.
    pub fn quantity(&self) -> Option<&'static Wanted> {
        self.choices().iter().find_map(|choice| match choice {
            Self::Quantity(wanted) | Self::Bounded(wanted, _) => Some(*wanted),
            _ => None,
        })
    }

    /// Within which bounds it is, if it is a quantity that has any.
    pub fn bounds(&self) -> Option<Bounds> {
        self.choices().iter().find_map(|choice| match choice {
            Self::Bounded(_, bounds) => Some(*bounds),
            _ => None,
        })
    }

    /// The least whole number that it may be.
    pub fn least(&self) -> Option<u64> {
        self.choices().iter().find_map(|choice| match choice {
            Self::Whole(least) | Self::UpTo(least, ..) => Some(*least),
            _ => None,
        })
    }

    /// The words that it may be.
    pub fn words(&self) -> &'static [&'static str] {
        let words = |choice: &Self| match choice {
            Self::Word(words) => Some(*words),
            _ => None,
        };
        self.choices().iter().find_map(words).unwrap_or_default()
    }
}

impl Key {
    /// Whether it belongs to models of any of these engines.
    pub fn is_of(&self, engines: &[Engine]) -> bool {
        self.engines.iter().any(|engine| engines.contains(engine))
    }

    /// A key of models of every engine that may be left out, with nothing else to say.
    pub(crate) const fn new(
        name: &'static str,
        takes: Type,
        example: &'static str,
        doc: &'static str,
    ) -> Self {
        Self {
            name,
            takes,
            absent: Absent::Means(""),
            example,
            doc,
            see: None,
            engines: ALL,
            elsewhere: &[],
            written_as: &[],
            is_brief: false,
            changes_results: true,
            no_axis: None,
        }
    }

    /// The same key, which cannot be left out.
    pub(super) const fn needed(self) -> Self {
        Self { absent: Absent::Fault, ..self }
    }

    /// The same with a value, as TOML, that holds if it is left out.
    pub(super) const fn usually(self, value: &'static str) -> Self {
        Self { absent: Absent::Value(value), ..self }
    }

    /// The same with words for what holds if it is left out.
    pub(super) const fn without(self, meaning: &'static str) -> Self {
        Self { absent: Absent::Means(meaning), ..self }
    }

    /// The same in models of these engines only.
    pub(super) const fn only(self, engines: &'static [Engine]) -> Self {
        Self { engines, ..self }
    }

    /// The same, and what is said of it in models of other engines.
    pub(super) const fn elsewhere(self, said: &'static [(Engine, &'static str)]) -> Self {
        Self { elsewhere: said, ..self }
    }

    /// The same with a heading of the manual that says more.
    pub(super) const fn see(self, heading: &'static str) -> Self {
        Self { see: Some(heading), ..self }
    }

    /// The same, written out in full only where it is not as without it.
    pub(super) const fn brief(self) -> Self {
        Self { is_brief: true, ..self }
    }

    /// The same, which cannot be an axis of a sweep, as `why` says.
    pub(super) const fn no_axis(self, why: &'static str) -> Self {
        Self { no_axis: Some(why), ..self }
    }

    /// The same, if what happens in a run does not depend on it.
    pub(super) const fn beside_results(self) -> Self {
        Self { changes_results: false, ..self }
    }

    /// The same, written out in full under other keys.
    pub(super) const fn written_as(self, keys: &'static [&'static str]) -> Self {
        Self { written_as: keys, ..self }
    }
}

/// A quantity above zero.
pub(super) const fn positive(takes: Type) -> Type {
    bounded(takes, Bounds::Positive)
}

/// A quantity that is not below zero.
pub(super) const fn not_negative(takes: Type) -> Type {
    bounded(takes, Bounds::NotNegative)
}

/// A quantity to which `objection` has nothing to say.
pub(super) const fn unless(takes: Type, objection: fn(f64) -> Option<String>) -> Type {
    bounded(takes, Bounds::Unless(objection))
}

const fn bounded(takes: Type, bounds: Bounds) -> Type {
    match takes {
        Type::Quantity(wanted) => Type::Bounded(wanted, bounds),
        other => other,
    }
}

pub(super) const LENGTH: Type = Type::Quantity(&Wanted::LENGTH);
pub(super) const TIME: Type = Type::Quantity(&Wanted::TIME);
pub(super) const VELOCITY: Type = Type::Quantity(&Wanted::VELOCITY);
pub(super) const DIFFUSION: Type = Type::Quantity(&Wanted::DIFFUSION);
pub(super) const RATE: Type = Type::Quantity(&Wanted::RATE);
pub(super) const NUMBER: Type = Type::Quantity(&Wanted::NUMBER);
pub(super) const ACCELERATION: Type = Type::Quantity(&Wanted::ACCELERATION);
pub(super) const FREQUENCY: Type = Type::Quantity(&Wanted::FREQUENCY);
pub(super) const MASS: Type = Type::Quantity(&Wanted::MASS);
pub(super) const ENERGY: Type = Type::Quantity(&Wanted::ENERGY);
pub(super) const ANGLE: Type = Type::Quantity(&Wanted::ANGLE);
pub(super) const PRESSURE: Type = Type::Quantity(&Wanted::PRESSURE);
pub(super) const DENSITY: Type = Type::Quantity(&Wanted::DENSITY);
/// A place: a length per axis.
pub(super) const PLACE: Type = Type::PerAxis(&LENGTH);
/// A velocity with its direction: a component per axis.
pub(super) const VELOCITIES: Type = Type::PerAxis(&VELOCITY);
/// An axis of the space.
pub(super) const AXIS: Type = Type::Word(&["x", "y", "z"]);
/// A number that may be zero.
pub(super) const COUNT: Type = Type::Whole(0);
/// A name, or several.
pub(super) const NAMES: Type = Type::Either(&[Type::Text, Type::List(&Type::Text)]);
