//! Collisions after the move, as in `particleParticle` and `collision` of "Grouping the particles"
//! (2021).

use super::strips::Strips;
use super::{Gas, StepError};
use jostle_core::observe::Observer;

impl Gas {
    /// Compares the pairs in the web page's order (0-0, 0-1, 1-1, 1-2, ...), each collision at
    /// once, so that later pairs see the new velocities.
    pub(super) fn collide_all(&mut self, observer: &mut dyn Observer<2>) -> Result<(), StepError> {
        // Taken out, so that the rest of the gas can change while they are walked through.
        let mut strips = std::mem::take(&mut self.strips);
        self.tally.placements += strips.place(&self.particles.position);
        let done =
            (0..strips.count()).try_for_each(|strip| self.collide_strip(&strips, strip, observer));
        self.strips = strips;
        done
    }

    /// Compares the disks of a strip with each other, and with those of the next one.
    fn collide_strip(
        &mut self,
        strips: &Strips,
        strip: usize,
        observer: &mut dyn Observer<2>,
    ) -> Result<(), StepError> {
        let axis = strips.axis_compared();
        let own = strips.members(strip);
        for (n, &i) in own.iter().enumerate() {
            self.meet(i, &own[n + 1..], axis, observer)?;
        }
        if strip + 1 < strips.count() {
            let right = strips.members(strip + 1);
            own.iter().try_for_each(|&i| self.meet(i, right, axis, observer))?;
        }
        Ok(())
    }

    /// Compares disk `i` with `others`, one after the other.
    fn meet(
        &mut self,
        i: u32,
        others: &[u32],
        axis: usize,
        observer: &mut dyn Observer<2>,
    ) -> Result<(), StepError> {
        self.tally.comparisons += others.len() as u64;
        let (place, radius) =
            (self.particles.position[i as usize], self.particles.radius[i as usize]);
        for &j in others {
            let along = place[axis] - self.particles.position[j as usize][axis];
            if along.abs() < radius + self.particles.radius[j as usize] {
                self.look_closer(i, j, observer)?;
            }
        }
        Ok(())
    }

    /// The rest of the web page's `collision`: distance, approach, and the exchange of momentum
    /// along the line of centres.
    fn look_closer(
        &mut self,
        i: u32,
        j: u32,
        observer: &mut dyn Observer<2>,
    ) -> Result<(), StepError> {
        self.tally.distance_tests += 1;
        let (i, j) = (i as usize, j as usize);
        let p = &mut self.particles;
        let apart = p.position[i] - p.position[j];
        let distance = p.radius[i] + p.radius[j];
        let squared = apart.norm_squared();
        if squared >= distance * distance {
            return Ok(());
        }
        self.tally.overlaps += 1;
        let approach = apart.dot(p.velocity[j] - p.velocity[i]);
        // Centres that coincide have no line between them: nothing happens.
        if approach <= 0.0 {
            return Ok(());
        }
        let exchanged = apart * (approach / squared);
        let share = |mass: f64| 2.0 * mass / (self.mass[i] + self.mass[j]);
        p.velocity[i] += exchanged * share(self.mass[j]);
        p.velocity[j] -= exchanged * share(self.mass[i]);
        self.tally.collisions += 1;
        self.tell_collision(i, j, approach / squared.sqrt(), observer)
    }
}
