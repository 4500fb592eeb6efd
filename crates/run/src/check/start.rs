//! How a run begins, where that is far from equilibrium: what to leave out of averages.

use jostle_core::environment::Manner;
use jostle_core::words::{digits, time_text};
use jostle_model::{Model, PlacementMethod};

/// A crystal of hard spheres at a packing of 0.49 has melted after so many σ²/D, the square of the diameter
/// over the diffusion coefficient (measured, 3D).
const MELTS: f64 = 15.0;

/// What is uniform at first and will not stay so, and what begins as a crystal.
pub(super) fn in_words(model: &Model) -> Vec<String> {
    uneven(model).chain(uneven_beside(model)).chain(crystals(model)).collect()
}

/// Whether particles of a species are placed without regard to regions.
fn is_placed(model: &Model, species: usize) -> bool {
    model.placement.iter().any(|placement| {
        let anywhere = !matches!(
            placement.how,
            PlacementMethod::Positions(_) | PlacementMethod::Equilibrium { .. }
        );
        placement.species as usize == species && anywhere && placement.count() > 0
    })
}

fn uneven(model: &Model) -> impl Iterator<Item = String> + '_ {
    let placed = |&(s, _): &(usize, _)| is_placed(model, s);
    model.surroundings().surfaces.iter().flat_map(move |surface| {
        model.species.iter().enumerate().filter(placed).filter_map(|(s, species)| {
            let Manner::Cross(crossing) = surface.manners[s] else { return None };
            (crossing.affinity != 1.0).then(|| {
                format!(
                    "{} is placed without regard to its affinity for {}, where it is {} times as dense in \
                     equilibrium: {}leave the beginning out of averages (--from)",
                    species.name,
                    surface.name,
                    digits(crossing.affinity, 4),
                    offer(model, s)
                )
            })
        })
    })
}

fn uneven_beside(model: &Model) -> impl Iterator<Item = String> + '_ {
    model.surface_potentials().iter().filter_map(|potential| {
        let placed = potential.species.iter().find(|&&s| is_placed(model, usize::from(s)))?;
        Some(format!(
            "{} is placed without regard to the potential {} beside {}: leave the beginning out of averages (--from)",
            model.species[usize::from(*placed)].name,
            potential.name,
            potential.beside.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
        ))
    })
}

/// How particles of a species can be placed in equilibrium, if they can.
fn offer(model: &Model, species: usize) -> String {
    let mut own = model.placement.iter().filter(|placement| placement.species as usize == species);
    let count = match own.next().map(|placement| &placement.how) {
        Some(PlacementMethod::Random { count } | PlacementMethod::Lattice { count }) => *count,
        _ => return String::new(),
    };
    match model.potential_of(species as u16) {
        Some(_) => String::new(),
        None => format!("`placement = {{ equilibrium = {count} }}` puts it so, or "),
    }
}

fn crystals(model: &Model) -> Option<String> {
    let slowest = model.placement.iter().filter_map(|placement| {
        let lattice = matches!(placement.how, PlacementMethod::Lattice { count } if count > 1);
        let species = &model.species[placement.species as usize];
        let diffusion = species.diffusion_coefficient.filter(|&d| d > 0.0)?;
        let diameter = 2.0 * species.radius?;
        lattice.then(|| (diameter.powi(2) / diffusion, species.name.as_str()))
    });
    let (time, name) = slowest.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!(
        "{name} begins on a lattice, as a crystal: at a packing of 0.49 in 3D it takes some {MELTS} squares of \
         its diameter over D, {}, to melt, and above 0.545 it does not; leave that out of averages (--from)",
        time_text(MELTS * time)
    ))
}
