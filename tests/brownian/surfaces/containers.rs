//! Inside and outside of containers, through permeable ones, into absorbing ones.

use std::f64::consts::PI;

use jostle::environment::{Crossing, Environment, Manner, Permeability, Shape, Surface};
use jostle::narrow::{Ends, Rod};
use jostle::observe::NoObserver;
use jostle::space::{Domain, Vector};

use super::worlds::{Counter, kolmogorov, setup, species, start, strangers, surface};

const EDGE: f64 = 20.0;
const MIDDLE: Vector<3> = Vector([10.0; 3]);

fn shapes() -> [(&'static str, Shape<3>); 4] {
    let rod =
        |ends| Shape::Rod { centre: MIDDLE, rod: Rod { axis: 1, half: 4.0, radius: 3.0, ends } };
    [
        ("sphere", Shape::Ball { centre: MIDDLE, radius: 5.0 }),
        ("round rod", rod(Ends::Round)),
        ("flat rod", rod(Ends::Flat)),
        ("tube", rod(Ends::Open)),
    ]
}

/// Particles that begin in one point fill a container evenly up to the wall, whatever the step:
/// 6000 particles of radius 0.5 and 6000 points, steps of 0.8; what chance exceeds once in 10^6.
#[test]
fn particles_fill_every_container_evenly_up_to_the_wall() {
    for (n, (name, shape)) in shapes().into_iter().enumerate() {
        let domain = Domain::new([EDGE; 3], [true; 3]);
        let kinds = vec![species("ball", 0.5, 0.32), species("point", 0.0, 0.32)];
        let environment = surface(shape.clone(), &[Manner::Reflect; 2]);
        let setup = setup(domain.clone(), environment, kinds, strangers(2), 1.0, 7 + n as u64);
        let particles: Vec<_> = (0..12_000).map(|n| (n % 2, MIDDLE)).collect();
        let mut engine = start(setup, &particles);
        let mut counter = Counter::default();
        let mut least = f64::INFINITY;
        for _ in 0..250 {
            engine.step(&mut counter).unwrap();
            let p = engine.particles();
            for i in 0..p.len() {
                assert!(
                    shape.is_inside(&domain, p.position[i]),
                    "{name}: {:?} got out",
                    p.position[i]
                );
                least = least.min(shape.distance(&domain, p.position[i]) - p.radius[i]);
            }
        }
        assert!(least > -1e-12, "{name}: {least}");
        assert!(counter.bounced > 50_000 && counter.passed + counter.ended == 0);
        let p = engine.particles();
        for (s, radius) in [(0, 0.5), (1, 0.0)] {
            // The share of the room within reach that is nearer to the middle than each particle.
            let share = |x: Vector<3>| {
                let x = x - MIDDLE;
                let across = x[0].hypot(x[2]);
                let volume = |r: f64, half: f64| 2.0 * half * r * r + 4.0 / 3.0 * r * r * r;
                match name {
                    "sphere" => (x.norm() / (5.0 - radius)).powi(3),
                    "round rod" => {
                        let out = across.hypot((x[1].abs() - 4.0).max(0.0));
                        volume(out, 4.0) / volume(3.0 - radius, 4.0)
                    }
                    "flat rod" if s == 0 => (across / 2.5).powi(2),
                    "flat rod" => x[1].abs() / 4.0,
                    _ => (across / (3.0 - radius)).powi(2),
                }
            };
            let of_kind = (0..p.len()).filter(|&i| p.species[i] == s);
            let found = kolmogorov(of_kind.map(|i| share(p.position[i])).collect());
            assert!(found < 2.7, "{name}, radius {radius}: {found}");
        }
    }
}

/// So many contacts with each container, half of the particles points, steps as long as it is wide.
const CONTACTS: u64 = if cfg!(feature = "long") { 250_000_000 } else { 400_000 };

/// With steps as long as a container is wide no particle gets out of it, however flat a path meets
/// the wall.
#[test]
fn no_particle_leaks_however_often_the_wall_is_met() {
    for (n, (name, shape)) in shapes().into_iter().enumerate() {
        let domain = Domain::new([EDGE; 3], [true; 3]);
        let kinds = vec![species("ball", 0.7, 8.0), species("point", 0.0, 8.0)];
        let environment = surface(shape.clone(), &[Manner::Reflect; 2]);
        let setup = setup(domain.clone(), environment, kinds, strangers(2), 1.0, 70 + n as u64);
        let particles: Vec<_> = (0..1000).map(|n| (n % 2, MIDDLE)).collect();
        let mut engine = start(setup, &particles);
        while engine.tally().wall_contacts < CONTACTS {
            engine.step(&mut NoObserver).unwrap();
            let p = engine.particles();
            for i in 0..p.len() {
                let x = p.position[i];
                assert!(shape.is_inside(&domain, x), "{name}: {x:?} got out");
                assert!(shape.distance(&domain, x) > p.radius[i] - 1e-12, "{name}: {x:?}");
            }
        }
        assert_eq!(engine.tally().late, 0);
    }
}

/// Outside, through a periodic face as well: the room beside an obstacle fills evenly, and none
/// gets in.
#[test]
fn no_particle_gets_into_an_obstacle() {
    for (n, (name, shape)) in shapes().into_iter().enumerate() {
        let domain = Domain::new([EDGE; 3], [true; 3]);
        let environment = surface(shape.clone(), &[Manner::Reflect]);
        let setup = setup(
            domain.clone(),
            environment,
            vec![species("ball", 0.5, 0.5)],
            strangers(1),
            1.0,
            n as u64,
        );
        let mut engine = start(setup, &vec![(0, Vector([1.0, 1.0, 19.0])); 8000]);
        let mut counter = Counter::default();
        for _ in 0..400 {
            engine.step(&mut counter).unwrap();
            for &x in &engine.particles().position {
                assert!(!shape.is_inside(&domain, x), "{name}");
                assert!(shape.distance(&domain, x) > 0.5 - 1e-12, "{name}");
            }
        }
        assert!(counter.bounced > 20_000, "{name}: {}", counter.bounced);
        // Along the axis of the rods: beside them there is less room than before their ends.
        if name == "tube" {
            let along = engine.particles().position.iter().map(|x| x[1] / EDGE).collect();
            assert!(kolmogorov(along) < 2.7);
        }
    }
}

/// Slabs between planes, of which one lies in a periodic axis and is met from both sides.
#[test]
fn planes_keep_particles_on_their_sides() {
    let domain = Domain::new([EDGE; 3], [true, false, true]);
    for axis in [0, 1] {
        let environment = surface(Shape::Plane { axis, at: 8.0 }, &[Manner::Reflect]);
        let setup = setup(
            domain.clone(),
            environment,
            vec![species("ball", 0.5, 2.0)],
            strangers(1),
            1.0,
            3,
        );
        let particles: Vec<_> =
            (0..3000).map(|n| (0, Vector([if n % 2 == 0 { 4.0 } else { 14.0 }; 3]))).collect();
        let mut engine = start(setup, &particles);
        let mut counter = Counter::default();
        for _ in 0..200 {
            engine.step(&mut counter).unwrap();
        }
        assert!(counter.bounced > 10_000);
        let p = engine.particles();
        let places: Vec<_> =
            p.slots_by_id().iter().map(|&slot| p.position[slot as usize]).collect();
        let mut shares = Vec::new();
        for (n, x) in places.iter().enumerate() {
            assert!((x[axis] - 8.0).abs() > 0.5 - 1e-12);
            if axis == 1 {
                assert_eq!(x[axis] < 8.0, n % 2 == 0, "particle {n} at {x:?}");
            } else {
                // All of the axis is one room, from one side of the plane round to the other.
                shares.push(((x[axis] - 8.5).rem_euclid(EDGE)) / (EDGE - 1.0));
            }
        }
        if axis == 0 {
            assert!(kolmogorov(shares) < 2.7);
        }
    }
}

/// The mean time to an absorbing sphere and to absorbing planes, from a uniform start, as in closed
/// form, with the absorbing surface 0.5826 steps behind where it is; some 8000 and 20 000
/// particles, five standard errors (10^-6).
#[test]
fn absorption_takes_as_long_as_theory_says() {
    let diffusion = 1.0;
    let sphere = Shape::Ball { centre: MIDDLE, radius: 4.0 };
    let slab = Shape::Plane { axis: 2, at: 5.0 };
    for (n, shape) in [sphere, slab].into_iter().enumerate() {
        let timestep = [0.005, 0.05][n];
        let behind = 0.582_597 * (2.0_f64 * diffusion * timestep).sqrt();
        // In and about what there is, absorbed where it seems to be: (R'^2 - 3/5 R^2)/6 D, (R'^2 -
        // R^2/3)/2 D.
        let half = 0.5 * EDGE;
        let expected = match n {
            0 => ((4.0 + behind).powi(2) - 0.6 * 16.0) / (6.0 * diffusion),
            _ => ((half + behind).powi(2) - half * half / 3.0) / (2.0 * diffusion),
        };
        let domain = Domain::new([EDGE; 3], [true; 3]);
        let absorb = Manner::Absorb { rate: f64::INFINITY };
        let environment = surface(shape.clone(), &[absorb]);
        // A uniform start: a grid of cells that is as fine as the cube root of the numbers.
        let mut particles = Vec::new();
        let cells = if n == 0 { 62 } else { 27 };
        for c in 0..cells * cells * cells {
            let place = [c % cells, c / cells % cells, c / cells / cells];
            let x = Vector::from_fn(|k| (place[k] as f64 + 0.5) * EDGE / cells as f64);
            let far = shape.distance(&domain, x) > 1e-9;
            if far && (n == 1 || shape.is_inside(&domain, x)) {
                particles.push((0, x));
            }
        }
        let count = particles.len() as f64;
        let setup = setup(
            domain,
            environment,
            vec![species("point", 0.0, diffusion)],
            strangers(1),
            timestep,
            5,
        );
        let mut engine = start(setup, &particles);
        let (mut sum, mut squares, mut gone) = (0.0, 0.0, 0);
        let steps = 20_000;
        for step in 0..steps {
            engine.step(&mut NoObserver).unwrap();
            let now = engine.tally().absorbed;
            let time = (step as f64 + 0.5) * timestep;
            sum += (now - gone) as f64 * time;
            squares += (now - gone) as f64 * time * time;
            gone = now;
            if now as f64 == count {
                break;
            }
        }
        assert_eq!(gone as f64, count, "all are absorbed in the end");
        let mean = sum / count;
        let error = (squares / count - mean * mean).sqrt() / count.sqrt();
        let z = (mean - expected) / error;
        println!("shape {n}: {mean} +- {error}, expected {expected}, z {z}");
        assert!(z.abs() < 5.0, "{mean} +- {error}, expected {expected}");
    }
}

/// How many are on one side of a permeable plane as time advances, against the exact relaxation; 10
/// 000 points, at three permeabilities, at two that differ in the two directions and at one that is for one
/// direction only, five standard errors (10^-5 in all).
#[test]
fn what_is_permeable_lets_through_what_it_should() {
    let (half, diffusion, timestep, count) = (5.0, 1.0, 0.01, 10_000_usize);
    let both = [0.05, 0.5, 3.0].map(|velocity| [velocity; 2]);
    let others = [[0.5, 0.2], [0.1, 3.0], [0.4, 0.0]];
    for (n, [inwards, outwards]) in both.into_iter().chain(others).enumerate() {
        let permeability = Permeability { inwards, outwards };
        let sum = inwards + outwards;
        let domain = Domain::new([2.0 * half], [false]);
        let environment =
            surface(Shape::Plane { axis: 0, at: half }, &[Manner::Permeate(permeability)]);
        let kinds = vec![species("point", 0.0, diffusion)];
        let setup = setup(domain, environment, kinds, strangers(1), timestep, 11 + n as u64);
        let particles: Vec<_> =
            (0..count).map(|n| (0, Vector([(n as f64 + 0.5) / count as f64 * half]))).collect();
        let mut engine = start(setup, &particles);
        let mut worst: f64 = 0.0;
        for _ in 0..4 {
            for _ in 0..300 {
                engine.step(&mut NoObserver).unwrap();
            }
            let time = engine.clock().time();
            let left = engine.particles().position.iter().filter(|x| x[0] < half).count() as f64;
            let end = outwards / sum;
            let share = end + (1.0 - end) * 2.0 * relaxation(0.5 * sum, diffusion, half, time);
            let z = (left / count as f64 - share) / (share * (1.0 - share) / count as f64).sqrt();
            println!(
                "P {inwards} and {outwards}, t {time}: {} against {share}, z {z}",
                left / count as f64
            );
            worst = worst.max(z.abs());
        }
        assert!(worst < 5.0, "permeability {permeability:?}: {worst}");
        assert!(engine.tally().crossed > 500);
    }
}

/// By how much more than one half are left of a plane in the middle after `time`, if all began
/// there: modes cos(k (a - x)) with D k tan(k a) = 2 P.
fn relaxation(permeability: f64, diffusion: f64, a: f64, time: f64) -> f64 {
    (0..200)
        .map(|n| {
            // Between the zero of the sine and that of the cosine the left side grows from 0
            // without end.
            let (mut low, mut high) = (f64::from(n) * PI / a, (f64::from(n) + 0.5) * PI / a);
            for _ in 0..100 {
                let k = 0.5 * (low + high);
                let above = diffusion * k * (k * a).tan().abs() > 2.0 * permeability;
                if above { high = k } else { low = k }
            }
            let k = 0.5 * (low + high);
            let mean = (k * a).sin() / (k * a);
            let norm = 0.5 + (2.0 * k * a).sin() / (4.0 * k * a);
            0.5 * mean * mean / norm * (-diffusion * k * k * time).exp()
        })
        .sum()
}

/// In a region with another D, and a liking for it: how many are in it in equilibrium; 5000
/// particles in two dimensions at a step as long as a third of the region's radius; five standard
/// errors. Regions within each other and across each other: affinities multiply, D is that of the
/// later one. 4000 points on a circle's annulus, its core and a lens, five standard errors of
/// binomial numbers.
#[test]
fn regions_within_and_across_each_other_hold_their_shares() {
    let domain = Domain::new([12.0; 2], [true; 2]);
    let circle = |x: f64, radius: f64| Shape::Ball { centre: Vector([x, 6.0]), radius };
    let cases = [
        // Within each other: core, annulus, rest.
        ([circle(6.0, 4.0), circle(6.0, 2.0)], [(0.2, 1.0), (0.2, 1.0)]),
        ([circle(6.0, 2.0), circle(6.0, 4.0)], [(3.0, 2.0), (0.2, 1.5)]),
        // Across each other.
        ([circle(4.5, 3.0), circle(7.5, 3.0)], [(0.2, 2.0), (2.0, 0.5)]),
    ];
    for (n, (shapes, ways)) in cases.into_iter().enumerate() {
        let named = shapes.clone().map(|shape| Surface { name: "region".into(), shape });
        let region =
            |(inside, affinity)| Manner::Cross(Crossing { outside: 1.0, inside, affinity });
        let environment =
            Environment::new(named.to_vec(), vec![ways.map(region).to_vec()], vec![None]);
        let setup = setup(
            domain.clone(),
            environment,
            vec![species("lipid", 0.3, 1.0)],
            strangers(1),
            0.5,
            8 + n as u64,
        );
        let place =
            |n: usize| Vector([(n % 63) as f64 * 12.0 / 63.0, (n / 63) as f64 * 12.0 / 63.0]);
        let particles: Vec<_> = (0..3969).map(|n| (0, place(n))).collect();
        let mut engine = start(setup, &particles);
        for _ in 0..400 {
            engine.step(&mut NoObserver).unwrap();
        }
        // The weight of each of the four kinds of places, by a fine grid.
        let within = |x: Vector<2>| shapes.each_ref().map(|shape| shape.is_inside(&domain, x));
        let kind = |x: Vector<2>| {
            within(x).iter().enumerate().map(|(n, &is_in)| usize::from(is_in) << n).sum::<usize>()
        };
        let mut weights = [0.0; 4];
        for n in 0..1_000_000 {
            let x = Vector([(n % 1000) as f64, (n / 1000) as f64].map(|x| (x + 0.5) * 0.012));
            let factors =
                within(x).into_iter().zip(ways).filter(|(is_in, _)| *is_in).map(|(_, way)| way.1);
            weights[kind(x)] += factors.product::<f64>();
        }
        let mut counts = [0.0; 4];
        for (i, &x) in engine.particles().position.iter().enumerate() {
            counts[kind(x)] += 1.0;
            let last = within(x).into_iter().zip(ways).rfind(|(is_in, _)| *is_in);
            assert_eq!(
                engine.particles().diffusion_coefficient[i],
                last.map_or(1.0, |(_, way)| way.0)
            );
        }
        let all: f64 = weights.iter().sum();
        for (count, share) in counts.into_iter().zip(weights.map(|weight| weight / all)) {
            let z = (count - 3969.0 * share) / (3969.0 * share * (1.0 - share)).sqrt().max(1e-9);
            assert!(z.abs() < 5.0, "case {n}: {counts:?}, shares {:?}", weights.map(|w| w / all));
        }
    }
}

#[test]
fn regions_hold_the_share_that_their_affinity_gives_whatever_the_step() {
    for (inside, affinity) in [(0.1, 1.0), (3.0, 1.0), (0.25, 4.0)] {
        let region = Crossing { outside: 1.0, inside, affinity };
        let domain = Domain::new([12.0; 2], [true; 2]);
        let circle = Shape::Ball { centre: Vector([6.0; 2]), radius: 4.0 };
        let environment = surface(circle.clone(), &[Manner::Cross(region)]);
        let kinds = vec![species("lipid", 0.3, 1.0)];
        let setup = setup(domain.clone(), environment, kinds, strangers(1), 0.9, 2);
        let place =
            |n: usize| Vector([(n % 71) as f64 * 12.0 / 71.0, (n / 71) as f64 * 12.0 / 71.0]);
        let particles: Vec<_> = (0..5000).map(|n| (0, place(n))).collect();
        let mut engine = start(setup, &particles);
        for _ in 0..200 {
            engine.step(&mut NoObserver).unwrap();
        }
        let p = engine.particles();
        let mut count = 0.0;
        for i in 0..p.len() {
            let is_in = circle.is_inside(&domain, p.position[i]);
            assert_eq!(
                p.diffusion_coefficient[i],
                if is_in { region.inside } else { region.outside }
            );
            count += f64::from(u8::from(is_in));
        }
        let area = PI * 16.0;
        let share = affinity * area / (affinity * area + 144.0 - area);
        let z = (count / 5000.0 - share) / (share * (1.0 - share) / 5000.0).sqrt();
        println!("D {inside}, affinity {affinity}: {} against {share}, z {z}", count / 5000.0);
        assert!(z.abs() < 5.0, "D {inside}, affinity {affinity}: {count} in, z {z}");
        assert!(engine.tally().crossed > 10_000);
    }
}
