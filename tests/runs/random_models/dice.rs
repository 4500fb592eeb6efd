//! Random choices that follow from a seed, independent of the random numbers of the program.

/// SplitMix64 (Steele, Lea & Flood 2014).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0xd134_2543_de82_ef95));
        dice.word();
        dice
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number from 0 to before `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    /// A whole number, both ends included.
    pub(crate) fn whole(&mut self, from: usize, to: usize) -> usize {
        from + self.below(to - from + 1)
    }

    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number with few enough digits that a text says it exactly.
    pub(crate) fn between(&mut self, from: f64, to: f64) -> f64 {
        ((from + (to - from) * self.unit()) * 1000.0).round() / 1000.0
    }

    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// One of several, each with its weight.
    pub(crate) fn weighed<T: Clone>(&mut self, from: &[(usize, T)]) -> T {
        let mut left = self.below(from.iter().map(|(weight, _)| weight).sum());
        for (weight, what) in from {
            if left < *weight {
                return what.clone();
            }
            left -= weight;
        }
        from[0].1.clone()
    }
}
