//! The order in which sites are put into a triangulation: a biased random one (Amenta, Choi and Rote
//! 2003). A random half of the sites comes last, a random half of the others before that, and so
//! on; within such a round neighbours in space follow each other along a Morton curve.

use jostle_core::random::{Purpose, Random};
use jostle_core::space::Vector;

/// Of each coordinate in a key.
const BITS: usize = 16;

/// Rounds of doubling size, each along a Morton curve.
pub(super) fn insertion_order<const D: usize>(
    places: impl ExactSizeIterator<Item = Vector<D>> + Clone,
) -> Vec<u32> {
    let random = Random::new(0);
    let mut low = Vector([f64::INFINITY; D]);
    let mut span: f64 = f64::MIN_POSITIVE;
    for k in 0..D {
        low[k] = places.clone().fold(f64::INFINITY, |least, at| least.min(at[k]));
        span = places.clone().fold(span, |most, at| most.max(at[k] - low[k]));
    }
    // The order decides about speed only, since all signs are exact. So it does no harm that a
    // coordinate at the upper end may be rounded up, lose its 17th bit and be misplaced.
    let cell = span / f64::from((1 << BITS) - 1);
    let mut keyed: Vec<(u32, u64, u32)> = (0..)
        .zip(places)
        .map(|(site, at)| {
            let chance = random.uniform(Purpose::Placement, [u64::from(site), 0, 0, 0]);
            // Half of all have chance > 1/2 and come last.
            let round = (0..32).find(|&k| chance >= 0.5_f64.powi(k + 1)).unwrap_or(32) as u32;
            let curve = (0..D)
                .fold(0, |curve, k| curve | spread::<D>(((at[k] - low[k]) / cell) as u32) << k);
            (32 - round, curve, site)
        })
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(.., site)| site).collect()
}

/// The lowest bits of a number with gaps of D - 1 bits between them.
fn spread<const D: usize>(x: u32) -> u64 {
    (0..BITS).fold(0, |spread, bit| spread | u64::from(x >> bit & 1) << (bit * D))
}
