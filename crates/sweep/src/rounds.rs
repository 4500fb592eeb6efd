//! Replicas that were added to a plan.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Replicas of some points that were added together. They are members and tasks of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Round {
    /// The first of its tasks.
    pub(crate) first_task: usize,
    /// In the order of the points; at least one.
    blocks: Vec<Block>,
}

/// Replicas of one point, whose members follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Block {
    point: usize,
    first_replica: u32,
    /// How many replicas; at least one.
    pub(crate) count: u32,
    first_member: usize,
}

impl Block {
    fn end(self) -> usize {
        self.first_member + self.count as usize
    }

    /// The numbers of its members.
    pub(crate) fn members(self) -> Range<usize> {
        self.first_member..self.end()
    }
}

impl Round {
    /// From its points, in order, the first replica of each and how many there are.
    pub(crate) fn new(
        first_task: usize,
        first_member: usize,
        added: impl Iterator<Item = (usize, u32, u32)>,
    ) -> Self {
        let mut next = first_member;
        let blocks = added.map(|(point, first_replica, count)| {
            let block = Block { point, first_replica, count, first_member: next };
            next = block.end();
            block
        });
        Self { first_task, blocks: blocks.collect() }
    }

    /// The points to which it adds replicas, and how many.
    pub(crate) fn added(&self) -> Vec<(usize, u32)> {
        self.blocks.iter().map(|block| (block.point, block.count)).collect()
    }

    /// The number of its first member.
    pub(crate) fn start(&self) -> usize {
        self.blocks.first().map_or(0, |block| block.first_member)
    }

    /// One above the number of its last member.
    pub(crate) fn end(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.end())
    }

    /// How many tasks it has.
    pub(crate) fn tasks(&self, members_per_task: usize) -> usize {
        (self.end() - self.start()).div_ceil(members_per_task)
    }

    /// What it adds to a point, if anything.
    pub(crate) fn block_of(&self, point: usize) -> Option<Block> {
        let n = self.blocks.binary_search_by_key(&point, |block| block.point).ok()?;
        Some(self.blocks[n])
    }

    /// The point and the replica of a member, if it is in this round or a later one.
    pub(crate) fn member(&self, number: usize) -> Option<(usize, u32)> {
        let n = self.blocks.partition_point(|block| block.first_member <= number).checked_sub(1)?;
        let block = self.blocks[n];
        Some((block.point, block.first_replica + (number - block.first_member) as u32))
    }
}
