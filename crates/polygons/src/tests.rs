//! The list of contacts against all pairs.

use super::{Drive, ForceLaw, NormalLaw, PlacedWall, Polygons, Setup, Solid};
use jostle_core::narrow::polygons::{FeatureCounters, Meeting, Tracked, meet};
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Ellipse, Outline, Polygon, Pose, Vector};

/// Polygons of 3 to 128 corners, slivers 1:20, ellipses and disks, sizes 1:4, flying at each other,
/// some periodic, some between walls of which one turns.
pub(super) fn storm(seed: u64, periodic: [bool; 2]) -> Setup {
    let random = Random::new(seed);
    let draw = |n: usize, k: u64| random.uniform(Purpose::Placement, [n as u64, k, 0, 0]);
    let (mut outlines, mut solids) = (Vec::new(), Vec::new());
    for n in 0..81 {
        let size = 0.3 + 0.9 * draw(n, 0);
        outlines.push(match n % 9 {
            0 => Outline::Disk(size),
            1 => Outline::Ellipse(Ellipse::new([size, 0.3 * size], 24)),
            2 => Outline::Polygon(Polygon::rectangle(2.0 * size, 0.1 * size)),
            3 => Outline::Polygon(Polygon::regular(128, size)),
            4 => Outline::Polygon(sliver(size)),
            k => Outline::Polygon(Polygon::regular(
                3 + 2 * (k - 5) + (3.0 * draw(n, 1)) as usize,
                size,
            )),
        });
        let velocity = [2, 3].map(|k| 4.0 * draw(n, k) - 2.0);
        solids.push(Solid {
            outline: n as u32,
            position: Vector([1.5 + 2.6 * (n % 9) as f64, 1.5 + 2.6 * (n / 9) as f64]),
            angle: 10.0 * draw(n, 4),
            velocity: Vector(velocity),
            angular_velocity: 4.0 * draw(n, 5) - 2.0,
            density: 1.0,
            species: 0,
        });
    }
    let mut walls = Vec::new();
    for (axis, side) in [(0, 0.0), (0, 1.0), (1, 0.0), (1, 1.0)] {
        if !periodic[axis] {
            let mut at = [12.0; 2];
            at[axis] = -2.5 + side * 29.0;
            let size = if axis == 0 { [4.0, 60.0] } else { [60.0, 4.0] };
            outlines.push(Outline::Polygon(Polygon::rectangle(size[0], size[1])));
            let turns = axis == 1 && side == 0.0 && !periodic[0];
            let drive = match turns {
                true => Drive::Rotation { centre: Vector([12.0, -2.0]), angular_velocity: 0.02 },
                false => Drive::Fixed,
            };
            let outline = outlines.len() as u32 - 1;
            walls.push(PlacedWall {
                outline,
                position: Vector(at),
                angle: 0.0,
                drive,
                friction: None,
                opens_at: None,
            });
        }
    }
    let law = ForceLaw {
        normal: NormalLaw::Gradient,
        stiffness: 2e3,
        damping: 0.1,
        friction: 0.3,
        wall_friction: 0.3,
        tangential: 2.0 / 7.0,
        rolling: 0.0,
    };
    let timestep = super::contact_time(&law, &outlines, &solids) / 30.0;
    let domain = Domain::new([24.0, 24.0], periodic);
    Setup { domain, outlines, solids, walls, law, gravity: Vector::ZERO, timestep }
}

/// A triangle with one very sharp corner.
fn sliver(size: f64) -> Polygon {
    let corners = [[0.0, 0.0], [2.0 * size, 0.0], [2.0 * size, 0.1 * size]].map(Vector);
    Polygon::new(&corners).unwrap_or_else(|fault| panic!("{fault}"))
}

/// The pairs that overlap where the last prediction led, and their areas: all pairs, all images
/// near by, nothing remembered.
fn by_force(engine: &Polygons) -> Vec<([u32; 2], f64)> {
    let bodies = engine.motion.len();
    let mut found = Vec::new();
    for a in 0..bodies {
        for b in a + 1..engine.rows.len() {
            let outline = |row: usize| &engine.outlines[engine.makes[row].outline as usize];
            let (p, q) = (engine.rows[a].pose, engine.rows[b].pose);
            let apart = engine.domain.nearest_image(q.position - p.position);
            let p = Pose { position: Vector::ZERO, ..p };
            let mut counters = FeatureCounters::default();
            let mut areas = Vec::new();
            for image in 0..9 {
                let shift = [image % 3, image / 3].map(|k| f64::from(k) - 1.0);
                let along =
                    |k: usize| if engine.domain.is_periodic(k) { 24.0 * shift[k] } else { 0.0 };
                if (0..2).any(|k| !engine.domain.is_periodic(k) && shift[k] != 0.0) {
                    continue;
                }
                let q = Pose { position: apart + Vector([along(0), along(1)]), ..q };
                let meeting = meet(
                    (outline(a), &p),
                    (outline(b), &q),
                    &mut Tracked::default(),
                    &mut counters,
                );
                if let Meeting::Overlapping(overlap) = meeting {
                    areas.push(overlap.area);
                }
            }
            if let [area] = areas[..] {
                found.push(([a as u32, b as u32], area));
            }
        }
    }
    found
}

fn assert_as_by_force(seed: u64, periodic: [bool; 2], steps: u64, every: u64) {
    let mut engine = Polygons::new(storm(seed, periodic)).unwrap_or_else(|fault| panic!("{fault}"));
    let mut contacts = 0;
    for step in 0..steps {
        engine.step().unwrap_or_else(|fault| panic!("seed {seed}, step {step}: {fault}"));
        if step % every == 0 {
            let found: Vec<([u32; 2], f64)> = engine
                .contacts
                .touching()
                .map(|(contact, load)| (contact.pair, load.overlap))
                .collect();
            assert_eq!(found, by_force(&engine), "seed {seed}, periodic {periodic:?}, step {step}");
            contacts += found.len();
        }
    }
    let tally = engine.tally();
    assert!(contacts > 100 && tally.skipped > 1000, "{contacts} contacts, {tally:?}");
}

#[test]
fn in_storms_the_contacts_are_those_of_all_pairs_with_the_same_areas_to_the_bit() {
    for (seed, periodic) in [[true, true], [false, false], [true, false]].into_iter().enumerate() {
        assert_as_by_force(seed as u64, periodic, 20_000, 100);
    }
}

#[cfg(feature = "long")]
#[test]
fn in_many_storms_the_contacts_are_those_of_all_pairs() {
    for seed in 0..60 {
        assert_as_by_force(seed, [seed % 2 == 0, seed % 3 == 0], 60_000, 50);
    }
}
