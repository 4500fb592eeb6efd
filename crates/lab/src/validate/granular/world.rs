//! Small worlds of grains: boxes, starts, and what is read off them. Lengths, masses and energies
//! are of no particular unit: balls of diameter 1 and mass 1 at temperature 1, except where metres
//! and seconds say so.

use std::f64::consts::PI;

use jostle_core::observe::{Contact, NoObserver, Observer, ObserverError};
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Vector};
use jostle_events::granular::container::{Container, ContainerError, Shaking};
use jostle_events::granular::forces::Forces;
use jostle_events::granular::restitution::Restitution;
use jostle_events::granular::tc::ContactTime;
use jostle_events::granular::{
    Collisions, Grain, Granular, RunFault, Setup, SetupError, Trajectory,
};
use jostle_events::kinetic::{KineticKind, KineticSettings};

/// All that an engine is made of but the grains.
#[derive(Clone)]
pub struct GranularWorld<const D: usize> {
    /// The box and its walls.
    pub container: Container<D>,
    /// What acts on the grains.
    pub forces: Forces<D>,
    /// When forces that bend paths are taken in.
    pub trajectory: Option<Trajectory>,
    /// What collisions leave.
    pub collisions: Collisions,
    /// The search structure: cells, unless another one is asked for.
    pub kind: KineticKind,
    /// How often observers look.
    pub output_interval: f64,
}

impl<const D: usize> GranularWorld<D> {
    /// Elastic and without forces.
    pub fn of(container: Container<D>) -> Self {
        Self {
            container,
            forces: Forces::default(),
            trajectory: None,
            collisions: Collisions::elastic(),
            kind: KineticKind::Cubic,
            output_interval: 1.0,
        }
    }

    /// A box that closes on itself.
    pub fn periodic(edges: [f64; D]) -> Self {
        Self::still(edges, [true; D])
    }

    /// A box with walls all around.
    pub fn closed(edges: [f64; D]) -> Self {
        Self::still(edges, [false; D])
    }

    /// A box that closes on itself along some axes and has walls along the others.
    pub fn still(edges: [f64; D], periodic: [bool; D]) -> Self {
        let container = Container::new_box(Domain::new(edges, periodic), None);
        Self::of(container.expect("walls that do not move are never refused"))
    }

    /// A box with walls all around that is shaken.
    ///
    /// # Errors
    /// If there is no such shaking.
    pub fn shaken(edges: [f64; D], shaking: Shaking) -> Result<Self, ContainerError> {
        Ok(Self::of(Container::new_box(Domain::new(edges, [false; D]), Some(shaking))?))
    }

    /// The same with gravity along the last axis, downwards.
    #[must_use]
    pub fn falling(mut self, gravity: f64) -> Self {
        self.forces.gravity = last(-gravity);
        self
    }

    /// The same with the same restitution for all.
    #[must_use]
    pub fn restitution(mut self, coefficient: f64) -> Self {
        self.collisions.restitution = Restitution::Constant(coefficient);
        self
    }

    /// The same with contacts that last so long (TC model).
    #[must_use]
    pub fn contact_time(mut self, time: f64) -> Self {
        self.collisions.contact_time = ContactTime::Constant(time);
        self
    }

    /// The same with another search structure.
    #[must_use]
    pub fn kind(mut self, kind: KineticKind) -> Self {
        self.kind = kind;
        self
    }

    /// The same with another output interval.
    #[must_use]
    pub fn output_interval(mut self, output_interval: f64) -> Self {
        self.output_interval = output_interval;
        self
    }

    /// An engine with these grains.
    ///
    /// # Errors
    /// If the engine refuses them.
    ///
    /// # Panics
    /// If the structure does not serve this box.
    pub fn start(&self, grains: &[Grain<D>]) -> Result<Granular<D>, SetupError> {
        Granular::new(self.setup(), grains)
    }

    /// What an engine in this world is built from.
    pub fn setup(&self) -> Setup<D> {
        let search = KineticSettings { kind: self.kind, cell_size: None }.build();
        Setup {
            container: self.container.clone(),
            forces: self.forces.clone(),
            trajectory: self.trajectory,
            collisions: self.collisions,
            search: search.expect("a structure for this many dimensions"),
            output_interval: self.output_interval,
        }
    }
}

/// The vector along the last axis.
pub fn last<const D: usize>(component: f64) -> Vector<D> {
    Vector::from_fn(|k| if k + 1 == D { component } else { 0.0 })
}

/// A ball of diameter and mass 1.
pub fn ball<const D: usize>(position: [f64; D], velocity: [f64; D]) -> Grain<D> {
    Grain {
        position: Vector(position),
        velocity: Vector(velocity),
        radius: 0.5,
        mass: 1.0,
        species: 0,
    }
}

/// Balls of diameter and mass 1 in the middle of the cells of a lattice that fills the box.
pub fn lattice<const D: usize>(counts: [usize; D], edges: [f64; D]) -> Vec<Grain<D>> {
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

/// The edge of the box in which side^D balls of diameter 1 fill the share `phi`.
pub fn edge_of<const D: usize>(side: usize, phi: f64) -> f64 {
    side as f64 / libm::pow(density::<D>(phi), 1.0 / D as f64)
}

/// side^D balls of diameter and mass 1 on a lattice in a box of which they fill the share `phi`, at
/// temperature 1; and the edge of the box.
pub fn gas<const D: usize>(side: usize, phi: f64, seed: u64) -> (Vec<Grain<D>>, f64) {
    let edge = edge_of::<D>(side, phi);
    let mut grains = lattice([side; D], [edge; D]);
    heat(&mut grains, 1.0, seed);
    (grains, edge)
}

/// Gives Maxwellian velocities: no momentum in all, and exactly this temperature of those that are
/// then free, which is to say an energy of T/2 for each of the d (N - 1) directions.
pub fn heat<const D: usize>(grains: &mut [Grain<D>], temperature: f64, seed: u64) {
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
    let free = (D * (grains.len() - 1)) as f64;
    let scale = (0.5 * temperature * free / kinetic).sqrt();
    grains.iter_mut().for_each(|grain| grain.velocity = grain.velocity * scale);
}

/// A uniform number, the `n`-th of a kind.
pub fn uniform(seed: u64, n: u64, k: u64) -> f64 {
    Random::new(seed).uniform(Purpose::Placement, [n, k, 0, 0])
}

/// Grains of the given radii that do not overlap, placed at random in that order: give the largest
/// first. Masses go with the volume; 1 at radius 1/2.
///
/// # Panics
/// If there is no room.
pub fn scattered<const D: usize>(
    world: &GranularWorld<D>,
    radii: &[f64],
    seed: u64,
) -> Vec<Grain<D>> {
    let domain = world.container.domain();
    let edges = domain.edges();
    let mut grains: Vec<Grain<D>> = Vec::new();
    for (n, &radius) in (0..).zip(radii) {
        let drawn = |attempt: u64| {
            Vector::from_fn(|k| edges[k] * uniform(seed, n, attempt * D as u64 + k as u64))
        };
        let clear = |place: &Vector<D>| {
            let inside = world
                .container
                .walls()
                .all(|wall| world.container.gap(wall, *place, radius, 0.0) > 0.0);
            let far =
                |g: &Grain<D>| domain.nearest_image(g.position - *place).norm() > g.radius + radius;
            inside && grains.iter().all(far)
        };
        let position = (0..100_000).map(drawn).find(clear).expect("no room");
        let mass = libm::pow(2.0 * radius, D as f64);
        grains.push(Grain { position, velocity: Vector::ZERO, radius, mass, species: 0 });
    }
    grains
}

/// Number density of balls of diameter 1 that fill the share `phi`.
pub fn density<const D: usize>(phi: f64) -> f64 {
    match D {
        1 => phi,
        2 => 4.0 / PI * phi,
        _ => 6.0 / PI * phi,
    }
}

/// Hears of every contact.
pub struct Hear<F>(pub F);

impl<const D: usize, F: FnMut(&Contact<D>)> Observer<D> for Hear<F> {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        (self.0)(contact);
        Ok(())
    }
}

/// Runs until `end` without an observer.
///
/// # Errors
/// If the run cannot be trusted any longer.
pub fn run<const D: usize>(engine: &mut Granular<D>, end: f64) -> Result<(), RunFault> {
    engine.advance(end, &mut NoObserver)
}

/// Runs for so long.
pub(super) fn run_for<const D: usize>(engine: &mut Granular<D>, time: f64) -> Result<(), RunFault> {
    let end = engine.now() + time;
    run(engine, end)
}

/// Hears of every contact for so long.
pub(super) fn listen_for<const D: usize>(
    engine: &mut Granular<D>,
    time: f64,
    hear: impl FnMut(&Contact<D>),
) -> Result<(), RunFault> {
    let end = engine.now() + time;
    engine.advance(end, &mut Hear(hear))
}

/// The grains as they are now, to continue in another world.
pub(super) fn as_now<const D: usize>(engine: &Granular<D>, grains: &[Grain<D>]) -> Vec<Grain<D>> {
    let (flights, now) = (engine.flights(), engine.now());
    let taken = |(i, grain): (u32, &Grain<D>)| Grain {
        position: flights.domain.wrap(flights.at(i, now)).0,
        velocity: flights.velocity_at(i, now),
        ..*grain
    };
    (0..).zip(grains).map(taken).collect()
}

/// Kinetic and potential energy now.
pub fn energy<const D: usize>(engine: &Granular<D>) -> f64 {
    let balance = engine.balance();
    balance.kinetic + balance.potential
}

/// Energy of motion per particle and direction, times two.
pub fn temperature<const D: usize>(engine: &Granular<D>) -> f64 {
    2.0 * engine.balance().kinetic / (D * engine.flights().len()) as f64
}

/// The most that any two particles, or a particle and a wall, overlap; relative to the sum of the
/// radii.
pub fn overlap<const D: usize>(world: &GranularWorld<D>, engine: &Granular<D>) -> f64 {
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

/// A number of a check's own seed, from `low` to `high`.
pub(super) fn between(seed: u64, k: u64, [low, high]: [f64; 2]) -> f64 {
    low + (high - low) * uniform(seed, 0, k)
}
