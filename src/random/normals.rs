//! Standard normals from random bits by the transformation of Box and Muller, in vector lanes.
//!
//! The logarithm, sine and cosine are the polynomials of fdlibm (Sun Microsystems 1993) written
//! without branches, so that a loop over [`pair`] becomes one of vector instructions. There are
//! only additions, multiplications, divisions, square roots and bit operations, each rounded as
//! IEEE 754 demands: the bits are the same on every machine and at every vector width.

use std::f64::consts::TAU;

/// 2^52: adding an integer to its bit pattern adds that integer to the number.
const INTEGER: f64 = 4_503_599_627_370_496.0;
/// 2^-53
const STEP: f64 = 1.0 / 9_007_199_254_740_992.0;

/// Two independent standard normals from four random 32-bit words in the low halves.
///
/// The radius is made of a uniform of 53 bits in (0, 1], so it is finite and reaches
/// sqrt(2 ln 2^53) = 8.57; the angle of one in [0, 1) turns.
#[inline(always)]
pub fn pair(words: [u64; 4]) -> [f64; 2] {
    let radius = radius([words[0], words[1]]);
    let [cos, sin] = direction([words[2], words[3]]);
    [radius * cos, radius * sin]
}

/// How far from the origin the pair is.
#[inline(always)]
pub(super) fn radius(words: [u64; 2]) -> f64 {
    let u = (integer53(words[0], words[1]) + 1.0) * STEP;
    (-2.0 * ln(u)).sqrt()
}

/// The cosine and the sine of where it is.
#[inline(always)]
pub(super) fn direction(words: [u64; 2]) -> [f64; 2] {
    cos_sin_turns(integer53(words[0], words[1]) * STEP)
}

/// The integer in 0..2^53 made of all 32 bits of `high` and the upper 21 of `low`.
#[inline(always)]
fn integer53(high: u64, low: u64) -> f64 {
    small_integer(high) * 2_097_152.0 + small_integer(low >> 11)
}

/// An integer below 2^52 as a number.
#[inline(always)]
fn small_integer(n: u64) -> f64 {
    f64::from_bits(n | INTEGER.to_bits()) - INTEGER
}

/// The natural logarithm of a positive normal number, to one unit in the last place.
///
/// u = 2^k (1 + f) with 1 + f in [sqrt 1/2, sqrt 2); the series in f/(2 + f) is fdlibm's `e_log.c`.
#[inline(always)]
pub fn ln(u: f64) -> f64 {
    const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
    const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
    const SQRT_HALF: u64 = 0x3fe6_a09e_0000_0000;
    const L: [f64; 7] = [
        f64::from_bits(0x3fe5_5555_5555_5593),
        f64::from_bits(0x3fd9_9999_9997_fa04),
        f64::from_bits(0x3fd2_4924_9422_9359),
        f64::from_bits(0x3fcc_71c5_1d8e_78af),
        f64::from_bits(0x3fc7_4664_96cb_03de),
        f64::from_bits(0x3fc3_9a09_d078_c69f),
        f64::from_bits(0x3fc2_f112_df3e_5244),
    ];
    const MANTISSA: u64 = (1 << 52) - 1;
    let shifted = u.to_bits().wrapping_add(1.0_f64.to_bits() - SQRT_HALF);
    let k = small_integer(shifted >> 52) - 1023.0;
    let f = f64::from_bits((shifted & MANTISSA).wrapping_add(SQRT_HALF)) - 1.0;
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let odd = w * (L[1] + w * (L[3] + w * L[5]));
    let even = z * (L[0] + w * (L[2] + w * (L[4] + w * L[6])));
    let series = s * (half_square + (odd + even));
    k * LN2_HIGH - ((half_square - (series + k * LN2_LOW)) - f)
}

/// The cosine and the sine of `v` turns, 0 <= v < 1, to about one unit in the last place of 1.
///
/// The nearest quarter turn is taken off exactly; the polynomials are fdlibm's `k_cos.c` and
/// `k_sin.c`.
#[inline(always)]
pub fn cos_sin_turns(v: f64) -> [f64; 2] {
    const S: [f64; 6] = [
        f64::from_bits(0xbfc5_5555_5555_5549),
        f64::from_bits(0x3f81_1111_1110_f8a6),
        f64::from_bits(0xbf2a_01a0_19c1_61d5),
        f64::from_bits(0x3ec7_1de3_57b1_fe7d),
        f64::from_bits(0xbe5a_e5e6_8a2b_9ceb),
        f64::from_bits(0x3de5_d93a_5acf_d57c),
    ];
    const C: [f64; 6] = [
        f64::from_bits(0x3fa5_5555_5555_554c),
        f64::from_bits(0xbf56_c16c_16c1_5177),
        f64::from_bits(0x3efa_01a0_19cb_1590),
        f64::from_bits(0xbe92_7e4f_809c_52ad),
        f64::from_bits(0x3e21_ee9e_bdb4_b1c4),
        f64::from_bits(0xbda8_fae9_be88_38d4),
    ];
    let shifted = 4.0 * v + INTEGER;
    let quarter = shifted.to_bits() & 3;
    let x = (v - 0.25 * (shifted - INTEGER)) * TAU;
    let z = x * x;
    let sin_series = S[1] + z * (S[2] + z * (S[3] + z * (S[4] + z * S[5])));
    let sin = x + z * x * (S[0] + z * sin_series);
    let cos_series = z * (C[0] + z * (C[1] + z * (C[2] + z * (C[3] + z * (C[4] + z * C[5])))));
    let half = 0.5 * z;
    let w = 1.0 - half;
    let cos = w + ((1.0 - w - half) + z * cos_series);
    // the quarter turns: (c, s) -> (-s, c) -> (-c, -s) -> (s, -c)
    let swap = (quarter & 1).wrapping_neg();
    let (c, s) = (cos.to_bits(), sin.to_bits());
    let crossed = (c ^ s) & swap;
    let cos_sign = ((quarter ^ (quarter >> 1)) & 1) << 63;
    let sin_sign = (quarter >> 1) << 63;
    [f64::from_bits((c ^ crossed) ^ cos_sign), f64::from_bits((s ^ crossed) ^ sin_sign)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOW: u64 = 0xFFFF_FFFF;

    #[test]
    fn logarithm_agrees_with_libm() {
        let steps = (0..200_000).map(|i| f64::from(i + 1) / 200_000.0);
        // the series changes over at a mantissa of sqrt 2
        let small = (1..54).flat_map(|k| [1.0, 1.41, 1.42].map(|m| m * 0.5_f64.powi(k)));
        let near_one = (1..1000).map(|i| 1.0 - f64::from(i) * STEP);
        for u in steps.chain(small).chain(near_one) {
            let (ours, reference) = (ln(u), libm::log(u));
            assert!((ours - reference).abs() <= 1e-15 * reference.abs(), "ln({u})");
        }
        assert_eq!(ln(1.0), 0.0);
    }

    #[test]
    fn cosine_and_sine_agree_with_libm() {
        for i in 0..400_000 {
            let v = f64::from(i) / 400_000.0;
            let [cos, sin] = cos_sin_turns(v);
            // whole quarter turns are taken off before the reference rounds its argument
            let quarter = (4.0 * v).floor();
            let (s, c) = libm::sincos((v - 0.25 * quarter) * TAU);
            let (c, s) = [(c, s), (-s, c), (-c, -s), (s, -c)][quarter as usize];
            assert!((cos - c).abs() < 1e-15, "cos of {v} turns");
            assert!((sin - s).abs() < 1e-15, "sin of {v} turns");
        }
        assert_eq!(cos_sin_turns(0.0), [1.0, 0.0]);
        assert_eq!(cos_sin_turns(0.25), [0.0, 1.0]);
        assert_eq!(cos_sin_turns(0.5), [-1.0, 0.0]);
        assert_eq!(cos_sin_turns(0.75), [0.0, -1.0]);
    }

    /// All 53 bits are used, the ends included: u runs from 2^-53 to 1, and nothing is infinite.
    #[test]
    fn extreme_bits() {
        assert_eq!(integer53(LOW, LOW), 9_007_199_254_740_991.0);
        assert_eq!(integer53(0, 1 << 11), 1.0);
        assert_eq!(integer53(0, (1 << 11) - 1), 0.0);
        let farthest = pair([0, 0, 0, 0]);
        assert!((farthest[0] - 8.571_674).abs() < 1e-5 && farthest[1] == 0.0);
        assert_eq!(pair([LOW, LOW, 0, 0])[0], 0.0);
        assert!(pair([0, 0, LOW, LOW]).iter().all(|x| x.is_finite()));
    }
}
