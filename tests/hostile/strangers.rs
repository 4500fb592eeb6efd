//! Strangers' files that lead to other files or never end, and copies that were cut short: every command
//! refuses them at once.

use std::path::Path;

use hdf5::File;
use tempfile::TempDir;

use crate::harm::{Small, elsewhere};
use crate::program::{Done, MODEL, shell};

/// All commands that read a result file, with the file as `$1`.
const COMMANDS: [&str; 12] = [
    "info $1",
    "report $1 --out page.html",
    "export $1 --to csv --out table.csv",
    "analyse $1",
    "contacts $1",
    "genealogy $1",
    "snapshot $1 --out picture.png",
    "diff $1 good.h5md",
    "diff good.h5md $1",
    "rerun $1",
    "resume $1",
    "recover $1",
];

fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("good.h5md"), Small::Brownian.bytes()).unwrap();
    std::fs::write(dir.path().join("secret.txt"), "abcdefgh".repeat(1000)).unwrap();
    dir
}

/// Asks the program, which may take a minute.
fn ask(folder: &Path, line: &str, file: &str) -> Done {
    let done = shell(folder, &format!("set -- {file}; exec timeout 60 jostle {line}"));
    assert!(![Some(124), None].contains(&done.code), "{line}: no end, or a crash: {}", done.err);
    assert!(!done.err.contains("panicked"), "{line}: {}", done.err);
    done
}

/// Every command refuses a file to which this was done, and names what is refused.
fn refuses(name: &str, make: impl FnOnce(&File) -> hdf5::Result<()>) {
    let dir = folder();
    let path = dir.path().join("hostile.h5md");
    std::fs::copy(dir.path().join("good.h5md"), &path).unwrap();
    let file = File::open_rw(&path).unwrap();
    make(&file).unwrap();
    file.close().unwrap();
    for command in COMMANDS {
        let done = ask(dir.path(), command, "hostile.h5md");
        let said = done.fails();
        assert!(said.contains(name) && said.contains("hostile.h5md"), "{command}: {said}");
        assert!(!done.out.contains("abcdefgh"), "{command}");
    }
    let model = MODEL.replace("count = 40", "placement = { file = \"hostile.h5md\" }");
    std::fs::write(dir.path().join("model.toml"), model).unwrap();
    let done = ask(dir.path(), "check model.toml", "");
    assert!(done.fails().contains(name), "{}", done.err);
}

const CLUSTERS: &str = "/particles/trajectory/cluster/value";

#[test]
fn values_in_another_file_are_refused() {
    refuses(CLUSTERS, |file| {
        let shape = file.dataset(CLUSTERS)?.shape();
        let bytes = 8 * shape.iter().product::<usize>();
        file.unlink(CLUSTERS)?;
        let made = file.new_dataset::<i64>().shape(shape);
        made.with_dcpl(|plist| plist.external("secret.txt", 0, bytes)).create(CLUSTERS).map(drop)
    });
}

#[test]
fn links_out_of_the_file_are_refused() {
    const TITLE: &str = "/parameters/title";
    refuses(TITLE, |file| {
        file.unlink(TITLE)?;
        file.link_external("good.h5md", TITLE, TITLE)
    });
    refuses("/parameters/other", |file| file.link_soft(TITLE, "/parameters/other"));
}

#[test]
fn a_virtual_dataset_that_names_itself_is_refused() {
    refuses(CLUSTERS, |file| elsewhere::virtual_of_itself(file, CLUSTERS));
}

#[test]
#[cfg(unix)]
fn pipes_and_devices_are_no_input() {
    let dir = folder();
    shell(dir.path(), "mkfifo pipe.h5md; ln -s /dev/zero zero.h5md").succeeds();
    for file in ["pipe.h5md", "zero.h5md"] {
        for command in COMMANDS {
            let done = ask(dir.path(), command, file);
            assert!(done.fails().contains("not a regular file"), "{command}: {}", done.err);
        }
    }
}

/// Of a file that a run was writing, no length says how much of it there has to be.
#[test]
#[cfg(unix)]
fn a_copy_of_a_running_run_that_was_cut_short_is_answered_at_once() {
    let dir = folder();
    std::fs::write(dir.path().join("model.toml"), MODEL).unwrap();
    let line = "jostle run model.toml --steps 1000000000 --out run.h5md --quiet & \
                for n in 1 2 3 4 5 6 7 8 9 10; do sleep 0.3; \
                test $(stat -c %s run.h5md 2>/dev/null || echo 0) -gt 200000 && break; done; \
                kill -9 $!; wait $! 2>/dev/null; true";
    shell(dir.path(), line).succeeds();
    let whole = std::fs::read(dir.path().join("run.h5md")).unwrap();
    ask(dir.path(), "info $1", "run.h5md").succeeds();
    for part in 1..24 {
        // Most of what is not frames stands at the start.
        let length = if part % 2 == 0 { 3000 * part } else { whole.len() * part / 24 };
        std::fs::write(dir.path().join("part.h5md"), &whole[..length.min(whole.len())]).unwrap();
        ask(dir.path(), "info $1", "part.h5md");
        ask(dir.path(), "analyse $1", "part.h5md");
    }
}
