//! How often the state of a run is kept.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::observe::Clock;

/// How often the state of a run is kept. No result depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cadence {
    /// Whenever so much time has passed on the clock on the wall.
    Every(Duration),
    /// After so many steps; of granular runs, frames.
    Steps(u64),
    /// Only where a run is stopped.
    AtStops,
    /// Not even there.
    Never,
}

impl Default for Cadence {
    fn default() -> Self {
        Self::Every(Duration::from_secs(600))
    }
}

/// What is understood.
const FORMS: &str =
    "write \"10 min\" (s, min, h), \"1000 steps\", \"stops\" (only where the run is stopped) or \"never\"";

impl FromStr for Cadence {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let text = text.strip_prefix("every ").unwrap_or(text).trim();
        match text {
            "never" => return Ok(Self::Never),
            "stops" => return Ok(Self::AtStops),
            _ => (),
        }
        let split = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let (number, unit) = (&text[..split], text[split..].trim());
        let refuse = || format!("{text:?} is no cadence: {FORMS}");
        if let "step" | "steps" = unit {
            return match number.parse() {
                Ok(steps) if steps > 0 => Ok(Self::Steps(steps)),
                _ => Err(refuse()),
            };
        }
        let seconds = match unit {
            "s" => 1.0,
            "min" => 60.0,
            "h" => 3600.0,
            _ => return Err(refuse()),
        };
        let time = number.parse::<f64>().map_err(|_| refuse())? * seconds;
        match Duration::try_from_secs_f64(time) {
            Ok(time) if !time.is_zero() => Ok(Self::Every(time)),
            _ => Err(refuse()),
        }
    }
}

impl fmt::Display for Cadence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Every(time) => write!(f, "every {} s", time.as_secs_f64()),
            Self::Steps(steps) => write!(f, "every {steps} steps"),
            Self::AtStops => f.write_str("stops"),
            Self::Never => f.write_str("never"),
        }
    }
}

/// When the state was kept last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    moment: Instant,
    step: u64,
}

impl Last {
    pub(super) fn at(clock: Clock) -> Self {
        Self { moment: Instant::now(), step: clock.step }
    }

    /// Whether it is time again. The clock that is asked never goes back, whatever becomes of the date.
    pub(super) fn is_long_ago(&self, cadence: Cadence, clock: Clock) -> bool {
        match cadence {
            Cadence::Every(time) => self.moment.elapsed() >= time,
            Cadence::Steps(steps) => clock.step >= self.step.saturating_add(steps),
            Cadence::AtStops | Cadence::Never => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cadences_are_read_as_people_write_them() {
        let seconds = |s| Ok(Cadence::Every(Duration::from_secs(s)));
        assert_eq!("every 10min".parse(), seconds(600));
        assert_eq!("10 min".parse(), seconds(600));
        assert_eq!("0.5 h".parse(), seconds(1800));
        assert_eq!("30s".parse(), seconds(30));
        assert_eq!("every 1000 steps".parse(), Ok(Cadence::Steps(1000)));
        assert_eq!("1 step".parse(), Ok(Cadence::Steps(1)));
        assert_eq!("never".parse(), Ok(Cadence::Never));
        assert_eq!("stops".parse(), Ok(Cadence::AtStops));
        for wrong in
            ["", "10", "0 s", "0 steps", "-1 min", "1.5 steps", "ten min", "1e9 h", "1 fortnight", "."]
        {
            let refused = wrong.parse::<Cadence>().unwrap_err();
            assert!(refused.contains("10 min"), "{wrong}: {refused}");
        }
    }

    #[test]
    fn steps_are_counted_from_the_last_time() {
        let clock = |step| Clock { step, timestep: 1.0 };
        let last = Last::at(clock(70));
        assert!(!last.is_long_ago(Cadence::Steps(30), clock(99)));
        assert!(last.is_long_ago(Cadence::Steps(30), clock(100)));
        assert!(!last.is_long_ago(Cadence::Steps(u64::MAX), clock(100)));
        assert!(!last.is_long_ago(Cadence::Every(Duration::from_secs(3600)), clock(100)));
        assert!(last.is_long_ago(Cadence::Every(Duration::ZERO), clock(70)));
    }
}
