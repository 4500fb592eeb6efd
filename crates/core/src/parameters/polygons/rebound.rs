//! How much of their speed two disks keep when they meet head-on: what damping comes to.

use super::{ForceLaw, NormalLaw};

/// Two disks, or one and a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadOn {
    /// `4 r1 r2 / (r1 + r2)` of the radii, four radii against a wall. \[nm\]
    pub length: f64,
    /// The reduced mass. \[kg\]
    pub mass: f64,
}

impl HeadOn {
    /// Of two disks of this area \[nm²\] and mass \[kg\].
    pub fn of_two(area: f64, mass: f64) -> Self {
        Self { length: 2.0 * (area / std::f64::consts::PI).sqrt(), mass: 0.5 * mass }
    }

    /// Of one such disk and a wall.
    pub fn with_wall(area: f64, mass: f64) -> Self {
        Self { length: 4.0 * (area / std::f64::consts::PI).sqrt(), mass }
    }

    /// Elastic force at a depth, and how fast the damping force grows with the speed. Overlaps are
    /// taken to be small: their chord is the square root of twice length times depth, and their area
    /// two thirds of chord times depth.
    fn forces(&self, law: &ForceLaw, depth: f64) -> [f64; 2] {
        let (share, depth) = (depth.max(0.0) / self.length, depth.max(0.0));
        let drag = law.damping * (law.stiffness * self.mass).sqrt();
        match law.normal {
            NormalLaw::Gradient => [4.0 / 3.0 * law.stiffness * share * depth, 2.0 * drag * share],
            NormalLaw::Area => {
                let root = (2.0 * share).sqrt();
                [2.0 / 3.0 * law.stiffness * root * depth, drag * root]
            }
        }
    }

    /// The coefficient of restitution of disks that meet at a speed \[nm/µs\].
    pub fn restitution(&self, law: &ForceLaw, speed: f64) -> f64 {
        // The depth without damping, by bisection of the logarithm.
        let energy = |depth: f64| {
            let [force, _] = self.forces(law, depth);
            let power = if law.normal == NormalLaw::Gradient { 3.0 } else { 2.5 };
            force * depth / power
        };
        let kinetic = 0.5 * self.mass * speed * speed;
        let (mut low, mut high) = (1e-12 * self.length, 1e6 * self.length);
        for _ in 0..60 {
            let middle = (low * high).sqrt();
            *(if energy(middle) < kinetic { &mut low } else { &mut high }) = middle;
        }
        let step = low / speed / 200.0;
        let slope = |[depth, velocity]: [f64; 2]| {
            let [elastic, drag] = self.forces(law, depth);
            // Contacts only push.
            [velocity, -(elastic + drag * velocity).max(0.0) / self.mass]
        };
        let moved = |[x, v]: [f64; 2], [dx, dv]: [f64; 2], by: f64| [x + by * dx, v + by * dv];
        let mut state = [0.0, speed];
        for _ in 0..100_000 {
            let a = slope(state);
            let b = slope(moved(state, a, 0.5 * step));
            let c = slope(moved(state, b, 0.5 * step));
            let d = slope(moved(state, c, step));
            let mean = [0, 1].map(|k| (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]) / 6.0);
            state = moved(state, mean, step);
            // They only part from here on, pushed by nothing.
            let is_free = slope(state)[1] == 0.0;
            if state[0] <= 0.0 || (state[1] < 0.0 && is_free) {
                break;
            }
        }
        (-state[1] / speed).max(0.0)
    }

    /// The damping with which disks that meet at a speed keep this share of it; nothing if there is
    /// none up to 1000.
    pub fn damping(&self, law: &ForceLaw, restitution: f64, speed: f64) -> Option<f64> {
        let with = |damping: f64| self.restitution(&ForceLaw { damping, ..*law }, speed);
        let (mut low, mut high) = (0.0, 1.0);
        while with(high) > restitution {
            (low, high) = (high, 2.0 * high);
            if high > 1000.0 {
                return None;
            }
        }
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            *(if with(middle) > restitution { &mut low } else { &mut high }) = middle;
        }
        Some(0.5 * (low + high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(normal: NormalLaw, damping: f64) -> ForceLaw {
        let (friction, wall_friction, tangential, rolling) = (0.0, 0.0, 0.0, 0.0);
        ForceLaw { normal, stiffness: 1e-6, damping, friction, wall_friction, tangential, rolling }
    }

    #[test]
    fn without_damping_nothing_is_lost_and_with_more_of_it_more() {
        let encounter = HeadOn::of_two(1e12, 1e-3);
        for normal in [NormalLaw::Gradient, NormalLaw::Area] {
            let at = |damping: f64, speed: f64| encounter.restitution(&law(normal, damping), speed);
            for speed in [1.0, 1e3, 1e6] {
                assert!((at(0.0, speed) - 1.0).abs() < 1e-3, "{}", at(0.0, speed));
                let all = [0.1, 0.3, 1.0].map(|damping| at(damping, speed));
                assert!(1.0 > all[0] && all[0] > all[1] && all[1] > all[2], "{all:?}");
            }
            // Fast ones lose more: the overlap is wider.
            assert!(at(0.5, 10.0) > at(0.5, 1e4));
            let damping = encounter.damping(&law(normal, 0.5), 0.7, 1e3).unwrap();
            assert!((at(damping, 1e3) - 0.7).abs() < 1e-6);
        }
    }
}
