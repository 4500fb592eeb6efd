//! What islands will ask for is fetched while others are being settled: first where the lists of
//! its particles are, then the lists, then the paths of every particle on them.

use super::place::SharedPlace;
use super::world::World;
use super::{Event, Islands, NONE};
use jostle_core::particles::Particles;
use jostle_core::prefetch::prefetch;

/// How many islands, or particles, before its turn something is fetched.
pub(super) const AHEAD: [usize; 3] = [12, 8, 4];

impl<const D: usize> World<'_, D> {
    /// Fetches what particles of an island that is `AHEAD[stage]` islands away are settled with.
    #[inline]
    pub(super) fn fetch(&self, stage: usize, due: &[Event], member: &[u32], islands: &Islands<D>) {
        for slot in due.iter().flat_map(|event| event.due.parties()).filter(|&slot| slot != NONE) {
            match stage {
                0 => self.fetch_particle(slot, member, islands),
                1 => self.lists.fetch_names(slot),
                _ => {
                    for &other in self.lists.around(slot)[0] {
                        self.fetch_path(other);
                        prefetch(member, other as usize);
                    }
                }
            }
        }
    }

    /// Fetches which particles have settled those around a particle that is `AHEAD[stage]`
    /// particles away.
    #[inline]
    pub(super) fn fetch_settlers(&self, stage: usize, slot: u32, settled_by: &[SharedPlace]) {
        match stage {
            0 => self.lists.fetch(slot),
            1 => self.lists.fetch_names(slot),
            _ => {
                for &other in self.lists.around(slot)[0] {
                    prefetch(settled_by, other as usize);
                }
            }
        }
    }

    #[inline]
    fn fetch_particle(&self, slot: u32, member: &[u32], islands: &Islands<D>) {
        let i = slot as usize;
        let Particles { id, species, diffusion_coefficient, .. } = &self.system.particles;
        self.lists.fetch(slot);
        self.fetch_path(slot);
        self.fetch_reach(slot);
        prefetch(member, i);
        prefetch(&islands.island_of, i);
        prefetch(&islands.settled_by, i);
        prefetch(id, i);
        prefetch(species, i);
        prefetch(diffusion_coefficient, i);
        prefetch(self.busy, i);
    }
}
