//! The gas between walls, without gravity and with it.

use std::f64::consts::PI;

use super::super::statistics::{mean_and_error, mean_of_blocks};
use super::super::{CheckError, Context, Findings, Picture};
use super::world::{GranularWorld, density, heat, lattice, listen_for, run_for};
use jostle_core::observe::{Contact, Partner};
use jostle_core::theory::fluid_pressure;
use jostle_events::granular::{Grain, Granular};
use jostle_events::kinetic::KineticKind;

const BLOCKS: usize = 40;

/// Momentum that two walls take up, and the pressure of the bulk between them.
pub(super) fn pressure(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let (counts, phi) = ([8, 8, 14], 0.2);
    let spacing = 1.0 / libm::cbrt(density::<3>(phi));
    let edges = counts.map(|n: usize| n as f64 * spacing);
    let mut grains = lattice(counts, edges);
    heat(&mut grains, 1.0, context.seed(1));
    let world = GranularWorld::still(edges, [true, true, false]).kind(KineticKind::Tree);
    let mut engine = world.start(&grains)?;
    // Momentum is kept along the two other axes only.
    let temperature = 2.0 * engine.balance().kinetic / (3 * grains.len() - 2) as f64;
    run_for(&mut engine, 20.0)?;
    let (mut pressures, mut densities) = (Vec::new(), Vec::new());
    // 5.4 collisions per particle and time. What the walls arrange dies out within four diameters.
    let (blocks, time, looks) = context.either((20, 4.0, 20), (40, 20.0, 100));
    let margin = 4.5;
    let bulk = edges[0] * edges[1] * (edges[2] - 2.0 * margin);
    for _ in 0..blocks {
        // Blocks are to share nothing: sound and heat in the box die out slowly.
        run_for(&mut engine, 1.0)?;
        let (mut impulse, mut count) = (0.0, 0);
        for _ in 0..looks {
            listen_for(&mut engine, time / f64::from(looks), |contact: &Contact<3>| {
                if let Partner::Wall(_) = contact.partner {
                    impulse += 2.0 * contact.approach;
                }
            })?;
            let (flights, now) = (engine.flights(), engine.now());
            let heights = (0..flights.len() as u32).map(|i| flights.at(i, now)[2]);
            count += heights.filter(|&z| z > margin && z < edges[2] - margin).count();
        }
        pressures.push(impulse / (2.0 * edges[0] * edges[1] * time * temperature));
        densities.push(count as f64 / f64::from(looks) / bulk);
    }
    let mean = densities.iter().sum::<f64>() / f64::from(blocks);
    let law = |n: f64| n * fluid_pressure::<3>(n * PI / 6.0);
    let slope = (law(1.001 * mean) - law(0.999 * mean)) / (0.002 * mean);
    // At the mean density of the bulk: its own fluctuations are in both.
    let at_mean: Vec<f64> =
        pressures.iter().zip(&densities).map(|(p, n)| p - slope * (n - mean)).collect();
    let what =
        format!("force on the walls per area and temperature, bulk phi {:.4}", mean * PI / 6.0);
    // Terms of 1/N.
    findings.add(mean_of_blocks(&what, &at_mean, law(mean)).with_bias(0.002 * law(mean)));
    Ok(findings)
}

/// Light and heavy spheres in a tall box; sizes, gravity, and the height that parts low from high.
const EDGES: [f64; 3] = [13.0, 13.0, 60.0];
const SIDES: [usize; 3] = [5, 5, 12];
const RADIUS: f64 = 0.25;
const MASSES: [f64; 2] = [1.0, 2.0];
const GRAVITY: f64 = 0.05;
const HALFWAY: f64 = 12.0;
const LAYERS: usize = 15;

/// Heights and temperatures of two kinds under gravity.
pub(super) fn atmosphere(context: &Context) -> Result<Findings, CheckError> {
    let mut grains: Vec<Grain<3>> = lattice(SIDES, EDGES);
    for (n, grain) in grains.iter_mut().enumerate() {
        (grain.species, grain.mass, grain.radius) = ((n % 2) as u16, MASSES[n % 2], RADIUS);
    }
    heat(&mut grains, 1.0, context.seed(1));
    let world = GranularWorld::closed(EDGES).falling(GRAVITY).kind(KineticKind::Levels);
    let mut engine = world.start(&grains)?;
    run_for(&mut engine, 1500.0)?;
    let blocks: Vec<BlockMeans> = (0..BLOCKS)
        .map(|_| look(&mut engine, context.either(60, 600)))
        .collect::<Result<_, _>>()?;
    let mut findings = Findings::default();
    judge(&mut findings, &blocks, grains.len() as f64 / 2.0);
    Ok(findings)
}

/// What is seen of both kinds, as means over a block.
#[derive(Clone, Default)]
struct BlockMeans {
    temperature: f64,
    height: [f64; 2],
    /// Energy of motion of those below and above, times two thirds, and their number.
    warmth: [[f64; 2]; 2],
    layers: [[f64; LAYERS]; 2],
}

/// The mean of so many looks, 10 times apart: about a collision per particle.
fn look(engine: &mut Granular<3>, looks: usize) -> Result<BlockMeans, CheckError> {
    let mut column = BlockMeans::default();
    let n = engine.flights().len() as f64;
    for _ in 0..looks {
        run_for(engine, 8.0)?;
        let (flights, now) = (engine.flights(), engine.now());
        for i in 0..flights.len() as u32 {
            let kind = i as usize % 2;
            let (z, v) = (flights.at(i, now)[2], flights.velocity_at(i, now));
            let warm = MASSES[kind] * v.norm_squared() / 3.0;
            let share = 1.0 / looks as f64;
            column.temperature += warm / n * share;
            column.height[kind] += 2.0 * (z - RADIUS) / n * share;
            let part = &mut column.warmth[usize::from(z > HALFWAY)];
            part[0] += warm * share;
            part[1] += share;
            let layer = (z / EDGES[2] * LAYERS as f64) as usize;
            column.layers[kind][layer.min(LAYERS - 1)] += share;
        }
    }
    Ok(column)
}

/// The number density of both kinds over height in a box: exp(-m g z/T), less what room the others
/// take, to second order in the density (virial coefficient 2 pi/3 s³).
fn barometric(temperature: f64, number: f64) -> (Vec<f64>, [Vec<f64>; 2]) {
    let steps = 400;
    let room = EDGES[2] - 2.0 * RADIUS;
    let area = (EDGES[0] - 2.0 * RADIUS) * (EDGES[1] - 2.0 * RADIUS);
    let dz = room / steps as f64;
    let heights: Vec<f64> = (0..steps).map(|k| dz * (k as f64 + 0.5)).collect();
    let excluded = 4.0 / 3.0 * PI * libm::pow(2.0 * RADIUS, 3.0);
    let mut profiles = [vec![0.0; steps], vec![0.0; steps]];
    for _ in 0..50 {
        let total: Vec<f64> = (0..steps).map(|k| profiles[0][k] + profiles[1][k]).collect();
        for (profile, mass) in profiles.iter_mut().zip(MASSES) {
            for (k, n) in profile.iter_mut().enumerate() {
                *n = libm::exp(-mass * GRAVITY * heights[k] / temperature - excluded * total[k]);
            }
            let scale = number / (profile.iter().sum::<f64>() * dz * area);
            profile.iter_mut().for_each(|n| *n *= scale);
        }
    }
    (heights, profiles)
}

fn mean_height(temperature: f64, number: f64, kind: usize) -> f64 {
    let (heights, profiles) = barometric(temperature, number);
    let weight: f64 = profiles[kind].iter().sum();
    heights.iter().zip(&profiles[kind]).map(|(z, n)| z * n).sum::<f64>() / weight
}

fn judge(findings: &mut Findings, blocks: &[BlockMeans], number: f64) {
    let mean = blocks.iter().map(|b| b.temperature).sum::<f64>() / blocks.len() as f64;
    let mut picture =
        Picture::new("Spheres under gravity", "height", "number density").log(false, true);
    for (kind, name) in ["light", "heavy"].iter().enumerate() {
        let expected = mean_height(mean, number, kind);
        let slope = (mean_height(1.01 * mean, number, kind) - expected) / (0.01 * mean);
        // The energy of all is fixed: those high up are cold. Taken at the mean temperature.
        let at_mean: Vec<f64> =
            blocks.iter().map(|b| b.height[kind] - slope * (b.temperature - mean)).collect();
        let what = format!("mean height of the {name} spheres");
        // 0.3 %: third virial coefficients, side walls, and terms of 1/N.
        findings.add(mean_of_blocks(&what, &at_mean, expected).with_bias(0.003 * expected));
        let (heights, profiles) = barometric(mean, number);
        let line = heights.iter().zip(&profiles[kind]).map(|(z, n)| [z + RADIUS, *n]).collect();
        let thickness = EDGES[2] / LAYERS as f64;
        let area = (EDGES[0] - 2.0 * RADIUS) * (EDGES[1] - 2.0 * RADIUS);
        let layer = |k: usize| {
            let counts: Vec<f64> =
                blocks.iter().map(|b| b.layers[kind][k] / (area * thickness)).collect();
            let (mean, error) = mean_and_error(&counts);
            ([thickness * (k as f64 + 0.5), mean], error)
        };
        let (points, errors) = (1..LAYERS - 1).map(layer).unzip();
        picture =
            picture.theory(&format!("barometric, {name}"), line).measured(name, points, errors);
    }
    findings.show(picture);
    let ratio = |b: &BlockMeans| {
        let [low, high] = b.warmth.map(|[warm, count]| warm / count);
        high / low
    };
    let ratios: Vec<f64> = blocks.iter().map(ratio).collect();
    // Of 300 particles: a particle that is high leaves less energy for all, by a few parts in ten
    // thousand of it.
    findings.add(mean_of_blocks("temperature above over that below", &ratios, 1.0).with_bias(2e-3));
}

#[cfg(test)]
mod tests {
    use super::{EDGES, MASSES, RADIUS, barometric, mean_height};

    #[test]
    fn a_thin_atmosphere_is_exponential_up_to_the_lid() {
        for (kind, mass) in MASSES.into_iter().enumerate() {
            let (scale, room) = (1.0 / (mass * super::GRAVITY), EDGES[2] - 2.0 * RADIUS);
            let expected = scale - room / libm::expm1(room / scale);
            assert!((mean_height(1.0, 1e-6, kind) / expected - 1.0).abs() < 1e-4);
            assert!(mean_height(1.0, 150.0, kind) > 1.01 * expected, "others take room");
        }
        let (_, [light, heavy]) = barometric(1.0, 150.0);
        let area = (EDGES[0] - 2.0 * RADIUS) * (EDGES[1] - 2.0 * RADIUS);
        let dz = (EDGES[2] - 2.0 * RADIUS) / light.len() as f64;
        for profile in [light, heavy] {
            assert!((profile.iter().sum::<f64>() * area * dz - 150.0).abs() < 1e-9);
        }
    }
}
