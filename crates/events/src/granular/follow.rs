//! Flights end and begin: at collisions, and at trajectory events, where forces are taken in.

use super::{Granular, RunFault, TrajectoryClock, flights};
use crate::kinetic::Facets;
use jostle_core::space::{Flights, Vector, periods_in_all};

impl<const D: usize> Granular<D> {
    /// The trajectory event of `i`, due at `time`: forces are integrated to the middle of the time
    /// until the next one.
    pub(super) fn follow(&mut self, i: u32, time: f64) -> Result<(), RunFault> {
        let flight = &self.flights[i as usize];
        let (x, v) =
            (flight.at(time, self.acceleration), flight.velocity_at(time, self.acceleration));
        let Some(trajectory) = &mut self.trajectory else {
            return Ok(());
        };
        let every = trajectory.settings.every;
        let middle = time + 0.5 * every;
        let kicked = self.forces.kick(v, x, trajectory.forced_until[i as usize], middle);
        trajectory.forced_until[i as usize] = middle;
        trajectory.due[i as usize] = match trajectory.settings.clock {
            TrajectoryClock::Grid => ((time / every).round() + 1.0) * every,
            TrajectoryClock::Reset => time + every,
        };
        let mass = self.mass[i as usize];
        self.balance.force_work += 0.5 * mass * (kicked.norm_squared() - v.norm_squared());
        self.tally.trajectory_events += 1;
        self.rebase(i, x, kicked, time)?;
        self.set_out(&[i], time);
        Ok(())
    }

    /// The flights of `particles` that begin with a collision at `time`.
    pub(super) fn after_collision(&mut self, particles: &[u32], time: f64) {
        if let Some(trajectory) = &mut self.trajectory
            && trajectory.settings.clock == TrajectoryClock::Reset
        {
            particles.iter().for_each(|&i| trajectory.due[i as usize] = time);
        }
        self.set_out(particles, time);
    }

    /// A new flight of `i`, from where it is.
    ///
    /// # Errors
    /// If that is nowhere.
    pub(super) fn rebase(
        &mut self,
        i: u32,
        position: Vector<D>,
        velocity: Vector<D>,
        time: f64,
    ) -> Result<(), RunFault> {
        if !(position.is_finite() && velocity.is_finite()) {
            return Err(RunFault::Lost { particle: i, time });
        }
        let (position, periods) = self.domain.wrap(position);
        let image = periods_in_all(self.image[i as usize], periods);
        self.image[i as usize] = image.ok_or(RunFault::TooFar { particle: i, time })?;
        let flight = &mut self.flights[i as usize];
        (flight.position, flight.velocity, flight.since) = (position, velocity, time);
        Ok(())
    }

    /// Takes up new flights of `particles`, which begin at `time`.
    fn set_out(&mut self, particles: &[u32], time: f64) {
        let count = self.flights.len() as u32;
        for &i in particles {
            self.begun[i as usize] = self.begun[i as usize].wrapping_add(1);
            let mut facets = Facets::new(&mut self.timetable, count);
            self.search.update(i, &flights!(self), time, &mut facets);
        }
        for &i in particles {
            self.foresee(i);
        }
    }
}
