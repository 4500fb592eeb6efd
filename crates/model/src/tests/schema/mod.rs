//! Every key of the schema is read, written out in full, and read again.

mod bases;
mod company;
mod editor;
mod energies;
mod homes;
mod manual;

use std::path::Path;

use super::*;
use crate::schema::{Absent, Engine, Key, ROOT, Table, tables};
use crate::tree::{Node, Value};
use crate::walker::Reader;
use bases::BASES;
use company::COMPANY;
use homes::{ELSEWHERE, HOMES, SAME};

/// A key, and what sets it in the base model of an engine.
struct Case {
    engine: Engine,
    key: &'static Key,
    /// The names of the tables around it and its own, with dots between.
    path: String,
    /// Where it is in the base model, as overrides name it.
    at: String,
    /// What has to be set before it.
    before: Vec<(String, String)>,
    value: String,
}

/// All keys of an engine: those of a table at `at`, and of the tables within it that `seen` lacks.
fn walk(table: &'static Table, outer: &Case, seen: &mut Vec<&'static str>, cases: &mut Vec<Case>) {
    let engine = outer.engine;
    for key in table.of(engine) {
        let path = joined(&outer.path, key.name);
        let mut before = outer.before.clone();
        let here =
            |(engines, of, _, _): &&company::Company| engines.contains(&engine) && *of == path;
        let company = COMPANY.iter().find(here);
        before.extend(
            company.iter().flat_map(|(_, _, with, _)| *with).map(|(key, value)| owned(key, value)),
        );
        let anchor = ELSEWHERE.iter().find(|(of, _)| *of == path);
        let at = anchor.map_or_else(|| joined(&outer.at, key.name), |(_, at)| (*at).to_owned());
        let value = company.and_then(|(.., value)| *value).unwrap_or(key.example).to_owned();
        let case = Case { engine, key, path, at, before, value };
        if let Some((within, case)) = inner(&case).filter(|(table, _)| !seen.contains(&table.name))
        {
            seen.push(within.name);
            walk(within, &case, seen, cases);
        }
        // A section is there with any of its keys.
        if case.path.contains('.') || case.key.takes.table_within().is_none() {
            cases.push(case);
        }
    }
}

/// The table that a key may hold, and how to get into it.
fn inner(case: &Case) -> Option<(&'static Table, Case)> {
    let takes = case.key.takes;
    // What a surface does with some species is read from the same table, and can say more.
    let table = takes.table_within().filter(|_| case.path != "surface.meets")?;
    let mut before = case.before.clone();
    let mut at = case.at.clone();
    let is_section = !case.path.contains('.');
    if !is_section {
        let is_table = case.value.starts_with(['{', '[']);
        before.push(owned(&at, if is_table { &case.value } else { "{}" }));
    }
    if takes.table().is_none() {
        let (_, _, element) = HOMES
            .iter()
            .find(|(engines, of, _)| engines.contains(&case.engine) && *of == case.path)?;
        at = joined(&at, element);
        if !is_section && takes.entry().is_none() {
            before.push(owned(&at, "{}"));
        }
    }
    Some((table, Case { at, before, path: case.path.clone(), value: String::new(), ..*case }))
}

fn joined(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") }
}

fn owned(key: &str, value: &str) -> (String, String) {
    (key.to_owned(), value.to_owned())
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for engine in Engine::ALL {
        let key = &ROOT.keys[0];
        let whole = Case {
            engine,
            key,
            path: String::new(),
            at: String::new(),
            before: Vec::new(),
            value: String::new(),
        };
        walk(&ROOT, &whole, &mut vec![ROOT.name], &mut cases);
    }
    cases
}

fn base(engine: Engine) -> &'static str {
    BASES.iter().find(|(of, _)| *of == engine).map(|(_, text)| *text).unwrap()
}

impl Case {
    fn overrides(&self, value: &str) -> Vec<(String, String)> {
        let mut all = self.before.clone();
        all.push((self.at.clone(), value.to_owned()));
        all
    }

    /// The base model with this key set, before it is checked.
    fn tree(&self, overrides: &[(String, String)]) -> Node {
        let mut root = Node::parse(base(self.engine)).unwrap();
        let mut faults = Vec::new();
        overrides::apply(&mut root, overrides, &mut faults);
        assert!(faults.is_empty(), "{}: {faults:?}", self.at);
        root
    }

    /// The base model without this key, though with all that goes with it.
    fn without(&self) -> Node {
        let mut root = self.tree(&self.before);
        let segments = tree::segments(&self.at);
        let (last, around) = segments.split_last().unwrap();
        let mut node = &mut root;
        for segment in around {
            node = match &mut node.value {
                Value::Table(entries) => {
                    match entries.iter_mut().find(|entry| entry.key == *segment) {
                        Some(entry) => &mut entry.node,
                        None => return root,
                    }
                }
                Value::List(list) => {
                    let n = tree::position(list, segment).unwrap();
                    &mut list[n]
                }
                _ => panic!("{}", self.at),
            };
        }
        if let Value::Table(entries) = &mut node.value {
            entries.retain(|entry| entry.key != *last);
        }
        root
    }
}

/// What a tree means, or what is wrong with it.
fn meant(root: &Node, name: &Path) -> Result<Model, Vec<Fault>> {
    let reader = Reader::new(root, Vec::new());
    let mut model = file::read(&reader, name.parent().unwrap());
    let (faults, _) = reader.into_findings();
    model.placement.iter_mut().for_each(|placement| placement.asked = None);
    if faults.is_empty() { Ok(model) } else { Err(faults) }
}

/// A folder with the files that the examples name, and the path of a model in it.
fn folder(engine: Engine) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let positions = match engine {
        Engine::Brownian => "x_nm,y_nm,z_nm\n100,200,300\n",
        _ => "x_mm,y_mm\n30,40\n",
    };
    std::fs::write(folder.path().join("positions.csv"), positions).unwrap();
    let numbers = match engine {
        Engine::Brownian => "x_nm,y_nm,z_nm,species\n100,200,300,EGFR\n150,200,300,1\n",
        Engine::Gas => "x_mm,y_mm,species\n30,40,puck\n35,40,1\n",
        _ => "x_mm,y_mm,species\n30,40,ball\n35,40,1\n",
    };
    std::fs::write(folder.path().join("numbers.csv"), numbers).unwrap();
    std::fs::write(folder.path().join("cell.stl"), bases::TETRAHEDRON).unwrap();
    let model = folder.path().join("model.toml");
    (folder, model)
}

/// Whether a model written out has a key, in any table of a list and behind any name.
fn has(value: &toml::Value, path: &[&str]) -> bool {
    let Some((first, rest)) = path.split_first() else { return true };
    match value {
        toml::Value::Array(list) => list.iter().any(|entry| has(entry, path)),
        toml::Value::Table(table) => match table.get(*first) {
            Some(within) => has(within, rest),
            None => table.values().any(|within| within.is_table() && has(within, path)),
        },
        _ => false,
    }
}

#[test]
fn every_key_is_read_written_out_and_read_again() {
    let mut faults = Vec::new();
    for case in cases() {
        let (_folder, file) = folder(case.engine);
        let name = file.display().to_string();
        let what = format!("{} of {}", case.at, case.engine.models());
        let mut model = match parse(base(case.engine), &name, &case.overrides(&case.value)) {
            Ok(model) => model,
            Err(said) => {
                faults.push(format!("{what}: {said}"));
                continue;
            }
        };
        let text = &model.source.resolved;
        let written: toml::Table = toml::from_str(text).unwrap();
        let written = toml::Value::Table(written);
        let table = case.path.rsplit_once('.').map_or("", |(table, _)| table);
        let stands = |key: &str| {
            let path = if key.contains('.') { key.to_owned() } else { joined(table, key) };
            has(&written, &path.split('.').collect::<Vec<_>>())
        };
        let keys =
            if case.key.written_as.is_empty() { &[case.key.name][..] } else { case.key.written_as };
        if !keys.iter().any(|key| stands(key)) {
            faults.push(format!("{what} is not written out"));
        }
        let mut again =
            parse(text, "again.toml", &[]).unwrap_or_else(|said| panic!("{what}: {said}\n{text}"));
        for model in [&mut model, &mut again] {
            model.placement.iter_mut().for_each(|placement| placement.asked = None);
        }
        let same_text = again.source.resolved == model.source.resolved;
        again.source = model.source.clone();
        if again != model || !same_text {
            faults.push(format!("{what} reads back as something else"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_key_means_something() {
    let mut faults = Vec::new();
    for case in cases() {
        let (_folder, file) = folder(case.engine);
        let what = format!("{} of {}", case.at, case.engine.models());
        let with = |value: &str| meant(&case.tree(&case.overrides(value)), &file);
        let without = meant(&case.without(), &file);
        match (case.key.absent, &without) {
            (Absent::Fault, Ok(_)) => {
                faults.push(format!("{what} is said to be needed, and is not"))
            }
            (Absent::Fault, Err(said)) => {
                let missing = format!("`{}` is missing", case.key.name);
                if !said.iter().any(|fault| fault.message.contains(&missing)) {
                    faults.push(format!("{what}: nothing says that it is missing, but {said:?}"));
                }
            }
            (Absent::Value(value), _) if with(value) != without => {
                faults.push(format!("{what}: without it, something else holds than with {value}"));
            }
            _ => {}
        }
        let is_usual = matches!(case.key.absent, Absent::Value(value) if value == case.value);
        if without.is_ok()
            && with(&case.value) == without
            && !is_usual
            && !SAME.contains(&case.path.as_str())
        {
            faults.push(format!("{what}: {} changes nothing", case.value));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn tables_have_names_of_their_own() {
    let all = tables(&Engine::ALL);
    for table in all.iter().map(|place| place.table) {
        for key in table.keys {
            let held = key.takes.table_within();
            let known = |table: &Table| all.iter().any(|place| std::ptr::eq(place.table, table));
            assert!(
                held.is_none_or(known),
                "{}.{}: two tables have this name",
                table.name,
                key.name
            );
            let overlaps = |engine: &Engine| {
                table.named(key.name).filter(|k| k.engines.contains(engine)).count() > 1
            };
            assert!(!Engine::ALL.iter().any(overlaps), "{}.{} stands twice", table.name, key.name);
            assert!(!key.doc.is_empty() && !key.example.is_empty(), "{}.{}", table.name, key.name);
        }
    }
    assert!(all.len() > 30, "{}", all.len());
}

#[test]
fn words_of_the_schema_are_those_of_the_engines() {
    let words = |table: &str, key: &str, engine| {
        let table = ROOT.key(table, engine).unwrap().takes.table().unwrap();
        table.key(key, engine).unwrap().takes.words()
    };
    let kinds = words("search", "kind", Engine::Brownian);
    assert!(search::Kind::ALL.iter().all(|kind| kinds.contains(&kind.name())));
    let kinds = words("search", "kind", Engine::Granular);
    assert!(
        jostle_core::parameters::granular::KineticKind::ALL
            .iter()
            .all(|kind| kinds.contains(&kind.name()))
    );
    let schedulers = words("run", "scheduler", Engine::Brownian);
    assert!(Scheduler::ALL.iter().all(|scheduler| schedulers.contains(&scheduler.name())));
    assert_eq!(words("run", "engine", Engine::Gas), Engine::ALL.map(Engine::name));
}
