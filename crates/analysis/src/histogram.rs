//! Histograms in bounded memory.

use std::ops::Range;

use super::tables::Table;

/// How often something lay between two edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// What was measured: `interval`.
    pub what: String,
    /// Its unit: `µs`.
    pub unit: String,
    /// The edges of the bins, one more than there are bins.
    pub edges: Vec<f64>,
    /// How many in each bin.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// How many there are in all bins.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The share of all per unit in each bin, and its standard error if all are independent.
    pub fn densities(&self) -> Vec<[f64; 2]> {
        let total = self.total() as f64;
        let widths = self.edges.windows(2).map(|ends| ends[1] - ends[0]);
        let bins = self.counts.iter().zip(widths);
        bins.map(|(&n, width)| [n as f64, (n as f64).sqrt()].map(|n| n / (total * width))).collect()
    }

    /// One row for each bin.
    pub fn to_table(&self) -> Table {
        let Self { what, unit, .. } = self;
        let heads = [
            format!("{what} from ({unit})"),
            format!("to ({unit})"),
            "count".to_owned(),
            format!("density (/{unit})"),
            format!("std. error (/{unit})"),
        ];
        let mut table = Table { columns: heads.to_vec(), rows: Vec::new() };
        for ((ends, &count), [density, error]) in
            self.edges.windows(2).zip(&self.counts).zip(self.densities())
        {
            table.push(vec![
                ends[0].into(),
                ends[1].into(),
                count.into(),
                density.into(),
                error.into(),
            ]);
        }
        table
    }
}

/// How wide the bins of a logarithmic histogram are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogBins {
    /// About so many from the least number to the greatest.
    About(usize),
    /// So many to a factor of ten (a divisor of 120), with the same edges whatever the numbers are:
    /// histograms of several runs can be put together.
    PerDecade(usize),
}

/// LogBins to a factor of ten, while it is not known where the numbers lie.
const PER_DECADE: f64 = 120.0;
/// The numbers that are distinguished: 10^-12 to 10^18.
const DECADES: [f64; 2] = [-12.0, 18.0];

/// Where fine bin `k` begins.
fn edge(k: f64) -> f64 {
    // The same on every machine: bins of several runs are put together by their edges.
    libm::pow(10.0, DECADES[0] + k / PER_DECADE)
}

/// Counts positive numbers of unknown size in very fine logarithmic bins.
#[derive(Clone, Debug)]
pub(super) struct FineBins {
    counts: Vec<u64>,
}

impl FineBins {
    pub(super) fn new() -> Self {
        Self { counts: vec![0; ((DECADES[1] - DECADES[0]) * PER_DECADE) as usize] }
    }

    /// How many bins there are.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Counts a number; the bin that it is in.
    pub(super) fn add(&mut self, x: f64) -> usize {
        let place = (libm::log10(x.max(f64::MIN_POSITIVE)) - DECADES[0]) * PER_DECADE;
        // Zero, and what is too small, is in the first bin.
        let bin = (place.max(0.0) as usize).min(self.counts.len() - 1);
        self.counts[bin] += 1;
        bin
    }

    /// How many there are in some bins.
    pub(super) fn count(&self, bins: Range<usize>) -> u64 {
        self.counts[bins].iter().sum()
    }

    /// The number that a share of all lie below, to half a bin; NaN if there is none.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        let total = self.count(0..self.len()) as f64;
        let mut below = 0.0;
        for (bin, &count) in self.counts.iter().enumerate() {
            below += count as f64;
            if count > 0 && below >= share * total {
                return edge(bin as f64 + 0.5);
            }
        }
        f64::NAN
    }

    /// About `bins` ranges of bins, each as much wider than the one before, from the least number
    /// to the greatest, with their edges.
    pub(super) fn parts(&self, bins: usize) -> Vec<(Range<usize>, [f64; 2])> {
        let filled = |n: &u64| *n > 0;
        let first = self.counts.iter().position(filled).unwrap_or(0);
        let last = self.counts.iter().rposition(filled).map_or(0, |last| last + 1);
        let every = (last - first).div_ceil(bins.max(1)).max(1);
        let part = |from: usize| {
            (from..last.min(from + every), [from, from + every].map(|k| edge(k as f64)))
        };
        (first..last).step_by(every).map(part).collect()
    }

    /// Ranges of `every` bins that hold all numbers, with their edges; they begin at multiples of
    /// `every`.
    fn aligned_parts(&self, every: usize) -> Vec<(Range<usize>, [f64; 2])> {
        let is_filled = |part: &Range<usize>| self.count(part.clone()) > 0;
        let part = |n: usize| n * every..(n + 1) * every;
        let parts: Vec<Range<usize>> = (0..self.len() / every).map(part).collect();
        let first = parts.iter().position(is_filled).unwrap_or(0);
        let last = parts.iter().rposition(is_filled).map_or(0, |last| last + 1);
        let edges = |part: &Range<usize>| [part.start, part.end].map(|k| edge(k as f64));
        parts[first..last].iter().map(|part| (part.clone(), edges(part))).collect()
    }

    /// LogBins that are each as much wider than the one before, from the least number to the greatest.
    pub(super) fn logarithmic(&self, what: &str, unit: &str, bins: LogBins) -> Histogram {
        let parts = match bins {
            LogBins::About(bins) => self.parts(bins),
            LogBins::PerDecade(bins) => self.aligned_parts(PER_DECADE as usize / bins),
        };
        let counts = parts.iter().map(|(part, _)| self.count(part.clone())).collect();
        let lower = parts.iter().map(|(_, edges)| edges[0]);
        let edges = lower.chain(parts.last().map(|(_, edges)| edges[1])).collect();
        Histogram { what: what.into(), unit: unit.into(), edges, counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_the_bin_whose_edges_hold_it() {
        let mut fine = FineBins::new();
        let numbers = [1e-3, 2e-3, 0.5, 7.0, 7.1, 400.0];
        for x in numbers {
            fine.add(x);
        }
        let histogram = fine.logarithmic("interval", "µs", LogBins::About(12));
        assert_eq!(histogram.total(), 6);
        assert!(
            histogram.counts.len() <= 12 && histogram.edges.len() == histogram.counts.len() + 1
        );
        for (ends, &count) in histogram.edges.windows(2).zip(&histogram.counts) {
            let inside = numbers
                .iter()
                .filter(|x| (ends[0] * (1.0 - 1e-9)..ends[1] * (1.0 - 1e-9)).contains(*x));
            assert_eq!(inside.count() as u64, count, "{ends:?}");
        }
        let whole: f64 = histogram
            .densities()
            .iter()
            .zip(histogram.edges.windows(2))
            .map(|(d, e)| d[0] * (e[1] - e[0]))
            .sum();
        assert!((whole - 1.0).abs() < 1e-12);
    }

    #[test]
    fn bins_of_several_runs_have_the_same_edges() {
        let of = |numbers: &[f64]| {
            let mut fine = FineBins::new();
            numbers.iter().for_each(|&x| {
                fine.add(x);
            });
            fine.logarithmic("interval", "µs", LogBins::PerDecade(10))
        };
        let [one, other] = [of(&[1.5, 40.0]), of(&[0.3, 2.1, 11.0])];
        assert_eq!([one.counts.len(), other.counts.len()], [16, 17]);
        // From 1.26 to 10.
        let common = |histogram: &Histogram| {
            histogram
                .edges
                .iter()
                .copied()
                .filter(|edge| (1.2..10.1).contains(edge))
                .collect::<Vec<_>>()
        };
        assert_eq!(common(&one), common(&other));
        assert_eq!(common(&one).len(), 10);
    }

    #[test]
    fn nothing_gives_no_bins() {
        let empty = FineBins::new().logarithmic("interval", "µs", LogBins::About(12));
        assert_eq!((empty.edges.len(), empty.counts.len()), (0, 0));
    }
}
