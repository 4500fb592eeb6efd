//! A sieve for pairs of paths: some at a time, in vector lanes, most are seen not to touch. Whoever gets
//! through is looked at one by one.

use multiversion::multiversion;

use crate::space::{Domain, Path, Vector};

/// How many pairs are looked at together.
pub(super) const LANES: usize = 8;

/// Roundings of the sieve are far less than this, relatively.
const SLACK: f64 = 1e-9;

/// Pairs to be looked at, all from the same moment on.
#[derive(Clone, Debug)]
pub(super) struct Pairs<const D: usize> {
    /// From the one to the other, at that moment. \[length\]
    apart: [[f64; LANES]; D],
    /// \[length per step\]
    approach: [[f64; LANES]; D],
    /// Of their centres when they touch. \[length\]
    contact: [f64; LANES],
    slots: [[u32; 2]; LANES],
    count: usize,
}

impl<const D: usize> Pairs<D> {
    /// None yet.
    pub(super) fn new() -> Self {
        Self {
            apart: [[0.0; LANES]; D],
            approach: [[0.0; LANES]; D],
            contact: [0.0; LANES],
            slots: [[0; 2]; LANES],
            count: 0,
        }
    }

    /// Takes up a pair, of which nobody's path starts after `now`. Whether there is room for no more.
    #[inline(always)]
    pub(super) fn push(&mut self, now: f64, one: (u32, &Path<D>), other: (u32, &Path<D>)) -> bool {
        let at = |path: &Path<D>| path.position + path.velocity * (now - path.since);
        self.push_apart(at(other.1) - at(one.1), one, other)
    }

    /// The same for two whose paths both start at the moment from which on they are looked at.
    #[inline(always)]
    pub(super) fn push_first(&mut self, one: (u32, &Path<D>), other: (u32, &Path<D>)) -> bool {
        self.push_apart(other.1.position - one.1.position, one, other)
    }

    #[inline(always)]
    fn push_apart(&mut self, apart: Vector<D>, one: (u32, &Path<D>), other: (u32, &Path<D>)) -> bool {
        let lane = self.count % LANES;
        let ((i, a), (j, b)) = (one, other);
        for k in 0..D {
            self.apart[k][lane] = apart[k];
            self.approach[k][lane] = b.velocity[k] - a.velocity[k];
        }
        self.contact[lane] = a.radius + b.radius;
        self.slots[lane] = [i, j];
        self.count = lane + 1;
        self.count == LANES
    }

    /// Empties it, and calls `touch` for each pair that may touch after less than `remaining`.
    #[inline]
    pub(super) fn sift(&mut self, sieve: &Sieve<D>, remaining: f64, mut touch: impl FnMut([u32; 2])) {
        let count = std::mem::take(&mut self.count);
        if count == 0 {
            return;
        }
        let chances = chances_dispatched(sieve, self, remaining);
        // Usually nobody gets through, and that is seen at once.
        if chances.iter().fold(u64::MAX, |all, chance| all & chance.to_bits()) >> 63 == 1 {
            return;
        }
        for (chance, slots) in chances.iter().zip(self.slots).take(count) {
            if *chance >= 0.0 {
                touch(slots);
            }
        }
    }
}

/// The box as the sieve sees it, and when it lets pairs through without a look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sieve<const D: usize> {
    /// 0 along axes that are not periodic, as their inverses are. \[length\]
    periods: [f64; D],
    inverse: [f64; D],
    /// Two that come as fast as this, squared, might meet at an image that is not the nearest.
    pub(super) one_image: f64,
}

impl<const D: usize> Default for Sieve<D> {
    /// Lets everybody through.
    fn default() -> Self {
        Self { periods: [0.0; D], inverse: [0.0; D], one_image: 0.0 }
    }
}

impl<const D: usize> Sieve<D> {
    /// For bodies no larger than `widest` \[length\].
    pub(super) fn new(domain: &Domain<D>, widest: f64) -> Self {
        let period = |k: usize| if domain.is_periodic(k) { domain.edges()[k] } else { 0.0 };
        let periods = std::array::from_fn(period);
        let inverse = periods.map(|period| if period > 0.0 { 1.0 / period } else { 0.0 });
        let shortest = periods.into_iter().filter(|period| *period > 0.0).fold(f64::INFINITY, f64::min);
        let room = 0.49 * shortest - 2.0 * widest - domain.rounding();
        Self { periods, inverse, one_image: room.max(0.0).powi(2) }
    }
}

/// For each lane a number that is negative if the two do not touch.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn chances_dispatched<const D: usize>(sieve: &Sieve<D>, pairs: &Pairs<D>, remaining: f64) -> [f64; LANES] {
    let mut speed = [0.0; LANES];
    let mut towards = [0.0; LANES];
    let mut distance = [0.0; LANES];
    for k in 0..D {
        let (apart, approach) = (&pairs.apart[k], &pairs.approach[k]);
        for n in 0..LANES {
            let x = apart[n] - sieve.periods[k] * to_whole(apart[n] * sieve.inverse[k]);
            // Displacements until the end.
            let v = approach[n] * remaining;
            speed[n] += v * v;
            towards[n] += x * v;
            distance[n] += x * x;
        }
    }
    let too_fast = sieve.one_image * remaining * remaining;
    let mut chances = [0.0; LANES];
    for n in 0..LANES {
        let apart = distance[n] - pairs.contact[n] * pairs.contact[n];
        let apart = if apart > 0.0 { apart } else { 0.0 };
        let discriminant = towards[n] * towards[n] * (1.0 + SLACK) - speed[n] * apart;
        // The smaller root, apart / (sqrt(discriminant) - towards), is at most 1 if `late` is at most the
        // root of the discriminant.
        let late = apart * (1.0 - SLACK) + towards[n];
        let late = if late > 0.0 { late } else { 0.0 };
        let in_time = discriminant - late * late * (1.0 - SLACK);
        let approaching = if towards[n] < 0.0 { in_time } else { -1.0 };
        chances[n] = if speed[n] >= too_fast { 1.0 } else { approaching };
    }
    chances
}

/// The whole number next to `x`.
#[inline(always)]
fn to_whole(x: f64) -> f64 {
    const SHIFT: f64 = 1.5 * (1_u64 << 52) as f64;
    (x + SHIFT) - SHIFT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::first_contact_on;
    use crate::random::{Purpose, Random};

    /// 40 000 pairs in boxes of which some are small, on paths of which some are long.
    #[test]
    fn whoever_touches_gets_through_and_most_others_do_not() {
        let random = Random::new(12);
        let (mut touching, mut through_in_vain) = (0, 0);
        for case in 0..40_000 {
            let draw = |k: u64| random.uniform(Purpose::Placement, [case, k, 0, 0]);
            let edge = [4.0, 9.0, 30.0][(draw(0) * 3.0) as usize];
            let domain = Domain::new([edge; 3], [true, draw(1) < 0.5, false]);
            let now = draw(2);
            let path = |k: u64| Path {
                position: Vector::from_fn(|axis| edge * draw(k + axis as u64)),
                velocity: Vector::from_fn(|axis| 4.0 * draw(9) * (draw(k + 3 + axis as u64) - 0.5)),
                since: now * draw(k + 6),
                radius: 0.5 + 0.5 * draw(k + 7),
            };
            let (a, b) = (Path { since: now, ..path(20) }, path(40));
            let sieve = Sieve::new(&domain, 1.0);
            let mut pairs = Pairs::new();
            pairs.push(now, (3, &a), (8, &b));
            let mut through = false;
            pairs.sift(&sieve, 1.0 - now, |slots| through = slots == [3, 8]);
            let touches = first_contact_on(&domain, &a, &b, 1.0, true).is_some();
            assert!(through || !touches, "case {case}");
            touching += usize::from(touches);
            through_in_vain += usize::from(through && !touches && edge > 20.0);
        }
        assert!(touching > 1_500, "{touching}");
        assert!(through_in_vain < 100, "{through_in_vain}");
    }
}
