//! `jostle validate`: theory stands, and the program says so in every form.

use std::collections::BTreeSet;

use jostle_lab::validate::{
    BOUND, Check, Effort, MOST_FINDINGS, Outcome, Statistic, Suite, checks,
};

use crate::program::{folder, jostle, nightly};

/// Checks that take longer than this are left to `make nightly`: 11 of 77, with half of the time of all. By
/// day, `tests/brownian` and `tests/engines` measure the same laws with fewer samples, and so do
/// `random_equilibria` and `random_rates` of `tests/runs`. \[s\]
const LONGEST_BY_DAY: f64 = 6.9;

/// The quick suite with a fixed seed, but for the tables of the shaker, which
/// `reproduce::the_tables_of_the_shaker_come_out` compares. Each finding that chance decides fails
/// once in a million seeds.
#[test]
fn theory_stands_in_every_check() {
    let here = |check: &Check| {
        let is_now = nightly() || check.seconds <= LONGEST_BY_DAY;
        check.quick && check.name != "text-shaker" && is_now
    };
    let quick: Vec<_> = checks().into_iter().filter(here).collect();
    assert!(quick.len() > 60, "{}", quick.len());
    let threads = std::thread::available_parallelism().map_or(1, Into::into);
    let said = |outcome: &Outcome| {
        let Outcome { check, seconds, .. } = outcome;
        println!(
            "{}: {}, largest |z| {:.2}, {seconds:.1} s",
            check.name,
            outcome.verdict().name(),
            outcome.largest_z()
        );
    };
    let suite = Suite::run(&quick, Effort::Quick, 1, threads, &said);
    for outcome in &suite.outcomes {
        assert_eq!(outcome.error, None, "{}", outcome.check.name);
        for finding in &outcome.findings.findings {
            assert!(finding.holds(), "{}: {finding:?}", outcome.check.name);
        }
    }
    assert!(suite.holds() && suite.by_chance() > 100 && suite.by_chance() <= MOST_FINDINGS);
    assert!(suite.false_alarm_rate() <= 1e-3);
}

#[test]
fn every_check_says_what_it_is_about_and_has_a_name_of_its_own() {
    let all = checks();
    let names: BTreeSet<_> = all.iter().map(|check| check.name).collect();
    assert_eq!(names.len(), all.len());
    for check in &all {
        assert!(
            check.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
            "{}",
            check.name
        );
        for text in [check.title, check.theory, check.source] {
            assert!(text.len() >= 5 && !text.ends_with('.'), "{}: {text}", check.name);
        }
        assert!(check.seconds > 0.0);
    }
}

/// A text without its line breaks.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_program_says_what_it_found_as_text_as_json_and_on_a_page() {
    let dir = folder();
    let text = jostle(dir.path(), &["validate", "--only", "free-motion", "--html", "page.html"])
        .succeeds();
    for word in [
        "free-motion",
        "holds",
        "2 D t",
        "Berg",
        "chi squared",
        "a million seeds",
        "The check holds.",
    ] {
        assert!(words(&text.out).contains(word), "no {word:?}\n{}", text.out);
    }
    assert!(text.out.lines().all(|line| line.chars().count() <= 100), "{}", text.out);
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    for word in [
        "<!DOCTYPE html>",
        "id=\"free-motion\"",
        "<svg role=\"img\"",
        "Theory stands in every check.",
    ] {
        assert!(page.contains(word), "no {word:?}");
    }
    assert!(!page.contains("{{") && !page.contains("NaN"), "{page}");
    let json = jostle(
        dir.path(),
        &["validate", "--only", "free-motion", "--seed", "18446744073709551615", "--json"],
    );
    let value: serde_json::Value = serde_json::from_str(&json.succeeds().out).unwrap();
    assert_eq!(value["holds"], true);
    let findings = value["checks"][0]["findings"].as_array().unwrap();
    assert!(findings.iter().all(|finding| finding["z"].as_f64().unwrap().abs() < BOUND));
    assert!(findings.iter().all(|finding| finding["samples"].as_u64().unwrap() >= 500));
}

#[test]
fn checks_are_chosen_by_name_or_engine_and_unknown_ones_are_refused() {
    let dir = folder();
    let listed = jostle(dir.path(), &["validate", "--list", "--only", "texts"]).succeeds().out;
    assert!(listed.contains("text-shaker") && !listed.contains("free-motion"), "{listed}");
    let all = jostle(dir.path(), &["validate", "--list"]).succeeds().out;
    assert!(all.lines().all(|line| line.chars().count() <= 100), "{all}");
    let unwrapped = words(&all);
    assert!(
        checks()
            .iter()
            .all(|check| all.contains(check.name) && unwrapped.contains(&words(check.source)))
    );
    let wrong = jostle(dir.path(), &["validate", "--only", "free-motoin"]);
    assert!(wrong.fails().contains("did you mean free-motion?"), "{wrong:?}");
    std::fs::write(dir.path().join("page.html"), "mine").unwrap();
    let kept = jostle(dir.path(), &["validate", "--only", "free-motion", "--html", "page.html"]);
    assert!(kept.fails().contains("--force"), "{kept:?}");
    assert_eq!(std::fs::read_to_string(dir.path().join("page.html")).unwrap(), "mine");
}

/// What a check finds depends neither on the other checks nor on the number of threads.
#[test]
fn the_same_seed_gives_the_same_findings_whatever_runs_beside() {
    let named = |name: &str| checks().into_iter().find(|check| check.name == name).unwrap();
    let alone = Suite::run(&[named("free-motion")], Effort::Quick, 5, 1, &|_| ());
    let beside =
        Suite::run(&[named("text-polygons"), named("free-motion")], Effort::Quick, 5, 2, &|_| ());
    assert_eq!(alone.outcomes[0].findings, beside.outcomes[1].findings);
    let other = Suite::run(&[named("free-motion")], Effort::Quick, 6, 1, &|_| ());
    assert_ne!(alone.outcomes[0].findings, other.outcomes[0].findings);
    let exact = |outcome: &Outcome| {
        outcome.findings.findings.iter().all(|f| matches!(f.statistic, Statistic::Exact { .. }))
    };
    assert!(exact(&beside.outcomes[0]) && !exact(&beside.outcomes[1]));
}
