//! What presses on what in a run of bodies with outlines: the network of contact forces, and the
//! stress.

mod network;
mod stress;
mod tensor;

pub use network::{ForceNetwork, NetworkAt, WallForce, forces};
pub use stress::{Stress, StressBin, StressProfile, stress};
pub use tensor::{Principal, principal};

use super::scope::{Scope, too_little};
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// Why a file has no forces.
fn missing(reading: &Reading) -> ReadError {
    if !reading.is_ours() {
        return reading.lacks("events/forces");
    }
    let reason = match reading.has_outlines() {
        true => {
            "the run kept no forces (log = \"none\"; `log = \"all\"` under `[output]` keeps them)"
        }
        false => "only the contacts of polygon runs have forces",
    };
    too_little(reading, reason.to_owned())
}

/// Which bodies are meant, by identity: those of the species of the scope.
///
/// # Errors
/// If there are no forces, a species is not in the file, or the file cannot be read.
fn bodies(reading: &Reading, scope: &Scope) -> Result<Vec<bool>, ReadError> {
    if !reading.has_forces() {
        return Err(missing(reading));
    }
    let wanted = scope.species(reading)?;
    let species = reading.named_species()?;
    Ok(species.iter().map(|species| species.is_some_and(|s| wanted[s])).collect())
}

/// Where the bodies are in a frame, by identity, within the box. \[nm\]
fn places(reading: &Reading, frame: usize) -> Result<Vec<[f64; 2]>, ReadError> {
    let slots = 0..reading.slots();
    let id = reading.frame_data(frame..frame + 1, slots.clone())?.id;
    let position = reading.positions(frame..frame + 1, slots.clone())?;
    let mut places = vec![[f64::NAN; 2]; reading.slots()];
    for slot in slots {
        let place = usize::try_from(id[[0, slot]]).ok().and_then(|id| places.get_mut(id));
        if let Some(place) = place {
            *place = [position[[0, slot, 0]], position[[0, slot, 1]]];
        }
    }
    Ok(places)
}
