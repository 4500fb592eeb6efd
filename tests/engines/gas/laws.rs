//! The laws of a gas in equilibrium. Seeds are fixed; every test says how large its sample is and
//! how often it would fail by chance for other seeds.

use jostle::observe::NoObserver;
use jostle::space::Vector;

use super::worlds::World;

/// The greatest distance between the distribution of a sample and another.
fn kolmogorov(mut sample: Vec<f64>, below: impl Fn(f64) -> f64) -> f64 {
    sample.sort_unstable_by(f64::total_cmp);
    let n = sample.len() as f64;
    let far = |(k, &x): (usize, &f64)| {
        let p = below(x);
        (p - k as f64 / n).abs().max(((k + 1) as f64 / n - p).abs())
    };
    sample.iter().enumerate().map(far).fold(0.0, f64::max)
}

/// 400 disks of two masses, all of which start with the same energy and so far from Maxwell's law,
/// after more than 30 collisions each: 4 samples of all speeds, 20 collisions apart. By Kolmogorov
/// and Smirnov with 800 speeds of each mass, each test fails once in 1000 times by chance.
#[test]
fn speeds_become_those_of_maxwell_and_boltzmann() {
    let mut world = World::scattered(400, [50.0, 50.0], &[[0.5, 1.0], [0.5, 4.0]], 5);
    for (species, _, velocity) in &mut world.disks {
        let mass = world.kinds[*species as usize][1];
        *velocity = *velocity * ((2.0 / mass).sqrt() / velocity.norm());
    }
    world.timestep = 0.2;
    let mut engine = world.cubic();
    let mut speeds = [Vec::new(), Vec::new()];
    let mut wait = 30;
    for _ in 0..4 {
        let until = engine.tally().contacts + wait * 200;
        while engine.tally().contacts < until {
            engine.step(&mut NoObserver).unwrap();
        }
        wait = 20;
        let p = engine.particles();
        for i in 0..p.len() {
            speeds[p.species[i] as usize].push(p.velocity[i].norm() / world.timestep);
        }
    }
    // In a plane a speed is below v with the probability 1 - exp(-m v²/2T); T is 1, the energy of
    // each.
    for (sample, [_, mass]) in speeds.into_iter().zip(&world.kinds) {
        let n = sample.len() as f64;
        let distance = kolmogorov(sample, |v| 1.0 - (-0.5 * mass * v * v).exp());
        assert!(distance < 1.95 / n.sqrt(), "mass {mass}: {distance} of {n}");
    }
}

/// Disks so small that their room does not count, of two masses, that start everywhere alike: 20
/// means over 100 looks of each share of the heights. Each of the 12 shares is held to five
/// standard errors (Student's distribution with 19 degrees of freedom: one of all fails once in
/// 1000 times by chance) and 1 % for the room of the disks.
#[test]
fn heights_become_those_of_an_atmosphere() {
    const BLOCKS: usize = 20;
    const PARTS: usize = 6;
    let height = 60.0;
    let mut world = World::scattered(300, [60.0, height], &[[0.1, 1.0], [0.1, 2.0]], 11);
    world.gravity = Vector([0.0, -1.0 / 30.0]);
    world.timestep = 0.25;
    let mut engine = world.cubic();
    for _ in 0..8000 {
        engine.step(&mut NoObserver).unwrap();
    }
    let mut temperature = 0.0;
    let mut shares = [[[0.0; PARTS]; BLOCKS]; 2];
    for block in 0..BLOCKS {
        for _ in 0..100 {
            for _ in 0..12 {
                engine.step(&mut NoObserver).unwrap();
            }
            let p = engine.particles();
            temperature += world.balance(p).0 / (300.0 * 100.0 * BLOCKS as f64);
            for i in 0..p.len() {
                let part = (p.position[i][1] / height * PARTS as f64) as usize;
                shares[p.species[i] as usize][block][part.min(PARTS - 1)] += 1.0 / (150.0 * 100.0);
            }
        }
    }
    assert!(engine.tally().contacts > 5_000, "{:?}", engine.tally());
    for (shares, [_, mass]) in shares.iter().zip(&world.kinds) {
        let slope = mass / 30.0 / temperature;
        let (low, high) = (0.1, height - 0.1);
        let below = |y: f64| 1.0 - (-slope * (y.clamp(low, high) - low)).exp();
        for part in 0..PARTS {
            let [a, b] =
                [part, part + 1].map(|k| below(height * k as f64 / PARTS as f64) / below(high));
            let expected = b - a;
            let mean = shares.iter().map(|block| block[part]).sum::<f64>() / BLOCKS as f64;
            let square = |block: &[f64; PARTS]| (block[part] - mean) * (block[part] - mean);
            let variance = shares.iter().map(square).sum::<f64>() / (BLOCKS - 1) as f64;
            let error = (variance / BLOCKS as f64).sqrt();
            let bound = 5.0 * error + 0.01 * expected;
            assert!(
                (mean - expected).abs() < bound,
                "mass {mass}, part {part}: {mean} +- {error}, expected {expected} at T = {temperature}"
            );
            assert!(error < 0.1 * expected + 0.003, "too coarse: {error} of {expected}");
        }
    }
}
