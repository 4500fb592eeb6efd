//! Ligands in space meet receptors on a surface: equilibria and rates are what the constants say.

use jostle::brownian::Brownian;
use jostle::environment::{Environment, Manner, Shape};
use jostle::observe::{Change, NoObserver, Observer, ObserverError};
use jostle::random::{Purpose, Random};
use jostle::rules::{Action, Chance, ContactRule, Region, RuleSet, Side, TimedRule};
use jostle::space::{Domain, Vector};

use super::worlds::{anchor, setup, species, start, strangers, surface};

/// The share of steps in which the receptor is bound, and its standard error from blocks.
fn bound<const D: usize>(engine: &mut Brownian<D>, steps: usize) -> (f64, f64) {
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

fn reversible(k_a: f64, k_d: f64) -> RuleSet {
    let bind = ContactRule::coalesce("bind", [0, 1], 2, Chance::Intrinsic(k_a));
    let alike = [[0, 0], [1, 1], [1, 2], [0, 2], [2, 2]];
    let ignore = alike.map(|pair| ContactRule::plain("alike", pair, Action::Ignore));
    RuleSet {
        contact: std::iter::once(bind).chain(ignore).collect(),
        timed: vec![TimedRule::unbind("part", 0, k_d)],
        schedule: Vec::new(),
        ..RuleSet::default()
    }
}

/// Ligands of radius 0 or 0.4 in a slab and one receptor that moves on its floor, on a sphere in
/// it, or in a plane that ligands go through: how long it is bound is given by k_a/k_d and the room
/// that ligands have. 50 blocks, five standard errors.
#[test]
fn binding_to_a_surface_has_the_equilibrium_of_its_rate_constants() {
    let edge = 8.0;
    let domain = Domain::new([edge; 3], [true, true, false]);
    let ball = Shape::Ball { centre: Vector([4.0; 3]), radius: 2.5 };
    let floor = Shape::Plane { axis: 2, at: 0.0 };
    for (name, shape, radius, mobile) in [
        ("points above a floor", &floor, 0.0, 0.6),
        ("balls above a floor", &floor, 0.4, 0.6),
        ("balls outside a sphere", &ball, 0.4, 0.6),
        ("points above a fixed receptor", &floor, 0.0, 0.0),
    ] {
        let distance = 1.0 + radius;
        let (k_a, k_d) = (20.0, 0.3);
        let environment = anchor(
            shape.clone(),
            &[Manner::Reflect, Manner::Ignore, Manner::Ignore],
            &[None, Some(1.0), Some(1.0)],
        );
        let kinds =
            vec![species("L", radius, 1.0), species("R", 1.0, mobile), species("LR", 1.0, mobile)];
        let (receptor, room) = match shape {
            Shape::Plane { .. } => {
                // The slab without what of the contact sphere is in it.
                let cap = cap_above(distance, radius);
                (Vector([4.0, 4.0, 0.0]), edge * edge * (edge - 2.0 * radius) - cap)
            }
            _ => {
                let keeps = 2.5 + radius;
                let sphere = 4.0 / 3.0 * std::f64::consts::PI * keeps * keeps * keeps;
                let whole = edge * edge * (edge - 2.0 * radius) - sphere;
                (Vector([4.0, 4.0, 6.5]), whole - beyond(distance, 2.5, keeps))
            }
        };
        let setup = setup(domain.clone(), environment, kinds, reversible(k_a, k_d), 0.02, 3);
        let mut particles = vec![(1, receptor)];
        let ligands = 3;
        particles.extend((0..ligands).map(|n| (0, Vector([1.0 + f64::from(n), 1.0, 1.0]))));
        let mut engine = start(setup, &particles);
        let (mean, error) = bound(&mut engine, 300_000);
        let weight = f64::from(ligands) * k_a / k_d / room;
        let law = weight / (1.0 + weight);
        let z = (mean - law) / error;
        println!("{name}: {mean:.4} +- {error:.4} against {law:.4}, z {z:.2}");
        assert!(z.abs() < 5.0 && error < 0.03, "{name}: {mean} +- {error} against {law}");
        let tally = engine.tally();
        assert!(tally.unbound > 200, "{tally:?}");
        // Only a ligand that passes what is bound, and would be in the way of what is not.
        assert!(tally.refused < tally.unbound / 20, "{tally:?}");
    }
}

/// Under a low ceiling a ligand of radius 0.4 cannot be above its receptor: 0.3 of the directions in which it would be
/// set free are in the ceiling, and from as many no ligand comes. 50 blocks, five standard errors.
#[test]
fn binding_under_a_low_ceiling_has_the_equilibrium_of_its_rate_constants() {
    let (edge, height, radius, distance): (f64, f64, f64, f64) = (8.0, 1.5, 0.4, 1.4);
    let (k_a, k_d, ligands) = (20.0, 1.5, 3);
    let domain = Domain::new([edge, edge, height], [true, true, false]);
    let environment = anchor(
        Shape::Plane { axis: 2, at: 0.0 },
        &[Manner::Reflect, Manner::Ignore, Manner::Ignore],
        &[None, Some(1.0), Some(1.0)],
    );
    let kinds = vec![species("L", radius, 1.0), species("R", 1.0, 0.6), species("LR", 1.0, 0.6)];
    let [low, high] = [radius, height - radius];
    // The slab without what of the contact sphere is in it.
    let ball = std::f64::consts::PI
        * (distance * distance * (high - low) - (high.powi(3) - low.powi(3)) / 3.0);
    let weight = f64::from(ligands) * k_a / k_d / (edge * edge * (high - low) - ball);
    let law = weight / (1.0 + weight);
    let setup = setup(domain, environment, kinds, reversible(k_a, k_d), 0.02, 3);
    let mut particles = vec![(1, Vector([4.0, 4.0, 0.0]))];
    particles.extend((0..ligands).map(|n| (0, Vector([1.0 + f64::from(n), 1.0, 0.7]))));
    let mut engine = start(setup, &particles);
    let (mean, error) = bound(&mut engine, 150_000);
    assert!((mean - law).abs() < 5.0 * error && error < 0.02, "{mean} +- {error} against {law}");
    let tally = engine.tally();
    assert!(tally.refused > tally.unbound / 5, "{tally:?}");
}

/// The volume of a ball of radius `r` about a point of a plane that is more than `h` above it.
fn cap_above(r: f64, h: f64) -> f64 {
    std::f64::consts::PI * (r - h) * (r - h) * (2.0 * r + h) / 3.0
}

/// The volume of a ball of radius `r` about a point at distance `d` of a centre that is farther
/// than `keeps` from it.
fn beyond(r: f64, d: f64, keeps: f64) -> f64 {
    let steps = 20_000;
    let width = (d + r - keeps) / f64::from(steps);
    (0..steps)
        .map(|n| {
            // Shells about the centre: the part of each within the ball.
            let s = keeps + (f64::from(n) + 0.5) * width;
            let cosine = ((s * s + d * d - r * r) / (2.0 * s * d)).clamp(-1.0, 1.0);
            2.0 * std::f64::consts::PI * s * s * (1.0 - cosine) * width
        })
        .sum()
}

/// One receptor that keeps what it binds, among many points: half of the flux to a free sphere,
/// with k_a and by diffusion: 1/k = 1/k_a + 1/(2 pi D R). The mean time of 1500 captures against
/// V/k, with the periodic box's own correction; five standard errors.
#[test]
fn a_receptor_in_a_plane_takes_up_half_of_the_flux_of_a_free_one() {
    let edge = 10.0;
    let domain = Domain::new([edge, edge, 0.5 * edge], [true, true, false]);
    for k_a in [4.0, 40.0] {
        let environment = anchor(
            Shape::Plane { axis: 2, at: 0.0 },
            &[Manner::Reflect, Manner::Ignore, Manner::Ignore],
            &[None, Some(1.0), Some(1.0)],
        );
        // What is bound is gone at once.
        let bind = ContactRule::convert("take", [0, 1], &[1], Chance::Intrinsic(k_a));
        let ignore = ContactRule::plain("alike", [0, 0], Action::Ignore);
        let rules = RuleSet { contact: vec![bind, ignore], ..RuleSet::default() };
        let (diffusion, timestep) = (1.0, 0.01);
        let kinds =
            vec![species("L", 0.0, diffusion), species("R", 1.0, 0.0), species("none", 1.0, 0.0)];
        let setup = setup(domain.clone(), environment, kinds, rules, timestep, 8);
        let mut particles = vec![(1, Vector([5.0, 5.0, 0.0]))];
        for n in 0..1500 {
            let x = Vector([n % 15, n / 15 % 10, n / 150].map(f64::from));
            let place = Vector([
                (x[0] + 0.5) * edge / 15.0,
                (x[1] + 0.5) * edge / 10.0,
                (x[2] + 0.5) * 0.05 * edge,
            ]);
            if (place - particles[0].1).norm() > 1.05 {
                particles.push((0, place));
            }
        }
        let count = (particles.len() - 1) as f64;
        let mut engine = start(setup, &particles);
        let (mut sum, mut squares, mut gone) = (0.0, 0.0, 0);
        while (gone as f64) < count {
            engine.step(&mut NoObserver).unwrap();
            let now = engine.tally().converted;
            let time = engine.clock().time() - 0.5 * timestep;
            sum += (now - gone) as f64 * time;
            squares += (now - gone) as f64 * time * time;
            gone = now;
        }
        let mean = sum / count;
        let error = ((squares / count - mean * mean) / count).sqrt();
        // By reflection in floor and ceiling: a free sphere of twice the rates in a cube of twice
        // the height, with the correction of a periodic cube for the part by diffusion.
        let volume = edge * edge * edge;
        let pi = std::f64::consts::PI;
        let free = 1.0 / (4.0 * pi * diffusion)
            * (1.0 - 2.837_297 / edge + 8.0 * pi / 3.0 / (edge * edge * edge));
        let law = volume * (free + 1.0 / (2.0 * k_a));
        // The start is uniform outside the sphere only, and survivors take the tail: a per cent.
        let z = (mean - law) / error;
        println!("k_a {k_a}: {mean:.2} +- {error:.2} against {law:.2}, z {z:.2}");
        assert!((mean - law).abs() < 5.0 * error + 0.01 * law, "{mean} +- {error} against {law}");
    }
}

/// Receptors that face outside let those inside bounce off.
#[test]
fn a_receptor_that_faces_outside_binds_no_particle_inside() {
    let domain = Domain::new([12.0; 3], [true; 3]);
    let ball = Shape::Ball { centre: Vector([6.0; 3]), radius: 4.0 };
    for (faces, bound_at_all) in [(Some(false), false), (Some(true), true), (None, true)] {
        let plain: Environment<3> = anchor(
            ball.clone(),
            &[Manner::Reflect, Manner::Ignore, Manner::Ignore],
            &[None, Some(0.5), Some(0.5)],
        );
        let mut moorings: Vec<_> = (0..3)
            .map(|s| {
                let anchor = plain.anchor(s)?.clone();
                Some(jostle::environment::Confinement { surface: 0, shape: anchor, faces })
            })
            .collect();
        moorings[0] = None;
        let environment = Environment::new(
            plain.surfaces().to_vec(),
            vec![vec![Manner::Reflect], vec![Manner::Ignore], vec![Manner::Ignore]],
            moorings,
        );
        let kinds = vec![species("L", 0.3, 1.0), species("R", 0.5, 0.1), species("LR", 0.5, 0.1)];
        let setup = setup(domain.clone(), environment, kinds, reversible(50.0, 0.5), 0.01, 3);
        let mut particles = vec![(1, Vector([6.0, 6.0, 10.0])), (1, Vector([6.0, 10.0, 6.0]))];
        particles.extend((0..80).map(|n| (0, Vector([4.5 + 0.04 * f64::from(n), 6.0, 6.0]))));
        let mut engine = start(setup, &particles);
        for _ in 0..6000 {
            engine.step(&mut NoObserver).unwrap();
        }
        // A particle that is bound most of the time is met less often.
        let least = if bound_at_all { 5 } else { 50 };
        assert!(engine.tally().contacts > least, "{:?}", engine.tally());
        assert_eq!(
            engine.tally().bound > 0,
            bound_at_all,
            "facing {faces:?}: {:?}",
            engine.tally()
        );
        let p = engine.particles();
        // From those that face both sides, it comes off on either.
        let ligands = (0..p.len()).filter(|&i| p.alive[i] && p.species[i] == 0 && faces.is_some());
        for i in ligands {
            assert!(
                (p.position[i] - Vector([6.0; 3])).norm() < 3.7 + 1e-12,
                "what was bound comes back inside"
            );
        }
    }
}

/// A rule that is in force in a region only: no particle reacts elsewhere, and in it all do.
#[test]
fn rules_of_a_region_are_in_force_there_only() {
    struct Places(Vec<Vector<2>>);
    impl Observer<2> for Places {
        fn change(&mut self, change: &Change<'_, 2>) -> Result<(), ObserverError> {
            self.0.push(change.place);
            Ok(())
        }
    }
    let domain = Domain::new([20.0; 2], [true; 2]);
    let circle = Shape::Ball { centre: Vector([10.0; 2]), radius: 6.0 };
    let region =
        |sides| Region { from: [0.0, 0.0, 0.0], to: [20.0, 10.0, 0.0], sides, volume: 200.0 };
    for inside in [None, Some(true), Some(false)] {
        let environment = surface(circle.clone(), &[Manner::Ignore]);
        let mut swap = ContactRule::convert("swap", [0, 0], &[0, 0], Chance::Probability(1.0));
        let side = inside.map(|inside| Side { surface: 0, inside });
        swap.region = Some(region(side.into_iter().collect()));
        let rules = RuleSet { contact: vec![swap], ..RuleSet::default() };
        let setup =
            setup(domain.clone(), environment, vec![species("A", 0.4, 1.0)], rules, 0.05, 1);
        let particles: Vec<_> = (0..100)
            .map(|n| (0, Vector([f64::from(n % 10), f64::from(n / 10)].map(|x| 2.0 * x + 1.0))))
            .collect();
        let mut engine = start(setup, &particles);
        let mut places = Places(Vec::new());
        for _ in 0..300 {
            engine.step(&mut places).unwrap();
        }
        let converted = engine.tally().converted;
        assert!(converted > 50 && engine.tally().contacts > converted + 50, "{:?}", engine.tally());
        // A change is where the first of the two is, a radius from where they touch.
        for x in places.0 {
            assert!(x[1] < 10.0 + 0.4 + 1e-9 || x[1] > 20.0 - 0.4 - 1e-9, "{x:?}");
            let from_middle = (x - Vector([10.0; 2])).norm();
            match inside {
                Some(true) => assert!(from_middle < 6.4 + 1e-9, "{x:?}"),
                Some(false) => assert!(from_middle > 5.6 - 1e-9, "{x:?}"),
                None => {}
            }
        }
    }
}

/// A rule in time that is in force inside of a circle: which rests there decays at its rate, which
/// rests elsewhere never does, and where a step leads anywhere in the box, all do at the share of
/// the rate that the circle has of the box. 6000 particles, four standard errors of a binomial
/// number (false alarm 6e-5 each).
#[test]
fn rules_in_time_are_in_force_where_the_particle_is() {
    let domain = Domain::new([10.0; 2], [true; 2]);
    let circle = Shape::Ball { centre: Vector([5.0; 2]), radius: 4.0 };
    let share = std::f64::consts::PI * 16.0 / 100.0;
    for (diffusion, timestep) in [(0.0, 1.0), (2000.0, 0.01)] {
        let environment = surface(circle.clone(), &[Manner::Ignore, Manner::Ignore]);
        let mut decay = TimedRule::convert("decay", 0, &[1], 1.0);
        let sides = vec![Side { surface: 0, inside: true }];
        decay.region =
            Some(Region { from: [0.0; 3], to: [10.0, 10.0, 0.0], sides, volume: 100.0 * share });
        let rules = RuleSet { timed: vec![decay], ..strangers(2) };
        let kinds = vec![species("A", 0.1, diffusion), species("B", 0.1, diffusion)];
        let setup = setup(domain.clone(), environment, kinds, rules, timestep, 3);
        let random = Random::new(5);
        let place = |n: u64, k: u64| 10.0 * random.uniform(Purpose::Placement, [n, k, 0, 0]);
        let particles: Vec<_> =
            (0..6000).map(|n| (0, Vector([place(n, 0), place(n, 1)]))).collect();
        let mut engine = start(setup, &particles);
        for _ in 0..(1.0 / timestep) as usize {
            engine.step(&mut NoObserver).unwrap();
        }
        let inside = particles.iter().filter(|(_, x)| circle.is_inside(&domain, *x)).count() as f64;
        let p = engine.particles();
        let decayed: Vec<_> = (0..p.len()).filter(|&i| p.species[i] == 1).collect();
        let (of, chance) = match diffusion {
            0.0 => (inside, 1.0 - libm::exp(-1.0)),
            _ => (6000.0, 1.0 - libm::exp(-share)),
        };
        if diffusion == 0.0 {
            assert!(decayed.iter().all(|&i| circle.is_inside(&domain, p.position[i])));
        }
        let z = (decayed.len() as f64 - of * chance) / (of * chance * (1.0 - chance)).sqrt();
        assert!(z.abs() < 4.0, "{} of {of}: z = {z}", decayed.len());
    }
}

/// One that a surface stops binds to one that goes through it, and is let go again: on its own side
/// always, though the other may stand on the far side. What turns into something that the surface
/// stops does not do so in the midst of it.
#[test]
fn products_come_to_be_on_the_side_where_their_reactants_were() {
    let domain = Domain::new([20.0; 2], [true; 2]);
    let circle = Shape::Ball { centre: Vector([10.0; 2]), radius: 5.0 };
    let manners =
        [Manner::Ignore, Manner::Reflect, Manner::Reflect, Manner::Ignore, Manner::Reflect];
    let environment = surface(circle.clone(), &manners);
    let kinds = [("goer", 0.8), ("stopped", 0.2), ("both", 0.05), ("ghost", 0.8), ("solid", 0.8)];
    let kinds: Vec<_> =
        kinds.into_iter().map(|(name, radius)| species(name, radius, 1.0)).collect();
    let bind = ContactRule::coalesce("bind", [0, 1], 2, Chance::Probability(1.0));
    let pairs = (0..5).flat_map(|a| (a..5).map(move |b| [a, b])).filter(|&pair| pair != [0, 1]);
    let ignore = pairs.map(|pair| ContactRule::plain("others", pair, Action::Ignore));
    let rules = RuleSet {
        contact: std::iter::once(bind).chain(ignore).collect(),
        timed: vec![
            TimedRule::unbind("part", 0, 2.0),
            TimedRule::convert("appear", 3, &[4], 2.0),
            TimedRule::convert("fade", 4, &[3], 2.0),
        ],
        schedule: Vec::new(),
        ..RuleSet::default()
    };
    let setup = setup(domain.clone(), environment, kinds, rules, 0.01, 4);
    let row = |species: u16, count: u32, y: f64| {
        (0..count).map(move |n| (species, Vector([8.0 + 0.06 * f64::from(n), y])))
    };
    let particles: Vec<_> =
        row(1, 60, 10.0).chain(row(0, 60, 12.0)).chain(row(3, 60, 8.0)).collect();
    let mut engine = start(setup, &particles);
    for _ in 0..2000 {
        engine.step(&mut NoObserver).unwrap();
        let p = engine.particles();
        for i in (0..p.len()).filter(|&i| p.alive[i]) {
            let (species, place) = (p.species[i], p.position[i]);
            assert!(
                species == 0 || species > 2 || circle.is_inside(&domain, place),
                "{place:?} got out"
            );
            let apart = circle.distance(&domain, place);
            assert!(
                [0, 3].contains(&species) || apart > p.radius[i] - 1e-12,
                "sticks in it: {apart}"
            );
        }
    }
    let tally = engine.tally();
    assert!(tally.unbound > 500 && tally.refused > 500 && tally.converted > 1000, "{tally:?}");
}
