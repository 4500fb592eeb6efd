//! Tensors of a plane: the principal values and their direction.

/// The principal values of the symmetric part of a tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Principal {
    /// The mean of the two: the pressure of a stress.
    pub mean: f64,
    /// Half their difference: the deviator of a stress.
    pub deviator: f64,
    /// From the x axis to the direction of the greater one, between -90 and 90. \[degrees\]
    pub direction: f64,
}

/// Of the tensor \[xx, xy, yx, yy\] (Mohr's circle).
pub fn principal([xx, xy, yx, yy]: [f64; 4]) -> Principal {
    let (half, shear) = (0.5 * (xx - yy), 0.5 * (xy + yx));
    Principal {
        mean: 0.5 * (xx + yy),
        deviator: libm::hypot(half, shear),
        direction: 0.5 * libm::atan2(shear, half).to_degrees(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_tensor_has_the_same_principal_values() {
        // 3 and 1, the greater one at 30 degrees.
        let (c, s) = (libm::cos(30f64.to_radians()), libm::sin(30f64.to_radians()));
        let (xx, xy, yy) = (3.0 * c * c + s * s, 2.0 * c * s, 3.0 * s * s + c * c);
        let found = principal([xx, xy, xy, yy]);
        assert!(
            (found.mean - 2.0).abs() < 1e-12 && (found.deviator - 1.0).abs() < 1e-12,
            "{found:?}"
        );
        assert!((found.direction - 30.0).abs() < 1e-9, "{found:?}");
    }
}
