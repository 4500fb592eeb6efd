//! Levels by themselves: which belongs where, what that saves, and particles that grow.

use super::*;
use crate::search::conformance_scenes::{closest, scenes};
use crate::search::{Pair, Resize, Search, cubic};
use crate::space::{Domain, Groups, Vector};

/// Spheres at places that look random in a periodic cube, moving by up to 0.1 along each axis.
struct Spheres {
    domain: Domain<3>,
    groups: Groups,
    position: Vec<Vector<3>>,
    velocity: Vec<Vector<3>>,
    radius: Vec<f64>,
}

impl Spheres {
    /// So many of each radius.
    fn new(edge: f64, kinds: &[(usize, f64)]) -> Self {
        let radius: Vec<f64> = kinds.iter().flat_map(|&(n, r)| std::iter::repeat_n(r, n)).collect();
        let place = |n: usize, k: usize| (n as f64 * [0.618_034, 0.754_878, 0.569_840][k]).fract();
        let vector = |f: &dyn Fn(usize, usize) -> f64| {
            (0..radius.len()).map(|n| Vector::from_fn(|k| f(n, k))).collect::<Vec<_>>()
        };
        Self {
            domain: Domain::new([edge; 3], [true; 3]),
            groups: Groups::all(),
            position: vector(&|n, k| edge * place(n, k)),
            velocity: vector(&|n, k| 0.2 * place(7 * n + 3, k) - 0.1),
            radius,
        }
    }

    fn add(&mut self, place: [f64; 3], radius: f64) -> u32 {
        self.position.push(Vector(place));
        self.velocity.push(Vector::ZERO);
        self.radius.push(radius);
        self.radius.len() as u32 - 1
    }

    fn with<T>(&self, f: impl FnOnce(&Paths<'_, 3>) -> T) -> T {
        let n = self.radius.len();
        f(&Paths {
            domain: &self.domain,
            position: &self.position,
            velocity: &self.velocity,
            since: &vec![0.0; n],
            radius: &self.radius,
            group: &vec![0; n],
            groups: &self.groups,
            alive: &vec![true; n],
        })
    }

    fn refit(&self, levels: &mut impl Search<3>) {
        self.with(|paths| levels.refit(paths, Window::STEP));
    }

    fn pairs(&self, structure: &impl Search<3>) -> Vec<Pair> {
        let mut pairs = Vec::new();
        self.with(|paths| structure.pairs(paths, &mut pairs));
        pairs.sort_unstable();
        pairs
    }

    /// A particle that touches is listed, once, and hardly any other particle.
    fn hold(&self, levels: &Levels<3>) {
        levels.assert_well_formed();
        let listed = self.pairs(levels);
        assert!(listed.windows(2).all(|two| two[0] != two[1]), "a pair was listed twice");
        self.with(|paths| {
            let mut reaches_meet = 0;
            for (i, j) in (0..paths.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
                if paths.may_touch(i, j, 1.0) {
                    reaches_meet += 1;
                    let apart = paths.domain.nearest_image(paths.position[j] - paths.position[i]);
                    let distance = closest(apart, paths.velocity[j] - paths.velocity[i], 1.0);
                    let found = listed.binary_search(&Pair(j as u32, i as u32)).is_ok();
                    assert!(found || distance > paths.radius[i] + paths.radius[j], "{i} and {j}");
                }
            }
            assert!(listed.len() <= reaches_meet + 10);
        });
    }
}

/// Many small and so many large ones that a single lattice needs large cells.
fn mixture() -> Spheres {
    Spheres::new(60.0, &[(3000, 0.5), (150, 4.0), (60, 7.0)])
}

#[test]
fn each_particle_belongs_to_the_finest_lattice_that_suits_it() {
    let spheres = mixture();
    let mut levels = Levels::new(&Settings::default());
    spheres.refit(&mut levels);
    let widths: Vec<f64> = levels.grids().map(|grid| grid.widths()[0]).collect();
    assert!(widths.len() > 1 && widths.is_sorted_by(|a, b| a < b), "{widths:?}");
    for (particle, &radius) in spheres.radius.iter().enumerate() {
        let level = levels.level_of(particle as u32).unwrap();
        assert!(
            level == 0 || widths[level - 1] < 2.0 * (radius + 0.11),
            "{radius} in {level} of {widths:?}"
        );
    }
    assert_eq!(levels.level_of(0), Some(0));
    assert_eq!(levels.level_of(3100), Some(widths.len() - 1));
    assert_eq!(levels.short_listed(), 0);
    assert!(levels.describe().starts_with("levels: ") && levels.describe().contains("; "));
    spheres.hold(&levels);
}

#[test]
fn it_saves_work_where_sizes_differ_and_costs_none_where_they_do_not() {
    let considered = |spheres: &Spheres, structure: &mut dyn Search<3>| {
        spheres.with(|paths| structure.refit(paths, Window::STEP));
        spheres.with(|paths| structure.pairs(paths, &mut Vec::new()));
        structure.counters().pairs_considered
    };
    let both = |spheres: &Spheres| {
        let settings = Settings::default();
        [
            considered(spheres, &mut cubic(&settings)),
            considered(spheres, &mut Levels::new(&settings)),
        ]
    };
    let [one, several] = both(&mixture());
    assert!(several * 5 < one, "{several} against {one}");
    let [one, several] = both(&Spheres::new(40.0, &[(3000, 1.0)]));
    assert_eq!(one, several);
}

/// Figure 7 between lattices: two that go as far as their cells let them touch at the very end.
#[test]
fn particles_of_two_lattices_that_go_as_far_as_they_may_meet_at_the_end() {
    let mut spheres = mixture();
    let mut levels = Levels::new(&Settings { resize: Resize::Never, ..Settings::default() });
    spheres.refit(&mut levels);
    let rooms: Vec<f64> = levels.grids().map(Grid::room).collect();
    let coarsest = rooms.len() - 1;
    let [small, large] = [spheres.add([0.0; 3], 0.5), spheres.add([0.0; 3], 6.0)];
    let travel = |room: f64, radius: f64| 0.5 * room - radius - 1e-9;
    let [v, w] = [travel(rooms[0], 0.5), travel(rooms[coarsest], 6.0)];
    for turn in 0..240 {
        let (axis, side) = (turn % 3, [1.0, -1.0][turn / 3 % 2]);
        let along = |x: f64| Vector::from_fn(|k| if k == axis { side * x } else { 0.0 });
        let place = Vector([0.25 * turn as f64, 31.0, 7.5]);
        let beside = place + along(6.5 + v + w - 1e-9);
        spheres.position[small as usize] = spheres.domain.wrap(place).0;
        spheres.position[large as usize] = spheres.domain.wrap(beside).0;
        spheres.velocity[small as usize] = along(v);
        spheres.velocity[large as usize] = along(-w);
        spheres.refit(&mut levels);
        assert_eq!((levels.level_of(small), levels.level_of(large)), (Some(0), Some(coarsest)));
        let near = |i: u32| {
            let mut near = Vec::new();
            spheres.with(|paths| levels.near(i, paths, &mut near));
            near
        };
        assert!(near(small).contains(&large) && near(large).contains(&small), "turn {turn}");
        assert!(spheres.pairs(&levels).contains(&Pair(small, large)), "turn {turn}");
    }
}

#[test]
fn a_product_larger_than_any_before_meets_all_around_it_at_once() {
    for resize in [Resize::Auto, Resize::Never, Resize::Every(2)] {
        let mut spheres = Spheres::new(60.0, &[(3000, 0.5), (80, 3.0)]);
        let mut levels = Levels::new(&Settings { resize, ..Settings::default() });
        spheres.refit(&mut levels);
        for radius in [6.0, 12.0, 29.0] {
            let new = spheres.add([30.0, 59.0, 1.0 + radius], radius);
            spheres.with(|paths| levels.insert(new, paths));
            spheres.hold(&levels);
        }
        assert_eq!(levels.short_listed() > 0, levels.grids().all(|grid| grid.room() < 50.0));
        spheres.refit(&mut levels);
        spheres.hold(&levels);
    }
}

#[test]
fn a_particle_that_grows_or_speeds_up_moves_to_a_coarser_lattice() {
    let mut spheres = mixture();
    let mut levels = Levels::new(&Settings::default());
    spheres.refit(&mut levels);
    let coarsest = levels.grids().count() - 1;
    (spheres.radius[5], spheres.velocity[6]) = (6.5, Vector([6.0, -5.0, 4.0]));
    for particle in [5, 6] {
        assert_eq!(levels.level_of(particle), Some(0));
        spheres.with(|paths| levels.update(particle, paths));
        assert_eq!(levels.level_of(particle), Some(coarsest));
    }
    spheres.hold(&levels);
    levels.remove(5);
    assert_eq!(levels.level_of(5), None);
    levels.assert_well_formed();
}

#[test]
fn lattices_follow_particles_that_grow_unless_they_must_not() {
    let widths_after = |resize| {
        let mut spheres = Spheres::new(12.0, &[(800, 0.5)]);
        let mut levels = Levels::new(&Settings { resize, ..Settings::default() });
        let mut widths = Vec::new();
        for _ in 0..6 {
            spheres.refit(&mut levels);
            spheres.hold(&levels);
            widths.extend(levels.grids().last().map(|grid| grid.widths()[0]));
            spheres.radius.iter_mut().for_each(|radius| *radius *= 1.25);
        }
        widths
    };
    let never = widths_after(Resize::Never);
    assert!(never.iter().all(|&width| width == never[0]));
    let always = widths_after(Resize::Every(1));
    assert!(always.last() > always.first() && always.is_sorted(), "{always:?}");
    let seldom = widths_after(Resize::Every(5));
    assert!(
        seldom[..5].iter().all(|&width| width == seldom[0]) && seldom[5] > seldom[0],
        "{seldom:?}"
    );
    let auto = widths_after(Resize::Auto);
    assert!(auto.last() > auto.first(), "most would be on the short list: {auto:?}");
}

#[test]
fn the_shared_runner_has_scenes_for_several_lattices_and_a_short_list() {
    fn check<const D: usize>() {
        let mut seen = 0;
        for mut scene in
            scenes::<D>().into_iter().filter(|scene| scene.name.starts_with("polydisperse"))
        {
            let mut levels = Levels::<D>::new(&Settings::default());
            levels.refit(&scene.paths(), Window::STEP);
            assert!(levels.grids().count() > 1, "{}: {}", scene.name, levels.describe());
            let before = levels.short_listed();
            for _ in 0..20 {
                let new = scene.give_birth(0.3);
                levels.insert(new, &scene.paths());
            }
            assert!(levels.short_listed() > before, "{}: {}", scene.name, levels.describe());
            seen += 1;
        }
        assert_eq!(seen, 2);
    }
    check::<1>();
    check::<2>();
    check::<3>();
}
