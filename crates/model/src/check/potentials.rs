//! Potentials begin outside of contact, end before they meet their own images, and are between
//! particles that keep each other out.

use std::collections::BTreeSet;

use crate::Model;
use crate::potentials::Potential;
use crate::walker::Reader;
use jostle_core::rules::Action;

use super::debye;

pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    if model.potentials().is_empty() {
        return;
    }
    let passing = pairs_that_pass(model);
    let mut are_sound = true;
    for potential in model.potentials() {
        if let Some((key, why)) = fault(model, potential, &passing) {
            reader.fault_at(&format!("potential.{}{key}", potential.name), why);
            are_sound = false;
        }
    }
    if are_sound {
        debye::check(model, reader);
    }
}

/// The pairs of species that do not keep each other out, the lower first.
fn pairs_that_pass(model: &Model) -> BTreeSet<[u16; 2]> {
    let rules = model.rules().contact.iter();
    let rules = rules.filter(|rule| matches!(rule.action, Action::Pass | Action::Ignore));
    let pairs = rules.flat_map(|rule| rule.cases.iter().map(|case| case.species));
    pairs.map(|[a, b]| [a.min(b), a.max(b)]).collect()
}

/// What is wrong, and behind which key.
fn fault(
    model: &Model,
    potential: &Potential,
    passing: &BTreeSet<[u16; 2]>,
) -> Option<(&'static str, String)> {
    let name = |s: u16| &model.species[usize::from(s)].name;
    let range = potential.energy.range();
    let periodic = (0..model.space.dimension).filter(|&k| model.space.periodic[k]);
    let shortest = periodic.map(|k| model.space.edges[k]).fold(f64::INFINITY, f64::min);
    if 2.0 * range > 0.999 * shortest {
        return Some((
            "",
            format!(
                "it reaches {range:?} nm, and the shortest periodic edge of the box is {shortest:?} nm: a particle would \
                 meet two images of another at once; the edge has to be more than twice as long as the range"
            ),
        ));
    }
    for pair @ [a, b] in potential.pairs() {
        if let Some(s) = pair.into_iter().find(|s| model.species[usize::from(*s)].radius.is_none())
        {
            return Some((
                ".between",
                format!(
                    "{} has no radius of its own, so the distance at contact is not known",
                    name(s)
                ),
            ));
        }
        let contact = model.contact_distance(pair);
        let edge = potential.energy.first_edge(contact);
        if edge <= contact * (1.0 + 1e-9) {
            return Some((
                "",
                format!(
                    "{} and {} touch at {contact:?} nm (the sum of their radii), and the energy of the pair ends or changes \
                     at {:?} nm: distances are those of the centres, and have to be larger than at contact",
                    name(a),
                    name(b),
                    edge.min(range)
                ),
            ));
        }
        if passing.contains(&pair) {
            return Some((
                ".between",
                format!(
                    "{} and {} pass or ignore each other by a rule: potentials are between particles that keep each \
                     other out",
                    name(a),
                    name(b)
                ),
            ));
        }
    }
    None
}
