//! What the command line asks for, and what it refuses.

use jostle::analysis::{self, Reading, Scope};

use super::worlds::{CHAINS, made};
use crate::program;

/// The scope's names and times, and what they refuse.
#[test]
fn a_scope_is_the_part_that_is_looked_at() {
    let (_dir, path) = made(CHAINS, &[("run.steps", "400")]);
    let reading: Reading = analysis::open(&path).unwrap();
    let species =
        |name: &str| Scope { species: vec![name.into()], ..Scope::default() }.species(&reading);
    assert_eq!(species("R").unwrap(), [true, true]);
    assert_eq!(species("R{on}").unwrap(), [false, true]);
    assert!(species("S").unwrap_err().to_string().contains("it has R{off}, R{on}"));
    let times = |from, to| Scope { from, to, ..Scope::default() };
    assert_eq!(times(Some(80.0), Some(200.0)).frames(&reading, 2).unwrap(), 2..6);
    let late = times(Some(390.0), None).frames(&reading, 2).unwrap_err().to_string();
    assert!(late.ends_with("two frames are needed, and there are 1 in this time"), "{late}");
    assert_eq!(times(Some(-5.0), Some(1e9)).window(&reading).unwrap(), [0.0, 400.0]);
    assert!(times(Some(500.0), None).window(&reading).is_err());
}

/// The first column of the manual's table of what can be asked.
fn asked_in_the_manual() -> Vec<String> {
    let text = program::manual();
    let section = text.split("## Analysing a file\n").nth(1).unwrap();
    let rows = section.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.split('`').nth(1).unwrap().to_owned()).collect()
}

const SITES: &str = r#"
[space]
dimension = 2
edges = "40 nm"
[run]
timestep = "1 ns"
steps = 2000
[[species]]
name = "R"
radius = "2 nm"
diffusion = "10 um^2/s"
count = { "R(y~u)" = 12, "R(y~p)" = 3 }
sites = [{ name = "l" }, { name = "y", states = ["u", "p"] }]
[[species]]
name = "L"
radius = "1 nm"
diffusion = "40 um^2/s"
count = 15
sites = [{ name = "r" }]
[[rule]]
reaction = "L(r) + R(l) <-> L(r!1).R(l!1)"
probability = 0.5
unbind = "3 /us"
[[rule]]
reaction = "L(r!1).R(l!1,y~u) -> L(r!1).R(l!1,y~p)"
rate = "2 /us"
[[observable]]
name = "bound"
patterns = "L(r!1).R(l!1)"
[output]
frame_every = 50
"#;

#[test]
fn whatever_the_manual_names_is_measured_drawn_and_written() {
    let dir = program::folder();
    let jostle = |arguments: &[&str]| program::jostle(dir.path(), arguments);
    jostle(&[
        "run",
        "model.toml",
        "-q",
        "--steps",
        "3000",
        "--set",
        "output.log=all",
        "--set",
        "rule.pair.unbind=2000 /s",
    ])
    .succeeds();
    let all = asked_in_the_manual();
    assert_eq!(all.len(), 20);
    std::fs::write(dir.path().join("sites.toml"), SITES).unwrap();
    jostle(&["run", "sites.toml", "-q"]).succeeds();
    let mill = program::repository().join("models/shaker_polysized.toml").display().to_string();
    jostle(&["run", &mill, "-q", "--until", "100 ms", "--out", "mill.h5md"]).succeeds();
    let pile = program::repository().join("models/pile_polygons.toml").display().to_string();
    let forces = ["--until", "20 ms", "--set", "output.log=all", "--set", "output.every=2 ms"];
    jostle(&[&["run", &pile, "-q", "--out", "pile.h5md"], &forces[..]].concat()).succeeds();
    for what in &all {
        let file = match what.as_str() {
            "impacts" | "energy" => "mill.h5md",
            "forces" | "stress" => "pile.h5md",
            "sites" | "polymers" | "observables" => "sites.h5md",
            _ => "model.h5md",
        };
        let picture = format!("{what}.svg");
        let line = ["analyse", file, what, "--csv", "tables", "--plot", &picture];
        let said = jostle(&line).succeeds().out;
        assert!(said.lines().count() > 2 && !said.contains("NaN"), "{what}: {said}");
        let svg = std::fs::read_to_string(dir.path().join(&picture)).unwrap();
        assert!(svg.starts_with("<svg") && svg.matches("<text").count() > 5, "{what}");
        let json = format!("{what}.json");
        jostle(&["analyse", file, what, "--out", &json]).succeeds();
        let rows = std::fs::read_to_string(dir.path().join(&json)).unwrap();
        let rows: Vec<serde_json::Value> = serde_json::from_str(&rows).unwrap();
        assert!(rows[0].is_object(), "{what}");
    }
    let table = std::fs::read_to_string(dir.path().join("tables/rates.csv")).unwrap();
    assert!(table.contains("pair,A + A,") && table.contains("pair_unbind,bond A-A,"), "{table}");
    let said =
        jostle(&["analyse", "model.h5md", "sizes", "counts", "--plot", "two.png"]).succeeds().out;
    assert!(
        said.contains("two_counts.png") && dir.path().join("two_size_distribution.png").exists(),
        "{said}"
    );
}

#[test]
fn what_cannot_be_measured_is_said_in_one_line() {
    let dir = program::folder();
    let jostle = |arguments: &[&str]| program::jostle(dir.path(), arguments);
    jostle(&["run", "model.toml", "-q", "--set", "output.log=none"]).succeeds();
    let ask = |arguments: &[&str]| jostle(&[&["analyse", "model.h5md"], arguments].concat());
    jostle(&["analyse", "model.h5md", "counts", "--plot", "there.png"]).succeeds();
    jostle(&["analyse", "model.h5md", "counts", "--csv", "tables"]).succeeds();
    let cases: [(&[&str], &str); 24] = [
        (&["counts", "sizes", "--csv", "tables"], "counts.csv already exists"),
        (&["energy", "pressure", "--species", "A"], "are always for all species"),
        (&["counts", "--bins", "3"], "--bins: only for jumps, rdf, density, rates"),
        (&["rdf", "--along", "x"], "--along: only for density and stress"),
        (&["counts", "--meets", "any"], "--meets: only for first-passage"),
        (&["counts", "--from", "2 ms", "--to", "1 ms"], "the range is empty"),
        (&["first-passage", "--distance", "0 nm"], "a distance above 0 is needed"),
        (&["first-passage", "--place", "x=300 nm.."], "outside the box, which is 200 nm by 200 nm"),
        (&["first-passage", "--place", "z=0 nm..5 nm"], "outside the box"),
        (&["first-passage", "--meets", "wall"], "the run kept no contacts"),
        (&["density", "--along", "map", "--bins", "2000"], "at most 1000000 in all"),
        (&["rdf", "--max", "5 us"], "rdf takes a length"),
        (&["jumps", "--max", "5 nm"], "survival and first-passage take a time"),
        (&["counts", "--species", "B"], "has no species \"B\"; it has A"),
        (&["counts", "--from", "1 s"], "a frame is needed, and there are 0 in this time"),
        (&["rates", "--from", "1 s"], "no time passes"),
        (&["rdf", "--max", "150 nm"], "up to 100 nm, half the shortest edge"),
        (&["density", "--along", "z"], "the box has 2 axes, and 3 would be needed"),
        (&["first-passage", "--meets", "any"], "the run kept no contacts"),
        (&["counts", "--plot", "x.gif"], "the name must end in .svg, .pdf or .png"),
        (&["counts", "--plot", "there.png"], "there.png already exists"),
        (&["counts", "sizes", "--out", "x.csv"], "need exactly one WHAT"),
        (&["counts", "--out", "x.txtt"], "the name must end in .csv"),
        (&["counts", "--csv", "model.toml"], "model.toml: "),
    ];
    for (arguments, message) in cases {
        let done = ask(arguments);
        let said = done.fails();
        assert!(said.starts_with("error: ") && said.contains(message), "{arguments:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    // What may be replaced is; what is asked twice is told once; one of several may take an option.
    ask(&["counts", "--csv", "tables", "--force"]).succeeds();
    let twice = ask(&["counts", "counts", "sizes", "--species", "A"]).succeeds().out;
    assert_eq!(twice.matches("Particles of each species").count(), 1, "{twice}");
    let nonsense: [(&[&str], &str); 7] = [
        (&["everything"], "possible values: counts"),
        (&["counts", "--from", "10"], "give a time with its unit, such as \"1 us\""),
        (&["counts", "--to", "5 nm"], "give a time with its unit"),
        (&["rdf", "--max", "3"], "give a time (\"1 ms\") or a length (\"20 nm\")"),
        (&["rdf", "--bins", "0"], "0 is not in 1..=10000"),
        (&["first-passage", "--place", "x=1..2"], "write ranges such as"),
        (&["first-passage", "--place", "x=1 nm..", "--meets", "any"], "cannot be used with"),
    ];
    for (arguments, message) in nonsense {
        let done = ask(arguments);
        assert!(done.code == Some(2) && done.err.contains(message), "{arguments:?}: {}", done.err);
    }
}
