//! The bodies: one array per property, one entry per slot.

use crate::space::{Domain, Groups, Paths, Vector};

/// In [`Particles::unit`]: the body moves alone.
pub const ALONE: u32 = u32::MAX;

/// All bodies. A slot is a place in these arrays and may change from step to step; an `id` is an
/// identity and lasts for life.
#[derive(Clone, Debug, Default)]
pub struct Particles<const D: usize> {
    /// Where the present path starts, within the box at the start of a step. \[slot\], \[nm\]
    pub position: Vec<Vector<D>>,
    /// Displacement per step on the present path. \[slot\], \[nm per step\]
    pub velocity: Vec<Vector<D>>,
    /// When within the step the present path starts. \[slot\], \[0..=1\]
    pub since: Vec<f64>,
    /// \[slot\], \[nm\]
    pub radius: Vec<f64>,
    /// Of the unit that the body moves with. \[slot\], \[nm²/µs\]
    pub diffusion_coefficient: Vec<f64>,
    /// Index into the model's species. \[slot\]
    pub species: Vec<u16>,
    /// The species as the search structures see it. \[slot\]
    pub group: Vec<u8>,
    /// \[slot\]
    pub id: Vec<u64>,
    /// Periods travelled along each axis: the unwrapped place is `position + image * edge`. \[slot\]
    pub image: Vec<[i32; D]>,
    /// The rigid unit of bonded bodies it belongs to, an index into the clusters' units, or
    /// [`ALONE`]. \[slot\]
    pub unit: Vec<u32>,
    /// Whether the slot holds a body; slots of the dead are closed at the end of the step. \[slot\]
    pub alive: Vec<bool>,
}

/// One body, to be added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body<const D: usize> {
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
    /// Its identity.
    pub id: u64,
    /// Periods travelled.
    pub image: [i32; D],
}

impl<const D: usize> Particles<D> {
    /// The number of slots, those of the dead included.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Adds a lone body in a new slot, which is returned.
    pub fn push(&mut self, body: Body<D>) -> u32 {
        self.position.push(body.position);
        self.velocity.push(body.velocity);
        self.since.push(body.since);
        self.radius.push(body.radius);
        self.diffusion_coefficient.push(body.diffusion_coefficient);
        self.species.push(body.species);
        self.group.push(body.species as u8);
        self.id.push(body.id);
        self.image.push(body.image);
        self.unit.push(ALONE);
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
        self.group.pop();
        self.id.pop();
        self.image.pop();
        self.unit.pop();
        self.alive.pop();
    }

    /// The body in a slot.
    pub fn body(&self, slot: u32) -> Body<D> {
        let i = slot as usize;
        Body {
            position: self.position[i],
            velocity: self.velocity[i],
            since: self.since[i],
            radius: self.radius[i],
            diffusion_coefficient: self.diffusion_coefficient[i],
            species: self.species[i],
            id: self.id[i],
            image: self.image[i],
        }
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
        let mut slots: Vec<u32> = (0..self.len() as u32).filter(|&i| self.alive[i as usize]).collect();
        if !slots.is_sorted_by_key(|&i| self.id[i as usize]) {
            slots.sort_unstable_by_key(|&i| self.id[i as usize]);
        }
        slots
    }

    /// Puts the body of each slot into `new_slot[slot]`, dropping those whose entry is `u32::MAX`;
    /// the others must be numbered from 0 without a gap, in any order.
    pub fn renumber(&mut self, new_slot: &[u32]) {
        fn arrange<T: Clone>(array: &mut Vec<T>, new_slot: &[u32], count: usize) {
            if new_slot.iter().filter(|&&s| s != u32::MAX).is_sorted() {
                let mut slot = 0;
                array.retain(|_| {
                    slot += 1;
                    new_slot[slot - 1] != u32::MAX
                });
            } else {
                let mut old_of = vec![0u32; count];
                for (old, &new) in new_slot.iter().enumerate().filter(|(_, new)| **new != u32::MAX) {
                    old_of[new as usize] = old as u32;
                }
                *array = old_of.iter().map(|&old| array[old as usize].clone()).collect();
            }
        }
        let count = new_slot.iter().filter(|&&s| s != u32::MAX).count();
        arrange(&mut self.position, new_slot, count);
        arrange(&mut self.velocity, new_slot, count);
        arrange(&mut self.since, new_slot, count);
        arrange(&mut self.radius, new_slot, count);
        arrange(&mut self.diffusion_coefficient, new_slot, count);
        arrange(&mut self.species, new_slot, count);
        arrange(&mut self.group, new_slot, count);
        arrange(&mut self.id, new_slot, count);
        arrange(&mut self.image, new_slot, count);
        arrange(&mut self.unit, new_slot, count);
        arrange(&mut self.alive, new_slot, count);
    }
}
