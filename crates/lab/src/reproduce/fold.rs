//! One number for a history: two that differ in a single bit have different ones, but for chance.

use jostle_core::space::Vector;

/// Words folded into one, in order (FNV-1a, applied to words).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fold(u64);

impl Fold {
    pub(super) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(super) fn word(&mut self, word: u64) {
        let product = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 = product ^ (product >> 32);
    }

    pub(super) fn vector<const D: usize>(&mut self, vector: &Vector<D>) {
        (0..D).for_each(|k| self.word(vector[k].to_bits()));
    }

    pub(super) fn value(self) -> u64 {
        self.0
    }
}
