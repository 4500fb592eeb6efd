//! Which particles exist, kept from the log of changes alone, beside what the frames say.

use std::collections::{BTreeMap, BTreeSet};

use jostle::record::schema::PartyRow;

use super::super::file::{Change, Frame};
use super::super::sketch::{Kind, Sketch};
use super::{Findings, Law};

/// A particle that exists.
#[derive(Clone, Debug, PartialEq)]
struct Being {
    species: i32,
    radius: f64,
    size: u32,
    cluster: i64,
}

/// The energy balance.
pub(crate) struct Population {
    beings: BTreeMap<i64, Being>,
    bonds: BTreeSet<[i64; 2]>,
    /// The identities that may come back out of each particle.
    within: BTreeMap<i64, BTreeSet<i64>>,
    /// All identities that there ever were.
    known: BTreeSet<i64>,
}

impl Population {
    /// As of the first frame.
    pub(super) fn of(frame: &Frame) -> Self {
        let mut population = Self {
            beings: BTreeMap::new(),
            bonds: BTreeSet::new(),
            within: BTreeMap::new(),
            known: frame.particles.iter().map(|particle| particle.id).collect(),
        };
        for particle in &frame.particles {
            let being = Being {
                species: particle.species,
                radius: particle.radius,
                size: particle.size,
                cluster: particle.cluster,
            };
            population.beings.insert(particle.id, being);
        }
        population
    }

    pub(super) fn is_alive(&self, id: i64) -> bool {
        self.beings.contains_key(&id)
    }

    /// Those that are in a particle and may come out, with it.
    pub(super) fn within(&self) -> impl Iterator<Item = (i64, &BTreeSet<i64>)> {
        self.within.iter().map(|(host, inside)| (*host, inside))
    }

    /// Writes a change into the record; returns all that it was about, those within others too.
    pub(super) fn apply(
        &mut self,
        change: &Change,
        sketch: &Sketch,
        kinds: &[Kind],
        findings: &mut Findings,
    ) -> BTreeSet<i64> {
        parts(change, sketch, kinds, findings);
        let mut concerned = self.members_of(&change.before);
        let mut pool = BTreeSet::new();
        for party in &change.reactants {
            let Some(being) = self.beings.remove(&party.id) else {
                findings.breach(Law::Replay, || format!("{} is not there: {change:?}", party.id));
                continue;
            };
            if (being.species, being.radius, being.size)
                != (party.species, party.radius, party.size)
            {
                findings.breach(Law::Replay, || {
                    format!("{being:?} is said to be {party:?}: {change:?}")
                });
            }
            pool.insert(party.id);
            pool.extend(self.within.remove(&party.id).unwrap_or_default());
        }
        let mut all = pool.clone();
        for party in &change.products {
            self.enter(party, &mut pool, change, findings);
            concerned.insert(party.id);
            all.insert(party.id);
        }
        for party in change.products.iter().filter(|party| party.size > 1) {
            self.within.insert(party.id, pool.clone());
        }
        for bond in &change.broken {
            if !self.bonds.remove(bond) {
                findings.breach(Law::Replay, || format!("there is no bond {bond:?}: {change:?}"));
            }
        }
        for bond in &change.made {
            if bond[0] >= bond[1] || !self.bonds.insert(*bond) {
                findings.breach(Law::Replay, || format!("there is a bond {bond:?}: {change:?}"));
            }
        }
        self.share_clusters(concerned, change, findings);
        all
    }

    /// A product comes to be: it continues, it comes out of a reactant, or it is new.
    fn enter(
        &mut self,
        party: &PartyRow,
        pool: &mut BTreeSet<i64>,
        change: &Change,
        findings: &mut Findings,
    ) {
        let id = party.id;
        if self.beings.contains_key(&id) {
            findings.breach(Law::Identity, || format!("{id} is there already: {change:?}"));
        } else if !pool.contains(&id) && self.known.contains(&id) {
            findings.breach(Law::Identity, || format!("{id} comes back from nowhere: {change:?}"));
        }
        self.known.insert(id);
        pool.remove(&id);
        self.within.values_mut().for_each(|inside| {
            inside.remove(&id);
        });
        let being =
            Being { species: party.species, radius: party.radius, size: party.size, cluster: -1 };
        self.beings.insert(id, being);
    }

    fn members_of(&self, clusters: &[i64]) -> BTreeSet<i64> {
        let members = self.beings.iter().filter(|(_, being)| clusters.contains(&being.cluster));
        members.map(|(id, _)| *id).collect()
    }

    /// Gives the components of those concerned their clusters, the one with the lowest identity
    /// first.
    fn share_clusters(
        &mut self,
        mut concerned: BTreeSet<i64>,
        change: &Change,
        findings: &mut Findings,
    ) {
        let mut after = change.after.iter();
        while let Some(id) = concerned.pop_first() {
            if !self.is_alive(id) {
                continue;
            }
            let Some(&cluster) = after.next() else {
                findings.breach(Law::Replay, || format!("too few clusters: {change:?}"));
                return;
            };
            let mut left = vec![id];
            while let Some(id) = left.pop() {
                self.beings.entry(id).and_modify(|being| being.cluster = cluster);
                let bonds = self.bonds.iter().filter(|bond| bond.contains(&id));
                left.extend(
                    bonds.map(|bond| bond[0] + bond[1] - id).filter(|id| concerned.remove(id)),
                );
            }
        }
        if after.next().is_some() {
            findings.breach(Law::Replay, || format!("too many clusters: {change:?}"));
        }
    }

    /// Holds a frame to the energy balance.
    pub(super) fn compare(&self, frame: &Frame, findings: &mut Findings) {
        let step = frame.step;
        if let Some(pair) = frame.particles.windows(2).find(|pair| pair[0].id == pair[1].id) {
            findings
                .breach(Law::Identity, || format!("step {step}: twice {}: {pair:?}", pair[0].id));
        }
        let being = |particle: &super::super::file::Particle| {
            let super::super::file::Particle { species, radius, size, cluster, .. } = *particle;
            (particle.id, Being { species, radius, size, cluster })
        };
        let shown: BTreeMap<i64, Being> = frame.particles.iter().map(being).collect();
        if shown != self.beings {
            findings.breach(Law::Replay, || {
                let ids: BTreeSet<i64> = shown.keys().chain(self.beings.keys()).copied().collect();
                let differs = ids.into_iter().find(|id| shown.get(id) != self.beings.get(id));
                let id = differs.unwrap_or(-1);
                format!(
                    "step {step}: particle {id} is {:?}, by the log {:?}",
                    shown.get(&id),
                    self.beings.get(&id)
                )
            });
        }
        let id_in = |slot: i32| {
            frame
                .particles
                .iter()
                .find(|particle| particle.slot == slot as usize)
                .map(|particle| particle.id)
        };
        let pairs = frame.bonds.iter().map(|pair| pair.map(|slot| id_in(slot).unwrap_or(-1)));
        let bonds: BTreeSet<[i64; 2]> = pairs.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        if bonds != self.bonds {
            let differ = bonds.symmetric_difference(&self.bonds).next();
            findings.breach(Law::Replay, || {
                format!(
                    "step {step}: {} bonds, by the log {}: {differ:?}",
                    bonds.len(),
                    self.bonds.len()
                )
            });
        }
        self.compare_counts(frame, findings);
    }

    fn compare_counts(&self, frame: &Frame, findings: &mut Findings) {
        let mut count = vec![0; frame.count.len()];
        let mut sizes: BTreeMap<i64, i64> = BTreeMap::new();
        for being in self.beings.values() {
            count[being.species as usize] += 1;
            *sizes.entry(being.cluster).or_default() += i64::from(being.size);
        }
        let largest = sizes.values().copied().max().unwrap_or(0);
        let found = (&frame.count, frame.clusters, frame.largest_cluster);
        if found != (&count, sizes.len() as i64, largest) {
            findings.breach(Law::Replay, || {
                let by_log = (count, sizes.len(), largest);
                format!(
                    "step {}: counts, clusters and the largest are {found:?}, by the log {by_log:?}",
                    frame.step
                )
            });
        }
    }
}

/// Whether a change keeps the number of parts.
fn parts(change: &Change, sketch: &Sketch, kinds: &[Kind], findings: &mut Findings) {
    let sum = |parties: &[PartyRow]| parties.iter().map(|party| party.size).sum::<u32>();
    let keeps =
        ["coalesced", "bonded", "split", "unbonded", "fragmented"].contains(&change.kind.as_str());
    if keeps && sum(&change.reactants) != sum(&change.products) {
        findings.breach(Law::Parts, || format!("{change:?}"));
    }
    // A particle that changes its state only, holds what it held.
    let species = |party: &PartyRow| sketch.species[kinds[party.species as usize].species].name;
    let count = |parties: &[PartyRow]| parties.len();
    if change.kind != "converted" || count(&change.products) > count(&change.reactants) {
        return;
    }
    for product in &change.products {
        let before = change.reactants.iter().find(|reactant| reactant.id == product.id);
        let same = before.filter(|reactant| species(reactant) == species(product));
        if same.is_some_and(|reactant| reactant.size != product.size) {
            findings.breach(Law::Parts, || format!("{} of {change:?}", product.id));
        }
    }
}
