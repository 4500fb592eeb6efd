//! Rules in time: exponential waiting times at any time step, and what follows from them.

use super::super::statistics::{counts_in_bins, follows, known_error, ratio_of_blocks};
use super::super::world::{World, advance};
use super::super::{CheckError, Context, Findings, Picture};
use super::ledger::{Ledger, count, step_until, strangers};
use jostle_brownian::Seed;
use jostle_core::observe::{ChangeKind, NoObserver};
use jostle_core::rules::{Region, RuleSet, TimedRule};
use jostle_core::space::{Domain, Vector};

/// A turns into B, into C, or vanishes, at these rates.
const CHANNELS: [f64; 3] = [0.2, 0.5, 0.3];

/// Waiting times at time steps from a twentieth of the mean to thirty times that.
pub(super) fn waiting_times(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut picture = Picture::new("How many are left", "time", "share").log(false, true);
    picture = picture.theory(
        "exp(-k t)",
        (0..=20).map(|k| 0.25 * f64::from(k)).map(|t| [t, libm::exp(-t)]).collect(),
    );
    let particles = context.either(10_000, 100_000);
    for (n, timestep) in [0.05, 1.0, 30.0_f64].into_iter().enumerate() {
        let convert = |name, to: &[u16], rate| TimedRule::convert(name, 0, to, rate);
        let [b, c, away] = CHANNELS;
        let timed =
            vec![convert("to B", &[1], b), convert("to C", &[2], c), convert("away", &[], away)];
        let rules = RuleSet { contact: strangers(3), timed, ..RuleSet::default() };
        let first = rules.first_timed();
        let mut world = World::<1>::periodic(100.0).timestep(timestep).seed(context.seed(n as u64));
        world = (0..3).fold(world, |world, _| world.species(0.5, 0.1)).rules(rules);
        let place = |n: usize| Vector([100.0 * n as f64 / particles as f64]);
        let start: Vec<_> =
            (0..particles).map(|n| Seed { species: 0, position: place(n) }).collect();
        let mut engine = world.with(&start)?;
        let mut ledger = Ledger::default();
        while ledger.0.len() < particles {
            engine.step(&mut ledger)?;
        }
        let mut times: Vec<f64> = ledger.0.iter().map(|event| event.time * timestep).collect();
        let what = format!("waiting times, steps of {timestep} mean times");
        findings.add(follows(&what, times.clone(), |t| -libm::expm1(-t)));
        times.sort_unstable_by(f64::total_cmp);
        let left = |k: i32| {
            let t = 0.5 * f64::from(k);
            [t, 1.0 - times.partition_point(|&time| time <= t) as f64 / particles as f64]
        };
        picture = picture.measured(
            &format!("steps of {timestep}"),
            (0..=10).map(left).collect(),
            Vec::new(),
        );
        let mut counts = [0.0; 3];
        ledger.0.iter().for_each(|event| counts[usize::from(event.rule - first)] += 1.0);
        let what = format!("channels at 0.2 : 0.5 : 0.3, steps of {timestep} mean times");
        findings.add(counts_in_bins(&what, &counts, &CHANNELS.map(|rate| rate * particles as f64)));
        let second: Vec<f64> =
            ledger.times_of_rule(first + 1).map(|time| time * timestep).collect();
        let what = format!("times of the second channel, steps of {timestep} mean times");
        findings.add(follows(&what, second, |t| -libm::expm1(-t)));
    }
    findings.show(picture);
    Ok(findings)
}

/// Twenty particles that are A or B.
pub(super) fn isomers(context: &Context) -> Result<Findings, CheckError> {
    let (to_b, to_a) = (0.3, 0.7);
    let mut findings = Findings::default();
    let mut picture = Picture::new("Isomers: how many of twenty are B", "number", "probability");
    let law = binomial(20, to_b);
    picture =
        picture.theory("binomial", law.iter().enumerate().map(|(n, &p)| [n as f64, p]).collect());
    for (n, (timestep, apart)) in [(0.5, 10), (8.0, 1)].into_iter().enumerate() {
        let timed = vec![
            TimedRule::convert("there", 0, &[1], to_b),
            TimedRule::convert("back", 1, &[0], to_a),
        ];
        let rules = RuleSet { contact: strangers(2), timed, ..RuleSet::default() };
        let mut world = World::<1>::periodic(100.0).timestep(timestep).seed(context.seed(n as u64));
        world = world.species(0.5, 0.1).species(0.4, 0.2).rules(rules);
        let start: Vec<_> =
            (0..20).map(|n| Seed { species: 0, position: Vector([f64::from(n)]) }).collect();
        let mut engine = world.with(&start)?;
        let samples = context.either(4000, 60_000);
        let mut counts = vec![0.0; 21];
        advance(&mut engine, 3 * apart)?;
        for _ in 0..samples {
            advance(&mut engine, apart)?;
            counts[count(&engine, 1)] += 1.0;
        }
        let expected: Vec<f64> = law.iter().map(|p| p * f64::from(samples)).collect();
        let what = format!("number of B, steps of {timestep} relaxation times");
        findings.add(counts_in_bins(&what, &counts, &expected));
        let points =
            counts.iter().enumerate().map(|(n, c)| [n as f64, c / f64::from(samples)]).collect();
        picture = picture.measured(&format!("steps of {timestep}"), points, Vec::new());
    }
    findings.show(picture);
    findings.add(relaxation(context, to_b, to_a)?);
    Ok(findings)
}

/// The approach to equilibrium from all A: a share that no ratio of rates gives, but their sum.
fn relaxation(
    context: &Context,
    to_b: f64,
    to_a: f64,
) -> Result<super::super::Finding, CheckError> {
    let timed =
        vec![TimedRule::convert("there", 0, &[1], to_b), TimedRule::convert("back", 1, &[0], to_a)];
    let rules = RuleSet { contact: strangers(2), timed, ..RuleSet::default() };
    let particles = context.either(20_000, 200_000);
    let mut world = World::<1>::periodic(100.0).timestep(0.25).seed(context.seed(9));
    world = world.species(0.5, 0.1).species(0.4, 0.2).rules(rules);
    let place = |n: usize| Vector([100.0 * n as f64 / particles as f64]);
    let start: Vec<_> = (0..particles).map(|n| Seed { species: 0, position: place(n) }).collect();
    let mut engine = world.with(&start)?;
    step_until(&mut engine, 1.0, &mut NoObserver)?;
    let share = to_b / (to_b + to_a) * -libm::expm1(-(to_b + to_a));
    let error = (share * (1.0 - share) / particles as f64).sqrt();
    let found = count(&engine, 1) as f64 / particles as f64;
    Ok(known_error(
        "share of B after one relaxation time from all A",
        found,
        share,
        error,
        particles,
    ))
}

fn binomial(n: u32, p: f64) -> Vec<f64> {
    let mut law = vec![libm::pow(1.0 - p, f64::from(n))];
    for k in 0..n {
        law.push(law[k as usize] * f64::from(n - k) / f64::from(k + 1) * p / (1.0 - p));
    }
    law
}

/// How many there are on average, and how long each lives.
const MEAN: f64 = 12.0;
const LIFETIME: f64 = 2.0;
/// The corners of where they come to be.
const REGION: [[f64; 3]; 2] = [[5.0, 4.0, 0.0], [15.0, 10.0, 0.0]];

/// Particles come to be in a part of the box and decay, at time steps of 0.05 and of 5 lifetimes.
pub(super) fn birth_and_death(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut picture =
        Picture::new("Creation and decay: how many there are", "number", "probability");
    let law = poisson_law();
    picture =
        picture.theory("Poisson", law.iter().enumerate().map(|(n, &p)| [n as f64, p]).collect());
    for (n, (timestep, apart, number)) in [(0.05, 10, 600), (5.0, 1, 4000)].into_iter().enumerate()
    {
        let number = number * context.either(10, 150) / if apart > 1 { 1 } else { 10 };
        let timestep = timestep * LIFETIME;
        let [from, to] = REGION;
        let area = (to[0] - from[0]) * (to[1] - from[1]);
        let mut create = TimedRule::create("make", 0, MEAN / LIFETIME / area);
        create.region = Some(Region { from, to, sides: Vec::new(), volume: area });
        let timed = vec![create, TimedRule::convert("decay", 0, &[], 1.0 / LIFETIME)];
        let rules = RuleSet { contact: strangers(1), timed, ..RuleSet::default() };
        let mut world = World::<2>::periodic(20.0).timestep(timestep).seed(context.seed(n as u64));
        world.domain = Domain::new([30.0, 20.0], [true; 2]);
        let mut engine = world.species(0.5, 0.01).rules(rules).with(&[])?;
        let mut ledger = Ledger::<2>::default();
        let mut samples = Vec::with_capacity(number);
        for sample in 0..number + 20 {
            for _ in 0..apart {
                engine.step(&mut ledger)?;
            }
            if sample >= 20 {
                samples.push(count(&engine, 0));
            }
        }
        let what = format!("steps of {} lifetimes", timestep / LIFETIME);
        let independent: Vec<usize> = samples.iter().step_by(apart).copied().collect();
        let mut counts = vec![0.0; law.len()];
        independent.iter().for_each(|&n| counts[n.min(law.len() - 1)] += 1.0);
        let expected: Vec<f64> = law.iter().map(|p| p * independent.len() as f64).collect();
        findings.add(counts_in_bins(&format!("how many there are, {what}"), &counts, &expected));
        let share = |(n, c): (usize, &f64)| [n as f64, c / independent.len() as f64];
        picture =
            picture.measured(&what, counts.iter().enumerate().map(share).collect(), Vec::new());
        if apart > 1 {
            findings.add(autocorrelation(&samples));
        }
        creations(&mut findings, &what, &ledger, timestep * MEAN / LIFETIME);
    }
    findings.show(picture);
    Ok(findings)
}

fn poisson_law() -> Vec<f64> {
    let mut law = vec![libm::exp(-MEAN)];
    for n in 0..4 * MEAN as usize {
        law.push(law[n] * MEAN / (n + 1) as f64);
    }
    law
}

/// Samples are half a lifetime apart: exp(-0.5) of a deviation is left on average, whatever it is.
/// So what is there beyond that, times the deviation, has mean 0 and no memory, and blocks are
/// independent.
fn autocorrelation(samples: &[usize]) -> super::super::Finding {
    let deviations: Vec<f64> = samples.iter().map(|&n| n as f64 - MEAN).collect();
    let products = |by: usize| {
        move |block: &[f64]| block.windows(2).map(|pair| pair[0] * pair[by]).sum::<f64>()
    };
    let row = |block: &[f64]| [products(1)(block), products(0)(block)];
    let rows: Vec<[f64; 2]> = deviations.chunks_exact(150).map(row).collect();
    ratio_of_blocks("autocorrelation after half a lifetime", &rows, libm::exp(-0.5))
}

/// Creations are a Poisson process of `rate` per step, evenly over the region.
fn creations(findings: &mut Findings, what: &str, ledger: &Ledger<2>, rate: f64) {
    let times = ledger.times(ChangeKind::Created);
    let intervals = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    findings.add(follows(&format!("time between creations, {what}"), intervals, |t| {
        -libm::expm1(-rate * t)
    }));
    let [from, to] = REGION;
    let created = ledger.0.iter().filter(|event| event.kind == ChangeKind::Created);
    let along = |k: usize, x: f64| (x - from[k]) / (to[k] - from[k]);
    // Both coordinates and the place within the step, which are independent, in one sample.
    let even = created
        .flat_map(|e| [along(0, e.place[0]), along(1, e.place[1]), e.time.fract()])
        .collect();
    findings
        .add(follows(&format!("place and time of creations, {what}"), even, |x| x.clamp(0.0, 1.0)));
}
