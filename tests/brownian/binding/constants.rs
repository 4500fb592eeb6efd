//! Rates as they are found in the literature give the equilibrium that belongs to them.

use jostle::brownian::Seed;
use jostle::rules::Chance;
use jostle::space::Vector;

use super::COALESCE;
use crate::kinetics::*;

/// One A and one B with k_on at half of 4 pi D R, so that k_a = 2 k_on, and k_off: they are bound
/// K/V as long as they are free, with K = k_on/k_off and V the room that they leave each other.
/// 10 000 cycles each (k_off taken for k_d, which doubles K, fails by 70 standard errors); false
/// alarms 7e-6 each.
#[test]
fn k_on_over_k_off_is_the_equilibrium_constant() {
    timed("macroscopic constants", || {
        let (edge, contact): (f64, f64) = (3.0, 1.0);
        let k_on = 2.0 * std::f64::consts::PI;
        let room = edge.powi(3) - 4.0 / 3.0 * std::f64::consts::PI * contact.powi(3);
        let k_off = k_on / room;
        for (action, seed) in [(COALESCE, 5), (Bind::Bond, 6)] {
            let species = vec![particle("A", 0.4, 0.3), particle("B", 0.6, 0.7), product("C")];
            let particles =
                [0, 1].map(|n| Seed { species: n as u16, position: Vector([1.5 * n as f64; 3]) });
            let rules = binding(action, Chance::Macroscopic(k_on), k_off);
            let mut engine = periodic(edge, 0.02, species, rules, seed, &particles);
            let mut ledger = Ledger::default();
            while engine.tally().unbound < samples(10_000) as u64 {
                engine.step(&mut ledger).expect("a step");
            }
            let (found, error) = ratio(&ledger.cycles());
            hold(&format!("{action:?}: bound over free"), found, error, 1.0, 0.0);
        }
    });
}
