//! Surfaces, and what species have to do with them.

use super::super::region::SIDES;
use super::axis;
use super::writer::{ModelText, TableText, listed, quoted};
use crate::Model;
use crate::surroundings::SurfaceModel;
use jostle_core::environment::{Adsorption, Form, Manner, Permeability};
use jostle_core::narrow::{Ends, Rod};
use jostle_core::rules::Side;

/// The `[[surface]]` tables.
pub(super) fn surfaces(model: &Model, file: &mut ModelText) {
    for (n, surface) in model.surroundings().surfaces.iter().enumerate() {
        file.add("surface", |lines| table(lines, model, n as u16, surface));
    }
}

fn table(lines: &mut TableText, model: &Model, number: u16, surface: &SurfaceModel) {
    lines.text("name", &surface.name);
    form(lines, &surface.form, model.space.dimension);
    let lives_there = |s: usize| {
        model.surroundings().anchor(s as u16).is_some_and(|anchor| anchor.surface == number)
    };
    let manners = surface.manners.iter().enumerate();
    let others = manners.filter(|(s, manner)| **manner != Manner::Reflect && !lives_there(*s));
    let named = others.map(|(s, manner)| (model.species[s].name.as_str(), *manner));
    lines.named("species", named, |manner, table| in_words(model, manner, table));
    if let Some(sites) = &surface.sites {
        lines.set("sites", &sites.number);
        let held = sites.held.iter().enumerate().filter(|(_, each)| **each > 0);
        let held = held.map(|(s, each)| format!("{} = {each}", quoted(&model.species[s].name)));
        lines.put("held_by", format!("{{ {} }}", held.collect::<Vec<_>>().join(", ")));
    }
}

fn form(lines: &mut TableText, form: &Form, d: usize) {
    match form {
        Form::Plane { axis: k, at } => lines.table("plane", |plane| {
            plane.word("axis", axis(*k));
            plane.quantity("at", *at);
        }),
        Form::Solid(mesh) => lines.table("mesh", |lines| {
            lines.put("vertices", listed(mesh.vertices().iter().map(|x| format!("{:?}", x.0))));
            lines.put("facets", listed(mesh.facets().iter().map(|facet| format!("{facet:?}"))));
        }),
        Form::Outline(mesh) => {
            // One round: from each corner to the one where its side ends.
            let mut next = vec![0; mesh.vertices().len()];
            mesh.facets().iter().for_each(|[from, to]| next[*from as usize] = *to as usize);
            let round = std::iter::successors(Some(0), |&n| Some(next[n]).filter(|&n| n != 0));
            lines.put("polygon", listed(round.map(|n| format!("{:?}", mesh.vertices()[n].0))));
        }
        Form::Ball { centre, radius } => lines.table("sphere", |sphere| {
            sphere.quantities("centre", &centre[..d]);
            sphere.quantity("radius", *radius);
        }),
        Form::Rod { centre, rod } => {
            lines.table("cylinder", |lines| cylinder(lines, &centre[..d], rod))
        }
    }
}

fn cylinder(lines: &mut TableText, centre: &[f64], rod: &Rod) {
    let (ends, length) = match rod.ends {
        Ends::Round => ("round", Some(2.0 * (rod.half + rod.radius))),
        Ends::Flat => ("flat", Some(2.0 * rod.half)),
        Ends::Open => ("open", None),
    };
    lines.word("axis", axis(rod.axis));
    lines.quantities("centre", centre);
    lines.quantity("radius", rod.radius);
    lines.word("ends", ends);
    lines.quantity_if_any("length", length);
}

/// What particles do at a surface: a word, or a table with a number.
fn in_words(model: &Model, manner: Manner, mut table: TableText) -> String {
    match manner {
        Manner::Reflect => return quoted("reflect"),
        Manner::Ignore => return quoted("ignore"),
        Manner::Absorb { rate } if rate == f64::INFINITY => return quoted("absorb"),
        Manner::Absorb { rate } => table.quantity("absorb", rate),
        Manner::Permeate(Permeability { inwards, outwards }) => {
            table.quantity("permeability", inwards);
            if outwards != inwards {
                table.quantity("permeability_outwards", outwards);
            }
        }
        Manner::Adsorb(Adsorption { rate, permeability, becomes }) => {
            table.quantity("absorb", rate);
            table.text("becomes", &model.species[usize::from(becomes)].name);
            table.quantity_if_any("permeability", Some(permeability).filter(|&p| p > 0.0));
        }
        Manner::Cross(crossing) => {
            table.quantity("diffusion_inside", crossing.inside);
            table.quantity("affinity", crossing.affinity);
        }
    }
    table.to_inline()
}

/// What the table of a species says of surfaces.
pub(super) fn habits(lines: &mut TableText, model: &Model, species: u16) {
    let name = |number: u16| model.surroundings().surfaces[number as usize].name.as_str();
    if let Some(anchor) = model.surroundings().anchor(species) {
        let faces = match anchor.faces {
            None => "both",
            Some(true) => "inside",
            Some(false) => "outside",
        };
        lines.text("on", name(anchor.surface));
        lines.word("faces", faces);
    }
    sides(lines, model, model.surroundings().sides(species));
}

/// Sides of surfaces, by the words for them.
pub(super) fn sides(lines: &mut TableText, model: &Model, sides: &[Side]) {
    let surface = |side: &Side| &model.surroundings().surfaces[side.surface as usize];
    for (key, inside, plane) in SIDES {
        let of_key =
            |side: &&Side| side.inside == inside && surface(side).form.is_closed() != plane;
        let mut sides = sides.iter().filter(of_key).peekable();
        if sides.peek().is_some() {
            lines.texts(key, sides.map(|side| surface(side).name.as_str()));
        }
    }
}
