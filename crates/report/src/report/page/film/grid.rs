//! Places as whole numbers: each axis cut into equal quanta.

/// What the quantum is measured against: the smallest radius is this many quanta, or more than 2^16
/// quanta would be needed.
const QUANTA_PER_RADIUS: f64 = 32.0;

/// The range of each axis, and into how many quanta it is cut.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report::page) struct Grid {
    /// How many axes the model has.
    pub(in crate::report::page) axes: usize,
    /// Where the first quantum begins. \[nm\]
    pub(in crate::report::page) low: [f64; 3],
    /// \[nm\]
    pub(in crate::report::page) span: [f64; 3],
    /// Whether the axis closes on itself.
    pub(in crate::report::page) periodic: [bool; 3],
    /// How many bits a quantum's number has, at most 16.
    pub(in crate::report::page) bits: u32,
}

impl Grid {
    /// A grid for particles of a smallest radius \[nm\].
    pub(super) fn new(
        axes: usize,
        ranges: [[f64; 2]; 3],
        periodic: [bool; 3],
        smallest_radius: f64,
    ) -> Self {
        let span = ranges.map(|[low, high]| if high > low { high - low } else { 1.0 });
        let longest = span[..axes].iter().fold(0.0, |a: f64, b| a.max(*b));
        let wanted = (QUANTA_PER_RADIUS * longest / smallest_radius).log2().ceil();
        let bits = if wanted.is_finite() { wanted.clamp(8.0, 16.0) as u32 } else { 16 };
        Self { axes, low: ranges.map(|range| range[0]), span, periodic, bits }
    }

    /// The last quantum's number, and the mask of all numbers.
    pub(super) fn last(&self) -> u16 {
        ((1u32 << self.bits) - 1) as u16
    }

    /// The width of a quantum. \[nm\]
    pub(in crate::report::page) fn quantum(&self, axis: usize) -> f64 {
        self.span[axis] / f64::from(1u32 << self.bits)
    }

    /// How far off a place may come out along any axis: half a quantum. \[nm\]
    pub(in crate::report::page) fn error(&self) -> f64 {
        0.5 * (0..self.axes).map(|axis| self.quantum(axis)).fold(0.0, f64::max)
    }

    /// The quantum that a coordinate \[nm\] lies in.
    pub(super) fn quantise(&self, x: f64, axis: usize) -> u16 {
        let share = (x - self.low[axis]) / self.span[axis];
        let share = if self.periodic[axis] { share - share.floor() } else { share };
        let number = share * f64::from(1u32 << self.bits);
        // NaN, which no place is, becomes 0.
        (number as i64).clamp(0, i64::from(self.last())) as u16
    }

    /// The middle of a quantum. \[nm\]
    #[cfg(test)]
    pub(super) fn middle(&self, number: u16, axis: usize) -> f64 {
        self.low[axis] + (f64::from(number) + 0.5) * self.quantum(axis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back_within_half_a_quantum() {
        let grid =
            Grid::new(3, [[0.0, 100.0], [-20.0, 30.0], [0.0, 7.0]], [true, false, false], 2.5);
        assert_eq!(grid.bits, 11);
        for n in 0..=1000 {
            let share = f64::from(n) / 1000.0;
            for axis in 0..3 {
                let x = grid.low[axis] + share * grid.span[axis];
                let off = (grid.middle(grid.quantise(x, axis), axis) - x).abs();
                // The far edge of a periodic axis is the near one.
                let off = if grid.periodic[axis] { off.min(grid.span[axis] - off) } else { off };
                assert!(
                    off <= 0.5 * grid.quantum(axis) * (1.0 + 1e-9),
                    "{x} on axis {axis} is off by {off}"
                );
                assert!(0.5 * grid.quantum(axis) <= grid.error());
            }
        }
    }

    #[test]
    fn a_quantum_is_small_beside_the_particles_where_sixteen_bits_allow() {
        let of = |edge: f64, radius: f64| Grid::new(1, [[0.0, edge]; 3], [true; 3], radius);
        assert!(of(1000.0, 2.5).quantum(0) <= 2.5 / QUANTA_PER_RADIUS);
        assert_eq!(of(1e9, 1.0).bits, 16);
        assert_eq!(of(1.0, f64::NAN).bits, 16);
        assert_eq!(of(1.0, 5.0).bits, 8);
    }

    #[test]
    fn what_lies_outside_of_a_periodic_box_is_wrapped() {
        let grid = Grid::new(1, [[0.0, 10.0]; 3], [true; 3], 1.0);
        assert_eq!(grid.quantise(-1.0, 0), grid.quantise(9.0, 0));
        assert_eq!(grid.quantise(f64::NAN, 0), 0);
    }
}
