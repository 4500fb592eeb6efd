//! Runs that are stopped and resumed in other ways are the same, to the bit, as runs that never
//! were.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use jostle::model::Model;
use jostle::observe::Clock;
use jostle::run::checkpoint::{Cadence, Checkpoint, Checkpoints, checkpoints_of};
use jostle::run::{Ending, Options, Summary, run};

use crate::cases::CASES;
use crate::program::inherited_by_none;
use crate::same::hold_same;

/// Runs a model, from its latest checkpoint if there is one, until `stop_at`.
pub(crate) fn run_until(model: &Model, out: &Path, stop_at: u64) -> Summary {
    inherited_by_none();
    let latest = &checkpoints_of(out)[0];
    let from = latest.exists().then(|| Checkpoint::open(latest, out).unwrap());
    let stop = AtomicBool::new(false);
    let mut progress = |clock: Clock| stop.store(clock.step >= stop_at, Ordering::Relaxed);
    let options = Options {
        out: Some(out),
        force: false,
        self_check: true,
        stop: &stop,
        progress: &mut progress,
        checkpoints: Checkpoints { every: Some(Cadence::AtStops), now: None, from, stays: true },
    };
    run(model, options).unwrap_or_else(|error| panic!("{}: {error}", model.title))
}

/// What a run has taken until now, which is more than at its last stop: its figures are those of
/// all its parts.
fn more_than(before: &[(String, f64)], out: &Path) -> Vec<(String, f64)> {
    let info = jostle::analysis::info(&jostle::analysis::open(out).unwrap()).unwrap();
    // What it took to keep the state is in none of the parts that come after.
    let falls = ["wall time (s)", "memory (bytes)", "pairs of boxes at the end"];
    for ((name, now), (_, then)) in info.figures.iter().zip(before) {
        assert!(
            now >= then || falls.contains(&name.as_str()),
            "{}: {name}: {then}, {now}",
            out.display()
        );
    }
    let seconds =
        || info.figures.iter().filter(|(name, _)| name.ends_with("(s)")).map(|(_, time)| *time);
    let (whole, all) = (info.figures[0].1, seconds().sum::<f64>());
    assert!(whole > 0.0 && all - whole <= whole, "{}: parts of {all} s in all", out.display());
    info.figures
}

/// Each comes to an early end twice and is made longer, is stopped in between, and resumes another search
/// structure, scheduler or number of threads each time.
#[test]
fn a_run_that_was_stopped_or_finished_continues_to_the_same_results_in_other_ways() {
    let dir = tempfile::tempdir().unwrap();
    let mut pairs = Vec::new();
    for case in CASES {
        let begun = std::time::Instant::now();
        let [whole, parts] =
            ["whole", "parts"].map(|what| dir.path().join(format!("{}_{what}.h5md", case.name)));
        let model = case.model(&[]);
        assert_eq!(run_until(&model, &whole, u64::MAX).ending, Ending::Finished);
        let mut taken: Vec<(String, f64)> = Vec::new();
        let mut ways = [&[][..]].into_iter().chain(case.otherwise.iter().copied().cycle());
        for (eighths, ending) in
            [(1, Ending::Finished), (3, Ending::Interrupted), (4, Ending::Finished)]
        {
            let mut model = case.model(ways.next().unwrap());
            let stop_at = model.run.steps * eighths / 8;
            if ending == Ending::Finished {
                model.run.steps = stop_at;
            }
            assert_eq!(run_until(&model, &parts, stop_at).ending, ending, "{}", case.name);
            taken = more_than(&taken, &parts);
            // Of two who would resume from it at the same moment, one has to wait.
            let latest = &checkpoints_of(&parts)[0];
            let first = Checkpoint::open(latest, &parts).unwrap();
            let second = Checkpoint::open(latest, &parts).err().map(|error| error.to_string());
            assert!(second.is_some_and(|said| said.contains("in use: a run is writing it")));
            drop(first);
        }
        let model = case.model(ways.next().unwrap());
        assert_eq!(run_until(&model, &parts, u64::MAX).ending, Ending::Finished, "{}", case.name);
        more_than(&taken, &parts);
        let left = checkpoints_of(&parts).map(|path| path.exists());
        assert_eq!(left, [true, false], "a finished run keeps its last checkpoint");
        println!("{}: {:.1} s", case.name, begun.elapsed().as_secs_f64());
        pairs.push([whole, parts]);
    }
    hold_same(pairs.iter().map(|[a, b]| [a.as_path(), b]));
}

/// Between frames too, and the same numbers in the steps that have a frame.
#[test]
fn particles_are_counted_more_often_than_frames_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let [often, seldom] = ["often", "seldom"].map(|name| dir.path().join(format!("{name}.h5md")));
    run_until(&CASES[0].model(&[]), &often, u64::MAX);
    run_until(&CASES[0].model(&[("output.counts_every", "1500")]), &seldom, u64::MAX);
    let [often, seldom] = [often, seldom].map(|path| jostle::analysis::open(&path).unwrap());
    let counts = |reading| jostle::analysis::counts(reading, &Default::default()).unwrap();
    let (fine, coarse) = (counts(&often), counts(&seldom));
    assert_eq!((fine.times.len(), coarse.times.len()), (1500 / 7 + 1, 2));
    let frames = often.counts(0..often.frames()).unwrap();
    for (frame, step) in
        often.steps().unwrap().into_iter().enumerate().filter(|(_, step)| step % 7 == 0)
    {
        for (species, one) in fine.species.iter().enumerate() {
            assert_eq!(one.counts[step as usize / 7], frames[[frame, species]], "step {step}");
        }
    }
    let varies =
        |one: &jostle::analysis::SpeciesCounts| one.counts.iter().any(|n| *n != one.counts[0]);
    assert!(fine.species.iter().any(varies));
    let difference = jostle::analysis::compare(&often, &seldom, None).unwrap();
    assert!(
        !difference.is_equal() && difference.details().contains("/series/counts/value"),
        "{}",
        difference.details()
    );
}

/// In step 50 it comes 18 million times to nothing, since hardly anybody is where the rule holds.
const LONG_STEP: &str = r#"[space]
dimension = 3
edges = "1 um"
[run]
timestep = "1 us"
steps = 60
[[species]]
name = "A"
radius = "0.1 nm"
diffusion = "0.1 um^2/s"
count = 20000
[[rule]]
name = "there"
do = "decay"
on = "A"
rate = "900 /us"
region = { from = ["0 nm", "0 nm", "0 nm"], to = ["1 nm", "1 nm", "1 nm"] }
during = [["50 us", "60 us"]]
[[rule]]
name = "all"
on = ["A", "A"]
do = "ignore"
"#;

/// The run is asked to end 20 ms into a step that takes longer than the three seconds that it then
/// has. Where the machine is so fast that the step comes to its end, it is the state after it that
/// is kept.
#[test]
fn a_step_that_takes_too_long_is_broken_off_and_the_run_continues_from_its_last_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole", "parts"].map(|what| dir.path().join(format!("{what}.h5md")));
    let parsed = |steps: &str| {
        jostle::model::parse(&LONG_STEP.replace("steps = 60", steps), "model.toml", &[]).unwrap()
    };
    assert_eq!(run_until(&parsed("steps = 50"), &whole, u64::MAX).ending, Ending::Finished);
    let stop = AtomicBool::new(false);
    let ending = std::thread::scope(|scope| {
        let stop = &stop;
        let mut progress = |clock: Clock| {
            if clock.step == 50 {
                scope.spawn(move || {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    stop.store(true, Ordering::Relaxed);
                });
            }
        };
        let every = "20 steps".parse::<Cadence>().unwrap();
        let options = Options {
            out: Some(&parts),
            force: false,
            self_check: true,
            stop,
            progress: &mut progress,
            checkpoints: Checkpoints { every: Some(every), ..Checkpoints::default() },
        };
        run(&parsed("steps = 60"), options).unwrap().ending
    });
    assert_eq!(ending, Ending::BrokenOff);
    let info = jostle::analysis::info(&jostle::analysis::open(&parts).unwrap()).unwrap();
    assert_eq!(info.runs.last().map(|run| run.what.as_str()), Some("interrupted"));
    assert_eq!(run_until(&parsed("steps = 50"), &parts, u64::MAX).ending, Ending::Finished);
    hold_same([[whole.as_path(), &parts]]);
}
