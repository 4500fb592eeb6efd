//! Two programs at work on one file: the first is halted at some moment of its work, the second starts, and the first goes
//! on. Then both are right, or the one that came too late has said why it did nothing.
#![cfg(target_os = "linux")]

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use jostle::run::Options;

use crate::program::{Apart, Done, command, folder, jostle, shell};
use crate::workers::{self, said_by};

const SWEEP: &str = "[sweep]\nmodel = \"model.toml\"\nseed = 3\nreplicas = 1\n[[measure]]\nwhat = \"counts\"\n\
                     [keep]\nfiles = \"all\"\n";

/// The file: that of a run of a sweep, at work and when it is done.
const FILE: &str = "sweep/work/000000/p00000_r0000.h5md";
const KEPT: &str = "sweep/kept/p00000_r0000.h5md";

/// When the first program is halted. \[ms\]
const HALTS: [u64; 6] = [3, 8, 15, 30, 60, 120];

/// So long the second may wait for the first, which is then let go on.
const PATIENCE: Duration = Duration::from_millis(400);

/// What a program does with the file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Deed {
    Run,
    Resume,
    Recover,
    Report,
    Analyse,
    Export,
    SweepTask,
}

impl Deed {
    const ALL: [Self; 7] = [
        Self::Run,
        Self::Resume,
        Self::Recover,
        Self::Report,
        Self::Analyse,
        Self::Export,
        Self::SweepTask,
    ];

    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Run => &["run", "whole.h5md", "--out", FILE, "--force", "--quiet"],
            Self::Resume => &["resume", FILE, "--quiet"],
            Self::Recover => &["recover", FILE],
            Self::Report => &["report", FILE, "--out", "page.html", "--force"],
            Self::Analyse => &["analyse", FILE, "counts"],
            Self::Export => &["export", FILE, "--out", "table.csv", "--force"],
            Self::SweepTask => &["sweep", "task", "sweep", "0"],
        }
    }

    fn start(self, folder: &Path) -> Child {
        let mut program = command(folder);
        program.args(self.words()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn_apart()
    }

    /// Whether it brings the run to its end.
    fn completes(self) -> bool {
        matches!(self, Self::Run | Self::Resume | Self::SweepTask)
    }
}

fn signal(name: &str, child: &Child) {
    shell(Path::new("."), &format!("kill -{name} {}", child.id())).succeeds();
}

fn wait_for(child: &mut Child, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(child.try_wait().unwrap().is_none(), "it is over already");
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not get under way");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A folder with a sweep of one run, which was killed on its way with checkpoints, and what comes of it:
/// the file of the whole run and a table of it.
fn fixture() -> tempfile::TempDir {
    let dir = folder();
    std::fs::write(dir.path().join("a.sweep.toml"), SWEEP).unwrap();
    let model = std::fs::read_to_string(dir.path().join("model.toml")).unwrap();
    let model = model.replace("steps = 400", "steps = 8000").replace("every = 10", "every = 20");
    std::fs::write(dir.path().join("model.toml"), model).unwrap();
    for folder in ["done", "sweep"] {
        jostle(dir.path(), &["sweep", "plan", "a.sweep.toml", "--out", folder]).succeeds();
    }
    jostle(dir.path(), &["sweep", "task", "done", "0"]).succeeds();
    let lines = "mv done/kept/*.h5md whole.h5md; mv done/results results; rm -r done; \
                 jostle export whole.h5md --out whole.csv";
    shell(dir.path(), lines).succeeds();
    let file = dir.path().join(FILE);
    let mut task = Deed::SweepTask.start(dir.path());
    wait_for(&mut task, || file.metadata().is_ok_and(|about| about.len() > 100_000));
    signal("TERM", &task);
    assert_eq!(task.wait().unwrap().code(), Some(75));
    let mut resumed = command(dir.path());
    resumed.args(Deed::Resume.words()).args(["--checkpoint", "100 steps"]);
    let mut child = resumed.stderr(Stdio::null()).spawn_apart();
    wait_for(&mut child, || file.with_extension("checkpoint.old").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    dir
}

/// Two programs, and after what time the first is halted.
type Pair = (Deed, Deed, Duration);

/// Has the second at work while the first is halted; which has done nothing, if one has, and what it said.
fn meet(fixture: &Path, (first, second, halt): Pair) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path().display();
    shell(fixture, &format!("cp -r . {here}")).succeeds();
    let one = first.start(dir.path());
    std::thread::sleep(halt);
    signal("STOP", &one);
    let mut two = second.start(dir.path());
    let begun = Instant::now();
    while two.try_wait().unwrap().is_none() && begun.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(1));
    }
    signal("CONT", &one);
    let [one, two] = [one, two].map(|child| Done::from(child.wait_with_output().unwrap()));
    let mut refusals = Vec::new();
    for (deed, done) in [(first, &one), (second, &two)] {
        if done.code == Some(0) {
            check(dir.path(), deed, done);
            continue;
        }
        assert!(matches!(done.code, Some(1 | 2 | 75)), "{:?}: {}", done.code, done.err);
        assert!(!done.err.contains("panicked") && !done.err.contains("HDF5-DIAG"), "{}", done.err);
        let status = || jostle(dir.path(), &["sweep", "status", "sweep"]).out;
        assert!(done.err.contains("p00000_r0000"), "not why: {}{}", done.err, status());
        refusals.push((deed, done));
    }
    assert!(refusals.len() < 2, "neither has done anything: {refusals:?}");
    let file =
        [FILE, KEPT].map(|name| dir.path().join(name)).into_iter().find(|path| path.exists());
    let file = file.unwrap_or_else(|| panic!("the file is gone"));
    jostle(dir.path(), &["info", file.to_str().unwrap()]).succeeds();
    if [(first, &one), (second, &two)]
        .iter()
        .any(|(deed, done)| done.code == Some(0) && deed.completes())
    {
        jostle(dir.path(), &["diff", "whole.h5md", file.to_str().unwrap()]).succeeds();
    }
    no_rest(&file);
    refusals.first().map(|(deed, done)| format!("{deed:?} is refused: {}", done.err))
}

/// What a program that succeeded has written is right.
fn check(dir: &Path, deed: Deed, done: &Done) {
    let text = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    match deed {
        Deed::Report => assert!(text("page.html").trim_end().ends_with("</html>")),
        Deed::Export => {
            let (table, whole) = (text("table.csv"), text("whole.csv"));
            assert!(table.ends_with('\n') && whole.starts_with(&table), "{table}");
        }
        Deed::Analyse => assert!(done.out.contains("Particles of each species"), "{}", done.out),
        Deed::SweepTask => shell(dir, "cmp sweep/results/000/000000.json results/000/000000.json")
            .succeeds()
            .out
            .clear(),
        Deed::Run | Deed::Resume | Deed::Recover => {}
    }
}

/// Nothing is left on its way to its place.
fn no_rest(file: &Path) {
    let names: Vec<PathBuf> = std::fs::read_dir(file.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    let hidden = |path: &&PathBuf| path.file_name().unwrap().to_string_lossy().starts_with('.');
    assert_eq!(names.iter().find(hidden), None);
}

#[test]
fn of_two_programs_at_one_file_both_are_right_or_one_says_why_not() {
    let fixture = fixture();
    let each = if cfg!(feature = "long") { HALTS.len() } else { 1 };
    let mut pairs: Vec<Pair> = Vec::new();
    for first in Deed::ALL {
        for second in Deed::ALL {
            let chosen = HALTS.iter().cycle().skip(pairs.len()).take(each);
            pairs.extend(chosen.map(|&halt| (first, second, Duration::from_millis(halt))));
        }
    }
    let (said, wrong) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    workers::for_each(0..pairs.len() as u64, |n| {
        let pair @ (first, second, _) = pairs[n as usize];
        let met = catch_unwind(|| meet(fixture.path(), pair)).map_err(|panic| said_by(&*panic));
        match met {
            Ok(None) => {}
            Ok(Some(why)) => said.lock().unwrap().push(format!("{first:?}, {second:?}: {why}")),
            Err(why) => wrong.lock().unwrap().push(format!("{pair:?}: {why}")),
        }
    });
    said.into_inner().unwrap().iter().for_each(|line| println!("{line}"));
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {} pairs:\n{}", wrong.len(), pairs.len(), wrong.join("\n"));
}

/// Threads of one program that start a run with the same output at the same moment.
#[test]
fn of_threads_that_run_to_one_file_one_does_and_the_others_say_why_not() {
    let dir = folder();
    let mut model = jostle::model::load(&dir.path().join("model.toml"), &[]).unwrap();
    model.run.steps = 2000;
    for round in 0..6 {
        let out = dir.path().join(format!("run{round}.h5md"));
        let force = round % 2 == 1;
        let (begin, stop) = (std::sync::Barrier::new(4), AtomicBool::new(false));
        let run = || {
            let options = Options {
                out: Some(&out),
                force,
                self_check: false,
                stop: &stop,
                progress: &mut |_| (),
                checkpoints: Default::default(),
            };
            begin.wait();
            jostle::run::run(&model, options).map(drop).map_err(|error| error.to_string())
        };
        let ended: Vec<Result<(), String>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let refused = ended.iter().filter_map(|ended| ended.as_ref().err());
        let is_told = |why: &String| why.contains("is in use") || !force && why.contains("exists");
        assert!(refused.clone().all(is_told), "{ended:?}");
        assert!(refused.count() < 4, "{ended:?}");
        let reading = jostle::analysis::open(&out).unwrap();
        assert_eq!(jostle::analysis::info(&reading).unwrap().status(), "finished");
    }
}
