//! First contacts with meshes: exact where that can be said, against sampling, and forever without
//! a leak.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Rng;

use super::*;
use crate::space::mesh::samples::*;

const EPSILON: f64 = f64::EPSILON;

fn path<const D: usize>(position: [f64; D], velocity: [f64; D]) -> Path<D> {
    Path { position: Vector(position), velocity: Vector(velocity), since: 0.0, radius: f64::NAN }
}

fn direction<const D: usize>(rng: &mut Rng) -> Vector<D> {
    loop {
        let vector = Vector::from_fn(|_| 2.0 * rng.random::<f64>() - 1.0);
        if (0.01..1.0).contains(&vector.norm_squared()) {
            return vector * (1.0 / vector.norm());
        }
    }
}

fn somewhere<const D: usize>(rng: &mut Rng, mesh: &Mesh<D>, around: f64) -> Vector<D> {
    let [low, high] = mesh.bounds();
    Vector::from_fn(|k| low[k] - around + (high[k] - low[k] + 2.0 * around) * rng.random::<f64>())
}

/// A point from which a ball of this radius does not touch the surface, inside or outside.
fn free<const D: usize>(rng: &mut Rng, mesh: &Mesh<D>, radius: f64, inside: bool) -> Vector<D> {
    loop {
        let point = somewhere(rng, mesh, if inside { 0.0 } else { 0.3 });
        if mesh.contains(point) == inside && mesh.nearest(point, 1.01 * radius).is_none() {
            return point;
        }
    }
}

#[test]
fn faces_edges_and_corners_are_met_when_they_should_be() {
    let cube = mesh(placed(prism(&SQUARE), 2.0, [0.0; 3]));
    let meet = |x, v| {
        mesh_contact(&cube, &path(x, v), 0.5, 1.0).map(|contact| (contact.time, contact.normal))
    };
    assert_eq!(meet([3.0, 0.7, 1.1], [-2.0, 0.0, 0.0]), Some((0.25, Vector([1.0, 0.0, 0.0]))));
    assert_eq!(
        meet([1.0, 0.7, 1.1], [2.0, 0.0, 0.0]),
        Some((0.25, Vector([-1.0, 0.0, 0.0]))),
        "from within"
    );
    assert_eq!(meet([3.0, 0.7, 1.1], [-0.4, 0.0, 0.0]), None, "not yet");
    let near = |found: Option<(f64, Vector<3>)>, time: f64, normal: [f64; 3]| {
        let (at, direction) = found.expect("a contact");
        let apart = (direction - Vector(normal) * (1.0 / Vector(normal).norm())).norm();
        assert!(
            (at - time).abs() < 4.0 * EPSILON && apart < 1e-15,
            "{at} {direction:?}: not {time} {normal:?}"
        );
    };
    // Head on at the middle of an edge, and beside it; at a corner; from within at the same.
    let (edge, corner) = (0.5 / 2f64.sqrt(), 0.5 / 3f64.sqrt());
    near(meet([3.0, 3.0, 1.2], [-1.0, -1.0, 0.0]), 1.0 - edge, [1.0, 1.0, 0.0]);
    near(meet([3.0, 2.3, 1.2], [-1.0, 0.0, 0.0]), 0.6, [0.4, 0.3, 0.0]);
    near(meet([3.0, 3.0, 3.0], [-1.0, -1.0, -1.0]), 1.0 - corner, [1.0, 1.0, 1.0]);
    near(
        meet([-0.3, -0.24, -1.0], [0.0, 0.0, 1.0]),
        1.0 - (0.25 - 0.1476f64).sqrt(),
        [-0.3, -0.24, -(0.25 - 0.1476f64).sqrt()],
    );
    near(meet([1.0, 1.0, 1.0], [0.9, 0.9, 0.9]), 0.5 / 0.9, [0.0, 0.0, -1.0]);
    let l = mesh(prism(&L));
    let reflex = mesh_contact(&l, &path([0.2, 0.2, 0.5], [1.0, 1.0, 0.0]), 0.1, 1.0).unwrap();
    near(Some((reflex.time, reflex.normal)), 0.8 - 0.1 / 2f64.sqrt(), [-1.0, -1.0, 0.0]);
    let flat = mesh_contact(&mesh(polygon(&L)), &path([0.2, 0.2], [1.0, 1.0]), 0.1, 1.0).unwrap();
    assert_eq!(
        (flat.time, flat.normal),
        (reflex.time, Vector([reflex.normal[0], reflex.normal[1]]))
    );
}

#[test]
fn time_counts_from_the_start_of_the_path() {
    let cube = mesh(prism(&SQUARE));
    let late = Path { since: 0.5, ..path([2.0, 0.4, 0.3], [-2.0, 0.0, 0.0]) };
    assert_eq!(mesh_contact(&cube, &late, 0.25, 1.0).map(|contact| contact.time), Some(0.875));
    assert_eq!(mesh_contact(&cube, &late, 0.25, 0.8), None);
    assert_eq!(mesh_contact(&cube, &late, 0.25, 0.4), None);
}

#[test]
fn one_that_touches_touches_again_only_if_he_approaches() {
    let cube = mesh(prism(&SQUARE));
    for overlap in [0.0, 1e-15, 1e-3] {
        let meet = |v| mesh_contact(&cube, &path([1.25 - overlap, 0.4, 0.3], v), 0.25, 1.0);
        let now = SurfaceContact { time: 0.0, normal: Vector([1.0, 0.0, 0.0]) };
        assert_eq!(meet([-1.0, 0.3, 0.1]), Some(now), "approaches");
        assert_eq!(meet([1e-9, 0.3, 0.1]), None, "moves apart");
        assert_eq!(meet([0.0, 0.01, 0.01]), None, "moves along");
        assert_eq!(meet([0.0; 3]), None, "rests");
    }
    // A ball whose centre has come to lie on the surface is sent back where it came from.
    let on = mesh_contact(&cube, &path([1.0, 0.4, 0.3], [-1.0, 0.0, 0.0]), 0.25, 1.0);
    assert_eq!(on, Some(SurfaceContact { time: 0.0, normal: Vector([1.0, 0.0, 0.0]) }));
}

/// A plate of many triangles in a direction of no axis: a ball that rolls along it or along its
/// edges meets nothing, whether rounding has put it a little too high or too low.
#[test]
fn a_ball_that_rolls_along_stumbles_over_nothing() {
    let turned = |v: Vector<3>| Vector([0.6 * v[0] - 0.8 * v[1], 0.8 * v[0] + 0.6 * v[1], v[2]]);
    let ring: Vec<_> = (0..60)
        .map(|k| {
            let (sine, cosine) = libm::sincos(std::f64::consts::TAU * f64::from(k) / 60.0);
            [cosine, sine]
        })
        .collect();
    let (vertices, facets) = prism(&ring);
    let plate = mesh((vertices.into_iter().map(turned).collect(), facets));
    let mut rng = Rng::seed_from_u64(5);
    for n in 0..5000 {
        let [a, b] = [0, 1]
            .map(|_| turned(Vector([rng.random::<f64>() - 0.5, rng.random::<f64>() - 0.5, 1.0])));
        let radius = [0.1, 1e-3, 1e-6][n % 3];
        let off = Vector([0.0, 0.0, radius + f64::from(n as i32 % 7 - 3) * 0.5 * EPSILON]);
        let rolling = Path { velocity: (b - a) * 3.0, ..path((a + off).0, [0.0; 3]) };
        assert_eq!(mesh_contact(&plate, &rolling, radius, 1.0), None, "{rolling:?}");
        let (edge, out) = (plate.vertices()[60 + n % 60], plate.vertices()[60 + (n + 1) % 60]);
        let middle = (edge + out) * 0.5;
        let away = Vector([middle[0], middle[1], 1.0])
            * (1.0 / Vector([middle[0], middle[1], 1.0]).norm());
        let rolling = Path { velocity: out - edge, ..path((edge + away * radius).0, [0.0; 3]) };
        assert_eq!(mesh_contact(&plate, &rolling, radius, 1.0), None, "{rolling:?}");
    }
}

/// Sees every facet.
struct All<'a, const D: usize>(Sweep<'a, D>);

impl<const D: usize> Visitor<D> for All<'_, D> {
    fn enters(&self, _: Vector<D>, _: Vector<D>) -> bool {
        true
    }
    fn sees(&mut self, facet: &Facet<D>) {
        self.0.sees(facet);
    }
}

/// Contacts of random paths are where sampling finds them, and the tree leaves nothing out.
fn agree_with_sampling<const D: usize>(mesh: &Mesh<D>, radius: f64, seed: u64) {
    const SAMPLES: usize = 400;
    let mut rng = Rng::seed_from_u64(seed);
    let mut met = 0;
    for n in 0..1000 {
        let start = free(&mut rng, mesh, radius, n % 2 == 0);
        let velocity = direction::<D>(&mut rng) * 2.0;
        let path = Path { position: start, velocity, since: 0.25, radius: 0.0 };
        let contact = mesh_contact(mesh, &path, radius, 1.25);
        let mut all = All(Sweep::new(mesh, &path, radius, 1.0).unwrap());
        mesh.walk(&mut all);
        assert_eq!(contact.map(|c| c.normal), all.0.first.map(|(_, normal)| normal));
        assert_eq!(
            contact.map(|c| c.time - path.since),
            contact.and(Some((path.since + all.0.until) - path.since))
        );
        let end = contact.map_or(1.25, |contact| contact.time);
        for k in 0..=SAMPLES {
            let time = path.since + (end - path.since) * (k as f64 / SAMPLES as f64);
            let gap = mesh.nearest(path.at(time), radius * (1.0 - 1e-14) - 1e-15);
            assert_eq!(gap, None, "{path:?} at {time}");
        }
        if let Some(contact) = contact {
            met += 1;
            let nearest = mesh.nearest(path.at(contact.time), 2.0 * radius).unwrap();
            assert!(
                (nearest.distance - radius).abs() < 4e-15,
                "{} at {contact:?}",
                nearest.distance - radius
            );
            let along = (path.at(contact.time) - nearest.point) * (1.0 / nearest.distance);
            assert!(
                (along - contact.normal).norm() < 1e-14 / radius
                    && contact.normal.dot(velocity) < 0.0
            );
        }
    }
    assert!((200..1000).contains(&met), "{met}");
}

#[test]
fn contacts_are_where_sampling_finds_them() {
    for (seed, radius) in [(1, 0.2), (2, 0.01)] {
        agree_with_sampling(&mesh(prism(&SQUARE)), radius, seed);
        agree_with_sampling(&mesh(icosphere(2)), radius, seed);
        agree_with_sampling(&mesh(prism(&L)), radius, seed);
        agree_with_sampling(&mesh(polygon(&L)), radius, seed);
        agree_with_sampling(&mesh(star()), radius, seed);
    }
}

/// A ball bounces inside the mesh, or outside within bounds, for many contacts.
fn billiard<const D: usize>(mesh: &Mesh<D>, radius: f64, inside: bool, contacts: usize, seed: u64) {
    let mut rng = Rng::seed_from_u64(seed);
    let mut path = Path {
        position: free(&mut rng, mesh, radius, inside),
        velocity: direction::<D>(&mut rng),
        since: 0.0,
        radius: 0.0,
    };
    let allowed = (radius * (1.0 - 1e-14) - 2.0 * mesh.rounding()).max(0.5 * radius);
    let [low, high] = mesh.bounds();
    let mut met = 0;
    for _ in 0..100 * contacts {
        let contact = mesh_contact(mesh, &path, radius, path.since + 0.5);
        let time = contact.map_or(path.since + 0.5, |contact| contact.time);
        let mut position = path.at(time);
        let mut velocity = path.velocity;
        assert_eq!(mesh.contains(position), inside, "{path:?} {contact:?} after {met}");
        assert_eq!(mesh.nearest(position, allowed), None, "{path:?} {contact:?} after {met}");
        if let Some(SurfaceContact { normal, .. }) = contact {
            met += 1;
            let approach = velocity.dot(normal);
            assert!(approach < 0.0 && (normal.norm() - 1.0).abs() < 1e-14);
            velocity += normal * (-2.0 * approach);
            velocity = velocity * (1.0 / velocity.norm());
        } else if !inside
            && (0..D).any(|k| position[k] < low[k] - 1.0 || position[k] > high[k] + 1.0)
        {
            // Gone: another comes.
            position = free(&mut rng, mesh, radius, inside);
            velocity = direction(&mut rng);
        }
        if met == contacts {
            return;
        }
        // Now and then it is kicked, as Brownian bodies are: at the surface half of them towards
        // it.
        let kicked = rng.random_range(0..8) == 0;
        path = Path {
            position,
            velocity: if kicked { direction(&mut rng) } else { velocity },
            since: if kicked || time > 0.5 { 0.0 } else { time },
            radius: 0.0,
        };
    }
    panic!("only {met} contacts");
}

#[test]
fn a_ball_bounces_for_ever_and_never_leaks() {
    let contacts = if cfg!(feature = "long") { 300_000 } else { 10_000 };
    for (seed, radius) in [(1, 0.05), (2, 1e-6), (3, 16.0 * EPSILON)] {
        for inside in [true, false] {
            billiard(&mesh(prism(&SQUARE)), radius, inside, contacts, seed);
            billiard(&mesh(icosphere(2)), radius, inside, contacts, seed);
            billiard(&mesh(turned(prism(&L))), radius, inside, contacts, seed);
            billiard(&mesh(polygon(&L)), radius, inside, contacts, seed);
            billiard(&mesh(star()), radius, inside, contacts, seed);
        }
    }
}

/// Balls thrown at points of edges and at corners, and a few ulp beside them, from the one side and
/// the other: none comes through, however small it is and however thin the triangles are.
fn throw_at_seams<const D: usize>(mesh: &Mesh<D>, radius: f64, seed: u64) {
    let mut rng = Rng::seed_from_u64(seed);
    let thrown = if cfg!(feature = "long") { 200_000 } else { 5_000 };
    for n in 0..thrown {
        let inside = n % 2 == 0;
        let start = free(&mut rng, mesh, radius, inside);
        let facet = mesh.facets()[rng.random_range(0..mesh.facets().len())];
        let [a, b] = [0, 1].map(|k| mesh.vertices()[facet[k] as usize]);
        let part = if n % 3 == 0 { 0.0 } else { rng.random::<f64>() };
        let beside = direction::<D>(&mut rng) * (EPSILON * f64::from(rng.random_range(0..6u8)));
        let aim = a + (b - a) * part + beside;
        let path = Path { velocity: (aim - start) * 2.0, ..path(start.0, [0.0; D]) };
        let contact = mesh_contact(mesh, &path, radius, 1.0);
        let end = contact.map_or(1.0, |contact| contact.time);
        let allowed = (radius - 2.0 * mesh.rounding()).max(radius / 4.0);
        // To the touch and, for those that pass by, a long way behind.
        for part in [0.5, 0.9, 1.0] {
            assert_eq!(mesh.contains(path.at(end * part)), inside, "{path:?} {contact:?}");
            assert_eq!(mesh.nearest(path.at(end * part), allowed), None, "{path:?} {contact:?}");
        }
        assert!(!inside || contact.is_some(), "{path:?}");
    }
}

#[test]
fn nothing_comes_through_edges_and_corners() {
    for (seed, radius) in [(1, 16.0 * EPSILON), (2, 64.0 * EPSILON), (3, 1e-12), (4, 1e-4)] {
        throw_at_seams(&mesh(prism(&SQUARE)), radius, seed);
        throw_at_seams(&mesh(icosphere(2)), radius, seed);
        throw_at_seams(&mesh(turned(placed(prism(&L), 0.4, [0.0; 3]))), radius, seed);
        throw_at_seams(&mesh(needle(1e-2)), radius, seed);
        throw_at_seams(&mesh(placed(icosphere(1), 2e-3, [0.2, 0.3, 0.7])), radius, seed);
        throw_at_seams(&mesh(placed(polygon(&L), 0.4, [0.0; 2])), radius, seed);
        throw_at_seams(&mesh(star()), radius, seed);
    }
}
