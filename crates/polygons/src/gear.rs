//! Gear's predictor-corrector of fifth order for second-order equations (Gear 1971; Allen and
//! Tildesley 1987, appendix E).

use serde::{Deserialize, Serialize};

use jostle_core::space::Vector;

/// How many scaled derivatives are kept: the place itself and five derivatives.
const VALUES: usize = 6;

/// What of the difference between the found and the predicted acceleration goes to each derivative.
/// The first is that for forces that depend on velocities.
const CORRECTOR: [f64; VALUES] =
    [3.0 / 16.0, 251.0 / 360.0, 1.0, 11.0 / 18.0, 1.0 / 6.0, 1.0 / 60.0];

/// What dies away far from all contacts becomes nothing at last: numbers too small for a full
/// mantissa would slow every step down.
const NOTHING: f64 = 1e-150;

/// `C` coordinates on their way: derivative `k` stands times `dt^k / k!`, so that all are lengths
/// (or angles) of about one step.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Gear<const C: usize>([Vector<C>; VALUES]);

impl<const C: usize> Gear<C> {
    /// At rest in its acceleration so far: higher derivatives are none.
    pub(super) fn new(
        place: [f64; C],
        velocity: [f64; C],
        acceleration: [f64; C],
        dt: f64,
    ) -> Self {
        let mut scaled = [Vector::ZERO; VALUES];
        scaled[0] = Vector(place);
        scaled[1] = Vector(velocity.map(|v| v * dt));
        scaled[2] = Vector(acceleration.map(|a| 0.5 * a * dt * dt));
        Self(scaled)
    }

    /// Continues by a step along the Taylor series.
    #[inline]
    pub(super) fn predict(&mut self) {
        let r = &mut self.0;
        for c in 0..C {
            let [r1, r2, r3, r4, r5] = [r[1][c], r[2][c], r[3][c], r[4][c], r[5][c]];
            r[0][c] += r1 + (r2 + (r3 + (r4 + r5)));
            r[1][c] = r1 + (2.0 * r2 + (3.0 * r3 + (4.0 * r4 + 5.0 * r5)));
            r[2][c] = r2 + (3.0 * r3 + (6.0 * r4 + 10.0 * r5));
            r[3][c] = r3 + (4.0 * r4 + 10.0 * r5);
            r[4][c] = r4 + 5.0 * r5;
        }
    }

    /// Takes in the acceleration that was found where the prediction led.
    #[inline]
    pub(super) fn correct(&mut self, acceleration: [f64; C], dt: f64) {
        let r = &mut self.0;
        for c in 0..C {
            let difference = 0.5 * acceleration[c] * dt * dt - r[2][c];
            for k in 0..VALUES {
                r[k][c] += CORRECTOR[k] * difference;
                if r[k][c].abs() < NOTHING {
                    r[k][c] = 0.0;
                }
            }
        }
    }

    /// \[nm\], \[rad\]
    #[inline]
    pub(super) fn place(&self) -> [f64; C] {
        self.0[0].0
    }

    /// Whether all derivatives are numbers.
    pub(super) fn is_finite(&self) -> bool {
        self.0.iter().all(|scaled| scaled.is_finite())
    }

    /// \[nm/µs\], \[rad/µs\]
    #[inline]
    pub(super) fn velocity(&self, dt: f64) -> [f64; C] {
        self.0[1].0.map(|scaled| scaled / dt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error after 10 time units of `x'' = -x - 2 z x'`, begun with the exact derivatives.
    fn error(z: f64, steps: u32) -> f64 {
        let dt = 10.0 / f64::from(steps);
        let q = f64::sqrt(1.0 - z * z);
        // x = exp(-z t) cos(q t) is the real part of exp(s t); its derivatives are those of s^k.
        let (mut gear, mut re, mut im, mut scale) = (Gear([Vector::ZERO; VALUES]), 1.0, 0.0, 1.0);
        for k in 0..VALUES {
            gear.0[k][0] = re * scale;
            (re, im) = (-z * re - q * im, -z * im + q * re);
            scale *= dt / (k + 1) as f64;
        }
        for _ in 0..steps {
            gear.predict();
            let [x] = gear.place();
            let [v] = gear.velocity(dt);
            gear.correct([-x - 2.0 * z * v], dt);
        }
        let exact = libm::exp(-10.0 * z) * libm::cos(10.0 * q);
        (gear.place()[0] - exact).abs()
    }

    #[test]
    fn the_order_on_a_smooth_force_is_between_five_and_six() {
        for z in [0.0, 0.2] {
            let errors = [200, 400, 800].map(|steps| error(z, steps));
            for pair in errors.windows(2) {
                let order = libm::log2(pair[0] / pair[1]);
                assert!(
                    (4.8..6.3).contains(&order),
                    "damping {z}: order {order}, errors {errors:?}"
                );
            }
        }
    }

    #[test]
    fn a_constant_acceleration_is_followed_exactly() {
        let mut gear = Gear::new([1.0, -2.0], [3.0, 0.5], [0.0, -4.0], 0.25);
        for _ in 0..16 {
            gear.predict();
            gear.correct([0.0, -4.0], 0.25);
        }
        assert_eq!(gear.place(), [13.0, -32.0]);
        assert_eq!(gear.velocity(0.25), [3.0, -15.5]);
    }
}
