//! Straight paths: all that a search structure ever sees of the particles.

use super::{Domain, Vector};

/// A stretch of time. The Brownian engine counts time within a step from 0 to 1, as
/// Johnson & Whalley (2002, section 3.3) do, so that a velocity is a displacement per step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The first moment.
    pub start: f64,
    /// The last moment.
    pub end: f64,
}

impl Window {
    /// A whole step.
    pub const STEP: Self = Self { start: 0.0, end: 1.0 };
}

/// Which groups of particles interact. A pair of groups that does not is never
/// listed; the search structure still knows nothing of species.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    rows: Vec<u64>,
    all: bool,
    none: bool,
}

impl Groups {
    /// The largest number of groups.
    pub const MOST: usize = 64;

    /// Every particle interacts with every particle.
    pub fn all() -> Self {
        Self { rows: vec![u64::MAX; Self::MOST], all: true, none: false }
    }

    /// `count` groups; a pair interacts when `interact(a, b)` or `interact(b, a)`.
    ///
    /// # Panics
    /// If there are more than [`Groups::MOST`] groups.
    pub fn new(count: usize, interact: impl Fn(usize, usize) -> bool) -> Self {
        assert!(count <= Self::MOST, "at most {} groups, not {count}", Self::MOST);
        let mut rows = vec![0u64; count];
        for a in 0..count {
            for b in 0..count {
                if interact(a, b) || interact(b, a) {
                    rows[a] |= 1 << b;
                }
            }
        }
        let full = if count == 64 { u64::MAX } else { (1 << count) - 1 };
        let all = rows.iter().all(|&row| row == full);
        let none = rows.iter().all(|&row| row == 0);
        Self { rows, all, none }
    }

    /// Whether no particles interact.
    pub fn is_none(&self) -> bool {
        self.none
    }

    /// Whether every pair of groups interacts with each other.
    pub fn is_all(&self) -> bool {
        self.all
    }

    /// How many groups there are.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The groups that group `a` interacts with, one bit each.
    #[inline]
    pub fn interacting_with(&self, a: usize) -> u64 {
        self.rows[a]
    }

    /// Whether particles of groups `a` and `b` interact.
    #[inline]
    pub fn interact(&self, a: u8, b: u8) -> bool {
        self.rows[a as usize] >> b & 1 == 1
    }
}

/// Straight paths of spheres: sphere `i` is at `position[i] + velocity[i] (t - since[i])` until the
/// window's end. A borrowed view; one entry per slot in each array.
#[derive(Clone, Copy)]
pub struct Paths<'a, const D: usize> {
    /// The box.
    pub domain: &'a Domain<D>,
    /// Where each path starts. \[slot\], \[length\]
    pub position: &'a [Vector<D>],
    /// \[slot\], \[length per window time\]
    pub velocity: &'a [Vector<D>],
    /// When each path starts. \[slot\], \[window time\]
    pub since: &'a [f64],
    /// \[slot\], \[length\]
    pub radius: &'a [f64],
    /// The group of each particle, an index into `groups`. \[slot\]
    pub group: &'a [u8],
    /// Which groups interact.
    pub groups: &'a Groups,
    /// Whether the slot holds a particle. A dead slot is in no particle's way. \[slot\]
    pub alive: &'a [bool],
}

/// One straight path of a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path<const D: usize> {
    /// Where it starts. \[length\]
    pub position: Vector<D>,
    /// \[length per window time\]
    pub velocity: Vector<D>,
    /// When it starts. \[window time\]
    pub since: f64,
    /// Of the sphere. \[length\]
    pub radius: f64,
}

impl<const D: usize> Path<D> {
    /// Where the centre is at `time`.
    #[inline]
    pub fn at(&self, time: f64) -> Vector<D> {
        self.position + self.velocity * (time - self.since)
    }
}

impl<const D: usize> Paths<'_, D> {
    /// The present path of `i`.
    #[inline]
    pub fn path(&self, i: usize) -> Path<D> {
        Path {
            position: self.position[i],
            velocity: self.velocity[i],
            since: self.since[i],
            radius: self.radius[i],
        }
    }

    /// The number of slots, dead ones included.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Where the centre of `i` is at `time`, on its present path.
    #[inline]
    pub fn at(&self, i: usize, time: f64) -> Vector<D> {
        self.position[i] + self.velocity[i] * (time - self.since[i])
    }

    /// How far from the start of its path any part of `i` gets before `end`: its radius plus its
    /// travel, a few ulp of the box generous. \[length\]
    #[inline]
    pub fn reach(&self, i: usize, end: f64) -> f64 {
        self.radius[i] + self.velocity[i].norm() * (end - self.since[i]) + self.domain.rounding()
    }

    /// Whether `i` and `j` could touch before `end`: both live, interact, and the nearest image of
    /// their starting points lies within the sum of their reaches.
    #[inline]
    pub fn may_touch(&self, i: usize, j: usize, end: f64) -> bool {
        let within = self.reach(i, end) + self.reach(j, end);
        self.alive[i]
            && self.alive[j]
            && self.groups.interact(self.group[i], self.group[j])
            && self.domain.nearest_image(self.position[j] - self.position[i]).norm_squared()
                <= within * within
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_symmetric_and_know_when_they_mask_nothing() {
        let groups = Groups::new(3, |a, b| a == 0 && b == 1);
        assert!(groups.interact(0, 1) && groups.interact(1, 0));
        assert!(!groups.interact(0, 0) && !groups.interact(2, 1));
        assert!(!groups.is_all());
        assert!(Groups::new(64, |_, _| true).is_all());
        assert!(Groups::new(3, |_, _| false).is_none() && !groups.is_none());
        assert!(Groups::all().interact(63, 5));
    }
}
