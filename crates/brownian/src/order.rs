//! Slots in the order of space: neighbours in the box are neighbours in memory. Worth a factor two
//! in large systems, and nothing depends on it, since everything goes by identity. Slots of the
//! dead are closed once an eighth is dead, not at every step; observers that need an order of their
//! own use [`jostle_core::particles::Particles::slots_by_id`].

use rayon::prelude::*;

use super::Brownian;
use super::system::System;
use jostle_core::search::{Broad, GONE};
use jostle_core::space::{Domain, Vector};

/// Steps between two sorts: particles move little in the meantime.
const EVERY: u64 = 256;

/// Smaller systems fit into the cache in any order.
pub(super) const LEAST: usize = 4096;

impl<const D: usize> Brownian<D> {
    /// Puts the slots in order, or closes those of the dead, when it is worth the work.
    pub(super) fn tidy_slots(&mut self) {
        let slots = self.system.particles.len();
        // A particle that ignores every other has no neighbours.
        let due = self.system.clock.step.is_multiple_of(EVERY) && !self.system.groups.is_none();
        if slots >= self.sort_from && due {
            let new_slot = self.system.order_of_space();
            self.renumber(&new_slot);
        } else if self.dead * 8 > slots {
            let new_slot = self.system.order_of_slots();
            self.renumber(&new_slot);
        }
    }

    pub(super) fn renumber(&mut self, new_slot: &[u32]) {
        self.system.particles.renumber(new_slot);
        let new_unit = self.system.clusters.renumber(new_slot, &mut self.system.particles);
        self.plans.timers.renumber(new_slot, &new_unit);
        self.search.renumber(new_slot);
        self.dead = 0;
    }
}

impl<const D: usize> System<D> {
    /// The living, in the order that they are in.
    pub(super) fn order_of_slots(&self) -> Vec<u32> {
        let mut next = 0;
        let number = |&alive: &bool| {
            next += u32::from(alive);
            if alive { next - 1 } else { GONE }
        };
        self.particles.alive.iter().map(number).collect()
    }

    /// The living, along a curve that fills the box.
    fn order_of_space(&self) -> Vec<u32> {
        let p = &self.particles;
        // The place on the curve and the slot in one word; the dead come last.
        let mut order = Vec::new();
        let key = |slot: u32| match p.alive[slot as usize] {
            true => place_on_curve(&self.domain, p.position[slot as usize]) << 32 | u64::from(slot),
            false => u64::MAX,
        };
        (0..p.len() as u32)
            .into_par_iter()
            .with_min_len(LEAST)
            .map(key)
            .collect_into_vec(&mut order);
        order.par_sort_unstable();
        let mut new_slot = vec![GONE; p.len()];
        for (new, key) in order.into_iter().take_while(|&key| key != u64::MAX).enumerate() {
            new_slot[key as u32 as usize] = new as u32;
        }
        new_slot
    }
}

/// The place of a point on Morton's curve through the box, of 32 bits: those of its coordinates
/// taken in turns.
fn place_on_curve<const D: usize>(domain: &Domain<D>, position: Vector<D>) -> u64 {
    let bits = 32 / D as u32;
    let edges = domain.edges();
    // One scale for all axes, so that the curve's cells are cubes in flat boxes too.
    let longest = edges.iter().fold(0.0, |a, b| f64::max(a, *b));
    let cells = (1_u64 << bits) as f64;
    let mut place = 0;
    for k in 0..D {
        let coordinate = (position[k] * (cells / longest)).clamp(0.0, cells - 1.0) as u64;
        for bit in 0..u64::from(bits) {
            place |= (coordinate >> bit & 1) << (bit * D as u64 + k as u64);
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scheduler, Seed, Setup};
    use jostle_core::observe::NoObserver;
    use jostle_core::rules::{Chance, ContactRule, RuleSet, TimedRule};
    use jostle_core::species::Species;
    use jostle_core::state_hash::state_hash;

    /// Particles that coalesce and split, so that slots die and are sorted with the rest.
    fn hash_after(steps: usize, sort_from: usize) -> u64 {
        let species = |name: &str, radius| Species::sphere(name, radius, 0.2);
        let rules = RuleSet {
            contact: vec![ContactRule::coalesce("join", [0, 0], 1, Chance::Probability(0.5))],
            timed: vec![TimedRule::unbind("part", 0, 0.05)],
            ..RuleSet::default()
        };
        let setup = Setup {
            rules,
            scheduler: Scheduler::Queue,
            seed: 5,
            ..Setup::new(
                Domain::new([30.0, 30.0], [true, false]),
                0.5,
                vec![species("A", 0.5), species("AA", 0.7)],
            )
        };
        let starts: Vec<_> = (0..225)
            .map(|n| Seed {
                species: 0,
                position: Vector([1.0 + 2.0 * (n % 15) as f64, 1.0 + 2.0 * (n / 15) as f64]),
            })
            .collect();
        let mut engine = Brownian::<2>::new(setup, &starts).unwrap();
        engine.sort_from = sort_from;
        for _ in 0..steps {
            engine.step(&mut NoObserver).unwrap();
        }
        assert!(engine.tally().unbound > 0);
        state_hash(engine.particles(), engine.clusters())
    }

    #[test]
    fn sorting_the_slots_changes_nothing() {
        assert_eq!(hash_after(600, 0), hash_after(600, usize::MAX));
    }

    #[test]
    fn the_curve_visits_one_quarter_of_the_box_after_the_other() {
        let domain = Domain::new([8.0, 8.0], [true, true]);
        let at = |x, y| place_on_curve(&domain, Vector([x, y]));
        assert!(at(3.9, 3.9) < at(4.1, 0.1));
        assert!(at(7.9, 3.9) < at(0.1, 4.1));
        assert!(at(8.0, 8.0) >= at(7.9, 7.9), "the far corner is in the last cell");
    }
}
