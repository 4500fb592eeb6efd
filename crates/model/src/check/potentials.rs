//! Potentials begin outside of contact, end before they meet their own images, and are between
//! particles that keep each other out, or beside planes and spheres.

use std::collections::BTreeSet;

use crate::file::NEARLY_HALF;
use crate::potentials::{Energy, Law, Potential, SurfacePotential};
use crate::walker::Reader;
use crate::{Model, PlacementMethod};
use jostle_core::environment::Form;
use jostle_core::rules::{Action, Scheduled, ScheduledAction};

use super::debye;

pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    if model.potentials().is_empty() && model.surface_potentials().is_empty() {
        return;
    }
    not_in_equilibrium(model, reader);
    for potential in model.surface_potentials() {
        if let Some((key, why)) = fault_beside_surface(model, potential) {
            reader.fault_at(&format!("potential.{}{key}", potential.name), why);
        }
    }
    let passing = pairs_that_pass(model);
    let mut are_sound = true;
    for (number, potential) in (0..).zip(model.potentials()) {
        let fault = fault(model, potential, &passing);
        if let Some((key, why)) = fault.or_else(|| not_by_bounces(model, number, potential)) {
            reader.fault_at(&format!("potential.{}{key}", potential.name), why);
            are_sound = false;
        }
    }
    if are_sound {
        debye::check(model, reader);
    }
}

/// Placement in equilibrium knows hard particles and the affinities of regions, and no other energies.
fn not_in_equilibrium(model: &Model, reader: &Reader<'_>) {
    for placement in &model.placement {
        let species = placement.species;
        let in_equilibrium = matches!(placement.how, PlacementMethod::Equilibrium { .. });
        if let Some(name) = model.potential_of(species).filter(|_| in_equilibrium) {
            reader.fault_of_species(
                &model.species[usize::from(species)].name,
                "placement",
                format!(
                    "this is the equilibrium of hard particles, without the energies of the potential \"{}\": place them \
                     at random, and leave the beginning out of averages",
                    name
                ),
            );
        }
    }
}

/// What is wrong with a potential beside surfaces, and behind which key.
fn fault_beside_surface(
    model: &Model,
    potential: &SurfacePotential,
) -> Option<(&'static str, String)> {
    let space = &model.space;
    let shortest = |periodic: &dyn Fn(usize) -> bool| {
        let axes = (0..space.dimension).filter(|&k| space.periodic[k] && periodic(k));
        axes.map(|k| space.edges[k]).fold(f64::INFINITY, f64::min)
    };
    for (name, form) in &potential.beside {
        let (extent, edge) = match form {
            Form::Plane { axis, .. } => (0.0, shortest(&|k| k == *axis)),
            Form::Ball { radius, .. } => (*radius, shortest(&|_| true)),
            Form::Solid(_) | Form::Outline(_) | Form::Rod { .. } => (0.0, f64::INFINITY),
        };
        if extent + potential.cutoff > NEARLY_HALF * edge * (1.0 + 1e-9) {
            return Some((
                ".cutoff",
                format!(
                    "it reaches {:?} nm from \"{name}\", and the periodic edge of the box is {edge:?} nm: a particle would be \
                     near two images of the surface at once; at most {:?} nm are possible",
                    potential.cutoff,
                    (NEARLY_HALF * edge - extent).max(0.0)
                ),
            ));
        }
    }
    for &s in &potential.species {
        let species = &model.species[usize::from(s)];
        let Some(radius) = species.radius else {
            let why = format!(
                "{} has no radius of its own, so it is not known where it touches a surface",
                species.name
            );
            return Some((".between", why));
        };
        if potential.cutoff <= radius {
            return Some((
                ".cutoff",
                format!(
                    "{} touches the surface at {radius:?} nm (its radius), and the energy ends at {:?} nm: distances are \
                     those of the centre, and have to be larger than at contact",
                    species.name, potential.cutoff
                ),
            ));
        }
        if is_on_curved(model, s) {
            return Some((".between", on_curved(&species.name)));
        }
    }
    None
}

/// Whether a species lives on a curved surface.
fn is_on_curved(model: &Model, species: u16) -> bool {
    let surroundings = model.surroundings();
    surroundings.anchor(species).is_some_and(|anchor| {
        !matches!(surroundings.surfaces[usize::from(anchor.surface)].form, Form::Plane { .. })
    })
}

fn on_curved(name: &str) -> String {
    format!(
        "{name} lives on a curved surface, where paths are not straight, and the energy that is climbed on the way is not \
         known"
    )
}

/// Why a potential cannot have the law of bounces, if it has.
fn not_by_bounces(
    model: &Model,
    number: u16,
    potential: &Potential,
) -> Option<(&'static str, String)> {
    if !matches!(potential.energy, Energy::Smooth { law: Law::Bounces, .. }) {
        return None;
    }
    let mut both = potential.between.concat().into_iter();
    if let Some(species) = both.find(|&species| is_on_curved(model, species)) {
        let why = on_curved(&model.species[usize::from(species)].name);
        return Some((".law", format!("{why}: `law = \"shells\"` is for such surfaces")));
    }
    let switches = |entry: &&Scheduled| matches!(entry.action, ScheduledAction::SwitchPotential { potential, .. } if potential == number);
    let entry = model.rules().schedule.iter().find(switches)?;
    Some((
        ".law",
        format!(
            "the schedule ({}) switches this potential, which is possible with `law = \"shells\"` alone",
            entry.name
        ),
    ))
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
