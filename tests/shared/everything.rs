//! A small world in which all rules are in play.

// Each test program compiles this file for itself and uses a part of it.
#![allow(dead_code)]

use jostle::brownian::{Scheduler, Seed, Setup};
use jostle::potentials::{Climb, EnergyShape, FORMS, PairPotential, Potentials, StepPotential};
use jostle::rules::{
    Action, Case, Chance, Condition, ContactRule, Cut, Division, Fragmentation, RuleSet, Scheduled,
    ScheduledAction, TimedAction, TimedRule,
};
use jostle::search::Settings;
use jostle::space::{Domain, Vector};
use jostle::species::{Drift, Species};

/// Monomers that coalesce (and come apart), others that form bonded chains, and one large particle.
pub(crate) fn setup<const D: usize>(
    search: &Settings,
    scheduler: Scheduler,
    periodic: [bool; D],
    edge: f64,
) -> Setup<D> {
    let species = |name: &str, radius: Option<f64>, d: Option<f64>, drift: Drift| Species {
        name: name.into(),
        radius,
        diffusion_coefficient: d,
        drift,
        sites: Default::default(),
    };
    Setup {
        rules: rules(),
        potentials: potentials(),
        search: search.build(),
        scheduler,
        seed: 20_020_626,
        ..Setup::new(
            Domain::new([edge; D], periodic),
            0.5,
            vec![
                species("A", Some(0.8), Some(0.05), Drift::Still),
                species("B", Some(0.6), Some(0.15), Drift::Constant([0.05, 0.0, 0.0])),
                species("AB", None, None, Drift::Still),
                species(
                    "link",
                    Some(0.7),
                    Some(0.08),
                    Drift::Shear { rate: 0.02, along: 0, across: D - 1 },
                ),
                species("large", Some(2.2), Some(0.01), Drift::Still),
                species("ghost", Some(0.5), Some(0.4), Drift::Still),
                species("link{marked}", Some(0.7), Some(0.06), Drift::Still),
                species("seed", Some(0.4), Some(0.2), Drift::Still),
                species("chain", None, None, Drift::Still),
            ],
        )
    }
}

/// Wells and barriers of several widths, between particles that react and others, and smooth potentials
/// by the law of bounces, alone and together with shells.
fn potentials() -> Potentials {
    let radii = [Some(0.8), Some(0.6), None, Some(0.7), Some(2.2), None, Some(0.7), None, None];
    let wells = StepPotential::new(vec![1.7, 1.95], vec![-0.8, 0.6]);
    let shell = StepPotential::new(vec![1.75, 2.3], vec![0.0, -0.4]);
    let far = StepPotential::new(vec![3.4], vec![0.5]);
    let pairs = [([0, 0], &wells), ([3, 3], &shell), ([0, 3], &shell), ([4, 3], &far)];
    let shells = pairs.map(|(pair, shells)| (pair, PairPotential::Shells(shells.clone())));
    let climb = |name: &str, given: &[f64], contact: f64, cutoff: f64| {
        let form = FORMS.iter().find(|form| form.name == name).unwrap();
        let mut given: Vec<_> = given.iter().copied().map(Some).collect();
        given.resize(form.parameters.len(), None);
        let smooth = EnergyShape::Form(form, given).from_contact(contact);
        PairPotential::Bounces(Climb::new(smooth, contact, cutoff))
    };
    let climbs = [
        ([0, 3], climb("yukawa", &[1.5, 0.4], 1.5, 2.6)),
        ([4, 4], climb("morse", &[1.0, 0.3], 4.4, 5.8)),
        ([1, 3], climb("gaussian", &[-0.8, 1.1, 0.0], 1.3, 2.4)),
        ([6, 6], climb("lennard_jones", &[0.6, 1.6], 1.4, 2.8)),
    ];
    let all = shells.into_iter().chain(climbs).map(|(pair, potential)| (0, pair, potential));
    Potentials::numbered(&radii, all)
}

/// All that rules can do: binding and unbinding of all kinds, conversion at contact and in time,
/// cutting at contact and in time, creation, decay, conditions, windows and a schedule.
pub(crate) fn rules() -> RuleSet {
    let sure = Chance::Probability;
    let mut few = ContactRule::bond("chain", [3, 3], sure(0.4));
    few.conditions =
        [Condition { size: 1..=6, valence: Some(2) }, Condition { size: 1..=6, valence: Some(3) }];
    few.windows = vec![[0.0, 11.1]];
    let mut mixed = ContactRule::bond("mixed", [3, 6], sure(0.4));
    mixed.cases.push(Case::new([6, 6], &[]));
    let mut leash = ContactRule::tether("leash", [1, 7], 1.7, 3.0);
    leash.cases.extend([[1, 1], [1, 3]].map(|pair| Case::new(pair, &[])));
    leash.conditions[1].size = 1..=9;
    let cut = Fragmentation { cut: Cut::Any, minimum: 2, dissolved: Some(7) };
    let timed = |name: &str, action, rate| TimedRule::new(name, action, rate);
    let event = |name: &str, at, every, action| Scheduled { name: name.into(), at, every, action };
    RuleSet {
        contact: vec![
            ContactRule::coalesce("join", [0, 1], 2, sure(0.3)),
            few,
            ContactRule::plain("through", [5, 0], Action::Pass),
            ContactRule::plain("unseen", [5, 5], Action::Ignore),
            mixed,
            ContactRule::convert("mark", [3, 1], &[6, 1], sure(0.2)),
            ContactRule::coalesce("grow", [7, 8], 8, sure(0.6)),
            ContactRule::coalesce("seed", [7, 7], 8, sure(0.6)),
            ContactRule::new("cut", [2, 8], &[], Action::Cut(cut), sure(0.5)),
            ContactRule::new("clip", [1, 6], &[], Action::Cut(Fragmentation::default()), sure(0.3)),
            ContactRule::convert("annihilate", [5, 7], &[], sure(0.2)),
            ContactRule::coalesce("load", [7, 3], 6, sure(0.2)),
            leash,
        ],
        timed: vec![
            TimedRule::unbind("part", 0, 0.2),
            TimedRule::unbind("break", 1, 0.15),
            timed("release", TimedAction::unbind(&[11], Cut::Any), 0.3),
            timed("end", TimedAction::unbind(&[4], Cut::End), 0.2),
            timed("all", TimedAction::unbind(&[4], Cut::All), 0.05),
            timed("crumble", TimedAction::Fragment { species: vec![8], how: cut }, 0.02),
            TimedRule::convert("forget", 6, &[3], 0.1),
            TimedRule::convert("decay", 5, &[], 0.02),
            TimedRule::convert("divide", 0, &[1, 7], 0.03),
            TimedRule::create("make", 7, 0.004),
            TimedRule::unbind("slip", 12, 0.1),
        ],
        schedule: vec![
            event("faster", 3.3, None, ScheduledAction::SetRate { rule: 13, rate: 0.6 }),
            event("tighter", 5.7, None, ScheduledAction::SetRate { rule: 12, rate: 8.0 }),
            event("off", 4.4, None, ScheduledAction::Switch { rule: 18, on: false }),
            event("on", 6.6, None, ScheduledAction::Switch { rule: 18, on: true }),
            event(
                "add",
                2.2,
                Some(4.0),
                ScheduledAction::Add { species: 7, sites: 0, count: 3, region: None },
            ),
            event("half", 10.05, None, ScheduledAction::Divide(Division::Keep(0.8))),
            event(
                "slab",
                11.3,
                None,
                ScheduledAction::Divide(Division::Volume { fraction: 0.9, axis: 1 }),
            ),
        ],
        ..RuleSet::default()
    }
}

/// A lattice, of which a block of sites in a corner, or every other one, holds a large particle.
pub(crate) fn particles<const D: usize>(
    per_axis: usize,
    spacing: f64,
    large: Large,
) -> Vec<Seed<D>> {
    let mut particles = Vec::new();
    for n in 0..per_axis.pow(D as u32) {
        let cell: [usize; D] = std::array::from_fn(|k| n / per_axis.pow(k as u32) % per_axis);
        let block = cell.map(|c| c / 3);
        let is_large = match large {
            Large::One => block == [0; D],
            Large::Many => block.iter().sum::<usize>() % 2 == 0,
        };
        if !is_large {
            let position = Vector(cell.map(|c| (c as f64 + 0.5) * spacing));
            let species = [0, 1, 3, 7, 1, 3, 5][(n * 5 + cell[0]) % 7];
            particles.push(Seed { species, position });
        } else if cell == block.map(|b| 3 * b) {
            particles.push(Seed {
                species: 4,
                position: Vector(cell.map(|c| 2.4 + c as f64 * spacing)),
            });
        }
    }
    particles
}

/// How many large particles there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Large {
    One,
    Many,
}
