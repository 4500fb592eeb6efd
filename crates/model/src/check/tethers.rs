//! Tethers that rules make: between particles that can have them, and long enough.

use jostle_core::rules::ContactRule;
use jostle_core::space::Groups;

use crate::walker::Reader;
use crate::{Model, measure};

/// Notes everything in `reader`, one fault for each rule.
pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    let apart = measure::apart(model);
    for rule in &model.rules().contact {
        let Some(length) = rule.tether else { continue };
        let mut pairs = rule.cases.iter().map(|case| case.species);
        if let Some(why) = pairs.find_map(|pair| fault(model, &apart, pair, length)) {
            reader.fault_at(&format!("rule.{}.length", rule.name), why);
        }
    }
}

/// What is wrong with tethers of this `length` \[nm\] between particles of two species, if anything;
/// `apart` says which species keep each other out.
pub(super) fn fault(model: &Model, apart: &Groups, pair: [u16; 2], length: f64) -> Option<String> {
    let name = |species: u16| &model.species[usize::from(species)].name;
    let [a, b] = pair;
    let edges = (0..model.space.dimension).filter(|&k| model.space.periodic[k]);
    let shortest = edges.map(|k| model.space.edges[k]).fold(f64::INFINITY, f64::min);
    if 2.0 * length > 0.999 * shortest {
        return Some(format!(
            "it is {length:?} nm long, and the shortest periodic edge of the box is {shortest:?} nm: the edge has to be \
             more than twice as long as a tether"
        ));
    }
    if let Some(why) = pair.into_iter().find_map(|species| unfit(model, species)) {
        return Some(why);
    }
    let contact = model.contact_distance(pair);
    if contact * (1.0 + 1e-6) > length {
        return Some(format!(
            "{} and {} touch at {contact:?} nm (the sum of their radii), which is no less than the tether, {length:?} nm",
            name(a),
            name(b)
        ));
    }
    if !apart.interact(a, b) {
        return Some(format!(
            "{} and {} pass or ignore each other by a rule: tethers are between particles that keep each other out",
            name(a),
            name(b)
        ));
    }
    let surfaces = pair.map(|s| model.surroundings().anchor(s).map(|anchor| anchor.surface));
    if let [Some(one), Some(other)] = surfaces
        && one != other
    {
        return Some(format!(
            "{} and {} live on different surfaces: tethers are between particles in the volume, on one surface, or in \
             the volume and on a surface",
            name(a),
            name(b)
        ));
    }
    None
}

/// Why particles of a species cannot have tethers.
fn unfit(model: &Model, species: u16) -> Option<String> {
    let kind = &model.species[usize::from(species)];
    let of_species = |rule: &&ContactRule| rule.cases.iter().any(|c| c.species.contains(&species));
    let mut rules = model.rules().contact.iter().filter(of_species);
    let binds = |rule: &ContactRule| {
        let effect = rule.action.effect();
        effect.merges || effect.makes_bond && rule.tether.is_none()
    };
    if let Some(rule) = rules.find(|rule| binds(rule)) {
        let how = match rule.action.effect().merges {
            true => "coalesces with others",
            false => "is bound rigidly",
        };
        return Some(format!(
            "{} {how} by rule \"{}\": a particle that is tethered has tethers only; use merge = \"tether\" there, too",
            kind.name, rule.name
        ));
    }
    let is_in_rigid = model.molecules().iter().any(|molecule| {
        molecule.joints.tether().is_none() && molecule.spheres.iter().any(|s| s.species == species)
    });
    if is_in_rigid {
        return Some(format!(
            "{} is part of a rigid `[[molecule]]`: a particle that is tethered has tethers only",
            kind.name
        ));
    }
    if kind.radius.is_none() {
        return Some(format!(
            "{} has no radius of its own, so that it is not known how near others it gets",
            kind.name
        ));
    }
    kind.sites.are_directed().then(|| {
        format!("{} has sites that point somewhere, at which there are no tethers yet", kind.name)
    })
}
