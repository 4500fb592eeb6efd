//! Tests of overlaps of two polygons.

use super::*;

#[test]
fn overlaps_of_random_pairs_are_those_of_a_clipper() {
    let mut rng = generator(1);
    let (mut overlapping, mut many) = (0, 0);
    for _ in 0..100_000 {
        let (p, q) = (any_polygon(&mut rng), any_polygon(&mut rng));
        let (at, to) = (any_pose(&mut rng, 3.0), any_pose(&mut rng, 1.0));
        let to = Pose { position: at.position + to.position, ..to };
        let (area, sum) = moments(&clipped(&placed(&p, &at), &placed(&q, &to)));
        let (p, q) = (Outline::Polygon(p), Outline::Polygon(q));
        match overlap((&p, &at), (&q, &to)) {
            Some(found) => {
                overlapping += 1;
                many += usize::from(found.crossings > 2);
                assert!((found.area - area).abs() < 1e-13 * 16.0, "{} {area}", found.area);
                let moment = (found.centroid + at.position) * found.area;
                assert!((moment - sum).norm() < 1e-12 * 16.0, "{:?} {sum:?}", moment);
            }
            None => assert!(area.abs() < 1e-14, "missed an overlap of {area}"),
        }
    }
    assert!(
        overlapping > 30_000 && many > 5_000,
        "{overlapping} overlap, {many} with four crossings or more"
    );
}

fn square(side: f64) -> Outline {
    Outline::Polygon(Polygon::rectangle(side, side))
}

/// A square of side 2 at the origin against one at `(x, y)`, turned by `degrees`.
fn squares(x: f64, y: f64, degrees: f64) -> Option<Overlap> {
    let to = Pose::new(Vector([x, y]), degrees.to_radians());
    overlap((&square(2.0), &Pose::new(Vector::ZERO, 0.0)), (&square(2.0), &to))
}

#[test]
fn squares_overlap_as_one_reads_off() {
    let root = 2.0_f64.sqrt();
    // edge against edge, a corner in a corner, all the same, an eighth-turn star,
    // a corner through an edge, a corner at the centre
    let sin_cos = 30.0_f64.to_radians().sin_cos();
    let reach = sin_cos.0 + sin_cos.1;
    for (x, y, degrees, area, crossings) in [
        (1.5, 0.0, 0.0, 1.0, 2),
        (1.5, 1.5, 0.0, 0.25, 2),
        (0.0, 0.0, 45.0, 8.0 * (root - 1.0), 8),
        (1.0 + root - 0.5, 0.0, 45.0, 0.25, 2),
        (1.0 + root - 1.0, 0.0, 45.0, 1.0, 2),
        (1.0 + reach - 0.1, 0.0, 30.0, 0.005 * (1.0 / sin_cos.0 / sin_cos.1), 2),
    ] {
        let found = squares(x, y, degrees).expect("an overlap");
        assert!(
            (found.area - area).abs() < 1e-14,
            "({x}, {y}) {degrees}: {} is not {area}",
            found.area
        );
        assert_eq!(found.crossings, crossings, "({x}, {y}) {degrees}");
    }
    let same = squares(0.0, 0.0, 0.0).expect("an overlap");
    assert_eq!(same.area, 4.0);
}

#[test]
fn touching_is_no_overlap() {
    let root = 2.0_f64.sqrt();
    assert_eq!(squares(2.0, 0.0, 0.0), None, "edge to edge");
    assert_eq!(squares(2.0, 0.7, 0.0), None, "part of an edge");
    assert_eq!(
        squares(-2.0, 0.7, 90.0).map_or(0.0, |found| found.area).max(1e-16),
        1e-16,
        "turned, to rounding"
    );
    assert_eq!(squares(2.0, -2.0, 0.0), None, "corner to corner");
    assert!(
        squares(1.0 + root, 0.0, 45.0).is_none_or(|found| found.area < 1e-15),
        "corner on an edge"
    );
    let at = Pose::new(Vector::ZERO, 0.0);
    let mut counters = FeatureCounters::default();
    let apart = meet(
        (&square(2.0), &at),
        (&square(2.0), &Pose::new(Vector([2.0, 0.7]), 0.0)),
        &mut Tracked::default(),
        &mut counters,
    );
    assert_eq!(apart, Meeting::Apart(0.0));
}

#[test]
fn one_inside_the_other_has_its_area_and_no_gradient() {
    for (outer, inner, at) in
        [(4.0, 1.0, [0.5, -0.5]), (1.0, 4.0, [0.5, -0.5]), (4.0, 1.0, [0.0, 0.0])]
    {
        let found = overlap(
            (&square(outer), &Pose::new(Vector([7.0, 7.0]), 0.2)),
            (&square(inner), &Pose::new(Vector([7.0 + at[0], 7.0 + at[1]]), 0.1)),
        );
        let found = found.expect("an overlap");
        assert_eq!(
            (found.area, found.crossings, found.gradient, found.moment),
            (1.0, 0, Vector::ZERO, 0.0)
        );
        let centroid = if inner < outer { Vector(at) } else { Vector::ZERO };
        assert!((found.centroid - centroid).norm() < 1e-14);
    }
}

#[test]
fn a_thin_one_right_through_another_crosses_four_times() {
    let bar = Outline::Polygon(Polygon::rectangle(6.0, 0.2));
    let found = overlap(
        (&square(2.0), &Pose::new(Vector::ZERO, 0.0)),
        (&bar, &Pose::new(Vector([0.3, 0.4]), 0.0)),
    );
    let found = found.expect("an overlap");
    assert_eq!(found.crossings, 4);
    assert!((found.area - 0.4).abs() < 1e-15 && found.gradient.norm() < 1e-15);
    assert!((found.centroid - Vector([0.0, 0.4])).norm() < 1e-14);
    // moving along the bar changes nothing, turning it does, by the lever of its middle
    let lever = 0.0;
    assert!((found.moment - lever).abs() < 1e-14, "{}", found.moment);
}

#[test]
fn gradient_and_moment_are_the_derivatives_of_the_area() {
    let mut rng = generator(5);
    let (mut looked, mut largest) = (0, 0.0_f64);
    for case in 0..3000 {
        let shape = |rng: &mut Xoshiro256PlusPlus, disk: bool| {
            if disk {
                Outline::Disk(rng.random_range(0.3..1.0))
            } else {
                Outline::Polygon(any_polygon(rng))
            }
        };
        let (a, b) = (shape(&mut rng, case % 4 == 1), shape(&mut rng, case % 4 == 2));
        let (b, angle, turn) =
            if case % 4 == 3 { (Outline::Disk(0.9), 0.4, 0.0) } else { (b, 0.4, 1.1) };
        let (at, to) =
            (Vector([2.0, -1.0]), Vector([2.0, -1.0]) + any_pose(&mut rng, 1.4).position);
        let area = |at: Vector<2>, angle: f64, to: Vector<2>, turn: f64| {
            overlap((&a, &Pose::new(at, angle)), (&b, &Pose::new(to, turn)))
                .map_or(0.0, |found| found.area)
        };
        let Some(found) = overlap((&a, &Pose::new(at, angle)), (&b, &Pose::new(to, turn))) else {
            continue;
        };
        let h = 1e-5;
        let slope = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
        let x = slope(&|h| area(at + Vector([h, 0.0]), angle, to, turn));
        let y = slope(&|h| area(at + Vector([0.0, h]), angle, to, turn));
        let first = slope(&|h| area(at, angle + h, to, turn));
        let second = slope(&|h| area(at, angle, to, turn + h));
        let others = -found.moment + cross(to - at, found.gradient);
        // where a corner is about to cross an edge the slopes differ by what h makes of it
        for (slope, exact) in [
            (x, found.gradient[0]),
            (y, found.gradient[1]),
            (first, found.moment),
            (second, others),
        ] {
            largest = largest.max((slope - exact).abs());
            assert!((slope - exact).abs() < 3e-4, "case {case}: {slope} is not {exact}");
        }
        looked += 1;
    }
    assert!(looked > 1000, "{looked}, {largest}");
}

#[test]
fn one_arc_has_the_chord_turned_by_a_right_angle_as_its_gradient() {
    // a corner of the first through an edge of the second: the crossings lie on that edge
    let found = overlap(
        (&square(2.0), &Pose::new(Vector::ZERO, 45.0_f64.to_radians())),
        (&square(10.0), &Pose::new(Vector([5.0 + 2.0_f64.sqrt() - 0.3, 0.0]), 0.0)),
    );
    let found = found.expect("an overlap");
    assert!((found.gradient - Vector([0.6, 0.0])).norm() < 1e-14, "{:?}", found.gradient);
    assert!(found.moment.abs() < 1e-14);
    assert!((found.centroid - Vector([2.0_f64.sqrt() - 0.2, 0.0])).norm() < 1e-14);
    assert!((found.area - 0.09).abs() < 1e-15);
}
