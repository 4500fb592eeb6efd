//! How a rigid cluster turns: its centre, how fast, and the turning itself.

use super::Piece;
use crate::space::Vector;

/// The centre of friction of spheres at `positions` \[nm\]: the mean weighted with the friction of
/// each, 1/D. A force on the cluster as a whole that acts there does not turn it. If some do not
/// diffuse, the mean of those.
pub fn centre_of_friction<const D: usize>(positions: &[Vector<D>], pieces: &[Piece]) -> Vector<D> {
    let fixed = pieces.iter().any(|p| p.diffusion_coefficient == 0.0);
    let mut sum = Vector::ZERO;
    let mut frictions = 0.0;
    for (&position, piece) in positions.iter().zip(pieces) {
        let friction = match (fixed, piece.diffusion_coefficient == 0.0) {
            (false, _) => 1.0 / piece.diffusion_coefficient,
            (true, true) => 1.0,
            (true, false) => continue,
        };
        sum += position * friction;
        frictions += friction;
    }
    if frictions > 0.0 { sum * (1.0 / frictions) } else { sum }
}

/// The rotational diffusion coefficient \[1/µs\] of a rigid cluster of `pieces` whose centres are
/// at `offsets` \[nm\] from its [centre of friction](centre_of_friction), and which diffuses with
/// `translational` \[nm²/µs\]: the angle about any axis (2D: in the plane) spreads as 2 D_r t. It
/// is 0 in 1D, where nothing turns, and for a cluster that does not diffuse or has a part that does
/// not.
///
/// Free draining: a part that is swept along at a distance ρ from the axis resists with ρ²/D, and
/// turning with the cluster with (4/3) R²/D in 3D, as a sphere in a liquid does (8 π η R³ over
/// 6 π η R), and with R²/2D in 2D, as a disk whose friction is spread over its area, so that a disk
/// and many small ones in its place turn alike. In 3D the friction is the mean over the three axes,
/// hence (2/3) ρ². All of it is scaled by what `translational` is of the free-draining D, so that a
/// law that lets the cluster diffuse faster lets it turn faster alike.
///
/// In a membrane large clusters turn more slowly than that: their friction is then 4 π R² times the
/// surface viscosity (Saffman and Delbrück 1975), some 4 to 10 times as much for R far below the
/// length of that law.
pub fn rotational_diffusion<const D: usize>(
    offsets: &[Vector<D>],
    pieces: &[Piece],
    translational: f64,
) -> f64 {
    let (arm, own) = match D {
        2 => (1.0, 0.5),
        3 => (2.0 / 3.0, 4.0 / 3.0),
        _ => return 0.0,
    };
    let stuck = pieces.iter().any(|p| p.diffusion_coefficient == 0.0);
    if stuck || translational == 0.0 {
        return 0.0;
    }
    let mut translation = 0.0;
    let mut rotation = 0.0;
    for (offset, piece) in offsets.iter().zip(pieces) {
        let friction = 1.0 / piece.diffusion_coefficient;
        translation += friction;
        rotation += friction * (arm * offset.norm_squared() + own * piece.radius * piece.radius);
    }
    if rotation > 0.0 { translational * translation / rotation } else { 0.0 }
}

/// A rotation in `D` dimensions, ready to be applied to many vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation<const D: usize> {
    rows: [Vector<D>; D],
}

impl<const D: usize> Rotation<D> {
    /// How many angles make a rotation: 0 in 1D, 1 in 2D, 3 in 3D.
    pub const ANGLES: usize = [0, 1, 3][D - 1];

    /// The rotation by `angles` \[rad\], of which the first [`Self::ANGLES`] count: by the angle in
    /// 2D, from the first axis towards the second; in 3D about the direction of the vector, right
    /// handed, by as much as it is long (Rodrigues 1840). In 1D nothing turns.
    pub fn new(angles: [f64; 3]) -> Self {
        let (angle, n) = match D {
            1 => (0.0, Vector([0.0; 3])),
            2 => (angles[0], Vector([0.0, 0.0, 1.0])),
            _ => {
                let angle = Vector(angles).norm();
                let scale = if angle > 0.0 { 1.0 / angle } else { 0.0 };
                (angle, Vector(angles) * scale)
            }
        };
        let (half, other) = libm::sincos(0.5 * angle);
        let sin = 2.0 * half * other;
        // 1 - cos without loss for small angles
        let versine = 2.0 * half * half;
        // the matrix of the vector product with n
        let cross = [[0.0, -n[2], n[1]], [n[2], 0.0, -n[0]], [-n[1], n[0], 0.0]];
        let entry = |i: usize, j: usize| {
            let same = if i == j { 1.0 } else { 0.0 };
            same + sin * cross[i][j] + versine * (n[i] * n[j] - same)
        };
        Self { rows: std::array::from_fn(|i| Vector::from_fn(|j| entry(i, j))) }
    }

    /// The turned vector.
    #[inline]
    pub fn apply(&self, vector: Vector<D>) -> Vector<D> {
        Vector::from_fn(|i| self.rows[i].dot(vector))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(diffusion_coefficient: f64, radius: f64) -> Piece {
        Piece { diffusion_coefficient, radius }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12 * b.abs().max(1.0)
    }

    #[test]
    fn the_centre_lies_nearer_to_what_drags_more() {
        let line = [Vector([0.0]), Vector([3.0])];
        assert!(near(centre_of_friction(&line, &[piece(1.0, 1.0), piece(2.0, 1.0)])[0], 1.0));
        // a particle that does not move holds it
        assert_eq!(centre_of_friction(&line, &[piece(1.0, 1.0), piece(0.0, 1.0)])[0], 3.0);
        assert_eq!(centre_of_friction(&line, &[piece(0.0, 1.0), piece(0.0, 1.0)])[0], 1.5);
        assert_eq!(centre_of_friction::<2>(&[], &[]), Vector::ZERO);
    }

    #[test]
    fn spheres_and_dimers() {
        // Stokes, Einstein and Debye: D_r = 3 D/(4 R²)
        let ball = rotational_diffusion(&[Vector::<3>::ZERO], &[piece(2.0, 3.0)], 2.0);
        assert!(near(ball, 0.75 * 2.0 / 9.0), "{ball}");
        let two = [piece(1.0, 1.0); 2];
        let ends = [Vector([1.0, 0.0, 0.0]), Vector([-1.0, 0.0, 0.0])];
        // 1/D_r = 2 (2/3 + 4/3) at D = 1/2
        assert!(near(rotational_diffusion(&ends, &two, 0.5), 0.25));
        assert!(near(rotational_diffusion(&ends, &two, 0.25), 0.125));
        // 1/D_r = 2 (1 + 1/2)
        let ends = [Vector([0.0, 1.0]), Vector([0.0, -1.0])];
        assert!(near(rotational_diffusion(&ends, &two, 0.5), 1.0 / 3.0));
    }

    #[test]
    fn what_does_not_move_does_not_turn() {
        let ends = [Vector([0.0, 1.0]), Vector([0.0, -1.0])];
        assert_eq!(rotational_diffusion(&ends, &[piece(1.0, 1.0); 2], 0.0), 0.0);
        assert_eq!(rotational_diffusion(&ends, &[piece(1.0, 1.0), piece(0.0, 1.0)], 0.5), 0.0);
        let line = [Vector([1.0]), Vector([-1.0])];
        assert_eq!(rotational_diffusion(&line, &[piece(1.0, 1.0); 2], 0.5), 0.0);
    }

    /// A disk, and the small ones that would fill it, each with its share of the friction.
    #[test]
    fn a_disk_turns_as_the_small_ones_in_its_place() {
        let (mut offsets, mut pieces) = (Vec::new(), Vec::new());
        let size = 0.05;
        for i in -20..=20 {
            for j in -20..=20 {
                let offset = Vector([size * f64::from(i), size * f64::from(j)]);
                if offset.norm() < 1.0 {
                    offsets.push(offset);
                    // of the same area as a square of this edge
                    pieces.push(piece(1000.0, size / std::f64::consts::PI.sqrt()));
                }
            }
        }
        let many = rotational_diffusion(&offsets, &pieces, 1.0);
        let one = rotational_diffusion(&[Vector([0.0, 0.0])], &[piece(1.0, 1.0)], 1.0);
        assert!((many / one - 1.0).abs() < 0.02, "{many} {one}");
    }

    const ANGLES: [[f64; 3]; 5] =
        [[0.3, -1.2, 2.0], [1e-9, 0.0, 0.0], [0.0, 1e-4, 3e-4], [0.0, 0.0, 0.0], [5.0, 4.0, -9.0]];

    fn keeps_lengths_and_angles<const D: usize>() {
        let unit = |k: usize| Vector::<D>::from_fn(|i| f64::from(i == k));
        for angles in ANGLES {
            let rotation = Rotation::<D>::new(angles);
            let back = Rotation::<D>::new(angles.map(|angle| -angle));
            for k in 0..D {
                for l in 0..D {
                    let product = rotation.apply(unit(k)).dot(rotation.apply(unit(l)));
                    assert!((product - f64::from(k == l)).abs() < 5e-16, "{angles:?}: {product}");
                }
                let again = back.apply(rotation.apply(unit(k)));
                assert!((again - unit(k)).norm() < 5e-16, "{angles:?}");
            }
        }
    }

    #[test]
    fn rotations_keep_lengths_and_angles() {
        keeps_lengths_and_angles::<1>();
        keeps_lengths_and_angles::<2>();
        keeps_lengths_and_angles::<3>();
    }

    #[test]
    fn rotations_turn_the_right_way() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let turned = Rotation::<2>::new([quarter, 9.0, 9.0]).apply(Vector([2.0, 0.0]));
        assert!((turned - Vector([0.0, 2.0])).norm() < 1e-15);
        let turned = Rotation::<3>::new([0.0, 0.0, quarter]).apply(Vector([2.0, 0.0, 1.0]));
        assert!((turned - Vector([0.0, 2.0, 1.0])).norm() < 1e-15);
        // a third of a turn about the diagonal takes each axis to the next
        let third = 2.0 * std::f64::consts::PI / 3.0 / 3f64.sqrt();
        let turned = Rotation::<3>::new([third; 3]).apply(Vector([1.0, 2.0, 3.0]));
        assert!((turned - Vector([3.0, 1.0, 2.0])).norm() < 1e-14);
        assert_eq!(Rotation::<1>::new([quarter; 3]).apply(Vector([2.0])), Vector([2.0]));
        assert_eq!(
            [Rotation::<1>::ANGLES, Rotation::<2>::ANGLES, Rotation::<3>::ANGLES],
            [0, 1, 3]
        );
    }

    /// The axis stays, and small angles lose nothing: w x v to first order.
    #[test]
    fn small_rotations() {
        let w = [1e-10, -2e-10, 3e-10];
        let v = Vector([0.0, 1.0, 0.0]);
        let moved = Rotation::<3>::new(w).apply(v) - v;
        assert!((moved - Vector([-3e-10, 0.0, 1e-10])).norm() < 1e-19, "{moved:?}");
        let axis = Vector([0.6, 0.0, 0.8]);
        let kept = Rotation::<3>::new([1.2, 0.0, 1.6]).apply(axis);
        assert!((kept - axis).norm() < 1e-15);
    }
}
