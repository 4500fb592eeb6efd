//! Single collisions: closed forms of the force laws, and what stays the same.

use std::f64::consts::PI;

use jostle::polygons::{ForceLaw, NormalLaw, Polygons, contact_time};
use jostle::space::{Outline, Polygon, Vector};

use crate::worlds::{
    SMOOTH, assert_close, floor, forces, length, orders, place, put, rectangle, regular, run, start, step,
    sum_of_books, velocity, world,
};

/// A block of width 2 that meets a plane face on with speed 1, damped with the ratio `zeta` and cut where it
/// would be pulled: what restitution it has and how long contact lasts, as the mean over the phase within the
/// step at which contact begins.
///
/// The damping force sets in at once, so that a single run is off by up to `zeta omega dt`, to one side or the
/// other depending on that phase.
fn face_on_a_plane(normal: NormalLaw, zeta: f64) -> [f64; 2] {
    const PHASES: u32 = 32;
    let block = rectangle(2.0, 1.0);
    let (width, mass, l) = (2.0, 2.0, length(&rectangle(2.0, 1.0)));
    let (stiffness, damping) = match normal {
        NormalLaw::Gradient => (width * width / (l * l), 2.0 * zeta * l / width),
        NormalLaw::Area => (width / l, 2.0 * zeta * (l / width).sqrt()),
    };
    let law = ForceLaw { normal, damping, ..SMOOTH };
    let omega = (law.stiffness * stiffness / mass).sqrt();
    let [_, duration] = damped_and_cut(zeta);
    let dt = duration / omega / 200.0;
    let mut sums = [0.0; 2];
    for phase in 0..PHASES {
        let gap = (f64::from(phase) + 0.5) / f64::from(PHASES) * dt;
        let mut world = world(law, dt);
        put(&mut world, block.clone(), [0.0, 0.5 + gap], 0.0);
        world.solids[0].velocity = Vector([0.0, -1.0]);
        floor(&mut world);
        let mut engine = start(world);
        // The last two forces before there is none: the straight line through them ends the contact.
        let (mut last, mut end) = ([0.0; 2], None);
        for n in 1..=260 {
            step(&mut engine);
            let force = forces(&mut engine).first().map_or(0.0, |contact| contact.force[1]);
            if force == 0.0 && last[1] > 0.0 {
                end.get_or_insert(f64::from(n - 1) + last[1] / (last[0] - last[1]));
            }
            last = [last[1], force];
        }
        sums[0] += velocity(&mut engine, 0)[1];
        sums[1] += (end.expect("contact ends") * dt - gap) * omega;
    }
    sums.map(|sum| sum / f64::from(PHASES))
}

/// Restitution, and duration times omega, of a linear spring and dashpot that never pull.
fn damped_and_cut(zeta: f64) -> [f64; 2] {
    let q = (1.0 - zeta * zeta).sqrt();
    let angle = PI - (2.0 * zeta * q / (1.0 - 2.0 * zeta * zeta)).atan();
    [(-zeta / q * angle).exp(), angle / q]
}

#[test]
fn a_face_on_a_plane_is_a_damped_spring_that_never_pulls() {
    let printed = [(0.1, 0.74408, 2.95608), (0.3, 0.45098, 2.65447), (0.5, 0.29844, 2.41840)];
    for normal in [NormalLaw::Gradient, NormalLaw::Area] {
        for (zeta, restitution, duration) in printed {
            let exact = damped_and_cut(zeta);
            assert_close(exact[0], restitution, 5.1e-6, "restitution as printed");
            assert_close(exact[1], duration, 5.1e-6, "duration as printed");
            let found = face_on_a_plane(normal, zeta);
            assert_close(found[0], exact[0], 1e-4, &format!("{normal:?}, damping {zeta}: restitution"));
            assert_close(found[1], exact[1], 1e-4 * exact[1], &format!("{normal:?}, damping {zeta}: time"));
        }
    }
}

/// A regular polygon that meets a plane with a corner, with speed 1: deepest penetration, duration,
/// restitution. The time step is a 200th of `time`, or less where faces would need that.
fn corner_on_a_plane(normal: NormalLaw, corners: usize, time: f64) -> [f64; 3] {
    let mut world = world(ForceLaw { normal, ..SMOOTH }, 1.0);
    put(&mut world, regular(corners, 1.0), [0.0, 1.0], corner_down(corners));
    let most = contact_time(&world.law, &world.outlines, &world.solids) / 30.0;
    let dt = (time / 200.0).min(most);
    let steps = (1.2 * time / dt) as usize;
    world.timestep = dt;
    world.solids[0].position[1] += 0.3 * dt;
    world.solids[0].velocity = Vector([0.0, -1.0]);
    floor(&mut world);
    let mut heights = vec![world.solids[0].position[1]];
    let mut engine = start(world);
    for _ in 0..steps {
        step(&mut engine);
        heights.push(place(&mut engine, 0)[1]);
    }
    let lowest = (1..steps).min_by(|&a, &b| heights[a].total_cmp(&heights[b])).unwrap();
    let [a, b, c] = [heights[lowest - 1], heights[lowest], heights[lowest + 1]];
    let deepest = b - (a - c) * (a - c) / (8.0 * (a - 2.0 * b + c));
    let out = velocity(&mut engine, 0)[1];
    let end = steps as f64 * dt - (heights[steps] - 1.0) / out;
    [1.0 - deepest, end - 0.3 * dt, out]
}

/// Turns a regular polygon, whichever way it was made, so that a corner points down.
fn corner_down(corners: usize) -> f64 {
    let first = Polygon::regular(corners, 1.0).corners()[0];
    -PI / 2.0 - first[1].atan2(first[0])
}

#[test]
fn a_corner_on_a_plane_goes_as_deep_and_as_long_as_its_energy_says() {
    for (corners, half) in [(3, PI / 6.0), (4, PI / 4.0), (6, PI / 3.0)] {
        let outline = regular(corners, 1.0);
        let (mass, l, slope, y) = (outline.area(), length(&outline), half.tan(), SMOOTH.stiffness);
        // Y/l A = Y/l slope x²: an energy of Y slope x³ / 3 l, and an integral of dx / sqrt(1 - x³).
        let area = (3.0 * l * mass / (2.0 * y * slope)).cbrt();
        // K A²/2 = Y/l² slope² x⁴ / 2, and an integral of dx / sqrt(1 - x⁴).
        let gradient = (mass * l * l / (y * slope * slope)).powf(0.25);
        for (normal, deepest, factor) in
            [(NormalLaw::Area, area, 2.80436), (NormalLaw::Gradient, gradient, 2.622_057_554)]
        {
            let time = factor * deepest;
            let found = corner_on_a_plane(normal, corners, time);
            let what = |quantity| format!("{normal:?}, {corners} corners: {quantity}");
            assert_close(found[0], deepest, 1e-4 * deepest, &what("depth"));
            assert_close(found[1], time, 1e-4 * time, &what("time"));
            assert_close(found[2], 1.0, 1e-4, &what("restitution"));
        }
    }
}

#[test]
fn free_spin_goes_on_unchanged_and_whole_turns_are_kept() {
    let mut world = world(ForceLaw { stiffness: 1e3, ..SMOOTH }, 1e-3);
    put(&mut world, rectangle(3.0, 1.0), [1.0, 2.0], 0.25);
    world.solids[0].angular_velocity = 7.0;
    world.solids[0].velocity = Vector([0.5, -0.25]);
    let mut engine = start(world);
    run(&mut engine, 10_000);
    let ([x, y, angle], [vx, vy, turning]) = (place(&mut engine, 0), velocity(&mut engine, 0));
    assert_close(angle, 70.25, 1e-9, "angle");
    assert_close(turning, 7.0, 1e-12, "angular velocity");
    assert_close(x, 6.0, 1e-10, "x");
    assert_close(y, -0.5, 1e-10, "y");
    assert_eq!([vx, vy].map(|v| (v * 1e12).round()), [0.5e12, -0.25e12]);
}

#[test]
fn a_spinning_square_that_hits_a_wall_keeps_its_angular_momentum_about_the_contact_line() {
    // The corner's arm changes while in contact, though little: its mean counts, weighted by the force.
    let law = ForceLaw { stiffness: 1e11, ..SMOOTH };
    let outline = regular(4, 1.0);
    let inertia = outline.second_moment();
    let mut world = world(law, 3e-7);
    let angle = corner_down(4) + 0.5;
    put(&mut world, outline, [0.0, libm::cos(0.5) + 1e-6], angle);
    world.solids[0].velocity = Vector([0.3, -1.0]);
    world.solids[0].angular_velocity = -2.0;
    floor(&mut world);
    let mut engine = start(world);
    let before = velocity(&mut engine, 0);
    let energy = sum_of_books(&engine);
    let (mut impulse, mut moment, mut steps) = (0.0, 0.0, 0);
    for _ in 0..100_000 {
        step(&mut engine);
        let Some(contact) = forces(&mut engine).pop() else {
            if steps > 0 {
                break;
            }
            continue;
        };
        steps += 1;
        impulse += contact.force[1];
        moment += contact.force[1] * contact.arm[0];
        let tip = libm::sin(place(&mut engine, 0)[2] - corner_down(4));
        assert!((contact.arm[0] - tip).abs() < 0.01, "the force acts at the corner: {contact:?}, {tip}");
    }
    assert!(steps > 100, "contact is resolved: {steps} steps");
    let after = velocity(&mut engine, 0);
    let arm = moment / impulse;
    // The force acts on the lowest corner, straight up: by `arm` to the right of the centroid.
    let change = inertia * (after[2] - before[2]) - arm * 2.0 * (after[1] - before[1]);
    assert_close(change / (inertia * before[2]), 0.0, 1e-6, "angular momentum about the contact line");
    assert!((after[2] - before[2]).abs() > 1.0, "the spin changes by {}", after[2] - before[2]);
    assert_close(after[0], 0.3, 1e-12, "velocity along the wall");
    assert_close(sum_of_books(&engine), energy, 1e-6 * energy, "energy");
}

/// Two polygons of 5 and 7 corners that meet off-centre, by how much their totals have changed, and
/// their energy at first.
fn glancing(law: ForceLaw, dt: f64) -> (Polygons, [f64; 3], f64) {
    let mut world = world(law, dt);
    put(&mut world, regular(5, 1.0), [0.0, 0.0], 0.3);
    put(&mut world, regular(7, 0.8), [2.0, 0.4], 1.1);
    world.solids[0].velocity = Vector([1.0, 0.2]);
    world.solids[1].velocity = Vector([-1.0, 0.0]);
    world.solids[0].angular_velocity = -1.0;
    let mut engine = start(world);
    let (before, energy) = (totals(&mut engine), sum_of_books(&engine));
    run(&mut engine, (0.6 / dt).round() as u64);
    assert!(engine.tally().contact_steps > 0 && engine.tally().contacts == 0);
    let after = totals(&mut engine);
    (engine, std::array::from_fn(|k| after[k] - before[k]), energy)
}

/// Momentum along x and y, and angular momentum about the origin.
fn totals(engine: &mut Polygons) -> [f64; 3] {
    let (masses, inertias) = (engine.masses(), engine.moments_of_inertia());
    let mut sum = [0.0; 3];
    for body in 0..masses.len() {
        let ([x, y, _], [vx, vy, turning]) = (place(engine, body), velocity(engine, body));
        sum[0] += masses[body] * vx;
        sum[1] += masses[body] * vy;
        sum[2] += masses[body] * (x * vy - y * vx) + inertias[body] * turning;
    }
    sum
}

#[test]
fn two_polygons_keep_momentum_and_angular_momentum_whatever_the_law() {
    for normal in [NormalLaw::Gradient, NormalLaw::Area] {
        for (damping, friction) in [(0.0, 0.0), (0.4, 0.0), (0.4, 0.6)] {
            let law = ForceLaw { normal, damping, friction, stiffness: 1e4, ..SMOOTH };
            let (_, change, _) = glancing(law, 1e-4);
            for (k, x) in change.into_iter().enumerate() {
                // Places are predicted, so that forces act a little beside: angular momentum to that order.
                let tolerance = if k == 2 { 1e-8 } else { 1e-13 };
                assert_close(x, 0.0, tolerance, &format!("{law:?}, component {k}"));
            }
        }
    }
}

#[test]
fn two_polygons_keep_their_energy_under_the_gradient_law_and_not_under_the_area_law() {
    let off = |normal, dt| {
        let (engine, _, energy) = glancing(ForceLaw { normal, ..SMOOTH }, dt);
        let books = engine.books();
        [sum_of_books(&engine) / energy - 1.0, books.elastic / energy, books.dissipated / energy]
    };
    let errors = [4e-4, 2e-4, 1e-4].map(|dt| off(NormalLaw::Gradient, dt)[0].abs());
    println!("energy after one collision: errors {errors:?}, orders {:?}", orders(&errors));
    assert!(errors[2] < 1e-8, "{errors:?}");
    assert_eq!(off(NormalLaw::Gradient, 1e-4)[1..], [0.0, 0.0]);
    // Two squares that meet with their corners: nothing touches any longer, and yet something is stored.
    for (normal, keeps) in [(NormalLaw::Gradient, true), (NormalLaw::Area, false)] {
        let mut world = world(ForceLaw { normal, ..SMOOTH }, 1e-4);
        put(&mut world, rectangle(1.0, 1.0), [0.0, 0.0], 0.0);
        put(&mut world, rectangle(1.0, 1.0), [1.02, 0.9], 0.0);
        world.solids[1].velocity = Vector([-1.0, -0.1]);
        let mut engine = start(world);
        run(&mut engine, 5000);
        assert!(engine.tally().contact_steps > 0 && engine.tally().contacts == 0);
        let books = engine.books();
        println!("{normal:?}: {books:?}");
        assert_close(books.kinetic + books.elastic, 0.505, 1e-6, "the books");
        assert_eq!(books.dissipated, 0.0);
        assert!((books.elastic.abs() < 1e-12) == keeps, "{normal:?}: {}", books.elastic);
    }
}

#[test]
fn a_disk_meets_a_disk_as_two_polygons_of_many_corners_do() {
    let spin = |outline: fn(f64) -> Outline| {
        let mut world = world(ForceLaw { friction: 0.3, damping: 0.2, ..SMOOTH }, 2e-4);
        put(&mut world, outline(1.0), [0.0, 0.0], 0.1);
        put(&mut world, outline(0.6), [2.0, 0.5], 0.2);
        world.solids[0].velocity = Vector([1.0, 0.0]);
        world.solids[0].angular_velocity = 2.0;
        let mut engine = start(world);
        run(&mut engine, 5000);
        (velocity(&mut engine, 0), velocity(&mut engine, 1))
    };
    let disks = spin(Outline::Disk);
    let polygons = spin(|radius| regular(256, radius));
    for k in 0..3 {
        assert_close(polygons.0[k], disks.0[k], 5e-3, "first");
        assert_close(polygons.1[k], disks.1[k], 5e-3, "second");
    }
    assert!(disks.1[2].abs() > 0.1, "friction turns the other: {}", disks.1[2]);
}
