//! The frame: four sites without extent, far outside the box, whose tetrahedron encloses all.
//!
//! In the plane the outside is made of triangles with a ghost at infinity, whose certificates are
//! turns. In space that would leave spheres in one plane or on one line, and fewer than four,
//! without any tetrahedron. With the frame there is nothing special about them, nor about the hull:
//! every certificate is that of five spheres. Two spheres that touch are neighbours whatever else
//! is there, as long as it does not overlap them, and the frame does not.
//!
//! Everything relative has to move straight, so the frame falls as particles do. It is thrown up
//! whenever it comes down.

use jostle_core::space::{Flight, Flights, Vector};

/// Where its corners are from the middle of the box; lopsided, so that lattices do not lie along
/// it. The sphere about the middle that just fits in has radius 1/2 and more.
const CORNERS: [[f64; 3]; 4] =
    [[1.0, 0.92, 1.09], [1.07, -1.0, -0.93], [-0.95, 1.04, -1.0], [-1.0, -0.96, 1.05]];

/// The size of the corners, how far the frame rises, and how far from the middle particles may be:
/// in units of the diagonal of the box. Half of the first is more than the sum of the others.
const SIZE: f64 = 8.0;
const RISE: f64 = 1.0;
const REACH: f64 = 2.0;

#[derive(Clone, Debug)]
pub(super) struct Frame {
    corners: [Flight<3>; 4],
    /// Between two throws. \[time\]
    period: f64,
    middle: Vector<3>,
    /// How far from the middle particles may be. \[length\]
    reach: f64,
}

impl Default for Frame {
    fn default() -> Self {
        let nowhere =
            Flight { position: Vector::ZERO, velocity: Vector::ZERO, since: 0.0, radius: 0.0 };
        Self { corners: [nowhere; 4], period: f64::INFINITY, middle: Vector::ZERO, reach: 0.0 }
    }
}

impl Frame {
    /// A frame round all particles as they are, thrown up `now`.
    pub(super) fn around(flights: &Flights<'_, 3>, now: f64) -> Self {
        let edges = Vector(flights.domain.edges());
        let middle = edges * 0.5;
        let far = (0..flights.len() as u32)
            .map(|i| (flights.at(i, now) - middle).norm())
            .fold(edges.norm(), f64::max);
        let pull = flights.acceleration.norm();
        let period = if pull > 0.0 { (8.0 * RISE * far / pull).sqrt() } else { f64::INFINITY };
        let corners = Self::corners_around(middle, SIZE * far).map(|position| Flight {
            position,
            velocity: Vector::ZERO,
            since: now,
            radius: 0.0,
        });
        let mut frame = Self { corners, period, middle, reach: REACH * far };
        frame.throw(flights.acceleration, now);
        frame
    }

    /// Four corners such that a sphere of half the size about the middle fits between them.
    pub(super) fn corners_around(middle: Vector<3>, size: f64) -> [Vector<3>; 4] {
        CORNERS.map(|corner| middle + Vector(corner) * size)
    }

    /// From where it is now back to where it is now.
    pub(super) fn throw(&mut self, acceleration: Vector<3>, now: f64) {
        for corner in &mut self.corners {
            corner.since = now;
            if self.period < f64::INFINITY {
                corner.velocity = acceleration * (-0.5 * self.period);
            }
        }
    }

    /// When it has to be thrown up again.
    pub(super) fn comes_down(&self) -> f64 {
        self.corners[0].since + self.period
    }

    #[inline]
    pub(super) fn corner(&self, k: usize) -> &Flight<3> {
        &self.corners[k]
    }

    /// Whether a particle is where the frame expects them.
    #[inline]
    pub(super) fn holds(&self, place: Vector<3>) -> bool {
        (place - self.middle).norm_squared() <= self.reach * self.reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_encloses_all_that_may_be_in_it() {
        let corners = CORNERS.map(Vector);
        for k in 0..4 {
            let [a, b, c] = [1, 2, 3].map(|n| corners[(k + n) % 4]);
            let (p, q) = (b - a, c - a);
            let normal = Vector::from_fn(|k| {
                let (l, m) = ((k + 1) % 3, (k + 2) % 3);
                p[l] * q[m] - p[m] * q[l]
            });
            let distance = (a.dot(normal) / normal.norm()).abs();
            assert!(SIZE * distance > REACH + RISE, "{distance}");
        }
    }
}
