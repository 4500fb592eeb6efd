//! A part of the box: `region = { from = [..], to = [..] }`.

use crate::surroundings::Side;
use crate::walker::{Item, Section};
use jostle_core::environment::Form;
use jostle_core::rules::Region;

use super::Context;

/// The region that `item` says, within the box: between two corners, or on one side of a surface.
pub(super) fn region(item: &Item<'_>, context: &Context<'_>) -> Option<Region> {
    let section = item.section()?;
    let side = context.surfaces.side(&section);
    let found = match side {
        Some(side) => {
            for key in ["from", "to"] {
                section.refuse(
                    key,
                    "a region is either between two corners or on one side of a surface: keep one",
                );
            }
            side.and_then(|side| context.surfaces.region(side, context))
        }
        None => between(item, &section, context),
    };
    section.finish();
    found
}

fn between(item: &Item<'_>, section: &Section<'_>, context: &Context<'_>) -> Option<Region> {
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
    let volume = (0..context.dimension).map(|k| to[k] - from[k]).product();
    Some(Region { from, to, side: None, volume })
}

/// What regions need to know of the surfaces: names and shapes.
#[derive(Default)]
pub(super) struct Known {
    /// Of the box.
    pub(super) dimension: usize,
    pub(super) names: Vec<String>,
    pub(super) forms: Vec<Option<Form>>,
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
    pub(super) fn side_of(&self, item: &Item<'_>, inside: bool, plane: bool) -> Option<Side> {
        let surface = self.surface(item)?;
        if let Some(form) = &self.forms[surface as usize]
            && form.is_closed() == plane
        {
            item.fault(match plane {
                true => "this surface is closed: use `inside` or `outside`",
                false => "this surface is a plane: use `above` or `below`",
            });
        }
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

    /// The side that a section says, if it says one; None in it if that is faulty.
    fn side(&self, section: &Section<'_>) -> Option<Option<Side>> {
        let given: Vec<_> = SIDES
            .iter()
            .filter_map(|&(key, inside, plane)| Some((section.get(key)?, inside, plane)))
            .collect();
        if let [_, (second, ..), ..] = &given[..] {
            second.fault("a region is on one side of one surface: keep one");
        }
        let (item, inside, plane) = given.first()?;
        Some(self.side_of(item, *inside, *plane))
    }

    /// What lies on one side of a surface.
    fn region(&self, side: Side, context: &Context<'_>) -> Option<Region> {
        let form = self.forms[side.surface as usize].as_ref()?;
        let (mut from, mut to) = ([0.0; 3], context.edges);
        let volume = form.volume_of_side(side.inside, context.dimension, &context.edges);
        match (form, side.inside) {
            (Form::Plane { axis, at }, true) => from[*axis] = *at,
            (Form::Plane { axis, at }, false) => to[*axis] = *at,
            (form, true) => {
                let (bounds, _) = form.bounds_and_volume(context.dimension, &context.edges);
                for k in 0..context.dimension {
                    [from[k], to[k]] = [bounds[k][0].max(0.0), bounds[k][1].min(context.edges[k])];
                }
            }
            (_, false) => {}
        }
        Some(Region { from, to, side: Some((side.surface, side.inside)), volume })
    }
}
