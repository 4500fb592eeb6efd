//! What balls and walls are made of, and the elastic impact of Hertz.

use std::f64::consts::PI;

use crate::units::{JOULE, KILOGRAM_PER_CUBIC_METRE, PASCAL};

/// The material that all balls and walls of a mill are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus. \[kg/(nm µs²)\]
    pub youngs_modulus: f64,
    /// Poisson's ratio, -1 to 1/2.
    pub poissons_ratio: f64,
    /// \[kg/nm³\]
    pub density: f64,
    /// Contact pressure at which the material starts to flow. \[kg/(nm µs²)\]
    pub yield_pressure: f64,
    /// Specific heat. \[nm²/(µs² K)\]
    pub heat_capacity: f64,
}

/// Two particles that meet, as the law of contact sees them: one ball of effective radius and mass
/// that hits a rigid plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffectiveBall {
    /// `1/R = 1/r1 + 1/r2`. \[nm\]
    pub radius: f64,
    /// `1/m = 1/m1 + 1/m2`. \[kg\]
    pub mass: f64,
}

impl EffectiveBall {
    /// Two balls of the given radii \[nm\] and masses \[kg\]. Either may be infinite for one of
    /// them.
    #[inline]
    pub fn of_two(radii: [f64; 2], masses: [f64; 2]) -> Self {
        Self { radius: reduced(radii), mass: reduced(masses) }
    }

    /// A ball and a flat wall of infinite mass.
    #[inline]
    pub fn at_wall(radius: f64, mass: f64) -> Self {
        Self { radius, mass }
    }
}

#[inline]
fn reduced([a, b]: [f64; 2]) -> f64 {
    1.0 / (1.0 / a + 1.0 / b)
}

/// How far an elastic impact goes, and how long it lasts (Hertz 1882).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hertz {
    /// The largest approach of the two after they touch. \[nm\]
    pub deformation: f64,
    /// Radius of the disk in which they then touch. \[nm\]
    pub contact_radius: f64,
    /// From touch to release. \[µs\]
    pub duration: f64,
}

impl Default for Material {
    /// Steel: 206 GPa, 0.30, 7850 kg/m³, yields at 2 GPa, 460 J/(kg K).
    fn default() -> Self {
        Self::from_si(206e9, 0.30, 7850.0, 2e9, 460.0)
    }
}

impl Material {
    /// Steel in our units to the last digit, as a model file without `[material]` has it.
    pub const STEEL: Self = Self {
        youngs_modulus: 206e-12,
        poissons_ratio: 0.3,
        density: 7850e-27,
        yield_pressure: 2e-12,
        heat_capacity: 460e6,
    };

    /// From Young's modulus \[Pa\], Poisson's ratio, density \[kg/m³\], yield pressure \[Pa\] and
    /// specific heat \[J/(kg K)\].
    pub fn from_si(
        youngs: f64,
        poisson: f64,
        density: f64,
        yield_pressure: f64,
        heat: f64,
    ) -> Self {
        Self {
            youngs_modulus: youngs * PASCAL,
            poissons_ratio: poisson,
            density: density * KILOGRAM_PER_CUBIC_METRE,
            yield_pressure: yield_pressure * PASCAL,
            heat_capacity: heat * JOULE,
        }
    }

    /// The mass of a ball. \[kg\]
    pub fn ball_mass(&self, radius: f64) -> f64 {
        4.0 / 3.0 * PI * radius * radius * radius * self.density
    }

    /// The modulus of a contact of two particles of this material: `1/E* = 2 (1 - nu²)/E`. \[kg/(nm
    /// µs²)\]
    #[inline]
    pub fn contact_modulus(&self) -> f64 {
        self.youngs_modulus / (2.0 * (1.0 - self.poissons_ratio * self.poissons_ratio))
    }

    /// `k` of Hertz' force `k x^(3/2)`: `4/3 E* sqrt(R*)`. \[kg/(nm^(1/2) µs²)\]
    #[inline]
    pub fn stiffness(&self, pair: &EffectiveBall) -> f64 {
        4.0 / 3.0 * self.contact_modulus() * pair.radius.sqrt()
    }

    /// The elastic impact at normal speed `speed` \[nm/µs\] > 0. The duration grows without bound
    /// as the speed falls to 0, as `speed^(-1/5)`.
    pub fn hertz(&self, pair: &EffectiveBall, speed: f64) -> Hertz {
        let energy = 1.25 * pair.mass * speed * speed;
        let deformation = libm::pow(energy / self.stiffness(pair), 0.4);
        Hertz {
            deformation,
            contact_radius: (pair.radius * deformation).sqrt(),
            duration: DURATION * deformation / speed,
        }
    }

    /// The normal speed above which the material flows and Hertz' elastic law no longer holds.
    /// \[nm/µs\] (Johnson 1985; Thornton 1997)
    pub fn yield_speed(&self, pair: &EffectiveBall) -> f64 {
        // As a ratio of pressures, since fifth powers of small numbers would underflow.
        let modulus = self.contact_modulus();
        let ratio = self.yield_pressure / modulus;
        let r = pair.radius;
        YIELD * ratio * ratio * (self.yield_pressure * r * r * r / pair.mass).sqrt()
    }
}

/// Duration of Hertz' impact in units of deformation/speed: `2 ∫ dx/sqrt(1 - x^(5/2))` over 0..1.
const DURATION: f64 = 2.943_275_184_324_704;
/// `sqrt(pi^5/30)`: the yield speed in units of `sqrt(p_y^5 R*^3/(E*^4 m*))`.
const YIELD: f64 = 3.193_846_608_638_145;
