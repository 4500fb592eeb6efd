//! The text of a model as a tree of values that know where they stand.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{Fault, Place};
use super::grammar::slip;
use jostle_files::{shortened, with_room};

/// Tables and lists within each other; no model has more than a few.
const DEEPEST: usize = 50;
/// The most characters of a text that a message quotes.
const MOST_SHOWN: usize = 120;

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) value: Value,
}

/// A value of the file.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    Integer(i64),
    /// A whole number from 2^63 on, below 2^64: only seeds are so large.
    Large(u64),
    Float(f64),
    Boolean(bool),
    List(Vec<Node>),
    Table(Vec<Entry>),
    /// Something that no key of a model takes: what it is called.
    Other(&'static str),
}

/// A key of a table with its value; the place of the key is that of the value.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) node: Node,
}

impl Node {
    /// Reads TOML text.
    ///
    /// # Errors
    /// The first slip of grammar, with its line: what a parser says of the text behind it is noise.
    pub(super) fn parse(text: &str) -> Result<Self, Vec<Fault>> {
        let read = with_room(|| Self::parse_deep(text));
        read.unwrap_or_else(|error| {
            let message = format!("cannot be read: {error}");
            Err(vec![Fault { place: Place::File, key: String::new(), message }])
        })
    }

    /// The same where the stack has room for what the parser of TOML takes; the tree is no deeper
    /// than [`DEEPEST`].
    fn parse_deep(text: &str) -> Result<Self, Vec<Fault>> {
        let (table, errors) = DeTable::parse_recoverable(text);
        let lines = Lines::of(text);
        let starts = |error: &toml::de::Error| error.span().map_or(usize::MAX, |span| span.start);
        if let Some(first) = errors.iter().min_by_key(|error| starts(error)) {
            let said = (starts(first), first.message().trim().to_owned());
            // What is not closed is noticed late, where something else is meant to begin.
            let (at, what) = slip(text).unwrap_or(said);
            let place = if at == usize::MAX { Place::File } else { lines.place(at) };
            return Err(vec![Fault {
                place,
                key: String::new(),
                message: format!("this is not TOML: {what}"),
            }]);
        }
        Ok(Self {
            place: Place::File,
            value: Value::Table(entries(table.get_ref(), &|at| lines.place(at), DEEPEST)),
        })
    }

    /// Reads the value that the command line gives: TOML, or else text.
    pub(super) fn from_override(value: &str, place: &Place) -> Self {
        match DeValue::parse(value) {
            Ok(parsed) => node(&parsed, &|_| place.clone(), DEEPEST),
            Err(_) => Self { place: place.clone(), value: Value::Text(value.to_owned()) },
        }
    }

    /// The value behind a key, or behind the place or the name in a list of tables.
    pub(super) fn child(&self, segment: &str) -> Option<&Self> {
        match &self.value {
            Value::Table(entries) => {
                let entry = entries.iter().find(|entry| entry.key == segment)?;
                Some(&entry.node)
            }
            Value::List(list) => list.get(position(list, segment)?),
            _ => None,
        }
    }

    /// The text behind `name`, if this is a table that has one.
    pub(super) fn name(&self) -> Option<&str> {
        match &self.child("name")?.value {
            Value::Text(name) => Some(name),
            _ => None,
        }
    }

    /// What is found, as messages call it.
    pub(super) fn describe(&self) -> String {
        match &self.value {
            Value::Text(text) => format!("\"{}\"", shortened(text, MOST_SHOWN)),
            Value::Integer(number) => number.to_string(),
            Value::Large(number) => number.to_string(),
            Value::Float(number) => format!("{number:?}"),
            Value::Boolean(value) => value.to_string(),
            Value::List(list) => format!("a list of {}", list.len()),
            Value::Table(_) => "a table".to_owned(),
            Value::Other(what) => (*what).to_owned(),
        }
    }
}

/// The place in a list that a segment of a path means: the name of a table, or a number from 0.
pub(super) fn position(list: &[Node], segment: &str) -> Option<usize> {
    list.iter()
        .position(|node| node.name() == Some(segment))
        .or_else(|| segment.parse().ok().filter(|&n: &usize| n < list.len()))
}

/// The places in a list that a segment of a path refers to: one, or, if it has a `*`, those of all tables whose names
/// match it.
pub(super) fn positions(list: &[Node], segment: &str) -> Vec<usize> {
    if let Some(at) = position(list, segment) {
        return vec![at];
    }
    let matches = |n: &usize| list[*n].name().is_some_and(|name| is_like(name, segment));
    (0..list.len()).filter(|_| segment.contains('*')).filter(matches).collect()
}

/// Whether a name matches a pattern, in which each `*` stands for any characters. Each piece between two of them is
/// taken at the first place where it stands: if any choice matches, that one does, so none has to be tried twice.
fn is_like(name: &str, pattern: &str) -> bool {
    let Some((begin, rest)) = pattern.split_once('*') else { return name == pattern };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    let inner = name.strip_prefix(begin).and_then(|after| after.strip_suffix(end));
    let mut pieces = middle.split('*');
    inner.is_some_and(|inner| {
        pieces
            .try_fold(inner, |left, piece| Some(&left[left.find(piece)? + piece.len()..]))
            .is_some()
    })
}

/// The segments of a path: `species.EGFR.radius`, `species[1].radius`, `species.1.radius`.
pub(super) fn segments(path: &str) -> Vec<&str> {
    path.split(['.', '[']).map(|segment| segment.strip_suffix(']').unwrap_or(segment)).collect()
}

/// Turns offsets into lines.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    fn place(&self, offset: usize) -> Place {
        Place::Line(1 + self.0.partition_point(|&end| end < offset))
    }
}

/// The entries of a table in the order of the file.
fn entries(table: &DeTable<'_>, place: &impl Fn(usize) -> Place, levels: usize) -> Vec<Entry> {
    let mut all: Vec<_> = table.iter().collect();
    all.sort_by_key(|(key, _)| key.span().start);
    all.iter()
        .map(|(key, value)| Entry {
            key: key.get_ref().to_string(),
            node: Node { place: place(key.span().start), ..node(value, place, levels) },
        })
        .collect()
}

fn node(value: &Spanned<DeValue<'_>>, place: &impl Fn(usize) -> Place, levels: usize) -> Node {
    let content = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Integer(number),
            Err(_) => match u64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Value::Large(number),
                Err(_) => Value::Other("a whole number of more than 64 bits"),
            },
        },
        DeValue::Float(number) => match number.as_str().parse() {
            Ok(number) => Value::Float(number),
            Err(_) => Value::Other("no number"),
        },
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Datetime(_) => Value::Other("a date or time of day"),
        DeValue::Array(_) | DeValue::Table(_) if levels == 0 => {
            Value::Other("a value nested in too many tables")
        }
        DeValue::Array(list) => {
            Value::List(list.iter().map(|item| node(item, place, levels - 1)).collect())
        }
        DeValue::Table(table) => Value::Table(entries(table, place, levels - 1)),
    };
    Node { place: place(value.span().start), value: content }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(node: &Node, path: &str) -> Place {
        let found = segments(path).iter().try_fold(node, |node, segment| node.child(segment));
        found.map(|node| node.place.clone()).unwrap()
    }

    #[test]
    fn values_know_their_lines() {
        let text = "a = 1\n\n[run]\nseed = 2\n[[species]]\nname = 'A'\n[[species]]\nname='B'\nradius = [\n1,\n2]\n";
        let tree = Node::parse(text).unwrap();
        assert_eq!(line(&tree, "a"), Place::Line(1));
        assert_eq!(line(&tree, "run"), Place::Line(3));
        assert_eq!(line(&tree, "run.seed"), Place::Line(4));
        assert_eq!(line(&tree, "species[0]"), Place::Line(5));
        assert_eq!(line(&tree, "species.B"), Place::Line(7));
        assert_eq!(line(&tree, "species.1.radius"), Place::Line(9));
        assert_eq!(line(&tree, "species.B.radius.1"), Place::Line(11));
    }

    #[test]
    fn the_first_error_of_grammar_is_reported_alone() {
        let place = |text: &str| match Node::parse(text).unwrap_err().as_slice() {
            [fault] => fault.place.clone(),
            faults => panic!("{faults:?}"),
        };
        assert_eq!(place("a = 1\nb = \nc = 2\nc = 3\n"), Place::Line(2));
        assert_eq!(place("a = 1\nc = 2\nc = 3\n"), Place::Line(3));
        assert_eq!(place("a = 1\nb = { c = 1\n[d]\ne = {}\n[[f]]\ng = \"1\"\n"), Place::Line(2));
    }
}
