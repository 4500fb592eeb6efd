//! The state at any moment: all that the rest of a run follows from, besides what the engine is
//! made of.
//!
//! Not in it is what is to come: the search structure, the timetable and what each particle
//! expects. When two particles touch, or a particle and a wall, is a function of their flights,
//! never of when one asks; events come in the order of their times and of which takes part in them.
//! So all that is predicted anew, by whatever search structure, is what was predicted before.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};

use super::compiled::compiled;
use super::error::Standstill;
use super::tc::LastContacts;
use super::{Grain, Granular, Setup, SetupError, Tally};
use jostle_core::observe::EnergyBalance;
use jostle_core::space::{Flight, Vector, holds, rows};

/// All that changes from event to event and is not made anew, and the particles.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State<'a, const D: usize> {
    /// Output intervals done.
    pub(super) step: u64,
    /// \[µs\]
    pub(super) now: f64,
    /// As their last events left them. \[particle\]
    pub(super) flights: Cow<'a, [Flight<D>]>,
    pub(super) mass: Cow<'a, [f64]>,
    pub(super) species: Cow<'a, [u16]>,
    #[serde(serialize_with = "rows::serialize", deserialize_with = "images")]
    pub(super) image: Cow<'a, [[i32; D]]>,
    pub(super) calm: Cow<'a, [Standstill]>,
    pub(super) last_contacts: Cow<'a, LastContacts>,
    /// Of trajectory events; nothing where there are none. \[particle\], \[µs\]
    pub(super) due: Cow<'a, [f64]>,
    pub(super) forced_until: Cow<'a, [f64]>,
    pub(super) tally: Tally,
    pub(super) balance: EnergyBalance,
}

fn images<'de, R: Deserializer<'de>, const D: usize>(
    deserializer: R,
) -> Result<Cow<'static, [[i32; D]]>, R::Error> {
    rows::deserialize(deserializer).map(Cow::Owned)
}

impl<const D: usize> Granular<D> {
    /// The state as it is now: between output intervals, or amid one.
    pub fn state(&self) -> State<'_, D> {
        let (due, forced_until) = match &self.trajectory {
            Some(trajectory) => (&trajectory.due[..], &trajectory.forced_until[..]),
            None => Default::default(),
        };
        State {
            step: self.clock.step,
            now: self.now,
            flights: Cow::Borrowed(&self.flights),
            mass: Cow::Borrowed(&self.mass),
            species: Cow::Borrowed(&self.species),
            image: Cow::Borrowed(&self.image),
            calm: Cow::Borrowed(&self.calm),
            last_contacts: Cow::Borrowed(&self.last_contacts),
            due: Cow::Borrowed(due),
            forced_until: Cow::Borrowed(forced_until),
            tally: self.tally,
            balance: self.balance,
        }
    }

    /// An engine that resumes from `state` as the one that it was taken from would have: the same
    /// events and energy balance to the last bit. The search structure may be another one. What
    /// [`Granular::view`] shows is the present moment, until the next look.
    ///
    /// # Errors
    /// If the state is not one of an engine that is set up so.
    pub fn resume(setup: Setup<D>, state: State<'_, D>) -> Result<Self, SetupError> {
        (compiled().resume)(setup, state)
    }

    pub(super) fn resumed(setup: Setup<D>, state: State<'_, D>) -> Result<Self, SetupError> {
        state.check(&setup).map_err(SetupError::State)?;
        let mut engine = Self::assembled(setup, state)?;
        engine.begin()?;
        Ok(engine)
    }
}

impl<'a, const D: usize> State<'a, D> {
    /// Of each particle. \[nm\]
    pub fn radii(&self) -> Vec<f64> {
        self.flights.iter().map(|flight| flight.radius).collect()
    }

    /// Whether all particles are of the first `count` species. The engine does not know how many
    /// there are.
    pub fn is_of_species(&self, count: usize) -> bool {
        self.species.iter().all(|&species| (species as usize) < count)
    }

    /// Of particles at time 0.
    pub(super) fn start(grains: &[Grain<D>], with_trajectory_events: bool) -> State<'a, D> {
        let n = grains.len();
        let flight = |grain: &Grain<D>| Flight {
            position: grain.position,
            velocity: grain.velocity,
            since: 0.0,
            radius: grain.radius,
        };
        let times = vec![0.0; if with_trajectory_events { n } else { 0 }];
        State {
            step: 0,
            now: 0.0,
            flights: grains.iter().map(flight).collect(),
            mass: grains.iter().map(|grain| grain.mass).collect(),
            species: grains.iter().map(|grain| grain.species).collect(),
            image: Cow::Owned(vec![[0; D]; n]),
            calm: Cow::Owned(vec![Standstill::default(); n]),
            last_contacts: Cow::Owned(LastContacts::new(n)),
            due: Cow::Owned(times.clone()),
            forced_until: Cow::Owned(times),
            tally: Tally::default(),
            balance: EnergyBalance::default(),
        }
    }

    /// Whether it hangs together and is one of such a setup, so that nothing that was read from a
    /// file can lead anywhere.
    fn check(&self, setup: &Setup<D>) -> Result<(), &'static str> {
        let n = self.flights.len();
        let lengths = [
            self.mass.len(),
            self.species.len(),
            self.image.len(),
            self.calm.len(),
            self.last_contacts.times().len(),
        ];
        holds(lengths.iter().all(|&length| length == n), "its arrays differ in length")?;
        let times = if setup.trajectory.is_some() { n } else { 0 };
        let fits = self.due.len() == times && self.forced_until.len() == times;
        holds(fits, "its trajectory events are not those of the model")?;
        // The clock is at the last output interval that is over, but for rounding.
        let output_intervals = self.now / setup.output_interval - self.step as f64;
        holds(
            self.now >= 0.0 && (-0.5..1.5).contains(&output_intervals),
            "its time and its clock do not agree",
        )?;
        let balance = [self.balance.dissipated, self.balance.wall_work, self.balance.force_work];
        holds(balance.iter().all(|x| x.is_finite()), "its energy balance is not finite")?;
        let met = self.last_contacts.times();
        holds(met.iter().all(|&time| time <= self.now), "a collision is yet to come")?;
        let every = setup.trajectory.map_or(0.0, |trajectory| trajectory.every);
        let until = |times: &[f64], end: f64| times.iter().all(|time| (0.0..=end).contains(time));
        let ahead =
            until(&self.due, self.now + 2.0 * every) && until(&self.forced_until, self.now + every);
        holds(ahead, "a trajectory event is out of time")?;
        holds(self.mass.iter().all(|&mass| mass > 0.0), "a mass is not a positive number")?;
        holds(
            self.image.iter().flatten().all(|periods| periods.abs() <= FARTHEST),
            "an image is too far away",
        )?;
        self.flights.iter().try_for_each(|flight| self.check_flight(flight, setup))
    }

    fn check_flight(&self, flight: &Flight<D>, setup: &Setup<D>) -> Result<(), &'static str> {
        let Flight { position, velocity, since, radius } = *flight;
        holds(position.is_finite() && velocity.is_finite(), "a place or a velocity is not finite")?;
        holds((0.0..=self.now).contains(&since), "a flight is yet to begin")?;
        let (domain, walls) = (setup.container.domain(), &setup.container);
        let fits = domain.edges().iter().all(|&edge| radius <= edge);
        holds(radius > 0.0 && fits, "a radius is no number, or does not fit into the box")?;
        let place = flight.at(self.now, setup.forces.gravity);
        let laps = |x: Vector<D>, k: usize| (x[k] / domain.edges()[k]).abs() <= f64::from(FARTHEST);
        let near = (0..D).all(|k| laps(place, k) && laps(velocity * setup.output_interval, k));
        holds(near, "a particle is too far away, or too fast")?;
        let inside =
            walls.walls().all(|wall| walls.gap(wall, place, radius, self.now) > -OUTSIDE * radius);
        holds(inside, "a particle is not in its container")
    }
}

/// Particles are never so many periods away.
const FARTHEST: i32 = 1 << 30;
/// No rounding leads so far into a wall. \[radius\]
const OUTSIDE: f64 = 1e-3;

#[cfg(test)]
mod tests;
