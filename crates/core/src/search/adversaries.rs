//! Adversaries of Figures 5 and 7 of Johnson & Whalley (2002): particles that make the most of what
//! pruning and the cell condition leave them.

use super::{Cells, Grid, Levels, Listing, Pair, Relink, Search, Settings, cubic, slices};
use crate::space::{Domain, Groups, Paths, Vector, Window};

/// Two disks of radius 0.5 in cells of edge 4 (half width d = 2, so that d - r = 1.5).
struct Two {
    domain: Domain<2>,
    groups: Groups,
    position: [Vector<2>; 2],
    velocity: [Vector<2>; 2],
    since: [f64; 2],
}

const RADIUS: f64 = 0.5;
const EDGE: f64 = 4.0;

impl Two {
    fn new(position: [[f64; 2]; 2], velocity: [[f64; 2]; 2]) -> Self {
        Self {
            domain: Domain::new([8.0 * EDGE; 2], [true; 2]),
            groups: Groups::all(),
            position: position.map(Vector),
            velocity: velocity.map(Vector),
            since: [0.0; 2],
        }
    }

    fn paths(&self) -> Paths<'_, 2> {
        Paths {
            domain: &self.domain,
            position: &self.position,
            velocity: &self.velocity,
            since: &self.since,
            radius: &[RADIUS; 2],
            group: &[0; 2],
            groups: &self.groups,
            alive: &[true; 2],
        }
    }

    /// The same with x and y changed for each other, or reflected.
    fn turned(&self, turn: usize) -> Self {
        let image = |v: Vector<2>| {
            let (x, y) = if turn & 1 == 0 { (v[0], v[1]) } else { (v[1], v[0]) };
            [if turn & 2 == 0 { x } else { -x }, if turn & 4 == 0 { y } else { -y }]
        };
        let place = |v: Vector<2>| image(v).map(|x| if x < 0.0 { x + 8.0 * EDGE } else { x });
        Self { since: self.since, ..Self::new(self.position.map(place), self.velocity.map(image)) }
    }
}

/// What has cells and a short list.
trait Structure: Search<2> {
    /// How many cells along each axis.
    fn counts(&self) -> [u32; 2];

    fn short_listed(&self) -> usize;
}

impl Structure for Cells<2> {
    fn counts(&self) -> [u32; 2] {
        self.grid().map_or([0; 2], Grid::counts)
    }

    fn short_listed(&self) -> usize {
        self.short_list().len()
    }
}

impl Structure for Levels<2> {
    fn counts(&self) -> [u32; 2] {
        self.grids().last().map_or([0; 2], Grid::counts)
    }

    fn short_listed(&self) -> usize {
        Levels::short_listed(self)
    }
}

/// Cubes, slices and levels of edge 4, relinked and listed in every way.
fn structures(pruning: bool) -> Vec<Box<dyn Structure>> {
    let mut all: Vec<Box<dyn Structure>> = Vec::new();
    for relink in Relink::ALL {
        for listing in Listing::ALL {
            let settings =
                Settings { relink, listing, pruning, cell_size: Some(EDGE), ..Settings::default() };
            all.push(Box::new(cubic(&settings)));
            all.push(Box::new(Levels::new(&settings)));
            for axis in [0, 1] {
                all.push(Box::new(slices(&Settings { axis, ..settings.clone() })));
            }
        }
    }
    all
}

/// Whether the structure names the pair, from both sides and at once.
fn finds(cells: &dyn Structure, two: &Two) -> bool {
    let paths = two.paths();
    let mut pairs = Vec::new();
    cells.pairs(&paths, &mut pairs);
    let near = |i: u32| {
        let mut near = Vec::new();
        cells.near(i, &paths, &mut near);
        near == [1 - i]
    };
    let found = pairs == [Pair(0, 1)];
    // Asked by itself, the second particle may name one too many, and neither one too few.
    assert_eq!(near(0), found, "{}", cells.describe());
    assert!(near(1) || !found, "{}", cells.describe());
    found
}

/// Puts two particles, in all orientations, before all structures; calls `look` after the refit.
fn in_all_structures(two: &Two, pruning: bool, look: impl Fn(&mut dyn Structure, Two)) {
    for turn in 0..8 {
        for mut cells in structures(pruning) {
            let two = two.turned(turn);
            cells.refit(&two.paths(), Window::STEP);
            look(&mut *cells, two);
        }
    }
}

/// Figure 7: of two particles a whole cell apart, each travels exactly d - r towards the other, or
/// by a hair farther, which puts it on the short list instead of out of sight.
#[test]
fn particles_at_the_limit_of_their_travel_are_found_across_a_cell() {
    // From the near faces of their cells, x = 8 and x = 12, the surfaces meet in the middle: at 10.
    for beyond in [0.0, 1e-12, 1e-3] {
        let travel = EDGE / 2.0 - RADIUS + beyond;
        let starts = [[7.999_999, 10.0], [12.0, 10.0]];
        let mut two = Two::new(starts, [[travel, 0.0], [-travel, 0.0]]);
        // Closer by the hair that the first start leaves: they touch at the very end.
        two.velocity[0] = Vector([travel + 1e-6, 0.0]);
        for pruning in [false, true] {
            in_all_structures(&two, pruning, |cells, two| {
                assert!(finds(cells, &two), "{}", cells.describe())
            });
        }
    }
}

/// Figure 7, from within: both keep the condition, neighbouring cells, contact at the end.
#[test]
fn particles_that_travel_exactly_as_far_as_they_may_meet_at_the_end() {
    let travel = EDGE / 2.0 - RADIUS;
    let two = Two::new([[6.0, 10.0], [10.0, 10.0]], [[travel, 0.0], [-travel, 0.0]]);
    for pruning in [false, true] {
        in_all_structures(&two, pruning, |cells, two| {
            assert!(cells.short_listed() == 0, "{}", cells.describe());
            assert!(finds(cells, &two), "{}", cells.describe());
        });
    }
}

/// Whether the structure has more than one cell along the axis of motion.
fn divides(cells: &dyn Structure, two: &Two) -> bool {
    let axis = if two.velocity[1][0] != 0.0 { 0 } else { 1 };
    cells.counts()[axis] > 1
}

/// Figure 5: a particle beside the dividing plane of its cell that does not move towards it leaves
/// out the cells beyond; at the plane itself, or towards it, it must not.
#[test]
fn a_particle_at_the_dividing_plane_meets_a_particle_that_can_come() {
    // The cell from 8 to 12 has its plane at 10.
    let at_plane = 10.0 + RADIUS;
    let travel = EDGE / 2.0 - RADIUS;
    let beside = Two::new([[at_plane + 1e-9, 10.0], [7.4, 10.0]], [[1.2, 0.0], [travel, 0.0]]);
    in_all_structures(&beside, true, |cells, two| {
        // Their reaches meet, so that only pruning can leave the pair out.
        assert_eq!(finds(cells, &two), !divides(cells, &two), "{}", cells.describe());
    });
    for speed in [0.0, 0.3] {
        let ahead = Two::new([[at_plane, 10.0], [12.9, 10.0]], [[speed, 0.0], [-travel, 0.0]]);
        in_all_structures(&ahead, true, |cells, two| {
            assert!(finds(cells, &two), "{}", cells.describe())
        });
    }
    let across = f64::from_bits(at_plane.to_bits() - 1);
    for x in [10.0, across, at_plane, at_plane + 1e-9] {
        let towards = Two::new([[x, 10.0], [7.4, 10.0]], [[-0.7, 0.0], [travel, 0.0]]);
        in_all_structures(&towards, true, |cells, two| {
            assert!(finds(cells, &two), "{}", cells.describe())
        });
    }
}

/// A bounce that reverses a pruned particle: it moves away from the plane, is turned round within
/// the step, and then meets a particle from the cells that pruning had left out.
#[test]
fn a_pruned_particle_that_is_turned_round_is_looked_for_behind() {
    let two = Two::new([[10.6, 10.0], [7.4, 10.0]], [[1.0, 0.0], [1.4, 0.0]]);
    in_all_structures(&two, true, |cells, mut two| {
        assert_eq!(finds(cells, &two), !divides(cells, &two), "{}", cells.describe());
        let bounce = 0.25;
        two.position[0] += two.velocity[0] * bounce;
        two.velocity[0] = two.velocity[0] * -1.5;
        two.since[0] = bounce;
        cells.update(0, &two.paths());
        cells.relink(&two.paths(), bounce);
        assert!(finds(cells, &two), "{}", cells.describe());
    });
}
