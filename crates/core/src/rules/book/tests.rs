//! Decisions, conditions and rates as they should come out.

use super::*;
use crate::docking::{SiteDirection, Torsion};
use crate::rules::rates::ReactingPair;
use crate::rules::{BondGeometry, Region, SiteCase};
use crate::sites::{Site, SitePattern, Sites};
use crate::space::Vector;

/// Two particles with these standings and site codes.
struct Two {
    standing: [Standing; 2],
    codes: [u64; 2],
    /// Whether they face each other.
    face: bool,
}

const ALONE: Two = Two { standing: [Standing::ALONE; 2], codes: [0; 2], face: true };

impl Partners for Two {
    fn standing(&self) -> [Standing; 2] {
        self.standing
    }

    fn fits(&self, which: usize, pattern: &SitePattern) -> bool {
        self.codes[which] & pattern.mask == pattern.value
    }

    fn face(&self, _: [u8; 2], _: Option<Torsion>) -> bool {
        self.face
    }

    fn are_in(&self, _: &Region) -> bool {
        true
    }
}

fn meeting(species: [u16; 2], distance: f64, diffusion: [f64; 2]) -> TouchingPair {
    TouchingPair { species, distance, diffusion }
}

fn species(count: usize) -> Vec<Species> {
    let kind = |n| Species::sphere(format!("S{n}"), 1.0, 5.0);
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
    let decide =
        |fate: f64| book.decide(&meeting([1, 0], distance, [diffusion, 0.0]), &ALONE, || fate).rule;
    let fates = [0.74 * all, 0.76 * all, 0.99 * all, 1.01 * all];
    assert_eq!(fates.map(decide), [Some(0), Some(1), Some(1), None]);
    // Out of force, the first leaves all of its own probability to the second.
    book.switch(0, false);
    let alone = pair.probability(100.0, timestep).unwrap();
    let decide =
        |fate: f64| book.decide(&meeting([0, 1], distance, [0.0, diffusion]), &ALONE, || fate).rule;
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
        let decision =
            book.decide(&meeting(species, 2.0, [4.0, 6.0]), &Two { standing, ..ALONE }, || 0.5);
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
    let decide =
        |fate: f64| book.decide(&meeting([0, 1], 2.0, [4.0, 6.0]), &ALONE, || fate).rule.is_some();
    assert_eq!([0.999 * p, 1.001 * p].map(decide), [true, false]);
    let rules = RuleSet {
        contact: vec![ContactRule::bond("bind", [0, 1], Chance::Macroscopic(1e4))],
        ..RuleSet::default()
    };
    let error = RuleBook::<3>::new(rules, &species(2), 0.001).unwrap_err().to_string();
    assert!(error.contains("\"bind\"") && error.contains("251"), "{error}");
}

/// A bond of site `joins[0]` with site `joins[1]`, where both are free: bits 0, 1, ... say whether
/// sites are bound.
fn site_case(species: [u16; 2], joins: [u8; 2]) -> Case<2> {
    let free = |site: u8| SitePattern { mask: 1 << site, ..SitePattern::default() };
    let sites = SiteCase { joins: Some(joins), ..SiteCase::new(joins.map(free)) };
    Case::new(species, &[]).with_sites(sites)
}

fn site_book(cases: Vec<Case<2>>, k_a: f64) -> RuleBook<3> {
    book(vec![ContactRule { cases, ..bind(k_a) }], 0.01)
}

#[test]
fn every_pair_of_free_sites_is_a_choice_of_its_own() {
    let (distance, diffusion) = (2.0, [5.0, 5.0]);
    let alike = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|joins| site_case([0, 1], joins));
    let book = site_book(alike.to_vec(), 50.0);
    let pair = ReactingPair::new(3, distance, 10.0).unwrap();
    let decide = |codes, fate| {
        let two = Two { codes, ..ALONE };
        let decision = book.decide(&meeting([0, 1], distance, diffusion), &two, || fate);
        decision.rule.map(|_| decision.case)
    };
    let all = pair.probability(200.0, 0.01).unwrap();
    let fates = [0.24, 0.26, 0.51, 0.76, 1.01].map(|share| share * all);
    assert_eq!(fates.map(|f| decide([0, 0], f)), [Some(0), Some(1), Some(2), Some(3), None]);
    // With one site of the first taken there are two choices, with none free there is none.
    let two = pair.probability(100.0, 0.01).unwrap();
    let fates = [0.49, 0.51, 1.01].map(|share| share * two);
    assert_eq!(fates.map(|fate| decide([0b01, 0], fate)), [Some(2), Some(3), None]);
    assert_eq!(decide([0b11, 0], 0.0), None);
    // Once the only bond has broken, four choices are open again: K = k_a/k_d of each.
    let again = |fate| {
        let meeting = meeting([0, 1], distance, diffusion);
        book.at_once(&meeting, &ALONE, || fate).map(|decision| decision.case)
    };
    let share = 1.0 - all * pair.contact_rate(0.01) / 200.0;
    let fates = [0.24, 0.26, 0.51, 0.99, 1.01].map(|part| part * share);
    assert_eq!(fates.map(again), [Some(0), Some(1), Some(2), Some(3), None]);
}

#[test]
fn head_and_tail_of_two_alike_may_bind_either_way_round() {
    let book = site_book(vec![site_case([0, 0], [0, 1])], 50.0);
    let decide = |codes, fate| {
        let two = Two { codes, ..ALONE };
        let decision = book.decide(&meeting([0, 0], 2.0, [5.0, 5.0]), &two, || fate);
        decision.rule.map(|_| decision.swapped)
    };
    let pair = ReactingPair::new(3, 2.0, 10.0).unwrap();
    let p = pair.probability(100.0, 0.01).unwrap();
    let fates = [0.49, 0.51, 1.01].map(|share| share * p);
    assert_eq!(fates.map(|fate| decide([0, 0], fate)), [Some(false), Some(true), None]);
    // The first one's tail is taken: its head and the other's tail are left.
    assert_eq!(decide([0b10, 0], 0.0), Some(false));
    assert_eq!(decide([0b01, 0], 0.0), Some(true));
    assert_eq!(decide([0b11, 0], 0.0), None);
    // The same site of both is one bond, whichever is named first.
    let same = site_book(vec![site_case([0, 0], [0, 0])], 50.0);
    let half = pair.probability(50.0, 0.01).unwrap();
    let bound = |fate| same.decide(&meeting([0, 0], 2.0, [5.0; 2]), &ALONE, || fate).rule.is_some();
    assert_eq!([0.99 * half, 1.01 * half].map(bound), [true, false]);
}

#[test]
fn a_thousand_species_share_what_is_known_of_pairs_without_rules() {
    let kinds = species(1000);
    let contact = vec![
        ContactRule::bond("bind", [7, 998], Chance::Probability(1.0)),
        ContactRule::plain("pass", [3, 3], Action::Pass),
    ];
    let rules = RuleSet { contact, ..RuleSet::default() };
    let book = RuleBook::<3>::new(rules, &kinds, 0.01).unwrap();
    let rule = |species| book.decide(&meeting(species, 2.0, [5.0; 2]), &ALONE, || 0.5).rule;
    assert_eq!([[7, 998], [998, 7], [7, 7], [3, 3]].map(rule), [Some(0), Some(0), None, Some(1)]);
    assert!(book.pass(3, 3) && !book.pass(3, 4) && !book.none_passes());
    assert_eq!(book.pairs.all().count(), 4);
}

/// A rate constant is the mean over all orientations, a probability is that of a contact at which
/// the two face each other.
#[test]
fn sites_that_point_somewhere_react_more_often_where_they_face_each_other() {
    let third = std::f64::consts::FRAC_PI_3;
    let direction = SiteDirection {
        axis: Vector([1.0, 0.0, 0.0]),
        normal: Vector([0.0, 0.0, 1.0]),
        opening: third,
    };
    let site = Site { name: "s".into(), direction: Some(direction), ..Site::default() };
    let kinds: Vec<Species> = species(2)
        .into_iter()
        .map(|one| Species { sites: Sites::new(vec![site.clone()]).unwrap(), ..one })
        .collect();
    let book = |chance, geometry| {
        let rule = ContactRule::bond("bind", [0, 1], chance);
        let rule = ContactRule { cases: vec![site_case([0, 1], [0, 0])], geometry, ..rule };
        let rules = RuleSet { contact: vec![rule], ..RuleSet::default() };
        RuleBook::<3>::new(rules, &kinds, 0.01).unwrap()
    };
    let bound = |book: &RuleBook<3>, face, fate| {
        let decision =
            book.decide(&meeting([0, 1], 2.0, [5.0; 2]), &Two { face, ..ALONE }, || fate);
        (decision.rule.is_some(), decision.short)
    };
    let half_turn = Some(Torsion { angle: 0.0, opening: 0.5 * std::f64::consts::PI });
    let pair = ReactingPair::new(3, 2.0, 10.0).unwrap();
    for (torsion, share) in [(None, 1.0 / 16.0), (half_turn, 1.0 / 32.0)] {
        let book = book(Chance::Intrinsic(20.0), BondGeometry { torsion, ..Default::default() });
        let p = pair.probability(20.0 / share, 0.01).unwrap();
        assert_eq!(bound(&book, true, 0.999 * p), (true, false));
        assert_eq!(bound(&book, true, 1.001 * p), (false, false));
        assert_eq!(bound(&book, false, 0.0), (false, false));
        // What parts binds again at once as two do that react all around with k_a over the share.
        let touching = meeting([0, 1], 2.0, [5.0; 2]);
        let share = 1.0 - pair.unbinding_correction(20.0 / share, 0.01).unwrap();
        let again = |part| book.at_once(&touching, &ALONE, || part * share).is_some();
        assert_eq!([0.999, 1.001].map(again), [true, false]);
    }
    let fast = book(Chance::Intrinsic(200.0), BondGeometry::default());
    assert_eq!(bound(&fast, true, 0.999), (true, true));
    let bare = book(Chance::Probability(0.3), BondGeometry::default());
    assert_eq!([0.29, 0.31].map(|fate| bound(&bare, true, fate).0), [true, false]);
}

/// Of two rules that bind the same sites in two states, the one counts that is for the state in which
/// the molecules part.
#[test]
fn what_reacts_at_once_is_what_the_two_can_do_as_they_are() {
    const STATE: u64 = 1 << 4;
    let rule = |name: &str, k_on, value| {
        let mut case = site_case([0, 1], [0, 0]);
        let sites = case.sites.as_mut().unwrap();
        sites.patterns[0].mask |= STATE;
        sites.patterns[0].value = value;
        let chance = Chance::Macroscopic(k_on);
        ContactRule { name: name.into(), cases: vec![case], chance, ..bind(1.0) }
    };
    let book = book(vec![rule("slow", 10.0, 0), rule("fast", 200.0, STATE)], 0.01);
    let pair = ReactingPair::new(3, 2.0, 10.0).unwrap();
    for (code, rule, k_on) in [(0, 0, 10.0), (STATE, 1, 200.0)] {
        let two = Two { codes: [code, 0], ..ALONE };
        let k_a = pair.intrinsic_from_macroscopic(k_on).unwrap();
        let share = 1.0 - pair.unbinding_correction(k_a, 0.01).unwrap();
        let touching = meeting([0, 1], 2.0, [5.0; 2]);
        let at_once = |fate| book.at_once(&touching, &two, || fate).and_then(|one| one.rule);
        assert_eq!([0.999 * share, 1.001 * share].map(at_once), [Some(rule), None]);
        for maker in [0, 1] {
            let found = book.intrinsic_over_stated(maker, Some([0, 0]), [0, 1], &two);
            assert!((found * k_on / k_a - 1.0).abs() < 1e-12, "{code} {maker}: {found}");
        }
    }
    // What nothing would bind again has parted for good: k_d is k_off.
    let mut alone = book.clone();
    alone.switch(1, false);
    let two = Two { codes: [STATE, 0], ..ALONE };
    assert_eq!(alone.intrinsic_over_stated(0, Some([0, 0]), [0, 1], &two), 1.0);
}

/// A bare probability is that of a contact, whatever the time step, so that those that part fly off.
#[test]
fn rules_with_a_bare_probability_do_not_react_at_once() {
    let bare = ContactRule::bond("bind", [0, 1], Chance::Probability(0.5));
    let at_once =
        |rules| book(rules, 0.01).at_once(&meeting([0, 1], 2.0, [5.0; 2]), &ALONE, || 0.0);
    assert_eq!(at_once(vec![bare.clone()]), None);
    let both = at_once(vec![bare, bind(20.0)]);
    assert_eq!(both.and_then(|decision| decision.rule), Some(1));
}
