//! Bindings of what is bound already.

use std::f64::consts::PI;

use jostle::brownian::{Brownian, Seed};
use jostle::observe::{Change, ChangeKind, Observer, ObserverError};
use jostle::rules::{Chance, RuleSet, TimedRule};
use jostle::space::Vector;
use jostle::species::Species;

use super::reacting;
use crate::kinetics::*;

/// The share of time that one A and two B spend with no, one and two bindings, against the ratios
/// of their configuration integrals. The second binding happens to a particle that moves as one
/// with the first (a dimer, or the sphere it became), at its own p, with its own k_d'.
struct Shares {
    steps: [f64; 3],
    since: f64,
    bindings: usize,
    blocks: Vec<[f64; 3]>,
}

impl Shares {
    fn watch<const D: usize>(
        engine: &mut Brownian<D>,
        blocks: usize,
        changes: usize,
    ) -> Vec<[f64; 3]> {
        let mut shares = Self { steps: [0.0; 3], since: 0.0, bindings: 0, blocks: Vec::new() };
        for block in 1..=blocks {
            while (engine.tally().unbound as usize) < block * changes {
                engine.step(&mut shares).expect("a step");
            }
            let steps = std::mem::take(&mut shares.steps);
            shares.blocks.push(steps);
        }
        shares.blocks
    }
}

impl<const D: usize> Observer<D> for Shares {
    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        let now = change.step as f64 + change.time;
        self.steps[self.bindings] += now - self.since;
        self.since = now;
        match change.kind {
            ChangeKind::Coalesced | ChangeKind::Bonded => self.bindings += 1,
            ChangeKind::Split | ChangeKind::Unbonded => self.bindings -= 1,
            _ => {}
        }
        Ok(())
    }
}

/// One A and two B, all of diameter 1, in a periodic cube; `weights` are the configuration
/// integrals with no, one and two bindings per unit of K and K².
fn chain(
    what: &str,
    species: Vec<Species>,
    rules: RuleSet,
    edge: f64,
    timestep: f64,
    weights: [f64; 3],
) {
    let at = |x: f64| Vector([x, edge / 2.0, edge / 2.0]);
    let particles =
        [(0, 0.5), (1, 2.0), (1, 3.5)].map(|(species, x)| Seed { species, position: at(x) });
    let mut engine = periodic(edge, timestep, species, rules, 8, &particles);
    let blocks = Shares::watch(&mut engine, 100, samples(400));
    engine.clusters().assert_well_formed(engine.particles());
    for n in [1, 2] {
        let rows: Vec<_> = blocks.iter().map(|block| (block[n], block[0])).collect();
        let (found, error) = ratio(&rows);
        hold(&format!("{what}, {n} bindings to none"), found, error, weights[n] / weights[0], 0.0);
    }
}

/// Three spheres of diameter 1 in a periodic box of volume `v` that is wide enough for their
/// images not to meet twice: the cluster expansion ends with the third virial coefficient.
fn three_spheres(v: f64) -> f64 {
    let b = 4.0 * PI / 3.0;
    v * (v * v - 3.0 * b * v + (3.0 - 15.0 / 32.0) * b * b)
}

/// Two bonds at one particle: B-A-B. The bond that breaks parts a dimer, with a tenth of the
/// mobility of A, from a sphere. 40 000 unbindings in 100 blocks; false alarms 1e-5.
#[test]
fn bonds_in_chains_have_the_equilibrium_of_their_rate_constants() {
    timed("chain of bonds", || {
        let (pair, timestep) = reacting(3, 0.5);
        let (edge, k_a) = (4.5_f64, pair.intrinsic_rate(0.4, 0.125).expect("a probability"));
        let v = edge.powi(3);
        let k = 0.4 * v;
        // A third sphere outside a dimer: two spheres of radius 1 whose centres are 1 apart.
        let dimer_and_sphere = v * (v - (8.0 * PI / 3.0 - 5.0 * PI / 12.0));
        // The second B has three quarters of the sphere around A for itself.
        let weights = [three_spheres(v), 2.0 * k * dimer_and_sphere, 0.75 * k * k * v];
        let species = vec![particle("A", 0.5, 0.9), particle("B", 0.5, 0.1)];
        chain(
            "bonds",
            species,
            binding(Bind::Bond, Chance::Intrinsic(k_a), k_a / k),
            edge,
            timestep,
            weights,
        );
    });
}

/// A + B = C, C + B = E, each with its own rate constants; inside E rests C, and inside C rest A
/// and B. 40 000 unbindings in 100 blocks; false alarms 1e-5.
#[test]
fn coalescence_in_stages_has_the_equilibrium_of_its_rate_constants() {
    timed("coalescence in stages", || {
        let (pair, timestep) = reacting(3, 0.5);
        let (edge, k_a) = (4.5_f64, pair.intrinsic_rate(0.4, 0.125).expect("a probability"));
        let v = edge.powi(3);
        let (k, k_of_second) = (0.4 * v, 0.2 * v);
        let apart = 0.5 + 0.5 * 2_f64.cbrt();
        let sphere_and_whole = v * (v - 4.0 * PI / 3.0 * apart.powi(3));
        let weights = [three_spheres(v), 2.0 * k * sphere_and_whole, 2.0 * k * k_of_second * v];
        let species =
            vec![particle("A", 0.5, 0.9), particle("B", 0.5, 0.1), product("C"), product("E")];
        let bind = |species, product| Bind::Into(product).rule(species, Chance::Intrinsic(k_a));
        let unbind = |of, rate| TimedRule::unbind("unbind", of, rate);
        let rules = RuleSet {
            contact: vec![bind([0, 1], 2), bind([2, 1], 3)],
            timed: vec![unbind(0, k_a / k), unbind(1, k_a / k_of_second)],
            ..RuleSet::default()
        };
        chain("stages", species, rules, edge, timestep, weights);
    });
}
