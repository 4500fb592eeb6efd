//! The last frame of a file, as particles start from it.

use std::collections::BTreeSet;

use super::Reading;
use super::error::ReadError;
use super::frames::per_slot;
use super::kinds::species_in;
use super::layout::{Element, element};
use crate::claims;

/// What the last frame says.
pub(crate) struct Start {
    /// The number of the frame.
    pub(crate) frame: usize,
    /// Whether the file says what unit its lengths have; if not, they are as they stand.
    pub(crate) in_nm: bool,
    /// The identity in each slot, or -1. \[slot\]
    pub(crate) ids: Vec<i64>,
    /// \[slot\]
    pub(crate) places: Vec<[f64; 3]>,
    /// The name of each slot's species, or its number; none if there is only one, without a name.
    /// \[slot\]
    pub(crate) species: Option<Vec<String>>,
    /// Whether these are numbers, of which there are several.
    pub(crate) numbered: bool,
    /// By how much particles are turned, if the file says. \[slot\], \[rad\]
    pub(crate) angles: Option<Vec<f64>>,
    /// After what lengths the axes repeat themselves, if they do.
    pub(crate) periods: [Option<f64>; 3],
}

/// Reads the last frame, for a model of so many dimensions.
///
/// # Errors
/// If there is none, or it has fewer dimensions.
pub(crate) fn last_frame(reading: &Reading, dimension: usize) -> Result<Start, ReadError> {
    let [frames, slots, components] = reading.layout.shape;
    let Some(frame) = frames.checked_sub(1) else {
        let reason = "there is no frame in it, from which particles could start";
        return Err(reading.too_little(reason.into()));
    };
    if components < dimension {
        let reason = format!(
            "its positions have {components} coordinates, but {dimension} are needed: the model has \
             {dimension} dimensions"
        );
        return Err(reading.too_little(reason));
    }
    let name = match reading.layout.position {
        Element::Fixed => reading.in_frames("position"),
        _ => reading.in_frames("position/value"),
    };
    let dataset = reading.dataset(&name)?;
    claims::moment::<f64>(&dataset, &[slots, components])
        .map_err(|reason| reading.damaged(&name, &reason))?;
    let found = reading.positions(frame..frame + 1, 0..slots)?;
    let numbers = species_in(reading, frame)?;
    let several = numbers.iter().filter(|n| **n >= 0).collect::<BTreeSet<_>>().len() > 1;
    let name = |&place: &i32| {
        let name = reading.species_name(place.into());
        match reading.named {
            true => name,
            // Where species have no names, they are called by their numbers.
            false => name.trim_start_matches("species ").to_owned(),
        }
    };
    Ok(Start {
        frame,
        in_nm: reading.layout.length_given,
        ids: reading.identities(frame..frame + 1, 0..slots)?.into_raw_vec_and_offset().0,
        places: (0..slots).map(|slot| [0, 1, 2].map(|k| found[[0, slot, k]])).collect(),
        species: (reading.named || several).then(|| numbers.iter().map(name).collect()),
        numbered: !reading.named && several,
        angles: angles(reading, frame)?,
        periods: periods(reading, frame)?,
    })
}

/// How particles are turned, if each of them has an angle. \[slot\], \[rad\]
fn angles(reading: &Reading, frame: usize) -> Result<Option<Vec<f64>>, ReadError> {
    let Ok(group) = reading.file.group(&reading.layout.group) else { return Ok(None) };
    let kind = element(&group, "orientation");
    let (name, axes) = match kind {
        Element::Absent => return Ok(None),
        Element::Fixed => (reading.in_frames("orientation"), 1),
        Element::Changing => (reading.in_frames("orientation/value"), 2),
    };
    let shape = reading.dataset(&name)?.shape();
    // What is turned in space has more than one number.
    if shape.len() != axes || shape[axes - 1] != reading.slots() {
        return Ok(None);
    }
    let row = per_slot(reading, kind, "orientation", frame..frame + 1, 0..reading.slots())?;
    Ok(Some(row.into_raw_vec_and_offset().0))
}

/// After what lengths the axes of the box repeat themselves.
fn periods(reading: &Reading, frame: usize) -> Result<[Option<f64>; 3], ReadError> {
    let (Some(vectors), Ok(periodic)) = (reading.boxes.get(frame), reading.periodic()) else {
        return Ok([None; 3]);
    };
    match vectors.edges() {
        Some(edges) => Ok([0, 1, 2].map(|k| periodic[k].then_some(edges[k]))),
        None => Err(reading.too_little(
            "its box is sheared, but that of a model has its edges along the axes".into(),
        )),
    }
}
