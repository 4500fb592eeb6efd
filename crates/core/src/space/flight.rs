//! Flights: paths in continuous time under one common acceleration, all that a kinetic search
//! structure ever sees of the particles.

use serde::{Deserialize, Serialize};

use super::{Domain, Vector};

/// The path of one particle since something last happened to it: a parabola under the acceleration
/// that all share, so that any two move straight relative to each other.
///
/// One record and not one array per property: an event touches one particle here and some twenty
/// there, none of them beside each other in memory, so that a particle should be one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[repr(align(64))]
pub struct Flight<const D: usize> {
    /// Where the path starts. \[length\]
    pub position: Vector<D>,
    /// Of the centre at the start. \[length/time\]
    pub velocity: Vector<D>,
    /// When the path starts. \[time\]
    pub since: f64,
    /// Of the particle. \[length\]
    pub radius: f64,
}

impl<const D: usize> Flight<D> {
    /// Where the centre is at `time`.
    #[inline]
    pub fn at(&self, time: f64, acceleration: Vector<D>) -> Vector<D> {
        let t = time - self.since;
        self.position + self.velocity * t + acceleration * (0.5 * t * t)
    }

    /// How fast it is at `time`.
    #[inline]
    pub fn velocity_at(&self, time: f64, acceleration: Vector<D>) -> Vector<D> {
        self.velocity + acceleration * (time - self.since)
    }
}

/// A borrowed view of all particles in flight; particles are numbered from 0 and stay.
#[derive(Clone, Copy)]
pub struct Flights<'a, const D: usize> {
    /// The box. Along axes that are not periodic particles may leave it a little, since walls may
    /// move.
    pub domain: &'a Domain<D>,
    /// Common to all. \[length/time²\]
    pub acceleration: Vector<D>,
    /// \[particle\]
    pub all: &'a [Flight<D>],
}

impl<const D: usize> Flights<'_, D> {
    /// How many particles there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are no particles.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Where the centre of `i` is at `time`, not wrapped into the box.
    #[inline]
    pub fn at(&self, i: u32, time: f64) -> Vector<D> {
        self.all[i as usize].at(time, self.acceleration)
    }

    /// How fast `i` is at `time`.
    #[inline]
    pub fn velocity_at(&self, i: u32, time: f64) -> Vector<D> {
        self.all[i as usize].velocity_at(time, self.acceleration)
    }

    /// The largest radius; 0 without particles. \[length\]
    pub fn largest_radius(&self) -> f64 {
        self.all.iter().map(|flight| flight.radius).fold(0.0, f64::max)
    }

    /// The first moment from `now` on at which coordinate `k` of the centre of `i` is at or beyond
    /// `bound` and moves outwards (`upper`: to larger values), or infinity. A particle that is
    /// beyond the bound by rounding and moves outwards has reached it now.
    pub fn reaches(&self, i: u32, k: usize, bound: f64, upper: bool, now: f64) -> f64 {
        let (x, v) = (self.at(i, now)[k], self.velocity_at(i, now)[k]);
        let sign = if upper { 1.0 } else { -1.0 };
        now + first_reach(sign * (bound - x), sign * v, sign * self.acceleration[k])
    }
}

/// How long it takes to cover `gap` outwards from now, with speed `v` and acceleration `a`
/// (outwards positive): the first time at which the gap is closed and the motion is outwards. A
/// particle that is past it already, by rounding, and moves outwards is there now; infinity if
/// never.
#[inline]
pub fn first_reach(gap: f64, v: f64, a: f64) -> f64 {
    if gap <= 0.0 {
        return match v > 0.0 || (v == 0.0 && a > 0.0) {
            true => 0.0,
            // On the way back inwards. It may turn round.
            false if a > 0.0 => ((v * v + 2.0 * a * gap).max(0.0).sqrt() - v) / a,
            false => f64::INFINITY,
        };
    }
    if a == 0.0 {
        return if v > 0.0 { gap / v } else { f64::INFINITY };
    }
    // Roots of a t²/2 + v t - gap: the smaller positive one, without cancellation.
    let discriminant = v * v + 2.0 * a * gap;
    if discriminant < 0.0 {
        return f64::INFINITY;
    }
    let root = discriminant.sqrt();
    if v > 0.0 {
        2.0 * gap / (v + root)
    } else if a > 0.0 {
        (root - v) / a
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flight_is_a_parabola() {
        let flight = Flight {
            position: Vector([1.0, 2.0]),
            velocity: Vector([3.0, 4.0]),
            since: 10.0,
            radius: 1.0,
        };
        let down = Vector([0.0, -2.0]);
        assert_eq!(flight.at(12.0, down), Vector([7.0, 6.0]));
        assert_eq!(flight.velocity_at(12.0, down), Vector([3.0, 0.0]));
    }

    #[test]
    fn bounds_are_reached_on_the_way_out_only() {
        assert_eq!(first_reach(2.0, 1.0, 0.0), 2.0);
        assert_eq!(first_reach(2.0, -1.0, 0.0), f64::INFINITY);
        assert_eq!(first_reach(-1e-16, 1.0, 0.0), 0.0);
        assert_eq!(first_reach(-1e-16, -1.0, 0.0), f64::INFINITY);
        // Thrown up with 2 under -1: the top is at 2, after 2.
        assert_eq!(first_reach(1.5, 2.0, -1.0), 1.0);
        assert_eq!(first_reach(2.5, 2.0, -1.0), f64::INFINITY);
        // The floor, 1.5 below, is reached on the way back.
        let back = first_reach(1.5, -1.0, 1.0);
        assert_eq!(back, 3.0);
        // Just passed inwards: it comes back out after 2 v / a.
        assert!((first_reach(0.0, -1.0, 1.0) - 2.0).abs() < 1e-15);
    }
}
