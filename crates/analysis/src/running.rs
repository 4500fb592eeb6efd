//! Averages over frames in bounded memory, with errors by blocking.

use super::statistics::{Estimate, blocked};

/// Numbers that are held, about.
const NUMBERS: usize = 1 << 24;
/// Rows that are held however wide they are, as many as blocking needs, and at most.
const ROWS: [usize; 2] = [32, 1024];

/// A list of numbers per frame, averaged over frames. When there are too many frames to hold, pairs
/// of neighbours are joined: what blocking does anyway.
pub(super) struct Running {
    rows: Vec<Vec<f64>>,
    /// An even number of rows, which are never more.
    most_rows: usize,
    /// How many frames a row stands for.
    each: usize,
    pending: Vec<f64>,
    in_pending: usize,
    totals: Vec<f64>,
    frames: usize,
}

impl Running {
    /// Of lists of so many numbers.
    pub(super) fn new(width: usize) -> Self {
        let zeros = vec![0.0; width];
        let most_rows = (NUMBERS / width.max(1)).clamp(ROWS[0], ROWS[1]) & !1;
        Self {
            rows: Vec::new(),
            most_rows,
            each: 1,
            pending: zeros.clone(),
            in_pending: 0,
            totals: zeros,
            frames: 0,
        }
    }

    /// Takes in a frame.
    pub(super) fn push(&mut self, frame: &[f64]) {
        for ((total, pending), x) in self.totals.iter_mut().zip(&mut self.pending).zip(frame) {
            *total += x;
            *pending += x;
        }
        self.frames += 1;
        self.in_pending += 1;
        if self.in_pending < self.each {
            return;
        }
        let each = self.each as f64;
        self.rows.push(self.pending.iter().map(|sum| sum / each).collect());
        self.pending.fill(0.0);
        self.in_pending = 0;
        if self.rows.len() == self.most_rows {
            let join = |pair: &[Vec<f64>]| {
                pair[0].iter().zip(&pair[1]).map(|(a, b)| 0.5 * (a + b)).collect()
            };
            self.rows = self.rows.chunks_exact(2).map(join).collect();
            self.each *= 2;
        }
    }

    /// The mean of each number over all frames, and its error.
    pub(super) fn estimates(&self) -> Vec<Estimate> {
        let column = |n: usize| blocked(&self.rows.iter().map(|row| row[n]).collect::<Vec<f64>>());
        let mean = |n: usize| self.totals[n] / self.frames as f64;
        let exact = |n: usize, found: Estimate| match found.error == 0.0 {
            true => found,
            false => Estimate { mean: mean(n), ..found },
        };
        (0..self.totals.len()).map(|n| exact(n, column(n))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_series_have_the_mean_of_all_and_the_error_of_independent_numbers() {
        let mut running = Running::new(2);
        // +1 and -1 by turns of a multiplicative hash, as good as independent.
        let n = 5000u64;
        let values = (0..n).map(|k| {
            if (k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) & 1 == 0 { 1.0 } else { -1.0 }
        });
        let values: Vec<f64> = values.collect();
        values.iter().for_each(|&x| running.push(&[x, 3.0]));
        assert!(running.rows.len() < ROWS[1]);
        let [first, second] = running.estimates()[..] else { panic!("two numbers") };
        assert!((first.mean - values.iter().sum::<f64>() / n as f64).abs() < 1e-12);
        assert_eq!((second.mean, second.error), (3.0, 0.0));
    }

    #[test]
    fn wide_rows_are_fewer() {
        assert_eq!(
            [1, 1 << 14, 50_001, 1 << 22].map(|width| Running::new(width).most_rows),
            [1024, 1024, 334, 32]
        );
        let mut running = Running::new(1 << 16);
        let row = vec![1.0; 1 << 16];
        (0..600).for_each(|_| running.push(&row));
        assert!(
            running.rows.len() < 256 && running.each == 4,
            "{} {}",
            running.rows.len(),
            running.each
        );
    }
}
