//! Particles become tethered to each other. That moves nothing: the two continue on their paths.

use super::reaction::Reaction;
use super::report::ChangeRecord;
use super::sites::change_states;
use super::touch::Touching;
use super::{Brownian, StepError};
use jostle_core::clusters::{Bond, NO_SITE};
use jostle_core::observe::{ChangeKind, Observer};
use jostle_core::particles::ALONE;
use jostle_core::random::Purpose;
use jostle_core::rules::Decision;

/// Two particles that are due to become tethered, the one with the lower identity first.
pub(super) struct Candidates {
    pub(super) ids: [u64; 2],
    pub(super) slots: [u32; 2],
    /// The moment within the step.
    pub(super) time: f64,
}

impl Candidates {
    /// Tethers them in the way of this number among those of their species, if they are ready for
    /// it: if their sites are free, and no bond makes one of them a part of something rigid.
    pub(super) fn settle<const D: usize>(
        &self,
        engine: &mut Brownian<D>,
        way: usize,
        observer: &mut dyn Observer<D>,
    ) -> Result<(), StepError> {
        let Self { ids, slots, time } = *self;
        let system = &engine.system;
        let species = slots.map(|slot| system.particles.species[slot as usize]);
        let way = system.book.tetherings(species[0], species[1])[way];
        let places = slots.map(|slot| system.place_at(slot, time));
        let decision = system.book.tether(&way, species, &Touching { system, slots, places });
        let is_rigid =
            |&slot: &u32| system.clusters.rigid_unit_of(&system.particles, slot).is_some();
        // A cluster has bonds or tethers, never both: see
        // `jostle_core::clusters::Unit::is_flexible`.
        let decision = decision.filter(|_| !slots.iter().any(is_rigid));
        let key = [system.clock.step, ids[0], ids[1], time.to_bits()];
        let rule = decision.and_then(|decision| decision.rule).unwrap_or_default();
        let mut reaction = Reaction::new(engine, time, rule, (Purpose::Product, key), observer);
        if let Some(decision) = decision {
            self.tether(&mut reaction, decision)?;
            reaction.engine.subdivision += 1;
        }
        // Even if nothing came of it: the wait is keyed by where the paths begin, so new paths are
        // what has the two wait again.
        reaction.continue_on(&slots)
    }

    fn tether<const D: usize>(
        &self,
        reaction: &mut Reaction<'_, D>,
        decision: Decision,
    ) -> Result<(), StepError> {
        let Self { ids, slots, time } = *self;
        let (system, rule) = (&reaction.engine.system, reaction.rule);
        let sites = system.book.joins(decision).unwrap_or([NO_SITE; 2]);
        let changes = system.book.changes(decision);
        let [first, second] = slots.map(|slot| system.particles.unit[slot as usize]);
        if first != ALONE && first == second {
            return reaction.close_ring(first, slots, (sites, changes));
        }
        let before = system.clusters_of(&slots);
        let free = slots.map(|slot| system.party(slot));
        let made = Bond { ids, rule, sites };
        change_states(&mut reaction.engine.system.particles, slots, changes);
        let clusters = reaction.join(slots, made);
        let Brownian { plans, system, tally, .. } = &mut *reaction.engine;
        // One clock, for the two are one unit now.
        plans.restart_clock(system, slots[0], time);
        tally.bound += 1;
        let place = system.place_of_bond(slots, time);
        let record = ChangeRecord {
            products: &slots.map(|slot| system.party(slot)),
            bonds_made: &[made],
            before: &before,
            after: &clusters,
            ..ChangeRecord::of(ChangeKind::Bonded, rule, time, place, &free)
        };
        reaction.tell_change(record)
    }
}

impl<const D: usize> Reaction<'_, D> {
    /// Lets particles continue as they move, on new paths: what they may come to is planned again,
    /// since tethers have been made or broken.
    pub(super) fn continue_on(&mut self, slots: &[u32]) -> Result<(), StepError> {
        for &slot in slots {
            let velocity = self.engine.system.particles.velocity[slot as usize];
            self.engine.redirect(slot, self.time, velocity)?;
        }
        Ok(())
    }
}
