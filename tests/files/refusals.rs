//! What is wrong with a model is said with its line, all at once. The cases are the files in
//! `tests/refusals/`: a line `#^ text` says that the line above it is at fault, and that the
//! message contains the text; several may follow each other. At the head of the file they stand for
//! the file as a whole, and below `#set key=value` for that override. Every fault that is found
//! must be expected by some line.

use std::path::Path;

use jostle::model::placement::{self, PlacementError};
use jostle::model::{self, Place};

use crate::program::jostle;

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

/// A tetrahedron as ASCII STL, one corner of which stands differently in one facet.
fn with_a_seam(other: &str) -> String {
    let corner = ["20 20 20", "60 20 20", "20 60 20", "20 20 60"];
    let facets = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let mut text = "SOLID cell\n".to_owned();
    for (n, facet) in facets.into_iter().enumerate() {
        text += "FACET NORMAL 0 0 0\nOUTER LOOP\n";
        for k in facet {
            text += &format!("VERTEX {}\n", if n == 2 && k == 1 { other } else { corner[k] });
        }
        text += "ENDLOOP\nENDFACET\n";
    }
    text + "ENDSOLID\n"
}

#[test]
fn corners_of_a_mesh_that_are_joined_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let model = "[space]\ndimension = 3\nedges = \"150 nm\"\n[run]\ntimestep = \"1 ns\"\nsteps = 1\n\
                 [[surface]]\nname = \"cell\"\n\
                 mesh = { file = \"cell.stl\", unit = \"nm\", scale = [1, 1, 2] }\n\
                 [[species]]\nname = \"A\"\nradius = \"1 nm\"\ndiffusion = \"1 um^2/s\"\ncount = 1\n";
    std::fs::write(dir.path().join("m.toml"), model).unwrap();
    let checked = |other: &str| {
        std::fs::write(dir.path().join("cell.stl"), with_a_seam(other)).unwrap();
        jostle(dir.path(), &["check", "m.toml"])
    };
    let done = checked("60.000004 20 20");
    assert_eq!(done.code, Some(0), "{}", done.err);
    let said = "cell.stl: 1 corner at open edges joined with others that differ from them in the last digits, by \
                at most 3.8e-6 in the unit of the file";
    assert!(done.err.contains(said), "{}", done.err);
    let whole = checked("60 20 20");
    assert!(whole.err.is_empty() && whole.code == Some(0), "{}", whole.err);
    assert!(checked("60.01 20 20").fails().contains("the mesh is open"));
}
