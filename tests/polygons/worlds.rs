//! What these tests are made of: engines, and what is read off them.

use std::f64::consts::PI;

use jostle::observe::ContactForce;
use jostle::polygons::{Drive, ForceLaw, NormalLaw, Polygons, RunFault, Setup, Solid, Wall};
use jostle::space::{Domain, Outline, Polygon, Vector};

/// Conservative, without friction.
pub(crate) const SMOOTH: ForceLaw = ForceLaw {
    normal: NormalLaw::Gradient,
    stiffness: 1e4,
    damping: 0.0,
    friction: 0.0,
    wall_friction: 0.0,
    tangential: 2.0 / 7.0,
};

/// What grains are like.
pub(crate) const ROUGH: ForceLaw = ForceLaw { damping: 0.5, friction: 0.5, wall_friction: 0.5, ..SMOOTH };

/// An empty world without periods.
pub(crate) fn world(law: ForceLaw, timestep: f64) -> Setup {
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
pub(crate) fn put(world: &mut Setup, outline: Outline, position: [f64; 2], angle: f64) -> usize {
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
pub(crate) fn wall(world: &mut Setup, size: [f64; 2], position: [f64; 2]) -> usize {
    world.outlines.push(rectangle(size[0], size[1]));
    world.walls.push(Wall {
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
pub(crate) fn floor(world: &mut Setup) -> usize {
    wall(world, [400.0, 10.0], [0.0, -5.0])
}

pub(crate) fn rectangle(width: f64, height: f64) -> Outline {
    Outline::Polygon(Polygon::rectangle(width, height))
}

pub(crate) fn regular(corners: usize, circumradius: f64) -> Outline {
    Outline::Polygon(Polygon::regular(corners, circumradius))
}

pub(crate) fn start(world: Setup) -> Polygons {
    Polygons::new(world).unwrap_or_else(|fault| panic!("{fault}"))
}

pub(crate) fn run(engine: &mut Polygons, steps: u64) {
    for _ in 0..steps {
        step(engine);
    }
}

pub(crate) fn step(engine: &mut Polygons) {
    engine.step().unwrap_or_else(|fault: RunFault| panic!("{fault}"));
}

/// Where a body is, unwrapped, and how it is turned.
pub(crate) fn place(engine: &mut Polygons, body: usize) -> [f64; 3] {
    let view = engine.view();
    let edges = view.domain.edges();
    let (p, image) = (view.particles.position[body], view.particles.image[body]);
    let along = |k: usize| p[k] + f64::from(image[k]) * edges[k];
    [along(0), along(1), view.outlines.unwrap().angle[body]]
}

/// How fast a body moves and turns.
pub(crate) fn velocity(engine: &mut Polygons, body: usize) -> [f64; 3] {
    let view = engine.view();
    let v = view.particles.velocity[body] * (1.0 / view.clock.timestep);
    [v[0], v[1], view.outlines.unwrap().angular_velocity[body]]
}

/// The forces of the last step.
pub(crate) fn forces(engine: &mut Polygons) -> Vec<ContactForce> {
    engine.view().outlines.unwrap().forces.to_vec()
}

/// `kinetic + potential + elastic + dissipated - wall_work`: what never changes.
pub(crate) fn sum_of_books(engine: &Polygons) -> f64 {
    let books = engine.books();
    books.kinetic + books.potential + books.elastic + books.dissipated - books.wall_work
}

/// The law's length for a body against a wall.
pub(crate) fn length(outline: &Outline) -> f64 {
    4.0 * (outline.area() / PI).sqrt()
}

#[track_caller]
pub(crate) fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} instead of {expected} +- {tolerance}");
}

/// The slope of a line through (log x, log y) of successive pairs, halving x: the order of convergence.
pub(crate) fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}
