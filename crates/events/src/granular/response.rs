//! What a collision does to velocities.
//!
//! Equation (3) of Gavrilova et al. 2003: with `A = (1 + e) m1/(m1 + m2)` the normal parts become
//! `v1' = (A - e) v1 + (1 - A + e) v2` and `v2' = A v1 + (1 - A) v2`; tangential parts stay, since
//! the balls have no friction. It is written here with the impulse that passes from one to the
//! other, which is the same and keeps the momentum.

use jostle_core::planted::{Fault, planted};
use jostle_core::space::Vector;

/// How a collision left the two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collided<const D: usize> {
    /// Of the first and the second. \[nm/µs\]
    pub velocities: [Vector<D>; 2],
    /// Normal speed with which they met; negative if they were leaving. \[nm/µs\]
    pub speed: f64,
    /// Momentum that the first gave to the second along the normal. \[kg nm/µs\]
    pub impulse: f64,
    /// Kinetic energy that became heat, `m*/2 v² (1 - e²)`. \[kg nm²/µs²\]
    pub energy_lost: f64,
}

/// The normal speed with which two particles approach, `normal` being the unit vector from the
/// first to the second. \[nm/µs\]
#[inline]
pub fn approach<const D: usize>(velocities: [Vector<D>; 2], normal: Vector<D>) -> f64 {
    (velocities[0] - velocities[1]).dot(normal)
}

/// The collision of two particles with restitution `e`; `normal` is the unit vector from the first
/// to the second, `masses` \[kg\] are positive and one of them may be infinite: then that particle
/// is not moved.
#[inline]
pub fn respond<const D: usize>(
    velocities: [Vector<D>; 2],
    normal: Vector<D>,
    masses: [f64; 2],
    e: f64,
) -> Collided<D> {
    let e = if planted(Fault::RestitutionTwice) { e * e } else { e };
    let speed = approach(velocities, normal);
    let inverse = masses.map(|m| 1.0 / m);
    let reduced = 1.0 / (inverse[0] + inverse[1]);
    let impulse = (1.0 + e) * reduced * speed;
    Collided {
        velocities: [
            velocities[0] - normal * (impulse * inverse[0]),
            velocities[1] + normal * (impulse * inverse[1]),
        ],
        speed,
        impulse,
        energy_lost: 0.5 * reduced * speed * speed * (1.0 - e * e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::random::{Purpose, Random};

    /// Equation (3) as printed.
    fn printed(v1: f64, v2: f64, m1: f64, m2: f64, e: f64) -> [f64; 2] {
        let a = (1.0 + e) * m1 / (m1 + m2);
        [(a - e) * v1 + (1.0 - a + e) * v2, a * v1 + (1.0 - a) * v2]
    }

    fn numbers(case: u64) -> [f64; 16] {
        std::array::from_fn(|k| Random::new(7).uniform(Purpose::Placement, [case, k as u64, 0, 0]))
    }

    #[test]
    fn balls_of_a_cradle_exchange_their_velocities() {
        let [x, y] = [Vector([1.0, 0.0]), Vector([0.0, 1.0])];
        let after = respond([x * 0.25 + y * 5.0, x * -0.75], x, [2.0, 2.0], 1.0);
        assert_eq!(after.velocities, [x * -0.75 + y * 5.0, x * 0.25]);
        assert_eq!((after.energy_lost, after.impulse), (0.0, 2.0));
    }

    #[test]
    fn a_light_ball_dropped_with_a_heavy_one_leaves_three_times_as_fast() {
        let up = Vector([0.0, 0.0, 1.0]);
        let floor = respond([Vector::ZERO, up * -1.0], up, [f64::INFINITY, 1.0], 1.0);
        assert_eq!(floor.velocities, [Vector::ZERO, up]);
        for ratio in [1e-3, 1e-6, 1e-9] {
            // The heavy ball has just turned at the floor; the light one still falls.
            let [_, light] =
                respond([floor.velocities[1], up * -1.0], up, [1.0, ratio], 1.0).velocities;
            assert!((light[2] - (3.0 - ratio) / (1.0 + ratio)).abs() < 1e-14);
        }
    }

    #[test]
    fn a_wall_moves_a_ball_and_is_not_moved() {
        let x = Vector([1.0]);
        let after = respond([x * 2.0, x * -3.0], x, [0.25, f64::INFINITY], 0.5);
        // v' = -e v + (1 + e) V.
        assert_eq!(after.velocities, [x * (-0.5 * 2.0 + 1.5 * -3.0), x * -3.0]);
    }

    #[test]
    fn momentum_is_kept_and_energy_goes_as_reported() {
        for case in 0..10_000 {
            let u = numbers(case);
            let n = Vector([u[0] - 0.5, u[1] - 0.5, u[2] - 0.5]);
            let n = n * (1.0 / n.norm());
            let v = [Vector([u[3], u[4], -u[5]]), Vector([-u[6], u[7], u[8]])];
            let m = [u[9] + 0.01, libm::pow(10.0, 6.0 * u[10] - 3.0)];
            let e = if case % 2 == 0 { 1.0 } else { u[11] };
            let after = respond(v, n, m, e);
            let w = after.velocities;
            let scale = m[0] + m[1];
            for k in 0..3 {
                let change = m[0] * (w[0][k] - v[0][k]) + m[1] * (w[1][k] - v[1][k]);
                assert!(change.abs() < 1e-15 * scale, "{change}");
            }
            let energy =
                |v: [Vector<3>; 2]| 0.5 * (m[0] * v[0].norm_squared() + m[1] * v[1].norm_squared());
            let error = energy(v) - energy(w) - after.energy_lost;
            assert!(error.abs() < 1e-15 * scale, "{error}");
            assert!((approach(w, n) + e * after.speed).abs() < 4e-15);
            // Tangential parts stay.
            for (before, now) in v.into_iter().zip(w) {
                let slip = (now - before) - n * (now - before).dot(n);
                assert!(slip.norm() < 4e-15);
            }
            let [a, b] = printed(v[0].dot(n), v[1].dot(n), m[0], m[1], e);
            assert!((w[0].dot(n) - a).abs() < 4e-15 && (w[1].dot(n) - b).abs() < 4e-15);
        }
    }
}
