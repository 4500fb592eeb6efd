//! The streams against published vectors, and their statistics.

use super::*;
use rand::RngExt;
use rand_distr::{Distribution, Exp1};

const N: usize = 1_000_000;
/// A test fails by chance with probability 7e-6 at this many standard errors.
const BOUND: f64 = 4.5;

fn draw<const D: usize>(seed: u64, step: u64, ids: std::ops::Range<u64>) -> Vec<Vector<D>> {
    let ids: Vec<u64> = ids.collect();
    let mut out = vec![Vector::ZERO; ids.len()];
    Random::new(seed).normals(step, &ids, &mut out);
    out
}

fn bits<const D: usize>(v: Vector<D>) -> [u64; D] {
    v.0.map(f64::to_bits)
}

/// The path of machines without AVX-512.
#[multiversion(targets("x86_64+avx2"))]
fn fill_narrower<const D: usize>(key: u64, step: u64, id: &[u64], out: &mut [Vector<D>]) {
    fill(key, Purpose::Displacement, step, id, None, out);
}

/// All paths agree to the last bit: the one chosen for this machine, the one compiled for the least
/// machine, and that for a single particle; for whole and for broken groups of lanes.
fn paths_agree<const D: usize>() {
    let random = Random::new(0xDEAD_BEEF_0BAD_CAFE);
    for (step, len) in [(0, 100_003), (7, 1), (1 << 40, 15), (u64::MAX, 33), (3, 0)] {
        let ids: Vec<u64> = (0..len).map(|i| (i * 2_999_999_999) % (1 << 48)).collect();
        let mut wide = vec![Vector::<D>::ZERO; ids.len()];
        let mut plain = wide.clone();
        let mut narrower = wide.clone();
        random.normals(step, &ids, &mut wide);
        fill(random.key, Purpose::Displacement, step, &ids, None, &mut plain);
        fill_narrower(random.key, step, &ids, &mut narrower);
        for i in 0..ids.len() {
            assert_eq!(bits(wide[i]), bits(plain[i]));
            assert_eq!(bits(wide[i]), bits(narrower[i]));
            assert_eq!(bits(wide[i]), bits(random.normal::<D>(step, ids[i])));
        }
    }
}

#[test]
fn all_paths_give_the_same_bits() {
    paths_agree::<1>();
    paths_agree::<2>();
    paths_agree::<3>();
}

/// The stream is part of the file format: a change has to come with a new `STREAM_VERSION`.
#[test]
fn stream_is_as_documented() {
    let (seed, step, id) = (0x0123_4567_89AB_CDEF, 0x0000_0002_0000_0005, 0x0003_0000_0009_u64);
    let random = Random::new(seed);
    let out = random.normal::<3>(step, id);
    let words = philox::block::<10>([9, 3, 5, 2], [0x89AB_CDEF, 0x0123_4567]);
    let pair = |first: u64, second: u64| {
        let u = ((first << 20 | second & 0xF_FFFF) as f64 + 0.5) / 2_f64.powi(52);
        let radius = (-2.0 * libm::log(u)).sqrt();
        let turned = std::f64::consts::PI * ((second as f64 + 0.5) / 2_f64.powi(32) - 0.5);
        let end = if second.is_multiple_of(2) { 1.0 } else { -1.0 };
        [radius * end * libm::cos(turned), radius * libm::sin(turned)]
    };
    let ([x, y], [_, z]) = (pair(words[0], words[1]), pair(words[2], words[3]));
    let expected = [x, y, z];
    for k in 0..3 {
        assert!((out[k] - expected[k]).abs() < 1e-11);
    }
    let words = philox::block::<10>([9, 3 | 6 << 16, 5, 2], [0x89AB_CDEF, 0x0123_4567]);
    let ([x, y], [_, z]) = (pair(words[0], words[1]), pair(words[2], words[3]));
    let mut turn = [Vector::<3>::ZERO];
    random.rotations(step, &[id], &mut turn);
    assert!((turn[0] - Vector([x, y, z])).norm() < 1e-11, "those of rotations are others");
    assert_eq!(random.normal::<2>(step, id).0, [out[0], out[1]]);
    assert_eq!(random.normal::<1>(step, id).0, [out[0]]);
}

/// Different seeds, steps, particles and their high bits give different numbers.
#[test]
fn every_part_of_the_key_counts() {
    let base = Random::new(1).normal::<3>(1, 1);
    let others = [
        Random::new(2).normal::<3>(1, 1),
        Random::new(1 | 1 << 63).normal::<3>(1, 1),
        Random::new(1).normal::<3>(2, 1),
        Random::new(1).normal::<3>(1 | 1 << 63, 1),
        Random::new(1).normal::<3>(1, 2),
        Random::new(1).normal::<3>(1, 1 | 1 << 47),
    ];
    for other in others {
        assert!((0..3).all(|k| base[k] != other[k]));
    }
    let random = Random::new(1);
    let key = [1, 2, 3, 4];
    let u = random.uniform(Purpose::Fate, key);
    assert_eq!(u, random.uniform(Purpose::Fate, key));
    assert_ne!(u, random.uniform(Purpose::Waiting, key));
    assert_ne!(u, Random::new(2).uniform(Purpose::Fate, key));
    for k in 0..4 {
        let mut changed = key;
        changed[k] |= 1 << 63;
        assert_ne!(u, random.uniform(Purpose::Fate, changed));
        let (mut a, mut b) =
            (random.generator(Purpose::Fate, key), random.generator(Purpose::Fate, changed));
        assert_ne!(a.random::<u64>(), b.random::<u64>());
    }
}

/// For lists that end within a batch too, and with instructions of every width.
#[test]
fn displacements_are_normals_times_their_widths() {
    fn check<const D: usize>(count: u64) {
        let random = Random::new(11);
        let ids: Vec<u64> = (0..count).map(|n| n * n).collect();
        let widths: Vec<f64> = ids.iter().map(|id| 0.1 + (*id % 7) as f64).collect();
        let mut out = vec![Vector::<D>::ZERO; ids.len()];
        random.displacements(9, &ids, &widths, &mut out);
        for ((id, width), out) in ids.iter().zip(&widths).zip(&out) {
            assert_eq!(random.normal::<D>(9, *id) * *width, *out);
        }
        let mut plain = out.clone();
        fill(random.key, Purpose::Displacement, 9, &ids, Some(&widths), &mut plain);
        assert_eq!(plain, out);
    }
    for count in [0, 1, 63, 64, 65, 200] {
        check::<1>(count);
        check::<2>(count);
        check::<3>(count);
    }
}

/// z scores of mean, variance and kurtosis of independent standard normals.
fn moment_scores(x: &[f64]) -> [f64; 3] {
    let n = x.len() as f64;
    let [mut m1, mut m2, mut m4] = [0.0; 3];
    for x in x {
        m1 += x;
        m2 += x * x;
        m4 += x * x * x * x;
    }
    // variances of x, x^2 and x^4: 1, 2 and 96
    let scores = [m1, m2 - n, m4 - 3.0 * n];
    [scores[0] / n.sqrt(), scores[1] / (2.0 * n).sqrt(), scores[2] / (96.0 * n).sqrt()]
}

/// The z score of the correlation of two lists of independent standard normals.
fn correlation_score<'a>(
    a: impl Iterator<Item = &'a f64>,
    b: impl Iterator<Item = &'a f64>,
) -> f64 {
    let (mut sum, mut n) = (0.0, 0);
    for (a, b) in a.zip(b) {
        sum += a * b;
        n += 1;
    }
    sum / f64::from(n).sqrt()
}

#[test]
fn moments_and_correlations() {
    let v = draw::<3>(20_020_701, 12, 0..N as u64);
    let next = draw::<3>(20_020_701, 13, 0..N as u64);
    let axes: [Vec<f64>; 3] = std::array::from_fn(|k| v.iter().map(|v| v[k]).collect());
    let later: [Vec<f64>; 3] = std::array::from_fn(|k| next.iter().map(|v| v[k]).collect());
    for k in 0..3 {
        for score in moment_scores(&axes[k]) {
            assert!(score.abs() < BOUND, "moments of axis {k}: {score}");
        }
        for lag in [1, 2, 16] {
            let score = correlation_score(axes[k].iter(), axes[k][lag..].iter());
            assert!(score.abs() < BOUND, "axis {k}, ids {lag} apart: {score}");
        }
        for other in 0..3 {
            let score = correlation_score(axes[k].iter(), later[other].iter());
            assert!(score.abs() < BOUND, "axes {k}, {other}, next step: {score}");
        }
        let score = correlation_score(axes[k].iter(), axes[(k + 1) % 3].iter());
        assert!(score.abs() < BOUND, "axes {k} and next: {score}");
    }
    // the squares too: a pair of Box and Muller shares its radius
    let squares: [Vec<f64>; 3] =
        std::array::from_fn(|k| axes[k].iter().map(|x| (x * x - 1.0) / 2_f64.sqrt()).collect());
    for k in 0..3 {
        let score = correlation_score(squares[k].iter(), squares[(k + 1) % 3].iter());
        assert!(score.abs() < BOUND, "squares of axes {k} and next: {score}");
    }
}

/// One particle over many steps: the order in which a run consumes the numbers.
#[test]
fn one_particle_over_steps() {
    let random = Random::new(3);
    let x: Vec<f64> = (0..200_000).map(|step| random.normal::<1>(step, 5)[0]).collect();
    for score in moment_scores(&x) {
        assert!(score.abs() < BOUND, "moments {score}");
    }
    for lag in [1, 2, 256] {
        let score = correlation_score(x.iter(), x[lag..].iter());
        assert!(score.abs() < BOUND, "steps {lag} apart: {score}");
    }
}

/// The largest distance between the distribution of `x` and `cdf`, times sqrt(n).
fn kolmogorov_smirnov(mut x: Vec<f64>, cdf: impl Fn(f64) -> f64) -> f64 {
    x.sort_by(f64::total_cmp);
    let n = x.len() as f64;
    let mut largest = 0.0_f64;
    for (i, x) in x.iter().enumerate() {
        let p = cdf(*x);
        largest = largest.max((p - i as f64 / n).abs()).max((p - (i + 1) as f64 / n).abs());
    }
    largest * n.sqrt()
}

/// Exceeded by chance with probability 2 exp(-2 x^2) = 1e-5.
const KS_CRITICAL: f64 = 2.4704;

#[test]
fn distribution_is_normal() {
    let v = draw::<3>(77, 1, 0..N as u64);
    let cdf = |x: f64| 0.5 * libm::erfc(-x / 2_f64.sqrt());
    for k in 0..3 {
        let d = kolmogorov_smirnov(v.iter().map(|v| v[k]).collect(), cdf);
        assert!(d < KS_CRITICAL, "axis {k}: {d}");
    }
    // and in the plane: half the squared radius is exponential, the angle uniform
    let radius = v.iter().map(|v| 0.5 * (v[0] * v[0] + v[1] * v[1])).collect();
    let d = kolmogorov_smirnov(radius, |x| -libm::expm1(-x));
    assert!(d < KS_CRITICAL, "radius: {d}");
    let angle = v.iter().map(|v| libm::atan2(v[2], v[0])).collect();
    let d = kolmogorov_smirnov(angle, |x| 0.5 + x / std::f64::consts::TAU);
    assert!(d < KS_CRITICAL, "angle: {d}");
}

#[test]
fn rare_draws_are_uniform() {
    let random = Random::new(5);
    let m = 100_000;
    for purpose in [Purpose::Fate, Purpose::Placement] {
        for word in 0..4 {
            let u = (0..m).map(|i| {
                let mut key = [0; 4];
                key[word] = i;
                random.uniform(purpose, key)
            });
            let u: Vec<f64> = u.collect();
            assert!(u.iter().all(|u| (0.0..1.0).contains(u)));
            let d = kolmogorov_smirnov(u, |x| x);
            assert!(d < KS_CRITICAL, "{purpose:?}, word {word}: {d}");
        }
        let first = (0..m).map(|i| Exp1.sample(&mut random.generator(purpose, [i, 0, 0, 0])));
        let d = kolmogorov_smirnov(first.collect(), |x: f64| -libm::expm1(-x));
        assert!(d < KS_CRITICAL, "first draw of a generator for {purpose:?}: {d}");
    }
}
