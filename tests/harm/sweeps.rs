//! Hostile sweeps: their files, and the folders of those that others have run.

use std::fs;
use std::path::Path;

use jostle::model;
use jostle::sweep::{self, Outcome, Physics, Plan, PlanError, State};
use serde_json::Value;

use super::choices::Choices;
use super::damage::NAMES;
use super::place;

/// What a sweep file names.
const MODEL: &str = "[space]\ndimension = 3\nedges = '100 nm'\n[run]\ntimestep = '1 us'\nsteps = 10\n\
    [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '1 um^2/s'\ncount = 5\n\
    [[rule]]\nname = 'react'\non = ['A', 'A']\ndo = 'ignore'\n";
const DESIGN: &str = "species.A.count,run.timestep\n5,1 us\n10,2 us\n";

/// Larger sweeps are planned, but not written.
const MOST_POINTS: usize = 200;

/// Reads a sweep file; what is accepted is frozen, and its plan is one that can be opened.
pub fn file(bytes: &[u8]) {
    let dir = place();
    let at = |name: &str| dir.path().join(name);
    for (name, text) in [("model.toml", MODEL), ("design.csv", DESIGN)] {
        fs::write(at(name), text).expect("the folder can be written to");
    }
    fs::write(at("hostile.sweep.toml"), bytes).expect("the folder can be written to");
    let read = match sweep::read(&at("hostile.sweep.toml")) {
        Ok(read) => read,
        // The fault may be in another file of the folder, a table of points.
        Err(fault) => return assert!(Path::new(&fault.name).starts_with(dir.path()), "{fault}"),
    };
    for point in read.points.iter().take(3) {
        assert!(point.as_options().len() < 1 << 20);
        // What it sets may be wrong, and that is told.
        if let Err(faults) = model::load(&at("model.toml"), &point.values) {
            assert!(!faults.list.is_empty());
        }
    }
    if read.points.len() > MOST_POINTS {
        return;
    }
    let physics = Physics { stream: 1, physics: 1 };
    let folder = at("folder");
    let frozen = Plan::freeze(&read, &at("model.toml"), &[], ("0", physics), &folder);
    let frozen = frozen.unwrap_or_else(|error| panic!("{error}"));
    match Plan::open(&folder) {
        Ok(opened) => assert_eq!(opened, frozen),
        Err(error) => panic!("{error}"),
    }
    let last = frozen.member(frozen.member_count() - 1);
    assert_eq!(frozen.task_of(frozen.member_count() - 1), frozen.task_count() - 1);
    assert_eq!(frozen.members_at(last.point).count(), frozen.replicas_of(last.point) as usize);
}

/// What comes between the files of a folder: the plan, then the results of its tasks.
const BETWEEN: &str = "\n===\n";

/// A folder as it should be.
const GOOD: &str = include_str!("../../fuzz/corpus/sweep_folders/good");

/// Opens a folder, and asks everything of it. Bytes that begin as a plan does are its files; others are
/// choices of what is damaged in a good one.
pub fn folder(bytes: &[u8]) {
    let dir = place();
    let text = match bytes.first() {
        Some(b'{') => String::from_utf8_lossy(bytes).into_owned(),
        _ => damaged(&mut Choices::of(bytes)),
    };
    lay_out(dir.path(), &text);
    if let Err(error) = ask(dir.path()) {
        assert!(!error.to_string().is_empty());
    }
}

/// Whether a folder as it should be answers every question.
pub fn good_folder_answers() {
    let dir = place();
    lay_out(dir.path(), GOOD);
    let answered = ask(dir.path()).unwrap_or_else(|error| panic!("{error}"));
    assert!(answered >= 4, "{answered} tables");
}

fn lay_out(folder: &Path, text: &str) {
    let results = folder.join("results/000");
    for path in [&results, &folder.join("model")] {
        fs::create_dir_all(path).expect("the folder can be written to");
    }
    let [plan, tasks @ ..] = &text.split(BETWEEN).collect::<Vec<_>>()[..] else { return };
    let write =
        |path: &Path, text: &str| fs::write(path, text).expect("the folder can be written to");
    write(&folder.join("plan.json"), plan);
    write(&folder.join("model/model.toml"), MODEL);
    for (number, text) in tasks.iter().enumerate().take(20) {
        write(&results.join(format!("{number:06}.json")), text);
    }
}

/// A good folder in which values are others, or are gone.
fn damaged(choices: &mut Choices<'_>) -> String {
    let mut files: Vec<Value> =
        GOOD.split(BETWEEN).map(|text| serde_json::from_str(text).expect("it is good")).collect();
    while !choices.is_over() {
        let at = choices.below(files.len());
        harm(&mut files[at], choices, 0);
    }
    files.iter().map(Value::to_string).collect::<Vec<_>>().join(BETWEEN)
}

/// Goes down into a value, and does harm where it stops.
fn harm(value: &mut Value, choices: &mut Choices<'_>, depth: usize) {
    let stops = choices.byte().is_multiple_of(8) && depth > 0;
    match value {
        Value::Array(list) if !list.is_empty() && !stops => {
            let at = choices.below(list.len());
            match choices.byte() % 12 {
                0 => drop(list.remove(at)),
                1 => list.push(list[at].clone()),
                _ => harm(&mut list[at], choices, depth + 1),
            }
        }
        Value::Object(table) if !table.is_empty() && !stops => {
            let keys: Vec<String> = table.keys().cloned().collect();
            let key = &keys[choices.below(keys.len())];
            match choices.byte() % 16 {
                0 => drop(table.remove(key)),
                _ => harm(&mut table[key], choices, depth + 1),
            }
        }
        value => *value = hostile(choices),
    }
}

fn hostile(choices: &mut Choices<'_>) -> Value {
    const NUMBERS: [f64; 10] = [0.0, -0.0, 1.0, -1.0, 0.5, 1e300, -1e300, 1e-300, 1e18, f64::MAX];
    const INTEGERS: [u64; 9] =
        [0, 1, 2, 7, 255, u32::MAX as u64, 1 << 53, i64::MAX as u64, u64::MAX];
    const WORDS: [&str; 8] = ["nan", "inf", "-inf", "counts", "A", "1 s", "../../x", "/etc/passwd"];
    match choices.byte() % 8 {
        0 => Value::Null,
        1 => Value::Bool(choices.byte().is_multiple_of(2)),
        2 => Value::from(choices.one_of(&NUMBERS)),
        3 => Value::from(choices.one_of(&INTEGERS)),
        4 => Value::from(choices.one_of(&NAMES)),
        5 => Value::from(choices.one_of(&WORDS)),
        6 => Value::Array(
            (0..choices.below(4)).map(|_| Value::from(choices.one_of(&NUMBERS))).collect(),
        ),
        _ => Value::Object(serde_json::Map::new()),
    }
}

/// Asks what commands ask of a folder. How many tables came of it.
fn ask(folder: &Path) -> Result<usize, PlanError> {
    let plan = Plan::open(folder)?;
    let state = State::of(&plan, folder);
    let missing = sweep::missing(&plan, folder);
    sweep::as_ranges(&missing);
    let model = plan.model(folder);
    assert!(model.starts_with(folder), "{} is not in the folder", model.display());
    for point in plan.points().iter().take(50) {
        point.as_options();
    }
    if plan.member_count() > 0 {
        let member = plan.member(plan.member_count() - 1);
        let kept = plan.kept_path(folder, member);
        assert!(kept.starts_with(folder), "{}", kept.display());
    }
    if let Some(precision) = &plan.precision {
        let _ = sweep::lacking(&plan, folder, precision);
    }
    let mut names: Vec<String> = Vec::new();
    let mut failure = state.err();
    for task in 0..plan.task_count().min(50) {
        match sweep::read_task(&plan, folder, task) {
            Ok(members) => {
                let outcomes = members.iter().flatten().map(|member| &member.outcome);
                for outcome in outcomes {
                    let Outcome::Tables(tables) = outcome else { continue };
                    for table in tables {
                        let text = table.to_table().to_string();
                        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
                        names.push(table.name.clone());
                    }
                }
            }
            Err(error) => failure = Some(error),
        }
    }
    names.sort();
    names.dedup();
    names.truncate(20);
    let mut tables = 0;
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    for against in [None, Some(0)] {
        let Ok(all) = sweep::merge_all(&plan, folder, &words, against) else { continue };
        for merged in all.iter().flatten() {
            merged.to_table(&plan);
            merged.to_short_table(&plan);
            tables += 1;
        }
    }
    for name in words {
        if let Ok(all) = sweep::of_replicas(&plan, folder, name) {
            all.to_table(&plan);
            tables += 1;
        }
    }
    failure.map_or(Ok(tables), Err)
}
