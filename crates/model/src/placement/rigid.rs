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
use crate::rigid::RigidMolecule;

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
                let (orientation, places) = somewhere(molecule, ground, random)?;
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

/// A molecule anywhere, turned at random, with the places of its spheres; none, if its first sphere
/// cannot be there.
fn somewhere<const D: usize>(
    molecule: &RigidMolecule,
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
