//! Potentials that are constant in shells.

use super::SmoothPotential;

/// The energy of a pair as a function of the distance of their centres: constant in each of several
/// shells around contact, and 0 beyond the outermost.
///
/// ```
/// use jostle_core::potentials::StepPotential;
/// use std::f64::consts::PI;
///
/// // A square well 1.2 kT deep, from contact at 5 nm out to 7.5 nm.
/// let well = StepPotential::new(vec![7.5], vec![-1.2]);
/// assert_eq!((well.at(6.0), well.at(8.0)), (-1.2, 0.0));
/// // B2 = (2π/3) σ³ (1 - (λ³ - 1) (exp(ε) - 1)): below zero, so it attracts on balance.
/// let hard = 2.0 / 3.0 * PI * 125.0;
/// let expected = hard * (1.0 - (1.5_f64.powi(3) - 1.0) * 1.2_f64.exp_m1());
/// assert!((well.second_virial(5.0, 3) - expected).abs() < 1e-9 * hard && expected < 0.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepPotential {
    edges: Vec<f64>,
    energies: Vec<f64>,
}

/// Intervals of Simpson's rule in all shells, and in each at least.
const INTERVALS: [usize; 2] = [2048, 16];

impl StepPotential {
    /// A potential of shells that end at these distances \[nm\], from contact outwards, with these
    /// energies \[kT\].
    ///
    /// # Panics
    /// Unless the distances increase and there are as many energies.
    pub fn new(edges: Vec<f64>, energies: Vec<f64>) -> Self {
        assert!(edges.is_sorted_by(|a, b| a < b), "edges increase");
        assert_eq!(edges.len(), energies.len(), "one energy for each shell");
        Self { edges, energies }
    }

    /// A smooth potential in `shells` shells of equal width between contact and `cutoff` \[nm\], in
    /// `dimension` dimensions. The energy of a shell is such that exp(−U) − 1 has the same mean over
    /// its volume, so that every shell contributes to the second virial coefficient what it does in
    /// the smooth potential.
    pub fn of_form(
        form: &SmoothPotential,
        contact: f64,
        cutoff: f64,
        shells: usize,
        dimension: usize,
    ) -> Self {
        let intervals = (INTERVALS[0] / shells).max(INTERVALS[1]).next_multiple_of(2);
        let width = (cutoff - contact) / shells as f64;
        let edges: Vec<f64> = (1..=shells)
            .map(|n| if n == shells { cutoff } else { contact + width * n as f64 })
            .collect();
        let energies = edges.iter().enumerate().map(|(n, &edge)| {
            let from = if n == 0 { contact } else { edges[n - 1] };
            let weight = |r: f64| libm::pow(r, dimension as f64 - 1.0);
            let step = (edge - from) / intervals as f64;
            let (mut boltzmann, mut volume) = (0.0, 0.0);
            for k in 0..=intervals {
                let r = from + step * k as f64;
                let share = match k {
                    k if k == 0 || k == intervals => 1.0,
                    k if k % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                boltzmann += share * weight(r) * libm::exp(-form.energy(r));
                volume += share * weight(r);
            }
            -libm::log(boltzmann / volume)
        });
        let energies = energies.collect();
        Self::new(edges, energies)
    }

    /// Where the energy changes, from the inside out. \[nm\]
    #[inline]
    pub fn edges(&self) -> &[f64] {
        &self.edges
    }

    /// Beyond this distance there is no energy. \[nm\]
    pub fn range(&self) -> f64 {
        self.edges.last().copied().unwrap_or(0.0)
    }

    /// The energy in shell number `shell`, counted from contact outwards; 0 beyond the last. \[kT\]
    #[inline]
    pub fn in_shell(&self, shell: usize) -> f64 {
        self.energies.get(shell).copied().unwrap_or(0.0)
    }

    /// The energy at a distance. \[kT\]
    pub fn at(&self, distance: f64) -> f64 {
        self.in_shell(self.edges.partition_point(|edge| *edge <= distance))
    }

    /// The sum of two potentials.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut edges = [self.edges(), other.edges()].concat();
        edges.sort_unstable_by(f64::total_cmp);
        edges.dedup();
        let mut sum = Self { energies: vec![0.0; edges.len()], edges };
        sum.become_sum_of([self, other].into_iter());
        sum
    }

    /// Takes the energies of the sum of `parts`, which change at no other edges.
    pub(super) fn become_sum_of<'a>(&mut self, parts: impl Iterator<Item = &'a Self> + Clone) {
        for n in 0..self.edges.len() {
            let from = if n == 0 { 0.0 } else { self.edges[n - 1] };
            let middle = if n == 0 { 0.0 } else { 0.5 * (from + self.edges[n]) };
            self.energies[n] = parts.clone().map(|part| part.at(middle)).sum();
        }
    }

    /// The second virial coefficient in `dimension` dimensions of particles with this potential that
    /// touch at `contact`. \[nm^d\]
    pub fn second_virial(&self, contact: f64, dimension: usize) -> f64 {
        let ball = |r: f64| crate::space::ball_volume(dimension, r);
        let ends = std::iter::once(contact).chain(self.edges.iter().copied());
        let shells = ends.zip(&self.edges).zip(&self.energies);
        let shell = |((from, to), energy): ((f64, &f64), &f64)| {
            0.5 * (ball(*to) - ball(from)) * -libm::expm1(-energy)
        };
        0.5 * ball(contact) + shells.map(shell).sum::<f64>()
    }

    /// The energy of a particle at low density, over the density of those that it has this potential with:
    /// half the integral of U exp(−U) over the shells around `contact`. \[kT nm^d\]
    pub fn energy_at_low_density(&self, contact: f64, dimension: usize) -> f64 {
        let ball = |r: f64| crate::space::ball_volume(dimension, r);
        let ends = std::iter::once(contact).chain(self.edges.iter().copied());
        let shells = ends.zip(&self.edges).zip(&self.energies);
        let shell = |((from, to), energy): ((f64, &f64), &f64)| {
            let weight = libm::exp(-energy);
            // Nothing is where the energy has no bounds.
            if weight > 0.0 { 0.5 * (ball(*to) - ball(from)) * energy * weight } else { 0.0 }
        };
        shells.map(shell).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EnergyShape, FORMS};
    use super::*;

    /// The second virial coefficient by quadrature that knows nothing of shells.
    fn second_virial(form: &SmoothPotential, contact: f64, cutoff: f64) -> f64 {
        let n = 200_000;
        let step = (cutoff - contact) / n as f64;
        let mayer = |r: f64| -libm::expm1(-form.energy(r)) * r * r;
        let middles = (0..n).map(|k| mayer(contact + step * (k as f64 + 0.5)));
        let pi = std::f64::consts::PI;
        2.0 * pi / 3.0 * contact.powi(3) + 2.0 * pi * step * middles.sum::<f64>()
    }

    #[test]
    fn shells_keep_the_second_virial_coefficient() {
        let shape = |name: &str, given: [Option<f64>; 2]| {
            let form = FORMS.iter().find(|form| form.name == name).unwrap();
            EnergyShape::Form(form, given.to_vec()).from_contact(5.0)
        };
        let forms = [
            shape("yukawa", [Some(4.0), Some(1.0)]),
            shape("yukawa", [Some(-2.5), Some(0.4)]),
            shape("lennard_jones", [Some(1.2), Some(5.2)]),
        ];
        for form in forms {
            for shells in [1, 4, 20] {
                let stepped = StepPotential::of_form(&form, 5.0, 9.0, shells, 3);
                let (found, exact) =
                    (stepped.second_virial(5.0, 3), second_virial(&form, 5.0, 9.0));
                assert!((found / exact - 1.0).abs() < 1e-6, "{form:?} {shells}: {found} {exact}");
            }
        }
    }

    /// Shells keep B2, and so what particles of low density do to the pressure, but not their energy.
    #[test]
    fn few_shells_change_the_energy() {
        let form = FORMS.iter().find(|form| form.name == "lennard_jones").unwrap();
        let form = EnergyShape::Form(form, vec![Some(1.0), Some(1.0)]).from_contact(0.9);
        let energy = |shells| {
            StepPotential::of_form(&form, 0.9, 2.5, shells, 3).energy_at_low_density(0.9, 3)
        };
        // The middle of 10^5 intervals each.
        let (n, step) = (100_000, 1.6e-5);
        let middles = (0..n).map(|k| 0.9 + step * (f64::from(k) + 0.5));
        let exact: f64 = middles.map(|r| r * r * form.energy(r) * libm::exp(-form.energy(r))).sum();
        let exact = 2.0 * std::f64::consts::PI * step * exact;
        let off = |shells| (energy(shells) / exact - 1.0).abs();
        assert!(off(4096) < 1e-6 && off(32) > 1e-4 && off(8) > 5.0 * off(32), "{}", off(32));
    }

    #[test]
    fn many_shells_come_near_the_smooth_energy() {
        let yukawa = FORMS.iter().find(|form| form.name == "yukawa").unwrap();
        let form = EnergyShape::Form(yukawa, vec![Some(2.0), Some(1.0)]).from_contact(2.0);
        let stepped = StepPotential::of_form(&form, 2.0, 6.0, 400, 3);
        for r in [2.1, 3.0, 4.2, 5.9] {
            assert!((stepped.at(r) - form.energy(r)).abs() < 0.02, "{r}");
        }
        assert_eq!(stepped.at(6.0), 0.0);
    }

    #[test]
    fn the_second_virial_coefficient_of_a_square_well() {
        let well = StepPotential::new(vec![1.5], vec![-1.0]);
        let exact =
            2.0 * std::f64::consts::PI / 3.0 * (1.0 - (1.5_f64.powi(3) - 1.0) * 1_f64.exp_m1());
        assert!((well.second_virial(1.0, 3) - exact).abs() < 1e-12);
    }
}
