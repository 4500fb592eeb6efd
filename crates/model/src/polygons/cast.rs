//! All outlines, bodies and walls of a model, before the bodies have places.

use crate::{Model, Placement};
use jostle_core::parameters::polygons::{Drive, PlacedWall, Solid, contact_time};
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Outline, Polygon, Vector, centroid};

use super::{Barrier, Form, PolygonModel, SIDES, Turned};

/// Outlines, bodies and walls.
#[derive(Clone, Debug)]
pub struct Cast {
    /// What bodies and walls look like; these have the numbers here.
    pub outlines: Vec<Outline>,
    /// The bodies, species by species; a body's identity is its number here.
    pub solids: Vec<Solid>,
    /// The walls: those of the box first.
    pub walls: Vec<PlacedWall>,
    /// What they are called. \[wall\]
    pub names: Vec<String>,
}

impl Cast {
    /// How far the outline of a body reaches from its centroid. \[nm\]
    pub fn reach(&self, solid: usize) -> f64 {
        self.outlines[self.solids[solid].outline as usize].circumradius()
    }

    /// The area of a body. \[nm²\]
    pub fn area(&self, solid: usize) -> f64 {
        self.outlines[self.solids[solid].outline as usize].area()
    }

    /// The mass of a body. \[kg\]
    pub fn mass(&self, solid: usize) -> f64 {
        self.area(solid) * self.solids[solid].density
    }

    /// The least and the largest number of corners of the bodies of a species; 0 for disks.
    pub fn corners(&self, species: u16) -> [usize; 2] {
        let own = self.solids.iter().filter(|solid| solid.species == species);
        let corners = own.map(|solid| {
            let polygon = self.outlines[solid.outline as usize].polygon();
            polygon.map_or(0, |polygon| polygon.corners().len())
        });
        let all: Vec<_> = corners.collect();
        [all.iter().min(), all.iter().max()].map(|count| count.copied().unwrap_or(0))
    }

    /// The largest reach of all bodies; 0 without any. \[nm\]
    pub fn largest_reach(&self) -> f64 {
        (0..self.solids.len()).map(|n| self.reach(n)).fold(0.0, f64::max)
    }
}

/// All outlines, bodies and walls of a model. The bodies are turned as they are at the start, and
/// rest at the origin. The same model with the same seed gives the same.
pub fn cast(model: &Model, polygons: &PolygonModel) -> Cast {
    let mut cast = Cast::of_bodies(model, polygons);
    let thickness = cast.thickness(model);
    for (side, name) in SIDES.iter().enumerate().filter(|&(side, _)| polygons.sides[side]) {
        let (outline, position) = side_wall(model, side, thickness);
        cast.add_wall(name, outline, position, 0.0, None);
    }
    for barrier in &polygons.walls {
        let (outline, position, angle) = placed(barrier, model.run.seed);
        cast.add_wall(&barrier.name, outline, position, angle, Some(barrier));
    }
    cast
}

impl PolygonModel {
    /// The longest time step \[µs\] with which the shortest contact between bodies, of which there
    /// are as many as the placement says, takes so many of them; NaN if there are no bodies, or
    /// faulty ones.
    pub fn longest_timestep(&self, placement: &[Placement], seed: u64, steps: f64) -> f64 {
        let cast = Cast::of(placement, seed, self);
        if cast.solids.is_empty() {
            return f64::NAN;
        }
        contact_time(&self.law, &cast.outlines, &cast.solids) / steps
    }
}

impl PolygonModel {
    /// The mean area \[nm²\] and mass \[kg\] of the bodies of the first species that has any, for shapes
    /// drawn with seed 0 if they are random; nothing if there are none, or faulty ones.
    pub fn mean_body(&self, placement: &[Placement]) -> Option<[f64; 2]> {
        let cast = Cast::of(placement, 0, self);
        let first = cast.solids.first()?.species;
        let own: Vec<usize> =
            (0..cast.solids.len()).filter(|&n| cast.solids[n].species == first).collect();
        let mean =
            |of: &dyn Fn(usize) -> f64| own.iter().map(|&n| of(n)).sum::<f64>() / own.len() as f64;
        let (area, mass) = (mean(&|n| cast.area(n)), mean(&|n| cast.mass(n)));
        (area > 0.0 && mass > 0.0 && area.is_finite() && mass.is_finite()).then_some([area, mass])
    }
}

impl Cast {
    /// The bodies alone, without walls.
    pub fn of_bodies(model: &Model, polygons: &PolygonModel) -> Self {
        Self::of(&model.placement, model.run.seed, polygons)
    }

    fn of(placement: &[Placement], seed: u64, polygons: &PolygonModel) -> Self {
        let mut cast =
            Self { outlines: Vec::new(), solids: Vec::new(), walls: Vec::new(), names: Vec::new() };
        for species in 0..polygons.bodies.len() as u16 {
            let of_species = placement.iter().filter(|p| p.species == species);
            let count = of_species.map(Placement::count).sum();
            cast.add_bodies(seed, polygons, species, count);
        }
        cast
    }

    fn add_bodies(&mut self, seed: u64, polygons: &PolygonModel, species: u16, count: usize) {
        let bodies = &polygons.bodies[species as usize];
        let random = Random::new(seed);
        for n in 0..count {
            if n == 0 || bodies.shape.varies() {
                self.outlines.push(bodies.shape.outline(&random, species, n));
            }
            let angle = match &bodies.turned {
                Turned::Random => {
                    std::f64::consts::TAU
                        * random.uniform(Purpose::Placement, [u64::from(species), n as u64, 0, 0])
                }
                Turned::By(angle) => *angle,
                Turned::Each(angles) => angles.get(n).copied().unwrap_or(0.0),
            };
            self.solids.push(Solid {
                outline: self.outlines.len() as u32 - 1,
                position: Vector::ZERO,
                angle,
                velocity: Vector::ZERO,
                angular_velocity: bodies.angular_velocity,
                density: bodies.density,
                species,
            });
        }
    }

    fn add_wall(
        &mut self,
        name: &str,
        outline: Outline,
        position: Vector<2>,
        angle: f64,
        barrier: Option<&Barrier>,
    ) {
        self.walls.push(PlacedWall {
            outline: self.outlines.len() as u32,
            position,
            angle,
            drive: barrier.map_or(Drive::Fixed, |barrier| barrier.drive),
            friction: barrier.and_then(|barrier| barrier.friction),
            opens_at: barrier.and_then(|barrier| barrier.opens_at),
        });
        self.outlines.push(outline);
        self.names.push(name.to_owned());
    }

    /// How thick the walls of the box are: more than any body could go through. \[nm\]
    fn thickness(&self, model: &Model) -> f64 {
        let longest = model.space.edges[0].max(model.space.edges[1]);
        (0.05 * longest).max(2.0 * self.largest_reach())
    }
}

/// The wall that stands outside a side of the box, and where its centroid is. It ends beyond the
/// corners of the box, so that nothing slips out there, and beyond the seam of a periodic axis, so
/// that a body there stands on one piece of it.
fn side_wall(model: &Model, side: usize, thickness: f64) -> (Outline, Vector<2>) {
    let axis = side / 2;
    let mut size = [0.0; 2];
    size[axis] = thickness;
    size[1 - axis] = model.space.edges[1 - axis] + 2.0 * thickness;
    let mut position = Vector([0.5 * model.space.edges[0], 0.5 * model.space.edges[1]]);
    position[axis] = if side.is_multiple_of(2) {
        -0.5 * thickness
    } else {
        model.space.edges[axis] + 0.5 * thickness
    };
    (Outline::Polygon(Polygon::rectangle(size[0], size[1])), position)
}

/// A wall's outline, where its centroid is, and its angle.
fn placed(barrier: &Barrier, seed: u64) -> (Outline, Vector<2>, f64) {
    match &barrier.form {
        Form::Corners(corners) => {
            let places: Vec<_> = corners.iter().map(|&corner| Vector(corner)).collect();
            (super::shape::polygon(corners), centroid(&places), 0.0)
        }
        Form::Shape { shape, position, angle } => {
            (shape.outline(&Random::new(seed), u16::MAX, 0), Vector(*position), *angle)
        }
    }
}
