//! What a network is made of stays, at every step, whatever happens; and no particle is there
//! twice.

use std::collections::BTreeSet;

use jostle::observe::{Observer, ObserverError, View};
use jostle::rules::{
    Action, Chance, ContactRule, Cut, Fragmentation, RuleSet, Scheduled, ScheduledAction,
    TimedAction, TimedRule,
};
use jostle::space::Domain;

use super::world::*;
use crate::kinetics::*;

const A: u16 = 0;
const B: u16 = 1;
const AB: u16 = 2;
const LIGAND: u16 = 3;
const FREE: u16 = 4;
const BOUND: u16 = 5;
const ACTIVE: u16 = 6;
const MONOMER: u16 = 7;
const PRION: u16 = 8;
const KINASE: u16 = 9;
const GHOST: u16 = 10;

/// What each species counts as: \[A, B, ligand, receptor, monomer\].
fn content(species: u16) -> [u64; 5] {
    match species {
        A | GHOST => [1, 0, 0, 0, 0],
        B => [0, 1, 0, 0, 0],
        LIGAND => [0, 0, 1, 0, 0],
        FREE => [0, 0, 0, 1, 0],
        MONOMER | PRION => [0, 0, 0, 0, 1],
        _ => [0; 5],
    }
}

/// Counts what is there at every step, down to those that were never joined.
#[derive(Default)]
struct Inventory {
    first: Option<[u64; 5]>,
    largest: u32,
}

impl Observer<2> for Inventory {
    fn step(&mut self, view: &View<'_, 2>) -> Result<(), ObserverError> {
        let p = view.particles;
        let (mut sum, mut ids) = ([0; 5], BTreeSet::new());
        let slots = p.slots_by_id();
        for (n, &slot) in slots.iter().enumerate() {
            let i = slot as usize;
            let singles = match view.clusters.wholes.get(&p.id[i]) {
                Some(whole) => whole.singles().map(|part| (part.id, part.species)).collect(),
                None => vec![(p.id[i], p.species[i])],
            };
            self.largest = self.largest.max(singles.len() as u32);
            for (id, species) in singles {
                assert!(ids.insert(id), "step {}: {id} is there twice", view.clock.step);
                // A receptor keeps its ligand, whatever state it is in.
                content(species).iter().zip(&mut sum).for_each(|(n, sum)| *sum += n);
            }
            for &other in &slots[..n] {
                let j = other as usize;
                let ghosts = [p.species[i], p.species[j]].contains(&GHOST);
                let apart = view.domain.nearest_image(p.position[i] - p.position[j]).norm();
                assert!(ghosts || apart > p.radius[i] + p.radius[j] - 1e-9, "{i} and {j} overlap");
            }
        }
        assert_eq!(*self.first.get_or_insert(sum), sum, "step {}", view.clock.step);
        Ok(())
    }
}

fn rules() -> RuleSet {
    let chance = Chance::Probability;
    let how = Fragmentation { cut: Cut::Any, minimum: 3, dissolved: Some(MONOMER) };
    let mut chain = ContactRule::bond("dimer", [ACTIVE, ACTIVE], chance(0.5));
    chain.conditions.iter_mut().for_each(|condition| condition.valence = Some(1));
    RuleSet {
        contact: vec![
            ContactRule::coalesce("join", [A, B], AB, chance(0.3)),
            ContactRule::coalesce("load", [LIGAND, FREE], BOUND, chance(0.5)),
            chain,
            ContactRule::convert("activate", [BOUND, KINASE], &[ACTIVE, KINASE], chance(0.5)),
            ContactRule::coalesce("grow", [MONOMER, PRION], PRION, chance(0.8)),
            ContactRule::coalesce("fuse", [PRION, PRION], PRION, chance(0.1)),
            ContactRule::convert("template", [A, AB], &[A, GHOST, B], chance(0.1)),
            ContactRule::new("clip", [KINASE, PRION], &[], Action::Cut(how), chance(0.3)),
        ]
        .into_iter()
        .chain((0..=GHOST).map(|other| always([GHOST, other], Action::Pass)))
        .collect(),
        timed: vec![
            TimedRule::unbind("part", 0, 0.05),
            TimedRule::convert("part otherwise", AB, &[A, B], 0.05),
            TimedRule::convert("release", BOUND, &[FREE, LIGAND], 0.1),
            TimedRule::unbind("unload", 1, 0.1),
            TimedRule::convert("rest", ACTIVE, &[BOUND], 0.1),
            TimedRule::unbind("undimer", 2, 0.1),
            TimedRule::new("crumble", TimedAction::Fragment { species: vec![PRION], how }, 0.03),
            TimedRule::convert("haunt", A, &[GHOST], 0.05),
            TimedRule::convert("return", GHOST, &[A], 0.2),
        ],
        schedule: vec![Scheduled {
            name: "hotter".into(),
            at: 30.3,
            every: Some(7.7),
            action: ScheduledAction::SetRate { rule: 19, rate: 0.2 },
        }],
        ..RuleSet::default()
    }
}

/// 200 particles in a crowded layer for 1500 steps: pairs that come apart by unbinding and by
/// conversion into their parts, receptors that take up ligands and let them go in two ways, are
/// activated and dimerise, prions that grow, fuse, are cut and crumble, particles that others pass
/// through until they turn back into hard ones. Every A, B, ligand, receptor and monomer is there
/// at each step, once; no particles overlap. 3·10^5 particle steps.
#[test]
fn everything_that_a_network_is_made_of_stays() {
    let mut particles = lattice::<2>(196, A, 21.0, 0.1, &mut Dice::new(6));
    let kinds = [A, B, LIGAND, FREE, MONOMER, MONOMER, PRION, KINASE, FREE, LIGAND, A, B, GHOST];
    particles.iter_mut().enumerate().for_each(|(n, seed)| seed.species = kinds[n % kinds.len()]);
    let mut species = vec![particle("A", 0.5, 0.5), particle("B", 0.4, 0.5), product("AB")];
    let receptor = |name, d| particle(name, 0.5, d);
    species.extend([particle("L", 0.2, 1.0), receptor("R{free}", 0.2), receptor("R{bound}", 0.15)]);
    species.extend([receptor("R{active}", 0.1), particle("M", 0.4, 0.5), particle("P", 0.45, 0.1)]);
    species.extend([particle("K", 0.3, 0.5), particle("G", 0.5, 0.5)]);
    let domain = Domain::new([21.0, 21.0], [true, false]);
    let mut engine = start(world(domain, 0.3, species, rules()), &particles);
    let mut inventory = Inventory::default();
    inventory.step(&engine.view()).expect("a start");
    for _ in 0..samples(1500) {
        engine.step(&mut inventory).expect("a step");
    }
    let tally = engine.tally();
    println!("{tally:?}, prions of up to {}, {:?}", inventory.largest, inventory.first);
    assert!(
        [tally.bound, tally.unbound, tally.converted, tally.cut]
            .iter()
            .all(|&n| n > samples(50) as u64),
        "{tally:?}"
    );
    assert!(inventory.largest > 4 && tally.refused > 0 && tally.late == 0);
}
