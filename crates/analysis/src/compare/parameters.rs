//! Settings in which two files differ.

use std::collections::{BTreeMap, BTreeSet};

use toml::Value;

use jostle_files::{plain_line, with_room};
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// A setting that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// As `--set` names it (`run.seed`), or `version`.
    pub name: String,
    /// What it is in each file; `-` where it is not set.
    pub values: [String; 2],
}

/// All settings that differ, in the order of their names.
pub(super) fn differences(pair: [&Reading; 2]) -> Result<Vec<Parameter>, ReadError> {
    Ok(unlike(&[settings(pair[0])?, settings(pair[1])?]))
}

/// All settings of the model in a file that are not those of another model, given as everything
/// that applies to it.
///
/// # Errors
/// If the file cannot be read.
pub fn settings_unlike(reading: &Reading, resolved: &str) -> Result<Vec<Parameter>, ReadError> {
    Ok(unlike(&[settings(reading)?, settings_in(resolved)]))
}

fn unlike(pair: &[BTreeMap<String, String>; 2]) -> Vec<Parameter> {
    let names: BTreeSet<&String> = pair.iter().flat_map(BTreeMap::keys).collect();
    let value = |of: &BTreeMap<String, String>, name: &String| of.get(name).cloned();
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "-".into());
    let both = names.into_iter().map(|name| (name, [0, 1].map(|k| or_none(value(&pair[k], name)))));
    let differing = both.filter(|(_, [a, b])| a != b);
    differing.map(|(name, values)| Parameter { name: name.clone(), values }).collect()
}

/// All settings of a file by their names; none if it does not tell.
fn settings(reading: &Reading) -> Result<BTreeMap<String, String>, ReadError> {
    if !reading.has_dataset("parameters/resolved") {
        return Ok(BTreeMap::new());
    }
    let (_, resolved) = reading.model()?;
    let mut found = settings_in(&resolved);
    found.insert("version".into(), reading.line("parameters/version")?);
    Ok(found)
}

/// The settings in the text of a model, by their names.
fn settings_in(text: &str) -> BTreeMap<String, String> {
    // Particles that wrote the file may have nested tables without need.
    let read = with_room(|| {
        let mut found = BTreeMap::new();
        if let Ok(table) = toml::from_str(text).map(Value::Table) {
            collect(&mut found, "", &table);
        }
        found
    });
    read.unwrap_or_default()
}

/// Tables by their keys, lists of tables by the names of these.
fn collect(found: &mut BTreeMap<String, String>, name: &str, value: &Value) {
    let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match value {
        Value::Table(table) => {
            table.iter().for_each(|(key, value)| collect(found, &below(key), value))
        }
        Value::Array(list) if list.iter().all(Value::is_table) && !list.is_empty() => {
            for (n, entry) in list.iter().enumerate() {
                let label = entry.get("name").and_then(Value::as_str);
                collect(found, &below(label.map_or(&n.to_string(), |label| label)), entry);
            }
        }
        value => {
            found.insert(plain_line(name), plain_line(&value.to_string()));
        }
    }
}
