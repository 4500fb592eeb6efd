//! Through a wall that lets some through, from one room into another.

use super::super::reactions::dice::Dice;
use super::super::statistics::binomial;
use super::super::world::World;
use super::super::{CheckError, Context, Findings, Picture};
use super::scene::{EDGE, MIDDLE, ball, with_walls};
use jostle_brownian::Seed;
use jostle_core::environment::{Manner, Shape};
use jostle_core::observe::NoObserver;
use jostle_core::space::Vector;

/// Two rooms, one behind the other along a line or the one around the other in space, with a wall
/// between them that lets through the permeability times the difference of concentrations; D = 1.
#[derive(Clone, Copy, Debug)]
struct Rooms {
    /// 1 or 3.
    dimension: i32,
    /// From the middle (or the closed end) to the wall between, and to the end of the outer room.
    wall: f64,
    end: f64,
    permeability: f64,
}

/// How many of those that began in the inner room are in it: what is left in the end, and for each
/// wave its weight and the square of its number.
struct Relaxation {
    left: f64,
    waves: Vec<[f64; 2]>,
}

impl Rooms {
    /// Value and slope of a radial wave of number `k`, from those of what it is times r in space.
    fn at(&self, r: f64, [value, slope]: [f64; 2]) -> [f64; 2] {
        if self.dimension == 1 { [value, slope] } else { [value / r, (slope - value / r) / r] }
    }

    /// The wave in the inner room.
    fn inner(&self, k: f64, r: f64) -> [f64; 2] {
        let (sine, cosine) = libm::sincos(k * r);
        let wave = if self.dimension == 1 { [cosine, -k * sine] } else { [sine / k, cosine] };
        self.at(r, wave)
    }

    /// The wave in the outer room, without slope at its end.
    fn outer(&self, k: f64, r: f64) -> [f64; 2] {
        let (sine, cosine) = libm::sincos(k * (self.end - r));
        let wave = if self.dimension == 1 {
            [cosine, k * sine]
        } else {
            [self.end * cosine - sine / k, k * self.end * sine + cosine]
        };
        self.at(r, wave)
    }

    /// Zero for waves that continue behind the wall: the flux is the same on both sides, and what
    /// the wall lets through.
    fn mismatch(&self, k: f64) -> f64 {
        let ([inner, fall], [outer, beyond]) = (self.inner(k, self.wall), self.outer(k, self.wall));
        fall * beyond + self.permeability * (inner * beyond - fall * outer)
    }

    /// All that has not died out after `soon`.
    fn relaxation(&self, soon: f64) -> Relaxation {
        let volume = |r: f64| r.powi(self.dimension);
        let spacing = 0.01 / self.end;
        let most = ((40.0 / soon).sqrt() / spacing) as usize;
        let scan = (1..most).map(|n| [n as f64, (n + 1) as f64].map(|n| spacing * n));
        let signs = scan.filter(|&[a, b]| self.mismatch(a) * self.mismatch(b) < 0.0);
        let waves = signs.map(|bounds| self.wave(self.root(bounds))).collect();
        Relaxation { left: volume(self.wall) / volume(self.end), waves }
    }

    fn root(&self, [mut low, mut high]: [f64; 2]) -> f64 {
        let below = self.mismatch(low);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.mismatch(middle) * below > 0.0 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }

    /// The weight of a wave, from its mean in the inner room and that of its square in both.
    fn wave(&self, k: f64) -> [f64; 2] {
        const POINTS: usize = 400;
        let area = |r: f64| r.powi(self.dimension - 1);
        let ([_, fall], [_, beyond]) = (self.inner(k, self.wall), self.outer(k, self.wall));
        let square = |from: f64, to: f64, wave: &dyn Fn(f64) -> f64| {
            let width = (to - from) / POINTS as f64;
            let places = (0..POINTS).map(|n| from + (n as f64 + 0.5) * width);
            places.map(|r| wave(r).powi(2) * area(r)).sum::<f64>() * width
        };
        let squares = square(0.0, self.wall, &|r| beyond * self.inner(k, r)[0])
            + square(self.wall, self.end, &|r| fall * self.outer(k, r)[0]);
        // What leaves the inner room is what changes in it.
        let inside = area(self.wall) * fall * beyond / (k * k);
        let volume = self.wall.powi(self.dimension) / f64::from(self.dimension);
        [inside * inside / (volume * squares), k * k]
    }
}

impl Relaxation {
    fn share(&self, time: f64) -> f64 {
        self.left
            + self.waves.iter().map(|[weight, rate]| weight * libm::exp(-rate * time)).sum::<f64>()
    }

    /// How long the slowest wave takes.
    fn time(&self) -> f64 {
        1.0 / self.waves[0][1]
    }
}

/// Rooms, and the rms steps of points in them.
const CASES: [(&str, Rooms, f64); 4] = [
    (
        "between planes, P = 0.1",
        Rooms { dimension: 1, wall: 4.0, end: 10.0, permeability: 0.1 },
        0.5,
    ),
    ("between planes, P = 1", Rooms { dimension: 1, wall: 4.0, end: 10.0, permeability: 1.0 }, 0.3),
    (
        "out of a sphere, P = 0.1",
        Rooms { dimension: 3, wall: 3.0, end: 5.0, permeability: 0.1 },
        0.3,
    ),
    (
        "out of a sphere, P = 1",
        Rooms { dimension: 3, wall: 3.0, end: 5.0, permeability: 1.0 },
        0.15,
    ),
];

/// In units of the time of the slowest wave.
const MOMENTS: [f64; 5] = [0.1, 0.3, 0.7, 1.2, 2.0];

pub(super) fn relaxation(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let axes = ["time over that of the slowest wave", "share in the room where all began"];
    let mut picture = Picture::new("Through a permeable wall", axes[0], axes[1]);
    for (n, (name, rooms, step)) in (0..).zip(CASES) {
        let scale = rooms.relaxation(1.0).time();
        let law = rooms.relaxation(MOMENTS[0] * scale / 10.0);
        let line = (1..=100).map(|k| 0.02 * f64::from(k)).map(|t| [t, law.share(t * scale)]);
        picture = picture.theory(name, line.collect());
        let count = context.either(2500, 40_000);
        let points = match rooms.dimension {
            1 => along_a_line(&rooms, step, count, context.seed(n))?,
            _ => out_of_a_sphere(&rooms, step, count, context.seed(n))?,
        };
        // The calibration by the probability of one contact is right to 1.1 % of the wall's
        // resistance.
        let more =
            Rooms { permeability: rooms.permeability * 1.011, ..rooms }.relaxation(scale / 100.0);
        for &[time, share] in &points {
            let what = format!("{name}, s = {step}: share within at t = {:.2} tau", time / scale);
            let law = law.share(time);
            let finding = binomial(&what, (share * count as f64).round() as u64, count as u64, law);
            findings.add(finding.with_bias((more.share(time) - law).abs()));
        }
        let error = |[_, share]: &[f64; 2]| (share * (1.0 - share) / count as f64).sqrt();
        let errors = points.iter().map(error).collect();
        let points = points.into_iter().map(|[time, share]| [time / scale, share]).collect();
        picture = picture.measured(name, points, errors);
    }
    findings.show(picture);
    Ok(findings)
}

/// Points that begin anywhere in the inner room: the share that is there at some moments.
fn along_a_line(
    rooms: &Rooms,
    step: f64,
    count: usize,
    seed: u64,
) -> Result<Vec<[f64; 2]>, CheckError> {
    let mut dice = Dice::new(seed);
    let plane = Shape::Plane { axis: 0, at: rooms.wall };
    let wall = Manner::permeable(rooms.permeability);
    let places = (0..count).map(|_| dice.place::<1>(rooms.wall)).collect();
    let world = with_walls(points(World::closed(rooms.end), step, seed), &[(plane, wall)]);
    follow(rooms, world, places, |x| x[0] < rooms.wall)
}

/// The same in space.
fn out_of_a_sphere(
    rooms: &Rooms,
    step: f64,
    count: usize,
    seed: u64,
) -> Result<Vec<[f64; 2]>, CheckError> {
    let mut dice = Dice::new(seed);
    let middle = Vector([MIDDLE; 3]);
    let is_in = |x: Vector<3>| (x - middle).norm() < rooms.wall;
    let mut throw = || loop {
        let place = middle + (dice.place::<3>(2.0) - Vector([1.0; 3])) * rooms.wall;
        if is_in(place) {
            return place;
        }
    };
    let places = (0..count).map(|_| throw()).collect();
    let through = Manner::permeable(rooms.permeability);
    let walls = [(ball(rooms.wall), through), (ball(rooms.end), Manner::Reflect)];
    follow(rooms, with_walls(points(World::periodic(EDGE), step, seed), &walls), places, is_in)
}

fn points<const D: usize>(world: World<D>, step: f64, seed: u64) -> World<D> {
    world.timestep(0.5 * step * step).species(0.0, 1.0).ghosts().seed(seed)
}

fn follow<const D: usize>(
    rooms: &Rooms,
    world: World<D>,
    places: Vec<Vector<D>>,
    is_in: impl Fn(Vector<D>) -> bool,
) -> Result<Vec<[f64; 2]>, CheckError> {
    let count = places.len() as f64;
    let particles: Vec<_> =
        places.into_iter().map(|position| Seed { species: 0, position }).collect();
    let scale = rooms.relaxation(1.0).time();
    let mut engine = world.with(&particles)?;
    let mut seen = Vec::new();
    for moment in MOMENTS {
        while engine.clock().time() < moment * scale {
            engine.step(&mut NoObserver)?;
        }
        let within = engine.particles().position.iter().filter(|&&x| is_in(x)).count();
        seen.push([engine.clock().time(), within as f64 / count]);
    }
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relaxation_begins_with_all_and_is_that_of_two_rooms_in_balance_behind_a_tight_wall() {
        for (_, rooms, _) in CASES {
            let law = rooms.relaxation(1e-3);
            assert!(
                (law.share(1e-3) - 1.0).abs() < 0.02 && law.share(1e-3) < 1.0,
                "{}",
                law.share(1e-3)
            );
            let tight = Rooms { permeability: 1e-4, ..rooms };
            let volume = |r: f64| r.powi(rooms.dimension) / f64::from(rooms.dimension);
            let (inner, outer) = (volume(rooms.wall), volume(rooms.end) - volume(rooms.wall));
            let rate = 1e-4 * rooms.wall.powi(rooms.dimension - 1) * (1.0 / inner + 1.0 / outer);
            let law = tight.relaxation(1.0);
            assert!((law.time() * rate - 1.0).abs() < 1e-3, "{rooms:?}: {}", law.time() * rate);
            assert!((law.waves[0][0] - outer / (inner + outer)).abs() < 1e-3);
        }
    }
}
