//! Molecules of several spheres: none that overlap, and none on surfaces; tethers that can hold.

use super::tethers;
use crate::templates::{Joints, MoleculeSphere, MoleculeTemplate, SphereBond};
use crate::walker::Reader;
use crate::{Model, measure};

/// How much closer than touching spheres may be by rounding, relative to their distance.
const ROUNDING: f64 = 1e-15;

/// How far from contact two that a rule has bound may be, relative to their distance.
const TOUCHING: f64 = 1e-9;

/// Notes everything in `reader`.
pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    for molecule in model.molecules() {
        let fault = |why: String| {
            let key = if molecule.complex.is_some() { "complex" } else { "spheres" };
            reader.fault_at(&format!("molecule.{}.{key}", molecule.name), why);
        };
        if !matches!(molecule.joints, Joints::Chain(_)) {
            overlap(model, molecule).into_iter().for_each(fault);
            bonds(model, molecule).into_iter().for_each(fault);
            size(model, molecule).into_iter().for_each(fault);
        }
        if let Some(length) = molecule.joints.tether() {
            let fault = |why: String| {
                reader.fault_at(&format!("molecule.{}.tether", molecule.name), why);
            };
            tethers(model, molecule, length).into_iter().for_each(fault);
        }
        let on_surface = molecule
            .spheres
            .iter()
            .map(|s| s.species)
            .find(|&s| model.surroundings().anchor(s).is_some());
        if let Some(species) = on_surface {
            fault(format!(
                "{} is confined to a surface, where the spheres of a molecule cannot turn as one: molecules of several \
                 spheres move in the volume",
                model.species[usize::from(species)].name
            ));
        }
    }
}

/// Spheres that are farther apart than their tether, or cannot be tethered at all.
fn tethers(model: &Model, molecule: &MoleculeTemplate, length: f64) -> Option<String> {
    let apart = measure::apart(model);
    molecule.joined(&model.species).find_map(|pair| {
        let [a, b] = pair.map(|n| &molecule.spheres[n]);
        let why = tethers::fault(model, &apart, [a.species, b.species], length);
        let distance = b.beside(a).norm();
        why.or_else(|| {
            (distance > length).then(|| {
                format!(
                    "spheres {} and {} (counted from 1) are {distance:?} nm apart, and the tether is {length:?} nm long",
                    pair[0] + 1,
                    pair[1] + 1
                )
            })
        })
    })
}

/// A bond of a rule between two spheres that this rule could not have made.
fn bonds(model: &Model, molecule: &MoleculeTemplate) -> Option<String> {
    let spheres = &molecule.spheres;
    if spheres[0].bond.is_some() {
        return Some(
            "the first sphere has none before it: `bond` is for those that follow".to_owned(),
        );
    }
    if spheres.iter().any(|sphere| sphere.bond.is_some()) && molecule.joints != Joints::Rigid {
        return Some(
            "spheres that are tethered have no `bond` of a rule: drop one of the two".to_owned(),
        );
    }
    let (pairs, bonds): (Vec<_>, Vec<_>) = model.bonds_of(molecule).into_iter().unzip();
    let sites = model.sites_of_first_bonds(&bonds);
    pairs.into_iter().zip(bonds).zip(sites).find_map(|(([a, b], bond), sites)| {
        let Some(rule) = bond.rule else { return none_makes(model, spheres, [a, b]) };
        spheres[b].bond.as_ref()?;
        let name = &model.rules().contact[usize::from(rule)].name;
        let species = [a, b].map(|n| spheres[n].species);
        let names = species.map(|species| &model.species[usize::from(species)]);
        let [first, second] = names.map(|species| species.name.as_str());
        let contact = names[0].radius? + names[1].radius?;
        let distance = spheres[b].beside(&spheres[a]).norm();
        if model.rules().contact[usize::from(rule)].case_of(species[0], species[1]).is_none() {
            return Some(format!("rule \"{name}\" binds no {first} and {second}"));
        }
        if (distance / contact - 1.0).abs() > TOUCHING {
            return Some(format!(
                "spheres {} and {} (counted from 1) are {distance:?} nm apart: bound by \"{name}\", they touch, at \
                 {contact:?} nm",
                a + 1,
                b + 1
            ));
        }
        if names.iter().any(|species| species.sites.are_directed()) {
            return Some(format!(
                "{first} and {second} are bound by \"{name}\" and have sites that point somewhere: let them bind \
                 during the run"
            ));
        }
        sites.is_none().then(|| {
            format!(
                "the bond between spheres {} and {} (counted from 1) finds no pair of free sites that \"{name}\" joins",
                a + 1,
                b + 1
            )
        })
    })
}

/// That no rule makes the bond between two spheres.
fn none_makes(model: &Model, spheres: &[MoleculeSphere], [a, b]: [usize; 2]) -> Option<String> {
    match spheres[b].bond.as_ref()? {
        SphereBond::Rule(name) => {
            Some(format!("\"{name}\" is not a rule with `do = \"bind\"` and `merge = \"bond\"`"))
        }
        SphereBond::Sites { sites, .. } => {
            let [(a, s), (b, t)] = [(a, sites[0]), (b, sites[1])].map(|(n, site)| {
                let species = &model.species[usize::from(spheres[n].species)];
                (species.name.as_str(), species.sites.list()[usize::from(site)].family())
            });
            Some(format!(
                "no rule with `merge = \"bond\"` binds {a} at {s} and {b} at {t}, so that the two cannot be bound at the \
                 start"
            ))
        }
    }
}

/// Two spheres that overlap, though they may not.
fn overlap(model: &Model, molecule: &MoleculeTemplate) -> Option<String> {
    let apart = measure::apart(model);
    let spheres = &molecule.spheres;
    let mut pairs = (0..spheres.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
    pairs.find_map(|pair| {
        let [a, b] = pair.map(|n| &spheres[n]);
        let distance = b.beside(a).norm();
        let radius = |species: u16| model.species[usize::from(species)].radius;
        let contact = radius(a.species)? + radius(b.species)?;
        let overlaps =
            apart.interact(a.species, b.species) && distance < contact * (1.0 - ROUNDING);
        overlaps.then(|| {
            format!(
                "spheres {} and {} (counted from 1) overlap: their centres are {distance:?} nm apart, their radii add \
                 up to {contact:?} nm",
                pair[0] + 1,
                pair[1] + 1
            )
        })
    })
}

/// A molecule that could touch its own image across a periodic box.
fn size(model: &Model, molecule: &MoleculeTemplate) -> Option<String> {
    let radius = |species: u16| model.species[usize::from(species)].radius.unwrap_or(f64::NAN);
    let across = molecule.spheres.iter().flat_map(|a| {
        let span = |b| a.beside(b).norm() + radius(a.species) + radius(b.species);
        molecule.spheres.iter().map(span)
    });
    let across = across.fold(0.0, f64::max);
    let too_short = |&k: &usize| model.space.periodic[k] && across > 0.5 * model.space.edges[k];
    let k = (0..model.space.dimension).find(too_short)?;
    Some(format!(
        "{} is {across:?} nm across, more than half of the periodic box along {}, {:?} nm: it could touch itself; use \
         a larger box",
        molecule.name,
        ["x", "y", "z"][k],
        model.space.edges[k]
    ))
}
