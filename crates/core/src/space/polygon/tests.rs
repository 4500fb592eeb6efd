//! Tests of polygons and of what is refused.

use super::*;

fn fault(corners: &[[f64; 2]]) -> (PolygonFault, String) {
    let corners: Vec<_> = corners.iter().map(|&corner| Vector(corner)).collect();
    let fault = Polygon::new(&corners).expect_err("no convex polygon");
    let message = fault.to_string();
    (fault, message)
}

#[test]
fn what_is_no_convex_polygon_is_refused_with_what_would_be_right() {
    let (found, message) = fault(&[[0.0, 0.0], [1.0, 0.0]]);
    assert_eq!(found, PolygonFault::TooFew { corners: 2 });
    assert_eq!(message, "a polygon has at least 3 corners, this one has 2");

    assert_eq!(
        fault(&[[0.0, 0.0], [1.0, f64::NAN], [0.0, 1.0]]).0,
        PolygonFault::NotFinite { corner: 2 }
    );

    let (found, message) = fault(&[[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]);
    assert_eq!(found, PolygonFault::Clockwise);
    assert!(message.contains("counter-clockwise"), "{message}");

    let (found, message) = fault(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]]);
    assert_eq!(found, PolygonFault::Concave { corner: 4 });
    assert!(message.contains("leave corner 4 out"), "{message}");

    let (found, message) = fault(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]);
    assert_eq!(found, PolygonFault::SelfCrossing { edges: [1, 3] });
    assert!(message.starts_with("edges 1 and 3 cross"), "{message}");

    assert_eq!(fault(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [0.5, 0.5]]).0, PolygonFault::NoArea);
    assert_eq!(fault(&[[3.0, 3.0], [3.0, 3.0], [3.0, 3.0]]).0, PolygonFault::NoArea);

    let doubled = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]];
    assert_eq!(fault(&doubled).0, PolygonFault::Doubled { corner: 4, next: 1 });

    let (found, message) = fault(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]]);
    assert_eq!(found, PolygonFault::Straight { corner: 2 });
    assert!(message.contains("leave it out"), "{message}");
}

#[test]
fn a_pentagram_and_a_square_gone_round_twice_cross_themselves() {
    let star: Vec<_> = (0..5).map(|k| 0.8 * std::f64::consts::PI * f64::from(k)).collect();
    let star: Vec<_> = star.iter().map(|angle| [angle.cos(), angle.sin()]).collect();
    assert!(matches!(fault(&star).0, PolygonFault::SelfCrossing { .. }));
    let once = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    assert!(matches!(fault(&[once, once].concat()).0, PolygonFault::SelfCrossing { .. }));
}

#[test]
fn the_centroid_becomes_the_origin() {
    let corners = [Vector([10.0, 10.0]), Vector([13.0, 10.0]), Vector([10.0, 16.0])];
    let triangle = Polygon::new(&corners).expect("a triangle");
    assert_eq!(centroid(&corners), Vector([11.0, 12.0]));
    assert_eq!(triangle.corners()[0], Vector([-1.0, -2.0]));
    assert!(centroid(triangle.corners()).norm() < 1e-15);
    assert_eq!(triangle.area(), 9.0);
    // b h (b² + h²)/36 for a right-angled triangle about its centroid
    assert!((triangle.second_moment() - 18.0 * 45.0 / 36.0).abs() < 1e-13);
    assert_eq!(triangle.circumradius(), Vector([-1.0, 4.0]).norm());
}

#[test]
fn rectangles_and_regular_polygons_have_the_textbooks_moments() {
    let rectangle = Polygon::rectangle(3.0, 2.0);
    assert_eq!((rectangle.area(), rectangle.second_moment()), (6.0, 6.0 * 13.0 / 12.0));
    for n in [3, 6, 17] {
        let (polygon, step) = (Polygon::regular(n, 2.0), std::f64::consts::TAU / n as f64);
        let area = 2.0 * n as f64 * step.sin();
        assert!((polygon.area() - area).abs() < 1e-13);
        assert!((polygon.second_moment() - area * 4.0 * (2.0 + step.cos()) / 6.0).abs() < 1e-12);
        assert!((polygon.circumradius() - 2.0).abs() < 1e-15);
    }
}
