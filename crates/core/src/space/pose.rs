//! Where a figure is and how it is turned.

use super::Vector;

/// Where a figure is and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Where the figure's origin lies. \[length\]
    pub position: Vector<2>,
    /// Cosine and sine of the angle by which it is turned, counter-clockwise.
    pub turn: [f64; 2],
}

impl Pose {
    /// At `position` \[length\], turned by `angle` \[rad\]. The same bits on every machine.
    #[inline]
    pub fn new(position: Vector<2>, angle: f64) -> Self {
        let (sine, cosine) = libm::sincos(angle);
        Self { position, turn: [cosine, sine] }
    }

    /// Where a point of the figure lies in the world. \[length\]
    #[inline]
    pub fn place(&self, local: Vector<2>) -> Vector<2> {
        self.position + self.direction(local)
    }

    /// How a direction of the figure points in the world.
    #[inline]
    pub fn direction(&self, local: Vector<2>) -> Vector<2> {
        let [cosine, sine] = self.turn;
        Vector([cosine * local[0] - sine * local[1], sine * local[0] + cosine * local[1]])
    }

    /// Which point of the figure lies at `world`. \[length\]
    #[inline]
    pub fn local(&self, world: Vector<2>) -> Vector<2> {
        let [cosine, sine] = self.turn;
        let from = world - self.position;
        Vector([cosine * from[0] + sine * from[1], cosine * from[1] - sine * from[0]])
    }

    /// The pose of `other` as this figure sees it.
    #[inline]
    pub(crate) fn sees(&self, other: &Self) -> Self {
        let ([c, s], [oc, os]) = (self.turn, other.turn);
        Self { position: self.local(other.position), turn: [c * oc + s * os, c * os - s * oc] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_placed_is_found_again_and_seen_by_another() {
        let pose = Pose::new(Vector([3.0, -1.0]), 0.7);
        let other = Pose::new(Vector([-2.0, 5.0]), -2.1);
        let point = Vector([0.25, 4.0]);
        assert!((pose.local(pose.place(point)) - point).norm() < 1e-14);
        let seen = pose.sees(&other).place(point);
        assert!((pose.place(seen) - other.place(point)).norm() < 1e-14);
        assert_eq!(Pose::new(Vector::ZERO, 0.0).place(point), point);
    }
}
