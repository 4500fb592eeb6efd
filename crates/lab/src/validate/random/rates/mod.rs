//! The rate that was typed is the rate that comes out.
//!
//! From a seed follows one reactive pair among few, as a model file: a way to type a rate, and settings that could
//! change it, each from all that can be combined. The mean time until the two react is compared with theory that
//! knows nothing of the engine, at a short step and near the longest that the check of the model allows. What the
//! check refuses is drawn again.

mod chamber;
mod draw;
mod expected;
mod runs;
mod system;
mod text;

use super::super::statistics::{binomial, mean_of_blocks};
use super::super::{Check, CheckError, Context, Finding, Findings, Group};
use jostle_model::Model;
use runs::Repeats;
use system::{ReactivePair, Setting};

pub(super) const CHECK: Check = Check {
    name: "random-rates",
    group: Group::Brownian,
    title: "pairs that react, drawn at random from every way to type a rate and all that could change it",
    theory: "mean time until reaction = W/(k_a exp(-U)) + what diffusion takes; competing reactions share as their rates",
    source: "Szabo, Schulten and Schulten 1980, by quadrature",
    seconds: 20.0,
    quick: true,
    run: typed_rates,
};

fn typed_rates(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut refused = 0;
    for number in 0..context.either(12, 36) {
        let examined = examine(context.seed(number), context.either(100, 2000))?;
        refused += examined.refused.len();
        findings.findings.extend(examined.findings.into_iter().map(|(_, finding)| finding));
    }
    findings.remark(format!(
        "{refused} more systems were refused by the check of the model, and drawn again"
    ));
    Ok(findings)
}

/// What came of a seed.
#[derive(Clone, Debug)]
pub struct Examined {
    /// What the check of the model said of systems that were drawn before there was one that it accepts.
    pub refused: Vec<String>,
    /// What was found, with the model that shows it.
    pub findings: Vec<(String, Finding)>,
}

/// Draws a system from a seed and measures how long its pair takes to react, about so many `times`.
///
/// # Errors
/// If no model is valid among many that were drawn, or a run fails.
pub fn examine(seed: u64, times: usize) -> Result<Examined, CheckError> {
    let mut refused = Vec::new();
    let (system, longest) = loop {
        let system = draw::draw(seed.wrapping_add((refused.len() as u64).wrapping_mul(GOLDEN)));
        match longest_step(&system) {
            Ok(longest) => break (system, longest),
            Err(why) if refused.len() < 50 => refused.push(why),
            Err(why) => return Err(format!("no system is valid: {why}").into()),
        }
    };
    let mut findings = Vec::new();
    for (timestep, key) in
        [(short_step(&system, longest), seed), (longest, seed.wrapping_add(GOLDEN))]
    {
        let text = system.text(timestep);
        let model = read(&text).map_err(|why| format!("{why}\n{text}"))?;
        for finding in compare(&system, &model, times, key)? {
            findings.push((text.clone(), finding));
        }
    }
    Ok(Examined { refused, findings })
}

/// Odd, and without a pattern: takes seeds far from each other.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Runs of a system; each is a block of the standard error.
const FEWEST_RUNS: usize = 25;

fn read(text: &str) -> Result<Model, String> {
    jostle_model::parse(text, "random.toml", &[]).map_err(|faults| faults.to_string())
}

/// The longest step that the check of the model allows, up to what theory asks for: that nothing around the pair is
/// narrower than about three steps, and that an obstructed pair has many contacts. \[µs\]
fn longest_step(system: &ReactivePair) -> Result<f64, String> {
    const SHORTER: f64 = 0.75;
    let step = narrowest(system) * system.contact();
    let mut timestep = step * step / (2.0 * system.together());
    let mut why = String::new();
    for _ in 0..20 {
        match read(&system.text(timestep)) {
            Ok(_) => return Ok(timestep),
            Err(faults) => why = faults,
        }
        timestep *= SHORTER;
    }
    Err(why)
}

/// The longest rms step that theory allows, in contact distances.
fn narrowest(system: &ReactivePair) -> f64 {
    let shells = system.shells.iter().map(|[to, _]| *to).chain(system.slow.map(|slow| slow.to));
    let mut from = 1.0;
    let widths = shells.map(|to| (to - from, from = to).0 / 3.0);
    let most = match system.setting {
        _ if system.share() < 1.0 || system.half => 0.4,
        Setting::Floor => 0.4,
        _ => 1.0,
    };
    widths.fold(most, f64::min)
}

/// A step at which contacts are many. \[µs\]
fn short_step(system: &ReactivePair, longest: f64) -> f64 {
    let obstructed = system.share() < 1.0 || system.half || system.setting == Setting::Floor;
    let step = if obstructed { 0.25 } else { 0.2 } * system.contact();
    (step * step / (2.0 * system.together())).min(0.3 * longest)
}

/// Measures one system at one step.
fn compare(
    system: &ReactivePair,
    model: &Model,
    times: usize,
    seed: u64,
) -> Result<Vec<Finding>, CheckError> {
    let (timestep, pairs) = (model.run.timestep, system.guests());
    let expected = system.expected(timestep)?;
    // Waiting times end exponentially.
    let patience = 100.0 * expected.time;
    let plan = Repeats { runs: (times / pairs).max(FEWEST_RUNS), pairs, patience };
    let measured =
        runs::measure(model, plan, |run| seed.wrapping_add((2 * run).wrapping_mul(GOLDEN)))?;
    let s = system.step(timestep) / system.contact();
    let what = format!("{}, s = {s:.2} R", system.words());
    let time = mean_of_blocks(&format!("{what}: mean time"), &measured.means, expected.time);
    let mut findings = vec![time.with_bias(expected.bias)];
    if let [first, second] = system.rates[..] {
        let (count, share) = (measured.by_rule.iter().sum(), first / (first + second));
        let what = format!("{what}: share of the first of two reactions");
        findings.push(binomial(&what, measured.by_rule[0], count, share));
    }
    Ok(findings)
}
