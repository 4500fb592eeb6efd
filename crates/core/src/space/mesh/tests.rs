//! What is a mesh, what is refused, and what a mesh tells about points.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::samples::*;
use super::*;

fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() <= 1e-13 * wanted.abs().max(1.0), "{found}, not {wanted}");
}

fn fault<const D: usize>((vertices, facets): Parts<D>) -> String {
    Mesh::new(vertices, facets).expect_err("a fault").to_string()
}

fn somewhere<const D: usize>(rng: &mut Xoshiro256PlusPlus, mesh: &Mesh<D>) -> Vector<D> {
    let [low, high] = mesh.bounds();
    Vector::from_fn(|k| low[k] - 0.3 + (high[k] - low[k] + 0.6) * rng.random::<f64>())
}

#[test]
fn volumes_and_surfaces_are_those_of_the_solid() {
    let cube = mesh(placed(prism(&SQUARE), 2.0, [5.0, -3.0, 1.0]));
    close(cube.volume(), 8.0);
    close(cube.surface(), 24.0);
    assert_eq!(cube.bounds(), [Vector([5.0, -3.0, 1.0]), Vector([7.0, -1.0, 3.0])]);
    let l = mesh(prism(&L));
    close(l.volume(), 3.0);
    close(l.surface(), 14.0);
    let (area, length) = (mesh(polygon(&L)).volume(), mesh(polygon(&L)).surface());
    close(area, 3.0);
    close(length, 8.0);
    let sphere = mesh(icosphere(4));
    assert!((sphere.volume() * 0.75 / std::f64::consts::PI - 1.0).abs() < 5e-3);
    assert!((sphere.surface() * 0.25 / std::f64::consts::PI - 1.0).abs() < 5e-3);
}

#[test]
fn surfaces_are_turned_until_they_face_out_of_the_solid() {
    let right = prism(&L);
    let wrong = (right.0.clone(), right.1.iter().map(|&[a, b, c]| [a, c, b]).collect());
    assert_eq!(mesh(wrong.clone()).volume(), mesh(right.clone()).volume());
    assert!(
        mesh(wrong).tree.facets().iter().all(|facet| facet.height(Vector([0.5, 0.5, 0.5])) < 0.0)
    );
    // A cube in a cube bounds a cavity, whichever way it was turned; one in the cavity is solid.
    let shells = [
        prism(&SQUARE),
        placed(prism(&SQUARE), 0.5, [0.25; 3]),
        placed(prism(&SQUARE), 0.2, [0.4; 3]),
    ];
    let [outer, inner, core] = shells;
    let nested = mesh(together(together(inner, outer), core));
    close(nested.volume(), 1.0 - 0.125 + 0.008);
    close(nested.surface(), 6.0 * (1.0 + 0.25 + 0.04));
    for (x, inside) in
        [(0.1, true), (0.3, false), (0.5, true), (0.7, false), (0.8, true), (1.1, false)]
    {
        assert_eq!(nested.contains(Vector([x, 0.5, 0.5])), inside, "{x}");
    }
    for shape in nested.tree.facets() {
        let out = shape.normal_against(Vector::ZERO) * 0.01;
        assert!(nested.contains(shape.middle() - out) && !nested.contains(shape.middle() + out));
    }
    let ring = mesh(together(polygon(&SQUARE), placed(polygon(&SQUARE), 0.5, [0.25; 2])));
    close(ring.volume(), 0.75);
}

#[test]
fn two_cells_are_one_mesh_and_may_share_a_corner() {
    let cells = mesh(together(icosphere(1), placed(icosphere(1), 1.0, [2.5, 0.0, 0.0])));
    close(cells.volume(), 2.0 * mesh(icosphere(1)).volume());
    assert!(cells.contains(Vector([2.5, 0.1, 0.0])) && !cells.contains(Vector([1.25, 0.0, 0.0])));
    let (vertices, facets) = together(prism(&SQUARE), placed(prism(&SQUARE), 1.0, [1.0; 3]));
    let joined = |facet: [u32; 3]| facet.map(|vertex| if vertex == 8 { 6 } else { vertex });
    close(mesh((vertices, facets.into_iter().map(joined).collect())).volume(), 2.0);
}

#[test]
fn what_is_no_closed_surface_is_refused() {
    let (vertices, facets) = prism(&SQUARE);
    let with = |change: fn(&mut Parts<3>)| {
        let mut parts = (vertices.clone(), facets.clone());
        change(&mut parts);
        fault(parts)
    };
    for (change, words) in [
        ((|parts| parts.1.clear()) as fn(&mut Parts<3>), "no facets"),
        (|parts| parts.1[3][1] = 8, "facet 3 has vertex 8 for a corner, but there are only 8"),
        (|parts| parts.0[2][1] = f64::NAN, "vertex 2 is at (1, NaN, 0)"),
        (|parts| parts.0[2][1] = 1e200, "vertex 2 is at (1, 1e200, 0)"),
        (|parts| parts.1[0] = [0, 1, 1], "facet 0 is degenerate"),
        (
            |parts| parts.0[1] = Vector([0.5, 0.5, 0.0]),
            "(0, 0, 0), (1, 1, 0), (0.5, 0.5, 0), lie on one line",
        ),
        (
            |parts| parts.1.truncate(11),
            "is open: the edge from (0, 1, 0) to (0, 0, 1) belongs to facet 10 alone",
        ),
        (|parts| parts.1.truncate(11), "(2 more of the kind)"),
        (|parts| parts.1[5].swap(0, 1), "one faces inwards and the other outwards"),
        (|parts| parts.1.push(parts.1[0]), "joins 3 facets"),
        (|parts| parts.0[6] = Vector([-0.5, -0.5, 0.5]), "crosses or touches itself"),
        (|parts| parts.0[6] = Vector([0.5, 0.5, 0.0]), "crosses or touches itself"),
    ] {
        let said = with(change);
        assert!(said.contains(words), "{said}: not {words}");
    }
    assert!(Mesh::new(vec![Vector([0.0])], vec![[0]]).unwrap_err().to_string().contains("1D"));
}

#[test]
fn polygons_are_held_to_the_same() {
    let square = polygon(&SQUARE);
    for (facets, words) in [
        (vec![[0, 1], [1, 2], [2, 3]], "is open: the corner at (0, 0) belongs to facet 0 alone"),
        (vec![[0, 1], [2, 1], [2, 3], [3, 0]], "facets 0 and 1 meet at the corner at (1, 0)"),
        (vec![[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [2, 0]], "joins 4 facets"),
        (vec![[0, 2], [2, 1], [1, 3], [3, 0]], "crosses or touches itself: facets 0 and 2"),
        (vec![[0, 1], [1, 0]], "crosses or touches itself"),
        (vec![[0, 0], [0, 1], [1, 0]], "degenerate: its corners, (0, 0), (0, 0), lie at one place"),
    ] {
        let said = fault((square.0.clone(), facets));
        assert!(said.contains(words), "{said}: not {words}");
    }
}

#[test]
fn surfaces_that_cross_or_touch_are_refused() {
    let cube = || prism(&SQUARE);
    for at in
        [[0.5, 0.5, 0.5], [0.25, 0.25, 1.0], [0.9, 0.1, -0.2], [1.0, 0.3, 0.4], [0.0, 0.0, 0.0]]
    {
        let said = fault(together(cube(), placed(cube(), 1.0, at)));
        assert!(said.contains("crosses or touches"), "{at:?}: {said}");
    }
    mesh(together(cube(), placed(cube(), 1.0, [1.0 + 1e-12, 0.3, 0.4])));
    // A pole through a flat face, none of whose edges it meets.
    let pole = placed(needle(0.1), 3.0, [0.6, 0.2, -1.0]);
    assert!(fault(together(cube(), pole)).contains("crosses or touches"));
    // Folded flat: two triangles back to back.
    let flat = (
        vec![Vector([0.0; 3]), Vector([1.0, 0.0, 0.0]), Vector([0.0, 1.0, 0.0])],
        vec![[0, 1, 2], [0, 2, 1]],
    );
    assert!(fault(flat).contains("crosses or touches"));
    // A tetrahedron without height.
    let corners = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [1.0, 1.0, 0.0]];
    let facets = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    assert!(fault((corners.map(Vector).to_vec(), facets)).contains("crosses or touches"));
}

#[test]
fn fine_and_thin_meshes_are_accepted() {
    close(mesh(needle(1e-6)).volume() * 1e12, 1.0);
    for size in [1e-9, 1e9] {
        let sphere = mesh(placed(icosphere(3), size, [size / 3.0; 3]));
        assert!(sphere.volume() > 4.0 * size * size * size);
    }
    // A flat face of many triangles: no pair of them is taken for crossing.
    let turned = |v: Vector<3>| {
        Vector([0.6 * v[0] - 0.8 * v[1], 0.8 * v[0] + 0.6 * v[1], v[2] + 0.1 * v[0]])
    };
    let ring: Vec<_> = (0..200)
        .map(|k| {
            let (sine, cosine) = libm::sincos(std::f64::consts::TAU * f64::from(k) / 200.0);
            [cosine, sine]
        })
        .collect();
    let (vertices, facets) = prism(&ring);
    mesh((vertices.into_iter().map(turned).collect(), facets));
}

/// Points inside and outside, random and such that the ray from them meets edges and corners.
#[test]
fn inside_is_reported_from_outside_whatever_the_ray_meets() {
    let l = mesh(prism(&L));
    let within =
        |x: f64, y: f64| (0.0..2.0).contains(&x) && (0.0..2.0).contains(&y) && (x < 1.0 || y < 1.0);
    let flat = mesh(polygon(&L));
    let grid = (-3..10).map(|k| f64::from(k) / 4.0 + 0.125);
    for (x, y, z) in
        grid.clone().flat_map(|x| grid.clone().flat_map(move |y| [(x, y, 0.125), (x, y, 0.5)]))
    {
        assert_eq!(l.contains(Vector([x, y, z])), within(x, y), "{x} {y}");
        assert_eq!(flat.contains(Vector([x, y])), within(x, y), "{x} {y}");
    }
    // Rays along y = 0, 1, 2 and z = 0, 1 run in faces and edges; the point itself is clear of the
    // surface.
    for y in [0.0, 1.0, 2.0] {
        for z in [0.0, 0.5, 1.0] {
            assert!(!l.contains(Vector([-0.5, y, z])) && !l.contains(Vector([2.5, y, z])));
        }
    }
    assert!(l.contains(Vector([0.5, 1.0, 0.5])) && flat.contains(Vector([0.5, 1.0])));
    let sphere = mesh(icosphere(3));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for _ in 0..20_000 {
        let point = somewhere(&mut rng, &sphere);
        let distance = point.norm();
        if !(0.97..=1.0).contains(&distance) {
            assert_eq!(sphere.contains(point), distance < 1.0, "{point:?}");
        }
    }
    for vertex in sphere.vertices() {
        assert!(sphere.contains(Vector([0.0, vertex[1] * 0.9, vertex[2] * 0.9])));
        assert!(sphere.contains(*vertex * 0.99) && !sphere.contains(*vertex * 1.01));
        assert!(!sphere.contains(Vector([-2.0, vertex[1], vertex[2]])));
    }
}

/// The nearest of many points of each facet is never nearer than what is said, and not much
/// farther.
#[test]
fn the_nearest_point_is_that_of_all_facets() {
    fn check<const D: usize>(mesh: &Mesh<D>, seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..2000 {
            let point = somewhere(&mut rng, mesh);
            let nearest = mesh.nearest(point, f64::INFINITY).unwrap();
            let all = mesh
                .tree
                .facets()
                .iter()
                .map(|facet| (facet.offset(point, 0.0).norm(), facet.number));
            let (least, number) =
                all.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).unwrap();
            assert_eq!((nearest.distance, nearest.facet), (least, number));
            close((point - nearest.point).norm(), least);
            let corners =
                mesh.facets()[number as usize].map(|vertex| mesh.vertices()[vertex as usize]);
            assert!(Facet::new(0, corners).offset(nearest.point, 0.0).norm() < 1e-14);
            assert_eq!(mesh.nearest(point, least), Some(nearest));
            assert_eq!(mesh.nearest(point, least * (1.0 - 1e-15) - 1e-300), None);
            for _ in 0..30 {
                let mut weights = [0.0; D].map(|_: f64| -libm::log(1.0 - rng.random::<f64>()));
                let sum: f64 = weights.iter().sum();
                weights.iter_mut().for_each(|weight| *weight /= sum);
                let facet = mesh.facets()[rng.random_range(0..mesh.facets().len())];
                let mut other = Vector::ZERO;
                (0..D).for_each(|k| other += mesh.vertices()[facet[k] as usize] * weights[k]);
                assert!((point - other).norm() >= least * (1.0 - 1e-14));
            }
        }
    }
    check(&mesh(prism(&L)), 1);
    check(&mesh(icosphere(2)), 2);
    check(&mesh(needle(1e-3)), 3);
    check(&mesh(polygon(&L)), 4);
    check(&mesh(star()), 5);
}

#[test]
fn a_mesh_is_a_function_of_what_it_was_made_from() {
    assert_eq!(mesh(icosphere(3)), mesh(icosphere(3)));
}
