//! How a run ends before its time, and what is left of its file.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use jostle::analysis;

use crate::program::{Apart, Done, command, folder, jostle, shell};

/// Starts a run without end, and waits until its file has some frames.
fn endless(folder: &Path, out: &str) -> Child {
    let arguments = ["run", "model.toml", "--steps", "1000000000000", "--out", out];
    let child = command(folder)
        .args(arguments)
        .args(["--set", "output.frame_every=50"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn_apart();
    let begun = Instant::now();
    let path = folder.join(out);
    while !analysis::open(&path).is_ok_and(|reading| reading.frames() > 3) {
        assert!(begun.elapsed() < Duration::from_secs(60), "the run does not get under way");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn send(signal: &str, child: &Child) {
    shell(Path::new("."), &format!("kill -{signal} {}", child.id())).succeeds();
}

#[test]
fn a_run_that_is_asked_to_stop_finishes_its_step_and_closes_its_file() {
    // Under nohup(1), tests and the runs that they start ignore SIGHUP.
    let ignored = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = ignored.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    let heeds_hangup = u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 0;
    for signal in ["INT", "TERM"].into_iter().chain(heeds_hangup.then_some("HUP")) {
        let dir = folder();
        let child = endless(dir.path(), "run.h5md");
        send(signal, &child);
        if signal == "TERM" {
            // As timeout(1) does; by now the run may have ended.
            let again = format!("sleep 0.002; kill -TERM {} || true", child.id());
            shell(Path::new("."), &again).succeeds();
        }
        let done: Done = child.wait_with_output().unwrap().into();
        assert_eq!(done.code, Some(75), "{signal}: {}", done.err);
        assert!(done.out.starts_with("Receptors: interrupted\n"), "{}", done.out);
        let said = done.err.lines().last().unwrap();
        assert!(
            said.starts_with("interrupted after step ") && said.contains("of 1000000000000"),
            "{said}"
        );
        let reading = analysis::open(&dir.path().join("run.h5md")).unwrap();
        let info = analysis::info(&reading).unwrap();
        let end = info.runs.last().unwrap();
        assert_eq!((end.what.as_str(), info.is_open()), ("interrupted", false));
        assert!(said.contains(&format!("after step {} ", end.step)), "{said}");
        let kept = format!(
            "run.h5md is complete, with {} frames; jostle resume run.h5md resumes it",
            info.frames
        );
        assert!(said.ends_with(&kept), "{said}");
        let nothing = jostle(dir.path(), &["recover", "run.h5md"]).succeeds().out;
        assert!(nothing.contains("nothing to do"), "{nothing}");
    }
}

#[test]
fn a_file_is_left_alone_while_a_run_writes_it_and_recovered_when_it_was_killed() {
    let dir = folder();
    let mut child = endless(dir.path(), "run.h5md");
    let info = jostle(dir.path(), &["info", "run.h5md"]).succeeds().out;
    assert!(info.contains("not yet: a run writes it"), "{info}");
    jostle(dir.path(), &["analyse", "run.h5md"]).succeeds();
    for line in
        [&["recover", "run.h5md"][..], &["run", "model.toml", "--out", "run.h5md", "--force"]]
    {
        let said = jostle(dir.path(), line);
        assert!(said.fails().contains("run.h5md is in use: a run is writing it"), "{}", said.err);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let info = jostle(dir.path(), &["info", "run.h5md"]).succeeds().out;
    assert!(info.contains("the run was killed (jostle recover"), "{info}");
    let said = jostle(dir.path(), &["recover", "run.h5md"]).succeeds().out;
    assert!(
        said.contains("the mark left by the killed run is cleared; it has ")
            && said.contains(" frames"),
        "{said}"
    );
    let again = jostle(dir.path(), &["recover", "run.h5md"]).succeeds().out;
    assert!(again.contains("nothing to do"), "{again}");
}

#[test]
fn a_file_that_is_cut_short_gives_what_is_left() {
    let dir = folder();
    jostle(dir.path(), &["run", "model.toml", "-q"]).succeeds();
    let path = dir.path().join("model.h5md");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 100]).unwrap();
    assert!(
        jostle(dir.path(), &["info", "model.h5md"]).fails().contains("jostle recover model.h5md")
    );
    let said = jostle(dir.path(), &["recover", "model.h5md"]).succeeds().out;
    assert!(
        said.contains("100 bytes are missing at its end; it has 41 frames, the last at 400"),
        "{said}"
    );
    jostle(dir.path(), &["info", "model.h5md"]).succeeds();

    // With most of it gone, that is said, and so is it by whoever wants a frame.
    std::fs::write(&path, &whole[..whole.len() / 5]).unwrap();
    let said = jostle(dir.path(), &["recover", "model.h5md"]).succeeds().out;
    assert!(said.contains("none of its 41 frames can be read"), "{said}");
    let export = jostle(dir.path(), &["export", "model.h5md", "--to", "csv"]);
    assert!(export.fails().contains("model.h5md is damaged"), "{}", export.err);
}

#[test]
fn a_full_disk_ends_a_run_with_its_frames_kept() {
    let dir = folder();
    // A limit on the size of files stands in for a full disk; in units of 512 or 1024 bytes. Frames
    // are safe once a second, which a fast machine takes to reach the limit, and with every
    // checkpoint: so some are asked for, and how many frames are kept does not depend on the
    // machine.
    let line = "ulimit -f 2000; jostle run model.toml --steps 1000000000 --set output.frame_every=10 \
                --checkpoint '200 steps'";
    let done = shell(dir.path(), line);
    let said = done.fails().lines().last().unwrap();
    assert_eq!(done.code, Some(74));
    let expected = "error: cannot write to model.h5md: file too large; kept: at least ";
    assert!(said.starts_with(expected), "{said}");
    let kept: usize = said[expected.len()..].split(' ').next().unwrap().parse().unwrap();
    let reading = analysis::open(&dir.path().join("model.h5md")).unwrap();
    let info = analysis::info(&reading).unwrap();
    assert!(kept >= 100 && info.frames >= kept, "{kept} of {}", info.frames);
    let sizes = analysis::cluster_sizes(&reading, &analysis::Scope::default()).unwrap();
    assert!(sizes.frames[..kept].iter().all(|at| at.particles() == 40));
    drop(reading);
    jostle(dir.path(), &["info", "model.h5md"]).succeeds();

    // Not even the tables fit: nothing is left behind.
    let none = shell(dir.path(), "ulimit -f 20; jostle run model.toml --out none.h5md");
    assert!(none.fails().contains("cannot create none.h5md: file too large"), "{}", none.err);
    assert!(!dir.path().join("none.h5md").exists());
}

/// A reaction that makes particles without bound.
#[cfg(target_os = "linux")]
const GROWING: &str = "[space]\ndimension = 3\nedges = '10 um'\n[run]\ntimestep = '10 ns'\nsteps = 100000\n\
    [[species]]\nname = 'A'\nradius = '0.5 nm'\ndiffusion = '10 um^2/s'\ncount = 1000\n\
    [[rule]]\nname = 'grow'\ndo = 'convert'\non = 'A'\nproducts = ['A', 'A']\nrate = '20 /us'\n\
    [output]\nframe_every = 10\n";

/// What a run that was stopped has written is whole.
#[cfg(target_os = "linux")]
fn is_whole(file: &Path) {
    let reading = analysis::open(file).unwrap();
    assert_eq!(analysis::info(&reading).unwrap().runs.last().unwrap().what, "interrupted");
}

/// The run ends before it takes all memory, and says which species and which rule grew. It can be resumed.
#[test]
#[cfg(target_os = "linux")]
fn a_run_that_takes_too_much_memory_keeps_its_file() {
    let dir = folder();
    std::fs::write(dir.path().join("growing.toml"), GROWING).unwrap();
    let done = jostle(dir.path(), &["run", "growing.toml", "--memory", "70 MB", "--quiet"]);
    assert_eq!(done.code, Some(1), "{}", done.err);
    for words in ["and may take 70 MB", "1000 particles of A", "the rule \"grow\"", "--memory"] {
        assert!(done.err.contains(words), "{words}: {}", done.err);
    }
    is_whole(&dir.path().join("growing.h5md"));
    let again = jostle(dir.path(), &["resume", "growing.h5md", "--memory", "75 MB", "--quiet"]);
    assert!(again.fails().contains("and may take 75 MB"), "{}", again.err);
    let wrong = jostle(dir.path(), &["run", "growing.toml", "--memory", "lots"]);
    assert!(wrong.code == Some(2) && wrong.err.contains("\"500 MB\""), "{}", wrong.err);
    // The model says how much, and the option something else.
    let run = ["run", "growing.toml", "--quiet", "--force", "--set", "run.memory=70 MB"];
    let by_model = jostle(dir.path(), &run);
    assert!(by_model.fails().contains("and may take 70 MB"), "{}", by_model.err);
    let by_option = jostle(dir.path(), &[&run[..], &["--memory", "80 MB"]].concat());
    assert!(by_option.fails().contains("and may take 80 MB"), "{}", by_option.err);
    // As far as the file goes, which takes some 75 MB.
    let rerun = jostle(dir.path(), &["rerun", "growing.h5md", "--set", "run.memory=60 MB"]);
    assert!(rerun.fails().contains("and may take 60 MB"), "{}", rerun.err);
    let wrong = jostle(dir.path(), &["run", "growing.toml", "--set", "run.memory=lots"]);
    let said = "run.memory: found \"lots\": give a size with its unit, such as \"4 GB\"";
    assert!(wrong.fails().contains(said), "{}", wrong.err);
}

/// Where a process may have so many addresses, it is aborted when it asks for more: when a table doubles.
#[test]
#[cfg(target_os = "linux")]
fn a_run_that_grows_ends_in_order_where_addresses_are_limited() {
    let dir = folder();
    std::fs::write(dir.path().join("growing.toml"), GROWING).unwrap();
    let line = "ulimit -v 350000; jostle run growing.toml --quiet --threads 1";
    let done = shell(dir.path(), line);
    assert_eq!(done.code, Some(1), "{}", done.err);
    for words in ["of address space, and may take", "the rule \"grow\"", "ulimit -v"] {
        assert!(done.err.contains(words), "{words}: {}", done.err);
    }
    is_whole(&dir.path().join("growing.h5md"));
}
