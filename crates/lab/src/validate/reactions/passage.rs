//! How long particles take from a reflecting wall to a target, along a line.

use super::super::statistics::mean_of_blocks;
use super::super::world::World;
use super::super::{CheckError, Context, Finding, Findings, Picture};
use super::swarm::{Captures, SWARM, capture};
use jostle_brownian::Seed;
use jostle_core::rules::Chance;
use jostle_core::search::Kind;
use jostle_core::space::Vector;

/// The way from the wall to contact; D = 1.
const WAY: f64 = 5.0;
/// rms steps, in ways.
const STEPS: [f64; 3] = [0.05, 0.1, 0.2];
/// So slow that reacting takes twice as long as getting there. It counts both sides of a target, of
/// which walkers come from one.
const K_A: f64 = 2.0 / WAY;

/// At every contact, and with a given k_a.
pub(super) fn from_a_wall(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let title = "First passage from a reflecting wall to a target";
    let mut picture =
        Picture::new(title, "rms step over way", "time over that of theory").log(true, false);
    picture = picture.theory("theory", vec![[STEPS[0], 1.0], [STEPS[2], 1.0]]);
    for (row, name) in ["at every contact", "k_a = 2 D/L"].into_iter().enumerate() {
        let (mut points, mut errors) = (Vec::new(), Vec::new());
        for (column, share) in STEPS.into_iter().enumerate() {
            let seed = |swarm: u64| context.seed(1_000_000 * (3 * row + column) as u64 + swarm);
            let seeds = (0..context.either(60, 1000)).map(seed);
            let what = format!("{name}, s = {share} L");
            let finding =
                if row == 0 { steps(&what, share, seeds) } else { time(&what, share, seeds) }?;
            points.push([share, finding.measured / finding.expected]);
            errors.push(finding.error / finding.expected);
            findings.add(finding);
        }
        picture = picture.measured(name, points, errors);
    }
    findings.show(picture);
    Ok(findings)
}

/// Without the wall, but with a second target behind it, this is a walk between two targets: Wald's
/// identities give the steps that it takes from how far beyond a target the last of them leads.
fn steps(what: &str, share: f64, seeds: impl Iterator<Item = u64>) -> Result<Finding, CheckError> {
    let beyond = 0.582_597_157_939_010_7;
    let expected = (1.0 / share + beyond).powi(2) + 0.25;
    // The step counts, wherever in it the contact is.
    let blocks = means(share, Chance::Probability(1.0), seeds, |steps| steps.floor() + 1.0)?;
    Ok(mean_of_blocks(&format!("{what}: steps until contact"), &blocks, expected))
}

/// The time on the way, and that in front of the target.
fn time(what: &str, share: f64, seeds: impl Iterator<Item = u64>) -> Result<Finding, CheckError> {
    let timestep = timestep(share);
    let waiting = 2.0 * WAY / K_A;
    let blocks = means(share, Chance::Intrinsic(K_A), seeds, |steps| steps * timestep)?;
    let finding =
        mean_of_blocks(&format!("{what}: time until reaction"), &blocks, 0.5 * WAY * WAY + waiting);
    // The calibration by p is up to 1.1 % of the time in front of the target; and there is where in
    // its step the reaction falls.
    Ok(finding.with_bias(0.011 * waiting + 0.5 * timestep))
}

fn timestep(share: f64) -> f64 {
    0.5 * (share * WAY).powi(2)
}

/// The means over swarms of what `of` makes of the steps until each walker has reacted.
fn means(
    share: f64,
    chance: Chance,
    seeds: impl Iterator<Item = u64>,
    of: impl Fn(f64) -> f64,
) -> Result<Vec<f64>, CheckError> {
    // Radii of 0.5: the target touches one wall, walkers begin at the other.
    let edge = WAY + 2.0;
    let world = World::<1>::closed(edge).timestep(timestep(share)).search(Kind::Naive);
    let world = world.species(0.5, 1.0).species(0.5, 0.0).rules(capture(chance));
    let walker = Seed { species: 0, position: Vector([edge - 0.5]) };
    let mut particles = vec![Seed { species: 1, position: Vector([0.5]) }];
    particles.resize(1 + SWARM, walker);
    let mean = |seed: u64| -> Result<f64, CheckError> {
        let mut engine = world.clone().seed(seed).with(&particles)?;
        let mut captures = Captures::default();
        while captures.0.len() < SWARM {
            engine.step(&mut captures)?;
        }
        Ok(captures.0.into_iter().map(&of).sum::<f64>() / SWARM as f64)
    };
    seeds.map(mean).collect()
}
