//! What particles of one kind have in common.
//!
//! Inside, lengths are in nm and times in µs, so that 1 µm²/s = 1 nm²/µs.

use crate::sites::Sites;

/// The most species of a model, each combination of states counted as one. Tables over pairs of
/// species would take much memory beyond that.
pub const MOST_SPECIES: usize = 4096;

/// A kind of particle: a protein, a receptor, an aggregate.
///
/// ```
/// use jostle_core::species::{Drift, Species};
///
/// // A motor that is carried along x, beside its diffusion, in one of its states.
/// let drift = Drift::Constant([0.8, 0.0, 0.0]); // nm/µs
/// let motor = Species { drift, ..Species::sphere("Kinesin{bound}", 4.0, 0.01) };
/// assert_eq!((motor.declared_name(), motor.radius), ("Kinesin", Some(4.0)));
/// // Its size follows from what it is made of.
/// assert_eq!(Species::grown("Aggregate").radius, None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Species {
    /// The name that the model gives.
    pub name: String,
    /// \[nm\] None for a species that only arises by coalescence: its volume (3D) or area (2D) is
    /// then that of its parts.
    pub radius: Option<f64>,
    /// \[nm²/µs\] None for a species that only arises by coalescence: the mobility law then gives
    /// it from its parts.
    pub diffusion_coefficient: Option<f64>,
    /// Its drift, in addition to diffusion.
    pub drift: Drift,
    /// Where it binds others, and the states that it has there.
    pub sites: Sites,
}

impl Species {
    /// Spheres of a radius \[nm\] and a diffusion coefficient \[nm²/µs\], without drift and sites.
    pub fn sphere(name: impl Into<String>, radius: f64, diffusion_coefficient: f64) -> Self {
        Self {
            radius: Some(radius),
            diffusion_coefficient: Some(diffusion_coefficient),
            ..Self::grown(name)
        }
    }

    /// A species that only arises by coalescence, from whose parts its size and its diffusion
    /// coefficient follow.
    pub fn grown(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            radius: None,
            diffusion_coefficient: None,
            drift: Drift::Still,
            sites: Sites::default(),
        }
    }

    /// The name of the species whose state this is: what stands before the brace in `EGFR{bound}`.
    pub fn declared_name(&self) -> &str {
        self.name.split('{').next().unwrap_or(&self.name)
    }
}

/// A systematic motion, added to the diffusive one at each step.
#[derive(Clone, Debug, PartialEq)]
pub enum Drift {
    /// None.
    Still,
    /// A constant velocity. \[nm/µs\], one component per axis (three are stored, the first D count)
    Constant([f64; 3]),
    /// A shear flow: the velocity along axis `along` is `rate` times the distance from the middle
    /// of the box along axis `across`.
    Shear {
        /// \[1/µs\]
        rate: f64,
        /// The axis of the flow.
        along: usize,
        /// The axis of its gradient.
        across: usize,
    },
    /// A harmonic well around `centre`: left alone, the mean distance falls as exp(-t/relaxation).
    Well {
        /// \[nm\], the first D count
        centre: [f64; 3],
        /// \[µs\]
        relaxation: f64,
    },
}

/// How fast a cluster diffuses, from what it is made of.
///
/// ```
/// use jostle_core::clusters::Piece;
/// use jostle_core::species::MobilityLaw;
///
/// // Eight equal spheres are eight times as hard to drag if the solvent flows between them, and twice
/// // as hard if they are one compact sphere, of twice the radius.
/// let eight = [Piece { diffusion_coefficient: 4.0, radius: 1.0 }; 8];
/// assert!((MobilityLaw::Rouse.diffusion_coefficient(&eight, 3) - 0.5).abs() < 1e-12);
/// assert!((MobilityLaw::Stokes.diffusion_coefficient(&eight, 3) - 2.0).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum MobilityLaw {
    /// Free draining: 1/D adds up over the parts.
    Rouse,
    /// D falls as 1/R, R the radius of the sphere (disk) of the same volume (area), and the parts
    /// give the mean of D R.
    Stokes,
    /// D falls with R as that of a disk in a membrane between two layers of water (Saffman and
    /// Delbrück 1975, for every R by the interpolation of Petrov and Schwille 2008), R the radius
    /// of the disk of the same area, and the parts give the mean of the factor in front. In 2D
    /// only.
    SaffmanDelbruck {
        /// The length of Saffman and Delbrück: viscosity of the membrane times its thickness, over
        /// twice the viscosity of water (over the sum of the viscosities on both sides, if they
        /// differ). \[nm\] Hughes, Pailthorpe and White 1981 write epsilon for R over it.
        length: f64,
    },
    /// Bound particles do not diffuse.
    Immobile,
    /// D of a cluster of n particles is the largest D of a part times `factor[n - 1]`; the last
    /// entry serves all larger ones.
    Table(Vec<f64>),
}
