//! Philox4x32: a block of 128 random bits as a pure function of a 128-bit counter and a 64-bit key.
//!
//! Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

/// The number of rounds used everywhere: the authors' own safety margin over the seven that pass
/// every test of BigCrush.
pub const ROUNDS: usize = 10;

const MULTIPLIER: [u64; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u64; 2] = [0x9E37_79B9, 0xBB67_AE85];
const LOW: u64 = 0xFFFF_FFFF;

/// Four random 32-bit words from a counter and a key of 32-bit words.
///
/// Every word travels in the low half of a `u64`, and there is no branch: a loop over this
/// function becomes one of vector instructions (32 x 32 -> 64 bit multiplications in 64-bit lanes).
/// The high halves of the arguments have to be zero; those of the result are.
#[inline(always)]
pub fn block<const ROUNDS: usize>(counter: [u64; 4], key: [u64; 2]) -> [u64; 4] {
    let mut words = counter;
    for n in 0..ROUNDS {
        let k0 = key[0].wrapping_add(WEYL[0] * n as u64) & LOW;
        let k1 = key[1].wrapping_add(WEYL[1] * n as u64) & LOW;
        let [x0, x1, x2, x3] = words;
        let a = MULTIPLIER[0].wrapping_mul(x0);
        let b = MULTIPLIER[1].wrapping_mul(x2);
        words = [(b >> 32) ^ x1 ^ k0, b & LOW, (a >> 32) ^ x3 ^ k1, a & LOW];
    }
    words
}

/// [`block`] of [`ROUNDS`] rounds on pairs of 64-bit words, the low half of each first.
#[inline]
pub(super) fn block64(counter: [u64; 2], key: u64) -> [u64; 2] {
    let [a, b] = counter;
    let words = block::<ROUNDS>([a & LOW, a >> 32, b & LOW, b >> 32], split(key));
    [words[0] | words[1] << 32, words[2] | words[3] << 32]
}

/// The low and the high half of a 64-bit word.
#[inline]
pub(super) fn split(word: u64) -> [u64; 2] {
    [word & LOW, word >> 32]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `kat_vectors` of the Random123 distribution: philox4x32, 10 rounds and 7 rounds.
    #[test]
    fn published_vectors() {
        let pi = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
        let pi_key = [0xa409_3822, 0x299f_31d0];
        let cases = [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([LOW; 4], [LOW; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (pi, pi_key, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]),
        ];
        for (counter, key, expected) in cases {
            assert_eq!(block::<10>(counter, key), expected);
        }
        let seven = [0x5f6f_b709, 0x0d89_3f64, 0x4f12_1f81, 0x4f73_0a48];
        assert_eq!(block::<7>([0; 4], [0; 2]), seven);
    }

    #[test]
    fn wide_words_are_low_half_first() {
        let counter = [0x85a3_08d3_243f_6a88, 0x0370_7344_1319_8a2e];
        let expected = [0x94fd_cceb_d16c_fe09, 0x2412_6ea1_5001_e420];
        assert_eq!(block64(counter, 0x299f_31d0_a409_3822), expected);
    }
}
