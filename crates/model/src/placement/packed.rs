//! Particles packed as densely as they are wanted, up to near random close packing: thrown anywhere, then
//! moved apart until none overlap, all species together.
//!
//! Overlaps are springs, and their energy is brought to zero by the descent of Bitzek et al., *Phys. Rev.
//! Lett.* **97**, 170201 (2006). From a random start this succeeds below the density at which spheres
//! jam, a packing fraction of 0.64 in 3D and 0.84 in 2D (O'Hern et al., *Phys. Rev. E* **68**, 011306, 2003). Growing
//! spheres among hard collisions gets there as well, but needs an engine of its own for each kind of surface;
//! here a move that a surface does not allow is left out.

use rand_xoshiro::Xoshiro256PlusPlus;

use jostle_core::search::{Broad, Kind, Pair, Search, Settings};
use jostle_core::space::{Domain, Groups, Paths, Vector, Window};

use super::grid::Occupied;
use super::ground::Ground;
use super::random::whereabouts;
use super::{GAP, Model, PlacementError, PlacementMethod, fractions, radius};
use crate::measure;

/// Contact distances are taken to be longer by this share, so that the descent, which comes ever nearer
/// to a place where springs are relaxed, gets to where the particles themselves do not touch.
const MARGIN: f64 = 2e-3;

/// Pairs are looked for that are nearer to contact than this share of the smallest radius.
const SKIN: f64 = 0.5;

/// Starts that are tried, and steps of each. Half of close packing takes some tens of steps, 0.6 in 3D some
/// hundreds.
const STARTS: usize = 3;
const STEPS: usize = 20_000;

/// Particles are stuck if after so many steps the largest overlap is more than this share of what it was.
const CHECKED_EVERY: usize = 500;
const HARDLY_LESS: f64 = 0.98;

/// Places that are tried for a particle at the start, where it may overlap others.
const TRIES: usize = 100_000;

/// Of the descent: the first and the longest step in units of the oscillation of a spring, and how they and
/// the steering change (Bitzek et al.).
const FIRST_STEP: f64 = 0.1;
const LONGEST_STEP: f64 = 0.4;
const FASTER: f64 = 1.1;
const SLOWER: f64 = 0.5;
const STEERING: f64 = 0.1;
const LESS_STEERING: f64 = 0.99;
const PATIENCE: usize = 5;

/// A sphere that is to be packed, or that is in the way of others.
#[derive(Clone, Copy)]
pub(super) struct Sphere<const D: usize> {
    pub(super) species: u16,
    pub(super) place: Vector<D>,
    /// \[nm\]
    pub(super) radius: f64,
}

/// Where spheres are packed.
pub(super) struct Vessel<'a, const D: usize> {
    pub(super) domain: &'a Domain<D>,
    /// Which species keep each other out.
    pub(super) groups: Groups,
    /// Brings a sphere of a species and a radius that has moved to a place back to where it may be; none if
    /// it has to stay where it was.
    pub(super) back: &'a dyn Fn(u16, f64, Vector<D>) -> Option<Vector<D>>,
}

/// The packed spheres of a model in Brownian motion.
pub(super) fn place<const D: usize>(
    model: &Model,
    ground: &Ground<'_, D>,
    occupied: &mut Occupied<'_, D>,
    random: &mut Xoshiro256PlusPlus,
) -> Result<(), PlacementError> {
    let packed = model.placement.iter().filter_map(|placement| match placement.how {
        PlacementMethod::Packed { count } => Some(std::iter::repeat_n(placement.species, count)),
        _ => None,
    });
    let wanted: Vec<u16> = packed.flatten().collect();
    let Some(&first) = wanted.first() else { return Ok(()) };
    let back = |species, _, place| {
        let place = ground.brought_back(species, place);
        ground.holds(species, place).ok().map(|()| place)
    };
    let vessel = Vessel { domain: ground.domain, groups: measure::apart(model), back: &back };
    let sphere = |(species, place)| Sphere { species, place, radius: radius(model, species) };
    let fixed: Vec<Sphere<D>> = occupied.particles().map(sphere).collect();
    let found = packed_in(&vessel, &fixed, || {
        let thrown = wanted.iter().map(|&species| {
            let place = (0..TRIES).find_map(|_| ground.somewhere(species, random));
            place.map(|place| sphere((species, place))).ok_or(species)
        });
        thrown.collect()
    });
    let (asked, reached) = fractions(model, first, occupied);
    let name = |species: u16| model.species[usize::from(species)].name.clone();
    match found {
        Ok(found) => {
            found.iter().for_each(|sphere| occupied.add(sphere.species, sphere.place));
            Ok(())
        }
        Err(Unpacked::Nowhere(species)) => Err(PlacementError::Jammed {
            place: whereabouts(model, species),
            species: name(species),
            wanted: wanted.iter().filter(|&&other| other == species).count(),
            placed: 0,
            asked,
            reached,
        }),
        Err(Unpacked::Stuck(overlap)) => Err(PlacementError::NotPacked {
            species: name(first),
            wanted: wanted.len(),
            asked,
            overlap,
        }),
    }
}

/// Why spheres could not be packed.
pub(super) enum Unpacked {
    /// There is no place for one of this species, even if it may overlap others.
    Nowhere(u16),
    /// Two still overlap by so much. \[nm\]
    Stuck(f64),
}

/// Spheres that `throw` has put anywhere, moved apart from each other and from those that are `fixed`.
///
/// # Errors
/// If they get stuck, or `throw` knows of no place for a species.
pub(super) fn packed_in<const D: usize>(
    vessel: &Vessel<'_, D>,
    fixed: &[Sphere<D>],
    mut throw: impl FnMut() -> Result<Vec<Sphere<D>>, u16>,
) -> Result<Vec<Sphere<D>>, Unpacked> {
    let mut overlap = 0.0;
    for _ in 0..STARTS {
        let thrown = throw().map_err(Unpacked::Nowhere)?;
        let mut pack = Pack::new(vessel, fixed, &thrown);
        match pack.relax() {
            Ok(()) => {
                let places = &pack.place[fixed.len()..];
                let moved =
                    thrown.iter().zip(places).map(|(sphere, &place)| Sphere { place, ..*sphere });
                return Ok(moved.collect());
            }
            Err(left) => overlap = left,
        }
    }
    Err(Unpacked::Stuck(overlap))
}

/// Spheres that still overlap, those first that are where they are.
struct Pack<'a, const D: usize> {
    vessel: &'a Vessel<'a, D>,
    /// How many do not move.
    fixed: usize,
    species: Vec<u16>,
    place: Vec<Vector<D>>,
    velocity: Vec<Vector<D>>,
    force: Vec<Vector<D>>,
    /// \[nm\]
    radius: Vec<f64>,
    smallest: f64,
    /// Those near each other, and where all were when these were looked for.
    pairs: Vec<Pair>,
    looked: Vec<Vector<D>>,
}

impl<'a, const D: usize> Pack<'a, D> {
    fn new(vessel: &'a Vessel<'a, D>, fixed: &[Sphere<D>], thrown: &[Sphere<D>]) -> Self {
        let all = || fixed.iter().chain(thrown);
        let radius: Vec<f64> = all().map(|sphere| sphere.radius).collect();
        let none = vec![Vector::ZERO; radius.len()];
        let mut pack = Self {
            vessel,
            fixed: fixed.len(),
            species: all().map(|sphere| sphere.species).collect(),
            place: all().map(|sphere| sphere.place).collect(),
            velocity: none.clone(),
            force: none,
            smallest: radius.iter().copied().fold(f64::INFINITY, f64::min),
            radius,
            pairs: Vec::new(),
            looked: Vec::new(),
        };
        pack.look();
        pack
    }

    /// Moves the particles apart; if they get stuck, says by how much two still overlap \[nm\].
    fn relax(&mut self) -> Result<(), f64> {
        let (mut step, mut steering, mut downhill) = (FIRST_STEP, STEERING, 0);
        let mut overlap = self.push();
        let mut before = f64::INFINITY;
        for n in 1..=STEPS {
            if overlap <= 0.0 {
                return Ok(());
            }
            if n % CHECKED_EVERY == 0 {
                if overlap > HARDLY_LESS * before {
                    return Err(overlap);
                }
                before = overlap;
            }
            let mobile = || self.velocity.iter().zip(&self.force).skip(self.fixed);
            let power: f64 = mobile().map(|(velocity, force)| velocity.dot(*force)).sum();
            if power > 0.0 {
                downhill += 1;
                let square = |of: &[Vector<D>]| -> f64 {
                    of.iter().skip(self.fixed).map(|v| v.norm_squared()).sum()
                };
                let ratio = (square(&self.velocity) / square(&self.force)).sqrt();
                for (velocity, force) in self.velocity.iter_mut().zip(&self.force) {
                    *velocity = *velocity * (1.0 - steering) + *force * (steering * ratio);
                }
                if downhill > PATIENCE {
                    step = (step * FASTER).min(LONGEST_STEP);
                    steering *= LESS_STEERING;
                }
            } else {
                self.velocity.fill(Vector::ZERO);
                (step, steering, downhill) = (step * SLOWER, STEERING, 0);
            }
            self.advance(step);
            overlap = self.push();
        }
        Err(overlap)
    }

    /// One step with these forces, as far as surfaces allow it.
    fn advance(&mut self, step: f64) {
        let mut farthest = 0.0_f64;
        for i in self.fixed..self.place.len() {
            self.velocity[i] += self.force[i] * step;
            let mut path = self.velocity[i] * step;
            let (length, most) = (path.norm(), 0.25 * self.radius[i]);
            if length > most {
                path = path * (most / length);
            }
            match (self.vessel.back)(self.species[i], self.radius[i], self.place[i] + path) {
                Some(there) => self.place[i] = there,
                None => self.velocity[i] = Vector::ZERO,
            }
            let moved = self.vessel.domain.nearest_image(self.place[i] - self.looked[i]);
            farthest = farthest.max(moved.norm());
        }
        if 2.0 * farthest > SKIN * self.smallest {
            self.look();
        }
    }

    /// Finds those that are near each other. In order, so that sums do not depend on how they were found.
    fn look(&mut self) {
        let reach: Vec<f64> =
            self.radius.iter().map(|r| r * (1.0 + MARGIN) + 0.5 * SKIN * self.smallest).collect();
        let count = self.place.len();
        let paths = Paths {
            domain: self.vessel.domain,
            position: &self.place,
            velocity: &vec![Vector::ZERO; count],
            since: &vec![0.0; count],
            radius: &reach,
            group: &self.species,
            groups: &self.vessel.groups,
            alive: &vec![true; count],
        };
        let mut search = Settings { kind: Kind::Levels, ..Settings::default() }.build::<D>();
        search.refit(&paths, Window::STEP);
        self.pairs.clear();
        search.pairs(&paths, &mut self.pairs);
        let fixed = self.fixed as u32;
        self.pairs.retain(|Pair(_, later)| *later >= fixed);
        self.pairs.sort_unstable();
        self.looked.clone_from(&self.place);
    }

    /// Sets the forces of the springs, and says by how much two particles overlap at most, below zero if
    /// none do. \[nm\]
    fn push(&mut self) -> f64 {
        self.force.fill(Vector::ZERO);
        let mut most = f64::NEG_INFINITY;
        for &Pair(a, b) in &self.pairs {
            let [i, j] = [a as usize, b as usize];
            let apart = self.vessel.domain.nearest_image(self.place[j] - self.place[i]);
            let contact = self.radius[i] + self.radius[j];
            let length = contact * (1.0 + MARGIN);
            let squared = apart.norm_squared();
            if squared >= length * length {
                continue;
            }
            let distance = squared.sqrt();
            most = most.max(contact * (1.0 + GAP) - distance);
            // Two in one place are pushed apart along the first axis.
            let normal = match distance > 0.0 {
                true => apart * (1.0 / distance),
                false => Vector::from_fn(|k| if k == 0 { 1.0 } else { 0.0 }),
            };
            let push = normal * (length - distance);
            self.force[i] -= push;
            self.force[j] += push;
        }
        most
    }
}
