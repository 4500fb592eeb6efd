//! The absorbing radius of a pair that reacts at its first contact, for straight-line steps.

use std::sync::LazyLock;

/// How far behind a plane absorption seems to happen, in rms steps: -zeta(1/2)/sqrt(2 pi).
pub const PLANE_OFFSET: f64 = 0.582_597_157_939_010_7;
/// The largest s/R of the 2D table.
pub(super) const LARGEST_2D: f64 = 5.0;
/// The largest s/R for which the 3D fit has been held against the integral equation.
pub(super) const LARGEST_3D: f64 = 30.0;

/// The absorbing radius a of a pair that reacts at every contact, as a share of the contact
/// distance R, at `ratio` = s/R: the pair distribution of the steady state tends to 1 - a R/r in
/// 3D, and to a multiple of ln(r/(a R)) in 2D and of r - a R in 1D.
///
/// 3D: a fit, relative error below 1.1e-4. 2D: a table, relative error below 5e-5. 1D: exact; the
/// position is negative for s > 1.7 R. None outside the calibration.
pub fn absorbing_radius(dimension: usize, ratio: f64) -> Option<f64> {
    match dimension {
        1 if ratio >= 0.0 => Some(1.0 - PLANE_OFFSET * ratio),
        2 if (0.0..=LARGEST_2D).contains(&ratio) => Some(plane_table(ratio)),
        3 if (0.0..=LARGEST_3D).contains(&ratio) => Some(1.0 / (1.0 + excess_3d(ratio))),
        _ => None,
    }
}

/// 1/a - 1: 0.5826 x for short steps, sqrt(pi/2) x (the swept volume) for long ones.
fn excess_3d(x: f64) -> f64 {
    let bend = x * x * (x + 0.40337) / (x * x + 1.50115 * x + 0.84529);
    0.5825972 * x + 0.6707169 * bend
}

/// The table in the form that changes least: ln(1/a)/x at equally spaced ln x.
struct Table {
    ln_x: Vec<f64>,
    value: Vec<f64>,
}

static TABLE_2D: LazyLock<Table> = LazyLock::new(|| {
    let text = include_str!("../../../data/absorbing_radius_2d.csv");
    let rows = text.lines().filter_map(|line| {
        let (x, a) = line.split_once(',')?;
        Some((x.parse::<f64>().ok()?, a.parse::<f64>().ok()?))
    });
    let (ln_x, value) = rows.map(|(x, a)| (libm::log(x), -libm::log(a) / x)).unzip();
    Table { ln_x, value }
});

/// a in 2D; below the table the law of short steps.
fn plane_table(x: f64) -> f64 {
    let ln_x = libm::log(x);
    if ln_x <= TABLE_2D.ln_x[0] {
        return 1.0 - PLANE_OFFSET * x;
    }
    libm::exp(-x * TABLE_2D.at(ln_x))
}

impl Table {
    /// Monotone cubic interpolation (Fritsch and Carlson 1980).
    fn at(&self, ln_x: f64) -> f64 {
        let last = self.ln_x.len() - 2;
        let i = self.ln_x.partition_point(|node| *node <= ln_x);
        let i = i.saturating_sub(1).min(last);
        let width = self.ln_x[i + 1] - self.ln_x[i];
        let t = (ln_x - self.ln_x[i]) / width;
        let (y0, y1) = (self.value[i], self.value[i + 1]);
        let (m0, m1) = (self.rise(i), self.rise(i + 1));
        let chord = y1 - y0;
        y0 + t * (m0 + t * (3.0 * chord - 2.0 * m0 - m1 + t * (m0 + m1 - 2.0 * chord)))
    }

    /// The slope at node `i`, times the spacing: the mean of the chords on both sides, but no
    /// more than keeps the curve monotone.
    fn rise(&self, i: usize) -> f64 {
        let chord = |i: usize| self.value[i + 1] - self.value[i];
        if i == 0 {
            return 1.5 * chord(0) - 0.5 * chord(1);
        }
        if i == self.value.len() - 1 {
            return 1.5 * chord(i - 1) - 0.5 * chord(i - 2);
        }
        let (left, right) = (chord(i - 1), chord(i));
        if left * right <= 0.0 {
            return 0.0;
        }
        let limit = 3.0 * left.abs().min(right.abs());
        (0.5 * (left + right)).clamp(-limit, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (s/R, a 3D, a 2D), solutions of the integral equation by independent code, five digits.
    const SOLVED: [(f64, f64, f64); 10] = [
        (0.02, 0.98835, 0.98835),
        (0.05, 0.97089, 0.97088),
        (0.1, 0.94189, 0.94179),
        (0.2, 0.88473, 0.88392),
        (0.3, 0.82954, 0.82679),
        (0.5, 0.72819, 0.71645),
        (0.7, 0.64118, 0.61376),
        (1.0, 0.53655, 0.47802),
        (2.0, 0.33477, 0.18711),
        (5.0, 0.15084, 0.00739),
    ];

    #[test]
    fn agrees_with_the_integral_equation() {
        for (x, a3, a2) in SOLVED {
            let three = absorbing_radius(3, x).unwrap();
            assert!((three / a3 - 1.0).abs() < 1.1e-4 + 5e-6 / a3, "3D at {x}: {three}");
            let two = absorbing_radius(2, x).unwrap();
            assert!((two - a2).abs() < 6e-6, "2D at {x}: {two}");
        }
    }

    /// Between the nodes of the table: further solutions by `data/absorbing_radius.py`.
    #[test]
    fn interpolates_the_table() {
        let between = [
            (0.0107, 0.993766268),
            (0.033, 0.980776015),
            (0.13, 0.924376846),
            (0.41, 0.765315558),
            (1.3, 0.365965857),
            (2.7, 0.091463667),
            (4.85, 0.008744976),
        ];
        assert_eq!(TABLE_2D.value.len(), 40);
        for (x, a) in between {
            let here = absorbing_radius(2, x).unwrap();
            assert!((here / a - 1.0).abs() < 5e-5, "at {x}: {here}");
        }
    }

    #[test]
    fn limits() {
        for dimension in 1..=3 {
            assert_eq!(absorbing_radius(dimension, 0.0), Some(1.0));
            let short = absorbing_radius(dimension, 1e-4).unwrap();
            assert!((short - (1.0 - PLANE_OFFSET * 1e-4)).abs() < 2e-9);
            for outside in [-1.0, f64::NAN] {
                assert_eq!(absorbing_radius(dimension, outside), None);
            }
        }
        // swept volume: k dt = 2 pi x² a -> 2 sqrt(2 pi) x in units of R³
        let x = 30.0;
        let swept = 2.0 * (2.0 * std::f64::consts::PI).sqrt() * x;
        let volume = 2.0 * std::f64::consts::PI * x * x * absorbing_radius(3, x).unwrap();
        assert!((volume / swept - 1.0).abs() < 0.03);
        assert_eq!(absorbing_radius(2, 5.01), None);
        assert_eq!(absorbing_radius(3, 30.1), None);
        assert_eq!(absorbing_radius(4, 0.1), None);
    }

    #[test]
    fn falls_with_the_step() {
        for dimension in 2..=3 {
            let mut last = 1.0;
            for i in 1..=2000 {
                let a = absorbing_radius(dimension, 5.0 * f64::from(i) / 2000.0).unwrap();
                assert!(a < last && a > 0.0);
                last = a;
            }
        }
    }
}
