//! What observers see: the state at the end of an output interval, and the energy balance.

use super::{Granular, RunFault};
use jostle_core::clusters::Clusters;
use jostle_core::observe::{Clock, EnergyBalance, Observer, View};
use jostle_core::particles::{Particle, Particles};
use jostle_core::space::periods_in_all;

/// All particles at one moment, put in order for observers.
#[derive(Debug, Default)]
pub(super) struct Snapshot<const D: usize> {
    particles: Particles<D>,
    /// There are none.
    clusters: Clusters,
}

impl<const D: usize> Granular<D> {
    /// Continues to the end of the output interval, and shows the state.
    ///
    /// # Errors
    /// If the run cannot be trusted any longer, or an observer fails.
    pub fn step(&mut self, observer: &mut dyn Observer<D>) -> Result<(), RunFault> {
        while !self.step_part(u64::MAX, observer)? {}
        Ok(())
    }

    /// Continues by so many events at most, to the end of the output interval at most, and then
    /// shows the state. Whether the output interval is over.
    ///
    /// # Errors
    /// If the run cannot be trusted any longer, or an observer fails.
    pub fn step_part(
        &mut self,
        events: u64,
        observer: &mut dyn Observer<D>,
    ) -> Result<bool, RunFault> {
        let next = self.clock.step + 1;
        let over = self.advance_part(next as f64 * self.output_interval, events, observer)?;
        if over {
            self.clock.step = next;
            self.show(observer)?;
        }
        Ok(over)
    }

    /// Shows the state as it is now.
    ///
    /// # Errors
    /// If the observer fails.
    pub fn show(&mut self, observer: &mut dyn Observer<D>) -> Result<(), RunFault> {
        if let Some(particle) = self.look() {
            return Err(RunFault::TooFar { particle, time: self.now });
        }
        observer.step(&self.view()).map_err(RunFault::Observer)
    }

    /// The state when it was last shown.
    pub fn view(&self) -> View<'_, D> {
        let Snapshot { particles, clusters } = &self.snapshot;
        View {
            balance: Some(self.balance()),
            ..View::new(self.clock, &self.domain, particles, clusters)
        }
    }

    /// Output intervals done, and their length.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The output interval that a time, no earlier than the clock, is in, and which part of it has
    /// passed. Its end belongs to it.
    pub(super) fn output_interval_of(&self, time: f64) -> (u64, f64) {
        let step = self.clock.step;
        let output_intervals = (time - step as f64 * self.output_interval) / self.output_interval;
        let whole = (output_intervals.ceil() - 1.0).max(0.0);
        (step + whole as u64, (output_intervals - whole).clamp(0.0, 1.0))
    }

    /// Puts the clock at the last output interval that is over.
    pub(super) fn keep_time(&mut self) {
        let output_intervals = self.now / self.output_interval;
        self.clock.step = self.clock.step.max(output_intervals.floor() as u64);
    }

    /// Puts the snapshot at the present time. No flight is touched. A particle is returned if the
    /// periods behind it cannot be counted.
    pub(super) fn look(&mut self) -> Option<u32> {
        let (now, g) = (self.now, self.acceleration);
        let particles = &mut self.snapshot.particles;
        let mut too_far = None;
        for (i, flight) in self.flights.iter().enumerate() {
            let (position, periods) = self.domain.wrap(flight.at(now, g));
            let image = periods_in_all(self.image[i], periods).unwrap_or_else(|| {
                too_far = Some(i as u32);
                self.image[i]
            });
            let velocity = flight.velocity_at(now, g) * self.output_interval;
            if i < particles.len() {
                (particles.position[i], particles.velocity[i]) = (position, velocity);
                particles.image[i] = image;
                continue;
            }
            particles.push(Particle {
                sites: 0,
                position,
                velocity,
                since: 0.0,
                radius: flight.radius,
                diffusion_coefficient: 0.0,
                species: self.species[i],
                id: i as u64,
                image,
            });
        }
        too_far
    }

    /// Where the energy is now, and where it came from and went since the start.
    pub fn balance(&self) -> EnergyBalance {
        let mut balance = self.balance;
        let g = self.acceleration;
        let edges = self.domain.edges();
        for (i, flight) in self.flights.iter().enumerate() {
            let (x, v, mass) =
                (flight.at(self.now, g), flight.velocity_at(self.now, g), self.mass[i]);
            balance.kinetic += 0.5 * mass * v.norm_squared();
            for k in 0..D {
                // Along periodic axes potential energy counts from where the particle set out.
                let unwrapped = x[k] + f64::from(self.image[i][k]) * edges[k];
                balance.potential -= mass * g[k] * unwrapped;
                balance.momentum[k] += mass * v[k];
            }
        }
        balance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::granular::container::Container;
    use crate::granular::forces::Forces;
    use crate::granular::{Collisions, Grain, Setup};
    use crate::kinetic::{KineticKind, KineticSettings};
    use jostle_core::observe::NoObserver;
    use jostle_core::space::{Domain, MOST_PERIODS, Vector};

    /// One ball in a periodic box of edge 4, through which it flies once in an output interval.
    fn lone(speed: f64) -> Granular<2> {
        let search = KineticSettings { kind: KineticKind::Direct, cell_size: None };
        let setup = Setup {
            container: Container::new_box(Domain::new([4.0; 2], [true; 2]), None).unwrap(),
            forces: Forces::default(),
            trajectory: None,
            collisions: Collisions::elastic(),
            search: search.build().unwrap(),
            output_interval: 1.0,
        };
        let velocity = Vector([4.0 * speed, 0.0]);
        let grain =
            Grain { position: Vector([2.0; 2]), velocity, radius: 0.5, mass: 1.0, species: 0 };
        Granular::new(setup, &[grain]).unwrap()
    }

    /// The counts of periods have 32 bits.
    #[test]
    fn more_periods_than_can_be_counted_end_the_run() {
        let most = MOST_PERIODS as i32;
        for (behind, speed, far) in [(most - 1, 1.0, false), (most, 1.0, true), (-most, -1.0, true)]
        {
            let mut engine = lone(speed);
            engine.image[0][0] = behind;
            let ended = engine.step(&mut NoObserver);
            assert_eq!(
                matches!(ended, Err(RunFault::TooFar { particle: 0, .. })),
                far,
                "{ended:?}"
            );
        }
    }
}
