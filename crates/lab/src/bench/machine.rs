//! When and where something was measured.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// When and where something was measured.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Machine {
    /// The day (UTC), as `2024-02-29`.
    pub date: String,
    /// The processor, as the system names it.
    pub processor: String,
    /// How many threads the system can run at once.
    pub cores: usize,
    /// How many threads were used.
    pub threads: usize,
    /// The load average of the last minute at the start: how many jobs wanted to run. What exceeds
    /// our threads was others' work.
    pub load: Option<f64>,
    /// jostle's version.
    pub version: &'static str,
    /// `release`, or `debug` if assertions are checked, which takes longer.
    pub build: &'static str,
}

impl Machine {
    /// This machine, now.
    pub fn look(threads: usize) -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let cpu = read("/proc/cpuinfo");
        let name = cpu.lines().find_map(|line| line.strip_prefix("model name"));
        let name = name.and_then(|rest| rest.split(':').nth(1)).map(str::trim);
        let load = read("/proc/loadavg");
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        Self {
            date: date(seconds / 86_400),
            processor: name.unwrap_or(std::env::consts::ARCH).to_owned(),
            cores: std::thread::available_parallelism().map_or(1, Into::into),
            threads,
            load: load.split_whitespace().next().and_then(|word| word.parse().ok()),
            version: env!("CARGO_PKG_VERSION"),
            build: if cfg!(debug_assertions) { "debug" } else { "release" },
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { date, processor, cores, threads, version, build, .. } = self;
        let load = self.load.map_or(String::new(), |load| format!(", load {load} at the start"));
        let s = if *threads == 1 { "" } else { "s" };
        write!(
            f,
            "{date}, {processor}, {cores} cores{load}; jostle {version} ({build}), {threads} thread{s}"
        )
    }
}

/// The date, so many days after 1970-01-01, in the Gregorian calendar. Years are counted from
/// March, so that the leap day is the last; 153 days are five months.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", 400 * era + year + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        let cases = [
            (0, "1970-01-01"),
            (364, "1970-12-31"),
            (10_957, "2000-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (19_782, "2024-02-29"),
            (20_088, "2024-12-31"),
            (47_541, "2100-03-01"),
        ];
        for (days, text) in cases {
            assert_eq!(date(days), text);
        }
    }

    #[test]
    fn this_machine_has_a_processor_and_a_day() {
        let machine = Machine::look(1);
        assert!(!machine.processor.is_empty() && machine.cores > 0);
        assert!(machine.date.starts_with("20"), "{machine}");
    }
}
