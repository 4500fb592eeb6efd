//! The schema for editors allows what there is, and no more.

use serde_json::Value;

use crate::schema::for_editors;

/// What is wrong with a value by a JSON schema, as far as ours use that language.
fn objection(schema: &Value, root: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(choices) = schema["anyOf"].as_array() {
        let said: Vec<_> = choices
            .iter()
            .map(|choice| objection(choice, root, value, at))
            .collect::<Option<_>>()?;
        return Some(said.join(" and "));
    }
    if let Some(name) = schema["$ref"].as_str() {
        let definition = name.strip_prefix("#").and_then(|path| root.pointer(path)).unwrap();
        return objection(definition, root, value, at);
    }
    if let Some(words) = schema["enum"].as_array() {
        return (!words.contains(value)).then(|| format!("{at}: {value} is none of {words:?}"));
    }
    let is_whole = value.as_f64().is_some_and(|x| x.fract() == 0.0);
    let is_of = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => is_whole,
        "boolean" => value.is_boolean(),
        other => panic!("{other}"),
    };
    let types = &schema["type"];
    let names = types.as_array().cloned().unwrap_or_else(|| vec![types.clone()]);
    if !names.iter().any(|name| is_of(name.as_str().unwrap())) {
        return Some(format!("{at}: {value} is no {types}"));
    }
    if let (Some(pattern), Some(text)) = (schema["pattern"].as_str(), value.as_str()) {
        let is_number = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        let may_be_number = pattern.contains("[0-9]");
        if !(text.contains('$') || may_be_number && is_number) {
            return Some(format!("{at}: {value} does not begin with a number"));
        }
    }
    let is_less = |least: f64| value.as_f64().is_some_and(|value| value < least);
    if schema["minimum"].as_f64().is_some_and(is_less) {
        return Some(format!("{at}: {value} is too small"));
    }
    within(schema, root, value, at)
}

/// The same for what lies in a list or a table.
fn within(schema: &Value, root: &Value, value: &Value, at: &str) -> Option<String> {
    if let (Some(list), Some(each)) = (value.as_array(), schema.get("items")) {
        return list.iter().find_map(|entry| objection(each, root, entry, at));
    }
    value.as_object()?.iter().find_map(|(key, value)| {
        let at = format!("{at}.{key}");
        match (schema["properties"].get(key), &schema["additionalProperties"]) {
            (Some(property), _) => objection(property, root, value, &at),
            (None, Value::Object(_)) => {
                objection(&schema["additionalProperties"], root, value, &at)
            }
            (None, _) => Some(format!("{at} is not known")),
        }
    })
}

fn said(text: &str) -> Option<String> {
    let schema: Value = serde_json::from_str(&for_editors()).unwrap();
    let model: toml::Table = text.parse().unwrap();
    objection(&schema, &schema, &serde_json::to_value(model).unwrap(), "model")
}

#[test]
fn editors_are_reported_that_the_models_that_come_along_are_right() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(said(&text), None, "{}", path.display());
            // And so is each as it is written out in full.
            let model = crate::load(&path, &[]).unwrap_or_else(|faults| panic!("{faults}"));
            assert_eq!(said(&model.source.resolved), None, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 29, "{count}");
}

#[test]
fn editors_learn_what_is_wrong() {
    for (text, expected) in [
        ("[run]\nsead = 1", "model.run.sead is not known"),
        ("[run]\nseed = -1", "model.run.seed: -1 is too small"),
        ("[run]\nseed = 'one'", "model.run.seed: \"one\" does not begin with a number"),
        ("[run]\nseed = true", "model.run.seed: true is no [\"integer\",\"string\"]"),
        ("[run]\nengine = 'molecular'", "is none of"),
        ("[run]\ntimestep = 'short'", "does not begin with a number"),
        ("[species]\nname = 'A'", "is no \"array\""),
        (
            "[[species]]\ndrift = { shear = { rat = 1 } }",
            "model.species.drift.shear.rat is not known",
        ),
        (
            "[[species]]\nstate = { bound = { size = 1 } }",
            "model.species.state.bound.size is not known",
        ),
    ] {
        let said = said(text).unwrap_or_else(|| panic!("{text} is right"));
        assert!(said.contains(expected), "{text}: {said}");
    }
    assert_eq!(said("[[species]]\ncount = { free = '1 nM', bound = 20 }\nradius = 1e1"), None);
}
