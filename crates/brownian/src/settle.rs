//! Settling one event: a contact of two bodies, a contact with a wall, something due in time.

use super::bodies::rebound;
use super::plan::Due;
use super::{Brownian, StepError};
use jostle_core::environment::Wall;
use jostle_core::narrow::first_contact;
use jostle_core::observe::{Observer, Outcome};
use jostle_core::particles::{ALONE, Particles};
use jostle_core::random::Purpose;
use jostle_core::rules::{Action, Decision, Region};
use jostle_core::space::Vector;

/// How often a body's path may change in one step.
pub(super) const BUDGET: u32 = 10_000;

/// Two bodies at the moment they touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch<const D: usize> {
    /// The body with the lower identity, and the other.
    pub slots: [u32; 2],
    pub ids: [u64; 2],
    pub time: f64,
    /// From the first body's centre to the second's touching image. \[nm\]
    pub separation: Vector<D>,
}

impl<const D: usize> Touch<D> {
    /// What makes this contact different from all others: a key for its random numbers. The bits of its time
    /// do as well as a count of how often the pair has met, and nothing has to be counted.
    pub(super) fn key(&self, step: u64) -> [u64; 4] {
        [step, self.ids[0], self.ids[1], self.time.to_bits()]
    }

    /// The unit vector from the first centre to the second.
    pub(super) fn normal(&self) -> Vector<D> {
        self.separation * (1.0 / self.separation.norm())
    }
}

impl<const D: usize> Brownian<D> {
    /// Carries out what is due.
    pub(super) fn settle(
        &mut self,
        time: f64,
        due: Due,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        self.now = time;
        match due {
            Due::Contact { ids, slots } => self.touch(time, ids, slots, observer)?,
            Due::Wall { wall, slot, .. } => self.hit_wall(time, slot, wall, observer)?,
            Due::Clock { owner } => self.ring(time, owner, observer)?,
            Due::Date(date) => self.keep_date(time, date, observer)?,
        }
        // Who lives on a round surface turns all the time; that is no event of its own.
        let turns = matches!(due, Due::Wall { wall: Wall::Turn, .. });
        self.subdivision += u32::from(!turns);
        Ok(())
    }

    fn touch(
        &mut self,
        time: f64,
        ids: [u64; 2],
        slots: [u32; 2],
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let [i, j] = slots.map(|slot| slot as usize);
        let decision = self.decide(time, ids, slots, slots.map(|slot| self.place_at(slot, time)));
        let paths = self.particles.paths(&self.domain, &self.groups);
        let hard = !self.book.pass(self.particles.species[i], self.particles.species[j]);
        let Some(contact) = first_contact(&paths, i, j, 1.0, hard) else {
            debug_assert!(false, "a planned contact is a function of the two paths alone");
            return Ok(());
        };
        let touch = Touch { slots, ids, time, separation: contact.separation };
        self.tally.contacts += 1;
        self.tally.short_of_rate += u64::from(decision.short);
        self.carry_out(touch, decision, observer)
    }

    /// What a contact at `time` of two bodies at these `places` is to lead to.
    pub(super) fn decide(
        &self,
        time: f64,
        ids: [u64; 2],
        slots: [u32; 2],
        places: [Vector<D>; 2],
    ) -> Decision {
        let [i, j] = slots.map(|slot| slot as usize);
        let p = &self.particles;
        if self.environment.has_homes() && !self.face_each_other(slots, places) {
            return Decision::BOUNCE;
        }
        let distance = p.radius[i] + p.radius[j];
        let diffusion = [p.diffusion_coefficient[i], p.diffusion_coefficient[j]];
        let key = [self.clock.step, ids[0], ids[1], time.to_bits()];
        let standing = || slots.map(|slot| self.standing(slot));
        let touched =
            || places[0] + self.domain.nearest_image(places[1] - places[0]) * (p.radius[i] / distance);
        let here = |region: &Region| self.is_in(region, touched());
        let fate = || self.random.uniform(Purpose::Fate, key);
        self.book.decide([p.species[i], p.species[j]], distance, diffusion, standing, here, fate)
    }

    /// How much a push moves the body in `slot`: see [`jostle_core::motion::Motion::mobility`].
    #[inline]
    pub(super) fn mobility_of(&self, slot: u32) -> f64 {
        let (p, i) = (&self.particles, slot as usize);
        self.motion.mobility(p.species[i], p.diffusion_coefficient[i])
    }

    /// Lets a contact have its consequence, and reports it.
    fn carry_out(
        &mut self,
        touch: Touch<D>,
        decision: Decision,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let paths = self.particles.paths(&self.domain, &self.groups);
        let both = touch.slots.map(|slot| paths.path(slot as usize));
        let report = self.contact_report(&touch, [&both[0], &both[1]], decision.rule);
        let rule = decision.rule.unwrap_or_default();
        let or_refused = |done: bool, outcome| if done { outcome } else { Outcome::Refused };
        let outcome = match decision.action {
            Action::Bounce => Outcome::Bounced,
            Action::Pass | Action::Ignore => Outcome::Passed,
            Action::Bond => {
                self.bond(&touch, rule, observer)?;
                Outcome::Bound
            }
            Action::Coalesce => or_refused(self.coalesce(&touch, decision, observer)?, Outcome::Bound),
            Action::Convert => or_refused(self.convert_pair(&touch, decision, observer)?, Outcome::Converted),
            Action::Cut(_) if !self.can_be_cut(&touch, decision) => Outcome::Bounced,
            Action::Cut(_) => {
                // The enzyme bounces off, whatever becomes of what it met.
                self.bounce(&touch)?;
                or_refused(self.cut_by_contact(&touch, decision, observer)?, Outcome::Cut)
            }
        };
        match outcome {
            Outcome::Bounced => self.bounce(&touch)?,
            Outcome::Refused if !matches!(decision.action, Action::Cut(_)) => self.bounce(&touch)?,
            Outcome::Passed => self.passed.push((touch.ids, touch.time.to_bits())),
            Outcome::Bound => self.tally.bound += 1,
            Outcome::Refused | Outcome::Converted | Outcome::Cut | Outcome::Absorbed => {}
        }
        self.tally.refused += u64::from(outcome == Outcome::Refused);
        self.tell_contact(observer, || jostle_core::observe::Contact { outcome, ..report })
    }

    /// An elastic collision with effective masses 1/D. Within the step the bodies then follow a
    /// Hamiltonian flow whose velocities were drawn from the matching Maxwell distribution, so that
    /// the equilibrium of hard spheres is sampled exactly at any time step. Bodies that fly have their
    /// real masses.
    fn bounce(&mut self, touch: &Touch<D>) -> Result<(), StepError> {
        let [i, j] = touch.slots.map(|slot| slot as usize);
        let normal = touch.normal();
        let Particles { velocity, since, .. } = &self.particles;
        let mobility = touch.slots.map(|slot| self.mobility_of(slot));
        let gives = self.gives(touch.slots, touch.time, normal);
        let since = [since[i], since[j]];
        let [v_i, v_j] = rebound([velocity[i], velocity[j]], normal, gives, mobility, touch.time, since);
        self.redirect(touch.slots[0], touch.time, v_i)?;
        self.redirect(touch.slots[1], touch.time, v_j)
    }

    /// Gives the body in `slot`, and all that move with it, a new velocity from `time` on.
    pub(super) fn redirect(&mut self, slot: u32, time: f64, velocity: Vector<D>) -> Result<(), StepError> {
        let velocity = self.along_surfaces(slot, time, velocity);
        match self.particles.unit[slot as usize] {
            ALONE => self.rebase(slot, time, velocity),
            unit => {
                let members = self.clusters.unit(unit).members.clone();
                members.iter().try_for_each(|&member| self.rebase(member, time, velocity))
            }
        }
    }

    /// Starts a new path of one body where its old one is at `time`. Nothing else ever touches a
    /// path within a step.
    fn rebase(&mut self, slot: u32, time: f64, velocity: Vector<D>) -> Result<(), StepError> {
        let i = slot as usize;
        let p = &mut self.particles;
        p.position[i] += p.velocity[i] * (time - p.since[i]);
        p.since[i] = time;
        p.velocity[i] = velocity;
        self.changed.push(slot);
        self.busy[i] += 1;
        if self.busy[i] > BUDGET {
            return Err(self.wedged(slot));
        }
        Ok(())
    }

    /// The body in `slot` chatters without end.
    pub(super) fn wedged(&self, slot: u32) -> StepError {
        StepError::Wedged { step: self.clock.step, id: self.particles.id[slot as usize], budget: BUDGET }
    }
}
