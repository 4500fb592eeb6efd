//! Random choices that follow from a seed, independent of the random numbers of the engines.

/// SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Draws(u64);

impl Draws {
    /// Those of this seed.
    pub fn new(seed: u64) -> Self {
        let mut draws = Self(seed.wrapping_mul(0xd134_2543_de82_ef95));
        draws.word();
        draws
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A uniform number in \[0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    /// Whether something of this probability happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number between these, with few enough digits that a text says it exactly.
    pub fn between(&mut self, from: f64, to: f64) -> f64 {
        ((from + (to - from) * self.unit()) * 1000.0).round() / 1000.0
    }

    /// A number between these, as likely in any octave.
    pub fn along(&mut self, from: f64, to: f64) -> f64 {
        from * libm::pow(to / from, self.unit())
    }

    /// A whole number from the one to the other, both included.
    pub fn whole(&mut self, from: usize, to: usize) -> usize {
        from + self.below(to - from + 1)
    }

    /// One of several.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// One of several, each with its weight.
    pub fn weighed<T: Clone>(&mut self, from: &[(usize, T)]) -> T {
        let mut left = self.below(from.iter().map(|(weight, _)| weight).sum());
        for (weight, what) in from {
            if left < *weight {
                return what.clone();
            }
            left -= weight;
        }
        from[0].1.clone()
    }

    /// A uniformly distributed unit vector in the first `dimension` components.
    pub fn direction(&mut self, dimension: usize) -> [f64; 3] {
        loop {
            let mut v = [0.0; 3];
            v[..dimension].iter_mut().for_each(|x| *x = 2.0 * self.unit() - 1.0);
            let r = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            if r > 0.1 && r < 1.0 {
                return v.map(|x| x / r);
            }
        }
    }
}

/// A number with four significant digits, as it is typed into a model.
pub(super) fn typed(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}
