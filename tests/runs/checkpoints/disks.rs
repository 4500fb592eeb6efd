//! Disks of every size up to what a run needs, and limits on the size of files: wherever the disk is full, at a frame, a
//! checkpoint or the very last row, the file says no more than what is in it, and the run is completed later.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;

use jostle::analysis::{self, Reading};
use jostle::h5md::reading::Column;
use jostle::record::schema::{ChangeRow, ContactRow};

use super::places::{apart, may_mount};
use crate::program::{Done, jostle, left_out, nightly, shell, soak};
use crate::workers::{self, said_by};

/// Every kind of row grows: frames, counts, changes and contacts.
const MODEL: &str = "[space]\ndimension = 2\nedges = '300 nm'\n[run]\ntimestep = '1 us'\nuntil = '2 ms'\nseed = 7\n\
    [[species]]\nname = 'A'\nradius = '2.5 nm'\ndiffusion = '0.5 um^2/s'\ncount = 30\n\
    [[species]]\nname = 'B'\nradius = '3 nm'\ndiffusion = '0.3 um^2/s'\n\
    [[rule]]\nname = 'fuse'\ndo = 'bind'\non = ['A', 'A']\nmerge = 'coalesce'\nproduct = 'B'\nrate = '1 um^2/s'\nunbind = '300 /s'\n\
    [[rule]]\nreaction = '0 -> A'\nrate = '1e-2 /nm^2/s'\n\
    [[rule]]\nreaction = 'A -> 0'\nrate = '100 /s'\n\
    [output]\nframes = 20\ncounts_every = '10 us'\nlog = 'all'\n";

/// So far below what the run takes the sizes begin, but for `make soak`. \[kB\]
const BELOW: u64 = 100;

/// A page of memory, in which a disk in memory is measured. \[kB\]
const PAGE: u64 = 4;

/// The state is kept so often in every other run, so that the disk may be full then.
const OFTEN: &str = "--checkpoint '400 steps'";

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("model.toml"), MODEL).unwrap();
    jostle(dir.path(), &["run", "model.toml", "--quiet", "--out", "whole.h5md"]).succeeds();
    dir
}

/// The sizes to try, up to a little more than the run takes. \[kB\]
fn sizes(whole: &Path, step: u64) -> Vec<u64> {
    let takes = whole.metadata().unwrap().len() / 1024;
    let least = if soak() { PAGE } else { takes.saturating_sub(BELOW) };
    (least..takes + 5 * PAGE).step_by(step as usize).collect()
}

/// What counts of a file is what the whole run has there.
fn is_a_part_of(file: &Path, whole: &Reading) -> (String, usize) {
    let reading = analysis::open(file).unwrap();
    let (frames, slots) = (reading.frames(), reading.slots());
    assert!(frames <= whole.frames());
    assert_eq!(reading.state_hashes().unwrap(), whole.state_hashes().unwrap()[..frames]);
    let ids = reading.identities(0..frames, 0..slots).unwrap();
    assert_eq!(ids, whole.identities(0..frames, 0..slots).unwrap());
    for frame in 0..frames {
        let at = frame..frame + 1;
        let [here, there] =
            [&reading, whole].map(|file| file.positions(at.clone(), 0..slots).unwrap());
        let is_same = here.iter().zip(&there).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(is_same, "frame {frame}");
    }
    let contacts = |reading: &Reading, rows| -> Vec<ContactRow> {
        Column::of_contacts(reading).unwrap().read(0..rows).unwrap()
    };
    let rows = reading.length("events/contacts").unwrap();
    assert_eq!(contacts(&reading, rows), contacts(whole, rows));
    let rows = reading.length("events/changes").unwrap();
    let changes = |reading: &Reading| -> Vec<ChangeRow> {
        reading.column("events/changes", 0..rows).unwrap()
    };
    assert_eq!(changes(&reading), changes(whole));
    let info = analysis::info(&reading).unwrap();
    assert!(info.runs.iter().all(|run| run.unix_time > 1e9), "{:?}", info.runs);
    (info.status().to_owned(), frames)
}

/// A run that ended on a disk or within a limit of this size: its file is a part of the whole run's,
/// and what it lacks is computed when there is room.
fn complete(dir: &Path, name: &str, ended: &Done, whole: &Reading) -> usize {
    let out = format!("{name}.h5md");
    assert!(matches!(ended.code, Some(0 | 1 | 74)), "{ended:?}");
    let (status, frames) = match dir.join(&out).exists() {
        true => is_a_part_of(&dir.join(&out), whole),
        false => ("absent".to_owned(), 0),
    };
    let is_finished = status == "finished";
    assert_eq!(is_finished, ended.code == Some(0), "{status}: {}", ended.err);
    assert!(is_finished || ended.err.contains("cannot "), "{}", ended.err);
    jostle(dir, &["run", "model.toml", "--out", &out, "--resume", "--quiet"]).succeeds();
    jostle(dir, &["diff", "whole.h5md", &out]).succeeds();
    for ending in ["h5md", "checkpoint", "checkpoint.old"] {
        let _ = std::fs::remove_file(dir.join(format!("{name}.{ending}")));
    }
    frames
}

/// Tries all sizes, and says of which frames were left.
fn try_sizes(dir: &Path, sizes: &[u64], run: impl Fn(u64, &str) -> Done + Sync) {
    let (left, wrong) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    workers::for_each(0..sizes.len() as u64, |n| {
        let size = sizes[n as usize];
        let name = format!("run{size}");
        let tried = catch_unwind(AssertUnwindSafe(|| {
            let whole = analysis::open(&dir.join("whole.h5md")).unwrap();
            complete(dir, &name, &run(size, &name), &whole)
        }));
        match tried {
            Ok(frames) => left.lock().unwrap().push((size, frames)),
            Err(panic) => {
                wrong.lock().unwrap().push(format!("{size} kB: {}", said_by(&*panic)));
            }
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), sizes.len(), wrong.join("\n"));
    let mut left = left.into_inner().unwrap();
    left.sort_unstable();
    println!("frames left, by size in kB: {left:?}");
    assert!(left.iter().any(|(_, frames)| *frames < 21), "no disk was too small");
    assert!(left.iter().any(|(_, frames)| *frames == 21), "no disk was large enough");
}

fn cadence(size: u64) -> &'static str {
    if (size / PAGE).is_multiple_of(2) { OFTEN } else { "" }
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_of_any_size_holds_what_the_file_says() {
    let dir = folder();
    if !may_mount(dir.path()) {
        left_out("nothing may be mounted here; limits on the size of files are tried all the same");
        return;
    }
    // A disk in memory grows by pages: there are no sizes between.
    let sizes = sizes(&dir.path().join("whole.h5md"), PAGE);
    try_sizes(dir.path(), &sizes, |size, name| {
        let place = tempfile::tempdir_in(dir.path()).unwrap();
        std::fs::copy(dir.path().join("model.toml"), place.path().join("model.toml")).unwrap();
        let script = format!(
            "mkdir disk; mount -t tmpfs -o size={size}k none disk; cd disk\n\
             code=0; jostle run ../model.toml --quiet {} --out {name}.h5md || code=$?\n\
             mv {name}.* ../..; exit $code",
            cadence(size)
        );
        apart(place.path(), &script)
    });
}

#[test]
fn a_limit_of_any_size_on_files_leaves_what_the_file_says() {
    let dir = folder();
    let step = if nightly() || soak() { 1 } else { PAGE };
    let sizes = sizes(&dir.path().join("whole.h5md"), step);
    try_sizes(dir.path(), &sizes, |size, name| {
        let run = format!("jostle run model.toml --quiet {} --out {name}.h5md", cadence(size));
        // In blocks of 512 bytes, as POSIX has it.
        shell(dir.path(), &format!("ulimit -f {}; {run}", 2 * size))
    });
}

/// Whatever it was that took rows from the file of a finished run.
#[test]
fn a_file_with_less_than_it_says_is_not_finished() {
    let dir = folder();
    let file = dir.path().join("run.h5md");
    let tables = [
        ("particles/trajectory/position/step", "5 of 21 frames"),
        ("events/contacts", "5 of "),
        ("events/changes", "5 of "),
        ("series/counts/step", "5 of 201 rows of numbers of particles"),
    ];
    for (table, lost) in tables {
        std::fs::copy(dir.path().join("whole.h5md"), &file).unwrap();
        let damaged = hdf5::File::open_rw(&file).unwrap();
        damaged.dataset(table).unwrap().resize(5).unwrap();
        damaged.close().unwrap();
        let info = jostle(dir.path(), &["info", "run.h5md"]).succeeds().out;
        assert!(info.contains("incomplete") && info.contains(lost), "{table}: {info}");
        let info = jostle(dir.path(), &["info", "run.h5md", "--json"]).succeeds().out;
        assert!(info.contains("\"status\": \"incomplete\""), "{table}: {info}");
        let kept = dir.path().join("run.checkpoint");
        let _ = std::fs::remove_file(&kept);
        let resume = jostle(dir.path(), &["resume", "run.h5md"]);
        assert!(resume.fails().contains(lost), "{table}: {}", resume.err);
        let line = ["run", "model.toml", "--out", "run.h5md", "--resume"];
        let damaged = std::fs::read(&file).unwrap();
        // The checkpoint at the end of the run relies on what is gone.
        for checkpoint in [None, Some("whole.checkpoint")] {
            std::fs::write(&file, &damaged).unwrap();
            checkpoint.map(|name| std::fs::copy(dir.path().join(name), &kept).unwrap());
            let again = jostle(dir.path(), &line).succeeds();
            assert!(
                again.err.contains(lost) && again.err.contains("starts again"),
                "{}",
                again.err
            );
            jostle(dir.path(), &["diff", "whole.h5md", "run.h5md"]).succeeds();
        }
    }
}
