//! Particles that go exactly as far as Johnson & Whalley (2002, Figures 5 and 7) allow.

use crate::search::{Broad, Cells, Pair, Relink, Search, Settings, cubic, least_cell_size};
use crate::space::{Domain, Groups, Paths, Vector, Window};

/// The half width d of the cells, the radius r, and all the travel that Result 1 allows.
const HALF_WIDTH: f64 = 2.0;
const RADIUS: f64 = 0.5;
const TRAVEL: f64 = HALF_WIDTH - RADIUS;

struct Scene {
    domain: Domain<2>,
    groups: Groups,
    position: Vec<Vector<2>>,
    velocity: Vec<Vector<2>>,
    since: Vec<f64>,
}

impl Scene {
    /// In a box of five cells each way.
    fn new(particles: &[([f64; 2], [f64; 2])]) -> Self {
        Self::in_box([20.0, 20.0], particles)
    }

    fn in_box(edges: [f64; 2], particles: &[([f64; 2], [f64; 2])]) -> Self {
        Self {
            domain: Domain::new(edges, [true, true]),
            groups: Groups::all(),
            position: particles.iter().map(|b| Vector(b.0)).collect(),
            velocity: particles.iter().map(|b| Vector(b.1)).collect(),
            since: vec![0.0; particles.len()],
        }
    }

    fn with_paths<T>(&self, f: impl FnOnce(&Paths<'_, 2>) -> T) -> T {
        let n = self.position.len();
        f(&Paths {
            domain: &self.domain,
            position: &self.position,
            velocity: &self.velocity,
            since: &self.since,
            radius: &vec![RADIUS; n],
            group: &vec![0; n],
            groups: &self.groups,
            alive: &vec![true; n],
        })
    }

    fn refitted(&self, relink: Relink, pruning: bool) -> Cells<2> {
        let mut cells = cubic(&Settings {
            relink,
            pruning,
            cell_size: Some(least_cell_size(RADIUS, TRAVEL)),
            ..Settings::default()
        });
        self.with_paths(|paths| cells.refit(paths, Window::STEP));
        let counts = self.domain.edges().map(|edge| (edge / 4.0) as u32);
        assert_eq!(cells.grid().map(|grid| grid.counts()), Some(counts));
        cells
    }

    fn bounce(&mut self, i: usize, time: f64, velocity: [f64; 2]) {
        let gone = self.velocity[i] * (time - self.since[i]);
        self.position[i] += gone;
        self.since[i] = time;
        self.velocity[i] = Vector(velocity);
    }

    fn pairs(&self, cells: &Cells<2>) -> Vec<Pair> {
        let mut pairs = Vec::new();
        self.with_paths(|paths| cells.pairs(paths, &mut pairs));
        pairs
    }

    fn near(&self, cells: &Cells<2>, i: u32) -> Vec<u32> {
        let mut near = Vec::new();
        self.with_paths(|paths| cells.near(i, paths, &mut near));
        near
    }
}

#[test]
fn from_cells_that_are_not_neighbours_particles_meet_in_the_middle_at_most() {
    // Figure 7, at the faces of the cell between them: they touch at the step's end, no earlier.
    for pruning in [false, true] {
        let meeting = Scene::new(&[
            ([4.0 - 1e-12, 2.0], [TRAVEL + 1e-12, 0.0]),
            ([8.0, 2.0], [-TRAVEL, 0.0]),
        ]);
        let cells = meeting.refitted(Relink::Step, pruning);
        assert_eq!(meeting.pairs(&cells), [Pair(0, 1)]);
        assert_eq!(meeting.near(&cells, 0), [1]);
        assert_eq!(meeting.near(&cells, 1), [0]);
        // A little slower, they keep the condition, are not looked at, and do not meet.
        let missing = Scene::new(&[
            ([4.0 - 1e-12, 2.0], [TRAVEL - 1e-9, 0.0]),
            ([8.0, 2.0], [-TRAVEL + 1e-9, 0.0]),
        ]);
        let cells = missing.refitted(Relink::Step, pruning);
        assert!(cells.short_list().is_empty());
        assert!(missing.pairs(&cells).is_empty());
        assert_eq!(cells.counters().pairs_considered, 0);
    }
}

#[test]
fn the_travel_of_result_1_is_the_limit_where_it_matters_most() {
    // At a face of its cell and moving out of it.
    let alone = |x: f64, travel: f64| {
        let cells = Scene::new(&[([x, x], [travel, -0.1])]).refitted(Relink::Step, false);
        cells.short_list().to_vec()
    };
    assert_eq!(alone(4.0, -TRAVEL + 1e-9), [0u32; 0]);
    assert_eq!(alone(4.0, -TRAVEL - 1e-9), [0]);
    assert_eq!(alone(8.0 - 1e-12, TRAVEL - 1e-9), [0u32; 0]);
    assert_eq!(alone(8.0 - 1e-12, TRAVEL + 1e-9), [0]);
    // From the middle it may go farther.
    assert_eq!(alone(6.0, TRAVEL + 0.5 * HALF_WIDTH), [0u32; 0]);
}

#[test]
fn a_particle_behind_is_not_looked_at_and_one_at_the_plane_is() {
    // Figure 5: the first particle is in the upper half of its cell and moves up; the second comes
    // from the cell behind as far as it may, to the dividing plane.
    let behind = |x: f64| {
        Scene::new(&[([x, 10.0], [TRAVEL / 4.0, 0.0]), ([4.0 - 1e-12, 10.0], [TRAVEL - 1e-9, 0.0])])
    };
    let clear = behind(6.0 + RADIUS + 1e-9);
    let cells = clear.refitted(Relink::Step, true);
    assert!(cells.short_list().is_empty());
    assert_eq!(clear.near(&cells, 0), [0u32; 0]);
    assert!(cells.counters().pruned_by_direction >= 3);
    assert!(clear.pairs(&cells).is_empty());
    // Across the plane by a little, it is looked at.
    let across = behind(6.0 + RADIUS - 1e-9);
    let cells = across.refitted(Relink::Step, true);
    assert_eq!(across.near(&cells, 0), [1]);
    assert_eq!(across.near(&cells, 1), [0]);
    assert_eq!(across.pairs(&cells), [Pair(0, 1)]);
}

#[test]
fn a_bounce_that_reverses_a_pruned_particle_is_detected() {
    for relink in Relink::ALL {
        let mut particles = Scene::new(&[
            ([6.6, 10.0], [0.4, 0.0]),
            ([3.9, 10.0], [1.2, 0.0]),
            ([8.3, 10.0], [-0.4, 0.0]),
        ]);
        let mut cells = particles.refitted(relink, true);
        assert_eq!(particles.near(&cells, 0), [2], "no particle comes from behind");
        particles.bounce(0, 0.5, [-2.0, 0.0]);
        particles.with_paths(|paths| cells.update(0, paths));
        let mut near = particles.near(&cells, 0);
        near.sort_unstable();
        assert_eq!(near, [1, 2]);
        assert!(particles.near(&cells, 1).contains(&0), "seen from the other side too");
        assert!(particles.pairs(&cells).contains(&Pair(0, 1)));
        cells.assert_well_formed();
    }
}

#[test]
fn a_bounce_that_makes_a_particle_fast_puts_it_on_the_short_list() {
    let mut particles = Scene::new(&[([2.0, 2.0], [0.1, 0.0]), ([18.0, 12.0], [0.0, 0.0])]);
    let mut cells = particles.refitted(Relink::Step, false);
    assert_eq!(particles.near(&cells, 0), [0u32; 0]);
    particles.bounce(0, 0.2, [-5.0, 12.5]);
    particles.with_paths(|paths| cells.update(0, paths));
    assert_eq!(cells.short_list(), [0]);
    assert_eq!(particles.near(&cells, 0), [1]);
    assert_eq!(particles.near(&cells, 1), [0]);
    assert_eq!(particles.pairs(&cells), [Pair(0, 1)]);
    particles.bounce(0, 0.3, [0.1, 0.0]);
    particles.with_paths(|paths| cells.update(0, paths));
    assert!(cells.short_list().is_empty(), "and off it again");
}

#[test]
fn along_an_axis_with_two_cells_nothing_keeps_a_particle_near_its_own() {
    // The first is too fast along the axis that is long; the second comes down from the other cell.
    let particles =
        Scene::in_box([20.0, 8.0], &[([2.0, 1.5], [8.0, 0.0]), ([6.0, 4.9], [0.0, -6.0])]);
    let cells = particles.refitted(Relink::Step, true);
    assert_eq!(cells.short_list(), [0]);
    assert_eq!(particles.near(&cells, 0), [1]);
    assert_eq!(particles.near(&cells, 1), [0]);
    assert_eq!(particles.pairs(&cells), [Pair(0, 1)]);
}
