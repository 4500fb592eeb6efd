//! A sieve for pairs of paths: some at a time, in vector lanes, most are seen not to touch. A
//! particle that gets through is looked at one by one.

use multiversion::multiversion;

use super::super::shells::Edges;
use super::super::system::System;
use jostle_core::search::Pair;
use jostle_core::space::{Domain, Path, Vector, to_whole};

/// How many pairs are looked at together.
pub(super) const LANES: usize = 8;

/// And how many of a long list.
const TOGETHER: usize = 32;

/// Roundings of the sieve are far less than this, relatively.
const SLACK: f64 = 1e-9;

/// Pairs whose squared distance is so near that of an edge, relatively, get through: only the exact
/// test tells in which shell they are. Tethered particles that are too far apart by rounding are
/// among these, and very few others are so near.
const AT_EDGE: f64 = 4e-4;

/// Pairs side by side, all looked at from the same moment on.
#[derive(Clone, Debug)]
struct Lanes<const D: usize, const N: usize> {
    /// From the one to the other, at that moment. \[length\]
    apart: [[f64; N]; D],
    /// \[length per step\]
    approach: [[f64; N]; D],
    /// Of their centres when they touch. \[length\]
    contact: [f64; N],
}

impl<const D: usize, const N: usize> Lanes<D, N> {
    fn new() -> Self {
        Self { apart: [[0.0; N]; D], approach: [[0.0; N]; D], contact: [0.0; N] }
    }

    #[inline(always)]
    fn put(&mut self, lane: usize, apart: Vector<D>, approach: Vector<D>, contact: f64) {
        for k in 0..D {
            self.apart[k][lane] = apart[k];
            self.approach[k][lane] = approach[k];
        }
        self.contact[lane] = contact;
    }
}

/// Pairs to be looked at, all from the same moment on.
#[derive(Clone, Debug)]
pub(super) struct Pairs<const D: usize> {
    lanes: Lanes<D, LANES>,
    slots: [[u32; 2]; LANES],
    count: usize,
}

impl<const D: usize> Pairs<D> {
    pub(super) fn new() -> Self {
        Self { lanes: Lanes::new(), slots: [[0; 2]; LANES], count: 0 }
    }

    /// Takes up a pair, of which no particle's path starts after `now`. Whether there is room for
    /// no more.
    #[inline(always)]
    pub(super) fn push(&mut self, now: f64, one: (u32, &Path<D>), other: (u32, &Path<D>)) -> bool {
        let at = |path: &Path<D>| path.position + path.velocity * (now - path.since);
        let lane = self.count % LANES;
        let ((i, a), (j, b)) = (one, other);
        self.lanes.put(lane, at(b) - at(a), b.velocity - a.velocity, a.radius + b.radius);
        self.slots[lane] = [i, j];
        // Written so that the compiler sees that `lane` is a lane: there is no bounds check in this
        // loop, which is the innermost of a step.
        self.count = lane + 1;
        self.count == LANES
    }

    /// Empties it, and calls `touch` for each pair that may touch after less than `remaining`.
    #[inline]
    pub(super) fn sift(
        &mut self,
        sieve: &Sieve<D>,
        remaining: f64,
        mut touch: impl FnMut([u32; 2]),
    ) {
        let count = std::mem::take(&mut self.count);
        if count == 0 {
            return;
        }
        // Lanes beyond `count` hold pairs of earlier calls. They are worked out with the others,
        // which costs nothing, and left out below.
        let chances = chances_dispatched(sieve, &self.lanes, remaining);
        if none_gets_through(&chances) {
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
#[derive(Clone, Debug)]
pub(super) struct Sieve<const D: usize> {
    /// 0 along axes that are not periodic, as their inverses are. \[length\]
    periods: [f64; D],
    inverse: [f64; D],
    /// The shortest of the periods. \[length\]
    shortest: f64,
    /// Two that come as fast as this, squared, might meet at an image that is not the nearest.
    pub(super) one_image: f64,
    edges: Edges,
}

impl<const D: usize> Default for Sieve<D> {
    /// Lets every particle through.
    fn default() -> Self {
        Self {
            periods: [0.0; D],
            inverse: [0.0; D],
            shortest: f64::INFINITY,
            one_image: 0.0,
            edges: Edges::default(),
        }
    }
}

impl<const D: usize> Sieve<D> {
    /// For particles that reach no farther than `widest` \[length\], where pairs have these edges.
    pub(super) fn new(domain: &Domain<D>, widest: f64, edges: Edges) -> Self {
        let period = |k: usize| if domain.is_periodic(k) { domain.edges()[k] } else { 0.0 };
        let periods = std::array::from_fn(period);
        let inverse = periods.map(|period| if period > 0.0 { 1.0 / period } else { 0.0 });
        let shortest =
            periods.into_iter().filter(|period| *period > 0.0).fold(f64::INFINITY, f64::min);
        let one_image = one_image(domain, shortest, widest);
        Self { periods, inverse, shortest, one_image, edges }
    }

    /// Takes up what may have changed within a step: how far particles reach, and rates.
    pub(super) fn renew(&mut self, system: &System<D>, widest: f64) {
        self.one_image = one_image(&system.domain, self.shortest, widest);
        self.edges.heed_rates(system);
    }
}

/// The square of what two have to travel to meet at an image that is not the nearest.
fn one_image<const D: usize>(domain: &Domain<D>, shortest: f64, widest: f64) -> f64 {
    // All images but the nearest are at least half an edge away, and are out of reach for two
    // that travel less than that less their contact distance. A hundredth of an edge is more
    // than enough for rounding.
    let room = 0.49 * shortest - 2.0 * widest - domain.rounding();
    room.max(0.0).powi(2)
}

/// Appends all of `pairs` that may touch after less than a whole step, every particle's path
/// starting with it.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
pub(super) fn sift_all<const D: usize>(
    sieve: &Sieve<D>,
    [position, velocity]: [&[Vector<D>]; 2],
    radius: &[f64],
    pairs: &[Pair],
    through: &mut Vec<Pair>,
) {
    // One look at the length of the positions is then enough for all three.
    let (velocity, radius) = (&velocity[..position.len()], &radius[..position.len()]);
    let mut lanes = Lanes::<D, TOGETHER>::new();
    for some in pairs.chunks(TOGETHER) {
        // First all that has to be fetched from here and there, then all that is done in vector
        // lanes.
        for (lane, &Pair(i, j)) in some.iter().enumerate() {
            let [i, j] = [i as usize, j as usize];
            lanes.put(
                lane,
                position[j] - position[i],
                velocity[j] - velocity[i],
                radius[i] + radius[j],
            );
        }
        let chances = chances(sieve, &lanes, 1.0);
        for (chances, some) in chances.as_chunks::<LANES>().0.iter().zip(some.chunks(LANES)) {
            if !none_gets_through(chances) {
                let chances = chances.iter().zip(some).filter(|(chance, _)| **chance >= 0.0);
                through.extend(chances.map(|(_, pair)| *pair));
            }
        }
    }
}

/// [`chances`] with the widest vector instructions of the machine.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn chances_dispatched<const D: usize>(
    sieve: &Sieve<D>,
    lanes: &Lanes<D, LANES>,
    remaining: f64,
) -> [f64; LANES] {
    chances(sieve, lanes, remaining)
}

/// For each lane a number that is negative if the two do not touch.
#[inline(always)]
fn chances<const D: usize, const N: usize>(
    sieve: &Sieve<D>,
    lanes: &Lanes<D, N>,
    remaining: f64,
) -> [f64; N] {
    let mut speed = [0.0; N];
    let mut towards = [0.0; N];
    let mut distance = [0.0; N];
    for k in 0..D {
        let (apart, approach) = (&lanes.apart[k], &lanes.approach[k]);
        for n in 0..N {
            // Without a branch: along an axis with walls both factors are 0, and nothing is taken
            // off.
            let x = apart[n] - sieve.periods[k] * to_whole(apart[n] * sieve.inverse[k]);
            // Displacements until the end.
            let v = approach[n] * remaining;
            speed[n] += v * v;
            towards[n] += x * v;
            distance[n] += x * x;
        }
    }
    let mut inner = [0.0; N];
    for n in 0..N {
        inner[n] = lanes.contact[n] * lanes.contact[n];
    }
    // Whether a pair gets through whatever it comes to.
    let mut surely = [false; N];
    let edges = &sieve.edges;
    if !edges.is_empty() {
        // Between two neighbouring edges of all potentials and tethers that there are, a pair comes
        // to none before it has come to one of these. That some are of other pairs does no harm, and
        // nothing has to be known of the pair. An outer edge is passed if the pair is beyond it in the
        // end, since on a straight path nothing is farther than both ends.
        let mut outer = [f64::MAX; N];
        edges.around(&distance, &mut inner, &mut outer);
        let within = edges.within();
        for n in 0..N {
            let is_near = |edge: f64| (distance[n] - edge).abs() <= AT_EDGE * edge;
            let end = distance[n] + 2.0 * towards[n] + speed[n];
            surely[n] = is_near(inner[n])
                | is_near(outer[n])
                | (distance[n] <= within)
                | (end >= outer[n] * (1.0 - SLACK));
        }
    }
    let too_fast = sieve.one_image * remaining * remaining;
    let mut chances = [0.0; N];
    for n in 0..N {
        let beyond = distance[n] - inner[n];
        let apart = if beyond > 0.0 { beyond } else { 0.0 };
        // The quadratic of `first_contact_of`, with all roundings on the side of letting a pair
        // through: a sieve may keep too much, and that is looked at again, but must not lose a
        // contact.
        let discriminant = towards[n] * towards[n] * (1.0 + SLACK) - speed[n] * apart;
        // The smaller root, apart / (sqrt(discriminant) - towards), is at most 1 if `late` is at
        // most the root of the discriminant.
        let late = apart * (1.0 - SLACK) + towards[n];
        let late = if late > 0.0 { late } else { 0.0 };
        let in_time = discriminant - late * late * (1.0 - SLACK);
        // The discriminant itself need not be asked for: where it is negative, so is this. A pair
        // that parts cannot touch, whatever the root says.
        let approaching = if towards[n] < 0.0 { in_time } else { -1.0 };
        chances[n] = if (speed[n] >= too_fast) | surely[n] { 1.0 } else { approaching };
    }
    chances
}

/// What is usual, and found at once.
#[inline(always)]
fn none_gets_through(chances: &[f64; LANES]) -> bool {
    // Signs only: the sign bit of the conjunction is set if all of them are.
    chances.iter().fold(u64::MAX, |all, chance| all & chance.to_bits()) >> 63 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::narrow::{first_contact_on, next_edge};
    use jostle_core::random::{Purpose, Random};

    /// 40 000 pairs in boxes of which some are small, on paths of which some are long.
    #[test]
    fn a_particle_that_touches_gets_through_and_most_others_do_not() {
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
            let sieve = Sieve::new(&domain, 1.0, Edges::default());
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

    /// The same with edges around contact, of which a pair may start on either side.
    #[test]
    fn a_particle_that_comes_to_an_edge_gets_through_and_most_others_do_not() {
        let random = Random::new(14);
        let (mut met, mut through_in_vain);
        let domain = Domain::new([30.0; 3], [true, true, false]);
        let many: Vec<f64> = (1..=30).map(|n| 2.0 + 0.1 * f64::from(n)).chain([2.601]).collect();
        for (edges, at_most) in [(vec![2.6, 3.0, 4.5], 500), (many, 1000)] {
            let mut edges = edges;
            edges.sort_by(f64::total_cmp);
            let sieve = Sieve::new(&domain, 2.5, Edges::new(edges.clone()));
            (met, through_in_vain) = (0, 0);
            for case in 0..40_000 {
                let draw = |k: u64| random.uniform(Purpose::Placement, [case, k, 0, 0]);
                let now = draw(2);
                let path = |k: u64, spread: f64| Path {
                    position: Vector::from_fn(|axis| 29.0 + spread * (draw(k + axis as u64) - 0.5)),
                    velocity: Vector::from_fn(|axis| draw(k + 3 + axis as u64) - 0.5),
                    since: now * draw(k + 6),
                    radius: 0.5 + 0.5 * draw(k + 7),
                };
                let (a, b) = (Path { since: now, ..path(20, 0.0) }, path(40, 6.0));
                let mut pairs = Pairs::new();
                pairs.push(now, (3, &a), (8, &b));
                let mut through = false;
                pairs.sift(&sieve, 1.0 - now, |_| through = true);
                let meets = next_edge(&domain, &a, &b, &edges, 1.0).is_some();
                assert!(through || !meets, "case {case}");
                met += usize::from(meets);
                through_in_vain += usize::from(through && !meets);
            }
            assert!(met > 3_000, "{met}");
            assert!(through_in_vain < at_most, "{through_in_vain}");
        }
    }

    /// Of 1000 and some pairs, in a box that is small for many of them.
    #[test]
    fn of_many_those_get_through_that_do_one_by_one() {
        let random = Random::new(13);
        let draw = |n: u64, k: u64| random.uniform(Purpose::Placement, [n, k, 0, 0]);
        let position: Vec<_> =
            (0..300).map(|n| Vector::from_fn(|k| 9.0 * draw(n, k as u64))).collect();
        let velocity: Vec<_> =
            (0..300).map(|n| Vector::from_fn(|k| 3.0 * draw(n, 3 + k as u64) - 1.5)).collect();
        let radius: Vec<_> = (0..300).map(|n| 0.5 + 0.5 * draw(n, 6)).collect();
        let sieve = Sieve::new(&Domain::new([9.0; 3], [true, true, false]), 1.0, Edges::default());
        let slot = |n: u64, k: u64| (300.0 * draw(n, k)) as u32;
        let all: Vec<_> = (0..1003).map(|n| Pair::of(slot(n, 7), slot(n, 8))).collect();
        let path = |slot: u32| Path {
            position: position[slot as usize],
            velocity: velocity[slot as usize],
            since: 0.0,
            radius: radius[slot as usize],
        };
        let mut expected = Vec::new();
        for &Pair(i, j) in &all {
            let mut one = Pairs::new();
            one.push(0.0, (i, &path(i)), (j, &path(j)));
            one.sift(&sieve, 1.0, |[i, j]| expected.push(Pair(i, j)));
        }
        let mut through = Vec::new();
        sift_all(&sieve, [&position, &velocity], &radius, &all, &mut through);
        assert_eq!(through, expected);
        assert!((50..900).contains(&through.len()), "{}", through.len());
    }
}
