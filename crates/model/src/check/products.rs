//! A particle that is there at the start, or arises otherwise than by coalescence, has a size and a
//! mobility.

use crate::Model;
use crate::walker::Reader;
use jostle_core::rules::{Action, Case, RuleSet, TimedAction};
use jostle_core::species::Species;

/// Notes every radius and diffusion coefficient that is missing.
pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    let makers = makers(model);
    for (n, species) in model.species.iter().enumerate() {
        let placed = model.placement.iter().any(|p| p.species as usize == n);
        let maker = makers.iter().find(|(_, made)| *made as usize == n);
        let open = [
            ("radius", "2.5 nm", species.radius),
            ("diffusion", "0.05 um^2/s", species.diffusion_coefficient),
        ];
        for (name, example, _) in open.iter().filter(|(.., value)| value.is_none()) {
            let why = match maker {
                Some((rule, _)) => {
                    format!(
                        "a product of \"{rule}\" has no parts from which it could follow, as that of A + B <-> C has"
                    )
                }
                None if !coalesces(model.rules(), n as u16) => {
                    "it can be left out only for a species that is formed by coalescence".to_owned()
                }
                None if placed => {
                    "it can be left out only if there are none at the start".to_owned()
                }
                None => continue,
            };
            reader.fault_of_species(
                &species.name,
                name,
                format!("`{name}` is missing, for example `{name} = \"{example}\"`; {why}"),
            );
        }
    }
}

/// Whether a species arises by coalescence.
fn coalesces(rules: &RuleSet, species: u16) -> bool {
    let merging = rules.contact.iter().filter(|rule| rule.action.effect().merges);
    merging.flat_map(|rule| &rule.cases).any(|case| case.products.contains(&species))
}

/// Rules and entries of the schedule that make particles which inherit their size and mobility from
/// nothing: name and species.
fn makers(model: &Model) -> Vec<(&str, u16)> {
    let mut makers = Vec::new();
    for rule in &model.rules().contact {
        let converted = rule.cases.iter().filter(|_| rule.action.effect().converts);
        let new = converted.flat_map(|case| new(&model.species, &case.species, &case.products));
        makers.extend(new.map(|made| (rule.name.as_str(), made)));
        if let Action::Cut(how) = rule.action {
            makers.extend(how.dissolved.map(|made| (rule.name.as_str(), made)));
        }
    }
    for rule in &model.rules().timed {
        let made = match &rule.action {
            TimedAction::Convert { cases } => {
                let made = |case: &Case<1>| new(&model.species, &case.species, &case.products);
                cases.iter().flat_map(made).collect()
            }
            TimedAction::Unbind { .. }
            | TimedAction::Create { .. }
            | TimedAction::Fragment { .. } => rule.products(),
        };
        makers.extend(made.into_iter().map(|made| (rule.name.as_str(), made)));
    }
    for surface in &model.surroundings().surfaces {
        let onto = surface.manners.iter().filter_map(|manner| manner.becomes());
        makers.extend(onto.map(|made| (surface.name.as_str(), made)));
    }
    for entry in &model.rules().schedule {
        makers.extend(entry.action.adds().map(|made| (entry.name.as_str(), made)));
    }
    makers
}

/// The products of a conversion that do not continue a reactant whose size is as open as theirs.
fn new(species: &[Species], reactants: &[u16], products: &[u16]) -> Vec<u16> {
    let mut free = reactants.to_vec();
    let mut new = Vec::new();
    for &product in products {
        let wanted = &species[product as usize];
        let continued = free.iter().position(|&reactant| {
            let known = &species[reactant as usize];
            let open = known.radius.is_none() || known.diffusion_coefficient.is_none();
            open && known.declared_name() == wanted.declared_name()
        });
        match continued {
            Some(at) => drop(free.remove(at)),
            None => new.push(product),
        }
    }
    new
}
