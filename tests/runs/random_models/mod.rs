//! A law over random models: whatever is valid runs to its end, to the same bits in every way, and
//! what it writes obeys laws that are computed anew from the file.
//!
//! `MODELS=5000` and `FIRST=1000` choose which seeds; a model that breaks a law is kept in a folder
//! of the system for temporary files, which is named.

mod dice;
mod file;
mod laws;
mod sketch;
mod ways;

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jostle::analysis;
use jostle::model::placement::{PlacementError, place};
use jostle::model::{self, Model};
use jostle::run::RunError;

use dice::Dice;
use file::Record;
use laws::{Breach, Findings, Law};
use sketch::Sketch;
use ways::Way;

/// What came of a seed.
struct Outcome {
    seed: u64,
    text: String,
    way: Way,
    /// Why models were refused before there was one that is valid.
    refused: Vec<String>,
    findings: Findings,
}

/// The first valid model of a seed, and why those before it were none.
fn valid_model(dice: &mut Dice) -> (Sketch, String, Vec<String>) {
    let mut refused = Vec::new();
    loop {
        let sketch = Sketch::draw(dice);
        let text = sketch.text();
        match model::parse(&text, "random.toml", &[]) {
            Ok(model) => match has_room(&model) {
                Ok(()) => return (sketch, text, refused),
                Err(error) => refused.push(error.to_string()),
            },
            Err(faults) => refused.push(format!("{faults}\n{text}")),
        }
        assert!(refused.len() < 50, "no model is valid: {refused:?}");
    }
}

/// Whether every particle finds a place.
fn has_room(model: &Model) -> Result<(), PlacementError> {
    match model.space.dimension {
        1 => place::<1>(model).map(drop),
        2 => place::<2>(model).map(drop),
        _ => place::<3>(model).map(drop),
    }
}

fn model_with(text: &str, set: &[(String, String)]) -> Model {
    model::parse(text, "random.toml", set).unwrap_or_else(|faults| panic!("{set:?}: {faults}"))
}

/// Runs a model in a way; what it breaks thereby.
fn go(text: &str, way: &Way, out: &Path) -> Option<Breach> {
    let run = || {
        let later = [&way.later[..], &way.set[way.set.len() - 1..]].concat();
        way.go([&model_with(text, &way.set), &model_with(text, &later)], out)
    };
    let (law, what) = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => return None,
        Ok(Err(error @ RunError::SelfCheck { .. })) => (Law::SelfCheck, error.to_string()),
        Ok(Err(error)) => (Law::Ends, error.to_string()),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|said| (*said).to_owned()));
            (Law::Ends, format!("a panic: {}", said.unwrap_or_default()))
        }
    };
    Some(Breach { law, what })
}

/// Whether two runs of a model wrote the same; contacts only if both logged them all.
fn differ(a: &Path, b: &Path, with_contacts: bool) -> Option<Breach> {
    let [a, b] = [a, b].map(|path| analysis::open(path).unwrap());
    let found = analysis::compare(&a, &b, None).unwrap();
    let contacts = !with_contacts || found.contacts.is_equal();
    let same =
        found.frames.is_equal() && found.changes.is_equal() && contacts && found.others.is_empty();
    (!same).then(|| Breach { law: Law::SameBits, what: found.to_string() })
}

/// Draws a model, runs it in two ways, and holds it to the laws.
fn examine(seed: u64, folder: &Path) -> Outcome {
    let mut dice = Dice::new(seed);
    let (sketch, text, refused) = valid_model(&mut dice);
    let way = Way::draw(&mut dice, sketch.dimension, sketch.steps as u64);
    let [plain, other] = ["plain", "other"].map(|what| folder.join(format!("{seed}_{what}.h5md")));
    let failed = go(&text, &Way::plain(), &plain);
    let mut findings = match plain.exists() {
        true => laws::hold(&sketch, &Record::read(&plain, &sketch.edges)),
        false => Findings::default(),
    };
    let ran = failed.is_none();
    findings.breaches.extend(failed);
    let failed = go(&text, &way, &other);
    if ran && failed.is_none() {
        findings.breaches.extend(differ(&plain, &other, way.logs_all()));
    }
    findings.breaches.extend(failed);
    for path in [plain, other] {
        let _ = std::fs::remove_file(path);
    }
    Outcome { seed, text, way, refused, findings }
}

/// Examines seeds on two threads, beside one that watches whether any takes for ever.
fn examine_all(seeds: Range<u64>) -> Vec<Outcome> {
    let folder = tempfile::tempdir().unwrap();
    let next = AtomicU64::new(seeds.start);
    let (outcomes, under_way) = (Mutex::new(Vec::new()), Mutex::new(BTreeMap::new()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                break;
            }
            under_way.lock().unwrap().insert(seed, Instant::now());
            let outcome = examine(seed, folder.path());
            under_way.lock().unwrap().remove(&seed);
            outcomes.lock().unwrap().push(outcome);
        }
    };
    std::thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(20));
            let slow = under_way
                .lock()
                .unwrap()
                .iter()
                .find(|(_, begun)| begun.elapsed() > LONGEST)
                .map(|(seed, _)| *seed);
            if let Some(seed) = slow {
                give_up(seed);
            }
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap();
    outcomes.sort_by_key(|outcome: &Outcome| outcome.seed);
    outcomes
}

/// No model takes longer than this; most take a tenth of a second.
const LONGEST: Duration = Duration::from_secs(60);

/// Ends the program, since nothing else ends a step that never does.
fn give_up(seed: u64) -> ! {
    let (_, text, _) = valid_model(&mut Dice::new(seed));
    eprintln!("seed {seed} has not ended after {LONGEST:?}: {}", keep(seed, &text).display());
    std::process::exit(1);
}

/// Keeps a model for whoever wants to run it.
fn keep(seed: u64, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("random_models");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{seed}.toml"));
    std::fs::write(&path, text).unwrap();
    path
}

/// Keeps the models that break a law; says which and where they are.
fn complaints(outcomes: &[Outcome]) -> Vec<String> {
    let mut complaints = Vec::new();
    for Outcome { seed, text, way, findings, .. } in outcomes {
        if findings.breaches.is_empty() {
            continue;
        }
        let path = keep(*seed, text);
        let broken: Vec<String> =
            findings.breaches.iter().map(|breach| format!("  {breach}\n")).collect();
        complaints.push(format!("seed {seed}, {}\n  {way:?}\n{}", path.display(), broken.concat()));
    }
    complaints
}

fn hold(seeds: Range<u64>) {
    let begun = Instant::now();
    let outcomes = examine_all(seeds);
    let refused: usize = outcomes.iter().map(|outcome| outcome.refused.len()).sum();
    let drawn = outcomes.len() + refused;
    let sum = |of: fn(&Findings) -> usize| {
        outcomes.iter().map(|outcome| of(&outcome.findings)).sum::<usize>()
    };
    let [paths, reported, changes] = [sum(|f| f.paths[0]), sum(|f| f.paths[1]), sum(|f| f.changes)];
    let mut by_law: BTreeMap<Law, usize> = BTreeMap::new();
    for breach in outcomes.iter().flat_map(|outcome| &outcome.findings.breaches) {
        *by_law.entry(breach.law).or_default() += 1;
    }
    println!(
        "{} models ({refused} more were refused), {changes} changes, {paths} ways from frame to frame (in {reported} of \
         them a jump by an edge could be told); {:.1} s; broken: {by_law:?}",
        outcomes.len(),
        begun.elapsed().as_secs_f64()
    );
    if std::env::var("REFUSALS").is_ok() {
        outcomes
            .iter()
            .flat_map(|outcome| &outcome.refused)
            .for_each(|why| println!("REFUSED {why}"));
    }
    let complaints = complaints(&outcomes);
    assert!(
        complaints.is_empty(),
        "{} models break a law:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    assert!(5 * refused <= drawn, "{refused} of {drawn} models were refused");
    assert!(5 * reported >= 4 * paths, "a jump could be told in {reported} of {paths} ways only");
    assert!(changes >= 20 * outcomes.len(), "{changes} changes prove nothing");
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().unwrap())
}

#[test]
fn random_models_obey_the_laws() {
    let first = number("FIRST").unwrap_or(0);
    let usual = if cfg!(feature = "long") { 5000 } else { 60 };
    hold(first..first + number("MODELS").unwrap_or(usual));
}
