//! File systems without locks: a library that is loaded before that of the system refuses every lock, as some network
//! file systems do.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::{Apart, Done, command, folder, jostle, left_out, shell, soak};

/// Locks fail with the number of an error that `LOCKS_FAIL` gives: all of them, or those from the call
/// `LOCKS_FAIL_FROM` on and before `LOCKS_FAIL_TO`.
const NO_LOCKS: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>

static int calls;

static int refuses(void) {
    const char *from = getenv("LOCKS_FAIL_FROM"), *to = getenv("LOCKS_FAIL_TO");
    int now = __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    if ((from && now < atoi(from)) || (to && now >= atoi(to))) return 0;
    errno = atoi(getenv("LOCKS_FAIL"));
    return 1;
}

int flock(int file, int how) {
    int (*next)(int, int) = dlsym(RTLD_NEXT, "flock");
    return refuses() ? -1 : next(file, how);
}

int lockf(int file, int how, off_t length) {
    int (*next)(int, int, off_t) = dlsym(RTLD_NEXT, "lockf");
    return refuses() ? -1 : next(file, how, length);
}

static int locks(int what) {
    return what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK || what == F_OFD_SETLKW;
}

int fcntl(int file, int what, ...) {
    va_list rest;
    va_start(rest, what);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (locks(what) && refuses()) return -1;
    int (*next)(int, int, ...) = dlsym(RTLD_NEXT, "fcntl");
    return next(file, what, argument);
}

int fcntl64(int file, int what, ...) {
    va_list rest;
    va_start(rest, what);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (locks(what) && refuses()) return -1;
    int (*next)(int, int, ...) = dlsym(RTLD_NEXT, "fcntl64");
    return next(file, what, argument);
}
"#;

fn library(folder: &Path) -> Option<PathBuf> {
    let [source, library] = ["locks.c", "locks.so"].map(|name| folder.join(name));
    fs::write(&source, NO_LOCKS).unwrap();
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .arg("-ldl")
        .status()
        .is_ok_and(|status| status.success());
    built.then_some(library)
}

/// The program where no lock can be had.
fn without(library: &Path, errno: i32, folder: &Path, words: &[&str]) -> Done {
    let mut program = command(folder);
    program.args(words).env("LD_PRELOAD", library).env("LOCKS_FAIL", errno.to_string());
    program.output_apart().into()
}

/// A run that takes a second or so, without the name of its file.
const LONG: [&str; 7] =
    ["run", "model.toml", "--quiet", "--steps", "100000", "--set=output.frame_every=5000", "--out"];

/// Starts that run, and stops it once its state has been kept.
fn stop_on_the_way(library: &Path, errno: i32, folder: &Path) {
    for name in ["long.h5md", "long.checkpoint", "long.checkpoint.old"] {
        let _ = fs::remove_file(folder.join(name));
    }
    let mut program = command(folder);
    program.args(LONG).args(["long.h5md", "--checkpoint", "200 steps"]);
    program.env("LD_PRELOAD", library).env("LOCKS_FAIL", errno.to_string());
    let mut child = program.stderr(Stdio::null()).spawn_apart();
    while !folder.join("long.checkpoint.old").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    shell(folder, &format!("kill -TERM {}", child.id())).succeeds();
    assert_eq!(child.wait().unwrap().code(), Some(75));
}

/// What is said, and how often.
fn warnings(done: &Done) -> usize {
    done.err.matches("there are no locks on this file system").count()
}

#[test]
fn all_works_without_locks_and_it_is_said_what_cannot_be_known() {
    let dir = folder();
    let Some(library) = library(dir.path()) else {
        left_out("there is no C compiler to make a library that refuses locks");
        return;
    };
    let here = dir.path();
    jostle(here, &["run", "model.toml", "--quiet", "--out", "whole.h5md"]).succeeds();
    jostle(here, &[&LONG[..], &["long_whole.h5md"]].concat()).succeeds();
    let sweep =
        "[sweep]\nmodel = \"model.toml\"\nseed = 3\nreplicas = 2\n[[measure]]\nwhat = \"counts\"\n";
    fs::write(here.join("a.sweep.toml"), sweep).unwrap();
    for errno in [libc::ENOLCK, libc::EOPNOTSUPP, libc::EIO] {
        let try_it = |words: &[&str]| without(&library, errno, here, words).succeeds();
        let run = try_it(&["run", "model.toml", "--quiet", "--out", "run.h5md", "--force"]);
        assert_eq!(warnings(&run), 1, "{}", run.err);
        jostle(here, &["diff", "whole.h5md", "run.h5md"]).succeeds();
        // The state is kept when the run is stopped, and the run continues.
        stop_on_the_way(&library, errno, here);
        let resumed = try_it(&["resume", "long.h5md", "--quiet"]);
        assert_eq!(warnings(&resumed), 1, "{}", resumed.err);
        jostle(here, &["diff", "long_whole.h5md", "long.h5md"]).succeeds();
        for words in [
            &["info", "whole.h5md"][..],
            &["analyse", "whole.h5md"],
            &["contacts", "whole.h5md"],
            &["recover", "whole.h5md"],
            &["diff", "whole.h5md", "run.h5md"],
            &["export", "whole.h5md", "--out", "table.csv", "--force"],
            &["snapshot", "whole.h5md", "--out", "picture.svg", "--force"],
            &["report", "whole.h5md", "--out", "page.html", "--force"],
            &["rerun", "whole.h5md"],
        ] {
            let done = try_it(words);
            assert!(warnings(&done) <= 1, "{words:?}: {}", done.err);
        }
        let _ = fs::remove_dir_all(here.join("sweep"));
        try_it(&["sweep", "plan", "a.sweep.toml", "--out", "sweep"]);
        try_it(&["sweep", "run", "sweep", "--quiet"]);
        try_it(&["sweep", "merge", "sweep", "counts"]);
    }
}

/// The first of the calls that fail: of a run, a resumption and each of the commands there are some ten.
fn first_calls() -> std::ops::Range<u64> {
    if soak() { 0..24 } else { 1..3 }
}

/// A lock manager that goes away on the way, or is away for a moment: what was asked for is done, or it is said
/// why not and nothing is lost.
#[test]
fn locks_that_fail_on_the_way_lose_nothing() {
    let dir = folder();
    let Some(library) = library(dir.path()) else {
        left_out("there is no C compiler to make a library that refuses locks");
        return;
    };
    let here = dir.path();
    let run = ["run", "model.toml", "--quiet", "--out"];
    jostle(here, &[&run[..], &["whole.h5md"]].concat()).succeeds();
    jostle(here, &[&run[..], &["longer.h5md", "--steps", "600"]].concat()).succeeds();
    let errors = &[libc::EIO, libc::ENOLCK, libc::EOPNOTSUPP][..if soak() { 3 } else { 1 }];
    let mut refused = 0;
    for (call, &errno) in
        first_calls().flat_map(|call| errors.iter().map(move |errno| (call, errno)))
    {
        for to in [None, Some(call + 1)] {
            let mut try_it = |words: &[&str]| {
                let mut program = command(here);
                program.args(words).env("LD_PRELOAD", &library);
                program.env("LOCKS_FAIL", errno.to_string());
                program.env("LOCKS_FAIL_FROM", call.to_string());
                to.map(|to| program.env("LOCKS_FAIL_TO", to.to_string()));
                let done = Done::from(program.output_apart());
                if done.code != Some(0) {
                    refused += 1;
                    let said = done.fails();
                    assert!(!said.contains("damaged"), "{words:?}, {errno}, {call}: {said}");
                }
            };
            for name in ["run.h5md", "run.checkpoint", "run.checkpoint.old"] {
                let _ = fs::remove_file(here.join(name));
            }
            let again = [&run[..], &["run.h5md", "--resume"]].concat();
            try_it(&again);
            jostle(here, &again).succeeds();
            jostle(here, &["diff", "whole.h5md", "run.h5md"]).succeeds();
            let longer = [&again[..], &["--steps", "600"]].concat();
            try_it(&longer);
            for words in [&["info", "run.h5md"][..], &["recover", "run.h5md"]] {
                try_it(words);
            }
            jostle(here, &longer).succeeds();
            jostle(here, &["diff", "longer.h5md", "run.h5md"]).succeeds();
        }
    }
    println!("{refused} commands were refused");
}
