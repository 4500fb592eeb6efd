//! What designers of mills ask of a granular run: how hard balls hit each other and the walls, and
//! where the energy goes.

mod energy;
mod impacts;
mod log;
mod pressure;
mod spectrum;

pub use energy::{EnergySeries, energy};
pub use impacts::{ImpactKind, Impacts, impacts};
pub(super) use pressure::granular_pressure;
pub use spectrum::{ImpactBin, Sizes};

use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// Something that only granular runs write is not in the file.
fn missing(reading: &Reading, name: &str) -> ReadError {
    if !reading.is_ours() {
        return reading.lacks(name);
    }
    let reason = match reading.is_granular() {
        _ if reading.is_gas() => {
            "the collisions of a disk gas lose nothing: there is no spectrum of impacts"
        }
        true => {
            "the run kept no impacts (log = \"none\"; `log = \"all\"` under `[output]` keeps them)"
        }
        false if reading.has("observables/kinetic_energy") => {
            "only granular runs record impacts: in polygon runs contacts last for some time (see jostle analyse forces)"
        }
        false => "a Brownian run has no energy balance: its collisions lose no energy",
    };
    ReadError::TooLittle { path: reading.path().to_owned(), reason: reason.to_owned() }
}
