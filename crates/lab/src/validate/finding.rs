//! What a check found: a number beside the one that theory gives, and how unlikely it is that
//! chance alone set them so far apart.

use jostle_core::planted::{Fault, planted};

/// How often chance alone makes a finding fail: once in a million.
pub const FALSE_ALARM_RATE: f64 = 1e-6;

/// How many standard errors of a Gaussian chance exceeds, to either side, at [`FALSE_ALARM_RATE`].
pub const BOUND: f64 = 4.891_638_475_699_1;

/// The most findings that chance may decide, in all checks together: the family's false-alarm rate
/// stays at or below 1e-3.
pub const MOST_FINDINGS: usize = 1000;

/// How z was found from what was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Statistic {
    /// Gaussian, with the standard error that theory gives.
    Normal,
    /// Student's t, with the standard error from the scatter of independent blocks.
    Student {
        /// Blocks less one.
        freedom: f64,
    },
    /// Hotelling's T squared of several means at once, with their covariances from the scatter of
    /// independent blocks.
    Hotelling {
        /// How many means.
        means: usize,
        /// How many blocks.
        blocks: usize,
    },
    /// Chi squared, exact.
    ChiSquared {
        /// Degrees of freedom.
        freedom: f64,
    },
    /// Kolmogorov and Smirnov, by the series of the limit of many samples.
    KolmogorovSmirnov,
    /// Counts of a Poisson law, or trials of a binomial one, exact.
    Counts,
    /// No chance is involved: holds or does not.
    Exact {
        /// How far off it may be.
        tolerance: f64,
    },
}

impl Statistic {
    /// In words.
    pub fn name(self) -> String {
        match self {
            Self::Normal => "Gaussian, error by theory".into(),
            Self::Student { freedom } => format!("Student's t, {} blocks", freedom + 1.0),
            Self::Hotelling { means, blocks } => {
                format!("Hotelling's T squared, {means} means, {blocks} blocks")
            }
            Self::ChiSquared { freedom } => format!("chi squared, {freedom} degrees of freedom"),
            Self::KolmogorovSmirnov => "Kolmogorov-Smirnov".into(),
            Self::Counts => "exact law of counts".into(),
            Self::Exact { tolerance } if (1e-2..1e6).contains(&tolerance) => {
                let decimals = (1.0 - libm::log10(tolerance).floor()).max(0.0) as usize;
                format!("no chance, within {tolerance:.decimals$}")
            }
            Self::Exact { tolerance } => format!("no chance, within {tolerance:.1e}"),
        }
    }
}

/// A measured number beside the one of theory.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What was measured, and in which units.
    pub what: String,
    /// What came out.
    pub measured: f64,
    /// What theory says.
    pub expected: f64,
    /// The standard error of what was measured; 0 where chance has no part in it.
    pub error: f64,
    /// How far the theory itself may be off at these parameters: a truncated series, a finite step.
    pub bias: f64,
    /// How many independent samples there are.
    pub samples: u64,
    /// By which law chance is judged.
    pub statistic: Statistic,
    /// How many standard deviations of a Gaussian are as unlikely as what was found, with the sign
    /// of measured less expected; of exact findings, the deviation in units of what is allowed,
    /// times [`BOUND`].
    pub z: f64,
}

impl Finding {
    /// Whether theory stands.
    pub fn holds(&self) -> bool {
        self.z.abs() <= BOUND
    }

    /// Whether chance has no part in it.
    pub fn is_exact(&self) -> bool {
        matches!(self.statistic, Statistic::Exact { .. })
    }

    /// The same with a theory that itself may be off by `bias`: what is within that is no
    /// deviation.
    #[must_use]
    pub fn with_bias(self, bias: f64) -> Self {
        assert!(
            self.error > 0.0 && bias >= 0.0,
            "{}: a bias widens a finding that has an error",
            self.what
        );
        let apart = self.measured - self.expected;
        let beyond = (apart.abs() - bias).max(0.0).copysign(apart);
        let z = super::statistics::gaussian_equivalent(self.statistic, beyond / self.error);
        Self { bias, z, ..self }
    }

    /// The same beside a reference that was itself measured, with this standard error.
    #[must_use]
    pub fn beside_measured(self, reference_error: f64) -> Self {
        let error = self.error.hypot(reference_error);
        let deviations = (self.measured - self.expected) / error;
        let z = super::statistics::gaussian_equivalent(self.statistic, deviations);
        Self { error, z, ..self }
    }
}

/// A picture of theory and measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What it shows.
    pub title: String,
    /// The horizontal axis: its label, with units, and whether it is logarithmic.
    pub x: (String, bool),
    /// The vertical one.
    pub y: (String, bool),
    /// What is drawn.
    pub curves: Vec<Curve>,
}

/// One series of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// For the legend.
    pub name: String,
    /// Pairs of x and y.
    pub points: Vec<[f64; 2]>,
    /// The standard error of each y, or nothing.
    pub errors: Vec<f64>,
    /// Whether it is theory, a line, or measurement, points.
    pub theory: bool,
}

impl Picture {
    /// An empty picture with linear axes.
    pub fn new(title: &str, x: &str, y: &str) -> Self {
        Self { title: title.into(), x: (x.into(), false), y: (y.into(), false), curves: Vec::new() }
    }

    /// The density of a sample beside that of standard normals.
    pub fn beside_gaussian(title: &str, x: &str, sample: &[f64]) -> Self {
        const WIDTH: f64 = 0.25;
        let mut counts = [0.0; 40];
        for x in sample {
            let bin = x / WIDTH + 20.0;
            if (0.0..40.0).contains(&bin) {
                counts[bin as usize] += 1.0;
            }
        }
        let per = 1.0 / (sample.len() as f64 * WIDTH);
        let bins = || counts.iter().enumerate().filter(|(_, n)| **n > 0.0);
        let points = bins().map(|(k, n)| [WIDTH * (k as f64 - 19.5), n * per]).collect();
        let bell = |x: f64| [x, libm::exp(-0.5 * x * x) / (2.0 * std::f64::consts::PI).sqrt()];
        Self::new(title, x, "probability density")
            .log(false, true)
            .theory("Gaussian", (-50..=50).map(|k| bell(f64::from(k) * 0.1)).collect())
            .measured("measured", points, bins().map(|(_, n)| n.sqrt() * per).collect())
    }

    /// The same with logarithmic axes where asked for.
    #[must_use]
    pub fn log(mut self, x: bool, y: bool) -> Self {
        (self.x.1, self.y.1) = (x, y);
        self
    }

    /// The same with a line of theory.
    #[must_use]
    pub fn theory(mut self, name: &str, points: Vec<[f64; 2]>) -> Self {
        self.curves.push(Curve { name: name.into(), points, errors: Vec::new(), theory: true });
        self
    }

    /// The same with measured points and their standard errors (or none).
    #[must_use]
    pub fn measured(mut self, name: &str, points: Vec<[f64; 2]>, errors: Vec<f64>) -> Self {
        self.curves.push(Curve { name: name.into(), points, errors, theory: false });
        self
    }
}

/// All that a check found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Its numbers.
    pub findings: Vec<Finding>,
    /// Its pictures.
    pub pictures: Vec<Picture>,
    /// What else is to be said.
    pub remarks: Vec<String>,
}

impl Findings {
    /// Adds a number. Where a fault is planted, the first that fails ends the check: one is enough to
    /// notice the fault by, and what comes after takes minutes.
    pub fn add(&mut self, finding: Finding) {
        let is_tried = Fault::ALL.into_iter().any(planted);
        assert!(!is_tried || finding.holds(), "{finding:?}");
        self.findings.push(finding);
    }

    /// Adds a picture.
    pub fn show(&mut self, picture: Picture) {
        self.pictures.push(picture);
    }

    /// Adds a remark.
    pub fn remark(&mut self, remark: impl Into<String>) {
        self.remarks.push(remark.into());
    }
}
