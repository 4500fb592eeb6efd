//! Laws over random models of every engine: a valid model runs to its end, to the same bits in every
//! way, also if it is killed or its disk is full in between, and what a Brownian one writes obeys laws that
//! are computed from the file.
//!
//! `MODELS=5000` and `FIRST=1000` choose which seeds; a model that breaks a law is kept in a folder
//! of the system for temporary files, which is named.

mod equilibria;
mod file;
mod kills;
mod laws;
mod sketch;
mod ways;

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use jostle::analysis;
use jostle::model::schema::Engine;
use jostle::model::{self, Model};
use jostle::run::checkpoint::Checkpoints;
use jostle::run::{Options, RunError, run};

use crate::program::nightly;
use crate::workers::{self, said_by};
use file::Record;
use jostle_lab::validate::random::Draws;
use laws::{Breach, Findings, Law};
use sketch::Draft;
use ways::Way;

/// What came of a seed.
struct Outcome {
    seed: u64,
    engine: Engine,
    text: String,
    way: Way,
    /// Why models were refused before there was one that is valid.
    refused: Vec<String>,
    findings: Findings,
}

/// The first valid model of a seed, and why those before it were none.
fn valid_model(engine: Engine, dice: &mut Draws) -> (Draft, Vec<String>) {
    let mut refused = Vec::new();
    loop {
        let draft = Draft::draw(engine, dice);
        match model::parse(&draft.text, "random.toml", &[]) {
            Ok(model) => match placed(&model) {
                Ok(()) => return (draft, refused),
                Err(error) => refused.push(error),
            },
            Err(faults) => refused.push(format!("{faults}\n{}", draft.text)),
        }
        assert!(refused.len() < 50, "no model is valid: {refused:?}");
    }
}

/// Whether every particle finds a place: the model is started, and stopped at once.
fn placed(model: &Model) -> Result<(), String> {
    let options = Options {
        out: None,
        force: false,
        self_check: false,
        stop: &AtomicBool::new(true),
        progress: &mut |_| (),
        checkpoints: Checkpoints::default(),
    };
    match run(model, options) {
        Err(RunError::Placement(error)) => Err(error.to_string()),
        // Another error is a breach, which the run shows again.
        _ => Ok(()),
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
        Err(panic) => (Law::Ends, format!("a panic: {}", said_by(&*panic))),
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
fn examine(engine: Engine, seed: u64, folder: &Path) -> Outcome {
    let mut dice = Draws::new(seed);
    let (Draft { text, choices, sketch }, refused) = valid_model(engine, &mut dice);
    let way = Way::draw(&mut dice, choices, model_with(&text, &[]).run.steps);
    let [plain, other] = ["plain", "other"].map(|what| folder.join(format!("{seed}_{what}.h5md")));
    let failed = go(&text, &Way::plain(choices), &plain);
    let mut findings = match &sketch {
        Some(sketch) if plain.exists() => laws::hold(sketch, &Record::read(&plain, &sketch.edges)),
        _ => Findings::default(),
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
    Outcome { seed, engine, text, way, refused, findings }
}

/// Examines seeds on all cores, beside a thread that watches whether any takes for ever.
fn examine_all(seeds: Range<u64>, engine_of: fn(u64) -> Engine) -> Vec<Outcome> {
    let folder = tempfile::tempdir().unwrap();
    let outcomes = Mutex::new(Vec::new());
    let under_way: Mutex<BTreeMap<u64, Instant>> = Mutex::default();
    let examine_one = |seed| {
        under_way.lock().unwrap().insert(seed, Instant::now());
        let outcome = examine(engine_of(seed), seed, folder.path());
        under_way.lock().unwrap().remove(&seed);
        outcomes.lock().unwrap().push(outcome);
    };
    std::thread::scope(|scope| {
        let all = scope.spawn(|| workers::for_each(seeds, examine_one));
        while !all.is_finished() {
            std::thread::sleep(Duration::from_millis(20));
            let under_way = under_way.lock().unwrap();
            let slow = under_way.iter().find(|(_, begun)| begun.elapsed() > LONGEST);
            if let Some((&seed, _)) = slow {
                give_up(engine_of(seed), seed);
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
fn give_up(engine: Engine, seed: u64) -> ! {
    let (draft, _) = valid_model(engine, &mut Draws::new(seed));
    let path = keep(engine, seed, &draft.text);
    eprintln!("seed {seed} has not ended after {LONGEST:?}: {}", path.display());
    std::process::exit(1);
}

/// Keeps a model that broke a law, so that it can be run again.
fn keep(engine: Engine, seed: u64, text: &str) -> PathBuf {
    keep_as(&format!("{}_{seed}", engine.name()), text)
}

/// Keeps a model under this name, in the folder of those that broke a law.
fn keep_as(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("random_models");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.toml"));
    std::fs::write(&path, text).unwrap();
    path
}

/// Keeps the models that break a law; says which and where they are.
fn complaints(outcomes: &[Outcome]) -> Vec<String> {
    let mut complaints = Vec::new();
    for Outcome { seed, engine, text, way, findings, .. } in outcomes {
        if findings.breaches.is_empty() {
            continue;
        }
        let path = keep(*engine, *seed, text);
        let broken: Vec<String> =
            findings.breaches.iter().map(|breach| format!("  {breach}\n")).collect();
        complaints.push(format!("seed {seed}, {}\n  {way:?}\n{}", path.display(), broken.concat()));
    }
    complaints
}

/// Holds models to the laws. What was found of all of them.
fn hold(seeds: Range<u64>, engine_of: fn(u64) -> Engine) -> Findings {
    let begun = Instant::now();
    let outcomes = examine_all(seeds, engine_of);
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
    let mut by_engine: BTreeMap<&str, usize> = BTreeMap::new();
    outcomes.iter().for_each(|one| *by_engine.entry(one.engine.name()).or_default() += 1);
    println!(
        "{} models {by_engine:?} ({refused} more were refused), {changes} changes, {paths} ways from frame to frame (in \
         {reported} of them a jump by an edge could be told); {:.1} s; broken: {by_law:?}",
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
    assert!(4 * refused <= drawn, "{refused} of {drawn} models were refused");
    Findings { breaches: Vec::new(), paths: [paths, reported], changes }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().unwrap())
}

/// The seeds that are asked for, or the usual ones: ten times as many in `make nightly`, `long` with
/// the feature of this name.
pub(crate) fn seeds(usual: u64, long: u64) -> Range<u64> {
    let usual = if cfg!(feature = "long") { long } else { usual * if nightly() { 10 } else { 1 } };
    let first = number("FIRST").unwrap_or(0);
    first..first + number("MODELS").unwrap_or(usual)
}

#[test]
fn random_models_obey_the_laws() {
    let seeds = seeds(20, 5000);
    let models = seeds.end - seeds.start;
    let Findings { paths: [paths, reported], changes, .. } = hold(seeds, |_| Engine::Brownian);
    assert!(5 * reported >= 4 * paths, "a jump could be told in {reported} of {paths} ways only");
    assert!(changes as u64 >= 20 * models, "{changes} changes prove nothing");
}

#[test]
fn random_models_with_momentum_run_to_the_same_bits_in_every_way() {
    let engine_of = |seed| [Engine::Granular, Engine::Gas, Engine::Polygons][seed as usize % 3];
    hold(seeds(9, 3000), engine_of);
}
