//! Settling one event: a contact of two particles, a contact with a wall, something due in time.

use super::plan::Due;
use super::reaction::{Reaction, outcome_of_motion};
use super::shells::{Encounters, Meeting};
use super::surfaces::Impact;
use super::system::System;
use super::tether::Candidates;
use super::touch::{Approach, Touched};
use super::{Brownian, StepError};
use jostle_core::observe::{Contact, Observer, Outcome};
use jostle_core::rules::Action;
use jostle_core::space::Vector;

/// How often a particle's path may change in one step.
pub(super) const BUDGET: u32 = 10_000;

impl<const D: usize> Brownian<D> {
    /// Carries out what is due.
    pub(super) fn settle(
        &mut self,
        time: f64,
        due: Due,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        self.system.now = time;
        match due {
            Due::Contact { ids, slots } => return self.meet(time, ids, slots, observer),
            Due::Wall { wall, slot, .. } => {
                Impact { engine: self, observer, time, slot }.settle(wall)?
            }
            Due::Clock { owner } => self.ring(time, owner, observer)?,
            Due::Date(date) => self.keep_date(time, date, observer)?,
        }
        // A particle that lives on a round surface turns all the time, and one beside a surface may bounce off
        // its energy; these are no events of their own.
        let is_event = !matches!(due, Due::Wall { wall, .. } if !wall.is_touched());
        self.subdivision += u32::from(is_event);
        Ok(())
    }

    /// Two particles touch, or come to the edge of a shell, which is no event of its own either.
    fn meet(
        &mut self,
        time: f64,
        ids: [u64; 2],
        slots: [u32; 2],
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let system = &self.system;
        let path = |slot| system.particles.path(slot);
        let pair = Approach { ids, slots, paths: slots.map(path) };
        match Encounters(system).meet(&pair, time) {
            Some(Meeting::Touch(touched)) => {
                self.tally.contacts += 1;
                self.tally.short_of_rate += u64::from(touched.decision.short);
                if !matches!(touched.decision.action, Action::Pass | Action::Ignore) {
                    let virial =
                        Encounters(system).virial(&pair, &touched.touch, touched.impulse, path);
                    self.tally.virial = self.tally.virial.wrapping_add(virial);
                }
                self.execute(&touched, observer)?;
                self.subdivision += 1;
                Ok(())
            }
            Some(Meeting::Edge(edge)) => {
                self.tally.edges += 1;
                let virial = Encounters(system).virial(&pair, &edge.touch, edge.impulse, path);
                self.tally.virial = self.tally.virial.wrapping_add(virial);
                let subdivision = self.subdivision;
                let report =
                    Contact { subdivision, ..Encounters(system).edge_report(&pair, &edge) };
                system.tell_contact(observer, report)?;
                self.take_paths(slots, time, edge.velocities)
            }
            Some(Meeting::Tether(way)) => {
                Candidates { ids, slots, time }.settle(self, way, observer)
            }
            None => {
                debug_assert!(false, "a planned contact is a function of the two paths alone");
                Ok(())
            }
        }
    }

    /// Lets a contact have its consequence, and reports it.
    fn execute(
        &mut self,
        touched: &Touched<D>,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let Touched { ref touch, decision, velocities, .. } = *touched;
        let report =
            Contact { subdivision: self.subdivision, ..self.system.contact_report(touched) };
        // Most contacts change no particle. They are not made a reaction, since its random numbers, of which
        // they need none, would take longer than all the rest of a bounce.
        if !decision.action.reacts() {
            let outcome = outcome_of_motion(decision.action);
            return touched.conclude(self, Contact { outcome, ..report }, observer);
        }
        let rule = decision.rule.unwrap_or_default();
        let mut reaction = Reaction::of_touch(self, touch, rule, observer);
        let outcome = if matches!(decision.action, Action::Cut(_)) {
            // The enzyme bounces off, whatever becomes of what it met.
            reaction.engine.take_paths(touch.slots, touch.time, velocities)?;
            match reaction.engine.system.can_be_cut(touch, decision) {
                true => reaction.react(touch, decision)?,
                false => Outcome::Bounced,
            }
        } else {
            reaction.react(touch, decision)?
        };
        touched.conclude(reaction.engine, Contact { outcome, ..report }, reaction.observer)?;
        reaction.settle_released()
    }

    /// Gives two particles, and all that move with them, new velocities from `time` on.
    fn take_paths(
        &mut self,
        slots: [u32; 2],
        time: f64,
        velocities: [Vector<D>; 2],
    ) -> Result<(), StepError> {
        let mut both = slots.into_iter().zip(velocities);
        both.try_for_each(|(slot, velocity)| self.take_path(slot, time, velocity))
    }

    /// Gives the particle in `slot`, and all that move with it, a new velocity from `time` on.
    pub(super) fn redirect(
        &mut self,
        slot: u32,
        time: f64,
        velocity: Vector<D>,
    ) -> Result<(), StepError> {
        let place = self.system.place_at(slot, time);
        let velocity = self.system.along_surfaces(slot, place, velocity, time);
        self.take_path(slot, time, velocity)
    }

    /// The same with a velocity that is along the surfaces that they are confined to.
    fn take_path(&mut self, slot: u32, time: f64, velocity: Vector<D>) -> Result<(), StepError> {
        let System { clusters, particles, .. } = &self.system;
        match clusters.rigid_unit_of(particles, slot) {
            None => self.rebase(slot, time, velocity),
            Some(unit) => {
                let members = unit.members.clone();
                members.iter().try_for_each(|&member| self.rebase(member, time, velocity))
            }
        }
    }

    /// Starts a new path of one particle where its old one is at `time`. Nothing else ever touches
    /// a path within a step.
    fn rebase(&mut self, slot: u32, time: f64, velocity: Vector<D>) -> Result<(), StepError> {
        let i = slot as usize;
        let p = &mut self.system.particles;
        p.position[i] += p.velocity[i] * (time - p.since[i]);
        p.since[i] = time;
        p.velocity[i] = velocity;
        self.void_plans(slot);
        if self.scratch.busy[i] > BUDGET {
            return Err(self.system.wedged(slot));
        }
        Ok(())
    }

    /// What was planned for a particle does not hold any more.
    pub(super) fn void_plans(&mut self, slot: u32) {
        self.scratch.changed.push(slot);
        self.scratch.busy[slot as usize] += 1;
    }
}

impl<const D: usize> Touched<D> {
    /// Sends the two on their ways, counts the contact and reports it.
    fn conclude(
        &self,
        engine: &mut Brownian<D>,
        report: Contact<D>,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let Self { ref touch, decision, velocities, .. } = *self;
        match report.outcome {
            Outcome::Bounced | Outcome::Refused if !matches!(decision.action, Action::Cut(_)) => {
                engine.take_paths(touch.slots, touch.time, velocities)?
            }
            // Their paths stay, so a rescan would find the same contact again, for ever.
            Outcome::Passed => engine.scratch.passed.push((touch.ids, touch.time.to_bits())),
            _ => {}
        }
        engine.tally.count(report.outcome);
        engine.system.tell_contact(observer, report)
    }
}
