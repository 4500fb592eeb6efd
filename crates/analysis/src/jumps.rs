//! The distribution of displacements over a time: the self part of the van Hove function.

use super::jackknife::{GROUPS, jackknife};
use super::lags::{Lags, since};
use super::scope::Scope;
use super::tables::{Cell, Table};
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// Bins reach so many root mean square displacements to either side.
const REACH: f64 = 5.0;

/// The density of displacements along an axis in one bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JumpBin {
    /// The middle of the bin. \[nm\]
    pub displacement: f64,
    /// \[1/nm\]
    pub density: f64,
    /// Its standard error, by jackknife over groups of particles. \[1/nm\]
    pub error: f64,
    /// That of free diffusion: the Gaussian of variance 2 D t, if the model gives D. \[1/nm\]
    pub gaussian: Option<f64>,
}

/// How far particles of a species get along an axis in a time.
#[derive(Clone, Debug, PartialEq)]
pub struct JumpDistribution {
    /// The species.
    pub species: String,
    /// \[µs\]
    pub lag: f64,
    /// The mean square along one axis. \[nm²\]
    pub variance: f64,
    /// That of free diffusion, 2 D t, if the model gives D. \[nm²\]
    pub free: Option<f64>,
    /// ⟨x⁴⟩/(3⟨x²⟩²) - 1: 0 for a Gaussian; a third of the excess kurtosis.
    pub non_gaussian: f64,
    /// Its standard error, by jackknife over groups of particles.
    pub non_gaussian_error: f64,
    /// How many displacements along one axis there are.
    pub samples: u64,
    /// How many of them are beyond the bins.
    pub beyond: u64,
    /// From -5 to 5 root mean square displacements.
    pub bins: Vec<JumpBin>,
}

/// Distributions of displacements, by species and lag. All axes count alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jumps {
    /// By species, then by lag.
    pub entries: Vec<JumpDistribution>,
}

impl Jumps {
    /// One row per species and lag.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&[
            "species",
            "lag (µs)",
            "mean square per axis (nm²)",
            "2Dt (nm²)",
            "non-Gaussian",
            "std. error",
            "samples",
            "beyond bins",
        ]);
        for one in &self.entries {
            table.push(vec![
                Cell::from(one.species.as_str()),
                one.lag.into(),
                one.variance.into(),
                one.free.into(),
                one.non_gaussian.into(),
                one.non_gaussian_error.into(),
                one.samples.into(),
                one.beyond.into(),
            ]);
        }
        table
    }

    /// One row per species, lag and bin.
    pub fn bins_to_table(&self) -> Table {
        let mut table = Table::new(&[
            "species",
            "lag (µs)",
            "displacement (nm)",
            "density (/nm)",
            "std. error (/nm)",
            "Gaussian of 2Dt (/nm)",
        ]);
        for one in &self.entries {
            for bin in &one.bins {
                table.push(vec![
                    Cell::from(one.species.as_str()),
                    one.lag.into(),
                    bin.displacement.into(),
                    bin.density.into(),
                    bin.error.into(),
                    bin.gaussian.into(),
                ]);
            }
        }
        table
    }
}

/// Measures the distribution of displacements along an axis over lags of 1, 10, 100, ... frames up
/// to `longest` \[µs\], in `bins` bins. Goes through the file twice: once for the width.
///
/// # Errors
/// If there are fewer than two frames, a species is unknown, or the file cannot be read.
pub fn jumps(
    reading: &Reading,
    scope: &Scope,
    longest: Option<f64>,
    bins: usize,
) -> Result<Jumps, ReadError> {
    let lags = Lags::of(reading, scope, longest, None)?.decades();
    let species = reading.species().len();
    let mut tallies: Vec<JumpSums> = vec![JumpSums::new(bins); species * lags.len()];
    visit(reading, scope, &lags, |of, lag, group, x| {
        tallies[of * lags.len() + lag].measure(group, x)
    })?;
    tallies.iter_mut().for_each(JumpSums::settle);
    visit(reading, scope, &lags, |of, lag, group, x| {
        tallies[of * lags.len() + lag].enter(group, x)
    })?;
    let diffusion = reading.diffusion_coefficients().unwrap_or_default();
    let times = lags.times();
    let mut entries = Vec::new();
    for (n, tally) in tallies.iter().enumerate().filter(|(_, tally)| tally.sum(0, None) > 0.0) {
        let (of, lag) = (n / lags.len(), times[n % lags.len()]);
        let free = diffusion.get(of).copied().flatten().map(|d| 2.0 * d * lag);
        entries.push(tally.finish(reading.species_name(of as i64), lag, free.filter(|&v| v > 0.0)));
    }
    Ok(Jumps { entries })
}

/// Tells of every displacement along an axis: species, lag, group of particles, length.
fn visit(
    reading: &Reading,
    scope: &Scope,
    lags: &Lags,
    mut tell: impl FnMut(usize, usize, usize, f64),
) -> Result<(), ReadError> {
    let wanted = scope.species(reading)?;
    let species = reading.named_species()?;
    // Particles of a species are dealt out to the groups one by one, wherever their slots are.
    let mut dealt = vec![0; wanted.len()];
    for slots in reading.blocks_of_slots(lags.frames.len()) {
        let (id, position) = reading.unwrapped(lags.frames.clone(), slots.clone())?;
        for (k, slot) in slots.enumerate() {
            let Some(of) = species[slot].filter(|&of| wanted[of]) else {
                continue;
            };
            let since = since(&id, k);
            for lag in 0..lags.len() {
                for [origin, later] in lags.pairs(lag) {
                    if since[later].is_some_and(|first| first <= origin) {
                        for axis in 0..reading.dimension() {
                            let x = position[[later, k, axis]] - position[[origin, k, axis]];
                            tell(of, lag, dealt[of] % GROUPS, x);
                        }
                    }
                }
            }
            dealt[of] += 1;
        }
    }
    Ok(())
}

/// Sums over displacements, by group of particles.
#[derive(Clone)]
struct JumpSums {
    /// Number, sum of squares, sum of fourth powers. \[group\]
    sums: Vec<[f64; 3]>,
    /// \[bin\]\[group\]
    bins: Vec<Vec<u32>>,
    width: f64,
}

impl JumpSums {
    fn new(bins: usize) -> Self {
        Self { sums: vec![[0.0; 3]; GROUPS], bins: vec![Vec::new(); bins.max(1)], width: 0.0 }
    }

    fn measure(&mut self, group: usize, x: f64) {
        let square = x * x;
        for (sum, term) in self.sums[group].iter_mut().zip([1.0, square, square * square]) {
            *sum += term;
        }
    }

    /// The sum of one kind over all groups but one.
    fn sum(&self, kind: usize, without: Option<usize>) -> f64 {
        let kept = self.sums.iter().enumerate().filter(|(g, _)| Some(*g) != without);
        kept.map(|(_, sums)| sums[kind]).sum()
    }

    fn variance(&self, without: Option<usize>) -> f64 {
        self.sum(1, without) / self.sum(0, without)
    }

    fn non_gaussian(&self, without: Option<usize>) -> f64 {
        self.sum(2, without) / self.sum(0, without) / (3.0 * self.variance(without).powi(2)) - 1.0
    }

    /// Chooses the width of the bins; all is measured.
    fn settle(&mut self) {
        self.width = 2.0 * REACH * self.variance(None).sqrt() / self.bins.len() as f64;
        if self.sum(0, None) > 0.0 {
            self.bins.iter_mut().for_each(|bin| *bin = vec![0; GROUPS]);
        }
    }

    fn edge(&self, bin: usize) -> f64 {
        (bin as f64 - 0.5 * self.bins.len() as f64) * self.width
    }

    fn enter(&mut self, group: usize, x: f64) {
        let bin = (x / self.width + 0.5 * self.bins.len() as f64).floor();
        if bin >= 0.0 && bin < self.bins.len() as f64 {
            self.bins[bin as usize][group] += 1;
        }
    }

    fn finish(&self, species: String, lag: f64, free: Option<f64>) -> JumpDistribution {
        let groups: Vec<usize> = (0..GROUPS).filter(|&g| self.sums[g][0] > 0.0).collect();
        let density = |bin: usize, without: Option<usize>| {
            let kept = self.bins[bin].iter().enumerate().filter(|(g, _)| Some(*g) != without);
            kept.map(|(_, &n)| f64::from(n)).sum::<f64>() / (self.sum(0, without) * self.width)
        };
        let gaussian = |x: f64, variance: f64| {
            libm::exp(-0.5 * x * x / variance) / (2.0 * std::f64::consts::PI * variance).sqrt()
        };
        let bin = |n: usize| {
            let middle = 0.5 * (self.edge(n) + self.edge(n + 1));
            JumpBin {
                displacement: middle,
                density: density(n, None),
                error: jackknife(groups.iter().copied(), |without| density(n, without)),
                gaussian: free.map(|variance| gaussian(middle, variance)),
            }
        };
        let samples = self.sum(0, None) as u64;
        let inside: u64 = self.bins.iter().flatten().map(|&n| u64::from(n)).sum();
        JumpDistribution {
            species,
            lag,
            variance: self.variance(None),
            free,
            non_gaussian: self.non_gaussian(None),
            non_gaussian_error: jackknife(groups.iter().copied(), |without| {
                self.non_gaussian(without)
            }),
            samples,
            beyond: samples - inside,
            bins: (0..self.bins.len()).map(bin).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lengths_have_the_moments_and_bins_that_they_should() {
        let mut tally = JumpSums::new(10);
        let jumps = [(0, 1.0), (1, -1.0), (2, 1.0), (3, -1.0), (4, 3.0), (5, -3.0)];
        jumps.iter().for_each(|&(group, x)| tally.measure(group, x));
        tally.settle();
        jumps.iter().for_each(|&(group, x)| tally.enter(group, x));
        let found = tally.finish("A".into(), 1.0, Some(4.0));
        let (square, fourth) = (22.0 / 6.0, 166.0 / 6.0);
        assert!((found.variance - square).abs() < 1e-12);
        assert!((found.non_gaussian - (fourth / (3.0 * square * square) - 1.0)).abs() < 1e-12);
        assert!((tally.width - square.sqrt()).abs() < 1e-12 && found.beyond == 0);
        let counted: Vec<f64> = found.bins.iter().map(|b| b.density * 6.0 * tally.width).collect();
        let expected = [0.0, 0.0, 0.0, 1.0, 2.0, 2.0, 1.0, 0.0, 0.0, 0.0];
        assert!(counted.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{counted:?}");
        let peak = found.bins[5];
        let exact =
            libm::exp(-0.125 * peak.displacement.powi(2)) / (8.0 * std::f64::consts::PI).sqrt();
        assert!((peak.gaussian.unwrap() - exact).abs() < 1e-12);
    }
}
