//! The same step where there are many numbers, of which each reaction knows a few: what a matrix of
//! all would say is worked out from the reactions as it is asked for.

use super::{Channel, Law, Run, rate};

/// So exactly equations are solved, as a share of the right side.
const EXACT: f64 = 1e-10;
/// More rounds than this are not worth it: a shorter step needs fewer.
const ROUNDS: usize = 200;

/// The matrix 1 - h J.
struct Matrix<'a> {
    channels: &'a [Channel],
    /// How fast h times the rate of each channel grows with the numbers that it depends on.
    slopes: Vec<Vec<(usize, f64)>>,
    diagonal: Vec<f64>,
}

impl Matrix<'_> {
    fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut product = x.to_vec();
        for (channel, slopes) in self.channels.iter().zip(&self.slopes) {
            let more: f64 = slopes.iter().map(|&(n, slope)| slope * x[n]).sum();
            channel.change.iter().for_each(|&(n, by)| product[n] -= by * more);
        }
        product
    }

    /// About the inverse: what a number does to itself is the most of it.
    fn about_inverse(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(&self.diagonal).map(|(x, d)| x / d).collect()
    }
}

impl Run<'_> {
    /// By how much the numbers change in a step; None if the step is too long to tell.
    pub(super) fn change_of_many(&self, step: f64, rates: &[f64]) -> Option<Vec<f64>> {
        let mut wanted = vec![0.0; self.numbers.len()];
        for (channel, rate) in self.channels.iter().zip(rates) {
            channel.change.iter().for_each(|&(n, by)| wanted[n] += by * rate * step);
        }
        solve(&self.matrix(step, rates), &wanted)
    }

    fn matrix(&self, step: f64, rates: &[f64]) -> Matrix<'_> {
        let mut shifted = self.numbers.clone();
        let mut diagonal = vec![1.0; self.numbers.len()];
        let slopes = self.channels.iter().zip(rates).map(|(channel, &now)| {
            // Windows, the schedule and the room that is left count as they do now.
            let alone = rate(channel, &self.numbers);
            let share = if alone > 0.0 { now / alone } else { self.factor[channel.rule as usize] };
            let slope = |&n: &usize| {
                let before = shifted[n];
                let by = 1e-4 * (before + 1.0);
                shifted[n] += by;
                let slope = step * share * (rate(channel, &shifted) - alone) / by;
                shifted[n] = before;
                (n, slope)
            };
            let slopes: Vec<(usize, f64)> = known_to(channel).iter().map(slope).collect();
            for &(n, by) in &channel.change {
                let own = slopes.iter().filter(|(other, _)| *other == n);
                diagonal[n] -= by * own.map(|(_, slope)| slope).sum::<f64>();
            }
            slopes
        });
        let slopes = slopes.collect();
        // What grows by itself may bring it near zero, which helps nobody.
        diagonal.iter_mut().filter(|d| **d < 0.1).for_each(|d| *d = 1.0);
        Matrix { channels: &self.channels, slopes, diagonal }
    }
}

/// The numbers that the rate of a channel depends on, each once.
fn known_to(channel: &Channel) -> Vec<usize> {
    let mut numbers = match channel.law {
        Law::Steady(_) => Vec::new(),
        Law::Each { of, within, .. } => vec![of, within],
        Law::Pairs { of, .. } => of.to_vec(),
        Law::Bonds { of, made, .. } => vec![of[0], of[1], made],
        Law::AtSites { of, sites, .. } => vec![of, sites.taken],
    };
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `a` + `factor` `b`.
fn sum(a: &[f64], factor: f64, b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + factor * b).collect()
}

/// Solves linear equations by stabilised biconjugate gradients (van der Vorst 1992).
fn solve(matrix: &Matrix<'_>, wanted: &[f64]) -> Option<Vec<f64>> {
    let size = dot(wanted, wanted).sqrt();
    if size == 0.0 {
        return Some(vec![0.0; wanted.len()]);
    }
    let mut x = matrix.about_inverse(wanted);
    let mut left = sum(wanted, -1.0, &matrix.times(&x));
    let shadow = left.clone();
    let mut direction = left.clone();
    let mut along = dot(&shadow, &left);
    for _ in 0..ROUNDS {
        if dot(&left, &left).sqrt() <= EXACT * size {
            return Some(x);
        }
        let ahead = matrix.about_inverse(&direction);
        let turned = matrix.times(&ahead);
        let far = along / dot(&shadow, &turned);
        let half = sum(&left, -far, &turned);
        let aside = matrix.about_inverse(&half);
        let tested = matrix.times(&aside);
        let squared = dot(&tested, &tested);
        let weight = if squared > 0.0 { dot(&tested, &half) / squared } else { 0.0 };
        x = sum(&sum(&x, far, &ahead), weight, &aside);
        left = sum(&half, -weight, &tested);
        let next = dot(&shadow, &left);
        let share = next / along * (far / weight);
        along = next;
        direction = sum(&left, share, &sum(&direction, -weight, &turned));
        if !x.iter().all(|x| x.is_finite()) {
            return None;
        }
        if !share.is_finite() {
            break;
        }
    }
    (dot(&left, &left).sqrt() <= EXACT * size).then_some(x)
}
