//! How a particle is turned.

use serde::{Deserialize, Serialize};

use super::Vector;

/// How a particle is turned: a unit quaternion (w, x, y, z) that takes a direction of the particle
/// to where it points in space. In two dimensions x and y are zero: particles turn about the third
/// axis.
///
/// ```
/// use jostle_core::space::{Orientation, Vector};
///
/// let [x, y] = [Vector([1.0, 0.0, 0.0]), Vector([0.0, 1.0, 0.0])];
/// let quarter = Orientation::shortest(x, y);
/// assert!((quarter.apply(y) + x).norm() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Orientation([f64; 4]);

impl Orientation {
    /// Not turned.
    pub const NONE: Self = Self([1.0, 0.0, 0.0, 0.0]);

    /// The orientation of a quaternion of any length but zero, or of one that is not finite.
    pub fn of_quaternion(quaternion: [f64; 4]) -> Option<Self> {
        let square: f64 = quaternion.iter().map(|x| x * x).sum();
        (square.is_finite() && square > 0.0).then(|| Self(quaternion).normalised())
    }

    /// Its quaternion, of length 1: w, x, y, z.
    pub fn quaternion(self) -> [f64; 4] {
        self.0
    }

    /// By `angle` \[rad\] about an axis of length 1, right handed.
    pub fn about(axis: Vector<3>, angle: f64) -> Self {
        let (sine, cosine) = libm::sincos(0.5 * angle);
        Self([cosine, sine * axis[0], sine * axis[1], sine * axis[2]])
    }

    /// Upright on a plane normal to this axis of space: the third axis of the particle points along it, and
    /// the others lie in the plane.
    pub fn upright(axis: usize) -> Self {
        // A third of a turn about the diagonal takes each axis to the next.
        Self(match axis {
            0 => [0.5, 0.5, 0.5, 0.5],
            1 => [0.5, -0.5, -0.5, -0.5],
            _ => [1.0, 0.0, 0.0, 0.0],
        })
    }

    /// About the direction of a vector, by as much as it is long. \[rad\]
    pub fn of_rotation_vector(vector: Vector<3>) -> Self {
        let angle = vector.norm();
        if angle > 0.0 { Self::about(vector * (1.0 / angle), angle) } else { Self::NONE }
    }

    /// The smallest turn that takes one direction to another, both of length 1. Of opposite ones
    /// there are many, of which this is some one.
    pub fn shortest(from: Vector<3>, to: Vector<3>) -> Self {
        Self::shortest_or(from, to, any_across(from))
    }

    /// The same of directions that lie in the plane normal to this axis of space, but for rounding: it turns
    /// about that axis and about nothing else.
    pub fn shortest_about(axis: usize, from: Vector<3>, to: Vector<3>) -> Self {
        let flat = |v: Vector<3>| Vector::from_fn(|k| if k == axis { 0.0 } else { v[k] });
        Self::shortest_or(flat(from), flat(to), Vector::from_fn(|k| f64::from(k == axis)))
    }

    /// The smallest turn, which is about `across` if the two are opposite.
    fn shortest_or(from: Vector<3>, to: Vector<3>, across: Vector<3>) -> Self {
        let axis = vector_product(from, to);
        // Twice the square of the cosine of half the angle.
        let doubled = 1.0 + from.dot(to);
        Self::of_quaternion([doubled, axis[0], axis[1], axis[2]])
            .filter(|_| doubled > 1e-12)
            .unwrap_or(Self([0.0, across[0], across[1], across[2]]))
    }

    /// This orientation, turned further.
    #[must_use]
    pub fn turned(self, by: Self) -> Self {
        let ([a, b, c, d], [w, x, y, z]) = (by.0, self.0);
        Self([
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ])
        .normalised()
    }

    /// Where a direction of the particle points.
    pub fn apply(self, direction: Vector<3>) -> Vector<3> {
        let [w, x, y, z] = self.0;
        let axis = Vector([x, y, z]);
        let twice = vector_product(axis, direction) * 2.0;
        direction + twice * w + vector_product(axis, twice)
    }

    /// Rounding must not add up over many turns.
    fn normalised(self) -> Self {
        let length = self.0.iter().map(|x| x * x).sum::<f64>().sqrt();
        Self(self.0.map(|x| x / length))
    }
}

impl<const D: usize> Vector<D> {
    /// The same vector in space: missing components are zero.
    pub fn in_space(self) -> Vector<3> {
        Vector::from_fn(|k| if k < D { self[k] } else { 0.0 })
    }

    /// The first components of a vector in space.
    pub fn of_space(vector: Vector<3>) -> Self {
        Self::from_fn(|k| vector[k])
    }
}

/// a × b.
pub fn vector_product(a: Vector<3>, b: Vector<3>) -> Vector<3> {
    Vector([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
}

/// Some direction across another of length 1: as near to the third axis as it can be or, where that
/// is the other one, to the first.
pub fn any_across(direction: Vector<3>) -> Vector<3> {
    let wanted = if direction[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
    across(Vector(wanted), direction).unwrap_or(Vector(wanted))
}

/// The direction of the part of `vector` that is across a direction of length 1; none if there is no
/// such part.
pub fn across(vector: Vector<3>, direction: Vector<3>) -> Option<Vector<3>> {
    let part = vector - direction * vector.dot(direction);
    let length = part.norm();
    (length > 1e-9 * vector.norm()).then(|| part * (1.0 / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Vector<3> = Vector([1.0, 0.0, 0.0]);
    const Z: Vector<3> = Vector([0.0, 0.0, 1.0]);

    fn near(a: Vector<3>, b: Vector<3>) -> bool {
        (a - b).norm() < 1e-14
    }

    #[test]
    fn it_turns_the_right_way() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let y = Vector([0.0, 1.0, 0.0]);
        assert!(near(Orientation::about(Z, quarter).apply(X), y));
        // A third of a turn about the diagonal takes each axis to the next.
        let third = Vector([2.0 * std::f64::consts::PI / 3.0 / 3f64.sqrt(); 3]);
        let turned = Orientation::of_rotation_vector(third).apply(Vector([1.0, 2.0, 3.0]));
        assert!((turned - Vector([3.0, 1.0, 2.0])).norm() < 1e-14);
        assert_eq!(Orientation::of_rotation_vector(Vector::ZERO), Orientation::NONE);
        let flat = Orientation::about(Z, quarter).apply(Vector([2.0, 0.0]).in_space());
        assert!((Vector::<2>::of_space(flat) - Vector([0.0, 2.0])).norm() < 1e-15);
    }

    /// Ten thousand turns about the normal, by an angle that is no fraction of a full one, leave a particle
    /// upright to the last place.
    #[test]
    fn what_is_upright_stays_upright() {
        for axis in 0..3 {
            let normal = Vector::<3>::from_fn(|k| f64::from(k == axis));
            let mut orientation = Orientation::upright(axis);
            let turn = Orientation::about(normal, 0.7);
            for _ in 0..10_000 {
                assert!(near(orientation.apply(Z), normal), "{axis}");
                let [x, y] = [X, Vector([0.0, 1.0, 0.0])].map(|v| orientation.apply(v));
                assert!(x[axis].abs() < 1e-15 && y[axis].abs() < 1e-15);
                assert!(near(vector_product(x, y), normal), "not mirrored");
                orientation = orientation.turned(turn);
            }
        }
    }

    #[test]
    fn turns_follow_each_other_and_stay_of_length_1() {
        let (first, second) = (Orientation::about(X, 0.4), Orientation::about(Z, -2.0));
        let v = Vector([0.2, 0.7, -1.1]);
        assert!(near(first.turned(second).apply(v), second.apply(first.apply(v))));
        let mut many = Orientation::NONE;
        for _ in 0..100_000 {
            many = many.turned(first);
        }
        let square: f64 = many.quaternion().iter().map(|x| x * x).sum();
        assert!((square - 1.0).abs() < 1e-15);
    }

    #[test]
    fn the_shortest_turn_takes_one_to_the_other_in_any_case() {
        let some = Vector([0.36, 0.48, 0.8]);
        for (from, to) in [(X, Z), (some, X), (some, some), (X, X * -1.0), (some, some * -1.0)] {
            assert!(near(Orientation::shortest(from, to).apply(from), to), "{from:?} {to:?}");
        }
        let flat = Orientation::shortest(X, X * -1.0).quaternion();
        assert_eq!((flat[1], flat[2], flat[3].abs()), (0.0, 0.0, 1.0));
        for axis in 0..3 {
            let [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
            let flat = |x: f64, y: f64| {
                Vector::<3>::from_fn(|k| {
                    if k == a {
                        x
                    } else if k == b {
                        y
                    } else {
                        0.0
                    }
                })
            };
            for to in [flat(0.6, 0.8), flat(-0.8, 0.6), flat(-1.0, 0.0), flat(1.0, 0.0)] {
                let turn = Orientation::shortest_about(axis, flat(1.0, 0.0), to);
                assert!(near(turn.apply(flat(1.0, 0.0)), to), "{axis} {to:?}");
                assert_eq!([turn.quaternion()[1 + a], turn.quaternion()[1 + b]], [0.0; 2]);
            }
        }
        assert_eq!(Orientation::of_quaternion([0.0; 4]), None);
        assert_eq!(Orientation::of_quaternion([f64::NAN; 4]), None);
    }
}
