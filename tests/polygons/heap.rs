//! Heaps: the angle of repose of rough against round particles.

use jostle::polygons::{ForceLaw, Polygons, contact_time};
use jostle::random::{Purpose, Random};
use jostle::space::{Outline, Vector};

use crate::worlds::{ROUGH, floor, place, put, regular, start, step, wall, world};

/// What a heap is made of.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Grains {
    /// Regular polygons of 5 to 8 corners.
    Polygons,
    /// Disks of the same areas.
    Disks,
}

/// A column of `columns` x `rows` grains of unlike sizes between a wall and a gate on a plane; the gate opens,
/// and the slope of the heap that is left is measured. \[degrees\]
pub(crate) fn angle_of_repose(grains: Grains, friction: f64, seed: u64, [columns, rows]: [usize; 2]) -> f64 {
    let law = ForceLaw { stiffness: 1e4, damping: 0.7, friction, wall_friction: friction, ..ROUGH };
    let mut world = world(law, 1.0);
    let random = Random::new(seed);
    for n in 0..columns * rows {
        let draws = [0, 1].map(|k| random.uniform(Purpose::Placement, [n as u64, k, 0, 0]));
        let radius = 0.8 + 0.2 * draws[0];
        let polygon = regular(5 + n % 4, radius);
        let outline = match grains {
            Grains::Polygons => polygon,
            Grains::Disks => Outline::Disk((polygon.area() / std::f64::consts::PI).sqrt()),
        };
        let at = [1.02 + 2.04 * (n % columns) as f64, 1.02 + 2.04 * (n / columns) as f64];
        put(&mut world, outline, at, 10.0 * draws[1]);
    }
    floor(&mut world);
    let width = 2.04 * columns as f64;
    wall(&mut world, [4.0, 200.0], [-2.0, 90.0]);
    let gate = wall(&mut world, [4.0, 200.0], [width + 2.0, 90.0]);
    let opening = 3.0 * (rows as f64).sqrt();
    world.walls[gate].opens_at = Some(opening);
    world.gravity = Vector([0.0, -1.0]);
    world.timestep = contact_time(&law, &world.outlines, &world.solids) / 30.0;
    let mut engine = start(world);
    while engine.clock().time() < opening + 8.0 * (rows as f64).sqrt() {
        step(&mut engine);
    }
    slope(&mut engine)
}

/// The slope of the line that fits best the highest grains of each stretch of 2 nm, from the wall at x = 0 to
/// where the heap is one layer high.
fn slope(engine: &mut Polygons) -> f64 {
    let mut tops = vec![0.0_f64; 200];
    for body in 0..engine.masses().len() {
        let [x, y, _] = place(engine, body);
        let stretch = (x / 2.0).max(0.0) as usize;
        if stretch < tops.len() {
            tops[stretch] = tops[stretch].max(y);
        }
    }
    let end = tops.iter().position(|&top| top < 1.2).unwrap_or(tops.len()).max(4);
    let n = end as f64;
    let middle = n - 1.0;
    let height = tops[..end].iter().sum::<f64>() / n;
    let (mut product, mut square) = (0.0, 0.0);
    for (k, top) in tops[..end].iter().enumerate() {
        let aside = 2.0 * k as f64 - middle;
        product += aside * (top - height);
        square += aside * aside;
    }
    (-product / square).atan().to_degrees()
}

/// The mean over seeds, and its standard error.
pub(crate) fn repose(grains: Grains, friction: f64, seeds: u64, size: [usize; 2]) -> [f64; 2] {
    let found: Vec<f64> = (0..seeds).map(|seed| angle_of_repose(grains, friction, seed, size)).collect();
    let n = seeds as f64;
    let mean = found.iter().sum::<f64>() / n;
    let spread = found.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    [mean, (spread / n).sqrt()]
}

#[test]
fn heaps_of_polygons_are_steeper_than_heaps_of_disks_and_steeper_with_more_friction() {
    // 60 grains, 3 seeds: the standard errors, from the seeds' scatter, are below 1 degree.
    let of = |grains, friction| repose(grains, friction, 3, [6, 10]);
    let [disks, polygons] = [Grains::Disks, Grains::Polygons].map(|grains| of(grains, 0.5));
    let slippery = of(Grains::Polygons, 0.1);
    println!("angle of repose: disks {disks:?}, polygons {polygons:?}, at friction 0.1 {slippery:?} degrees");
    assert!(
        polygons[0] > disks[0] + 4.5 * polygons[1].hypot(disks[1]),
        "polygons {polygons:?}, disks {disks:?}"
    );
    assert!(
        polygons[0] > slippery[0] + 3.0 * polygons[1].hypot(slippery[1]),
        "friction 0.5 {polygons:?}, 0.1 {slippery:?}"
    );
}
