//! On which side of a line a point lies: never wrong, whatever the rounding.

use crate::space::Vector;

/// Relative error bound of the quick answer (Shewchuk 1997, "Adaptive precision floating-point
/// arithmetic and fast robust geometric predicates", eq. for `ccwerrboundA`): (3 + 16 u) u.
const BOUND: f64 = 3.330_669_073_875_471_6e-16;

/// Twice the area of the triangle `p q r` (to rounding), with the sign that exact arithmetic
/// gives: positive if `r` lies to the left of the line from `p` to `q`, 0 if on it. \[length²\]
#[inline]
pub(super) fn side(p: Vector<2>, q: Vector<2>, r: Vector<2>) -> f64 {
    let left = (p[0] - r[0]) * (q[1] - r[1]);
    let right = (p[1] - r[1]) * (q[0] - r[0]);
    let twice = left - right;
    if twice.abs() > BOUND * (left.abs() + right.abs()) { twice } else { exact(p, q, r) }
}

/// The sign of the triangle's area without rounding, as the leading part of the exact sum.
#[cold]
fn exact(p: Vector<2>, q: Vector<2>, r: Vector<2>) -> f64 {
    let mut sum = Expansion { parts: [0.0; 12], len: 0 };
    for (u, v) in [(p, q), (q, r), (r, p)] {
        sum.add_product(u[0], v[1]);
        sum.add_product(-u[1], v[0]);
    }
    sum.parts[..sum.len].iter().rev().copied().find(|&part| part != 0.0).unwrap_or(0.0)
}

/// A sum of parts that do not overlap, smallest first (Shewchuk 1997, section 2.3).
struct Expansion {
    parts: [f64; 12],
    len: usize,
}

impl Expansion {
    /// Adds `x y` exactly.
    fn add_product(&mut self, x: f64, y: f64) {
        let high = x * y;
        let ((xh, xl), (yh, yl)) = (split(x), split(y));
        let low = xl * yl - (((high - xh * yh) - xl * yh) - xh * yl);
        self.add(low);
        self.add(high);
    }

    /// Adds one number exactly ("grow expansion").
    fn add(&mut self, term: f64) {
        let mut carry = term;
        for part in &mut self.parts[..self.len] {
            let sum = carry + *part;
            let other = sum - carry;
            *part = (carry - (sum - other)) + (*part - other);
            carry = sum;
        }
        self.parts[self.len] = carry;
        self.len += 1;
    }
}

/// A number as the sum of two with half as many digits each (Dekker).
fn split(x: f64) -> (f64, f64) {
    let wide = 134_217_729.0 * x;
    let high = wide - (wide - x);
    (high, x - high)
}
