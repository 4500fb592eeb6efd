//! On one machine: processes of our own, GNU parallel, mpiexec.

use std::fs;

use super::tasks::Running;
use super::{HOPELESS, LONG, TASKS};
use super::{fetched, installed, is_the_same, missing, planned, script, start, system};
use crate::program::{Apart, Done, jostle, left_out, shell, with_jostle};

#[test]
fn four_processes_at_a_time_give_the_same_bytes() {
    let sweep = planned();
    let run = jostle(sweep.path(), &["sweep", "run", "sweep", "--jobs", "4", "--quiet"]);
    assert!(run.fails().contains("10 of 200 runs failed"), "{}", run.err);
    is_the_same(sweep.path());
}

#[test]
fn processes_of_mpiexec_give_the_same_bytes() {
    let Some(schedulers) = fetched() else { return };
    let sweep = planned();
    let dir = sweep.path();
    let mut run = with_jostle(schedulers.join("bin/mpiexec"), dir);
    let run: Done = run
        .args(["-n", "2", "jostle", "sweep", "run", "sweep", "--share", "rank", "--quiet"])
        .output_apart()
        .into();
    // Each says it at its end.
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.err.contains("runs failed; jostle sweep status sweep tells why"), "{}", run.err);
    is_the_same(dir);
}

/// The exit code and the signal of each task, as the log of GNU parallel has them.
fn logged(log: &str) -> Vec<(usize, [i32; 2])> {
    let rows = log.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [.., code, signal, command] = cells[..] else { panic!("{line}") };
        let task = command.rsplit(' ').next().unwrap().parse().unwrap();
        (task, [code, signal].map(|cell| cell.parse().unwrap()))
    });
    rows.collect()
}

#[test]
fn gnu_parallel_completes_what_was_killed() {
    if !installed(&["parallel"]) {
        return;
    }
    if !system("parallel --version").out.starts_with("GNU parallel") {
        left_out("another program than GNU's is called parallel");
        return;
    }
    let sweep = planned();
    let dir = sweep.path();
    script(dir, "parallel", "parallel.sh");
    let mut first = start(dir, "exec sh parallel.sh", "parallel.txt");
    assert!(Running::at_work(dir, LONG[0]).signal("KILL"));
    let code = first.wait().unwrap().code();
    let said = fs::read_to_string(dir.join("parallel.txt")).unwrap();
    // So many have failed.
    assert_eq!(code, Some(3), "{said}");
    assert_eq!(missing(dir), [LONG[0]]);
    let log = || logged(&fs::read_to_string(dir.join("sweep.joblog")).unwrap());
    let first = log();
    assert_eq!(first.len(), TASKS);
    let [killed] = [LONG[0]].map(|task| first.iter().find(|row| row.0 == task).unwrap().1);
    assert!(killed == [0, 9] || killed == [137, 0], "{killed:?}");
    let again = shell(dir, "sh parallel.sh");
    assert_eq!(again.code, Some(2), "{}", again.err);
    let mut repeated: Vec<_> = log().split_off(TASKS);
    repeated.sort_unstable();
    assert_eq!(repeated, [(HOPELESS[0], [1, 0]), (HOPELESS[1], [1, 0]), (LONG[0], [0, 0])]);
    is_the_same(dir);
}
