//! The `[[molecule]]` tables: molecules of several spheres.

use crate::templates::{Joints, MoleculeSphere, MoleculeTemplate, SphereBond, SphereTurn};
use crate::walker::{Item, Section, sound};
use crate::{Model, Placement, PlacementMethod};
use jostle_core::rules::{Action, BondGeometry, Chance, ContactRule};
use jostle_core::space::Vector;
use jostle_core::species::Species;

use super::amounts::amount;
use super::{Context, complexes, molecules, particles, sites};

/// The molecules, and a placement for each sphere of each, which are to follow the `placed` ones of
/// the species.
pub(super) fn molecules(
    root: &Section<'_>,
    context: &Context<'_>,
    species: &[Species],
    placed: usize,
) -> (Vec<MoleculeTemplate>, Vec<Placement>) {
    let mut found: Vec<MoleculeTemplate> = Vec::new();
    let mut placement = Vec::new();
    for section in root.tables("molecule") {
        let name = section.require("name").map(|item| {
            let used = found.iter().map(|molecule| molecule.name.clone()).collect();
            let name = particles::name(&item, &used);
            if context.kinds.is_taken(&name) {
                item.fault(format!("\"{name}\" is already taken by a species: names must differ"));
            }
            name
        });
        let body = body(&section, context, species);
        let complex = body.as_ref().and_then(|_| Some(section.get("complex")?.text()?.to_owned()));
        let count = section.get("count");
        let origin = count.as_ref().map_or_else(|| section.origin(), Item::origin);
        let amount = count.and_then(|item| amount(&item, context.dimension));
        let (count, asked) = amount.map_or((0, None), |amount| amount.parts());
        section.finish();
        let (Some(name), Some((spheres, joints))) = (name, body) else { continue };
        let first = placed + placement.len();
        placement.extend(spheres.iter().enumerate().map(|(n, sphere)| Placement {
            species: sphere.species,
            sites: sphere.sites,
            how: PlacementMethod::InMolecules { count },
            // The others are as many as the first.
            asked: asked.filter(|_| n == 0),
            origin: origin.clone(),
        }));
        found.push(MoleculeTemplate { name, complex, spheres, joints, placement: first });
    }
    (found, placement)
}

/// The spheres, and what holds them together.
fn body(
    section: &Section<'_>,
    context: &Context<'_>,
    species: &[Species],
) -> Option<(Vec<MoleculeSphere>, Joints)> {
    let tether = section.get("tether").map(|item| item.quantity());
    match (section.get("spheres"), section.get("chain"), section.get("complex")) {
        (None, None, Some(item)) => {
            if tether.is_some() {
                section.fault("a `complex` is rigid: drop `tether`");
            }
            Some((complexes::spheres(&item, context, species)?, Joints::Rigid))
        }
        (Some(item), None, None) => {
            let joints = tether.map_or(Some(Joints::Rigid), |length| length.map(Joints::Tethers));
            Some((spheres(&item, context)?, joints?))
        }
        (None, Some(item), None) => {
            if tether.is_none() {
                section.fault(
                    "`tether` is missing: how far apart the centres of neighbours in the chain can be, for example \
                     \"8 nm\"",
                );
            }
            let spheres = chain(&item, context)?;
            Some((spheres, Joints::Chain(tether??)))
        }
        _ => {
            section.fault(
                "exactly one of `spheres = [{ species, at }, ..]`, `chain = { species, length }` and \
                 `complex = \"A(b!1).B(a!1)\"` is needed",
            );
            None
        }
    }
}

/// `{ species = "Bead", length = 50 }`
fn chain(item: &Item<'_>, context: &Context<'_>) -> Option<Vec<MoleculeSphere>> {
    let section = item.section()?;
    let particle = section
        .require("species")
        .and_then(|item| molecules::particle(&item, context, item.text()?));
    let length: Option<usize> = section.setting("length");
    section.finish();
    let (species, sites) = particle?;
    // Where each is laid is a matter of chance.
    Some(vec![MoleculeSphere { species, sites, at: [0.0; 3], turn: None, bond: None }; length?])
}

fn spheres(item: &Item<'_>, context: &Context<'_>) -> Option<Vec<MoleculeSphere>> {
    let list = item.list()?;
    if list.len() < 2 {
        item.fault(
            "a molecule has two spheres or more; of a single one a `[[species]]` with a `count` is enough",
        );
        return None;
    }
    let read: Vec<_> = list.iter().map(|item| sphere(item, context)).collect();
    read.into_iter().collect()
}

fn sphere(item: &Item<'_>, context: &Context<'_>) -> Option<MoleculeSphere> {
    let section = item.section()?;
    let particle = section
        .require("species")
        .and_then(|item| molecules::particle(&item, context, item.text()?));
    let at = section.require("at").and_then(|item| item.components(context.dimension));
    let turn = section.get("turn").map(|item| turn(&item, context.dimension));
    let bond =
        section.get("bond").map(|item| item.text().map(|name| SphereBond::Rule(name.to_owned())));
    section.finish();
    let turn = sound(turn)?;
    let (species, sites) = particle?;
    let bond = sound(bond)?;
    Some(MoleculeSphere { species, sites, at: at?, turn, bond })
}

/// An angle about the z axis, or `{ axis = [..], angle = ".." }`.
fn turn(item: &Item<'_>, dimension: usize) -> Option<SphereTurn> {
    if dimension == 1 {
        item.fault("in one dimension nothing turns: drop `turn`");
        return None;
    }
    if !item.is_table() {
        return Some(SphereTurn { axis: Vector([0.0, 0.0, 1.0]), angle: item.quantity()? });
    }
    let section = item.section()?;
    let axis = section.require("axis").and_then(|item| match dimension {
        2 => {
            item.fault(
                "in two dimensions there is one axis: write the angle alone, `turn = \"90 deg\"`",
            );
            None
        }
        _ => sites::unit_vector(&item, 3),
    });
    let angle: Option<f64> = section.setting("angle");
    section.finish();
    Some(SphereTurn { axis: axis?, angle: angle? })
}

/// The rule that the bonds or tethers of a molecule belong to. It applies to no contact.
pub(super) fn rule(molecule: &MoleculeTemplate) -> ContactRule {
    ContactRule {
        name: molecule.name.clone(),
        cases: Vec::new(),
        action: Action::Bond,
        chance: Chance::Intrinsic(0.0),
        conditions: Default::default(),
        windows: Vec::new(),
        region: None,
        geometry: BondGeometry::default(),
        tether: molecule.joints.tether(),
    }
}

/// Of each molecule there are as many of all spheres as of the first, now that this is known.
pub(super) fn settle(model: &mut Model) {
    let all: Vec<_> = model.molecules().iter().map(|m| (m.placement, m.spheres.len())).collect();
    for (first, spheres) in all {
        let how = model.placement[first].how.clone();
        model.placement[first..first + spheres].iter_mut().for_each(|p| p.how = how.clone());
    }
}
