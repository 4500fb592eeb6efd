//! Files from somebody who means harm: models, quantities, tables of positions, meshes, result
//! files, checkpoints, BNGL, sweeps. Whatever is in them, they are read or refused with a message: no panic, no
//! endless work, no memory beyond a bound.
//!
//! The seeds stand in `fuzz/corpus/`; some thousand variants of them, the same in every run, are
//! tried as well. `make fuzz` resumes from there for an hour.

#[path = "../harm/mod.rs"]
mod harm;
#[path = "../shared/program.rs"]
mod program;
mod strangers;

use std::alloc::{GlobalAlloc, Layout, System};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use harm::{ANSWERED, Kind, REFUSED, Small, drive};
use jostle::analysis;
use jostle::analysis::contacts::Filter;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The most that a hostile file of a few kB may make us ask for at once, and hold. \[bytes\]
const MOST_MEMORY: usize = 512 << 20;

/// What takes as long has no end: an input is dealt with in some milliseconds.
const ENDLESS: Duration = Duration::from_secs(180);

/// How many files have bytes changed at random.
const RANDOM_FILES: usize = 60;

/// Counts what is asked of the system, and held.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST_HELD: AtomicUsize = AtomicUsize::new(0);
/// The most that one input has taken.
static MOST_TAKEN: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST_HELD.fetch_max(held, Relaxed);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Memory is counted for all threads together: one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is being dealt with, and since when.
static AT_WORK: Mutex<Option<(Instant, String)>> = Mutex::new(None);

fn at_work() -> MutexGuard<'static, Option<(Instant, String)>> {
    AT_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process, which nothing else can, where an input keeps it at work without end, and says
/// which.
fn watch_over(what: String) {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                if let Some((begun, what)) = &*at_work()
                    && begun.elapsed() > ENDLESS
                {
                    eprintln!("no end after {} s: {what}", ENDLESS.as_secs());
                    std::process::abort();
                }
            }
        });
    });
    *at_work() = Some((Instant::now(), what));
}

/// What is wrong with how these bytes are dealt with, if anything.
fn fault(kind: Kind, bytes: &[u8]) -> Option<String> {
    watch_over(format!("{}: {}", kind.name(), bytes.escape_ascii()));
    let before = HELD.load(Relaxed);
    MOST_HELD.store(before, Relaxed);
    let driven = catch_unwind(AssertUnwindSafe(|| drive(kind, bytes)));
    *at_work() = None;
    let taken = MOST_HELD.load(Relaxed).saturating_sub(before);
    MOST_TAKEN.fetch_max(taken, Relaxed);
    if driven.is_err() {
        return Some("it panics".to_owned());
    }
    (taken > MOST_MEMORY).then(|| format!("it takes {taken} bytes of memory"))
}

fn seeds(kind: Kind) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(kind.name());
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let mut seeds: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect();
    seeds.sort();
    assert!(!seeds.is_empty(), "{} is empty", folder.display());
    seeds
}

/// A variant of one seed, with pieces of another.
fn variant(seeds: &[(PathBuf, Vec<u8>)], random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    const PIECES: [&[u8]; 16] = [
        b"1e18",
        b"-1",
        b"nan",
        b"inf",
        b"1e300",
        b"\"",
        b"[[",
        b"]]",
        b"{",
        b"}",
        b"=",
        b"\n",
        b"\x1b[31m",
        "\u{202e}".as_bytes(),
        b"\xff\xfe",
        b"\0",
    ];
    let mut bytes = seeds[random.random_range(0..seeds.len())].1.clone();
    let other = &seeds[random.random_range(0..seeds.len())].1;
    for _ in 0..random.random_range(1..6) {
        let from = random.random_range(0..=bytes.len());
        let to = bytes.len().min(from + random.random_range(0..20));
        match random.random_range(0..5) {
            0 => bytes[from..to].fill_with(|| random.random()),
            1 => drop(bytes.drain(from..to)),
            2 => bytes
                .splice(from..to, PIECES[random.random_range(0..PIECES.len())].iter().copied())
                .for_each(drop),
            3 => {
                let begin = random.random_range(0..=other.len());
                let end = other.len().min(begin + random.random_range(0..60));
                bytes.splice(from..to, other[begin..end].iter().copied()).for_each(drop);
            }
            _ => {
                let again = bytes[from..to].to_vec();
                bytes.splice(from..from, again).for_each(drop);
            }
        }
    }
    bytes
}

/// All seeds of a kind, and as many variants, or as many as `VARIANTS` in the environment says.
fn hold(kind: Kind, usual: usize) {
    let _alone = alone();
    let asked = std::env::var("VARIANTS").map(|text| text.parse().expect("VARIANTS is a number"));
    let variants = asked.unwrap_or(usual);
    let seeds = seeds(kind);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(kind as u64);
    let name = |n: usize| format!("variant {n} of {}", kind.name());
    let known = seeds.iter().map(|(path, bytes)| (path.display().to_string(), bytes.clone()));
    let varied = (0..variants).map(|n| (name(n), variant(&seeds, &mut random)));
    let faults: Vec<String> = known
        .chain(varied)
        .filter_map(|(name, bytes)| {
            Some(format!("{name}: {}: {}", fault(kind, &bytes)?, bytes.escape_ascii()))
        })
        .collect();
    let most = MOST_TAKEN.swap(0, Relaxed);
    println!("{}: {variants} variants, at most {most} bytes of memory", kind.name());
    assert!(faults.is_empty(), "{} faults\n{}\n", faults.len(), faults.join("\n"));
}

#[test]
fn hostile_models_are_read_or_refused() {
    hold(Kind::Models, 4000);
}

#[test]
fn hostile_quantities_are_read_or_refused() {
    hold(Kind::Quantities, 5000);
}

#[test]
fn hostile_tables_of_positions_are_read_or_refused() {
    hold(Kind::Positions, 2000);
}

#[test]
fn hostile_meshes_are_read_or_refused() {
    hold(Kind::Meshes, 1500);
}

#[test]
fn damaged_result_files_are_read_or_refused() {
    let reported = || [&ANSWERED, &REFUSED].map(|count| count.load(Relaxed));
    let before = reported();
    hold(Kind::Results, 500);
    let [answered, refused] = [0, 1].map(|k| reported()[k] - before[k]);
    // The damage is neither so small that nothing is wrong, nor so large that nothing is left to be
    // asked.
    println!("{answered} questions answered, {refused} refused");
    assert!(answered > 100 && refused > 100, "{answered} {refused}");
}

#[test]
fn damaged_trajectories_give_positions_or_a_message() {
    hold(Kind::Trajectories, 600);
}

#[test]
fn damaged_checkpoints_are_refused_or_resumed() {
    hold(Kind::Checkpoints, 600);
}

#[test]
fn hostile_networks_become_models_or_are_refused() {
    hold(Kind::Networks, 800);
}

#[test]
fn hostile_sweep_files_are_read_or_refused() {
    hold(Kind::SweepFiles, 1500);
}

#[test]
fn hostile_folders_of_sweeps_are_read_or_refused() {
    harm::sweeps::good_folder_answers();
    hold(Kind::SweepFolders, 1000);
}

/// Bytes changed at random put the HDF5 library to the test, which is C: it may crash, and then the
/// system ends the process. What is ours never panics, and never runs out of its time or memory.
#[test]
fn result_files_with_random_bytes_are_read_or_refused_unless_the_library_crashes() {
    let _alone = alone();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut crashes = 0;
    for n in 0..RANDOM_FILES {
        let dir = harm::place();
        let mut bytes = Small::ALL[n % Small::ALL.len()].bytes().to_vec();
        // Most of a small file is room that is not used.
        let used: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] != 0).collect();
        for _ in 0..random.random_range(1..20) {
            bytes[used[random.random_range(0..used.len())]] = random.random();
        }
        if n % 4 == 0 {
            bytes.truncate(random.random_range(0..bytes.len()));
        }
        std::fs::write(dir.path().join("random.h5md"), bytes).unwrap();
        for question in ["info", "analyse", "export --out out.csv --force"] {
            let (word, options) = question.split_once(' ').unwrap_or((question, ""));
            // 4 GB of addresses, 30 s of work.
            let line = format!(
                "ulimit -v 4000000; ulimit -t 30; exec jostle {word} random.h5md {options}"
            );
            let done = program::shell(dir.path(), &line);
            let ours = ["panicked", "memory allocation of", "overflowed its stack"];
            assert!(
                !ours.iter().any(|word| done.err.contains(word)),
                "file {n}, {question}: {}",
                done.err
            );
            match done.code {
                Some(0 | 1) => (),
                None => crashes += 1,
                code => panic!("file {n}, {question}: {code:?} {}", done.err),
            }
        }
    }
    println!("{crashes} crashes of the HDF5 library in {} questions", 3 * RANDOM_FILES);
}

/// What is said of a file of a Brownian run to which this was done, when it is compared with itself
/// and asked for its contacts.
fn said_of(harm: impl FnOnce(&hdf5::File)) -> String {
    let dir = harm::place();
    let path = dir.path().join("harmed.h5md");
    std::fs::write(&path, Small::Brownian.bytes()).unwrap();
    let file = hdf5::File::open_rw(&path).unwrap();
    harm(&file);
    file.close().unwrap();
    let asked = analysis::open(&path).and_then(|reading| {
        analysis::contacts_by_pair(&reading, &Filter::default())?;
        analysis::compare(&reading, &reading, None)
    });
    asked.unwrap_err().to_string()
}

#[test]
fn a_file_that_claims_more_than_it_holds_is_refused_by_name() {
    let _alone = alone();
    let claims = [
        ("events/contacts", vec![1 << 60], "events/contacts"),
        ("particles/trajectory/position/value", vec![1 << 60, 24, 3], "position/value"),
        ("particles/trajectory/position/value", vec![5, 1 << 60, 3], "position/value"),
    ];
    for (name, shape, reported) in claims {
        let said = said_of(|file| file.dataset(name).unwrap().resize(shape).unwrap());
        assert!(said.contains(reported) && said.contains("bytes of it"), "{name}: {said}");
    }
    let said = said_of(|file| file.link_hard("particles", "particles/again").unwrap());
    assert!(said.contains("in a circle"), "{said}");
    let said = said_of(|file| {
        file.unlink("events/contacts").unwrap();
        file.link_soft("events/contacts", "events/contacts").unwrap();
    });
    assert!(said.contains("/events/contacts: this is a soft link"), "{said}");
}

#[test]
fn good_result_files_answer_every_question() {
    let _alone = alone();
    for small in Small::ALL {
        let dir = harm::place();
        let path = dir.path().join("good.h5md");
        std::fs::write(&path, small.bytes()).unwrap();
        harm::ask_everything(&path);
    }
}
