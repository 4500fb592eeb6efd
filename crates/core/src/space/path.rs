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
    /// For each group a row of words with one bit for each group; empty if every pair interacts.
    bits: Vec<u64>,
    /// A row has 2 to the power of this words, so that none has to be found by a multiplication.
    shift: u32,
    /// Whether each group interacts with any; empty if every pair interacts.
    noticed: Vec<bool>,
    count: usize,
    all: bool,
    none: bool,
}

impl Groups {
    /// The largest number of groups: so many can be told apart.
    pub const MOST: usize = 1 << 16;

    /// Every particle interacts with every particle, whatever its group.
    pub fn all() -> Self {
        Self {
            bits: Vec::new(),
            shift: 0,
            noticed: Vec::new(),
            count: Self::MOST,
            all: true,
            none: false,
        }
    }

    /// `count` groups; a pair interacts when `interact(a, b)` or `interact(b, a)`.
    ///
    /// # Panics
    /// If there are more than [`Groups::MOST`] groups.
    pub fn new(count: usize, interact: impl Fn(usize, usize) -> bool) -> Self {
        let pairs = (0..count).flat_map(|a| (0..=a).map(move |b| [a, b]));
        let ignoring = pairs.filter(|&[a, b]| !interact(a, b) && !interact(b, a));
        Self::except(count, ignoring.map(|pair| pair.map(|group| group as u16)))
    }

    /// `count` groups; a pair interacts unless it is one of `ignoring`, whichever comes first.
    ///
    /// # Panics
    /// If there are more than [`Groups::MOST`] groups, or a pair is not of these.
    pub fn except(count: usize, ignoring: impl IntoIterator<Item = [u16; 2]>) -> Self {
        assert!(count <= Self::MOST, "at most {} groups, not {count}", Self::MOST);
        let shift = count.div_ceil(64).max(1).next_power_of_two().trailing_zeros();
        let full = |word: usize| match count.saturating_sub(64 * word) {
            0 => 0,
            left @ 1..64 => (1 << left) - 1,
            _ => u64::MAX,
        };
        let mut bits = Vec::new();
        let mut all = true;
        for pair in ignoring {
            assert!(pair.iter().all(|&group| usize::from(group) < count), "no such group");
            if all {
                let row: Vec<u64> = (0..1 << shift).map(full).collect();
                bits = row.repeat(count);
                all = false;
            }
            for [a, b] in [pair, [pair[1], pair[0]]] {
                bits[place(a, b, shift)] &= !(1 << (b & 63));
            }
        }
        let rows = bits.chunks_exact(1 << shift);
        let noticed: Vec<bool> = rows.map(|row| row.iter().any(|&word| word != 0)).collect();
        let none = count == 0 || !all && noticed.iter().all(|noticed| !noticed);
        Self { bits, shift, noticed, count, all, none }
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
        self.count
    }

    /// The groups that group `a` interacts with, one bit each, 64 to a word, beginning with the
    /// lowest bit. Only where not every pair interacts.
    #[inline]
    pub fn row(&self, a: u16) -> &[u64] {
        let first = usize::from(a) << self.shift;
        &self.bits[first..first + (1 << self.shift)]
    }

    /// Whether particles of group `a` interact with any others at all.
    #[inline]
    pub fn interacts_with_any(&self, a: u16) -> bool {
        self.all || self.noticed[usize::from(a)]
    }

    /// Whether particles of groups `a` and `b` interact.
    #[inline]
    pub fn interact(&self, a: u16, b: u16) -> bool {
        self.all || self.bits[place(a, b, self.shift)] >> (b & 63) & 1 == 1
    }
}

/// The word with the bit of group `b` in the row of group `a`.
#[inline]
fn place(a: u16, b: u16, shift: u32) -> usize {
    usize::from(a).wrapping_shl(shift).wrapping_add(usize::from(b >> 6))
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
    pub group: &'a [u16],
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
        assert!(Groups::all().interact(63, 5) && Groups::all().interact(u16::MAX, 300));
        assert!(groups.interacts_with_any(1) && !groups.interacts_with_any(2));
    }

    /// Of any number of groups, beside the ends of words.
    #[test]
    fn bits_are_those_of_the_pairs() {
        for count in [1, 2, 63, 64, 65, 127, 128, 129, 200, 1000] {
            let ignore = |a: usize, b: usize| (a * b + a + b).is_multiple_of(3);
            let groups = Groups::new(count, |a, b| !ignore(a, b));
            for a in 0..count {
                let met = (0..count).filter(|&b| groups.interact(a as u16, b as u16));
                assert!(met.clone().eq((0..count).filter(|&b| !ignore(a, b))), "{a} of {count}");
                assert_eq!(groups.interacts_with_any(a as u16), met.clone().next().is_some());
                let bits: u32 = groups.row(a as u16).iter().map(|word| word.count_ones()).sum();
                assert_eq!(bits as usize, met.count());
            }
            assert!(Groups::new(count, |_, _| true).is_all());
            assert!(Groups::new(count, |_, _| false).is_none());
            let last = count as u16 - 1;
            let one = Groups::except(count, [[0, last]]);
            assert!(!one.interact(0, last) && !one.interact(last, 0) && !one.is_all());
            assert_eq!(one.is_none(), count == 1);
        }
    }
}
