//! Storms: pairs on coherent paths, through each other and apart again.

use super::*;

/// Two polygons that turn while one swings through the other.
struct Path {
    shapes: [Outline; 2],
    turns: [f64; 2],
    swing: [f64; 2],
    phase: f64,
}

impl Path {
    fn any(rng: &mut impl Rng) -> Self {
        Self {
            shapes: [0; 2]
                .map(|_| Outline::Polygon(scaled(&any_polygon(rng), rng.random_range(0.1..1.5)))),
            turns: [0; 2].map(|_| rng.random_range(-3.0..3.0)),
            swing: [rng.random_range(0.5..3.0), rng.random_range(0.1..2.5)],
            phase: rng.random_range(0.0..6.0),
        }
    }

    fn poses(&self, time: f64) -> [Pose; 2] {
        let (x, y) =
            ((time + self.phase).sin() * self.swing[0], (1.7 * time).cos() * self.swing[1]);
        [
            Pose::new(Vector([0.3, -0.2]), self.turns[0] * time),
            Pose::new(Vector([x, y]), self.turns[1] * time),
        ]
    }
}

#[test]
fn in_a_storm_a_tracked_answer_is_a_fresh_one_to_the_last_bit_and_the_clippers_to_rounding() {
    let mut rng = generator(3);
    let mut counters = FeatureCounters::default();
    let (mut overlapping, mut inside, mut many) = (0, 0, 0);
    for _ in 0..if cfg!(feature = "long") { 2000 } else { 200 } {
        let path = Path::any(&mut rng);
        let [p, q] = [0, 1].map(|k| path.shapes[k].polygon().expect("a polygon"));
        let (mut tracked, mut nearest) = (Tracked::default(), Tracked::default());
        for step in 0..400 {
            let [at, to] = path.poses(0.01 * f64::from(step));
            let (a, b) = ((&path.shapes[0], &at), (&path.shapes[1], &to));
            let found = meet(a, b, &mut tracked, &mut counters);
            let fresh = meet(a, b, &mut Tracked::default(), &mut FeatureCounters::default());
            let distance =
                closest((p, &at), (q, &to), &mut nearest, &mut FeatureCounters::default()).distance;
            let (area, _) = moments(&clipped(&placed(p, &at), &placed(q, &to)));
            match (found, fresh) {
                (Meeting::Overlapping(found), Meeting::Overlapping(fresh)) => {
                    assert_eq!(found, fresh);
                    assert!((found.area - area).abs() < 1e-12, "{} is not {area}", found.area);
                    assert!(distance < 1e-14, "overlapping, {distance} apart");
                    overlapping += 1;
                    inside += usize::from(found.crossings == 0);
                    many += usize::from(found.crossings > 2);
                }
                (Meeting::Apart(found), Meeting::Apart(fresh)) => {
                    assert!((found - fresh).abs() < 1e-14, "{found} tracked, {fresh} afresh");
                    assert!((found - distance).abs() < 1e-14, "{found} is not {distance}");
                    assert!(area < 1e-14, "missed an overlap of {area}");
                }
                (found, fresh) => panic!("{found:?} tracked, {fresh:?} afresh"),
            }
            if step % 20 == 0 {
                let right = brute_distance(&placed(p, &at), &placed(q, &to));
                assert!((distance - right).abs() < 1e-12, "{distance} is not {right}");
            }
        }
    }
    assert!(overlapping > 20_000 && inside > 1000 && many > 1000, "{overlapping} {inside} {many}");
    let steps = counters.steps as f64 / counters.calls as f64;
    assert!(steps < 1.5 && counters.full_searches < counters.calls / 5, "{counters:?}");
}
