//! Standard normals from random bits by the transformation of Box and Muller, in vector lanes.
//!
//! The logarithm, cosine and sine are polynomials without branches, so that a loop over [`pair`]
//! becomes one of vector instructions. There are only additions, multiplications, divisions, square
//! roots and bit operations, each rounded as IEEE 754 demands: the bits are the same on every
//! machine and at every vector width.
//!
//! The three normals of a particle and step take 128 random bits, not 53 for each uniform number:
//! the radius of a pair has 52, of which the lower 20 also turn its direction, which has 32. That
//! is half the work; the shared bits matter only far out in the tail.
//!
//! The polynomials are those of least error (Remez) on the interval that they are used on, and
//! right to 10^-12. To add a normal to a coordinate of some thousand steps' length rounds off as
//! much, and the mean square of 10^20 steps would not show it.

/// The bits of 1: with a fraction in the lower 52 bits, those of a number in [1, 2).
const ONE: u64 = 1.0_f64.to_bits();
const FRACTION: u64 = (1 << 52) - 1;
/// 2^52: adding an integer to its bit pattern adds that integer to the number.
const INTEGER: f64 = 4_503_599_627_370_496.0;

/// Two independent standard normals from two random 32-bit words in the low halves: one for how far
/// from the origin the pair is, one for where.
#[inline(always)]
pub fn pair(words: [u64; 2]) -> [f64; 2] {
    let radius = radius(words);
    let [cos, sin] = direction(words[1]);
    [radius * cos, radius * sin]
}

/// How far from the origin the pair is: at most sqrt(2 ln 2^53) = 8.57.
#[inline(always)]
fn radius(words: [u64; 2]) -> f64 {
    // within 10^-14 of u = 1 the error may be larger than the value
    minus_two_ln(uniform(words)).max(0.0).sqrt()
}

/// A uniform in (0, 1): an odd multiple of 2^-53, made of all bits of the first word and, below
/// them, of the lower 20 of the second. These also turn the direction, by less than 2^-12 of half a
/// turn, and count here only far out: so little, where so few pairs are, that no two numbers of a
/// run depend on each other noticeably.
#[inline(always)]
fn uniform(words: [u64; 2]) -> f64 {
    const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;
    f64::from_bits(words[0] << 20 | words[1] & 0xF_FFFF | ONE) - BELOW_ONE
}

/// -2 ln `u` of a positive normal number, to 10^-13.
///
/// u = 2^k m with m in [1, 2), and ln m = ln sqrt 2 + 2 artanh s with s = (m - sqrt 2)/(m + sqrt
/// 2).
#[inline(always)]
fn minus_two_ln(u: f64) -> f64 {
    use std::f64::consts::{LN_2, SQRT_2};
    /// -4 artanh(s)/s by powers of s^2.
    const A: [f64; 6] = [
        f64::from_bits(0xc00f_ffff_ffff_ff0f),
        f64::from_bits(0xbff5_5555_5567_3dc3),
        f64::from_bits(0xbfe9_9999_6268_ba03),
        f64::from_bits(0xbfe2_4943_a288_bb5b),
        f64::from_bits(0xbfdc_6205_0135_b119),
        f64::from_bits(0xbfd9_19b4_da68_d7f1),
    ];
    let k = f64::from_bits(u.to_bits() >> 52 | INTEGER.to_bits()) - (INTEGER + 1023.0);
    let m = f64::from_bits(u.to_bits() & FRACTION | ONE);
    let s = (m - SQRT_2) / (m + SQRT_2);
    let z = s * s;
    let series = A[0] + z * (A[1] + z * (A[2] + z * (A[3] + z * (A[4] + z * A[5]))));
    (k * (-2.0 * LN_2) - LN_2) + s * series
}

/// The cosine and the sine of where the pair is: the word tells how far from the first axis, up to
/// a quarter turn to either side, and its lowest bit, which counts for nothing there, on which end
/// of it.
#[inline(always)]
fn direction(word: u64) -> [f64; 2] {
    /// sin(pi y)/y by powers of y^2.
    const S: [f64; 7] = [
        f64::from_bits(0x4009_21fb_5444_2bb6),
        f64::from_bits(0xc014_abbc_e624_ae81),
        f64::from_bits(0x4004_66bc_66ed_91ef),
        f64::from_bits(0xbfe3_2d2c_9b43_bb15),
        f64::from_bits(0x3fb5_0770_fc18_ebb2),
        f64::from_bits(0xbf7e_29b9_60ba_5387),
        f64::from_bits(0x3f3d_53c5_b318_1e47),
    ];
    /// cos(pi y) by powers of y^2.
    const C: [f64; 7] = [
        f64::from_bits(0x3fef_ffff_ffff_e5ad),
        f64::from_bits(0xc013_bd3c_c9b9_3a18),
        f64::from_bits(0x4010_3c1f_06d7_e73f),
        f64::from_bits(0xbff5_5d3c_04b7_0791),
        f64::from_bits(0x3fce_1f24_e5b8_a07f),
        f64::from_bits(0xbf9a_651c_f20c_1cfc),
        f64::from_bits(0x3f5e_259c_6c77_75d0),
    ];
    /// 3/2 - 2^-33: the values of y lie evenly about zero.
    const MIDDLE: f64 = 1.5 - 1.0 / 8_589_934_592.0;
    let y = f64::from_bits(word << 20 | ONE) - MIDDLE;
    let z = y * y;
    let sin =
        y * (S[0] + z * (S[1] + z * (S[2] + z * (S[3] + z * (S[4] + z * (S[5] + z * S[6]))))));
    let cos = C[0] + z * (C[1] + z * (C[2] + z * (C[3] + z * (C[4] + z * (C[5] + z * C[6])))));
    [f64::from_bits(cos.to_bits() ^ word << 63), sin]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const LOW: u64 = 0xFFFF_FFFF;

    #[test]
    fn logarithm_agrees_with_libm() {
        let steps = (0..200_000).map(|i| f64::from(i + 1) / 200_000.0);
        let small = (1..54).flat_map(|k| [1.0, 1.41, 1.42, 1.99].map(|m| m * 0.5_f64.powi(k)));
        let near_one = (1..1000).map(|i| 1.0 - f64::from(i) * f64::EPSILON);
        for u in steps.chain(small).chain(near_one) {
            let error = minus_two_ln(u) + 2.0 * libm::log(u);
            assert!(error.abs() <= 1e-13, "ln({u}): {error:e}");
        }
    }

    #[test]
    fn cosine_and_sine_agree_with_libm() {
        for i in 0..1 << 20 {
            let word = (i << 12) ^ (i & 0xFFF);
            let [cos, sin] = direction(word);
            let y = (word as f64 + 0.5) / 4_294_967_296.0 - 0.5;
            let end = if word & 1 == 0 { 1.0 } else { -1.0 };
            let errors = [cos - end * libm::cos(PI * y), sin - libm::sin(PI * y)];
            assert!(errors.iter().all(|error| error.abs() < 1e-12), "{y} half turns: {errors:?}");
        }
    }

    /// To turn over all bits of the direction turns it by half a turn, exactly: no mean is other
    /// than zero. Over evenly spaced directions the mean squares are one half each, and so on as on
    /// a circle.
    #[test]
    fn directions_are_even() {
        let n = 1 << 16;
        let mut sums = [0.0; 4];
        for i in 0..n {
            let word = (i << 16) | (i * 0x9E37) & 0xFFFF;
            let [[cos, sin], [c, s]] = [direction(word), direction(!word & LOW)];
            assert_eq!([cos, sin], [-c, -s]);
            let [cos, sin] = direction(i << 16 | 0x8000);
            let moments = [cos * cos, sin * sin, cos.powi(4), cos * cos * sin * sin];
            sums.iter_mut().zip(moments).for_each(|(sum, moment)| *sum += moment);
        }
        for (sum, expected) in sums.iter().zip([0.5, 0.5, 0.375, 0.125]) {
            assert!((sum / n as f64 - expected).abs() < 2e-12, "{sums:?}");
        }
    }

    /// The ends: u runs from 2^-53 to 1 - 2^-53, and nothing is infinite.
    #[test]
    fn extreme_bits() {
        assert_eq!(uniform([0, 0]), f64::EPSILON / 2.0);
        assert_eq!(uniform([0, LOW]), (2_f64.powi(21) - 1.0) * 2_f64.powi(-53));
        assert_eq!(uniform([1, 0]), 2_f64.powi(-32) + 2_f64.powi(-53));
        assert_eq!(uniform([LOW, LOW]), 1.0 - f64::EPSILON / 2.0);
        assert!((radius([0, 0]) - 8.571_674).abs() < 1e-6);
        for words in [[0, 0], [0, LOW], [LOW, 0], [LOW, LOW], [LOW, 1 << 31]] {
            assert!(pair(words).iter().all(|x| x.is_finite()), "{words:?}");
            assert!(radius(words) < 8.6 && (words[0] == 0 || radius(words) < 1e-4), "{words:?}");
        }
    }
}
