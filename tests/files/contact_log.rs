//! Questions to the contact log, each answered a second time by numpy from the file itself.

use std::path::Path;

use crate::program::{self, Apart, Done, folder, jostle, repository};

/// The model of `folder`, with walls and everything logged.
fn run(dir: &Path) {
    let options =
        ["--set", "output.log=all", "--set", "space.boundary=reflecting", "--steps", "4000"];
    let more = ["--set", "rule.pair.unbind=2000 /s", "--set", "species.A.count=120", "--quiet"];
    jostle(dir, &[&["run", "model.toml", "--out", "run.h5md"], &options[..], &more[..]].concat())
        .succeeds();
}

fn ask(dir: &Path, options: &[&str]) -> String {
    jostle(dir, &[&["contacts", "run.h5md"], options].concat()).succeeds().out
}

/// What is asked, each into a file of its own that the script reads.
const QUESTIONS: [(&str, &[&str]); 18] = [
    ("all.csv", &[]),
    ("all.json", &[]),
    ("all.parquet", &[]),
    ("body.csv", &["--id", "17"]),
    ("wall.csv", &["--species", "wall"]),
    ("bound.csv", &["--outcome", "bound", "--rule", "pair"]),
    ("between.csv", &["--between", "A", "wall", "--time", "100.5 us..1.25 ms"]),
    ("place.csv", &["--place", "x=20 nm..90 nm", "--place", "y=..50 nm"]),
    ("groups.csv", &["--group-by", "species,outcome"]),
    ("pairs.csv", &["--group-by", "pair", "--having", "before_bound=3.."]),
    ("bodies.csv", &["--group-by", "id", "--species", "wall", "--sort", "contacts"]),
    ("rates.csv", &["--group-by", "species,time", "--every", "500 us"]),
    ("clusters.csv", &["--group-by", "cluster"]),
    ("intervals.csv", &["--histogram", "interval"]),
    ("rebinding.csv", &["--histogram", "rebinding", "--bins", "20"]),
    ("meetings.csv", &["--histogram", "meetings"]),
    ("per_pair.csv", &["--histogram", "pair"]),
    ("map.csv", &["--histogram", "place", "--bins", "8", "--axes", "x,y"]),
];

#[test]
fn every_answer_is_that_of_numpy() {
    let dir = folder();
    run(dir.path());
    for (file, options) in QUESTIONS {
        ask(dir.path(), &[options, &["--out", file]].concat());
    }
    let script = repository().join("tests/python/check_contacts.py");
    let Some(mut python) = program::python_with_readers(dir.path()) else { return };
    Done::from(python.arg(script).arg(dir.path()).output_apart()).succeeds();
}

#[test]
fn counts_by_time_add_up_wherever_they_are_cut() {
    let dir = folder();
    run(dir.path());
    let count = |options: &[&str]| -> u64 {
        ask(dir.path(), &[&["--count"], options].concat()).trim().parse().unwrap()
    };
    let all = count(&[]);
    assert!(all > 2000, "{all}");
    for cut in ["0", "0.5 us", "1 us", "999.25 us", "1 ms", "3.9995 ms", "4 ms", "1 s"] {
        let [before, after] = [format!("..{cut}"), format!("{cut}..")];
        // A range that is empty is refused, and time does not begin before 0.
        let before = if cut == "0" { 0 } else { count(&["--time", &before]) };
        assert_eq!(before + count(&["--time", &after]), all, "{cut}");
        // The index alone, and every row looked at, say the same.
        let looked_at = count(&["--time", &after, "--place", "z=-1 nm..1 nm"]);
        assert_eq!(looked_at, count(&["--time", &after]), "{cut}");
    }
}

#[test]
fn a_question_that_makes_no_sense_says_what_would() {
    let dir = folder();
    run(dir.path());
    let refused =
        |options: &[&str]| jostle(dir.path(), &[&["contacts", "run.h5md"], options].concat());
    for (options, said) in [
        (&["--species", "B"][..], "no species \"B\"; it has A, wall"),
        (&["--rule", "pear"], "no rule \"pear\"; it has pair, pair_unbind"),
        (&["--outcome", "glued"], "no outcome \"glued\"; it has bounced, passed, bound"),
        (&["--group-by", "pair", "--having", "weight=1.."], "there are a, b, contacts"),
        (&["--group-by", "pair", "--sort", "weight"], "there are a, b, contacts"),
        (&["--histogram", "place", "--axes", "z"], "of x, y"),
        (
            &["--histogram", "rebinding", "--outcome", "bound"],
            "--outcome: not with times of rebinding",
        ),
        (
            &["--histogram", "meetings", "--outcome", "bound"],
            "--outcome: not with meetings before binding",
        ),
        (&["--histogram", "pair", "--bins", "7"], "--bins: numbers of meetings have the same bins"),
        (&["--pair", "3"], "two different ids"),
        (&["--plot", "list.svg"], "a list has no picture"),
        (&["--plot", "picture.gif", "--count"], ".svg, .pdf or .png"),
        (&["--out", "list.xls"], ".csv, .json, .parquet or .txt"),
        (&["--format", "parquet"], "this needs a file"),
        (&["--out", "run.h5md", "--force", "--format", "csv"], "contains the results of a run"),
        (&["--group-by", "time", "--every", "0"], "bins of 0 s"),
        (&["--group-by", "time", "--every", "1 ps"], "1 to 10000 parts"),
        (&["--group-by", "pair,outcome", "--having", "before_bound=1.."], "no such column"),
        (
            &["--group-by", "pair", "--time", "1 ms..", "--having", "before_bound=1.."],
            "no such column",
        ),
        (&["--place", "x=0..1 nm", "--place", "x=2 nm..3 nm"], "x is given twice"),
        (&["--histogram", "place", "--bins", "1000"], "at most 400"),
        (&["--count", "--plot", "n.svg"], "a single number has no picture"),
        (&["--out", "nowhere/list.csv"], "nowhere/list.csv: there is no folder nowhere"),
    ] {
        let done = refused(options);
        let err = done.fails();
        assert!(err.contains(said), "{options:?}: {err}");
        assert_eq!(err.trim_end().lines().count(), 1, "{err}");
    }
    for options in [
        &["--time", "1..2"][..],
        &["--time", "2 us..1 us"],
        &["--every", "fast"],
        &["--bins", "7"],
        &["--sort", "a"],
    ] {
        assert_eq!(refused(options).code, Some(2), "{options:?}");
    }
}

#[test]
fn a_list_on_the_screen_is_short_and_says_so() {
    let dir = folder();
    run(dir.path());
    let done = jostle(dir.path(), &["contacts", "run.h5md"]).succeeds();
    assert_eq!(done.out.lines().count(), 51);
    assert!(done.err.contains("more of") && done.err.contains("--out FILE"), "{}", done.err);
    let picture = dir.path().join("map.png");
    ask(dir.path(), &["--histogram", "place", "--outcome", "bound", "--plot", "map.png"]);
    assert_eq!(std::fs::read(&picture).unwrap()[..4], *b"\x89PNG");
    ask(dir.path(), &["--group-by", "species,time", "--plot", "rates.svg"]);
    let svg = std::fs::read_to_string(dir.path().join("rates.svg")).unwrap();
    assert!(svg.contains("contacts per time") && svg.contains("A – wall"), "{svg}");
}
