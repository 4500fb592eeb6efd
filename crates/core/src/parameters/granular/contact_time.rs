//! How long a contact lasts, for the TC model (Luding & McNamara 1998).

use super::{EffectiveBall, Material};

/// The time during which a contact counts as lasting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactTime {
    /// Contacts are over at once: the cascade is not stopped.
    None,
    /// The same for all. \[µs\]
    Constant(f64),
    /// As long as an elastic impact of this pair takes at this impact's speed (Hertz), the speed
    /// being taken as no less than [`SLOWEST`], since slow impacts last without bound.
    Hertz,
}

/// Slower impacts last no longer than this one. \[nm/µs\] The duration goes as `speed^(-1/5)`, so
/// that it stays within a factor of 4 from 1 m/s down to here.
pub const SLOWEST: f64 = 1.0;

impl ContactTime {
    /// How long an impact at normal speed `speed` \[nm/µs\] counts as lasting. \[µs\]
    pub fn of(&self, material: &Material, pair: &EffectiveBall, speed: f64) -> f64 {
        match *self {
            Self::None => 0.0,
            Self::Constant(time) => time,
            Self::Hertz => material.hertz(pair, speed.max(SLOWEST)).duration,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_last_as_long_as_hertz_says_but_not_without_bound() {
        let steel = Material::default();
        let pair = EffectiveBall::at_wall(5e6, steel.ball_mass(5e6));
        let time = |speed| ContactTime::Hertz.of(&steel, &pair, speed);
        assert_eq!(time(1000.0), steel.hertz(&pair, 1000.0).duration);
        assert!((time(SLOWEST) / time(1000.0) - libm::pow(1000.0, 0.2)).abs() < 1e-12);
        assert_eq!(time(0.0), time(SLOWEST));
        assert_eq!(time(1e-9), time(SLOWEST));
        assert_eq!(ContactTime::Constant(7.0).of(&steel, &pair, 1.0), 7.0);
        assert_eq!(ContactTime::None.of(&steel, &pair, 1.0), 0.0);
    }
}
