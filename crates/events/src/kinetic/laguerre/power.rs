//! The determinant of Gavrilova and Rokne 2002, Lemma 1, for moving spheres in any dimension.
//!
//! Under a common acceleration all motion is straight relative to any one of the spheres, so each
//! spatial column of the determinant is linear in time and the column of the w = |x|² - r² is
//! quadratic: a polynomial of degree d + 2, a quartic in the plane.

use super::roots::{Polynomial, TERMS};
use jostle_core::space::Vector;

/// A sphere at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Site<const D: usize> {
    /// The centre. \[length\]
    pub position: Vector<D>,
    /// Of the centre. \[length/time\]
    pub velocity: Vector<D>,
    /// Of the sphere. \[length\]
    pub radius: f64,
}

/// A sphere as seen from the centre of another one that falls and moves along.
#[derive(Clone, Copy, Debug)]
pub struct RelativeSite<const D: usize> {
    /// The centre now. \[length\]
    pub position: Vector<D>,
    /// Relative velocity, for good. \[length/time\]
    pub velocity: Vector<D>,
    /// |x|² - r² + R², with R the radius of the observer, by powers of the time from now.
    pub power: [f64; 3],
}

impl<const D: usize> Site<D> {
    /// How `self` looks from `observer`.
    #[inline]
    pub fn seen_from(&self, observer: &Self) -> RelativeSite<D> {
        self.seen_at(self.position - observer.position, observer)
    }

    /// How `self` looks from `observer` at this place relative to it: that of an image.
    #[inline]
    pub fn seen_at(&self, position: Vector<D>, observer: &Self) -> RelativeSite<D> {
        let velocity = self.velocity - observer.velocity;
        // As a product, which loses no digits where radii are nearly equal.
        let radii = (observer.radius - self.radius) * (observer.radius + self.radius);
        let power = [
            position.norm_squared() + radii,
            2.0 * position.dot(velocity),
            velocity.norm_squared(),
        ];
        RelativeSite { position, velocity, power }
    }
}

impl<const D: usize> RelativeSite<D> {
    /// How it will look after `wait`.
    #[inline]
    pub fn later(&self, wait: f64) -> Self {
        let [p, q, r] = self.power;
        Self {
            position: self.position + self.velocity * wait,
            velocity: self.velocity,
            power: [p + wait * (q + wait * r), q + 2.0 * wait * r, r],
        }
    }
}

/// The determinant F of Lemma 1 for d + 2 spheres, by powers of the time from now: the first d + 1
/// as seen from the last. While the first d + 1 centres are positively oriented (condition (2) of
/// the lemma, `oriented_volume` > 0), F > 0 says that the last one cuts the sphere orthogonal to
/// them more than orthogonally: in the plane and with points, that it is inside their circle.
///
/// # Panics
/// If there are not D + 1 spheres, or D is not 1, 2 or 3.
#[inline]
pub fn power_in_sphere<const D: usize>(seen: &[RelativeSite<D>]) -> Polynomial {
    assert_eq!(seen.len(), D + 1);
    if let (3, [a, b, c, d]) = (D, seen) {
        return power_in_space([a, b, c, d]);
    }
    let mut determinant = [0.0; TERMS];
    for (i, site) in seen.iter().enumerate() {
        // Along the last column.
        let others = std::array::from_fn(|k| seen[k + usize::from(k >= i)]);
        let minor = oriented_volume::<D>(&others);
        let sign = if (i + D).is_multiple_of(2) { 1.0 } else { -1.0 };
        for (k, w) in site.power.iter().enumerate() {
            for l in 0..=D {
                determinant[k + l] += sign * w * minor[l];
            }
        }
    }
    determinant
}

/// In space, where two cross products serve all four minors.
#[inline]
fn power_in_space<const D: usize>([a, b, c, d]: [&RelativeSite<D>; 4]) -> Polynomial {
    let crosses = |a, b| [0, 1, 2].map(|axis| cross(a, b, (axis + 1) % 3, (axis + 2) % 3));
    let (first, last) = (crosses(a, b), crosses(c, d));
    let mut determinant = [0.0; TERMS];
    for (sign, site, other, areas) in
        [(-1.0, a, b, &last), (1.0, b, a, &last), (-1.0, c, d, &first), (1.0, d, c, &first)]
    {
        let mut minor = [0.0; 4];
        for (axis, area) in areas.iter().enumerate() {
            for (k, part) in area.iter().enumerate() {
                minor[k] += part * other.position[axis];
                minor[k + 1] += part * other.velocity[axis];
            }
        }
        for (k, w) in site.power.iter().enumerate() {
            for (l, part) in minor.iter().enumerate() {
                determinant[k + l] += sign * w * part;
            }
        }
    }
    determinant
}

/// The determinant of D centres as seen from one more, by powers of the time from now: the left
/// side of condition (2) of Lemma 1, D! times the oriented volume of the simplex.
///
/// # Panics
/// If D is not 1, 2 or 3.
#[inline]
pub fn oriented_volume<const D: usize>(seen: &[RelativeSite<D>; D]) -> Polynomial {
    let mut volume = [0.0; TERMS];
    match D {
        1 => volume[..2].copy_from_slice(&[seen[0].position[0], seen[0].velocity[0]]),
        2 => volume[..3].copy_from_slice(&cross(&seen[0], &seen[1], 0, 1)),
        3 => {
            for axis in 0..3 {
                let area = cross(&seen[0], &seen[1], (axis + 1) % 3, (axis + 2) % 3);
                for (k, a) in area.into_iter().enumerate() {
                    volume[k] += a * seen[2].position[axis];
                    volume[k + 1] += a * seen[2].velocity[axis];
                }
            }
        }
        _ => panic!("spheres of 1, 2 or 3 dimensions"),
    }
    volume
}

/// a_k b_l - a_l b_k by powers of the time.
#[inline]
fn cross<const D: usize>(a: &RelativeSite<D>, b: &RelativeSite<D>, k: usize, l: usize) -> [f64; 3] {
    let ([x, y], [vx, vy]) = ([a.position[k], a.position[l]], [a.velocity[k], a.velocity[l]]);
    let ([p, q], [vp, vq]) = ([b.position[k], b.position[l]], [b.velocity[k], b.velocity[l]]);
    [x * q - y * p, (x * vq - y * vp) + (vx * q - vy * p), vx * vq - vy * vp]
}
