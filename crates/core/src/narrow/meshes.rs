//! When a ball on a straight path first touches a mesh: its faces, edges and corners alike.
//!
//! The distance of a point on a straight path from a convex set is a convex function of time, and
//! its slope is the part of the velocity along the line of the distance. So from any moment before
//! the contact, Newton's method t += (distance - radius) / (rate of approach) rises to the contact
//! and never beyond; once the distance no longer falls, there is none. Each facet is such a set by
//! itself, with its edges and corners: nothing has to be decided about which answers for a seam,
//! and between two facets there is no gap. (Faces, edges as cylinders and corners as spheres,
//! Ericson 2005, section 5.5.7, would have to be distinguished by rounded numbers, and the
//! quadratic equation of a thin cylinder loses all digits far away.)
//!
//! The answer is the earliest contact with any facet, of several the one with the lowest number: a
//! function of path and mesh. The tree only leaves out facets that are farther.

use crate::space::mesh::{Facet, Mesh, Visitor};
use crate::space::{Path, Vector};

#[cfg(test)]
mod tests;

/// A contact of a ball with a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceContact<const D: usize> {
    /// When. \[window time\]
    pub time: f64,
    /// The unit vector from the surface to the centre of the ball, at that time.
    pub normal: Vector<D>,
}

/// What moves along or away within rounding does not approach: the least part of the speed that
/// counts.
const ALONG: f64 = 4.0 * f64::EPSILON;
/// Newton's method doubles the digits or, where the path grazes, quarters the gap; more steps do
/// not matter.
const MOST_STEPS: usize = 100;

/// The first contact of a ball of the given `radius` \[length\] with the surface of the mesh, on
/// either side of it, from the start of its `path` until `end`. The ball is not that of the path,
/// whose radius is not used.
///
/// A ball that touches or, by rounding, overlaps the surface touches it at once if it approaches,
/// and not if it moves along or apart. A path that would take it no deeper than a few ulp passes
/// by: along a flat face cut into triangles there is nothing to stumble over.
pub fn mesh_contact<const D: usize>(
    mesh: &Mesh<D>,
    path: &Path<D>,
    radius: f64,
    end: f64,
) -> Option<SurfaceContact<D>> {
    let mut sweep = Sweep::new(mesh, path, radius, end - path.since)?;
    mesh.walk(&mut sweep);
    let (_, normal) = sweep.first?;
    Some(SurfaceContact { time: (path.since + sweep.until).min(end), normal })
}

/// A ball under way. Times are counted from the start of its path.
struct Sweep<'a, const D: usize> {
    path: &'a Path<D>,
    speed: f64,
    /// One over each component of the velocity.
    inverse: Vector<D>,
    radius: f64,
    /// What rounding may do to a place. \[length\]
    slack: f64,
    /// By how much boxes are grown. \[length\]
    grown: f64,
    /// The time of the first contact that is known, or until when one is looked for.
    until: f64,
    /// The facet that was first touched, and the normal there.
    first: Option<(u32, Vector<D>)>,
}

/// A moment at which the ball is as near to a facet as was asked.
struct Moment<const D: usize> {
    time: f64,
    normal: Vector<D>,
    /// How fast it approaches. \[length per window time\]
    approach: f64,
}

impl<'a, const D: usize> Sweep<'a, D> {
    /// Nothing if the ball does not move.
    fn new(mesh: &Mesh<D>, path: &'a Path<D>, radius: f64, until: f64) -> Option<Self> {
        let speed = path.velocity.norm();
        let far = path.position.0.iter().fold(0.0, |most, x| f64::max(most, x.abs()));
        let rounding = mesh.rounding().max(8.0 * f64::EPSILON * far);
        (speed > 0.0 && until >= 0.0).then(|| Self {
            path,
            speed,
            inverse: Vector::from_fn(|k| 1.0 / path.velocity[k]),
            radius,
            slack: (rounding / 2.0).min(radius / 2.0),
            grown: radius * (1.0 + 8.0 * f64::EPSILON) + 2.0 * rounding,
            until,
            first: None,
        })
    }

    /// When the ball touches the facet, not after `until`.
    fn touch(&self, facet: &Facet<D>) -> Option<Moment<D>> {
        let touch = self.descend(facet, 0.0, self.radius, self.until)?;
        // The distance bends by at most 1/radius, so a steep path gets deep.
        let sine = touch.approach / self.speed;
        let deep = sine * sine * self.radius > 4.0 * self.slack
            || self.descend(facet, touch.time, self.radius - self.slack, f64::INFINITY).is_some();
        deep.then_some(touch)
    }

    /// The first time from `start` on, but not after `until`, at which the ball's centre is within
    /// `distance` of the facet while it approaches.
    fn descend(
        &self,
        facet: &Facet<D>,
        start: f64,
        distance: f64,
        until: f64,
    ) -> Option<Moment<D>> {
        let Path { position, velocity, .. } = *self.path;
        let mut time = start;
        let mut steps = 0;
        loop {
            let offset = facet.offset(position + velocity * time, self.slack);
            let length = offset.norm();
            let normal =
                if length > 0.0 { offset * (1.0 / length) } else { facet.normal_against(velocity) };
            let approach = -velocity.dot(normal);
            if approach <= ALONG * self.speed {
                return None;
            }
            let next = time + (length - distance) / approach;
            steps += 1;
            if length <= distance || next <= time || steps == MOST_STEPS {
                return Some(Moment { time, normal, approach });
            }
            if next > until {
                return None;
            }
            time = next;
        }
    }
}

impl<const D: usize> Visitor<D> for Sweep<'_, D> {
    /// Whether the path meets the box, grown by the radius (Ericson 2005, section 5.3.3).
    #[inline]
    fn enters(&self, low: Vector<D>, high: Vector<D>) -> bool {
        let (mut first, mut last) = (0.0f64, self.until);
        for k in 0..D {
            let start = (low[k] - self.grown - self.path.position[k]) * self.inverse[k];
            let end = (high[k] + self.grown - self.path.position[k]) * self.inverse[k];
            first = first.max(start.min(end));
            last = last.min(start.max(end));
        }
        first <= last
    }

    #[inline]
    fn sees(&mut self, facet: &Facet<D>) {
        if let Some(Moment { time, normal, .. }) = self.touch(facet)
            && self.first.is_none_or(|(number, _)| time < self.until || facet.number < number)
        {
            (self.until, self.first) = (time, Some((facet.number, normal)));
        }
    }
}
