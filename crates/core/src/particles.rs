//! The particles: one array per property, one entry per slot.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::space::{Domain, Groups, Orientation, Path, Paths, Vector};

/// In [`Particles::unit`]: the particle moves alone.
pub const ALONE: u32 = u32::MAX;

/// All particles. A slot is a place in these arrays and may change from step to step; an `id` is an
/// identity and lasts for life. New identities are given in the order of events, which is the same
/// whatever the search structure, the scheduler and the number of threads.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Particles<const D: usize> {
    /// Where the present path starts, within the box at the start of a step. \[slot\], \[nm\]
    pub position: Vec<Vector<D>>,
    /// Displacement per step on the present path. \[slot\], \[nm per step\]
    pub velocity: Vec<Vector<D>>,
    /// When within the step the present path starts. \[slot\], \[0..=1\]
    pub since: Vec<f64>,
    /// \[slot\], \[nm\]
    pub radius: Vec<f64>,
    /// Of the unit that the particle moves with. \[slot\], \[nm²/µs\]
    pub diffusion_coefficient: Vec<f64>,
    /// Index into the model's species. \[slot\]
    pub species: Vec<u16>,
    /// States of the particle's sites and which of them are bound: a code of the species'
    /// [`Sites`](crate::sites::Sites). \[slot\]
    pub sites: Vec<u64>,
    /// The species as the search structures see it. \[slot\]
    pub group: Vec<u16>,
    /// \[slot\]
    pub id: Vec<u64>,
    /// Periods travelled along each axis: the unwrapped place is `position + image * edge`.
    /// \[slot\]
    #[serde(with = "crate::space::rows")]
    pub image: Vec<[i32; D]>,
    /// The rigid unit of bonded particles it belongs to, an index into the clusters' units, or
    /// [`ALONE`]. \[slot\]
    pub unit: Vec<u32>,
    /// How the particle is turned; empty where no site points anywhere. \[slot\]
    pub orientation: Vec<Orientation>,
    /// Whether there are orientations.
    pub are_oriented: bool,
    /// Whether the slot holds a particle; slots of the dead are closed at the end of the step.
    /// \[slot\]
    pub alive: Vec<bool>,
}

/// The particles of some neighbouring slots: what one piece of work looks at where each particle is
/// handled by itself. All fields are as in [`Particles`], and of one length.
#[derive(Debug)]
#[expect(missing_docs)]
pub struct Stretch<'a, const D: usize> {
    pub position: &'a mut [Vector<D>],
    pub velocity: &'a mut [Vector<D>],
    pub since: &'a mut [f64],
    pub image: &'a mut [[i32; D]],
    pub radius: &'a [f64],
    pub diffusion_coefficient: &'a [f64],
    pub species: &'a [u16],
    pub id: &'a [u64],
}

/// One particle, to be added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle<const D: usize> {
    /// \[nm\]
    pub position: Vector<D>,
    /// \[nm per step\]
    pub velocity: Vector<D>,
    /// \[0..=1\]
    pub since: f64,
    /// \[nm\]
    pub radius: f64,
    /// \[nm²/µs\]
    pub diffusion_coefficient: f64,
    /// Index into the model's species.
    pub species: u16,
    /// Its site code.
    pub sites: u64,
    /// Its identity.
    pub id: u64,
    /// Periods travelled.
    pub image: [i32; D],
}

/// So few slots are done so soon that no thread has to wait for long.
const SLOTS_AT_A_TIME: usize = 4096;

impl<const D: usize> Particles<D> {
    /// What the arrays hold of each particle that is not turned. \[bytes\]
    pub const EACH: usize = 2 * size_of::<Vector<D>>()
        + size_of::<[f64; 3]>()
        + size_of::<[u16; 2]>()
        + size_of::<[u64; 2]>()
        + size_of::<[i32; D]>()
        + size_of::<u32>()
        + size_of::<bool>();

    /// No particle, and room for `count`: arrays that grow leave holes in memory as large as
    /// themselves.
    pub fn with_capacity(count: usize) -> Self {
        Self {
            position: Vec::with_capacity(count),
            velocity: Vec::with_capacity(count),
            since: Vec::with_capacity(count),
            radius: Vec::with_capacity(count),
            diffusion_coefficient: Vec::with_capacity(count),
            species: Vec::with_capacity(count),
            sites: Vec::with_capacity(count),
            group: Vec::with_capacity(count),
            id: Vec::with_capacity(count),
            image: Vec::with_capacity(count),
            unit: Vec::with_capacity(count),
            orientation: Vec::new(),
            are_oriented: false,
            alive: Vec::with_capacity(count),
        }
    }

    /// The number of slots, those of the dead included.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Whether all arrays have one entry for each slot, as they have unless they come from a file.
    pub fn is_even(&self) -> bool {
        let lengths = [
            self.position.len(),
            self.velocity.len(),
            self.since.len(),
            self.radius.len(),
            self.diffusion_coefficient.len(),
            self.species.len(),
            self.sites.len(),
            self.group.len(),
            self.image.len(),
            self.unit.len(),
            self.alive.len(),
        ];
        let oriented = if self.are_oriented { self.len() } else { 0 };
        lengths.iter().all(|&length| length == self.len()) && self.orientation.len() == oriented
    }

    /// Gives all particles orientations, so far none is turned; those that are added get one, too.
    pub fn orient(&mut self) {
        self.are_oriented = true;
        self.orientation.resize(self.len(), Orientation::NONE);
    }

    /// Adds a lone particle in a new slot, which is returned. If there are orientations, it is not
    /// turned.
    pub fn push(&mut self, particle: Particle<D>) -> u32 {
        self.position.push(particle.position);
        self.velocity.push(particle.velocity);
        self.since.push(particle.since);
        self.radius.push(particle.radius);
        self.diffusion_coefficient.push(particle.diffusion_coefficient);
        self.species.push(particle.species);
        self.sites.push(particle.sites);
        self.group.push(particle.species);
        self.id.push(particle.id);
        self.image.push(particle.image);
        self.unit.push(ALONE);
        if self.are_oriented {
            self.orientation.push(Orientation::NONE);
        }
        self.alive.push(true);
        (self.id.len() - 1) as u32
    }

    /// Takes away the last slot.
    pub fn pop(&mut self) {
        self.position.pop();
        self.velocity.pop();
        self.since.pop();
        self.radius.pop();
        self.diffusion_coefficient.pop();
        self.species.pop();
        self.sites.pop();
        self.group.pop();
        self.id.pop();
        self.image.pop();
        self.unit.pop();
        self.orientation.pop();
        self.alive.pop();
    }

    /// The particle in a slot.
    pub fn particle(&self, slot: u32) -> Particle<D> {
        let i = slot as usize;
        Particle {
            position: self.position[i],
            velocity: self.velocity[i],
            since: self.since[i],
            radius: self.radius[i],
            diffusion_coefficient: self.diffusion_coefficient[i],
            species: self.species[i],
            sites: self.sites[i],
            id: self.id[i],
            image: self.image[i],
        }
    }

    /// All slots, so many at a time.
    pub fn stretches(
        &mut self,
        size: usize,
    ) -> impl IndexedParallelIterator<Item = Stretch<'_, D>> {
        let changed = (
            self.position.par_chunks_mut(size),
            self.velocity.par_chunks_mut(size),
            self.since.par_chunks_mut(size),
            self.image.par_chunks_mut(size),
        );
        let fixed = (
            self.radius.par_chunks(size),
            self.diffusion_coefficient.par_chunks(size),
            self.species.par_chunks(size),
            self.id.par_chunks(size),
        );
        // rayon would cut the work into about two pieces for each thread, and a thread whose core is
        // slower would keep the others waiting (with spheres at 1 %, for 7 to 12 % of a step on two
        // threads instead of 5).
        let stretches = (changed.into_par_iter(), fixed.into_par_iter()).into_par_iter();
        stretches.with_max_len(SLOTS_AT_A_TIME.div_ceil(size)).map(
            |((position, velocity, since, image), (radius, diffusion_coefficient, species, id))| {
                Stretch {
                    position,
                    velocity,
                    since,
                    image,
                    radius,
                    diffusion_coefficient,
                    species,
                    id,
                }
            },
        )
    }

    /// The present path of the particle in a slot.
    #[inline]
    pub fn path(&self, slot: u32) -> Path<D> {
        let i = slot as usize;
        let Self { position, velocity, since, radius, .. } = self;
        Path { position: position[i], velocity: velocity[i], since: since[i], radius: radius[i] }
    }

    /// The view that search structures and the narrow phase have.
    pub fn paths<'a>(&'a self, domain: &'a Domain<D>, groups: &'a Groups) -> Paths<'a, D> {
        Paths {
            domain,
            position: &self.position,
            velocity: &self.velocity,
            since: &self.since,
            radius: &self.radius,
            group: &self.group,
            groups,
            alive: &self.alive,
        }
    }

    /// Slots in the order of identity.
    pub fn slots_by_id(&self) -> Vec<u32> {
        let mut slots: Vec<u32> =
            (0..self.len() as u32).filter(|&i| self.alive[i as usize]).collect();
        let id = |slot: u32| self.id[slot as usize];
        if slots.is_sorted_by_key(|&slot| id(slot)) {
            return slots;
        }
        let last = slots.iter().map(|&slot| id(slot)).max().unwrap_or(0);
        if last / 4 <= slots.len() as u64 {
            // Most identities are still in use: a place for each of them, in a third of the time.
            let mut of = vec![u32::MAX; last as usize + 1];
            slots.iter().for_each(|&slot| of[id(slot) as usize] = slot);
            of.retain(|&slot| slot != u32::MAX);
            // In a damaged checkpoint, two may have the same.
            if of.len() == slots.len() {
                return of;
            }
        }
        slots.sort_unstable_by_key(|&slot| id(slot));
        slots
    }

    /// Puts the particle of each slot into `new_slot[slot]`, dropping those whose entry is
    /// `u32::MAX`; the others must be numbered from 0 without a gap, in any order. In place: large
    /// systems have no room for a second copy of themselves.
    pub fn renumber(&mut self, new_slot: &[u32]) {
        self.keep(new_slot);
        let mut target: Vec<u32> =
            new_slot.iter().copied().filter(|&slot| slot != u32::MAX).collect();
        // Each swap brings one particle to where it belongs.
        for slot in 0..target.len() {
            while target[slot] as usize != slot {
                let to = target[slot] as usize;
                self.swap(slot, to);
                target.swap(slot, to);
            }
        }
    }

    /// Drops the particles whose entry is `u32::MAX`; the others move up.
    fn keep(&mut self, new_slot: &[u32]) {
        fn keep<T>(array: &mut Vec<T>, new_slot: &[u32]) {
            let mut entries = new_slot.iter();
            array.retain(|_| entries.next().is_some_and(|&slot| slot != u32::MAX));
        }
        if new_slot.contains(&u32::MAX) {
            keep(&mut self.position, new_slot);
            keep(&mut self.velocity, new_slot);
            keep(&mut self.since, new_slot);
            keep(&mut self.radius, new_slot);
            keep(&mut self.diffusion_coefficient, new_slot);
            keep(&mut self.species, new_slot);
            keep(&mut self.sites, new_slot);
            keep(&mut self.group, new_slot);
            keep(&mut self.id, new_slot);
            keep(&mut self.image, new_slot);
            keep(&mut self.unit, new_slot);
            if self.are_oriented {
                keep(&mut self.orientation, new_slot);
            }
            keep(&mut self.alive, new_slot);
        }
    }

    /// Swaps the particles of two slots.
    fn swap(&mut self, a: usize, b: usize) {
        self.position.swap(a, b);
        self.velocity.swap(a, b);
        self.since.swap(a, b);
        self.radius.swap(a, b);
        self.diffusion_coefficient.swap(a, b);
        self.species.swap(a, b);
        self.sites.swap(a, b);
        self.group.swap(a, b);
        self.id.swap(a, b);
        self.image.swap(a, b);
        self.unit.swap(a, b);
        if self.are_oriented {
            self.orientation.swap(a, b);
        }
        self.alive.swap(a, b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn particles(count: u64) -> Particles<2> {
        let mut particles = Particles::default();
        for id in 0..count {
            let x = id as f64;
            particles.push(Particle {
                position: Vector([x, 0.5]),
                velocity: Vector([0.5, x]),
                since: x / 100.0,
                radius: 1.0 + x,
                diffusion_coefficient: 2.0 + x,
                species: id as u16,
                sites: 3 * id,
                id,
                image: [id as i32, 7],
            });
        }
        particles
    }

    #[test]
    fn renumbering_puts_every_particle_where_it_belongs_and_drops_the_dead() {
        const GONE: u32 = u32::MAX;
        let orders: [&[u32]; 5] = [
            &[0, 1, 2, 3, 4],
            &[4, 2, 0, 1, 3],
            &[GONE, 1, GONE, 0, 2],
            &[0, GONE, 1, 2, GONE],
            &[GONE, GONE, GONE, GONE, GONE],
        ];
        for order in orders {
            let (before, mut after) = (particles(5), particles(5));
            after.unit[3] = 9;
            after.renumber(order);
            assert_eq!(after.len(), order.iter().filter(|&&slot| slot != GONE).count());
            for (old, &new) in order.iter().enumerate().filter(|(_, new)| **new != GONE) {
                assert_eq!(after.particle(new), before.particle(old as u32));
                assert_eq!(after.group[new as usize], old as u16);
                assert_eq!(after.unit[new as usize] == 9, old == 3);
            }
        }
    }

    #[test]
    fn slots_come_in_the_order_of_identity_however_many_are_gone() {
        for (ids, dead) in [(vec![0, 1, 2], 9), (vec![4, 0, 3, 1], 2), (vec![7, 900, 3, 10_000], 1)]
        {
            let mut particles = particles(ids.len() as u64);
            particles.id.copy_from_slice(&ids);
            let mut slots: Vec<u32> = (0..ids.len() as u32).filter(|&slot| slot != dead).collect();
            if let Some(alive) = particles.alive.get_mut(dead as usize) {
                *alive = false;
            }
            slots.sort_by_key(|&slot| ids[slot as usize]);
            assert_eq!(particles.slots_by_id(), slots);
        }
    }

    #[test]
    fn stretches_cover_all_slots_in_order() {
        let mut particles = particles(10);
        let found: Vec<_> = particles
            .stretches(4)
            .map(|particles| {
                let ends = [particles.id[0], *particles.id.last().unwrap_or(&0)];
                (
                    particles.position.len(),
                    ends,
                    particles.radius[0],
                    particles.image[0],
                    particles.species[0],
                )
            })
            .collect();
        assert_eq!(
            found,
            [(4, [0, 3], 1.0, [0, 7], 0), (4, [4, 7], 5.0, [4, 7], 4), (2, [8, 9], 9.0, [8, 7], 8)]
        );
    }
}
