//! The table of keys as JSON, for programs that are written from it.

use serde_json::{Value as Json, json};

use crate::file::rule_keys;
use crate::schema::{Absent, Engine, Key, TablePath, Type, tables};

/// All tables of the model file with their keys, as JSON.
///
/// `tables` lists them, the root first, each with its `name`, its `heading`, what it is for (`doc`),
/// the `engines` that it belongs to, and its `keys`; a key whose meaning differs between engines
/// stands there once for each. `rules` says for each word that `do` can be, and for `reaction`, the
/// keys that such a rule has.
pub fn keys_as_json() -> Json {
    let tables: Vec<_> = tables(&Engine::ALL).iter().map(table).collect();
    let rules: Vec<_> =
        rule_keys().into_iter().map(|(word, keys)| json!({ "do": word, "keys": keys })).collect();
    json!({ "tables": tables, "rules": rules })
}

fn table(place: &TablePath) -> Json {
    json!({
        "name": place.table.name,
        "heading": place.heading(),
        "is_list": place.key().is_some_and(|key| key.takes.entry().is_some()),
        "doc": place.key().map_or("", |key| key.doc),
        "engines": names(&engines_of(place)),
        "keys": place.table.keys.iter().map(key).collect::<Vec<_>>(),
    })
}

fn engines_of(place: &TablePath) -> Vec<Engine> {
    Engine::ALL.into_iter().filter(|engine| place.is_of(*engine)).collect()
}

fn names(engines: &[Engine]) -> Vec<&'static str> {
    engines.iter().map(|engine| engine.name()).collect()
}

fn key(key: &Key) -> Json {
    let default = match key.absent {
        Absent::Value(value) => Some(value),
        Absent::Fault | Absent::Means(_) => None,
    };
    let meaning = match key.absent {
        Absent::Means(meaning) => meaning,
        Absent::Fault | Absent::Value(_) => "",
    };
    json!({
        "name": key.name,
        "takes": takes(&key.takes),
        "described": key.takes.describe(),
        "needed": key.absent == Absent::Fault,
        "default": default,
        "absent": meaning,
        "example": key.example,
        "doc": key.doc,
        "engines": names(key.engines),
    })
}

/// What a key takes: its `kind`, and what belongs to that.
fn takes(wanted: &Type) -> Json {
    match wanted {
        Type::Quantity(_) | Type::Bounded(..) | Type::InSpace(_) => json!({ "kind": "quantity" }),
        Type::Unit(_) | Type::Text | Type::Memory => json!({ "kind": "text" }),
        Type::Whole(least) | Type::UpTo(least, ..) => json!({ "kind": "whole", "least": least }),
        Type::Boolean => json!({ "kind": "boolean" }),
        Type::Word(words) => json!({ "kind": "word", "words": words }),
        Type::List(entry) | Type::PerAxis(entry) => json!({ "kind": "list", "of": takes(entry) }),
        Type::Table(table) => json!({ "kind": "table", "name": table.name }),
        Type::Named(value) => json!({ "kind": "named", "of": takes(value) }),
        Type::Either(choices) => {
            json!({ "kind": "either", "of": choices.iter().map(takes).collect::<Vec<_>>() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_and_each_rule_is_listed_with_its_keys() {
        let listed = keys_as_json();
        let tables = listed["tables"].as_array().unwrap();
        assert_eq!(tables.len(), super::tables(&Engine::ALL).len());
        let run = tables.iter().find(|table| table["name"] == "run").unwrap();
        assert_eq!(
            (run["heading"].as_str(), run["is_list"].as_bool()),
            (Some("[run]"), Some(false))
        );
        let seed =
            run["keys"].as_array().unwrap().iter().find(|key| key["name"] == "seed").unwrap();
        assert_eq!((seed["default"].as_str(), seed["needed"].as_bool()), (Some("1"), Some(false)));
        let rules = listed["rules"].as_array().unwrap();
        let bind =
            rules.iter().find(|rule| rule["do"] == "bind").unwrap()["keys"].as_array().unwrap();
        assert!(bind.contains(&json!("merge")) && !bind.contains(&json!("minimum")));
    }
}
