//! Attraction, repulsion and tethers as a file has them.

use ndarray::Array2;

use super::{ReadError, Reading};
use jostle_core::potentials::{Potentials, StepPotential};

/// Where they are.
const POTENTIALS: &str = "parameters/potentials";
/// Pairs of species with a potential are counted in 16 bits.
const MOST_PAIRS: usize = u16::MAX as usize;

/// Whether the bonds of each species of a file are tethers. \[species\]
///
/// # Errors
/// If the file cannot be read.
pub fn are_tethered(reading: &Reading) -> Result<Vec<bool>, ReadError> {
    let mut tethered = vec![false; reading.species().len()];
    if reading.has("parameters") && reading.has("parameters/tethers") {
        let name = "parameters/tethers/species";
        let species: Vec<i32> = reading.column(name, 0..reading.length(name)?)?;
        for number in species {
            let known = usize::try_from(number).ok().and_then(|number| tethered.get_mut(number));
            let known =
                known.ok_or_else(|| reading.damaged(name, "there is no species of that number"))?;
            *known = true;
        }
    }
    Ok(tethered)
}

/// The potentials between the species of a file, without margins and tethers; None if it has none.
///
/// # Errors
/// If they cannot be read, or contradict themselves.
pub fn potentials(reading: &Reading) -> Result<Option<Potentials>, ReadError> {
    if !(reading.has("parameters") && reading.has(POTENTIALS)) {
        return Ok(None);
    }
    let at = |name: &str| format!("{POTENTIALS}/{name}");
    let count = reading.length(&at("species"))?;
    if count > MOST_PAIRS {
        let why = format!("there are {count} pairs, but at most {MOST_PAIRS} are read");
        return Err(reading.damaged(POTENTIALS, &why));
    }
    let species: Array2<i32> = reading.slice(&at("species"), (0..count, 0..2))?;
    let first: Vec<i32> = reading.column(&at("first"), 0..reading.length(&at("first"))?)?;
    let (edges, energies) = (reading.numbers(&at("to"))?, reading.numbers(&at("energy"))?);
    let known = |number: i32| {
        u16::try_from(number).ok().filter(|s| usize::from(*s) < reading.species().len())
    };
    let of_pair = |n: usize| {
        let pair = [known(species[[n, 0]])?, known(species[[n, 1]])?];
        let end = |n: usize| usize::try_from(*first.get(n)?).ok();
        let shells = end(n)?..end(n + 1)?;
        let (edges, energies) = (edges.get(shells.clone())?, energies.get(shells)?);
        let sound = pair[0] <= pair[1]
            && edges.is_sorted_by(|a, b| a < b)
            && edges.iter().all(|edge| *edge > 0.0)
            && edges.iter().chain(energies).all(|number| number.is_finite());
        sound.then(|| (pair, StepPotential::new(edges.to_vec(), energies.to_vec())))
    };
    let pairs: Option<Vec<_>> = (0..count).map(of_pair).collect();
    let pairs = pairs.filter(|pairs| pairs.is_sorted_by(|a, b| a.0 < b.0));
    let pairs =
        pairs.ok_or_else(|| reading.damaged(POTENTIALS, "its tables contradict each other"))?;
    let radii = vec![None; reading.species().len()];
    Ok(Some(Potentials::new(&radii, pairs.iter().map(|(pair, potential)| (*pair, potential)))))
}

/// The virial of all contacts and edges from the start to each frame, if the file has it.
/// \[frame\], \[kT steps\]
///
/// # Errors
/// If it cannot be read.
pub fn virial(reading: &Reading) -> Result<Option<Vec<f64>>, ReadError> {
    let name = "observables/virial/value";
    if !reading.has(name) {
        return Ok(None);
    }
    let sums: Vec<f64> = reading.column(name, 0..reading.frames().min(reading.length(name)?))?;
    if sums.iter().any(|sum| !sum.is_finite()) {
        return Err(reading.damaged(name, "one is not a finite number"));
    }
    Ok(Some(sums))
}
