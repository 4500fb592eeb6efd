//! Nucleated polymerisation in a box, against exact runs of the same rules in a well-mixed volume.

use std::f64::consts::PI;

use super::super::statistics::{mean_and_error, mean_of_blocks};
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use super::dice::Dice;
use super::ledger::step_until;
use jostle_brownian::{Brownian, Seed};
use jostle_core::observe::NoObserver;
use jostle_core::rules::{
    Action, Chance, ContactRule, Cut, Fragmentation, RuleSet, TimedAction, TimedRule,
};
use jostle_core::search::Kind;
use jostle_core::theory::{Polymerisation, PolymerisationRun};

const RULES: Polymerisation = Polymerisation {
    production: 100.0,
    decay: 1.0,
    elongation: 0.02,
    polymer_decay: 0.1,
    breakage: 0.1,
    shortest: 3,
};
/// At the start: monomers, and polymers, so short that they only fall apart once they have grown.
const MONOMERS: usize = 100;
const POLYMERS: usize = 40;
/// When they are counted.
const TIMES: [f64; 2] = [2.5, 5.0];
const NAMES: [&str; 3] = ["monomers", "polymers", "monomers in polymers"];
/// The periodic box, and the rms relative step, in contact distances.
const EDGE: f64 = 20.0;
const STEP: f64 = 4.0;
/// How fast polymers grow, beside the speed that diffusion would allow.
const SLOW: f64 = 0.01;

/// Monomers, polymers and monomers in polymers at each of [`TIMES`].
type Moments = [[f64; 3]; 2];

/// The rules as those of particles in a box.
fn rules(volume: f64) -> RuleSet {
    let grow =
        ContactRule::coalesce("grow", [0, 1], 1, Chance::Macroscopic(RULES.elongation * volume));
    let ignore = |species: u16| ContactRule::plain("pass", [species; 2], Action::Ignore);
    let how = Fragmentation { cut: Cut::Any, minimum: RULES.shortest, dissolved: Some(0) };
    RuleSet {
        contact: vec![grow, ignore(0), ignore(1)],
        timed: vec![
            TimedRule::create("make", 0, RULES.production / volume),
            TimedRule::convert("decay", 0, &[], RULES.decay),
            TimedRule::convert("clear", 1, &[], RULES.polymer_decay),
            TimedRule::new(
                "break",
                TimedAction::Fragment { species: vec![1], how },
                RULES.breakage,
            ),
        ],
        ..RuleSet::default()
    }
}

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

fn in_a_box(seed: u64) -> Result<Moments, CheckError> {
    let volume = EDGE.powi(3);
    let diffusion = RULES.elongation * volume / (SLOW * 4.0 * PI);
    let places =
        Dice::new(seed).places::<3>(EDGE, MONOMERS + POLYMERS, 1.0).into_iter().enumerate();
    let particles: Vec<_> =
        places.map(|(n, position)| Seed { species: u16::from(n < POLYMERS), position }).collect();
    let world = World::<3>::periodic(EDGE)
        .timestep(0.5 * STEP * STEP / diffusion)
        .seed(seed)
        .search(Kind::Cubic);
    let world =
        world.species(0.5, 0.5 * diffusion).species(0.5, 0.5 * diffusion).rules(rules(volume));
    let mut engine = world.with(&particles)?;
    let mut found = Moments::default();
    for (time, found) in TIMES.into_iter().zip(&mut found) {
        step_until(&mut engine, time, &mut NoObserver)?;
        *found = moments(&engine);
    }
    Ok(found)
}

fn well_mixed(seed: u64) -> Moments {
    let mut run = PolymerisationRun::new(RULES, MONOMERS as u64, vec![1; POLYMERS], seed);
    TIMES.map(|time| {
        run.advance(time);
        run.moments()
    })
}

/// Monomers are made and decay, polymers take them up one by one, decay and break; pieces of less
/// than three fall apart into monomers.
pub(super) fn against_exact_runs(context: &Context) -> Result<Findings, CheckError> {
    let exact: Vec<Moments> = (0..context.either(4000, 40_000))
        .map(|n| well_mixed(context.seed(1_000_000 + n)))
        .collect();
    let runs: Result<Vec<Moments>, _> =
        (0..context.either(40, 800)).map(|n| in_a_box(context.seed(n))).collect();
    let runs = runs?;
    let mut findings = Findings::default();
    let mut picture = Picture::new("Nucleated polymerisation", "time", "number");
    for (k, name) in NAMES.into_iter().enumerate() {
        let (mut theory, mut points, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for (n, time) in TIMES.into_iter().enumerate() {
            let of = |runs: &[Moments]| -> Vec<f64> { runs.iter().map(|run| run[n][k]).collect() };
            let (expected, error) = mean_and_error(&of(&exact));
            let what = format!("{name} at t = {time}");
            let finding = mean_of_blocks(&what, &of(&runs), expected).beside_measured(error);
            theory.push([time, expected]);
            points.push([time, finding.measured]);
            errors.push(finding.error);
            // Not quite well mixed: of the order of the speed of growth over that of diffusion.
            findings.add(finding.with_bias(SLOW * expected));
        }
        picture =
            picture.theory(&format!("{name}, well mixed"), theory).measured(name, points, errors);
    }
    findings.show(picture);
    Ok(findings)
}
