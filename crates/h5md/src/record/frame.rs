//! One frame: the state of the particles, put in the order of the file's slots.

use super::slots::Slots;
use jostle_core::clusters::Unit;
use jostle_core::observe::View;
use jostle_core::particles::ALONE;

/// One frame; an entry per file slot unless said otherwise.
#[derive(Default)]
pub(super) struct Frame {
    /// Three numbers a slot; NaN where a slot is empty. \[nm\]
    pub(super) position: Vec<f64>,
    /// Three numbers a slot; no entries at all if every particle is in its first image.
    pub(super) image: Vec<i32>,
    /// -1 where a slot is empty.
    pub(super) id: Vec<i64>,
    /// -1 where a slot is empty.
    pub(super) cluster: Vec<i64>,
    /// How many particles have coalesced into this one, 0 for one that is whole from the start; no
    /// entries at all if none has.
    pub(super) coalesced: Vec<i32>,
    /// Pairs of slots, in the order of the particles' identities.
    pub(super) bonds: Vec<i32>,
    /// How many clusters there are; a particle alone is one.
    pub(super) clusters: i64,
    /// How many particles the largest cluster holds, those that have coalesced counted one by one.
    pub(super) largest_cluster: i64,
    /// Particles per species.
    count: Vec<i64>,
}

impl Frame {
    /// What it holds of each particle. \[bytes\]
    pub(super) const EACH: usize =
        size_of::<[f64; 3]>() + size_of::<[i32; 3]>() + size_of::<[i64; 2]>();

    /// Takes in a state whose particles have been given their slots.
    pub(super) fn gather<const D: usize>(&mut self, view: &View<'_, D>, slots: &Slots) {
        self.clear(slots.len());
        let (particles, clusters) = (view.particles, view.clusters);
        let mut moved = false;
        for i in (0..particles.len()).filter(|&i| particles.alive[i]) {
            let slot = slots.last()[i] as usize;
            for k in 0..3 {
                self.position[3 * slot + k] = if k < D { particles.position[i][k] } else { 0.0 };
            }
            for k in 0..D {
                self.image[3 * slot + k] = particles.image[i][k];
                moved |= particles.image[i][k] != 0;
            }
            self.id[slot] = particles.id[i] as i64;
            self.cluster[slot] = clusters.id_of(particles, i as u32) as i64;
            let species = particles.species[i] as usize;
            if species >= self.count.len() {
                self.count.resize(species + 1, 0);
            }
            self.count[species] += 1;
        }
        if !moved {
            self.image.clear();
        }
        self.gather_coalesced(view, slots);
        self.gather_clusters(view, slots);
    }

    /// Particles per species, for exactly `species` of them.
    pub(super) fn count(&mut self, species: usize) -> &[i64] {
        self.count.resize(species, 0);
        &self.count
    }

    fn clear(&mut self, slots: usize) {
        fn fill<T: Clone>(list: &mut Vec<T>, count: usize, value: T) {
            list.clear();
            list.resize(count, value);
        }
        fill(&mut self.position, 3 * slots, f64::NAN);
        fill(&mut self.image, 3 * slots, 0);
        fill(&mut self.id, slots, -1);
        fill(&mut self.cluster, slots, -1);
        self.coalesced.clear();
        self.bonds.clear();
        self.count.fill(0);
    }

    fn gather_coalesced<const D: usize>(&mut self, view: &View<'_, D>, slots: &Slots) {
        if view.clusters.wholes.is_empty() {
            return;
        }
        self.coalesced.resize(slots.len(), 0);
        for (&id, whole) in &view.clusters.wholes {
            if let Some(slot) = slots.of(id) {
                self.coalesced[slot as usize] = whole.size() as i32;
            }
        }
    }

    fn gather_clusters<const D: usize>(&mut self, view: &View<'_, D>, slots: &Slots) {
        let (particles, clusters) = (view.particles, view.clusters);
        let alone = |i: &usize| particles.alive[*i] && particles.unit[*i] == ALONE;
        let whole = |slot: usize| self.coalesced.get(slot).map_or(1, |&n| n.max(1) as i64);
        let (mut count, mut largest) = (0, 0);
        for i in (0..particles.len()).filter(alone) {
            count += 1;
            largest = largest.max(whole(slots.last()[i] as usize));
        }
        for Unit { members, .. } in clusters.units.iter().flatten() {
            let sizes = members.iter().map(|&i| whole(slots.last()[i as usize] as usize));
            count += 1;
            largest = largest.max(sizes.sum());
        }
        self.clusters = count;
        self.largest_cluster = largest;
        let mut bonds: Vec<[u64; 2]> = clusters.bonds().map(|bond| bond.ids).collect();
        bonds.sort_unstable();
        for ids in bonds {
            if let [Some(a), Some(b)] = ids.map(|id| slots.of(id)) {
                self.bonds.extend([a as i32, b as i32]);
            }
        }
    }
}
