//! What is asked for could fit at all.

use crate::walker::Reader;
use crate::{Model, measure};
use jostle_core::words::digits;

use super::measure::{DENSEST, enclosed};
use jostle_core::space::ball_volume;

/// From so many times its room on, what takes it up is taken for a slip of a unit.
const FAR_TOO_MUCH: f64 = 10.0;

/// Notes everything in `reader`.
pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    let crowding = measure::crowding(model);
    // Of those that have no room, the species that takes the most bears the blame.
    let fills = |s: u16| {
        let count: usize =
            model.placement.iter().filter(|p| p.species == s).map(|p| p.count()).sum();
        let radius = model.species[s as usize].radius.unwrap_or(0.0);
        count as f64 * ball_volume(model.dimension_of([s; 2]), radius) / measure::room_of(model, s)
    };
    let most = |s: u16| DENSEST[model.dimension_of([s; 2]).max(1) - 1];
    let placed = model.placement.iter().filter(|p| p.count() > 0).map(|p| p.species);
    let crowded = placed.filter(|&s| crowding[s as usize] > most(s).0);
    let Some(worst) = crowded.max_by(|&a, &b| fills(a).total_cmp(&fills(b))) else { return };
    let ((most, name), phi) = (most(worst), crowding[worst as usize]);
    let place = model.surroundings().whereabouts(worst);
    let species = &model.species[worst as usize].name;
    let (key, message) = match &place {
        Some(place) if measure::room_of(model, worst) == 0.0 => (
            "",
            format!(
                "there is no room {place}: do these sides overlap, and are they inside the box?"
            ),
        ),
        _ if fills(worst) > FAR_TOO_MUCH && is_slip(model, worst, fills(worst)) => {
            ("radius", far_too_much(model, worst, fills(worst), place.as_deref()))
        }
        Some(place) => (
            "",
            format!(
                "the particles would fill {phi:.4} of the room {place}, but {name} of one size fill at most {most}: fewer \
                 particles, smaller ones or more room"
            ),
        ),
        None => (
            "",
            format!(
                "the particles would fill {phi:.4} of the box ({}), but {name} of one size fill at most {most}: fewer \
                 particles, smaller ones or a larger box",
                enclosed(model)
            ),
        ),
    };
    reader.fault_of_species(species, key, message);
}

/// Whether particles with the same radius in the next smaller unit would fit.
fn is_slip(model: &Model, species: u16, fills: f64) -> bool {
    let dimension = model.dimension_of([species; 2]).max(1);
    let smaller = fills / 1000_f64.powi(dimension as i32);
    smaller < DENSEST[dimension - 1].0
        && model.species[species as usize].radius.is_some_and(|r| r >= 1000.0)
}

/// What is said of particles that are most likely not meant to be so large.
fn far_too_much(model: &Model, species: u16, times: f64, place: Option<&str>) -> String {
    let dimension = model.dimension_of([species; 2]).max(1);
    let extent = ["length", "area", "volume"][dimension - 1];
    let room = match place {
        Some(place) => format!("available {place}"),
        None => format!("of the box ({})", enclosed(model)),
    };
    let (times, radius) =
        (digits(times, 2), model.species[species as usize].radius.unwrap_or(f64::NAN));
    format!(
        "the particles would fill {times} times the {extent} {room}; is the radius of {} meant?",
        in_its_unit(radius)
    )
}

/// A length \[nm\] in the unit that keeps its number below a thousand.
fn in_its_unit(length: f64) -> String {
    let (factor, unit) = match length {
        x if x >= 1e9 => (1e-9, "m"),
        x if x >= 1e6 => (1e-6, "mm"),
        x if x >= 1e3 => (1e-3, "µm"),
        _ => (1.0, "nm"),
    };
    format!("{} {unit}", digits(length * factor, 4))
}
