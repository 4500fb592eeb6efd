//! Every question to which engines have different answers is one `match` that names all of them, so
//! that a new engine does not compile before it has answered them all.

use super::assert_none;
use super::source::{File, files};

/// The variants of `model::EngineModel`.
const ENGINES: [&str; 4] = ["Brownian", "Granular", "Polygons", "Gas"];

/// The questions, by the file that answers them: one `match` each.
const QUESTIONS: &[(&str, &str)] = &[
    ("crates/model/src/check/mod.rs", "what is wrong with a model"),
    ("crates/model/src/warnings/mod.rs", "what looks wrong"),
    ("crates/model/src/file/resolved/mod.rs", "how a model is written out in full"),
    ("crates/model/src/placement/mod.rs", "where its particles are at the start"),
    ("crates/run/src/start.rs", "what runs it"),
    ("crates/run/src/brownian/mod.rs", "what the stepped engine makes of it"),
    ("crates/run/src/check/first_steps.rs", "what its first steps show"),
    ("crates/run/src/memory.rs", "how much memory a particle takes"),
    ("crates/run/src/check/mod.rs", "what is said of it before it runs"),
    ("src/cli/sweep/replicas.rs", "what is measured of its replicas"),
    ("crates/lab/src/converge/mod.rs", "whether time steps can be compared"),
];

/// Small ones stand with the enum itself, as methods.
const HOME: &str = "crates/model/src/engine.rs";

/// Where models are made.
const READERS: &str = "crates/model/src/file/";

/// The lines of a file before its tests.
fn lines(file: &File) -> impl Iterator<Item = (usize, &str)> {
    file.code.iter().map(String::as_str).enumerate().take(file.tests_begin())
}

/// Whether a file is one of the program, or of the crates that it is made of.
fn is_production(file: &File) -> bool {
    file.path.starts_with("src") || file.path.starts_with("crates")
}

/// Whether a line is an arm of a `match` on the engine.
fn is_arm(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("EngineModel::") || line.starts_with("| EngineModel::")
}

#[test]
fn the_engines_here_are_those_of_the_model() {
    let home =
        files().into_iter().find(|file| file.path.ends_with(HOME)).expect("there is the enum");
    let variant = |line: &&str| line.starts_with("    ") && line.trim_end().ends_with(">),");
    let all: Vec<_> = home.code.iter().map(String::as_str).filter(variant).collect();
    let names: Vec<_> =
        all.iter().map(|line| line.trim().split('(').next().unwrap_or_default()).collect();
    assert_eq!(names, ENGINES);
}

#[test]
fn engines_are_distinguished_by_one_match_for_each_question() {
    let mut faults = Vec::new();
    for file in files().iter().filter(|file| is_production(file)) {
        let path = file.path.display().to_string();
        let is_known = QUESTIONS.iter().any(|(known, _)| *known == path);
        for (n, line) in lines(file).filter(|(_, line)| line.contains("EngineModel::")) {
            let allowed = path == HOME || (is_known && is_arm(line)) || path.starts_with(READERS);
            if !allowed && !line.trim_start().starts_with("use ") {
                let what = "ask a method of EngineModel, or make this question one `match` in QUESTIONS of \
                            tests/tidy/engines.rs";
                faults.push(file.at(n, what));
            }
        }
        if !is_known {
            continue;
        }
        for engine in ENGINES {
            let name = format!("EngineModel::{engine}(");
            let times = lines(file).map(|(_, line)| line.matches(&name).count()).sum::<usize>();
            if times != 1 {
                faults.push(file.at(0, &format!("`{engine}` answers {times} times, and not once")));
            }
        }
    }
    for (path, question) in QUESTIONS {
        if !files().iter().any(|file| file.path.display().to_string() == *path) {
            faults.push(format!("{path}: this is to say {question}, but is not there"));
        }
    }
    assert_none(&faults);
}

/// No arm for all the rest, which a new engine would fall into.
#[test]
fn no_engine_is_among_all_others() {
    let mut faults = Vec::new();
    for file in files().iter().filter(|file| is_production(file)) {
        let arms: Vec<usize> =
            lines(file).filter(|(_, line)| is_arm(line)).map(|(n, _)| n).collect();
        let indent = |line: &str| line.len() - line.trim_start().len();
        for &arm in &arms {
            let depth = indent(&file.code[arm]);
            let block = lines(file)
                .skip(arm)
                .take_while(|(_, line)| line.trim().is_empty() || indent(line) >= depth);
            let rest = |(_, line): &(usize, &str)| {
                indent(line) == depth && line.trim_start().starts_with("_ ")
            };
            faults
                .extend(block.filter(rest).map(|(n, _)| file.at(n, "name the engines one by one")));
        }
        if file.path.ends_with(HOME) {
            let rest =
                |(_, line): &(usize, &str)| line.contains("_ =>") || line.contains("matches!");
            faults.extend(
                lines(file).filter(rest).map(|(n, _)| file.at(n, "name the engines one by one")),
            );
        }
    }
    assert_none(&faults);
}
