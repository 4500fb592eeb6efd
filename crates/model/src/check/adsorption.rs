//! What gets onto a surface comes to live there, and can come off again as it was.

use crate::Model;
use crate::surroundings::SurfaceModel;
use crate::walker::Reader;
use jostle_core::environment::{Adsorption, Manner};
use jostle_core::rules::Case;
use jostle_core::sites::Sites;

pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    for (number, surface) in (0..).zip(&model.surroundings().surfaces) {
        for (species, manner) in (0..).zip(&surface.manners) {
            if let Manner::Adsorb(adsorption) = manner {
                let said = faults(model, (number, surface), species, *adsorption);
                let key = format!("surface.{}", surface.name);
                said.into_iter().for_each(|fault| reader.fault_at(&key, fault));
            }
        }
    }
}

fn faults(
    model: &Model,
    (number, surface): (u16, &SurfaceModel),
    species: u16,
    Adsorption { permeability, becomes, .. }: Adsorption,
) -> Vec<String> {
    let around = model.surroundings();
    let [free, bound] = [species, becomes].map(|s| &model.species[usize::from(s)]);
    let (name, onto) = (&free.name, &bound.name);
    let home = &surface.name;
    let mut found = Vec::new();
    let anchor = around.anchor(becomes).filter(|anchor| anchor.surface == number);
    let Some(anchor) = anchor else {
        return vec![format!(
            "{name} becomes {onto} there, which does not live on \"{home}\": `on = \"{home}\"` is needed for {onto}"
        )];
    };
    if let Some(lives) = around.anchor(species) {
        let there = &around.surfaces[usize::from(lives.surface)].name;
        found.push(format!(
            "{name} lives on \"{there}\": only particles in space get onto a surface"
        ));
    }
    if permeability > 0.0 && anchor.faces.is_some() {
        found.push(format!(
            "{name} gets onto it and goes through it, so that {onto} has to be reached from both sides: drop `faces`"
        ));
    }
    for (kind, of) in [(species, free), (becomes, bound)] {
        let has_states =
            |sites: &Sites| (0..sites.list().len()).any(|n| sites.state_mask(n as u8) != 0);
        if has_states(&of.sites) {
            found.push(format!(
                "{} has sites with states, which would be lost when {name} becomes {onto}: say the states as species",
                of.name
            ));
        }
        if let Some(rule) = holds_others(model, kind) {
            found.push(format!(
                "{} is made of others by rule \"{rule}\", and would no longer be when {name} becomes {onto}: only \
                 what does not fall apart can get onto a surface and off it",
                of.name
            ));
        }
    }
    found
}

/// The rule by which particles of a species come to hold others, if anything takes them apart again.
fn holds_others(model: &Model, species: u16) -> Option<&str> {
    let rules = model.rules();
    let makes = |cases: &[Case<2>]| cases.iter().any(|case| case.products.contains(&species));
    let is_cut = || {
        let mut in_time = rules.timed.iter().filter_map(|rule| rule.action.cuts());
        let in_time = in_time.any(|(cut, _)| cut.contains(&species));
        let at_contact = rules.contact.iter().filter(|rule| rule.action.effect().cuts.is_some());
        in_time || at_contact.flat_map(|rule| &rule.cases).any(|case| case.species[1] == species)
    };
    let numbered = rules.contact.iter().enumerate();
    let found = numbered.filter(|(_, rule)| rule.action.effect().merges && makes(&rule.cases));
    let mut found =
        found.filter(|(number, _)| rules.undoing(*number as u16).next().is_some() || is_cut());
    found.next().map(|(_, rule)| rule.name.as_str())
}
