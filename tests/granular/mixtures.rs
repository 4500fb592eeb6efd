//! Mixtures in equilibrium: who meets whom how often, and who has how much energy.

use std::f64::consts::PI;

use jostle::granular::Grain;
use jostle::observe::{Contact, Partner};
use jostle::search::kinetic::KineticKind;
use jostle::space::Vector;
use jostle::theory::contact_value_mixture_3d;

use super::worlds::{Hear, World, assert_mean, density, heat, lattice, run, scattered};

const BLOCKS: usize = 60;

/// Collisions per time of each pair of kinds: 0-0, 0-1, 1-1; block by block.
fn meetings<const D: usize>(
    world: &World<D>,
    grains: &[Grain<D>],
    [warm_up, block]: [f64; 2],
) -> ([Vec<f64>; 3], [Vec<f64>; 2]) {
    let mut engine = world.engine(grains);
    run(&mut engine, warm_up);
    let mut rates = [vec![], vec![], vec![]];
    let mut energies = [vec![], vec![]];
    for _ in 0..BLOCKS {
        let mut counts = [0.0; 3];
        let mut hear = Hear(|contact: &Contact<D>| {
            if let Partner::Body { species, .. } = contact.partner {
                counts[usize::from(contact.species + species)] += 1.0;
            }
        });
        let end = engine.now() + block;
        engine.advance(end, &mut hear).unwrap();
        (0..3).for_each(|pair| rates[pair].push(counts[pair] / block));
        for (kind, energies) in energies.iter_mut().enumerate() {
            let (mut sum, mut number) = (0.0, 0.0);
            for (grain, flight) in grains.iter().zip(engine.flights().all) {
                if usize::from(grain.species) == kind {
                    sum += grain.mass * flight.velocity.norm_squared() / D as f64;
                    number += 1.0;
                }
            }
            energies.push(sum / number);
        }
    }
    assert_eq!(engine.tally().late, 0);
    (rates, energies)
}

/// Enskog: each body of kind i meets `n_j g_ij s_ij² sqrt(8 pi T/mu_ij)` of kind j per time.
fn expected_3d(numbers: [f64; 2], sizes: [f64; 2], masses: [f64; 2], volume: f64) -> [f64; 3] {
    let kinds = [0, 1].map(|i| (numbers[i] / volume, sizes[i]));
    [(0, 0), (0, 1), (1, 1)].map(|(i, j)| {
        let s = 0.5 * (sizes[i] + sizes[j]);
        let mu = masses[i] * masses[j] / (masses[i] + masses[j]);
        let g = contact_value_mixture_3d(&kinds, i, j);
        let each = kinds[j].0 * g * s * s * (8.0 * PI / mu).sqrt();
        numbers[i] * each * if i == j { 0.5 } else { 1.0 }
    })
}

/// Disks: contact values of Jenkins and Mancini (1987).
fn expected_2d(numbers: [f64; 2], sizes: [f64; 2], masses: [f64; 2], area: f64) -> [f64; 3] {
    let cover: f64 = (0..2).map(|i| 0.25 * PI * numbers[i] * sizes[i] * sizes[i] / area).sum();
    let lines: f64 = (0..2).map(|i| 0.25 * PI * numbers[i] * sizes[i] / area).sum();
    [(0, 0), (0, 1), (1, 1)].map(|(i, j)| {
        let s = 0.5 * (sizes[i] + sizes[j]);
        let mu = masses[i] * masses[j] / (masses[i] + masses[j]);
        let free = 1.0 - cover;
        let g = 1.0 / free + 9.0 / 16.0 * sizes[i] * sizes[j] / s * lines / (free * free);
        let each = numbers[j] / area * g * s * (2.0 * PI / mu).sqrt();
        numbers[i] * each * if i == j { 0.5 } else { 1.0 }
    })
}

/// 864 + 864 spheres of diameters 1 and 0.6 and masses 1 and 0.216, 30 % packed; 60 blocks of some
/// 3000 collisions; theory 1 %. Energies: each kind's in a block scatters by 3 %.
#[test]
fn spheres_of_two_sizes_meet_as_enskog_says_and_share_energy() {
    let (sizes, masses) = ([1.0, 0.6], [1.0, 0.216]);
    let volume = PI / 6.0 * 864.0 * (1.0 + 0.216) / 0.3;
    let edge = libm::cbrt(volume);
    let world = World::periodic([edge; 3]);
    let mut grains = lattice([12; 3], [edge; 3]);
    for (n, grain) in grains.iter_mut().enumerate() {
        let kind = (n + n / 12 + n / 144) % 2;
        (grain.species, grain.radius, grain.mass) = (kind as u16, 0.5 * sizes[kind], masses[kind]);
    }
    heat(&mut grains, 1.0, 20);
    let (rates, energies) = meetings(&world, &grains, [8.0, 0.4]);
    let expected = expected_3d([864.0; 2], sizes, masses, volume);
    for pair in 0..3 {
        assert_mean("rate of a pair of kinds", &rates[pair], expected[pair], 0.01);
    }
    for kind in energies {
        assert_mean("temperature of a kind", &kind, 1.0, 0.0);
    }
}

/// 400 + 400 disks of diameters 1 and 0.5, 40 % packed.
#[test]
fn disks_of_two_sizes_meet_as_enskog_says() {
    let (sizes, masses) = ([1.0, 0.5], [1.0, 0.25]);
    let area = 0.25 * PI * 450.0 * 1.25 / 0.4;
    let edge = area.sqrt();
    let world = World::periodic([edge; 2]);
    let mut grains = lattice([30; 2], [edge; 2]);
    for (n, grain) in grains.iter_mut().enumerate() {
        let kind = (n + n / 30) % 2;
        (grain.species, grain.radius, grain.mass) = (kind as u16, 0.5 * sizes[kind], masses[kind]);
    }
    heat(&mut grains, 1.0, 21);
    let (rates, energies) = meetings(&world, &grains, [20.0, 1.5]);
    let expected = expected_2d([450.0; 2], sizes, masses, area);
    for pair in 0..3 {
        assert_mean("rate of a pair of kinds", &rates[pair], expected[pair], 0.01);
    }
    for kind in energies {
        assert_mean("temperature of a kind", &kind, 1.0, 0.0);
    }
}

/// 3 + 3000 spheres, sizes 10 : 1, masses 1000 : 1, equal volumes, 15 % packed in all. Large ones meet small ones 41
/// times as often as small ones do. Theory 2 %; the few pairs of large ones are left out.
#[test]
fn ten_to_one_the_large_meet_the_small_as_enskog_says() {
    let (sizes, masses, numbers) = ([10.0, 1.0], [1000.0, 1.0], [3.0, 3000.0]);
    let volume = PI / 6.0 * (3.0 * 1000.0 + 3000.0) / 0.15;
    let edge = libm::cbrt(volume);
    let world = World::periodic([edge; 3]).kind(KineticKind::Levels);
    let radii: Vec<f64> = (0..3003).map(|n| if n < 3 { 5.0 } else { 0.5 }).collect();
    let mut grains = scattered(&world, &radii, 22);
    for (n, grain) in grains.iter_mut().enumerate() {
        grain.species = u16::from(n >= 3);
    }
    heat(&mut grains, 1.0, 23);
    let (rates, energies) = meetings(&world, &grains, [10.0, 5.0]);
    let expected = expected_3d(numbers, sizes, masses, volume);
    assert_mean("large and small", &rates[1], expected[1], 0.02);
    assert_mean("small and small", &rates[2], expected[2], 0.02);
    assert_mean("temperature of the small", &energies[1], 1.0, 0.01);
}

/// A heavy hard ball among light ones is in equilibrium with them: 500 disks, one mass in three 100
/// times the others'.
#[test]
fn heavy_and_light_share_energy_alike() {
    let edge = 24.0 / density::<2>(0.3).sqrt();
    let mut grains = lattice([24; 2], [edge; 2]);
    for (n, grain) in grains.iter_mut().enumerate() {
        if n % 3 == 0 {
            (grain.mass, grain.species) = (100.0, 1);
        }
    }
    // All the energy is with the light ones at first.
    heat(&mut grains, 1.0, 24);
    let heavy = |g: &Grain<2>| g.species == 1;
    grains.iter_mut().filter(|g| heavy(g)).for_each(|g| g.velocity = Vector::ZERO);
    let momentum = grains.iter().fold(Vector::<2>::ZERO, |sum, g| sum + g.velocity * g.mass);
    let light = grains.iter().filter(|g| !heavy(g)).count() as f64;
    grains.iter_mut().filter(|g| !heavy(g)).for_each(|g| g.velocity -= momentum * (1.0 / light));
    let (kinetic, n) =
        (grains.iter().map(|g| 0.5 * g.mass * g.velocity.norm_squared()).sum::<f64>(), grains.len());
    let (_, energies) = meetings(&World::periodic([edge; 2]), &grains, [300.0, 10.0]);
    for kind in energies {
        assert_mean("temperature of a kind", &kind, kinetic / n as f64, 0.002);
    }
}
