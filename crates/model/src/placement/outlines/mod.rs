//! Where the bodies of a polygon model are at the start, and how they move.

mod crowd;
#[cfg(test)]
mod tests;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::balls::{mean_norm, normals};
use super::random::{PATIENCE, PATIENCE_IN_ALL};
use super::{Model, PURPOSE, PlacementError, PlacementMethod, lattice};
use crate::granular::Motion;
use crate::polygons::{Cast, PolygonModel, cast};
use crowd::{Hit, Obstacle, OutlineCrowd};
use jostle_core::random::Random;
use jostle_core::rules::Region;
use jostle_core::space::{Domain, Vector};

/// All outlines, bodies and walls of a model at time 0: given places first, then lattices, then at
/// random, the largest first. Nothing overlaps. The same model with the same seed gives the same.
///
/// # Errors
/// If the bodies do not fit, or given places overlap each other or a wall.
pub fn place_polygons(model: &Model, polygons: &PolygonModel) -> Result<Cast, PlacementError> {
    let cast = cast(model, polygons);
    let domain = Domain::new(
        [model.space.edges[0], model.space.edges[1]],
        [model.space.periodic[0], model.space.periodic[1]],
    );
    let mut place = OutlineGround {
        model,
        polygons,
        crowd: OutlineCrowd::new(cast, &domain),
        domain,
        generator: Xoshiro256PlusPlus::seed_from_u64(model.run.seed ^ PURPOSE),
    };
    place.given()?;
    place.on_lattices()?;
    place.at_random()?;
    let mut cast = place.crowd.into_cast();
    set_in_motion(model, polygons, &mut cast);
    Ok(cast)
}

/// What all kinds of placement work on.
struct OutlineGround<'a> {
    model: &'a Model,
    polygons: &'a PolygonModel,
    domain: Domain<2>,
    crowd: OutlineCrowd,
    generator: Xoshiro256PlusPlus,
}

impl OutlineGround<'_> {
    /// The numbers of the bodies of a species.
    fn of_species(&self, species: u16) -> std::ops::Range<usize> {
        let solids = &self.crowd.cast().solids;
        let from = solids.partition_point(|solid| solid.species < species);
        from..solids.partition_point(|solid| solid.species <= species)
    }

    fn name(&self, species: u16) -> String {
        self.model.species[species as usize].name.clone()
    }

    /// The species of a body, and its number among its like, from 1.
    fn called(&self, solid: usize) -> (String, usize) {
        let species = self.crowd.cast().solids[solid].species;
        (self.name(species), solid - self.of_species(species).start + 1)
    }

    /// Bodies with given places. They may touch each other and walls.
    fn given(&mut self) -> Result<(), PlacementError> {
        for placement in &self.model.placement {
            let PlacementMethod::Positions(places) = &placement.how else {
                continue;
            };
            for (solid, place) in self.of_species(placement.species).zip(places) {
                let place = self.domain.wrap(Vector([place[0], place[1]])).0;
                if let Some(hit) = self.crowd.hit(solid, place) {
                    return Err(self.overlap(solid, place, hit));
                }
                self.crowd.put(solid, place);
            }
        }
        Ok(())
    }

    fn overlap(
        &self,
        solid: usize,
        place: Vector<2>,
        Hit { obstacle, area }: Hit,
    ) -> PlacementError {
        let (second, second_number) = self.called(solid);
        let apart = self.crowd.apart(solid, place, obstacle);
        match obstacle {
            Obstacle::Body(other) => {
                let (first, first_number) = self.called(other);
                PlacementError::OutlinesOverlap {
                    first,
                    first_number,
                    second,
                    second_number,
                    area,
                    apart,
                }
            }
            Obstacle::Wall(wall) => PlacementError::OutlineInWall {
                species: second,
                number: second_number,
                wall: self.crowd.cast().names[wall].clone(),
                area,
                apart,
            },
        }
    }

    fn region(&self, species: u16) -> Option<&Region> {
        self.polygons.bodies[species as usize].region.as_ref()
    }

    /// Species on lattices in the same region share one.
    fn on_lattices(&mut self) -> Result<(), PlacementError> {
        let mut lattices: Vec<(Option<Region>, Vec<usize>)> = Vec::new();
        for placement in &self.model.placement {
            if let PlacementMethod::Lattice { .. } = placement.how {
                let region = self.region(placement.species).cloned();
                let bodies = self.of_species(placement.species);
                match lattices.iter_mut().find(|(known, _)| *known == region) {
                    Some((_, all)) => all.extend(bodies),
                    None => lattices.push((region, bodies.collect())),
                }
            }
        }
        for (region, bodies) in lattices {
            self.on_lattice(region.as_ref(), &bodies)?;
        }
        Ok(())
    }

    fn on_lattice(
        &mut self,
        region: Option<&Region>,
        bodies: &[usize],
    ) -> Result<(), PlacementError> {
        let (corner, domain) = match region {
            None => (Vector::ZERO, self.domain.clone()),
            Some(Region { from, to, .. }) => (
                Vector([from[0], from[1]]),
                Domain::new([to[0] - from[0], to[1] - from[1]], [false; 2]),
            ),
        };
        let crowd = &self.crowd;
        let largest = bodies.iter().map(|&solid| crowd.cast().reach(solid)).fold(0.0, f64::max);
        let is_free = |site: &Vector<2>| crowd.is_free(corner + *site, largest);
        let found = lattice::free_sites(&domain, bodies.len(), largest, is_free);
        // A lattice holds the circles around the bodies: it is they that do not fit.
        let asked =
            bodies.len() as f64 * jostle_core::space::ball_volume(2, largest) / domain.volume();
        let mut sites = found.map_err(|full| full.reported(asked))?;
        lattice::mix(&mut sites, &mut self.generator);
        for (&solid, site) in bodies.iter().zip(sites) {
            self.crowd.put(solid, corner + site);
        }
        Ok(())
    }

    fn at_random(&mut self) -> Result<(), PlacementError> {
        let mut wanted: Vec<usize> = Vec::new();
        for placement in &self.model.placement {
            if let PlacementMethod::Random { .. } = placement.how {
                wanted.extend(self.of_species(placement.species));
            }
        }
        let reach = |solid: &usize| self.crowd.cast().reach(*solid);
        wanted.sort_by(|a, b| reach(b).total_cmp(&reach(a)));
        let mut left = PATIENCE + PATIENCE_IN_ALL * wanted.len() as u64;
        for (n, &solid) in wanted.iter().enumerate() {
            let tries = left.min(PATIENCE);
            let found = (1..=tries).find_map(|tried| {
                let place = self.somewhere(solid);
                self.crowd.hit(solid, place).is_none().then_some((tried, place))
            });
            let Some((tried, place)) = found else {
                return Err(self.jammed(&wanted, n));
            };
            left -= tried;
            self.crowd.put(solid, place);
        }
        Ok(())
    }

    /// A place for the centroid of a body, anywhere in its region.
    fn somewhere(&mut self, solid: usize) -> Vector<2> {
        let species = self.crowd.cast().solids[solid].species;
        let edges = self.domain.edges();
        let (from, to) = match self.region(species) {
            Some(Region { from, to, .. }) => ([from[0], from[1]], [to[0], to[1]]),
            None => ([0.0; 2], edges),
        };
        let mut draw = || -> f64 { self.generator.random() };
        let place = Vector::from_fn(|k| from[k] + (to[k] - from[k]) * draw());
        self.domain.wrap(place).0
    }

    fn jammed(&self, wanted: &[usize], placed: usize) -> PlacementError {
        let species = self.crowd.cast().solids[wanted[placed]].species;
        let of_species = |list: &[usize]| {
            list.iter().filter(|&&solid| self.crowd.cast().solids[solid].species == species).count()
        };
        PlacementError::Jammed {
            place: String::new(),
            species: self.name(species),
            wanted: of_species(wanted),
            placed: of_species(&wanted[..placed]),
            asked: self.crowd.packing_fraction_of_all(),
            reached: self.crowd.packing_fraction(),
        }
    }
}

/// Gives the bodies their velocities, each a function of the seed and its number alone. By
/// Maxwell's law, every body draws from the distribution of its own mass, at the temperature at
/// which one of its species' mean mass has the mean speed that the model gives.
fn set_in_motion(model: &Model, polygons: &PolygonModel, cast: &mut Cast) {
    let random = Random::new(model.run.seed);
    let masses: Vec<f64> = (0..cast.solids.len()).map(|n| cast.mass(n)).collect();
    let mean = |species: u16| {
        let own = cast.solids.iter().zip(&masses).filter(|(solid, _)| solid.species == species);
        let (sum, count) =
            own.fold((0.0, 0.0), |(sum, count), (_, mass)| (sum + mass, count + 1.0));
        sum / count
    };
    let mean: Vec<f64> = (0..model.species.len() as u16).map(mean).collect();
    for (n, solid) in cast.solids.iter_mut().enumerate() {
        let species = solid.species as usize;
        solid.velocity = match polygons.bodies[species].motion {
            Motion::Rest => Vector::ZERO,
            Motion::Alike([x, y, _]) => Vector([x, y]),
            Motion::Maxwell(speed) => {
                normals::<2>(&random, n as u64)
                    * (speed / mean_norm(2) * (mean[species] / masses[n]).sqrt())
            }
        };
    }
}
