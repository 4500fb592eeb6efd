//! What these tests are made of: the worlds of `jostle validate`, in which nothing may go wrong.

use jostle::polygons::{Polygons, RunFault, Setup};
pub(crate) use jostle_lab::validate::polygons::world::{
    ROUGH, SMOOTH, floor, forces, length, place, put, rectangle, regular, sum_of_balance, velocity,
    wall, world,
};

pub(crate) fn start(world: Setup) -> Polygons {
    Polygons::new(world).unwrap_or_else(|fault| panic!("{fault}"))
}

pub(crate) fn run(engine: &mut Polygons, steps: u64) {
    for _ in 0..steps {
        step(engine);
    }
}

pub(crate) fn step(engine: &mut Polygons) {
    engine.step().unwrap_or_else(|fault: RunFault| panic!("{fault}"));
}

#[track_caller]
pub(crate) fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{what}: {found} instead of {expected} +- {tolerance}"
    );
}

/// The slope of a line through (log x, log y) of successive pairs, halving x: the order of
/// convergence.
pub(crate) fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}
