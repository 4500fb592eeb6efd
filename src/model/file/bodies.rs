//! The `[[species]]` tables: what kinds of bodies there are, and where they are at the start.

use std::path::Path;

use crate::files::positions::{self, Positions};
use crate::model::units::{Unit, Wanted};
use crate::model::walker::{Item, Section};
use crate::model::{How, Placement};
use crate::space::Groups;
use crate::species::{Drift, Species};

use super::Context;

pub(super) fn species(root: &Section<'_>, context: &mut Context<'_>) -> (Vec<Species>, Vec<Placement>) {
    let sections = root.tables("species");
    if sections.is_empty() {
        root.fault("there is no species: `[[species]]` with name, radius, diffusion and count");
    }
    if sections.len() > Groups::MOST {
        root.fault(format!("there are {} species; at most {} are possible", sections.len(), Groups::MOST));
    }
    let mut species = Vec::new();
    let mut placement = Vec::new();
    for (n, section) in sections.into_iter().enumerate() {
        let name = name(&section, &context.species, "\"EGFR\"");
        context.species.push(name.clone());
        species.push(Species {
            radius: section.get("radius").map(|item| item.positive(&Wanted::LENGTH).unwrap_or(f64::NAN)),
            diffusion_coefficient: section
                .get("diffusion")
                .map(|item| item.not_negative(&Wanted::DIFFUSION).unwrap_or(f64::NAN)),
            drift: drift(&section, context.dimension),
            name: name.clone(),
        });
        if let Some(how) = how(&section, context, &name) {
            placement.push(Placement { species: n as u16, how });
        }
        section.finish();
    }
    (species, placement)
}

/// The name of a species or a rule: one word, used once.
pub(super) fn name(section: &Section<'_>, used: &[String], example: &str) -> String {
    let Some(item) = section.require("name", example) else {
        return String::new();
    };
    let name = item.text().unwrap_or_default();
    if used.iter().any(|known| known == name) {
        item.fault(format!("\"{name}\" is taken already: names must differ"));
    }
    let odd = |c: char| c.is_whitespace() || c.is_control() || "./[]\"=".contains(c);
    if name.is_empty() || name.contains(odd) || name.chars().all(|c| c.is_ascii_digit()) {
        item.fault(format!(
            "found \"{name}\", but a word is needed, without spaces or any of . / [ ] \" = and not \
             a bare number, for example {example}"
        ));
    }
    name.to_owned()
}

fn drift(section: &Section<'_>, dimension: usize) -> Drift {
    let read = |item: Item<'_>| {
        let section = item.section()?;
        let velocity = section.get("velocity");
        let shear = section.get("shear");
        let well = section.get("well");
        let drift = match (velocity, shear, well) {
            (Some(item), None, None) => item.components(&Wanted::VELOCITY, dimension).map(Drift::Constant),
            (None, Some(item), None) => shear_of(&item.section()?, dimension),
            (None, None, Some(item)) => well_of(&item.section()?, dimension),
            _ => {
                item.fault(
                    "exactly one of `velocity = [..]`, `shear = {rate, along, across}` and \
                     `well = {centre, relaxation}` is needed",
                );
                None
            }
        };
        section.finish();
        drift
    };
    section.get("drift").and_then(read).unwrap_or(Drift::Still)
}

fn shear_of(section: &Section<'_>, dimension: usize) -> Option<Drift> {
    let rate = section.require("rate", "\"10 /s\"").and_then(|item| item.quantity(&Wanted::RATE));
    let axis =
        |key, example| section.require(key, example).and_then(|item| super::settings::axis(&item, dimension));
    let (along, across) = (axis("along", "\"x\""), axis("across", "\"y\""));
    if along.is_some() && along == across {
        section.fault("`along` and `across` must be two different axes");
    }
    Some(Drift::Shear { rate: rate?, along: along?, across: across? })
}

fn well_of(section: &Section<'_>, dimension: usize) -> Option<Drift> {
    let centre = section
        .require("centre", "[\"1 um\", \"1 um\"]")
        .and_then(|item| item.components(&Wanted::LENGTH, dimension));
    let relaxation = section.require("relaxation", "\"1 ms\"").and_then(|item| item.positive(&Wanted::TIME));
    Some(Drift::Well { centre: centre?, relaxation: relaxation? })
}

/// Where the bodies of a species are at the start; None if there are none.
fn how(section: &Section<'_>, context: &Context<'_>, name: &str) -> Option<How> {
    let count = section.get("count");
    let placement = section.get("placement");
    if count.is_some() && placement.is_some() {
        section.fault("`count` is short for `placement = { random = .. }`: keep one of the two");
        return None;
    }
    if let Some(item) = count {
        return number(&item).map(|count| How::Random { count });
    }
    let item = placement?;
    let section = item.section()?;
    let keys = ["random", "lattice", "file", "positions"].map(|key| section.get(key));
    let how = match keys {
        [Some(item), None, None, None] => number(&item).map(|count| How::Random { count }),
        [None, Some(item), None, None] => number(&item).map(|count| How::Lattice { count }),
        [None, None, Some(item), None] => from_file(&item, context, name).map(How::Positions),
        [None, None, None, Some(item)] => listed(&item, context).map(How::Positions),
        _ => {
            item.fault(
                "exactly one of `random = 700`, `lattice = 700`, `file = \"positions.csv\"` and \
                 `positions = [[..], ..]` is needed",
            );
            None
        }
    };
    section.finish();
    how
}

/// How many bodies; None if there are none.
fn number(item: &Item<'_>) -> Option<usize> {
    let count = item.whole(0)?;
    if count >= u64::from(u32::MAX) {
        item.fault(format!("{count} bodies are more than can be numbered"));
        return None;
    }
    (count > 0).then_some(count as usize)
}

fn listed(item: &Item<'_>, context: &Context<'_>) -> Option<Vec<[f64; 3]>> {
    let read = |item: &Item<'_>| {
        let place = item.components(&Wanted::LENGTH, context.dimension)?;
        if let Some(why) = outside(&place, context) {
            item.fault(why);
        }
        Some(place)
    };
    item.list()?.iter().map(read).collect()
}

fn from_file(item: &Item<'_>, context: &Context<'_>, name: &str) -> Option<Vec<[f64; 3]>> {
    let path = context.folder.join(Path::new(item.text()?));
    let read = match positions::read(&path, context.dimension) {
        Ok(read) => read,
        Err(error) => {
            item.fault(error.to_string());
            return None;
        }
    };
    let unit = match read.unit.as_deref().map(Unit::parse) {
        None => item.bare_length(),
        Some(Ok(unit)) if unit.dimension == Wanted::LENGTH.dimension => unit,
        Some(_) => {
            let unit = read.unit.unwrap_or_default();
            item.fault(format!(
                "{}: the coordinates are in `{unit}`, which is not a length; `nm` would do",
                path.display()
            ));
            return None;
        }
    };
    let chosen = select(&read, unit, name);
    if chosen.is_empty() {
        item.fault(format!("{}: no position of {name}", path.display()));
    }
    for (row, place) in &chosen {
        if let Some(why) = outside(place, context) {
            item.fault(format!("{}: {row}: {why}", path.display()));
            return None;
        }
    }
    Some(chosen.into_iter().map(|(_, place)| place).collect())
}

/// The positions of one species, in nm, with the words for where they stand.
fn select(read: &Positions, unit: Unit, name: &str) -> Vec<(String, [f64; 3])> {
    let is_chosen = |n: &usize| match &read.species {
        Some(species) => species[*n] == name,
        None => true,
    };
    (0..read.places.len())
        .filter(is_chosen)
        .map(|n| (read.row(n), read.places[n].map(|x| unit.to_internal(x))))
        .collect()
}

fn outside(place: &[f64; 3], context: &Context<'_>) -> Option<String> {
    let k = (0..context.dimension).find(|&k| place[k] < 0.0 || place[k] > context.edges[k])?;
    Some(format!(
        "{} = {:?} nm lies outside the box, which is from 0 to {:?} nm",
        ["x", "y", "z"][k],
        place[k],
        context.edges[k]
    ))
}
