//! Sites that point somewhere: the equilibrium constant is k_a/k_d whatever the openings, the time
//! step and the crowd are; rings close and open as their rates say; no result depends on the search
//! structure, the scheduler or the number of threads.

use std::f64::consts::PI;

use super::binding::{bonds_over_time, compare, room, seed};
use super::{bind, bind_case, crowd};
use jostle::brownian::{Brownian, Scheduler, Seed, Setup};
use jostle::docking::{SiteDirection, Torsion};
use jostle::observe::NoObserver;
use jostle::rules::{
    Action, BondGeometry, Chance, Closure, ContactRule, Cut, Fragmentation, RuleSet, TimedRule,
};
use jostle::search::{Kind, Settings};
use jostle::sites::{Site, Sites};
use jostle::space::{Domain, Vector};
use jostle::species::{MobilityLaw, Species};
use jostle::state_hash::state_hash;

use crate::kinetics::{always, hold, mean, particle, periodic, samples, timed};

/// A site that points along the x axis, turned about the z axis.
pub(super) fn site(name: &str, angle: f64, opening: f64) -> Site {
    let (sine, cosine) = libm::sincos(angle.to_radians());
    let direction = SiteDirection {
        axis: Vector([cosine, sine, 0.0]),
        normal: Vector([0.0, 0.0, 1.0]),
        opening: opening.to_radians(),
    };
    Site { name: name.to_owned(), states: Vec::new(), direction: Some(direction) }
}

pub(super) fn directed(name: &str, radius: f64, diffusion: f64, sites: Vec<Site>) -> Species {
    let sites = Sites::new(sites).expect("they fit into a code");
    Species { sites, ..particle(name, radius, diffusion) }
}

/// A and B bind at their only sites, with these openings; C does not bind.
pub(super) fn pair(
    openings: [f64; 2],
    k_a: f64,
    k_d: f64,
    geometry: BondGeometry,
) -> (Vec<Species>, RuleSet) {
    let species = vec![
        directed("A", 0.8, 4.0, vec![site("a", 40.0, openings[0])]),
        directed("B", 0.7, 8.0, vec![site("b", -20.0, openings[1])]),
        particle("C", 0.75, 6.0),
    ];
    let rule = bind("bind", vec![bind_case(&species, [0, 1], [0, 0])], k_a);
    let rules = RuleSet {
        contact: vec![ContactRule { geometry, ..rule }],
        timed: vec![TimedRule::unbind("unbind", 0, k_d)],
        ..RuleSet::default()
    };
    (species, rules)
}

const AS_IT_MEETS: BondGeometry = BondGeometry { snap: false, torsion: None, closure: None };
pub(super) const SNAPS: BondGeometry = BondGeometry { snap: true, torsion: None, closure: None };

/// One A and one B alone: they are bound with the weight K/V, V being the room that they have beside
/// each other. Five pairs of openings, three time steps; standard errors of K 2 %.
#[test]
fn a_pair_is_bound_as_often_as_its_equilibrium_constant_says() {
    let twisted = Some(Torsion { angle: 0.6, opening: 0.5 * PI });
    for (openings, timestep, k_a, geometry) in [
        ([60.0, 60.0], 0.005, 30.0, SNAPS),
        ([60.0, 60.0], 0.02, 20.0, SNAPS),
        ([90.0, 60.0], 0.05, 20.0, SNAPS),
        ([120.0, 90.0], 0.02, 40.0, BondGeometry { torsion: twisted, ..SNAPS }),
        ([60.0, 180.0], 0.02, 40.0, SNAPS),
        ([60.0, 90.0], 0.02, 30.0, AS_IT_MEETS),
    ] {
        // A box so small that they meet often.
        let (edge, constant) = (3.2, 15.0);
        let (species, rules) = pair(openings, k_a, k_a / constant, geometry);
        let seeds = [seed(0, [1.0; 3]), seed(1, [2.5; 3])];
        let name = format!("openings {openings:?} deg, dt = {timestep} us");
        let blocks =
            timed(&name, || bonds_over_time(&species, &rules, &seeds, edge, (timestep, 8000.0)));
        compare(&name, &blocks, &[1.0, constant / room(edge, 1.5)]);
    }
}

/// In a crowd it is not known how often they are bound, but it is as often as without directions: the
/// two bound ones then take up the same room, in any direction. Standard error of the difference:
/// 3 %.
#[test]
fn in_a_crowd_directions_do_not_change_how_often_a_pair_is_bound() {
    let k_a = 60.0;
    let shares = [[90.0, 90.0], [180.0, 180.0]].map(|openings| {
        let (species, rules) = pair(openings, k_a, k_a / 18.0, SNAPS);
        // Six C fill 17 %, and A and B another 6 %.
        let seeds: Vec<Seed<3>> = [0, 1, 2, 2, 2, 2, 2, 2]
            .into_iter()
            .zip(0..)
            .map(|(species, n)| {
                let cell = [n % 2, n / 2 % 2, n / 4];
                seed(species, cell.map(|k| 1.0 + 2.0 * f64::from(k)))
            })
            .collect();
        timed(&format!("openings {openings:?}"), || {
            bonds_over_time(&species, &rules, &seeds, 4.0, (0.02, 8000.0))
        })
    });
    let [directed, isotropic] = shares.map(|blocks| {
        let bound: Vec<f64> = blocks.iter().map(|block| block[1]).collect();
        mean(&bound)
    });
    println!("bound {directed:?}, without directions {isotropic:?}");
    let error = (directed.1 * directed.1 + isotropic.1 * isotropic.1).sqrt();
    hold("bound in a crowd", directed.0, error, isotropic.0, 0.0);
}

fn six_apart() -> Vec<Seed<2>> {
    let place = |n| Vector([2.0 + 4.0 * f64::from(n % 3), 2.0 + 4.0 * f64::from(n / 3)]);
    (0..6).map(|n| Seed { species: 0, position: place(n) }).collect()
}

/// An enzyme fragments chains at their ends when it touches them. A ring has no ends, and stays as it is.
#[test]
fn rings_do_not_fragment_at_ends() {
    let (mut species, mut rules) = hexagons(0.0, 5.0);
    species.push(particle("E", 0.5, 10.0));
    let at_ends = Action::Cut(Fragmentation { cut: Cut::End, ..Fragmentation::default() });
    let cut = ContactRule::plain("cut", [1, 0], at_ends);
    rules.contact.push(ContactRule { chance: Chance::Probability(0.01), ..cut });
    rules.timed.clear();
    let mut seeds = six_apart();
    seeds.push(Seed { species: 1, position: Vector([4.0, 10.0]) });
    let mut engine = periodic(12.0, 0.01, species, rules, 5, &seeds);
    let step = |engine: &mut Brownian<2>| {
        engine.step(&mut NoObserver).expect("a step");
        engine.clusters().bonds().count()
    };
    assert!((0..500_000).any(|_| step(&mut engine) == 6), "no ring has closed");
    let at_closure = engine.tally();
    assert!(at_closure.cut > 0, "{at_closure:?}");
    assert!((0..100_000).all(|_| step(&mut engine) == 6), "the ring has opened");
    // The rule applies at one contact in a hundred.
    let contacts = engine.tally().contacts - at_closure.contacts;
    assert!(contacts > 1000, "{contacts}");
}

/// Heads and tails at 120 degrees in a plane: rings of six. A chain of six is a ring as often as
/// close_rate/(6 k_d), since it takes up the same room.
#[test]
fn rings_are_closed_as_often_as_their_rates_say() {
    let (k_d, close) = (0.05, 0.45);
    let (species, rules) = hexagons(k_d, close);
    let blocks: Vec<[f64; 2]> = timed("rings", || {
        let mut engine = periodic(12.0, 0.01, species, rules, 5, &six_apart());
        let mut block = || {
            let mut found = [0.0; 2];
            for _ in 0..samples(60_000) {
                engine.step(&mut NoObserver).expect("a step");
                let bonds = engine.clusters().bonds().count();
                if bonds >= 5 {
                    found[bonds - 5] += 1.0;
                }
            }
            found
        };
        block();
        (0..40).map(|_| block()).collect()
    });
    compare_rings(&blocks, close / (6.0 * k_d), samples(20_000));
}

/// Compares how long there was a chain of six and how long a ring in each block, both for more than so many steps in
/// all.
pub(super) fn compare_rings(blocks: &[[f64; 2]], ratio: f64, steps: usize) {
    let [open, closed] = [0, 1].map(|n| blocks.iter().map(|block| block[n]).sum::<f64>());
    println!("chains of six {open}, rings {closed} steps");
    // Blocks without any of the two count for nothing in this sum, whose mean is 0.
    let off: Vec<f64> = blocks.iter().map(|[open, closed]| closed - ratio * open).collect();
    let (found, error) = mean(&off);
    assert!(open.min(closed) > steps as f64);
    hold("rings - ratio * chains", found, error, 0.0, 0.0);
}

pub(super) fn hexagons(k_d: f64, close: f64) -> (Vec<Species>, RuleSet) {
    let sites = vec![site("head", 0.0, 60.0), site("tail", 120.0, 60.0)];
    let species = vec![directed("M", 1.0, 10.0, sites)];
    let rule = bind("bind", vec![bind_case(&species, [0, 0], [0, 1])], 30.0);
    let closure = Some(Closure { rate: close, tolerance: 1e-3 });
    let geometry = BondGeometry { closure, ..SNAPS };
    let rules = RuleSet {
        contact: vec![ContactRule { geometry, ..rule }],
        timed: vec![TimedRule::unbind("unbind", 0, k_d)],
        ..RuleSet::default()
    };
    (species, rules)
}

/// Chains, rings and crowders in a plane and in space.
fn crowded_setup<const D: usize>(kind: Kind, scheduler: Scheduler, edge: f64) -> Setup<D> {
    let (mut species, mut rules) = hexagons(0.2, 5.0);
    species.push(particle("C", 0.8, 6.0));
    rules.contact.push(always([1, 1], Action::Bounce));
    Setup {
        rules,
        mobility: MobilityLaw::Rouse,
        search: Settings { kind, ..Settings::default() }.build::<D>(),
        scheduler,
        seed: 11,
        ..Setup::new(Domain::new([edge; D], [true; D]), 0.01, species)
    }
}

fn crowded<const D: usize>(
    kind: Kind,
    scheduler: Scheduler,
    threads: usize,
    (edge, seeds): (f64, &[Seed<D>]),
) -> (u64, usize, usize) {
    let setup = crowded_setup(kind, scheduler, edge);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let mut engine = Brownian::new(setup, seeds).expect("a start");
        for _ in 0..samples(1500) {
            engine.step(&mut NoObserver).expect("a step");
            debug_assert_eq!(engine.tally().late, 0);
        }
        let (p, clusters) = (engine.particles(), engine.clusters());
        clusters.assert_well_formed(p);
        let units = clusters.units.iter().flatten();
        let rings = units.filter(|unit| unit.bonds.len() == unit.members.len()).count();
        (state_hash(p, clusters), clusters.bonds().count(), rings)
    })
}

/// Particles on a square lattice.
fn flat_crowd(edge: f64, side: usize) -> Vec<Seed<2>> {
    let place =
        |n: usize| Vector([n % side, n / side].map(|k| (k as f64 + 0.5) * edge / side as f64));
    let species = |n: usize| u16::from(n.is_multiple_of(4));
    (0..side * side).map(|n| Seed { species: species(n), position: place(n) }).collect()
}

#[test]
fn search_scheduler_and_threads_change_no_bit_of_directed_molecules() {
    let flat = flat_crowd(60.0, 16);
    let deep = crowd(30.0, &[(0, 300), (1, 100)]);
    let flat = |kind, scheduler, threads| crowded::<2>(kind, scheduler, threads, (60.0, &flat));
    let deep = |kind, scheduler, threads| crowded::<3>(kind, scheduler, threads, (30.0, &deep));
    let expected = [flat(Kind::Naive, Scheduler::Queue, 1), deep(Kind::Naive, Scheduler::Queue, 1)];
    println!("hash, bonds, rings: {expected:?}");
    assert!(expected.iter().all(|(_, bonds, _)| *bonds > 60) && expected[0].2 > 0);
    for (kind, scheduler, threads) in [
        (Kind::Verlet, Scheduler::Queue, 1),
        (Kind::Verlet, Scheduler::Islands, 1),
        (Kind::Verlet, Scheduler::Islands, 2),
        (Kind::Cubic, Scheduler::Rescan, 1),
        (Kind::Slices, Scheduler::Queue, 2),
    ] {
        let found = [flat(kind, scheduler, threads), deep(kind, scheduler, threads)];
        assert_eq!(found, expected, "{kind:?} {scheduler:?} on {threads}");
    }
}

#[test]
fn a_run_of_directed_molecules_continues_from_its_state() {
    let seeds = flat_crowd(60.0, 16);
    let setup = |kind| crowded_setup::<2>(kind, Scheduler::Queue, 60.0);
    let hashes = |engine: &mut Brownian<2>, steps: usize| -> Vec<u64> {
        let mut step = |_| {
            engine.step(&mut NoObserver).expect("a step");
            state_hash(engine.particles(), engine.clusters())
        };
        (0..steps).map(&mut step).collect()
    };
    let mut whole = Brownian::new(setup(Kind::Naive), &seeds).expect("a start");
    let mut first = Brownian::new(setup(Kind::Naive), &seeds).expect("a start");
    let all = hashes(&mut whole, 900);
    hashes(&mut first, 700);
    let units = first.clusters().units.iter().flatten();
    assert!(units.filter(|unit| unit.bonds.len() == unit.members.len()).count() > 0);
    let mut second = Brownian::resume(setup(Kind::Cubic), first.state()).expect("its state");
    assert_eq!(hashes(&mut second, 200), all[700..]);
    // A state without orientations is none of this model.
    let species = setup(Kind::Naive).species.into_iter().map(|one| {
        let plain = |site: &Site| Site { direction: None, ..site.clone() };
        let sites = one.sites.list().iter().map(plain).collect();
        Species { sites: Sites::new(sites).expect("they fit into a code"), ..one }
    });
    let undirected = Setup { species: species.collect(), ..setup(Kind::Naive) };
    assert!(Brownian::resume(undirected, first.state()).is_err());
}

/// Left alone, the direction of a particle is forgotten as exp(-2 D_r t) in space and exp(-D_r t) in
/// a plane. 2000 particles that pass through each other, at 40 steps.
#[test]
fn single_particles_turn_by_rotational_diffusion() {
    fn mean_cosine<const D: usize>(timestep: f64, steps: usize) -> (f64, f64) {
        let species = vec![directed("A", 0.8, 4.0, vec![site("a", 0.0, 60.0)])];
        let rules = RuleSet { contact: vec![always([0, 0], Action::Ignore)], ..RuleSet::default() };
        let seeds = vec![Seed { species: 0, position: Vector([3.0; D]) }; 2000];
        let mut engine = periodic(6.0, timestep, species, rules, 3, &seeds);
        let axis = Vector([1.0, 0.0, 0.0]);
        let directions = |engine: &Brownian<D>| -> Vec<Vector<3>> {
            let p = engine.particles();
            p.slots_by_id().iter().map(|&i| p.orientation[i as usize].apply(axis)).collect()
        };
        let before = directions(&engine);
        for _ in 0..steps {
            engine.step(&mut NoObserver).expect("a step");
        }
        let now = directions(&engine);
        mean(&before.iter().zip(&now).map(|(a, b)| a.dot(*b)).collect::<Vec<_>>())
    }
    // D_r = 3 D/(4 R²) in space, and 2 D/R² in a plane.
    let square = 0.8 * 0.8;
    for (timestep, steps) in [(0.0025, 40), (0.1, 1)] {
        let (found, error) = mean_cosine::<3>(timestep, steps);
        let expected = libm::exp(-2.0 * 0.75 * 4.0 / square * 0.1);
        hold(&format!("3D, dt = {timestep}"), found, error, expected, 0.0);
        let (found, error) = mean_cosine::<2>(timestep, steps);
        hold(&format!("2D, dt = {timestep}"), found, error, libm::exp(-8.0 / square * 0.1), 0.0);
    }
}

/// A receptor in a surface binds molecules that point somewhere: these are moved in line, never the
/// receptor and what it is bound to, however large that is.
#[test]
fn what_a_surface_holds_stays_there_when_others_dock() {
    const HEIGHT: f64 = 8.0;
    let species = |name: &str, more: &str| {
        format!("[[species]]\nname = '{name}'\nradius = '1.5 nm'\n{more}\n")
    };
    let rule = |name: &str, on: &str, at: &str| {
        format!(
            "[[rule]]\nname = '{name}'\ndo = 'bind'\nmerge = 'bond'\non = {on}\nat = {at}\n\
             rate = '150 nm^3/us'\nunbind = '1e5 /s'\n"
        )
    };
    let text = [
        "[space]\ndimension = 3\nedges = '40 nm'\nboundary = ['periodic', 'periodic', 'reflecting']\n\
         [run]\ntimestep = '2 ns'\nsteps = 1\nseed = 4\n[[surface]]\nname = 'm'\n\
         plane = { axis = 'z', at = '8 nm' }\n"
            .to_owned(),
        species("R", "diffusion = '5 um^2/s'\ncount = 30\non = 'm'\nsites = [{ name = 'l' }]"),
        species(
            "L",
            "diffusion = '50 um^2/s'\ncount = 40\nsites = [\n\
             { name = 'r', direction = [1, 0, 0], opening = '80 deg' },\n\
             { name = 't', direction = [-1, 0, 0], opening = '80 deg' }]",
        ),
        rule("stick", "['R(l)', 'L(r)']", "['l', 'r']"),
        rule("chain", "['L(t)', 'L(t)']", "['t', 't']"),
    ];
    let model = jostle::model::parse(&text.concat(), "held", &[]).expect("a model");
    let mut engine: Brownian<3> = jostle::run::engine(&model).expect("an engine");
    let mut bound = 0;
    for _ in 0..15_000 {
        engine.step(&mut NoObserver).expect("a step");
        let p = engine.particles();
        let held = (0..p.len()).filter(|&i| p.species[i] == 0);
        held.for_each(|i| assert!((p.position[i][2] - HEIGHT).abs() < 1e-9, "{:?}", p.position[i]));
        bound += engine.clusters().bonds().count();
    }
    assert!(bound > 15_000, "{bound}");
}
