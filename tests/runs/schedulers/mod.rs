//! One sweep by whatever runs sweeps elsewhere, with tasks that are killed, stopped and moved: the
//! merged tables have the same bytes as those of one process that is left in peace.

mod hyperqueue;
mod local;
mod slurm;
mod snakemake;
mod tasks;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::sweep::merged;
use crate::program::{Apart, Done, by_night, folder, jostle, left_out, repository, with_jostle};

/// Twenty points of ten runs each, in tasks of five.
const SWEEP: &str = r#"[sweep]
model = "model.toml"
seed = 11
replicas = 10

[points]
file = "design.csv"

[[measure]]
what = "counts"
[[measure]]
what = "rates"
from = "20 us"

[keep]
files = "first"

[task]
replicas = 5
"#;

/// How many tasks it has.
const TASKS: usize = 40;
/// Of these, those whose particles cannot be placed, and those that take seconds.
const HOPELESS: [usize; 2] = [36, 37];
const LONG: [usize; 2] = [38, 39];

/// The points: short runs, then those that fail, then long ones.
fn design() -> String {
    let short = (1..=18).map(|n| format!("{:.2} um^2/s,200 nm,400\n", 0.05 * f64::from(n)));
    let last = ["1 um^2/s,30.5 nm,400\n", "1 um^2/s,200 nm,12000\n"];
    let rows = short.chain(last.map(str::to_owned)).collect::<String>();
    format!("rule.pair.rate,space.edges,run.steps\n{rows}")
}

/// A folder with the sweep, planned in `sweep`.
fn planned() -> TempDir {
    planned_as(SWEEP)
}

fn planned_as(sweep: &str) -> TempDir {
    let dir = folder();
    fs::write(dir.path().join("design.csv"), design()).unwrap();
    fs::write(dir.path().join("a.sweep.toml"), sweep).unwrap();
    jostle(dir.path(), &["sweep", "plan", "a.sweep.toml", "--out", "sweep"]).succeeds();
    dir
}

/// Writes what `jostle sweep script` prints into a file, and returns it.
fn script(dir: &Path, engine: &str, name: &str) -> String {
    let text = jostle(dir, &["sweep", "script", "sweep", "--for", engine]).succeeds().out;
    fs::write(dir.join(name), &text).unwrap();
    text
}

/// Tasks that have not been done.
fn missing(dir: &Path) -> Vec<usize> {
    let told = jostle(dir, &["sweep", "status", "sweep", "--missing"]).succeeds().out;
    let numbers = told.split_whitespace().flat_map(|line| line.split(',')).flat_map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        first.parse().unwrap()..=last.parse().unwrap()
    });
    numbers.collect()
}

/// All runs are done, those fail that have to, and the tables have the bytes they always have.
fn is_the_same(dir: &Path) {
    let status = jostle(dir, &["sweep", "status", "sweep", "--json"]).succeeds().out;
    let status: serde_json::Value = serde_json::from_str(&status).unwrap();
    assert_eq!([&status["runs"]["done"], &status["runs"]["failed"]], [200, 10], "{status}");
    assert!(fs::read_dir(dir.join("sweep/work")).unwrap().next().is_none());
    assert!(merged(dir) == *of_one_process(), "{}: other tables", dir.display());
}

/// The tables of one process that runs one after the other.
fn of_one_process() -> &'static [Vec<u8>; 3] {
    static TABLES: OnceLock<[Vec<u8>; 3]> = OnceLock::new();
    TABLES.get_or_init(|| {
        let sweep = planned();
        let run = jostle(sweep.path(), &["sweep", "run", "sweep", "--jobs", "1", "--quiet"]);
        assert!(run.fails().contains("10 of 200 runs failed"), "{}", run.err);
        merged(sweep.path())
    })
}

/// Starts a line of shell in a folder; what it says goes into a file there.
fn start(dir: &Path, line: &str, says: &str) -> Child {
    let out = fs::File::create(dir.join(says)).unwrap();
    let mut command = with_jostle("sh", dir);
    command.args(["-c", line]).stdin(Stdio::null());
    command.stdout(out.try_clone().unwrap()).stderr(out).spawn_apart()
}

/// Looks for something until it is there.
fn wait_for<T>(what: &str, seconds: u64, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(seconds), "after {seconds} s: no {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The folder of the schedulers that `make nightly` fetches, if they are wanted.
fn fetched() -> Option<PathBuf> {
    if !by_night() {
        return None;
    }
    let folder = repository().join(".tools/schedulers");
    assert!(folder.exists(), "{} is missing: run `make tools NIGHTLY=yes`", folder.display());
    Some(folder)
}

/// Whether programs of the system are all there; what is not there is said.
fn installed(programs: &[&str]) -> bool {
    if !by_night() {
        return false;
    }
    let is_absent = |program: &&&str| {
        let found = system(&format!("command -v {program}"));
        found.code != Some(0)
    };
    let absent: Vec<&str> = programs.iter().filter(is_absent).copied().collect();
    if !absent.is_empty() {
        left_out(&format!("{} not installed: run `make nightly` as root", absent.join(", ")));
    }
    absent.is_empty()
}

/// Runs a line of shell that finds the programs of the system's own.
fn system(line: &str) -> Done {
    crate::program::shell(Path::new("."), &format!("PATH=\"$PATH:/usr/sbin:/sbin\"; {line}"))
}
