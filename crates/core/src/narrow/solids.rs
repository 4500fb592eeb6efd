//! When the centre of a ball on a straight path gets as near to the surface of a solid as it may:
//! from the inside of a ball or a rod, and from the outside of any convex solid.
//!
//! All of it is about centres: a ball of radius r meets a sphere of radius R where its own centre
//! meets the one of radius R - r (inside) or R + r (outside).

use super::first_contact_of;
use crate::space::Vector;

/// How a rod ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// In half spheres.
    Round,
    /// In flat discs.
    Flat,
    /// Not at all: it is a tube through the whole of a periodic box.
    Open,
}

/// A round rod along an axis of space, about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// Which axis.
    pub axis: usize,
    /// Half the length of its straight part. \[length\]
    pub half: f64,
    /// \[length\]
    pub radius: f64,
    /// How it ends.
    pub ends: Ends,
}

/// When a particle touches a surface, and where that lies from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceMeeting<const D: usize> {
    /// From now on. \[window time\]
    pub time: f64,
    /// The unit vector from the surface to the centre that meets it.
    pub normal: Vector<D>,
}

/// When a point at `x` that moves with `v` leaves the ball of radius `rho` about the origin, in
/// which it is except for rounding, or which it will have entered before. Never, if it is at rest.
#[inline]
pub fn leaves_ball<const D: usize>(x: Vector<D>, v: Vector<D>, rho: f64) -> f64 {
    let square = v.norm_squared();
    if square == 0.0 {
        return f64::INFINITY;
    }
    let outwards = x.dot(v);
    let room = rho * rho - x.norm_squared();
    let root = (outwards * outwards + square * room).max(0.0).sqrt();
    // The form of the two that does not cancel.
    if outwards > 0.0 { room.max(0.0) / (outwards + root) } else { (root - outwards) / square }
}

impl Rod {
    /// What of a vector is along the rod, and what is across it.
    #[inline]
    fn parts<const D: usize>(&self, x: Vector<D>) -> (f64, Vector<D>) {
        let mut across = x;
        across[self.axis] = 0.0;
        (x[self.axis], across)
    }

    /// Whether a point is inside and farther from the surface than `depth`, by a test that misses some near the ends.
    #[inline]
    pub fn is_deep_inside<const D: usize>(&self, x: Vector<D>, depth: f64) -> bool {
        let (along, across) = self.parts(x);
        let inner = (self.radius - depth).max(0.0);
        let is_off_ends = match self.ends {
            Ends::Open => true,
            Ends::Round => along.abs() < self.half,
            Ends::Flat => along.abs() < self.half - depth,
        };
        is_off_ends && across.norm_squared() < inner * inner
    }

    /// How far a point is from the surface, below 0 inside, and the unit vector in which that
    /// grows. On the rod's own axis, where all directions are as good, any.
    pub fn distance<const D: usize>(&self, x: Vector<D>) -> (f64, Vector<D>) {
        let (along, across) = self.parts(x);
        let radial = across.norm();
        let outwards = if radial > 0.0 { across * (1.0 / radial) } else { any_across(self.axis) };
        let mut up = Vector::ZERO;
        up[self.axis] = 1.0_f64.copysign(along);
        let beyond = along.abs() - self.half;
        match self.ends {
            Ends::Open => (radial - self.radius, outwards),
            Ends::Round if beyond <= 0.0 => (radial - self.radius, outwards),
            Ends::Round => {
                let from_end = across + up * beyond;
                let distance = from_end.norm();
                (distance - self.radius, from_end * (1.0 / distance))
            }
            Ends::Flat => {
                let aside = radial - self.radius;
                match (aside > 0.0, beyond > 0.0) {
                    (true, true) => {
                        let from_rim = outwards * aside + up * beyond;
                        let distance = from_rim.norm();
                        (distance, from_rim * (1.0 / distance))
                    }
                    (false, false) if aside < beyond => (beyond, up),
                    (false, true) => (beyond, up),
                    _ => (aside, outwards),
                }
            }
        }
    }

    /// When a point at `x` inside that moves with `v` gets as near to the surface as `margin`.
    pub fn left_by<const D: usize>(
        &self,
        x: Vector<D>,
        v: Vector<D>,
        margin: f64,
    ) -> Option<SurfaceMeeting<D>> {
        let ((z, across), (w, sideways)) = (self.parts(x), self.parts(v));
        let rho = (self.radius - margin).max(0.0);
        let side = leaves_ball(across, sideways, rho);
        let from_side = |time: f64| {
            let there = across + sideways * time;
            let radial = there.norm();
            let normal = if radial > 0.0 {
                there * (-1.0 / radial)
            } else {
                sideways * (-1.0 / sideways.norm())
            };
            SurfaceMeeting { time, normal }
        };
        let mut up = Vector::ZERO;
        up[self.axis] = 1.0_f64.copysign(w);
        match self.ends {
            Ends::Open => side.is_finite().then(|| from_side(side)),
            Ends::Flat => {
                let end = (self.half - margin - z * w.signum()).max(0.0) / w.abs();
                if w != 0.0 && end < side {
                    return Some(SurfaceMeeting { time: end, normal: up * -1.0 });
                }
                side.is_finite().then(|| from_side(side))
            }
            // The rod is convex: where it is left through the side, it is so along the straight
            // part.
            Ends::Round if side.is_finite() && (z + w * side).abs() <= self.half => {
                Some(from_side(side))
            }
            Ends::Round if w == 0.0 && z.abs() <= self.half => None,
            Ends::Round => {
                let towards = if side.is_finite() { z + w * side } else { w };
                let end = self.half.copysign(towards);
                let mut centre = Vector::ZERO;
                centre[self.axis] = end;
                let time = leaves_ball(x - centre, v, rho);
                let there = x - centre + v * time;
                time.is_finite()
                    .then(|| SurfaceMeeting { time, normal: there * (-1.0 / there.norm()) })
            }
        }
    }

    /// When a point at `x` outside that moves with `v` gets as near to the surface as `margin`,
    /// within `remaining`.
    pub fn met_by<const D: usize>(
        &self,
        x: Vector<D>,
        v: Vector<D>,
        margin: f64,
        remaining: f64,
    ) -> Option<SurfaceMeeting<D>> {
        if self.ends == Ends::Flat {
            return comes_near(x, v, margin, remaining, |x| self.distance(x));
        }
        let ((z, across), (w, sideways)) = (self.parts(x), self.parts(v));
        let rho = self.radius + margin;
        let side = first_contact_of(across, sideways, rho, true).filter(|time| {
            *time <= remaining && (self.ends == Ends::Open || (z + w * time).abs() <= self.half)
        });
        let mut first = side.map(|time| {
            let there = across + sideways * time;
            SurfaceMeeting { time, normal: there * (1.0 / there.norm()) }
        });
        if self.ends == Ends::Round {
            for end in [-self.half, self.half] {
                let mut from_end = x;
                from_end[self.axis] -= end;
                let met =
                    first_contact_of(from_end, v, rho, true).filter(|time| *time <= remaining);
                if let Some(time) = met.filter(|time| first.is_none_or(|first| *time < first.time))
                {
                    let there = from_end + v * time;
                    first = Some(SurfaceMeeting { time, normal: there * (1.0 / there.norm()) });
                }
            }
        }
        first
    }
}

/// A unit vector across an axis; none in one dimension.
fn any_across<const D: usize>(axis: usize) -> Vector<D> {
    let mut across = Vector::ZERO;
    if D > 1 {
        across[(axis + 1) % D] = 1.0;
    }
    across
}

/// When a point at `x` that moves with `v` gets as near to a convex solid as `margin`, within
/// `remaining`. `distance` says how far a point outside is from it, and in which direction that
/// grows.
///
/// The distance from a convex solid to a point on a straight path is a convex function of time:
/// Newton's method climbs to its first root without ever going beyond.
pub fn comes_near<const D: usize>(
    x: Vector<D>,
    v: Vector<D>,
    margin: f64,
    remaining: f64,
    distance: impl Fn(Vector<D>) -> (f64, Vector<D>),
) -> Option<SurfaceMeeting<D>> {
    /// A path that grazes is halved so often that nothing is left.
    const MOST: usize = 100;
    let mut time = 0.0;
    for _ in 0..MOST {
        let (apart, normal) = distance(x + v * time);
        let approach = -v.dot(normal);
        if approach <= 0.0 {
            return None;
        }
        let gap = (apart - margin).max(0.0);
        let next = time + gap / approach;
        if next > remaining {
            return None;
        }
        if next == time || gap <= 4.0 * f64::EPSILON * margin {
            return Some(SurfaceMeeting { time, normal });
        }
        time = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rod(ends: Ends) -> Rod {
        Rod { axis: 0, half: 4.0, radius: 2.0, ends }
    }

    #[test]
    fn a_ball_is_left_where_the_path_crosses_it() {
        assert_eq!(leaves_ball(Vector([0.0, 0.0]), Vector([2.0, 0.0]), 3.0), 1.5);
        assert_eq!(leaves_ball(Vector([3.0, 0.0]), Vector([-2.0, 0.0]), 3.0), 3.0);
        assert_eq!(leaves_ball(Vector([3.0, 0.0]), Vector([1.0, 0.0]), 3.0), 0.0);
        assert_eq!(leaves_ball(Vector([1.0, 0.0]), Vector([0.0, 0.0]), 3.0), f64::INFINITY);
    }

    #[test]
    fn rods_are_left_through_their_sides_and_their_ends() {
        let leave = |ends, x: [f64; 3], v: [f64; 3]| {
            let met: SurfaceMeeting<3> = rod(ends).left_by(Vector(x), Vector(v), 0.5).unwrap();
            (met.time, met.normal.0)
        };
        assert_eq!(leave(Ends::Round, [1.0, 0.0, 0.0], [0.0, 3.0, 0.0]), (0.5, [0.0, -1.0, 0.0]));
        assert_eq!(leave(Ends::Round, [0.0; 3], [1.0, 0.0, 0.0]), (5.5, [-1.0, 0.0, 0.0]));
        assert_eq!(leave(Ends::Round, [-4.0, 0.0, 0.0], [1.0, 0.0, 0.0]), (9.5, [-1.0, 0.0, 0.0]));
        assert_eq!(leave(Ends::Flat, [0.0; 3], [1.0, 0.0, 0.0]), (3.5, [-1.0, 0.0, 0.0]));
        assert_eq!(leave(Ends::Flat, [3.5, 0.0, 0.0], [1.0, 0.0, 0.0]), (0.0, [-1.0, 0.0, 0.0]));
        assert_eq!(leave(Ends::Open, [9.0, 1.0, 0.0], [7.0, -1.0, 0.0]).0, 2.5);
        let at_rest: Option<SurfaceMeeting<3>> =
            rod(Ends::Open).left_by(Vector::ZERO, Vector([1.0, 0.0, 0.0]), 0.5);
        assert_eq!(at_rest, None);
    }

    /// Steps along many paths, and compares with the first moment at which the distance falls to
    /// the margin.
    #[test]
    fn rods_are_met_when_the_distance_falls_to_the_margin() {
        let mut state = 1_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let (mut met, mut missed) = (0, 0);
        for n in 0..3000 {
            let rod = rod([Ends::Round, Ends::Flat, Ends::Open][n % 3]);
            let x: Vector<3> = Vector::from_fn(|_| 16.0 * (uniform() - 0.5));
            let v: Vector<3> = Vector::from_fn(|_| 30.0 * (uniform() - 0.5));
            let margin = 0.7;
            let start = rod.distance(x).0;
            let found = if start > margin {
                rod.met_by(x, v, margin, 1.0)
            } else if start < -margin {
                rod.left_by(x, v, margin).filter(|met| met.time <= 1.0)
            } else {
                continue;
            };
            let clear = |t: f64| (rod.distance(x + v * t).0 * start.signum()) - margin;
            let until = found.map_or(1.0, |found| found.time);
            for k in 0..400 {
                assert!(
                    clear(until * f64::from(k) / 400.0) > -1e-9,
                    "{rod:?} {x:?} {v:?} {found:?}"
                );
            }
            if let Some(SurfaceMeeting { time, normal }) = found {
                met += 1;
                assert!(clear(time).abs() < 1e-9, "{rod:?} {x:?} {v:?} {found:?} {}", clear(time));
                let (_, outwards) = rod.distance(x + v * time);
                assert!((outwards * start.signum() - normal).norm() < 1e-6);
            } else {
                missed += 1;
            }
        }
        assert!(met > 300 && missed > 300, "{met} {missed}");
    }
}
