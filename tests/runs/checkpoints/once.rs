//! One line, `jostle run --resume`, that is started again and again.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Apart, Done, command, folder, jostle};
use crate::same::hold_same;

const LINE: [&str; 8] = [
    "run",
    "model.toml",
    "--steps",
    "20000",
    "--set",
    "output.frame_every=50",
    "--resume",
    "--quiet",
];

#[test]
fn one_line_begins_continues_and_has_nothing_left_to_do() {
    let dir = folder();
    let whole = [&LINE[..6], &["--quiet", "--out", "whole.h5md"]].concat();
    jostle(dir.path(), &whole).succeeds();
    let mut run: Command = command(dir.path());
    run.args(LINE).args(["--checkpoint", "100 steps"]).stderr(Stdio::piped());
    let child = run.spawn_apart();
    let begun = Instant::now();
    while !dir.path().join("model.checkpoint").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no checkpoint");
        std::thread::sleep(Duration::from_millis(2));
    }
    crate::program::shell(dir.path(), &format!("kill -TERM {}", child.id())).succeeds();
    let stopped: Done = child.wait_with_output().unwrap().into();
    assert_eq!(stopped.code, Some(75), "{}", stopped.err);
    // Another model does not continue in its place, and nothing is replaced.
    let other = jostle(dir.path(), &[&LINE[..], &["--seed", "8"]].concat());
    assert!(other.fails().contains("run.seed is 7 there, but 8 is now requested"), "{}", other.err);
    jostle(dir.path(), &[&LINE[..], &["--threads", "1"]].concat()).succeeds();
    let [a, b] = ["whole.h5md", "model.h5md"].map(|name| dir.path().join(name));
    hold_same([[a.as_path(), &b]]);
    let before = std::fs::read(&b).unwrap();
    let done = jostle(dir.path(), &LINE[..7]).succeeds();
    assert!(done.err.contains("model.h5md: finished at step 20000; nothing to do"), "{}", done.err);
    assert_eq!(std::fs::read(&b).unwrap(), before, "a finished file is left as it is");
    let longer = jostle(
        dir.path(),
        &["run", "model.toml", "--steps", "30000", "--set", "output.frame_every=50", "--resume"],
    );
    assert!(longer.fails().contains("30000 are now requested"), "{}", longer.err);
}

#[test]
fn a_run_of_which_nothing_was_kept_begins_anew() {
    let dir = folder();
    let mut run: Command = command(dir.path());
    run.args(LINE).args(["--checkpoint", "never"]);
    let mut child = run.spawn_apart();
    let begun = Instant::now();
    while !dir.path().join("model.h5md").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the run does not get under way");
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_millis(50));
    child.kill().unwrap();
    child.wait().unwrap();
    let done = jostle(dir.path(), &LINE[..7]).succeeds();
    let again = done.err.contains("it starts again");
    assert!(again || done.err.contains("nothing to do"), "{}", done.err);
    let last = jostle(dir.path(), &["info", "model.h5md"]).succeeds().out;
    assert!(last.contains("finished") && last.contains("at step 20000"), "{last}");
}
