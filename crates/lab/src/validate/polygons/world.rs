//! Small worlds of polygons, and what is read off them. Lengths, masses and times are of no
//! particular unit: bodies of size 1 and mass about 1.

use std::f64::consts::PI;

use jostle_core::observe::ContactForce;
use jostle_core::space::{Domain, Outline, Polygon, Vector};
use jostle_polygons::{Drive, ForceLaw, NormalLaw, PlacedWall, Polygons, RunFault, Setup, Solid};

/// Conservative, without friction.
pub const SMOOTH: ForceLaw = ForceLaw {
    normal: NormalLaw::Gradient,
    stiffness: 1e4,
    damping: 0.0,
    friction: 0.0,
    wall_friction: 0.0,
    tangential: 2.0 / 7.0,
    rolling: 0.0,
};

/// What grains are like.
pub const ROUGH: ForceLaw = ForceLaw { damping: 0.5, friction: 0.5, wall_friction: 0.5, ..SMOOTH };

/// An empty world without periods.
pub fn world(law: ForceLaw, timestep: f64) -> Setup {
    Setup {
        domain: Domain::new([100.0, 100.0], [false, false]),
        outlines: Vec::new(),
        solids: Vec::new(),
        walls: Vec::new(),
        law,
        gravity: Vector::ZERO,
        timestep,
    }
}

/// Puts a body of density 1 into the world; its place in the list.
pub fn put(world: &mut Setup, outline: Outline, position: [f64; 2], angle: f64) -> usize {
    world.outlines.push(outline);
    world.solids.push(Solid {
        outline: world.outlines.len() as u32 - 1,
        position: Vector(position),
        angle,
        velocity: Vector::ZERO,
        angular_velocity: 0.0,
        density: 1.0,
        species: 0,
    });
    world.solids.len() - 1
}

/// Puts a fixed rectangle into the world; its place in the list.
pub fn wall(world: &mut Setup, size: [f64; 2], position: [f64; 2]) -> usize {
    world.outlines.push(rectangle(size[0], size[1]));
    world.walls.push(PlacedWall {
        outline: world.outlines.len() as u32 - 1,
        position: Vector(position),
        angle: 0.0,
        drive: Drive::Fixed,
        friction: None,
        opens_at: None,
    });
    world.walls.len() - 1
}

/// A wide floor whose top is at y = 0.
pub fn floor(world: &mut Setup) -> usize {
    wall(world, [400.0, 10.0], [0.0, -5.0])
}

/// A rectangle around its centroid.
pub fn rectangle(width: f64, height: f64) -> Outline {
    Outline::Polygon(Polygon::rectangle(width, height))
}

/// A regular polygon in a circle of this radius.
pub fn regular(corners: usize, circumradius: f64) -> Outline {
    Outline::Polygon(Polygon::regular(corners, circumradius))
}

/// Takes so many steps.
///
/// # Errors
/// If the run cannot be trusted any longer.
pub fn advance(engine: &mut Polygons, steps: u64) -> Result<(), RunFault> {
    (0..steps).try_for_each(|_| engine.step())
}

/// Where a body is, unwrapped, and how it is turned.
pub fn place(engine: &mut Polygons, body: usize) -> [f64; 3] {
    let view = engine.view();
    let edges = view.domain.edges();
    let (p, image) = (view.particles.position[body], view.particles.image[body]);
    let along = |k: usize| p[k] + f64::from(image[k]) * edges[k];
    [along(0), along(1), view.outlines.map_or(f64::NAN, |outlines| outlines.angle[body])]
}

/// How fast a body moves and turns.
pub fn velocity(engine: &mut Polygons, body: usize) -> [f64; 3] {
    let view = engine.view();
    let v = view.particles.velocity[body] * (1.0 / view.clock.timestep);
    [v[0], v[1], view.outlines.map_or(f64::NAN, |outlines| outlines.angular_velocity[body])]
}

/// The forces of the last step.
pub fn forces(engine: &mut Polygons) -> Vec<ContactForce> {
    engine.view().outlines.map_or(Vec::new(), |outlines| outlines.forces.to_vec())
}

/// `kinetic + potential + elastic + dissipated - wall_work`: what never changes.
pub fn sum_of_balance(engine: &Polygons) -> f64 {
    let balance = engine.balance();
    balance.kinetic + balance.potential + balance.elastic + balance.dissipated - balance.wall_work
}

/// The law's length for a body against a wall.
pub fn length(outline: &Outline) -> f64 {
    4.0 * (outline.area() / PI).sqrt()
}
