//! Clusters grow: coagulation against Smoluchowski's numbers, prion growth against an exact
//! simulation of the same rules in a well-mixed volume.

use std::f64::consts::PI;

use jostle::brownian::{Brownian, Setup};
use jostle::observe::Nobody;
use jostle::rules::{Action, Chance, ContactRule, Cut, Fragmentation, RuleSet, TimedAction, TimedRule};
use jostle::space::Domain;
use jostle::theory::{Polymerisation, PolymerisationRun, coagulated, coagulated_total, collins_kimball};

use crate::support::*;
use crate::world::*;

/// How many clusters of each size there are. \[size\]
fn sizes(engine: &Brownian<3>) -> Vec<f64> {
    let p = engine.particles();
    let mut sizes = vec![0.0; 6];
    for slot in p.slots_by_id() {
        let size = engine.clusters().size_of(p, slot) as usize;
        sizes[0] += 1.0;
        if let Some(number) = sizes.get_mut(size) {
            *number += 1.0;
        }
    }
    sizes
}

/// 20 000 bodies that fill 0.3 % coagulate at 0.05 of the speed that diffusion would allow; what they
/// become stays as large and as fast as they are, so that the kernel is constant. The total number
/// and those of the sizes one to five, at reduced times 0.5, 1, 2 and 4, are Smoluchowski's: within
/// 4.5 standard errors (of a Poisson number at most: 0.9 to 3.3 %) and 1 %. The reduced time counts the
/// rate as it is before the steady state (Collins and Kimball 1949; 1 % in all), and the pair
/// distribution at contact (1 % less). 24 tests, false alarms 2e-4. 10^7 body-steps.
#[test]
fn coagulation_with_a_constant_kernel_is_smoluchowskis() {
    const MONOMERS: usize = 20_000 * MORE;
    timed("coagulation", || {
        let (phi, s) = (0.003, 2.0);
        let edge = (MONOMERS as f64 * PI / 6.0 / phi).cbrt();
        let density = MONOMERS as f64 / edge.powi(3);
        let kernel = 0.05 * 4.0 * PI;
        let k_a = 1.0 / (1.0 / kernel - 1.0 / (4.0 * PI));
        let mut join = ContactRule::coalesce("join", [0, 0], 0, Chance::Macroscopic(kernel));
        // Until then, the lattice that they start on melts.
        let (begin, timestep) = (100.0, 0.5 * s * s);
        join.windows = vec![[begin, f64::INFINITY]];
        let rules = RuleSet { contact: vec![join], ..RuleSet::default() };
        let bodies = lattice::<3>(MONOMERS, 0, edge, 1.0, &mut Dice::new(5));
        let domain = Domain::new([edge; 3], [true; 3]);
        let setup = world(domain, timestep, vec![body("A", 0.5, 0.5)], rules);
        let mut engine = start(setup, &bodies);
        while engine.clock().time() < begin {
            engine.step(&mut Nobody).expect("a step");
        }
        let mut reduced = 0.0;
        for until in [0.5, 1.0, 2.0, 4.0] {
            while reduced < until {
                let k = collins_kimball(k_a, 1.0, 1.0, engine.clock().time() + 0.5 * timestep - begin);
                let g = 1.0 + 2.5 * phi / (1.0 + reduced);
                reduced += 0.5 * k * g * density * timestep;
                engine.step(&mut Nobody).expect("a step");
            }
            for (size, found) in sizes(&engine).into_iter().enumerate() {
                let share = match size {
                    0 => coagulated_total(reduced),
                    size => coagulated(size as u32, reduced),
                };
                let expected = share * MONOMERS as f64;
                let what = if size == 0 { "all".to_owned() } else { format!("of size {size}") };
                let what = format!("T = {reduced:.2}, {what}");
                hold(&what, found, expected.sqrt(), expected, 0.01 * expected);
            }
        }
        assert!(engine.tally().refused < 100 * MORE as u64, "{:?}", engine.tally());
    });
}

const RULES: Polymerisation = Polymerisation {
    production: 100.0,
    decay: 1.0,
    elongation: 0.02,
    polymer_decay: 0.1,
    breakage: 0.1,
    shortest: 3,
};
/// At the start: monomers, and polymers of one.
const MONOMERS: usize = 100;
const POLYMERS: usize = 40;
/// When polymers and monomers are counted.
const TIMES: [f64; 2] = [2.5, 5.0];

/// The rules as those of bodies in a box of `volume`.
fn prion_rules(volume: f64) -> RuleSet {
    let grow = ContactRule::coalesce("grow", [0, 1], 1, Chance::Macroscopic(RULES.elongation * volume));
    let ignore = [[0, 0], [1, 1]].map(|pair| always(pair, Action::Ignore));
    let how = Fragmentation { cut: Cut::Any, minimum: RULES.shortest, dissolved: Some(0) };
    RuleSet {
        contact: vec![grow, ignore[0].clone(), ignore[1].clone()],
        timed: vec![
            TimedRule::create("make", 0, RULES.production / volume),
            TimedRule::convert("decay", 0, &[], RULES.decay),
            TimedRule::convert("clear", 1, &[], RULES.polymer_decay),
            TimedRule::new("break", TimedAction::Fragment { species: vec![1], how }, RULES.breakage),
        ],
        ..RuleSet::default()
    }
}

/// Monomers, polymers and monomers in polymers.
fn moments(engine: &Brownian<3>) -> [f64; 3] {
    let p = engine.particles();
    let mut moments = [0.0; 3];
    for slot in p.slots_by_id() {
        let size = engine.clusters().size_of(p, slot);
        match p.species[slot as usize] {
            0 => moments[0] += 1.0,
            _ => (moments[1], moments[2]) = (moments[1] + 1.0, moments[2] + f64::from(size)),
        }
    }
    moments
}

/// Monomers are made and decay, polymers take them up one by one, as the same body, decay and break;
/// pieces of less than three fall apart into monomers. The means of 50 runs in a box, where growth is
/// at 0.01 of the speed that diffusion would allow, are those of 4000 exact runs in a well-mixed
/// volume (Gillespie 1977): within 4.5 standard errors (1.3 to 2.5 %) and 1 %. 6 tests, false alarms
/// 4e-5. 8·10^6 body-steps.
#[test]
fn nucleated_polymerisation_has_the_means_of_well_mixed_rules() {
    timed("polymers", || {
        let exact: Vec<[[f64; 3]; 2]> = (0..4000)
            .map(|seed| {
                let mut run = PolymerisationRun::new(RULES, MONOMERS as u64, vec![1; POLYMERS], seed);
                TIMES.map(|time| {
                    run.advance(time);
                    run.moments()
                })
            })
            .collect();
        let (edge, s) = (20.0_f64, 4.0);
        let volume = edge.powi(3);
        let relative = RULES.elongation * volume / (0.01 * 4.0 * PI);
        let timestep = 0.5 * s * s / relative;
        let runs: Vec<[[f64; 3]; 2]> = (0..50 * MORE as u64)
            .map(|seed| {
                let species = vec![body("M", 0.5, 0.5 * relative), body("P", 0.5, 0.5 * relative)];
                let mut dice = Dice::new(seed);
                let mut bodies = lattice::<3>(MONOMERS + POLYMERS, 0, edge, 1.0, &mut dice);
                bodies.iter_mut().step_by(3).take(POLYMERS).for_each(|seed| seed.species = 1);
                let domain = Domain::new([edge; 3], [true; 3]);
                let setup = world(domain, timestep, species, prion_rules(volume));
                let mut engine = start(Setup { seed, ..setup }, &bodies);
                TIMES.map(|time| {
                    while engine.clock().time() < time {
                        engine.step(&mut Nobody).expect("a step");
                    }
                    moments(&engine)
                })
            })
            .collect();
        for (n, time) in TIMES.into_iter().enumerate() {
            for (k, what) in ["monomers", "polymers", "in polymers"].into_iter().enumerate() {
                let of = |runs: &[[[f64; 3]; 2]]| mean(&runs.iter().map(|run| run[n][k]).collect::<Vec<_>>());
                let ((found, error), (expected, other)) = (of(&runs), of(&exact));
                let what = format!("{what} at {time}");
                hold(&what, found, error.hypot(other), expected, 0.01 * expected);
            }
        }
    });
}
