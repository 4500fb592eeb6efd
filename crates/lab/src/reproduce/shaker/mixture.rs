//! Balls of the guidelines and of the mill in space: sizes and packings of the tables in the plane,
//! and what corresponds to them in space.

use super::placement::{Ball, Placing, place_within};
use super::printed::{COLUMNS, Column, Start};
use crate::reproduce::ReproduceError;
use jostle_core::random::Random;

/// Sizes and packing of balls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BallMixture {
    /// Of one size, 5 %.
    MonoDilute,
    /// Of one size, from a lattice: 70 % of an area, 50 % of a volume.
    MonoDense,
    /// Radii 1 : 10, 5 %.
    PolyDilute,
    /// Radii 1 : 9, as dense as balls can be placed at random: 50 % of an area, 17 % of a volume.
    PolyMiddle,
    /// One large ball among small ones: 70 % of an area, 50 % of a volume.
    PolyDense,
}

impl BallMixture {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::MonoDilute, Self::MonoDense, Self::PolyDilute, Self::PolyMiddle, Self::PolyDense];

    /// The column of the tables, which are in the plane.
    fn column(self) -> &'static Column {
        &COLUMNS[[0, 4, 5, 8, 9][self as usize]]
    }

    /// `Table 1, 5 %` in the plane, `one size, 5 %` in space.
    pub fn name(self, dimension: usize) -> String {
        if dimension == 2 {
            return self.column().title();
        }
        let sizes = match self {
            Self::MonoDilute | Self::MonoDense => "one size",
            Self::PolyDilute => "radii 1 : 10",
            Self::PolyMiddle => "radii 1 : 9",
            Self::PolyDense => "one large ball",
        };
        format!("{sizes}, {} %", (100.0 * self.in_space().packing).round())
    }

    /// In a cube. \[mm\]
    fn in_space(self) -> Placing {
        let (balls, radii, packing, tolerance, start) = match self {
            Self::MonoDilute => (100, [9.85; 2], 0.05, 0.01, Start::Room),
            Self::MonoDense => (125, [19.69; 2], 0.5, 0.01, Start::Lattice),
            Self::PolyDilute => (100, [2.0, 20.0], 0.05, 0.01, Start::Room),
            Self::PolyMiddle => (100, [6.0, 54.0], 0.17, 0.02, Start::Room),
            Self::PolyDense => (1000, [0.0, 50.0], 0.5, 0.01, Start::Around),
        };
        Placing { balls, radii, packing, tolerance, start }
    }

    /// The balls of one box, whose walls are so far from a centre.
    ///
    /// # Errors
    /// If they cannot be placed.
    pub(in crate::reproduce) fn balls<const D: usize>(
        self,
        seed: u64,
        from_walls: impl Fn(&[f64; D]) -> f64,
    ) -> Result<Vec<Ball<D>>, ReproduceError> {
        let placing = if D == 2 { self.column().placing() } else { self.in_space() };
        place_within(&placing, &Random::new(seed), from_walls, |_| true)
            .ok_or_else(|| ReproduceError::NoPlacement { column: self.name(D), seed })
    }
}
