//! Molecule types: as they are declared, or, where they are not, as the file uses them.

use super::lines::{Cursor, Slip};
use super::rule_lines::RuleLine;
use super::seeds::SeedLine;
use super::{MoleculeType, SiteType, patterns};
use crate::notation::{Link, Mention, Molecule};

/// A molecule type with its line.
pub(super) fn read(mut cursor: Cursor<'_>) -> Result<MoleculeType, Slip> {
    cursor.skip_index();
    let found = patterns::read(&mut cursor)?;
    // NFsim only counts such molecules; here each is a particle like others.
    cursor.takes("population");
    cursor.expect_end()?;
    let [molecule] = found.molecules.as_slice() else {
        return Err(Slip::new(found.spot, "each molecule type has a line of its own"));
    };
    if let Some(site) = molecule.sites.iter().find(|site| site.bond != Link::Free) {
        return Err(Slip::new(
            found.spot,
            format!("site `{}` has a bond: a molecule type has sites and their states", site.name),
        ));
    }
    if let Some(state) = molecule.sites.iter().find_map(doubled) {
        return Err(Slip::new(found.spot, format!("state `{state}` is declared twice")));
    }
    let site = |site: &Mention| SiteType { name: site.name.clone(), states: site.states.clone() };
    let sites: Vec<SiteType> = molecule.sites.iter().map(site).collect();
    let differs = |site: &&SiteType| {
        sites.iter().any(|other| other.name == site.name && other.states != site.states)
    };
    if let Some(site) = sites.iter().find(differs) {
        return Err(Slip::new(
            found.spot,
            format!(
                "sites `{}` have the same name and different states: name them differently",
                site.name
            ),
        ));
    }
    Ok(MoleculeType { name: molecule.name.clone(), sites, spot: found.spot })
}

fn doubled(site: &Mention) -> Option<&String> {
    site.states
        .iter()
        .enumerate()
        .find_map(|(n, state)| site.states[..n].contains(state).then_some(state))
}

/// The types of a file that declares none: the sites are those of the seed species and of what is
/// created, the states all that are written.
pub(super) fn used(seeds: &[SeedLine], rules: &[RuleLine]) -> Vec<MoleculeType> {
    let whole = seeds.iter().map(|seed| &seed.pattern);
    let partial = || rules.iter().flat_map(|rule| rule.sides.iter().flatten());
    let mut types: Vec<MoleculeType> = Vec::new();
    for placed in whole.chain(partial()) {
        for molecule in &placed.molecules {
            if !types.iter().any(|known| known.name == molecule.name) {
                let site =
                    |site: &Mention| SiteType { name: site.name.clone(), states: Vec::new() };
                let sites = molecule.sites.iter().map(site).collect();
                types.push(MoleculeType { name: molecule.name.clone(), sites, spot: placed.spot });
            }
        }
    }
    let partial = || partial().flat_map(|placed| &placed.molecules);
    let seeded = seeds.iter().flat_map(|seed| &seed.pattern.molecules);
    for molecule in seeded.chain(partial()) {
        add_states(&mut types, molecule);
    }
    types
}

fn add_states(types: &mut [MoleculeType], molecule: &Molecule) {
    let Some(known) = types.iter_mut().find(|known| known.name == molecule.name) else { return };
    for mention in &molecule.sites {
        for site in known.sites.iter_mut().filter(|site| site.name == mention.name) {
            let new = mention.states.iter().filter(|state| !site.states.contains(state));
            let new: Vec<_> = new.cloned().collect();
            site.states.extend(new);
        }
    }
}
