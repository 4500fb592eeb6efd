//! What independent placements say together, with the error that their scatter gives.

use super::case::{C_B, Course, SAMPLE};

/// A measured number and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measured {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

/// The survival of A in independent placements, each sampled at 0, 1, 2, ... times [`SAMPLE`].
pub(crate) struct Curve {
    placements: Vec<Vec<f64>>,
    sum: Vec<f64>,
}

impl Curve {
    /// The one that is counted, or the one that contacts let expect.
    pub(crate) fn new(courses: &[Course], which: impl Fn(&Course) -> &Vec<f64>) -> Self {
        let placements: Vec<Vec<f64>> =
            courses.iter().map(|course| which(course).clone()).collect();
        let looks = placements.iter().map(Vec::len).min().unwrap_or(0);
        let sum = (0..looks).map(|look| placements.iter().map(|one| one[look]).sum()).collect();
        Self { placements, sum }
    }

    /// How often each was looked at.
    #[cfg(feature = "long")]
    pub(crate) fn looks(&self) -> usize {
        self.sum.len()
    }

    /// What `measure` says of the mean curve; the error is the jackknife's: how much it says
    /// otherwise of the mean without one placement, for each in turn.
    pub(crate) fn measure(&self, measure: impl Fn(&[f64]) -> f64) -> Measured {
        let n = self.placements.len() as f64;
        let mean = |without: Option<&Vec<f64>>| -> Vec<f64> {
            let rest = if without.is_some() { n - 1.0 } else { n };
            let less = |look: usize| without.map_or(0.0, |one| one[look]);
            self.sum.iter().enumerate().map(|(look, sum)| (sum - less(look)) / rest).collect()
        };
        let others: Vec<f64> =
            self.placements.iter().map(|one| measure(&mean(Some(one)))).collect();
        let middle = others.iter().sum::<f64>() / n;
        let spread: f64 = others.iter().map(|other| (other - middle).powi(2)).sum();
        Measured { value: measure(&mean(None)), error: (spread * (n - 1.0) / n).sqrt() }
    }

    /// The survival at a look.
    pub(crate) fn at(&self, look: usize) -> Measured {
        self.measure(|survival| survival[look])
    }

    /// The rate constant k(t) = -d ln A/dt / c_B in the mean from one look to another. \[nm³/µs\]
    #[cfg(feature = "long")]
    pub(crate) fn rate(&self, from: usize, to: usize) -> Measured {
        let time = (to - from) as f64 * SAMPLE;
        self.measure(|survival| libm::log(survival[from] / survival[to]) / (C_B * time))
    }

    /// When the share `survival` is left. \[µs\]
    #[cfg(feature = "long")]
    pub(crate) fn time(&self, share: f64) -> Measured {
        self.measure(|survival| time_of(survival, share))
    }

    /// ln 2/(c_B t_half). \[nm³/µs\]
    pub(crate) fn rate_to_half(&self) -> Measured {
        self.measure(|survival| libm::log(2.0) / (C_B * time_of(survival, 0.5)))
    }

    /// ln 5/(c_B (t_10 - t_50)): from one half to a tenth. \[nm³/µs\]
    #[cfg(feature = "long")]
    pub(crate) fn rate_from_half_to_tenth(&self) -> Measured {
        self.measure(|survival| {
            libm::log(5.0) / (C_B * (time_of(survival, 0.1) - time_of(survival, 0.5)))
        })
    }
}

/// When a curve falls to `share`, exponential between two looks. NaN if it never does. \[µs\]
fn time_of(survival: &[f64], share: f64) -> f64 {
    let Some(look) = survival.iter().position(|&s| s <= share).filter(|&look| look > 0) else {
        return f64::NAN;
    };
    let (before, after) = (survival[look - 1], survival[look]);
    (look as f64 - 1.0 + libm::log(before / share) / libm::log(before / after)) * SAMPLE
}

/// All placements of a case, side by side on all processors, each on one thread: a few particles
/// are not worth two. The order, and so every sum, is that of the seeds.
pub(crate) fn courses(case: &super::case::Case, seeds: &[u64]) -> Vec<Course> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(seeds.len());
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one more thread");
        let mut done = Vec::new();
        while let n = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
            && n < seeds.len()
        {
            done.push((n, pool.install(|| case.run(seeds[n]))));
        }
        done
    };
    let mut all = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let results = threads.into_iter().flat_map(|thread| thread.join().expect("a placement"));
        results.collect::<Vec<_>>()
    });
    all.sort_by_key(|(n, _)| *n);
    all.into_iter().map(|(_, course)| course).collect()
}
