//! The shared runner: holds every kinetic structure to the law, and every run to the same bits.

use super::container::Container;
use super::forces::Forces;
use super::restitution::Restitution;
use super::{Collisions, Grain, Granular, RunFault, Setup, Trajectory, TrajectoryClock};
use crate::kinetic::{KineticKind, KineticSettings};
use jostle_core::observe::{Contact, Observer, ObserverError, Partner};
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Vector};

/// How a scene is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    pub(super) name: &'static str,
    pub(super) particles: usize,
    pub(super) edge: f64,
    /// Of the last edge to the others.
    pub(super) aspect: f64,
    /// Which axes close on themselves, one bit each.
    pub(super) periodic: u8,
    /// Radii are spread evenly, on a logarithmic scale, from 0.5 to 0.5 times this.
    pub(super) ratio: f64,
    pub(super) speed: f64,
    /// Along the last axis.
    pub(super) gravity: f64,
    pub(super) coefficient: f64,
    /// On a lattice instead of at random.
    pub(super) lattice: bool,
    pub(super) trajectory: Option<Trajectory>,
    pub(super) until: f64,
}

pub(super) const PLAIN: Scene = Scene {
    name: "plain",
    particles: 40,
    edge: 12.0,
    aspect: 1.0,
    periodic: 0b111,
    ratio: 1.3,
    speed: 1.0,
    gravity: 0.0,
    coefficient: 1.0,
    lattice: false,
    trajectory: None,
    until: 6.0,
};

fn every(clock: TrajectoryClock) -> Option<Trajectory> {
    Some(Trajectory { every: 0.7, clock })
}

pub(super) fn scenes() -> Vec<Scene> {
    vec![
        Scene { name: "empty", particles: 0, ..PLAIN },
        Scene { name: "one", particles: 1, ..PLAIN },
        Scene { name: "two", particles: 2, edge: 4.0, periodic: 0, until: 20.0, ..PLAIN },
        Scene { name: "three", particles: 3, edge: 5.0, periodic: 0, until: 20.0, ..PLAIN },
        PLAIN,
        Scene { name: "walls", periodic: 0, ..PLAIN },
        Scene { name: "mixed faces", periodic: 0b001, ..PLAIN },
        Scene { name: "dilute", particles: 20, edge: 60.0, speed: 10.0, ..PLAIN },
        Scene {
            name: "dilute between walls",
            particles: 20,
            edge: 60.0,
            speed: 10.0,
            periodic: 0,
            ..PLAIN
        },
        Scene {
            name: "dense",
            particles: 64,
            edge: 9.5,
            lattice: true,
            ratio: 1.0,
            periodic: 0,
            ..PLAIN
        },
        Scene {
            name: "dense around",
            particles: 64,
            edge: 9.5,
            lattice: true,
            ratio: 1.0,
            ..PLAIN
        },
        Scene { name: "falling", periodic: 0, gravity: -3.0, coefficient: 0.9, ..PLAIN },
        Scene { name: "falling around", gravity: -1.0, ..PLAIN },
        Scene {
            name: "turning around",
            particles: 20,
            edge: 20.0,
            gravity: -8.0,
            speed: 4.0,
            until: 8.0,
            ..PLAIN
        },
        Scene { name: "few laps", particles: 3, edge: 30.0, speed: 100.0, until: 12.0, ..PLAIN },
        Scene { name: "at rest", speed: 0.0, periodic: 0, ..PLAIN },
        Scene {
            name: "lattice at rest",
            particles: 36,
            speed: 0.0,
            lattice: true,
            ratio: 1.0,
            periodic: 0,
            ..PLAIN
        },
        Scene {
            name: "lattice falls",
            particles: 36,
            speed: 0.0,
            gravity: -1.0,
            lattice: true,
            ratio: 1.0,
            periodic: 0,
            coefficient: 0.8,
            until: 3.0,
            ..PLAIN
        },
        Scene {
            name: "grid",
            trajectory: every(TrajectoryClock::Grid),
            periodic: 0,
            gravity: -1.0,
            ..PLAIN
        },
        Scene { name: "reset", trajectory: every(TrajectoryClock::Reset), ..PLAIN },
        Scene { name: "long box", aspect: 6.0, periodic: 0, ..PLAIN },
        Scene { name: "small box", particles: 4, edge: 4.5, ..PLAIN },
        Scene { name: "radii 1 : 10", particles: 60, edge: 60.0, ratio: 10.0, speed: 5.0, ..PLAIN },
        Scene {
            name: "radii 1 : 10 between walls",
            particles: 60,
            edge: 60.0,
            ratio: 10.0,
            speed: 5.0,
            periodic: 0,
            ..PLAIN
        },
        Scene {
            name: "radii 1 : 100",
            particles: 50,
            edge: 350.0,
            ratio: 100.0,
            speed: 50.0,
            periodic: 0,
            ..PLAIN
        },
        Scene {
            name: "radii 1 : 100 around",
            particles: 50,
            edge: 350.0,
            ratio: 100.0,
            speed: 50.0,
            ..PLAIN
        },
    ]
}

pub(super) fn box_of<const D: usize>(scene: &Scene) -> Domain<D> {
    let in_line = D == 1 && scene.lattice;
    let mut edges = [if in_line { 1.5 * scene.particles as f64 } else { scene.edge }; D];
    edges[D - 1] *= scene.aspect;
    Domain::new(edges, std::array::from_fn(|k| scene.periodic >> k & 1 == 1))
}

/// Particles that do not overlap: the largest are placed first; a particle that finds no room is
/// left out.
pub(super) fn grains<const D: usize>(scene: &Scene, domain: &Domain<D>) -> Vec<Grain<D>> {
    let random = Random::new(11);
    let uniform =
        |a: usize, b: u64, k: usize| random.uniform(Purpose::Placement, [a as u64, b, k as u64, 0]);
    let edges = domain.edges();
    let mut grains: Vec<Grain<D>> = Vec::new();
    for n in 0..scene.particles {
        let share = 1.0 - n as f64 / scene.particles as f64;
        let radius = 0.5 * libm::pow(scene.ratio, share);
        let clear = |place: &Vector<D>| {
            let far =
                |g: &Grain<D>| domain.nearest_image(g.position - *place).norm() > g.radius + radius;
            let inside = |k: usize| {
                domain.is_periodic(k) || (place[k] - radius > 0.0 && place[k] + radius < edges[k])
            };
            grains.iter().all(far) && (0..D).all(inside)
        };
        let drawn = |n: usize, attempt: u64| Vector::from_fn(|k| edges[k] * uniform(n, attempt, k));
        let side = libm::ceil(libm::pow(scene.particles as f64, 1.0 / D as f64)) as usize;
        let place = match scene.lattice {
            true => Some(Vector::from_fn(|k| {
                (((n / side.pow(k as u32)) % side) as f64 + 0.5) * edges[k] / side as f64
            })),
            false => (0..2000).map(|attempt| drawn(n, attempt)).find(clear),
        };
        if let Some(position) = place {
            let velocity = random.normal::<D>(3, n as u64) * scene.speed;
            grains.push(Grain {
                position,
                velocity,
                radius,
                mass: libm::pow(radius, 3.0),
                species: 0,
            });
        }
    }
    grains
}

/// Everything that was told, in order, by its bits.
#[derive(Default)]
struct Log(Vec<(u64, u64, u64, u64)>);

impl<const D: usize> Observer<D> for Log {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        let partner = match contact.partner {
            Partner::Particle { id, .. } => id,
            Partner::Wall(face) => u64::MAX - face.index() as u64,
            Partner::Side | Partner::Surface(_) => u64::MAX - 6,
        };
        self.0.push((contact.time.to_bits(), contact.id, partner, contact.approach.to_bits()));
        Ok(())
    }
}

fn run<const D: usize>(
    scene: &Scene,
    kind: KineticKind,
    cell_size: Option<f64>,
    watched: bool,
) -> Log {
    let domain = box_of::<D>(scene);
    let gravity = Vector::from_fn(|k| if k == D - 1 { scene.gravity } else { 0.0 });
    let setup = Setup {
        container: Container::new_box(domain.clone(), None).unwrap_or_else(|e| panic!("{e}")),
        forces: Forces { gravity, ..Forces::default() },
        trajectory: scene.trajectory,
        collisions: Collisions {
            restitution: Restitution::Constant(scene.coefficient),
            ..Collisions::elastic()
        },
        search: KineticSettings { kind, cell_size }.build().unwrap_or_else(|| panic!("{kind:?}")),
        output_interval: 1.0,
    };
    let grains = grains(scene, &domain);
    let mut engine =
        Granular::new(setup, &grains).unwrap_or_else(|e| panic!("{}: {e}", scene.name));
    if watched {
        engine.watch();
    }
    let mut log = Log::default();
    match engine.advance(scene.until * LENGTH, &mut log) {
        Ok(()) => {}
        // Without the TC model, particles that lose energy collapse as they come to rest.
        Err(RunFault::Collapse { .. }) if scene.coefficient < 1.0 && scene.gravity != 0.0 => {}
        Err(fault) => panic!("{}: {fault}", scene.name),
    }
    assert_eq!(engine.tally().late, 0, "{}: {kind:?}", scene.name);
    log
}

/// The sizes of cells to try: only two structures ask for one.
fn cell_sizes(kind: KineticKind, edge: f64) -> Vec<Option<f64>> {
    match kind {
        KineticKind::Cubic | KineticKind::Tree => vec![None, Some(0.0), Some(0.4 * edge)],
        _ => vec![None],
    }
}

/// Which part of its time a scene lasts.
const LENGTH: f64 = if cfg!(feature = "long") { 1.0 } else { 0.25 };

fn conform<const D: usize>() {
    for scene in scenes() {
        let reference = run::<D>(&scene, KineticKind::Direct, None, false);
        let most = [0, 0, 3][usize::from(scene.particles > 1)
            + usize::from(scene.speed > 0.0 && scene.particles > 20)];
        assert!(
            reference.0.len() >= most,
            "{} in {D} dimensions: {} events",
            scene.name,
            reference.0.len()
        );
        for kind in KineticKind::ALL.into_iter().filter(|kind| kind.serves(D)) {
            for cell_size in cell_sizes(kind, scene.edge) {
                let log = run::<D>(&scene, kind, cell_size, true);
                let first = log.0.iter().zip(&reference.0).position(|(a, b)| a != b);
                assert!(
                    log.0 == reference.0,
                    "{kind:?} in {D} dimensions, {}: {} events for {}, the first that differs is {first:?}",
                    scene.name,
                    log.0.len(),
                    reference.0.len()
                );
            }
        }
    }
}

#[test]
fn all_kinetic_structures_conform_in_one_dimension() {
    conform::<1>();
}

#[test]
fn all_kinetic_structures_conform_in_two_dimensions() {
    conform::<2>();
}

#[test]
fn all_kinetic_structures_conform_in_three_dimensions() {
    conform::<3>();
}

/// Half a box apart, on the faces of four cells: which image is the nearest is decided by rounding.
#[test]
fn a_head_on_contact_half_a_box_away_is_found() {
    for kind in KineticKind::ALL.into_iter().filter(|kind| kind.serves(1)) {
        for cell_size in [None, Some(1.0)] {
            let ball = |x: f64, v: f64| Grain {
                position: Vector([x]),
                velocity: Vector([v]),
                radius: 0.4,
                mass: 1.0,
                species: 0,
            };
            let setup = Setup {
                container: Container::new_box(Domain::new([4.0], [true]), None)
                    .unwrap_or_else(|e| panic!("{e}")),
                forces: Forces::default(),
                trajectory: None,
                collisions: Collisions::elastic(),
                search: KineticSettings { kind, cell_size }
                    .build()
                    .unwrap_or_else(|| panic!("{kind:?}")),
                output_interval: 1.0,
            };
            let balls = [ball(2.0, 0.0), ball(0.5, -1.0)];
            let mut engine = Granular::new(setup, &balls).unwrap_or_else(|e| panic!("{e}"));
            let mut log = Log::default();
            engine.advance(2.0, &mut log).unwrap_or_else(|e| panic!("{e}"));
            let times: Vec<f64> = log.0.iter().map(|event| f64::from_bits(event.0)).collect();
            assert_eq!(log.0.len(), 1, "{kind:?}, {cell_size:?}: {times:?}");
        }
    }
}

/// A particle that is thrown up comes back: it is farther from its partner than from where it was
/// announced.
#[test]
fn a_particle_that_turns_round_is_looked_at_in_time() {
    for kind in KineticKind::ALL.into_iter().filter(|kind| kind.serves(1)) {
        let scene = Scene {
            periodic: 1,
            particles: 4,
            edge: 20.0,
            gravity: -1.0,
            speed: 3.0,
            until: 60.0,
            ..PLAIN
        };
        let reference = run::<1>(&scene, KineticKind::Segments, None, true);
        assert!(reference.0.len() > 20, "{}", reference.0.len());
        assert!(run::<1>(&scene, kind, None, true).0 == reference.0, "{kind:?}");
    }
}
