//! Kills at random moments: while a run works, while it keeps its state, while it is resumed.
//!
//! `KILLS` in the environment says how many; `make soak` does a thousand.

use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use jostle::random::{Purpose, Random};
use jostle::run::checkpoint::checkpoints_of;

use crate::cases::{CASES, Case};
use crate::program::{Apart, command, jostle};
use crate::same::hold_same;

/// How many kills, if nobody says otherwise.
const KILLS: u64 = 40;

/// After so many a run is let alone, and the next has its turn.
const KILLS_OF_ONE: u64 = 10;

fn kills() -> u64 {
    std::env::var("KILLS").map_or(KILLS, |text| text.parse().expect("KILLS is a number"))
}

/// A run and what has been done to it.
struct Victim<'a> {
    case: &'a Case,
    folder: &'a Path,
    out: PathBuf,
    killed: u64,
    begun_anew: u64,
}

impl Victim<'_> {
    /// Starts it, or resumes it where there is something to resume from.
    fn start(&mut self) -> Child {
        let name = self.out.file_name().unwrap().to_str().unwrap();
        let kept = checkpoints_of(&self.out).iter().any(|path| path.exists());
        let mut arguments = if kept {
            ["resume", name, "--quiet"].map(Into::into).into()
        } else {
            self.begun_anew += 1;
            let mut arguments = self.case.arguments(name);
            arguments.push("--force".into());
            arguments
        };
        arguments.extend(["--checkpoint".into(), "0.01 s".into()]);
        let mut run = command(self.folder);
        run.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn_apart()
    }

    /// Lets it live for so long at most. Whether it came to its end.
    fn live(&mut self, most: Duration) -> bool {
        let begun = Instant::now();
        let mut child = self.start();
        while begun.elapsed() < most {
            if child.try_wait().unwrap().is_some() {
                let done = child.wait_with_output().unwrap();
                let said = String::from_utf8_lossy(&done.stderr);
                assert_eq!(done.status.code(), Some(0), "{}: {said}", self.case.name);
                return true;
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        self.killed += 1;
        false
    }

    /// What a kill has left can be read.
    fn examine(&self) {
        if !self.out.exists() {
            assert!(checkpoints_of(&self.out).iter().all(|path| !path.exists()));
            return;
        }
        let name = self.out.file_name().unwrap().to_str().unwrap();
        jostle(self.folder, &["recover", name]).succeeds();
        // By another process: what this one opens, the next that is started inherits, with its
        // locks.
        let info = jostle(self.folder, &["info", name]).succeeds().out;
        // Or just after it had said that it was finished.
        assert!(info.contains("the run was killed") || info.contains("\nfinished"), "{info}");
    }
}

/// Of each kind of run in turn, from a start to an end, with kills in between: half of them after 1
/// to 50 ms, the others after 50 ms and up to a third of the time that the run takes.
#[test]
fn a_run_that_is_killed_again_and_again_comes_to_the_same_end() {
    let dir = tempfile::tempdir().unwrap();
    let random = Random::new(9);
    let mut done = 0;
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
        let out = folder.join("killed.h5md");
        let mut victim = Victim { case, folder: &folder, out, killed: 0, begun_anew: 0 };
        loop {
            // Half of them at once, when the run or the resumption sets out.
            let most = match draw.next().unwrap_or_default() {
                u if u < 0.5 => Duration::from_secs_f64(0.001 + 0.1 * u),
                u => takes.mul_f64((u - 0.5) / 1.5 + 0.05) + Duration::from_millis(50),
            };
            let is_spared = done >= kills() || victim.killed >= KILLS_OF_ONE;
            if victim.live(if is_spared { Duration::from_secs(600) } else { most }) {
                break;
            }
            done += 1;
            victim.examine();
        }
        println!("{}: {} kills, begun {} times", case.name, victim.killed, victim.begun_anew);
        hold_same([[expected.as_path(), &victim.out]]);
        let left: Vec<_> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(!left.iter().any(|name| name.to_string_lossy().contains("checkpoint")), "{left:?}");
        std::fs::remove_file(&victim.out).unwrap();
        if done >= kills() && turn + 1 >= cases.len() {
            break;
        }
    }
    println!("{done} kills");
}
