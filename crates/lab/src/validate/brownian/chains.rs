//! Chains of spheres that are tethered to their neighbours: how far their ends are apart and how wide
//! they are, at any time step, beside a Monte Carlo reference of a few lines.

use super::super::statistics::{mean_and_error, mean_of_blocks};
use super::super::world::{World, advance, unwrapped};
use super::super::{CheckError, Context, Findings, Picture};
use jostle_brownian::Seed;
use jostle_core::clusters::Bond;
use jostle_core::random::{Purpose, Random};
use jostle_core::rules::ContactRule;
use jostle_core::space::Vector;

/// Of the tethers; the spheres have the diameter 1.
const TETHER: f64 = 1.6;
const BLOCKS: usize = 24;

pub(super) fn sizes(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let axes = ["spheres in a chain", "squared distance of the ends over squared diameter"];
    let mut picture = Picture::new("Chains of tethered spheres", axes[0], axes[1]).log(true, true);
    let (mut reference, mut points, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for (n, length) in [2, 5, 12].into_iter().enumerate() {
        let samples = context.either(60, 1000);
        let blocks = metropolis(length, samples, context.seed(10 * n as u64));
        let column = |k: usize| blocks.iter().map(|block| block[k]).collect::<Vec<_>>();
        let known = [0, 1].map(|k| mean_and_error(&column(k)));
        reference.push([length as f64, known[0].0]);
        for (m, step) in [0.06, 0.25, 1.0].into_iter().enumerate() {
            let seed = context.seed(10 * n as u64 + 1 + m as u64);
            let blocks = chain(length, step, context.either(12, 200), seed)?;
            for (k, what) in ["distance of the ends", "radius of gyration"].into_iter().enumerate()
            {
                let name = format!("chain of {length}, steps of {step} diameters: squared {what}");
                let column: Vec<f64> = blocks.iter().map(|block| block[k]).collect();
                let (mean, error) = known[k];
                let finding = mean_of_blocks(&name, &column, mean).beside_measured(error);
                if k == 0 && m == 1 {
                    points.push([length as f64, finding.measured]);
                    errors.push(finding.error);
                }
                findings.add(finding);
            }
        }
    }
    picture = picture.theory("Monte Carlo", reference);
    findings.show(picture.measured("steps of 0.25 diameters", points, errors));
    Ok(findings)
}

/// The squared distance of the ends, and the squared radius of gyration.
fn size(places: &[Vector<3>]) -> [f64; 2] {
    let n = places.len() as f64;
    let centre = places.iter().fold(Vector::ZERO, |sum, place| sum + *place) * (1.0 / n);
    let gyration = places.iter().map(|place| (*place - centre).norm_squared()).sum::<f64>() / n;
    [(places[places.len() - 1] - places[0]).norm_squared(), gyration]
}

fn straight(length: usize) -> Vec<Vector<3>> {
    (0..length).map(|n| Vector([1.0 + 1.2 * n as f64, 20.0, 20.0])).collect()
}

/// Means over blocks of a run, each as long as the chain takes to forget its shape so many times.
fn chain(length: usize, step: f64, times: usize, seed: u64) -> Result<Vec<[f64; 2]>, CheckError> {
    let mut world = World::<3>::periodic(40.0).timestep(0.5 * step * step).seed(seed);
    world = world.species(0.5, 1.0);
    world.rules.contact = vec![ContactRule::tether("chain", [0, 0], TETHER, 0.0)];
    let bonds: Vec<Bond> = (1..length as u64).map(|n| Bond::new([n - 1, n], 0)).collect();
    let places = straight(length);
    let seeds = places.iter().map(|&position| Seed { species: 0, position });
    let mut engine = world.bonded(&seeds.collect::<Vec<_>>(), &bonds)?;
    // Of Rouse: N^2 b^2/(3 pi^2 D); of a pair, about b^2/(3 D). D = 1.
    let memory = 0.06 * (length * length) as f64 + 0.5;
    let apart = (0.25 * memory / world.timestep).ceil().max(1.0) as usize;
    advance(&mut engine, 20 * apart)?;
    let mut blocks = Vec::new();
    for _ in 0..BLOCKS {
        let mut sum = [0.0; 2];
        let frames = 4 * times;
        for _ in 0..frames {
            advance(&mut engine, apart)?;
            let found = size(&unwrapped(&engine));
            (0..2).for_each(|k| sum[k] += found[k] / frames as f64);
        }
        blocks.push(sum);
    }
    Ok(blocks)
}

/// The same from a Monte Carlo run (Metropolis et al. 1953) that moves one sphere at a time.
fn metropolis(length: usize, samples: usize, seed: u64) -> Vec<[f64; 2]> {
    let random = Random::new(seed);
    let mut number = 0;
    let mut draw = || {
        number += 1;
        random.uniform(Purpose::Placement, [number, 1, 0, 0])
    };
    let mut places = straight(length);
    let mut blocks = Vec::new();
    for block in 0..=BLOCKS {
        let mut sum = [0.0; 2];
        for _ in 0..samples {
            for _ in 0..4 * length * length {
                let mover = ((draw() * length as f64) as usize).min(length - 1);
                let place = places[mover] + Vector::from_fn(|_| 1.2 * (draw() - 0.5));
                let fits = |(n, other): (usize, &Vector<3>)| {
                    let squared = (*other - place).norm_squared();
                    n == mover
                        || squared >= 1.0 && (n.abs_diff(mover) > 1 || squared <= TETHER * TETHER)
                };
                if places.iter().enumerate().all(fits) {
                    places[mover] = place;
                }
            }
            let found = size(&places);
            (0..2).for_each(|k| sum[k] += found[k] / samples as f64);
        }
        // The first forgets that the chain was straight.
        if block > 0 {
            blocks.push(sum);
        }
    }
    blocks
}
