//! When a flight reaches a flat wall that oscillates.
//!
//! The gap is a parabola minus a sine. It is followed by steps during which it cannot close: each
//! is the time that a parabola needs which bends towards the wall at least as much as the gap can.
//! So the search never jumps over an impact and comes to it from the side of no overlap; close to
//! the impact the steps become Newton's and better. Nothing starts with a large step and hope.

use super::Shaking;
use jostle_core::space::first_reach;

/// A coordinate of a flight as a flat wall sees it: distance of the surface of the particle from
/// the mean place of the wall, positive inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach {
    /// When the flight starts. \[µs\]
    pub since: f64,
    /// At that time. \[nm\]
    pub distance: f64,
    /// At that time, away from the wall. \[nm/µs\]
    pub speed: f64,
    /// Away from the wall. \[nm/µs²\]
    pub acceleration: f64,
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Of the impact. \[µs\]
    pub time: Option<f64>,
    /// How often the motion of the wall was evaluated.
    #[cfg_attr(not(test), expect(dead_code, reason = "a measure of the cost, for tests"))]
    pub evaluations: u32,
}

/// The gap between particle and wall at some time, and its derivatives.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// \[nm\]
    gap: f64,
    /// Negative when closing. \[nm/µs\]
    opening: f64,
    /// \[nm/µs²\]
    bend: f64,
}

impl Approach {
    /// The impact on a wall at its mean place moved inwards by `offset`, once and for all.
    pub(super) fn still(&self, offset: f64) -> Option<f64> {
        let wait = first_reach(self.distance - offset, -self.speed, -self.acceleration);
        (wait < f64::INFINITY).then_some(self.since + wait)
    }

    /// The first impact, until `end`, on a wall that moves inwards by `inwards` (1 or -1) times the
    /// shaking: the first time at which there is no gap and it is closing.
    pub(super) fn shaken(&self, shaking: &Shaking, inwards: f64, end: f64) -> Found {
        let resolution = RESOLUTION / shaking.omega();
        let end = match self.speed == 0.0 && self.acceleration == 0.0 {
            // What the wall does not do within a period it never does.
            true => end.min(self.since + 1.5 / shaking.frequency),
            false => end,
        };
        let mut time = self.since;
        let mut evaluations = 0;
        // An infinite time is no time, whatever the end.
        while time <= end && time < f64::INFINITY {
            let away = self.out_of_reach(shaking, time);
            // Less than the spacing of times would lead nowhere.
            if away > resolution && time + away > time {
                time += away;
                continue;
            }
            evaluations += 1;
            let now = self.gap(shaking, inwards, time);
            let closing = now.opening < 0.0;
            let step = self.free(&now, shaking);
            if closing && (now.gap <= 0.0 || step <= f64::EPSILON * time.abs()) {
                return Found { time: Some(time), evaluations };
            }
            // Within so short a time a gap that opens bends back by less than rounding.
            let step = if closing { step } else { step.max(resolution) };
            time = (time + step).max(time.next_up());
        }
        Found { time: None, evaluations }
    }

    /// Distance from the mean place of the wall, and its derivative.
    fn at(&self, time: f64) -> (f64, f64) {
        let t = time - self.since;
        let distance = self.distance + self.speed * t + self.acceleration * (0.5 * t * t);
        (distance, self.speed + self.acceleration * t)
    }

    /// How long the particle stays where the wall does not come, since it goes no further than its
    /// amplitude; infinite when for ever.
    fn out_of_reach(&self, shaking: &Shaking, time: f64) -> f64 {
        let (distance, speed) = self.at(time);
        match distance > shaking.amplitude {
            true => first_reach(distance - shaking.amplitude, -speed, -self.acceleration),
            false => 0.0,
        }
    }

    fn gap(&self, shaking: &Shaking, inwards: f64, time: f64) -> Gap {
        let (distance, speed) = self.at(time);
        let wall = shaking.at(time);
        Gap {
            gap: distance - inwards * wall.offset,
            opening: speed - inwards * wall.velocity,
            bend: self.acceleration - inwards * wall.acceleration,
        }
    }

    /// A time from now on during which the gap cannot close: the longer of two bounds.
    fn free(&self, now: &Gap, shaking: &Shaking) -> f64 {
        let gap = now.gap.max(0.0);
        // The gap never bends towards the wall more than this.
        let strongest = self.acceleration - shaking.largest_acceleration();
        let safe = first_reach(gap, -now.opening, -strongest);
        // For a while it bends not much more than now.
        let omega = shaking.omega();
        let horizon = first_reach(gap, -now.opening, -now.bend).min(1.0 / omega);
        let change = shaking.largest_acceleration() * omega * horizon;
        let near = first_reach(gap, -now.opening, change - now.bend).min(horizon);
        safe.max(near)
    }
}

/// In units of `1/omega`.
const RESOLUTION: f64 = 1e-9;
