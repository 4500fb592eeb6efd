//! The few groups of which one is in every pair that interacts with each other: a vertex cover of
//! the graph of groups, with few particles.

use crate::space::Groups;

/// A set of groups, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cover(u64);

impl Cover {
    /// A cover for so many particles of each group. The groups left out ignore each other: the most
    /// numerous are left out first.
    pub(super) fn choose(groups: &Groups, particles: &[usize; Groups::MOST]) -> Self {
        let count = groups.count();
        let noticed = |group: &usize| groups.interacting_with(*group);
        let mut order: Vec<usize> = (0..count).filter(|group| noticed(group) != 0).collect();
        let mut cover = order.iter().fold(0, |set, group| set | 1 << group);
        order.sort_by_key(|&group| std::cmp::Reverse(particles[group]));
        for group in order {
            let without = cover & !(1 << group);
            if noticed(&group) & !without == 0 {
                cover = without;
            }
        }
        Self(cover)
    }

    /// The groups in it, one bit each.
    pub(super) fn groups(self) -> u64 {
        self.0
    }

    /// The groups that interact with some in the cover, one bit each.
    pub(super) fn asked_by(self, groups: &Groups) -> u64 {
        let asking =
            (0..groups.count()).filter(|&group| groups.interacting_with(group) & self.0 != 0);
        asking.fold(0, |set, group| set | 1 << group)
    }

    /// Whether `group` is in it.
    #[inline]
    pub(super) fn has(self, group: u8) -> bool {
        self.0 >> group & 1 == 1
    }

    /// Whether particles of `group` interact with some in the cover, and of some outside of it.
    #[inline]
    pub(super) fn asks(self, groups: &Groups, group: u8) -> [bool; 2] {
        let noticed = groups.interacting_with(group as usize);
        [noticed & self.0 != 0, noticed & !self.0 != 0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(groups: &Groups, few: &[usize]) -> Vec<u8> {
        let mut particles = [0; Groups::MOST];
        particles[..few.len()].copy_from_slice(few);
        let cover = Cover::choose(groups, &particles);
        let count = groups.count();
        for a in 0..count {
            let covered = |b: usize| cover.has(a as u8) || cover.has(b as u8);
            assert!((0..count).all(|b| !groups.interact(a as u8, b as u8) || covered(b)));
        }
        (0..count as u8).filter(|&group| cover.has(group)).collect()
    }

    #[test]
    fn one_of_each_two_groups_that_interact_is_in_the_cover() {
        let enzymes = Groups::new(4, |a, b| (a, b) == (0, 1));
        assert_eq!(chosen(&enzymes, &[909, 9091, 0, 0]), [0]);
        assert_eq!(chosen(&enzymes, &[909, 90, 0, 0]), [1]);
        let star = Groups::new(4, |a, _| a == 2);
        assert_eq!(chosen(&star, &[5, 6, 7, 8]), [2]);
        let oneself = Groups::new(2, |a, b| a == b);
        assert_eq!(chosen(&oneself, &[1, 2]), [0, 1]);
        assert_eq!(chosen(&Groups::new(3, |_, _| false), &[1, 2, 3]), [0; 0]);
        assert_eq!(chosen(&Groups::all(), &[]).len(), 64);
    }
}
