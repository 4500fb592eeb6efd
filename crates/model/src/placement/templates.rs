//! Molecules of several spheres at random: the first sphere anywhere that a lone particle of its
//! species could be, the others around it, all of it turned at random; tried until nothing overlaps.

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

use jostle_core::space::{Orientation, Vector};

use super::grid::Occupied;
use super::ground::Ground;
use super::random::{PATIENCE, PATIENCE_IN_ALL};
use super::{GAP, Model, PlacementError, fractions, radius};
use crate::templates::{Joints, MoleculeTemplate};

/// A particle that is turned in some way: its species, its number among those of that, from 0, and
/// how it is turned.
pub(super) type TurnedParticle = (u16, usize, Orientation);

/// Places all molecules, those of one kind after those of the other.
pub(super) fn place<const D: usize>(
    model: &Model,
    ground: &Ground<'_, D>,
    occupied: &mut Occupied<'_, D>,
    random: &mut Xoshiro256PlusPlus,
) -> Result<Vec<TurnedParticle>, PlacementError> {
    let mut turned = Vec::new();
    let all: usize = model.molecules().iter().map(|molecule| model.count_of(molecule)).sum();
    let mut left = PATIENCE + PATIENCE_IN_ALL * all as u64;
    for molecule in model.molecules() {
        let wanted = model.count_of(molecule);
        for placed in 0..wanted {
            let tries = left.min(PATIENCE);
            let found = (0..tries).find_map(|n| {
                let (orientation, places) = match molecule.joints {
                    Joints::Chain(tether) => (
                        Orientation::NONE,
                        walk(model, molecule, tether, (ground, occupied), random)?,
                    ),
                    Joints::Rigid | Joints::Tethers(_) => somewhere(molecule, ground, random)?,
                };
                let spheres = molecule.spheres.iter().zip(&places);
                let is_free = spheres.clone().all(|(sphere, &place)| {
                    let inside = -GAP * radius(model, sphere.species);
                    ground.is_within(sphere.species, place, inside)
                        && ground.holds(sphere.species, place).is_ok()
                        && occupied.overlapping(sphere.species, place, GAP).is_none()
                });
                is_free.then_some((n + 1, orientation, places))
            });
            let Some((tried, orientation, places)) = found else {
                let (asked, reached) = fractions(model, molecule.spheres[0].species, occupied);
                let molecule = molecule.name.clone();
                return Err(PlacementError::NoRoomForMolecules {
                    molecule,
                    wanted,
                    placed,
                    asked,
                    reached,
                });
            };
            left -= tried;
            for (sphere, place) in molecule.spheres.iter().zip(places) {
                let number = occupied.count(sphere.species);
                occupied.add(sphere.species, place);
                turned.push((sphere.species, number, sphere.orientation().turned(orientation)));
            }
        }
    }
    Ok(turned)
}

/// How often a sphere of a chain is tried beside the one before.
const STEP_PATIENCE: usize = 100;

/// The spheres of a chain, one after the other, each anywhere beside the one before where it overlaps
/// with none; none, if it gets stuck.
fn walk<const D: usize>(
    model: &Model,
    molecule: &MoleculeTemplate,
    tether: f64,
    (ground, occupied): (&Ground<'_, D>, &Occupied<'_, D>),
    random: &mut Xoshiro256PlusPlus,
) -> Option<Vec<Vector<D>>> {
    let species = molecule.spheres[0].species;
    let contact = 2.0 * radius(model, species) * (1.0 + GAP);
    let mut places = vec![ground.somewhere(species, random)?];
    while places.len() < molecule.spheres.len() {
        let last = places[places.len() - 1];
        let beside = (0..STEP_PATIENCE).find_map(|_| {
            let normals = Vector::<D>::from_fn(|_| StandardNormal.sample(random));
            // Uniform between contact and the tether, short of the end by no more than rounding needs.
            let [low, high] = [contact, tether * (1.0 - GAP)].map(|r| libm::pow(r, D as f64));
            let far = libm::pow(low + (high - low) * random.random::<f64>(), 1.0 / D as f64);
            let place = ground.domain.wrap(last + normals * (far / normals.norm())).0;
            let apart = |other: &Vector<D>| ground.domain.nearest_image(place - *other).norm();
            let is_free = places.iter().all(|other| apart(other) >= contact)
                && ground.is_within(species, place, -GAP * radius(model, species))
                && ground.holds(species, place).is_ok()
                && occupied.overlapping(species, place, GAP).is_none();
            is_free.then_some(place)
        });
        places.push(beside?);
    }
    Some(places)
}

/// A molecule anywhere, turned at random, with the places of its spheres; none, if its first sphere
/// cannot be there.
fn somewhere<const D: usize>(
    molecule: &MoleculeTemplate,
    ground: &Ground<'_, D>,
    random: &mut Xoshiro256PlusPlus,
) -> Option<(Orientation, Vec<Vector<D>>)> {
    let first = &molecule.spheres[0];
    let place = ground.somewhere(first.species, random)?;
    let orientation = some_orientation::<D>(random);
    let spheres = molecule.spheres.iter().map(|sphere| {
        let beside = orientation.apply(sphere.beside(first));
        ground.domain.wrap(place + Vector::of_space(beside)).0
    });
    Some((orientation, spheres.collect()))
}

/// An orientation, each as likely as any other; on a line, one of two.
fn some_orientation<const D: usize>(random: &mut Xoshiro256PlusPlus) -> Orientation {
    const UP: Vector<3> = Vector([0.0, 0.0, 1.0]);
    match D {
        1 if random.random() => Orientation::about(UP, std::f64::consts::PI),
        1 => Orientation::NONE,
        2 => Orientation::about(UP, std::f64::consts::TAU * random.random::<f64>()),
        _ => {
            let normals = std::array::from_fn(|_| StandardNormal.sample(random));
            Orientation::of_quaternion(normals).unwrap_or(Orientation::NONE)
        }
    }
}
