//! Exchanges, lists and sorting, with the worked table and the two worst cases of Schinner (1999).

use super::*;
use crate::random::{Purpose, Random};

/// Sorts all axes for boxes that have moved; returns the number of exchanges.
fn sort<const D: usize>(
    endpoints: &mut Endpoints<D>,
    places: &mut [Places; D],
    sides: impl Fn(usize, u32) -> [f64; 2],
) -> u64 {
    let mut exchanges = 0;
    for axis in 0..D {
        (0..endpoints.count() as u32 / 2).for_each(|i| places[axis].follow(i, sides(axis, i)));
        exchanges += endpoints.sort(axis, &mut places[axis], u64::MAX).unwrap_or_default();
        endpoints.assert_sorted(axis, &places[axis]);
    }
    endpoints.assert_well_formed();
    exchanges
}

fn at<const N: usize>(intervals: [[f64; 2]; N]) -> impl Fn(Endpoint) -> f64 {
    move |endpoint| intervals[endpoint.owner() as usize][endpoint.side()]
}

fn built<const N: usize>(intervals: [[f64; 2]; N]) -> Endpoints<1> {
    let mut endpoints = Endpoints::default();
    let place = at(intervals);
    endpoints.build(N, |_| true, |_, endpoint| place(endpoint));
    endpoints.assert_well_formed();
    endpoints
}

fn near<const D: usize>(endpoints: &Endpoints<D>, particle: u32) -> Vec<u32> {
    let mut near: Vec<u32> = endpoints.near(particle).collect();
    near.sort_unstable();
    near
}

#[test]
fn the_example_of_schinners_table_2_takes_two_exchanges_and_adds_one_pair() {
    let (b, e) = (Endpoint::begin, Endpoint::end);
    // b1 b2 e1 e2 b3 e3, particles counted from 0.
    let mut endpoints = built([[0.0, 2.0], [1.0, 3.0], [4.0, 5.0]]);
    let order: Vec<_> = (0..6).map(|rank| endpoints.at(0, rank)).collect();
    assert_eq!(order, [b(0), b(1), e(0), e(1), b(2), e(2)]);
    assert_eq!(near(&endpoints, 0), [1]);
    let mut by_hand = endpoints.clone();
    // Step 1: b1 <-> b2, none; step 4: e2 <-> b3, add (2;3).
    assert_eq!(by_hand.exchange(0, 0), Exchange::Unchanged);
    assert_eq!(by_hand.exchange(0, 3), Exchange::Gained([1, 2]));
    let moved = [[1.0, 2.0], [0.0, 4.0], [3.0, 5.0]];
    let mut places = [Places::new(3, None)];
    assert_eq!(sort(&mut endpoints, &mut places, |_, i| moved[i as usize]), 2);
    for endpoints in [by_hand, endpoints] {
        let order: Vec<_> = (0..6).map(|rank| endpoints.at(0, rank)).collect();
        assert_eq!(order, [b(1), b(0), e(0), b(2), e(1), e(2)]);
        assert_eq!(near(&endpoints, 1), [0, 2]);
        endpoints.assert_well_formed();
    }
}

/// All four rows of Tables 1 and 3, apart and overlapping along the other axis.
#[test]
fn exchanges_follow_schinners_tables_1_and_3() {
    for (other, overlap) in [([0.0, 1.0], true), ([5.0, 6.0], false)] {
        let mut endpoints = Endpoints::<2>::default();
        let along_y = at([[0.0, 1.0], other]);
        let along_x = at([[0.0, 1.0], [2.0, 3.0]]);
        endpoints.build(2, |_| true, |axis, e| if axis == 0 { along_x(e) } else { along_y(e) });
        let said = |gained| if overlap { gained } else { Exchange::Unchanged };
        // b0 e0 b1 e1, then: e0 b1 is exchanged, b0 b1, e0 e1, b0 e1.
        assert_eq!(endpoints.exchange(0, 1), said(Exchange::Gained([0, 1])));
        assert_eq!(endpoints.exchange(0, 0), Exchange::Unchanged);
        assert_eq!(endpoints.exchange(0, 2), Exchange::Unchanged);
        endpoints.assert_well_formed();
        assert_eq!(endpoints.exchange(0, 1), said(Exchange::Lost([0, 1])));
        assert!(near(&endpoints, 0).is_empty());
        endpoints.assert_well_formed();
    }
}

#[test]
fn one_that_touches_overlaps() {
    assert_eq!(near(&built([[0.0, 1.0], [1.0, 2.0]]), 0), [1]);
    assert_eq!(near(&built([[1.0, 2.0], [0.0, 1.0]]), 0), [1]);
    assert_eq!(near(&built([[-1.0, -0.0], [0.0, 1.0]]), 0), [1]);
    assert!(near(&built([[0.0, 1.0], [1.0 + f64::EPSILON, 2.0]]), 0).is_empty());
}

#[test]
fn intervals_across_the_seam_overlap_at_both_of_its_sides() {
    // A circle of 10: 0 reaches from 9 to 1, 1 from 8.5 to 9.5, 2 from 0.5 to 2, 3 from 4 to 5.
    let endpoints = built([[9.0, 1.0], [8.5, 9.5], [0.5, 2.0], [4.0, 5.0]]);
    assert_eq!(near(&endpoints, 0), [1, 2]);
    assert!(near(&endpoints, 3).is_empty());
}

#[test]
fn a_pair_is_listed_once_however_often_it_is_added() {
    let mut lists = Neighbours::new(3);
    assert!(lists.add([0, 1]) && !lists.add([1, 0]) && lists.add([2, 0]));
    lists.assert_well_formed();
    assert!(lists.remove([1, 0]) && !lists.remove([0, 1]));
    lists.assert_well_formed();
    assert_eq!(lists.of(0).collect::<Vec<_>>(), [2]);
}

/// Boxes between walls or on a circle of 8, of which one is long. In odd rounds they jump, in
/// others they continue a little; in every third they lie on whole numbers.
fn sides(round: u64, axis: usize, particle: u32, period: Option<f64>) -> [f64; 2] {
    let random = Random::new(11);
    let u = |k| random.uniform(Purpose::Waiting, [round / 2, axis as u64, u64::from(particle), k]);
    let x = 8.0 * u(0) + 0.6 * u(1) * (round % 2) as f64;
    let centre = if round.is_multiple_of(3) { x.floor() } else { x };
    let half = if particle == 0 { 2.5 } else { 0.5 };
    let wrapped = period.map_or(centre, |period| centre.rem_euclid(period));
    [wrapped - half, wrapped + half]
}

/// 40 boxes, 30 rounds: order and lists are what they would be if built anew.
#[test]
fn sorting_anew_keeps_the_lists() {
    for periods in [[None; 3], [Some(8.0); 3], [None, Some(8.0), None]] {
        let sides = |round, axis: usize, i| sides(round, axis, i, periods[axis]);
        let anew = |round| {
            let mut places = periods.map(|period| Places::new(40, period));
            for axis in 0..3 {
                (0..40).for_each(|i| places[axis].put(i, sides(round, axis, i), 0.0));
            }
            let mut endpoints = Endpoints::<3>::default();
            endpoints.build(40, |_| true, |axis, e| places[axis].of(e));
            (endpoints, places)
        };
        let (mut endpoints, mut places) = anew(0);
        for round in 1..30 {
            let exchanges = sort(&mut endpoints, &mut places, |axis, i| sides(round, axis, i));
            assert!(exchanges > 10, "{exchanges} in round {round}, {periods:?}");
            let (anew, _) = anew(round);
            assert!((0..40).all(|i| near(&anew, i) == near(&endpoints, i)), "round {round}");
        }
    }
}

#[test]
fn particles_come_go_and_change_their_names() {
    for period in [None, Some(8.0)] {
        let sides = |round, i| [0, 1].map(|axis| sides(round, axis, i, period));
        let mut places = [0, 1].map(|_| Places::new(30, period));
        let mut endpoints = Endpoints::<2>::default();
        endpoints.build(0, |_| true, |_, _| 0.0);
        endpoints.cover(30);
        for i in 0..30 {
            endpoints.insert(i, sides(1, i), &mut places);
            endpoints.assert_well_formed();
            (0..2).for_each(|axis| endpoints.assert_sorted(axis, &places[axis]));
        }
        for i in 0..30 {
            for axis in 0..2 {
                places[axis].follow(i, sides(2, i)[axis]);
                endpoints.settle_box(axis, i, &mut places[axis]);
                endpoints.assert_sorted(axis, &places[axis]);
            }
            endpoints.assert_well_formed();
        }
        let before = near(&endpoints, 9);
        endpoints.rename(15, &mut places, |i| (i % 2 == 1).then_some(14 - i / 2));
        endpoints.assert_well_formed();
        (0..2).for_each(|axis| endpoints.assert_sorted(axis, &places[axis]));
        let mut expected: Vec<_> =
            before.iter().filter(|&i| i % 2 == 1).map(|i| 14 - i / 2).collect();
        expected.sort_unstable();
        assert_eq!(near(&endpoints, 10), expected);
    }
}

/// Schinner's Figure 6: a tower whose order is reversed within a step.
#[test]
fn a_reversed_tower_takes_every_exchange_once_and_then_none() {
    let n = 50_u32;
    let tower = |reversed: bool| {
        move |_, i: u32| {
            let place = f64::from(if reversed { n - 1 - i } else { i });
            // The beginnings of all lie below the ends of all: no particle stops overlapping.
            [place, place + 100.0]
        }
    };
    let mut places = [Places::new(n as usize, None)];
    (0..n).for_each(|i| places[0].put(i, tower(false)(0, i), 0.0));
    let mut endpoints = Endpoints::<1>::default();
    endpoints.build(n as usize, |_| true, |_, e| places[0].of(e));
    // N (N - 1) / 2 for the beginnings and as many for the ends.
    let all = u64::from(n * (n - 1));
    assert_eq!(endpoints.clone().sort(0, &mut places.clone()[0], 0), Some(0));
    assert_eq!(sort(&mut endpoints, &mut places, tower(true)), all);
    assert_eq!(sort(&mut endpoints, &mut places, tower(true)), 0);
    assert!((0..n).all(|i| near(&endpoints, i).len() == n as usize - 1));
    // With less work allowed it says so.
    (0..n).for_each(|i| places[0].follow(i, tower(false)(0, i)));
    assert_eq!(endpoints.sort(0, &mut places[0], all - 1), None);
    endpoints.assert_well_formed();
}

/// Schinner's Figure 5: the box of a long, tilted particle holds many small ones. All of them are
/// its neighbours, none is another's, and to continue together takes no exchange at all.
#[test]
fn a_long_particle_neighbours_all_in_its_box_at_no_cost_in_sorting() {
    let sides = |shift: f64| {
        move |axis: usize, i: u32| {
            let centre = if axis == 0 { f64::from(i % 10) } else { f64::from(i / 10) };
            if i == 100 {
                [-1.0 + shift, 10.0 + shift]
            } else {
                [centre + shift, centre + 0.5 + shift]
            }
        }
    };
    let mut places = [0, 1].map(|_| Places::new(101, None));
    for (axis, places) in places.iter_mut().enumerate() {
        (0..101).for_each(|i| places.put(i, sides(0.0)(axis, i), 0.0));
    }
    let mut endpoints = Endpoints::<2>::default();
    endpoints.build(101, |_| true, |axis, e| places[axis].of(e));
    assert_eq!(sort(&mut endpoints, &mut places, sides(0.25)), 0);
    assert_eq!(near(&endpoints, 100), (0..100).collect::<Vec<_>>());
    assert!((0..100).all(|i| near(&endpoints, i) == [100]));
}
