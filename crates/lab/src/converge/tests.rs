//! What the numbers of replicas are taken to say.

use super::estimate::{distances, values};
use super::{Estimate, LevelVerdict};
use jostle_core::random::{Purpose, Random};

/// Values at dt, dt/2, dt/4, dt/8 of 40 replicas: limit + c dt^order, a scatter that all levels
/// share, and `noise` that they do not.
fn samples(order: f64, c: f64, noise: f64) -> Vec<Vec<f64>> {
    let random = |n: u64, k: u64| Random::new(7).uniform(Purpose::Placement, [n, k, 0, 0]) - 0.5;
    let value = |n: u64, k: u64| {
        let step = 0.5f64.powi(k as i32);
        10.0 + c * step.powf(order) * (1.0 + 0.3 * random(n, 20))
            + random(n, 10)
            + noise * random(n, k)
    };
    (0..40).map(|n| (0..4).map(|k| value(n, k)).collect()).collect()
}

fn within(found: Option<Estimate>, expected: f64) {
    let Estimate { mean, error } = found.unwrap();
    assert!((mean - expected).abs() <= 4.0 * error + 1e-9, "{mean} ± {error}, not {expected}");
}

#[test]
fn order_and_limit_of_a_power_law_are_found() {
    for order in [0.5, 1.0, 2.0] {
        let (values, changes, verdict) = values(&samples(order, 3.0, 1e-3));
        assert_eq!([values.len(), changes.len()], [4, 3]);
        let LevelVerdict::Detected { order: found, limit, used } = verdict else {
            panic!("{verdict:?}")
        };
        within(found, order);
        within(limit, 10.0);
        assert!(order == 1.0 || used != 1.0, "{used}");
        // The scatter that all levels share is in the values, not in the changes.
        assert!(values[0].error > 0.02 && changes[2].error < 0.02);
    }
}

#[test]
fn what_cannot_be_reported_from_chance_is_not_seen() {
    let (_, _, verdict) = values(&samples(1.0, 0.0, 0.1));
    let LevelVerdict::Undetected { bound } = verdict else { panic!("{verdict:?}") };
    assert!(bound > 0.001 && bound < 0.1, "{bound}");
    assert_eq!(values(&samples(1.0, 0.0, 0.0)).2, LevelVerdict::Equal);
}

#[test]
fn a_difference_whose_fall_is_lost_in_noise_has_no_order() {
    let (_, _, verdict) = values(&samples(2.0, 0.1, 0.2));
    let LevelVerdict::Detected { order: None, limit: Some(_), .. } = verdict else {
        panic!("{verdict:?}")
    };
}

#[test]
fn distances_fall_with_their_order_too() {
    let row = |n: f64| (0..3).map(|k| (1.0 + 0.01 * n) * 0.5f64.powi(k)).collect();
    let squares: Vec<Vec<f64>> = (0..8).map(|n| row(f64::from(n))).collect();
    let (changes, verdict) = distances(&squares);
    assert!((changes[2].mean / changes[0].mean - 0.5).abs() < 1e-9);
    let LevelVerdict::Detected { order: Some(order), .. } = verdict else { panic!("{verdict:?}") };
    assert!((order.mean - 0.5).abs() < 1e-6);
    assert_eq!(distances(&[vec![1e-30; 2], vec![1e-28; 2]]).1, LevelVerdict::Equal);
}

#[test]
fn what_some_replicas_lack_is_unknown() {
    assert_eq!(values(&[vec![1.0, 2.0], vec![f64::NAN, 1.0]]).2, LevelVerdict::Unknown);
}
