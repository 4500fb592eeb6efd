//! When a flight reaches the lateral wall of an upright cylinder.

use jostle_core::space::{Flight, Vector};

/// An upright cylinder that fills the box: its axis is parallel to one edge and goes through the
/// middle of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cylinder<const D: usize> {
    pub axis: usize,
    /// Of the wall. \[nm\]
    pub radius: f64,
}

impl<const D: usize> Cylinder<D> {
    /// From the axis to a point, across the axis.
    pub(super) fn across(&self, position: Vector<D>) -> Vector<D> {
        Vector::from_fn(|k| if k == self.axis { 0.0 } else { position[k] - self.radius })
    }

    /// The impact of a flight that no acceleration bends across the axis: the first time at which
    /// the particle touches the wall and moves outwards.
    pub(super) fn first(&self, flight: &Flight<D>) -> Option<f64> {
        let place = self.across(flight.position);
        let velocity = Vector::from_fn(|k| if k == self.axis { 0.0 } else { flight.velocity[k] });
        let room = self.radius - flight.radius;
        let (a, b) = (velocity.norm_squared(), place.dot(velocity));
        // Before the wall this is negative.
        let c = place.norm_squared() - room * room;
        if c >= 0.0 && b > 0.0 {
            return Some(flight.since);
        }
        if a == 0.0 {
            return None;
        }
        // A particle that touches the wall and slides along it or leaves it meets it at the other
        // end of a chord, which rounding shall not make shorter than nothing.
        let c = c.min(-ROUNDING * self.radius * self.radius);
        let root = (b * b - a * c).sqrt();
        Some(flight.since + if b > 0.0 { -c / (b + root) } else { (root - b) / a })
    }
}

/// Squares of lengths are not known better than this, relative to that of the cylinder's radius.
const ROUNDING: f64 = 2.0 * f64::EPSILON;
