//! Logs of contacts in which a rule is one byte, as it used to be, are read as if nothing had
//! changed.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use jostle::observe::Clock;
use jostle::run::checkpoint::{Cadence, Checkpoint, Checkpoints, checkpoints_of};
use jostle::run::{Ending, Options, run};

use crate::program::{self, Apart, Done, folder, inherited_by_none, jostle};

/// Gives the contacts of a file the rows of earlier versions.
const MADE_OLD: &str = r#"
import sys, h5py, numpy
with h5py.File(sys.argv[1], "r+") as f:
    rows = f["events/contacts"][:]
    assert rows.dtype["rule"] == numpy.uint16 and (rows["rule"] == 65535).any()
    names = rows.dtype.names
    old = numpy.dtype([(n, "u1" if n == "rule" else rows.dtype[n]) for n in names])
    assert old.itemsize == 40
    table = numpy.zeros(len(rows), old)
    for n in names:
        table[n] = numpy.where(rows[n] == 65535, 255, rows[n]) if n == "rule" else rows[n]
    chunk = f["events/contacts"].chunks
    units = f["events/contacts"].attrs["units"]
    del f["events/contacts"]
    made = f.create_dataset("events/contacts", data=table, chunks=chunk, maxshape=(None,))
    made.attrs["units"] = units
"#;

fn made_old(folder: &Path, file: &str) {
    let script = folder.join("made_old.py");
    std::fs::write(&script, MADE_OLD).unwrap();
    Done::from(program::python(folder).arg(script).arg(file).output_apart()).succeeds();
}

const RUN: [&str; 5] = ["run", "model.toml", "-q", "--set", "output.log=all"];

#[test]
fn the_rules_of_old_logs_are_those_of_new_ones() {
    let dir = folder();
    for file in ["new.h5md", "old.h5md"] {
        let more = ["--set", "species.A.count=120", "--steps", "3000", "--out", file];
        jostle(dir.path(), &[&RUN[..], &more].concat()).succeeds();
    }
    made_old(dir.path(), "old.h5md");
    let ask = |file: &str, words: &[&str]| {
        jostle(dir.path(), &[&["contacts", file], words].concat()).succeeds().out
    };
    let questions: [&[&str]; 5] = [
        &["--format", "csv"],
        &["--count", "--rule", "pair"],
        &["--group-by", "rule,outcome", "--format", "csv"],
        &["--group-by", "species,rule", "--format", "json"],
        &["--outcome", "bounced", "--format", "csv"],
    ];
    for question in questions {
        let said = ask("new.h5md", question);
        assert_eq!(ask("old.h5md", question), said, "{question:?}");
        assert!(!said.contains("code 255"), "{said}");
    }
    let same = jostle(dir.path(), &["diff", "new.h5md", "old.h5md"]);
    assert_eq!(same.code, Some(0), "{}{}", same.out, same.err);
    let again = jostle(dir.path(), &["rerun", "old.h5md"]);
    assert_eq!(again.code, Some(0), "{}{}", again.out, again.err);
}

/// Runs the model of a folder, from its latest checkpoint if there is one, until `stop_at`.
fn run_until(folder: &Path, out: &str, stop_at: u64) -> Ending {
    inherited_by_none();
    let set = [("output.log", "all"), ("species.A.count", "120"), ("run.steps", "2000")];
    let set = set.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let model = jostle::model::load(&folder.join("model.toml"), &set).unwrap();
    let out = &folder.join(out);
    let latest = &checkpoints_of(out)[0];
    let from = latest.exists().then(|| Checkpoint::open(latest, out).unwrap());
    let stop = AtomicBool::new(false);
    let mut progress = |clock: Clock| stop.store(clock.step >= stop_at, Ordering::Relaxed);
    let options = Options {
        out: Some(out),
        force: false,
        self_check: false,
        stop: &stop,
        progress: &mut progress,
        checkpoints: Checkpoints { every: Some(Cadence::AtStops), from, ..Checkpoints::default() },
    };
    run(&model, options).unwrap().ending
}

/// Where a run was stopped that an earlier version began, what it has logged is taken over.
#[test]
fn a_run_with_an_old_log_is_resumed() {
    let dir = folder();
    assert_eq!(run_until(dir.path(), "whole.h5md", u64::MAX), Ending::Finished);
    assert_eq!(run_until(dir.path(), "part.h5md", 900), Ending::Interrupted);
    made_old(dir.path(), "part.h5md");
    assert_eq!(run_until(dir.path(), "part.h5md", u64::MAX), Ending::Finished);
    let same = jostle(dir.path(), &["diff", "whole.h5md", "part.h5md"]);
    assert_eq!(same.code, Some(0), "{}{}", same.out, same.err);
    let none = jostle(dir.path(), &["contacts", "part.h5md", "--group-by", "rule"]).succeeds().out;
    assert!(!none.contains("code 255"), "{none}");
}
