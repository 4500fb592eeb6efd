//! Balls in special places.

use super::super::grid::Sphere;
use jostle_core::space::Vector;

/// `sides` rows of balls of the same radius along the axes, in the unit box.
pub(super) fn rows(sides: [usize; 3], radius: f64) -> Vec<Sphere> {
    let step = 1.0 / sides.into_iter().max().unwrap_or(1) as f64;
    let mut balls = Vec::new();
    for x in 0..sides[0] {
        for y in 0..sides[1] {
            for z in 0..sides[2] {
                let at = Vector([x, y, z].map(|n| (n as f64 + 0.5) * step));
                balls.push((at, radius * step));
            }
        }
    }
    balls
}

/// Cubes with a ball in each face: eight and six lie on spheres.
pub(super) fn face_centred(side: usize) -> Vec<Sphere> {
    let step = 1.0 / (side as f64 + 0.5);
    let offsets = [[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]];
    rows([side; 3], 0.0)
        .iter()
        .flat_map(|(at, _)| {
            let cell = at.0.map(|x| (x * side as f64).floor());
            offsets.map(|offset| {
                let at = Vector::from_fn(|k| (cell[k] + offset[k] + 0.25) * step);
                (at, 0.499 * 0.5_f64.sqrt() * step)
            })
        })
        .collect()
}
