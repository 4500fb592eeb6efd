//! Where the balls of a granular model are at the start, how large each is, and how it moves.

mod crowd;
mod room;
#[cfg(test)]
mod tests;
mod velocities;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::aloft::aloft;
use super::packed::{Sphere, Unpacked, Vessel, packed_in};
use super::random::{PATIENCE, PATIENCE_IN_ALL, somewhere};
use super::{GAP, Model, PURPOSE, PlacementError, PlacementMethod, lattice};
use crate::granular::GranularModel;
use crowd::Crowd;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Groups, Vector};

pub use velocities::velocities;
pub(super) use velocities::{mean_norm, normals};

/// A ball at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball<const D: usize> {
    /// Index into the model's species.
    pub species: u16,
    /// \[nm\]
    pub position: Vector<D>,
    /// \[nm\]
    pub radius: f64,
}

/// What all kinds of placement work on.
struct BallGround<'a, const D: usize> {
    model: &'a Model,
    granular: &'a GranularModel,
    domain: Domain<D>,
    crowd: Crowd<D>,
    generator: Xoshiro256PlusPlus,
}

/// All balls of a granular model, in the order of the species and, within one, of placement: given
/// places first, then lattices, then those packed, then at random, the largest first. The container is where it is at
/// time
/// 0. The same model with the same seed gives the same balls.
///
/// # Errors
/// If the balls do not fit, or given places overlap.
pub fn place_balls<const D: usize>(
    model: &Model,
    granular: &GranularModel,
) -> Result<Vec<Ball<D>>, PlacementError> {
    let domain = Domain::new(
        std::array::from_fn(|k| model.space.edges[k]),
        std::array::from_fn(|k| model.space.periodic[k]),
    );
    let mut place = BallGround {
        model,
        granular,
        crowd: Crowd::new(model, granular, &domain),
        domain,
        generator: Xoshiro256PlusPlus::seed_from_u64(model.run.seed ^ PURPOSE),
    };
    place.given()?;
    place.on_lattice()?;
    place.packed()?;
    place.at_random()?;
    place.in_room()?;
    let mut balls = place.crowd.into_balls();
    balls.sort_by_key(|ball| ball.species);
    if let Some(shaking) = &granular.shaking {
        balls
            .iter_mut()
            .for_each(|ball| ball.position[shaking.axis] += shaking.start_of_container());
    }
    Ok(balls)
}

impl<const D: usize> BallGround<'_, D> {
    /// The radius of ball `n` of a species: its own draw where radii vary.
    fn radius(&self, species: u16, n: usize) -> f64 {
        let balls = &self.granular.balls[species as usize];
        let [low, high] = balls.radius;
        if !balls.varies() {
            return low;
        }
        let key = [u64::from(species), n as u64, 0, 0];
        low + (high - low) * Random::new(self.model.run.seed).uniform(Purpose::Radius, key)
    }

    /// Species and radius of each ball placed in the way that `count` picks, the largest first.
    fn wanted(&self, count: impl Fn(&PlacementMethod) -> Option<usize>) -> Vec<(u16, f64)> {
        let mut list = Vec::new();
        for placement in &self.model.placement {
            let count = count(&placement.how).unwrap_or(0);
            list.extend((0..count).map(|n| (placement.species, self.radius(placement.species, n))));
        }
        list.sort_by(|a, b| b.1.total_cmp(&a.1));
        list
    }

    fn name(&self, species: u16) -> String {
        self.model.species[species as usize].name.clone()
    }

    /// Balls with given places. They may touch each other and walls.
    fn given(&mut self) -> Result<(), PlacementError> {
        for placement in &self.model.placement {
            let PlacementMethod::Positions(places) = &placement.how else {
                continue;
            };
            let species = placement.species;
            for (n, place) in places.iter().enumerate() {
                let mut place = Vector::from_fn(|k| place[k]);
                if let Some(shaking) = &self.granular.shaking {
                    place[shaking.axis] -= shaking.start_of_container();
                }
                let ball = Ball {
                    species,
                    position: self.domain.wrap(place).0,
                    radius: self.radius(species, n),
                };
                let beyond = ball.radius - self.crowd.to_wall(place);
                if beyond > 1e-12 * ball.radius {
                    return Err(PlacementError::InWall {
                        species: self.name(species),
                        number: n + 1,
                        beyond,
                    });
                }
                if let Some(other) = self.crowd.overlapping(&ball, -1e-12) {
                    let (other, number) = self.crowd.numbered(other);
                    return Err(PlacementError::Overlap {
                        first: self.name(other.species),
                        first_number: number + 1,
                        second: self.name(species),
                        second_number: n + 1,
                        distance: self.domain.nearest_image(other.position - ball.position).norm(),
                        contact: ball.radius + other.radius,
                    });
                }
                self.crowd.add(ball);
            }
        }
        Ok(())
    }

    fn on_lattice(&mut self) -> Result<(), PlacementError> {
        let wanted = self.wanted(|how| match how {
            PlacementMethod::Lattice { count } => Some(*count),
            _ => None,
        });
        let Some(&(_, largest)) = wanted.first() else {
            return Ok(());
        };
        let crowd = &self.crowd;
        let is_free = |site: &Vector<D>| {
            let ball = Ball { species: 0, position: *site, radius: largest };
            crowd.to_wall(*site) >= largest && crowd.overlapping(&ball, GAP).is_none()
        };
        let found = lattice::free_sites(&self.domain, wanted.len(), largest, is_free);
        let mut sites = found.map_err(|full| full.reported(self.asked(&wanted)))?;
        lattice::mix(&mut sites, &mut self.generator);
        for ((species, radius), position) in wanted.into_iter().zip(sites) {
            self.crowd.add(Ball { species, position, radius });
        }
        Ok(())
    }

    fn packed(&mut self) -> Result<(), PlacementError> {
        let wanted = self.wanted(|how| match how {
            PlacementMethod::Packed { count } => Some(*count),
            _ => None,
        });
        let Some(&(first, _)) = wanted.first() else { return Ok(()) };
        let crowd = &self.crowd;
        let back = |_, radius, place| crowd.brought_back(place, radius);
        let vessel = Vessel { domain: &self.domain, groups: Groups::all(), back: &back };
        let sphere =
            |ball: &Ball<D>| Sphere { species: 0, place: ball.position, radius: ball.radius };
        let fixed: Vec<Sphere<D>> = crowd.balls().iter().map(sphere).collect();
        let generator = &mut self.generator;
        let found = packed_in(&vessel, &fixed, || {
            let thrown = wanted.iter().map(|&(species, radius)| {
                let place = crowd.brought_back(somewhere(vessel.domain, radius, generator), radius);
                place.map(|place| Sphere { species: 0, place, radius }).ok_or(species)
            });
            thrown.collect()
        });
        let asked = self.asked(&wanted);
        match found {
            Ok(found) => {
                for ((species, radius), sphere) in wanted.into_iter().zip(found) {
                    self.crowd.add(Ball { species, position: sphere.place, radius });
                }
                Ok(())
            }
            Err(Unpacked::Nowhere(species)) => Err(PlacementError::Jammed {
                place: String::new(),
                species: self.name(species),
                wanted: wanted.iter().filter(|(other, _)| *other == species).count(),
                placed: 0,
                asked,
                reached: self.crowd.packing_fraction(),
            }),
            Err(Unpacked::Stuck(overlap)) => Err(PlacementError::NotPacked {
                species: self.name(first),
                wanted: wanted.len(),
                asked,
                overlap,
            }),
        }
    }

    fn at_random(&mut self) -> Result<(), PlacementError> {
        let wanted = self.wanted(|how| match how {
            PlacementMethod::Random { count } => Some(*count),
            _ => None,
        });
        let asked = self.asked(&wanted);
        let mut left = PATIENCE + PATIENCE_IN_ALL * wanted.len() as u64;
        for (n, &(species, radius)) in wanted.iter().enumerate() {
            let found = (0..left.min(PATIENCE)).find_map(|tried| {
                let slope = |axis| self.model.engine.slope(species, axis);
                let position = aloft(slope, &self.domain, radius, &mut self.generator);
                let ball = Ball { species, position, radius };
                let free = self.crowd.to_wall(position) >= radius
                    && self.crowd.overlapping(&ball, GAP).is_none();
                free.then_some((tried + 1, ball))
            });
            let Some((tried, ball)) = found else {
                let of_species =
                    |list: &[(u16, f64)]| list.iter().filter(|(s, _)| *s == species).count();
                return Err(PlacementError::Jammed {
                    place: String::new(),
                    species: self.name(species),
                    wanted: of_species(&wanted),
                    placed: of_species(&wanted[..n]),
                    asked,
                    reached: self.crowd.packing_fraction(),
                });
            };
            left -= tried;
            self.crowd.add(ball);
        }
        Ok(())
    }

    /// The packing fraction with these balls added.
    fn asked(&self, wanted: &[(u16, f64)]) -> f64 {
        let radii = wanted.iter().map(|(_, radius)| *radius);
        self.crowd.packing_fraction() + self.crowd.filled_by(radii)
    }
}
