//! The `[[surface]]` tables, and what `[[species]]` say of surfaces.

use std::collections::BTreeSet;

use crate::surroundings::{Anchor, SurfaceModel, Surroundings};
use crate::walker::{Item, Section, Setting};
use jostle_core::environment::{Adsorption, Crossing, Form, Manner, Permeability, SurfaceSites};
use jostle_core::narrow::{Ends, Rod};
use jostle_core::rules::Side;
use jostle_core::species::Species;

use super::meshes;
use super::region::Known;
use super::{Context, particles};

/// More surfaces cannot be distinguished in the log of contacts.
const MOST: usize = 128;

const ONE_OF: &str = "exactly one of `plane = { axis, at }`, `sphere = { centre, radius }` (in 2D `circle`), \
                      `cylinder = { axis, centre, radius, length, ends }` and `mesh = { file }` (in 2D \
                      `polygon = [[..], ..]`) is needed";

/// Names of what is a partner in contacts already.
pub(super) const TAKEN: [&str; 8] = ["x-", "x+", "y-", "y+", "z-", "z+", "side", "wall"];

/// The surfaces, but for what species do there: their tables, and what is known of them before the
/// species are.
pub(super) fn declared<'a>(root: &Section<'a>, context: &Context<'_>) -> (Vec<Section<'a>>, Known) {
    let mut sections = root.tables("surface");
    if sections.len() > MOST {
        root.fault(format!("there are {} surfaces; at most {MOST} are possible", sections.len()));
        sections.truncate(MOST);
    }
    let mut used = BTreeSet::new();
    let mut known =
        Known { dimension: context.dimension, periodic: context.periodic, ..Known::default() };
    for section in &sections {
        let named = section.require("name");
        if let Some(item) =
            named.as_ref().filter(|item| item.text().is_some_and(|name| TAKEN.contains(&name)))
        {
            item.fault(format!(
                "the faces of the box have these names: {} are taken",
                TAKEN.join(", ")
            ));
        }
        let name = named.map_or_else(String::new, |item| particles::name(&item, &used));
        used.insert(name.clone());
        known.names.push(name);
        // Also if it is faulty, so that the others keep their numbers.
        known.forms.push(form(section, context));
    }
    (sections, known)
}

fn form(section: &Section<'_>, context: &Context<'_>) -> Option<Form> {
    let keys = ["plane", "sphere", "circle", "cylinder", "mesh", "polygon"];
    let given: Vec<_> = keys.iter().filter_map(|&key| Some((key, section.get(key)?))).collect();
    match &given[..] {
        [("plane", item)] => plane(item, context),
        [("sphere" | "circle", item)] => ball(item, context),
        [(_, item)] if context.dimension == 1 => {
            item.fault("in one dimension there are planes, which are points there, and spheres");
            None
        }
        [("cylinder", item)] => cylinder(item, context),
        [("mesh", item)] => meshes::solid(item, context),
        [("polygon", item)] => meshes::outline(item, context),
        _ => {
            section.fault(ONE_OF);
            None
        }
    }
}

fn plane(item: &Item<'_>, context: &Context<'_>) -> Option<Form> {
    let section = item.section()?;
    let axis: Option<usize> = section.setting("axis");
    let at = section.require("at");
    let found = at.and_then(|item| {
        let (at, axis) = (item.quantity()?, axis?);
        let edge = context.edges[axis];
        if !(0.0..=edge).contains(&at) {
            item.fault(format!(
                "{at:?} nm is outside the box, which extends from 0 to {edge:?} nm"
            ));
        }
        // Both faces of a periodic axis are one.
        let at = if context.periodic[axis] && at == edge { 0.0 } else { at };
        Some(Form::Plane { axis, at })
    });
    section.finish();
    found
}

fn ball(item: &Item<'_>, context: &Context<'_>) -> Option<Form> {
    let section = item.section()?;
    let centre = centre(&section, context);
    let radius: Option<f64> = section.setting("radius");
    section.finish();
    let (centre, radius) = (centre?, radius?);
    in_box(item, context, &centre, [radius; 3]);
    Some(Form::Ball { centre, radius })
}

fn cylinder(item: &Item<'_>, context: &Context<'_>) -> Option<Form> {
    let section = item.section()?;
    let axis: Option<usize> = section.setting("axis");
    let centre = centre(&section, context);
    let radius: Option<f64> = section.setting("radius");
    let words = [("round", Ends::Round), ("flat", Ends::Flat), ("open", Ends::Open)];
    let ends = section.get("ends").map_or(Some(Ends::Round), |item| item.word(&words));
    let length = section.get("length");
    let length = match (length, ends) {
        (Some(item), Some(Ends::Open)) => {
            item.fault("a cylinder without ends goes through the whole box: drop `length`");
            None
        }
        (None, Some(Ends::Open)) => Some(f64::INFINITY),
        (Some(item), _) => item.quantity(),
        (None, _) => section.require("length").and(None),
    };
    section.finish();
    let (axis, centre, radius, length, ends) = (axis?, centre?, radius?, length?, ends?);
    let half = match ends {
        Ends::Round => 0.5 * length - radius,
        _ => 0.5 * length,
    };
    if half < 0.0 {
        item.fault(format!(
            "`length`, {length:?} nm, is measured from tip to tip and is less than twice the radius, {radius:?} nm"
        ));
        return None;
    }
    if ends == Ends::Open && !context.periodic[axis] {
        item.fault(
            "a cylinder without ends needs a periodic axis, so that it closes on itself; between reflecting faces, \
             use `ends = \"flat\"` with the length of the box",
        );
    }
    let mut extent = [radius; 3];
    extent[axis] = if ends == Ends::Open { 0.0 } else { 0.5 * length };
    in_box(item, context, &centre, extent);
    Some(Form::Rod { centre, rod: Rod { axis, half, radius, ends } })
}

/// The centre of a shape; that of the box, if none is given.
fn centre(section: &Section<'_>, context: &Context<'_>) -> Option<[f64; 3]> {
    match section.get("centre") {
        Some(item) => item.components(context.dimension),
        None => {
            let mut centre = [0.0; 3];
            (0..context.dimension).for_each(|k| centre[k] = 0.5 * context.edges[k]);
            Some(centre)
        }
    }
}

/// A closed surface lies within the box, from one face to the other.
pub(super) fn in_box(item: &Item<'_>, context: &Context<'_>, centre: &[f64; 3], extent: [f64; 3]) {
    for k in 0..context.dimension {
        let (low, high, edge) = (centre[k] - extent[k], centre[k] + extent[k], context.edges[k]);
        let slack = 1e-12 * edge;
        if low < -slack || high > edge + slack {
            item.fault(format!(
                "it goes from {low:?} to {high:?} nm along {}, but the box extends from 0 to {edge:?} nm",
                ["x", "y", "z"][k]
            ));
        }
    }
}

/// What the tables of species said, by species.
#[derive(Default)]
pub(super) struct Habits {
    pub(super) anchors: Vec<Option<Anchor>>,
    pub(super) sides: Vec<Vec<Side>>,
}

impl Habits {
    /// Reads `on`, `faces`, `inside` and `outside` of a species that has so many states.
    pub(super) fn read(&mut self, section: &Section<'_>, surfaces: &Known, states: usize) {
        let anchor = anchor(section, surfaces);
        let sides = surfaces.sides(section).unwrap_or_default();
        if anchor.is_some() && !sides.is_empty() {
            section
                .fault("particles that live `on` a surface cannot also be on one side of a surface: drop one of \
                    the two");
        }
        self.anchors.extend(std::iter::repeat_n(anchor, states));
        self.sides.extend(std::iter::repeat_n(sides, states));
    }
}

fn anchor(section: &Section<'_>, surfaces: &Known) -> Option<Anchor> {
    let item = section.get("on");
    let faces = section.get("faces");
    let Some(item) = item else {
        if let Some(faces) = faces {
            faces.fault("only particles that live `on` a surface face one of its sides");
        }
        return None;
    };
    let surface = surfaces.surface(&item)?;
    if let Some(Form::Rod { rod, .. }) = &surfaces.forms[surface as usize]
        && rod.ends == Ends::Flat
    {
        item.fault(
            "particles can live on planes, spheres, closed meshes, and cylinders without flat ends: use `ends = \
             \"round\"`, or `ends = \"open\"` along a periodic axis, or a mesh of the cylinder",
        );
        return None;
    }
    if surfaces.dimension == 1 {
        item.fault(
            "in one dimension a surface is a point, along which nothing can move: a species with \
             `diffusion = \"0 nm^2/us\"` and `placement = { positions = .. }` stays where it is",
        );
        return None;
    }
    let words = [
        ("both", None),
        ("inside", Some(true)),
        ("above", Some(true)),
        ("outside", Some(false)),
        ("below", Some(false)),
    ];
    let faces = faces.and_then(|item| item.word(&words)).flatten();
    Some(Anchor { surface, faces })
}

/// The surroundings, once the species are known.
pub(super) fn surroundings(
    sections: Vec<Section<'_>>,
    habits: Habits,
    species: &[Species],
    context: &Context<'_>,
) -> Surroundings {
    if sections.is_empty() {
        return Surroundings::default();
    }
    let Habits { anchors, sides } = habits;
    let mut surfaces = Vec::with_capacity(sections.len());
    for (n, section) in sections.into_iter().enumerate() {
        let usual = section.get("meets").and_then(|item| manner(&item, None, context));
        let usual = usual.unwrap_or_default();
        let mut manners = vec![usual; species.len()];
        for (s, anchor) in anchors.iter().enumerate() {
            if anchor.is_some_and(|anchor| anchor.surface as usize == n) {
                // It never leaves the surface, so it never meets it.
                manners[s] = Manner::Ignore;
            }
        }
        let mut entries =
            section.get("species").and_then(|item| item.entries()).unwrap_or_default();
        // What is said of one state comes after what is said of several, and goes before it.
        let is_one = |pattern: &str| species.iter().any(|species| species.name == pattern);
        entries.sort_by_key(|(pattern, _)| is_one(pattern));
        let mut said: Vec<Option<&str>> = vec![None; species.len()];
        for (pattern, item) in entries {
            let Some(matching) = context.kinds.matching_text(&item, pattern) else { continue };
            for s in matching {
                let of = &species[s as usize];
                let before = said[s as usize].replace(pattern);
                if let Some(before) = before.filter(|before| is_one(before) == is_one(pattern)) {
                    item.fault(format!(
                        "\"{before}\" also says what {} does here: keep one",
                        of.name
                    ));
                }
                if anchors[s as usize].is_some_and(|anchor| anchor.surface as usize == n) {
                    item.fault(format!("{} lives on this surface, so it cannot meet it", of.name));
                    continue;
                }
                if let Some(manner) = manner(&item, Some(of), context) {
                    manners[s as usize] = manner;
                }
            }
        }
        let sites = sites(&section, &manners, context);
        section.finish();
        let Known { names, forms, .. } = &context.surfaces;
        // In place of a faulty one, which has been reported: no check finds fault with what is not
        // a number.
        let form = forms[n].clone().unwrap_or(Form::Plane { axis: 0, at: f64::NAN });
        surfaces.push(SurfaceModel { name: names[n].clone(), form, manners, sites });
    }
    Surroundings::new(surfaces, anchors, sides, context.dimension, &context.edges)
}

/// The sites for what gets onto a surface, where species behave in these manners.
fn sites(section: &Section<'_>, manners: &[Manner], context: &Context<'_>) -> Option<SurfaceSites> {
    let item = section.get("sites");
    let Some(item) = item else {
        section.refuse("held_by", "`held_by` needs `sites`, how many there are");
        return None;
    };
    let mut held = vec![0; manners.len()];
    if manners.iter().all(|manner| manner.becomes().is_none()) {
        item.fault(
            "nothing gets onto this surface, so that no site is ever taken: `A = { absorb = \"1 um/s\", becomes = \
             \"A_bound\" }` under `species` says what does",
        );
    }
    match section.get("held_by").and_then(|item| item.entries()) {
        Some(entries) => {
            for (pattern, item) in entries {
                let matching = context.kinds.matching_text(&item, pattern).unwrap_or_default();
                let each = u64::read(&item).unwrap_or(1);
                matching.into_iter().for_each(|s| held[usize::from(s)] = each);
            }
        }
        None => manners
            .iter()
            .filter_map(|manner| manner.becomes())
            .for_each(|species| held[usize::from(species)] = 1),
    }
    Some(SurfaceSites { number: u64::read(&item)?, held })
}

/// What particles do at a surface: a word, or a table with a number.
fn manner(item: &Item<'_>, species: Option<&Species>, context: &Context<'_>) -> Option<Manner> {
    if item.is_text() {
        let words = [
            ("reflect", Manner::Reflect),
            ("ignore", Manner::Ignore),
            ("absorb", Manner::Absorb { rate: f64::INFINITY }),
        ];
        return item.word(&words);
    }
    let section = item.section()?;
    let keys = ["absorb", "permeability", "diffusion_inside"].map(|key| section.get(key));
    let outwards = section.get("permeability_outwards");
    let becomes = section.get("becomes");
    let found = match &keys {
        [Some(rate), through, None] if becomes.is_some() => {
            let becomes = becomes.as_ref().and_then(|item| context.kinds.one(item));
            let permeability = through.as_ref().map_or(Some(0.0), |item| item.quantity());
            let said = rate.quantity().zip(permeability).zip(becomes);
            said.map(|((rate, permeability), becomes)| {
                Manner::Adsorb(Adsorption { rate, permeability, becomes })
            })
        }
        [Some(item), None, None] => item.quantity().map(|rate| Manner::Absorb { rate }),
        [None, Some(item), None] => {
            let inwards = item.quantity();
            let outwards = match &outwards {
                Some(outwards) => outwards.quantity(),
                None => inwards,
            };
            if inwards.zip(outwards) == Some((0.0, 0.0)) {
                item.fault("nothing goes through: \"reflect\" says so");
            }
            let both = inwards.zip(outwards);
            both.map(|(inwards, outwards)| Manner::Permeate(Permeability { inwards, outwards }))
        }
        [None, None, Some(item)] => {
            let outside = species.and_then(|species| species.diffusion_coefficient);
            if outside.is_none() {
                item.fault(
                    "`diffusion_inside` belongs under `species`, for a species with its own `diffusion`",
                );
            }
            crossing(item, outside, item.quantity(), section.setting("affinity"))
        }
        _ => {
            item.fault(
                "\"reflect\", \"ignore\", \"absorb\", or exactly one of `absorb = \"1 um/s\"`, \
                 `permeability = \"1 um/s\"` and `diffusion_inside = \"0.1 um^2/s\"` is needed",
            );
            None
        }
    };
    if keys[2].is_none() {
        section.refuse("affinity", "`affinity` needs `diffusion_inside`");
    }
    if let (Some(item), true) = (&outwards, keys[1].is_none() || keys[0].is_some()) {
        item.fault(
            "`permeability_outwards` needs `permeability`, which is then that inwards, and no `absorb`",
        );
    }
    if keys[0].is_none() {
        let why =
            "`becomes` needs `absorb`, the velocity with which particles get onto the surface";
        section.refuse("becomes", why);
    }
    section.finish();
    found
}

fn crossing(
    item: &Item<'_>,
    outside: Option<f64>,
    inside: Option<f64>,
    affinity: Option<f64>,
) -> Option<Manner> {
    let (outside, inside, affinity) = (outside?, inside?, affinity?);
    if outside <= 0.0 {
        item.fault(
            "a species that does not diffuse outside can never enter: `diffusion` must be above zero",
        );
        return None;
    }
    Some(Manner::Cross(Crossing { outside, inside, affinity }))
}
