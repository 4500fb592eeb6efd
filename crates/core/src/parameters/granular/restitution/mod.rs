//! Restitution: the share of the normal speed that an impact leaves.
//!
//! The paper on the shaker ball mill takes it as "a function of particle velocity and size by using
//! the Hertz contact theory to find the deformations" (Gavrilova et al. 2003, section 2), without a
//! formula. Of the laws that fit these words, [`Restitution::Viscoelastic`] depends on speed and
//! size, as the paper says.

#[cfg(test)]
mod tests;

use super::{EffectiveBall, Material};

/// What share of the normal speed is left after an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Restitution {
    /// The same for all, 0 to 1.
    Constant(f64),
    /// Hertz' force with a dissipative part, `k x^(3/2) + 3/2 A k x^(1/2) x'` (Kuwabara & Kono
    /// 1987; Brilliantov et al. 1996): the faster the impact and the smaller the balls, the more is
    /// lost.
    Viscoelastic {
        /// `A`, the one constant of the material. \[µs\] See [`Restitution::viscoelastic_through`].
        relaxation: f64,
    },
    /// Elastic up to the yield speed, then the material flows (Johnson 1985; Thornton 1997): for
    /// hard impacts. For balls of one material it does not depend on their size.
    Plastic,
}

impl Restitution {
    /// The viscoelastic law that gives `restitution` where two balls of radius `radius` \[nm\] meet
    /// at normal speed `speed` \[nm/µs\]; `None` unless `restitution` is above 0 and at most 1, and
    /// the others are positive and finite.
    pub fn viscoelastic_through(
        material: &Material,
        restitution: f64,
        speed: f64,
        radius: f64,
    ) -> Option<Self> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if !(restitution > 0.0 && restitution <= 1.0 && positive(speed) && positive(radius)) {
            return None;
        }
        let pair = EffectiveBall::of_two([radius; 2], [material.ball_mass(radius); 2]);
        let w = root_of_pade(restitution);
        Some(Self::Viscoelastic { relaxation: w * w / damping(1.0, material, &pair, speed) })
    }

    /// The restitution of an impact at normal speed `speed` \[nm/µs\] >= 0: from 0 to 1, and 1 as
    /// the speed falls to 0 unless it is constant.
    pub fn of(&self, material: &Material, pair: &EffectiveBall, speed: f64) -> f64 {
        match *self {
            Self::Constant(e) => e,
            Self::Viscoelastic { relaxation } => {
                pade(damping(relaxation, material, pair, speed).sqrt())
            }
            Self::Plastic => plastic(material.yield_speed(pair), speed),
        }
    }
}

/// How dissipative a viscoelastic impact is: `b = 3/2 A (k/m*)^(2/5) v^(1/5)`.
fn damping(relaxation: f64, material: &Material, pair: &EffectiveBall, speed: f64) -> f64 {
    let rate = material.stiffness(pair) / pair.mass;
    1.5 * relaxation * libm::pow(rate * rate * speed, 0.2)
}

/// Restitution of the viscoelastic impact as a Pade form in `w = sqrt(b)` (Müller & Pöschel 2011):
/// within 5e-5 of the exact value for b below 0.1, 7e-4 at 0.3, 5e-3 at 1.
fn pade(w: f64) -> f64 {
    let numerator = 1.0 + 0.501086 * w;
    numerator / (numerator + w * w * (1.15345 + w * (0.577977 + w * 0.532178)))
}

/// The `w` at which the Pade form takes this value, by bisection: it falls all the way from 1 to 0.
fn root_of_pade(restitution: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while pade(high) > restitution {
        high *= 2.0;
    }
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if pade(middle) > restitution {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Restitution of the elastic, perfectly plastic impact (Thornton 1997).
fn plastic(yield_speed: f64, speed: f64) -> f64 {
    if speed <= yield_speed {
        return 1.0;
    }
    let x = yield_speed / speed;
    let share = x / (x + 2.0 * (1.2 - 0.2 * x * x).sqrt());
    // At x = 1 this is 1; rounding may lift it above.
    (LARGEST_PLASTIC * (1.0 - x * x / 6.0).sqrt() * share.sqrt().sqrt()).min(1.0)
}

/// `sqrt(6 sqrt(3)/5)`.
const LARGEST_PLASTIC: f64 = 1.441_686_848_480_852_7;
