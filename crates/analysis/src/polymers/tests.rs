//! Chains whose statistics are known.

use rand::SeedableRng;
use rand::distr::Distribution;
use rand_distr::{StandardNormal, UnitSphere};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;

const OPEN: Edges = [None; 3];

/// Sums over chains that a walk makes, `chains` in each of `frames` frames.
fn walked(
    frames: usize,
    chains: usize,
    mut walk: impl FnMut() -> Vec<[f64; 3]>,
) -> ChainStatistics {
    let mut beads = 0;
    let sums: Vec<ChainSums> = (0..frames)
        .map(|_| {
            let mut sums = ChainSums::default();
            (0..chains).for_each(|_| {
                let places = walk();
                beads = places.len();
                sums.add(PolymerShape::Chain, &places);
            });
            sums
        })
        .collect();
    averaged((PolymerShape::Chain, beads), &sums)
}

fn ahead(place: [f64; 3], way: [f64; 3], by: f64) -> [f64; 3] {
    std::array::from_fn(|k| place[k] + by * way[k])
}

fn within(found: Estimate, expected: f64, errors: f64) {
    let off = (found.mean - expected) / found.error;
    assert!(off.abs() < errors, "{found:?}, {expected} expected: off by {off} errors");
}

/// 64 frames of 20 chains of 100 bonds: ⟨R²⟩ = N b², and ⟨Rg²⟩ = N b² (N + 2)/(6 (N + 1)) exactly;
/// the error of ⟨R²⟩ is 2.3 %. Bounds of 4 errors fail once in 10 000 seeds; the seed is fixed.
#[test]
fn freely_jointed_chains_have_the_size_of_random_walks() {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(11);
    let (n, b) = (100usize, 2.0);
    let found = walked(64, 20, || {
        let mut path = vec![[5.0, -3.0, 1.0]];
        for _ in 0..n {
            let last = path[path.len() - 1];
            path.push(ahead(last, UnitSphere.sample(&mut generator), b));
        }
        path
    });
    let walk = n as f64 * b * b;
    assert_eq!((found.beads, found.number.mean), (n + 1, 20.0));
    within(found.end_to_end.unwrap(), walk, 4.0);
    let share = (n as f64 + 2.0) / (n as f64 + 1.0);
    within(found.gyration, walk / 6.0 * share, 4.0);
    within(found.cosine.unwrap(), 0.0, 4.0);
    assert!((found.bond.mean - b).abs() < 1e-12);
    let error = found.end_to_end.unwrap().error / walk;
    // 1280 independent chains whose R² scatter by (2/3)^½ of the mean.
    assert!((0.012..0.04).contains(&error), "{error}");
}

/// Bonds turn by a fixed angle about the one before, with any torsion: successive ones have the
/// cosine c, and l = -b/ln c.
#[test]
fn freely_rotating_chains_have_the_persistence_length_of_their_angle() {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(5);
    let (b, spread) = (1.5, 0.35);
    let found = walked(128, 8, || {
        let mut way: [f64; 3] = UnitSphere.sample(&mut generator);
        let mut path = vec![[0.0; 3]];
        for _ in 0..60 {
            path.push(ahead(path[path.len() - 1], way, b));
            let noise: [f64; 3] = std::array::from_fn(|_| {
                let noise: f64 = StandardNormal.sample(&mut generator);
                noise
            });
            let turned = ahead(way, noise, spread);
            way = turned.map(|x| x / square(turned).sqrt());
        }
        path
    });
    let (cosine, persistence) = (found.cosine.unwrap(), found.persistence.unwrap());
    assert!((persistence.mean + b / cosine.mean.ln()).abs() < 1e-12);
    // The bonds have one length, so that all error is that of the cosine.
    let slope = b / (cosine.mean * cosine.mean.ln().powi(2));
    assert!((persistence.error / (slope * cosine.error) - 1.0).abs() < 1e-9, "{persistence:?}");
    // Along a chain, cosines multiply: ⟨R²⟩ of a freely rotating chain.
    let (c, n) = (cosine.mean, 60.0);
    let walk =
        n * b * b * ((1.0 + c) / (1.0 - c) - 2.0 * c / n * (1.0 - c.powf(n)) / (1.0 - c).powi(2));
    within(found.end_to_end.unwrap(), walk, 4.0);
}

#[test]
fn a_rod_is_straight_across_the_faces_of_the_box() {
    let edges = [Some(10.0), Some(10.0), None];
    let beads = (0..7u32).map(|n| [(8.0 + 1.2 * f64::from(n)) % 10.0, 9.9, 30.0]);
    let path = unwrapped(&edges, PolymerShape::Chain, beads).unwrap();
    let mut sums = ChainSums::default();
    sums.add(PolymerShape::Chain, &path);
    let found = averaged((PolymerShape::Chain, 7), &[sums; 4]);
    let close = |one: Estimate, expected: f64| (one.mean - expected).abs() < 1e-9;
    assert!(close(found.end_to_end.unwrap(), 51.84) && close(found.bond, 1.2), "{found:?}");
    // (n² - 1) b²/12 of n beads in a row.
    assert!(close(found.gyration, 4.0 * 1.44) && close(found.cosine.unwrap(), 1.0), "{found:?}");
    assert_eq!(found.persistence, None);
    let table = Polymers { times: vec![0.0; 4], kinds: vec![found], others: 0.0 };
    assert_eq!(table.bonds_to_table().rows[0][6], Cell::Missing);
    assert_eq!(table.series_to_table().rows.len(), 4);
}

#[test]
fn rings_have_a_radius_and_no_ends() {
    let (beads, radius) = (12u32, 4.0);
    let edges = [Some(20.0); 3];
    let place = |n: u32| {
        let angle = std::f64::consts::TAU * f64::from(n) / f64::from(beads);
        // About a corner of the box.
        let [x, y] = [radius * angle.cos(), radius * angle.sin()];
        [x.rem_euclid(20.0), y.rem_euclid(20.0), 19.0]
    };
    let path = unwrapped(&edges, PolymerShape::Ring, (0..beads).map(place)).unwrap();
    let mut sums = ChainSums::default();
    sums.add(PolymerShape::Ring, &path);
    let found = averaged((PolymerShape::Ring, 12), &[sums; 2]);
    let side = 2.0 * radius * (std::f64::consts::PI / f64::from(beads)).sin();
    assert!((found.gyration.mean - 16.0).abs() < 1e-9 && (found.bond.mean - side).abs() < 1e-9);
    assert!(found.end_to_end.is_none() && found.cosine.is_none() && found.persistence.is_none());
    // One that goes round the box has no size.
    let round = (0..5u32).map(|n| [4.0 * f64::from(n), 0.0, 0.0]);
    assert_eq!(unwrapped(&edges, PolymerShape::Ring, round.clone()), None);
    assert!(unwrapped(&OPEN, PolymerShape::Ring, round).is_some());
}

#[test]
fn molecules_are_followed_along_their_bonds() {
    let chain = |beads: &[u32]| Traced::Polymer(PolymerShape::Chain, beads.to_vec());
    // A dimer that is bonded twice, a chain whose slots are out of order, a ring, and a star.
    let bonds = [
        [1, 0],
        [0, 1],
        [7, 3],
        [3, 5],
        [5, 2],
        [8, 9],
        [10, 9],
        [10, 8],
        [12, 11],
        [12, 13],
        [14, 12],
        [15, 15],
    ];
    let found = traced(17, &bonds);
    let ring = Traced::Polymer(PolymerShape::Ring, vec![8, 9, 10]);
    assert_eq!(found, [chain(&[0, 1]), chain(&[2, 5, 3, 7]), ring, Traced::Branched]);
    assert!(traced(4, &[]).is_empty());
}

/// Chains of which there are more in some frames count as often as there are of them.
#[test]
fn every_molecule_has_the_same_weight() {
    let dimer = |length: f64| [[0.0; 3], [length, 0.0, 0.0]];
    let sums = |lengths: &[f64]| {
        let mut sums = ChainSums::default();
        lengths.iter().for_each(|&length| sums.add(PolymerShape::Chain, &dimer(length)));
        sums
    };
    let frames = [sums(&[1.0, 1.0, 1.0]), sums(&[3.0]), sums(&[])];
    let found = averaged((PolymerShape::Chain, 2), &frames);
    assert_eq!((found.number.mean, found.end_to_end.unwrap().mean), (4.0 / 3.0, 3.0));
    assert_eq!((found.gyration.mean, found.bond.mean, found.cosine), (0.75, 1.5, None));
    assert_eq!(found.series[..2], [(3, [1.0, 0.25]), (1, [9.0, 2.25])]);
    assert!(found.series[2].1[0].is_nan());
}
