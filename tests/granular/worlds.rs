//! What these tests are made of: engines, grains at the start, observers, and bounds.

use std::f64::consts::PI;

use jostle::granular::container::{Container, Shaking};
use jostle::granular::forces::Forces;
use jostle::granular::restitution::Restitution;
use jostle::granular::tc::ContactTime;
use jostle::granular::{Collisions, Grain, Granular, Setup, SetupError, Trajectory};
use jostle::observe::{Contact, Observer, ObserverError};
use jostle::random::{Purpose, Random};
use jostle::search::kinetic::{KineticKind, KineticSettings};
use jostle::space::{Domain, Vector};

/// All that an engine is made of but the grains.
#[derive(Clone)]
pub(crate) struct World<const D: usize> {
    pub container: Container<D>,
    pub forces: Forces<D>,
    pub trajectory: Option<Trajectory>,
    pub collisions: Collisions,
    pub kind: KineticKind,
    pub beat: f64,
}

impl<const D: usize> World<D> {
    /// Elastic and without forces.
    pub(crate) fn of(container: Container<D>) -> Self {
        Self {
            container,
            forces: Forces::default(),
            trajectory: None,
            collisions: Collisions::elastic(),
            kind: KineticKind::Cubic,
            beat: 1.0,
        }
    }

    pub(crate) fn periodic(edges: [f64; D]) -> Self {
        Self::of(Container::new_box(Domain::new(edges, [true; D]), None).unwrap())
    }

    pub(crate) fn closed(edges: [f64; D]) -> Self {
        Self::of(Container::new_box(Domain::new(edges, [false; D]), None).unwrap())
    }

    pub(crate) fn shaken(edges: [f64; D], shaking: Shaking) -> Self {
        Self::of(Container::new_box(Domain::new(edges, [false; D]), Some(shaking)).unwrap())
    }

    /// Along the last axis.
    pub(crate) fn falling(mut self, gravity: f64) -> Self {
        self.forces.gravity = last(-gravity);
        self
    }

    pub(crate) fn restitution(mut self, coefficient: f64) -> Self {
        self.collisions.restitution = Restitution::Constant(coefficient);
        self
    }

    pub(crate) fn contact_time(mut self, time: f64) -> Self {
        self.collisions.contact_time = ContactTime::Constant(time);
        self
    }

    pub(crate) fn kind(mut self, kind: KineticKind) -> Self {
        self.kind = kind;
        self
    }

    pub(crate) fn beat(mut self, beat: f64) -> Self {
        self.beat = beat;
        self
    }

    pub(crate) fn start(&self, grains: &[Grain<D>]) -> Result<Granular<D>, SetupError> {
        let setup = Setup {
            container: self.container.clone(),
            forces: self.forces.clone(),
            trajectory: self.trajectory,
            collisions: self.collisions,
            search: KineticSettings { kind: self.kind, cell_size: None }.build().unwrap(),
            beat: self.beat,
        };
        Granular::new(setup, grains)
    }

    pub(crate) fn engine(&self, grains: &[Grain<D>]) -> Granular<D> {
        self.start(grains).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The vector along the last axis.
pub(crate) fn last<const D: usize>(component: f64) -> Vector<D> {
    Vector::from_fn(|k| if k + 1 == D { component } else { 0.0 })
}

/// A ball of diameter and mass 1.
pub(crate) fn ball<const D: usize>(position: [f64; D], velocity: [f64; D]) -> Grain<D> {
    Grain { position: Vector(position), velocity: Vector(velocity), radius: 0.5, mass: 1.0, species: 0 }
}

/// Balls of diameter and mass 1 in the middle of the cells of a lattice that fills the box.
pub(crate) fn lattice<const D: usize>(counts: [usize; D], edges: [f64; D]) -> Vec<Grain<D>> {
    let place = |n: usize| {
        let mut rest = n;
        std::array::from_fn(|k| {
            let cell = rest % counts[k];
            rest /= counts[k];
            (cell as f64 + 0.5) * edges[k] / counts[k] as f64
        })
    };
    (0..counts.iter().product()).map(|n| ball(place(n), [0.0; D])).collect()
}

/// Gives Maxwellian velocities: no momentum in all, and exactly this temperature.
pub(crate) fn heat<const D: usize>(grains: &mut [Grain<D>], temperature: f64, seed: u64) {
    let random = Random::new(seed);
    let mut momentum = Vector::<D>::ZERO;
    let mut mass = 0.0;
    for (n, grain) in (0..).zip(grains.iter_mut()) {
        grain.velocity = random.normal(0, n) * (temperature / grain.mass).sqrt();
        momentum += grain.velocity * grain.mass;
        mass += grain.mass;
    }
    let drift = momentum * (1.0 / mass);
    grains.iter_mut().for_each(|grain| grain.velocity -= drift);
    let kinetic: f64 = grains.iter().map(|g| 0.5 * g.mass * g.velocity.norm_squared()).sum();
    let scale = (0.5 * temperature * (D * grains.len()) as f64 / kinetic).sqrt();
    grains.iter_mut().for_each(|grain| grain.velocity = grain.velocity * scale);
}

/// A uniform number, the `n`-th of a kind.
pub(crate) fn uniform(seed: u64, n: u64, k: u64) -> f64 {
    Random::new(seed).uniform(Purpose::Placement, [n, k, 0, 0])
}

/// Grains of the given radii that do not overlap, placed at random in that order: give the largest
/// first. Masses go with the volume; 1 at radius 1/2.
pub(crate) fn scattered<const D: usize>(world: &World<D>, radii: &[f64], seed: u64) -> Vec<Grain<D>> {
    let domain = world.container.domain();
    let edges = domain.edges();
    let mut grains: Vec<Grain<D>> = Vec::new();
    for (n, &radius) in (0..).zip(radii) {
        let drawn =
            |attempt: u64| Vector::from_fn(|k| edges[k] * uniform(seed, n, attempt * D as u64 + k as u64));
        let clear = |place: &Vector<D>| {
            let inside =
                world.container.walls().all(|wall| world.container.gap(wall, *place, radius, 0.0) > 0.0);
            let far = |g: &Grain<D>| domain.nearest_image(g.position - *place).norm() > g.radius + radius;
            inside && grains.iter().all(far)
        };
        let position = (0..100_000).map(drawn).find(clear).expect("no room");
        let mass = libm::pow(2.0 * radius, D as f64);
        grains.push(Grain { position, velocity: Vector::ZERO, radius, mass, species: 0 });
    }
    grains
}

/// Number density of balls of diameter 1 that fill the share `phi`.
pub(crate) fn density<const D: usize>(phi: f64) -> f64 {
    match D {
        1 => phi,
        2 => 4.0 / PI * phi,
        _ => 6.0 / PI * phi,
    }
}

/// Hears of every contact.
pub(crate) struct Hear<F>(pub F);

impl<const D: usize, F: FnMut(&Contact<D>)> Observer<D> for Hear<F> {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        (self.0)(contact);
        Ok(())
    }
}

/// Runs until `end` without anybody who listens.
pub(crate) fn run<const D: usize>(engine: &mut Granular<D>, end: f64) {
    engine.advance(end, &mut jostle::observe::Nobody).unwrap_or_else(|fault| panic!("{fault}"));
}

/// Kinetic and potential energy now.
pub(crate) fn energy<const D: usize>(engine: &Granular<D>) -> f64 {
    let books = engine.books();
    books.kinetic + books.potential
}

/// Temperature: energy of motion per body and direction.
pub(crate) fn temperature<const D: usize>(engine: &Granular<D>) -> f64 {
    2.0 * engine.books().kinetic / (D * engine.flights().len()) as f64
}

/// The most that any two bodies, or a body and a wall, overlap; relative to the sum of the radii.
pub(crate) fn overlap<const D: usize>(world: &World<D>, engine: &Granular<D>) -> f64 {
    let flights = engine.flights();
    let now = engine.now();
    let place: Vec<Vector<D>> = (0..flights.len() as u32).map(|i| flights.at(i, now)).collect();
    let mut most = 0.0f64;
    for (i, x) in place.iter().enumerate() {
        let r = flights.all[i].radius;
        for wall in world.container.walls() {
            most = most.max(-world.container.gap(wall, *x, r, now) / r);
        }
        for (j, y) in place.iter().enumerate().take(i) {
            let contact = r + flights.all[j].radius;
            let squared = flights.domain.nearest_image(*x - *y).norm_squared();
            if squared < contact * contact {
                most = most.max(1.0 - squared.sqrt() / contact);
            }
        }
    }
    most
}

/// Mean and its standard error, from the means of blocks that are long enough to be independent.
pub(crate) fn mean_of_blocks(blocks: &[f64]) -> (f64, f64) {
    let n = blocks.len() as f64;
    let mean = blocks.iter().sum::<f64>() / n;
    let variance = blocks.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

/// Holds a mean to its expected value: 4.5 standard errors, and what the theory itself is off, relative.
#[track_caller]
pub(crate) fn assert_mean(what: &str, blocks: &[f64], expected: f64, theory: f64) {
    let (mean, error) = mean_of_blocks(blocks);
    let bound = 4.5 * error + theory * expected.abs();
    println!("{what}: {mean:.5} +- {error:.5}, expected {expected:.5}");
    assert!((mean - expected).abs() < bound, "{what}: {mean} +- {error} instead of {expected}");
    assert!(4.5 * error < 0.05 * expected.abs(), "{what}: a bound of {bound} says little about {expected}");
}
