//! Rates, transitions, survival.

use jostle::analysis::{self, Order, Scope};
use serde_json::json;

use super::worlds::{BINDING, BOUND, CHAINS, checked_by_python, curve, everything, made};

#[test]
fn the_log_of_changes_gives_the_rates_that_a_replay_in_python_gives() {
    for (text, from, to) in
        [(CHAINS, None, None), (CHAINS, Some(500.0), Some(3100.0)), (BINDING, None, Some(150.0))]
    {
        let (_dir, path) = made(text, &[]);
        let reading = analysis::open(&path).unwrap();
        let scope = Scope { from, to, ..Scope::default() };
        let rates = analysis::rates(&reading, &scope, 5).unwrap();
        let rate = |one: &analysis::Rate| {
            let bins = one.bins.iter().map(|bin| json!([bin.rate.events, bin.rate.exposure]));
            json!({ "rule": one.rule, "of": one.of, "events": one.rate.events, "exposure": one.rate.exposure,
                    "rate": one.rate.rate(), "interval": one.rate.interval(), "bins": bins.collect::<Vec<_>>() })
        };
        let transitions = analysis::transitions(&reading, &scope).unwrap();
        let entry =
            |one: &analysis::Transition| json!([one.from, one.to, one.rate.events, one.rate.exposure]);
        let survival = analysis::survival(&reading, &scope, None).unwrap();
        let lifetimes = analysis::lifetimes(&reading, &scope, None).unwrap();
        let told = json!({
            "from": from, "to": to,
            "rates": rates.entries.iter().map(rate).collect::<Vec<_>>(),
            "transitions": transitions.entries.iter().map(entry).collect::<Vec<_>>(),
            "survival": survival.entries.iter().map(|one| json!([one.of, curve(&one.curve)])).collect::<Vec<_>>(),
            "lifetimes": lifetimes.sizes.iter().map(|one| json!([one.size, curve(&one.curve)])).collect::<Vec<_>>(),
        });
        checked_by_python("kinetics", &path, &told);
    }
}

/// Some hundred events of each kind; k of unbinding and of first-order rules are those of the model.
#[test]
fn first_order_rates_are_those_of_the_model() {
    let (_dir, path) = made(CHAINS, &[]);
    let rates = analysis::rates(&analysis::open(&path).unwrap(), &everything(), 10).unwrap();
    let mut seen = 0;
    for one in &rates.entries {
        // [1/µs], [1/(nm² µs)]
        let expected = match (one.rule.as_str(), one.order) {
            ("switch_on" | "switch_off", Order::First) => 0.5e-3,
            ("decay", Order::First) => 0.02e-3,
            ("make", Order::Zeroth) => 50e-9,
            _ => continue,
        };
        let error = (expected / one.rate.exposure).sqrt();
        assert!((one.rate.rate() - expected).abs() < BOUND * error, "{one:?}");
        seen += one.rate.events;
    }
    assert!(seen > 200, "{seen}");

    // Unbinding is corrected for what rebinds at once: k_d p k_c/k_a, as `check` prints; the ratio of
    // both constants, measured, is that of the model at equilibrium.
    let (_dir, path) = made(BINDING, &[("run.steps", "60000"), ("output.log", "none")]);
    let scope = Scope { from: Some(100.0), ..Scope::default() };
    let rates = analysis::rates(&analysis::open(&path).unwrap(), &scope, 10).unwrap();
    let of = |rule: &str| rates.entries.iter().find(|one| one.rule == rule).unwrap();
    let (on, off) = (of("bind"), of("bind_unbind"));
    assert!(on.rate.events > 800 && (on.of.as_str(), off.of.as_str()) == ("A + B", "C"), "{on:?}");
    let ratio = on.rate.rate() / off.rate.rate();
    // Room for centres is less than the box: 2 nm less along y for A, 3 nm for B, 3.2 nm for C; the
    // log's exposure is by the whole box. Both directions together decide the error.
    let room = (60.0 - 2.0) * (60.0 - 3.0) / 60.0 / (60.0 - 2.0 * libm::cbrt(1.0 + 1.5f64.powi(3)));
    let expected = 200.0 / 0.1 / room;
    let error = expected * (2.0 / on.rate.events as f64).sqrt();
    assert!((ratio - expected).abs() < BOUND * error + 0.05 * expected, "{ratio} for {expected}, {error}");
}
