//! Attraction and repulsion: the energy of a pair of particles as a function of their distance.
//!
//! Energies are in units of kT and, by the usual law, constant in *shells*: between the distances at which they change,
//! particles fly freely. Together with the velocities of a step, which are Gaussian with the
//! variance s² = 2 D Δt along each axis, a pair has the energy Σ v²/(2 s²) + U. Where every edge of
//! a shell is crossed at its own time and in such a way that this sum is kept, a step preserves the
//! distribution exp(−U) whatever its length, as it preserves that of hard spheres (a hybrid Monte
//! Carlo move whose integrator is exact: Duane et al. 1987, Phys. Lett. B 195, 216). Smooth potentials may
//! have another law, without shells ([`Climb`]).

mod climb;
mod form;
mod steps;

use std::collections::BTreeSet;

pub use climb::{Bounce, Climb, next_bounce};
pub use form::{EnergyForm, EnergyShape, FORMS, SmoothPotential, TableError, Tabulated};
pub use steps::StepPotential;

/// A potential of a pair, by one of two laws.
#[derive(Clone, Debug, PartialEq)]
pub enum PairPotential {
    /// Constant in shells.
    Shells(StepPotential),
    /// Smooth.
    Bounces(Climb),
}

/// The potentials between all pairs of species.
///
/// ```
/// use jostle_core::potentials::{Potentials, StepPotential};
///
/// // Of two species with radii of 2 and 3 nm, A and B attract each other up to 8 nm.
/// let well = StepPotential::new(vec![8.0], vec![-2.0]);
/// let mut potentials = Potentials::new(&[Some(2.0), Some(3.0)], [([0, 1], &well)]);
/// assert_eq!(potentials.of(1, 0).map(|of| of.at(6.0)), Some(-2.0));
/// assert!(potentials.of(0, 0).is_none());
/// potentials.switch(0, false);
/// assert_eq!(potentials.of(0, 1).map(|of| of.at(6.0)), Some(0.0));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Potentials {
    /// The row of each species in `pairs`; [`NONE`] for species that have no potential. \[species\]
    row: Vec<u16>,
    rows: usize,
    /// The number of the potential of each pair of rows, or [`NONE`].
    pairs: Vec<u16>,
    all: Vec<StepPotential>,
    /// What each of these is the sum of: the number of a potential, and its energies in the shells of the sum.
    parts: Vec<Vec<(u16, StepPotential)>>,
    /// Those with the law of bounces, of each of `all`.
    climbs: Vec<Vec<Climb>>,
    /// Potentials that are switched off, by their numbers.
    off: BTreeSet<u16>,
    /// See [`Potentials::margin`]. \[species\], \[nm\]
    margin: Vec<f64>,
    has_tethers: bool,
}

/// In place of a row or a potential.
const NONE: u16 = u16::MAX;

impl Potentials {
    /// These potentials, each of a pair of species; several of one pair add up. Species without a
    /// radius have none. `radii` are those of all species. \[nm\]
    pub fn new<'a>(
        radii: &[Option<f64>],
        potentials: impl IntoIterator<Item = ([u16; 2], &'a StepPotential)>,
    ) -> Self {
        let numbered = (0..).zip(potentials);
        let shells = |(number, (pair, potential)): (u16, ([u16; 2], &StepPotential))| {
            (number, pair, PairPotential::Shells(potential.clone()))
        };
        Self::numbered(radii, numbered.map(shells))
    }

    /// The same with the number of each, by which it can be switched; several pairs may share one.
    pub fn numbered(
        radii: &[Option<f64>],
        potentials: impl IntoIterator<Item = (u16, [u16; 2], PairPotential)>,
    ) -> Self {
        let mut this = Self { row: vec![NONE; radii.len()], ..Self::default() };
        let listed: Vec<_> = potentials.into_iter().collect();
        for species in listed.iter().flat_map(|(_, pair, _)| *pair) {
            let row = &mut this.row[usize::from(species)];
            if *row == NONE {
                *row = this.rows as u16;
                this.rows += 1;
            }
        }
        this.pairs = vec![NONE; this.rows * this.rows];
        this.margin = vec![0.0; radii.len()];
        for (number, [a, b], potential) in listed {
            let [place, mirrored] = [this.place(a, b), this.place(b, a)];
            if this.pairs[place] == NONE {
                this.pairs[place] = this.all.len() as u16;
                this.pairs[mirrored] = this.pairs[place];
                this.all.push(StepPotential::default());
                this.parts.push(Vec::new());
                this.climbs.push(Vec::new());
            }
            let entry = usize::from(this.pairs[place]);
            let range = match potential {
                PairPotential::Shells(potential) => {
                    let sum = &mut this.all[entry];
                    *sum = sum.plus(&potential);
                    this.parts[entry].push((number, potential));
                    sum.range()
                }
                PairPotential::Bounces(climb) => {
                    let range = climb.range();
                    this.climbs[entry].push(climb);
                    range
                }
            };
            let contact = [a, b].iter().filter_map(|s| radii[usize::from(*s)]).sum::<f64>();
            // A little more than is needed, so that no rounding hides a pair at the outermost edge.
            let beyond = 0.5 * (range * (1.0 + 1e-6) - contact).max(0.0);
            for species in [a, b] {
                let margin = &mut this.margin[usize::from(species)];
                *margin = margin.max(beyond);
            }
        }
        this
    }

    /// Switches the potential of this number, which has shells, on or off. Shells stay where they are, so that pairs come to
    /// the same edges at the same times; only what an edge costs them changes.
    pub fn switch(&mut self, number: u16, on: bool) {
        let _ = if on { self.off.remove(&number) } else { self.off.insert(number) };
        for (sum, parts) in self.all.iter_mut().zip(&self.parts) {
            let on = parts.iter().filter(|(number, _)| !self.off.contains(number));
            sum.become_sum_of(on.map(|(_, part)| part));
        }
    }

    /// The numbers of the potentials that are switched off, in order.
    pub fn switched_off(&self) -> impl Iterator<Item = u16> {
        self.off.iter().copied()
    }

    /// Adds tethers of at most `length` \[nm\] between particles of these species, whose radii
    /// are in `radii` \[species, nm\].
    pub fn add_tethers(&mut self, length: f64, species: &BTreeSet<u16>, radii: &[Option<f64>]) {
        self.margin.resize(radii.len(), 0.0);
        for &species in species {
            let radius = radii[usize::from(species)].unwrap_or(0.0);
            let margin = &mut self.margin[usize::from(species)];
            *margin = margin.max(0.5 * length * (1.0 + 1e-6) - radius);
        }
        self.has_tethers = true;
    }

    fn place(&self, a: u16, b: u16) -> usize {
        let [a, b] = [a, b].map(|species| usize::from(self.row[usize::from(species)]));
        a * self.rows + b
    }

    /// Whether there are none, and no tethers either.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && !self.has_tethers
    }

    /// Whether any two species have a potential.
    #[inline]
    pub fn has_pairs(&self) -> bool {
        !self.all.is_empty()
    }

    /// The shells of particles of two species, if they have a potential; none but the core if that has
    /// the law of bounces.
    #[inline]
    pub fn of(&self, a: u16, b: u16) -> Option<&StepPotential> {
        self.all.get(self.entry(a, b)?)
    }

    /// The potentials with the law of bounces between particles of two species.
    #[inline]
    pub fn climbs(&self, a: u16, b: u16) -> &[Climb] {
        self.entry(a, b).and_then(|entry| self.climbs.get(entry)).map_or(&[], Vec::as_slice)
    }

    /// The energy of particles of two species at a distance \[nm\]. \[kT\]
    pub fn energy(&self, a: u16, b: u16, r: f64) -> f64 {
        let shells = self.of(a, b).map_or(0.0, |shells| shells.at(r));
        self.climbs(a, b).iter().fold(shells, |sum, climb| sum + climb.energy(r))
    }

    /// Where what two species have is kept.
    #[inline]
    fn entry(&self, a: u16, b: u16) -> Option<usize> {
        if self.all.is_empty() {
            return None;
        }
        let [i, j] = [a, b].map(|species| self.row[usize::from(species)]);
        if i == NONE || j == NONE {
            return None;
        }
        Some(usize::from(self.pairs[usize::from(i) * self.rows + usize::from(j)]))
    }

    /// The pairs of species that have a potential, the lower first, in their order, each with it.
    pub fn pairs(&self) -> impl Iterator<Item = ([u16; 2], &StepPotential)> {
        let some = (0..self.row.len() as u16).filter(|&s| self.row[usize::from(s)] != NONE);
        let some: Vec<u16> = some.collect();
        let pairs = (0..some.len()).flat_map(move |n| {
            let (first, others) = (some[n], some[n..].to_vec());
            others.into_iter().map(move |other| [first, other])
        });
        pairs.filter_map(|pair| Some((pair, self.of(pair[0], pair[1])?)))
    }

    /// How far beyond its surface a particle of a species has to look for others: for each pair, both
    /// margins and both radii add up to the range of its potential and to the length of its tether, at least. \[nm\]
    #[inline]
    pub fn margin(&self, species: u16) -> f64 {
        self.margin.get(usize::from(species)).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn potentials_of_a_pair_add_up_whichever_species_comes_first() {
        let radii = [Some(1.0), None, Some(2.0), Some(3.0)];
        let well = StepPotential::new(vec![4.0, 5.0], vec![-2.0, -0.5]);
        let wall = StepPotential::new(vec![4.5, 6.0], vec![1.0, 0.25]);
        let all = Potentials::new(&radii, [([0, 2], &well), ([2, 0], &wall), ([3, 3], &wall)]);
        let sum = all.of(2, 0).unwrap();
        assert_eq!(sum, all.of(0, 2).unwrap());
        assert_eq!(sum.edges(), [4.0, 4.5, 5.0, 6.0]);
        assert_eq!([0, 1, 2, 3, 4].map(|n| sum.in_shell(n)), [-1.0, 0.5, -0.25, 0.25, 0.0]);
        assert_eq!(all.of(3, 3), Some(&wall));
        assert!(all.of(0, 0).is_none() && all.of(1, 0).is_none() && all.of(0, 3).is_none());
        let pairs: Vec<_> = all.pairs().map(|(pair, one)| (pair, one.range())).collect();
        assert_eq!(pairs, [([0, 2], 6.0), ([3, 3], 6.0)]);
        assert!(all.margin(0) + all.margin(2) + 3.0 > 6.0 && all.margin(1) == 0.0);
        assert!(Potentials::default().of(7, 8).is_none());
    }

    #[test]
    fn potentials_are_switched_without_a_change_of_shells() {
        let well = StepPotential::new(vec![4.0, 5.0], vec![-2.0, -0.5]);
        let wall = StepPotential::new(vec![4.5, 6.0], vec![1.0, 0.25]);
        let radii = [Some(1.0), Some(2.0)];
        let listed = [(0, [0, 1], &well), (1, [1, 0], &wall), (1, [0, 0], &wall)];
        let listed =
            listed.map(|(n, pair, shells)| (n, pair, PairPotential::Shells(shells.clone())));
        let mut all = Potentials::numbered(&radii, listed);
        let (before, edges) = (all.clone(), [4.0, 4.5, 5.0, 6.0]);
        all.switch(1, false);
        let energies = |all: &Potentials, pair: [u16; 2]| {
            let one = all.of(pair[0], pair[1]).unwrap();
            edges.map(|edge| one.at(edge - 0.25))
        };
        assert_eq!(energies(&all, [0, 1]), [-2.0, -0.5, -0.5, 0.0]);
        assert_eq!(energies(&all, [0, 0]), [0.0; 4]);
        assert_eq!(all.of(0, 1).unwrap().edges(), edges);
        assert_eq!(all.switched_off().collect::<Vec<_>>(), [1]);
        all.switch(0, false);
        all.switch(1, true);
        assert_eq!(energies(&all, [1, 0]), [1.0, 1.0, 0.25, 0.25]);
        all.switch(0, true);
        assert_eq!(all, before);
    }
}
