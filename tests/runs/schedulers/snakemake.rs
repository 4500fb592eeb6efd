//! Snakemake, here without a cluster.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

use super::tasks::Running;
use super::{LONG, fetched, is_the_same, planned, script};
use crate::program::{Apart, left_out, with_jostle};

/// Starts it in a folder with a Snakefile; what it says goes into a file there. None if this Python
/// is too old for it.
fn snakemake(dir: &Path, says: &str) -> Option<Child> {
    let schedulers = fetched()?;
    if !schedulers.join("snakemake").exists() {
        left_out("Snakemake needs Python 3.11 or newer");
        return None;
    }
    let out = fs::File::create(dir.join(says)).unwrap();
    let mut command = with_jostle("python3", dir);
    command.args(["-m", "snakemake", "--cores", "2"]);
    command.env("PYTHONPATH", &schedulers).env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("XDG_CACHE_HOME", dir.join("cache")).stdin(Stdio::null());
    Some(command.stdout(out.try_clone().unwrap()).stderr(out).spawn_apart())
}

#[test]
fn snakemake_tries_again_what_was_killed_or_stopped() {
    let sweep = planned();
    let dir = sweep.path();
    script(dir, "snakemake", "Snakefile");
    let Some(mut first) = snakemake(dir, "first.txt") else { return };
    // In no certain order: one is at work, and then the other.
    let ends = std::thread::scope(|scope| {
        let both = [(LONG[0], "TERM"), (LONG[1], "KILL")]
            .map(|(task, signal)| scope.spawn(move || Running::at_work(dir, task).signal(signal)));
        both.map(|end| end.join().unwrap())
    });
    assert_eq!(ends, [true, true]);
    let code = first.wait().unwrap().code();
    let said = fs::read_to_string(dir.join("first.txt")).unwrap();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("Trying to restart job").count(), 2, "{said}");
    assert!(said.contains("task 38 stopped; the same command continues it"), "{said}");
    is_the_same(dir);
    let again = snakemake(dir, "again.txt").unwrap().wait().unwrap();
    let said = fs::read_to_string(dir.join("again.txt")).unwrap();
    assert!(again.success() && said.contains("Nothing to be done"), "{said}");
}
