//! Where each particle is by its own path, found anew from what a run shows between steps: the
//! nearest image of the particle, or of the one that it rests in, to where it was a step before.

use std::collections::BTreeMap;

use jostle_core::observe::View;
use jostle_core::space::Vector;

/// Follows all particles, those inside coalesced ones included.
#[derive(Clone, Debug, Default)]
pub struct Paths<const D: usize> {
    last: BTreeMap<u64, Place<D>>,
    /// How many particles were taken in by one that was on the other side of a periodic face, or
    /// had gone round the box another number of times.
    pub across: u64,
    /// How many of those that had been taken in were set free.
    pub returns: u64,
    /// How often an unwrapped path was not where it should be.
    pub jumps: u64,
    /// The identity of the first to jump.
    pub first: Option<u64>,
}

/// Where a particle was.
#[derive(Clone, Copy, Debug)]
struct Place<const D: usize> {
    /// Without periodic wrap. \[nm\]
    at: Vector<D>,
    /// Whether it rested inside another.
    inside: bool,
}

impl<const D: usize> Paths<D> {
    /// Looks at the end of a step. No particle may go farther than half an edge in one.
    pub fn follow(&mut self, view: &View<'_, D>) {
        let p = view.particles;
        let mut now = BTreeMap::new();
        for slot in p.slots_by_id() {
            let (id, here) = (p.id[slot as usize], view.unwrapped(slot as usize));
            if let Some(whole) = view.clusters.wholes.get(&id) {
                for (guest, _) in whole.history().filter(|(guest, _)| guest.id != id) {
                    // Which came and was taken in within one step has never been seen.
                    let Some(was) = self.last.get(&guest.id) else { continue };
                    self.across += u64::from(guest.ahead != [0; 3] && !was.inside);
                    let at = was.at + view.domain.nearest_image(here - was.at);
                    now.insert(guest.id, Place { at, inside: true });
                }
            }
            now.insert(id, Place { at: here, inside: false });
            if let Some(before) = self.last.get(&id) {
                self.returns += u64::from(before.inside);
                let way = here - before.at;
                if (way - view.domain.nearest_image(way)).norm() > 0.0 {
                    self.jumps += 1;
                    self.first = self.first.or(Some(id));
                }
            }
        }
        self.last = now;
    }
}
