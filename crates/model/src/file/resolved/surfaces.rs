//! Surfaces, and what species have to do with them.

use std::fmt::Write;

use super::{axis, list, quoted};
use crate::Model;
use crate::surroundings::{Side, SurfaceModel};
use jostle_core::environment::Form;
use jostle_core::environment::Manner;
use jostle_core::narrow::Ends;

/// The `[[surface]]` tables.
pub(super) fn surfaces(model: &Model) -> String {
    let surfaces = model.surroundings().surfaces.iter().enumerate();
    surfaces.map(|(n, surface)| table(model, n as u16, surface)).collect()
}

fn table(model: &Model, number: u16, surface: &SurfaceModel) -> String {
    let d = model.space.dimension;
    let form = match &surface.form {
        Form::Plane { axis: k, at } => {
            format!("plane = {{ axis = \"{}\", at = \"{at:?} nm\" }}", axis(*k))
        }
        Form::Solid(mesh) => {
            let vertices: Vec<_> = mesh.vertices().iter().map(|x| format!("{:?}", x.0)).collect();
            let facets: Vec<_> = mesh.facets().iter().map(|facet| format!("{facet:?}")).collect();
            let [vertices, facets] = [vertices, facets].map(|list| list.join(", "));
            format!("mesh = {{ vertices = [{vertices}], facets = [{facets}] }}")
        }
        Form::Outline(mesh) => {
            // One round: from each corner to the one where its side ends.
            let mut next = vec![0; mesh.vertices().len()];
            mesh.facets().iter().for_each(|[from, to]| next[*from as usize] = *to as usize);
            let round = std::iter::successors(Some(0), |&n| Some(next[n]).filter(|&n| n != 0));
            let corners: Vec<_> = round.map(|n| format!("{:?}", mesh.vertices()[n].0)).collect();
            format!("polygon = [{}]", corners.join(", "))
        }
        Form::Ball { centre, radius } => {
            format!(
                "sphere = {{ centre = {}, radius = \"{radius:?} nm\" }}",
                list(&centre[..d], "nm")
            )
        }
        Form::Rod { centre, rod } => {
            let (ends, length) = match rod.ends {
                Ends::Round => ("round", Some(2.0 * (rod.half + rod.radius))),
                Ends::Flat => ("flat", Some(2.0 * rod.half)),
                Ends::Open => ("open", None),
            };
            let length =
                length.map_or_else(String::new, |length| format!(", length = \"{length:?} nm\""));
            format!(
                "cylinder = {{ axis = \"{}\", centre = {}, radius = \"{:?} nm\", ends = \"{ends}\"{length} }}",
                axis(rod.axis),
                list(&centre[..d], "nm"),
                rod.radius
            )
        }
    };
    let mut text = format!("\n[[surface]]\nname = {}\n{form}\n", quoted(&surface.name));
    let lives_there = |s: usize| {
        model.surroundings().lodging(s as u16).is_some_and(|lodging| lodging.surface == number)
    };
    let manners = surface.manners.iter().enumerate();
    let others = manners.filter(|(s, manner)| **manner != Manner::Reflect && !lives_there(*s));
    let entries: Vec<String> = others
        .map(|(s, manner)| format!("{} = {}", quoted(&model.species[s].name), in_words(*manner)))
        .collect();
    if !entries.is_empty() {
        let _ = writeln!(text, "species = {{ {} }}", entries.join(", "));
    }
    text
}

fn in_words(manner: Manner) -> String {
    match manner {
        Manner::Reflect => "\"reflect\"".to_owned(),
        Manner::Ignore => "\"ignore\"".to_owned(),
        Manner::Absorb { rate } if rate == f64::INFINITY => "\"absorb\"".to_owned(),
        Manner::Absorb { rate } => format!("{{ absorb = \"{rate:?} nm/us\" }}"),
        Manner::Permeate { permeability } => {
            format!("{{ permeability = \"{permeability:?} nm/us\" }}")
        }
        Manner::Cross(crossing) => format!(
            "{{ diffusion_inside = \"{:?} nm^2/us\", affinity = {:?} }}",
            crossing.inside, crossing.affinity
        ),
    }
}

/// What the table of a species says of surfaces.
pub(super) fn habits(model: &Model, species: u16) -> String {
    let mut text = String::new();
    let name = |number: u16| quoted(&model.surroundings().surfaces[number as usize].name);
    if let Some(lodging) = model.surroundings().lodging(species) {
        let faces = match lodging.faces {
            None => "both",
            Some(true) => "inside",
            Some(false) => "outside",
        };
        let _ = writeln!(text, "on = {}\nfaces = \"{faces}\"", name(lodging.surface));
    }
    for (key, inside, plane) in super::super::region::SIDES {
        let of_key = |side: &&Side| {
            let closed = model.surroundings().surfaces[side.surface as usize].form.is_closed();
            side.inside == inside && closed != plane
        };
        let names: Vec<String> = model
            .surroundings()
            .sides(species)
            .iter()
            .filter(of_key)
            .map(|side| name(side.surface))
            .collect();
        if !names.is_empty() {
            let _ = writeln!(text, "{key} = [{}]", names.join(", "));
        }
    }
    text
}

/// A region on one side of a surface.
pub(super) fn side(model: &Model, (surface, inside): (u16, bool)) -> String {
    let surface = &model.surroundings().surfaces[surface as usize];
    let key = match (surface.form.is_closed(), inside) {
        (true, true) => "inside",
        (true, false) => "outside",
        (false, true) => "above",
        (false, false) => "below",
    };
    format!("{{ {key} = {} }}", quoted(&surface.name))
}
