//! The schema as editors read it: JSON Schema, draft 7, which Taplo knows.

use serde_json::{Map, Value, json};

use super::engine::Engine;
use super::tables::tables;
use super::types::{Absent, Key, Table, Type};

/// A JSON schema of model files, for completion and remarks in editors. It holds the keys of all
/// engines and does not know which of them go together: `jostle check` does.
pub fn for_editors() -> String {
    let mut places = tables(&Engine::ALL).into_iter();
    let mut whole = places.next().map_or_else(Map::new, |root| table(root.table));
    let definitions: Map<String, Value> =
        places.map(|place| (place.table.name.to_owned(), table(place.table).into())).collect();
    whole.insert("$schema".to_owned(), "http://json-schema.org/draft-07/schema#".into());
    whole.insert("title".to_owned(), "a model file of jostle".into());
    whole.insert("definitions".to_owned(), definitions.into());
    format!("{:#}\n", Value::Object(whole))
}

fn table(table: &Table) -> Map<String, Value> {
    let mut properties = Map::new();
    for key in table.keys {
        if !properties.contains_key(key.name) {
            let rows: Vec<_> = table.named(key.name).collect();
            properties.insert(key.name.to_owned(), property(&rows));
        }
    }
    let parts = [
        ("type", json!("object")),
        ("additionalProperties", json!(false)),
        ("properties", properties.into()),
    ];
    parts.into_iter().map(|(name, part)| (name.to_owned(), part)).collect()
}

/// A key, from its rows for different engines.
fn property(rows: &[&Key]) -> Value {
    let mut types: Vec<Value> = Vec::new();
    for taken in rows.iter().flat_map(|row| row.takes.choices()).map(of_type) {
        if !types.contains(&taken) {
            types.push(taken);
        }
    }
    let described: Vec<_> = rows.iter().map(|row| description(row)).collect();
    let mut property = json!({ "anyOf": types, "description": described.join("\n\n") });
    if let [Key { absent: Absent::Value(usual), .. }] = rows
        && let Some(usual) = of_toml(usual)
    {
        property["default"] = usual;
    }
    let examples: Vec<_> = rows.iter().filter_map(|row| of_toml(row.example)).collect();
    // Sections have none.
    if examples.iter().all(|example| *example != json!({}) && *example != json!([])) {
        property["examples"] = examples.into();
    }
    property
}

fn description(key: &Key) -> String {
    let absent = match (key.absent, key.describe_absent()) {
        (Absent::Fault, _) => " It is needed.".to_owned(),
        (_, absent) if absent.is_empty() => absent,
        (_, absent) => format!(" Without it: {absent}."),
    };
    format!("{}{}\n\nTakes {}.{absent}", key.doc, key.describe_engines(), key.takes.describe())
}

fn of_type(takes: &Type) -> Value {
    match takes {
        Type::Quantity(_) | Type::Bounded(..) | Type::InSpace(_) => {
            json!({ "type": ["number", "string"], "pattern": "^\\s*[+-]?\\.?[0-9]|\\$" })
        }
        Type::Unit(_) | Type::Text | Type::Memory => json!({ "type": "string" }),
        // A whole number, or the name of one among the parameters.
        Type::Whole(least) => {
            json!({ "type": ["integer", "string"], "minimum": least, "pattern": "\\$" })
        }
        Type::UpTo(least, most, _) => {
            json!({ "type": ["integer", "string"], "minimum": least, "maximum": most, "pattern": "\\$" })
        }
        Type::Boolean => json!({ "type": "boolean" }),
        Type::Word(words) => json!({ "enum": words }),
        Type::List(entry) => json!({ "type": "array", "items": of_type(entry) }),
        Type::PerAxis(entry) => {
            json!({ "type": "array", "items": of_type(entry), "minItems": 1, "maxItems": 3 })
        }
        Type::Table(table) => json!({ "$ref": format!("#/definitions/{}", table.name) }),
        Type::Named(value) => json!({ "type": "object", "additionalProperties": of_type(value) }),
        Type::Either(choices) => {
            json!({ "anyOf": choices.iter().map(of_type).collect::<Vec<_>>() })
        }
    }
}

/// A value of TOML.
fn of_toml(text: &str) -> Option<Value> {
    let table: toml::Table = format!("value = {text}").parse().ok()?;
    serde_json::to_value(table.get("value")?).ok()
}
