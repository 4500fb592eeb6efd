//! Continues in time, by a step that is implicit to first order, since binding and unbinding are
//! stiff: sums that reactions conserve stay what they are.

use super::Run;

/// By no more than this do numbers change in a step, as a share of them (and of a whole one).
const CHANGE: f64 = 0.1;
/// A number may get so far below zero, from where its reactions bring it back. Cut off there, it
/// would add to sums that reactions conserve.
const BELOW: f64 = 1e-3;
/// So many numbers are few: the matrix of all is written down.
const FEW: usize = 200;
/// So many steps at most.
const STEPS: usize = 4000;

impl Run<'_> {
    /// Continues until `end` \[µs\], or until there are more than `most` particles.
    pub(super) fn advance(&mut self, end: f64, most: f64) {
        let mut step = (end - self.now) * 1e-3;
        for _ in 0..STEPS {
            if self.now >= end {
                return;
            }
            step = step.min(end - self.now);
            let before = self.rates(&self.numbers);
            let change = loop {
                let Some(change) = self.change_in(step, &before) else {
                    step *= 0.5;
                    continue;
                };
                let too_much = change.iter().zip(&self.numbers).any(|(by, of)| {
                    by.abs() > CHANGE * (of.max(0.0) + 1.0) || (*by < 0.0 && of + by < -BELOW)
                });
                if !too_much || step < 1e-9 * end {
                    break change;
                }
                step *= 0.5;
            };
            self.numbers.iter_mut().zip(&change).for_each(|(number, by)| *number += by);
            // As in the step itself, the rates are those at its end. With the mean of both ends, more
            // pairs were said to bind than there are.
            for (channel, rate) in self.channels.iter().zip(&self.rates(&self.numbers)) {
                self.out.events[channel.rule as usize] += rate * step;
            }
            self.now += step;
            self.note();
            if self.particles() > most {
                self.out.outgrows = Some(self.now);
                return;
            }
            step *= 1.5;
        }
        // What is left is taken for more of the same.
        let rates = self.rates(&self.numbers);
        for (channel, rate) in self.channels.iter().zip(&rates) {
            self.out.events[channel.rule as usize] += rate * (end - self.now);
        }
        self.now = end;
        self.note();
    }

    /// By how much the numbers change in a step; None if the step is too long to tell.
    fn change_in(&self, step: f64, rates: &[f64]) -> Option<Vec<f64>> {
        match self.numbers.len() {
            0..=FEW => Some(self.change(step, rates)),
            _ => self.change_of_many(step, rates),
        }
    }

    /// By how much the numbers change in a step: (1 - h J) x = h f.
    pub(super) fn change(&self, step: f64, rates: &[f64]) -> Vec<f64> {
        let count = self.numbers.len();
        let mut matrix = vec![vec![0.0; count + 1]; count];
        for (row, line) in matrix.iter_mut().enumerate() {
            line[row] = 1.0;
        }
        let add = |matrix: &mut Vec<Vec<f64>>, column: usize, rates: &[f64], sign: f64| {
            for (channel, rate) in self.channels.iter().zip(rates) {
                channel
                    .change
                    .iter()
                    .for_each(|&(n, by)| matrix[n][column] += sign * by * rate * step);
            }
        };
        add(&mut matrix, count, rates, 1.0);
        let mut shifted = self.numbers.clone();
        for column in 0..count {
            let by = 1e-4 * (shifted[column] + 1.0);
            shifted[column] += by;
            let slopes: Vec<f64> = self
                .rates(&shifted)
                .iter()
                .zip(rates)
                .map(|(there, here)| (there - here) / by)
                .collect();
            shifted[column] = self.numbers[column];
            add(&mut matrix, column, &slopes, -1.0);
        }
        eliminate(matrix)
    }
}

/// The solution of linear equations, whose right side is the last column, by Gauss with pivots.
fn eliminate(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let count = rows.len();
    for column in 0..count {
        let size = |row: &usize| rows[*row][column].abs();
        let pivot = (column..count).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(column);
        rows.swap(column, pivot);
        let (above, below) = rows.split_at_mut(column + 1);
        let pivot = &above[column];
        for row in below.iter_mut().filter(|row| row[column] != 0.0) {
            let share = row[column] / pivot[column];
            row.iter_mut().zip(pivot).skip(column).for_each(|(x, p)| *x -= share * p);
        }
    }
    let mut solution = vec![0.0; count];
    for n in (0..count).rev() {
        let known: f64 = (n + 1..count).map(|k| rows[n][k] * solution[k]).sum();
        solution[n] = (rows[n][count] - known) / rows[n][n];
    }
    solution
}
