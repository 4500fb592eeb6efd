//! How long particles need until they are somewhere, as the frames show it.

use super::super::super::scope::Scope;
use super::super::survival_curve::Observed;
use super::Goal;
use crate::surfaces::Sides;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// What tells whether a particle of a species has got there, from where it began and where it is.
type Arrived<'a> = dyn Fn(u16, [f64; 3], [f64; 3]) -> bool + 'a;

/// A particle that has not got there yet.
struct Wait {
    id: i64,
    /// When it was first and last seen. \[µs\]
    from: f64,
    last: f64,
    start: [f64; 3],
    /// Whether it is known already, or was there from the first.
    settled: bool,
}

/// How long each particle waits, by species. One block of slots is held in memory at a time.
pub(super) fn waits(
    reading: &Reading,
    scope: &Scope,
    goal: &Goal,
) -> Result<Vec<Vec<Observed>>, ReadError> {
    let frames = scope.frames(reading, 2)?;
    let times = &reading.times()?[frames.clone()];
    let wanted = scope.species(reading)?;
    let species = reading.named_species()?;
    let mut lives = vec![Vec::new(); wanted.len()];
    let arrived = arrived(reading, goal)?;
    for slots in reading.blocks_of_slots(times.len()) {
        let (id, position) = match goal {
            Goal::Place(_) | Goal::Left(_) | Goal::Beside(_) => {
                let data = reading.frame_data(frames.clone(), slots.clone())?;
                (data.id, reading.positions(frames.clone(), slots.clone())?)
            }
            _ => reading.unwrapped(frames.clone(), slots.clone())?,
        };
        for (k, slot) in slots.enumerate() {
            let Some(of) = species[slot].filter(|&of| wanted[of]) else {
                continue;
            };
            let mut wait: Option<Wait> = None;
            for (frame, &time) in times.iter().enumerate() {
                let point = [0, 1, 2].map(|axis| position[[frame, k, axis]]);
                let here = id[[frame, k]];
                if wait.as_ref().is_some_and(|wait| wait.id != here) {
                    lives[of].extend(wait.take().and_then(|wait| wait.given_up()));
                }
                if here >= 0 {
                    let wait = wait.get_or_insert_with(|| {
                        Wait::begin(here, time, point, arrived(of as u16, point, point))
                    });
                    let start = wait.start;
                    lives[of].extend(wait.look(time, arrived(of as u16, start, point)));
                }
            }
            lives[of].extend(wait.and_then(|wait| wait.given_up()));
        }
    }
    Ok(lives)
}

/// What a goal asks for.
fn arrived<'a>(reading: &Reading, goal: &'a Goal) -> Result<Box<Arrived<'a>>, ReadError> {
    Ok(match goal {
        Goal::Distance(length) => Box::new(move |_, start, point| {
            let square: f64 = point.iter().zip(start).map(|(x, x0)| (x - x0).powi(2)).sum();
            square >= length * length
        }),
        Goal::Place(place) => Box::new(|_, _, point| place.holds(point)),
        Goal::Left(place) => Box::new(|_, _, point| !place.holds(point)),
        Goal::Beside(sides) => {
            let sides = Sides::of(reading, sides)?;
            Box::new(move |species, _, point| sides.have(species, point))
        }
        Goal::Meeting(_) => Box::new(|_, _, _| false),
    })
}

impl Wait {
    fn begin(id: i64, from: f64, start: [f64; 3], there: bool) -> Self {
        Self { id, from, last: from, start, settled: there }
    }

    /// Looks whether it has got there.
    fn look(&mut self, time: f64, there: bool) -> Option<Observed> {
        self.last = time;
        if !there || self.settled {
            return None;
        }
        self.settled = true;
        Some(Observed { entry: 0.0, exit: apart(self.from, time), ended: true })
    }

    /// What is known of one that is not looked at any more.
    fn given_up(self) -> Option<Observed> {
        let seen = self.last > self.from && !self.settled;
        seen.then_some(Observed { entry: 0.0, exit: apart(self.from, self.last), ended: false })
    }
}

/// The time between two frames, to nine digits: rounding errors of their times would tell waits of
/// equally many frames apart, and a censored one would leave before one that ended. \[µs\]
fn apart(from: f64, to: f64) -> f64 {
    let time = to - from;
    let digits = libm::pow(10.0, 8.0 - libm::floor(libm::log10(time.abs())));
    let rounded = (time * digits).round() / digits;
    if rounded.is_finite() { rounded } else { time }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_once() {
        let mut wait = Wait::begin(7, 10.0, [1.0, 0.0, 0.0], false);
        assert_eq!(wait.look(12.0, false), None);
        let there = Observed { entry: 0.0, exit: 4.0, ended: true };
        assert_eq!(wait.look(14.0, true), Some(there));
        assert_eq!(wait.look(16.0, true), None);
        assert_eq!(wait.given_up(), None);
    }

    #[test]
    fn waits_of_equally_many_frames_are_equal() {
        let every = 0.2;
        for from in 0..1000 {
            let times = [f64::from(from) * every, f64::from(from + 3) * every];
            assert_eq!(apart(times[0], times[1]), 0.6, "{times:?}");
        }
        assert_eq!([apart(1.0, 1.0), apart(2.0, 1.5)], [0.0, -0.5]);
    }

    #[test]
    fn one_that_starts_at_the_goal_is_left_out_and_one_that_never_gets_there_is_censored() {
        let mut wait = Wait::begin(7, 0.0, [0.5, 0.0, 0.0], true);
        assert_eq!(wait.look(0.0, true), None);
        assert_eq!(wait.given_up(), None);
        let mut wait = Wait::begin(7, 0.0, [2.0, 0.0, 0.0], false);
        assert_eq!(wait.look(3.0, false), None);
        assert_eq!(wait.given_up(), Some(Observed { entry: 0.0, exit: 3.0, ended: false }));
    }
}
