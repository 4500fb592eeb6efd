//! Molecules with sites keep them: they bind by bonds, and do not coalesce. Those whose sites point
//! somewhere turn freely or, on a plane, about its normal.

use std::collections::BTreeSet;
use std::f64::consts::PI;

use jostle_core::environment::Form;
use jostle_core::rules::{Case, Chance, ContactRule, Encounter, Side};
use jostle_core::species::MobilityLaw;

use crate::templates::is_of_molecules;
use crate::walker::Reader;
use crate::{FirstBond, Model, measure};

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

/// What lives on a surface binds in line along the surface, or what comes to it from one side.
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

/// Why what comes from space cannot be bound, or not alike from all directions, by a site that points somewhere of
/// what lives on a plane: that of number `n` of a case.
fn out_of_reach(model: &Model, rule: &ContactRule, case: &Case<2>, n: usize) -> Option<String> {
    let around = model.surroundings();
    let [target, guest] = [n, 1 - n].map(|n| case.species[n]);
    let [kind, other] = [target, guest].map(|s| &model.species[usize::from(s)]);
    let joins = case.joins()?;
    let (site, direction) =
        (kind.sites.list()[usize::from(joins[n])].family(), kind.sites.direction(joins[n])?);
    let anchor = around.anchor(target)?;
    let surface = &around.surfaces[usize::from(anchor.surface)];
    let Form::Plane { axis, at } = surface.form else { return None };
    let (name, guest_name, membrane) = (&kind.name, &other.name, &surface.name);
    if matches!(rule.chance, Chance::Probability(_)) {
        return Some(format!(
            "{guest_name} comes to site {site} of {name} on \"{membrane}\", and touches it oftener from some directions \
             than from others: give a rate constant (`rate`) instead of a probability"
        ));
    }
    let rigid = model.rules().contact.iter().filter(|rule| rule.action.effect().makes_bond);
    let is_still = |s: &u16| {
        around.anchor(*s).is_none()
            && model.species[usize::from(*s)].diffusion_coefficient == Some(0.0)
    };
    let stops = match model.brownian().map(|brownian| &brownian.mobility) {
        Some(MobilityLaw::Immobile) => true,
        Some(MobilityLaw::Table(factors)) => factors.contains(&0.0),
        _ => false,
    };
    if stops
        || rigid.flat_map(|rule| &rule.cases).flat_map(|case| case.species).any(|s| is_still(&s))
    {
        return Some(format!(
            "{guest_name} comes to site {site} of {name} on \"{membrane}\", which points somewhere: then all that is not \
             on a surface and can be bonded has to diffuse, free or bound"
        ));
    }
    let contact = kind.radius? + other.radius?;
    let met = around.encounter(model.space.dimension, &model.species, target, guest);
    let Encounter::Target { clearance, .. } = met else { return None };
    let is_at = |face: f64| !model.space.periodic[axis] && at == face;
    let [bottom, top] = [is_at(0.0), is_at(model.space.edges[axis])];
    // Of a plane, the inner side is above.
    let is_above = direction.axis[2] > 0.0;
    let is_kept = |side: &&Side| side.surface == anchor.surface;
    let is_away = around.sides(guest).iter().find(is_kept).is_some_and(|s| s.inside != is_above);
    let side = if is_above { "above" } else { "below" };
    if anchor.faces.is_some_and(|faced| faced != is_above)
        || is_away
        || (bottom && !is_above)
        || (top && is_above)
    {
        return Some(format!(
            "site {site} of {name} points {side} \"{membrane}\", where {guest_name} never touches {name}"
        ));
    }
    let clearance = match (clearance, bottom || top) {
        (clearance, true) => Some(clearance.unwrap_or(0.0).max(other.radius?)),
        (None, false) => anchor.faces.map(|_| 0.0),
        (known, false) => known,
    };
    let widest = clearance.map_or(PI, |clearance| libm::acos((clearance / contact).min(1.0)));
    let tilt = libm::acos(direction.axis[2].abs().min(1.0));
    // Openings are given in degrees.
    let fits = tilt + direction.opening <= widest * (1.0 + 1e-9) || widest == PI;
    (!fits).then(|| {
        let [tilt, opening, widest] = [tilt, direction.opening, widest].map(measure::angle);
        format!(
            "site {site} of {name} is {tilt} off the normal of \"{membrane}\" and accepts what is up to {opening} off \
             its direction, but {guest_name} touches {name} within {widest} of the normal only: all of the opening has \
             to be within that"
        )
    })
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
        if surface(1 - n).is_none() {
            let why = out_of_reach(model, rule, case, n);
            faults.extend(why.map(|why| (format!("rule.{}", rule.name), why)));
        } else if surface(1 - n) != Some(on) {
            faults.push((
                format!("rule.{}", rule.name),
                format!(
                    "{name} lives on \"{membrane}\" and its site {site} points somewhere, but {other} lives on another \
                     surface: give {site} no `direction`, or let {other} live `on = \"{membrane}\"`, too"
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
