//! States of the polygon engine: kept, damaged, resumed.

use super::*;
use crate::tests::storm;
use crate::{Drive, ForceLaw, NormalLaw, PlacedWall, Solid, contact_time};
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Outline, Polygon, Vector};

/// A fixed wall, in a world that has its outline.
fn wall(world: &mut Setup, [width, height]: [f64; 2], position: [f64; 2]) -> &mut PlacedWall {
    world.outlines.push(Outline::Polygon(Polygon::rectangle(width, height)));
    world.walls.push(PlacedWall {
        outline: world.outlines.len() as u32 - 1,
        position: Vector(position),
        angle: 0.0,
        drive: Drive::Fixed,
        friction: None,
        opens_at: None,
    });
    world.walls.last_mut().unwrap()
}

/// `side` times `side` rough polygons and disks that are about to fall.
fn grains(side: usize, corner: [f64; 2], edge: f64, periodic: [bool; 2]) -> Setup {
    let random = Random::new(3);
    let draw = |n: usize, k: u64| random.uniform(Purpose::Placement, [n as u64, k, 0, 0]);
    let (mut outlines, mut solids) = (Vec::new(), Vec::new());
    for n in 0..side * side {
        let size = 0.35 + 0.15 * draw(n, 0);
        outlines.push(match n % 5 {
            0 => Outline::Disk(size),
            1 => Outline::Polygon(Polygon::rectangle(1.2 * size, 1.2 * size)),
            k => Outline::Polygon(Polygon::regular(k + 1, size)),
        });
        solids.push(Solid {
            outline: n as u32,
            position: Vector([corner[0] + (n % side) as f64, corner[1] + (n / side) as f64]),
            angle: if n % 5 == 1 { 0.0 } else { 6.0 * draw(n, 1) },
            velocity: Vector([draw(n, 2) - 0.5, 0.0]),
            angular_velocity: 0.0,
            density: 1.0,
            species: 0,
        });
    }
    let law = ForceLaw {
        normal: NormalLaw::Gradient,
        stiffness: 1e4,
        damping: 0.5,
        friction: 0.5,
        wall_friction: 0.4,
        tangential: 2.0 / 7.0,
        rolling: 0.1,
    };
    let timestep = contact_time(&law, &outlines, &solids) / 30.0;
    let domain = Domain::new([edge; 2], periodic);
    Setup {
        domain,
        outlines,
        solids,
        walls: Vec::new(),
        law,
        gravity: Vector([0.0, -10.0]),
        timestep,
    }
}

/// Twelve walls that turn about the middle.
fn drum() -> Setup {
    let mut world = grains(8, [6.5, 6.5], 20.0, [false; 2]);
    for n in 0..12 {
        let angle = std::f64::consts::TAU * f64::from(n) / 12.0;
        let (sine, cosine) = libm::sincos(angle);
        let side = wall(&mut world, [2.0, 5.0], [10.0 + 8.0 * cosine, 10.0 + 8.0 * sine]);
        side.angle = angle;
        side.drive = Drive::Rotation { centre: Vector([10.0; 2]), angular_velocity: 0.5 };
    }
    world
}

/// A floor that goes away, one below that oscillates, walls at both sides, and a lid that is
/// pressed down.
fn hopper(normal: NormalLaw) -> Setup {
    let mut world = grains(16, [1.0, 1.6], 17.0, [false; 2]);
    world.law.normal = normal;
    world.timestep = contact_time(&world.law, &world.outlines, &world.solids) / 30.0;
    let opening = 3000.5 * world.timestep;
    wall(&mut world, [17.0, 1.0], [8.5, 0.4]).opens_at = Some(opening);
    let shaken = Drive::Oscillation { amplitude: Vector([0.05, 0.05]), frequency: 2.0, phase: 0.2 };
    wall(&mut world, [40.0, 1.0], [8.5, -1.4]).drive = shaken;
    wall(&mut world, [1.0, 60.0], [-0.2, 9.0]).friction = Some(0.1);
    wall(&mut world, [1.0, 60.0], [17.2, 9.0]).drive = Drive::Velocity(Vector([0.05, 0.0]));
    let press = Drive::Force { force: Vector([0.0, -30.0]), mass: 20.0 };
    wall(&mut world, [15.0, 1.0], [8.5, 18.2]).drive = press;
    world
}

/// Down a bed that closes on itself.
fn slide() -> Setup {
    let mut world = grains(10, [0.5, 1.2], 10.0, [true, false]);
    world.gravity = Vector([3.0, -10.0]);
    wall(&mut world, [16.0, 2.0], [5.0, -0.8]);
    world
}

/// Takes so many steps; what each led to, by its bits: places, motion, walls, forces and energy
/// balance.
fn tale(engine: &mut Polygons, steps: usize) -> Vec<u64> {
    let mut step = |_| {
        engine.step().unwrap();
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut tell =
            |x: f64| hash = (hash ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
        let view = engine.view();
        let (outlines, balance) = (view.outlines.unwrap(), view.balance.unwrap());
        view.particles
            .position
            .iter()
            .chain(&view.particles.velocity)
            .for_each(|v| v.0.into_iter().for_each(&mut tell));
        outlines.angle.iter().chain(outlines.angular_velocity).for_each(|x| tell(*x));
        for wall in outlines.walls {
            let present = f64::from(u8::from(wall.present));
            [wall.position[0], wall.position[1], wall.angle, present]
                .into_iter()
                .for_each(&mut tell);
        }
        for force in outlines.forces {
            let [f, arm, normal] = [force.force, force.arm, force.normal];
            let all = [f[0], f[1], arm[0], arm[1], normal[0], normal[1], force.overlap];
            all.into_iter().for_each(&mut tell);
            tell(f64::from(u8::from(force.sliding)) + force.body as f64);
        }
        let energies = [
            balance.kinetic,
            balance.potential,
            balance.elastic,
            balance.dissipated,
            balance.wall_work,
        ];
        energies.into_iter().for_each(&mut tell);
        hash
    };
    (0..steps).map(&mut step).collect()
}

fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Runs a world as one, and cut after some steps, on one thread and on two.
fn hold_to_one_tale(world: &Setup, steps: usize) -> Tally {
    let (all, end, tally) = on_threads(1, || {
        let mut whole = Polygons::new(world.clone()).unwrap();
        let all = tale(&mut whole, steps);
        (all, postcard::to_stdvec(&whole.state()).unwrap(), whole.tally())
    });
    // Where the bodies are at the start is not looked at.
    let mut bare = world.clone();
    for solid in &mut bare.solids {
        (solid.position, solid.velocity) = (Vector::ZERO, Vector::ZERO);
    }
    for (n, part) in [0.0, 0.003, 0.21, 0.48, 0.77, 0.96].into_iter().enumerate() {
        let cut = (part * steps as f64) as usize;
        let kept = on_threads(1 + n % 2, || {
            let mut first = Polygons::new(world.clone()).unwrap();
            assert!(tale(&mut first, cut) == all[..cut]);
            postcard::to_stdvec(&first.state()).unwrap()
        });
        on_threads(2 - n % 2, || {
            let state: State<'_> = postcard::from_bytes(&kept).unwrap();
            let mut second = Polygons::resume(bare.clone(), state).unwrap();
            assert!(postcard::to_stdvec(&second.state()).unwrap() == kept, "cut at {cut}");
            let rest = tale(&mut second, steps - cut);
            let differ = rest.iter().zip(&all[cut..]).position(|(a, b)| a != b);
            assert_eq!(differ, None, "cut at {cut} of {steps}");
            assert!(
                postcard::to_stdvec(&second.state()).unwrap() == end,
                "cut at {cut}: the ends differ"
            );
        });
    }
    tally
}

#[test]
fn storms_continue_from_their_states() {
    for (seed, periodic) in
        [(1, [false, false]), (2, [true, false]), (3, [true, true]), (4, [false, true])]
    {
        let tally = hold_to_one_tale(&storm(seed, periodic), 10_000);
        assert!(tally.contact_steps > 100, "{tally:?}");
    }
}

#[test]
fn a_heap_in_a_turning_drum_continues() {
    let tally = hold_to_one_tale(&drum(), 12_000);
    assert!(tally.contact_steps > 10_000 && tally.skipped > 1000, "{tally:?}");
}

#[test]
fn a_heap_on_a_bed_that_closes_on_itself_continues() {
    let tally = hold_to_one_tale(&slide(), 5000);
    assert!(tally.contacts > 50 && tally.skipped > 1000, "{tally:?}");
}

#[test]
fn a_hopper_that_opens_under_a_press_continues() {
    for normal in [NormalLaw::Gradient, NormalLaw::Area] {
        let tally = hold_to_one_tale(&hopper(normal), 7000);
        assert!(tally.candidates > 256 && tally.contact_steps > 100_000, "{tally:?}");
    }
}

/// Bytes of a state in turn are others; none leads to a panic, there or in the next steps.
#[test]
fn a_damaged_state_is_refused_or_harmless() {
    for world in [drum(), slide(), storm(3, [true, true])] {
        let mut engine = Polygons::new(world.clone()).unwrap();
        tale(&mut engine, 400);
        let kept = postcard::to_stdvec(&engine.state()).unwrap();
        let (mut refused, mut looked) = (0, 0);
        for at in (0..kept.len()).step_by(11) {
            looked += 1;
            let mut damaged = kept.clone();
            damaged[at] ^= 1 << (at * 5 % 8);
            let resumed = postcard::from_bytes::<State<'_>>(&damaged)
                .map(|state| Polygons::resume(world.clone(), state));
            match resumed {
                Ok(Ok(mut engine)) => _ = (0..2).try_for_each(|_| engine.step()),
                Ok(Err(_)) | Err(_) => refused += 1,
            }
        }
        assert!(refused > looked / 20, "{refused} of {looked}");
    }
}

#[test]
fn a_state_of_another_setup_is_refused_with_a_reason() {
    let engine = Polygons::new(drum()).unwrap();
    let mut fewer = drum();
    fewer.solids.pop();
    let mut driven = drum();
    driven.walls[3].drive = Drive::Force { force: Vector([1.0, 0.0]), mass: 1.0 };
    let mut smaller = drum();
    smaller.outlines.iter_mut().for_each(|outline| *outline = Outline::Disk(0.01));
    smaller.timestep *= 0.01;
    for (world, reason) in [(fewer, "as many bodies"), (driven, "driven"), (smaller, "boxes")] {
        let error = Polygons::resume(world, engine.state()).err().unwrap().to_string();
        assert!(error.contains(reason), "{error}");
    }
}
