//! The tables of keys in the manual are made from the schema. `BLESS=1 cargo test -p jostle-model
//! manual` writes them anew.

use std::path::{Path, PathBuf};

use crate::schema::{Engine, Key, TablePath, Type, tables};

/// The mark before the table of an engine.
fn begin(engine: Engine) -> String {
    format!("<!-- keys: {}, made from crates/model/src/schema -->\n", engine.name())
}

/// The mark behind a table.
const END: &str = "<!-- end of keys -->\n";

/// The table of all keys of an engine.
fn keys_of(engine: Engine) -> String {
    let mut text =
        "| key | what it takes | meaning | if absent |\n| --- | --- | --- | --- |\n".to_owned();
    for place in tables(&[engine]) {
        text += &header(&place, engine);
        text += &rows(&place, engine);
    }
    text
}

/// Whether a row of another engine stands in the table of Brownian models already.
fn is_above(place: &TablePath, key: &Key, engine: Engine) -> bool {
    let is_theirs = place.is_of(Engine::Brownian) && key.engines.contains(&Engine::Brownian);
    engine != Engine::Brownian && is_theirs
}

/// Whether all rows do.
fn all_above(place: &TablePath, engine: Engine) -> bool {
    place.table.of(engine).all(|key| is_above(place, key, engine))
}

const AS_ABOVE: &str = "as in [Brownian models](#the-model-file)";

/// The row that begins a table.
fn header(place: &TablePath, engine: Engine) -> String {
    let Some(key) = place.key() else { return String::new() };
    let heading = place.heading();
    if all_above(place, engine) {
        return format!("| **`{heading}`** | | {AS_ABOVE} | |\n");
    }
    // What is behind a key of a section has been said there.
    match place.keys.len() {
        1 => format!("| **`{heading}`** | | {} | {} |\n", meaning(key), key.describe_absent()),
        _ => format!("| **`{heading}`** | | | |\n"),
    }
}

/// A row for each key, one for several that are as above.
fn rows(place: &TablePath, engine: Engine) -> String {
    let mut text = String::new();
    let is_root = place.keys.is_empty();
    if !is_root && all_above(place, engine) {
        return text;
    }
    let mut above: Vec<String> = Vec::new();
    for key in place.table.of(engine).filter(|key| !is_root || key.takes.table_within().is_none()) {
        if is_above(place, key, engine) {
            above.push(format!("`{}`", key.name));
            continue;
        }
        text += &joined(&mut above);
        let (takes, absent) = (takes(key), key.describe_absent());
        text += &format!("| `{}` | {takes} | {} | {absent} |\n", key.name, meaning(key));
    }
    text + &joined(&mut above)
}

/// The row of keys that are as above, if there are any.
fn joined(above: &mut Vec<String>) -> String {
    let names = std::mem::take(above).join(", ");
    if names.is_empty() { names } else { format!("| {names} | | {AS_ABOVE} | |\n") }
}

fn takes(key: &Key) -> String {
    let takes = key.takes.describe();
    let of_space = key.takes.choices().iter().any(|choice| matches!(choice, Type::InSpace(_)));
    let entry = key.takes.entry().and_then(|entry| entry.quantity());
    let is_quantity = of_space || key.takes.quantity().or(entry).is_some();
    let has_example = is_quantity && key.takes.table_within().is_none();
    if has_example { format!("{takes}, for example `{}`", key.example) } else { takes }
}

fn meaning(key: &Key) -> String {
    match key.see {
        Some(heading) => format!("{}, see [{heading}](#{})", key.doc, anchor(heading)),
        None => key.doc.to_owned(),
    }
}

fn anchor(heading: &str) -> String {
    heading.to_lowercase().replace(' ', "-")
}

/// The pages of the manual: their paths and texts.
fn pages() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// Whether a page has what `#anchor` refers to.
fn has(text: &str, anchor: &str) -> bool {
    let is_heading = |line: &str| {
        let title = line.trim_start_matches('#');
        title.len() < line.len()
            && title.strip_prefix(' ').map(self::anchor).as_deref() == Some(anchor)
    };
    text.lines().any(is_heading) || text.contains(&format!("<a name=\"{anchor}\">"))
}

/// The text of a page, with links to headings on other pages.
fn linked(text: &str, here: &Path, pages: &[(PathBuf, String)]) -> String {
    let mut parts = text.split("](#");
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let anchor = part.split(')').next().unwrap_or_default();
        let page =
            pages.iter().find(|(_, page)| has(page, anchor)).unwrap_or_else(|| panic!("{anchor}"));
        let name = page.0.file_name().unwrap().to_string_lossy();
        let name = if page.0 == here { "" } else { &name };
        linked += &format!("]({name}#{part}");
    }
    linked
}

#[test]
fn the_tables_of_keys_in_the_manual_are_those_of_the_schema() {
    let pages = pages();
    for engine in Engine::ALL {
        let mark = begin(engine);
        let (path, text) = pages.iter().find(|(_, text)| text.contains(&mark)).expect(&mark);
        let (_, rest) = text.split_once(&mark).unwrap();
        let (said, _) = rest.split_once(END).unwrap_or_else(|| panic!("no {END} after {mark}"));
        let right = linked(&keys_of(engine), path, &pages);
        if std::env::var_os("BLESS").is_some() {
            // A page with several tables has been changed by those before.
            let text = std::fs::read_to_string(path).unwrap();
            std::fs::write(
                path,
                text.replacen(&format!("{mark}{said}"), &format!("{mark}{right}"), 1),
            )
            .unwrap();
            continue;
        }
        let first = said.lines().zip(right.lines()).find(|(said, right)| said != right);
        assert_eq!(first, None, "manual and schema; BLESS=1 cargo test -p jostle-model manual");
        assert_eq!(said, right);
    }
}

#[test]
fn the_manual_has_every_heading_that_keys_refer_to() {
    let pages = pages();
    let keys = tables(&Engine::ALL).into_iter().flat_map(|place| place.table.keys);
    for heading in keys.filter_map(|key| key.see) {
        assert!(pages.iter().any(|(_, text)| has(text, &anchor(heading))), "{heading}");
    }
}
