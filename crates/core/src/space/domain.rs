//! The box: one corner at the origin, each axis periodic or closed by two reflecting faces.

use super::Vector;

/// The box in which particles move, `[0, edge]` along each axis.
///
/// ```
/// use jostle_core::space::{Domain, Vector};
///
/// // Closed along x; along y it ends in reflecting faces.
/// let domain = Domain::new([10.0, 10.0], [true, false]);
/// // Nine to the right is one to the left, but nine up is nine up.
/// assert_eq!(domain.nearest_image(Vector([9.0, 9.0])), Vector([-1.0, 9.0]));
/// // Two periods were travelled to get here.
/// assert_eq!(domain.wrap(Vector([23.0, 4.0])), (Vector([3.0, 4.0]), [2, 0]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Domain<const D: usize> {
    edges: [f64; D],
    inverse: [f64; D],
    periodic: [bool; D],
    rounding: f64,
}

/// A reflecting face of the box: the axis it is normal to, and its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face {
    /// The axis that the face is normal to, `0..D`.
    pub axis: u8,
    /// Whether it is the face at the far end of the axis (`edge`) or the near one (`0`).
    pub upper: bool,
}

impl Face {
    /// The number of the face: `2 axis`, plus one for the upper side.
    pub fn index(self) -> usize {
        2 * self.axis as usize + self.upper as usize
    }

    /// `x-`, `x+`, `y-`, ...
    pub fn name(self) -> String {
        format!("{}{}", ["x", "y", "z"][self.axis as usize], if self.upper { '+' } else { '-' })
    }
}

impl<const D: usize> Domain<D> {
    /// A box of the given edges \[length\]; `periodic[k]` tells whether axis `k` closes on itself,
    /// otherwise it ends in two reflecting faces.
    ///
    /// # Panics
    /// If an edge is not a positive, finite number. (Model files are checked before.)
    pub fn new(edges: [f64; D], periodic: [bool; D]) -> Self {
        assert!(
            edges.iter().all(|e| e.is_finite() && *e > 0.0),
            "edges must be positive: {edges:?}"
        );
        Self {
            edges,
            inverse: edges.map(|e| 1.0 / e),
            periodic,
            rounding: 8.0 * f64::EPSILON * edges.iter().fold(0.0, |a, b| f64::max(a, *b)),
        }
    }

    /// The edges of the box. \[length\]
    pub fn edges(&self) -> [f64; D] {
        self.edges
    }

    /// One over each edge. \[1/length\]
    #[inline]
    pub(crate) fn inverse(&self) -> [f64; D] {
        self.inverse
    }

    /// Whether axis `k` closes on itself.
    #[inline]
    pub fn is_periodic(&self, k: usize) -> bool {
        self.periodic[k]
    }

    /// Whether any axis ends in reflecting faces.
    pub fn has_walls(&self) -> bool {
        self.periodic.iter().any(|p| !p)
    }

    /// The reflecting faces, axis by axis, the lower one first.
    pub fn walls(&self) -> impl Iterator<Item = Face> + '_ {
        (0..D)
            .filter(|&k| !self.periodic[k])
            .flat_map(|k| [false, true].map(|upper| Face { axis: k as u8, upper }))
    }

    /// A length below which two coordinates of this box cannot be distinguished with certainty: 8
    /// ulp of its longest edge. Search structures are this generous.
    #[inline]
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// The volume (3D), area (2D) or length (1D) of the box.
    pub fn volume(&self) -> f64 {
        self.edges.iter().product()
    }

    /// The shortest of the vectors that differ from `separation` by whole periods.
    #[inline]
    pub fn nearest_image(&self, separation: Vector<D>) -> Vector<D> {
        Vector::from_fn(|k| {
            let x = separation[k];
            if self.periodic[k] { x - self.edges[k] * to_whole(x * self.inverse[k]) } else { x }
        })
    }

    /// How many whole periods lie between `separation` and its nearest image along each axis: whole
    /// numbers, 0 along axes that are not periodic.
    #[inline]
    pub fn nearest_periods(&self, separation: Vector<D>) -> [f64; D] {
        std::array::from_fn(|k| match self.periodic[k] {
            true => to_whole(separation[k] * self.inverse[k]),
            false => 0.0,
        })
    }

    /// `position` brought back into the box along periodic axes, and the number of periods taken
    /// off along each; `i32::MAX` or `i32::MIN` if they are that many or more.
    #[inline]
    pub fn wrap(&self, position: Vector<D>) -> (Vector<D>, [i32; D]) {
        let mut wrapped = position;
        let mut periods = [0; D];
        for k in 0..D {
            if self.periodic[k] && !(0.0..self.edges[k]).contains(&position[k]) {
                let count = (position[k] * self.inverse[k]).floor();
                let mut x = position[k] - count * self.edges[k];
                // A tiny negative number rounds up to the edge itself, which is the origin's image.
                periods[k] = count as i32;
                if x >= self.edges[k] {
                    x = 0.0;
                    periods[k] = periods[k].saturating_add(1);
                } else if x < 0.0 {
                    x = 0.0;
                }
                wrapped[k] = x;
            }
        }
        (wrapped, periods)
    }
}

/// The periods behind a particle that has `image` of them behind it and goes through `periods`
/// more, as [`Domain::wrap`] counts them. None if they are more than [`MOST_PERIODS`] along some
/// axis.
#[inline]
pub fn periods_in_all<const D: usize>(image: [i32; D], periods: [i32; D]) -> Option<[i32; D]> {
    let mut sum = image;
    for k in 0..D {
        sum[k] = image[k].checked_add(periods[k])?;
        // What is at the end of its range may have been more.
        if periods[k].unsigned_abs().max(sum[k].unsigned_abs()) > MOST_PERIODS {
            return None;
        }
    }
    Some(sum)
}

/// More periods than this behind a particle cannot be counted.
pub const MOST_PERIODS: u32 = i32::MAX as u32 - 1;

/// The whole number next to `x`, ties to even, for |x| below 2^51. As `f64::round_ties_even`, which
/// is a call into the system's library on processors that old programs run on, and took half of the
/// time that dense fluids need.
#[inline(always)]
pub fn to_whole(x: f64) -> f64 {
    // Numbers of this size have no room for a fraction.
    const SHIFT: f64 = 1.5 * (1_u64 << 52) as f64;
    (x + SHIFT) - SHIFT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_returns_every_point_to_the_box_and_counts_the_periods() {
        let domain = Domain::new([10.0, 4.0], [true, false]);
        let (x, n) = domain.wrap(Vector([-0.5, 5.0]));
        assert_eq!((x, n), (Vector([9.5, 5.0]), [-1, 0]));
        let (x, n) = domain.wrap(Vector([23.0, 1.0]));
        assert_eq!((x, n), (Vector([3.0, 1.0]), [2, 0]));
        let (x, _) = domain.wrap(Vector([-1e-20, 1.0]));
        assert!((0.0..10.0).contains(&x[0]), "{x:?}");
    }

    #[test]
    fn periods_are_added_up_as_far_as_they_can_be_counted() {
        let domain = Domain::new([4.0], [true]);
        let go = |image: i32, x: f64| periods_in_all([image], domain.wrap(Vector([x])).1);
        assert_eq!(go(3, -9.0), Some([0]));
        assert_eq!(go(i32::MAX - 3, 9.0), Some([i32::MAX - 1]));
        assert_eq!(go(i32::MAX - 2, 9.0), None);
        assert_eq!(go(-i32::MAX + 3, -7.0), Some([-i32::MAX + 1]));
        assert_eq!(go(-i32::MAX + 2, -7.0), None);
        assert_eq!([go(-5, 1e300), go(5, -1e300)], [None; 2]);
    }

    #[test]
    fn the_nearest_image_is_within_half_an_edge() {
        let domain = Domain::new([10.0, 10.0, 10.0], [true; 3]);
        let x = domain.nearest_image(Vector([9.0, -6.0, 4.0]));
        assert_eq!(x, Vector([-1.0, 4.0, 4.0]));
    }

    #[test]
    fn faces_are_listed_for_closed_axes_only() {
        let domain = Domain::new([1.0, 1.0, 1.0], [true, false, true]);
        let names: Vec<_> = domain.walls().map(Face::name).collect();
        assert_eq!(names, ["y-", "y+"]);
    }

    #[test]
    fn numbers_become_whole_as_the_standard_library_makes_them() {
        for x in [
            0.0,
            0.5,
            1.5,
            2.5,
            0.49999999999999994,
            0.75,
            1e9 + 0.5,
            123456.7,
            2f64.powi(50) + 0.5,
        ] {
            assert_eq!(to_whole(x), x.round_ties_even());
            assert_eq!(to_whole(-x), (-x).round_ties_even());
        }
    }
}
