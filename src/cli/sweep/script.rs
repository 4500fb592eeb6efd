//! `jostle sweep script`.

use std::io::Write;
use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::super::{Failure, say};
use crate::sweep::{Engine, script};

/// Reads the word for what is to start the tasks.
pub(super) fn engines() -> impl TypedValueParser<Value = Engine> {
    let values = Engine::ALL.map(|(_, word, about)| PossibleValue::new(word).help(about));
    PossibleValuesParser::new(values).try_map(|word| word.parse::<Engine>())
}

pub(super) fn execute(folder: &Path, engine: Engine) -> Result<(), Failure> {
    let (text, note) = script(folder, engine)?;
    note.iter().for_each(|note| say(&format!("note: {note}")));
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}
