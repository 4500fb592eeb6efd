//! What is wrong with a model is said with its line, all at once. The cases are the files in
//! `tests/refusals/`: a line `#^ text` says that the line above it is at fault, and that the
//! message contains the text; several may follow each other. At the head of the file they stand for
//! the file as a whole, and below `#set key=value` for that override. Every fault that is found
//! must be expected by some line.

use std::path::Path;

use jostle::model::placement::{self, PlacementError};
use jostle::model::{self, Place};

/// An expected message.
struct Expected {
    place: Place,
    text: String,
}

/// The overrides and the expected messages of a case.
fn read(text: &str) -> (Vec<(String, String)>, Vec<Expected>) {
    let mut overrides = Vec::new();
    let mut expected = Vec::new();
    let mut place = Place::File;
    for (n, line) in text.lines().enumerate() {
        if let Some(text) = line.strip_prefix("#^ ") {
            expected.push(Expected { place: place.clone(), text: text.to_owned() });
        } else if let Some(set) = line.strip_prefix("#set ") {
            let (key, value) = set.split_once('=').expect("#set key=value");
            overrides.push((key.to_owned(), value.to_owned()));
            place = Place::Override(set.to_owned());
        } else {
            place = Place::Line(n + 1);
        }
    }
    (overrides, expected)
}

/// What is found wrong: place, message, and the whole line that the user sees.
fn found(path: &Path, text: &str, overrides: &[(String, String)]) -> Vec<(Place, String)> {
    let name = path.display().to_string();
    match model::parse(text, &name, overrides) {
        Err(faults) => {
            let shown = faults.to_string();
            assert_eq!(shown.lines().count(), faults.list.len(), "one line each: {shown}");
            let list = faults.list.into_iter().zip(shown.lines());
            list.map(|(fault, line)| (fault.place, line.to_owned())).collect()
        }
        Ok(model) => {
            let error = match model.space.dimension {
                1 => placement::place::<1>(&model).err(),
                2 => placement::place::<2>(&model).err(),
                _ => placement::place::<3>(&model).err(),
            };
            let located = |error: PlacementError| {
                let origin = error.origin(&model).expect("particles are asked for somewhere");
                let faults = origin.fault(&name, error.to_string());
                (faults.list[0].place.clone(), faults.to_string())
            };
            error.map(located).into_iter().collect()
        }
    }
}

#[test]
fn every_case_is_refused_with_its_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refusals");
    let mut failures = Vec::new();
    let mut cases = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        cases += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let (overrides, expected) = read(&text);
        assert!(!expected.is_empty(), "{} expects nothing", path.display());
        let found = found(&path, &text, &overrides);
        let fits = |expected: &Expected, (place, message): &(Place, String)| {
            *place == expected.place && message.contains(&expected.text)
        };
        for expected in &expected {
            if !found.iter().any(|found| fits(expected, found)) {
                let (place, text) = (&expected.place, &expected.text);
                failures.push(format!("{}: {place:?}: not said: {text}", path.display()));
            }
        }
        for found in &found {
            if !expected.iter().any(|expected| fits(expected, found)) {
                failures.push(format!("not expected: {:?}: {}", found.0, found.1));
            }
        }
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
    assert!(cases >= 20, "only {cases} cases");
}
