//! Heaps: the angle of repose of rough against round particles.

use super::super::statistics::{mean_and_error, mean_of_blocks};
use super::super::{CheckError, Context, Findings, Picture};
use super::draw;
use super::world::{ROUGH, floor, place, put, regular, wall, world};
use jostle_core::space::{Outline, Vector};
use jostle_polygons::{ForceLaw, Polygons, contact_time};

/// What a heap is made of.
#[derive(Clone, Copy, PartialEq)]
enum Grains {
    /// Regular polygons of 5 to 8 corners.
    Polygons,
    /// Disks of the same areas.
    Disks,
}

/// A column of `columns` x `rows` grains of unlike sizes between a wall and a gate on a plane; the
/// gate opens, and the slope of the heap that is left is measured. \[degrees\]
fn angle_of_repose(
    grains: Grains,
    friction: f64,
    seed: u64,
    [columns, rows]: [usize; 2],
) -> Result<f64, CheckError> {
    let law = ForceLaw { stiffness: 2e3, damping: 0.7, friction, wall_friction: friction, ..ROUGH };
    let mut world = world(law, 1.0);
    for n in 0..columns * rows {
        let [size, angle] = [0, 1].map(|k| draw(seed, 10 * n as u64 + k, [0.0, 1.0]));
        let polygon = regular(5 + n % 4, 0.8 + 0.2 * size);
        let outline = match grains {
            Grains::Polygons => polygon,
            Grains::Disks => Outline::Disk((polygon.area() / std::f64::consts::PI).sqrt()),
        };
        let at = [1.02 + 2.04 * (n % columns) as f64, 1.02 + 2.04 * (n / columns) as f64];
        put(&mut world, outline, at, 10.0 * angle);
    }
    floor(&mut world);
    let width = 2.04 * columns as f64;
    wall(&mut world, [4.0, 200.0], [-2.0, 90.0]);
    let gate = wall(&mut world, [4.0, 200.0], [width + 2.0, 90.0]);
    let opening = 3.0 * (rows as f64).sqrt();
    world.walls[gate].opens_at = Some(opening);
    world.gravity = Vector([0.0, -1.0]);
    world.timestep = contact_time(&law, &world.outlines, &world.solids) / 30.0;
    let mut engine = Polygons::new(world)?;
    while engine.clock().time() < opening + 8.0 * (rows as f64).sqrt() {
        engine.step()?;
    }
    Ok(slope(&mut engine))
}

/// The slope of the line that fits best the highest grains of each stretch of 2, from the wall at x
/// = 0 to where the heap is one layer high.
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
    libm::atan(-product / square).to_degrees()
}

/// By how many degrees rough heaps are to be steeper than round or slippery ones: the least and the
/// most that would still be a trend as it is known. No number is on record for such small heaps.
const STEEPER: [f64; 2] = [3.0, 60.0];

/// Polygons against disks, rough against slippery.
pub(super) fn repose(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let (heaps, size) = context.either((20, [4, 6]), (30, [6, 12]));
    let frictions = context.either(vec![0.1, 0.5], vec![0.1, 0.25, 0.5]);
    let mut angles = Vec::new();
    for &friction in &frictions {
        for grains in [Grains::Disks, Grains::Polygons] {
            let angle = |n: u64| angle_of_repose(grains, friction, context.seed(n), size);
            angles.push((0..heaps).map(angle).collect::<Result<Vec<f64>, _>>()?);
        }
    }
    let mut steeper = |what: &str, rough: &[f64], round: &[f64]| {
        // Heap by heap: each two began alike.
        let apart: Vec<f64> = rough.iter().zip(round).map(|(a, b)| a - b).collect();
        let [least, most] = STEEPER;
        let (middle, half) = (0.5 * (least + most), 0.5 * (most - least));
        findings.add(mean_of_blocks(what, &apart, middle).with_bias(half));
    };
    let last = frictions.len() - 1;
    let (disks, polygons) = (&angles[2 * last], &angles[2 * last + 1]);
    steeper("polygons steeper than disks at friction 0.5, degrees", polygons, disks);
    for k in 0..last {
        let what = format!("polygons at friction 0.5 steeper than at {}, degrees", frictions[k]);
        steeper(&what, polygons, &angles[2 * k + 1]);
    }
    findings.remark(format!(
        "No number is on record for heaps as small as these: what is judged is the trend. Rough heaps are to be {} to \
         {} degrees steeper, bounds that were chosen, not derived",
        STEEPER[0], STEEPER[1]
    ));
    findings.show(picture(&frictions, &angles));
    Ok(findings)
}

fn picture(frictions: &[f64], angles: &[Vec<f64>]) -> Picture {
    let mut picture =
        Picture::new("Angle of repose of small heaps", "coefficient of friction", "degrees");
    for (kind, name) in ["disks", "polygons of 5 to 8 corners"].iter().enumerate() {
        let point = |(k, &friction): (usize, &f64)| {
            let (mean, error) = mean_and_error(&angles[2 * k + kind]);
            ([friction, mean], error)
        };
        let (points, errors) = frictions.iter().enumerate().map(point).unzip();
        picture = picture.measured(name, points, errors);
    }
    picture
}
