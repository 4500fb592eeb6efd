//! The same bits with every search structure, scheduler and number of threads.

use jostle::brownian::{Brownian, Scheduler, Setup};
use jostle::environment::{
    Adsorption, AnchorSurface, Confinement, Crossing, Environment, Manner, Shape, Surface,
    SurfaceSites,
};
use jostle::narrow::{Ends, Rod};
use jostle::observe::{Contact, Observer, ObserverError};
use jostle::rules::{Action, Chance, ContactRule, RuleSet, TimedRule};
use jostle::search::{Kind, Settings};
use jostle::space::{Domain, Vector};
use jostle::state_hash::state_hash;

use crate::program::nightly;

use super::meshes::cube;
use super::worlds::{setup, species, start};

/// The middle of a small cube.
const CUBE: Vector<3> = Vector([2.5, 2.5, 15.0]);

/// A sphere with receptors, a rod and a cube onto which particles get, a raft, a membrane that is permeable, and one
/// that absorbs, or onto which particles get as well.
fn environment(plain: bool) -> Environment<3> {
    let named = |name: &str, shape| Surface { name: name.into(), shape };
    let rod = Rod { axis: 0, half: 3.0, radius: 0.8, ends: Ends::Round };
    let surfaces = vec![
        named("cell", Shape::Ball { centre: Vector([10.0; 3]), radius: 6.0 }),
        named("rod", Shape::Rod { centre: Vector([10.0, 10.0, 2.2]), rod }),
        named("raft", Shape::Ball { centre: Vector([10.0, 10.0, 16.0]), radius: 4.0 }),
        named("sheet", Shape::Plane { axis: 1, at: 19.5 }),
        named("floor", Shape::Plane { axis: 2, at: 0.0 }),
        named("cube", Shape::Mesh(cube(CUBE, 2.0))),
    ];
    let [rod_shape, cube_shape] = [1, 5].map(|n| surfaces[n].shape.clone());
    let raft = Manner::Cross(Crossing { outside: 0.3, inside: 0.1, affinity: 2.0 });
    let (off, none) = (Manner::Reflect, Manner::Ignore);
    let [floor, onto_rod, onto_cube] = match plain {
        true => [Manner::Absorb { rate: 0.2 }, off, off],
        false => [3, 4, 5]
            .map(|becomes| Manner::Adsorb(Adsorption { rate: 0.2, permeability: 0.0, becomes })),
    };
    let manners = vec![
        vec![off, onto_rod, none, Manner::permeable(0.4), floor, onto_cube],
        vec![none, off, raft, none, none, off],
        vec![none, off, none, none, none, off],
        vec![off, off, none, off, none, off],
        vec![off, none, none, none, off, off],
        vec![off, off, none, none, off, none],
        vec![off, off, none, none, off, none],
    ];
    let anchor = || AnchorSurface::ball(Vector([10.0; 3]), 6.0, 0.4);
    let confined = |faces| Some(Confinement { surface: 0, shape: anchor(), faces });
    let floor = Some(Confinement {
        surface: 4,
        shape: AnchorSurface::Plane { axis: 2, at: 0.0 },
        faces: None,
    });
    let on = |shape, surface| {
        let shape = AnchorSurface::on(shape, 0.2)?;
        Some(Confinement { surface, shape, faces: Some(false) })
    };
    let (rod, cube) = (on(&rod_shape, 1), on(&cube_shape, 5));
    // On the floor there are a few more than particles at the start; a pair on the cube holds two.
    let mut sites = vec![None; 6];
    sites[4] = Some(SurfaceSites { number: 43, held: vec![0, 0, 0, 1, 0, 0, 0] });
    sites[5] = Some(SurfaceSites { number: 4, held: vec![0, 0, 0, 0, 0, 1, 2] });
    Environment::new(
        surfaces,
        manners,
        vec![None, confined(Some(false)), confined(Some(false)), floor, rod, cube.clone(), cube],
    )
    .with_sites(if plain { Vec::new() } else { sites })
}

fn world(kind: Kind, scheduler: Scheduler, plain: bool) -> Brownian<3> {
    let kinds = vec![
        species("L", 0.3, 1.0),
        species("R", 0.4, 0.3),
        species("LR", 0.4, 0.3),
        species("on the floor", 0.5, 0.4),
        species("on the rod", 0.2, 0.4),
        species("on the cube", 0.2, 0.4),
        species("pair on the cube", 0.25, 0.2),
    ];
    let bind = ContactRule::coalesce("bind", [0, 1], 2, Chance::Intrinsic(8.0));
    let swap = ContactRule::convert("swap", [0, 3], &[0, 3], Chance::Probability(0.3));
    let pair = ContactRule::coalesce("pair", [5, 5], 6, Chance::Intrinsic(1.0));
    let rules = match plain {
        true => RuleSet::default(),
        false => RuleSet {
            contact: vec![bind, swap, pair, ContactRule::plain("ghosts", [2, 2], Action::Bounce)],
            timed: vec![
                TimedRule::unbind("part", 0, 0.3),
                TimedRule::convert("wake", 2, &[1, 0], 0.01),
                TimedRule::convert("leave", 3, &[0], 0.05),
                TimedRule::convert("come off", 4, &[0], 0.05),
                TimedRule::convert("hop off", 5, &[0], 0.05),
                TimedRule::unbind("come apart", 2, 0.5),
            ],
            schedule: Vec::new(),
            ..RuleSet::default()
        },
    };
    let domain = Domain::new([20.0; 3], [true, true, false]);
    let mut particles: Vec<(u16, Vector<3>)> = Vec::new();
    for n in 0..60 {
        let z = 1.0 - 2.0 * (f64::from(n) + 0.5) / 60.0;
        let (r, angle) = ((1.0 - z * z).sqrt(), 2.4 * f64::from(n));
        let x = Vector([10.0; 3]) + Vector([r * angle.cos(), r * angle.sin(), z]) * 6.0;
        particles.push((1, x));
    }
    for n in 0..40 {
        particles
            .push((3, Vector([1.2 + 2.4 * f64::from(n % 8), 1.2 + 3.5 * f64::from(n / 8), 0.0])));
    }
    for n in 0..64 {
        let x = Vector([n % 4, n / 4 % 4, n / 16].map(|c| 1.8 + 5.4 * f64::from(c)));
        let far = |shape: &Shape<3>, by: f64| shape.distance(&domain, x) > by;
        let clear = environment(plain).surfaces().iter().all(|surface| far(&surface.shape, 0.8));
        if clear && x[2] > 1.0 {
            particles.push((0, x));
        }
    }
    for n in 0..12 {
        let numbers = [(f64::from(n) + 0.5) / 12.0, (0.382 * f64::from(n)).fract()];
        let rod = Rod { axis: 0, half: 3.0, radius: 0.8, ends: Ends::Round };
        particles.push((4, Vector([10.0, 10.0, 2.2]) + rod.place(20.0, numbers)));
    }
    // In the middles of the triangles.
    particles.extend((0..12).map(|n| {
        let mesh = cube(CUBE, 2.0);
        (5, mesh.place([(f64::from(n) + 4.0 / 9.0) / 12.0, 0.5]))
    }));
    let setup = Setup {
        search: Settings { kind, ..Settings::default() }.build(),
        scheduler,
        ..setup(domain, environment(plain), kinds, rules, 0.05, 6)
    };
    start(setup, &particles)
}

/// A fingerprint of the log.
#[derive(Default)]
struct Log(Vec<(u64, u64, u64, u8)>);

impl Observer<3> for Log {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<3>) -> Result<(), ObserverError> {
        self.0.push((contact.step, contact.time.to_bits(), contact.id, contact.outcome as u8));
        Ok(())
    }
}

fn trace(kind: Kind, scheduler: Scheduler, threads: usize, plain: bool) -> (u64, Log, Brownian<3>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let mut engine = world(kind, scheduler, plain);
        let mut log = Log::default();
        for _ in 0..500 {
            engine.step(&mut log).unwrap();
        }
        (state_hash(engine.particles(), engine.clusters()), log, engine)
    })
}

/// By day every second way of each structure.
#[test]
fn surfaces_give_the_same_bits_however_they_are_computed() {
    for plain in [false, true] {
        let (hash, log, engine) = trace(Kind::Naive, Scheduler::Queue, 1, plain);
        let tally = engine.tally();
        assert!(
            tally.wall_contacts > 1000 && tally.contacts > 500 && tally.crossed > 100,
            "{tally:?}"
        );
        assert!(
            if plain {
                tally.absorbed > 0
            } else {
                tally.bound > 10 && tally.unbound > 5 && tally.converted > 20
            },
            "{tally:?}"
        );
        assert_eq!(tally.late, 0);
        let ways = [
            (Scheduler::Queue, 3),
            (Scheduler::Islands, 1),
            (Scheduler::Rescan, 1),
            (Scheduler::Islands, 3),
        ];
        for (turn, kind) in Kind::ALL.into_iter().enumerate() {
            for (n, (scheduler, threads)) in ways.into_iter().enumerate() {
                let is_rescanned = matches!(kind, Kind::Naive | Kind::Cubic);
                let is_now = nightly() || (turn + n + usize::from(plain)).is_multiple_of(2);
                if !is_now || scheduler == Scheduler::Rescan && !is_rescanned {
                    continue;
                }
                let (other, other_log, _) = trace(kind, scheduler, threads, plain);
                let differ = log.0.iter().zip(&other_log.0).position(|(a, b)| a != b);
                let events = differ.map(|n| (n, log.0[n], other_log.0[n]));
                assert_eq!(events, None, "{kind:?}, {scheduler:?}, {threads}: another log");
                assert_eq!(log.0.len(), other_log.0.len(), "{kind:?}, {scheduler:?}, {threads}");
                assert_eq!(hash, other, "{kind:?}, {scheduler:?}, {threads}");
            }
        }
    }
}
