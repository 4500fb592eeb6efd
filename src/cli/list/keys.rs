//! `jostle list keys`: what a model file can say.

use std::io::Write;

use crate::cli::Failure;
use crate::files::paragraph;
use crate::model::nearest;
use crate::model::schema::{Absent, Engine, Key, TablePath, Type, tables};

/// The command line of `jostle list keys`.
#[derive(clap::Args)]
pub(super) struct KeysArguments {
    /// Only this section, or this table within one, such as `run` or `drift`.
    section: Option<String>,
    /// Only keys of models of this engine.
    #[arg(long, value_parser = ["brownian", "granular", "polygons", "gas"])]
    engine: Option<String>,
}

impl KeysArguments {
    /// The engines that are requested.
    fn engines(&self) -> Vec<Engine> {
        let is_asked =
            |engine: &Engine| self.engine.as_deref().is_none_or(|name| name == engine.name());
        Engine::ALL.into_iter().filter(is_asked).collect()
    }

    /// Whether a table is requested: the one with this name, or one within it.
    fn wants(&self, place: &TablePath) -> bool {
        let asked = |name: &String| {
            place.table.name == name || place.keys.iter().any(|key| key.name == name)
        };
        self.section.as_ref().is_none_or(asked)
    }
}

pub(super) fn execute(arguments: &KeysArguments, out: &mut impl Write) -> Result<(), Failure> {
    let engines = arguments.engines();
    let all = tables(&engines);
    let wanted: Vec<_> = all.iter().filter(|place| arguments.wants(place)).collect();
    if let (Some(section), []) = (&arguments.section, &wanted[..]) {
        let names: Vec<_> = all.iter().skip(1).map(|place| place.table.name).collect();
        let hint = match nearest(section, names.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("the sections are: {}", names.join(", ")),
        };
        return Err(Failure::Error(format!("there is no section \"{section}\"; {hint}").into()));
    }
    for (n, place) in wanted.iter().enumerate() {
        if n > 0 {
            writeln!(out)?;
        }
        write!(out, "{}", text_of(place, &engines))?;
    }
    Ok(())
}

/// A table: its heading, and its keys.
fn text_of(place: &TablePath, engines: &[Engine]) -> String {
    let mut text = match place.key() {
        None => String::new(),
        Some(key) => paragraph(
            &format!("{}  ", place.heading()),
            &plain(&format!("{}{}", key.doc, key.describe_engines())),
        ),
    };
    // The sections themselves come one by one.
    let is_root = place.keys.is_empty();
    let keys = place.table.keys.iter().filter(|key| key.is_of(engines));
    for key in keys.filter(|key| !is_root || key.takes.table_within().is_none()) {
        text += &paragraph(&format!("  {:<20} ", key.name), &plain(&said_of(key)));
    }
    text
}

fn said_of(key: &Key) -> String {
    let takes = key.takes.describe();
    // Words are examples already.
    let example = match key.takes {
        Type::Word(_) | Type::Boolean | Type::Whole(_) => String::new(),
        _ => format!(", for example {}", key.example),
    };
    let absent = match (key.absent, key.describe_absent()) {
        (Absent::Fault, _) => "; needed".to_owned(),
        (_, absent) if absent.is_empty() => absent,
        (_, absent) => format!("; if absent: {absent}"),
    };
    format!("{takes}{example}{absent}\n{}{}", key.doc, key.describe_engines())
}

/// Words without the marks of the manual.
fn plain(text: &str) -> String {
    text.replace(['`', '*'], "")
}
