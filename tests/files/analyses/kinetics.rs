//! Rates, transitions, survival.

use jostle::analysis::{self, Order, Scope};
use std::collections::{BTreeMap, BTreeSet};

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
        let entry = |one: &analysis::Transition| {
            json!([one.from, one.to, one.rate.events, one.rate.exposure])
        };
        let survival = analysis::survival(&reading, &scope, None).unwrap();
        let lifetimes = analysis::lifetimes(&reading, &scope, None).unwrap();
        let reported = json!({
            "from": from, "to": to,
            "rates": rates.entries.iter().map(rate).collect::<Vec<_>>(),
            "transitions": transitions.entries.iter().map(entry).collect::<Vec<_>>(),
            "survival": survival.entries.iter().map(|one| json!([one.of, curve(&one.curve)])).collect::<Vec<_>>(),
            "lifetimes": lifetimes.sizes.iter().map(|one| json!([one.size, curve(&one.curve)])).collect::<Vec<_>>(),
        });
        checked_by_python("kinetics", &path, &reported);
    }
}

/// Some hundred events of each kind; k of unbinding and of first-order rules are those of the
/// model.
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

    // Unbinding is corrected for what rebinds at once: k_d p k_c/k_a, as `check` prints; the ratio
    // of both constants, measured, is that of the model at equilibrium.
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
    assert!(
        (ratio - expected).abs() < BOUND * error + 0.05 * expected,
        "{ratio} for {expected}, {error}"
    );
}

/// Particles with two states of different radius that bind, by bonds and into one.
const CHANGING: &str = r#"
[space]
dimension = 3
edges = "16 nm"
[run]
timestep = "5 ns"
steps = 2000
seed = 2
[[species]]
name = "A"
states = ["x", "y"]
state = { y = { radius = "1.4 nm" } }
radius = "1.2 nm"
diffusion = "10 um^2/s"
count = 12
[[species]]
name = "B"
radius = "1.1 nm"
diffusion = "10 um^2/s"
count = 6
[[rule]]
name = "aa"
do = "bind"
merge = "bond"
on = ["A", "A"]
probability = 0.3
max_bonds = 1
unbind = "0.5 /us"
[[rule]]
name = "ab"
do = "bind"
merge = "coalesce"
on = ["A{x}", "B"]
product = "A{x}"
probability = 0.3
unbind = "1 /us"
[[rule]]
name = "xy"
do = "convert"
on = "A{x}"
products = ["A{y}"]
rate = "2 /us"
[[rule]]
name = "yx"
do = "convert"
on = "A{y}"
products = ["A{x}"]
rate = "2 /us"
[output]
frame_every = 5
"#;

/// Clusters, bonds, species and how many particles each is: what each frame shows is what the log
/// has led to by then.
#[test]
fn every_frame_shows_what_a_replay_of_the_log_gives() {
    let (_dir, path) = made(CHANGING, &[]);
    let reading = analysis::open(&path).unwrap();
    let (species, slots) = (reading.slot_species().unwrap(), 0..reading.slots());
    let (mut bonds, mut coalesced) = (0, 0);
    for (frame, &step) in reading.steps().unwrap().iter().enumerate() {
        let log = analysis::replay(&reading, step as u64).unwrap();
        let data = reading.frame_data(frame..frame + 1, slots.clone()).unwrap();
        let there = || slots.clone().filter(|&slot| data.id[[0, slot]] >= 0);
        let id = |slot: usize| data.id[[0, slot]] as u64;
        let clusters: BTreeMap<u64, u64> =
            there().map(|n| (id(n), data.cluster[[0, n]] as u64)).collect();
        assert_eq!(&clusters, log.cluster_of(), "frame {frame}");
        let kinds: BTreeMap<u64, (i32, u32)> =
            there().map(|n| (id(n), (species[n], data.coalesced[[0, n]].max(1) as u32))).collect();
        assert_eq!(&kinds, log.species_of(), "frame {frame}");
        let shown: BTreeSet<[u64; 2]> = reading
            .bonds(frame)
            .unwrap()
            .into_iter()
            .map(|pair| {
                let mut ids = pair.map(|slot| id(slot as usize));
                ids.sort_unstable();
                ids
            })
            .collect();
        let reported: BTreeSet<[u64; 2]> = log.bonds().collect();
        assert_eq!(shown, reported, "frame {frame}");
        bonds += reported.len();
        coalesced += kinds.values().filter(|kind| kind.1 > 1).count();
    }
    assert!(bonds > 100 && coalesced > 100, "{bonds} bonds, {coalesced} coalesced");
}
