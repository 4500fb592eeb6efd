//! How fast a cluster diffuses.

use super::membrane::disk_mobility;
use super::whole::Part;
use crate::species::MobilityLaw;

/// A part of a cluster, as far as its mobility goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// D that it would have alone. \[nm²/µs\]
    pub diffusion_coefficient: f64,
    /// \[nm\]
    pub radius: f64,
}

impl From<&Part> for Piece {
    fn from(part: &Part) -> Self {
        Self { diffusion_coefficient: part.diffusion_coefficient, radius: part.radius }
    }
}

impl MobilityLaw {
    /// The diffusion coefficient of a cluster of `pieces` \[nm²/µs\] in `dimension` dimensions. The
    /// pieces come in the order of their identities, so that the sums have a fixed order.
    pub fn diffusion_coefficient(&self, pieces: &[Piece], dimension: usize) -> f64 {
        let largest = pieces.iter().map(|p| p.diffusion_coefficient).fold(0.0, f64::max);
        match self {
            Self::Rouse => 1.0 / pieces.iter().map(|p| 1.0 / p.diffusion_coefficient).sum::<f64>(),
            Self::Stokes => {
                let n = pieces.len() as f64;
                let mean =
                    pieces.iter().map(|p| p.diffusion_coefficient * p.radius).sum::<f64>() / n;
                mean / joint_radius(pieces.iter().map(|p| p.radius), dimension)
            }
            Self::SaffmanDelbruck { length } => {
                let n = pieces.len() as f64;
                let own = |p: &Piece| p.diffusion_coefficient / disk_mobility(p.radius / length);
                let mean = pieces.iter().map(own).sum::<f64>() / n;
                let radius = joint_radius(pieces.iter().map(|p| p.radius), dimension);
                mean * disk_mobility(radius / length)
            }
            Self::Immobile => 0.0,
            Self::Table(factor) => match factor.len() {
                0 => largest,
                len => largest * factor[(pieces.len() - 1).min(len - 1)],
            },
        }
    }
}

/// The radius of the sphere (3D), disk (2D) or rod (1D) that holds as much as spheres of the given
/// radii do together. \[nm\]
pub fn joint_radius(radii: impl Iterator<Item = f64>, dimension: usize) -> f64 {
    match dimension {
        1 => radii.sum(),
        2 => radii.map(|r| r * r).sum::<f64>().sqrt(),
        _ => libm::cbrt(radii.map(|r| r * r * r).sum::<f64>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(d: &[f64]) -> Vec<Piece> {
        d.iter().map(|&d| Piece { diffusion_coefficient: d, radius: 1.0 }).collect()
    }

    #[test]
    fn each_law_does_what_its_name_says() {
        let two = pieces(&[2.0, 2.0]);
        assert_eq!(MobilityLaw::Rouse.diffusion_coefficient(&two, 3), 1.0);
        let stokes = MobilityLaw::Stokes.diffusion_coefficient(&two, 3);
        assert!((stokes - 2.0 / libm::cbrt(2.0)).abs() < 1e-15);
        let stokes = MobilityLaw::Stokes.diffusion_coefficient(&two, 2);
        assert!((stokes - 2.0 / 2f64.sqrt()).abs() < 1e-15);
        assert_eq!(MobilityLaw::Immobile.diffusion_coefficient(&two, 3), 0.0);
        let table = MobilityLaw::Table(vec![1.0, 0.5, 0.25]);
        assert_eq!(table.diffusion_coefficient(&two, 3), 1.0);
        assert_eq!(table.diffusion_coefficient(&pieces(&[2.0; 9]), 3), 0.5);
        assert_eq!(MobilityLaw::Rouse.diffusion_coefficient(&pieces(&[0.0, 2.0]), 3), 0.0);
    }

    /// In a membrane size hardly counts until a cluster is as large as the length; then as 1/R.
    #[test]
    fn saffman_and_delbruck() {
        let hundred = pieces(&[2.0; 100]);
        let small =
            MobilityLaw::SaffmanDelbruck { length: 1000.0 }.diffusion_coefficient(&hundred, 2);
        let expected = 2.0 * disk_mobility(0.01) / disk_mobility(0.001);
        assert!(
            (small / expected - 1.0).abs() < 1e-12 && (small / 2.0 - 0.674).abs() < 1e-3,
            "{small}"
        );
        let large =
            MobilityLaw::SaffmanDelbruck { length: 1e-3 }.diffusion_coefficient(&hundred, 2);
        let stokes = MobilityLaw::Stokes.diffusion_coefficient(&hundred, 2);
        assert!((large / stokes - 1.0).abs() < 3e-3, "{large} {stokes}");
    }
}
