//! A match on what rules do names all of them, so that a new rule does not compile before all places
//! that have to deal with it do.

use super::assert_none;
use super::source::{File, files};

/// What rules do.
const ACTIONS: [&str; 3] = ["Action::", "TimedAction::", "ScheduledAction::"];

/// Who may leave some out: rules themselves, which answer for all, the reader, which makes them of
/// words, and the clock, which hands on what is not its own.
const EXEMPT: &[&str] =
    &["crates/core/src/rules/", "crates/model/src/file/", "crates/brownian/src/settle.rs"];

/// Whether a line is an arm of a match on an action; in `Some` or not.
fn is_arm(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches("| ").trim_start_matches("Some(");
    let line = line.trim_start_matches('&');
    ACTIONS.iter().any(|action| line.starts_with(action))
}

/// Whether a line is an arm for all others.
fn is_rest(line: &str) -> bool {
    line.starts_with("_ =>") || line.starts_with("_ if ")
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Lines with an arm for all others in a match that names actions.
fn rests(lines: &[String]) -> Vec<usize> {
    let mut found = Vec::new();
    for (n, line) in lines.iter().enumerate().filter(|(_, line)| is_arm(line)) {
        let depth_of_arm = depth(line);
        let inside =
            |(_, line): &(usize, &String)| line.trim().is_empty() || depth(line) >= depth_of_arm;
        let after = lines.iter().enumerate().skip(n + 1).take_while(inside);
        let mut rest =
            after.filter(|(_, line)| depth(line) == depth_of_arm && is_rest(line.trim_start()));
        found.extend(rest.next().map(|(rest, _)| rest));
    }
    found.dedup();
    found
}

#[test]
fn every_place_that_deals_with_rules_names_all_of_them() {
    let is_meant = |file: &&File| {
        let path = file.path.display().to_string();
        let is_test = file.path.iter().any(|part| part == "tests") || path.ends_with("tests.rs");
        file.house().is_some() && !is_test && !EXEMPT.iter().any(|start| path.starts_with(start))
    };
    let mut faults = Vec::new();
    for file in files().iter().filter(is_meant) {
        for line in rests(&file.code[..file.tests_begin()]) {
            let what = "name all actions, or ask `Action::effect` or a method of `TimedAction`, so that the compiler \
                        shows this place when a rule is added";
            faults.push(file.at(line, what));
        }
    }
    assert_none(&faults);
}

#[test]
fn a_rest_is_seen() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let some = lines("match action {\n    Action::Bond => {\n        x\n    }\n    _ => {}\n}");
    assert_eq!(rests(&some), [4]);
    let all = lines(
        "match action {\n    Action::Bond => {\n        match y {\n            _ => 1\n        }\n    }\n}",
    );
    assert_eq!(rests(&all), [0; 0]);
}
