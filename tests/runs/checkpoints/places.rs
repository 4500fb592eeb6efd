//! Disks that are full or read-only, and clocks that jump: real ones, where the system lets a test
//! make them.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Apart, Done, command, folder, jostle, shell};
use crate::same::hold_same;

/// Some 1.5 MB of frames.
const RUN: &str = "jostle run model.toml --quiet --steps 20000 --set output.frame_every=50";

/// Whether file systems may be mounted where nobody else sees them.
pub(crate) fn may_mount(folder: &Path) -> bool {
    shell(folder, "unshare -rm mount -t tmpfs none . 2>&1").code == Some(0)
}

/// Runs a script in a place of its own, where what it mounts is seen by nobody else, and gone with
/// it.
pub(crate) fn apart(folder: &Path, script: &str) -> Done {
    std::fs::write(folder.join("script"), script).unwrap();
    shell(folder, "unshare -rm sh -e script")
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// Where nothing may be mounted, a limit on the size of files stands in for a full disk.
#[test]
fn a_run_that_a_full_disk_has_ended_continues_when_there_is_room() {
    let dir = folder();
    shell(dir.path(), &format!("{RUN} --out whole.h5md")).succeeds();
    let run = format!("{RUN} --checkpoint '200 steps'");
    let resume = "jostle resume model.h5md --quiet";
    let words = if may_mount(dir.path()) {
        println!("a disk of 700 kB");
        let script = format!(
            "mkdir disk; mount -t tmpfs -o size=700k none disk; cp model.toml disk; cd disk\n\
             if {run} 2>../full; then exit 7; fi\n\
             jostle info model.h5md >../info\n\
             if {resume} 2>../still; then exit 8; fi\n\
             mount -o remount,size=20m none \"$PWD\"\n\
             {resume}\n\
             mv model.h5md .."
        );
        apart(dir.path(), &script).succeeds();
        "no space left on device"
    } else {
        println!("a limit on the size of files");
        let lines = [
            format!("ulimit -f 300; ! {run} 2>full"),
            "jostle info model.h5md >info".to_owned(),
            format!("ulimit -f 40; ! {resume} 2>still"),
            resume.to_owned(),
        ];
        lines.iter().for_each(|line| drop(shell(dir.path(), line).succeeds()));
        "file too large"
    };
    let [full, still] = ["full", "still"].map(|name| text(&dir.path().join(name)));
    let ended = format!("error: cannot write to model.h5md: {words}; kept: at least ");
    assert!(full.lines().last().is_some_and(|line| line.starts_with(&ended)), "{full}");
    assert!(still.contains(words) && !still.contains("panicked"), "{still}");
    hold_same([[dir.path().join("whole.h5md").as_path(), &dir.path().join("model.h5md")]]);
}

/// Where nothing may be mounted, the system's own folder of processes is one in which nobody makes
/// files.
#[test]
fn a_read_only_place_is_refused_before_anything_is_done() {
    let dir = folder();
    shell(dir.path(), &format!("{RUN} --out done.h5md")).succeeds();
    if !may_mount(dir.path()) {
        println!("/proc");
        let said = shell(dir.path(), &format!("{RUN} --out /proc/run.h5md"));
        assert!(said.fails().contains("cannot create /proc/run.h5md: "), "{}", said.err);
        return;
    }
    println!("a read-only mount");
    let endless = RUN.replace("20000", "1000000000");
    let stopped = format!(
        "{endless} --checkpoint '100 steps' --out kept.h5md & until test -e kept.checkpoint.old; do sleep 0.01; done; \
         kill -TERM $!; wait $! || test $? = 75"
    );
    shell(dir.path(), &stopped).succeeds();
    let script = "mkdir place; mv kept.* done.h5md place; cp model.toml place\n\
                  mount --bind place place; mount -o remount,ro,bind place\n\
                  if touch place/other 2>touched; then exit 7; fi\n\
                  n=0; while read line; do n=$((n + 1)); if jostle $line 2>said$n; then exit 8; fi; done <lines";
    let lines = [
        "run model.toml --out place/run.h5md",
        "run model.toml --out place/done.h5md --force",
        "resume place/kept.h5md",
        "snapshot place/done.h5md --out place/picture.png",
        "report place/done.h5md --out place/page.html",
        "export place/done.h5md --to csv --out place/table.csv",
    ];
    std::fs::write(dir.path().join("lines"), lines.join("\n") + "\n").unwrap();
    apart(dir.path(), script).succeeds();
    for (n, line) in lines.iter().enumerate() {
        let said = text(&dir.path().join(format!("said{}", n + 1)));
        let error = said.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
        assert!(
            error.contains("place/") && error.to_lowercase().contains("read-only"),
            "{line}: {said}"
        );
        assert!(!said.contains("panicked"), "{line}: {said}");
    }
    let mut left: Vec<_> = std::fs::read_dir(dir.path().join("place"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(
        left,
        ["done.h5md", "kept.checkpoint", "kept.checkpoint.old", "kept.h5md", "model.toml"]
    );
    jostle(dir.path(), &["info", "place/done.h5md"]).succeeds();
}

/// Whoever asks for the date gets one that is years ago or to come, and another the next time.
const JUMPS: &str = r#"
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long jump(void) {
    static long turns;
    long turn = __atomic_add_fetch(&turns, 1, __ATOMIC_RELAXED);
    return (turn % 2 ? -1 : 1) * (turn % 5 + 1) * 31557600;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec += jump();
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
"#;

#[test]
#[cfg(target_os = "linux")]
fn a_clock_that_jumps_changes_no_result_and_no_time_that_was_taken() {
    let dir = folder();
    std::fs::write(dir.path().join("jumps.c"), JUMPS).unwrap();
    shell(dir.path(), "cc -shared -fPIC -O1 -o jumps.so jumps.c").succeeds();
    shell(dir.path(), &format!("{RUN} --out whole.h5md")).succeeds();
    let begun = Instant::now();
    let jumping = |words: &str| -> Command {
        let mut jumping = command(dir.path());
        jumping.args(words.split(' ')).env("LD_PRELOAD", dir.path().join("jumps.so"));
        jumping
    };
    let run = RUN.trim_start_matches("jostle ");
    let mut child =
        jumping(&format!("{run} --checkpoint 0.02s")).stderr(Stdio::null()).spawn_apart();
    while !dir.path().join("model.checkpoint.old").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no second checkpoint");
        std::thread::sleep(Duration::from_millis(2));
    }
    shell(dir.path(), &format!("kill -TERM {}", child.id())).succeeds();
    assert_eq!(child.wait().unwrap().code(), Some(75));
    Done::from(jumping("resume model.h5md --quiet").output_apart()).succeeds();
    hold_same([[dir.path().join("whole.h5md").as_path(), &dir.path().join("model.h5md")]]);
    let info =
        jostle::analysis::info(&jostle::analysis::open(&dir.path().join("model.h5md")).unwrap())
            .unwrap();
    let dates = || info.runs.iter().map(|run| run.unix_time);
    let apart = dates().fold(0.0, f64::max) - dates().fold(f64::INFINITY, f64::min);
    assert!(apart > 3e7, "the clock has jumped: {:?}", info.runs);
    let (name, took) = &info.figures[0];
    assert_eq!(name, "wall time (s)");
    assert!(*took > 0.0 && *took < begun.elapsed().as_secs_f64(), "{took} s");
    assert!(
        info.figures[1..7].iter().map(|(_, part)| part).sum::<f64>() <= *took,
        "{:?}",
        info.figures
    );
    let page = jostle(dir.path(), &["report", "model.h5md", "--out", "page.html"]).succeeds();
    assert!(!page.err.contains("panicked"), "{}", page.err);
}
