//! Molecules with sites keep them: they bind by bonds, and do not coalesce. Those whose sites point
//! somewhere turn freely, so that no surface may hold them.

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

pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    for (n, species) in model.species.iter().enumerate() {
        if species.sites.are_directed() && model.surroundings().anchor(n as u16).is_some() {
            reader.fault_of_species(
                &species.name,
                "sites",
                format!(
                    "{} is confined to a surface, and its sites point somewhere: that is possible only for \
                     particles that move and turn freely, in 2D or in 3D",
                    species.name
                ),
            );
        }
    }
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
