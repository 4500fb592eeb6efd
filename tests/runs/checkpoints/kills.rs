//! Kills at random moments: while a run works, while it keeps its state, while it is resumed.
//!
//! `KILLS` in the environment says how many; `make soak` does a thousand.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use jostle::random::{Purpose, Random};
use jostle::run::checkpoint::checkpoints_of;

use super::victim::Victim;
use crate::cases::{CASES, Case};
use crate::program::{jostle, nightly};
use crate::same::hold_same;

/// After so many a run is let alone, and the next has its turn.
const KILLS_OF_ONE: u64 = 10;

/// How many kills: those asked for, or the usual number, five times as many in `make nightly`.
pub(crate) fn kills(usual: u64) -> u64 {
    let usual = if nightly() { 5 * usual } else { usual };
    std::env::var("KILLS").map_or(usual, |text| text.parse().expect("KILLS is a number"))
}

/// Of each kind of run in turn, from a start to an end, with kills in between: half of them after 1
/// to 50 ms, the others after 50 ms and up to a third of the time that the run takes.
#[test]
fn a_run_that_is_killed_again_and_again_comes_to_the_same_end() {
    let dir = tempfile::tempdir().unwrap();
    let random = Random::new(9);
    let (kills, mut done) = (kills(12), 0);
    let mut draw = (0..).map(|n| random.uniform(Purpose::Waiting, [n, 0, 0, 0]));
    let cases: Vec<&Case> = CASES.iter().filter(|case| case.is_for_kills()).collect();
    let mut whole: Vec<Option<(PathBuf, Duration)>> = vec![None; cases.len()];
    for turn in 0.. {
        let (number, case) = (turn % cases.len(), cases[turn % cases.len()]);
        let folder = dir.path().join(case.name);
        let (expected, takes) = whole[number].get_or_insert_with(|| {
            std::fs::create_dir(&folder).unwrap();
            std::fs::write(folder.join("model.toml"), case.text()).unwrap();
            let begun = Instant::now();
            let arguments = case.arguments("whole.h5md");
            jostle(&folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>()).succeeds();
            (folder.join("whole.h5md"), begun.elapsed())
        });
        let line = case.arguments("killed.h5md");
        let mut victim = Victim::of(&folder, "killed.h5md", &line);
        loop {
            // Half of them at once, when the run or the resumption sets out.
            let most = match draw.next().unwrap_or_default() {
                u if u < 0.5 => Duration::from_secs_f64(0.001 + 0.1 * u),
                u => takes.mul_f64((u - 0.5) / 1.5 + 0.05) + Duration::from_millis(50),
            };
            let is_spared = done >= kills || victim.killed >= KILLS_OF_ONE;
            let most = if is_spared { Duration::from_secs(600) } else { most };
            if victim.live(most, &["--checkpoint", "0.01 s"].map(Into::into)) {
                break;
            }
            done += 1;
            victim.examine();
        }
        println!("{}: {} kills, begun {} times", case.name, victim.killed, victim.begun);
        hold_same([[expected.as_path(), &victim.out]]);
        victim.leaves_its_last_checkpoint();
        std::fs::remove_file(&victim.out).unwrap();
        std::fs::remove_file(&checkpoints_of(&victim.out)[0]).unwrap();
        if done >= kills && turn + 1 >= cases.len() {
            break;
        }
    }
    println!("{done} kills");
}
