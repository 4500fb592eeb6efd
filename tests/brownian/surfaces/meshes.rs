//! Particles that are confined to closed meshes, and to polygons in the plane.

use std::collections::HashMap;
use std::sync::Arc;

use jostle::brownian::Brownian;
use jostle::environment::{AnchorSurface, Confinement, Environment, Manner, Shape, Surface};
use jostle::observe::NoObserver;
use jostle::random::{Purpose, Random};
use jostle::rules::{Action, Chance, ContactRule, RuleSet, TimedRule};
use jostle::space::mesh::Mesh;
use jostle::space::{Domain, Vector};

use super::worlds::{Counter, setup, species, start, strangers};
use crate::kinetics::{samples, timed};

const MIDDLE: Vector<3> = Vector([10.0; 3]);
const PI: f64 = std::f64::consts::PI;

fn box_3d() -> Domain<3> {
    Domain::new([20.0; 3], [true; 3])
}

/// A cube about the middle with edges of this length.
pub(super) fn cube(middle: Vector<3>, edge: f64) -> Arc<Mesh<3>> {
    let corner = |n: usize| Vector([0, 1, 2].map(|k| if n >> k & 1 == 1 { 0.5 } else { -0.5 }));
    let vertices = (0..8).map(|n| middle + corner(n) * edge).collect();
    let facets = [
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
        [0, 1, 5],
        [0, 5, 4],
        [2, 6, 7],
        [2, 7, 3],
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
    ];
    Arc::new(Mesh::new(vertices, facets.to_vec()).unwrap())
}

/// The corners of an octahedron on a sphere of this radius, each triangle cut in four `levels` times.
fn sphere(radius: f64, levels: usize) -> Arc<Mesh<3>> {
    let unit = |v: Vector<3>| v * (1.0 / v.norm());
    let mut vertices: Vec<Vector<3>> = (0..6)
        .map(|n| Vector::from_fn(|k| if k == n / 2 { 1.0 - 2.0 * (n % 2) as f64 } else { 0.0 }))
        .collect();
    let mut facets: Vec<[u32; 3]> = Vec::new();
    for n in 0..8_u32 {
        let [x, y, z] = [n & 1, 2 + (n >> 1 & 1), 4 + (n >> 2)];
        facets.push(if n.count_ones() % 2 == 0 { [x, y, z] } else { [x, z, y] });
    }
    for _ in 0..levels {
        let mut halves = HashMap::new();
        let mut half = |a: u32, b: u32| {
            *halves.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                vertices.push(unit(vertices[a as usize] + vertices[b as usize]));
                vertices.len() as u32 - 1
            })
        };
        let cut = |[a, b, c]: [u32; 3]| {
            let [ab, bc, ca] = [half(a, b), half(b, c), half(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        facets = facets.into_iter().flat_map(cut).collect();
    }
    let vertices = vertices.into_iter().map(|v| MIDDLE + v * radius).collect();
    Arc::new(Mesh::new(vertices, facets).unwrap())
}

/// Numbers between 0 and 1 for the places of one world.
fn numbers(seed: u64, n: usize) -> [f64; 2] {
    [0, 1].map(|k| Random::new(seed).uniform(Purpose::Placement, [n as u64, k, 0, 0]))
}

/// One mesh on which the species live for which `lives` says so, and face that side.
pub(super) fn home<const D: usize>(
    mesh: &Arc<Mesh<D>>,
    manners: &[Manner],
    lives: &[bool],
    faces: Option<bool>,
) -> Environment<D> {
    let shape = Shape::Mesh(Arc::clone(mesh));
    let anchor = AnchorSurface::on(&shape, 1.0).unwrap();
    let lives = lives
        .iter()
        .map(|&lives| lives.then(|| Confinement { surface: 0, shape: anchor.clone(), faces }));
    let lives = lives.collect();
    let manners = manners.iter().map(|&manner| vec![manner]).collect();
    Environment::new(vec![Surface { name: "home".into(), shape }], manners, lives)
}

/// The mean cosine of the angle gone about the centre of a sphere of many facets decays as on the sphere of its area, to
/// one hundredth of the exponent: the facets are 0.2 R long, and the step is R/10. 20 000 particles, and five
/// standard errors more (10^-6).
#[test]
fn diffusion_on_a_mesh_of_a_sphere_is_that_of_the_sphere() {
    let mesh = sphere(5.0, 3);
    let radius = (mesh.surface() / (4.0 * PI)).sqrt();
    let (step, count) = (0.5, samples(20_000));
    let environment = home(&mesh, &[Manner::Ignore], &[true], None);
    let kinds = vec![species("A", 0.1, 1.0)];
    let setup = setup(box_3d(), environment, kinds, strangers(1), 0.5 * step * step, 4);
    let places: Vec<Vector<3>> = (0..count).map(|n| mesh.place(numbers(1, n))).collect();
    let mut engine = start(setup, &places.iter().map(|&x| (0, x)).collect::<Vec<_>>());
    for n in 1..=70 {
        engine.step(&mut NoObserver).unwrap();
        if n % 35 != 0 {
            continue;
        }
        let p = engine.particles();
        let cosine = |i: usize| {
            let [a, b] = [places[p.id[i] as usize], p.position[i]].map(|x| x - MIDDLE);
            a.dot(b) / (a.norm() * b.norm())
        };
        let cosines: Vec<f64> = (0..count).map(cosine).collect();
        let mean = cosines.iter().sum::<f64>() / count as f64;
        let error = (cosines.iter().map(|c| (c - mean).powi(2)).sum::<f64>()).sqrt() / count as f64;
        let exponent = f64::from(n) * step * step / (radius * radius);
        let law = (-exponent).exp();
        println!("{n}: {mean:.4} +- {error:.4} for {law:.4}");
        assert!((mean - law).abs() < 5.0 * error + 0.01 * exponent * law, "{mean} for {law}");
    }
}

/// How far apart pairs are, on the same side of the cube or on others, and how many particles are near edges.
fn census(places: &[Vector<3>], edge: f64, seen: &mut [f64]) {
    let off = |x: Vector<3>| (x - MIDDLE).0.map(|c| (c.abs() - 0.5 * edge).abs());
    let side = |x: Vector<3>| {
        let off = off(x);
        let k = (1..3).fold(0, |k, n| if off[n] < off[k] { n } else { k });
        (k, x[k] > MIDDLE[k])
    };
    for (n, &a) in places.iter().enumerate() {
        let mut gaps = off(a);
        gaps.sort_unstable_by(f64::total_cmp);
        seen[0] += f64::from(u8::from(gaps[1] < 0.3));
        for &b in &places[..n] {
            let apart = (a - b).norm();
            let bin = [1.15, 1.4, 2.0].iter().filter(|&&end| apart > end).count();
            if bin < 3 {
                seen[1 + 2 * bin + usize::from(side(a) == side(b))] += 1.0;
            }
        }
    }
}

/// Hard particles that cover a tenth of a cube, at short and long steps, are as often near each other, on one side and
/// over an edge, as places are that are drawn at random until none overlap; and as often near an edge. 20 000 drawn
/// configurations, 40 blocks of 250 steps, seven numbers at two steps, five standard errors (10^-5 in all).
#[test]
fn hard_particles_on_a_cube_are_in_equilibrium_across_its_edges() {
    const COUNT: usize = 12;
    const SEEN: usize = 7;
    let edge = 4.0;
    let mesh = cube(MIDDLE, edge);
    let apart = |all: &[Vector<3>]| {
        (0..all.len()).all(|n| all[..n].iter().all(|&x| (x - all[n]).norm() >= 1.0))
    };
    let mut drawn = (0..)
        .map(|n| (0..COUNT).map(|k| mesh.place(numbers(2, COUNT * n + k))).collect::<Vec<_>>());
    let first = drawn.by_ref().find(|all| apart(all)).unwrap();
    let configurations = 20_000;
    let mut law = [[0.0; SEEN]; 2];
    for all in drawn.filter(|all| apart(all)).take(configurations) {
        let mut one = [0.0; SEEN];
        census(&all, edge, &mut one);
        for k in 0..SEEN {
            law[0][k] += one[k] / configurations as f64;
            law[1][k] += one[k] * one[k] / configurations as f64;
        }
    }
    for step in [0.2, 1.5] {
        let environment = home(&mesh, &[Manner::Ignore], &[true], None);
        let kinds = vec![species("A", 0.5, 1.0)];
        let rules = RuleSet::default();
        let setup = setup(box_3d(), environment, kinds, rules, 0.5 * step * step, 7);
        let mut engine = start(setup, &first.iter().map(|&x| (0, x)).collect::<Vec<_>>());
        let mut blocks = [[0.0; SEEN]; 40];
        let steps = samples(250);
        for _ in 0..steps {
            engine.step(&mut NoObserver).unwrap();
        }
        for block in &mut blocks {
            let mut seen = [0.0; SEEN];
            for _ in 0..steps {
                engine.step(&mut NoObserver).unwrap();
                census(&engine.particles().position, edge, &mut seen);
            }
            *block = seen.map(|sum| sum / steps as f64);
        }
        assert!(engine.tally().contacts > 10 * steps as u64, "{:?}", engine.tally());
        assert_eq!(engine.tally().late, 0);
        for k in 0..SEEN {
            let mean = blocks.iter().map(|b| b[k]).sum::<f64>() / 40.0;
            let spread = blocks.iter().map(|b| (b[k] - mean).powi(2)).sum::<f64>() / 39.0;
            let of_law = (law[1][k] - law[0][k] * law[0][k]) / configurations as f64;
            let error = (spread / 40.0 + of_law).sqrt();
            let z = (mean - law[0][k]) / error;
            println!("step {step}, {k}: {mean:.4} +- {error:.4} for {:.4}, z {z:.2}", law[0][k]);
            assert!(z.abs() < 5.0, "step {step}, {k}: {mean} +- {error} for {}", law[0][k]);
        }
    }
}

/// The share of blocks' steps in which one receptor is bound, and its standard error.
fn bound(engine: &mut Brownian<3>, steps: usize) -> (f64, f64) {
    const BLOCKS: usize = 50;
    let mut shares = [0.0; BLOCKS];
    for share in &mut shares {
        for _ in 0..steps / BLOCKS {
            engine.step(&mut NoObserver).unwrap();
            let p = engine.particles();
            let is_bound = (0..p.len()).any(|i| p.alive[i] && p.species[i] == 2);
            *share += f64::from(u8::from(is_bound)) / (steps / BLOCKS) as f64;
        }
    }
    let mean = shares.iter().sum::<f64>() / BLOCKS as f64;
    let spread = shares.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (BLOCKS - 1) as f64;
    (mean, (spread / BLOCKS as f64).sqrt())
}

/// One ligand and one receptor that roams over a cube not much larger than both together, from outside and from inside:
/// it is bound as long as k_a/k_d and the room of the ligand say, which depends on where the receptor is and is the mean
/// over 200 000 pairs of places. 50 blocks, five standard errors.
#[test]
fn binding_to_a_mesh_from_space_has_the_equilibrium_of_its_rate_constants() {
    for (name, edge, size, faces, within) in [
        ("outside of a small cube", 2.0, 5.0, false, 0.6),
        ("outside of a slow one", 2.0, 5.0, false, 0.05),
        ("inside of a cube", 3.0, 5.0, true, 0.6),
    ] {
        let (radius, own): (f64, f64) = (0.3, 0.5);
        let middle = Vector([0.5 * size; 3]);
        let mesh = cube(middle, edge);
        let domain = Domain::new([size; 3], [true; 3]);
        let (k_a, k_d) = (20.0, if faces { 1.2 } else { 0.2 });
        let manners = [Manner::Reflect, Manner::Ignore, Manner::Ignore];
        let environment = home(&mesh, &manners, &[false, true, true], Some(faces));
        let kinds =
            vec![species("L", radius, 1.0), species("R", own, within), species("LR", own, within)];
        let bind = ContactRule::coalesce("bind", [0, 1], 2, Chance::Intrinsic(k_a));
        let rules = RuleSet {
            contact: vec![bind, ContactRule::plain("pass", [0, 2], Action::Ignore)],
            timed: vec![TimedRule::unbind("part", 0, k_d)],
            ..RuleSet::default()
        };
        let shape = Shape::Mesh(Arc::clone(&mesh));
        let pairs = 200_000;
        let has_room = |n: &usize| {
            let [u, v] = numbers(3, 3 * n);
            let [w, a] = numbers(3, 3 * n + 1);
            let [b, _] = numbers(3, 3 * n + 2);
            let (ligand, receptor) = (Vector([u, v, w]) * size, mesh.place([a, b]));
            shape.is_inside(&domain, ligand) == faces
                && shape.distance(&domain, ligand) >= radius
                && domain.nearest_image(ligand - receptor).norm() >= radius + own
        };
        let free = (0..pairs).filter(has_room).count() as f64 / pairs as f64;
        let room = size.powi(3) * free;
        let setup = setup(domain, environment, kinds, rules, 0.02, 3);
        let ligand = if faces { middle } else { Vector([0.2; 3]) };
        let receptor = middle + Vector([0.5 * edge, 0.1, 0.2]);
        let mut engine = start(setup, &[(1, receptor), (0, ligand)]);
        let (mean, error) = timed(name, || bound(&mut engine, samples(1_600_000)));
        let law = k_a / k_d / (k_a / k_d + room);
        let error = error.hypot(law * (1.0 - law) * ((1.0 - free) / free / pairs as f64).sqrt());
        let z = (mean - law) / error;
        println!("{name}: {mean:.4} +- {error:.4} against {law:.4}, z {z:.2}");
        assert!(z.abs() < 5.0 && error < 0.03, "{name}: {mean} +- {error} against {law}");
        assert!(engine.tally().unbound > 200, "{:?}", engine.tally());
    }
}

/// One A and one B on a cube whose edges are a few times their contact distance: they are one C as long as k_a/k_d and the
/// room of the two say, which is that of all pairs of places less those nearer than the distance; and C is everywhere
/// alike, also near edges. 50 blocks, five standard errors, six numbers (4 10^-6 in all).
#[test]
fn two_that_bind_on_a_mesh_have_the_constant_of_a_plane_near_edges_as_well() {
    let edge = 3.0;
    let mesh = cube(MIDDLE, edge);
    let (own, k_a, k_d): (f64, f64, f64) = (0.4, 20.0, 0.4);
    let pairs = 400_000;
    let is_apart = |n: &usize| {
        let [a, b] = [0, 1].map(|k| mesh.place(numbers(8, 2 * n + k)));
        (a - b).norm() >= 2.0 * own
    };
    let free = (0..pairs).filter(is_apart).count() as f64 / pairs as f64;
    let room = mesh.surface() * free;
    let law = k_a / k_d / (k_a / k_d + room);
    for (name, other, joint, timestep, steps) in [
        ("equal ones", 1.0, 0.5, 0.02, 1_600_000),
        ("a slow partner", 0.1, 0.4, 0.02, 1_600_000),
        ("long steps", 0.3, 0.5, 0.05, 800_000),
    ] {
        let environment = home(&mesh, &[Manner::Ignore; 3], &[true; 3], None);
        let kinds =
            vec![species("A", own, other), species("B", own, 1.0), species("C", joint, 0.4)];
        let bind = ContactRule::coalesce("bind", [0, 1], 2, Chance::Intrinsic(k_a));
        let rules = RuleSet {
            contact: vec![bind],
            timed: vec![TimedRule::unbind("part", 0, k_d)],
            ..RuleSet::default()
        };
        let setup = setup(box_3d(), environment, kinds, rules, timestep, 3);
        let starts = [(0, mesh.place([0.1, 0.3])), (1, mesh.place([0.8, 0.6]))];
        let mut engine = start(setup, &starts);
        let mut blocks = [[0.0; 2]; 50];
        let steps = samples(steps) / 50;
        let run = |block: &mut [f64; 2]| {
            for _ in 0..steps {
                engine.step(&mut NoObserver).unwrap();
                let p = engine.particles();
                for i in (0..p.len()).filter(|&i| p.alive[i] && p.species[i] == 2) {
                    let mut gaps = (p.position[i] - MIDDLE).0.map(|c| (c.abs() - 0.5 * edge).abs());
                    gaps.sort_unstable_by(f64::total_cmp);
                    block[0] += 1.0 / steps as f64;
                    block[1] += f64::from(u8::from(gaps[1] < 0.3)) / steps as f64;
                }
            }
        };
        timed(name, || blocks.iter_mut().for_each(run));
        let near = 1.0 - ((edge - 0.6) / edge).powi(2);
        let all = blocks.map(|b| b[0]);
        for (what, values, law) in [
            ("bound", all, law),
            // A ratio of means has the error of what deviates from it.
            ("near edges", blocks.map(|b| b[1] - near * b[0]), 0.0),
        ] {
            let mean = values.iter().sum::<f64>() / 50.0;
            let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 49.0;
            let drawn = law * (1.0 - law) * ((1.0 - free) / free / pairs as f64).sqrt();
            let error = (spread / 50.0).sqrt().hypot(drawn);
            let z = (mean - law) / error;
            println!("{name}, {what}: {mean:.4} +- {error:.4} for {law:.4}, z {z:.2}");
            assert!(z.abs() < 5.0 && error < 0.02, "{name}, {what}: {mean} +- {error} for {law}");
        }
        assert!(engine.tally().unbound > 200, "{:?}", engine.tally());
    }
}

/// A crowded L with hollow edges, and balls inside and outside that bump into those on it, and reflecting walls as near as
/// their radius: no two ever overlap, and those confined stay on it.
#[test]
fn a_crowded_mesh_holds_its_particles_and_no_two_overlap() {
    let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let n = corners.len() as u32;
    let level =
        |z: f64| corners.iter().map(move |&[x, y]| Vector([1.0 + 4.0 * x, 1.0 + 4.0 * y, z]));
    let mut facets: Vec<[u32; 3]> = Vec::new();
    for k in 1..n - 1 {
        facets.extend([[0, k + 1, k], [n, n + k, n + k + 1]]);
    }
    for k in 0..n {
        let next = (k + 1) % n;
        facets.extend([[k, next, n + next], [k, n + next, n + k]]);
    }
    let mesh = Arc::new(Mesh::new(level(0.3).chain(level(4.3)).collect(), facets).unwrap());
    let domain = Domain::new([10.0, 10.0, 5.0], [false; 3]);
    let environment = home(&mesh, &[Manner::Ignore, Manner::Reflect], &[true, false], None);
    let kinds = vec![species("on it", 0.4, 0.5), species("ball", 0.25, 1.0)];
    let shape = Shape::Mesh(Arc::clone(&mesh));
    let is_clear = |x: Vector<3>, radius: f64| {
        let edges = domain.edges();
        (0..3).all(|k| (radius..=edges[k] - radius).contains(&x[k]))
    };
    let mut particles: Vec<(u16, Vector<3>)> = Vec::new();
    for n in 0..20_000 {
        let (kind, radius) = if n % 2 == 0 { (0, 0.4) } else { (1, 0.25) };
        let [u, v] = numbers(5, 2 * n);
        let [w, _] = numbers(5, 2 * n + 1);
        let place = match kind {
            0 => mesh.place([u, v]),
            _ => Vector([10.0 * u, 10.0 * v, 5.0 * w]),
        };
        let radius_of = |kind: u16| if kind == 0 { 0.4 } else { 0.25 };
        let alone = |&(other, x): &(u16, Vector<3>)| (x - place).norm() > radius + radius_of(other);
        let off = kind == 0 || shape.distance(&domain, place) > radius;
        let room = particles.iter().filter(|one| one.0 == kind).count() < 130;
        if room && off && is_clear(place, radius) && particles.iter().all(alone) {
            particles.push((kind, place));
        }
    }
    let setup = setup(domain.clone(), environment, kinds, RuleSet::default(), 0.02, 9);
    let mut engine = start(setup, &particles);
    let was_inside: Vec<bool> = {
        let p = engine.particles();
        (0..p.len()).map(|i| shape.is_inside(&domain, p.position[i])).collect()
    };
    let mut counter = Counter::default();
    for step in 0..300 {
        engine.step(&mut counter).unwrap();
        let p = engine.particles();
        for i in 0..p.len() {
            let (place, radius) = (p.position[i], p.radius[i]);
            assert!((0..3).all(|k| {
                (radius - 1e-11..=domain.edges()[k] - radius + 1e-11).contains(&place[k])
            }));
            let off = shape.distance(&domain, place);
            match p.species[i] {
                0 => assert!(off < 1e-11, "{off} off the mesh"),
                _ => {
                    let inside = shape.is_inside(&domain, place);
                    assert!(off > radius - 1e-11 && inside == was_inside[p.id[i] as usize]);
                }
            }
            for j in (0..i).filter(|_| step % 10 == 9) {
                let apart = (p.position[j] - place).norm();
                assert!(apart > radius + p.radius[j] - 1e-11, "{i} and {j} overlap at {apart}");
            }
        }
    }
    let tally = engine.tally();
    assert!(tally.contacts > 3000 && counter.bounced > 300, "{tally:?}");
    assert_eq!(tally.late, 0);
}

/// On a polygon the way along it is that of free diffusion round a circle, at any step and over sharp corners: the mean
/// cosine of the part of the way round decays as exp(-4 pi² D t/L²). 20 000 particles, five standard errors, six numbers.
#[test]
fn diffusion_along_a_polygon_is_that_round_a_circle() {
    let corners = [[4.0, 4.0], [14.0, 4.0], [5.0, 6.0], [12.0, 12.0], [4.0, 14.0]].map(Vector);
    let sides = (0..5).map(|n| [n, (n + 1) % 5]).collect();
    let mesh = Arc::new(Mesh::new(corners.to_vec(), sides).unwrap());
    let length = mesh.surface();
    // How far round a place is.
    let round = |x: Vector<2>| {
        let mut before = 0.0;
        for n in 0..5 {
            let [a, b] = [corners[n], corners[(n + 1) % 5]];
            if (x - a).norm() + (x - b).norm() < (a - b).norm() + 1e-9 {
                return before + (x - a).norm();
            }
            before += (a - b).norm();
        }
        panic!("{x:?} is off the polygon");
    };
    let count = samples(20_000);
    for (step, seed) in [(0.3, 1), (3.0, 2), (12.0, 3)] {
        let environment = home(&mesh, &[Manner::Ignore], &[true], None);
        let kinds = vec![species("A", 0.1, 1.0)];
        let domain = Domain::new([20.0; 2], [true; 2]);
        let setup = setup(domain, environment, kinds, strangers(1), 0.5 * step * step, seed);
        let places: Vec<Vector<2>> = (0..count).map(|n| mesh.place(numbers(6, n))).collect();
        let mut engine = start(setup, &places.iter().map(|&x| (0, x)).collect::<Vec<_>>());
        for n in 1..=2 {
            engine.step(&mut NoObserver).unwrap();
            let p = engine.particles();
            let cosine = |i: usize| {
                let gone = round(p.position[i]) - round(places[p.id[i] as usize]);
                (2.0 * PI * gone / length).cos()
            };
            let cosines: Vec<f64> = (0..count).map(cosine).collect();
            let mean = cosines.iter().sum::<f64>() / count as f64;
            let spread = cosines.iter().map(|c| (c - mean).powi(2)).sum::<f64>().sqrt();
            let wave = 2.0 * PI / length;
            let law = (-0.5 * f64::from(n) * (wave * step).powi(2)).exp();
            let z = (mean - law) / (spread / count as f64);
            println!("step {step}: {mean:.4} for {law:.4}, z {z:.2}");
            assert!(z.abs() < 5.0, "step {step}: {mean} for {law}, z {z}");
        }
    }
}
