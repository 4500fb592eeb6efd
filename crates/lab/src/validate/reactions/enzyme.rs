//! An enzyme that turns over its substrate, against exact runs of the well-mixed scheme.

use super::super::statistics::{mean_and_error, mean_of_blocks};
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use super::dice::Dice;
use super::ledger::{count, step_until};
use jostle_brownian::Seed;
use jostle_core::observe::NoObserver;
use jostle_core::rules::{Action, Chance, ContactRule, RuleSet, TimedRule};
use jostle_core::search::Kind;
use jostle_core::space::{Domain, Vector};
use jostle_core::theory::MichaelisMenten;

/// E and S at the start, in a tenth of the volume of the benchmark. Lengths in nm, times in µs.
const START: [u32; 2] = [91, 909];
const VOLUME: f64 = 9.0906e9;
/// 0.01 µm³/s, 1 /s, 1 /s.
const SCHEME: MichaelisMenten =
    MichaelisMenten { forward: 10.0, backward: 1e-6, catalysis: 1e-6, volume: VOLUME };
/// 10 µm²/s
const DIFFUSION: f64 = 10.0;
const RADIUS: f64 = 15.0;
const MILLISECOND: f64 = 1e3;
/// When particles are counted. \[ms\]
const TIMES: [f64; 2] = [500.0, 2000.0];

/// ES and P at each of [`TIMES`].
type MeanNumbers = [[f64; 2]; 2];

fn in_a_box(seed: u64) -> Result<MeanNumbers, CheckError> {
    let mut bind = RuleSet {
        contact: vec![ContactRule::coalesce(
            "bind",
            [0, 1],
            2,
            Chance::Macroscopic(SCHEME.forward),
        )],
        timed: vec![
            TimedRule::unbind("unbind", 0, SCHEME.backward),
            TimedRule::convert("turnover", 2, &[0, 3], SCHEME.catalysis),
        ],
        ..RuleSet::default()
    };
    let pairs = (0..4_u16).flat_map(|a| (a..4).map(move |b| [a, b])).filter(|pair| *pair != [0, 1]);
    bind.contact
        .extend(pairs.map(|pair| ContactRule::plain(&format!("{pair:?}"), pair, Action::Ignore)));
    let edge = VOLUME.cbrt();
    let domain = Domain::new([edge; 3], [true; 3]);
    let mut dice = Dice::new(seed);
    let species = (0..2_u16).flat_map(|s| std::iter::repeat_n(s, START[usize::from(s)] as usize));
    let mut particles: Vec<Seed<3>> = Vec::new();
    for species in species {
        let mut position: Vector<3> = dice.place(edge);
        let is_near = |other: &Seed<3>, position: Vector<3>| {
            domain.nearest_image(other.position - position).norm() < 2.0 * RADIUS
        };
        while particles.iter().any(|other| is_near(other, position)) {
            position = dice.place(edge);
        }
        particles.push(Seed { species, position });
    }
    let mut world = World::<3>::periodic(edge).timestep(MILLISECOND).seed(seed).search(Kind::Cubic);
    world = (0..4).fold(world, |world, _| world.species(RADIUS, DIFFUSION)).rules(bind);
    let mut engine = world.with(&particles)?;
    let mut found = MeanNumbers::default();
    for (time, found) in TIMES.into_iter().zip(&mut found) {
        step_until(&mut engine, time * MILLISECOND, &mut NoObserver)?;
        *found = [2, 3].map(|species| count(&engine, species) as f64);
    }
    Ok(found)
}

/// Gillespie's direct method (1977).
fn well_mixed(seed: u64) -> MeanNumbers {
    let mut dice = Dice::new(seed);
    let [mut e, mut s] = START.map(f64::from);
    let (mut es, mut p, mut now) = (0.0, 0.0, 0.0);
    TIMES.map(|time| {
        loop {
            let rates = [
                SCHEME.forward / SCHEME.volume * e * s,
                SCHEME.backward * es,
                SCHEME.catalysis * es,
            ];
            let all: f64 = rates.iter().sum();
            let next = now - libm::log1p(-dice.uniform()) / all;
            // no memory: what would come later is drawn afresh
            now = next.min(time * MILLISECOND);
            if next > now {
                return [es, p];
            }
            let chosen = dice.uniform() * all;
            if chosen < rates[0] {
                (e, s, es) = (e - 1.0, s - 1.0, es + 1.0);
            } else if chosen < rates[0] + rates[1] {
                (e, s, es) = (e + 1.0, s + 1.0, es - 1.0);
            } else {
                (e, es, p) = (e + 1.0, es - 1.0, p + 1.0);
            }
        }
    })
}

/// The benchmark of Andrews, Addy, Brent and Arkin in a tenth of its volume, for two seconds.
pub(super) fn turnover(context: &Context) -> Result<Findings, CheckError> {
    let exact: Vec<MeanNumbers> =
        (0..context.either(500, 4000)).map(|n| well_mixed(context.seed(1_000_000 + n))).collect();
    let runs: Result<Vec<MeanNumbers>, _> =
        (0..context.either(30, 60)).map(|n| in_a_box(context.seed(n))).collect();
    let runs = runs?;
    let mut findings = Findings::default();
    let mut picture = Picture::new("Michaelis and Menten's enzyme", "time [s]", "number");
    let [e, s] = START.map(f64::from);
    let line = |k: usize| -> Vec<[f64; 2]> {
        let at = |n: u32| 0.1 * f64::from(n);
        (0..=20)
            .map(|n| [at(n), SCHEME.advance([e, s, 0.0, 0.0], at(n) * 1e3 * MILLISECOND, 2000)[k]])
            .collect()
    };
    for (k, name) in ["ES", "P"].into_iter().enumerate() {
        let (mut points, mut errors) = (Vec::new(), Vec::new());
        for (n, time) in TIMES.into_iter().enumerate() {
            let of =
                |runs: &[MeanNumbers]| -> Vec<f64> { runs.iter().map(|run| run[n][k]).collect() };
            let (expected, error) = mean_and_error(&of(&exact));
            let what = format!("{name} at t = {} s", 1e-3 * time);
            let finding = mean_of_blocks(&what, &of(&runs), expected).beside_measured(error);
            points.push([1e-3 * time, finding.measured]);
            errors.push(finding.error);
            // k_on is 380 times below 4 pi D R: binding again after falling apart is as rare.
            findings.add(finding.with_bias(0.003 * expected));
        }
        picture = picture
            .theory(&format!("{name}, rate equations"), line(k + 2))
            .measured(name, points, errors);
    }
    findings.show(picture);
    Ok(findings)
}
