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

use super::super::statistics::{binomial, mean_of_blocks};
use super::super::{Check, CheckError, Context, Finding, Findings, Group};
use jostle_model::Model;
use system::{Scene, System};

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

/// The first seeds are those of `make test`.
fn typed_rates(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut refused = 0;
    for number in 0..context.either(12, 120) {
        let examined = examine(context.seed(number), context.either(300, 3000))?;
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
    for (timestep, name) in [(short_step(&system, longest), "short"), (longest, "long")] {
        let text = system.text(timestep);
        let model = read(&text).map_err(|why| format!("{why}\n{text}"))?;
        for finding in compare(&system, &model, times, seed, name)? {
            findings.push((text.clone(), finding));
        }
    }
    Ok(Examined { refused, findings })
}

/// Seeds of systems that are drawn again.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

fn read(text: &str) -> Result<Model, String> {
    jostle_model::parse(text, "random.toml", &[]).map_err(|faults| faults.to_string())
}

/// The longest step that the check of the model allows, up to what theory asks for: that nothing around the pair is
/// narrower than about three steps, and that an obstructed pair has many contacts. \[µs\]
fn longest_step(system: &System) -> Result<f64, String> {
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
fn narrowest(system: &System) -> f64 {
    let shells = system.shells.iter().map(|[to, _]| *to).chain(system.slow.map(|slow| slow.to));
    let mut from = 1.0;
    let widths = shells.map(|to| (to - from, from = to).0 / 3.0);
    let most = match system.scene {
        _ if system.share() < 1.0 || system.half => 0.4,
        Scene::Floor => 0.4,
        _ => 1.0,
    };
    widths.fold(most, f64::min)
}

/// A step at which contacts are many. \[µs\]
fn short_step(system: &System, longest: f64) -> f64 {
    let obstructed = system.share() < 1.0 || system.half || system.scene == Scene::Floor;
    let step = if obstructed { 0.25 } else { 0.2 } * system.contact();
    (step * step / (2.0 * system.together())).min(0.3 * longest)
}

/// Measures one system at one step.
fn compare(
    system: &System,
    model: &Model,
    times: usize,
    seed: u64,
    name: &str,
) -> Result<Vec<Finding>, CheckError> {
    if std::env::var("ONLY").is_ok_and(|only| !describe(system).contains(&only)) {
        return Ok(Vec::new());
    }
    let (timestep, pairs) = (model.run.timestep, system.guests());
    let runs = (times / pairs).max(25);
    let key = seed ^ if name == "long" { 1 } else { 0 };
    let measured =
        runs::measure(model, pairs, runs, |run| key.wrapping_add(run.wrapping_mul(GOLDEN)))?;
    let expected = system.expected(timestep)?;
    let s = system.step(timestep) / system.contact();
    let what = format!("{}, s = {s:.2} R", describe(system));
    let time =
        mean_of_blocks(&format!("{what}: mean time \\[µs\\]"), &measured.means, expected.time);
    let mut findings = vec![time.with_bias(expected.bias)];
    if let [first, _] = system.rates[..] {
        let share = first / system.rates.iter().sum::<f64>();
        let count = measured.by_rule.iter().sum();
        findings.push(binomial(
            &format!("{what}: share of the first rule"),
            measured.by_rule[0],
            count,
            share,
        ));
    }
    Ok(findings)
}

fn describe(system: &System) -> String {
    let System { dimension, scene, manners, event, typed, .. } = system;
    let mut text = format!("{dimension}D, {scene:?}, {manners:?}, {event:?}, {typed:?}");
    if !system.shells.is_empty() {
        text += ", shells";
    }
    if system.slow.is_some() {
        text += ", slow region";
    }
    if system.half {
        text += ", half";
    }
    if system.share() < 1.0 {
        text += &format!(", openings {:?}", system.openings);
    }
    text
}

#[cfg(test)]
mod explore {
    #[test]
    fn explore() {
        let number = |name: &str, usual: u64| {
            std::env::var(name).ok().map_or(usual, |text| text.parse().unwrap())
        };
        let first = number("FIRST", 0);
        for seed in first..first + number("MODELS", 0) {
            let begun = std::time::Instant::now();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            match pool.install(|| super::examine(seed, number("TIMES", 300) as usize)) {
                Err(error) => println!("SEED {seed} ERROR {error}"),
                Ok(examined) => {
                    for why in &examined.refused {
                        let line = why.lines().find(|line| line.contains(": ")).unwrap_or(why);
                        println!("   refused {line}");
                    }
                    for (n, (text, f)) in examined.findings.iter().enumerate() {
                        println!(
                            "SEED {seed} z {:+.2} ratio {:.4} +- {:.4} bias {:.4}  {} {:.2} s",
                            f.z,
                            f.measured / f.expected,
                            f.error / f.expected,
                            f.bias / f.expected,
                            f.what,
                            begun.elapsed().as_secs_f64()
                        );
                        if !f.holds() || std::env::var("SHOW").is_ok() {
                            std::fs::write(format!("/tmp/rt_out/{seed}_{n}.toml"), text).unwrap();
                        }
                    }
                }
            }
        }
    }
}
