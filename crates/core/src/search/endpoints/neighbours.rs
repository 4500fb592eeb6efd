//! Which particles overlap: one short list per particle.

use smallvec::SmallVec;

/// Symmetric lists: a particle that is in the list of another has the other in his own.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    /// Most boxes overlap fewer than four others. \[particle\]
    lists: Vec<SmallVec<[NeighbourEntry; 4]>>,
}

#[derive(Clone, Copy, Debug)]
struct NeighbourEntry {
    particle: u32,
    /// Where the list of that particle has the entry that belongs to this one, so that nothing has
    /// to be sought in the long list of a large particle.
    back: u32,
}

impl Neighbours {
    /// What is held of each particle that has few. \[bytes\]
    pub const EACH: usize = size_of::<SmallVec<[NeighbourEntry; 4]>>();

    /// No particle is next to any particle.
    pub fn new(particles: usize) -> Self {
        Self { lists: vec![SmallVec::new(); particles] }
    }

    /// Makes room for so many particles.
    pub fn cover(&mut self, particles: usize) {
        self.lists.resize(particles, Default::default());
    }

    /// The lists of the same particles under other names, without those that have none.
    pub fn renamed(&self, particles: usize, new_name: impl Fn(u32) -> Option<u32>) -> Self {
        let mut renamed = Self::new(particles);
        for old in 0..self.lists.len() as u32 {
            for other in self.of(old).filter(|&other| other < old) {
                if let (Some(i), Some(j)) = (new_name(old), new_name(other)) {
                    renamed.add([i, j]);
                }
            }
        }
        renamed
    }

    /// The neighbours of `particle`.
    pub fn of(&self, particle: u32) -> impl Iterator<Item = u32> + '_ {
        self.lists[particle as usize].iter().map(|entry| entry.particle)
    }

    /// How many particles there is room for.
    pub fn count(&self) -> usize {
        self.lists.len()
    }

    /// Whether a pair are neighbours.
    pub fn has(&self, pair: [u32; 2]) -> bool {
        self.find(pair).is_some()
    }

    /// Makes neighbours of a pair; says whether they were none before.
    pub fn add(&mut self, pair: [u32; 2]) -> bool {
        if self.find(pair).is_some() {
            return false;
        }
        let places = pair.map(|particle| self.lists[particle as usize].len() as u32);
        for (mine, other) in [(0, 1), (1, 0)] {
            let entry = NeighbourEntry { particle: pair[other], back: places[other] };
            self.lists[pair[mine] as usize].push(entry);
        }
        true
    }

    /// Parts a pair; says whether they were neighbours.
    pub fn remove(&mut self, pair: [u32; 2]) -> bool {
        let Some(places) = self.find(pair) else { return false };
        for (particle, place) in pair.into_iter().zip(places) {
            self.drop_entry(particle, place);
        }
        true
    }

    /// Where each of a pair has the other, looked for in the shorter list.
    fn find(&self, [i, j]: [u32; 2]) -> Option<[u32; 2]> {
        let turned = self.lists[i as usize].len() > self.lists[j as usize].len();
        let [short, other] = if turned { [j, i] } else { [i, j] };
        let list = &self.lists[short as usize];
        let place = list.iter().position(|entry| entry.particle == other)?;
        let (mine, back) = (place as u32, list[place].back);
        Some(if turned { [back, mine] } else { [mine, back] })
    }

    /// Takes out one entry; the last one of the list takes its place.
    fn drop_entry(&mut self, particle: u32, place: u32) {
        let list = &mut self.lists[particle as usize];
        list.swap_remove(place as usize);
        if let Some(&moved) = list.get(place as usize) {
            self.lists[moved.particle as usize][moved.back as usize].back = place;
        }
    }

    /// How much memory it takes. \[bytes\]
    pub fn bytes(&self) -> usize {
        let spilled = self.lists.iter().filter(|list| list.spilled());
        let beyond: usize = spilled.map(|list| list.capacity() * size_of::<NeighbourEntry>()).sum();
        self.lists.capacity() * size_of::<SmallVec<[NeighbourEntry; 4]>>() + beyond
    }

    /// Checks that the two sides of each pair know each other.
    ///
    /// # Panics
    /// If they do not.
    pub fn assert_well_formed(&self) {
        for (i, list) in self.lists.iter().enumerate() {
            for (place, entry) in list.iter().enumerate() {
                assert_ne!(entry.particle as usize, i);
                let other = &self.lists[entry.particle as usize][entry.back as usize];
                assert_eq!((other.particle as usize, other.back as usize), (i, place));
                assert!(
                    list[..place].iter().all(|before| before.particle != entry.particle),
                    "twice in a list"
                );
            }
        }
    }
}
