//! Where the particles of a model are at the start: given places, in molecules, on a lattice, packed, at
//! random, or in equilibrium with all of these, in this order, and never overlapping (but for species that pass each other).

mod aloft;
mod balls;
mod equilibrium;
mod grid;
mod ground;
mod lattice;
mod mend;
mod outlines;
mod packed;
mod random;
mod templates;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use jostle_core::space::{Domain, Orientation, Vector};
use jostle_core::words::{digits, length_text};

use super::templates::is_of_molecules;
use super::{EngineModel, FirstBond, Model, Origin, PlacementMethod, measure};
use grid::Occupied;
use ground::Ground;

pub use balls::{Ball, place_balls, velocities};
pub use outlines::place_polygons;

/// How much farther apart than touching particles are put, relative to their distance, so that
/// rounding never makes them overlap.
const GAP: f64 = 1e-9;

/// How far apart bonded particles may be, relative to their distance.
const BOND_GAP: f64 = 1e-4;

/// What keeps these draws apart from others that follow from the same seed.
const PURPOSE: u64 = 0x706c_6163_656d_656e;

/// Why particles cannot be placed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PlacementError {
    /// Random placement found no more room.
    #[error(
        "random placement found room for {placed} of {wanted} {species}{place}: a packing fraction of \
         {asked:.4} was requested and {reached:.4} reached; {}",
        advice(.place, *.wanted)
    )]
    Jammed {
        /// Where that is, if surfaces have a say in it.
        place: String,
        /// The species.
        species: String,
        /// How many were asked for.
        wanted: usize,
        /// How many found room.
        placed: usize,
        /// The packing fraction of all particles of the model.
        asked: f64,
        /// The packing fraction when there was no more room.
        reached: f64,
    },
    /// No lattice in this box has that many sites.
    #[error(
        "no lattice has {wanted} sites at least {} apart in this box; at most \
         {most} fit: a packing fraction of {asked:.4} was requested and {reached:.4} can be reached on a lattice, whose \
         sites have room for the largest; `placement = {{ packed = N }}` for all species goes up to near 0.63 in 3D and \
         0.82 in 2D in mixtures",
        span(*.distance)
    )]
    LatticeFull {
        /// How many sites were asked for.
        wanted: usize,
        /// The least distance between sites: the largest diameter. \[nm\]
        distance: f64,
        /// How many sites fit.
        most: usize,
        /// The packing fraction of all particles of the model.
        asked: f64,
        /// The packing fraction with as many as fit.
        reached: f64,
    },
    /// Packed particles still overlap.
    #[error(
        "{wanted} particles that are to be packed still overlap by up to {}, at a packing fraction of {asked:.4}: \
         disordered spheres of one size jam near 0.64 in 3D and 0.84 in 2D, and what is placed otherwise stays where it is. Pack all species, use \
         fewer particles or a larger box, or `placement = {{ lattice = N }}`, which packs denser",
        span(*.overlap)
    )]
    NotPacked {
        /// The first species of them.
        species: String,
        /// Number that was asked for.
        wanted: usize,
        /// The packing fraction of all particles of the model.
        asked: f64,
        /// By how much two overlap at most. \[nm\]
        overlap: f64,
    },
    /// Molecules of several spheres found no more room.
    #[error(
        "random placement found room for {placed} of {wanted} {molecule} molecules: a packing fraction of {asked:.4} \
         was requested and {reached:.4} reached; use fewer of them, a larger box, or place the largest molecules first"
    )]
    NoRoomForMolecules {
        /// The name of the molecule.
        molecule: String,
        /// How many were asked for.
        wanted: usize,
        /// How many found room.
        placed: usize,
        /// The packing fraction of all particles of the model.
        asked: f64,
        /// The packing fraction when there was no more room.
        reached: f64,
    },
    /// Two given places are too close.
    #[error(
        "{first} number {first_number} and {second} number {second_number} (counted from 1) overlap: \
         their centres are {} apart, their radii add up to {}", span(*.distance), span(*.contact)
    )]
    Overlap {
        /// The species of the one.
        first: String,
        /// Which of its given places.
        first_number: usize,
        /// The species of the other.
        second: String,
        /// Which of its given places.
        second_number: usize,
        /// \[nm\]
        distance: f64,
        /// \[nm\]
        contact: f64,
    },
    /// Two with given places are tethered, but too far apart.
    #[error(
        "{first} number {first_number} and {second} number {second_number} (counted from 1) are tethered, but their \
         centres are {} apart, and the tether is {} long; `bonds = false` next to `file` leaves tethers out",
        span(*.distance), span(*.length)
    )]
    Tether {
        /// The species of the one.
        first: String,
        /// Which of its given places.
        first_number: usize,
        /// The species of the other.
        second: String,
        /// Which of its given places.
        second_number: usize,
        /// \[nm\]
        distance: f64,
        /// \[nm\]
        length: f64,
    },
    /// Two with given places are bonded, but do not touch.
    #[error(
        "{first} number {first_number} and {second} number {second_number} (counted from 1) are bonded but do not \
         touch: their centres are {} apart, their radii add up to {}; `bonds = false` next to `file` leaves bonds out",
        span(*.distance), span(*.contact)
    )]
    Bond {
        /// The species of the one.
        first: String,
        /// Which of its given places.
        first_number: usize,
        /// The species of the other.
        second: String,
        /// Which of its given places.
        second_number: usize,
        /// \[nm\]
        distance: f64,
        /// \[nm\]
        contact: f64,
    },
    /// A given place is too close to a reflecting face, or outside the box.
    #[error(
        "{species} number {number} (counted from 1) at {axis} = {place:?} nm reaches out of the box"
    )]
    Outside {
        /// The species.
        species: String,
        /// Which of its given places.
        number: usize,
        /// `x`, `y` or `z`
        axis: &'static str,
        /// \[nm\]
        place: f64,
    },
    /// A given place is not where the species lives.
    #[error("{species} number {number} (counted from 1) {why}")]
    Amiss {
        /// The species.
        species: String,
        /// Which of its given places.
        number: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A ball with a given place sticks in a wall of the container.
    #[error(
        "{species} number {number} (counted from 1) reaches {} through a wall of the container at its \
         initial position", span(*.beyond)
    )]
    InWall {
        /// The species.
        species: String,
        /// Which of its given places.
        number: usize,
        /// How far. \[nm\]
        beyond: f64,
    },
    /// Two given outlines overlap.
    #[error(
        "{first} number {first_number} and {second} number {second_number} (counted from 1) overlap in \
         {}: they have to be {} farther apart", area_text(*.area), span(*.apart)
    )]
    OutlinesOverlap {
        /// The species of the one.
        first: String,
        /// Which of its particles.
        first_number: usize,
        /// The species of the other.
        second: String,
        /// Which of its particles.
        second_number: usize,
        /// \[nm²\]
        area: f64,
        /// How far they are to be moved apart. \[nm\]
        apart: f64,
    },
    /// A given outline sticks in a wall.
    #[error(
        "{species} number {number} (counted from 1) overlaps the wall \"{wall}\", in {} of it: it has to \
         be {} farther out", area_text(*.area), span(*.apart)
    )]
    OutlineInWall {
        /// The species.
        species: String,
        /// Which of its particles.
        number: usize,
        /// The wall's name.
        wall: String,
        /// \[nm²\]
        area: f64,
        /// How far it is to be moved out. \[nm\]
        apart: f64,
    },
    /// There was no more room for the least ball.
    #[error(
        "room was found for {placed} of {wanted} {species}: nowhere else is it {} to the nearest ball or \
         wall, at a packing fraction of {reached:.4}; fewer balls or a smaller least radius would fit",
        span(*.least)
    )]
    NoRoom {
        /// The species.
        species: String,
        /// How many were asked for.
        wanted: usize,
        /// How many found room.
        placed: usize,
        /// The least radius. \[nm\]
        least: f64,
        /// The packing fraction when there was no more room.
        reached: f64,
    },
}

impl PlacementError {
    /// Where the model has the particles that cannot be placed.
    pub fn origin<'a>(&self, model: &'a Model) -> Option<&'a Origin> {
        let species = match self {
            Self::Jammed { species, .. }
            | Self::NotPacked { species, .. }
            | Self::Outside { species, .. }
            | Self::Amiss { species, .. }
            | Self::InWall { species, .. }
            | Self::OutlineInWall { species, .. }
            | Self::NoRoom { species, .. }
            | Self::Overlap { second: species, .. }
            | Self::Bond { second: species, .. }
            | Self::Tether { second: species, .. }
            | Self::OutlinesOverlap { second: species, .. } => species,
            Self::NoRoomForMolecules { molecule, .. } => {
                let found = model.molecules().iter().find(|known| known.name == *molecule)?;
                return model.placement.get(found.placement).map(|placement| &placement.origin);
            }
            Self::LatticeFull { .. } => {
                let mut placements = model.placement.iter();
                return placements
                    .find(|p| matches!(p.how, PlacementMethod::Lattice { .. }))
                    .map(|p| &p.origin);
            }
        };
        model.origin_of(species)
    }
}

/// A length \[nm\] to the last digit, or in a unit that suits what is larger than cells.
fn span(length: f64) -> String {
    if length < 1e5 { format!("{length:?} nm") } else { length_text(length) }
}

/// An area \[nm²\] in a unit that suits it.
fn area_text(area: f64) -> String {
    if area < 1e10 {
        format!("{} nm^2", digits(area, 4))
    } else {
        format!("{} mm^2", digits(area * 1e-12, 4))
    }
}

/// The species and the position \[nm\] of each particle, in the order of the species and, within
/// one, of placement. The same model with the same seed gives the same places.
///
/// # Errors
/// If the particles do not fit, or given places overlap.
pub fn place<const D: usize>(model: &Model) -> Result<Vec<(u16, Vector<D>)>, PlacementError> {
    let of_balls =
        |balls: Vec<Ball<D>>| balls.into_iter().map(|ball| (ball.species, ball.position)).collect();
    match &model.engine {
        EngineModel::Brownian(_) => Ok(place_spheres(model)?.particles),
        EngineModel::Granular(granular) => Ok(of_balls(place_balls(model, granular)?)),
        EngineModel::Gas(gas) => Ok(of_balls(place_balls(model, &gas.granular)?)),
        EngineModel::Polygons(polygons) => {
            let cast = place_polygons(model, polygons)?;
            let place = |at: Vector<2>| Vector::from_fn(|k| at.0.get(k).copied().unwrap_or(0.0));
            Ok(cast.solids.iter().map(|solid| (solid.species, place(solid.position))).collect())
        }
    }
}

/// The spheres of a model in Brownian motion at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedSpheres<const D: usize> {
    /// As of [`place`].
    pub particles: Vec<(u16, Vector<D>)>,
    /// How those are turned that belong to molecules of several spheres, by their index among the
    /// particles.
    pub turned: Vec<(usize, Orientation)>,
}

/// The same as [`place`] of a model of spheres in Brownian motion, with how they are turned.
///
/// # Errors
/// As [`place`].
pub fn place_spheres<const D: usize>(model: &Model) -> Result<PlacedSpheres<D>, PlacementError> {
    let domain = Domain::new(
        std::array::from_fn(|k| model.space.edges[k]),
        std::array::from_fn(|k| model.space.periodic[k]),
    );
    let mut random = Xoshiro256PlusPlus::seed_from_u64(model.run.seed ^ PURPOSE);
    let mut occupied = Occupied::new(model, &domain);
    let ground = Ground::new(model, &domain);
    given(model, &ground, &mut occupied)?;
    let turned = templates::place(model, &ground, &mut occupied, &mut random)?;
    lattice::place(model, &ground, &mut occupied, &mut random)?;
    packed::place(model, &ground, &mut occupied, &mut random)?;
    random::place(model, &ground, &mut occupied, &mut random)?;
    equilibrium::place(model, &ground, &mut occupied, &mut random)?;
    let particles = occupied.into_particles();
    let first = |species| particles.partition_point(|(other, _)| *other < species);
    let turned = turned.into_iter().map(|(species, number, how)| (first(species) + number, how));
    Ok(PlacedSpheres { turned: turned.collect(), particles })
}

/// What to do where random placement jams.
fn advice(place: &str, wanted: usize) -> String {
    match place {
        "" => format!(
            "`placement = {{ packed = {wanted} }}` goes up to near 0.63 in 3D and 0.82 in 2D where all species are packed, \
             `placement = {{ lattice = {wanted} }}` beyond (random placement jams near 0.38 in 3D and 0.54 in 2D)"
        ),
        _ => {
            "is the region as wide as the particles, and does `outside` leave room in it? Use fewer or smaller ones, \
             or a larger region"
                .to_owned()
        }
    }
}

/// The radius of particles of a species that is there at the start; the check made sure of it.
fn radius(model: &Model, species: u16) -> f64 {
    model.species[species as usize].radius.unwrap_or(0.0)
}

/// Puts the particles with given places. They may touch.
fn given<const D: usize>(
    model: &Model,
    ground: &Ground<'_, D>,
    occupied: &mut Occupied<'_, D>,
) -> Result<(), PlacementError> {
    let domain = ground.domain;
    for (placement, places) in model.placement.iter().zip(mend::mended(model, ground)) {
        let species = placement.species;
        let name = || model.species[species as usize].name.clone();
        for (n, place) in places.into_iter().enumerate() {
            for k in 0..D {
                let margin = ground.margin(species, k);
                if place[k] < margin || place[k] > domain.edges()[k] - margin {
                    return Err(PlacementError::Outside {
                        species: name(),
                        number: n + 1,
                        axis: ["x", "y", "z"][k],
                        place: place[k],
                    });
                }
            }
            let place = domain.wrap(place).0;
            ground.holds(species, place).map_err(|why| PlacementError::Amiss {
                species: name(),
                number: n + 1,
                why,
            })?;
            let place = ground.settled(species, place);
            if let Some(other) = occupied.overlapping(species, place, -1e-12) {
                return Err(PlacementError::Overlap {
                    first: model.species[other.species as usize].name.clone(),
                    first_number: other.number + 1,
                    second: name(),
                    second_number: n + 1,
                    distance: domain.nearest_image(other.place - place).norm(),
                    contact: radius(model, species) + radius(model, other.species),
                });
            }
            occupied.add(species, place);
        }
    }
    bonds_hold(model, domain, occupied)
}

/// Bonded particles touch, and tethered ones are as near each other as their tether demands, unless they
/// belong to a molecule of several spheres.
fn bonds_hold<const D: usize>(
    model: &Model,
    domain: &Domain<D>,
    occupied: &Occupied<'_, D>,
) -> Result<(), PlacementError> {
    let distance_of = |bond: &FirstBond| {
        let [a, b] = bond.ends.map(|(species, number)| occupied.place(species, number));
        domain.nearest_image(b - a).norm()
    };
    let called =
        |bond: &FirstBond| bond.ends.map(|(s, n)| (model.species[s as usize].name.clone(), n + 1));
    for bond in model.bonds() {
        let Some(length) = bond.rule.and_then(|rule| model.rules().tether(rule)) else { continue };
        let distance = distance_of(bond);
        if distance > length {
            let [(first, first_number), (second, second_number)] = called(bond);
            return Err(PlacementError::Tether {
                first,
                first_number,
                second,
                second_number,
                distance,
                length,
            });
        }
    }
    for bond in model.bonds().iter().filter(|bond| holds_touching(model, bond)) {
        let distance = distance_of(bond);
        let contact = bond.ends.iter().map(|(species, _)| radius(model, *species)).sum::<f64>();
        if distance > contact * (1.0 + BOND_GAP) {
            let [(first, first_number), (second, second_number)] = called(bond);
            return Err(PlacementError::Bond {
                first,
                first_number,
                second,
                second_number,
                distance,
                contact,
            });
        }
    }
    Ok(())
}

/// Whether a bond is kept, and joins two that touch.
fn holds_touching(model: &Model, bond: &FirstBond) -> bool {
    bond.rule.is_some_and(|rule| {
        let rule = &model.rules().contact[usize::from(rule)];
        !is_of_molecules(rule) && rule.tether.is_none()
    })
}

/// The packing fractions asked for and reached where particles of a species are, for messages.
fn fractions<const D: usize>(
    model: &Model,
    species: u16,
    occupied: &Occupied<'_, D>,
) -> (f64, f64) {
    let anchor = |s: u16| model.surroundings().anchor(s).map(|anchor| anchor.surface);
    let fill = |s: u16, count: usize| {
        let filled = count as f64
            * jostle_core::space::ball_volume(model.dimension_of([s; 2]), radius(model, s));
        filled / measure::room_of(model, s)
    };
    let here = |s: &u16| anchor(*s) == anchor(species);
    let asked =
        model.placement.iter().filter(|p| here(&p.species)).map(|p| fill(p.species, p.count()));
    let reached = (0..model.species.len() as u16).filter(here).map(|s| fill(s, occupied.count(s)));
    (asked.sum(), reached.sum())
}

#[cfg(test)]
mod tests;
