//! The bodies placed so far, and whether another one fits somewhere: bounding circles first, then
//! the outlines themselves.

use super::super::grid::Grid;
use crate::polygons::Cast;
use jostle_core::narrow::polygons::{FeatureCounters, Meeting, Tracked, meet};
use jostle_core::space::{Domain, Outline, Pose, Vector};

pub(super) struct OutlineCrowd {
    cast: Cast,
    domain: Domain<2>,
    grid: Grid<2>,
    /// The bodies in the grid, in the order of placement.
    placed: Vec<usize>,
    /// The largest reach of all bodies. \[nm\]
    largest: f64,
    /// The walls' own boxes: \[wall\]\[axis\]\[begin, end\] \[nm\]
    boxes: Vec<[[f64; 2]; 2]>,
}

/// What a body would overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    Body(usize),
    Wall(usize),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) obstacle: Obstacle,
    /// \[nm²\]
    pub(super) area: f64,
}

/// What is no overlap but rounding, relative to the square of the reach.
const ROUNDING: f64 = 1e-12;

impl OutlineCrowd {
    pub(super) fn new(cast: Cast, domain: &Domain<2>) -> Self {
        let largest = cast.largest_reach();
        let bounds = |wall: &jostle_core::parameters::polygons::PlacedWall| {
            let outline = &cast.outlines[wall.outline as usize];
            outline.bounds(&Pose::new(wall.position, wall.angle), &mut [0; 4])
        };
        Self {
            boxes: cast.walls.iter().map(bounds).collect(),
            grid: Grid::new(domain, 2.0 * largest, cast.solids.len()),
            domain: domain.clone(),
            placed: Vec::with_capacity(cast.solids.len()),
            largest,
            cast,
        }
    }

    pub(super) fn cast(&self) -> &Cast {
        &self.cast
    }

    pub(super) fn into_cast(self) -> Cast {
        self.cast
    }

    pub(super) fn put(&mut self, solid: usize, place: Vector<2>) {
        self.cast.solids[solid].position = place;
        self.grid.add(place);
        self.placed.push(solid);
    }

    /// What the body would overlap at `place`, if any particle.
    pub(super) fn hit(&self, solid: usize, place: Vector<2>) -> Option<Hit> {
        self.hit_body(solid, place).or_else(|| self.hit_wall(solid, place))
    }

    fn hit_body(&self, solid: usize, place: Vector<2>) -> Option<Hit> {
        let reach = self.cast.reach(solid);
        let mut found = None;
        self.grid.each_within(&self.domain, place, reach + self.largest, &mut |number, squared| {
            let other = self.placed[number];
            let both = reach + self.cast.reach(other);
            if squared >= both * both {
                return false;
            }
            let body = &self.cast.solids[other];
            let one = self.outline_of(solid, place);
            let overlap = self.overlap(one, (body.outline, body.position, body.angle));
            found = overlap.map(|area| Hit { obstacle: Obstacle::Body(other), area });
            found.is_some()
        });
        found
    }

    fn hit_wall(&self, solid: usize, place: Vector<2>) -> Option<Hit> {
        let reach = self.cast.reach(solid);
        (0..self.cast.walls.len()).filter(|&wall| self.is_near(wall, place, reach)).find_map(
            |wall| {
                let given = &self.cast.walls[wall];
                let one = self.outline_of(solid, place);
                let area = self.overlap(one, (given.outline, given.position, given.angle))?;
                Some(Hit { obstacle: Obstacle::Wall(wall), area })
            },
        )
    }

    /// Whether a circle about `place` \[nm\] meets no particle's circle and no wall's box.
    pub(super) fn is_free(&self, place: Vector<2>, radius: f64) -> bool {
        let mut free = true;
        self.grid.each_within(
            &self.domain,
            place,
            radius + self.largest,
            &mut |number, squared| {
                let both = radius + self.cast.reach(self.placed[number]);
                free &= squared >= both * both;
                !free
            },
        );
        free && (0..self.cast.walls.len()).all(|wall| {
            let given = &self.cast.walls[wall];
            let circle = (&Outline::Disk(radius), place, 0.0);
            !self.is_near(wall, place, radius)
                || self.overlap(circle, (given.outline, given.position, given.angle)).is_none()
        })
    }

    /// Whether a wall's box meets that of a circle, periods apart.
    fn is_near(&self, wall: usize, place: Vector<2>, radius: f64) -> bool {
        let centre = self.cast.walls[wall].position;
        let image = place - centre - self.domain.nearest_image(place - centre);
        (0..2).all(|k| {
            let [begin, end] = self.boxes[wall][k];
            place[k] - image[k] + radius > begin && place[k] - image[k] - radius < end
        })
    }

    fn outline_of(&self, solid: usize, place: Vector<2>) -> (&Outline, Vector<2>, f64) {
        let body = &self.cast.solids[solid];
        (&self.cast.outlines[body.outline as usize], place, body.angle)
    }

    /// The area in which the two overlap, if they do. \[nm²\]
    fn overlap(
        &self,
        (one, place, angle): (&Outline, Vector<2>, f64),
        (other, position, turned): (u32, Vector<2>, f64),
    ) -> Option<f64> {
        let other = &self.cast.outlines[other as usize];
        let pose = Pose::new(place + self.domain.nearest_image(position - place), turned);
        let area = overlap_area((one, &Pose::new(place, angle)), (other, &pose))?;
        let reach = one.circumradius();
        (area > ROUNDING * reach * reach).then_some(area)
    }

    /// How far a body at `place` would have to be moved so that it no longer overlaps a particle,
    /// the shortest way. \[nm\]
    pub(super) fn apart(&self, solid: usize, place: Vector<2>, obstacle: Obstacle) -> f64 {
        let (one, place, angle) = self.outline_of(solid, place);
        let (other, position, turned) = match obstacle {
            Obstacle::Body(body) => {
                let body = &self.cast.solids[body];
                (body.outline, body.position, body.angle)
            }
            Obstacle::Wall(wall) => {
                let wall = &self.cast.walls[wall];
                (wall.outline, wall.position, wall.angle)
            }
        };
        let other = &self.cast.outlines[other as usize];
        let pose = Pose::new(place + self.domain.nearest_image(position - place), turned);
        let overlaps = |moved: Vector<2>| {
            overlap_area((one, &Pose::new(place + moved, angle)), (other, &pose)).is_some()
        };
        let far = 2.0 * (one.circumradius() + other.circumradius());
        // The shortest way out of a polygon is across one of the edges of either.
        let own = normals(one, &Pose::new(place, angle)).into_iter().map(|normal| -normal);
        let ways = own.chain(normals(other, &pose)).chain([place - pose.position]);
        let ways = ways.filter(|way| way.norm() > 0.0).map(|way| way * (1.0 / way.norm()));
        ways.map(|way| way_out(far, |far| overlaps(way * far))).fold(far, f64::min)
    }

    /// The share of the box that the bodies placed so far fill.
    pub(super) fn packing_fraction(&self) -> f64 {
        self.placed.iter().map(|&solid| self.cast.area(solid)).sum::<f64>() / self.domain.volume()
    }

    /// The share of the box that all bodies fill.
    pub(super) fn packing_fraction_of_all(&self) -> f64 {
        (0..self.cast.solids.len()).map(|solid| self.cast.area(solid)).sum::<f64>()
            / self.domain.volume()
    }
}

/// The directions across the edges of an outline, outwards.
fn normals(outline: &Outline, pose: &Pose) -> Vec<Vector<2>> {
    let corners = outline.polygon().map_or(&[][..], |polygon| polygon.corners());
    let edge = |k: usize| pose.direction(corners[(k + 1) % corners.len()] - corners[k]);
    (0..corners.len()).map(edge).map(|edge| Vector([edge[1], -edge[0]])).collect()
}

/// How far it is to where two no longer overlap, at most `far`: by bisection.
fn way_out(far: f64, overlaps: impl Fn(f64) -> bool) -> f64 {
    let (mut inside, mut outside) = (0.0, far);
    for _ in 0..40 {
        let middle = 0.5 * (inside + outside);
        if overlaps(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    outside
}

fn overlap_area(one: (&Outline, &Pose), other: (&Outline, &Pose)) -> Option<f64> {
    match meet(one, other, &mut Tracked::default(), &mut FeatureCounters::default()) {
        Meeting::Overlapping(overlap) => Some(overlap.area),
        Meeting::Apart(_) => None,
    }
}
