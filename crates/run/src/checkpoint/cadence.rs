//! How often the state of a run is kept.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use jostle_core::observe::Clock;

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
const FORMS: &str = "write \"10 min\" (s, min, h), \"1000 steps\", \"stops\" (only when the run is stopped) or \
    \"never\"";

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
        let refuse = || format!("{text:?} is not a valid interval: {FORMS}");
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

/// How long a run continues before it keeps its state for the first time, where it goes by the
/// clock on the wall.
const FIRST: Duration = Duration::from_secs(15);
/// A state that takes long to keep is kept less often at the start: the run works so many times as
/// long as that.
const COST: u32 = 50;

/// When the state was kept last, and how long it is until the next time. A run begins with short
/// waits, each twice as long as the one before, until the cadence is reached, so that a run killed
/// early has not lost everything.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    moment: Instant,
    step: u64,
    wait: Duration,
}

impl Last {
    /// At the start of a run, where nothing has been kept yet.
    pub(super) fn at_start(clock: Clock) -> Self {
        Self { moment: Instant::now(), step: clock.step, wait: FIRST }
    }

    /// It has just been kept again, which took so long.
    pub(super) fn kept(self, clock: Clock, took: Duration) -> Self {
        let wait = self.wait.saturating_mul(2).max(took.saturating_mul(COST));
        Self { moment: Instant::now(), step: clock.step, wait }
    }

    /// Whether it is time again. The clock that is asked never goes back, whatever becomes of the
    /// date.
    pub(super) fn is_long_ago(&self, cadence: Cadence, clock: Clock) -> bool {
        self.is_over(self.moment.elapsed(), cadence, clock)
    }

    fn is_over(&self, elapsed: Duration, cadence: Cadence, clock: Clock) -> bool {
        match cadence {
            Cadence::Every(time) => elapsed >= time.min(self.wait),
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
        for wrong in [
            "",
            "10",
            "0 s",
            "0 steps",
            "-1 min",
            "1.5 steps",
            "ten min",
            "1e9 h",
            "1 fortnight",
            ".",
        ] {
            let refused = wrong.parse::<Cadence>().unwrap_err();
            assert!(refused.contains("10 min"), "{wrong}: {refused}");
        }
    }

    #[test]
    fn the_first_state_is_kept_within_a_minute_and_later_ones_at_the_cadence() {
        let clock = Clock { step: 0, timestep: 1.0 };
        let (every, quick) = (Cadence::default(), Duration::from_millis(10));
        let wait =
            |last: &Last| (1..=3600).find(|&s| last.is_over(Duration::from_secs(s), every, clock));
        let mut last = Last::at_start(clock);
        let mut waits = Vec::new();
        for _ in 0..8 {
            waits.push(wait(&last).unwrap());
            last = last.kept(clock, quick);
        }
        assert_eq!(waits, [15, 30, 60, 120, 240, 480, 600, 600]);
        // A state that takes a second to keep costs no more than 2 % of the time, and at most what
        // the cadence says.
        assert_eq!(wait(&Last::at_start(clock).kept(clock, Duration::from_secs(1))), Some(50));
        assert_eq!(wait(&Last::at_start(clock).kept(clock, Duration::from_secs(100))), Some(600));
        // A user who asks for more than that gets it.
        assert!(last.is_over(
            Duration::from_secs(2),
            Cadence::Every(Duration::from_secs(2)),
            clock
        ));
    }

    #[test]
    fn steps_are_counted_from_the_last_time() {
        let clock = |step| Clock { step, timestep: 1.0 };
        let last = Last::at_start(clock(70));
        assert!(!last.is_long_ago(Cadence::Steps(30), clock(99)));
        assert!(last.is_long_ago(Cadence::Steps(30), clock(100)));
        assert!(!last.is_long_ago(Cadence::Steps(u64::MAX), clock(100)));
        assert!(!last.is_long_ago(Cadence::Every(Duration::from_secs(3600)), clock(100)));
        assert!(last.is_long_ago(Cadence::Every(Duration::ZERO), clock(70)));
    }
}
