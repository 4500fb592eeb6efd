//! The few groups of which one is in every pair that interacts with each other: a vertex cover of
//! the graph of groups, with few particles.

use std::cmp::Reverse;

use crate::space::Groups;

/// What is said of a group: it is in the cover; it interacts with some in the cover; it interacts
/// with some outside of it.
const IN: u8 = 1;
const NEAR: u8 = 2;
const FAR: u8 = 4;

/// A set of groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cover {
    /// What is said of each group. Where every pair interacts all are in the cover, and nothing has
    /// to be said.
    roles: Vec<u8>,
}

impl Cover {
    /// A cover for so many particles of each group, of groups behind the end none. The groups left
    /// out ignore each other: the most numerous are left out first.
    pub(super) fn choose(groups: &Groups, particles: &[usize]) -> Self {
        if groups.is_all() {
            return Self::default();
        }
        let count = groups.count() as u16;
        let mut order: Vec<u16> =
            (0..count).filter(|&group| groups.interacts_with_any(group)).collect();
        let mut cover = Set::of(groups.count());
        order.iter().for_each(|&group| cover.put(group));
        // The smallest cover of all is hard to find (vertex cover is NP-complete). One at a time, the most
        // numerous first, does for what there is in models: some crowd whose particles ignore each other.
        order.sort_by_key(|&group| Reverse(particles.get(usize::from(group)).copied()));
        for group in order {
            cover.take(group);
            // Not if it interacts with one that has been left out, or with itself.
            if groups.row(group).iter().zip(&cover.0).any(|(row, cover)| row & !cover != 0) {
                cover.put(group);
            }
        }
        let role = |group: u16| {
            let some = |is: fn(u64, u64) -> u64| {
                groups.row(group).iter().zip(&cover.0).any(|(&row, &cover)| is(row, cover) != 0)
            };
            let near = some(|row, cover| row & cover);
            let far = some(|row, cover| row & !cover);
            [(cover.has(group), IN), (near, NEAR), (far, FAR)]
                .iter()
                .fold(0, |all, &(is, role)| if is { all | role } else { all })
        };
        Self { roles: (0..count).map(role).collect() }
    }

    #[inline]
    fn role(&self, group: u16) -> u8 {
        self.roles.get(usize::from(group)).copied().unwrap_or(IN | NEAR)
    }

    /// Whether `group` is in it.
    #[inline]
    pub(super) fn has(&self, group: u16) -> bool {
        self.role(group) & IN != 0
    }

    /// Whether `group` is not in it, but interacts with some that are.
    #[inline]
    pub(super) fn is_asked(&self, group: u16) -> bool {
        self.role(group) & (IN | NEAR) == NEAR
    }

    /// Whether particles of `group` interact with some in the cover, and of some outside of it.
    #[inline]
    pub(super) fn asks(&self, group: u16) -> [bool; 2] {
        let role = self.role(group);
        [role & NEAR != 0, role & FAR != 0]
    }
}

/// A set of groups, one bit each, as in [`Groups::row`].
struct Set(Vec<u64>);

impl Set {
    fn of(groups: usize) -> Self {
        Self(vec![0; groups.div_ceil(64)])
    }

    fn put(&mut self, group: u16) {
        self.0[usize::from(group >> 6)] |= 1 << (group & 63);
    }

    fn take(&mut self, group: u16) {
        self.0[usize::from(group >> 6)] &= !(1 << (group & 63));
    }

    fn has(&self, group: u16) -> bool {
        self.0[usize::from(group >> 6)] >> (group & 63) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(groups: &Groups, particles: &[usize]) -> Vec<u16> {
        let cover = Cover::choose(groups, particles);
        let count = groups.count() as u16;
        for a in 0..count {
            let met: Vec<u16> = (0..count).filter(|&b| groups.interact(a, b)).collect();
            assert!(met.iter().all(|&b| cover.has(a) || cover.has(b)));
            let [near, far] = [true, false].map(|is| met.iter().any(|&b| cover.has(b) == is));
            assert_eq!(cover.asks(a), [near, far]);
            assert_eq!(cover.is_asked(a), near && !cover.has(a));
        }
        (0..count).filter(|&group| cover.has(group)).collect()
    }

    #[test]
    fn one_of_each_two_groups_that_interact_is_in_the_cover() {
        let enzymes = Groups::new(4, |a, b| (a, b) == (0, 1));
        assert_eq!(chosen(&enzymes, &[909, 9091, 0, 0]), [0]);
        assert_eq!(chosen(&enzymes, &[909, 90]), [1]);
        let star = Groups::new(4, |a, _| a == 2);
        assert_eq!(chosen(&star, &[5, 6, 7, 8]), [2]);
        let oneself = Groups::new(2, |a, b| a == b);
        assert_eq!(chosen(&oneself, &[1, 2]), [0, 1]);
        assert_eq!(chosen(&Groups::new(3, |_, _| false), &[1, 2, 3]), [0; 0]);
        assert_eq!(chosen(&Groups::new(64, |_, _| true), &[]).len(), 64);
        let everyone = Cover::choose(&Groups::all(), &[]);
        assert!(everyone.has(u16::MAX) && everyone.asks(u16::MAX) == [true, false]);
    }

    #[test]
    fn of_many_groups_too() {
        let enzyme = Groups::new(300, |a, b| a == 150 && b >= 100);
        assert_eq!(chosen(&enzyme, &[1; 300]), [150]);
        let mut state = 1_u32;
        let mut pairs = Vec::new();
        for _ in 0..400 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            pairs.push([state >> 16 & 255, state >> 24].map(|group| group as usize % 200));
        }
        let random = Groups::new(200, |a, b| pairs.contains(&[a, b]));
        let cover = chosen(&random, &[1; 200]);
        assert!(!cover.is_empty() && cover.len() < 200);
    }
}
