//! Walls are found when they are reached: against dense sampling, and in every order.

use super::*;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::first_reach;

/// A uniform number for case `i`.
fn uniform(i: u64, k: u64) -> f64 {
    Random::new(11).uniform(Purpose::Placement, [i, k, 0, 0])
}

fn flight<const D: usize>(
    position: [f64; D],
    velocity: [f64; D],
    since: f64,
    radius: f64,
) -> Flight<D> {
    Flight { position: Vector(position), velocity: Vector(velocity), since, radius }
}

fn lower<const D: usize>(axis: u8) -> Wall {
    assert!((axis as usize) < D);
    Wall::Face(Face { axis, upper: false })
}

fn shaking(axis: usize, amplitude: f64, frequency: f64, phase: f64) -> Option<Shaking> {
    Some(Shaking { walls: Shaken::All, axis, amplitude, frequency, phase })
}

#[test]
fn still_walls_are_hit_on_the_way_in_only() {
    let container = Container::new_box(Domain::new([100.0, 50.0], [false, true]), None).unwrap();
    let first = |f: &Flight<2>| container.first_wall(f, Vector::ZERO, f64::INFINITY);
    let [near, far] = [false, true].map(|upper| Wall::Face(Face { axis: 0, upper }));
    assert_eq!(container.walls().collect::<Vec<_>>(), [near, far]);
    assert_eq!(first(&flight([50.0, 1.0], [-7.0, 3.0], 2.0, 1.0)), Some((9.0, near)));
    assert_eq!(first(&flight([50.0, 1.0], [7.0, 3.0], 2.0, 1.0)), Some((9.0, far)));
    assert_eq!(first(&flight([50.0, 1.0], [0.0, 3.0], 2.0, 1.0)), None);
    // Overlapping by rounding: at once on the way in, at the other wall on the way out.
    assert_eq!(first(&flight([1.0 - 1e-15, 1.0], [-7.0, 3.0], 2.0, 1.0)), Some((2.0, near)));
    assert_eq!(first(&flight([1.0 - 1e-15, 1.0], [49.0, 3.0], 2.0, 1.0)), Some((4.0, far)));
    // Not beyond the end, but up to it.
    let f = flight([50.0, 1.0], [-7.0, 3.0], 2.0, 1.0);
    assert_eq!(container.first_wall(&f, Vector::ZERO, 8.9), None);
    assert_eq!(container.first_wall(&f, Vector::ZERO, 9.0), Some((9.0, near)));
}

#[test]
fn in_a_corner_the_first_wall_comes_first() {
    let f = flight([5.0, 5.0], [-2.0, -2.0], 0.0, 1.0);
    for s in [None, shaking(0, 0.0, 1.0, 0.0), shaking(1, 0.0, 1.0, 0.0)] {
        let container = Container::new_box(Domain::new([10.0, 10.0], [false; 2]), s).unwrap();
        assert_eq!(container.first_wall(&f, Vector::ZERO, 9.0), Some((2.0, lower::<2>(0))));
    }
    // A still container that stands half a unit higher, in the order of the walls all the same.
    let shaken = shaking(0, 0.5, 0.0, std::f64::consts::FRAC_PI_2);
    let container = Container::new_box(Domain::new([10.0, 10.0], [false; 2]), shaken).unwrap();
    assert_eq!(container.first_wall(&f, Vector::ZERO, 9.0), Some((1.75, lower::<2>(0))));
    let f = flight([5.0, 4.5], [-2.0, -2.0], 0.0, 1.0);
    assert_eq!(container.first_wall(&f, Vector::ZERO, 9.0), Some((1.75, lower::<2>(0))));
    assert!(container.walls().is_sorted());
}

#[test]
fn a_ball_thrown_up_comes_down_or_hits_the_ceiling() {
    let container = Container::new_box(Domain::new([10.0], [false]), None).unwrap();
    let first =
        |v: f64| container.first_wall(&flight([1.0], [v], 0.0, 1.0), Vector([-1.0]), f64::INFINITY);
    assert_eq!(first(3.0), Some((6.0, lower::<1>(0))));
    // 8 up, at 5: 5 t - t²/2 = 8 at t = 2.
    assert_eq!(first(5.0), Some((2.0, Wall::Face(Face { axis: 0, upper: true }))));
}

#[test]
fn normals_point_inwards_and_only_the_shaken_walls_move() {
    let domain = Domain::new([10.0, 10.0, 30.0], [false; 3]);
    let container = Container::cylinder(domain, 2, shaking(2, 2.0, 0.25, 0.0)).unwrap();
    let place = Vector([8.0, 9.0, 10.0]);
    assert_eq!(container.normal(lower::<3>(2), place), Vector([0.0, 0.0, 1.0]));
    let top = Wall::Face(Face { axis: 2, upper: true });
    assert_eq!(container.normal(top, place), Vector([0.0, 0.0, -1.0]));
    let lateral = container.normal(Wall::Lateral, place);
    assert!((lateral - Vector([-0.6, -0.8, 0.0])).norm() < 1e-15);
    let [velocity, acceleration] = container.motion(Wall::Lateral, 0.0);
    assert!((velocity - Vector([0.0, 0.0, std::f64::consts::PI])).norm() < 1e-15);
    assert_eq!(acceleration, Vector::ZERO);
    // After a quarter of a period all stands 2 higher.
    assert!((container.gap(lower::<3>(2), place, 1.0, 1.0) - 7.0).abs() < 1e-14);
    assert!((container.gap(top, place, 1.0, 1.0) - 21.0).abs() < 1e-14);
    assert!((container.gap(Wall::Lateral, place, 1.0, 1.0) + 1.0).abs() < 1e-14);
    assert_eq!(container.walls().count(), 3);
}

#[test]
fn one_wall_moves_as_a_piston() {
    let domain = || Domain::new([10.0, 10.0, 30.0], [false; 3]);
    let floor = lower::<3>(2);
    let top = Wall::Face(Face { axis: 2, upper: true });
    for (walls, moving) in [(Shaken::Lower, floor), (Shaken::Upper, top)] {
        let drive = shaking(2, 2.0, 0.25, 0.0).map(|all| Shaking { walls, ..all });
        let place = Vector([5.0, 5.0, 10.0]);
        let boxed = Container::new_box(domain(), drive).unwrap();
        for container in [boxed, Container::cylinder(domain(), 2, drive).unwrap()] {
            for wall in container.walls() {
                let [velocity, acceleration] = container.motion(wall, 1.0);
                assert_eq!(
                    velocity.norm_squared() + acceleration.norm_squared() > 0.0,
                    wall == moving
                );
            }
            let gaps = |time| [floor, top].map(|wall| container.gap(wall, place, 1.0, time));
            let [before, after] = [gaps(0.0), gaps(1.0)];
            let change = [before[0] - after[0], after[1] - before[1]];
            let expected = [floor, top].map(|wall| if wall == moving { 2.0 } else { 0.0 });
            let off = (0..2).map(|n| (change[n] - expected[n]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-14, "{walls:?}: {change:?}");
        }
    }
}

#[test]
fn impossible_containers_are_refused() {
    use ContainerError::*;
    let domain = Domain::new([10.0, 10.0, 30.0], [false, false, true]);
    let boxed = |s| Container::new_box(domain.clone(), s).unwrap_err();
    assert_eq!(boxed(shaking(2, 1.0, 1.0, 0.0)), NoWallsToShake { axis: 2 });
    assert_eq!(boxed(shaking(3, 1.0, 1.0, 0.0)), NoWallsToShake { axis: 3 });
    assert_eq!(boxed(shaking(0, f64::NAN, 1.0, 0.0)), NoSuchShaking);
    assert_eq!(boxed(shaking(0, 1.0, -1.0, 0.0)), NoSuchShaking);
    let round = |upright, s| Container::cylinder(domain.clone(), upright, s).unwrap_err();
    assert_eq!(round(0, None), NoRoomForCylinder);
    assert_eq!(round(3, None), NoRoomForCylinder);
    assert_eq!(round(2, shaking(0, 1.0, 1.0, 0.0)), ShakenAcross { upright: 2, axis: 0 });
    let flat = Container::cylinder(Domain::new([10.0, 10.0], [false; 2]), 1, None);
    assert_eq!(flat.unwrap_err(), NoRoomForCylinder);
}

#[test]
fn the_lateral_wall_is_hit_where_the_chord_ends() {
    let domain = Domain::new([10.0, 10.0, 30.0], [false, false, true]);
    let container = Container::cylinder(domain, 2, None).unwrap();
    let down = Vector([0.0, 0.0, -1.0]);
    let first = |f: &Flight<3>| container.first_wall(f, down, f64::INFINITY);
    assert_eq!(
        first(&flight([5.0, 5.0, 1.0], [2.0, 0.0, 9.0], 1.0, 1.0)),
        Some((3.0, Wall::Lateral))
    );
    assert_eq!(first(&flight([5.0, 5.0, 1.0], [0.0, 0.0, 9.0], 1.0, 1.0)), None);
    for case in 0..10_000 {
        let u: [f64; 8] = std::array::from_fn(|k| uniform(case, k as u64));
        // Every second one touches the wall to begin with.
        let turn = std::f64::consts::TAU * u[0];
        let r = if case % 2 == 0 { 4.0 } else { 4.0 * u[1] };
        let place = [5.0 + r * turn.cos(), 5.0 + r * turn.sin(), 15.0];
        let mut f = flight(place, [u[2] - 0.5, u[3] - 0.5, u[4]], 100.0 * u[5], 1.0);
        for _ in 0..50 {
            let (time, wall) = first(&f).unwrap();
            assert!(time >= f.since);
            let middle = f.at(0.5 * (f.since + time), down);
            assert!(container.gap(wall, middle, 1.0, time) > -1e-12, "case {case}");
            let (x, v) = (f.at(time, down), f.velocity_at(time, down));
            assert!(container.gap(wall, x, 1.0, time).abs() < 1e-12, "case {case}");
            let n = container.normal(wall, x);
            assert!(v.dot(n) < 0.0, "case {case}");
            f = Flight {
                position: x,
                velocity: v - n * (2.0 * v.dot(n)),
                since: time,
                radius: 1.0,
            };
        }
    }
}

#[test]
fn one_that_slides_along_the_lateral_wall_moves_on() {
    let domain = Domain::new([10.0, 10.0, 30.0], [false, false, true]);
    let container = Container::cylinder(domain, 2, None).unwrap();
    let f = flight([9.0, 5.0, 1.0], [0.0, 1.0, 0.0], 0.0, 1.0);
    let (time, _) = container.first_wall(&f, Vector::ZERO, f64::INFINITY).unwrap();
    assert!(time > 0.0 && time < 1e-6);
    let x = f.at(time, Vector::ZERO);
    assert!(f.velocity.dot(container.normal(Wall::Lateral, x)) < 0.0);
    assert!(container.gap(Wall::Lateral, x, 1.0, time) > -2e-15);
}

#[test]
fn a_particle_at_rest_is_hit_within_a_period_or_never() {
    let container =
        Container::new_box(Domain::new([100.0], [false]), shaking(0, 2.0, 0.25, 0.0)).unwrap();
    let first =
        |x: f64| container.first_wall(&flight([x], [0.0], 0.5, 1.0), Vector::ZERO, f64::INFINITY);
    let (time, wall) = first(3.0 - 1e-9).unwrap();
    assert!((time - 1.0).abs() < 1e-4 && wall == lower::<1>(0));
    assert!((first(2.5).unwrap().0 - 0.75f64.asin() / std::f64::consts::FRAC_PI_2).abs() < 1e-15);
    assert_eq!(first(3.0 + 1e-9), None);
    // Touching at the crest is no impact: never closing without a gap.
    assert!(first(3.0).is_none_or(|(time, _)| (time - 1.0).abs() < 1e-7));
    let still =
        Container::new_box(Domain::new([100.0], [false]), shaking(0, 2.0, 0.0, 0.5)).unwrap();
    let f = flight([50.0], [-1.0], 0.0, 1.0);
    let (time, _) = still.first_wall(&f, Vector::ZERO, f64::INFINITY).unwrap();
    assert!((time - (49.0 - 2.0 * 0.5f64.sin())).abs() < 1e-13);
}

/// A flight that may meet both ends of a shaken container, of many kinds: fast and slow shaking,
/// weightless, falling, falling up, touching a wall to begin with, moving with the wall.
fn random_case(case: u64) -> (Container<1>, Flight<1>, Vector<1>, f64) {
    let u: [f64; 10] = std::array::from_fn(|k| uniform(case, k as u64));
    let amplitude = libm::pow(10.0, 3.0 * u[0] - 2.0);
    let frequency = libm::pow(10.0, 3.0 * u[1] - 2.0);
    let walls = Shaken::ALL[(case / 20 % 3) as usize];
    let s = Shaking { walls, axis: 0, amplitude, frequency, phase: 7.0 * u[2] - 3.5 };
    let gravity = [0.0, -1.0, 1.0, -10.0][(case % 4) as usize] * u[3];
    let edge = 2.0 + 2.0 * amplitude + 20.0 * u[4];
    let container = Container::new_box(Domain::new([edge], [false]), Some(s)).unwrap();
    let since = 1000.0 * u[5];
    let still = Displacement { offset: 0.0, velocity: 0.0, acceleration: 0.0 };
    let [low, high] = [false, true].map(|upper| if s.moves(upper) { s.at(since) } else { still });
    let room = edge - 2.0 + high.offset - low.offset;
    let (place, speed) = match case % 5 {
        // Touching a wall, moving nearly with it.
        0 => (1.0 + low.offset, low.velocity + 1e-3 * (u[6] - 0.5)),
        1 => (edge - 1.0 + high.offset, high.velocity + (u[6] - 0.5)),
        // At rest.
        2 => (1.0 + low.offset + u[7] * room, 0.0),
        _ => (1.0 + low.offset + u[7] * room, 20.0 * (u[6] - 0.5)),
    };
    let end = since + (3.0 / frequency).max(5.0);
    (container, flight([place], [speed], since, 1.0), Vector([gravity]), end)
}

#[test]
fn no_impact_on_an_oscillating_wall_is_missed_or_early() {
    const SAMPLES: u32 = 4000;
    let (mut impacts, mut evaluations, mut searches) = (0, 0, 0);
    for case in 0..10_000 {
        let (container, f, gravity, end) = random_case(case);
        let found = container.first_wall(&f, gravity, end);
        let last = found.map_or(end, |(time, _)| time);
        let speed = f.velocity[0].abs() + gravity[0].abs() * (last - f.since);
        let s = container.shaking().unwrap();
        let tolerance = 1e-12 * (1.0 + speed + s.amplitude * s.omega())
            + 4e-13 * s.amplitude * s.omega() * 10.0;
        let gap = |wall, t: f64| container.gap(wall, f.at(t, gravity), 1.0, t);
        if let Some((time, wall)) = found {
            impacts += 1;
            assert!(
                gap(wall, time).abs() < tolerance,
                "case {case}: {} at {time}",
                gap(wall, time)
            );
            let closing = f.velocity_at(time, gravity) - container.motion(wall, time)[0];
            assert!(closing.dot(container.normal(wall, f.position)) < 0.0, "case {case}");
        }
        for wall in container.walls() {
            for k in 0..=SAMPLES {
                let t = f.since + (last - f.since) * f64::from(k) / f64::from(SAMPLES);
                assert!(gap(wall, t) > -tolerance, "case {case}: {wall:?} at {t}, {found:?}");
            }
        }
        for upper in [false, true] {
            let approach = container.approach(&f, gravity, Face { axis: 0, upper });
            let found = approach.shaken(s, inwards(upper), last);
            evaluations += found.evaluations;
            searches += 1;
        }
    }
    assert!(impacts > 7_000, "{impacts}");
    let mean = f64::from(evaluations) / f64::from(searches);
    assert!(mean < 3.0, "{mean} evaluations per search");
}

#[test]
fn a_wall_that_hardly_moves_is_hit_as_a_still_one() {
    for case in 0..1000 {
        let u: [f64; 4] = std::array::from_fn(|k| uniform(case, k as u64));
        let s = shaking(0, 1e-12, 0.1, u[0]);
        let container = Container::new_box(Domain::new([1e4], [false]), s).unwrap();
        let f = flight([2.0 + 90.0 * u[1]], [10.0 * (u[2] - 0.5)], 0.0, 1.0);
        let (time, wall) = container.first_wall(&f, Vector([-u[3] - 0.1]), f64::INFINITY).unwrap();
        let still = first_reach(f.position[0] - 1.0, -f.velocity[0], u[3] + 0.1);
        assert!(
            wall == lower::<1>(0) && (time - still).abs() < 1e-10,
            "case {case}: {time}, {still}"
        );
    }
}

#[test]
fn the_end_of_the_search_changes_no_impact() {
    for case in 0..2000 {
        let (container, f, gravity, end) = random_case(case);
        let Some((time, wall)) = container.first_wall(&f, gravity, end) else { continue };
        assert_eq!(container.first_wall(&f, gravity, time), Some((time, wall)));
        assert_eq!(
            container.first_wall(&f, gravity, time + 0.5 * (end - time)),
            Some((time, wall))
        );
        if time > f.since {
            assert_eq!(container.first_wall(&f, gravity, time.next_down()), None);
        }
    }
}
