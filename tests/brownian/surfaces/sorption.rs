//! Particles get onto a surface and come off it: each the reverse of the other at any time step, at the rates that
//! are given.

use jostle::brownian::Brownian;
use jostle::environment::{
    Adsorption, AnchorSurface, Confinement, Environment, Manner, Shape, Surface, SurfaceSites,
};
use jostle::narrow::{Ends, Rod};
use jostle::observe::NoObserver;
use jostle::rules::{RuleSet, TimedRule};
use jostle::space::mesh::Mesh;
use jostle::space::{Domain, Vector};

use super::worlds::{setup, species, start, strangers};

const RADIUS: f64 = 0.3;

/// A (0) in space and B (1) on a surface, which become each other.
fn home<const D: usize>(
    shape: Shape<D>,
    faces: Option<bool>,
    adsorption: Adsorption,
) -> Environment<D> {
    let anchor = AnchorSurface::on(&shape, RADIUS).expect("a surface to live on");
    let lives = Confinement { surface: 0, shape: anchor, faces };
    let surfaces = vec![Surface { name: "home".into(), shape }];
    let manners = vec![vec![Manner::Adsorb(adsorption)], vec![Manner::Ignore]];
    Environment::new(surfaces, manners, vec![None, Some(lives)])
}

fn rules(k_d: f64) -> RuleSet {
    RuleSet { timed: vec![TimedRule::convert("leave", 1, &[0], k_d)], ..strangers(2) }
}

fn adsorbed<const D: usize>(engine: &Brownian<D>) -> usize {
    let p = engine.particles();
    (0..p.len()).filter(|&i| p.alive[i] && p.species[i] == 1).count()
}

const BLOCKS: usize = 40;

/// The means of `measured` in blocks of steps, after a quarter of the steps.
fn blocks_of<const D: usize, const N: usize>(
    engine: &mut Brownian<D>,
    steps: usize,
    measured: impl Fn(&Brownian<D>) -> [f64; N],
) -> [[f64; N]; BLOCKS] {
    let mut blocks = [[0.0; N]; BLOCKS];
    (0..steps / 4).for_each(|_| engine.step(&mut NoObserver).unwrap());
    for block in &mut blocks {
        for _ in 0..steps / BLOCKS {
            engine.step(&mut NoObserver).unwrap();
            for (sum, x) in block.iter_mut().zip(measured(engine)) {
                *sum += x / (steps / BLOCKS) as f64;
            }
        }
    }
    blocks
}

/// Mean and standard error.
fn mean_of(blocks: &[f64; BLOCKS]) -> (f64, f64) {
    let mean = blocks.iter().sum::<f64>() / BLOCKS as f64;
    let spread = blocks.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (BLOCKS - 1) as f64;
    (mean, (spread / BLOCKS as f64).sqrt())
}

/// The mean share of the particles that is on the surface, and its standard error.
fn share<const D: usize>(engine: &mut Brownian<D>, steps: usize, count: usize) -> (f64, f64) {
    let blocks = blocks_of(engine, steps, |engine| [adsorbed(engine) as f64 / count as f64]);
    mean_of(&blocks.map(|[share]| share))
}

/// Where particles are at first, one after the other.
type Start<const D: usize> = fn(usize) -> Vector<D>;

/// The share on the surface is K A/(V + K A) at three time steps, with A the area on which particles in space touch the
/// surface and V the room that their centres have. 40 blocks, five standard errors, which are below 0.015.
fn holds_as_many<const D: usize>(
    name: &str,
    domain: &Domain<D>,
    (shape, faces): (&Shape<D>, Option<bool>),
    [area, room]: [f64; 2],
    place: Start<D>,
    permeability: f64,
) {
    let (rate, k_d, count) = (1.2, 0.8, 120);
    for (timestep, steps) in [(0.02, 5000), (0.1, 1500), (0.4, 600)] {
        let adsorption = Adsorption { rate, permeability, becomes: 1 };
        let kinds = vec![species("A", RADIUS, 1.0), species("B", RADIUS, 0.4)];
        let environment = home(shape.clone(), faces, adsorption);
        let setup = setup(domain.clone(), environment, kinds, rules(k_d), timestep, 5);
        let particles: Vec<_> = (0..count).map(|n| (0, place(n))).collect();
        let mut engine = start(setup, &particles);
        let (mean, error) = share(&mut engine, steps, count);
        let law = rate / k_d * area / (rate / k_d * area + room);
        let z = (mean - law) / error;
        println!("{name}, {timestep}: {mean:.4} +- {error:.4} against {law:.4}, z {z:.2}");
        assert!(z.abs() < 5.0 && error < 0.015, "{name}: {mean} +- {error} against {law}");
    }
}

const PI: f64 = std::f64::consts::PI;

/// Of N = 6 sites n are taken as often as w(n) = C(M, n) N!/(N - n)! (K A/N V)ⁿ says, for M particles in the volume V: the
/// mean, and how often all are taken, at three time steps, if a site is held singly, and if a pair of sites is held by
/// every second one for a while, by a rule in time. 40 blocks, five standard errors (some 1e-5 for each of twelve
/// comparisons).
#[test]
fn sites_are_taken_as_often_as_langmuir_says() {
    const SITES: usize = 6;
    let (edge, count, rate, k_d) = (3.0, 12, 1.2, 0.8);
    let domain = Domain::new([edge; 3], [true, true, false]);
    let room = edge * edge * (edge - 2.0 * RADIUS);
    let each = rate / k_d * edge * edge / (SITES as f64 * room);
    for grip in [0.0, 2.0] {
        // Weights of n particles on the surface of which m hold a second site, by what they hold.
        let mut weights = [0.0; SITES + 1];
        for n in 0..=SITES {
            for m in (0..=n.min(SITES - n)).take(if grip > 0.0 { SITES } else { 1 }) {
                let falling =
                    |from: usize, k: usize| (0..k).map(|j| (from - j) as f64).product::<f64>();
                let ways = falling(count, n) / falling(n, n) * falling(n, m) / falling(m, m);
                let second = (grip / SITES as f64).powi(m as i32);
                weights[n + m] += ways * falling(SITES, n + m) * each.powi(n as i32) * second;
            }
        }
        let total: f64 = weights.iter().sum();
        let mean: f64 = (0..).zip(weights).map(|(n, w)| f64::from(n) * w / total).sum();
        let law = [mean, weights[SITES] / total];
        for (timestep, steps) in [(0.02, 120_000), (0.1, 90_000), (0.4, 60_000)] {
            let shape = Shape::Plane { axis: 2, at: 0.0 };
            let adsorption = Adsorption { rate, permeability: 0.0, becomes: 1 };
            let anchor = AnchorSurface::on(&shape, RADIUS).expect("a surface to live on");
            let lives = Some(Confinement { surface: 0, shape: anchor, faces: None });
            let manners = [Manner::Adsorb(adsorption), Manner::Ignore, Manner::Ignore];
            let sites = SurfaceSites { number: SITES as u64, held: vec![0, 1, 2] };
            let environment = Environment::new(
                vec![Surface { name: "home".into(), shape }],
                manners.map(|manner| vec![manner]).to_vec(),
                vec![None, lives.clone(), lives],
            );
            let kinds = vec![
                species("A", RADIUS, 1.0),
                species("B", RADIUS, 0.4),
                species("C", RADIUS, 0.2),
            ];
            let mut rules =
                RuleSet { timed: vec![TimedRule::convert("leave", 1, &[0], k_d)], ..strangers(3) };
            if grip > 0.0 {
                rules.timed.push(TimedRule::convert("grip", 1, &[2], grip));
                rules.timed.push(TimedRule::convert("let go", 2, &[1], 1.0));
            }
            let environment = environment.with_sites(vec![Some(sites.clone())]);
            let setup = setup(domain.clone(), environment, kinds, rules, timestep, 7);
            let place = |n: usize| Vector([0.2 * n as f64, 1.0, 1.0]);
            let particles: Vec<_> = (0..count).map(|n| (0, place(n))).collect();
            let mut engine = start(setup, &particles);
            let blocks = blocks_of(&mut engine, steps, |engine| {
                let p = engine.particles();
                let alive = p.species.iter().zip(&p.alive).filter(|(_, alive)| **alive);
                let held: u64 = alive.map(|(&s, _)| sites.held[usize::from(s)]).sum();
                let held = held as usize;
                assert!(held <= SITES, "{held} of {SITES} are taken");
                [held as f64, if held == SITES { 1.0 } else { 0.0 }]
            });
            for (k, law) in law.into_iter().enumerate() {
                let (mean, error) = mean_of(&blocks.map(|block| block[k]));
                let z = (mean - law) / error;
                println!("{grip}, {timestep}: {mean:.4} +- {error:.4} against {law:.4}, z {z:.2}");
                assert!(z.abs() < 5.0 && error < 0.08, "{mean} +- {error} against {law}");
            }
        }
    }
}

#[test]
fn planes_hold_as_many_as_their_rates_say() {
    let edge = 3.0;
    let closed = Domain::new([edge; 3], [true, true, false]);
    let floor = Shape::Plane { axis: 2, at: 0.0 };
    let (area, height) = (edge * edge, edge - 2.0 * RADIUS);
    let above = |n: usize| Vector([1.0 + 0.01 * n as f64, 1.0, 1.0]);
    holds_as_many("a floor", &closed, (&floor, None), [area, area * height], above, 0.0);
    // From above and from below, and through it.
    let middle = Shape::Plane { axis: 2, at: 1.6 };
    let room = area * (edge - 4.0 * RADIUS);
    holds_as_many("a sheet", &closed, (&middle, None), [2.0 * area, room], above, 0.0);
    let room = area * height;
    holds_as_many("a leaky sheet", &closed, (&middle, None), [2.0 * area, room], above, 0.5);
    let flat = Domain::new([edge; 2], [true, true]);
    let line = Shape::Plane { axis: 1, at: 0.0 };
    let beside = |n: usize| Vector([1.0 + 0.01 * n as f64, 1.0]);
    holds_as_many("a line", &flat, (&line, None), [2.0 * edge, edge * height], beside, 0.0);
}

#[test]
fn spheres_hold_as_many_as_their_rates_say() {
    let edge = 5.0;
    let domain = Domain::new([edge; 3], [true, true, false]);
    let ball = Shape::Ball { centre: Vector([2.5; 3]), radius: 1.7 };
    let within = |n: usize| Vector([2.0 + 0.008 * n as f64, 2.5, 2.5]);
    let r = 1.7 - RADIUS;
    let inner = [4.0 * PI * r * r, 4.0 / 3.0 * PI * r * r * r];
    holds_as_many("within a sphere", &domain, (&ball, Some(true)), inner, within, 0.0);
    let without = |n: usize| Vector([0.04 * n as f64, 0.31, 0.31]);
    let r = 1.7 + RADIUS;
    let room = edge * edge * (edge - 2.0 * RADIUS) - 4.0 / 3.0 * PI * r * r * r;
    let outer = [4.0 * PI * r * r, room];
    holds_as_many("around a sphere", &domain, (&ball, Some(false)), outer, without, 0.0);
    let sum = [inner[0] + outer[0], inner[1] + outer[1]];
    // Particles on it face both sides, and carry what they were from one to the other.
    holds_as_many("a sphere", &domain, (&ball, None), sum, within, 0.0);
    let open = [8.0 * PI * 1.7 * 1.7, edge * edge * (edge - 2.0 * RADIUS)];
    holds_as_many("a leaky sphere", &domain, (&ball, None), open, within, 0.6);
    let flat = Domain::new([edge; 2], [false, true]);
    let circle = Shape::Ball { centre: Vector([2.5; 2]), radius: 1.7 };
    let within = |n: usize| Vector([2.0 + 0.008 * n as f64, 2.5]);
    let r = 1.7 - RADIUS;
    let inner = [2.0 * PI * r, PI * r * r];
    holds_as_many("within a circle", &flat, (&circle, Some(true)), inner, within, 0.0);
}

/// Of cylinders with round ends, what is touched from inside is smaller by more there than on the straight part: no more
/// are there for that.
#[test]
fn rods_hold_as_many_as_their_rates_say() {
    let edge = 6.0;
    let domain = Domain::new([edge; 3], [true, true, false]);
    let (half, radius) = (1.2, 1.1);
    let rod = Rod { axis: 2, half, radius, ends: Ends::Round };
    let shape = Shape::Rod { centre: Vector([3.0; 3]), rod };
    let of = |r: f64| [4.0 * PI * r * (r + half), PI * r * r * (2.0 * half + 4.0 / 3.0 * r)];
    let within = |n: usize| Vector([3.0, 3.0, 2.5 + 0.008 * n as f64]);
    holds_as_many("within a rod", &domain, (&shape, Some(true)), of(radius - RADIUS), within, 0.0);
    let without = |n: usize| Vector([0.04 * n as f64, 0.31, 0.31]);
    let [area, volume] = of(radius + RADIUS);
    let room = edge * edge * (edge - 2.0 * RADIUS) - volume;
    holds_as_many("around a rod", &domain, (&shape, Some(false)), [area, room], without, 0.0);
    let open = [2.0 * of(radius)[0], edge * edge * (edge - 2.0 * RADIUS)];
    holds_as_many("a leaky rod", &domain, (&shape, None), open, within, 0.6);
    let tube = Rod { axis: 0, half: f64::INFINITY, radius, ends: Ends::Open };
    let shape = Shape::Rod { centre: Vector([3.0; 3]), rod: tube };
    let r = radius - RADIUS;
    let inner = [2.0 * PI * r * edge, PI * r * r * edge];
    let within = |n: usize| Vector([0.04 * n as f64, 3.0, 3.0]);
    holds_as_many("within a tube", &domain, (&shape, Some(true)), inner, within, 0.0);
}

/// Particles get onto a mesh by its faces, and off them: K is that of its area, though inside, beside hollow edges, there
/// are places that none in space can touch, and outside, from its edges, places that none on it comes off to.
#[test]
fn meshes_hold_as_many_as_their_rates_say() {
    let edge = 4.0;
    let domain = Domain::new([edge; 3], [true, true, false]);
    let size: f64 = 2.4;
    let shape = Shape::Mesh(super::meshes::cube(Vector([2.0; 3]), size));
    let area = 6.0 * size * size;
    let within = |n: usize| Vector([2.0, 2.0, 1.6 + 0.006 * n as f64]);
    let inner = [area, (size - 2.0 * RADIUS).powi(3)];
    holds_as_many("within a cube", &domain, (&shape, Some(true)), inner, within, 0.0);
    let without = |n: usize| Vector([0.03 * n as f64, 0.31, 0.31]);
    let grown = size.powi(3)
        + area * RADIUS
        + 3.0 * PI * size * RADIUS * RADIUS
        + 4.0 / 3.0 * PI * RADIUS.powi(3);
    let outer = [area, edge * edge * (edge - 2.0 * RADIUS) - grown];
    holds_as_many("around a cube", &domain, (&shape, Some(false)), outer, without, 0.0);
    let open = [2.0 * area, edge * edge * (edge - 2.0 * RADIUS)];
    holds_as_many("a leaky cube", &domain, (&shape, None), open, within, 0.6);
    let flat = Domain::new([edge; 2], [true, false]);
    let corners = [[1.0, 1.0], [3.0, 1.0], [2.0, 3.0]].map(Vector);
    let triangle = Mesh::new(corners.to_vec(), vec![[0, 1], [1, 2], [2, 0]]).unwrap();
    let length = triangle.surface();
    let room = edge * (edge - 2.0 * RADIUS) - 2.0 - length * RADIUS - PI * RADIUS * RADIUS;
    let triangle = Shape::Mesh(std::sync::Arc::new(triangle));
    let beside = |n: usize| Vector([0.03 * n as f64, 0.31]);
    holds_as_many("a triangle", &flat, (&triangle, Some(false)), [length, room], beside, 0.0);
}

/// Of 20 000 particles on the floor of a deep slab, which come off and get on again, so many are there after some
/// time as diffusion with a boundary that exchanges says (Laplace transform in s, with x = √s): β w(α√t) - α w(β√t)
/// over β - α, with α + β = κ/√D, αβ = k_d and w(z) = exp(z²) erfc(z). 4.5 standard errors.
#[test]
fn what_comes_off_a_plane_gets_on_again_as_diffusion_has_it() {
    let (rate, k_d, diffusion): (f64, f64, f64) = (1.0, 0.2, 1.0);
    let half = 0.5 * rate / diffusion.sqrt();
    let root = (half * half - k_d).sqrt();
    let (alpha, beta) = (half - root, half + root);
    let w = |z: f64| libm::exp(z * z) * libm::erfc(z);
    let law = |t: f64| (beta * w(alpha * t.sqrt()) - alpha * w(beta * t.sqrt())) / (beta - alpha);
    let count = 20_000;
    for (timestep, steps) in [(0.02, 100), (0.1, 20), (0.4, 5)] {
        let adsorption = Adsorption { rate, permeability: 0.0, becomes: 1 };
        let kinds = vec![species("A", RADIUS, diffusion), species("B", RADIUS, 0.4)];
        let floor = Shape::Plane { axis: 2, at: 0.0 };
        let environment = home(floor, None, adsorption);
        let domain = Domain::new([20.0, 20.0, 40.0], [true, true, false]);
        let setup = setup(domain, environment, kinds, rules(k_d), timestep, 8);
        let place = |n: usize| Vector([0.001 * n as f64, 1.0, 0.0]);
        let particles: Vec<_> = (0..count).map(|n| (1, place(n))).collect();
        let mut engine = start(setup, &particles);
        for round in 1..=3 {
            (0..steps).for_each(|_| engine.step(&mut NoObserver).unwrap());
            let time = f64::from(round * steps) * timestep;
            let (mean, law) = (adsorbed(&engine) as f64 / f64::from(count as u32), law(time));
            let z = (mean - law) / (law * (1.0 - law) / f64::from(count as u32)).sqrt();
            println!("{timestep}, {time}: {mean:.4} against {law:.4}, z {z:.2}");
            assert!(z.abs() < 4.5, "{timestep}, {time}: {mean} against {law}");
        }
    }
}
