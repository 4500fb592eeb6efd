//! Molecules with sites keep them: they bind by bonds, and do not coalesce. Those whose sites point
//! somewhere turn freely or, on a plane, about its normal.

use std::collections::BTreeSet;

use jostle_core::environment::Form;
use jostle_core::rules::{Case, ContactRule};

use crate::templates::is_of_molecules;
use crate::walker::Reader;
use crate::{FirstBond, Model};

/// Whether a bond at the start fixes where a site points: it ends there, or holds a molecule of
/// several spheres together.
fn is_directed(model: &Model, bond: &FirstBond) -> bool {
    let directed =
        |(species, _): &(u16, usize)| model.species[*species as usize].sites.are_directed();
    let Some(rule) = bond.rule.map(|rule| &model.rules().contact[rule as usize]) else {
        return false;
    };
    let joins = rule.cases.iter().find_map(|case| case.joins());
    (joins.is_some() || is_of_molecules(rule)) && bond.ends.iter().any(directed)
}

/// What lives on a surface binds in line only what lives there, too, and along the surface.
fn on_surfaces(model: &Model, reader: &Reader<'_>) {
    // Rules for several species would say the same several times.
    let mut said = BTreeSet::new();
    let bonds = model.rules().contact.iter().filter(|rule| rule.action.effect().makes_bond);
    for (rule, case) in bonds.flat_map(|rule| rule.cases.iter().map(move |case| (rule, case))) {
        for (key, message) in out_of_line(model, rule, case) {
            if said.insert((key.clone(), message.clone())) {
                reader.fault_at(&key, message);
            }
        }
    }
}

/// Why two that a rule binds cannot be brought in line because of the surface that one of them lives on.
/// Each with the key that is at fault.
fn out_of_line(model: &Model, rule: &ContactRule, case: &Case<2>) -> Vec<(String, String)> {
    let Some(joins) = case.joins() else { return Vec::new() };
    let kinds = case.species.map(|species| &model.species[usize::from(species)]);
    let surface = |n: usize| model.surroundings().anchor(case.species[n]).map(|one| one.surface);
    let directions = [0, 1].map(|n| kinds[n].sites.direction(joins[n]));
    let mut faults = Vec::new();
    for n in 0..2 {
        let (Some(on), Some(direction)) = (surface(n), directions[n]) else { continue };
        let [name, other] = [n, 1 - n].map(|n| kinds[n].name.as_str());
        let site = kinds[n].sites.list()[usize::from(joins[n])].family();
        let membrane = &model.surroundings().surfaces[usize::from(on)].name;
        if surface(1 - n) != Some(on) {
            faults.push((
                format!("rule.{}", rule.name),
                format!(
                    "{name} lives on \"{membrane}\" and its site {site} points somewhere, but {other} does not live \
                     there: such a site binds only along the surface; give {site} no `direction`, or let {other} \
                     live `on = \"{membrane}\"`, too"
                ),
            ));
        } else if direction.axis[2] != 0.0 {
            faults.push((
                format!("species.{name}.sites"),
                format!(
                    "{name} binds {other} along \"{membrane}\", on which both live, so its site {site} has to point \
                     along it: the third component of `direction`, which is along the normal, is 0"
                ),
            ));
        }
    }
    if rule.geometry.torsion.is_some() && surface(0).is_some() && surface(0) == surface(1) {
        let [first, second] = kinds.map(|kind| kind.name.as_str());
        faults.push((
            format!("rule.{}.torsion", rule.name),
            format!(
                "{first} and {second} live on one surface and turn about its normal alone, so that there is no \
                 torsion: drop `torsion`"
            ),
        ));
    }
    faults
}

pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    for (n, species) in model.species.iter().enumerate() {
        let Some(anchor) = model.surroundings().anchor(n as u16) else { continue };
        let surface = &model.surroundings().surfaces[usize::from(anchor.surface)];
        let is_plane = matches!(surface.form, Form::Plane { .. }) && model.space.dimension == 3;
        if species.sites.are_directed() && !is_plane {
            reader.fault_of_species(
                &species.name,
                "sites",
                format!(
                    "{} lives on \"{}\", and its sites point somewhere: on surfaces that is possible only on a \
                     plane in three dimensions, about whose normal particles turn",
                    species.name, surface.name
                ),
            );
        }
    }
    on_surfaces(model, reader);
    if let Some(bond) = model.bonds().iter().find(|bond| is_directed(model, bond)) {
        let [a, b] = bond.ends.map(|(species, _)| &model.species[species as usize].name);
        reader.fault_at(
            "clusters.bonds",
            format!(
                "{a} and {b} are bonded and have sites that point somewhere, and given positions do not say how they \
                 are turned: let them bind during the run"
            ),
        );
    }
    let sites = model.sites_of_first_bonds(model.bonds());
    let lacking = model
        .bonds()
        .iter()
        .zip(sites)
        .find(|(bond, sites)| bond.rule.is_some() && sites.is_none());
    if let Some((bond, _)) = lacking {
        let [a, b] = bond.ends.map(|(species, number)| {
            format!("{} number {}", model.species[species as usize].name, number + 1)
        });
        reader.fault_at(
            "clusters.bonds",
            format!(
                "the bond between {a} and {b} finds no pair of free sites that its rule joins: each site has one \
                 bond at most"
            ),
        );
    }
    let has_sites = |species: &u16| !model.species[*species as usize].sites.is_empty();
    for rule in model.rules().contact.iter().filter(|rule| rule.action.effect().merges) {
        let mut named =
            rule.cases.iter().flat_map(|case| case.species.iter().chain(&case.products));
        if let Some(species) = named.find(|species| has_sites(species)) {
            reader.fault_at(
                &format!("rule.{}", rule.name),
                format!(
                    "{} has sites, which a coalesced particle would lose: use merge = \"bond\" with \
                     `at = [..]`, or write the complex, as in \"A(b) + B(a) -> A(b!1).B(a!1)\"",
                    model.species[*species as usize].name
                ),
            );
        }
    }
}
