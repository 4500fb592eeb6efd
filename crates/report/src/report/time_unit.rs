//! The unit of time that suits a figure.

/// A unit of time that suits an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeUnit {
    pub(super) name: &'static str,
    /// \[µs\]
    pub(super) length: f64,
}

impl TimeUnit {
    /// The one in which the longest of some times \[µs\] is a handy number.
    pub(super) fn for_all(times: impl Iterator<Item = f64>) -> Self {
        let (name, length) = match times.fold(0.0, f64::max) {
            t if t >= 2e6 => ("s", 1e6),
            t if t >= 2e3 => ("ms", 1e3),
            t if t >= 2.0 => ("µs", 1.0),
            _ => ("ns", 1e-3),
        };
        Self { name, length }
    }

    /// The label of an axis: `time [ms]`.
    pub(super) fn label(self, what: &str) -> String {
        format!("{what} [{}]", self.name)
    }

    pub(super) fn of(self, time: f64) -> f64 {
        time / self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_in_handy_units() {
        let name = |time: f64| TimeUnit::for_all([0.0, time].into_iter()).label("t");
        assert_eq!([0.5, 30.0, 4e4, 3e6].map(name), ["t [ns]", "t [µs]", "t [ms]", "t [s]"]);
    }
}
