//! A box into which irregular hexagons fall, and where they come to rest.

use std::time::Instant;

use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Outline, Polygon, Vector};
use jostle_core::stopwatch::ProcessorTime;
use jostle_polygons::{
    Drive, ForceLaw, NormalLaw, Phases, PlacedWall, Polygons, RunFault, STEPS_PER_CONTACT, Setup,
    SetupError, Solid, Tally, contact_time,
};

/// From the middle to the corners, before the centroid is sought. \[nm\]
const RADIUS: f64 = 0.5e6;

/// The hexagons start on a square grid this wide. \[nm\]
const SPACING: f64 = 2.2 * RADIUS;

/// As of quartz, 1 mm thick. \[kg/nm²\]
const DENSITY: f64 = 2.65e-18;

/// \[nm/µs²\]
const GRAVITY: f64 = 9.81e-3;

/// The stiffness, for each layer of the pile, so that the lowest overlap by about 1 % of their
/// size. \[kg/µs²\]
const STIFFNESS: f64 = 11e-12;

const FRICTION: f64 = 0.5;

const DAMPING: f64 = 0.2;

/// The box is about so many times as wide as the pile is high. A high pile takes long to come to
/// rest.
const WIDE: f64 = 4.0;

/// A pile is at rest once bodies have, in the mean, less than this energy. \[weight times radius\]
pub(crate) const REST: f64 = 1e-3;

/// A box of irregular hexagons.
pub(crate) struct Pile {
    pub(crate) engine: Polygons,
    /// How long it takes to fall together. \[steps\]
    fall: u64,
}

/// What some steps took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    /// Wall time per step. \[s\]
    pub(crate) seconds: f64,
    /// Processor time of this thread per step. \[s\]
    pub(crate) busy: f64,
    /// The same by phase, as [`PHASES`]. \[s\]
    pub(crate) phases: [f64; 4],
    /// Pairs that overlap, in the mean.
    pub(crate) contacts: f64,
    /// Pairs whose boxes overlap, at the end.
    pub(crate) candidates: f64,
    /// Per step, along both axes.
    pub(crate) exchanges: f64,
    /// Bodies sorted anew per step.
    pub(crate) resorted: f64,
}

/// What a step consists of, as tables name it.
pub(crate) const PHASES: [&str; 4] = ["predict", "boxes", "contacts", "correct"];

impl Pile {
    /// So many hexagons on a square grid above the floor of a box.
    ///
    /// # Errors
    /// If the engine finds fault with it.
    pub(crate) fn new(bodies: usize) -> Result<Self, SetupError> {
        let columns = (WIDE * bodies as f64).sqrt().round().max(2.0) as usize;
        let layers = bodies.div_ceil(columns) as f64;
        let (edge, height) = (columns as f64 * SPACING, layers * SPACING);
        let random = Random::new(5);
        let mut outlines: Vec<Outline> = (0..bodies as u64).map(|n| hexagon(&random, n)).collect();
        let solid = |n: usize| Solid {
            outline: n as u32,
            position: Vector([n % columns, n / columns].map(|k| (k as f64 + 0.5) * SPACING)),
            angle: std::f64::consts::TAU * random.uniform(Purpose::Placement, [n as u64, 6, 0, 0]),
            velocity: Vector::ZERO,
            angular_velocity: 0.0,
            density: DENSITY,
            species: 0,
        };
        let solids: Vec<Solid> = (0..bodies).map(solid).collect();
        let walls = walls(edge, 2.0 * height, &mut outlines);
        let law = ForceLaw {
            normal: NormalLaw::Gradient,
            stiffness: STIFFNESS * layers,
            damping: DAMPING,
            friction: FRICTION,
            wall_friction: FRICTION,
            tangential: 2.0 / 7.0,
            rolling: 0.0,
        };
        let timestep = contact_time(&law, &outlines, &solids) / STEPS_PER_CONTACT;
        let domain = Domain::new([edge, 2.0 * height], [false; 2]);
        let gravity = Vector([0.0, -GRAVITY]);
        let engine =
            Polygons::new(Setup { domain, outlines, solids, walls, law, gravity, timestep })?;
        // A third of the height is air.
        let fall = (2.0 * height / 3.0 / GRAVITY).sqrt() / timestep;
        Ok(Self { engine, fall: fall.ceil() as u64 })
    }

    /// Continues until most are falling, and many press on each other.
    ///
    /// # Errors
    /// If the run cannot be trusted.
    pub(crate) fn fall(&mut self) -> Result<(), RunFault> {
        self.run(self.fall / 2)
    }

    /// Continues until the pile is at rest, or for a long time. The energy of motion that is left,
    /// per body \[weight times radius\].
    ///
    /// # Errors
    /// If the run cannot be trusted.
    pub(crate) fn settle(&mut self) -> Result<f64, RunFault> {
        for _ in 0..40 {
            self.run(self.fall / 4)?;
            if self.unrest() < REST {
                break;
            }
        }
        Ok(self.unrest())
    }

    /// The energy of motion per body. \[weight times radius\]
    pub(crate) fn unrest(&self) -> f64 {
        let weight = self.engine.masses().iter().sum::<f64>() * GRAVITY;
        self.engine.balance().kinetic / (weight * RADIUS)
    }

    /// Continues for so many steps.
    ///
    /// # Errors
    /// If the run cannot be trusted.
    pub(crate) fn run(&mut self, steps: u64) -> Result<(), RunFault> {
        (0..steps).try_for_each(|_| self.engine.step())
    }

    /// Continues for so many steps, and measures.
    ///
    /// # Errors
    /// If the run cannot be trusted.
    pub(crate) fn measure(&mut self, steps: u64) -> Result<Stretch, RunFault> {
        let (tally, phases) = (self.engine.tally(), seconds(self.engine.phases()));
        let (begun, processor) = (Instant::now(), ProcessorTime::now());
        self.run(steps)?;
        let [time, busy] =
            [begun.elapsed().as_secs_f64(), processor.elapsed()].map(|time| time / steps as f64);
        let (now, phases_now) = (self.engine.tally(), seconds(self.engine.phases()));
        let each = |of: fn(&Tally) -> u64| (of(&now) - of(&tally)) as f64 / steps as f64;
        Ok(Stretch {
            seconds: time,
            busy,
            phases: std::array::from_fn(|k| (phases_now[k] - phases[k]) / steps as f64),
            contacts: each(|tally| tally.contact_steps),
            candidates: now.candidates as f64,
            exchanges: each(|tally| tally.exchanges.iter().sum()),
            resorted: each(|tally| tally.resorted),
        })
    }

    /// As [`Pile::measure`], the least busy of `rounds` times.
    ///
    /// # Errors
    /// If the run cannot be trusted.
    pub(crate) fn measure_least(&mut self, steps: u64, rounds: usize) -> Result<Stretch, RunFault> {
        let mut least = self.measure(steps)?;
        for _ in 1..rounds {
            let stretch = self.measure(steps)?;
            least = if stretch.busy < least.busy { stretch } else { least };
        }
        Ok(least)
    }

    /// One number for where all bodies are and how they move: another one if a single bit differs.
    pub(crate) fn hash(&mut self) -> u64 {
        let view = self.engine.view();
        let turned = view.outlines.map(|outlines| (outlines.angle, outlines.angular_velocity));
        let places =
            view.particles.position.iter().chain(&view.particles.velocity).flat_map(|x| x.0);
        let (angle, turning) = turned.unwrap_or_default();
        places.chain(angle.iter().copied()).chain(turning.iter().copied()).fold(
            0,
            |hash: u64, x| {
                let product = (hash ^ x.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
                product ^ (product >> 32)
            },
        )
    }
}

fn seconds(phases: Phases) -> [f64; 4] {
    let Phases { predict, boxes, contacts, correct } = phases;
    [predict, boxes, contacts, correct].map(|time| time.as_secs_f64())
}

/// Six corners on a circle, each up to 0.3 of the regular distance from its regular place.
fn hexagon(random: &Random, n: u64) -> Outline {
    let corner = |k: u64| {
        let aside = 0.6 * (random.uniform(Purpose::Placement, [n, k, 0, 0]) - 0.5);
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * (k as f64 + aside) / 6.0);
        Vector([RADIUS * cosine, RADIUS * sine])
    };
    let corners: Vec<Vector<2>> = (0..6).map(corner).collect();
    Outline::Polygon(Polygon::new(&corners).unwrap_or_else(|_| Polygon::regular(6, RADIUS)))
}

/// A floor and two sides.
fn walls(edge: f64, height: f64, outlines: &mut Vec<Outline>) -> Vec<PlacedWall> {
    let thick = 4.0 * SPACING;
    let sizes = [[edge + 2.0 * thick, thick], [thick, height], [thick, height]];
    let places = [
        [0.5 * edge, -0.5 * thick],
        [-0.5 * thick, 0.5 * height],
        [edge + 0.5 * thick, 0.5 * height],
    ];
    let wall = |([width, height], place): ([f64; 2], [f64; 2])| {
        outlines.push(Outline::Polygon(Polygon::rectangle(width, height)));
        PlacedWall {
            outline: outlines.len() as u32 - 1,
            position: Vector(place),
            angle: 0.0,
            drive: Drive::Fixed,
            friction: None,
            opens_at: None,
        }
    };
    sizes.into_iter().zip(places).map(wall).collect()
}
