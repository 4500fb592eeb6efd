//! Model files that are written by a program: of values that it has, or of a text with keys set on
//! top of it.

use crate::fault::Faults;
use crate::tree::{Node, Value};
use crate::{naming, overrides};

/// Longer lines are broken between the entries of a list. \[characters\]
const LONGEST_LINE: usize = 100;

/// A value of a model file.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// Text.
    Text(String),
    /// A whole number of up to 64 bits, with a sign or without.
    Integer(i128),
    /// A number with a decimal point.
    Float(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A list.
    List(Vec<Datum>),
    /// A table: keys and their values, in the order in which they are written.
    Table(Vec<(String, Datum)>),
}

/// The text of a model with `overrides` on top, written out as if the file had said so itself; its
/// comments are lost.
///
/// # Errors
/// What is no TOML, and overrides for which there is no place.
pub fn edited(text: &str, name: &str, overrides: &[(String, String)]) -> Result<String, Faults> {
    let mut root = Node::parse(text).map_err(|faults| Faults::new(name, faults))?;
    let mut faults = Vec::new();
    overrides::expand_search(&mut root);
    naming::name_reactions(&mut root);
    overrides::apply(&mut root, overrides, &mut faults);
    if !faults.is_empty() {
        return Err(Faults::new(name, faults));
    }
    match datum(&root) {
        Datum::Table(sections) => Ok(written(&sections)),
        _ => Ok(String::new()),
    }
}

/// Without the places.
fn datum(node: &Node) -> Datum {
    match &node.value {
        Value::Text(text) => Datum::Text(text.clone()),
        Value::Integer(number) => Datum::Integer(i128::from(*number)),
        Value::Large(number) => Datum::Integer(i128::from(*number)),
        Value::Float(number) => Datum::Float(*number),
        Value::Boolean(value) => Datum::Boolean(*value),
        Value::List(list) => Datum::List(list.iter().map(datum).collect()),
        Value::Table(entries) => Datum::Table(
            entries.iter().map(|entry| (entry.key.clone(), datum(&entry.node))).collect(),
        ),
        // No model has such a value.
        Value::Other(what) => Datum::Text((*what).to_owned()),
    }
}

/// A model file with these sections, in their order, as a person would write it: a heading for each
/// section, a line for each of its keys.
pub fn written(sections: &[(String, Datum)]) -> String {
    let mut text = String::new();
    for (key, value) in sections.iter().filter(|(_, value)| tables(value).is_none()) {
        line(&mut text, key, value);
    }
    for (key, value) in sections {
        let heading = match value {
            Datum::Table(_) => format!("[{}]", name(key)),
            _ => format!("[[{}]]", name(key)),
        };
        for entries in tables(value).into_iter().flatten() {
            if !text.is_empty() {
                text.push('\n');
            }
            text += &heading;
            text.push('\n');
            entries.iter().for_each(|(key, value)| line(&mut text, key, value));
        }
    }
    text
}

/// The tables under headings: of a section, or of several that are called alike.
fn tables(value: &Datum) -> Option<Vec<&[(String, Datum)]>> {
    match value {
        Datum::Table(entries) => Some(vec![entries.as_slice()]),
        Datum::List(list) if !list.is_empty() => list
            .iter()
            .map(|entry| match entry {
                Datum::Table(entries) => Some(entries.as_slice()),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

/// `key = value`
fn line(text: &mut String, key: &str, value: &Datum) {
    let inline = format!("{} = {}", name(key), value.inline());
    let list = match value {
        Datum::List(list) if inline.chars().count() > LONGEST_LINE => list,
        _ => {
            *text += &inline;
            return text.push('\n');
        }
    };
    *text += &format!("{} = [\n", name(key));
    list.iter().for_each(|entry| *text += &format!("    {},\n", entry.inline()));
    *text += "]\n";
}

/// A key, in quotes if it needs them.
fn name(key: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(plain) { key.to_owned() } else { quoted(key) }
}

/// Text in quotes and in one line, so that it has room in a table in one line too.
fn quoted(text: &str) -> String {
    if !text.contains(char::is_control) {
        return toml::Value::String(text.to_owned()).to_string();
    }
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

impl Datum {
    /// The value as TOML in one line, as `--set` takes it.
    pub fn inline(&self) -> String {
        match self {
            Self::Text(text) => quoted(text),
            Self::Integer(number) => number.to_string(),
            Self::Float(number) if number.is_nan() => "nan".to_owned(),
            Self::Float(number) => format!("{number:?}"),
            Self::Boolean(value) => value.to_string(),
            Self::List(list) => {
                format!("[{}]", list.iter().map(Self::inline).collect::<Vec<_>>().join(", "))
            }
            Self::Table(entries) if entries.is_empty() => "{}".to_owned(),
            Self::Table(entries) => {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(key, value)| format!("{} = {}", name(key), value.inline()))
                    .collect();
                format!("{{ {} }}", entries.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_written_where_it_belongs_and_takes_the_place_of_its_alternatives() {
        let text = "title = 'a'  # remark\nsearch = 'slices'\n[run]\nsteps = 5\n[[species]]\nname = 'A'\n\
                    count = 3\n[[rule]]\nreaction = 'A -> 0'\nrate = '1 /s'\n";
        let set = [
            ("run.until", "\"1 ms\""),
            ("species.A.placement.random", "7"),
            ("rule.A_to_0.rate", "2 /s"),
            ("output.log", "\"all\""),
        ]
        .map(|(key, value)| (key.to_owned(), value.to_owned()));
        let expected = "title = \"a\"\n\n[search]\nkind = \"slices\"\n\n[run]\nuntil = \"1 ms\"\n\n[[species]]\n\
                        name = \"A\"\nplacement = { random = 7 }\n\n[[rule]]\nreaction = \"A -> 0\"\n\
                        rate = \"2 /s\"\nname = \"A_to_0\"\n\n[output]\nlog = \"all\"\n";
        assert_eq!(edited(text, "test", &set).unwrap(), expected);
        let nowhere = [("species.B.count".to_owned(), "1".to_owned())];
        assert!(edited(text, "test", &nowhere).is_err());
    }

    #[test]
    fn whatever_is_written_reads_back() {
        let texts = ["", "a\"b\\c", "two\nlines\r\n\ttab\u{7f}\u{1}", "µ'''\"\"\"", "#"];
        let mut list: Vec<_> = texts.map(|text| Datum::Text(text.to_owned())).into();
        list.extend([0.1, -1e-300, 1e300, 3.0, f64::INFINITY].map(Datum::Float));
        list.extend([
            Datum::Integer(i64::MIN.into()),
            Datum::Boolean(true),
            Datum::List(Vec::new()),
        ]);
        let row =
            |n: i64| Datum::List(vec![Datum::Integer(n.into()), Datum::Float(n as f64 / 7.0)]);
        let inner = vec![
            ("plain-key".to_owned(), Datum::List(list)),
            (
                "a \"key\"".to_owned(),
                Datum::Table(vec![("ä".to_owned(), Datum::Table(Vec::new()))]),
            ),
            ("long".to_owned(), Datum::List((0..30).map(row).collect())),
        ];
        let sections = vec![
            ("first".to_owned(), Datum::Table(inner.clone())),
            (
                "several".to_owned(),
                Datum::List(vec![Datum::Table(inner), Datum::Table(Vec::new())]),
            ),
            ("last".to_owned(), Datum::Integer(1)),
        ];
        let read = datum(&Node::parse(&written(&sections)).unwrap());
        let Datum::Table(mut read) = read else { panic!("no table") };
        read.rotate_left(1);
        assert_eq!(read, sections);
    }
}
