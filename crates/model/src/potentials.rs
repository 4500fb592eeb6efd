//! Attraction and repulsion as a model says them.

use jostle_core::environment::{Form, SurfaceField};
use jostle_core::potentials::{Climb, EnergyShape, PairPotential, Potentials, StepPotential};
use jostle_core::species::Species;

use crate::Model;
use crate::measure::rms_step;

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

/// A potential of some species beside surfaces or faces of the box, by the law of bounces.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfacePotential {
    /// Its name.
    pub name: String,
    /// The species that it acts on.
    pub species: Vec<u16>,
    /// The surfaces and faces by name, each a plane or a sphere.
    pub beside: Vec<(String, Form)>,
    /// The energy as a function of how far the centre is from the surface.
    pub shape: EnergyShape,
    /// Where it ends. \[nm\]
    pub cutoff: f64,
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

/// Into how many shells a potential can be divided.
pub(crate) const MOST_SHELLS: usize = 1000;

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
    /// potential that they stand for, and how many shells would bring it within `share` of that, if as many are
    /// possible.
    pub fn lowered_by_shells(
        &self,
        contact: f64,
        dimension: usize,
        share: f64,
    ) -> Option<(f64, Option<usize>)> {
        let Self::Smooth { shape, cutoff, law: Law::Shells(shells) } = self else { return None };
        let form = shape.from_contact(contact);
        let energy = |shells: usize| {
            let stepped = StepPotential::of_form(&form, contact, *cutoff, shells, dimension);
            stepped.energy_at_low_density(contact, dimension)
        };
        let smooth = energy(FINEST);
        let lowered = |shells: usize| (smooth - energy(shells)) / smooth.abs();
        let enough = || (*shells..=MOST_SHELLS).find(|&shells| lowered(shells).abs() <= share);
        (smooth != 0.0).then(|| (lowered(*shells), enough()))
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

impl SurfacePotential {
    /// That of a particle of this radius, whose surface touches the other one at the radius; nearer, where the
    /// surface lets particles through, the energy is that at the radius. \[nm\]
    pub fn climb(&self, radius: f64) -> Climb {
        Climb::new(self.shape.from_contact(radius), radius, self.cutoff)
    }

    /// As the engine has it: one field for each surface.
    pub fn fields<const D: usize>(&self, species: &[Species]) -> Vec<SurfaceField<D>> {
        let of = |s: usize| {
            let radius = species[s].radius.filter(|_| self.species.contains(&(s as u16)))?;
            Some(self.climb(radius))
        };
        let climbs: Vec<_> = (0..species.len()).map(of).collect();
        let field = |(_, form): &(String, Form)| SurfaceField {
            shape: form.shape(),
            climbs: climbs.clone(),
        };
        self.beside.iter().map(field).collect()
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

    /// The name of a potential of a species, with others or beside a surface, if it has one.
    pub fn potential_of(&self, species: u16) -> Option<&str> {
        let mut pairs = self.potentials().iter();
        let pairs = pairs.find(|one| one.between.concat().contains(&species));
        let mut surfaces = self.surface_potentials().iter();
        let mut beside = || surfaces.find(|one| one.species.contains(&species));
        pairs.map(|one| &*one.name).or_else(|| Some(&*beside()?.name))
    }

    /// Attraction and repulsion beside surfaces.
    pub fn surface_potentials(&self) -> &[SurfacePotential] {
        &self.surroundings().fields
    }

    /// By which share particles of a species drift and diffuse more slowly beside a surface than they should, because
    /// of the length of a step.
    pub fn slower_beside(&self, potential: &SurfacePotential, species: u16) -> Option<f64> {
        let species = &self.species[usize::from(species)];
        let step = rms_step(species.diffusion_coefficient?, self.run.timestep);
        Some(potential.climb(species.radius?).slower(step, 1))
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
