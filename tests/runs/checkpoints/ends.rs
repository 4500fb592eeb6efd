//! What can go wrong with checkpoints and those who resume from them, and what is said of it.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use jostle::run::checkpoint::PHYSICS;

use crate::program::{Apart, Done, command, folder, jostle, shell};
use crate::same::hold_same;

/// 20 000 steps: long enough to be caught at it.
const RUN: [&str; 7] =
    ["run", "model.toml", "--steps", "20000", "--quiet", "--set", "output.frame_every=50"];

fn started(folder: &Path, more: &[&str]) -> Child {
    let steps =
        if more.contains(&"--steps") { [&RUN[..2], &RUN[4..]].concat() } else { RUN.to_vec() };
    let mut run = command(folder);
    run.args(steps).args(more).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn_apart()
}

fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Whether there are frames in a file. It is not opened: a process that another test starts at that
/// moment would inherit it, and its lock.
fn is_longer(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.len() > 100_000)
}

/// A run that was told to stop on its way, in a folder with a whole one beside it.
fn stopped() -> tempfile::TempDir {
    let dir = folder();
    jostle(dir.path(), &[&RUN[..], &["--out", "whole.h5md"]].concat()).succeeds();
    let child = started(dir.path(), &["--checkpoint", "100 steps"]);
    wait_for("no second checkpoint", || dir.path().join("model.checkpoint.old").exists());
    shell(dir.path(), &format!("kill -TERM {}", child.id())).succeeds();
    let done: Done = child.wait_with_output().unwrap().into();
    assert_eq!(done.code, Some(75), "{}", done.err);
    assert!(done.err.contains("; jostle resume model.h5md resumes it"), "{}", done.err);
    dir
}

fn holds(dir: &Path) {
    hold_same([[dir.join("whole.h5md").as_path(), &dir.join("model.h5md")]]);
}

#[test]
fn a_run_that_was_stopped_is_resumed_by_one_word() {
    let dir = stopped();
    let refused = jostle(dir.path(), &["run", "model.toml"]);
    assert!(refused.fails().contains("or resume it: jostle resume model.h5md"), "{}", refused.err);
    let done = jostle(dir.path(), &["resume", "model.h5md", "--threads", "1"]).succeeds();
    assert!(done.err.starts_with("resuming from step "), "{}", done.err);
    assert!(done.out.starts_with("Receptors: finished\n"), "{}", done.out);
    holds(dir.path());
    let info = jostle(dir.path(), &["info", "model.h5md"]).succeeds().out;
    let words: Vec<_> = info.lines().filter_map(|line| line.split(' ').next()).collect();
    for word in ["started", "interrupted", "resumed", "finished"] {
        assert!(words.contains(&word), "{info}");
    }
    // Nothing is left to do, and that is said.
    let again = jostle(dir.path(), &["resume", "model.h5md"]);
    assert!(again.fails().contains("the run is finished"), "{}", again.err);
    for (other, said) in [
        (
            "none.h5md",
            "none.h5md: No such file or directory (os error 2); resume a run from the file (.h5md)",
        ),
        (
            "model.toml",
            "model.toml: not an HDF5 file; start a model with: jostle run model.toml; resume it",
        ),
    ] {
        let refused = jostle(dir.path(), &["resume", other]);
        assert!(refused.fails().contains(said), "{}", refused.err);
    }
}

#[test]
fn a_damaged_checkpoint_gives_way_to_the_one_before() {
    let dir = stopped();
    let latest = dir.path().join("model.checkpoint");
    let mut bytes = std::fs::read(&latest).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&latest, bytes).unwrap();
    let done = jostle(dir.path(), &["resume", "model.h5md", "--quiet"]).succeeds();
    assert!(
        done.err.contains("damaged") && done.err.contains("trying the previous checkpoint"),
        "{}",
        done.err
    );
    holds(dir.path());
}

#[test]
fn without_a_checkpoint_it_is_said_what_can_be_done() {
    let dir = stopped();
    for name in ["model.checkpoint", "model.checkpoint.old"] {
        std::fs::write(dir.path().join(name), "torn").unwrap();
    }
    let torn = jostle(dir.path(), &["resume", "model.h5md"]);
    assert!(torn.fails().contains("it is not a checkpoint, or is damaged"), "{}", torn.err);
    for name in ["model.checkpoint", "model.checkpoint.old"] {
        std::fs::remove_file(dir.path().join(name)).unwrap();
    }
    let none = jostle(dir.path(), &["resume", "model.h5md"]);
    assert!(
        none.fails().contains("there is no checkpoint to resume from (model.checkpoint)"),
        "{}",
        none.err
    );
    assert!(none.fails().contains("jostle run model.h5md starts it again"), "{}", none.err);
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let dir = stopped();
    let kept = std::fs::read(dir.path().join("model.checkpoint")).unwrap();
    jostle(dir.path(), &["run", "model.toml", "--force", "--quiet", "--steps", "200"]).succeeds();
    std::fs::write(dir.path().join("model.checkpoint"), kept).unwrap();
    let refused = jostle(dir.path(), &["resume", "model.h5md", "--steps", "20000"]);
    assert!(refused.fails().contains("belongs to another run"), "{}", refused.err);
}

#[test]
fn what_would_not_be_the_same_run_is_asked_for_and_recorded() {
    let dir = stopped();
    let never = ["resume", "model.h5md", "--changed", "--set", "species.A.diffusion=0.01 um^2/s"];
    let refused = jostle(dir.path(), &never);
    assert!(
        refused.fails().contains("only these can be changed: the rates of rules"),
        "{}",
        refused.err
    );
    for (n, set) in ["rule.pair.rate=0.02 um^2/s", "run.seed=8"].into_iter().enumerate() {
        let other = ["resume", "model.h5md", "--quiet", "--set", set];
        let refused = jostle(dir.path(), &other);
        assert!(refused.fails().contains("--changed continues all the same"), "{}", refused.err);
        let name = format!("other{n}.h5md");
        jostle(dir.path(), &[&other[..], &["--changed", "--out", &name]].concat()).succeeds();
        let info = jostle(dir.path(), &["info", &name]).succeeds().out;
        assert!(info.contains("changed and resumed"), "{info}");
        let differs = jostle(dir.path(), &["diff", "whole.h5md", &name]);
        assert_eq!(differs.code, Some(1), "{set}: {}", differs.out);
    }
    // The first file is as it was, and continues as it would have.
    jostle(dir.path(), &["resume", "model.h5md", "--quiet", "--set", "search=sweep"]).succeeds();
    holds(dir.path());
}

/// As another version of the program would have kept it.
#[test]
fn what_other_physics_has_kept_is_asked_for() {
    use std::io::{Read, Write};
    let dir = stopped();
    for name in ["model.checkpoint", "model.checkpoint.old"] {
        let path = dir.path().join(name);
        let mut inside = Vec::new();
        let file = std::fs::File::open(&path).unwrap();
        flate2::read::GzDecoder::new(file).read_to_end(&mut inside).unwrap();
        let end = inside.iter().position(|&byte| byte == b'\n').unwrap();
        let line = String::from_utf8(inside[..end].to_vec()).unwrap();
        let other = line.replace(&format!("\"physics\":{PHYSICS},"), "\"physics\":999,");
        assert_ne!(line, other);
        let file = std::fs::File::create(&path).unwrap();
        let mut out = flate2::write::GzEncoder::new(file, flate2::Compression::none());
        out.write_all(other.as_bytes()).unwrap();
        out.write_all(&inside[end..]).unwrap();
        out.finish().unwrap();
    }
    let refused = jostle(dir.path(), &["resume", "model.h5md"]);
    let expected = format!("with physics 999, but this program has physics {PHYSICS}");
    assert!(refused.fails().contains(&expected), "{}", refused.err);
    jostle(dir.path(), &["resume", "model.h5md", "--quiet", "--changed"]).succeeds();
    let info = jostle(dir.path(), &["info", "model.h5md"]).succeeds().out;
    assert!(info.contains("changed and resumed"), "{info}");
}

#[test]
fn a_run_that_continues_is_not_resumed_by_another() {
    let dir = folder();
    let endless = ["--steps", "1000000000", "--set", "output.frame_every=50"];
    let run = ["run", "model.toml", "--quiet", "--checkpoint", "200 steps"];
    let mut child = command(dir.path()).args(run).args(endless).stderr(Stdio::null()).spawn_apart();
    wait_for("no checkpoint", || dir.path().join("model.checkpoint").exists());
    for line in [&["resume", "model.h5md"][..], &["run", "model.toml", "--force"]] {
        let refused = jostle(dir.path(), line);
        assert!(refused.fails().contains("in use: a run is writing it"), "{}", refused.err);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_run_whose_file_is_taken_away_or_cut_short_ends_and_says_so() {
    for (what, said) in [("rm", "removed, renamed or replaced"), ("truncate -s 2000", "cut short")]
    {
        let dir = folder();
        let mut child = started(dir.path(), &["--steps", "1000000000"]);
        wait_for("no frames", || is_longer(&dir.path().join("model.h5md")));
        // It is looked at once a second, before the run writes: what happens while it writes is
        // noticed the next time that it happens.
        std::thread::sleep(Duration::from_millis(1100));
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{what} is not noticed");
            shell(dir.path(), &format!("{what} model.h5md || true")).succeeds();
            std::thread::sleep(Duration::from_millis(300));
        }
        let done: Done = child.wait_with_output().unwrap().into();
        assert!(
            done.fails().contains(&format!("model.h5md was {said} while the run was writing it")),
            "{}",
            done.err
        );
    }
}

#[test]
fn anyone_may_ask_for_a_checkpoint() {
    let dir = folder();
    let run = ["run", "model.toml", "--quiet", "--checkpoint", "never", "--steps", "1000000000"];
    let mut child = command(dir.path()).args(run).stderr(Stdio::null()).spawn_apart();
    wait_for("no frames", || is_longer(&dir.path().join("model.h5md")));
    assert!(!dir.path().join("model.checkpoint").exists());
    // It is to be kept after more than one step.
    std::thread::sleep(Duration::from_millis(200));
    shell(dir.path(), &format!("kill -USR1 {}", child.id())).succeeds();
    wait_for("no checkpoint", || dir.path().join("model.checkpoint").exists());
    assert!(child.try_wait().unwrap().is_none(), "the run continues");
    child.kill().unwrap();
    child.wait().unwrap();
    let less = jostle(dir.path(), &["resume", "model.h5md", "--steps", "1"]);
    assert!(less.fails().contains(", but is to end at step 1 (1 µs)"), "{}", less.err);
    assert!(dir.path().join("model.checkpoint").exists(), "it is still there");
}

/// What counts is gone with the end of the file: that is said, and nothing is made of the rest.
#[test]
fn a_file_that_has_lost_its_end_is_not_resumed() {
    let dir = stopped();
    let path = dir.path().join("model.h5md");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() / 3]).unwrap();
    let refused = jostle(dir.path(), &["resume", "model.h5md"]);
    assert!(refused.fails().contains("model.h5md"), "{}", refused.err);
    assert!(refused.err.contains("its file is missing; the file is recovered"), "{}", refused.err);
    assert!(dir.path().join("model.checkpoint").exists());
    let left: Vec<_> =
        std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("resuming")), "{left:?}");
}

#[test]
fn a_checkpoint_that_cannot_be_written_does_not_end_the_run() {
    let dir = folder();
    std::fs::create_dir(dir.path().join(".model.checkpoint.new")).unwrap();
    let done = jostle(dir.path(), &["run", "model.toml", "--quiet", "--checkpoint", "100 steps"])
        .succeeds();
    assert!(done.err.contains("could not be saved in model.checkpoint"), "{}", done.err);
    let wrong = jostle(dir.path(), &["run", "model.toml", "--checkpoint", "often"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("10 min"), "{}", wrong.err);
}

/// A mill whose first output is hours away: what happened until a second before a kill is in its file all
/// the same.
#[test]
fn a_killed_mill_keeps_what_happened_between_two_outputs() {
    let dir = folder();
    std::fs::copy("models/shaker_monosized.toml", dir.path().join("mill.toml")).unwrap();
    let long = ["--set", "output.every=10000 s", "--until", "20000 s", "--quiet"];
    let mut run = command(dir.path());
    let line = [&["run", "mill.toml", "--checkpoint", "never"][..], &long].concat();
    let mut child = run.args(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn_apart();
    let contacts = || {
        let done = jostle(dir.path(), &["contacts", "mill.h5md", "--count"]);
        done.out.trim().parse::<u64>().unwrap_or(0)
    };
    wait_for("no contacts can be read", || contacts() > 10_000);
    child.kill().unwrap();
    child.wait().unwrap();
    jostle(dir.path(), &["recover", "mill.h5md"]).succeeds();
    assert!(contacts() > 10_000);
    let info = jostle(dir.path(), &["info", "mill.h5md"]).succeeds().out;
    assert!(info.contains("frames                1, from 0 s to 0 s"), "{info}");
}
