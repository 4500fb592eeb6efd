//! Particles that are confined to planes and spheres.

use jostle::brownian::{Brownian, Seed};
use jostle::clusters::Bond;
use jostle::environment::{AnchorSurface, Confinement, Environment, Manner, Shape, Surface};
use jostle::observe::NoObserver;
use jostle::random::{Purpose, Random};
use jostle::rules::{ContactRule, RuleSet};
use jostle::space::{Domain, Vector};

use super::worlds::{Counter, anchor, kolmogorov, setup, species, start, strangers, surface};
use crate::kinetics::samples;

const MIDDLE: Vector<3> = Vector([30.0; 3]);

fn sphere(radius: f64) -> Shape<3> {
    Shape::Ball { centre: MIDDLE, radius }
}

fn box_3d() -> Domain<3> {
    Domain::new([60.0; 3], [true; 3])
}

/// The mean Legendre polynomials of the angle gone on a sphere fall as exp(-l (l + 1) D t / R²):
/// the first to 10^-4 of the exponent at steps up to R, the second as the step shrinks. 8000
/// particles, five standard errors (3 10^-6 in all).
#[test]
fn diffusion_on_a_sphere_forgets_its_direction_as_legendre_polynomials_do() {
    for (step, seed) in [(0.5, 1), (2.0, 2), (4.0, 3)] {
        let (radius, diffusion) = (20.0, 1.0);
        let timestep = step * step / 2.0;
        let environment = anchor(sphere(radius), &[Manner::Ignore], &[Some(1.0)]);
        let setup = setup(
            box_3d(),
            environment,
            vec![species("A", 1.0, diffusion)],
            strangers(1),
            timestep,
            seed,
        );
        let first = MIDDLE + Vector([0.0, 12.0, 16.0]);
        let mut engine = start(setup, &vec![(0, first); samples(8000)]);
        let steps = (100.0 / timestep).ceil() as usize;
        for n in 1..=steps {
            engine.step(&mut NoObserver).unwrap();
            let places = &engine.particles().position;
            let off =
                places.iter().map(|&x| ((x - MIDDLE).norm() - radius).abs()).fold(0.0, f64::max);
            assert!(off < 1e-12, "{off} off the sphere");
            if n % (steps / 2) != 0 {
                continue;
            }
            let time = n as f64 * timestep;
            let cosines: Vec<f64> = places
                .iter()
                .map(|&x| (x - MIDDLE).dot(first - MIDDLE) / (radius * radius))
                .collect();
            for (l, value) in [(1, (|c| c) as fn(f64) -> f64), (2, |c| 1.5 * c * c - 0.5)] {
                let values: Vec<f64> = cosines.iter().map(|&c| value(c)).collect();
                let count = values.len() as f64;
                let mean = values.iter().sum::<f64>() / count;
                let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
                let law = (-f64::from(l * (l + 1)) * diffusion * time / (radius * radius)).exp();
                let z = (mean - law) / (spread / count).sqrt();
                println!("step {step}, t {time}, l {l}: {mean:.5} against {law:.5}, z {z:.2}");
                if l == 1 || step < 1.0 {
                    assert!(z.abs() < 5.0, "step {step}, l = {l}: {mean} against {law}, z {z}");
                }
            }
        }
    }
}

/// Spheres on a plane in space do what disks do in two dimensions, displaced alike: contacts,
/// bounces, ends.
#[test]
fn spheres_on_a_plane_are_disks() {
    let count = 150;
    let rules = RuleSet::default;
    let kinds = || vec![species("A", 1.0, 1.0), species("B", 0.6, 0.25)];
    let flat = Domain::new([40.0, 30.0], [true, false]);
    let deep = Domain::new([40.0, 30.0, 10.0], [true, false, false]);
    let environment =
        anchor(Shape::Plane { axis: 2, at: 0.0 }, &[Manner::Ignore; 2], &[Some(1.0), Some(0.6)]);
    let place = |n: u16| [1.5 + 2.6 * f64::from(n % 15), 1.5 + 2.6 * f64::from(n / 15)];
    let disks: Vec<_> = (0..count).map(|n| (n % 2, Vector(place(n)))).collect();
    let spheres: Vec<_> = disks.iter().map(|&(s, x)| (s, Vector([x[0], x[1], 0.0]))).collect();
    let no_walls = surface(Shape::Plane { axis: 0, at: 0.0 }, &[Manner::Ignore; 2]);
    let mut plane: Brownian<2> = start(setup(flat, no_walls, kinds(), rules(), 1.0, 1), &disks);
    let mut space: Brownian<3> =
        start(setup(deep, environment, kinds(), rules(), 1.0, 1), &spheres);
    let random = Random::new(5);
    for step in 0..40 {
        let way = |id: u64, k: u64| 1.5 * (random.uniform(Purpose::Fate, [step, id, k, 0]) - 0.5);
        plane.step_along(|id| Vector([way(id, 0), way(id, 1)]), &mut NoObserver).unwrap();
        space
            .step_along(|id| Vector([way(id, 0), way(id, 1), way(id, 2)]), &mut NoObserver)
            .unwrap();
    }
    assert!(plane.tally().contacts > 1000);
    assert_eq!(plane.tally().contacts, space.tally().contacts);
    assert_eq!(plane.tally().wall_contacts, space.tally().wall_contacts);
    let at = |slots: Vec<u32>, of: &dyn Fn(usize) -> [f64; 2]| -> Vec<[f64; 2]> {
        slots.iter().map(|&slot| of(slot as usize)).collect()
    };
    let (p, q) = (plane.particles(), space.particles());
    let flat = at(p.slots_by_id(), &|i| p.position[i].0);
    let deep = at(q.slots_by_id(), &|i| [q.position[i][0], q.position[i][1]]);
    for (a, b) in flat.iter().zip(&deep) {
        assert!((a[0] - b[0]).abs() + (a[1] - b[1]).abs() < 1e-6, "{a:?} {b:?}");
    }
    assert!(q.position.iter().all(|x| x[2] == 0.0));
}

/// Hard particles on a sphere, a third of it covered, and balls inside and outside that bump into
/// them: no particle ever overlaps, those confined stay on the sphere, all others on their sides.
#[test]
fn a_crowded_sphere_holds_its_particles_and_no_particle_overlaps() {
    let radius = 12.0;
    let environment = anchor(
        sphere(radius),
        &[Manner::Ignore, Manner::Reflect, Manner::permeable(0.5)],
        &[Some(1.0), None, None],
    );
    let kinds =
        vec![species("receptor", 1.0, 0.5), species("ball", 0.5, 1.0), species("small", 0.3, 1.0)];
    let domain = box_3d();
    let mut particles: Vec<(u16, Vector<3>)> = Vec::new();
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    for n in 0..150 {
        let z = 1.0 - 2.0 * (f64::from(n) + 0.5) / 150.0;
        let (r, angle) = ((1.0 - z * z).sqrt(), golden * f64::from(n));
        particles.push((0, MIDDLE + Vector([r * angle.cos(), r * angle.sin(), z]) * radius));
    }
    for n in 0..343 {
        let x = Vector([n % 7, n / 7 % 7, n / 49].map(|c| 30.0 + 2.5 * (f64::from(c) - 3.0)));
        if (x - MIDDLE).norm() < radius - 2.0 {
            particles.push((1 + (n % 2) as u16, x));
        } else if (x - MIDDLE).norm() > radius + 2.0 {
            particles.push((1, x));
        }
    }
    let setup = setup(domain.clone(), environment, kinds, RuleSet::default(), 0.04, 9);
    let mut engine = start(setup, &particles);
    let mut counter = Counter::default();
    for step in 0..400 {
        engine.step(&mut counter).unwrap();
        let p = engine.particles();
        for i in 0..p.len() {
            let from_middle = (p.position[i] - MIDDLE).norm();
            match p.species[i] {
                0 => assert!((from_middle - radius).abs() < 1e-12),
                1 => assert!((from_middle - radius).abs() > 0.5 - 1e-12),
                _ => {}
            }
            // Now and then: an overlap would last.
            for j in (0..i).filter(|_| step % 8 == 7) {
                let apart = domain.nearest_image(p.position[j] - p.position[i]).norm();
                assert!(
                    apart > p.radius[i] + p.radius[j] - 1e-12,
                    "{i} and {j} overlap at {apart}"
                );
            }
        }
    }
    let tally = engine.tally();
    assert!(tally.contacts > 5000 && counter.bounced > 1000 && counter.passed > 20, "{tally:?}");
    assert_eq!(tally.late, 0);
}

/// Crowded particles on a plane with others above it: those on the plane stay evenly spread, and
/// those above fill the slab evenly from the height at which the plane lets them; 64 and 400
/// particles at 200 times; blocks of a particle are far apart in time. What chance exceeds once in
/// 10^6.
#[test]
fn what_lives_on_a_plane_does_not_disturb_the_equilibrium_above_it() {
    let domain = Domain::new([20.0, 20.0, 10.0], [true, true, false]);
    let environment = anchor(
        Shape::Plane { axis: 2, at: 0.0 },
        &[Manner::Ignore, Manner::Reflect],
        &[Some(0.2), None],
    );
    // Flat enough that balls above hardly notice how high they are: only the lowest layer is in
    // their way.
    let kinds = vec![species("receptor", 0.5, 0.5), species("ligand", 0.0, 1.0)];
    let mut particles: Vec<(u16, Vector<3>)> = Vec::new();
    for n in 0..64 {
        particles
            .push((0, Vector([1.0 + 2.5 * f64::from(n % 8), 1.0 + 2.5 * f64::from(n / 8), 0.0])));
    }
    for n in 0..400 {
        let x = [f64::from(n % 20) + 0.5, f64::from(n / 20) + 0.5, 5.0];
        particles.push((1, Vector(x)));
    }
    let mut rules = RuleSet::default();
    rules.contact.push(jostle::rules::ContactRule::plain(
        "free",
        [1, 1],
        jostle::rules::Action::Ignore,
    ));
    let setup = setup(domain, environment, kinds, rules, 0.1, 4);
    let mut engine = start(setup, &particles);
    let mut counts = [0.0; 2];
    let mut heights = Vec::new();
    for step in 0..12_000 {
        engine.step(&mut NoObserver).unwrap();
        if step < 1000 || step % 500 != 0 {
            continue;
        }
        let p = engine.particles();
        for i in (0..p.len()).filter(|&i| p.species[i] == 1) {
            counts[usize::from(p.position[i][2] < 0.5)] += 1.0;
            if p.position[i][2] >= 0.5 {
                heights.push((p.position[i][2] - 0.5) / 9.5);
            }
        }
    }
    // Half spheres of radius 0.5 are closed to points.
    let all = 20.0 * 20.0;
    let below = all * 0.5 - 64.0 * 2.0 / 3.0 * std::f64::consts::PI * 0.125;
    let share = below / (below + all * 9.5);
    let total = counts[0] + counts[1];
    let z = (counts[1] / total - share) / (share * (1.0 - share) / total).sqrt();
    println!(
        "low {} against {share}, z {z}; heights {}",
        counts[1] / total,
        kolmogorov(heights.clone())
    );
    assert!(z.abs() < 5.0, "z {z}");
    assert!(kolmogorov(heights) < 2.7);
}

/// 40 ligands outside a vesicle, each tethered to its receptor on it. At the end of its tether a ligand
/// pulls its receptor along the sphere, which curves away from it: every bounce there must give back the
/// rate at which the two came apart, or they bounce without end. Their mean distance is that of places
/// with the same weight each; errors are from pair to pair, |z| < 4.5 (7 10^-6).
#[test]
fn ligands_tethered_to_a_vesicle_are_where_they_have_room() {
    let (radius, thickness, length, count) = (10.0, 0.05, 3.0, 40);
    let mut rules = strangers(2);
    rules.contact[1] = ContactRule::tether("hold", [0, 1], length, 0.0);
    let manners = [Manner::Ignore, Manner::Reflect];
    let environment = anchor(sphere(radius), &manners, &[Some(0.5), None]);
    let kinds = vec![species("R", thickness, 1.0), species("L", thickness, 0.5)];
    let seed = |n| {
        let angle = f64::from(n / 2) * std::f64::consts::TAU / f64::from(count);
        let out = Vector([angle.cos(), angle.sin(), 0.0]);
        let species = n % 2;
        Seed {
            species: species as u16,
            position: MIDDLE + out * (radius + 2.0 * f64::from(species)),
        }
    };
    let seeds: Vec<_> = (0..2 * count).map(seed).collect();
    let bonds: Vec<Bond> = (0..count as u64).map(|n| Bond::new([2 * n, 2 * n + 1], 1)).collect();
    let setup = setup(box_3d(), environment, kinds, rules, 0.05, 1);
    let mut engine = Brownian::bonded(setup, seeds, &bonds).expect("a good start");
    let mut sums = vec![0.0; count as usize];
    let steps = samples(20_000);
    for _ in 0..steps {
        engine.step(&mut NoObserver).unwrap();
        let p = engine.particles();
        let slots = p.slots_by_id();
        let place = |id: usize| p.position[slots[id] as usize];
        for (n, sum) in sums.iter_mut().enumerate() {
            *sum += (place(2 * n) - place(2 * n + 1)).norm();
        }
    }
    let means: Vec<f64> = sums.iter().map(|sum| sum / steps as f64).collect();
    // Of a sphere of radius d about a receptor, this part is outside the vesicle; times d².
    let height = (radius + thickness).powi(2) - radius * radius;
    let weight = |d: f64| d * d + d * (d * d - height) / (2.0 * radius);
    let distances = || (0..10_000).map(|n| 0.1 + (length - 0.1) * (f64::from(n) + 0.5) / 1e4);
    let exact =
        distances().map(|d| d * weight(d)).sum::<f64>() / distances().map(weight).sum::<f64>();
    let z = z_of(means, exact);
    assert!(z.abs() < 4.5, "z {z}");
}

/// 100 particles on the small cap that a plane leaves of a sphere, which curves towards the plane on all
/// sides: they bounce off it without end unless each bounce gives back the rate at which they came. They are
/// anywhere on the cap alike, so that their mean height is half of the cap's (Archimedes). Errors are from
/// particle to particle, |z| < 4.5 (7 10^-6).
#[test]
fn particles_on_a_small_cap_are_anywhere_on_it() {
    let (radius, thickness, low, count) = (10.0, 0.05, 9.0, 100);
    let named = |name: &str, shape| Surface { name: name.into(), shape };
    let floor = Shape::Plane { axis: 0, at: MIDDLE[0] + low - thickness };
    let home = Confinement {
        surface: 0,
        shape: AnchorSurface::ball(MIDDLE, radius, 0.5),
        faces: Some(false),
    };
    let environment = Environment::new(
        vec![named("ball", sphere(radius)), named("floor", floor)],
        vec![vec![Manner::Ignore, Manner::Reflect]],
        vec![Some(home)],
    );
    let kinds = vec![species("A", thickness, 1.0)];
    let setup = setup(box_3d(), environment, kinds, strangers(1), 0.05, 1);
    let top = MIDDLE + Vector([radius, 0.0, 0.0]);
    let mut engine = start(setup, &vec![(0, top); count]);
    let mut sums = vec![0.0; count];
    let steps = samples(10_000);
    for n in 0..steps + 500 {
        engine.step(&mut NoObserver).unwrap();
        if n >= 500 {
            let places = &engine.particles().position;
            sums.iter_mut().zip(places).for_each(|(sum, place)| *sum += (*place - MIDDLE)[0]);
        }
    }
    let exact = 0.5 * (low + radius);
    let z = z_of(sums.iter().map(|sum| sum / steps as f64).collect(), exact);
    assert!(z.abs() < 4.5, "z {z}");
}

/// The mean of independent values less the exact one, over its standard error.
fn z_of(values: Vec<f64>, exact: f64) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    let z = (mean - exact) / (spread / (count * (count - 1.0))).sqrt();
    println!("{mean:.4} nm for {exact:.4}, z {z:.2}");
    z
}
