//! The heat that restitution leaves: what an impact did.

pub use jostle_core::parameters::granular::{EffectiveBall, Hertz, Material, Restitution};

/// What an impact did, for the log. Temperature is back to normal after each impact (Gavrilova et
/// al. 2003, section 2): it is a note and no state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Normal speed with which the two met. \[nm/µs\]
    pub speed: f64,
    /// Share of it that was left.
    pub restitution: f64,
    /// Kinetic energy that became heat, `m*/2 v² (1 - e²)`. \[kg nm²/µs²\]
    pub energy_lost: f64,
    /// From touch to release, as if elastic. \[µs\]
    pub duration: f64,
    /// What took up the heat. \[nm³\]
    pub heated_volume: f64,
    /// By how much that volume warmed. \[K\]
    pub temperature_rise: f64,
}

impl Impact {
    /// Of two particles that met at normal speed `speed` \[nm/µs\] and kept `restitution` of it.
    ///
    /// The heated volume is our choice: the two caps of the lens in which the particles would
    /// overlap if they kept their shapes, which are `pi R* delta²` together.
    pub fn new(material: &Material, pair: &EffectiveBall, speed: f64, restitution: f64) -> Self {
        let energy_lost = 0.5 * pair.mass * speed * speed * (1.0 - restitution * restitution);
        if speed <= 0.0 {
            return Self {
                speed,
                restitution,
                energy_lost: 0.0,
                duration: f64::INFINITY,
                heated_volume: 0.0,
                temperature_rise: 0.0,
            };
        }
        let hertz = material.hertz(pair, speed);
        let heated_volume =
            std::f64::consts::PI * pair.radius * hertz.deformation * hertz.deformation;
        let capacity = material.density * material.heat_capacity * heated_volume;
        Self {
            speed,
            restitution,
            energy_lost,
            duration: hertz.duration,
            heated_volume,
            // The volume of the gentlest impacts underflows.
            temperature_rise: if capacity > 0.0 { energy_lost / capacity } else { 0.0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::granular::units::{JOULE, METRE, SECOND};

    const M_PER_S: f64 = METRE / SECOND;
    const MM: f64 = 1e-3 * METRE;

    fn steel_balls(radius: f64) -> (Material, EffectiveBall) {
        let steel = Material::default();
        (steel, EffectiveBall::of_two([radius; 2], [steel.ball_mass(radius); 2]))
    }

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
    }

    #[test]
    fn two_steel_balls_at_1_m_per_s_warm_their_contact_by_46_kelvin() {
        let (steel, pair) = steel_balls(5.0 * MM);
        let impact = Impact::new(&steel, &pair, M_PER_S, 0.93);
        close(impact.energy_lost / JOULE, 1.4e-4, 0.05e-4);
        close(impact.heated_volume / METRE.powi(3), 8.3e-13, 0.05e-13);
        close(impact.temperature_rise, 46.0, 0.5);
        close(impact.duration, 30.3, 0.05);
        // The caps of the lens: h_i = delta r_j/(r_i + r_j), V_i = pi r_i h_i².
        let (r1, r2) = (2.0 * MM, 7.0 * MM);
        let pair = EffectiveBall::of_two([r1, r2], [steel.ball_mass(r1), steel.ball_mass(r2)]);
        let delta = steel.hertz(&pair, 100.0).deformation;
        let cap = |r: f64, other: f64| PI * r * (delta * other / (r1 + r2)).powi(2);
        let lens = cap(r1, r2) + cap(r2, r1);
        close(Impact::new(&steel, &pair, 100.0, 0.9).heated_volume / lens, 1.0, 1e-14);
    }

    #[test]
    fn an_impact_without_speed_does_nothing() {
        let (steel, pair) = steel_balls(5.0 * MM);
        for speed in [0.0, 1e-200] {
            let impact = Impact::new(&steel, &pair, speed, 0.9);
            assert_eq!((impact.energy_lost, impact.temperature_rise), (0.0, 0.0));
        }
    }
}
