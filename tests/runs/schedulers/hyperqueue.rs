//! HyperQueue, by its interface for Python: what is submitted is what the printed job file says.

use std::fs;
use std::path::Path;

use super::{HOPELESS, LONG, fetched, is_the_same, missing, planned, script};
use crate::program::{Apart, Done, left_out, python_with, repository, with_jostle};

/// What comes of the tasks that are left, line by line; those named are lost with their workers.
fn submit(dir: &Path, lost: &[usize]) -> Vec<String> {
    let job: toml::Value = toml::from_str(&script(dir, "hq", "job.toml")).unwrap();
    fs::write(dir.join("job.json"), serde_json::to_string(&job).unwrap()).unwrap();
    let python = python_with(dir, &["schedulers"]);
    let mut command = with_jostle("python3", dir);
    command.envs(python.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.arg(repository().join("tests/runs/schedulers/drive_hyperqueue.py")).arg("job.json");
    command.args(lost.iter().map(usize::to_string));
    let done = Done::from(command.output_apart()).succeeds();
    println!("{}", done.out);
    let words = ["killed", "lost", "again", "failed"];
    let lines = done.out.lines().filter(|line| words.iter().any(|word| line.starts_with(word)));
    lines.map(str::to_owned).collect()
}

#[test]
fn hyperqueue_starts_again_what_was_lost_with_its_worker() {
    let Some(schedulers) = fetched() else { return };
    if !schedulers.join("hyperqueue").exists() {
        left_out("HyperQueue's package is for Linux on x86-64");
        return;
    }
    let sweep = planned();
    let dir = sweep.path();
    let lines = submit(dir, &LONG);
    let [killed, lost, again, failed] = &lines[..] else { panic!("{lines:?}") };
    let killed: usize = killed.strip_prefix("killed ").unwrap().parse().unwrap();
    assert!(lost.starts_with("lost ") && again.starts_with("again "), "{lines:?}");
    let [one, other] = HOPELESS;
    assert_eq!(*failed, format!("failed {killed} {one} {other}"));
    assert_eq!(missing(dir), [killed]);
    assert_eq!(submit(dir, &[]), ["failed"]);
    is_the_same(dir);
}
