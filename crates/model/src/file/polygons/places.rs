//! Where polygons are at the start: `count` and `placement`.

use crate::PlacementMethod;
use crate::units::Wanted;
use crate::walker::{Item, Section};

use super::super::amounts::number;
use super::super::places::{BOTH, file, outside, uncounted, way_of};
use super::Context;
use super::shapes::point;

/// How the bodies of a species are placed.
#[derive(Default)]
pub(super) struct BodyPlacement {
    /// None for a species without bodies.
    pub(super) how: Option<PlacementMethod>,
    /// How each is turned \[rad\], if the places say.
    pub(super) angles: Option<Vec<f64>>,
}

impl BodyPlacement {
    fn simply(how: Option<PlacementMethod>) -> Self {
        Self { how, angles: None }
    }
}

/// How many bodies of one species there can be; each has a shape of its own to be made before
/// anything else.
const MOST: usize = 10_000_000;

fn count_of(item: &Item<'_>) -> Option<usize> {
    let count = number(item)?;
    if count > MOST {
        item.fault(format!("found {count}, but one species can have at most {MOST} polygons"));
        return None;
    }
    Some(count)
}

pub(super) fn placed(section: &Section<'_>, context: &Context<'_>, name: &str) -> BodyPlacement {
    match (&section.get("count"), &section.get("placement")) {
        (Some(count), Some(item)) if item.is_text() => {
            BodyPlacement::simply(way_of(item).and_then(|way| count_of(count).map(way)))
        }
        (Some(_), Some(_)) => {
            section.fault(BOTH);
            BodyPlacement::default()
        }
        (None, Some(item)) if item.is_text() => {
            item.fault(uncounted(item));
            BodyPlacement::default()
        }
        (Some(item), None) => {
            BodyPlacement::simply(count_of(item).map(|count| PlacementMethod::Random { count }))
        }
        (None, Some(item)) => by_table(item, context, name),
        (None, None) => {
            section.fault(
                "the number of particles is missing: `count = 100`, or `placement = { .. }`",
            );
            BodyPlacement::default()
        }
    }
}

const ONE_OF: &str = "exactly one of `random = 700`, `lattice = 700`, `file = \"places.csv\"`, \
                      `positions = [[x, y, angle], ..]` and `picture = [\"# #\", \"###\"]` is needed";

/// `placement = { .. }`
fn by_table(item: &Item<'_>, context: &Context<'_>, name: &str) -> BodyPlacement {
    let Some(section) = item.section() else {
        return BodyPlacement::default();
    };
    let places =
        |found: Option<Vec<[f64; 3]>>| BodyPlacement::simply(found.map(PlacementMethod::Positions));
    let placed = match section.only(["random", "lattice", "file", "positions", "picture"]) {
        Some(("random", item)) => {
            BodyPlacement::simply(count_of(&item).map(|count| PlacementMethod::Random { count }))
        }
        Some(("lattice", item)) => {
            BodyPlacement::simply(count_of(&item).map(|count| PlacementMethod::Lattice { count }))
        }
        Some(("file", item)) => from_file(&item, context, name).unwrap_or_default(),
        Some(("positions", item)) => listed(&item, context).unwrap_or_default(),
        Some(("picture", item)) => places(picture(&item, &section, context)),
        _ => {
            item.fault(ONE_OF);
            BodyPlacement::default()
        }
    };
    section.finish();
    placed
}

/// `[[x, y], ..]` or `[[x, y, angle], ..]`
fn listed(item: &Item<'_>, context: &Context<'_>) -> Option<BodyPlacement> {
    let (mut places, mut angles) = (Vec::new(), Vec::new());
    let mut turned = false;
    for item in item.list()? {
        let parts = item.list()?;
        if !(2..=3).contains(&parts.len()) {
            item.fault(format!(
                "found a list of {}, but a position is [x, y] or [x, y, angle]",
                parts.len()
            ));
            return None;
        }
        let place = [parts[0].quantity()?, parts[1].quantity()?, 0.0];
        if let Some(why) = outside(&place, context) {
            item.fault(why);
        }
        places.push(place);
        turned |= parts.len() == 3;
        angles.push(parts.get(2).map_or(Some(0.0), |angle| angle.quantity_as(&Wanted::ANGLE))?);
    }
    Some(BodyPlacement {
        how: Some(PlacementMethod::Positions(places)),
        angles: turned.then_some(angles),
    })
}

/// The places of a species in a file, which may say its rows' species and angles.
fn from_file(item: &Item<'_>, context: &Context<'_>, name: &str) -> Option<BodyPlacement> {
    let (path, read, unit) = file(item, context, "mm")?;
    let own = |n: &usize| read.species.as_ref().is_none_or(|species| species[*n] == name);
    let rows: Vec<usize> = (0..read.places.len()).filter(own).collect();
    if rows.is_empty() {
        item.fault(format!("{}: no position of {name}", path.display()));
        return None;
    }
    let places: Vec<[f64; 3]> =
        rows.iter().map(|&n| read.places[n].map(|x| unit.to_internal(x))).collect();
    for (n, place) in rows.iter().zip(&places) {
        if let Some(why) = outside(place, context) {
            item.fault(format!("{}: {}: {why}", path.display(), read.row(*n)));
            return None;
        }
    }
    let angles = read.angles.map(|angles| rows.iter().map(|&n| angles[n]).collect());
    Some(BodyPlacement { how: Some(PlacementMethod::Positions(places)), angles })
}

/// A body for every letter that is no space and no dot, line by line: the upper left one is the
/// first, the lower left place is at `corner`, and neighbours are `pitch` apart.
fn picture(item: &Item<'_>, section: &Section<'_>, context: &Context<'_>) -> Option<Vec<[f64; 3]>> {
    let corner = section.require("corner").and_then(|item| point(&item));
    let pitch: Option<f64> = section.needed("pitch");
    let rows: Vec<&str> = item.list()?.iter().map(Item::text).collect::<Option<_>>()?;
    let (corner, pitch) = (corner?, pitch?);
    let mut places = Vec::new();
    // Rows are counted from below, as y is, and gone through from above, as they are read.
    for (row, text) in rows.iter().rev().enumerate().rev() {
        for (column, _) in
            text.chars().enumerate().filter(|(_, letter)| ![' ', '.'].contains(letter))
        {
            let at = |k: usize, steps: usize| corner[k] + pitch * steps as f64;
            places.push([at(0, column), at(1, row), 0.0]);
        }
    }
    if let Some(why) = places.iter().find_map(|place| outside(place, context)) {
        item.fault(format!("the picture is too large: {why}"));
    }
    Some(places)
}
