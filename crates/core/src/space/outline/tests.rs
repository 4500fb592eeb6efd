//! Tests of outlines: areas, moments and tight boxes.

use super::*;
use std::f64::consts::PI;

/// The box of all corners, one by one.
fn box_of(polygon: &Polygon, pose: &Pose) -> [[f64; 2]; 2] {
    let places = || polygon.corners().iter().map(|&corner| pose.direction(corner));
    [0, 1].map(|axis| {
        let low = places().map(|place| place[axis]).fold(f64::INFINITY, f64::min);
        let high = places().map(|place| place[axis]).fold(f64::NEG_INFINITY, f64::max);
        [pose.position[axis] + low, pose.position[axis] + high]
    })
}

#[test]
fn the_box_of_a_turning_polygon_is_that_of_its_corners_to_the_last_bit_wherever_the_climb_began() {
    for polygon in
        [Polygon::regular(3, 1.0), Polygon::regular(128, 2.0), Polygon::rectangle(5.0, 0.1)]
    {
        let outline = Outline::Polygon(polygon.clone());
        let mut extremes = [0; 4];
        for step in 0..2000 {
            let pose = Pose::new(Vector([1.0, -3.0]), 0.01 * f64::from(step));
            let tight = outline.bounds(&pose, &mut extremes);
            assert_eq!(tight, box_of(&polygon, &pose));
            assert_eq!(tight, outline.bounds(&pose, &mut [step as u32 % 7; 4]), "afresh");
        }
    }
}

#[test]
fn an_ellipse_has_its_own_area_moment_and_box_and_its_polygon_the_same_area() {
    let ellipse = Ellipse::new([3.0, 1.0], 24);
    let outline = Outline::Ellipse(ellipse.clone());
    assert!((outline.area() - 3.0 * PI).abs() < 1e-14);
    assert!((outline.second_moment() - 3.0 * PI * 10.0 / 4.0).abs() < 1e-13);
    assert!((ellipse.polygon().area() - outline.area()).abs() < 1e-13);
    for step in 0..100 {
        let pose = Pose::new(Vector([0.5, 0.25]), 0.1 * f64::from(step));
        let tight = outline.bounds(&pose, &mut [0; 4]);
        let corners = box_of(ellipse.polygon(), &pose);
        let own = |axis: usize| {
            let [a, b] =
                if axis == 0 { [pose.turn[0], pose.turn[1]] } else { [pose.turn[1], pose.turn[0]] };
            (9.0 * a * a + b * b).sqrt()
        };
        for axis in 0..2 {
            let high = pose.position[axis] + own(axis);
            assert!(
                tight[axis][1] >= corners[axis][1] - 1e-15 && tight[axis][1] >= high,
                "holds both"
            );
            assert!(tight[axis][1] - high <= ellipse.error() + 1e-15, "tight");
            assert!(tight[axis][0] <= corners[axis][0] + 1e-15);
        }
    }
}

#[test]
fn the_error_of_an_ellipse_is_the_largest_distance_of_its_polygon_from_it() {
    for (axes, corners) in [([3.0, 1.0], 8), ([1.0, 1.0], 12), ([0.5, 4.0], 33), ([2.0, 1.9], 64)] {
        let ellipse = Ellipse::new(axes, corners);
        let fine = Polygon::about_centroid(
            (0..40_000)
                .map(|k| {
                    let (sine, cosine) = (PI * f64::from(k) / 20_000.0).sin_cos();
                    Vector([axes[0] * cosine, axes[1] * sine])
                })
                .collect(),
        );
        // from the polygon's corners, and from points on its edges, to the nearest of the ellipse
        let mut farthest = 0.0_f64;
        for edge in ellipse.polygon().edges() {
            for part in 0..8 {
                let at = edge.start + edge.along * (edge.length * f64::from(part) / 8.0);
                let nearest = fine
                    .corners()
                    .iter()
                    .map(|&corner| (corner - at).norm())
                    .fold(f64::INFINITY, f64::min);
                farthest = farthest.max(nearest);
            }
        }
        let error = ellipse.error();
        assert!(
            farthest <= error * (1.0 + 1e-6) + 1e-6 && farthest > 0.9 * error,
            "{farthest} of {error}"
        );
    }
}

#[test]
fn disks_are_exact() {
    let disk = Outline::Disk(2.0);
    assert_eq!((disk.area(), disk.second_moment(), disk.circumradius()), (4.0 * PI, 8.0 * PI, 2.0));
    let tight = disk.bounds(&Pose::new(Vector([1.0, 5.0]), 0.3), &mut [0; 4]);
    assert_eq!(tight, [[-1.0, 3.0], [3.0, 7.0]]);
    assert!(disk.polygon().is_none());
}
