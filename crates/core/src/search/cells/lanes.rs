//! The test for contact: one particle against others that follow each other in the lists of the
//! cells, some at a time.

use std::ops::Range;

use multiversion::multiversion;
use multiversion::target::match_target;
use smallvec::SmallVec;

/// So many particles are tested at a time.
pub(super) const LANES: usize = 8;

/// All entries, to be tested.
#[derive(Clone, Copy)]
pub(super) struct Lanes<'a, const D: usize> {
    pub(super) place: [&'a [f32]; D],
    pub(super) reach: &'a [f32],
    /// Infinite along axes that do not close on themselves.
    pub(super) periods: [f32; D],
}

/// One particle as the others are tested against it.
#[derive(Clone, Copy)]
pub(super) struct Local<const D: usize> {
    pub(super) place: [f32; D],
    pub(super) reach: f32,
}

impl<const D: usize> Lanes<'_, D> {
    #[inline(always)]
    pub(super) fn local(&self, index: usize) -> Local<D> {
        Local { place: std::array::from_fn(|k| self.place[k][index]), reach: self.reach[index] }
    }

    /// Which of the [`LANES`] entries from `from` on are within the reaches of `a`: one bit each.
    /// With `IMAGES`, as their nearest images are; the places are in the box or near to it, so that
    /// one is at most one period away. `chosen` is one of those below.
    #[inline(always)]
    pub(super) fn hits<const IMAGES: bool>(
        &self,
        a: &Local<D>,
        from: usize,
        chosen: impl Fn([f32; LANES]) -> u32,
    ) -> u32 {
        // Rounding a coordinate to single precision and subtracting cost a few units of
        // f32::EPSILON times the longest edge; each of the two reaches contains eight of them,
        // `Lattice::slack`. A hidden entry is infinitely far away: its margin is minus infinity, or
        // NaN if `a` is hidden as well, and neither is chosen.
        let reach = &self.reach[from..][..LANES];
        let mut margin = [0.0; LANES];
        for n in 0..LANES {
            let within = a.reach + reach[n];
            margin[n] = within * within;
        }
        for k in 0..D {
            let place = &self.place[k][from..][..LANES];
            for n in 0..LANES {
                let mut apart = a.place[k] - place[n];
                if IMAGES {
                    apart = apart.abs();
                    let around = self.periods[k] - apart;
                    apart = if around < apart { around } else { apart };
                }
                margin[n] -= apart * apart;
            }
        }
        chosen(margin)
    }

    /// As [`hits`](Self::hits) of the nearest images, in all of some stretches.
    #[inline(always)]
    fn all_hits(
        &self,
        a: &Local<D>,
        stretches: &[Range<usize>],
        found: &mut FoundEntries,
        chosen: impl Fn([f32; LANES]) -> u32,
    ) {
        const NOTES: usize = 32;
        let (mut notes, mut count) = ([(0, 0); NOTES], 0);
        for stretch in stretches {
            for from in stretch.clone().step_by(LANES) {
                // Eight entries are read in any case, beyond the stretch or into the padding; what
                // does not belong to the stretch is masked off.
                let rest = !(u32::MAX << (stretch.end - from).min(LANES));
                let bits = self.hits::<true>(a, from, &chosen) & rest;
                // Written whether there is a hit or not, and kept only if there is one: a branch
                // here could hardly be predicted. The remainder only shows that the index is in
                // bounds.
                notes[count % NOTES] = (from as u32, bits);
                count += usize::from(bits != 0);
                if count == NOTES {
                    found.extend(notes.iter().flat_map(|&(from, bits)| each(from, bits)));
                    count = 0;
                }
            }
        }
        found.extend(notes[..count].iter().flat_map(|&(from, bits)| each(from, bits)));
    }
}

pub(super) type FoundEntries = SmallVec<[u32; 64]>;

/// Appends all entries of some stretches within the reaches of a particle, as nearest images are.
#[multiversion(targets("x86_64+avx2+bmi2"))]
pub(super) fn all_hits<const D: usize>(
    lanes: &Lanes<'_, D>,
    a: &Local<D>,
    stretches: &[Range<usize>],
    found: &mut FoundEntries,
) {
    match_target! {
        "x86_64+avx2+bmi2" => lanes.all_hits(a, stretches, found, |margins| chosen_avx2(margins)),
        _ => lanes.all_hits(a, stretches, found, chosen),
    }
}

/// The numbers of the bits that are set, counted from `from` on.
#[inline(always)]
pub(super) fn each(from: u32, mut bits: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let number = (bits != 0).then(|| from + bits.trailing_zeros());
        bits &= bits.wrapping_sub(1);
        number
    })
}

/// Which numbers are not negative, one bit each; on processors with AVX2.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn chosen_avx2([a, b, c, d, e, f, g, h]: [f32; LANES]) -> u32 {
    use std::arch::x86_64::{
        _CMP_GE_OQ, _mm256_cmp_ps, _mm256_movemask_ps, _mm256_set_ps, _mm256_setzero_ps,
    };
    // An ordered comparison, false for NaN, as `>=` is in `chosen`. Taking the sign bits of the
    // numbers themselves would differ for minus zero and for NaN.
    let numbers = _mm256_set_ps(h, g, f, e, d, c, b, a);
    _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(numbers, _mm256_setzero_ps())) as u32
}

/// Which numbers are not negative, one bit each; the bit of a NaN is 0.
#[inline(always)]
pub(super) fn chosen(numbers: [f32; LANES]) -> u32 {
    numbers.iter().rev().fold(0, |bits, &number| bits << 1 | u32::from(number >= 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_finds_the_same() {
        let noise = |n: usize, k: usize| ((n * 7919 + k * 104_729) % 1009) as f32 / 1009.0;
        let mut place: [Vec<f32>; 2] =
            std::array::from_fn(|k| (0..208).map(|n| 8.0 * noise(n, k)).collect());
        place[0][17] = f32::INFINITY;
        place[1][17] = f32::INFINITY;
        let reach: Vec<f32> = (0..208).map(|n| 0.5 + noise(n, 2)).collect();
        let lanes = Lanes {
            place: place.each_ref().map(|x| &x[..]),
            reach: &reach,
            periods: [8.0, f32::INFINITY],
        };
        let stretches = [0..1, 3..3, 5..21, 30..199];
        let mut met = 0;
        for one in [0, 8, 17, 60] {
            let a = lanes.local(one);
            let (mut fast, mut plain) = (FoundEntries::new(), FoundEntries::new());
            all_hits(&lanes, &a, &stretches, &mut fast);
            lanes.all_hits(&a, &stretches, &mut plain, chosen);
            assert_eq!(fast, plain);
            let within = |n: usize| {
                let [x, y] = [0, 1].map(|k| (a.place[k] - place[k][n]).abs());
                let x = x.min(8.0 - x);
                x * x + y * y <= (a.reach + reach[n]) * (a.reach + reach[n])
            };
            let all: Vec<u32> = stretches
                .iter()
                .cloned()
                .flatten()
                .filter(|&n| within(n))
                .map(|n| n as u32)
                .collect();
            assert_eq!(plain.to_vec(), all);
            met += all.len();
        }
        assert!(met > 20, "{met}");
    }
}
