//! What a species does at a surface, and how likely at one contact.
//!
//! Within a step a particle moves on a straight path and meets a plane with the frequency f =
//! sqrt(D dt/π)/dt per unit of concentration. If each contact absorbs with probability P, a plane
//! takes up κ c with
//!
//! ```text
//! 1/κ = 0.5826 s/D + (1 - P)/(P f),    s = sqrt(2 D dt)
//! ```
//!
//! as for reactions ([`crate::rules::rates`], one dimension, one side). What goes through with
//! probabilities p₁ from the one side and p₂ from the other leaves what is in the ratio p₂ : p₁ on the two
//! sides as it is, and what is more on the one side and less on the other decays as if each contact
//! absorbed with P = p₁ + p₂. So the flux is κ (p₁ c₁ - p₂ c₂)/P, and κ is the sum of the permeabilities of
//! both directions.
//!
//! What comes off a surface onto which it can get again meets it again without end before it has parted, and
//! a step of finite length loses the early ones of these encounters, as those of two that are set free in
//! contact ([`crate::rules::RuleBook::at_once`]). So the share 1 - P f/κ of what comes off is back at once.
//! Then as many come off as get on, P f c per area, where there are κ c/k_d of them per area, whatever the step.
//!
//! Where particles can go through as well, what is the same on both sides decays by κ, and what has another sign
//! on either by κ + 2 P, if P is the permeability; probabilities and shares of both follow as above.

use std::f64::consts::PI;

use thiserror::Error;

use super::Crossing;
use crate::rules::rates::PLANE_OFFSET;

/// What particles of a species do at a surface.
///
/// ```
/// use jostle_core::environment::{Manner, absorption};
/// use jostle_core::rules::rates::PLANE_OFFSET;
/// use std::f64::consts::PI;
///
/// // A wall that takes up κ c per area and time.
/// let (kappa, diffusion, timestep) = (1.0, 10.0, 0.5); // nm/µs, nm²/µs, µs
/// let on = Manner::Absorb { rate: kappa }.sorption(diffusion, timestep).unwrap().on;
/// assert_eq!(Ok(on), absorption(kappa, diffusion, timestep));
/// // The resistances add up: what the finite step costs, and the contacts that bounce.
/// let (s, f) = ((2.0 * diffusion * timestep).sqrt(), (diffusion / (PI * timestep)).sqrt());
/// let resistance = PLANE_OFFSET * s / diffusion + (1.0 - on) / (on * f);
/// assert!((resistance * kappa - 1.0).abs() < 1e-12);
/// // At every contact would still be too slow for this.
/// assert!(absorption(6.0, diffusion, timestep).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Manner {
    /// They bounce.
    #[default]
    Reflect,
    /// They ignore it.
    Ignore,
    /// They end there.
    Absorb {
        /// How many of those that are there, per time and concentration; infinite if all that come.
        /// \[nm/µs\]
        rate: f64,
    },
    /// Some go through.
    Permeate(Permeability),
    /// Some get onto it and live there, as another species; some may go through.
    Adsorb(Adsorption),
    /// They go through, and diffuse otherwise on the inner side.
    Cross(Crossing),
}

/// How easily particles go through a surface: the flux inwards is that of `inwards` times the concentration
/// outside less that of `outwards` times the concentration inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Permeability {
    /// \[nm/µs\]
    pub inwards: f64,
    /// \[nm/µs\]
    pub outwards: f64,
}

impl Permeability {
    /// The same in either direction: the flux is `velocity` \[nm/µs\] times the difference of
    /// concentrations.
    pub fn both_ways(velocity: f64) -> Self {
        Self { inwards: velocity, outwards: velocity }
    }

    /// That of the easier direction. \[nm/µs\]
    pub fn larger(self) -> f64 {
        self.inwards.max(self.outwards)
    }

    /// The probabilities of going through a plane at one contact, inwards and outwards.
    ///
    /// # Errors
    /// If more than nine in ten would have to go through, where the formula does not hold any more.
    pub fn passage(self, diffusion: f64, timestep: f64) -> Result<[f64; 2], SurfaceRateError> {
        let Self { inwards, outwards } = self;
        let sum = inwards + outwards;
        if sum == 0.0 {
            return Ok([0.0; 2]);
        }
        let spare = 1.0 / sum - step_cost(diffusion, timestep);
        let absorbed = share(spare, diffusion, timestep);
        let through = [inwards, outwards].map(|one| absorbed * (one / sum));
        if through.iter().all(|p| (0.0..=MOST_THROUGH).contains(p)) {
            return Ok(through);
        }
        // 1 + f (1/sum - cost) = most/MOST_THROUGH
        let most = self.larger() / sum;
        let part = (COST - 1.0 + most / MOST_THROUGH) / most;
        Err(too_long(self.larger(), part, diffusion, timestep))
    }
}

/// How particles get onto a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adsorption {
    /// How many of those that are there, per time and concentration. \[nm/µs\]
    pub rate: f64,
    /// As [`Manner::Permeate`]; 0 if none goes through. \[nm/µs\]
    pub permeability: f64,
    /// The species that lives on the surface.
    pub becomes: u16,
}

/// How likely it is that particles get onto a surface, and come off it, at a time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sorption {
    /// The probability to get onto it at one contact.
    pub on: f64,
    /// The probability to go through it at one contact.
    pub through: f64,
    /// Of those that come off on one side, the shares that part from it on that side and on the other. The rest
    /// is back before it has parted.
    pub parting: [f64; 2],
}

impl Manner {
    /// Some go through, in either direction alike. \[nm/µs\]
    pub fn permeable(velocity: f64) -> Self {
        Self::Permeate(Permeability::both_ways(velocity))
    }

    /// Whether it is the centre of a particle that meets the surface.
    pub fn is_by_centre(self) -> bool {
        match self {
            Self::Permeate(_) | Self::Cross(_) => true,
            Self::Adsorb(adsorption) => adsorption.permeability > 0.0,
            Self::Reflect | Self::Ignore | Self::Absorb { .. } => false,
        }
    }

    /// Whether no particle gets to the other side but by chance.
    pub fn separates(self) -> bool {
        !matches!(self, Self::Ignore | Self::Cross(_))
    }

    /// What particles that can get onto the surface become there, if they stay and are not gone.
    pub fn becomes(self) -> Option<u16> {
        match self {
            Self::Adsorb(adsorption) => Some(adsorption.becomes),
            _ => None,
        }
    }

    /// How likely particles with this diffusion coefficient \[nm²/µs\] end on the surface or get onto it, and come
    /// off it, at this time step \[µs\]; none if they do not. Where no probability gives the rate, all get on.
    pub fn sorption(self, diffusion: f64, timestep: f64) -> Option<Sorption> {
        let (rate, permeability) = match self {
            Self::Absorb { rate } => (rate, 0.0),
            Self::Adsorb(Adsorption { rate, permeability, .. }) => (rate, permeability),
            _ => return None,
        };
        let frequency = (diffusion / (PI * timestep)).sqrt();
        let of = |rate| absorption(rate, diffusion, timestep).unwrap_or(1.0);
        let (on, either) = (of(rate), of(rate + 2.0 * permeability));
        // Few that get on come off and part at once, in the limit all of them.
        let part = |p: f64, rate: f64| if rate > 0.0 { p * frequency / rate } else { 1.0 };
        let (same, differing) = (part(on, rate), part(either, rate + 2.0 * permeability));
        Some(Sorption {
            on,
            through: 0.5 * (either - on).max(0.0),
            parting: [0.5 * (same + differing), 0.5 * (same - differing).max(0.0)],
        })
    }
}

/// A time step is too long for what is to happen at a surface.
#[derive(Clone, Debug, Error, PartialEq)]
#[error(
    "a time step of {timestep} µs is too long for {rate} nm/µs at a surface: at every contact is slower; the \
     longest time step is {longest} µs"
)]
pub struct SurfaceRateError {
    /// \[µs\]
    pub timestep: f64,
    /// \[nm/µs\]
    pub rate: f64,
    /// \[µs\]
    pub longest: f64,
}

/// How much of the flux to an absorbing plane the finite step costs, 1/κ at P = 1. \[µs/nm\]
fn step_cost(diffusion: f64, timestep: f64) -> f64 {
    PLANE_OFFSET * (2.0 * diffusion * timestep).sqrt() / diffusion
}

/// The probability of absorption at one contact that makes a plane take up `rate` \[nm/µs\] times
/// the concentration, of particles with this diffusion coefficient \[nm²/µs\], at this time step
/// \[µs\].
///
/// # Errors
/// If even absorption at every contact is slower.
pub fn absorption(rate: f64, diffusion: f64, timestep: f64) -> Result<f64, SurfaceRateError> {
    if rate == f64::INFINITY {
        return Ok(1.0);
    }
    let spare = 1.0 / rate - step_cost(diffusion, timestep);
    if spare < 0.0 {
        return Err(too_long(rate, COST, diffusion, timestep));
    }
    Ok(share(spare, diffusion, timestep))
}

/// More than this share of those that touch a plane do not go through it; one that all but all go
/// through may ignore it.
const MOST_THROUGH: f64 = 0.9;

/// f times what the finite step costs: 0.5826 sqrt(2/π), whatever D and the step are.
const COST: f64 = PLANE_OFFSET * 0.797_884_560_802_865_4;

/// P, if 1/κ is to be by so much more than at P = 1.
fn share(spare: f64, diffusion: f64, timestep: f64) -> f64 {
    let frequency = (diffusion / (PI * timestep)).sqrt();
    1.0 / (1.0 + frequency * spare)
}

/// The step is too long; it is not where f is at least `part` of the rate.
fn too_long(rate: f64, part: f64, diffusion: f64, timestep: f64) -> SurfaceRateError {
    let longest = diffusion / (PI * (part * rate).powi(2));
    SurfaceRateError { timestep, rate, longest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_events_have_the_probability_that_contacts_ask_for() {
        let (diffusion, timestep) = (3.0, 0.01);
        let frequency = (diffusion / (PI * timestep)).sqrt();
        let p = absorption(1e-3, diffusion, timestep).unwrap();
        assert!((p * frequency / 1e-3 - 1.0).abs() < 1e-3);
        let both =
            Permeability { inwards: 1e-3, outwards: 3e-3 }.passage(diffusion, timestep).unwrap();
        for (p, rate) in both.into_iter().zip([1e-3, 3e-3]) {
            assert!((p * frequency / rate - 1.0).abs() < 2e-3);
        }
        assert_eq!(absorption(f64::INFINITY, diffusion, timestep), Ok(1.0));
    }

    /// A layer of particles beside a plane, in one dimension, in which as many get on and come off as detailed balance
    /// asks for; and the limits of none that go through, and of few that get on.
    #[test]
    fn as_many_come_off_as_get_on() {
        let (diffusion, timestep) = (3.0, 0.01);
        let frequency = (diffusion / (PI * timestep)).sqrt();
        for (rate, permeability) in [(0.5, 0.0), (8.0, 0.0), (1e-6, 2.0), (3.0, 1.0), (0.5, 4.0)] {
            let adsorption = Adsorption { rate, permeability, becomes: 0 };
            let sorption = Manner::Adsorb(adsorption).sorption(diffusion, timestep).unwrap();
            let Sorption { on, through, parting: [here, there] } = sorption;
            // c = k_d/2κ of them on either side per area, for each on the surface.
            assert!((0.5 * (here + there) - 0.5 * on * frequency / rate).abs() < 1e-12);
            assert!(here > 0.0 && there >= 0.0 && here + there < 1.0, "{sorption:?}");
            assert!(on > 0.0 && through >= 0.0 && on + through <= 1.0, "{sorption:?}");
            assert_eq!((through == 0.0, there == 0.0), (permeability == 0.0, permeability == 0.0));
            let alone = absorption(rate, diffusion, timestep).unwrap();
            assert!((on - alone).abs() < 1e-12);
            if rate < 1e-3 {
                let both = Permeability::both_ways(permeability);
                let [p, _] = both.passage(diffusion, timestep).unwrap();
                assert!((through / p - 1.0).abs() < 1e-3);
            }
        }
        let ends = Manner::Absorb { rate: f64::INFINITY }.sorption(diffusion, timestep).unwrap();
        assert_eq!((ends.on, ends.through, ends.parting), (1.0, 0.0, [0.0; 2]));
        assert_eq!(Manner::Reflect.sorption(diffusion, timestep), None);
    }

    #[test]
    fn what_no_contact_can_give_names_the_step_that_can() {
        let error = absorption(1e3, 3.0, 0.01).unwrap_err();
        let p = absorption(1e3, 3.0, error.longest * 0.999).unwrap();
        assert!(p > 0.99 && p <= 1.0, "{p}");
        assert!(absorption(1e3, 3.0, error.longest * 1.001).is_err());
        for outwards in [1e3, 400.0, 0.0] {
            let through = Permeability { inwards: 1e3, outwards };
            let error = through.passage(3.0, 0.01).unwrap_err();
            let [p, q] = through.passage(3.0, error.longest * 0.999).unwrap();
            assert!(p > 0.899 && p <= 0.9, "{p}");
            assert!((q / p - outwards / 1e3).abs() < 1e-12);
            assert!(through.passage(3.0, error.longest * 1.001).is_err());
        }
    }
}
