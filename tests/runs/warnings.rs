//! What runs warn of is kept in their files, and told by everything that reads them.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use hdf5::types::VarLenUnicode;
use jostle::analysis::{Reading, info, open, warnings};
use jostle::model::{Model, parse};
use jostle::record::{WarningCode, WarningRow};
use jostle::run::Ending;

use crate::program::{folder, jostle};
use crate::resume::run_until;

/// Disks in a crowd grow, for which there is often no space, and shrink again.
const CROWD: &str = r#"
[space]
dimension = 2
edges = "60 nm"
[run]
timestep = "1 ns"
steps = 200
seed = 5
[output]
frame_every = 100
[[species]]
name = "small"
radius = "2 nm"
diffusion = "10 um^2/s"
count = 90
[[species]]
name = "large"
radius = "3 nm"
diffusion = "10 um^2/s"
[[rule]]
name = "grow"
do = "convert"
on = "small"
products = ["large"]
rate = "10 /us"
[[rule]]
name = "shrink"
do = "convert"
on = "large"
products = ["small"]
rate = "10 /us"
"#;

/// The same with other values of keys.
fn crowd(overrides: &[(&str, &str)]) -> Model {
    let set: Vec<(String, String)> =
        overrides.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    parse(CROWD, "crowd.toml", &set).unwrap_or_else(|faults| panic!("{faults}"))
}

fn kept(file: &Path) -> Vec<String> {
    warnings(&open(file).unwrap()).unwrap()
}

fn rows(file: &Path) -> Vec<WarningRow> {
    let file = hdf5::File::open(file).unwrap();
    file.dataset("runs/warnings").unwrap().read_raw().unwrap()
}

#[test]
fn the_file_says_what_the_run_said_whatever_the_threads_and_the_search() {
    let dir = folder();
    let file = |name: &str| dir.path().join(name);
    let first = file("first.h5md");
    let said = run_until(&crowd(&[]), &first, u64::MAX).warnings;
    assert!(
        matches!(&said[..], [one] if one.starts_with("\"grow\" found no space in ")),
        "{said:?}"
    );
    assert_eq!(kept(&first), said);
    let expected = rows(&first);
    let [row] = expected[..] else { panic!("{expected:?}") };
    assert_eq!((row.step, row.rule, row.code), (200, 0, WarningCode::NoSpace as u8));
    assert!(100 * row.count > row.of, "{row:?}");
    for (n, kind) in ["naive", "cubic", "slices", "verlet"].into_iter().enumerate() {
        let other = file(&format!("{kind}.h5md"));
        let threads = (1 + n % 2).to_string();
        let model = crowd(&[("search.kind", kind), ("run.threads", &threads)]);
        run_until(&model, &other, u64::MAX);
        assert_eq!(rows(&other), expected, "{kind}");
    }
    // A box with room for all.
    let roomy = file("roomy.h5md");
    let said = run_until(&crowd(&[("space.edges", "2 um")]), &roomy, u64::MAX).warnings;
    assert!(said.is_empty() && kept(&roomy).is_empty(), "{said:?}");
}

#[test]
fn the_program_tells_what_a_file_says() {
    let dir = folder();
    fs::write(dir.path().join("crowd.toml"), CROWD).unwrap();
    let ran = jostle(dir.path(), &["run", "crowd.toml"]).succeeds().out;
    assert!(ran.contains("  WARNING       \"grow\" found no space in "), "{ran}");
    let told = jostle(dir.path(), &["info", "crowd.h5md"]).succeeds().out;
    let line = told.lines().find(|line| line.starts_with("warning ")).unwrap_or_default();
    assert!(line.contains("\"grow\" found no space in "), "{told}");
    let json = jostle(dir.path(), &["info", "crowd.h5md", "--json"]).succeeds().out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["warnings"], serde_json::json!(kept(&dir.path().join("crowd.h5md"))));
    let report = jostle(dir.path(), &["report", "crowd.h5md", "--out", "page.html"]).succeeds();
    assert!(report.err.contains("note: The run: \"grow\" found no space in "), "{}", report.err);
    let page = fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("grow&quot; found no space in ") || page.contains("grow&#34; found no"));
}

#[test]
fn a_resumed_run_keeps_what_it_warned_of_and_says_it_once() {
    let dir = folder();
    let [whole, parts] = ["whole.h5md", "parts.h5md"].map(|name| dir.path().join(name));
    run_until(&crowd(&[]), &whole, u64::MAX);
    assert_eq!(run_until(&crowd(&[]), &parts, 120).ending, Ending::Interrupted);
    let before = kept(&parts);
    assert!(matches!(&before[..], [one] if one.starts_with("\"grow\" found")), "{before:?}");
    // As if another rule had been short of space, too, for a while.
    let early = WarningRow::no_space(120, 1, [3, 4]);
    change(&parts, |file| {
        let table = file.dataset("runs/warnings")?;
        table.resize(2)?;
        table.write_slice(&[early], 1..2)
    });
    assert_eq!(run_until(&crowd(&[]), &parts, u64::MAX).ending, Ending::Finished);
    let said = kept(&parts);
    let [kept_early, last] = &said[..] else { panic!("{said:?}") };
    assert!(
        kept_early.starts_with("up to step 120, \"shrink\" found no space in 75 %"),
        "{said:?}"
    );
    assert_eq!(std::slice::from_ref(last), kept(&whole));
    // What the whole run says takes the place of what its first part said.
    assert_eq!(rows(&parts).len(), 3);
}

/// Changes a file. A process that another test starts at this moment has its lock, too, until it becomes
/// the program.
fn change(path: &Path, how: impl FnOnce(&hdf5::File) -> hdf5::Result<()>) {
    let begun = Instant::now();
    let file = loop {
        match hdf5::File::open_rw(path) {
            Err(error) if begun.elapsed() > Duration::from_secs(20) => panic!("{error}"),
            Err(_) => sleep(Duration::from_millis(10)),
            Ok(file) => break file,
        }
    };
    how(&file).unwrap();
    file.close().unwrap();
}

/// The file of a run, with something done to it.
fn changed(dir: &Path, how: impl FnOnce(&hdf5::File) -> hdf5::Result<()>) -> Reading {
    let path = dir.join("crowd.h5md");
    run_until(&crowd(&[]), &path, u64::MAX);
    change(&path, how);
    open(&path).unwrap()
}

#[test]
fn files_of_earlier_versions_have_none() {
    let dir = folder();
    let reading = changed(dir.path(), |file| {
        file.unlink("runs/warnings")?;
        file.unlink("runs/warning_codes")
    });
    assert!(warnings(&reading).unwrap().is_empty());
    assert!(info(&reading).unwrap().warnings.is_empty());
}

#[test]
fn tables_of_strangers_are_not_believed() {
    let dir = folder();
    let reading = changed(dir.path(), |file| {
        file.unlink("runs/warnings")?;
        file.new_dataset::<f64>().shape(3).create("runs/warnings").map(drop)
    });
    let why = warnings(&reading).unwrap_err().to_string();
    assert!(why.contains("runs/warnings") && why.contains("not a table"), "{why}");
    // Nothing else hangs on it.
    assert!(info(&reading).unwrap().warnings.is_empty());
    let dir = folder();
    let reading =
        changed(dir.path(), |file| file.dataset("runs/warnings")?.resize(1 << 40).map(drop));
    let why = warnings(&reading).unwrap_err().to_string();
    assert!(why.contains("runs/warnings: "), "{why}");
}

#[test]
fn names_and_codes_of_strangers_do_no_harm() {
    let dir = folder();
    let reading = changed(dir.path(), |file| {
        let name = |text: &str| text.parse::<VarLenUnicode>().unwrap();
        let names = ["gr\u{1b}[2Jow", "shrink"].map(name);
        file.dataset("parameters/rules")?.write(&names)?;
        let table = file.dataset("runs/warnings")?;
        let [row] = table.read_raw::<WarningRow>()?[..] else { panic!("one warning") };
        table.resize(5)?;
        let others = [
            WarningRow { rule: 9, ..row },
            WarningRow { code: 77, ..row },
            // Once more: it is told once.
            row,
            WarningRow::short_of_rate(200, [12, 90]),
        ];
        table.write_slice(&others, 1..5)
    });
    let said = warnings(&reading).unwrap();
    let [nobody, unknown, grow, rate] = &said[..] else { panic!("{said:?}") };
    assert!(nobody.starts_with("\"?\" found no space in "), "{nobody}");
    assert_eq!(unknown, "warning 77");
    assert!(grow.contains("found no space in ") && !grow.contains('\u{1b}'), "{grow:?}");
    assert!(rate.starts_with("at 12 contacts even a reaction with probability 1"), "{rate}");
    let told = jostle(dir.path(), &["info", "crowd.h5md"]).succeeds().out;
    assert!(told.contains("warning 77") && !told.contains('\u{1b}'), "{told:?}");
}

#[test]
fn a_sweep_counts_the_runs_that_warned_of_something() {
    let dir = folder();
    fs::write(dir.path().join("crowd.toml"), CROWD).unwrap();
    let sweep = "[sweep]\nmodel = \"crowd.toml\"\nreplicas = 2\nseed = 3\n\n[axes]\n\
                 \"space.edges\" = [\"2 um\", \"60 nm\"]\n\n[[measure]]\nwhat = \"counts\"\n";
    fs::write(dir.path().join("a.sweep.toml"), sweep).unwrap();
    jostle(dir.path(), &["sweep", "plan", "a.sweep.toml", "--out", "sweep"]).succeeds();
    let status = |more: &[&str]| {
        jostle(dir.path(), &[&["sweep", "status", "sweep"], more].concat()).succeeds().out
    };
    assert!(!status(&[]).contains("warn"), "{}", status(&[]));
    let first = "2 of 4 runs have warnings; the first, --set 'space.edges=60 nm' --seed ";
    let ran = jostle(dir.path(), &["sweep", "run", "sweep"]).succeeds();
    assert!(in_a_line(&ran.err).contains(&format!("warning: {first}")), "{}", ran.err);
    let told = in_a_line(&status(&[]));
    assert!(told.contains(&format!("warned {first}")), "{told}");
    assert!(told.contains(": \"grow\" found no space in "), "{told}");
    let json: serde_json::Value = serde_json::from_str(&status(&["--json"])).unwrap();
    assert_eq!(json["runs"]["warned"], 2);
    assert!(json["warning"].as_str().unwrap().starts_with("\"grow\" found no space in "));
    let merged = jostle(dir.path(), &["sweep", "merge", "sweep"]).succeeds();
    assert!(in_a_line(&merged.err).contains(&format!("warning: {first}")), "{}", merged.err);
    assert!(!merged.out.contains("warning"), "{}", merged.out);
}

/// Text as it was before it was broken into lines.
fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
