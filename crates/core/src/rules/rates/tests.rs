//! Probabilities from rate constants against closed forms and tables.

use super::*;
use crate::random::{Purpose, Random};
use crate::space::Vector;

fn pair(dimension: usize) -> ReactingPair {
    ReactingPair::new(dimension, 1.0, 20.0).unwrap()
}

/// The crowding case: k_a = 85 nm³/µs, D = 20 nm²/µs, R = 1 nm.
#[test]
fn printed_example() {
    let p = |dt| pair(3).probability(85.0, dt).unwrap();
    assert!((p(5e-4) - 0.0582).abs() < 5e-5);
    assert!((p(1.25e-4) - 0.0295).abs() < 5e-5);
    assert!((p(1e-5) - 0.0084).abs() < 5e-5);
}

/// 4 sqrt(pi) R² sqrt(D dt), 2 sqrt(pi) R sqrt(D dt), 2 sqrt(D dt/pi).
#[test]
fn contact_volumes() {
    let (r, d, dt): (f64, f64, f64) = (3.0, 7.0, 0.02);
    let root = (d * dt).sqrt();
    let exact =
        [2.0 * root / PI.sqrt(), 2.0 * PI.sqrt() * r * root, 4.0 * PI.sqrt() * r * r * root];
    for dimension in 1..=3 {
        let pair = ReactingPair::new(dimension, r, d).unwrap();
        let ratio = pair.contact_volume(dt) / exact[dimension - 1];
        assert!((ratio - 1.0).abs() < 1e-14);
        assert_eq!(pair.contact_rate(dt), pair.contact_volume(dt) / dt);
    }
}

/// A pair on a ring of length L, one step each from anywhere: contacts on either side have
/// probability L_c/L. Two million pairs, |z| < 4.5.
#[test]
fn contact_length_by_simulation() {
    let (pair, dt, length) = (ReactingPair::new(1, 1.0, 0.5).unwrap(), 0.04, 4.0);
    let (random, pairs) = (Random::new(11), 2_000_000_u64);
    let ids: Vec<u64> = (0..pairs).collect();
    let mut steps = vec![Vector::<1>::ZERO; ids.len()];
    random.normals(0, &ids, &mut steps);
    let touches = ids.iter().zip(&steps).filter(|(id, step)| {
        let gap = random.uniform(Purpose::Placement, [**id, 0, 0, 0]) * (length - 2.0);
        let end = gap + step[0] * pair.step_width(dt);
        !(0.0..length - 2.0).contains(&end)
    });
    let expected = pair.contact_volume(dt) / (length - 2.0);
    let error = (expected * (1.0 - expected) / pairs as f64).sqrt();
    let z = (touches.count() as f64 / pairs as f64 - expected) / error;
    assert!(z.abs() < 4.5, "z = {z}");
}

#[test]
fn inverse_and_identities() {
    for dimension in 1..=3 {
        let pair = pair(dimension);
        for p in [1.0, 0.5, 0.03, 1e-6] {
            for dt in [1e-7, 1e-4, 1e-2] {
                let k_a = pair.intrinsic_rate(p, dt).unwrap();
                if p < 1.0 {
                    let back = pair.probability(k_a, dt).unwrap();
                    assert!((back / p - 1.0).abs() < 1e-9);
                    // K = p V_c/(dt k_d') with k_d' = correction k_d is k_a/k_d
                    let correction = pair.unbinding_correction(k_a, dt).unwrap();
                    let k = p * pair.contact_volume(dt) / (dt * correction);
                    assert!((k / k_a - 1.0).abs() < 1e-9);
                }
                let largest = pair.largest_timestep(k_a).unwrap();
                assert!(largest >= dt * (1.0 - 1e-9));
                assert!(p < 1.0 || (largest / dt - 1.0).abs() < 1e-9);
            }
        }
    }
}

/// K/(k_a/k_d) without the correction: 0.975, 0.898, 0.746, 0.492 at s/R = 0.1 and 0.984, 0.938,
/// 0.845, 0.689 at s/R = 1 for p = 0.05, 0.2, 0.5, 1 in 3D.
#[test]
fn unbinding_correction_table() {
    let table = [(0.1, [0.975, 0.898, 0.746, 0.492]), (1.0, [0.984, 0.938, 0.845, 0.689])];
    for (s, row) in table {
        let dt = s * s / 40.0;
        for (p, uncorrected) in [0.05, 0.2, 0.5, 1.0].into_iter().zip(row) {
            let k_a = pair(3).intrinsic_rate(p, dt).unwrap();
            let factor = p * pair(3).contact_rate(dt) / k_a;
            assert!((factor - uncorrected).abs() < 6e-4, "{s} {p}: {factor}");
        }
    }
}

#[test]
fn falls_with_the_step_and_grows_with_the_rate() {
    for dimension in 1..=3 {
        let pair = pair(dimension);
        let mut last = 0.0;
        for i in 1..100 {
            let p = pair.probability(10.0, 1e-8 * f64::from(i * i)).unwrap();
            assert!(p > last && p <= 1.0);
            last = p;
        }
        let mut last = 0.0;
        for i in 1..100 {
            let p = pair.probability(f64::from(i), 1e-6).unwrap();
            assert!(p > last);
            last = p;
        }
        // short steps: p = k_a dt/V_c
        let p = pair.probability(10.0, 1e-12).unwrap();
        assert!((p * pair.contact_volume(1e-12) / 1e-11 - 1.0).abs() < 2e-3);
    }
}

#[test]
fn too_long_a_step_is_named() {
    for dimension in 1..=3 {
        let (pair, k_a) = (pair(dimension), 4000.0);
        let largest = pair.largest_timestep(k_a).unwrap();
        assert!(pair.probability(k_a, largest).unwrap() > 0.9999);
        let timestep = 1.001 * largest;
        let expected = RateError::TimestepTooLong { timestep, k_a, largest };
        assert_eq!(pair.probability(k_a, timestep), Err(expected));
    }
    // a slow reaction: the step is limited by the calibration alone
    for (dimension, limit) in [(2, 5.0), (3, 30.0)] {
        let largest = pair(dimension).largest_timestep(0.1).unwrap();
        assert!((pair(dimension).step_width(largest) - limit).abs() < 1e-9);
        let error = pair(dimension).probability(0.1, 1.01 * largest);
        assert!(matches!(error, Err(RateError::OutsideCalibration { .. })));
        assert_eq!(*calibration_range(dimension).unwrap().end(), limit);
        // What goes on beyond it has no jump there, and rare reactions are as frequent as asked for.
        let at = |part: f64| pair(dimension).probability_at_any_step(0.1, part * largest).unwrap();
        assert!((at(1.0 + 1e-9) / at(1.0 - 1e-9) - 1.0).abs() < 1e-6);
        for part in [1.1, 2.0] {
            let rate = at(part) * pair(dimension).contact_rate(part * largest);
            assert!((rate / 0.1 - 1.0).abs() < 0.04, "{dimension} {part}: {rate}");
        }
        let error = pair(dimension).probability_at_any_step(4000.0, 2.0 * largest);
        assert!(matches!(error, Err(RateError::TimestepTooLong { .. })));
    }
}

#[test]
fn macroscopic_rate() {
    let limit = 4.0 * PI * 20.0;
    let k_a = pair(3).intrinsic_from_macroscopic(50.0).unwrap();
    assert!((1.0 / 50.0 - 1.0 / limit - 1.0 / k_a).abs() < 1e-15);
    let error = pair(3).intrinsic_from_macroscopic(260.0);
    assert!(matches!(error, Err(RateError::FasterThanDiffusion { .. })));
    let error = pair(2).intrinsic_from_macroscopic(1.0);
    assert_eq!(error, Err(RateError::NoMacroscopic(2)));
}

#[test]
fn refuses_nonsense() {
    assert_eq!(ReactingPair::new(4, 1.0, 1.0), Err(RateError::Dimension(4)));
    assert_eq!(calibration_range(0), Err(RateError::Dimension(0)));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(ReactingPair::new(3, bad, 1.0).is_err());
        assert!(ReactingPair::new(3, 1.0, bad).is_err());
        assert!(pair(3).probability(bad, 1e-6).is_err());
        assert!(pair(3).probability(1.0, bad).is_err());
        assert!(pair(3).largest_timestep(bad).is_err());
        assert!(pair(3).intrinsic_from_macroscopic(bad).is_err());
        assert!(pair(3).intrinsic_rate(bad, 1e-6).is_err());
        assert!(pair(3).intrinsic_rate(0.5, bad).is_err());
    }
    let message = pair(3).probability(-1.0, 1e-6).unwrap_err().to_string();
    assert_eq!(message, "the intrinsic rate constant has to be a positive number, not -1");
}

/// What the straight-step rule with probability `p` does at contact distance 1 and s = `s`,
/// and its standard error, from `walks` pairs.
///
/// Far from contact the chance to escape is proportional to u(r) + c with u = r - 1, ln r, -1/r
/// and c the wanted resistance. Walks start `START` steps from contact and end by reaction or
/// twice as far away; u + c is then a martingale: mean of u + c over all walks, 0 for those that
/// react, is u + c at the start.
fn simulated_resistance<const D: usize>(p: f64, s: f64, walks: u64) -> (f64, f64) {
    const START: f64 = 4.0;
    let harmonic = |r: f64| [r - 1.0, libm::log(r), -1.0 / r][D - 1];
    let random = Random::new(97);
    let mut alive: Vec<u64> = (0..walks).collect();
    let mut places = vec![Vector::<D>::ZERO; walks as usize];
    places.iter_mut().for_each(|x| x[0] = 1.0 + START * s);
    let mut steps = places.clone();
    let (mut escaped, mut sum, mut squares, mut time) = (0_u64, 0.0, 0.0, 0);
    while !alive.is_empty() {
        steps.truncate(alive.len());
        random.normals(time, &alive, &mut steps);
        let mut kept = 0;
        for i in 0..alive.len() {
            let fate = || random.uniform(Purpose::Fate, [alive[i], time, 0, 0]) < p;
            let Some(end) = moved(places[i], steps[i] * s, fate) else {
                continue;
            };
            let r = end.norm();
            if r > 1.0 + 2.0 * START * s {
                escaped += 1;
                sum += harmonic(r);
                squares += harmonic(r) * harmonic(r);
            } else {
                places[kept] = end;
                alive[kept] = alive[i];
                kept += 1;
            }
        }
        alive.truncate(kept);
        time += 1;
    }
    let (n, start) = (walks as f64, harmonic(1.0 + START * s));
    let reacted = 1.0 - escaped as f64 / n;
    let c = (sum / n - start) / reacted;
    // the scatter of (u + c) of all walks
    let mean_square = (squares + 2.0 * c * sum + c * c * escaped as f64) / n;
    let variance = mean_square - (start + c) * (start + c);
    (c, (variance / n).sqrt() / reacted)
}

/// Where a straight step ends that bounces off the unit sphere, or None if the contact reacts.
fn moved<const D: usize>(
    x: Vector<D>,
    step: Vector<D>,
    reacts: impl Fn() -> bool,
) -> Option<Vector<D>> {
    let (b, a) = (x.dot(step), step.norm_squared());
    let c = (x.norm_squared() - 1.0).max(0.0);
    let root = b * b - a * c;
    let t = c / (-b + root.max(0.0).sqrt());
    if b >= 0.0 || root < 0.0 || t > 1.0 {
        return Some(x + step);
    }
    if reacts() {
        return None;
    }
    let contact = x + step * t;
    let normal = contact * (1.0 / contact.norm());
    let bounced = step - normal * (2.0 * step.dot(normal));
    Some(contact + bounced * (1.0 - t))
}

/// The resistance by the formulas of this module, in the same measure: (1/k) D surface/R, without
/// 1/k_D in 1D and 2D.
fn predicted_resistance<const D: usize>(p: f64, s: f64) -> f64 {
    let pair = ReactingPair::new(D, 1.0, 0.5).unwrap();
    let diffusive = if D == 3 { 1.0 } else { 0.0 };
    diffusive + 0.5 * pair.surface() / pair.intrinsic_rate(p, s * s).unwrap()
}

/// |z| < 4.5, and for 0 < p < 1 the known bias of up to 1.1 % besides.
fn rate_holds<const D: usize>(p: f64, s: f64, walks: u64) {
    let (simulated, error) = simulated_resistance::<D>(p, s, walks);
    let predicted = predicted_resistance::<D>(p, s);
    let bias = if p < 1.0 { 0.011 * predicted } else { 0.0 };
    assert!(
        (simulated - predicted).abs() < 4.5 * error + bias,
        "{D}D p = {p}, s = {s}: {simulated} +- {error}, not {predicted}"
    );
}

#[test]
fn rates_by_simulation_1d() {
    rate_holds::<1>(1.0, 0.3, 400_000);
    rate_holds::<1>(0.2, 0.3, 400_000);
}

#[test]
fn rates_by_simulation_2d() {
    rate_holds::<2>(1.0, 0.3, 200_000);
    rate_holds::<2>(0.2, 1.0, 200_000);
}

#[test]
fn rates_by_simulation_3d() {
    rate_holds::<3>(1.0, 0.3, 200_000);
    rate_holds::<3>(0.2, 1.0, 200_000);
}
