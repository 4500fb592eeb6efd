//! Sites with one state, which says nothing: particles have such sites without states.

use super::lines::Slip;
use super::{Network, OneWay, SiteRef};
use crate::notation::Molecule;

/// Takes away the state of every site that has only one.
pub(super) fn drop_single(network: &mut Network, notes: &mut Vec<Slip>) {
    let mut single: Vec<(String, String)> = Vec::new();
    for declared in &mut network.types {
        for site in declared.sites.iter_mut().filter(|site| site.states.len() == 1) {
            let of = (declared.name.clone(), site.name.clone());
            if !single.contains(&of) {
                let text = format!(
                    "site `{}` of `{}` has the one state `{}`, which says nothing and is left out",
                    site.name, declared.name, site.states[0]
                );
                notes.push(Slip::new(declared.spot, text));
                single.push(of);
            }
            site.states.clear();
        }
    }
    if single.is_empty() {
        return;
    }
    let clear = |molecule: &mut Molecule| {
        for site in &mut molecule.sites {
            if single.iter().any(|(name, own)| *name == molecule.name && *own == site.name) {
                site.states.clear();
            }
        }
    };
    network.seeds.iter_mut().flat_map(|seed| &mut seed.molecules).for_each(clear);
    let observed = network.observables.iter_mut().flat_map(|observable| &mut observable.patterns);
    observed.flatten().for_each(clear);
    for rule in &mut network.rules {
        for way in [Some(&mut rule.forth), rule.back.as_mut()].into_iter().flatten() {
            let OneWay { reactants, products, changes, .. } = way;
            let is_left = |site: &SiteRef| {
                let molecule = reactants.iter().flatten().nth(site.molecule);
                let mention = molecule.and_then(|molecule| molecule.sites.get(site.site));
                molecule.zip(mention).is_some_and(|(molecule, mention)| {
                    single.iter().all(|(name, own)| *name != molecule.name || *own != mention.name)
                })
            };
            changes.states.retain(|(site, _)| is_left(site));
            let sides = reactants.iter_mut().chain(products).chain(&mut changes.created);
            sides.flatten().for_each(clear);
        }
    }
}
