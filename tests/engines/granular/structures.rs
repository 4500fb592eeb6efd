//! Results do not depend on the search structure, bit by bit; and long runs lose no contact.

use jostle::granular::container::{Container, Shaken, Shaking};
use jostle::granular::{Grain, Granular};
use jostle::kinetic::{KineticKind, KineticSettings};
use jostle::observe::{Contact, Partner};
use jostle::space::{Domain, Vector};

use super::worlds::{GranularWorld, Hear, Start, gas, heat, lattice, overlap, run, scattered};

/// All that was told and where all particles are in the end, folded into one number.
fn course<const D: usize>(world: &GranularWorld<D>, grains: &[Grain<D>], end: f64) -> (u64, u64) {
    let mut engine = world.engine(grains);
    let (mut hash, mut count) = (0xcbf2_9ce4_8422_2325_u64, 0);
    let mut fold = |word: u64| hash = (hash ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
    let mut hear = Hear(|contact: &Contact<D>| {
        count += 1;
        let partner = match contact.partner {
            Partner::Particle { id, .. } => id,
            Partner::Wall(face) => (1 << 40) + face.index() as u64,
            Partner::Side | Partner::Surface(_) => 1 << 41,
        };
        [contact.step, contact.time.to_bits(), contact.id, partner, contact.approach.to_bits()]
            .into_iter()
            .for_each(&mut fold);
        contact.place.0.iter().for_each(|x| fold(x.to_bits()));
    });
    engine.advance(end, &mut hear).unwrap_or_else(|fault| panic!("{:?}: {fault}", world.kind));
    for flight in engine.flights().all {
        flight.position.0.iter().chain(&flight.velocity.0).for_each(|x| fold(x.to_bits()));
    }
    assert_eq!(engine.tally().late, 0, "{:?}", world.kind);
    (hash, count)
}

fn agree<const D: usize>(
    what: &str,
    world: GranularWorld<D>,
    grains: &[Grain<D>],
    end: f64,
    least: u64,
) {
    let reference = course(&world.clone().kind(KineticKind::Direct), grains, end);
    println!("{what}: {} contacts", reference.1);
    assert!(reference.1 > least, "{what}: {reference:?}");
    for kind in KineticKind::ALL.into_iter().filter(|kind| kind.serves(D)) {
        let settings = KineticSettings { kind, cell_size: None };
        if settings.build::<D>().is_some() {
            assert_eq!(
                course(&world.clone().kind(kind), grains, end),
                reference,
                "{what}: {kind:?}"
            );
        }
    }
}

#[test]
fn a_shaken_box_of_disks_is_the_same_for_all_structures() {
    let shaking =
        Shaking { walls: Shaken::All, axis: 1, amplitude: 0.5, frequency: 0.7, phase: 0.3 };
    let world = GranularWorld::shaken([14.0, 30.0], shaking)
        .unwrap()
        .falling(1.0)
        .restitution(0.8)
        .contact_time(1e-3);
    let mut grains = lattice([8, 8], [14.0, 20.0]);
    grains.iter_mut().for_each(|grain| grain.position[1] += 1.0);
    heat(&mut grains, 1.0, 90);
    agree("shaken box", world, &grains, 60.0, 4000);
}

#[test]
fn a_shaken_cylinder_of_spheres_is_the_same_for_all_structures() {
    let shaking =
        Shaking { walls: Shaken::All, axis: 2, amplitude: 0.5, frequency: 0.7, phase: 0.3 };
    let domain = Domain::new([8.0, 8.0, 14.0], [false; 3]);
    let container = Container::cylinder(domain, 2, Some(shaking)).unwrap();
    let world = GranularWorld::of(container).falling(1.0).restitution(0.8).contact_time(1e-3);
    let mut grains = scattered(&world, &[0.5; 100], 91);
    heat(&mut grains, 1.0, 92);
    agree("shaken cylinder", world, &grains, 40.0, 4000);
}

#[test]
fn radii_of_one_to_a_hundred_are_the_same_for_all_structures() {
    let radii: Vec<f64> = (0..120).map(|n| 50.0 * libm::pow(0.01, f64::from(n) / 119.0)).collect();
    let world = GranularWorld::closed([400.0; 2]);
    let mut grains = scattered(&world, &radii, 93);
    heat(&mut grains, 1e4, 94);
    agree("closed, 1 : 100", world, &grains, 40.0, 1000);
    let world = GranularWorld::periodic([400.0; 2]);
    let mut grains = scattered(&world, &radii, 95);
    heat(&mut grains, 1e4, 96);
    agree("periodic, 1 : 100", world, &grains, 40.0, 1000);
}

#[test]
fn dilute_and_dense_gases_are_the_same_for_all_structures() {
    for (phi, end) in [(0.001, 600.0), (0.3, 8.0), (0.5, 3.0)] {
        let (grains, edge) = gas::<3>(5, phi, 97);
        agree("periodic spheres", GranularWorld::periodic([edge; 3]), &grains, end, 300);
        agree("spheres in a box", GranularWorld::closed([edge; 3]), &grains, end, 300);
    }
}

/// A million events of all kinds, four worlds of about a thousand particles: none late, no overlap.
#[test]
fn a_million_events_lose_no_contact() {
    events_lose_no_contact(250_000);
}

/// So many events in each of four worlds, which run side by side; overlaps are looked for every 100 000
/// events or so, and in its middle each is resumed from its state.
pub(crate) fn events_lose_no_contact(events: u64) {
    let sides = [0.02, 0.3, 0.5];
    let kinds = [KineticKind::Cubic, KineticKind::Cubic, KineticKind::Levels];
    let shaking =
        Shaking { walls: Shaken::All, axis: 1, amplitude: 0.5, frequency: 0.7, phase: 0.3 };
    let shaken = GranularWorld::shaken([42.0, 60.0], shaking).unwrap().falling(0.3);
    let shaken = shaken.restitution(0.9).contact_time(1e-3);
    let mut grains = lattice([30, 33], [42.0, 57.0]);
    grains.iter_mut().for_each(|grain| grain.position[1] += 1.0);
    heat(&mut grains, 1.0, 99);
    std::thread::scope(|scope| {
        for (phi, kind) in sides.into_iter().zip(kinds) {
            scope.spawn(move || {
                let (grains, edge) = gas::<3>(10, phi, 98);
                go_through(&GranularWorld::periodic([edge; 3]).kind(kind), &grains, events);
            });
        }
        scope.spawn(|| go_through(&shaken, &grains, events));
    });
}

/// The rounding errors of the energy of so many events, over the sum of all that is accounted for: each is some 1e-16 of the energy of a
/// ball, of some 1000, and a few of them have the same sign. 2e-19 for each event were measured.
fn energy_error(events: u64) -> f64 {
    1e-12 + 1e-18 * events as f64
}

fn go_through<const D: usize>(world: &GranularWorld<D>, grains: &[Grain<D>], events: u64) {
    let mut engine = world.engine(grains);
    let (mut most, mut done, mut pace, mut next) = (0.0f64, 0, 0.1, 100_000);
    let energy = |engine: &Granular<D>| {
        let balance = engine.balance();
        let given = balance.wall_work - balance.dissipated;
        let scale = balance.kinetic + balance.wall_work.abs() + balance.dissipated;
        (balance.kinetic + balance.potential - given, scale)
    };
    let (start, _) = energy(&engine);
    let (mut before, mut topological, mut late) = (0, 0, 0);
    let mut is_resumed = false;
    while done < events {
        let end = engine.now() + pace;
        run(&mut engine, end);
        let tally = engine.tally();
        late += tally.late;
        topological = engine.search().topology().events;
        let now = before + tally.collisions + tally.wall_collisions + topological;
        // About 50 000 events at a time.
        pace *= if now - done > 50_000 { 0.5 } else { 1.3 };
        done = now;
        if done > next {
            most = most.max(overlap(world, &engine));
            next = done + 100_000;
        }
        assert_eq!(late, 0);
        if done > events / 2 && !is_resumed {
            is_resumed = true;
            before += topological;
            engine = Granular::resume(world.setup(), engine.state()).unwrap();
        }
    }
    let (end, scale) = energy(&engine);
    let error = (end - start).abs() / scale;
    println!(
        "{done} events, {topological} topological ones since it was resumed, {:?}, overlap {most:.1e}, \
         error of the energy {error:.1e}",
        engine.tally()
    );
    assert!(most < 1e-10, "{most}");
    assert!(error < energy_error(events), "{error}");
    assert!(Vector(engine.balance().momentum).is_finite());
}
