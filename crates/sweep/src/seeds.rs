//! Seeds of members: those of NumPy's `SeedSequence`, so that they can be checked.
//!
//! ```python
//! from numpy.random import SeedSequence
//! SeedSequence(seed, spawn_key=(point, replica)).generate_state(1, "uint64")
//! ```

/// Words in the pool in which entropy is mixed.
const POOL: usize = 4;

/// Constants of O'Neill's `seed_seq_fe128`, which NumPy uses.
const INIT_A: u32 = 0x43b0_d7e5;
const MULTIPLIER_A: u32 = 0x931e_8875;
const INIT_B: u32 = 0x8b51_f9dd;
const MULTIPLIER_B: u32 = 0x58f3_8ded;
const MIX_LEFT: u32 = 0xca01_f9dd;
const MIX_RIGHT: u32 = 0x4973_f715;

/// The seed of a replica of a point; `point` is [`Point::key`](crate::Point::key), or 0 for members
/// that share their noise with those of other points.
///
/// ```
/// // SeedSequence(7, spawn_key=(0, 1)).generate_state(1, "uint64")
/// assert_eq!(jostle_sweep::seed_of(7, 0, 1), 0xd783_208f_6d5b_73da);
/// ```
pub fn seed_of(seed: u64, point: u64, replica: u64) -> u64 {
    let mut entropy = words(seed);
    // Keys follow only after a full pool, so that no seed alone gives the same.
    entropy.resize(entropy.len().max(POOL), 0);
    entropy.extend(words(point));
    entropy.extend(words(replica));
    let pool = mixed(&entropy);
    let mut constant = INIT_B;
    let [low, high] = [pool[0], pool[1]].map(|word| {
        let word = word ^ constant;
        constant = constant.wrapping_mul(MULTIPLIER_B);
        fold(word.wrapping_mul(constant))
    });
    u64::from(high) << 32 | u64::from(low)
}

/// A number in words of 32 bits, the lowest first, as few as it takes.
fn words(number: u64) -> Vec<u32> {
    let [low, high] = [number as u32, (number >> 32) as u32];
    if high == 0 { vec![low] } else { vec![low, high] }
}

/// Brings the high bits of a product down.
fn fold(word: u32) -> u32 {
    word ^ (word >> 16)
}

/// The pool after all entropy has been mixed into it.
fn mixed(entropy: &[u32]) -> [u32; POOL] {
    let mut constant = INIT_A;
    let mut hash = |word: u32| {
        let word = word ^ constant;
        constant = constant.wrapping_mul(MULTIPLIER_A);
        fold(word.wrapping_mul(constant))
    };
    let mix =
        |a: u32, b: u32| fold(MIX_LEFT.wrapping_mul(a).wrapping_sub(MIX_RIGHT.wrapping_mul(b)));
    let mut pool: [u32; POOL] = std::array::from_fn(|n| hash(entropy.get(n).copied().unwrap_or(0)));
    for from in 0..POOL {
        for to in (0..POOL).filter(|&to| to != from) {
            pool[to] = mix(pool[to], hash(pool[from]));
        }
    }
    for &word in entropy.iter().skip(POOL) {
        for to in &mut pool {
            *to = mix(*to, hash(word));
        }
    }
    pool
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What NumPy 2.4.6 gives.
    #[test]
    fn seeds_are_those_of_numpy() {
        let expected = [
            (0, 0, 0xba68_5ed7_177b_7dc0),
            (0, 1, 0xd783_208f_6d5b_73da),
            (1, 0, 0x0054_616f_0487_3bab),
            (123_456_789, 7, 0x93e4_82f9_47e2_b131),
        ];
        for (point, replica, seed) in expected {
            assert_eq!(seed_of(7, point, replica), seed, "({point}, {replica})");
        }
        // All of several words.
        assert_eq!(seed_of((1 << 40) + 5, (1 << 63) + 11, 1 << 33), 0xbadc_9ca9_4dec_60aa);
    }

    #[test]
    fn members_have_seeds_of_their_own() {
        let keys = (0..100).flat_map(|point| (0..100).map(move |replica| (point, replica)));
        let mut seeds: Vec<u64> =
            keys.map(|(point, replica)| seed_of(1, point << 30, replica)).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 10_000);
    }
}
