//! Options by name: how each is called, what it takes and how it is read. The command line, sweep
//! files and Python have the same ones.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an option is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Given {
    /// Nothing else: it is set, or not.
    Flag(bool),
    /// One value.
    Text(String),
    /// Several.
    List(Vec<String>),
}

/// How many values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// None: it is set, or not.
    Nothing,
    /// One.
    One,
    /// Any number, as the option can be repeated.
    Many,
    /// Any number, in one text with commas or repeated.
    Commas,
    /// Two, one after the other.
    Two,
}

/// An option of a question.
pub struct Row<T: 'static> {
    /// Its name, as in `--group-by`.
    pub name: &'static str,
    /// What else it is called.
    pub alias: Option<&'static str>,
    /// What stands for its value in a help text.
    pub value: &'static str,
    /// What it means, in a sentence or two.
    pub help: &'static str,
    /// How many values it takes.
    pub takes: Takes,
    /// The words that it takes, with the meaning of each; none if it takes other values.
    pub words: &'static [(&'static str, &'static str)],
    /// Options that it cannot be used with.
    pub not_with: &'static [&'static str],
    /// An option without which it means nothing.
    pub needs: Option<&'static str>,
    /// Whether a value may begin with a hyphen, as a negative number does.
    pub signed: bool,
    /// Reads one value; what is wrong with it is said in a sentence.
    pub read: fn(&mut T, &str) -> Result<(), String>,
}

impl<T> Row<T> {
    /// An option that takes values.
    pub const fn new(
        name: &'static str,
        (takes, value): (Takes, &'static str),
        help: &'static str,
        read: fn(&mut T, &str) -> Result<(), String>,
    ) -> Self {
        let (words, not_with): (&[_], &[_]) = (&[], &[]);
        let (alias, needs, signed) = (None, None, false);
        Self { name, alias, value, help, takes, words, not_with, needs, signed, read }
    }

    /// The same option, which takes one of these words.
    pub const fn words(self, words: &'static [(&'static str, &'static str)]) -> Self {
        Self { words, ..self }
    }

    /// The same option, which cannot be used with these.
    pub const fn not_with(self, not_with: &'static [&'static str]) -> Self {
        Self { not_with, ..self }
    }

    /// The same option, which needs another one.
    pub const fn needs(self, other: &'static str) -> Self {
        Self { needs: Some(other), ..self }
    }

    /// The same option, with another name beside its own.
    pub const fn alias(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    /// The same option, whose value may begin with a hyphen.
    pub const fn signed(self) -> Self {
        Self { signed: true, ..self }
    }

    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.alias == Some(name)
    }
}

/// Options that are read by name.
pub trait Named: Default + Sized + 'static {
    /// What they stand below in a help text, if they do not stand with the others.
    const HEADING: Option<&'static str> = None;

    /// The options, in the order in which help lists them.
    fn rows() -> &'static [&'static [Row<Self>]];
}

/// All options of a question.
pub fn rows<T: Named>() -> impl Iterator<Item = &'static Row<T>> {
    T::rows().iter().copied().flatten()
}

/// Reads options by name.
///
/// # Errors
/// If there is no such option, or it cannot have this value.
pub fn read<T: Named>(given: &[(String, Given)]) -> Result<T, QuestionError> {
    for (name, _) in given {
        if !rows::<T>().any(|row| row.is_called(name)) {
            let known = rows::<T>().map(|row| row.name).collect();
            return Err(QuestionError::Unknown { option: name.clone(), known });
        }
    }
    let is_given = |name: &str| {
        given.iter().any(|(known, value)| known == name && *value != Given::Flag(false))
    };
    let mut options = T::default();
    for row in rows::<T>() {
        let mut values = Vec::new();
        for (_, given) in given.iter().filter(|(name, _)| row.is_called(name)) {
            values.extend(row.values(given)?);
        }
        let option = row.name;
        if values.is_empty() {
            continue;
        }
        if let Some(other) = row.not_with.iter().find(|other| is_given(other)) {
            return Err(QuestionError::Together([option, other]));
        }
        if let Some(needed) = row.needs.filter(|needed| !is_given(needed)) {
            return Err(QuestionError::Without { option, needed });
        }
        let (fits, wanted) = match row.takes {
            Takes::Nothing | Takes::One => (values.len() == 1, "one value"),
            Takes::Two => (values.len() == 2, "two values"),
            Takes::Many | Takes::Commas => (true, ""),
        };
        if !fits {
            let why = format!("it takes {wanted}, and {} are given", values.len());
            return Err(QuestionError::about(option, why));
        }
        for value in values {
            (row.read)(&mut options, &value).map_err(|why| QuestionError::Value {
                option,
                value: value.clone(),
                why,
            })?;
        }
    }
    Ok(options)
}

impl<T> Row<T> {
    /// The values that it is given, one by one.
    fn values(&self, given: &Given) -> Result<Vec<String>, QuestionError> {
        let texts: &[String] = match (self.takes, given) {
            (_, Given::Flag(false)) => return Ok(vec![]),
            (Takes::Nothing, Given::Flag(true)) => return Ok(vec![String::new()]),
            (Takes::Nothing, _) => {
                return Err(QuestionError::about(self.name, "it takes no value"));
            }
            (_, Given::Flag(true)) => {
                return Err(QuestionError::about(self.name, "a value is needed"));
            }
            (_, Given::Text(text)) => std::slice::from_ref(text),
            (_, Given::List(texts)) => texts,
        };
        let mut values: Vec<String> = match self.takes {
            Takes::Commas => {
                texts.iter().flat_map(|text| text.split(',')).map(str::to_owned).collect()
            }
            _ => texts.to_vec(),
        };
        if !self.words.is_empty() {
            for value in &mut values {
                if !self.words.iter().any(|(word, _)| word == value) {
                    let words: Vec<_> = self.words.iter().map(|(word, _)| *word).collect();
                    let why = format!("possible values are {}", words.join(", "));
                    let value = std::mem::take(value);
                    return Err(QuestionError::Value { option: self.name, value, why });
                }
            }
        }
        Ok(values)
    }
}

/// A question that is not understood, or makes no sense for the file. Options are called by their
/// names here; [`QuestionError::in_words`] calls them as its caller does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionError {
    /// No option is called so.
    Unknown {
        /// What was given.
        option: String,
        /// The options that there are.
        known: Vec<&'static str>,
    },
    /// An option cannot have this value.
    Value {
        /// The option.
        option: &'static str,
        /// Its value.
        value: String,
        /// What would do.
        why: String,
    },
    /// Two options exclude each other.
    Together([&'static str; 2]),
    /// An option means nothing without another one.
    Without {
        /// The option.
        option: &'static str,
        /// The other one.
        needed: &'static str,
    },
    /// Options that make no sense here.
    Options {
        /// The options.
        options: Vec<&'static str>,
        /// Why they make none, in a sentence without their names.
        why: String,
    },
    /// Something else; the text says what.
    Other(String),
}

impl QuestionError {
    /// What is wrong with an option.
    pub fn about(option: &'static str, why: impl Into<String>) -> Self {
        Self::Options { options: vec![option], why: why.into() }
    }

    /// In a sentence, in which `called` says how an option is called.
    pub fn in_words(&self, called: impl Fn(&str) -> String) -> String {
        let list = |options: &[&str]| {
            let options: Vec<String> = options.iter().map(|option| called(option)).collect();
            options.join(", ")
        };
        match self {
            Self::Unknown { option, known } => {
                format!("there is no option {}; there are {}", called(option), list(known))
            }
            Self::Value { option, value, why } => {
                format!("invalid value '{value}' for '{}': {why}", called(option))
            }
            Self::Together([one, other]) => {
                format!("{} cannot be used with {}", called(one), called(other))
            }
            Self::Without { option, needed } => {
                format!("{} needs {}", called(option), called(needed))
            }
            Self::Options { options, why } => format!("{}: {why}", list(options)),
            Self::Other(text) => text.clone(),
        }
    }
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(str::to_owned))
    }
}

impl std::error::Error for QuestionError {}

/// Sets what an option is about, if its value can be read.
///
/// # Errors
/// What is wrong with the value.
pub fn set<T>(option: &mut Option<T>, value: Result<T, String>) -> Result<(), String> {
    *option = Some(value?);
    Ok(())
}

/// Adds a text to those that an option is given.
///
/// # Errors
/// None; it has the form of what reads options.
pub fn add(texts: &mut Vec<String>, text: &str) -> Result<(), String> {
    texts.push(text.to_owned());
    Ok(())
}

/// A whole number within these bounds.
///
/// # Errors
/// If it is no whole number, or outside of them.
pub fn whole<N: TryFrom<u64>>(
    text: &str,
    bounds: std::ops::RangeInclusive<u64>,
) -> Result<N, String> {
    let number: i128 =
        text.trim().parse().map_err(|why: std::num::ParseIntError| why.to_string())?;
    let found = u64::try_from(number).ok().filter(|number| bounds.contains(number));
    found.and_then(|number| N::try_from(number).ok()).ok_or_else(|| {
        let (least, most) = (bounds.start(), bounds.end());
        format!("{number} is not in {least}..={most}")
    })
}
