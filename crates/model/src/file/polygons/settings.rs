//! `[space]`, `[run]`, `[search]` and `[output]` of a polygon model.

use crate::polygons::SIDES;
use crate::units::Wanted;
use crate::walker::{Item, Section};
use crate::{Run, Space};

use super::super::settings as common;

/// How many time steps the shortest contact takes where the program chooses the step.
const STEPS_PER_CONTACT: f64 = 50.0;

/// The box, and which of its sides have walls.
pub(super) fn space(root: &Section<'_>) -> (Space, [bool; 4]) {
    let section = root.table("space");
    let space = common::read_space(&section);
    let closes = |side: usize| space.periodic[side / 2];
    let mut sides = std::array::from_fn(|side| !closes(side));
    if let Some(item) = section.get("walls") {
        if item.is_list() {
            sides = named_sides(&item);
            if let Some(side) = (0..4).find(|&side| sides[side] && closes(side)) {
                let axis = ["x", "y"][side / 2];
                item.fault(format!(
                    "the box is periodic along {axis}: there is no side \"{}\" that could have a wall",
                    SIDES[side]
                ));
            }
        } else if item.boolean() == Some(false) {
            sides = [false; 4];
        }
    }
    section.finish();
    (space, sides)
}

fn named_sides(item: &Item<'_>) -> [bool; 4] {
    let words: [(&'static str, usize); 4] = std::array::from_fn(|side| (SIDES[side], side));
    let mut sides = [false; 4];
    for side in item.list().unwrap_or_default().iter().filter_map(|item| item.word(&words)) {
        sides[side] = true;
    }
    sides
}

/// Polygons have one search structure.
pub(super) fn search(root: &Section<'_>) {
    let section = root.table("search");
    if let Some(item) = section.get("kind")
        && !item.is_word("sweep")
        && !item.is_word("auto")
    {
        item.fault(
            "polygons can only use \"sweep\": bounding boxes, kept sorted along both axes from step to step \
             (\"auto\" is the same)",
        );
    }
    section.finish();
}

/// `[run]`, which needs to know everything else: the time step goes by which particles are in
/// contact. `longest` tells how long one may be \[µs\] with a seed, so that the shortest contact
/// takes so many.
pub(super) fn run(root: &Section<'_>, longest: impl Fn(u64, f64) -> f64) -> Run {
    let section = root.table("run");
    section.get("engine");
    // Shapes may be random, so which contact is the shortest depends on the seed.
    let timestep = timestep(&section, |steps| longest(section.setting("seed"), steps));
    let run = common::of_steps(&section, timestep);
    section.finish();
    run
}

fn timestep(section: &Section<'_>, longest: impl Fn(f64) -> f64) -> f64 {
    let Some(item) = section.require("timestep") else {
        return f64::NAN;
    };
    if item.is_word("auto") {
        // A round number, so that people can read times.
        let longest = longest(STEPS_PER_CONTACT);
        if longest.is_nan() {
            item.fault(
                "without particles, the time step cannot be derived from the length of a contact: give a time, \
                 for example \"10 us\"",
            );
            return f64::NAN;
        }
        let unit = libm::pow(10.0, libm::floor(libm::log10(longest)) - 1.0);
        let rounded = libm::floor(longest / unit) * unit;
        return format!("{rounded:.1e}").parse().unwrap_or(f64::NAN);
    }
    let wanted = Wanted { noun: "\"auto\" or a time", example: "10 us", ..Wanted::TIME };
    item.positive_as(&wanted).unwrap_or(f64::NAN)
}
