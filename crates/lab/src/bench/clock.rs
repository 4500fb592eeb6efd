//! How long work takes where other work disturbs.

/// What the threads of this process, those that are still there, have had of processors, where the
/// system tells. \[s\]
pub(super) fn processor_seconds() -> Option<f64> {
    let mut nanoseconds = 0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        // A thread may end while one looks.
        let Ok(text) = std::fs::read_to_string(task.ok()?.path().join("schedstat")) else {
            continue;
        };
        nanoseconds += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(nanoseconds as f64 * 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::stopwatch::ProcessorTime;

    #[test]
    fn all_threads_have_had_what_one_has() {
        let begun = ProcessorTime::now();
        let mut x = 1.0;
        while begun.elapsed() < 0.05 {
            x = std::hint::black_box(x) * 0.999;
        }
        // What the system counts for all of them lags behind by a tick.
        assert!(processor_seconds().is_none_or(|all| all >= 0.03), "{:?}", processor_seconds());
    }
}
