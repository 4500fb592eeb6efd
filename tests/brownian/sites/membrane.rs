//! Molecules on a plane whose sites point along it: they turn about the normal and about nothing else, bind
//! in line there with the constants of two dimensions, and close the same rings; sites that point off it bind what
//! comes from space.

use std::f64::consts::PI;

use super::directed::{SNAPS, compare_rings, directed, hexagons, pair, site};
use super::{bind, bind_case};
use jostle::brownian::{Brownian, Scheduler, Seed, Setup};
use jostle::docking::Torsion;
use jostle::environment::{AnchorSurface, Confinement, Environment, Manner, Shape, Surface};
use jostle::observe::NoObserver;
use jostle::rules::{Action, BondGeometry, RuleSet, TimedRule};
use jostle::search::{Kind, Settings};
use jostle::sites::{Site, Sites};
use jostle::space::{Domain, Vector};
use jostle::species::{MobilityLaw, Species};
use jostle::state_hash::state_hash;

use crate::kinetics::{always, hold, mean, particle, samples, timed};

/// Where the plane is, across one of the axes.
const HEIGHT: f64 = 2.0;

/// The plane across `axis`, on which all species but the last `free` live, which bounce off it.
fn plane(axis: usize, species: usize, free: usize) -> Environment<3> {
    let shape = AnchorSurface::Plane { axis, at: HEIGHT };
    let on = Confinement { surface: 0, shape, faces: None };
    let lives = |n: &usize| n + free < species;
    let anchors = (0..species).map(|n| lives(&n).then(|| on.clone())).collect();
    let manner = |n: usize| vec![if lives(&n) { Manner::Ignore } else { Manner::Reflect }];
    let surface = Surface { name: "membrane".into(), shape: Shape::Plane { axis, at: HEIGHT } };
    Environment::new(vec![surface], (0..species).map(manner).collect(), anchors)
}

fn setup(
    environment: Environment<3>,
    (edge, timestep): (f64, f64),
    species: Vec<Species>,
    rules: RuleSet,
) -> Setup<3> {
    Setup {
        environment,
        rules,
        mobility: MobilityLaw::Rouse,
        search: Settings { kind: Kind::Naive, ..Settings::default() }.build(),
        scheduler: Scheduler::Queue,
        seed: 7,
        ..Setup::new(Domain::new([edge; 3], [true; 3]), timestep, species)
    }
}

/// A place on the plane, or above it.
fn place(axis: usize, [x, y]: [f64; 2], above: f64) -> Vector<3> {
    let mut place = Vector([HEIGHT + above; 3]);
    (place[(axis + 1) % 3], place[(axis + 2) % 3]) = (x, y);
    place
}

/// How often there were bonds of the first rule, in 40 blocks.
fn bound(mut engine: Brownian<3>, steps: usize) -> (f64, f64) {
    const BLOCKS: usize = 40;
    let each = samples(steps) / BLOCKS;
    let mut block = || {
        let mut found = 0;
        for _ in 0..each {
            engine.step(&mut NoObserver).expect("a step");
            found += engine.clusters().bonds().filter(|bond| bond.rule == 0).count();
        }
        found as f64 / each as f64
    };
    block();
    mean(&(0..BLOCKS).map(|_| block()).collect::<Vec<_>>())
}

/// Left alone, a particle forgets its direction in the plane as exp(-D_r t), at any time step, with the D_r
/// of a sphere in a liquid; its third axis stays along the normal. 2000 particles that pass through each
/// other, at 40 steps and at one, on a plane across each axis; standard errors of 0.02.
#[test]
fn on_a_plane_particles_turn_about_its_normal_alone() {
    for axis in 0..3 {
        for (timestep, steps) in [(0.0025, 40), (0.1, 1)] {
            let species = vec![directed("A", 0.8, 4.0, vec![site("a", 0.0, 60.0)])];
            let ignore = always([0, 0], Action::Ignore);
            let rules = RuleSet { contact: vec![ignore], ..RuleSet::default() };
            let seeds = vec![Seed { species: 0, position: place(axis, [3.0; 2], 0.0) }; 2000];
            let setup = setup(plane(axis, 1, 0), (6.0, timestep), species, rules);
            let mut engine = Brownian::new(setup, &seeds).expect("a start");
            let along = |engine: &Brownian<3>, own: [f64; 3]| -> Vec<Vector<3>> {
                let p = engine.particles();
                let slots = p.slots_by_id();
                slots.iter().map(|&i| p.orientation[i as usize].apply(Vector(own))).collect()
            };
            let before = along(&engine, [1.0, 0.0, 0.0]);
            for _ in 0..steps {
                engine.step(&mut NoObserver).expect("a step");
            }
            let now = along(&engine, [1.0, 0.0, 0.0]);
            let normals = along(&engine, [0.0, 0.0, 1.0]);
            assert!(normals.iter().all(|normal| (normal[axis] - 1.0).abs() < 1e-12));
            assert!(now.iter().all(|direction| direction[axis].abs() < 1e-12));
            let cosines: Vec<f64> = before.iter().zip(&now).map(|(a, b)| a.dot(*b)).collect();
            let (found, error) = mean(&cosines);
            let expected = libm::exp(-0.75 * 4.0 / (0.8 * 0.8) * 0.1);
            hold(&format!("across {axis}, dt = {timestep}"), found, error, expected, 0.0);
        }
    }
}

/// One A and one B are bound with the weight K/A, as in two dimensions, A being the area that they have
/// beside each other: whatever the openings, whether they are moved in line or not, and at any step, on a
/// plane across any axis. Six cases, 40 blocks each; standard errors of K 2 %.
#[test]
fn two_on_a_plane_are_bound_as_often_as_in_two_dimensions() {
    let as_they_meet = BondGeometry { snap: false, ..SNAPS };
    for (n, (openings, timestep, geometry)) in [
        ([60.0, 60.0], 0.005, SNAPS),
        ([60.0, 60.0], 0.02, SNAPS),
        ([90.0, 60.0], 0.05, SNAPS),
        ([60.0, 180.0], 0.02, SNAPS),
        ([60.0, 90.0], 0.02, as_they_meet),
        ([120.0, 60.0], 0.05, as_they_meet),
    ]
    .into_iter()
    .enumerate()
    {
        let (edge, constant, k_a) = (4.0, 8.0, 20.0);
        let (species, rules) = pair(openings, k_a, k_a / constant, geometry);
        let axis = n % 3;
        let seeds = [(0, [1.0; 2]), (1, [3.0; 2])]
            .map(|(species, at)| Seed { species, position: place(axis, at, 0.0) });
        let setup = setup(plane(axis, 3, 0), (edge, timestep), species, rules);
        let name = format!("openings {openings:?} deg, dt = {timestep} us, across {axis}");
        let engine = Brownian::new(setup, seeds).expect("a start");
        let (found, error) = timed(&name, || bound(engine, (6000.0 / timestep) as usize));
        let weight = constant / (edge * edge - PI * 1.5 * 1.5);
        hold(&name, found, error, weight / (1.0 + weight), 0.0);
    }
}

/// A site that points off a plane at so many degrees, on a particle that turns about the normal alone, binds what
/// comes from space: as often as K/V says, whatever the openings, the tilt and the time step, although the two touch
/// more often beside each other than one above the other, since one of them moves along the plane only. V is the
/// volume on both sides that B has beside A. Five cases, 40 blocks each; standard errors of K 2 %.
#[test]
fn a_site_that_points_off_the_plane_binds_what_comes_from_one_side() {
    let as_they_meet = BondGeometry { snap: false, ..SNAPS };
    let twisted = Some(Torsion { angle: 0.6, opening: 0.5 * PI });
    for (n, (tilt, openings, timestep, geometry)) in [
        (0.0, [60.0, 90.0], 0.01, SNAPS),
        (20.0, [40.0, 90.0], 0.03, SNAPS),
        (20.0, [40.0, 180.0], 0.03, SNAPS),
        (160.0, [40.0, 120.0], 0.02, BondGeometry { torsion: twisted, ..SNAPS }),
        (30.0, [30.0, 120.0], 0.03, as_they_meet),
    ]
    .into_iter()
    .enumerate()
    {
        let (edge, constant, k_a) = (3.6, 24.0, 12.0);
        let (mut species, rules) = pair(openings, k_a, k_a / constant, geometry);
        species.truncate(2);
        let (sine, cosine) = libm::sincos(f64::to_radians(tilt));
        let mut up = site("a", 0.0, openings[0]);
        if let Some(direction) = &mut up.direction {
            direction.axis = Vector([sine, 0.0, cosine]);
            direction.normal = Vector([cosine, 0.0, -sine]);
        }
        // Nearly as fast as what comes.
        species[0] = directed("A", 0.8, 6.0, vec![up]);
        let axis = n % 3;
        let seeds = [(0, 0.0), (1, 1.6)]
            .map(|(species, above)| Seed { species, position: place(axis, [1.0; 2], above) });
        let setup = setup(plane(axis, 2, 1), (edge, timestep), species, rules);
        let name = format!("{tilt} deg, openings {openings:?} deg, dt = {timestep} us");
        let engine = Brownian::new(setup, seeds).expect("a start");
        let (found, error) = timed(&name, || bound(engine, (12_000.0 / timestep) as usize));
        let (contact, away) = (1.5_f64, 0.7);
        let cap = PI / 3.0 * (contact - away).powi(2) * (2.0 * contact + away);
        let weight = constant / (edge * edge * (edge - 2.0 * away) - 2.0 * cap);
        hold(&name, found, error, weight / (1.0 + weight), 0.0);
    }
}

/// Molecules on a plane with a second site that points nowhere, at which they bind what comes from space, and
/// crowders beside them.
fn with_ligands(openings: [f64; 2]) -> (Vec<Species>, RuleSet) {
    let (mut species, mut rules) = pair(openings, 40.0, 4.0, SNAPS);
    let anywhere = Site { name: "l".into(), ..Site::default() };
    for one in &mut species[..2] {
        let sites = one.sites.list().iter().cloned().chain([anywhere.clone()]).collect();
        one.sites = Sites::new(sites).expect("they fit into a code");
    }
    let ligand = Sites::new(vec![anywhere]).expect("it fits into a code");
    species.push(Species { sites: ligand, ..particle("L", 0.4, 8.0) });
    let catch = vec![bind_case(&species, [0, 3], [1, 0]), bind_case(&species, [1, 3], [1, 0])];
    rules.contact.push(bind("catch", catch, 40.0));
    rules.timed.push(TimedRule::unbind("release", 1, 2.0));
    (species, rules)
}

/// What they carry moves along and gets in the way; then it is not known how often the two are bound, but it
/// is as often as without directions. Standard error of the difference: 3 %.
#[test]
fn clusters_with_members_off_the_plane_dock_in_balance() {
    let seeds: Vec<Seed<3>> =
        [(0, 0.0), (1, 0.0), (2, 0.0), (2, 0.0), (3, 1.5), (3, 1.5), (3, -1.5)]
            .into_iter()
            .zip([
                [1.0, 1.0],
                [3.0, 3.0],
                [1.0, 3.0],
                [3.0, 1.0],
                [1.0, 1.0],
                [3.0, 3.0],
                [2.0, 2.0],
            ])
            .map(|((species, above), at)| Seed { species, position: place(1, at, above) })
            .collect();
    let shares = [[90.0, 60.0], [180.0, 180.0]].map(|openings| {
        let (species, rules) = with_ligands(openings);
        let setup = setup(plane(1, 4, 1), (4.4, 0.02), species, rules);
        let engine = Brownian::new(setup, &seeds).expect("a start");
        timed(&format!("openings {openings:?}"), || bound(engine, 300_000))
    });
    println!("bound {:?}, without directions {:?}", shares[0], shares[1]);
    let error = shares[0].1.hypot(shares[1].1);
    assert!(shares[1].0 > 0.2 && shares[1].0 < 0.8);
    hold("bound with ligands", shares[0].0, error, shares[1].0, 0.0);
}

/// Heads and tails at 120 degrees: rings of six, flat, with all sites in line and all molecules upright. A
/// chain of six is a ring as often as close_rate/(6 k_d).
#[test]
fn rings_of_six_close_on_a_plane() {
    let (k_d, close, axis) = (0.05, 0.45, 0);
    let (species, rules) = hexagons(k_d, close);
    let seeds: Vec<Seed<3>> = (0..6)
        .map(|n| {
            let at = [2.0 + 4.0 * f64::from(n % 3), 2.0 + 4.0 * f64::from(n / 3)];
            Seed { species: 0, position: place(axis, at, 0.0) }
        })
        .collect();
    let setup = setup(plane(axis, 1, 0), (12.0, 0.01), species, rules);
    let mut engine = Brownian::new(setup, &seeds).expect("a start");
    let mut looked = false;
    let mut block = || {
        let mut found = [0.0; 2];
        for _ in 0..samples(25_000) {
            engine.step(&mut NoObserver).expect("a step");
            let bonds = engine.clusters().bonds().count();
            if bonds >= 5 {
                found[bonds - 5] += 1.0;
            }
            if bonds == 6 && !looked {
                looked = true;
                assert_hexagon(&engine, axis);
            }
        }
        found
    };
    let blocks: Vec<[f64; 2]> = timed("rings on a plane", || {
        block();
        (0..40).map(|_| block()).collect()
    });
    compare_rings(&blocks, close / (6.0 * k_d), samples(8_000));
}

/// Each touches two others, at 120 degrees, where its sites point.
fn assert_hexagon(engine: &Brownian<3>, axis: usize) {
    let (p, domain) = (engine.particles(), Domain::new([12.0; 3], [true; 3]));
    for i in 0..6 {
        assert!((p.position[i][axis] - HEIGHT).abs() < 1e-9);
        assert!((p.orientation[i].apply(Vector([0.0, 0.0, 1.0]))[axis] - 1.0).abs() < 1e-12);
        let lines = (0..6).filter(|&j| j != i);
        let lines = lines.map(|j| domain.nearest_image(p.position[j] - p.position[i]));
        let near: Vec<Vector<3>> = lines.filter(|line| line.norm() < 2.0 + 1e-6).collect();
        let [a, b] = near[..] else { panic!("{near:?}") };
        assert!((a.dot(b) / 4.0 + 0.5).abs() < 1e-6);
        let (sine, cosine) = libm::sincos(2.0 * PI / 3.0);
        for own in [[1.0, 0.0, 0.0], [cosine, sine, 0.0]] {
            let axis = p.orientation[i].apply(Vector(own)) * 2.0;
            assert!(near.iter().any(|line| (*line - axis).norm() < 1e-6), "{axis:?} {near:?}");
        }
    }
}

/// Molecules of a hexagonal lattice on a plane that carry ligands.
fn crowded(kind: Kind, scheduler: Scheduler) -> (Setup<3>, Vec<Seed<3>>) {
    let (mut species, mut rules) = hexagons(0.2, 5.0);
    let anywhere = Site { name: "l".into(), ..Site::default() };
    let sites = species[0].sites.list().iter().cloned().chain([anywhere.clone()]).collect();
    species[0].sites = Sites::new(sites).expect("they fit into a code");
    let ligand = Sites::new(vec![anywhere]).expect("it fits into a code");
    species.push(Species { sites: ligand, ..particle("L", 0.6, 8.0) });
    rules.contact.push(bind("catch", vec![bind_case(&species, [0, 1], [2, 0])], 20.0));
    rules.timed.push(TimedRule::unbind("release", 1, 0.3));
    let (edge, side) = (40.0, 14);
    let on = |n: usize| [n % side, n / side].map(|k| (k as f64 + 0.5) * edge / side as f64);
    let mut seeds: Vec<Seed<3>> =
        (0..side * side).map(|n| Seed { species: 0, position: place(2, on(n), 0.0) }).collect();
    let above = (0..side * side).map(|n| Seed { species: 1, position: place(2, on(n), 3.0) });
    seeds.extend(above);
    let setup = Setup {
        search: Settings { kind, ..Settings::default() }.build(),
        scheduler,
        ..setup(plane(2, 2, 1), (edge, 0.01), species, rules)
    };
    (setup, seeds)
}

#[test]
fn search_scheduler_and_threads_change_no_bit_on_a_plane() {
    let run = |kind, scheduler, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let (setup, seeds) = crowded(kind, scheduler);
            let mut engine = Brownian::new(setup, seeds).expect("a start");
            for _ in 0..samples(1500) {
                engine.step(&mut NoObserver).expect("a step");
            }
            let (p, clusters) = (engine.particles(), engine.clusters());
            clusters.assert_well_formed(p);
            let on = (0..p.len()).filter(|&i| p.species[i] == 0);
            for i in on {
                assert!((p.position[i][2] - HEIGHT).abs() < 1e-9);
                let normal = p.orientation[i].apply(Vector([0.0, 0.0, 1.0]));
                assert!((normal[2] - 1.0).abs() < 1e-12, "{normal:?}");
            }
            let of_rule = |rule| clusters.bonds().filter(|bond| bond.rule == rule).count();
            (state_hash(p, clusters), of_rule(0), of_rule(1))
        })
    };
    let expected = run(Kind::Naive, Scheduler::Queue, 1);
    println!("hash, bonds in line, ligands: {expected:?}");
    assert!(expected.1 > 60 && expected.2 > 20);
    for (kind, scheduler, threads) in [
        (Kind::Verlet, Scheduler::Queue, 1),
        (Kind::Verlet, Scheduler::Islands, 2),
        (Kind::Cubic, Scheduler::Rescan, 1),
    ] {
        assert_eq!(run(kind, scheduler, threads), expected, "{kind:?} {scheduler:?} on {threads}");
    }
}

#[test]
fn a_run_on_a_plane_continues_from_its_state() {
    let start = |kind| {
        let (setup, seeds) = crowded(kind, Scheduler::Queue);
        Brownian::new(setup, seeds).expect("a start")
    };
    let run = |engine: &mut Brownian<3>, steps: usize| {
        (0..steps).for_each(|_| engine.step(&mut NoObserver).expect("a step"));
        state_hash(engine.particles(), engine.clusters())
    };
    let mut whole = start(Kind::Verlet);
    run(&mut whole, 300);
    let (setup, _) = crowded(Kind::Cubic, Scheduler::Queue);
    let mut second = Brownian::resume(setup, whole.state()).expect("its state");
    assert_eq!(run(&mut second, 100), run(&mut whole, 100));
}
