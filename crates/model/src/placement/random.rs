//! Particles at random: one after the other, each tried anywhere until it overlaps with no particle
//! (random sequential addition), the large ones first.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use jostle_core::space::{Domain, Vector};

use super::grid::Occupied;
use super::ground::Ground;
use super::{GAP, Model, PlacementError, PlacementMethod, fractions, radius};

/// Where particles of a species are, if surfaces have a say in it.
pub(super) fn whereabouts(model: &Model, species: u16) -> String {
    let place = match model.surroundings().is_empty() {
        true => return String::new(),
        false => model.surroundings().whereabouts(species),
    };
    place.map_or_else(|| " among the surfaces".to_owned(), |place| format!(" {place}"))
}

/// How often one particle is tried before there is held to be no room.
pub(super) const PATIENCE: u64 = 300_000;

/// How often all particles together are tried, per particle.
pub(super) const PATIENCE_IN_ALL: u64 = 2_000;

pub(super) fn place<const D: usize>(
    model: &Model,
    ground: &Ground<'_, D>,
    occupied: &mut Occupied<'_, D>,
    random: &mut Xoshiro256PlusPlus,
) -> Result<(), PlacementError> {
    let mut wanted: Vec<(u16, usize)> = model
        .placement
        .iter()
        .filter_map(|placement| match placement.how {
            PlacementMethod::Random { count } => Some((placement.species, count)),
            _ => None,
        })
        .collect();
    wanted.sort_by(|a, b| radius(model, b.0).total_cmp(&radius(model, a.0)));
    let all: usize = wanted.iter().map(|(_, count)| count).sum();
    let mut left = PATIENCE + PATIENCE_IN_ALL * all as u64;
    for (species, count) in wanted {
        for placed in 0..count {
            let tries = left.min(PATIENCE);
            let found = (0..tries).find_map(|n| {
                let place = ground.somewhere(species, random)?;
                let free = occupied.overlapping(species, place, GAP).is_none();
                free.then_some((n + 1, place))
            });
            let Some((tried, place)) = found else {
                return Err(jammed(model, occupied, species, [placed, count]));
            };
            left -= tried;
            occupied.add(species, place);
        }
    }
    Ok(())
}

/// The error that particles of a species do not fit: `placed` of `wanted` are in their places.
pub(super) fn jammed<const D: usize>(
    model: &Model,
    occupied: &Occupied<'_, D>,
    species: u16,
    [placed, wanted]: [usize; 2],
) -> PlacementError {
    let (asked, reached) = fractions(model, species, occupied);
    PlacementError::Jammed {
        place: whereabouts(model, species),
        species: model.species[species as usize].name.clone(),
        wanted,
        placed,
        asked,
        reached,
    }
}

/// Anywhere that a sphere is inside the box, all places being as likely.
pub(super) fn somewhere<const D: usize>(
    domain: &Domain<D>,
    radius: f64,
    random: &mut Xoshiro256PlusPlus,
) -> Vector<D> {
    let place = Vector::from_fn(|k| {
        let edge = domain.edges()[k];
        let u: f64 = random.random();
        if domain.is_periodic(k) {
            u * edge
        } else {
            let margin = radius * (1.0 + GAP);
            (margin + u * (edge - 2.0 * margin)).clamp(radius, (edge - radius).max(radius))
        }
    });
    domain.wrap(place).0
}
