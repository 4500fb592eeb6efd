//! Disks that do not overlap, and boxes to put them in.

use super::super::exact::Circle;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::Vector;

/// `count` balls in the unit box, with radii from `least` up to 100 times that: each as large as
/// drawn, evenly on a logarithmic scale, or as there is room for, so that about half of them touch
/// another.
pub(in super::super) fn crowd<const D: usize>(
    seed: u64,
    count: usize,
    least: f64,
) -> Vec<(Vector<D>, f64)> {
    let random = Random::new(seed);
    let mut balls: Vec<(Vector<D>, f64)> = Vec::new();
    for n in 0..1_000_000 {
        if balls.len() == count {
            break;
        }
        let draw = |k: usize| random.uniform(Purpose::Placement, [n, k as u64, 0, 0]);
        let centre = Vector::from_fn(draw);
        let walls = (0..D).map(|k| centre[k].min(1.0 - centre[k])).fold(1.0, f64::min);
        let room = balls.iter().map(|ball| (ball.0 - centre).norm() - ball.1).fold(walls, f64::min);
        if room > least {
            balls.push((centre, room.min(least * libm::exp10(2.0 * draw(D)))));
        }
    }
    assert_eq!(balls.len(), count, "there is room");
    balls
}

/// `side`² disks of the same radius in rows and columns.
pub(super) fn square_lattice(side: usize, radius: f64) -> Vec<Circle> {
    let step = 1.0 / side as f64;
    (0..side * side)
        .map(|k| {
            (
                Vector([((k % side) as f64 + 0.5) * step, ((k / side) as f64 + 0.5) * step]),
                radius * step,
            )
        })
        .collect()
}

/// `side` rows of `side` disks of the same radius, every other row half a step aside.
pub(super) fn hexagonal_lattice(side: usize, radius: f64) -> Vec<Circle> {
    let step = 1.0 / (side as f64 + 0.5);
    let at = |row: usize, k: usize| {
        let x = (k as f64 + 0.5 + 0.5 * (row % 2) as f64) * step;
        Vector([x, (0.5 + row as f64 * 0.75_f64.sqrt()) * step])
    };
    (0..side * side).map(|k| (at(k / side, k % side), radius * step)).collect()
}

/// `count` disks on a line of the given direction, at uneven distances, in no order.
pub(super) fn line(count: usize, direction: [f64; 2]) -> Vec<Circle> {
    // 31 has no factor in common with any smaller count.
    let place = |k: usize| (k * 31 % count) as f64;
    (0..count)
        .map(|k| {
            let along = (place(k) + 0.1 * (place(k) * 0.37).fract() + 0.5) / (count as f64 + 1.0);
            (Vector([0.5, 0.5]) + Vector(direction) * (along - 0.5), 0.2 / count as f64)
        })
        .collect()
}
