//! What cannot be.

use super::short;
use jostle_core::words::length_text;

/// Something that cannot be, and that the self-check has seen.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SelfCheckFault {
    /// Two particles overlap that may not.
    #[error(
        "self-check: after step {step}, particles {} and {} overlap by {} at {}; this is a fault of the program",
        .ids[0], .ids[1], length_text(*.by), place_text(.place)
    )]
    Overlap {
        /// Steps done.
        step: u64,
        /// The two, the lower first.
        ids: [u64; 2],
        /// How deep. \[nm\]
        by: f64,
        /// Where the first of them is. \[nm\]
        place: Vec<f64>,
    },
    /// A polygon lies in another so deep that contacts press it through.
    #[error(
        "self-check: after step {step}, the centre of particle {} is inside particle {}, at {}: at this depth \
         contacts push the wrong way. A shorter time step or a greater stiffness would help",
        .ids[0], .ids[1], place_text(.place)
    )]
    Swallowed {
        /// Steps done.
        step: u64,
        /// The particle, and what its centre is inside of.
        ids: [u64; 2],
        /// Where. \[nm\]
        place: Vec<f64>,
    },
    /// A particle is where there is no room for it.
    #[error(
        "self-check: after step {step}, particle {id} at {} is outside the box by {} along {axis}; this is a fault \
         of the program", place_text(.place), length_text(*.by)
    )]
    Outside {
        /// Steps done.
        step: u64,
        /// Which particle.
        id: u64,
        /// `x`, `y`, `z`, or a direction.
        axis: &'static str,
        /// How far. \[nm\]
        by: f64,
        /// Where its centre is. \[nm\]
        place: Vec<f64>,
    },
    /// A coordinate is not a number any more.
    #[error(
        "self-check: after step {step}, particle {id} has no valid position: it is not a finite number"
    )]
    Nowhere {
        /// Steps done.
        step: u64,
        /// Which particle.
        id: u64,
    },
    /// The particles are not those that changes left.
    #[error("self-check: after step {step}, {what}; this is a fault of the program")]
    Unaccounted {
        /// Steps done.
        step: u64,
        /// Which particles are missing, or too many.
        what: String,
    },
    /// An unwrapped path is broken.
    #[error(
        "self-check: after step {step}, the unwrapped path of particle {id} jumps by {} along {axis}, where it \
         changes; this is a fault of the program", length_text(*.by)
    )]
    Jump {
        /// Steps done.
        step: u64,
        /// The particle.
        id: u64,
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// How far. \[nm\]
        by: f64,
    },
    /// Displacements are too long or too short.
    #[error(
        "self-check: after step {step}, the mean squared displacement of {species} over a step is {} of 2 D dt \
         along each axis, from {samples} displacements along axes; by chance this happens less often than \
         once in 10^9 runs. This is a fault of the program", short(*.ratio)
    )]
    Spread {
        /// Steps done.
        step: u64,
        /// The particle.
        species: String,
        /// What was found, over what should be.
        ratio: f64,
        /// How many displacements along an axis were compared.
        samples: u64,
    },
    /// The energy does not balance.
    #[error(
        "self-check: after step {step}, {} J of energy are unexplained, {} of the energy exchanged; at most \
         {tolerance:.0e} is expected", short(*.by * 1e-6), short(*.share)
    )]
    Energy {
        /// Steps done.
        step: u64,
        /// \[kg nm²/µs²\]
        by: f64,
        /// Over what was turned over.
        share: f64,
        /// How much of that may be.
        tolerance: f64,
    },
    /// Momentum came from nowhere.
    #[error(
        "self-check: after step {step}, the total momentum along {axis} has changed by {} of the momentum of the \
         particles, although no external force acts along it", short(*.share)
    )]
    Momentum {
        /// Steps done.
        step: u64,
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Over the momentum that particles of this mass and energy could have together.
        share: f64,
    },
}

/// A place in words.
fn place_text(place: &[f64]) -> String {
    let numbers: Vec<String> = place.iter().map(|x| format!("{x:.6}")).collect();
    format!("({}) nm", numbers.join(", "))
}
