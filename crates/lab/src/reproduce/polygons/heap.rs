//! What slope a heap keeps: rough particles against round ones.

use std::f64::consts::TAU;

use crate::reproduce::ReproduceError;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Outline, Polygon, Vector};
use jostle_polygons::{
    Drive, ForceLaw, NormalLaw, PlacedWall, Polygons, STEPS_PER_CONTACT, Setup, Solid, contact_time,
};

/// The mean of all particles; single ones have from 0.8 to 1.2 of it, or else disks would settle on
/// a lattice, whose slopes are those of its rows. \[nm\]
const RADIUS: f64 = 0.5e6;

/// They start on a square grid this wide. \[nm\]
const SPACING: f64 = 2.7 * RADIUS;

/// \[kg/nm²\]
const DENSITY: f64 = 2.65e-18;

/// \[nm/µs²\]
const GRAVITY: f64 = 9.81e-3;

/// \[kg/µs²\]
const STIFFNESS: f64 = 100e-12;

/// What a heap is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Disks.
    Disk,
    /// Convex polygons with so many corners at uneven distances on a circle.
    Polygon(u32),
}

impl Grain {
    /// In words.
    pub fn name(self) -> String {
        match self {
            Self::Disk => "disks".to_owned(),
            Self::Polygon(corners) => format!("polygons of {corners} corners"),
        }
    }

    fn outline(self, random: &Random, n: u64) -> Outline {
        let radius = RADIUS * (0.8 + 0.4 * random.uniform(Purpose::Placement, [n, 97, 0, 0]));
        let Self::Polygon(corners) = self else { return Outline::Disk(radius) };
        let corner = |k: u32| {
            let aside = 0.6 * (random.uniform(Purpose::Placement, [n, u64::from(k), 0, 0]) - 0.5);
            let (sine, cosine) = libm::sincos(TAU * (f64::from(k) + aside) / f64::from(corners));
            Vector([radius * cosine, radius * sine])
        };
        let ring: Vec<Vector<2>> = (0..corners).map(corner).collect();
        Outline::Polygon(
            Polygon::new(&ring).unwrap_or_else(|_| Polygon::regular(corners as usize, radius)),
        )
    }
}

/// Columns and layers of grains at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Side by side.
    pub columns: usize,
    /// One above the other.
    pub layers: usize,
}

/// Grains settle in a box on a floor of fixed disks; then one side is taken away, where the floor
/// ends, and what stays when no more runs out has a slope. Its angle to the horizontal. \[degrees\]
///
/// # Errors
/// If a run cannot start or cannot be trusted.
pub fn angle_of_repose(
    grain: Grain,
    friction: f64,
    size: Size,
    seed: u64,
) -> Result<f64, ReproduceError> {
    let random = Random::new(seed);
    let edges = [size.columns as f64 * SPACING, 2.0 * size.layers as f64 * SPACING];
    let bodies = size.columns * size.layers;
    let mut outlines: Vec<Outline> =
        (0..bodies as u64).map(|n| grain.outline(&random, n)).collect();
    let solid = |n: usize| Solid {
        outline: n as u32,
        position: Vector([
            (0.5 + (n % size.columns) as f64) * SPACING,
            (0.5 + (n / size.columns) as f64) * SPACING + RADIUS,
        ]),
        angle: TAU * random.uniform(Purpose::Placement, [n as u64, 99, 0, 0]),
        velocity: Vector([0.01, 0.0])
            * (random.uniform(Purpose::Placement, [n as u64, 98, 0, 0]) - 0.5),
        angular_velocity: 0.0,
        density: DENSITY,
        species: 0,
    };
    let solids: Vec<Solid> = (0..bodies).map(solid).collect();
    let law = ForceLaw {
        normal: NormalLaw::Gradient,
        stiffness: STIFFNESS,
        damping: 0.2,
        friction,
        wall_friction: friction,
        tangential: 2.0 / 7.0,
        rolling: 0.0,
    };
    let timestep = contact_time(&law, &outlines, &solids) / STEPS_PER_CONTACT;
    let height = size.layers as f64 * SPACING;
    // Free fall from the top: grains have settled after a few times as long.
    let fall = (2.0 * height / GRAVITY).sqrt();
    let walls = walls(edges, 2.0 * fall, &mut outlines);
    let domain = Domain::new(edges, [false; 2]);
    let gravity = Vector([0.0, -GRAVITY]);
    let mut engine =
        Polygons::new(Setup { domain, outlines, solids, walls, law, gravity, timestep })?;
    while engine.clock().time() < 7.0 * fall {
        engine.step()?;
    }
    Ok(slope(&mut engine, edges))
}

/// A left side, a floor of fixed disks, and a right side that is there until `opening` \[µs\].
fn walls(edges: [f64; 2], opening: f64, outlines: &mut Vec<Outline>) -> Vec<PlacedWall> {
    let first = outlines.len() as u32;
    let thick = 4.0 * SPACING;
    outlines.push(Outline::Polygon(Polygon::rectangle(thick, edges[1] + 4.0 * SPACING)));
    outlines.push(Outline::Disk(RADIUS));
    let wall = |outline: u32, place: [f64; 2], opens_at: Option<f64>| PlacedWall {
        outline,
        position: Vector(place),
        angle: 0.0,
        drive: Drive::Fixed,
        friction: None,
        opens_at,
    };
    let middle = 0.5 * edges[1];
    let sides = [
        wall(first, [-0.5 * thick, middle], None),
        wall(first, [edges[0] + 0.5 * thick, middle], Some(opening)),
    ];
    let count = (edges[0] / (2.0 * RADIUS)).floor() as usize;
    let apart = edges[0] / count as f64;
    let floor =
        (0..count).map(|n| wall(first + 1, [(n as f64 + 0.5) * apart, -0.5 * RADIUS], None));
    sides.into_iter().chain(floor).collect()
}

/// The angle of the straight line through the highest grains, by least squares; the outermost
/// fifths, where the heap leans on the wall or ends, left out. \[degrees\]
fn slope(engine: &mut Polygons, edges: [f64; 2]) -> f64 {
    let view = engine.view();
    let bins = (edges[0] / SPACING).floor() as usize;
    let width = edges[0] / bins as f64;
    let mut top = vec![f64::NEG_INFINITY; bins];
    for place in view.particles.position.iter().filter(|place| place[1] > 0.0 && place[0] > 0.0) {
        if let Some(highest) = top.get_mut((place[0] / width) as usize) {
            *highest = highest.max(place[1]);
        }
    }
    let surface = top.iter().enumerate().filter(|(_, y)| y.is_finite());
    let points: Vec<[f64; 2]> = surface.map(|(n, &y)| [(n as f64 + 0.5) * width, y]).collect();
    let cut = points.len() / 5;
    let points = &points[cut..points.len() - cut];
    let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / points.len() as f64;
    let [x, y] = [mean(0), mean(1)];
    let product: f64 = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    let square: f64 = points.iter().map(|p| (p[0] - x) * (p[0] - x)).sum();
    libm::atan2(-product, square).to_degrees()
}
