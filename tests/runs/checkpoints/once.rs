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
    // With a later end it becomes longer, and then there is nothing left to do either.
    let with = |steps| ["run", "model.toml", "--steps", steps, "--set", "output.frame_every=50"];
    jostle(dir.path(), &[&with("23000")[..], &["--out", "longer.h5md", "--quiet"]].concat())
        .succeeds();
    let line = [&with("23000")[..], &["--resume"]].concat();
    let longer = jostle(dir.path(), &line).succeeds();
    let said =
        "resuming from step 20000, at 20 ms, now until 23 ms; frames are written every 50 µs";
    assert!(longer.err.contains(said), "{}", longer.err);
    let again = jostle(dir.path(), &line).succeeds();
    assert!(again.err.contains("finished at step 23000; nothing to do"), "{}", again.err);
    let a = dir.path().join("longer.h5md");
    hold_same([[a.as_path(), &b]]);
    let earlier = jostle(dir.path(), &[&with("100")[..], &["--resume"]].concat()).succeeds();
    let said = "finished at step 23000 (23 ms), after the end that is requested; nothing to do";
    assert!(earlier.err.contains(said), "{}", earlier.err);
    // Frames that are farther apart are those of another run.
    let other = jostle(dir.path(), &[&line[..5], &["output.frame_every=51", "--resume"]].concat());
    assert!(other.fails().contains("output.frame_every is 50 there, but 51"), "{}", other.err);
}

/// A number of frames: those that come later are as far apart as those that are there. Granular runs have no
/// steps, and their frames are counted.
#[test]
fn a_run_with_so_many_frames_keeps_their_cadence_when_it_becomes_longer() {
    let dir = folder();
    std::fs::copy("models/shaker_monosized.toml", dir.path().join("mill.toml")).unwrap();
    for (model, [short, long, longest], every) in [
        ("model", ["400 us", "600 us", "700 us"], "output.every=40 us"),
        ("mill", ["100 ms", "150 ms", "170 ms"], "output.every=10 ms"),
    ] {
        let name = format!("{model}.toml");
        let run = |until, more: &[&str]| {
            let line = ["run", name.as_str(), "--until", until];
            jostle(dir.path(), &[&line, more].concat()).succeeds()
        };
        let number = ["--set", "output.frames=10", "--resume"];
        for until in [short, long, longest] {
            run(until, &number);
            let again = run(until, &number);
            assert!(again.err.contains("nothing to do"), "{}", again.err);
        }
        let every = ["--set", every, "--out", "whole.h5md", "--force", "--quiet"];
        run(longest, &every);
        let part = dir.path().join(format!("{model}.h5md"));
        hold_same([[dir.path().join("whole.h5md").as_path(), &part]]);
    }
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
