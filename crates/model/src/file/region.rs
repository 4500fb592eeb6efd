//! A part of the box: `region = { from = [..], to = [..], inside = "cell" }`.

use crate::surroundings::room_between;
use crate::walker::{Item, Section};
use jostle_core::environment::Form;
use jostle_core::rules::{Region, Side};

use super::Context;

/// Two opposite corners. \[nm\]
type Corners = [[f64; 3]; 2];

/// The region that `item` says: between two corners within the box, on given sides of surfaces, or
/// both.
pub(super) fn region(item: &Item<'_>, context: &Context<'_>) -> Option<Region> {
    let section = item.section()?;
    let sides = context.surfaces.sides(&section);
    let has_corners = section.has("from") || section.has("to");
    let corners = match (has_corners, SIDES.iter().any(|(key, ..)| section.has(key))) {
        (false, true) => Some(([0.0; 3], context.edges)),
        _ => corners(item, &section, context),
    };
    section.finish();
    let (from, to) = corners?;
    part(item, [from, to], sides?, context)
}

/// Where new particles of a species are placed: in the region of the rule, if it has one, on those
/// sides of surfaces on which the species is. `item` names the species; None in it if that is
/// faulty.
pub(super) fn birthplace(
    item: &Item<'_>,
    region: Option<Region>,
    species: u16,
    context: &Context<'_>,
) -> Option<Option<Region>> {
    let of_species = context.surfaces.habits.get(species as usize).map_or(&[][..], Vec::as_slice);
    if of_species.is_empty() {
        return Some(region);
    }
    let (corners, mut sides) = match region {
        Some(Region { from, to, sides, .. }) => ([from, to], sides),
        None => ([[0.0; 3], context.edges], Vec::new()),
    };
    sides.extend(of_species);
    part(item, corners, sides, context).map(Some)
}

/// What there is between two corners on all of these sides.
fn part(
    item: &Item<'_>,
    [from, to]: Corners,
    mut sides: Vec<Side>,
    context: &Context<'_>,
) -> Option<Region> {
    // In one order, so that a region is the same however it is written, and reads back the same.
    sides.sort_by_key(|side| (side.surface, !side.inside));
    sides.dedup();
    let (dimension, edges) = (context.dimension, &context.edges);
    let form = |side: &Side| context.surfaces.forms[side.surface as usize].as_ref();
    let forms: Option<Vec<_>> = sides.iter().map(|side| Some((form(side)?, side.inside))).collect();
    let volume = room_between([from, to], forms?, dimension, edges);
    // Of corners alone, what is wrong has been told.
    if volume <= 0.0 && !sides.is_empty() {
        item.fault(
            "there is no room for it: no place in the box is on all the sides of surfaces that the region and the \
             species name; leave out one that contradicts the others",
        );
        return None;
    }
    // Drawn in as far as the shapes allow: places are drawn between the corners, and those that are
    // not on all sides are thrown away.
    let [low, high] = bounds(&sides, &|side| form(side), dimension, edges);
    let from = std::array::from_fn(|k| low[k].max(from[k]));
    let to = std::array::from_fn(|k| high[k].min(to[k]));
    Some(Region { from, to, sides, volume })
}

/// The corners of a box around what is on all of these sides, as far as each of them alone tells.
pub(super) fn bounds<'f>(
    sides: &[Side],
    form: &dyn Fn(&Side) -> Option<&'f Form>,
    dimension: usize,
    edges: &[f64; 3],
) -> Corners {
    let [mut from, mut to] = [[0.0_f64; 3], *edges];
    for side in sides {
        match (form(side), side.inside) {
            (Some(Form::Plane { axis, at }), true) => from[*axis] = from[*axis].max(*at),
            (Some(Form::Plane { axis, at }), false) => to[*axis] = to[*axis].min(*at),
            (Some(form), true) => {
                let (around, _) = form.bounds_and_volume(dimension, edges);
                for k in 0..dimension {
                    [from[k], to[k]] = [around[k][0].max(from[k]), around[k][1].min(to[k])];
                }
            }
            _ => {}
        }
    }
    [from, to]
}

fn corners(
    item: &Item<'_>,
    section: &Section<'_>,
    context: &Context<'_>,
) -> Option<([f64; 3], [f64; 3])> {
    let corner = |key, example: &str| {
        let item = section.require_like(key, example)?;
        item.components(context.dimension)
    };
    let all = |each: &str| format!("[{}]", vec![each; context.dimension].join(", "));
    let corners = (corner("from", &all("\"0 nm\"")), corner("to", &all("\"100 nm\"")));
    let (from, to) = (corners.0?, corners.1?);
    for k in 0..context.dimension {
        let (name, edge) = (["x", "y", "z"][k], context.edges[k]);
        if from[k] < 0.0 || to[k] > edge || from[k] >= to[k] {
            item.fault(format!(
                "the region goes from {:?} to {:?} nm along {name}, but it must go upwards and stay in \
                 the box, which extends from 0 to {edge:?} nm",
                from[k], to[k]
            ));
        }
    }
    Some((from, to))
}

/// What regions need to know of the surfaces: names and shapes.
#[derive(Default)]
pub(super) struct Known {
    /// Of the box.
    pub(super) dimension: usize,
    pub(super) names: Vec<String>,
    pub(super) forms: Vec<Option<Form>>,
    /// On which sides particles of each species are placed. \[species\]
    pub(super) habits: Vec<Vec<Side>>,
    /// Whether each axis of the box closes on itself.
    pub(super) periodic: [bool; 3],
}

/// The words for sides, whether they mean the inner one, and whether they are for planes.
pub(super) const SIDES: [(&str, bool, bool); 4] = [
    ("inside", true, false),
    ("outside", false, false),
    ("above", true, true),
    ("below", false, true),
];

impl Known {
    /// The number of the surface that an item names.
    pub(super) fn surface(&self, item: &Item<'_>) -> Option<u16> {
        let name = item.text()?;
        let found = self.names.iter().position(|known| known == name);
        if found.is_none() {
            item.fault(match self.names.is_empty() {
                true => {
                    format!("there is no surface \"{name}\": `[[surface]]` with name and shape declares one")
                }
                false => format!("there is no surface \"{name}\"; known here: {}", self.names.join(", ")),
            });
        }
        found.map(|n| n as u16)
    }

    /// The side of a surface that an item names, as the word says that stands before it.
    fn side_of(&self, item: &Item<'_>, inside: bool, plane: bool) -> Option<Side> {
        let surface = self.surface(item)?;
        if let Some(form) = &self.forms[surface as usize]
            && form.is_closed() == plane
        {
            item.fault(match plane {
                true => "this surface is closed: use `inside` or `outside`",
                false => "this surface is a plane: use `above` or `below`",
            });
        }
        // A plane across a periodic axis does not part the box: above it and below it are connected
        // at the other end.
        if let Some(Form::Plane { axis, .. }) = self.forms[surface as usize]
            && self.periodic[axis]
        {
            item.fault(
                "along a periodic axis, above and below a plane are connected the other way round; only a reflecting \
                 axis has two sides; a `region` can be given by corners, `{ from = [..], to = [..] }`, and \
                 particles at the \
                 start by `placement = { positions = .. }`",
            );
        }
        Some(Side { surface, inside })
    }

    /// The sides that a section says; None if one of them is faulty.
    pub(super) fn sides(&self, section: &Section<'_>) -> Option<Vec<Side>> {
        let mut sides = Vec::new();
        let mut whole = true;
        for (key, inside, plane) in SIDES {
            let Some(item) = section.get(key) else { continue };
            let items = if item.is_list() { item.list().unwrap_or_default() } else { vec![item] };
            for item in items {
                match self.side_of(&item, inside, plane) {
                    Some(side) => sides.push(side),
                    None => whole = false,
                }
            }
        }
        whole.then_some(sides)
    }
}
