//! How many comparisons a step takes: what is to be expected, and what is counted.

use super::scene::{DIAMETER, DISKS, EDGES, StripsScene};
use crate::reproduce::{ReproduceError, Sample};
use jostle_core::observe::NoObserver;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Vector};
use jostle_events::gas::{Arrangement, Disk, Gas, GasSetup};
use jostle_model::gas::Contact;

/// What is to be expected of so many disks that are independently in strip `i` with probability
/// `share[i]`: the mean of the number of pairs in the same or in neighbouring strips, and its
/// standard deviation (that of a U-statistic: Hoeffding 1948).
pub fn expected(disks: usize, share: &[f64]) -> [f64; 2] {
    let n = disks as f64;
    let at = |i: isize| usize::try_from(i).ok().and_then(|i| share.get(i)).copied().unwrap_or(0.0);
    let near = |i: usize| (-1..=1).map(|k| at(i as isize + k)).sum::<f64>();
    let moment = |power: i32| (0..share.len()).map(|i| share[i] * near(i).powi(power)).sum::<f64>();
    let [both, three] = [moment(1), moment(2)];
    let pairs = 0.5 * n * (n - 1.0);
    let variance = pairs * (both - both * both) + n * (n - 1.0) * (n - 2.0) * (three - both * both);
    [pairs * both, variance.sqrt()]
}

/// The shares of equal strips, of centres anywhere in the box.
pub fn even(strips: usize) -> Vec<f64> {
    vec![1.0 / strips as f64; strips]
}

/// The shares of strips as wide as a disk, of centres that keep half a strip from both walls: all
/// alike but for those at the ends, which have half.
pub fn between_walls(strips: usize) -> Vec<f64> {
    let whole = 1.0 / (strips as f64 - 1.0);
    (0..strips).map(|i| if i == 0 || i + 1 == strips { 0.5 * whole } else { whole }).collect()
}

/// The shares of horizontal strips of an ideal gas in gravity.
pub fn atmosphere(height: f64) -> Vec<f64> {
    let below = |y: f64| -libm::expm1(-y / height) / -libm::expm1(-EDGES[1] / height);
    let strip = |i: usize| below((i + 1) as f64 * DIAMETER) - below(i as f64 * DIAMETER);
    (0..(EDGES[1] / DIAMETER) as usize).map(strip).collect()
}

/// Comparisons in vertical strips of one state after the other, of independent centres: anywhere in
/// the box, or a radius off the walls.
pub(super) fn uniform_states(states: u64, margin: f64) -> Result<Sample, ReproduceError> {
    counted(states, 0, |u, k| margin + (EDGES[k] - 2.0 * margin) * u)
}

/// Comparisons in horizontal strips of one state after the other, of independent points in gravity.
pub(super) fn ideal_states(states: u64, height: f64) -> Result<Sample, ReproduceError> {
    let all = libm::expm1(-EDGES[1] / height);
    counted(states, 1, |u, k| if k == 0 { EDGES[0] * u } else { -height * libm::log1p(u * all) })
}

/// Comparisons in strips across an axis of states whose coordinates are made of uniform numbers.
fn counted(
    states: u64,
    axis: usize,
    coordinate: impl Fn(f64, usize) -> f64,
) -> Result<Sample, ReproduceError> {
    let counts = (0..states).map(|seed| {
        let random = Random::new(seed);
        let place = |n: u64, k: usize| {
            coordinate(random.uniform(Purpose::Placement, [n, k as u64, 0, 0]), k)
        };
        // Points, so that they may be anywhere.
        let disk = |n: u64| Disk {
            position: Vector([place(n, 0), place(n, 1)]),
            velocity: Vector::ZERO,
            radius: 0.0,
            mass: 1.0,
            species: 0,
        };
        let disks: Vec<Disk> = (0..DISKS as u64).map(disk).collect();
        let domain = Domain::new(EDGES, [false; 2]);
        let arrangement = Arrangement::Strips { axis, width: DIAMETER };
        let setup = GasSetup { domain, timestep: 1.0, gravity: Vector::ZERO, arrangement };
        let mut gas = Gas::new(setup, &disks)?;
        gas.step(&mut NoObserver)?;
        Ok(gas.tally().comparisons as f64)
    });
    Ok(Sample::of(counts.collect::<Result<Vec<_>, ReproduceError>>()?))
}

/// Comparisons per step of a gas that moves by the web page's algorithm, in strips along `axis`,
/// once it has come to rest in `settling` steps; and its temperature at the end over that at the
/// start.
pub(super) fn moving(
    scene: &StripsScene,
    axis: usize,
    settling: u64,
    steps: u64,
) -> Result<(Sample, f64), ReproduceError> {
    let mut gas = scene.clone().with(Contact::AfterMove).strips(axis).gas()?;
    let temperature =
        |gas: &Gas| gas.particles().velocity.iter().map(|v| v.norm_squared()).sum::<f64>();
    let at_first = temperature(&gas);
    for _ in 0..settling {
        gas.step(&mut NoObserver)?;
    }
    let mut counts = Vec::new();
    for _ in 0..steps {
        let before = gas.tally().comparisons;
        gas.step(&mut NoObserver)?;
        counts.push((gas.tally().comparisons - before) as f64);
    }
    Ok((Sample::of(counts), temperature(&gas) / at_first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_strips_are_as_the_formula_says() {
        let [mean, deviation] = expected(3000, &even(150));
        let (n, s) = (3000.0, 150.0);
        let printed = n * (n - 1.0) / (2.0 * s) + n * (n - 1.0) * (s - 1.0) / (s * s);
        assert!((mean - printed).abs() < 1e-6 && (printed - 89_570.1).abs() < 0.1, "{mean}");
        assert!((deviation - 322.0).abs() < 1.0, "{deviation}");
        // The continuum limit of an ideal atmosphere: 3 N² w / 4 H.
        let [mean, _] = expected(3000, &atmosphere(360.0));
        assert!((mean / 75_000.0 - 1.0).abs() < 0.01, "{mean}");
        // A single strip holds all pairs, always.
        assert_eq!(expected(100, &[1.0]), [4950.0, 0.0]);
    }
}
