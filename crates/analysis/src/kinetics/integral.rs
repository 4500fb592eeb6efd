//! Numbers that change at moments, integrated over time, bin by bin.

/// A stretch of time divided into equal bins. \[µs\]
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeBins {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) count: usize,
}

impl TimeBins {
    /// Where a bin begins; that after the last begins at the end.
    pub(super) fn edge(&self, bin: usize) -> f64 {
        if bin >= self.count {
            return self.to;
        }
        self.from + (self.to - self.from) * bin as f64 / self.count as f64
    }

    /// The bin that a moment falls into; none outside.
    pub(super) fn of(&self, time: f64) -> Option<usize> {
        let share = (time - self.from) / (self.to - self.from);
        (0.0..=1.0)
            .contains(&share)
            .then(|| ((share * self.count as f64) as usize).min(self.count - 1))
    }
}

/// A number as it was up to some moment, and its integral until then, bin by bin.
#[derive(Clone, Debug)]
pub(super) struct Integral {
    value: f64,
    since: f64,
    sums: Vec<f64>,
}

impl Integral {
    /// Of a number that is 0 at first.
    pub(super) fn new(bins: &TimeBins) -> Self {
        Self { value: 0.0, since: bins.from, sums: vec![0.0; bins.count] }
    }

    /// From `time` on the number is another.
    pub(super) fn set(&mut self, bins: &TimeBins, time: f64, value: f64) {
        let until = time.clamp(bins.from, bins.to);
        if let (true, Some(first), Some(last)) =
            (self.since < until, bins.of(self.since), bins.of(until))
        {
            for bin in first..=last {
                // Edges are rounded, and may lie on the wrong side of a moment that is about there.
                let end =
                    if bin == last { until } else { bins.edge(bin + 1).clamp(self.since, until) };
                self.sums[bin] += self.value * (end - self.since);
                self.since = end;
            }
        }
        self.value = value;
    }

    /// The number now.
    pub(super) fn value(&self) -> f64 {
        self.value
    }

    /// The integral over each bin, up to the end.
    pub(super) fn finish(mut self, bins: &TimeBins) -> Vec<f64> {
        self.set(bins, bins.to, 0.0);
        self.sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_integrated_over_the_bins_that_they_span() {
        let bins = TimeBins { from: 10.0, to: 20.0, count: 4 };
        let mut number = Integral::new(&bins);
        number.set(&bins, 3.0, 2.0);
        number.set(&bins, 12.0, 4.0);
        number.set(&bins, 12.0, 6.0);
        number.set(&bins, 16.0, 0.0);
        number.set(&bins, 99.0, 7.0);
        // 2 until 12, then 6 until 16, then nothing
        assert_eq!(number.finish(&bins), [2.0 * 2.0 + 6.0 * 0.5, 15.0, 6.0, 0.0]);
        assert_eq!(
            [9.9, 10.0, 12.5, 20.0, 20.1].map(|t| bins.of(t)),
            [None, Some(0), Some(1), Some(3), None]
        );
    }

    #[test]
    fn bins_whose_edges_cannot_be_written_exactly_are_filled_all_the_same() {
        let bins = TimeBins { from: 0.1, to: 0.7, count: 7 };
        let mut number = Integral::new(&bins);
        number.set(&bins, 0.0, 1.0);
        (0..=60).for_each(|n| number.set(&bins, 0.01 * f64::from(n), 1.0));
        let sum: f64 = number.finish(&bins).iter().sum();
        assert!((sum - 0.6).abs() < 1e-12, "{sum}");
    }

    #[test]
    fn every_stretch_of_time_is_gone_through_to_its_end() {
        for n in 1..4000 {
            for count in [1, 7, 10] {
                // Ends as steps of 0.1 ns give them.
                let bins = TimeBins { from: 0.0, to: f64::from(n) * 1e-4, count };
                assert_eq!(bins.edge(count), bins.to);
                let mut number = Integral::new(&bins);
                number.set(&bins, 0.0, 1.0);
                number.set(&bins, bins.to * 0.3, 1.0);
                let sums = number.finish(&bins);
                let each = bins.to / count as f64;
                assert!(
                    sums.iter().all(|sum| (sum - each).abs() < 1e-9 * each),
                    "{n} {count}: {sums:?}"
                );
            }
        }
    }
}
