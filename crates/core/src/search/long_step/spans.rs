//! The boxes that particles sweep, in whole numbers: each axis is a circle of 2^16 units.
//!
//! Whole numbers that wrap do for periodic images by themselves: two spans overlap if one begins
//! within the other. An axis between walls is an arc that does not close. Boxes are rounded
//! outwards to whole units. Units of 2^-16 of an axis are fine enough: boxes that only overlap
//! because of them are rare, since a unit is small against the distance between particles wherever
//! there are two or three axes.

use multiversion::multiversion;

use crate::space::{Domain, Paths};

/// A stretch of an axis: where it begins, and how far it continues. \[units\]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct UnitSpan {
    pub(super) from: u16,
    pub(super) length: u16,
}

/// A box, a span for each axis.
pub(super) type SweptBox<const D: usize> = [UnitSpan; D];

impl UnitSpan {
    /// All of an axis.
    const WHOLE: Self = Self { from: 0, length: u16::MAX };
}

/// What tests compare with.
#[cfg(test)]
impl UnitSpan {
    /// Whether `place` is in it. \[units\]
    fn holds(self, place: u16) -> bool {
        place.wrapping_sub(self.from) <= self.length
    }

    /// Whether the two have a place in common.
    fn meets(self, other: Self) -> bool {
        self.holds(other.from) | other.holds(self.from)
    }
}

/// Whether two boxes overlap.
#[cfg(test)]
pub(super) fn meet<const D: usize>(a: &SweptBox<D>, b: &SweptBox<D>) -> bool {
    (0..D).fold(true, |so_far, k| so_far & a[k].meets(b[k]))
}

/// How long boxes are along each axis. \[axis\], \[units\]
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths<const D: usize> {
    pub(super) mean: [f64; D],
    /// But for very few.
    pub(super) longest: [u16; D],
}

/// One box in so many tells how long they are, if there are many.
const SAMPLE: usize = 16;
const MANY: usize = 4096;

/// Of so many boxes one may be longer than the longest is said to be.
const FEW: usize = 256;

/// How many times longer than on average that is.
const LONGER: [f64; 9] = [2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 20.0, 50.0, 200.0];

impl<const D: usize> Default for Lengths<D> {
    fn default() -> Self {
        Self { mean: [1.0; D], longest: [u16::MAX; D] }
    }
}

impl<const D: usize> Lengths<D> {
    /// Those of some boxes.
    pub(super) fn of(boxes: &[SweptBox<D>]) -> Self {
        let sample = || boxes.iter().step_by(if boxes.len() < MANY { 1 } else { SAMPLE });
        let count = sample().len().max(1);
        let mut sums = [0_u64; D];
        sample().for_each(|swept| (0..D).for_each(|k| sums[k] += u64::from(swept[k].length)));
        let mean = sums.map(|sum| (sum as f64 / count as f64).max(1.0));
        // Those longer than each of the factors along any axis.
        let mut longer = [0; LONGER.len()];
        for swept in sample() {
            let factor =
                (0..D).fold(0.0, |most: f64, k| most.max(f64::from(swept[k].length) / mean[k]));
            longer
                .iter_mut()
                .zip(LONGER)
                .for_each(|(longer, than)| *longer += usize::from(factor > than));
        }
        let enough = longer.iter().position(|longer| longer * FEW <= count);
        let longest = |k: usize| match enough {
            Some(n) => (LONGER[n] * mean[k]).min(f64::from(u16::MAX)) as u16,
            None => u16::MAX,
        };
        Self { mean, longest: std::array::from_fn(longest) }
    }

    /// Whether a box is not longer than that.
    #[inline]
    pub(super) fn holds(&self, swept: &SweptBox<D>) -> bool {
        (0..D).fold(true, |so_far, k| so_far & (swept[k].length <= self.longest[k]))
    }
}

/// How lengths along an axis become units.
#[derive(Clone, Copy, Debug)]
struct AxisUnits {
    edge: f64,
    /// \[units per length\]
    scale: f64,
    /// The unit that the axis begins with.
    first: f64,
    /// Between walls, what is beyond them is at them.
    ends: [f64; 2],
    /// Longer spans, and those that begin so far away, are all of a periodic axis.
    widest: f64,
    farthest: f64,
}

/// How lengths become units.
#[derive(Clone, Debug)]
pub(super) struct Frame<const D: usize> {
    axes: [AxisUnits; D],
    rounding: f64,
    end: f64,
}

/// Units on an axis.
pub(super) const UNITS: f64 = (1_u64 << 16) as f64;

/// Places are rounded to units as if they were so much farther out: rounding errors are smaller.
/// \[units\]
const GENEROUS: f64 = 1e-6;

/// Particles so many edges away from the box are anywhere.
const FAR: f64 = 1000.0;

impl<const D: usize> Default for Frame<D> {
    fn default() -> Self {
        Self::new(&Domain::new([1.0; D], [false; D]), 1.0)
    }
}

impl<const D: usize> Frame<D> {
    /// For paths in `domain` until `end` \[window time\].
    pub(super) fn new(domain: &Domain<D>, end: f64) -> Self {
        let axis = |k: usize| {
            let edge = domain.edges()[k];
            const NOWHERE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
            match domain.is_periodic(k) {
                true => AxisUnits {
                    edge,
                    scale: UNITS / edge,
                    first: 0.0,
                    ends: NOWHERE,
                    widest: 0.99 * edge,
                    farthest: FAR * edge,
                },
                // A span at the far wall may not reach round to the near one.
                false => AxisUnits {
                    edge,
                    scale: (UNITS - 4.0) / edge,
                    first: 2.0,
                    ends: [0.0, edge],
                    widest: f64::INFINITY,
                    farthest: f64::INFINITY,
                },
            }
        };
        Self { axes: std::array::from_fn(axis), rounding: domain.rounding(), end }
    }

    /// The length of so many units along axis `k`.
    pub(super) fn length(&self, k: usize, units: f64) -> f64 {
        units / self.axes[k].scale
    }

    /// The length of axis `k`.
    pub(super) fn edge(&self, k: usize) -> f64 {
        self.axes[k].edge
    }

    /// How many cells of at least this width \[length\] there is room for along axis `k`.
    pub(super) fn cells(&self, k: usize, width: f64) -> u32 {
        // At most so many that numbers of cells in a row and rows stay small.
        (self.axes[k].edge / width).clamp(1.0, 65536.0) as u32
    }

    /// The box that particle `i` sweeps until the window's end, a few ulp generous.
    #[inline]
    pub(super) fn swept(&self, i: usize, paths: &Paths<'_, D>) -> SweptBox<D> {
        let (start, velocity) = (paths.position[i], paths.velocity[i]);
        let (lasting, half) = (self.end - paths.since[i], paths.radius[i] + self.rounding);
        std::array::from_fn(|k| self.axes[k].swept(start[k], velocity[k] * lasting, half))
    }

    /// The boxes of the particles from slot `first` on.
    pub(super) fn fill(&self, first: usize, paths: &Paths<'_, D>, boxes: &mut [SweptBox<D>]) {
        fill(self, first, paths, boxes);
    }
}

/// Particles whose boxes are found together.
const LANES: usize = 32;

/// See [`Frame::fill`]: an axis at a time, in vector lanes.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn fill<const D: usize>(
    frame: &Frame<D>,
    first: usize,
    paths: &Paths<'_, D>,
    boxes: &mut [SweptBox<D>],
) {
    let [mut lasting, mut half, mut start, mut travel] = [[0.0; LANES]; 4];
    let [mut from, mut length] = [[0; LANES]; 2];
    for (n, boxes) in boxes.chunks_mut(LANES).enumerate() {
        let slots = first + n * LANES..first + n * LANES + boxes.len();
        for (i, (since, radius)) in
            paths.since[slots.clone()].iter().zip(&paths.radius[slots.clone()]).enumerate()
        {
            (lasting[i], half[i]) = (frame.end - since, radius + frame.rounding);
        }
        let (position, velocity) = (&paths.position[slots.clone()], &paths.velocity[slots]);
        for k in 0..D {
            for (i, (position, velocity)) in position.iter().zip(velocity).enumerate() {
                (start[i], travel[i]) = (position[k], velocity[k] * lasting[i]);
            }
            let axis = frame.axes[k];
            for i in 0..LANES {
                let span = axis.swept(start[i], travel[i], half[i]);
                (from[i], length[i]) = (span.from, span.length);
            }
            for (i, swept) in boxes.iter_mut().enumerate() {
                swept[k] = UnitSpan { from: from[i], length: length[i] };
            }
        }
    }
}

impl AxisUnits {
    /// What one takes up that reaches `half` to either side and goes along `travel` from `start`.
    /// Without a branch.
    #[inline(always)]
    fn swept(&self, start: f64, travel: f64, half: f64) -> UnitSpan {
        let (down, up) = if travel < 0.0 { (travel, 0.0) } else { (0.0, travel) };
        self.span(self.inside(start + down - half), self.inside(start + up + half))
    }

    /// `x`, or the wall that it is beyond.
    #[inline(always)]
    fn inside(&self, x: f64) -> f64 {
        let x = if x < self.ends[0] { self.ends[0] } else { x };
        if x > self.ends[1] { self.ends[1] } else { x }
    }

    #[inline(always)]
    fn span(&self, from: f64, to: f64) -> UnitSpan {
        // What is not a number fails the comparisons.
        let is_part = (to - from < self.widest) & (from.abs() < self.farthest);
        // The whole number next to half a unit less is the unit that a place is in.
        let [down, up] = [-GENEROUS, GENEROUS].map(|margin| self.first - 0.5 + margin);
        let first = units(from * self.scale + down);
        let length = units(to * self.scale + up).wrapping_sub(first);
        UnitSpan {
            from: if is_part { first } else { UnitSpan::WHOLE.from },
            length: if is_part { length } else { UnitSpan::WHOLE.length },
        }
    }
}

/// The whole number next to `x`, for |x| below 2^51, but for a multiple of 2^16: the low bits of a
/// number of such a size that it has no room for a fraction.
#[inline(always)]
fn units(x: f64) -> u16 {
    const SHIFT: f64 = 1.5 * (1_u64 << 52) as f64;
    (x + SHIFT).to_bits() as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_the_nearest_and_wrap() {
        assert_eq!([0.4, 0.6, 7.0, UNITS - 1.0].map(units), [0, 1, 7, u16::MAX]);
        assert_eq!([-1.0, UNITS + 3.0, -5.0 * UNITS - 2.0].map(units), [u16::MAX, 3, u16::MAX - 1]);
    }

    /// From unit to unit, and around the axis: a span has the units of both of its ends, and no others.
    #[test]
    fn spans_are_rounded_outwards() {
        let frame = Frame::<1>::new(&Domain::new([UNITS], [true]), 1.0);
        let span = |from, to| {
            let UnitSpan { from, length } = frame.axes[0].span(from, to);
            [from, length]
        };
        assert_eq!(span(3.1, 3.9), [3, 0]);
        assert_eq!(span(3.9, 4.1), [3, 1]);
        // An end between two units may belong to either.
        assert_eq!(span(3.0, 4.0), [2, 2]);
        assert_eq!(span(-0.5, 0.5), [u16::MAX, 1]);
        assert_eq!(span(UNITS + 7.5, UNITS + 9.5), [7, 2]);
        assert_eq!(span(0.5, 0.98 * UNITS), [0, (0.98 * UNITS) as u16]);
    }

    #[test]
    fn spans_meet_across_a_periodic_face_and_not_across_a_wall() {
        let frame = Frame::<2>::new(&Domain::new([10.0, 10.0], [true, false]), 1.0);
        let span = |k: usize, from, to| {
            let axis = frame.axes[k];
            axis.span(axis.inside(from), axis.inside(to))
        };
        let spans = |k| [(9.0, 10.5), (-0.25, 1.0), (0.6, 2.0)].map(|(from, to)| span(k, from, to));
        let [high, low, middle] = spans(0);
        assert!(high.meets(low) && low.meets(high) && low.meets(middle) && !high.meets(middle));
        let [high, low, middle] = spans(1);
        assert!(!high.meets(low) && !low.meets(high) && low.meets(middle) && !high.meets(middle));
        assert!(span(0, 3.0, 13.0).meets(span(0, 2.0, 2.5)));
        assert!(span(0, f64::NAN, 13.0) == UnitSpan::WHOLE);
    }
}
