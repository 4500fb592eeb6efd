//! Random models of every engine are killed at random moments, or fill their disk, and come to the same end as
//! undisturbed runs. Each start and each resumption chooses another structure, scheduler or number of threads.
//!
//! `KILLS` in the environment says how many kills, `FIRST` which seed is the first.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use jostle::model::schema::Engine;

use super::ways::Choices;
use super::{keep, number, valid_model};
use crate::checkpoints::kills::kills;
use crate::checkpoints::places::{apart, may_mount};
use crate::checkpoints::victim::Victim;
use crate::program::{jostle, shell};
use crate::workers::{self, said_by};
use jostle_lab::validate::random::Draws;

/// What was done to runs.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    runs: u64,
    kills: u64,
    /// How often a run was started from its first step, since nothing had been kept.
    begun: u64,
    /// How often a disk was full.
    full: u64,
}

/// Words that choose a way to run, and how often the state is kept.
fn choose(dice: &mut Draws, choices: Choices) -> Vec<String> {
    let chosen = choices.draw(dice).into_iter();
    let mut words: Vec<String> =
        chosen.flat_map(|(key, value)| ["--set".to_owned(), format!("{key}={value}")]).collect();
    let cadence = match dice.below(3) {
        0 => format!("{} steps", dice.whole(1, 50)),
        1 => "0.01 s".to_owned(),
        _ => format!("{:?} s", dice.between(0.01, 0.2)),
    };
    words.extend(["--checkpoint".to_owned(), cadence]);
    words
}

/// Runs a random model once undisturbed, and once with kills or on a disk that is full.
fn disturb(engine: Engine, seed: u64, folder: &Path) -> Done {
    let mut dice = Draws::new(seed);
    let (draft, _) = valid_model(engine, &mut dice);
    std::fs::write(folder.join("model.toml"), &draft.text).unwrap();
    let line = |out: &str| -> Vec<String> {
        let words = ["run", "model.toml", "--quiet", "--set", "output.log=all", "--out", out];
        words.map(Into::into).into()
    };
    let begun = Instant::now();
    let whole = line("whole.h5md");
    jostle(folder, &whole.iter().map(String::as_str).collect::<Vec<_>>()).succeeds();
    let takes = begun.elapsed();
    let mut done = Done { runs: 1, ..Done::default() };
    let line = line("other.h5md");
    if dice.chance(0.25) {
        let size = folder.join("whole.h5md").metadata().unwrap().len();
        let room = (size as f64 * dice.between(0.1, 1.3)) as u64;
        let ways = [(); 2].map(|()| choose(&mut dice, draft.choices));
        done.full = fill(folder, &line, &ways, room).into();
    } else {
        let mut victim = Victim::of(folder, "other.h5md", &line);
        let most = dice.whole(1, 5) as u64;
        loop {
            let is_spared = victim.killed >= most;
            let until = takes.mul_f64(dice.between(0.0, 1.0));
            let until = if is_spared { Duration::from_secs(600) } else { until };
            if victim.live(until, &choose(&mut dice, draft.choices)) {
                break;
            }
            victim.examine();
        }
        victim.leaves_its_last_checkpoint();
        (done.kills, done.begun) = (victim.killed, victim.begun);
    }
    let same = jostle(folder, &["diff", "whole.h5md", "other.h5md"]);
    assert_eq!(same.code, Some(0), "{}{}", same.out, same.err);
    done
}

/// Runs a line on a disk with so much room \[bytes\], and continues when there is more. Whether the disk
/// was full. Where nothing may be mounted, a limit on the size of files stands in for a full disk.
fn fill(folder: &Path, line: &[String], ways: &[Vec<String>; 2], room: u64) -> bool {
    let quoted = |words: &[String]| {
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
    };
    let line = quoted(line);
    let [first, later] = ways.each_ref().map(|way| quoted(way));
    let continued = format!(
        "if test $code != 0; then if test -e other.checkpoint || test -e other.checkpoint.old\n\
         then jostle resume other.h5md --quiet {later}\n\
         else jostle run {} --force {later}; fi; fi\n",
        line.trim_start_matches("'run' ")
    );
    let done = if may_mount(folder) {
        let script = format!(
            "mkdir disk; mount -t tmpfs -o size={}k none disk; cp model.toml disk; cd disk\n\
             code=0; jostle {line} {first} 2>../full || code=$?\n\
             mount -o remount,size=200m none \"$PWD\"\n{continued}\
             mv other.h5md ..; echo $code >../code",
            room / 1024 + 8
        );
        apart(folder, &script)
    } else {
        let script = format!(
            "code=0; (ulimit -f {}; exec jostle {line} {first}) 2>full || code=$?\n{continued}\
             echo $code >code",
            room / 512 + 1
        );
        std::fs::write(folder.join("script"), script).unwrap();
        shell(folder, "sh -e script")
    };
    done.succeeds();
    let [code, full] =
        ["code", "full"].map(|name| std::fs::read_to_string(folder.join(name)).unwrap());
    if code.trim() == "0" {
        return false;
    }
    let words = ["no space left on device", "file too large"];
    assert!(
        ["1", "74"].contains(&code.trim()) && words.iter().any(|word| full.contains(word)),
        "{code}{full}"
    );
    assert!(!full.contains("panicked") && !full.contains("HDF5-DIAG"), "{full}");
    true
}

#[test]
fn random_models_that_are_killed_or_fill_their_disk_come_to_the_same_end() {
    let (kills, first) = (kills(8), number("FIRST").unwrap_or(0));
    let (total, complaints) = (Mutex::new(Done::default()), Mutex::new(Vec::new()));
    let begun = Instant::now();
    workers::for_each(first..first + kills, |seed| {
        if total.lock().unwrap().kills >= kills {
            return;
        }
        let brownian = Engine::Brownian;
        let others = [Engine::Granular, Engine::Gas, Engine::Polygons];
        let engine = if seed % 2 == 0 { brownian } else { others[seed as usize / 2 % 3] };
        let folder = tempfile::tempdir().unwrap();
        match catch_unwind(AssertUnwindSafe(|| disturb(engine, seed, folder.path()))) {
            Ok(done) => {
                let mut total = total.lock().unwrap();
                total.runs += done.runs;
                total.kills += done.kills;
                total.begun += done.begun;
                total.full += done.full;
            }
            Err(panic) => {
                let (draft, _) = valid_model(engine, &mut Draws::new(seed));
                let path = keep(engine, seed, &draft.text);
                let complaint = format!("seed {seed}, {}: {}", path.display(), said_by(&*panic));
                complaints.lock().unwrap().push(complaint);
            }
        }
    });
    let (total, complaints) = (total.into_inner().unwrap(), complaints.into_inner().unwrap());
    println!("{total:?} in {:.0} s", begun.elapsed().as_secs_f64());
    assert!(complaints.is_empty(), "{} runs:\n{}", complaints.len(), complaints.join("\n"));
    assert!(2 * total.kills >= kills, "{total:?}: most runs were over before they were killed");
}
