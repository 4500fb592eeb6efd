//! Sweeps: the same bytes however they are run and whatever stops them; messages name the place of a
//! fault.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tempfile::TempDir;

use crate::program::{command, folder, jostle, shell};

/// Two points of three runs each, in tasks of two.
const SWEEP: &str = r#"[sweep]
model = "model.toml"
seed = 11
replicas = 3

[axes]
"rule.pair.rate" = ["0.1 um^2/s", "1 um^2/s"]

[[measure]]
what = "counts"
[[measure]]
what = "rates"
from = "20 us"

[keep]
files = "first"

[task]
replicas = 2
"#;

/// A folder with a sweep that is planned in `sweep`.
pub(crate) fn planned(text: &str) -> TempDir {
    let dir = folder();
    fs::write(dir.path().join("a.sweep.toml"), text).unwrap();
    jostle(dir.path(), &["sweep", "plan", "a.sweep.toml", "--out", "sweep"]).succeeds();
    dir
}

/// All tables, put together.
pub(crate) fn merged(dir: &Path) -> [Vec<u8>; 3] {
    ["counts", "counts_over_time", "rates"].map(|table| {
        let out = format!("{table}.csv");
        jostle(dir, &["sweep", "merge", "sweep", table, "--out", &out, "--force"]).succeeds();
        fs::read(dir.join(out)).unwrap()
    })
}

#[test]
fn a_sweep_gives_the_same_bytes_however_it_is_run() {
    let at_once = planned(SWEEP);
    let done = jostle(at_once.path(), &["sweep", "run", "sweep", "--jobs", "2"]).succeeds();
    assert!(done.out.contains("6 runs are done"), "{}", done.out);
    let expected = merged(at_once.path());
    let text = String::from_utf8(expected[0].clone()).unwrap();
    let heads = "point,rule_pair_rate,species,replicas,mean,mean_error_between_replicas,";
    assert!(text.starts_with(heads), "{text}");
    assert!(text.contains("\n1,1 um^2/s,A,3,"), "{text}");
    let kept = fs::read_dir(at_once.path().join("sweep/kept")).unwrap().count();
    assert_eq!(kept, 2);
    // One task after the other, the last first, as a scheduler numbers them.
    let one_by_one = planned(SWEEP);
    let dir = one_by_one.path();
    jostle(dir, &["sweep", "task", "sweep", "2"]).succeeds();
    let status = jostle(dir, &["sweep", "status", "sweep"]).succeeds().out;
    assert!(status.contains("runs    2 of 6 done, 0 failed"), "{status}");
    let missing = jostle(dir, &["sweep", "status", "sweep", "--missing"]).succeeds().out;
    assert_eq!(missing, "0-1\n");
    let half = jostle(dir, &["sweep", "merge", "sweep"]).succeeds();
    assert!(half.err.contains("4 of 6 runs are left out: not done yet"), "{}", half.err);
    let slurm =
        command(dir).args(["sweep", "task", "sweep"]).env("SLURM_ARRAY_TASK_ID", "1").status();
    assert!(slurm.unwrap().success());
    jostle(dir, &["sweep", "task", "sweep", "0..2"]).succeeds();
    assert_eq!(merged(dir), expected);
    assert!(fs::read_dir(dir.join("sweep/work")).unwrap().next().is_none());
}

#[test]
fn processes_that_share_a_sweep_by_rank_give_the_same_bytes() {
    let alone = planned(SWEEP);
    jostle(alone.path(), &["sweep", "run", "sweep", "--quiet"]).succeeds();
    let shared = planned(SWEEP);
    let dir = shared.path();
    let start = |rank: &str| {
        let mut process = command(dir);
        process.args(["sweep", "run", "sweep", "--share", "rank", "--quiet"]);
        process.env("PMI_RANK", rank).env("PMI_SIZE", "2").spawn().unwrap()
    };
    let processes = ["0", "1"].map(start);
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    assert_eq!(merged(dir), merged(alone.path()));
    let lost = jostle(dir, &["sweep", "run", "sweep", "--share", "rank"]);
    assert!(lost.fails().contains("not been started by srun or mpiexec"), "{}", lost.err);
}

/// As the file of a task may be after a disk was full or a copy was broken off.
#[test]
fn a_result_that_is_shorter_than_its_task_is_computed_again() {
    let sweep = planned(SWEEP);
    let dir = sweep.path();
    jostle(dir, &["sweep", "run", "sweep", "--quiet"]).succeeds();
    let expected = merged(dir);
    let path = dir.join("sweep/results/000/000001.json");
    let whole = fs::read_to_string(&path).unwrap();
    let members: serde_json::Value = serde_json::from_str(&whole).unwrap();
    let first = serde_json::Value::from(vec![members[0].clone()]);
    for short in [first.to_string(), "[]".to_owned()] {
        fs::write(&path, short).unwrap();
        let missing = jostle(dir, &["sweep", "status", "sweep", "--missing"]).succeeds().out;
        assert_eq!(missing, "1\n");
        jostle(dir, &["sweep", "run", "sweep", "--quiet"]).succeeds();
        assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        assert_eq!(merged(dir), expected);
    }
    // What is no result at all is not written over.
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let damaged = jostle(dir, &["sweep", "run", "sweep", "--quiet"]);
    assert!(damaged.fails().contains("000001.json: damaged"), "{}", damaged.err);
}

/// What a stranger may send as the result of a sweep: it is read or refused, and nothing in it steers
/// the terminal.
#[test]
fn results_of_strangers_are_read_or_refused() {
    let whole = planned(&SWEEP.replace("replicas = 2", "replicas = 1"));
    jostle(whole.path(), &["sweep", "run", "sweep", "--quiet"]).succeeds();
    let result = "sweep/results/000/000000.json";
    let text = fs::read_to_string(whole.path().join(result)).unwrap();
    let members: serde_json::Value = serde_json::from_str(&text).unwrap();
    type Change = fn(&mut serde_json::Value);
    let changes: [(&str, Change); 6] = [
        ("no cells", |table| {
            let width = table["columns"].as_array().unwrap().len();
            for row in table["rows"].as_array_mut().unwrap() {
                *row = vec![serde_json::Value::Null; width].into();
            }
        }),
        ("columns reversed", |table| table["columns"].as_array_mut().unwrap().reverse()),
        ("text for numbers", |table| {
            for cell in table["rows"].as_array_mut().unwrap().iter_mut() {
                cell.as_array_mut().unwrap().fill("x".into());
            }
        }),
        ("the largest numbers", |table| {
            for cell in table["rows"].as_array_mut().unwrap().iter_mut() {
                cell.as_array_mut().unwrap().fill(i64::MAX.into());
            }
        }),
        ("an escape in a heading", |table| table["columns"][1] = "\u{1b}[31m|x".into()),
        ("an escape in a cell", |table| {
            for row in table["rows"].as_array_mut().unwrap() {
                row[0] = "\u{1b}[31mA".into();
            }
        }),
    ];
    for (what, change) in changes {
        for (n, table) in ["counts", "rates", "rate_exposures"].into_iter().enumerate() {
            let mut changed = members.clone();
            let tables = changed[0]["tables"].as_array_mut().unwrap();
            let found = tables.iter_mut().filter(|found| found["name"] == table);
            found.for_each(change);
            fs::write(whole.path().join(result), changed.to_string()).unwrap();
            for line in [
                &["sweep", "merge", "sweep", "counts"][..],
                &["sweep", "merge", "sweep", "rates", "--out", "table.csv", "--force"],
                &["sweep", "merge", "sweep", "rates", "--against", "0"],
                &["sweep", "status", "sweep"],
                &["analyse", "sweep"],
                &["report", "sweep", "--out", "page.html", "--force"],
            ] {
                // The page takes longest.
                if line[0] == "report" && n != 1 {
                    continue;
                }
                let done = jostle(whole.path(), line);
                assert!(matches!(done.code, Some(0..=2)), "{what}, {table}: {line:?}: {done:?}");
                let said = format!("{}{}", done.out, done.err);
                assert!(!said.contains("panicked"), "{what}, {table}: {line:?}: {said}");
                assert!(!said.contains('\u{1b}'), "{what}, {table}: {line:?}: {said}");
            }
            if let Ok(table) = fs::read_to_string(whole.path().join("table.csv")) {
                assert!(!table.contains('\u{1b}'), "{what}: {table}");
            }
        }
    }
}

#[test]
fn plans_of_strangers_are_refused() {
    let whole = planned(SWEEP);
    let path = whole.path().join("sweep/plan.json");
    let plan: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let round = |first_task: u64, point: u64, count: u64, first_member: u64| {
        serde_json::json!([{ "first_task": first_task, "blocks": [
            { "point": point, "first_replica": 3, "count": count, "first_member": first_member }] }])
    };
    for (key, value, reason) in [
        ("replicas", 4_000_000_000_u64.into(), "at most 10000000 runs"),
        ("members_per_task", u64::MAX.into(), "at most 10000000 runs"),
        ("model", "/etc/hostname".into(), "its model is not in its folder"),
        ("model", "../../model.toml".into(), "its model is not in its folder"),
        ("rounds", round(3, 0, 4_000_000_000, 6), "at most 10000000 runs"),
        ("rounds", round(3, 0, 0, 6), "do not follow"),
        ("rounds", round(3, 7, 1, 6), "do not follow"),
        ("rounds", round(3, 0, 1, u64::MAX), "do not follow"),
        ("rounds", round(0, 0, 1, 6), "do not follow"),
        ("points", serde_json::json!([[["rule.pair.rate", "\u{1b}[31m"]]]), "not seen"),
    ] {
        let mut changed = plan.clone();
        changed[key] = value;
        fs::write(&path, changed.to_string()).unwrap();
        for line in ["sweep status sweep", "sweep run sweep", "sweep merge sweep"] {
            let done = shell(whole.path(), &format!("exec timeout 20 jostle {line}"));
            assert!(done.fails().contains(reason), "{key}: {line}: {done:?}");
        }
    }
    let mut more = plan.clone();
    more["rounds"] = round(3, 0, 2, 6);
    fs::write(&path, more.to_string()).unwrap();
    let status = jostle(whole.path(), &["sweep", "status", "sweep"]).succeeds().out;
    assert!(status.contains("runs    0 of 8 done"), "{status}");
}

/// What a sweep or its model names is a regular file of bounded length.
#[test]
fn a_sweep_reads_no_pipe_and_no_device() {
    let dir = folder();
    let model = fs::read_to_string(dir.path().join("model.toml")).unwrap();
    let potential = "[[potential]]\nname = 'w'\nbetween = ['A', 'A']\ntable = 'pipe'\n";
    fs::write(dir.path().join("table.toml"), format!("{model}{potential}")).unwrap();
    shell(dir.path(), "mkfifo pipe; truncate -s 1T sparse").succeeds();
    let start = "[sweep]\nseed = 1\nreplicas = 1\n";
    let measure = "[[measure]]\nwhat = 'counts'\n";
    let points = |file: &str| format!("{start}model = 'model.toml'\n[points]\nfile = '{file}'\n");
    for (text, reason) in [
        (points("pipe"), "pipe: cannot be read: this is not a regular file"),
        (points("/dev/zero"), "zero: cannot be read: this is not a regular file"),
        (points("sparse"), "sparse: cannot be read: it is longer than"),
        (format!("{start}model = 'pipe'\n"), "sweep.model names no regular file"),
        (format!("{start}model = 'table.toml'\n"), "this is not a regular file"),
    ] {
        fs::write(dir.path().join("a.sweep.toml"), format!("{text}{measure}")).unwrap();
        let line = "ulimit -v 4000000; exec timeout 20 jostle sweep plan a.sweep.toml --out sweep";
        let done = shell(dir.path(), line);
        assert!(done.fails().contains(reason), "{text}: {done:?}");
    }
    let check = shell(dir.path(), "exec timeout 20 jostle check table.toml");
    assert!(check.fails().contains("this is not a regular file"), "{}", check.err);
}

/// A line feed would end the line of a script, and the rest would be a command.
#[test]
fn names_that_scripts_cannot_hold_are_refused() {
    let dir = folder();
    fs::write(dir.path().join("a.sweep.toml"), SWEEP).unwrap();
    let hostile = "a\ntouch PWNED\n#b";
    let plan = jostle(dir.path(), &["sweep", "plan", "a.sweep.toml", "--out", hostile]);
    assert!(plan.fails().contains("a line feed"), "{}", plan.err);
    // Planned under another name, and renamed.
    jostle(dir.path(), &["sweep", "plan", "a.sweep.toml", "--out", "it's {1}"]).succeeds();
    let script = |engine: &str, folder: &str| {
        jostle(dir.path(), &["sweep", "script", folder, "--for", engine])
    };
    for engine in ["parallel", "snakemake"] {
        let done = script(engine, "it's {1}");
        assert!(done.fails().contains("rename the folder"), "{}", done.err);
    }
    let slurm = script("slurm", "it's {1}").succeeds().out;
    assert!(slurm.contains("#SBATCH --job-name=it_s__1_\n"), "{slurm}");
    fs::rename(dir.path().join("it's {1}"), dir.path().join(hostile)).unwrap();
    for engine in ["slurm", "parallel", "hq", "snakemake"] {
        let done = script(engine, hostile);
        assert!(done.fails().contains("a line feed") && done.out.is_empty(), "{done:?}");
    }
}

#[test]
fn a_script_names_what_is_left() {
    let sweep = planned(SWEEP);
    let dir = sweep.path();
    jostle(dir, &["sweep", "task", "sweep", "1"]).succeeds();
    let script = |engine: &str| jostle(dir, &["sweep", "script", "sweep", "--for", engine]);
    let slurm = script("slurm").succeeds().out;
    assert!(slurm.contains("#SBATCH --array=0,2\n"), "{slurm}");
    assert!(slurm.contains("\njostle sweep task sweep &\n"), "{slurm}");
    let parallel = script("parallel").succeeds().out;
    assert!(parallel.contains("jostle sweep task sweep {} ::: $(seq 0 2)\n"), "{parallel}");
    for (name, text) in [("slurm.sh", slurm), ("parallel.sh", parallel)] {
        fs::write(dir.join(name), text).unwrap();
        shell(dir, &format!("bash -n {name}")).succeeds();
    }
    // What Slurm does, without Slurm.
    shell(dir, "SLURM_ARRAY_TASK_ID=0 bash slurm.sh && SLURM_ARRAY_TASK_ID=2 bash slurm.sh")
        .succeeds();
    assert!(script("slurm").fails().contains("all tasks have been done"));
}

#[test]
fn each_run_of_a_sweep_can_be_repeated_by_itself() {
    let sweep = planned(SWEEP);
    let dir = sweep.path();
    jostle(dir, &["sweep", "run", "sweep", "--quiet"]).succeeds();
    let text = fs::read_to_string(dir.join("sweep/results/000/000001.json")).unwrap();
    let members: serde_json::Value = serde_json::from_str(&text).unwrap();
    // The first of the second point.
    let seed = members[1]["seed"].to_string();
    let set = ["--set", "rule.pair.rate=1 um^2/s", "--seed", &seed];
    jostle(dir, &[&["run", "model.toml", "--out", "alone.h5md"][..], &set].concat()).succeeds();
    let same = jostle(dir, &["diff", "alone.h5md", "sweep/kept/p00001_r0000.h5md"]);
    assert_eq!(same.code, Some(0), "{}", same.out);
}

#[test]
fn a_sweep_that_is_killed_or_stopped_loses_nothing_and_does_nothing_twice() {
    let whole = planned(SWEEP);
    jostle(whole.path(), &["sweep", "run", "sweep", "--quiet"]).succeeds();
    let expected = merged(whole.path());
    let wanted = if cfg!(feature = "long") { 200 } else { 6 };
    let (mut killed, mut sweeps) = (0, 0);
    while killed < wanted {
        killed += kill_again_and_again(&expected, sweeps);
        sweeps += 1;
    }
    println!("{killed} times stopped, in {sweeps} sweeps");
}

/// Runs a sweep that is stopped again and again, until it is done; how often it was.
fn kill_again_and_again(expected: &[Vec<u8>], sweep: u64) -> usize {
    let folder = planned(SWEEP);
    let dir = folder.path();
    let mut results: Vec<(PathBuf, _)> = Vec::new();
    let mut killed = 0;
    for n in 0_u64..50 {
        let mut run = command(dir);
        run.args(["sweep", "run", "sweep", "--jobs", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut run = run.spawn().unwrap();
        // Scattered by the golden ratio, and longer each time, so that it comes to an end.
        let scattered = (7 * sweep + n).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
        std::thread::sleep(Duration::from_millis(5 + scattered + 10 * n));
        if run.try_wait().unwrap().is_none() {
            let signal = ["KILL", "TERM", "KILL", "KILL", "INT"][n as usize % 5];
            shell(Path::new("."), &format!("kill -{signal} {} || true", run.id())).succeeds();
            killed += 1;
        }
        let ended = run.wait().unwrap();
        // What is there stays as it is.
        let modified = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
        for (path, time) in &results {
            assert_eq!(modified(path), *time, "{}", path.display());
        }
        // Killed, stopped, or done; no run may count as failed.
        assert!(matches!(ended.code(), None | Some(0 | 75 | 130)), "{ended}");
        if ended.success() {
            break;
        }
        results = (0..3)
            .map(|task| dir.join(format!("sweep/results/000/{task:06}.json")))
            .filter(|path| path.exists())
            .map(|path| (path.clone(), modified(&path)))
            .collect();
    }
    assert_eq!(merged(dir), expected);
    killed
}

#[test]
fn a_task_that_is_started_twice_at_once_is_done_once() {
    let alone = planned(SWEEP);
    jostle(alone.path(), &["sweep", "run", "sweep", "--quiet"]).succeeds();
    let twice = planned(SWEEP);
    let dir = twice.path();
    for task in ["0", "1", "2"] {
        let start = || command(dir).args(["sweep", "task", "sweep", task]).spawn().unwrap();
        let mut both = [start(), start()];
        both.iter_mut().for_each(|process| assert!(process.wait().unwrap().success()));
    }
    assert_eq!(merged(dir), merged(alone.path()));
    assert!(fs::read_dir(dir.join("sweep/work")).unwrap().next().is_none());
}

#[test]
fn a_run_that_fails_is_told_and_left_out() {
    // A density at which the particles cannot be placed.
    let sweep = planned(&SWEEP.replace(
        "\"rule.pair.rate\" = [\"0.1 um^2/s\", \"1 um^2/s\"]",
        "\"space.edges\" = [\"30.5 nm\", \"200 nm\"]",
    ));
    let dir = sweep.path();
    // Planning tells it already, and how long the others take.
    let plan = jostle(dir, &["sweep", "plan", "a.sweep.toml", "--out", "again"]).succeeds().out;
    assert!(plan.contains("2 points, 3 replicas of each: 6 runs in 3 tasks\n"), "{plan}");
    assert!(plan.contains("warning: point 0 (--set 'space.edges=30.5 nm'): "), "{plan}");
    assert!(
        plan.contains("a run takes about ") && plan.contains("task.replicas = 6 or so"),
        "{plan}"
    );
    let done = jostle(dir, &["sweep", "run", "sweep"]);
    assert!(
        done.fails().contains("3 of 6 runs failed; jostle sweep status sweep tells why"),
        "{done:?}"
    );
    let status = jostle(dir, &["sweep", "status", "sweep"]).succeeds().out;
    assert!(status.contains("runs    6 of 6 done, 3 failed"), "{status}");
    assert!(status.contains("failed  --set 'space.edges=30.5 nm' --seed "), "{status}");
    let json = jostle(dir, &["sweep", "status", "sweep", "--json"]).succeeds().out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["runs"]["failed"], 3);
    let merged = jostle(dir, &["sweep", "merge", "sweep", "--format", "csv"]).succeeds();
    assert!(merged.err.contains("3 of 6 runs are left out: failed"), "{}", merged.err);
    assert!(
        merged.out.contains("\n1,200 nm,A,3,") && !merged.out.contains("30.5 nm"),
        "{}",
        merged.out
    );
    // It is not run again.
    let again = jostle(dir, &["sweep", "task", "sweep", "0"]);
    assert_eq!(again.code, Some(1));
}

#[test]
fn what_is_wrong_with_a_sweep_is_told_with_its_place() {
    let refused = |from: &str, to: &str, expected: &str| {
        let dir = folder();
        assert!(SWEEP.contains(from), "{from}");
        fs::write(dir.path().join("a.sweep.toml"), SWEEP.replacen(from, to, 1)).unwrap();
        let done = jostle(dir.path(), &["sweep", "plan", "a.sweep.toml", "--out", "sweep"]);
        assert!(done.fails().contains(expected), "{from} -> {to}: {}", done.err);
        assert!(!dir.path().join("sweep").exists(), "{from} -> {to}");
    };
    refused("rule.pair.rate", "rule.pair.rat", "rule.pair.rat");
    refused("rule.pair.rate", "rule.pear.rate", "the model has pair");
    refused("\"1 um^2/s\"", "\"-1 um^2/s\"", "point 1: --set rule.pair.rate=-1 um^2/s: ");
    refused("what = \"counts\"", "what = \"cuonts\"", "a.sweep.toml:9: ");
    refused(
        "from = \"20 us\"",
        "form = \"20 us\"",
        "a.sweep.toml:11: there is no option form; there are species, from",
    );
    refused("from = \"20 us\"", "from = \"20 nm\"", "a.sweep.toml:11: ");
    refused("what = \"rates\"", "what = \"counts\"", "counts is measured twice (line 9)");
    refused("model.toml", "modell.toml", "modell.toml");
    refused("seed = 11", "", "missing field `seed`");
    refused("files = \"first\"", "files = \"some\"", "a.sweep.toml:16: unknown variant `some`");
    let sweep = planned(SWEEP);
    let dir = sweep.path();
    let fails = |arguments: &[&str], expected: &str| {
        let done = jostle(dir, arguments);
        assert!(done.fails().contains(expected), "{arguments:?}: {}", done.err);
    };
    fails(&["sweep", "plan", "a.sweep.toml", "--out", "sweep"], "there is a plan already");
    fails(&["sweep", "plan", "a.sweep.toml", "--out", "."], "not an empty folder");
    fails(
        &["sweep", "plan", "a.sweep.toml", "--out", ".", "--force"],
        "there is no plan.json here",
    );
    let again = ["sweep", "plan", "a.sweep.toml", "--out", "sweep", "--force"];
    let old = fs::read_to_string(dir.join("sweep/plan.json")).unwrap();
    fs::write(dir.join("sweep/plan.json"), old.replace("\"seed\": 11", "\"seed\": 12")).unwrap();
    jostle(dir, &again).succeeds();
    assert_eq!(fs::read_to_string(dir.join("sweep/plan.json")).unwrap(), old);
    fs::write(dir.join("sweep/notes.txt"), "mine").unwrap();
    fails(&again, "notes.txt is no part of the plan");
    fs::remove_file(dir.join("sweep/notes.txt")).unwrap();
    fails(&["sweep", "task", "sweep", "3"], "there is no task 3; there are 0 to 2");
    fails(&["sweep", "task", "sweep"], "none of SLURM_ARRAY_TASK_ID");
    fails(&["sweep", "run", "nowhere"], "there is no plan.json here");
    fails(&["sweep", "merge", "sweep"], "no run has been measured: 0 failed, 6 not done yet");
    jostle(dir, &["sweep", "task", "sweep", "0"]).succeeds();
    fails(&again, "runs of this plan have been done");
    fails(
        &["sweep", "merge", "sweep", "--plot", "a.gif"],
        "the name must end in .svg, .pdf or .png",
    );
    fails(&["sweep", "merge", "sweep", "rdf"], "no run has a table `rdf`; there are counts");
    let plan = dir.join("sweep/plan.json");
    let other = fs::read_to_string(&plan).unwrap().replace("\"stream\": 3", "\"stream\": 2");
    fs::write(&plan, other).unwrap();
    fails(&["sweep", "run", "sweep"], "whose results differ");
}

/// A pipe in the folder of a sweep is not waited for.
#[test]
#[cfg(unix)]
fn a_pipe_among_the_files_of_a_sweep_is_refused() {
    let places = [
        "plan.json",
        "sweep.toml",
        "model/model.toml",
        "results/000/000000.json",
        "work/000000.lock",
        "work/000000/00000000.json",
        "work/000000/p00000_r0000.h5md",
        "kept/p00000_r0000.h5md",
    ];
    let whole = planned(SWEEP);
    jostle(whole.path(), &["sweep", "task", "sweep", "1"]).succeeds();
    for place in places {
        let dir = tempfile::tempdir().unwrap();
        shell(whole.path(), &format!("cp -r . {}", dir.path().display())).succeeds();
        let pipe = format!("cd sweep; mkdir -p $(dirname {place}); rm -f {place}; mkfifo {place}");
        shell(dir.path(), &pipe).succeeds();
        let mut refused = 0;
        for line in [
            "sweep status sweep",
            "sweep task sweep 0",
            "sweep run sweep",
            "sweep merge sweep",
            "report sweep --out page.html",
        ] {
            let done = shell(dir.path(), &format!("exec timeout 20 jostle {line}"));
            assert_ne!(done.code, Some(124), "{place}: {line} waits");
            assert!(!done.err.contains("panicked"), "{place}: {line}: {}", done.err);
            refused += usize::from(done.err.contains("not a regular file"));
        }
        // The file of a run that cannot be read is removed, and the run starts again.
        let is_refused = !place.ends_with(".h5md") && place != "sweep.toml";
        assert!(refused > 0 || !is_refused, "{place} is not refused");
    }
}
