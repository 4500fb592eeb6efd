//! Finished runs that are made longer, of each engine: they are what one long run would have been.

use std::path::Path;
use std::time::{Duration, Instant};

use jostle::analysis;
use jostle::random::{Purpose, Random};

use super::victim::Victim;
use crate::cases::CASES;
use crate::program::{folder, jostle, nightly};
use crate::same::hold_same;

/// How long a run lasts, and the time between two of its frames. \[µs\]
fn lasts(path: &Path) -> [f64; 2] {
    let reading = analysis::open(path).unwrap();
    let times = reading.times().unwrap();
    let info = analysis::info(&reading).unwrap();
    [info.timestep * info.runs.last().unwrap().step as f64, times[1] - times[0]]
}

/// A third of a run of each engine, which comes to its end; the rest with kills at random moments.
#[test]
fn a_finished_run_that_is_made_longer_and_killed_comes_to_the_same_end() {
    let dir = tempfile::tempdir().unwrap();
    let random = Random::new(61);
    let mut draw = (0..).map(|n| random.uniform(Purpose::Waiting, [n, 0, 0, 0]));
    let kills = if nightly() { 20 } else { 3 };
    let mut pairs = Vec::new();
    for case in CASES.iter().filter(|case| case.is_for_kills()) {
        let here = dir.path().join(case.name);
        std::fs::create_dir(&here).unwrap();
        std::fs::write(here.join("model.toml"), case.text()).unwrap();
        let run = |out: &str, more: &[String]| {
            let line = [case.arguments(out), more.to_vec()].concat();
            jostle(&here, &line.iter().map(String::as_str).collect::<Vec<_>>()).succeeds()
        };
        let begun = Instant::now();
        run("whole.h5md", &[]);
        let (whole, takes) = (here.join("whole.h5md"), begun.elapsed());
        let [until, every] = lasts(&whole);
        let time = |time: f64| format!("{time:?} us");
        // A number of frames would put them closer together in a shorter run.
        let mut shorter = vec!["--until".to_owned(), time(until / 3.0)];
        if !case.arguments("").iter().any(|word| word.starts_with("output.frame_every")) {
            shorter.extend(["--set".into(), format!("output.every={}", time(every))]);
        }
        run("parts.h5md", &shorter);
        let resume = ["resume", "parts.h5md", "--quiet", "--until"].map(Into::into);
        let resume = [&resume[..], &[time(until)]].concat();
        let mut victim = Victim::of(&here, "parts.h5md", &resume);
        loop {
            let most = match victim.killed {
                n if n >= kills => Duration::from_secs(600),
                _ => takes.mul_f64(draw.next().unwrap_or_default()),
            };
            if victim.lengthen(most, &["--checkpoint", "0.01 s"].map(Into::into)) {
                break;
            }
            victim.examine();
        }
        println!("{}: {} kills", case.name, victim.killed);
        victim.leaves_its_last_checkpoint();
        pairs.push([whole, here.join("parts.h5md")]);
    }
    hold_same(pairs.iter().map(|[a, b]| [a.as_path(), b]));
}

#[test]
fn what_cannot_be_made_longer_is_told_why() {
    let dir = folder();
    let here = dir.path();
    let try_it = |words: &str| jostle(here, &words.split(' ').collect::<Vec<_>>());
    try_it("run model.toml --quiet").succeeds();
    let before = std::fs::read(here.join("model.h5md")).unwrap();
    for (words, said) in [
        (
            "",
            "is finished, at step 400 (400 µs), and nothing is left to do; a later end makes it longer: --until \"800 µs\"",
        ),
        (" --steps 400", "and nothing is left to do"),
        (
            " --until 300us",
            "has already reached step 400 (400 µs), but is to end at step 300 (300 µs)",
        ),
    ] {
        let refused = try_it(&format!("resume model.h5md{words}"));
        assert!(refused.fails().contains(said), "{words}: {}", refused.err);
    }
    assert_eq!(std::fs::read(here.join("model.h5md")).unwrap(), before, "it is left as it is");
    // Into another file, the first one stays as it is, and can be made longer another time.
    try_it("resume model.h5md --until 500us --out other.h5md --quiet").succeeds();
    assert_eq!(std::fs::read(here.join("model.h5md")).unwrap(), before);
    let exists = try_it("run model.toml");
    assert!(exists.fails().contains("(with --until or --steps a later end"), "{}", exists.err);
    try_it("resume model.h5md --until 500us --quiet").succeeds();
    try_it("run model.toml --until 500us --out whole.h5md --quiet").succeeds();
    let at = |name: &str| here.join(name);
    hold_same([[&*at("whole.h5md"), &*at("model.h5md")], [&*at("whole.h5md"), &*at("other.h5md")]]);
    let checkpoints =
        || ["model", "other", "whole"].map(|name| at(&format!("{name}.checkpoint")).exists());
    assert_eq!(checkpoints(), [true; 3]);
    for (number, way) in
        ["--set run.keep_checkpoint=false", "--checkpoint never"].into_iter().enumerate()
    {
        let name = format!("none{number}");
        try_it(&format!("run model.toml --out {name}.h5md --quiet {way}")).succeeds();
        assert!(!at(&format!("{name}.checkpoint")).exists(), "{way}");
        let refused = try_it(&format!("resume {name}.h5md --until 500us"));
        let said = "there is no checkpoint from which it could be made longer";
        assert!(refused.fails().contains(said), "{}", refused.err);
        // What is said to do does it.
        try_it(&format!("run {name}.h5md --until 500us --out again.h5md --quiet --force"))
            .succeeds();
        hold_same([[&*at("whole.h5md"), &*at("again.h5md")]]);
    }
}
