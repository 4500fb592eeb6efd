//! Rate constants: how likely a reaction has to be at one contact, for any time step.
//!
//! Within a step particles move along straight paths and a pair that touches reacts with
//! probability p, else it bounces. The number of contacts grows without bound as the step shrinks,
//! so p has to shrink with it. With s = sqrt(2 D dt) the rms relative step per axis, D = D_A + D_B,
//! and R the contact distance, the rate constant of the steady state is
//!
//! ```text
//! 1/k = 1/k_D + e(s) + (1 - p)/(p k_c)
//!
//!        k_c, contacts without reaction     k_D         e(s), what the finite step costs
//! 3D     4 sqrt(pi) R^2 sqrt(D/dt)          4 pi D R    (1/a - 1)/(4 pi D R)
//! 2D     2 sqrt(pi) R sqrt(D/dt)            -           ln(1/a)/(2 pi D)
//! 1D     2 sqrt(D/(pi dt))                  -           0.5826 s/(2 D)
//! ```
//!
//! a(s/R) is the absorbing radius of a pair that reacts at every contact, as a share of R: a fit in
//! 3D, a table in 2D (`data/absorbing_radius.py` makes the table and checks the fit). In one
//! dimension, and for s << R in all, contact is with a plane, which seems to lie 0.5826 s =
//! -zeta(1/2)/sqrt(2 pi) s behind where it is. An intrinsic rate constant k_a adds 1/k_a in the
//! continuous theory (Collins and Kimball 1949), which gives p = 1/(1 + y) with y = k_c (1/k_a -
//! e). Rate constants count both sides of a pair in 1D: the flux to one side is k_a/2.
//!
//! That the terms add up is exact for p = 1 and p -> 0. In between e + (1 - p)/(p k_c) is up to
//! 1.1 % larger than what happens (plane contact, p = 0.5, integral equation solved numerically;
//! pairs simulated in 2D and 3D agree), so that reactions are that much faster at most. The
//! equilibrium does not depend on it: see [`ReactingPair::unbinding_correction`].

use std::f64::consts::PI;
use std::ops::RangeInclusive;
use thiserror::Error;

mod absorbing_radius;
mod patch;

pub use absorbing_radius::PLANE_OFFSET;
pub use absorbing_radius::absorbing_radius;
use absorbing_radius::{LARGEST_2D, LARGEST_3D};
pub use patch::patch_limit;

/// Why a rate constant cannot be turned into a probability.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RateError {
    /// There are one, two and three dimensions.
    #[error("rate constants are known in 1, 2 and 3 dimensions, not in {0}")]
    Dimension(usize),
    /// An argument that has to be positive and finite is not.
    #[error("the {what} has to be a positive number, not {value}")]
    NotPositive {
        /// Which one.
        what: &'static str,
        /// What it is.
        value: f64,
    },
    /// A probability outside (0, 1].
    #[error("a reaction probability has to be above 0 and at most 1, not {0}")]
    NotProbability(f64),
    /// Even a reaction at every contact is slower than requested.
    #[error(
        "a time step of {timestep} µs is too long for the intrinsic rate constant {k_a}: \
         a reaction at every contact is slower; the largest time step is {largest} µs"
    )]
    TimestepTooLong {
        /// \[µs\]
        timestep: f64,
        /// \[nm^d/µs\]
        k_a: f64,
        /// The largest time step that can give k_a. \[µs\]
        largest: f64,
    },
    /// The relative step is longer than the calibration reaches.
    #[error(
        "a time step of {timestep} µs makes the rms relative step {ratio:.3} contact distances \
         long; rate constants are calibrated up to {limit}, a time step of {largest} µs"
    )]
    OutsideCalibration {
        /// \[µs\]
        timestep: f64,
        /// s/R
        ratio: f64,
        /// The largest s/R.
        limit: f64,
        /// The time step that belongs to it. \[µs\]
        largest: f64,
    },
    /// A macroscopic rate constant at or above that of diffusion.
    #[error(
        "the rate constant {k_on} nm³/µs is not below {limit} nm³/µs, at which the two meet by diffusion"
    )]
    FasterThanDiffusion {
        /// \[nm³/µs\]
        k_on: f64,
        /// 4 pi D R \[nm³/µs\]
        limit: f64,
    },
    /// A macroscopic rate constant in fewer than three dimensions.
    #[error("there is no macroscopic rate constant in {0} dimensions: give the intrinsic one")]
    NoMacroscopic(usize),
    /// A macroscopic rate constant of sites for which it is not known how often diffusion brings them
    /// face to face.
    #[error(
        "it is not known how fast diffusion brings these sites face to face, since both point somewhere, or \
         one of the two lives on a surface: give the intrinsic rate constant"
    )]
    NoMacroscopicOfSites,
}

/// The range of s/R in which reactions are calibrated.
pub fn calibration_range(dimension: usize) -> Result<RangeInclusive<f64>, RateError> {
    match dimension {
        1 => Ok(0.0..=f64::INFINITY),
        2 => Ok(0.0..=LARGEST_2D),
        3 => Ok(0.0..=LARGEST_3D),
        _ => Err(RateError::Dimension(dimension)),
    }
}

/// Two species that react at contact.
///
/// ```
/// use jostle_core::rules::rates::ReactingPair;
/// use std::f64::consts::PI;
///
/// let (radius, diffusion) = (4.0, 100.0); // of both together: nm, nm²/µs
/// let pair = ReactingPair::new(3, radius, diffusion)?;
/// // Reaction and diffusion are two resistances in a row (Collins and Kimball 1949).
/// let k_a = 2000.0; // nm³/µs
/// let k_on = pair.macroscopic_from_intrinsic(k_a).unwrap();
/// assert!((1.0 / k_on - 1.0 / k_a - 1.0 / (4.0 * PI * diffusion * radius)).abs() < 1e-12);
/// // The shorter the step, the more contacts and the less likely each: as sqrt(dt) in the end.
/// let [p, quarter] = [1e-6, 0.25e-6].map(|timestep| pair.probability(k_a, timestep).unwrap());
/// assert!((p / quarter - 2.0).abs() < 0.01);
/// # Ok::<(), jostle_core::rules::rates::RateError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReactingPair {
    dimension: usize,
    contact_distance: f64,
    diffusion: f64,
}

impl ReactingPair {
    /// Two spheres (disks, rods) in `dimension` dimensions with the sum of their radii R \[nm\]
    /// and the sum of their diffusion coefficients D \[nm²/µs\].
    ///
    /// # Errors
    /// If the dimension is not 1, 2 or 3, or R or D is not a positive number: two particles of
    /// which neither diffuses have no rate constant.
    pub fn new(dimension: usize, contact_distance: f64, diffusion: f64) -> Result<Self, RateError> {
        if !(1..=3).contains(&dimension) {
            return Err(RateError::Dimension(dimension));
        }
        positive("contact distance", contact_distance)?;
        positive("sum of the diffusion coefficients", diffusion)?;
        Ok(Self { dimension, contact_distance, diffusion })
    }

    /// The distance of their centres at contact. \[nm\]
    pub fn contact_distance(&self) -> f64 {
        self.contact_distance
    }

    /// The sum of their diffusion coefficients. \[nm²/µs\]
    pub fn diffusion(&self) -> f64 {
        self.diffusion
    }

    /// In how many dimensions they meet.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The rms relative step per axis, s = sqrt(2 D dt). \[nm\]
    pub fn step_width(&self, timestep: f64) -> f64 {
        (2.0 * self.diffusion * timestep).sqrt()
    }

    /// The volume V_c from which a pair makes a first contact within a step: the probability of
    /// contact, integrated over all relative positions. Exact for every step. \[nm^d\]
    ///
    /// It is the surface of the contact sphere times the mean step towards it,
    /// s/sqrt(2 pi) = sqrt(D dt/pi). In 1D both sides count.
    pub fn contact_volume(&self, timestep: f64) -> f64 {
        self.surface() * (self.diffusion * timestep / PI).sqrt()
    }

    /// The rate constant of contacts when nothing reacts, k_c = V_c/dt. \[nm^d/µs\]
    pub fn contact_rate(&self, timestep: f64) -> f64 {
        self.contact_volume(timestep) / timestep
    }

    /// The probability p of reacting at one contact that gives the intrinsic rate constant `k_a`
    /// \[nm^d/µs\] at this time step \[µs\].
    ///
    /// # Errors
    /// If an argument is not a positive number, the step is too long for k_a (the error says
    /// which step is not), or the step is outside the calibration. An infinite k_a belongs to no
    /// finite step.
    pub fn probability(&self, k_a: f64, timestep: f64) -> Result<f64, RateError> {
        positive("intrinsic rate constant", k_a)?;
        positive("time step", timestep)?;
        let spare = 1.0 / k_a - self.step_cost(timestep)?;
        if spare < 0.0 {
            return Err(RateError::TimestepTooLong {
                timestep,
                k_a,
                largest: self.largest_timestep(k_a)?,
            });
        }
        Ok(1.0 / (1.0 + self.contact_rate(timestep) * spare))
    }

    /// The same where the step is longer than those for which rates are calibrated, as far as can be known there:
    /// what the finite step costs is taken to grow on in proportion to it. A time step that suits single
    /// particles can be too long for their clusters, some of which diffuse faster.
    ///
    /// # Errors
    /// As [`Self::probability`], but for the calibration.
    pub fn probability_at_any_step(&self, k_a: f64, timestep: f64) -> Result<f64, RateError> {
        let (ratio, limit) = match self.probability(k_a, timestep) {
            Err(RateError::OutsideCalibration { ratio, limit, .. }) => (ratio, limit),
            known => return known,
        };
        let longest = self.timestep_of(limit) * (1.0 - 1e-12);
        let spare = 1.0 / k_a - self.step_cost(longest)? * (ratio / limit);
        if spare < 0.0 {
            return Err(RateError::TimestepTooLong { timestep, k_a, largest: longest });
        }
        Ok(1.0 / (1.0 + self.contact_rate(timestep) * spare))
    }

    /// The intrinsic rate constant that a bare `probability` stands for at this time step: the
    /// inverse of [`Self::probability`]. \[nm^d/µs\]
    ///
    /// # Errors
    /// If the probability is not in (0, 1], the step is not positive or outside the calibration.
    pub fn intrinsic_rate(&self, probability: f64, timestep: f64) -> Result<f64, RateError> {
        if !(probability > 0.0 && probability <= 1.0) {
            return Err(RateError::NotProbability(probability));
        }
        positive("time step", timestep)?;
        let bounces = (1.0 - probability) / (probability * self.contact_rate(timestep));
        Ok(1.0 / (self.step_cost(timestep)? + bounces))
    }

    /// The intrinsic rate constant that gives the macroscopic one in 3D,
    /// 1/k_a = 1/k_on - 1/(4 pi D R). \[nm³/µs\]
    ///
    /// # Errors
    /// If k_on is not positive or not below 4 pi D R, or the dimension is not 3.
    pub fn intrinsic_from_macroscopic(&self, k_on: f64) -> Result<f64, RateError> {
        if self.dimension != 3 {
            return Err(RateError::NoMacroscopic(self.dimension));
        }
        positive("macroscopic rate constant", k_on)?;
        let limit = self.diffusion_limit();
        if k_on >= limit {
            return Err(RateError::FasterThanDiffusion { k_on, limit });
        }
        Ok(k_on / (1.0 - k_on / limit))
    }

    /// The macroscopic rate constant that an intrinsic one gives, 1/k_on = 1/k_a + 1/(4 pi D R);
    /// there is none but in 3D. \[nm³/µs\]
    pub fn macroscopic_from_intrinsic(&self, k_a: f64) -> Option<f64> {
        (self.dimension == 3).then(|| k_a / (1.0 + k_a / self.diffusion_limit()))
    }

    /// How fast diffusion brings the two together in 3D, 4 pi D R. \[nm³/µs\]
    pub(super) fn diffusion_limit(&self) -> f64 {
        4.0 * PI * self.diffusion * self.contact_distance
    }

    /// The factor p V_c/(dt k_a) by which k_d has to be multiplied so that the equilibrium constant
    /// is k_a/k_d exactly at this time step. At most 1, and 1 for a short step.
    ///
    /// p is made for the kinetics; the equilibrium constant of binding with p and unbinding with
    /// k_d' into the time-reversed contact is p V_c/(dt k_d').
    ///
    /// # Errors
    /// As [`Self::probability`].
    pub fn unbinding_correction(&self, k_a: f64, timestep: f64) -> Result<f64, RateError> {
        Ok(self.probability(k_a, timestep)? * self.contact_rate(timestep) / k_a)
    }

    /// The largest time step at which [`Self::probability`] gives `k_a`. \[µs\]
    ///
    /// # Errors
    /// If k_a is not a positive number.
    pub fn largest_timestep(&self, k_a: f64) -> Result<f64, RateError> {
        positive("intrinsic rate constant", k_a)?;
        // e(s) = offset(s/R)/(surface D/R) with 0.5826 x <= offset(x) <= 1.2534 x
        let wanted = self.surface() * self.diffusion / self.contact_distance / k_a;
        let end = *calibration_range(self.dimension)?.end();
        let (mut low, mut high) = (0.79 * wanted, end.min(1.72 * wanted));
        low = low.min(high);
        let enough = |x: f64| self.offset(x).is_some_and(|offset| offset <= wanted);
        if enough(high) {
            return Ok(self.timestep_of(high));
        }
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                return Ok(self.timestep_of(low));
            }
            if enough(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
    }

    /// The surface of the contact sphere: 4 pi R², 2 pi R, or the two ends. \[nm^(d-1)\]
    fn surface(&self) -> f64 {
        let r = self.contact_distance;
        [2.0, 2.0 * PI * r, 4.0 * PI * r * r][self.dimension - 1]
    }

    /// e(s), what the finite step adds to 1/k. \[µs/nm^d\]
    fn step_cost(&self, timestep: f64) -> Result<f64, RateError> {
        let ratio = self.step_width(timestep) / self.contact_distance;
        match self.offset(ratio) {
            Some(x) => Ok(x * self.contact_distance / (self.surface() * self.diffusion)),
            None => {
                let limit = *calibration_range(self.dimension)?.end();
                Err(RateError::OutsideCalibration {
                    timestep,
                    ratio,
                    limit,
                    largest: self.timestep_of(limit),
                })
            }
        }
    }

    /// How far behind contact absorption seems to happen: 1/a - 1, ln(1/a) or 0.5826 x. \[R\]
    fn offset(&self, ratio: f64) -> Option<f64> {
        match self.dimension {
            1 => Some(PLANE_OFFSET * ratio),
            2 => absorbing_radius(2, ratio).map(|a| -libm::log(a)),
            _ => absorbing_radius(3, ratio).map(|a| 1.0 / a - 1.0),
        }
    }

    /// The time step that makes s/R = `ratio`. \[µs\]
    fn timestep_of(&self, ratio: f64) -> f64 {
        let s = ratio * self.contact_distance;
        s * s / (2.0 * self.diffusion)
    }
}

/// An error that names the argument unless it is positive and finite.
fn positive(what: &'static str, value: f64) -> Result<(), RateError> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(RateError::NotPositive { what, value })
    }
}

#[cfg(test)]
mod tests;
