//! States of the granular engine: kept at any event, damaged, resumed.

use super::*;
use crate::granular::conformance::{PLAIN, Scene, box_of, grains, scenes};
use crate::granular::container::{Container, Shaken, Shaking};
use crate::granular::forces::{Forces, LinearField, Swing, Well};
use crate::granular::restitution::{Material, Restitution};
use crate::granular::tc::ContactTime;
use crate::granular::{Collisions, RunFault, Trajectory, TrajectoryClock};
use crate::kinetic::{KineticKind, KineticSettings};
use jostle_core::observe::{Contact, NoObserver, Observer, ObserverError, Partner, View};
use jostle_core::state_hash::state_hash;

/// A scene, and all that it does not say.
#[derive(Clone, Debug)]
struct World<const D: usize> {
    scene: Scene,
    cylinder: bool,
    shaking: Option<Shaking>,
    forces: Forces<D>,
    collisions: Collisions,
}

impl<const D: usize> World<D> {
    fn of(scene: Scene) -> Self {
        let gravity = Vector::from_fn(|k| if k == D - 1 { scene.gravity } else { 0.0 });
        let restitution = Restitution::Constant(scene.coefficient);
        Self {
            scene,
            cylinder: false,
            shaking: None,
            forces: Forces { gravity, ..Forces::default() },
            collisions: Collisions { restitution, ..Collisions::elastic() },
        }
    }

    /// In lasting contact those that rest lose nothing.
    fn at_rest(self, contact_time: ContactTime) -> Self {
        Self { collisions: Collisions { contact_time, ..self.collisions }, ..self }
    }

    fn shaken(self, amplitude: f64, frequency: f64) -> Self {
        Self {
            shaking: Some(Shaking {
                walls: Shaken::All,
                axis: D - 1,
                amplitude,
                frequency,
                phase: 0.3,
            }),
            ..self
        }
    }

    fn setup(&self, kind: KineticKind) -> Setup<D> {
        let domain = box_of::<D>(&self.scene);
        let container = match self.cylinder {
            true => Container::cylinder(domain, D - 1, self.shaking),
            false => Container::new_box(domain, self.shaking),
        };
        Setup {
            container: container.unwrap(),
            forces: self.forces.clone(),
            trajectory: self.scene.trajectory,
            collisions: self.collisions,
            search: KineticSettings { kind, cell_size: None }.build().unwrap(),
            output_interval: 0.5,
        }
    }

    fn kinds(&self) -> Vec<KineticKind> {
        KineticKind::ALL.into_iter().filter(|kind| kind.serves(D)).collect()
    }

    /// Particles that stand in the way of a cylinder's wall, or of a wall that is shaken, are left
    /// out.
    fn start(&self, kind: KineticKind) -> Granular<D> {
        let setup = self.setup(kind);
        let fits = |grain: &Grain<D>| {
            let gap = |wall| setup.container.gap(wall, grain.position, grain.radius, 0.0);
            setup.container.walls().all(|wall| gap(wall) >= 0.0)
        };
        let mut grains = grains(&self.scene, setup.container.domain());
        grains.retain(fits);
        Granular::new(setup, &grains).unwrap()
    }

    fn output_intervals(&self) -> u64 {
        (2.0 * self.scene.until) as u64
    }
}

/// All that was told: contacts, and at the end of each output interval all particles and the energy
/// balance.
#[derive(Default)]
struct EventLog(Vec<u64>);

impl EventLog {
    fn tell(&mut self, words: impl IntoIterator<Item = f64>) {
        self.0.extend(words.into_iter().map(f64::to_bits));
    }
}

impl<const D: usize> Observer<D> for EventLog {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        let partner = match contact.partner {
            Partner::Particle { id, .. } => id,
            Partner::Wall(face) => u64::MAX - face.index() as u64,
            Partner::Side | Partner::Surface(_) => u64::MAX - 6,
        };
        self.0.extend([contact.step, contact.id, partner]);
        self.tell([
            contact.time,
            contact.approach,
            contact.impact.map_or(0.0, |impact| impact.energy_lost),
        ]);
        self.tell(contact.place.0.into_iter().chain(contact.normal.0));
        Ok(())
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        self.0.push(state_hash(view.particles, view.clusters));
        self.tell(view.particles.velocity.iter().flat_map(|v| v.0));
        let balance = view.balance.unwrap();
        self.tell([
            balance.kinetic,
            balance.potential,
            balance.dissipated,
            balance.wall_work,
            balance.force_work,
        ]);
        self.tell(balance.momentum);
        Ok(())
    }
}

/// Continues to the end, or to the collapse of a world without the TC model.
fn finish<const D: usize>(engine: &mut Granular<D>, world: &World<D>, tale: &mut EventLog) {
    while engine.clock().step < world.output_intervals() {
        match engine.step(tale) {
            Ok(()) => {}
            Err(RunFault::Collapse { particle, time }) => {
                return tale.0.extend([u64::from(particle), time.to_bits()]);
            }
            Err(fault) => panic!("{}: {fault}", world.scene.name),
        }
    }
}

/// The bytes of a state, but for counts of what was looked at.
fn bytes<const D: usize>(engine: &Granular<D>) -> Vec<u8> {
    postcard::to_stdvec(&State { tally: Tally::default(), ..engine.state() }).unwrap()
}

fn physics(tally: Tally) -> [u64; 5] {
    let Tally { collisions, wall_collisions, trajectory_events, lasting, late, .. } = tally;
    [collisions, wall_collisions, trajectory_events, lasting, late]
}

/// Runs a world as one, and cut after some events, each time by other search structures.
fn hold_to_one_tale<const D: usize>(world: &World<D>) -> Tally {
    let name = world.scene.name;
    let kinds = world.kinds();
    let mut whole = world.start(kinds[0]);
    let mut tale = EventLog::default();
    finish(&mut whole, world, &mut tale);
    assert_eq!(whole.tally().late, 0, "{name}");
    let happened = physics(whole.tally())[..3].iter().sum::<u64>();
    for (n, part) in [0.0, 0.01, 0.23, 0.5, 0.77, 0.99].into_iter().enumerate() {
        let [one, other] = [kinds[n % kinds.len()], kinds[(n + 1) % kinds.len()]];
        let (mut first, mut parts) = (world.start(one), EventLog::default());
        let most = (part * happened as f64) as u64;
        // Each part is one event, of the search structure too, so that most cuts are amid an output
        // interval.
        while physics(first.tally())[..3].iter().sum::<u64>() < most
            && first.clock().step < world.output_intervals()
        {
            if first.step_part(1, &mut parts).is_err() {
                break;
            }
        }
        let kept = postcard::to_stdvec(&first.state()).unwrap();
        let state: State<'_, D> = postcard::from_bytes(&kept).unwrap();
        let mut second = Granular::resume(world.setup(other), state).unwrap();
        assert_eq!(bytes(&second), bytes(&first), "{name}");
        finish(&mut second, world, &mut parts);
        let differ = tale.0.iter().zip(&parts.0).position(|(a, b)| a != b);
        assert!(
            tale.0 == parts.0,
            "{name} in {D} dimensions, {one:?} then {other:?}, cut at {} of {}: word {differ:?} of {}",
            first.now(),
            whole.now(),
            tale.0.len()
        );
        assert_eq!(physics(second.tally()), physics(whole.tally()), "{name}");
        assert!(bytes(&second) == bytes(&whole), "{name}: the ends differ");
    }
    whole.tally()
}

#[test]
fn every_scene_continues_from_its_state_in_one_dimension() {
    scenes().into_iter().for_each(|scene| _ = hold_to_one_tale(&World::<1>::of(scene)));
}

#[test]
fn every_scene_continues_from_its_state_in_two_dimensions() {
    scenes().into_iter().for_each(|scene| _ = hold_to_one_tale(&World::<2>::of(scene)));
}

#[test]
fn every_scene_continues_from_its_state_in_three_dimensions() {
    scenes().into_iter().for_each(|scene| _ = hold_to_one_tale(&World::<3>::of(scene)));
}

const HEAP: Scene = Scene {
    name: "heap",
    particles: 40,
    periodic: 0,
    ratio: 1.6,
    gravity: -3.0,
    coefficient: 0.6,
    until: 16.0,
    ..PLAIN
};

fn heaps_resume<const D: usize>(periodic: u8) {
    let heap = World::<D>::of(Scene { periodic, ..HEAP }).at_rest(ContactTime::Constant(0.02));
    let rest = hold_to_one_tale(&heap);
    assert!(rest.lasting > 1000, "{rest:?}");
    let mill = heap.shaken(0.6, 0.4);
    let mill = World { scene: Scene { name: "mill", ..mill.scene }, ..mill };
    let shaken = hold_to_one_tale(&mill);
    assert!(shaken.wall_collisions > 100 && shaken.lasting > 0, "{shaken:?}");
}

#[test]
fn heaps_at_rest_and_shaken_continue_in_two_dimensions() {
    heaps_resume::<2>(0);
    heaps_resume::<2>(0b01);
}

#[test]
fn heaps_at_rest_and_shaken_continue_in_three_dimensions() {
    heaps_resume::<3>(0b01);
}

#[test]
fn a_shaken_cylinder_continues() {
    let scene = Scene { name: "cylinder", ratio: 2.0, until: 20.0, ..HEAP };
    let material = Material::default();
    let mill = World::<3>::of(scene).at_rest(ContactTime::Constant(0.01)).shaken(0.5, 0.7);
    let restitution = Restitution::viscoelastic_through(&material, 0.7, 1.0, 0.5).unwrap();
    let mill =
        World { cylinder: true, collisions: Collisions { restitution, ..mill.collisions }, ..mill };
    let tally = hold_to_one_tale(&mill);
    assert!(tally.collisions > 100 && tally.wall_collisions > 100, "{tally:?}");
}

#[test]
fn forces_taken_in_at_trajectory_events_continue() {
    for clock in [TrajectoryClock::Grid, TrajectoryClock::Reset] {
        let trajectory = Some(Trajectory { every: 0.13, clock });
        for periodic in [0, 0b10] {
            let scene =
                Scene { name: "forces", trajectory, periodic, ratio: 3.0, until: 12.0, ..HEAP };
            let world = World::<2>::of(scene).at_rest(ContactTime::Constant(0.01));
            let forces = Forces {
                swing: Some(Swing { amplitude: Vector([0.5, 2.0]), frequency: 0.3, phase: 0.1 }),
                well: Some(Well { centre: Vector([6.0, 6.0]), rate: 0.4 }),
                field: Some(LinearField {
                    at_origin: Vector([0.2, 0.0]),
                    gradient: [Vector([0.0, 0.1]), Vector([-0.1, 0.0])],
                }),
                drag: 0.05,
                ..world.forces.clone()
            };
            let tally = hold_to_one_tale(&World { forces, ..world });
            assert!(tally.collisions > 100 && tally.trajectory_events > 1000, "{tally:?}");
        }
    }
}

/// Bytes of a state in turn are others; none leads to a panic, there or in what follows.
#[test]
fn a_damaged_state_is_refused_or_harmless() {
    let scene =
        Scene { trajectory: Some(Trajectory { every: 0.7, clock: TrajectoryClock::Grid }), ..HEAP };
    let world = World::<2>::of(scene).at_rest(ContactTime::Constant(0.02));
    let mut engine = world.start(KineticKind::Direct);
    for _ in 0..8 {
        engine.step(&mut NoObserver).unwrap();
    }
    let kept = postcard::to_stdvec(&engine.state()).unwrap();
    let mut refused = 0;
    for at in 0..kept.len() {
        let mut damaged = kept.clone();
        damaged[at] ^= 1 << (at * 5 % 8);
        let Ok(state) = postcard::from_bytes::<State<'_, 2>>(&damaged) else {
            refused += 1;
            continue;
        };
        let kinds = world.kinds();
        match Granular::resume(world.setup(kinds[at % kinds.len()]), state) {
            Ok(mut engine) => _ = engine.step_part(200, &mut NoObserver),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > kept.len() / 20, "{refused} of {}", kept.len());
}

#[test]
fn a_state_tells_of_which_species_it_has_particles() {
    let engine = World::<2>::of(HEAP).start(KineticKind::Direct);
    assert!(engine.state().is_of_species(1) && !engine.state().is_of_species(0));
}

#[test]
fn a_state_of_another_setup_is_refused_with_a_reason() {
    let world = World::<2>::of(HEAP);
    let engine = world.start(KineticKind::Direct);
    let forced =
        Scene { trajectory: Some(Trajectory { every: 0.7, clock: TrajectoryClock::Grid }), ..HEAP };
    let small = Scene { edge: 4.0, ..HEAP };
    for (scene, reason) in [(forced, "trajectory events"), (small, "not in its container")] {
        let setup = World::<2>::of(scene).setup(KineticKind::Direct);
        let error = Granular::resume(setup, engine.state()).err().unwrap().to_string();
        assert!(error.contains(reason), "{error}");
    }
}
