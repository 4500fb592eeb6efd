//! Tests of distances by closest features.

use super::*;
use crate::narrow::polygons::Feature::{self, Edge, Vertex};
use crate::narrow::polygons::features::path;
use crate::narrow::polygons::rings::{First, Second};

/// Random pairs; a million in the long run.
const PAIRS: usize = if cfg!(feature = "long") { 1_000_000 } else { 100_000 };

#[test]
fn distances_of_random_pairs_are_those_of_a_search_through_all_features() {
    let mut rng = generator(2);
    let (mut apart, mut touching, mut counters) = (0, 0, FeatureCounters::default());
    for pair in 0..PAIRS {
        let (p, q) = (any_polygon(&mut rng), any_polygon(&mut rng));
        let at = any_pose(&mut rng, 3.0);
        let mut to = any_pose(&mut rng, 3.0);
        match pair % 4 {
            // parallel edges: the same angle, or turned by a right angle or half a turn
            0 => {
                to.turn =
                    [at.turn, [-at.turn[1], at.turn[0]], [-at.turn[0], -at.turn[1]]][pair / 4 % 3]
            }
            // a vertex of the second on an edge of the first, as well as numbers allow
            1 => {
                let k = rng.random_range(0..p.corners().len());
                let (from, end) = (p.corners()[k], p.corners()[(k + 1) % p.corners().len()]);
                let on = at.place(from + (end - from) * rng.random_range(0.0..1.0));
                let corner = q.corners()[rng.random_range(0..q.corners().len())];
                to.position = on - to.direction(corner);
            }
            _ => {}
        }
        // from the closest features of a place nearby, or from anywhere
        let mut tracked = Tracked::default();
        if pair % 3 == 0 {
            let place = |n: usize, rng: &mut Xoshiro256PlusPlus| {
                let k = rng.random_range(0..n as u32);
                if rng.random() { Vertex(k) } else { Edge(k) }
            };
            tracked = Tracked::new([
                place(p.corners().len(), &mut rng),
                place(q.corners().len(), &mut rng),
            ]);
        }
        let found = closest((&p, &at), (&q, &to), &mut tracked, &mut counters);
        let right = brute_distance(&placed(&p, &at), &placed(&q, &to));
        let error = (found.distance - right).abs();
        assert!(error <= 1e-12 * right.max(1.0), "pair {pair}: {} is not {right}", found.distance);
        let between = (found.points[0] - found.points[1]).norm();
        assert!((between - found.distance).abs() < 4e-15, "pair {pair}: points {between} apart");
        if found.distance > 1e-12 {
            apart += 1;
            for (side, (polygon, pose)) in [(&p, &at), (&q, &to)].into_iter().enumerate() {
                let off =
                    to_feature(found.points[side], found.features[side], &placed(polygon, pose));
                assert!(off < 4e-15, "pair {pair}: point {off} off its feature");
            }
        } else {
            touching += 1;
        }
    }
    assert!(apart > PAIRS / 3 && touching > PAIRS / 10, "{apart} apart, {touching} not");
    assert!(counters.full_searches < counters.calls / 4, "{counters:?}");
}

/// How far a point lies from a feature.
fn to_feature(point: Vector<2>, feature: Feature, corners: &[Vector<2>]) -> f64 {
    match feature {
        Vertex(k) => (point - corners[k as usize]).norm(),
        Edge(k) => {
            to_segment(point, corners[k as usize], corners[(k as usize + 1) % corners.len()])
        }
    }
}

#[test]
fn figure_10_takes_its_three_iterations() {
    // above a rectangle, a triangle points down with its vertex 0; its edge 0 rises to the right,
    // and the rectangle's right upper corner is where the walk begins
    let a = Polygon::rectangle(4.0, 2.0);
    let b = Polygon::new(&[Vector([0.0, 0.0]), Vector([2.0, 1.5]), Vector([-2.0, 1.5])])
        .expect("a triangle");
    let (at, to) = (Pose::new(Vector::ZERO, 0.0), Pose::new(Vector([0.5, 2.5]), 0.0));
    let path = path(&First(&a), &Second { polygon: &b, pose: at.sees(&to) }, [Vertex(2), Edge(0)]);
    assert_eq!(path, [[Vertex(2), Edge(0)], [Edge(2), Edge(0)], [Edge(2), Vertex(0)]]);
}

#[test]
fn a_resting_pair_takes_one_step_a_call() {
    let (a, b) = (Polygon::regular(128, 1.0), Polygon::regular(5, 1.0));
    let (at, to) = (Pose::new(Vector::ZERO, 0.3), Pose::new(Vector([1.9, 1.1]), 0.7));
    let (mut tracked, mut counters) = (Tracked::default(), FeatureCounters::default());
    closest((&a, &at), (&b, &to), &mut tracked, &mut counters);
    let settled = tracked;
    counters = FeatureCounters::default();
    for _ in 0..100 {
        closest((&a, &at), (&b, &to), &mut tracked, &mut counters);
    }
    assert_eq!(counters, FeatureCounters { calls: 100, steps: 100, full_searches: 0, changes: 0 });
    assert_eq!(tracked, settled);
    assert_eq!(std::mem::size_of::<Tracked>(), 8);
}

#[test]
fn facing_edges_and_corners_on_edges_have_the_distance_one_reads_off() {
    let square = Polygon::rectangle(2.0, 2.0);
    let at = Pose::new(Vector::ZERO, 0.0);
    let diamond =
        Pose::new(Vector([1.0 + 2.0_f64.sqrt() + 0.5, 0.25]), std::f64::consts::FRAC_PI_4);
    for (to, distance) in [
        (Pose::new(Vector([2.5, 0.0]), 0.0), 0.5),
        (Pose::new(Vector([2.5, 1.5]), 0.0), 0.5),
        (Pose::new(Vector([2.0, 0.5]), 0.0), 0.0),
        (Pose::new(Vector([5.0, 6.0]), 0.0), 5.0),
        (Pose::new(Vector([2.0, 2.0]), 0.0), 0.0),
        (diamond, 0.5),
    ] {
        let found = closest(
            (&square, &at),
            (&square, &to),
            &mut Tracked::default(),
            &mut FeatureCounters::default(),
        );
        assert!((found.distance - distance).abs() < 1e-15, "{} is not {distance}", found.distance);
    }
}
