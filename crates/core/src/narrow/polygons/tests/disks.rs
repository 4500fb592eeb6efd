//! Tests of disks.

use super::*;
use std::f64::consts::PI;

/// The same pair with a polygon of many corners and equal area instead of the disk.
fn fine(radius: f64) -> Outline {
    let corners = 100_000;
    let step = 2.0 * PI / corners as f64;
    Outline::Polygon(Polygon::regular(corners, radius * (step / step.sin()).sqrt()))
}

#[test]
fn a_disk_and_a_polygon_meet_as_the_polygon_does_with_a_very_fine_one() {
    let mut rng = generator(4);
    let mut kinds = [0; 4];
    let sizes = [0.8, 0.2].map(|radius| (Outline::Disk(radius), fine(radius)));
    for case in 0..400 {
        let (disk, round) = &sizes[case % 2];
        let shape = Outline::Polygon(any_polygon(&mut rng));
        let (at, to) = (any_pose(&mut rng, 2.0), any_pose(&mut rng, 1.6));
        let to = Pose { position: at.position + to.position, ..to };
        for swapped in [false, true] {
            let pick = |round| {
                if swapped { ((round, &to), (&shape, &at)) } else { ((&shape, &at), (round, &to)) }
            };
            let (found, right) = (pick(disk), pick(round));
            match (overlap(found.0, found.1), overlap(right.0, right.1)) {
                (Some(found), Some(right)) => {
                    assert!((found.area - right.area).abs() < 1e-8, "{found:?} {right:?}");
                    assert!((found.gradient - right.gradient).norm() < 1e-4, "{found:?} {right:?}");
                    assert!((found.moment - right.moment).abs() < 1e-4, "{found:?} {right:?}");
                    assert!(
                        ((found.centroid - right.centroid) * right.area).norm() < 1e-8,
                        "{found:?} {right:?}"
                    );
                    assert_eq!(found.crossings, right.crossings);
                    kinds[found.crossings as usize / 2] += 1;
                }
                (found, right) => assert_eq!(found.is_some(), right.is_some()),
            }
        }
    }
    assert!(kinds.iter().take(3).all(|&many| many > 10), "{kinds:?}");
}

#[test]
fn two_disks_overlap_in_a_lens() {
    let [r, s] = [1.3, 0.7];
    let (at, direction) = (Vector([0.4, -2.0]), Vector([0.6, -0.8]));
    for distance in [0.0, 0.3, 0.65, 0.9, 1.3, 1.9, 1.999, 2.0, 2.5_f64] {
        let to = at + direction * distance;
        let found = overlap(
            (&Outline::Disk(r), &Pose::new(at, 1.0)),
            (&Outline::Disk(s), &Pose::new(to, 2.0)),
        );
        let right = if distance >= r + s {
            assert!(found.is_none());
            continue;
        } else if distance <= r - s {
            PI * s * s
        } else {
            // the textbook's formula
            let angle = |r: f64, s: f64| {
                ((distance * distance + r * r - s * s) / (2.0 * distance * r)).acos()
            };
            let (u, v) = (angle(r, s), angle(s, r));
            r * r * (u - u.sin() * u.cos()) + s * s * (v - v.sin() * v.cos())
        };
        let found = found.expect("an overlap");
        assert!((found.area - right).abs() < 1e-12, "{} is not {right}", found.area);
    }
}

#[test]
fn a_lens_that_is_all_but_nothing_keeps_its_digits() {
    // depth d of equal disks: area 4/3 d^(3/2) r^(1/2) to leading order
    for depth in [1e-4, 1e-6, 1e-8_f64] {
        let to = Pose::new(Vector([2.0 - depth, 0.0]), 0.0);
        let found = overlap(
            (&Outline::Disk(1.0), &Pose::new(Vector::ZERO, 0.0)),
            (&Outline::Disk(1.0), &to),
        );
        let leading = 4.0 / 3.0 * depth.powf(1.5);
        let ratio = found.expect("an overlap").area / leading;
        assert!((ratio - 1.0).abs() < depth, "{depth}: {ratio}");
    }
}

#[test]
fn a_disk_that_reaches_just_over_an_edge_keeps_its_digits() {
    let square = Outline::Polygon(Polygon::rectangle(2.0, 2.0));
    for depth in [1e-4, 1e-6, 1e-8_f64] {
        let to = Pose::new(Vector([2.0 - depth, 0.3]), 0.0);
        let found = overlap((&square, &Pose::new(Vector::ZERO, 0.0)), (&Outline::Disk(1.0), &to))
            .expect("an overlap");
        let leading = 4.0 / 3.0 * 2.0_f64.sqrt() * depth.powf(1.5);
        assert!(
            (found.area / leading - 1.0).abs() < depth + 1e-16 / depth,
            "{depth}: {}",
            found.area / leading
        );
        assert_eq!(found.crossings, 2);
    }
}

#[test]
fn a_disk_apart_from_a_polygon_is_as_far_as_its_closest_feature() {
    let square = Outline::Polygon(Polygon::rectangle(2.0, 2.0));
    let disk = Outline::Disk(0.5);
    let at = Pose::new(Vector::ZERO, 0.0);
    let mut counters = FeatureCounters::default();
    for (x, y, distance) in
        [(2.0, 0.0, 0.5), (2.0, 0.9, 0.5), (4.0, 5.0, 4.5), (0.2, -3.0, 1.5), (-1.5, 0.0, 0.0)]
    {
        let to = Pose::new(Vector([x, y]), 0.0);
        for (a, b) in [((&square, &at), (&disk, &to)), ((&disk, &to), (&square, &at))] {
            assert_eq!(
                meet(a, b, &mut Tracked::default(), &mut counters),
                Meeting::Apart(distance)
            );
        }
    }
    assert_eq!(counters.full_searches, 0);
}

#[test]
fn a_disk_inside_and_a_polygon_inside_a_disk_do_not_pull() {
    let square = Outline::Polygon(Polygon::rectangle(2.0, 2.0));
    let at = Pose::new(Vector([3.0, 4.0]), 0.5);
    let centre = Pose::new(Vector([3.1, 4.0]), 0.0);
    for (radius, area) in [(0.5, 0.25 * PI), (2.0, 4.0)] {
        let found = overlap((&square, &at), (&Outline::Disk(radius), &centre)).expect("an overlap");
        assert_eq!((found.crossings, found.gradient, found.moment), (0, Vector::ZERO, 0.0));
        assert!((found.area - area).abs() < 1e-15);
    }
}
