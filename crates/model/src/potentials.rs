//! Attraction and repulsion as a model says them.

use jostle_core::potentials::{Climb, EnergyShape, PairPotential, Potentials, StepPotential};

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
    /// A smooth one.
    Smooth {
        /// Its functional form.
        shape: EnergyShape,
        /// Where it ends. \[nm\]
        cutoff: f64,
        /// What particles do in it.
        law: Law,
    },
}

/// By which law particles move in a smooth potential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// It is divided into so many shells.
    Shells(usize),
    /// They bounce where they have climbed enough: see [`Climb`].
    Bounces,
}

/// Into how many shells a potential with the law of bounces is divided to be measured.
const FINE: usize = 256;

/// Into how many shells where these stand for the smooth potential itself.
const FINEST: usize = 4096;

impl Law {
    fn shells(self) -> usize {
        match self {
            Self::Shells(shells) => shells,
            Self::Bounces => FINE,
        }
    }
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
            Self::Smooth { cutoff, law, .. } => contact + (cutoff - contact) / law.shells() as f64,
        }
    }

    /// In shells, for particles that touch at `contact` \[nm\] and meet in `dimension` dimensions; in fine
    /// ones with the law of bounces.
    pub fn stepped(&self, contact: f64, dimension: usize) -> StepPotential {
        match self {
            Self::Steps(steps) => StepPotential::new(
                steps.iter().map(|[to, _]| *to).collect(),
                steps.iter().map(|[_, energy]| *energy).collect(),
            ),
            Self::Smooth { shape, cutoff, law } => {
                let form = shape.from_contact(contact);
                StepPotential::of_form(&form, contact, *cutoff, law.shells(), dimension)
            }
        }
    }

    /// By which share the energy of a particle at low density is lower in its shells than in the smooth
    /// potential that they stand for.
    pub fn lowered_by_shells(&self, contact: f64, dimension: usize) -> Option<f64> {
        let Self::Smooth { shape, cutoff, law: Law::Shells(_) } = self else { return None };
        let smooth = StepPotential::of_form(
            &shape.from_contact(contact),
            contact,
            *cutoff,
            FINEST,
            dimension,
        );
        let [stepped, smooth] = [self.stepped(contact, dimension), smooth]
            .map(|shells| shells.energy_at_low_density(contact, dimension));
        (smooth != 0.0).then(|| (smooth - stepped) / smooth.abs())
    }

    /// Without shells, if it has the law of bounces.
    pub fn climb(&self, contact: f64) -> Option<Climb> {
        match self {
            Self::Smooth { shape, cutoff, law: Law::Bounces } => {
                Some(Climb::new(shape.from_contact(contact), contact, *cutoff))
            }
            Self::Smooth { .. } | Self::Steps(_) => None,
        }
    }

    /// That of particles that touch at `contact`, by its law.
    fn of_pair(&self, contact: f64, dimension: usize) -> PairPotential {
        match self.climb(contact) {
            Some(climb) => PairPotential::Bounces(climb),
            None => PairPotential::Shells(self.stepped(contact, dimension)),
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
            match one.energy.climb(contact) {
                Some(climb) => climb.energy(contact),
                None => one.energy.stepped(contact, self.dimension_of([a, b])).in_shell(0),
            }
        };
        all.map(innermost).sum()
    }

    /// All potentials as the engine takes them, by their numbers in [`potentials`](Self::potentials).
    pub fn pair_potentials(&self) -> Potentials {
        self.numbered_potentials(Energy::of_pair)
    }

    /// All potentials in shells, in fine ones where they have the law of bounces, to be measured.
    pub fn stepped_potentials(&self) -> Potentials {
        self.numbered_potentials(|energy, contact, dimension| {
            PairPotential::Shells(energy.stepped(contact, dimension))
        })
    }

    fn numbered_potentials(
        &self,
        of_pair: impl Fn(&Energy, f64, usize) -> PairPotential,
    ) -> Potentials {
        let radii: Vec<_> = self.species.iter().map(|species| species.radius).collect();
        let all = (0..).zip(self.potentials());
        let all = all.flat_map(|(number, one)| {
            one.pairs().into_iter().map(move |pair| (number, pair, &one.energy))
        });
        let all = all.map(|(number, pair, energy)| {
            (number, pair, of_pair(energy, self.contact_distance(pair), self.dimension_of(pair)))
        });
        Potentials::numbered(&radii, all)
    }
}
