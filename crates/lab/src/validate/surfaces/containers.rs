//! Closed rooms, and rooms around an obstacle: all of each is as likely, up to the wall, at any
//! time step.

use std::f64::consts::PI;
use std::sync::Arc;

use super::super::reactions::dice::Dice;
use super::super::statistics::{add_waves, exact, mean_and_error, mean_of_blocks, means_of_blocks};
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use super::scene::{EDGE, MIDDLE, ball, with_walls};
use jostle_brownian::{Brownian, Seed};
use jostle_core::environment::{Manner, Shape};
use jostle_core::narrow::{Ends, Rod};
use jostle_core::observe::NoObserver;
use jostle_core::space::mesh::Mesh;
use jostle_core::space::{Domain, Vector};

/// The radii of the two species.
const RADII: [f64; 2] = [0.5, 0.0];
/// Particles of each, and how many of them make a block: they ignore each other.
const PARTICLES: usize = 600;
const BLOCK: usize = 10;
/// How many waves tell whether something is uniform.
const WAVES: usize = 10;
/// Bins of the pictures.
const BINS: usize = 20;

/// Some room, and what is known of it.
struct Room {
    name: &'static str,
    surfaces: Vec<Shape<3>>,
    /// Half of its smallest width.
    wide: f64,
    /// The share of the room for balls of some radius that lies farther from the wall than a place,
    /// which is given from the middle of the box; of an obstacle: nearer to it, of all that is
    /// within [`LOOKED_AT`] of it.
    share: fn(Vector<3>, f64) -> f64,
    /// How much of an obstacle's surroundings that is.
    seen: Option<fn(f64) -> f64>,
}

/// Half the diagonals of the octahedron.
const TIP: f64 = 5.0;
/// How far around an obstacle is looked.
const LOOKED_AT: f64 = 3.0;

fn rooms() -> Result<Vec<Room>, CheckError> {
    let rod = Rod { axis: 1, half: 3.0, radius: 3.0, ends: Ends::Round };
    let plane = |at: f64| Shape::Plane { axis: 2, at };
    let octahedron = octahedron()?;
    let closed = |name, surfaces, wide, share| Room { name, surfaces, wide, share, seen: None };
    Ok(vec![
        closed("sphere", vec![ball(4.0)], 4.0, |x, a| (x.norm() / (4.0 - a)).powi(3)),
        closed("rod", vec![Shape::Rod { centre: Vector([MIDDLE; 3]), rod }], 3.0, |x, a| {
            let volume = |r: f64| 6.0 * r * r + 4.0 / 3.0 * r * r * r;
            volume(x[0].hypot(x[2]).hypot((x[1].abs() - 3.0).max(0.0))) / volume(3.0 - a)
        }),
        closed("slab", vec![plane(MIDDLE - 3.0), plane(MIDDLE + 3.0)], 3.0, |x, a| {
            x[2].abs() / (3.0 - a)
        }),
        closed("octahedron", vec![octahedron.clone()], TIP / 3.0_f64.sqrt(), |x, a| {
            // Balls have the room of a smaller octahedron.
            ((x[0].abs() + x[1].abs() + x[2].abs()) / (TIP - a * 3.0_f64.sqrt())).powi(3)
        }),
        Room {
            name: "around an octahedron",
            surfaces: vec![octahedron],
            wide: TIP / 3.0_f64.sqrt(),
            share: |x, a| {
                let taken = around(a);
                (around(off_octahedron(x)) - taken) / (around(a + LOOKED_AT) - taken)
            },
            seen: Some(|a| (around(a + LOOKED_AT) - around(a)) / (EDGE * EDGE * EDGE - around(a))),
        },
    ])
}

fn octahedron() -> Result<Shape<3>, CheckError> {
    let tip = |n: usize| {
        let way = if n < 3 { TIP } else { -TIP };
        Vector::from_fn(|k| MIDDLE + if k == n % 3 { way } else { 0.0 })
    };
    let facet = |n: usize| {
        let corner = |k: usize| (k + 3 * (n >> k & 1)) as u32;
        // Those with an odd number of lower corners are turned round.
        if n.count_ones().is_multiple_of(2) {
            [corner(0), corner(1), corner(2)]
        } else {
            [corner(1), corner(0), corner(2)]
        }
    };
    let mesh = Mesh::new((0..6).map(tip).collect(), (0..8).map(facet).collect())?;
    Ok(Shape::Mesh(Arc::new(mesh)))
}

/// The volume within `far` of the octahedron, by Steiner's formula: with l its edges, 2^(1/2) l^3/3
/// inside, faces of 2 3^(1/2) l^2, twelve edges at which it turns by arccos(1/3), and in all one
/// whole turn at its tips.
fn around(far: f64) -> f64 {
    let edge = TIP * 2.0_f64.sqrt();
    let turns = 12.0 * 0.5 * libm::acos(1.0 / 3.0);
    2.0_f64.sqrt() / 3.0 * edge.powi(3)
        + 2.0 * 3.0_f64.sqrt() * edge * edge * far
        + turns * edge * far * far
        + 4.0 / 3.0 * PI * far.powi(3)
}

/// How far a place outside is from the octahedron: from the nearest point of the face, edge or tip
/// that it is above; of one inside, how far below the face, and negative.
fn off_octahedron(x: Vector<3>) -> f64 {
    let mut x = x.0.map(f64::abs);
    let beyond = x.iter().sum::<f64>() - TIP;
    if beyond < 0.0 {
        return beyond / 3.0_f64.sqrt();
    }
    x.sort_by(|a, b| b.total_cmp(a));
    // The nearest point of the simplex has what is above a threshold, of the largest one, two or
    // three coordinates.
    let above = |k: usize| (x[..=k].iter().sum::<f64>() - TIP) / (k + 1) as f64;
    let threshold =
        (0..3).rev().map(|k| (k, above(k))).find(|&(k, t)| x[k] > t).map_or(0.0, |(_, t)| t);
    x.iter().map(|x| (x - (x - threshold).max(0.0)).powi(2)).sum::<f64>().sqrt()
}

/// What was seen of a species in a room.
struct RoomSample {
    /// Sums of waves of each block.
    waves: Vec<Vec<f64>>,
    /// How often those of each block were in each bin.
    bins: Vec<Vec<f64>>,
    /// How often those of each block were where it is looked.
    within: Vec<f64>,
    /// How often someone was where no particle can be.
    outside: u64,
    samples: f64,
}

impl RoomSample {
    fn nothing() -> Self {
        let blocks = PARTICLES / BLOCK;
        Self {
            waves: vec![vec![0.0; WAVES]; blocks],
            bins: vec![vec![0.0; BINS]; blocks],
            within: vec![0.0; blocks],
            outside: 0,
            samples: 0.0,
        }
    }

    /// Another one of a block was at this share of the room.
    fn add(&mut self, block: usize, share: f64, open: bool) {
        const ROUNDING: f64 = 1e-9;
        let is_in = share >= -ROUNDING && (open || share <= 1.0 + ROUNDING);
        self.outside += u64::from(!is_in);
        if share <= 1.0 + ROUNDING && is_in {
            add_waves(&mut self.waves[block], share);
            self.bins[block][((share * BINS as f64) as usize).min(BINS - 1)] += 1.0;
            self.within[block] += 1.0;
        }
    }

    /// The density in each bin over that of a uniform one, and its error.
    fn density(&self) -> (Vec<[f64; 2]>, Vec<f64>) {
        let all = self.within.iter().sum::<f64>() / self.within.len() as f64;
        let bin = |k: usize| {
            let blocks: Vec<f64> =
                self.bins.iter().map(|block| block[k] * BINS as f64 / all).collect();
            let (mean, error) = mean_and_error(&blocks);
            ([(k as f64 + 0.5) / BINS as f64, mean], error)
        };
        (0..BINS).map(bin).unzip()
    }
}

/// Steps, in half widths, how many are taken, and of how many one is looked at.
const STEPS: [(f64, usize, usize); 2] = [(0.5, 100, 1), (0.04, 600, 5)];

pub(super) fn uniform_up_to_the_wall(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    for (n, (step, steps, every)) in (0..).zip(STEPS) {
        let title = format!("Density in containers, rms step {step} of half the width");
        let axes = ["share of the room, from the middle to the wall", "density over its mean"];
        let mut picture = Picture::new(&title, axes[0], axes[1]);
        picture = picture.theory("uniform", vec![[0.0, 1.0], [1.0, 1.0]]);
        for (m, room) in (0..).zip(rooms()?) {
            let seed = context.seed(10 * n + m);
            let seen = watch(&room, seed, step, steps * context.either(1, 15), every)?;
            for (seen, particles) in seen.iter().zip(["balls", "points"]) {
                judge(
                    &room,
                    &format!("{}, s = {step} w, {particles}", room.name),
                    seen,
                    particles,
                    &mut findings,
                );
            }
            let (points, errors) = seen[0].density();
            picture = picture.measured(room.name, points, errors);
        }
        findings.show(picture);
    }
    Ok(findings)
}

fn judge(room: &Room, what: &str, seen: &RoomSample, particles: &str, findings: &mut Findings) {
    let density = format!("{what}: density from middle to wall");
    findings.add(means_of_blocks(&density, &seen.waves, &[0.0; WAVES]));
    if let Some(share) = room.seen {
        let radius = RADII[usize::from(particles == "points")];
        let all = seen.samples * BLOCK as f64;
        let within: Vec<f64> = seen.within.iter().map(|n| n / all).collect();
        findings.add(mean_of_blocks(
            &format!("{what}: share that is near"),
            &within,
            share(radius),
        ));
    }
    findings.add(exact(&format!("{what}: places beyond the wall"), seen.outside as f64, 0.0, 0.5));
}

/// Particles thrown anywhere into a room, as they are seen on their ways.
fn watch(
    room: &Room,
    seed: u64,
    step: f64,
    steps: usize,
    every: usize,
) -> Result<[RoomSample; 2], CheckError> {
    let mut engine = thrown_in(room, seed, step * room.wide)?;
    let mut seen = RADII.map(|_| RoomSample::nothing());
    let middle = Vector([MIDDLE; 3]);
    for n in 1..=steps {
        engine.step(&mut NoObserver)?;
        if n % every != 0 {
            continue;
        }
        seen.iter_mut().for_each(|seen| seen.samples += 1.0);
        let p = engine.particles();
        for (particle, slot) in p.slots_by_id().into_iter().enumerate() {
            let (species, place) = (particle % 2, p.position[slot as usize]);
            let share = (room.share)(place - middle, RADII[species]);
            seen[species].add(particle / 2 / BLOCK, share, room.seen.is_some());
        }
    }
    Ok(seen)
}

fn thrown_in(room: &Room, seed: u64, width: f64) -> Result<Brownian<3>, CheckError> {
    let domain = Domain::new([EDGE; 3], [true; 3]);
    let mut dice = Dice::new(seed);
    let mut throw = |radius: f64| loop {
        let place = dice.place::<3>(EDGE);
        let share = (room.share)(place - Vector([MIDDLE; 3]), radius);
        if share > 1e-9 && (room.seen.is_some() || share < 1.0 - 1e-9) {
            return place;
        }
    };
    let particle = |n: usize| Seed { species: (n % 2) as u16, position: throw(RADII[n % 2]) };
    let particles: Vec<_> = (0..2 * PARTICLES).map(particle).collect();
    let world = World { domain, ..World::periodic(EDGE) }.timestep(0.5 * width * width).seed(seed);
    let world = RADII.into_iter().fold(world, |world, radius| world.species(radius, 1.0)).ghosts();
    let walls: Vec<_> =
        room.surfaces.iter().map(|shape| (shape.clone(), Manner::Reflect)).collect();
    Ok(with_walls(world, &walls).with(&particles)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_octahedron_is_where_its_mesh_is() {
        let (shape, domain) = (octahedron().unwrap(), Domain::new([EDGE; 3], [true; 3]));
        assert!((shape.volume(&[EDGE; 3]) - around(0.0)).abs() < 1e-9);
        let mut dice = Dice::new(1);
        let mut outside = 0;
        for _ in 0..2000 {
            let place = dice.place::<3>(EDGE);
            let from_middle = place - Vector([MIDDLE; 3]);
            if !shape.is_inside(&domain, place) {
                assert!(
                    (shape.distance(&domain, place) - off_octahedron(from_middle)).abs() < 1e-9
                );
                outside += 1;
            } else {
                assert!(from_middle.0.iter().map(|x| x.abs()).sum::<f64>() <= TIP);
            }
        }
        assert!(outside > 1000);
    }
}
