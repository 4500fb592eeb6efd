//! Nothing overlaps at the start, and what cannot fit is refused with the numbers.

use super::*;

fn model(dimension: usize, edges: &str, boundary: &str, species: &str) -> Model {
    let text = format!(
        "[space]\ndimension = {dimension}\nedges = {edges}\nboundary = {boundary}\n\
         [run]\ntimestep = '1 ns'\nsteps = 1\n{species}"
    );
    super::super::parse(&text, "test", &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

fn species(name: &str, radius: f64, placement: &str) -> String {
    format!(
        "[[species]]\nname='{name}'\nradius={radius}\ndiffusion=1\nplacement={{ {placement} }}\n"
    )
}

/// The smallest gap between two particles, or a particle and a wall, over the sum of radii.
fn smallest_gap<const D: usize>(model: &Model, particles: &[(u16, Vector<D>)]) -> f64 {
    let domain = Domain::<D>::new(
        std::array::from_fn(|k| model.space.edges[k]),
        std::array::from_fn(|k| model.space.periodic[k]),
    );
    let mut least = f64::INFINITY;
    for (n, (a, x)) in particles.iter().enumerate() {
        let r = radius(model, *a);
        for k in (0..D).filter(|&k| !domain.is_periodic(k)) {
            least = least.min((x[k].min(domain.edges()[k] - x[k]) - r) / r);
        }
        for k in 0..D {
            assert!((0.0..=domain.edges()[k]).contains(&x[k]));
        }
        for (b, y) in &particles[..n] {
            let contact = r + radius(model, *b);
            let gap = domain.nearest_image(*y - *x).norm() - contact;
            least = least.min(gap / contact);
        }
    }
    least
}

fn counts<const D: usize>(particles: &[(u16, Vector<D>)], species: u16) -> usize {
    particles.iter().filter(|(s, _)| *s == species).count()
}

#[test]
fn random_particles_do_not_overlap_and_follow_the_seed() {
    let mixed = species("small", 0.5, "random = 800") + &species("large", 2.0, "random = 30");
    let mut model = model(3, "[20, 15, 30]", "['periodic', 'reflecting', 'periodic']", &mixed);
    let particles = place::<3>(&model).unwrap();
    assert_eq!((counts(&particles, 0), counts(&particles, 1)), (800, 30));
    assert!(smallest_gap(&model, &particles) > 0.0);
    assert_eq!(particles, place::<3>(&model).unwrap());
    model.run.seed += 1;
    assert_ne!(particles, place::<3>(&model).unwrap());
}

#[test]
fn random_particles_are_uniform() {
    let one = species("A", 0.01, "random = 20000");
    let model = model(2, "[10, 10]", "'periodic'", &one);
    let particles = place::<2>(&model).unwrap();
    let mut quarters = [0.0; 4];
    for (_, x) in &particles {
        quarters[(x[0] / 5.0) as usize + 2 * (x[1] / 5.0) as usize] += 1.0;
    }
    // Chi squared with 3 degrees of freedom: 16.3 has a probability of 0.001.
    let chi: f64 = quarters.iter().map(|n| (n - 5000.0_f64).powi(2) / 5000.0).sum();
    assert!(chi < 16.3, "{quarters:?}");
}

#[test]
fn packed_particles_of_several_sizes_do_not_overlap() {
    // 3D at 0.6, beside spheres that are there already; 2D at 0.8, between walls.
    let spheres = species("fixed", 1.0, "positions = [[5, 5, 5]]")
        + &species("large", 0.5, "packed = 600")
        + &species("small", 0.3, "packed = 700");
    let dense = model(3, "[8.6, 8.6, 8.95]", "'periodic'", &spheres);
    let phi: f64 = measure::packing_fraction(&dense);
    assert!((0.59..0.61).contains(&phi), "{phi}");
    let particles = place::<3>(&dense).unwrap();
    let counted = [0, 1, 2].map(|s| counts(&particles, s));
    assert_eq!(counted, [1, 600, 700]);
    assert!(smallest_gap(&dense, &particles) > 0.0);
    assert_eq!(particles[0].1, Vector([5.0; 3]));
    assert_eq!(particles, place::<3>(&dense).unwrap());
    let disks = species("large", 0.5, "packed = 200") + &species("small", 0.35, "packed = 250");
    let dense = model(2, "[18.05, 18.05]", "'reflecting'", &disks);
    let phi = measure::packing_fraction(&dense);
    assert!((0.77..0.79).contains(&phi), "{phi}");
    assert!(smallest_gap(&dense, &place::<2>(&dense).unwrap()) >= -1e-12);
    let beyond = species("A", 0.5, "packed = 171");
    let jammed = place::<3>(&model(3, "[5, 5, 5]", "'periodic'", &beyond)).unwrap_err();
    let said = jammed.to_string();
    assert!(
        said.contains("still overlap by up to")
            && said.contains("0.716")
            && said.contains(" = { lattice"),
        "{said}"
    );
}

#[test]
fn dense_lattices_fit_boxes_of_any_shape() {
    // 3D at 0.6, with edges that are no multiples of each other.
    let spheres = species("A", 0.5, "lattice = 700") + &species("B", 0.45, "lattice = 300");
    let dense = model(3, "[9.1, 11.3, 7.7]", "'periodic'", &spheres);
    let particles = place::<3>(&dense).unwrap();
    assert_eq!((counts(&particles, 0), counts(&particles, 1)), (700, 300));
    assert!(smallest_gap(&dense, &particles) > 0.0);
    // 2D at 0.8 between walls.
    let disks = species("A", 1.0, "lattice = 1000");
    let dense = model(2, "[70, 56]", "'reflecting'", &disks);
    let particles = place::<2>(&dense).unwrap();
    assert!(smallest_gap(&dense, &particles) > 0.0);
    // 1D at 0.99, and one layer between two walls.
    let rods = species("A", 0.5, "lattice = 99");
    let dense = model(1, "[100]", "'periodic'", &rods);
    assert!(smallest_gap(&dense, &place::<1>(&dense).unwrap()) > 0.0);
    let layer = species("A", 0.5, "lattice = 81");
    let thin = model(3, "[10, 10, 1.2]", "['periodic', 'periodic', 'reflecting']", &layer);
    let particles = place::<3>(&thin).unwrap();
    assert_eq!(particles.len(), 81);
    assert!(smallest_gap(&thin, &particles) > 0.0);
}

#[test]
fn lattice_and_random_particles_stay_clear_of_given_ones() {
    let all = species("fixed", 2.0, "positions = [[0.1, 5], [5, 5], [5, 9]]")
        + &species("row", 0.4, "lattice = 60")
        + &species("rest", 0.2, "random = 30");
    let model = model(2, "[12, 12]", "['periodic', 'reflecting']", &all);
    let particles = place::<2>(&model).unwrap();
    assert_eq!(particles.len(), 93);
    assert!(smallest_gap(&model, &particles) >= 0.0);
    assert_eq!(particles[1].1, Vector([5.0, 5.0]));
}

#[test]
fn particles_that_pass_each_other_may_overlap() {
    let ghosts =
        species("A", 1.0, "random = 500") + "[[rule]]\nname='through'\non=['A','A']\ndo='pass'\n";
    let model = model(2, "[10, 10]", "'periodic'", &ghosts);
    let particles = place::<2>(&model).unwrap();
    assert_eq!(particles.len(), 500);
    assert!(smallest_gap(&model, &particles) < 0.0);
}

#[test]
fn jammed_random_placement_tells_how_far_it_came() {
    let dense = species("A", 0.5, "random = 860");
    let model = model(3, "10", "'periodic'", &dense);
    let Err(PlacementError::Jammed { asked, reached, .. }) = place::<3>(&model) else {
        panic!("0.45 is beyond random placement");
    };
    assert!((asked - 0.4503).abs() < 1e-4, "{asked}");
    assert!((0.30..0.39).contains(&reached), "{reached}");
}

#[test]
fn an_overfull_lattice_tells_how_many_fit() {
    // 0.71 is below the densest packing, but no lattice here fits this small box.
    let dense = species("A", 0.5, "lattice = 36");
    let model = model(3, "2.98", "'periodic'", &dense);
    let error = place::<3>(&model).unwrap_err();
    let PlacementError::LatticeFull { most, wanted, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(wanted, 36);
    assert!((8..36).contains(&most), "{most}");
}

#[test]
fn a_hundred_thousand_particles_find_places() {
    let many = species("A", 0.5, "random = 100000");
    let model = model(3, "80.6", "'periodic'", &many);
    assert!((measure::packing_fraction(&model) - 0.1).abs() < 1e-3);
    assert_eq!(place::<3>(&model).unwrap().len(), 100_000);
}

/// Six chains of 12 particles that touch, along all directions, as single precision keeps them.
#[test]
fn particles_that_touched_before_they_were_rounded_are_a_valid_start() {
    for boundary in ["'periodic'", "'reflecting'"] {
        let mut places = Vec::new();
        for chain in 0..6 {
            let (angle, lift) = (0.4 + f64::from(chain), 0.3 * f64::from(chain) - 0.7);
            let way = Vector([angle.cos() * lift.cos(), angle.sin() * lift.cos(), lift.sin()]);
            let start =
                Vector([150.0 + 137.77 * f64::from(chain), 500.0, 333.3 + 60.0 * f64::from(chain)]);
            places
                .extend((0..12).map(|n| (start + way * (5.0 * f64::from(n))).0.map(|x| x as f32)));
        }
        let given = |places: &[[f32; 3]]| {
            let rows: Vec<String> =
                places.iter().map(|x| format!("{:?}", x.map(f64::from))).collect();
            species("A", 2.5, &format!("positions = [{}]", rows.join(", ")))
        };
        let as_read = model(3, "1000", boundary, &given(&places));
        let PlacementMethod::Positions(before) = &as_read.placement[0].how else {
            panic!("given places")
        };
        let before: Vec<_> = before.iter().map(|x| (0, Vector(*x))).collect();
        assert!(smallest_gap(&as_read, &before) < -1e-9, "rounding makes no overlap here");
        let after = place::<3>(&as_read).unwrap();
        assert!(smallest_gap(&as_read, &after) >= 0.0);
        let moved =
            before.iter().zip(&after).map(|((_, x), (_, y))| (*y - *x).norm()).fold(0.0, f64::max);
        assert!(moved < 1e-3, "{moved}");
        // What overlaps by more is a fault, as ever.
        places[1] = places[0].map(|x| x + 2.8);
        assert!(matches!(
            place::<3>(&model(3, "1000", boundary, &given(&places))),
            Err(PlacementError::Overlap { .. })
        ));
    }
}

/// A Y of three spheres, and a dumbbell with a gap.
const MOLECULES: &str = "[[molecule]]\nname='Y'\ncount=60\n\
    spheres=[{species='A',at=[1,1,1]},{species='B',at=[1.8,1.6,1]},{species='B',at=[0.2,1.6,1]}]\n\
    [[molecule]]\nname='dumbbell'\ncount=40\n\
    spheres=[{species='A',at=[0,0,0]},{species='A',at=[0,0,2]}]\n";

#[test]
fn molecules_keep_their_shape_and_overlap_nothing() {
    for boundary in ["'periodic'", "['periodic', 'reflecting', 'periodic']"] {
        let all = species("A", 0.5, "positions = [[5, 5, 5], [5, 6, 5]]")
            + &species("B", 0.5, "random = 100")
            + MOLECULES;
        let model = model(3, "[14, 10, 12]", boundary, &all);
        let placed = place_spheres::<3>(&model).unwrap();
        let particles = &placed.particles;
        assert_eq!((counts(particles, 0), counts(particles, 1)), (2 + 60 + 80, 100 + 120));
        assert!(smallest_gap(&model, particles) > -1e-12);
        assert_eq!(particles[0].1, Vector([5.0, 5.0, 5.0]));
        assert_eq!(placed, place_spheres::<3>(&model).unwrap());
        let domain = Domain::<3>::new([14.0, 10.0, 12.0], [true, model.space.periodic[1], true]);
        let mut turned = placed.turned.iter();
        model.each_molecule(|kind, ends| {
            let spheres = &model.molecules()[kind].spheres;
            let first = |species| particles.partition_point(|(other, _)| *other < species);
            let index = ends.iter().map(|(species, number)| first(*species) + number);
            let index: Vec<usize> = index.collect();
            for (sphere, &n) in spheres.iter().zip(&index) {
                let (at, how) = turned.next().unwrap();
                assert_eq!(*at, n);
                let between = domain.nearest_image(particles[n].1 - particles[index[0]].1);
                let should = how.apply(sphere.beside(&spheres[0]));
                assert!((between - should).norm() < 1e-12, "{between:?} {should:?}");
            }
        });
        assert_eq!(turned.next(), None);
    }
}

/// Sums of each component of each axis of 20 000 molecules, and of their squares: for directions that
/// are uniform the components have mean 0 and variance 1/3, their squares mean 1/3 and variance 4/45.
/// 4.5 standard errors in any of 18 sums have a probability of 1.2e-4.
#[test]
fn molecules_are_turned_uniformly() {
    let count = 20_000;
    let all = species("A", 0.01, "random = 0")
        + &format!(
            "[[molecule]]\nname='M'\ncount={count}\n\
             spheres=[{{species='A',at=[0,0,0]}},{{species='A',at=[0.1,0,0]}}]\n"
        );
    let model = model(3, "20", "'periodic'", &all);
    let placed = place_spheres::<3>(&model).unwrap();
    let n = f64::from(count);
    for axis in 0..3 {
        let axis = Vector::<3>::from_fn(|k| if k == axis { 1.0 } else { 0.0 });
        let turned: Vec<_> =
            placed.turned.iter().step_by(2).map(|(_, how)| how.apply(axis)).collect();
        assert_eq!(turned.len(), count as usize);
        for k in 0..3 {
            let sum: f64 = turned.iter().map(|v| v[k]).sum();
            let squares: f64 = turned.iter().map(|v| v[k] * v[k]).sum();
            assert!(sum.abs() < 4.5 * (n / 3.0).sqrt(), "{sum}");
            assert!((squares - n / 3.0).abs() < 4.5 * (n * 4.0 / 45.0).sqrt(), "{squares}");
        }
    }
}

#[test]
fn in_a_plane_molecules_are_turned_by_any_angle() {
    let all = species("A", 0.01, "random = 0")
        + "[[molecule]]\nname='M'\ncount=20000\nspheres=[{species='A',at=[0,0]},{species='A',at=[0.1,0]}]\n";
    let model = model(2, "60", "'periodic'", &all);
    let placed = place_spheres::<2>(&model).unwrap();
    let mut sums = [0.0; 4];
    for (_, how) in placed.turned.iter().step_by(2) {
        let [x, y, _] = how.apply(Vector([1.0, 0.0, 0.0])).0;
        let all = [x, y, x * x - y * y, 2.0 * x * y];
        sums.iter_mut().zip(all).for_each(|(sum, x)| *sum += x);
    }
    // Each has variance 1/2: 4.5 standard errors in any of four have a probability of 3e-5.
    assert!(sums.iter().all(|sum: &f64| sum.abs() < 4.5 * 1e2), "{sums:?}");
}

#[test]
fn molecules_without_room_are_told() {
    let all = species("A", 0.5, "random = 0")
        + "[[molecule]]\nname='rod'\ncount=190\nspheres=[{species='A',at=[0,0,0]},{species='A',at=[0,0,3]}]\n";
    let model = model(3, "8", "'periodic'", &all);
    let error = place::<3>(&model).unwrap_err();
    let PlacementError::NoRoomForMolecules { wanted, placed, asked, reached, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(wanted, 190);
    assert!(placed < 190 && reached < asked, "{placed} {reached} {asked}");
    assert!(error.origin(&model).is_some());
}
