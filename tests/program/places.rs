//! What is written where: never over what is read, whatever path leads there, and only over files.

#[cfg(target_os = "linux")]
use std::fs::File;
use std::path::Path;

#[cfg(target_os = "linux")]
use std::process::{Child, Stdio};
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use crate::program::{Apart, command};
use crate::program::{folder, jostle, shell};

/// The bytes of all files in a folder.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.metadata().is_ok_and(|found| found.is_file()));
    let mut files: Vec<_> = files
        .map(|file| {
            (file.file_name().to_string_lossy().into(), std::fs::read(file.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
#[cfg(unix)]
fn no_command_writes_over_what_it_reads() {
    let dir = folder();
    let here = dir.path();
    jostle(here, &["run", "model.toml", "--quiet"]).succeeds();
    let prepare = "cp model.h5md results.dat; ln results.dat hard.csv; ln -s results.dat soft.csv; \
                   mkdir all.frames; cp model.h5md all.frames/in.vtp; printf 'x_nm,y_nm\\n9,9\\n' >at.csv; \
                   ln at.csv at.png; cp model.h5md at.h5md; ln model.toml rules.toml; \
                   sed 's/count = 40/placement = { file = \"at.csv\" }/' model.toml >placed.toml; \
                   sed 's/count = 40/placement = { file = \"at.h5md\" }/' model.toml >again.toml; \
                   cp placed.toml kept.checkpoint";
    shell(here, prepare).succeeds();
    let before = contents(here);
    let lines = [
        "export results.dat --to csv --out results.dat",
        "export results.dat --out hard.csv",
        "export results.dat --out soft.csv",
        "export model.h5md --to csv --out model.h5md",
        "export all.frames/in.vtp --out all.pvd",
        "report results.dat --out results.dat",
        "report results.dat --out hard.csv",
        "analyse results.dat counts --out soft.csv",
        "analyse results.dat counts --csv . --plot model.png --out hard.csv",
        "contacts results.dat --out hard.csv",
        "genealogy results.dat --out hard.csv",
        "snapshot results.dat --out hard.csv",
        "import model.toml --geometry placed.toml --out rules.toml",
        "converge placed.toml --out at.csv",
        "converge placed.toml --plot at.png",
        "run again.toml --out at.h5md",
        "run kept.checkpoint --out kept.h5md",
        "run model.h5md --out model.h5md",
        "rerun model.h5md --out model.h5md",
    ];
    for line in lines {
        let words: Vec<&str> = line.split(' ').chain(["--force"]).collect();
        let done = jostle(here, &words);
        let said = done.fails();
        let known = ["being read", "this run reads", "results of a run"];
        assert!(known.iter().any(|word| said.contains(word)), "{line}: {said}");
        assert_eq!(said.lines().count(), 1, "{line}: {said}");
        assert!(contents(here) == before, "{line}");
        assert!(here.join("all.frames/in.vtp").exists(), "{line}");
    }
}

#[test]
#[cfg(unix)]
fn only_files_are_replaced_and_nothing_is_waited_for() {
    let dir = folder();
    let here = dir.path();
    jostle(here, &["run", "model.toml", "--quiet"]).succeeds();
    let prepare = "mkfifo pipe.csv pipe.h5md pipe.png; ln -s nowhere.csv gone.csv; ln -s /dev/full full.csv; \
                   ln -s nowhere.h5md gone.h5md; mkdir at.csv; printf old >old.csv; ln -s old.csv link.csv";
    shell(here, prepare).succeeds();
    let long = format!("{}.csv", "x".repeat(300));
    let before = contents(here);
    let cases = [
        ("export model.h5md --out pipe.csv", "no program reads from this pipe"),
        ("snapshot model.h5md --out pipe.png", "no program reads from this pipe"),
        ("run model.toml --out pipe.h5md", "not a regular file"),
        ("run model.toml --out gone.h5md", "a link to a file that does not exist"),
        ("export model.h5md --out gone.csv", "a link to a file that does not exist"),
        ("export model.h5md --out full.csv", "full.csv: "),
        ("genealogy model.h5md --out full.csv", "No space left"),
        ("export model.h5md --out at.csv", "a folder"),
        (&format!("export model.h5md --out {long}"), "too long"),
        (&format!("run model.toml --out {long}.h5md"), "too long"),
    ];
    for (line, reason) in cases {
        let done = shell(here, &format!("exec timeout 60 jostle {line} --force"));
        assert!(done.fails().contains(reason), "{line}: {}", done.err);
        assert!(contents(here) == before, "{line}");
    }
    // A link is followed.
    jostle(here, &["export", "model.h5md", "--out", "link.csv", "--force"]).succeeds();
    assert!(here.join("link.csv").is_symlink());
    assert!(std::fs::read_to_string(here.join("old.csv")).unwrap().starts_with("frame,"));
    // So is the name of the standard output, whatever that is.
    let line = "echo first >log; jostle export model.h5md --to csv --frames 0 --out /dev/stdout --force >>log; \
                jostle export model.h5md --to csv --frames 0 --out /dev/stdout --force | cat >piped";
    shell(here, line).succeeds();
    for name in ["log", "piped"] {
        let text = std::fs::read_to_string(here.join(name)).unwrap();
        assert!(text.contains("\nframe,") || text.starts_with("frame,"), "{name}: {text}");
        assert!(name != "log" || text.starts_with("first\n"), "{text}");
    }
}

#[test]
fn a_name_with_a_line_feed_is_one_message() {
    let dir = folder();
    let done = jostle(dir.path(), &["info", "two\nlines.h5md"]);
    let said = done.fails();
    assert!(said.starts_with("error: cannot open two\nlines.h5md: No such file"), "{said}");
    let done = jostle(dir.path(), &["check", "two\nlines.toml"]);
    assert_eq!(done.fails().lines().count(), 1, "{}", done.err);
}

/// Names of what is on its way to its place.
#[cfg(target_os = "linux")]
fn passing(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".jostle-")).collect()
}

/// Starts an export, and halts it when it is on its way; under which name that is.
#[cfg(target_os = "linux")]
fn halted_export(folder: &Path, out: &str) -> (Child, String) {
    let before = passing(folder);
    let begun = Instant::now();
    loop {
        let mut export = command(folder);
        export.args(["export", "model.h5md", "--out", out, "--force"]).stdout(Stdio::null());
        let mut child = export.spawn_apart();
        // On a busy machine it may be over before it is halted: then the next one is.
        while child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(60), "it does not get under way");
            std::thread::sleep(Duration::from_millis(1));
            let new = passing(folder).into_iter().find(|name| !before.contains(name));
            let Some(name) = new else { continue };
            let signal = |what: &str| {
                shell(folder, &format!("kill -{what} {} || true", child.id())).succeeds();
            };
            signal("STOP");
            // It may not have locked it yet.
            let is_locked =
                File::open(folder.join(&name)).is_ok_and(|file| file.try_lock().is_err());
            if is_locked {
                return (child, name);
            }
            signal("CONT");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_killed_exports_have_left_goes_with_the_next_and_what_others_write_stays() {
    let dir = folder();
    let here = dir.path();
    let run = "run model.toml --quiet --steps 20000 --set output.frame_every=10";
    jostle(here, &run.split(' ').collect::<Vec<_>>()).succeeds();
    let killed = ["table.csv", "frames.pvd"].map(|out| halted_export(here, out));
    let names = killed.map(|(mut child, name)| {
        child.kill().unwrap();
        child.wait().unwrap();
        name
    });
    assert!(names.iter().all(|name| here.join(name).exists()));
    let (mut other, at_work) = halted_export(here, "other.csv");
    jostle(here, &["export", "model.h5md", "--frames", "0", "--out", "first.csv"]).succeeds();
    assert_eq!(passing(here), [at_work]);
    shell(here, &format!("kill -CONT {}", other.id())).succeeds();
    assert!(other.wait().unwrap().success());
    assert_eq!(passing(here), [""; 0]);
    let rows = std::fs::read_to_string(here.join("other.csv")).unwrap().lines().count();
    assert_eq!(rows, 1 + 2001 * 40);
}
