//! Sizes of impacts of one kind: where they lie, and how many and how much energy in each bin.

use crate::histogram::FineBins;

/// Energies are binned in picojoules, so that bins reach from 1e-24 J to 1e6 J.
const PICOJOULE: f64 = 1e-12;

/// Positive numbers in fine bins, with what they add up to.
#[derive(Clone, Debug)]
pub(super) struct Spectrum {
    bins: FineBins,
    sums: Vec<f64>,
    squares: f64,
    sum: f64,
    count: u64,
    greatest: f64,
    unit: f64,
}

/// Where sizes lie. Quantiles are told to 1 %: to half a fine bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// The mean.
    pub mean: f64,
    /// Half of all are smaller.
    pub median: f64,
    /// 95 % of all are smaller.
    pub most: f64,
    /// The greatest.
    pub greatest: f64,
}

/// The impacts whose energy loss lies between two edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactBin {
    /// From where to where. \[J\]
    pub edges: [f64; 2],
    /// How many impacts had an energy within these edges.
    pub impacts: u64,
    /// What they lost together. \[J\]
    pub energy: f64,
}

impl Spectrum {
    /// Of energies \[J\].
    pub(super) fn of_energies() -> Self {
        Self::new(PICOJOULE)
    }

    /// Of numbers in bins from 1e-12 to 1e18 of `unit`.
    pub(super) fn new(unit: f64) -> Self {
        let bins = FineBins::new();
        let sums = vec![0.0; bins.len()];
        Self { bins, sums, squares: 0.0, sum: 0.0, count: 0, greatest: f64::NAN, unit }
    }

    pub(super) fn add(&mut self, x: f64) {
        let bin = self.bins.add(x / self.unit);
        self.sums[bin] += x;
        self.sum += x;
        self.squares += x * x;
        self.count += 1;
        self.greatest = self.greatest.max(x);
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// What all add up to, and the standard error of that for independent events at random times.
    pub(super) fn total(&self) -> [f64; 2] {
        [self.sum, self.squares.sqrt()]
    }

    /// NaN where there are none.
    pub(super) fn sizes(&self) -> Sizes {
        let quantile = |share| self.bins.quantile(share) * self.unit;
        Sizes {
            mean: self.sum / self.count as f64,
            median: quantile(0.5),
            most: quantile(0.95),
            greatest: self.greatest,
        }
    }

    /// About `bins` bins, each as much wider than the one before.
    pub(super) fn binned(&self, bins: usize) -> Vec<ImpactBin> {
        let parts = self.bins.parts(bins);
        let one = |(part, edges): (std::ops::Range<usize>, [f64; 2])| ImpactBin {
            edges: edges.map(|edge| edge * self.unit),
            impacts: self.bins.count(part.clone()),
            energy: self.sums[part].iter().sum(),
        };
        parts.into_iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_all_impacts_and_all_energy() {
        let mut spectrum = Spectrum::of_energies();
        for k in 0..1000 {
            spectrum.add(1e-6 * libm::pow(10.0, 0.004 * f64::from(k)));
        }
        let bins = spectrum.binned(40);
        assert!(bins.len() <= 40 && bins.len() > 30);
        assert_eq!(bins.iter().map(|bin| bin.impacts).sum::<u64>(), 1000);
        let [energy, error] = spectrum.total();
        assert!((bins.iter().map(|bin| bin.energy).sum::<f64>() / energy - 1.0).abs() < 1e-12);
        assert!(error < energy && error > energy / 1000f64.sqrt());
        for bin in &bins {
            let mean = bin.energy / bin.impacts as f64;
            assert!(mean > bin.edges[0] && mean < bin.edges[1]);
        }
        let sizes = spectrum.sizes();
        assert!((sizes.median / 1e-4 - 1.0).abs() < 0.02, "{sizes:?}");
        assert!((sizes.most / (1e-6 * libm::pow(10.0, 3.8)) - 1.0).abs() < 0.02, "{sizes:?}");
        assert_eq!(sizes.greatest, 1e-6 * libm::pow(10.0, 0.004 * 999.0));
    }

    #[test]
    fn without_impacts_nothing_is_known_of_them() {
        let spectrum = Spectrum::of_energies();
        assert!(spectrum.binned(10).is_empty() && spectrum.sizes().median.is_nan());
        assert_eq!(spectrum.total(), [0.0, 0.0]);
    }
}
