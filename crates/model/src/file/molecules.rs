//! Molecules in BioNetGen's notation become patterns of the sites that the model's species have.

use jostle_core::sites::{Attached, SiteChange, SitePattern, Sites};

use super::Context;
use super::patterns::Kinds;
use crate::nearest::nearest;
use crate::notation::{Link, Mention, Molecule};
use crate::walker::Item;

/// In how many ways the molecules of a pattern may stand for sites that are called alike.
const MOST_WAYS: usize = 4096;

/// One way in which the molecules of a complex stand for particles: of which species, and which of
/// its sites each mention means.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ComplexReading {
    pub(super) molecules: Vec<ReadMolecule>,
}

/// A molecule of a complex, as read in one way.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadMolecule {
    pub(super) species: u16,
    /// The site of each mention. \[mention\]
    pub(super) sites: Vec<u8>,
}

/// Whether a text is in that notation, and not the name of a species.
pub(super) fn is_notation(kinds: &Kinds, text: &str) -> bool {
    text.contains('(') && !kinds.is_taken(text)
}

/// All ways to read a complex: several, if sites are called alike.
pub(super) fn readings(
    item: &Item<'_>,
    kinds: &Kinds,
    complex: &[Molecule],
) -> Option<Vec<ComplexReading>> {
    let mut all = vec![ComplexReading { molecules: Vec::new() }];
    for molecule in complex {
        let ways = ways(item, kinds, molecule)?;
        if all.len() * ways.len() > MOST_WAYS {
            item.fault(format!(
                "there are more than {MOST_WAYS} ways to read this, since sites are called alike"
            ));
            return None;
        }
        let with = |reading: &ComplexReading, way: &ReadMolecule| ComplexReading {
            molecules: [reading.molecules.as_slice(), std::slice::from_ref(way)].concat(),
        };
        all = all.iter().flat_map(|r| ways.iter().map(move |way| with(r, way))).collect();
    }
    Some(all)
}

/// The ways to read one molecule: every mention means a site of its own.
fn ways(item: &Item<'_>, kinds: &Kinds, molecule: &Molecule) -> Option<Vec<ReadMolecule>> {
    let species = species(item, kinds, molecule)?;
    let sites = kinds.sites_of(species);
    let mut ways: Vec<Vec<u8>> = vec![Vec::new()];
    for mention in &molecule.sites {
        let meant = meant(item, sites, molecule, mention)?;
        let free = |way: &Vec<u8>, site: &u8| !way.contains(site);
        let extended = ways.iter().flat_map(|way| {
            let fitting = meant.iter().filter(move |site| free(way, site));
            fitting.map(move |site| [way.as_slice(), &[*site]].concat())
        });
        ways = extended.collect();
        if ways.is_empty() {
            item.fault(format!(
                "{molecule}: site \"{}\" appears more often than {} has such sites",
                mention.name, molecule.name
            ));
            return None;
        }
        // More are not even made. That these are too many is said where they are multiplied with
        // those of the other molecules.
        if ways.len() > MOST_WAYS {
            break;
        }
    }
    Some(ways.into_iter().map(|sites| ReadMolecule { species, sites }).collect())
}

fn species(item: &Item<'_>, kinds: &Kinds, molecule: &Molecule) -> Option<u16> {
    let found = kinds.exact(&molecule.name);
    if found.is_none() {
        // A name that is not known is reported there.
        match kinds.matching_text(item, &molecule.name)?.as_slice() {
            [one] => return Some(*one),
            _ => item.fault(format!(
                "\"{}\" stands for several species: write a rule for each",
                molecule.name
            )),
        }
    }
    found
}

/// The sites that a mention may mean; never none.
fn meant(
    item: &Item<'_>,
    sites: &Sites,
    molecule: &Molecule,
    mention: &Mention,
) -> Option<Vec<u8>> {
    let found: Vec<u8> = sites.called(&mention.name).collect();
    let Some(&first) = found.first() else {
        let names = || sites.list().iter().map(|site| site.name.as_str());
        let near = nearest(&mention.name, names());
        let hint = near.map_or_else(String::new, |near| format!(", did you mean \"{near}\"?"));
        let known = match sites.is_empty() {
            true => "no sites".to_owned(),
            false => names().collect::<Vec<_>>().join(", "),
        };
        item.fault(format!(
            "{molecule}: {} has no site \"{}\"{hint}; it has {known}",
            molecule.name, mention.name
        ));
        return None;
    };
    if mention.states.len() > 1 {
        item.fault(format!("{molecule}: site \"{}\" has several states at once", mention.name));
        return None;
    }
    let states = &sites.list()[first as usize].states;
    match mention.states.first().filter(|state| !states.contains(state)) {
        None => Some(found),
        Some(state) => {
            let known = if states.is_empty() { "no states".to_owned() } else { states.join(", ") };
            item.fault(format!(
                "{molecule}: site \"{}\" has no state \"{state}\"; it has {known}",
                mention.name
            ));
            None
        }
    }
}

/// The pattern that molecule `root` and all that is bound to it have to fit.
pub(super) fn pattern(
    kinds: &Kinds,
    complex: &[Molecule],
    reading: &ComplexReading,
    root: usize,
) -> SitePattern {
    let mut seen = vec![false; complex.len()];
    branch(kinds, complex, reading, root, &mut seen)
}

fn branch(
    kinds: &Kinds,
    complex: &[Molecule],
    reading: &ComplexReading,
    root: usize,
    seen: &mut [bool],
) -> SitePattern {
    seen[root] = true;
    let ReadMolecule { species, sites: numbers } = &reading.molecules[root];
    let sites = kinds.sites_of(*species);
    let mut found = SitePattern::default();
    for (mention, &site) in complex[root].sites.iter().zip(numbers) {
        if mention.bond != Link::Either {
            found.mask |= sites.bound(site);
        }
        if matches!(mention.bond, Link::Bound | Link::Numbered(_)) {
            found.value |= sites.bound(site);
        }
        if let Some(state) = state_of(sites, site, mention) {
            found.mask |= sites.state_mask(site);
            found.value |= sites.in_state(site, state);
        }
        let Link::Numbered(number) = mention.bond else { continue };
        let Some((other, at)) = other_end(complex, root, number).filter(|(n, _)| !seen[*n]) else {
            continue;
        };
        let partner = &reading.molecules[other];
        let (species, at) = (partner.species, partner.sites[at]);
        let pattern = branch(kinds, complex, reading, other, seen);
        found.attached.push(Attached { site, species, at, pattern });
    }
    // The same pattern is the same in whichever order its sites are written.
    found.attached.sort_by_key(|attached| attached.site);
    found
}

/// The number of the state that a mention names.
fn state_of(sites: &Sites, site: u8, mention: &Mention) -> Option<usize> {
    let wanted = mention.states.first()?;
    sites.list()[site as usize].states.iter().position(|state| state == wanted)
}

/// The molecule and the mention at the other end of a bond that molecule `from` has.
pub(super) fn other_end(complex: &[Molecule], from: usize, number: u32) -> Option<(usize, usize)> {
    let is_end = |site: &Mention| site.bond == Link::Numbered(number);
    complex.iter().enumerate().find_map(|(n, molecule)| {
        let at = molecule.sites.iter().position(is_end).filter(|_| n != from)?;
        Some((n, at))
    })
}

/// The states that a molecule's mentions name, as a change of its sites.
pub(super) fn states(kinds: &Kinds, molecule: &Molecule, read: &ReadMolecule) -> SiteChange {
    let sites = kinds.sites_of(read.species);
    let mut change = SiteChange::default();
    for (mention, &site) in molecule.sites.iter().zip(&read.sites) {
        if let Some(state) = state_of(sites, site, mention) {
            change.mask |= sites.state_mask(site);
            change.value |= sites.in_state(site, state);
        }
    }
    change
}

/// The particle that a text describes: by the name of its species, with `{}` states or none, or as
/// a molecule with free sites.
pub(super) fn particle(item: &Item<'_>, context: &Context<'_>, text: &str) -> Option<(u16, u64)> {
    match is_notation(&context.kinds, text) {
        true => free_particle(item, &context.kinds, text),
        false => context.kinds.one_called(item, text).map(|species| (species, 0)),
    }
}

/// A free particle that a text describes, `EGFR(Y1068~p)`: its species and its site code. Sites
/// that are not mentioned are in their first states.
pub(super) fn free_particle(item: &Item<'_>, kinds: &Kinds, text: &str) -> Option<(u16, u64)> {
    let complex = match crate::notation::complex(text) {
        Ok(complex) => complex,
        Err(error) => {
            item.fault(format!("\"{text}\", {error}"));
            return None;
        }
    };
    let [molecule] = complex.as_slice() else {
        item.fault(format!(
            "\"{text}\" is a complex, but single molecules are needed here: they bind in the run, or by \
             `clusters.bonds`"
        ));
        return None;
    };
    if let Some(site) = molecule.sites.iter().find(|site| site.bond != Link::Free) {
        item.fault(format!("\"{text}\": site \"{}\" must be free here", site.name));
        return None;
    }
    // Where sites are called alike, any reading will do: a molecule with the first of them
    // phosphorylated is one with the second.
    let reading = readings(item, kinds, &complex)?.swap_remove(0);
    let [read] = reading.molecules.as_slice() else { return None };
    Some((read.species, states(kinds, molecule, read).of(0)))
}
