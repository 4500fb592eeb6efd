//! Forces that no parabola holds: time-dependent gravity, fields, drag.
//!
//! They act at a body's predict-trajectory events, between which its path is a parabola as ever
//! (Gavrilova & Rokne 2002, section 2; Gavrilova et al. 2003, section 3: "piecewise linear"). The
//! scheme is the leapfrog: a path's velocity stands for the middle of its interval. So at an event
//! at time `t` the forces are integrated from the time up to which they have acted (at first `t`
//! itself) to `t + dt/2`. Paths are of second order in `dt`, also together with the common
//! acceleration that bends them: the two flows are composed symmetrically.
//!
//! Within a kick drag and time-dependent gravity are exact; the field is that at the body's place.

use std::f64::consts::TAU;

use jostle_core::space::Vector;

/// What acts on the bodies, as acceleration: the same for all masses.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Forces<const D: usize> {
    /// The constant part of gravity. Paths are parabolas under it, so that kicks leave it out.
    /// \[nm/µs²\]
    pub gravity: Vector<D>,
    /// The part of gravity that changes with time.
    pub swing: Option<Swing<D>>,
    /// A harmonic well.
    pub well: Option<Well<D>>,
    /// A field linear in the place.
    pub field: Option<LinearField<D>>,
    /// Linear drag: velocities decay with this rate. \[1/µs\]
    pub drag: f64,
}

/// `amplitude sin(2 pi frequency t + phase)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing<const D: usize> {
    /// \[nm/µs²\]
    pub amplitude: Vector<D>,
    /// \[1/µs\]
    pub frequency: f64,
    /// At time 0. \[radians\]
    pub phase: f64,
}

/// `-rate (x - centre)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Well<const D: usize> {
    /// Where it is deepest. \[nm\]
    pub centre: Vector<D>,
    /// Stiffness over mass, the square of the angular frequency. \[1/µs²\]
    pub rate: f64,
}

/// `at_origin + gradient x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearField<const D: usize> {
    /// \[nm/µs²\]
    pub at_origin: Vector<D>,
    /// Row `k` gives component `k` of the acceleration. \[1/µs²\]
    pub gradient: [Vector<D>; D],
}

impl<const D: usize> Forces<D> {
    /// Whether paths are parabolas for ever, so that no predict-trajectory events are needed.
    pub fn are_analytic(&self) -> bool {
        self.swing.is_none() && self.well.is_none() && self.field.is_none() && self.drag == 0.0
    }

    /// What the field is at `position`. \[nm/µs²\]
    pub fn field_at(&self, position: Vector<D>) -> Vector<D> {
        let mut field = Vector::ZERO;
        if let Some(well) = &self.well {
            field += (well.centre - position) * well.rate;
        }
        if let Some(linear) = &self.field {
            field += linear.at_origin + Vector::from_fn(|k| linear.gradient[k].dot(position));
        }
        field
    }

    /// The velocity after all but the constant gravity have acted from time `from` to `to` on a
    /// body at `position`: the exact solution of `v' = field + swing(t) - drag v`. Nothing where
    /// `to` is not after `from`.
    pub fn kick(&self, velocity: Vector<D>, position: Vector<D>, from: f64, to: f64) -> Vector<D> {
        let span = to - from;
        if span <= 0.0 || self.are_analytic() {
            return velocity;
        }
        let decay = libm::exp(-self.drag * span);
        let weight =
            if self.drag == 0.0 { span } else { -libm::expm1(-self.drag * span) / self.drag };
        let mut after = velocity * decay + self.field_at(position) * weight;
        if let Some(swing) = &self.swing {
            after += swing.amplitude * swing.integral(from, to, self.drag, decay);
        }
        after
    }
}

impl<const D: usize> Swing<D> {
    /// `∫ exp(-drag (to - t)) sin(omega t + phase) dt` over `from..to`, `decay` being
    /// `exp(-drag (to - from))`.
    fn integral(&self, from: f64, to: f64, drag: f64, decay: f64) -> f64 {
        let omega = TAU * self.frequency;
        let angle = |time: f64| omega * time + self.phase;
        if omega == 0.0 && drag == 0.0 {
            return libm::sin(self.phase) * (to - from);
        }
        if drag == 0.0 {
            // The difference of two cosines, without cancellation.
            let half = 0.5 * (to - from);
            return libm::sin(angle(from + half)) * 2.0 * libm::sin(omega * half) / omega;
        }
        let primitive = |time: f64| {
            let (sine, cosine) = libm::sincos(angle(time));
            (drag * sine - omega * cosine) / (drag * drag + omega * omega)
        };
        primitive(to) - decay * primitive(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::space::Flight;

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
    }

    /// Where a body is at `end` after `steps` trajectory events.
    fn travelled(forces: &Forces<1>, x: f64, v: f64, end: f64, steps: u32) -> f64 {
        let dt = end / f64::from(steps);
        let (mut x, mut v, mut forced_until) = (Vector([x]), Vector([v]), 0.0);
        for step in 0..steps {
            let now = dt * f64::from(step);
            v = forces.kick(v, x, forced_until, now + 0.5 * dt);
            forced_until = now + 0.5 * dt;
            let flight = Flight { position: x, velocity: v, since: now, radius: 0.0 };
            (x, v) =
                (flight.at(now + dt, forces.gravity), flight.velocity_at(now + dt, forces.gravity));
        }
        x[0]
    }

    fn assert_second_order(forces: &Forces<1>, x: f64, v: f64, end: f64, exact: f64) {
        let errors = [40, 80, 160].map(|steps| (travelled(forces, x, v, end, steps) - exact).abs());
        for pair in errors.windows(2) {
            let order = libm::log2(pair[0] / pair[1]);
            assert!((1.9..2.1).contains(&order), "order {order}, errors {errors:?}");
        }
    }

    #[test]
    fn drag_slows_exactly() {
        let forces = Forces { drag: 0.3, ..Forces::default() };
        let v = forces.kick(Vector([2.0, -4.0]), Vector::ZERO, 1.0, 5.0);
        close(v[0], 2.0 * libm::exp(-1.2), 1e-15);
        close(v[1], -4.0 * libm::exp(-1.2), 1e-15);
    }

    #[test]
    fn drag_and_a_constant_force_lead_to_the_terminal_velocity() {
        let push = LinearField { at_origin: Vector([0.6]), gradient: [Vector([0.0])] };
        let forces = Forces { drag: 0.3, field: Some(push), ..Forces::default() };
        let mut v = Vector([10.0]);
        for step in 0..100 {
            v = forces.kick(v, Vector([77.0]), f64::from(step), f64::from(step + 1));
            close(v[0], 2.0 + 8.0 * libm::exp(-0.3 * f64::from(step + 1)), 1e-13);
        }
        close(v[0], 2.0, 1e-11);
        // Slow drag is no drag.
        let slow = Forces { drag: 1e-300, ..forces.clone() };
        close(slow.kick(Vector([1.0]), Vector::ZERO, 0.0, 5.0)[0], 4.0, 1e-15);
    }

    #[test]
    fn a_force_that_swings_is_integrated_exactly_with_and_without_drag() {
        for drag in [0.0, 1e-9, 0.01, 0.7, 30.0] {
            for frequency in [0.0, 1e-9, 0.05, 2.0] {
                let swing = Swing { amplitude: Vector([2.0]), frequency, phase: 0.4 };
                let forces = Forces { drag, swing: Some(swing), ..Forces::default() };
                // Simpson's rule with many intervals.
                let (from, to, n) = (1.0, 3.5, 4000);
                let h = (to - from) / f64::from(n);
                let value = |k: i32| {
                    let t = from + h * f64::from(k);
                    (drag * (t - to)).exp() * 2.0 * (TAU * frequency * t + 0.4).sin()
                };
                let inner: f64 =
                    (1..n).map(|k| if k % 2 == 1 { 4.0 } else { 2.0 } * value(k)).sum();
                let exact =
                    3.0 * (drag * (from - to)).exp() + h / 3.0 * (value(0) + inner + value(n));
                let v = forces.kick(Vector([3.0]), Vector::ZERO, from, to)[0];
                // Where drag and frequency are both tiny the closed form loses digits.
                let tolerance = if drag + frequency < 1e-6 && drag > 0.0 { 1e-6 } else { 1e-9 };
                close(v, exact, tolerance);
                // Two kicks are one.
                let twice = forces.kick(
                    forces.kick(Vector([3.0]), Vector::ZERO, from, 2.0),
                    Vector::ZERO,
                    2.0,
                    to,
                );
                close(twice[0], v, tolerance);
            }
        }
    }

    #[test]
    fn a_harmonic_well_is_followed_to_second_order() {
        let well = Well { centre: Vector([5.0]), rate: 4.0 };
        let forces = Forces { well: Some(well), ..Forces::default() };
        let (x, v, t) = (8.0, -1.0, 3.0);
        let exact = 5.0 + 3.0 * libm::cos(2.0 * t) - 0.5 * libm::sin(2.0 * t);
        assert_second_order(&forces, x, v, t, exact);
        // The same well as a linear field.
        let field = LinearField { at_origin: Vector([20.0]), gradient: [Vector([-4.0])] };
        let as_field = Forces { field: Some(field), ..Forces::default() };
        close(travelled(&as_field, x, v, t, 50), travelled(&forces, x, v, t, 50), 1e-12);
    }

    #[test]
    fn a_damped_oscillator_driven_under_gravity_is_followed_to_second_order() {
        // x'' = -9 x - 0.8 x' + g: about its mean place a damped oscillation.
        let well = Well { centre: Vector([0.0]), rate: 9.0 };
        let forces =
            Forces { gravity: Vector([-1.8]), well: Some(well), drag: 0.8, ..Forces::default() };
        let (x, t) = (1.0, 2.0);
        let (rest, omega) = (-0.2, f64::sqrt(9.0 - 0.16));
        let swing = libm::cos(omega * t) + 0.4 / omega * libm::sin(omega * t);
        let exact = rest + (x - rest) * libm::exp(-0.4 * t) * swing;
        assert_second_order(&forces, x, 0.0, t, exact);
    }

    #[test]
    fn falling_with_drag_is_followed_to_second_order() {
        let forces = Forces { gravity: Vector([-2.0]), drag: 0.5, ..Forces::default() };
        let (v, t) = (3.0, 4.0);
        let exact = -4.0 * t + (v + 4.0) * (1.0 - libm::exp(-0.5 * t)) / 0.5;
        assert_second_order(&forces, 0.0, v, t, exact);
    }

    #[test]
    fn gravity_that_swings_moves_a_body_to_second_order() {
        let swing = Swing { amplitude: Vector([2.0]), frequency: 0.25, phase: 0.3 };
        let forces = Forces { swing: Some(swing), ..Forces::default() };
        let (omega, t) = (TAU * 0.25, 5.0);
        let exact = 2.0 / omega * libm::cos(0.3) * t
            + 2.0 / (omega * omega) * (libm::sin(0.3) - libm::sin(omega * t + 0.3));
        assert_second_order(&forces, 0.0, 0.0, t, exact);
    }

    #[test]
    fn no_time_no_kick() {
        let well = Well { centre: Vector([5.0]), rate: 4.0 };
        let forces = Forces { well: Some(well), drag: 1.0, ..Forces::default() };
        assert_eq!(forces.kick(Vector([1.0]), Vector::ZERO, 3.0, 3.0), Vector([1.0]));
        assert_eq!(forces.kick(Vector([1.0]), Vector::ZERO, 3.0, 2.0), Vector([1.0]));
        assert!(!forces.are_analytic());
        let falling = Forces { gravity: Vector([-1.0]), ..Forces::default() };
        assert!(falling.are_analytic());
        assert_eq!(falling.kick(Vector([1.0]), Vector::ZERO, 3.0, 4.0), Vector([1.0]));
    }
}
