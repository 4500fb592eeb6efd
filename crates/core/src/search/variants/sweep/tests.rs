//! Drift, newcomers, and when all is sorted afresh.

use super::*;
use crate::search::{Pair, Search};
use crate::space::{Groups, Vector};

/// Particles of radius 0.4 that move by `step` in each window.
fn with<R>(position: &[Vector<2>], step: Vector<2>, f: impl FnOnce(&Paths<'_, 2>) -> R) -> R {
    let n = position.len();
    f(&Paths {
        domain: &Domain::new([20.0; 2], [true, false]),
        position,
        velocity: &vec![step; n],
        since: &vec![0.0; n],
        radius: &vec![0.4; n],
        group: &vec![0; n],
        groups: &Groups::all(),
        alive: &vec![true; n],
    })
}

fn block() -> Vec<Vector<2>> {
    (0..100)
        .map(|i| Vector([f64::from(i % 10) * 0.9 + 0.05, f64::from(i / 10) * 0.9 + 0.5]))
        .collect()
}

fn pairs(sweep: &EndpointSearch<2>, position: &[Vector<2>], step: Vector<2>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    with(position, step, |paths| sweep.pairs(paths, &mut pairs));
    pairs.sort_unstable();
    pairs
}

/// Three times round the box.
#[test]
fn one_that_drifts_together_is_sorted_once_and_exchanges_nothing() {
    let step = Vector([0.3, 0.0]);
    let (mut sweep, mut position) = (EndpointSearch::new(), block());
    with(&position, step, |paths| sweep.refit(paths, Window::STEP));
    let first = pairs(&sweep, &position, step);
    // Along x only: there boxes are 1.1 wide, along y 0.8.
    assert_eq!(first.len(), 90);
    let domain = Domain::new([20.0; 2], [true, false]);
    for _ in 0..200 {
        position.iter_mut().for_each(|x| *x = domain.wrap(*x + step).0);
        with(&position, step, |paths| sweep.refit(paths, Window::STEP));
        sweep.assert_well_formed();
        assert_eq!(pairs(&sweep, &position, step), first);
    }
    assert_eq!(sweep.sorts(), 1);
    // Equal places, but for rounding.
    let relinks = Broad::<2>::counters(&sweep).relinks;
    assert!(relinks < 2000, "{relinks} exchanges");
}

#[test]
fn a_few_newcomers_are_inserted_and_many_are_a_reason_to_sort_afresh() {
    let step = Vector([0.1, 0.1]);
    let (mut sweep, position) = (EndpointSearch::new(), block());
    for (n, sorts) in [(70, 1), (71, 1), (70 + FEW, 1), (60, 1), (60 + FEW, 1), (61 + 2 * FEW, 2)] {
        with(&position[..n], step, |paths| sweep.refit(paths, Window::STEP));
        sweep.assert_well_formed();
        assert_eq!(sweep.sorts(), sorts, "{n} particles");
        let mut afresh = EndpointSearch::new();
        with(&position[..n], step, |paths| afresh.refit(paths, Window::STEP));
        assert_eq!(pairs(&sweep, &position[..n], step), pairs(&afresh, &position[..n], step));
    }
}

#[test]
fn what_moves_everywhere_is_sorted_afresh() {
    let (mut sweep, mut position) = (EndpointSearch::new(), block());
    for turn in 1..3 {
        with(&position, Vector::ZERO, |paths| sweep.refit(paths, Window::STEP));
        sweep.assert_well_formed();
        assert_eq!(sweep.sorts(), turn);
        position.reverse();
        position.swap(3, 60);
    }
}

#[test]
fn one_that_was_removed_with_the_last_slot_is_no_particles_neighbour() {
    let (mut sweep, position) = (EndpointSearch::new(), block());
    let step = Vector([0.3, 0.3]);
    with(&position, step, |paths| sweep.refit(paths, Window::STEP));
    Broad::<2>::remove(&mut sweep, 99);
    let left = pairs(&sweep, &position[..99], step);
    assert!(!left.is_empty() && left.iter().all(|pair| pair.1 < 99));
    with(&position[..99], step, |paths| sweep.near(98, paths, &mut Vec::new()));
    with(&position[..99], step, |paths| sweep.refit(paths, Window::STEP));
    sweep.assert_well_formed();
    assert_eq!(pairs(&sweep, &position[..99], step), left);
}
