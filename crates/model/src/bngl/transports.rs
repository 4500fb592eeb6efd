//! Rules by which molecules get from one volume to another.

use super::lines::{Slip, Spot};
use super::places::SITE;
use super::{Network, OneWay, kinds};
use crate::notation::{Mention, Molecule};

/// How many molecules of a type go through the membrane between two volumes, per time and molecule.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transport {
    pub(super) species: String,
    pub(super) from: usize,
    pub(super) into: usize,
    /// \[1 per unit of time\]
    pub(super) rate: f64,
    pub(super) spot: Spot,
}

/// Takes rules by which molecules move out of a network, and the sites that say where molecules are out of
/// all others.
pub(super) fn take(network: &mut Network, slips: &mut Vec<Slip>) -> Vec<Transport> {
    let mut found = Vec::new();
    if network.compartments.is_empty() {
        return found;
    }
    let rules = std::mem::take(&mut network.rules);
    let (moving, staying): (Vec<_>, Vec<_>) = rules.into_iter().partition(|rule| {
        rule.forth.changes.states.iter().any(|(site, _)| {
            let molecule = rule.forth.reactants.iter().flatten().nth(site.molecule);
            molecule.is_some_and(|one| one.sites[site.site].name == SITE)
        })
    });
    network.rules = staying;
    for rule in moving {
        for way in [Some(&rule.forth), rule.back.as_ref()].into_iter().flatten() {
            match transport(network, way) {
                Ok((species, from, into)) => {
                    found.push(Transport { species, from, into, rate: way.rate, spot: rule.spot });
                }
                Err(why) => {
                    slips.push(Slip::new(rule.spot, why));
                    break;
                }
            }
        }
    }
    let is_site = |mention: &Mention| mention.name == SITE;
    let clear = |molecule: &mut Molecule| molecule.sites.retain(|mention| !is_site(mention));
    network.types.iter_mut().for_each(|known| known.sites.retain(|site| site.name != SITE));
    for rule in &mut network.rules {
        for way in [Some(&mut rule.forth), rule.back.as_mut()].into_iter().flatten() {
            let created = way.changes.created.iter_mut();
            way.reactants
                .iter_mut()
                .chain(&mut way.products)
                .chain(created)
                .flatten()
                .for_each(clear);
        }
    }
    found
}

/// What moves, and from where to where.
fn transport(network: &Network, way: &OneWay) -> Result<(String, usize, usize), String> {
    let molecules = |side: &[Vec<Molecule>]| side.iter().flatten().next().cloned();
    let (Some(before), Some(after)) = (molecules(&way.reactants), molecules(&way.products)) else {
        return Err("it is not plain which molecule moves".to_owned());
    };
    let place = |molecule: &Molecule| {
        let mention = molecule.sites.iter().find(|mention| mention.name == SITE);
        let name = mention.and_then(|mention| mention.states.first());
        network.compartments.iter().position(|known| Some(&known.name) == name)
    };
    let declared = network.molecule_type(&before.name);
    let can_bind = declared.is_some_and(|declared| {
        declared.sites.iter().any(|site| kinds::binds(network, &before.name, &site.name))
    });
    let names =
        [&before, &after].map(|one| place(one).map_or("?", |n| &network.compartments[n].name));
    let moves = format!("{} gets from {} to {} by a permeability", before.name, names[0], names[1]);
    if before.sites.iter().any(|mention| mention.name != SITE && !mention.states.is_empty()) {
        return Err(format!(
            "{moves}, which is that of all its molecules: here the rule is for those in one state only"
        ));
    }
    if can_bind {
        return Err(format!(
            "{moves}, which lets molecules through one by one: it can be bound to others, and BioNetGen moves them \
             together"
        ));
    }
    if way.law.is_some() {
        return Err(format!("{moves}, which is constant: the rate of this rule changes"));
    }
    match (place(&before), place(&after)) {
        (Some(from), Some(into)) => Ok((before.name, from, into)),
        _ => Err(format!("{moves}: in which compartments is missing")),
    }
}
