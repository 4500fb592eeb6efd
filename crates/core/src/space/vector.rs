//! A vector of `D` components.

use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub, SubAssign};

/// A point or a direction in `D` dimensions. \[length\] unless said otherwise.
///
/// ```
/// use jostle_core::space::Vector;
///
/// let (velocity, normal) = (Vector([3.0, -4.0]), Vector([0.0, 1.0]));
/// assert_eq!(velocity.norm(), 5.0);
/// // Thrown back by a wall with this normal, it is as fast as before.
/// let after = velocity - normal * (2.0 * velocity.dot(normal));
/// assert_eq!((after, after.norm()), (Vector([3.0, 4.0]), 5.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Vector<const D: usize>(pub [f64; D]);

impl<const D: usize> Vector<D> {
    /// The origin.
    pub const ZERO: Self = Self([0.0; D]);

    /// The vector whose component along axis `k` is `component(k)`.
    #[inline]
    pub fn from_fn(component: impl FnMut(usize) -> f64) -> Self {
        Self(std::array::from_fn(component))
    }

    /// The scalar product, summed in the order of the axes.
    #[inline]
    pub fn dot(self, other: Self) -> f64 {
        let mut sum = self.0[0] * other.0[0];
        for k in 1..D {
            sum += self.0[k] * other.0[k];
        }
        sum
    }

    /// The squared length. \[length²\]
    #[inline]
    pub fn norm_squared(self) -> f64 {
        self.dot(self)
    }

    /// The length.
    #[inline]
    pub fn norm(self) -> f64 {
        self.norm_squared().sqrt()
    }

    /// Whether every component is a finite number.
    pub fn is_finite(self) -> bool {
        self.0.iter().all(|x| x.is_finite())
    }
}

impl<const D: usize> Default for Vector<D> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const D: usize> Index<usize> for Vector<D> {
    type Output = f64;
    #[inline]
    fn index(&self, k: usize) -> &f64 {
        &self.0[k]
    }
}

impl<const D: usize> IndexMut<usize> for Vector<D> {
    #[inline]
    fn index_mut(&mut self, k: usize) -> &mut f64 {
        &mut self.0[k]
    }
}

impl<const D: usize> Add for Vector<D> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::from_fn(|k| self.0[k] + other.0[k])
    }
}

impl<const D: usize> Sub for Vector<D> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::from_fn(|k| self.0[k] - other.0[k])
    }
}

impl<const D: usize> Neg for Vector<D> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::from_fn(|k| -self.0[k])
    }
}

impl<const D: usize> Mul<f64> for Vector<D> {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self::from_fn(|k| self.0[k] * factor)
    }
}

impl<const D: usize> AddAssign for Vector<D> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const D: usize> SubAssign for Vector<D> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
