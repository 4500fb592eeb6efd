//! Smooth potentials, before they are divided into shells.

use thiserror::Error;

/// A smooth potential.
#[derive(Clone, Debug, PartialEq)]
pub enum SmoothPotential {
    /// Screened charges (Debye and Hückel; Yukawa): U = strength (contact/r) exp(−(r − contact)/length).
    Yukawa {
        /// At contact; positive if it is repulsive. \[kT\]
        strength: f64,
        /// How far it reaches: the Debye length of charges. \[nm\]
        length: f64,
        /// The distance of the centres at contact. \[nm\]
        contact: f64,
    },
    /// U = 4 depth ((diameter/r)¹² − (diameter/r)⁶).
    LennardJones {
        /// How deep the minimum is. \[kT\]
        depth: f64,
        /// Where the energy is 0; the minimum is at 1.12 of it. \[nm\]
        diameter: f64,
    },
    /// Straight lines between points.
    Table(Tabulated),
}

impl SmoothPotential {
    /// The energy at a distance. \[kT\]
    pub fn energy(&self, r: f64) -> f64 {
        match self {
            Self::Yukawa { strength, length, contact } => {
                strength * contact / r * libm::exp(-(r - contact) / length)
            }
            Self::LennardJones { depth, diameter } => {
                let sixth = libm::pow(diameter / r, 6.0);
                4.0 * depth * (sixth * sixth - sixth)
            }
            Self::Table(table) => table.energy(r),
        }
    }
}

/// Energies at some distances.
#[derive(Clone, Debug, PartialEq)]
pub struct Tabulated {
    points: Vec<[f64; 2]>,
}

/// Why a table is no potential.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TableError {
    /// Two points make a line.
    #[error("there are {0} rows; at least 2 are needed, each a distance and an energy")]
    TooShort(usize),
    /// Distances increase.
    #[error(
        "row {row} (counted from 1): the distance {distance} does not exceed that of the row before"
    )]
    Order {
        /// Which row.
        row: usize,
        /// \[nm\]
        distance: f64,
    },
    /// Something is not a number.
    #[error("row {0} (counted from 1) has a value that is not a finite number")]
    NotFinite(usize),
}

impl Tabulated {
    /// A potential through these points: distance \[nm\] and energy \[kT\].
    ///
    /// # Errors
    /// Unless there are at least two, of increasing distances.
    pub fn new(points: Vec<[f64; 2]>) -> Result<Self, TableError> {
        if points.len() < 2 {
            return Err(TableError::TooShort(points.len()));
        }
        if let Some(n) = points.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
            return Err(TableError::NotFinite(n + 1));
        }
        match points.windows(2).position(|two| two[0][0] >= two[1][0]) {
            Some(n) => Err(TableError::Order { row: n + 2, distance: points[n + 1][0] }),
            None => Ok(Self { points }),
        }
    }

    /// The first and the last distance. \[nm\]
    pub fn range(&self) -> [f64; 2] {
        [self.points[0][0], self.points[self.points.len() - 1][0]]
    }

    /// The points. \[nm\], \[kT\]
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The energy at a distance: that of the nearest point before the first, and 0 after the last.
    fn energy(&self, r: f64) -> f64 {
        let after = self.points.partition_point(|point| point[0] < r);
        if after == 0 {
            return self.points[0][1];
        }
        let Some(&[r_1, u_1]) = self.points.get(after) else { return 0.0 };
        let [r_0, u_0] = self.points[after - 1];
        u_0 + (u_1 - u_0) * (r - r_0) / (r_1 - r_0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_have_their_marks() {
        let yukawa = SmoothPotential::Yukawa { strength: 3.0, length: 0.7, contact: 2.0 };
        assert_eq!(yukawa.energy(2.0), 3.0);
        assert!((yukawa.energy(2.7) - 3.0 * 2.0 / 2.7 / 1_f64.exp()).abs() < 1e-12);
        let lennard_jones = SmoothPotential::LennardJones { depth: 1.5, diameter: 2.0 };
        assert!(lennard_jones.energy(2.0).abs() < 1e-12);
        assert!((lennard_jones.energy(2.0 * 2_f64.powf(1.0 / 6.0)) + 1.5).abs() < 1e-12);
    }

    #[test]
    fn tables_are_lines_between_points() {
        let table = Tabulated::new(vec![[2.0, -1.0], [3.0, 1.0], [5.0, 0.0]]).unwrap();
        let energies = [1.5, 2.0, 2.5, 4.0, 5.0, 6.0].map(|r| table.energy(r));
        assert_eq!(energies, [-1.0, -1.0, 0.0, 0.5, 0.0, 0.0]);
        assert_eq!(Tabulated::new(vec![[2.0, -1.0]]), Err(TableError::TooShort(1)));
        let twice = Tabulated::new(vec![[2.0, -1.0], [2.0, 1.0]]);
        assert_eq!(twice, Err(TableError::Order { row: 2, distance: 2.0 }));
        assert_eq!(
            Tabulated::new(vec![[2.0, f64::NAN], [3.0, 1.0]]),
            Err(TableError::NotFinite(1))
        );
    }
}
