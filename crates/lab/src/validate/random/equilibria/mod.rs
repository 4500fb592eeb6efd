//! Random equilibria: small reversible systems, drawn at random from all that can be combined, spend their
//! time in each macrostate as configuration integrals say, at any time step.

mod arrangements;
mod draft;
mod draw;
mod measure;
mod membrane;
mod reference;
mod system;
mod text;

use super::super::statistics::{mean_of_blocks, of_many};
use super::super::{CheckError, Context, Effort, Finding, Findings};
use super::draws::Draws;
use jostle_run::in_pool;
use measure::{BLOCKS, Length, MeasuredRun, measure};
use reference::Reference;
use system::System;

/// The system of a seed.
#[derive(Clone, Debug)]
pub struct RandomEquilibrium {
    seed: u64,
    system: System,
    /// The longest time step that the model may have, within a tenth or so. \[µs\]
    longest: f64,
    /// Why systems were refused as models before there was this one.
    pub refused: Vec<String>,
}

/// A system beside the reference.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The worst of all comparisons, judged as such.
    pub finding: Finding,
    /// How many comparisons there were.
    pub comparisons: usize,
    /// The model, at the time step of the worst.
    pub text: String,
}

/// How much is measured of a system.
#[derive(Clone, Copy, Debug)]
struct Work {
    /// Configurations of each arrangement.
    samples: usize,
    length: Length,
    /// Time steps, as shares of the longest.
    steps: &'static [f64],
}

impl Work {
    fn of(effort: Effort) -> Self {
        match effort {
            Effort::Quick => Self {
                samples: 120_000,
                length: Length { turns: 2_000, most: 60_000 },
                steps: &[1.0, 0.15],
            },
            Effort::Full => Self {
                samples: 400_000,
                length: Length { turns: 20_000, most: 600_000 },
                steps: &[1.0, 0.3, 0.1],
            },
        }
    }
}

/// Many systems, each judged by the worst of its comparisons.
pub(super) fn equilibria(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let systems = context.either(15, 200);
    let (mut refused, mut comparisons) = (0, 0);
    for number in 0..systems {
        let system = RandomEquilibrium::of(context.seed(number))?;
        let judged = system.examine(context.effort)?;
        refused += system.refused.len();
        comparisons += judged.comparisons;
        findings.add(judged.finding);
    }
    findings.remark(format!(
        "{systems} systems, {comparisons} comparisons; {refused} more systems were refused as models"
    ));
    Ok(findings)
}

impl RandomEquilibrium {
    /// The first system of a seed that is a valid model.
    ///
    /// # Errors
    /// If there is none among fifty.
    pub fn of(seed: u64) -> Result<Self, CheckError> {
        let mut draws = Draws::new(seed);
        let mut refused = Vec::new();
        while refused.len() < 50 {
            let system = draw::draw(&mut draws);
            match longest_step(&system) {
                Ok(longest) => return Ok(Self { seed, system, longest, refused }),
                Err(why) => refused.push(why),
            }
        }
        Err(format!("no model is valid: {refused:?}").into())
    }

    /// The model, at this share of its longest time step.
    pub fn text(&self, step: f64) -> String {
        self.system.text(step * self.longest, 1 + self.seed % 1_000_000)
    }

    /// Runs it at several time steps, and compares it with the reference.
    ///
    /// # Errors
    /// If it does not run.
    pub fn examine(&self, effort: Effort) -> Result<Judged, CheckError> {
        in_pool(1, || self.examine_here(effort))?
    }

    fn examine_here(&self, effort: Effort) -> Result<Judged, CheckError> {
        let (system, work) = (&self.system, Work::of(effort));
        let reference = Reference::of(system, work.samples, &mut Draws::new(!self.seed));
        let mut all: Vec<(f64, Finding)> = Vec::new();
        for &step in work.steps {
            let model = jostle_model::parse(&self.text(step), "random.toml", &[])?;
            let measured = measure(system, &reference, &model, work.length)?;
            let compared = compare(system, &reference, &measured);
            all.extend(compared.into_iter().map(|finding| (step, finding)));
        }
        let comparisons = all.len();
        let worse =
            |a: (f64, Finding), b: (f64, Finding)| if b.1.z.abs() > a.1.z.abs() { b } else { a };
        let (step, worst) = all.into_iter().reduce(worse).ok_or("nothing can be compared")?;
        let what = format!("system {}, {step} of the longest step: {}", self.seed, worst.what);
        let finding = of_many(Finding { what, ..worst }, comparisons);
        Ok(Judged { finding, comparisons, text: self.text(step) })
    }
}

/// The longest time step that the model may have, or why it can have none.
fn longest_step(system: &System) -> Result<f64, String> {
    let fastest = system.sorts.iter().map(|sort| sort.diffusion).fold(0.0, f64::max);
    let mut timestep = (0.1 * system.space.edge).powi(2) / (2.0 * fastest);
    let mut why = String::new();
    for _ in 0..25 {
        timestep *= 0.85;
        let text = system.text(timestep, 1);
        match jostle_model::parse(&text, "random.toml", &[]) {
            Ok(_) => return Ok(timestep),
            Err(faults) => why = format!("{faults}\n{text}"),
        }
    }
    Err(why)
}

/// All numbers of a run beside the reference: those that are seen to change often enough for their blocks
/// to be independent and nearly Gaussian, and those that should be.
fn compare(system: &System, reference: &Reference, measured: &MeasuredRun) -> Vec<Finding> {
    const LEAST_CHANGES: usize = 8 * BLOCKS;
    const LARGE: f64 = 0.1;
    let names = reference.names(system);
    let one = |k: usize| {
        let expected = reference.means[k];
        let blocks: Vec<f64> = measured.blocks.iter().map(|block| block[k]).collect();
        let is_judged = measured.changes[k] >= LEAST_CHANGES || expected.mean > LARGE;
        is_judged.then(|| {
            let finding = mean_of_blocks(&names[k], &blocks, expected.mean);
            // Blocks that resemble each other are worth fewer; those that are farther apart do so by the
            // power of their distance.
            let alike = resemblance(&blocks).clamp(0.0, 0.9);
            let extra = (2.0 * alike / (1.0 - alike)).sqrt() * finding.error;
            // A share p of a run in which it changed n times is known to 2 p (1 - p)/√n (a telegraph
            // process): blocks of a run that got stuck in one state would seem to know better.
            // Of a few changes it is not known whether they are typical.
            let changes = measured.changes[k];
            let p = if changes < BLOCKS { 0.5 } else { expected.mean.min(1.0) };
            let slow = match changes < LEAST_CHANGES {
                true => 2.0 * p * (1.0 - p) / (changes.max(1) as f64).sqrt(),
                false => 0.0,
            };
            finding.beside_measured(extra.hypot(expected.error).max(slow))
        })
    };
    (0..names.len()).filter_map(one).collect()
}

/// The correlation of each block with the next.
fn resemblance(blocks: &[f64]) -> f64 {
    let mean = blocks.iter().sum::<f64>() / blocks.len() as f64;
    let together: f64 = blocks.windows(2).map(|w| (w[0] - mean) * (w[1] - mean)).sum();
    together / blocks.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>().max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests;
