//! Molecules with sites keep them: they bind by bonds, and do not coalesce.

use crate::Model;
use crate::walker::Reader;
use jostle_core::rules::Action;

pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    let has_sites = |species: &u16| !model.species[*species as usize].sites.is_empty();
    for rule in model.rules().contact.iter().filter(|rule| rule.action == Action::Coalesce) {
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
