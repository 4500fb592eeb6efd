//! Molecules with sites as other programs get them: names, exports, graphs, and how many fit a
//! pattern.

use std::path::Path;

use jostle::analysis;
use jostle::report::{ColourBy, Snapshot};

use crate::program::{self, Apart, Done, jostle, repository};

/// Receptors that pair up at sites of their own, ligands with two sites that are alike, and
/// particles without sites.
const MODEL: &str = r#"
[space]
dimension = 2
edges = "60 nm"
[run]
timestep = "1 ns"
steps = 3000
seed = 3
[[species]]
name = "R"
radius = "2 nm"
diffusion = "10 um^2/s"
sites = [{ name = "l" }, { name = "y", states = ["u", "p"] }, { name = "d" }]
count = { "R(y~u)" = 12, "R(y~p)" = 6 }
[[species]]
name = "L"
radius = "1 nm"
diffusion = "40 um^2/s"
sites = [{ name = "r" }, { name = "r" }]
count = 12
[[species]]
name = "C"
radius = "1 nm"
diffusion = "40 um^2/s"
count = 5
[[rule]]
name = "ligand"
reaction = "L(r) + R(l) <-> L(r!1).R(l!1)"
probability = 0.4
unbind = "0.2 /us"
[[rule]]
name = "dimer"
reaction = "R(d) + R(d) <-> R(d!1).R(d!1)"
probability = 0.8
unbind = "0.3 /us"
[[rule]]
name = "modify"
reaction = "R(d!1).R(d!1,y~u) -> R(d!1).R(d!1,y~p)"
rate = "2 /us"
[[rule]]
name = "decay"
reaction = "R(l!+) -> 0"
rate = "0.02 /us"
[output]
frame_every = 100
"#;

/// A folder with a run of the model.
fn run() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("m.toml"), MODEL).unwrap();
    jostle(dir.path(), &["run", "m.toml", "-q"]).succeeds();
    dir
}

/// What a script makes of files, held to what h5py reads from the run.
fn checked(mut python: std::process::Command, arguments: &[&str]) {
    let script = repository().join("tests/python/check_molecules.py");
    let python = python.arg(script).arg("m.h5md").args(arguments);
    let done: Done = python.env("QT_QPA_PLATFORM", "offscreen").output_apart().into();
    assert_eq!(done.code, Some(0), "{arguments:?}\n{}\n{}", done.out, done.err);
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn info_lists_the_sites_of_each_species() {
    let dir = run();
    let said = jostle(dir.path(), &["info", "m.h5md"]).succeeds().out;
    let value = |row: &str| {
        let line = said.lines().find(|line| line.starts_with(row));
        line.map(|line| line[row.len()..].trim().to_owned())
    };
    assert_eq!(value("sites of R ").as_deref(), Some("l, y (u, p), d"), "{said}");
    assert_eq!(value("sites of L ").as_deref(), Some("r#1, r#2"), "{said}");
    assert_eq!(value("sites of C "), None);
    let said = jostle(dir.path(), &["info", "m.h5md", "--json"]).succeeds().out;
    let info: serde_json::Value = serde_json::from_str(&said).unwrap();
    let expected = serde_json::json!([
        { "name": "l", "states": [] }, { "name": "y", "states": ["u", "p"] }, { "name": "d", "states": [] },
    ]);
    assert_eq!(info["species"][0]["sites"], expected);
    assert_eq!(info["species"][2]["sites"], serde_json::json!([]));
}

#[test]
fn exports_name_molecules_in_the_notation_of_bionetgen() {
    let dir = run();
    for format in ["csv", "xyz", "vtp"] {
        jostle(dir.path(), &["export", "m.h5md", "--to", format]).succeeds();
    }
    for file in ["m.csv", "m.xyz"] {
        checked(program::python(dir.path()), &[file]);
    }
    if let Some(python) = program::python_with_readers(dir.path()) {
        checked(python, &["m.pvd", "m.xyz"]);
    }
    // A species without sites alone is exported as ever; the bonds of the others keep their numbers.
    let part = ["export", "m.h5md", "--out", "part.csv", "--species"];
    jostle(dir.path(), &[&part[..], &["C"]].concat()).succeeds();
    assert!(read(dir.path(), "part.csv").lines().next().unwrap().ends_with(",cluster_size"));
    jostle(dir.path(), &[&part[..], &["L", "--force"]].concat()).succeeds();
    let all = read(dir.path(), "m.csv");
    let ligands: Vec<&str> = all.lines().filter(|row| row.contains(",L,")).collect();
    assert_eq!(read(dir.path(), "part.csv").lines().skip(1).collect::<Vec<_>>(), ligands);
}

#[test]
fn a_graph_has_the_sites_and_the_rule_of_every_bond() {
    let dir = run();
    let graph = ["export", "m.h5md", "--out", "m.graphml", "--force", "--frames"];
    for frame in ["7", "30"] {
        jostle(dir.path(), &[&graph[..], &[frame]].concat()).succeeds();
        checked(program::python(dir.path()), &["m.graphml", frame]);
    }
    let done = jostle(dir.path(), &[&graph[..], &["0..30"]].concat());
    let words = "--frames: m.graphml: a graph holds one frame, but 31 are requested: choose one";
    assert!(done.fails().contains(words), "{}", done.err);
}

#[test]
fn pictures_show_the_state_of_a_site() {
    let dir = run();
    let draw = |colour: &str| {
        let picture = ["snapshot", "m.h5md", "--out", "m.svg", "--force", "--colour", colour];
        jostle(dir.path(), &picture)
    };
    for (colour, classes) in [
        ("state:y", ["y~u", "y~p", "without y"]),
        ("state:l", ["l free", "l bound", "without l"]),
        ("state:r#2", ["r#2 free", "r#2 bound", "without r#2"]),
    ] {
        draw(colour).succeeds();
        let svg = read(dir.path(), "m.svg");
        assert!(classes.iter().all(|class| svg.contains(class)), "{colour}: {svg}");
    }
    // As many discs have the colour of a state, beside the one in the legend, as molecules the state.
    let reading = analysis::open(&dir.path().join("m.h5md")).unwrap();
    let by = ColourBy::Site("y".to_owned());
    let snapshot = Snapshot::of_frame(&reading, 20, by).unwrap();
    let found = analysis::site_occupancy(&reading, &Default::default()).unwrap();
    for (class, state) in ["u", "p"].into_iter().enumerate() {
        let those = found.sites.iter().filter(|one| one.site == "y" && one.state == state);
        let expected: u64 = those.map(|one| one.counts[20]).sum();
        let drawn = snapshot.classes.iter().filter(|&&of| of == class).count();
        assert!(expected > 0 && drawn as u64 == expected, "{state}: {drawn} of {expected}");
    }
    assert!(draw("state:z").fails().contains("has no site \"z\"; it has d, l, r#1, r#2, y"));
    let sites = "say which: state:d, state:l, state:r#1, state:r#2, state:y";
    assert!(draw("state").fails().contains(sites));
    for wrong in ["mass", "state:"] {
        assert!(
            draw(wrong).fails().contains("colours show size, species, speed, state or state:SITE")
        );
    }
}

#[test]
fn molecules_that_fit_a_pattern_are_counted() {
    let dir = run();
    let ask = |arguments: &[&str]| {
        jostle(dir.path(), &[&["analyse", "m.h5md", "sites"], arguments].concat())
    };
    let patterns =
        ["R", "R(y~p!?)", "R(l!+,d)", "L(r!+,r)", "L(r,r)", "R(d!1,l).R(d!1,l!2,y~p).L(r!2,r!+)"];
    let asked: Vec<&str> = patterns.iter().flat_map(|pattern| ["--pattern", pattern]).collect();
    let said = ask(&[&asked[..], &["--csv", "tables", "--plot", "p.svg"]].concat()).succeeds().out;
    assert!(patterns.iter().all(|pattern| said.contains(pattern)), "{said}");
    checked(program::python(dir.path()), &["tables/patterns_over_time.csv"]);
    ask(&["--csv", "tables"]).succeeds();
    checked(program::python(dir.path()), &["tables/sites_over_time.csv"]);
    let table = read(dir.path(), "tables/patterns.csv");
    assert_eq!(table.lines().count(), 1 + patterns.len(), "{table}");
    let late = ask(&["--pattern", "R(d!+)", "--from", "2 us", "--format", "json"]).succeeds().out;
    let late: Vec<serde_json::Value> = serde_json::from_str(&late).unwrap();
    assert!(late.len() == 1 && late[0]["mean"].as_f64().unwrap() > 0.0, "{late:?}");
    let cases: [(&[&str], &str); 4] = [
        (&["--pattern", "R(z)"], "m.h5md: pattern \"R(z)\": R has no site \"z\"; it has l, y, d"),
        (&["--pattern", "R(y~q)"], "has no state \"q\"; it has u, p"),
        (&["--pattern", "R", "--species", "R"], "cannot be used with"),
        (
            &["--species", "R(y~p,l)"],
            "\"R(y~p,l)\" is a pattern of sites, but the name of a species",
        ),
    ];
    for (arguments, words) in cases {
        let done = ask(arguments);
        assert!(done.fails().contains(words), "{arguments:?}: {}", done.err);
    }
    let others: [(&[&str], &str); 3] = [
        (&["analyse", "m.h5md", "counts", "--pattern", "R"], "--pattern: only for sites"),
        (&["contacts", "m.h5md", "--species", "R(y~p)"], "is a pattern of sites"),
        (&["export", "m.h5md", "--to", "csv", "--species", "R(y~p)"], "is a pattern of sites"),
    ];
    for (arguments, words) in others {
        let done = jostle(dir.path(), arguments);
        assert!(done.fails().contains(words), "{arguments:?}: {}", done.err);
    }
}
