//! Attraction and repulsion as a model says them.

use jostle_core::potentials::{Potentials, SmoothPotential, StepPotential, Tabulated};

use crate::Model;

/// A potential between particles of some species.
#[derive(Clone, Debug, PartialEq)]
pub struct Potential {
    /// Its name.
    pub name: String,
    /// The species of the one and of the other partner.
    pub between: [Vec<u16>; 2],
    /// Its energy.
    pub energy: Energy,
}

/// The energy of a pair as a function of the distance of the centres.
#[derive(Clone, Debug, PartialEq)]
pub enum Energy {
    /// In shells that end at these distances \[nm\], with these energies \[kT\].
    Steps(Vec<[f64; 2]>),
    /// A smooth one, to be divided into shells.
    Smooth {
        /// Its functional form.
        shape: EnergyShape,
        /// Where it ends. \[nm\]
        cutoff: f64,
        /// Into how many shells it is divided.
        shells: usize,
    },
}

/// A smooth potential. Energies are in kT, lengths in nm.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs)]
pub enum EnergyShape {
    /// Of screened charges, with `strength` at contact.
    Yukawa { strength: f64, length: f64 },
    /// Where the energy is 0 at contact, if there is no diameter.
    LennardJones { depth: f64, diameter: Option<f64> },
    /// Straight lines between points.
    Table(Tabulated),
}

impl Energy {
    /// Beyond this distance there is none. \[nm\]
    pub fn range(&self) -> f64 {
        match self {
            Self::Steps(steps) => steps.last().map_or(0.0, |[to, _]| *to),
            Self::Smooth { cutoff, .. } => *cutoff,
        }
    }

    /// The nearest distance at which the energy changes, for particles that touch at `contact`. \[nm\]
    pub fn first_edge(&self, contact: f64) -> f64 {
        match self {
            Self::Steps(steps) => steps.first().map_or(f64::INFINITY, |[to, _]| *to),
            Self::Smooth { cutoff, shells, .. } => contact + (cutoff - contact) / *shells as f64,
        }
    }

    /// In shells, for particles that touch at `contact` \[nm\] and meet in `dimension` dimensions.
    pub fn stepped(&self, contact: f64, dimension: usize) -> StepPotential {
        match self {
            Self::Steps(steps) => StepPotential::new(
                steps.iter().map(|[to, _]| *to).collect(),
                steps.iter().map(|[_, energy]| *energy).collect(),
            ),
            Self::Smooth { shape, cutoff, shells } => {
                let form = match shape {
                    EnergyShape::Yukawa { strength, length } => {
                        SmoothPotential::Yukawa { strength: *strength, length: *length, contact }
                    }
                    EnergyShape::LennardJones { depth, diameter } => {
                        SmoothPotential::LennardJones {
                            depth: *depth,
                            diameter: diameter.unwrap_or(contact),
                        }
                    }
                    EnergyShape::Table(table) => SmoothPotential::Table(table.clone()),
                };
                StepPotential::of_form(&form, contact, *cutoff, *shells, dimension)
            }
        }
    }
}

impl Potential {
    /// The pairs of species that it is for, each once, the lower first.
    pub fn pairs(&self) -> Vec<[u16; 2]> {
        let [some, others] = &self.between;
        let pairs = some.iter().flat_map(|a| others.iter().map(|b| [*a.min(b), *a.max(b)]));
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

impl Model {
    /// Attraction and repulsion.
    pub fn potentials(&self) -> &[Potential] {
        self.brownian().map_or(&[], |brownian| &brownian.potentials)
    }

    /// The distance of the centres at which particles of two species touch. \[nm\]
    pub fn contact_distance(&self, pair: [u16; 2]) -> f64 {
        pair.iter().map(|s| self.species[usize::from(*s)].radius.unwrap_or(f64::NAN)).sum()
    }

    /// The energy of a pair of these species at contact, in the innermost shell. \[kT\]
    pub fn energy_at_contact(&self, [a, b]: [u16; 2]) -> f64 {
        let is_for = |one: &&Potential| {
            let [some, others] = &one.between;
            let joins = |a, b| some.contains(a) && others.contains(b);
            joins(&a, &b) || joins(&b, &a)
        };
        let all = self.potentials().iter().filter(is_for);
        let innermost = |one: &Potential| {
            let contact = self.contact_distance([a, b]);
            one.energy.stepped(contact, self.dimension_of([a, b])).in_shell(0)
        };
        all.map(innermost).sum()
    }

    /// All potentials in shells, as the engine takes them, by their numbers in
    /// [`potentials`](Self::potentials).
    pub fn stepped_potentials(&self) -> Potentials {
        let radii: Vec<_> = self.species.iter().map(|species| species.radius).collect();
        let of_pair = |number: u16, potential: &Potential, pair: [u16; 2]| {
            let contact = self.contact_distance(pair);
            (number, pair, potential.energy.stepped(contact, self.dimension_of(pair)))
        };
        let all = (0..).zip(self.potentials());
        let all = all.flat_map(|(number, one)| {
            one.pairs().into_iter().map(move |pair| of_pair(number, one, pair))
        });
        let all: Vec<_> = all.collect();
        Potentials::numbered(&radii, all.iter().map(|(number, pair, one)| (*number, *pair, one)))
    }
}
