//! The population, kept from the changes alone, against the population itself.

use std::collections::{BTreeMap, BTreeSet};

use jostle::brownian::{Brownian, Scheduler};
use jostle::clusters::Bond;
use jostle::observe::{Change, Observer, ObserverError, View};
use jostle::search::{Kind, Settings};

use crate::everything::{Large, particles, rules, setup};
use crate::kinetics::samples;

/// Which particles exist, what they are and which are bonded to which.
#[derive(Clone, Debug, Default, PartialEq)]
struct Population {
    species: BTreeMap<u64, u16>,
    bonds: BTreeSet<[u64; 2]>,
    cluster: BTreeMap<u64, u64>,
}

impl Population {
    fn of<const D: usize>(view: &View<'_, D>) -> Self {
        let (p, clusters) = (view.particles, view.clusters);
        let mut population = Self::default();
        for slot in p.slots_by_id() {
            population.species.insert(p.id[slot as usize], p.species[slot as usize]);
            population.cluster.insert(p.id[slot as usize], clusters.id_of(p, slot));
        }
        population.bonds.extend(clusters.bonds().map(|bond| bond.ids));
        population
    }

    fn apply<const D: usize>(&mut self, change: &Change<'_, D>) {
        let before = |(_, cluster): &(&u64, &u64)| change.clusters_before.contains(cluster);
        let mut concerned: BTreeSet<u64> =
            self.cluster.iter().filter(before).map(|(id, _)| *id).collect();
        for party in change.reactants {
            assert_eq!(self.species.remove(&party.id), Some(party.species), "{change:?}");
        }
        for party in change.products {
            let former = self.species.insert(party.id, party.species);
            assert!(former.is_none(), "{} appears twice: {change:?}", party.id);
            concerned.insert(party.id);
        }
        for Bond { ids, .. } in change.bonds_broken {
            assert!(self.bonds.remove(ids), "{change:?}");
        }
        for Bond { ids, .. } in change.bonds_made {
            assert!(ids[0] < ids[1] && self.bonds.insert(*ids), "{change:?}");
        }
        let mut after = change.clusters_after.iter();
        while let Some(id) = concerned.pop_first() {
            if !self.species.contains_key(&id) {
                self.cluster.remove(&id);
                continue;
            }
            let cluster = *after.next().unwrap_or_else(|| panic!("{change:?}"));
            let mut left = vec![id];
            while let Some(id) = left.pop() {
                self.cluster.insert(id, cluster);
                let joined = self.bonds.iter().filter(|ids| ids.contains(&id));
                left.extend(
                    joined.map(|ids| ids[0] + ids[1] - id).filter(|id| concerned.remove(id)),
                );
            }
        }
        assert_eq!(after.next(), None, "{change:?}");
    }
}

/// Keeps account of the population, and holds them to the population after each step.
struct Auditor<const D: usize> {
    population: Population,
    pass: Vec<[u16; 2]>,
    closest: f64,
}

impl<const D: usize> Observer<D> for Auditor<D> {
    fn change(&mut self, change: &Change<'_, D>) -> Result<(), ObserverError> {
        self.population.apply(change);
        Ok(())
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        assert_eq!(self.population, Population::of(view), "step {}", view.clock.step);
        view.clusters.assert_well_formed(view.particles);
        let p = view.particles;
        let slots = p.slots_by_id();
        for (n, &i) in slots.iter().enumerate() {
            let i = i as usize;
            for k in (0..D).filter(|&k| !view.domain.is_periodic(k)) {
                let room =
                    p.position[i][k].min(view.domain.edges()[k] - p.position[i][k]) - p.radius[i];
                assert!(room > -1e-9, "{} sticks out of the box by {}", p.id[i], -room);
            }
            for &j in &slots[..n] {
                let j = j as usize;
                let pair = [p.species[i], p.species[j]];
                let passes =
                    self.pass.iter().any(|pass| *pass == pair || [pass[1], pass[0]] == pair);
                if !passes {
                    let apart = view.domain.nearest_image(p.position[i] - p.position[j]).norm();
                    self.closest = self.closest.min(apart - p.radius[i] - p.radius[j]);
                }
            }
        }
        assert!(self.closest > -1e-9, "step {}: an overlap of {}", view.clock.step, -self.closest);
        Ok(())
    }
}

fn audit<const D: usize>(periodic: [bool; D], per_axis: usize) {
    let steps = samples(300);
    let search = Settings { kind: Kind::Cubic, ..Settings::default() };
    let setup = setup(&search, Scheduler::Queue, periodic, 1.75 * per_axis as f64);
    let mut engine =
        Brownian::new(setup, particles::<D>(per_axis, 1.75, Large::One)).expect("a valid start");
    let pass = rules()
        .contact
        .iter()
        .filter(|rule| !rule.action.reacts())
        .map(|r| r.cases[0].species)
        .collect();
    let mut auditor =
        Auditor::<D> { population: Population::of(&engine.view()), pass, closest: f64::INFINITY };
    for _ in 0..steps {
        engine.step(&mut auditor).expect("a step");
    }
    let tally = engine.tally();
    println!("{D}D, {steps} steps: {tally:?}; closest {:.1e}", auditor.closest);
    let counts =
        [tally.bound, tally.unbound, tally.converted, tally.cut, tally.created, tally.divided];
    assert!(counts.iter().all(|&count| count > 3), "too little happens: {tally:?}");
    assert!(tally.rotations[0] > 15 && tally.rotations[1] > tally.rotations[0] / 10, "{tally:?}");
    assert_eq!(tally.late, 0);
}

/// 300 steps of about 120 particles, with every rule that there is.
#[test]
fn changes_tell_everything_and_no_particle_overlaps() {
    audit([true, true], 12);
    audit([false, true], 12);
    audit([true, false, true], 6);
}
