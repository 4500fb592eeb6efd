//! Tests where corners lie on edges and edges on edges: figures on a lattice, and gaps so small
//! that only exact arithmetic tells them from overlaps.

use super::*;

/// Shapes whose corners fall on each other's edges again and again.
fn lattice_shape(rng: &mut impl Rng) -> Polygon {
    match rng.random_range(0..4) {
        0 => Polygon::rectangle(2.0, 1.0),
        1 => Polygon::rectangle(1.0, 1.0),
        2 => Polygon::regular(4, 1.0),
        _ => Polygon::new(
            &[[0.0, 0.0], [2.0, 0.0], [3.0, 1.0], [3.0, 2.0], [1.0, 2.0], [0.0, 1.0]].map(Vector),
        )
        .expect("a hexagon on the lattice"),
    }
}

#[test]
fn on_a_lattice_overlaps_are_the_clippers_and_touching_is_none() {
    let mut rng = generator(6);
    let (mut touching, mut overlapping) = (0, 0);
    for case in 0..40_000 {
        let (p, q) = (lattice_shape(&mut rng), lattice_shape(&mut rng));
        let mut place = || {
            let position = Vector::from_fn(|_| f64::from(rng.random_range(-8..8)) * 0.25);
            let quarters = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
            Pose { position, turn: quarters[rng.random_range(0..4)] }
        };
        let (at, mut to) = (place(), place());
        if case % 2 == 1 {
            // the same place, missed by the last bit or two
            let nudge = f64::EPSILON * f64::from(rng.random_range(-2..3));
            to.position = to.position * (1.0 + nudge);
        }
        let (area, _) = moments(&clipped(&placed(&p, &at), &placed(&q, &to)));
        let (a, b) = (Outline::Polygon(p), Outline::Polygon(q));
        match overlap((&a, &at), (&b, &to)) {
            Some(found) => {
                assert!(
                    (found.area - area).abs() < 1e-14,
                    "case {case}: {} is not {area}",
                    found.area
                );
                assert!((found.centroid).norm() < 2.0, "case {case}: {:?}", found.centroid);
                overlapping += 1;
            }
            None => {
                assert!(area < 1e-14, "case {case}: missed {area}");
                let [p, q] = [&a, &b].map(|outline| outline.polygon().expect("a polygon"));
                let gap = brute_distance(&placed(p, &at), &placed(q, &to));
                touching += usize::from(gap < 1e-12);
            }
        }
    }
    assert!(touching > 2000 && overlapping > 10_000, "{touching} touch, {overlapping} overlap");
}

#[test]
fn nearly_parallel_edges_with_a_small_gap_have_the_distance_of_a_full_search() {
    let mut rng = generator(7);
    let mut total = FeatureCounters::default();
    for case in 0..40_000 {
        let (p, q) = (Polygon::regular(6, 1.0), Polygon::regular([6, 40][case % 2], 1.0));
        let small = |rng: &mut Xoshiro256PlusPlus| 10.0_f64.powf(rng.random_range(-16.0..-1.0));
        let (gap, lean, shift) = (small(&mut rng), small(&mut rng), rng.random_range(-1.0..1.0));
        let side = |polygon: &Polygon| {
            let [from, to] = [polygon.corners()[0], polygon.corners()[1]];
            ((from + to) * 0.5).norm()
        };
        // edge 0 of the first looks along +x, edge 0 of the second along -x
        let facing = |polygon: &Polygon| std::f64::consts::PI / polygon.corners().len() as f64;
        let at = Pose::new(Vector::ZERO, -facing(&p));
        let to = Pose::new(
            Vector([side(&p) + side(&q) + gap, shift]),
            std::f64::consts::PI - facing(&q) + lean,
        );
        let mut tracked = Tracked::default();
        for _ in 0..2 {
            let mut counters = FeatureCounters::default();
            let found = closest((&p, &at), (&q, &to), &mut tracked, &mut counters).distance;
            let right = brute_distance(&placed(&p, &at), &placed(&q, &to));
            assert!(
                (found - right).abs() < 1e-14,
                "case {case}: {found} is not {right} ({gap:e}, {lean:e})"
            );
            total += counters;
        }
    }
    // gaps of rounding only need the full search
    assert!(total.full_searches < total.calls / 5 && total.steps < 10 * total.calls, "{total:?}");
}

#[test]
fn a_wall_a_hundred_thousand_times_larger_is_no_harder() {
    let mut rng = generator(8);
    let wall = Polygon::rectangle(2e5, 2.0);
    let outline = Outline::Polygon(wall.clone());
    for case in 0..3000 {
        let p = any_polygon(&mut rng);
        let place = Vector([rng.random_range(-9e4..9e4), rng.random_range(0.5..2.5)]);
        let at = Pose::new(place, rng.random_range(-4.0..4.0));
        let to = Pose::new(Vector::ZERO, 0.0);
        let (area, _) = moments(&clipped(&placed(&p, &at), &placed(&wall, &to)));
        let a = Outline::Polygon(p);
        for (a, b) in [((&a, &at), (&outline, &to)), ((&outline, &to), (&a, &at))] {
            let found = overlap(a, b).map_or(0.0, |found| found.area);
            assert!((found - area).abs() < 1e-10, "case {case}: {found} is not {area}");
        }
    }
}
