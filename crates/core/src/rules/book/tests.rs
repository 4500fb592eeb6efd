//! Decisions, conditions and rates as they should come out.

use super::*;
use crate::rules::rates::ReactingPair;
use crate::species::Drift;

const ALONE: [Standing; 2] = [Standing::ALONE; 2];

fn species(count: usize) -> Vec<Species> {
    let kind = |n| Species {
        name: format!("S{n}"),
        radius: Some(1.0),
        diffusion_coefficient: Some(5.0),
        drift: Drift::Still,
    };
    (0..count).map(kind).collect()
}

fn bind(k_a: f64) -> ContactRule {
    ContactRule::bond("bind", [0, 1], Chance::Intrinsic(k_a))
}

fn book(contact: Vec<ContactRule>, timestep: f64) -> RuleBook<3> {
    let rules = RuleSet { contact, ..RuleSet::default() };
    RuleBook::new(rules, &species(2), timestep).unwrap()
}

#[test]
fn reactions_of_the_same_pair_share_the_probability_of_their_sum() {
    let (distance, diffusion, timestep) = (2.0, 10.0, 0.01);
    let mut book = book(vec![bind(300.0), bind(100.0)], timestep);
    let pair = ReactingPair::new(3, distance, diffusion).unwrap();
    let all = pair.probability(400.0, timestep).unwrap();
    let decide = |fate: f64| {
        book.decide([1, 0], distance, [diffusion, 0.0], || ALONE, |_| true, || fate).rule
    };
    let fates = [0.74 * all, 0.76 * all, 0.99 * all, 1.01 * all];
    assert_eq!(fates.map(decide), [Some(0), Some(1), Some(1), None]);
    // Out of force, the first leaves all of its own probability to the second.
    book.switch(0, false);
    let alone = pair.probability(100.0, timestep).unwrap();
    let decide = |fate: f64| {
        book.decide([0, 1], distance, [0.0, diffusion], || ALONE, |_| true, || fate).rule
    };
    assert_eq!([0.99 * alone, 1.01 * alone].map(decide), [Some(1), None]);
}

#[test]
fn conditions_hold_of_the_partner_that_they_are_for() {
    let mut rule = ContactRule::bond("grow", [0, 1], Chance::Probability(1.0));
    rule.conditions =
        [Condition { size: 1..=1, valence: None }, Condition { size: 2..=5, valence: Some(2) }];
    let book = book(vec![rule.clone()], 0.1);
    let (small, large) = (Standing { size: 1, bonds: 0 }, Standing { size: 5, bonds: 1 });
    let full = Standing { bonds: 2, ..large };
    let decide = |book: &RuleBook<3>, species, standing| {
        let decision = book.decide(species, 2.0, [4.0, 6.0], || standing, |_| true, || 0.5);
        decision.rule.map(|_| decision.swapped)
    };
    assert_eq!(decide(&book, [0, 1], [small, large]), Some(false));
    assert_eq!(decide(&book, [1, 0], [large, small]), Some(true));
    assert_eq!(decide(&book, [0, 1], [large, small]), None);
    assert_eq!(decide(&book, [0, 1], [small, full]), None);
    // Two of one species: whichever way round it holds.
    rule.cases[0].species = [0, 0];
    let rules = RuleSet { contact: vec![rule], ..RuleSet::default() };
    let book = RuleBook::<3>::new(rules, &species(1), 0.1).unwrap();
    assert_eq!(decide(&book, [0, 0], [large, small]), Some(true));
    assert_eq!(decide(&book, [0, 0], [small, large]), Some(false));
    assert_eq!(decide(&book, [0, 0], [small, small]), None);
}

#[test]
fn a_macroscopic_rate_constant_becomes_an_intrinsic_one() {
    let rule = ContactRule::bond("bind", [0, 1], Chance::Macroscopic(100.0));
    let book = book(vec![rule], 0.001);
    let pair = ReactingPair::new(3, 2.0, 10.0).unwrap();
    let k_a = pair.intrinsic_from_macroscopic(100.0).unwrap();
    let p = pair.probability(k_a, 0.001).unwrap();
    let decide = |fate: f64| {
        book.decide([0, 1], 2.0, [4.0, 6.0], || ALONE, |_| true, || fate).rule.is_some()
    };
    assert_eq!([0.999 * p, 1.001 * p].map(decide), [true, false]);
    let rules = RuleSet {
        contact: vec![ContactRule::bond("bind", [0, 1], Chance::Macroscopic(1e4))],
        ..RuleSet::default()
    };
    let error = RuleBook::<3>::new(rules, &species(2), 0.001).unwrap_err().to_string();
    assert!(error.contains("\"bind\"") && error.contains("251"), "{error}");
}
