//! Sorted endpoints: the boxes around particles, projected onto the axes, kept in order by
//! exchanges of endpoints that are next to each other, and with them the list of boxes that
//! overlap.
//!
//! This is the incremental sort-and-update of Schinner (1999, *Fast algorithms for the simulation
//! of polygonal particles*, section 3.3), and the set of segment trees of Gavrilova and Rokne
//! (2002, section 3.4): the one exchanges endpoints once a step, the other when they meet.
//!
//! # A tree as an array
//!
//! The trees of the latter are never rebalanced: "we do not rebalance the tree, but exchange
//! references to segment endpoints". Their shape is fixed, so that a node is a rank, and the tree
//! is a sorted array of references. Measured for 200, 20 000 and 200 000 endpoints, one exchange at
//! a random place and a look at the endpoints before and after it: 3.3, 4.0 and 5.5 ns in the
//! array; 4.6, 6.4 and 21 ns in a balanced tree whose nodes also know the next one on either side;
//! 32, 40 and 62 ns if these are found by walking up and down. The array takes 8 bytes an endpoint,
//! the tree 20 to 32.
//!
//! # Going round
//!
//! The order along each axis is circular: after the last endpoint comes the first. Intervals that
//! reach across the seam of a periodic axis are then nothing special, and between walls the seam is
//! never crossed. An interval must be shorter than the edge of a periodic axis.

mod members;
mod neighbours;
mod overlaps;
mod ring;
mod sort;
#[cfg(test)]
mod tests;
mod trace;

pub use neighbours::Neighbours;
pub use ring::{Ring, overlap as intervals_overlap};
#[doc(hidden)]
pub use sort::assert_sorted;
pub use sort::{Places, rewind, settle_box, sort};
pub use trace::{ListChange, SortStep, sort_step_by_step};

/// In place of a rank: none.
const NONE: u32 = u32::MAX;

/// One end of the interval that a particle's box covers along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Endpoint(u32);

impl Endpoint {
    /// Where the interval of `particle` begins.
    #[inline]
    pub fn begin(particle: u32) -> Self {
        Self(2 * particle)
    }

    /// Where the interval of `particle` ends.
    #[inline]
    pub fn end(particle: u32) -> Self {
        Self(2 * particle + 1)
    }

    /// The particle that it belongs to.
    #[inline]
    pub fn owner(self) -> u32 {
        self.0 / 2
    }

    /// Whether the interval ends here.
    #[inline]
    pub fn is_end(self) -> bool {
        self.0 & 1 == 1
    }

    /// Where it lies for a particle with its centre at `centre` and half the width `half`.
    #[inline]
    pub fn place(self, centre: f64, half: f64) -> f64 {
        if self.is_end() { centre + half } else { centre - half }
    }

    /// 0 for a beginning, 1 for an end.
    #[inline]
    pub fn side(self) -> usize {
        (self.0 & 1) as usize
    }
}

/// What an exchange does to the list of overlapping boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// The same boxes overlap as before.
    Unchanged,
    /// These two overlap from now on.
    Gained([u32; 2]),
    /// These two no longer overlap.
    Lost([u32; 2]),
}

/// The endpoints of all particles along each axis in order, and the pairs whose intervals overlap
/// along all axes.
#[derive(Clone, Debug)]
pub struct Endpoints<const D: usize> {
    /// \[axis\]\[rank\]
    order: [Vec<Endpoint>; D],
    /// The ranks of a particle lie side by side, since an exchange along one axis asks for all
    /// others. \[particle\]\[axis\]\[beginning, end\]
    ranks: Vec<[[u32; 2]; D]>,
    neighbours: Neighbours,
}

impl<const D: usize> Default for Endpoints<D> {
    fn default() -> Self {
        Self {
            order: std::array::from_fn(|_| Vec::new()),
            ranks: Vec::new(),
            neighbours: Neighbours::default(),
        }
    }
}

impl<const D: usize> Endpoints<D> {
    /// What is held of each particle that has few neighbours. \[bytes\]
    pub const EACH: usize =
        D * size_of::<[Endpoint; 2]>() + size_of::<[[u32; 2]; D]>() + Neighbours::EACH;

    /// Takes up those of particles `0..particles` that are `here`, whose endpoints lie at
    /// `place(axis, endpoint)`: sorts each axis, then finds the overlaps by a sweep.
    pub fn build(
        &mut self,
        particles: usize,
        here: impl Fn(u32) -> bool,
        place: impl Fn(usize, Endpoint) -> f64,
    ) {
        self.ranks = vec![[[NONE; 2]; D]; particles];
        self.neighbours = Neighbours::new(particles);
        let mut sorted = Vec::with_capacity(2 * particles);
        for k in 0..D {
            sorted.clear();
            let endpoints = (0..2 * particles as u32).map(Endpoint).filter(|e| here(e.owner()));
            // Adding zero makes one of the two zeros, which would not compare as equal.
            sorted.extend(endpoints.map(|e| (place(k, e) + 0.0, e)));
            sorted.sort_unstable_by(|(x, p), (y, q)| {
                // A particle that touches overlaps: at the same place beginnings come before ends.
                x.total_cmp(y).then(p.is_end().cmp(&q.is_end())).then(p.cmp(q))
            });
            self.order[k] = sorted.iter().map(|&(_, e)| e).collect();
            self.number(k);
        }
        self.find_overlaps();
    }

    /// Gives the endpoints of an axis their ranks.
    fn number(&mut self, axis: usize) {
        for (rank, e) in self.order[axis].iter().enumerate() {
            self.ranks[e.owner() as usize][axis][e.side()] = rank as u32;
        }
    }

    /// Whether a particle has endpoints here.
    pub fn is_present(&self, particle: u32) -> bool {
        self.ranks.get(particle as usize).is_some_and(|ranks| ranks[0][0] != NONE)
    }

    /// How many endpoints there are along each axis.
    #[inline]
    pub fn count(&self) -> usize {
        self.order[0].len()
    }

    /// The endpoint of a rank.
    #[inline]
    pub fn at(&self, axis: usize, rank: usize) -> Endpoint {
        self.order[axis][rank]
    }

    /// The rank of an endpoint.
    #[inline]
    pub fn rank_of(&self, axis: usize, endpoint: Endpoint) -> usize {
        self.ranks[endpoint.owner() as usize][axis][endpoint.side()] as usize
    }

    /// The rank after `rank`: after the last one comes the first.
    #[inline]
    pub fn after(&self, rank: usize) -> usize {
        if rank + 1 == self.count() { 0 } else { rank + 1 }
    }

    /// The rank before `rank`: before the first one comes the last.
    #[inline]
    pub fn before(&self, rank: usize) -> usize {
        if rank == 0 { self.count() - 1 } else { rank - 1 }
    }

    /// The particles whose boxes overlap that of `particle`.
    pub fn near(&self, particle: u32) -> impl Iterator<Item = u32> + '_ {
        self.neighbours.of(particle)
    }

    /// The lists alone.
    pub fn into_neighbours(self) -> Neighbours {
        self.neighbours
    }

    /// Exchanges the endpoints at `rank` and after it, which belong to different particles, by the
    /// rules of Schinner's Tables 1 and 3: two beginnings or two ends change nothing; a beginning
    /// that falls behind an end parts the two (unless they overlap at their other ends too, as long
    /// intervals may along a periodic axis); an end that overtakes a beginning joins them if they
    /// overlap along all other axes.
    #[inline]
    pub fn exchange(&mut self, axis: usize, rank: usize) -> Exchange {
        let next = self.after(rank);
        let (p, q) = (self.order[axis][rank], self.order[axis][next]);
        debug_assert_ne!(p.owner(), q.owner(), "a particle's interval is never turned inside out");
        self.put(axis, rank, q);
        self.put(axis, next, p);
        let pair = [p.owner(), q.owner()];
        match (p.is_end(), q.is_end()) {
            (true, false) if self.others_overlap(axis, pair) && self.neighbours.add(pair) => {
                Exchange::Gained(pair)
            }
            (false, true) if !self.overlap_along(axis, pair) && self.neighbours.remove(pair) => {
                Exchange::Lost(pair)
            }
            _ => Exchange::Unchanged,
        }
    }

    /// How much memory it holds. \[bytes\]
    pub fn bytes(&self) -> usize {
        let order: usize =
            self.order.iter().map(|axis| axis.capacity() * size_of::<Endpoint>()).sum();
        order + self.ranks.capacity() * size_of::<[[u32; 2]; D]>() + self.neighbours.bytes()
    }

    #[inline]
    fn put(&mut self, axis: usize, rank: usize, endpoint: Endpoint) {
        self.order[axis][rank] = endpoint;
        self.ranks[endpoint.owner() as usize][axis][endpoint.side()] = rank as u32;
    }

    /// Whether two particles overlap along all axes but one (`D`: along all).
    #[inline]
    fn others_overlap(&self, but: usize, pair: [u32; 2]) -> bool {
        (0..D).all(|k| k == but || self.overlap_along(k, pair))
    }

    /// Whether the intervals of two particles overlap.
    #[inline]
    fn overlap_along(&self, axis: usize, pair: [u32; 2]) -> bool {
        let [a, b] = pair.map(|particle| self.ranks[particle as usize][axis]);
        intervals_overlap(a, b, self.count() as u32)
    }

    /// Holds order, ranks and lists to each other. For tests.
    ///
    /// # Panics
    /// If they do not agree.
    pub fn assert_well_formed(&self) {
        for k in 0..D {
            assert_eq!(self.order[k].len(), self.count());
            for (rank, &e) in self.order[k].iter().enumerate() {
                assert_eq!(self.rank_of(k, e), rank, "axis {k}: {e:?}");
            }
        }
        self.neighbours.assert_well_formed();
        let particles: Vec<_> =
            (0..self.ranks.len() as u32).filter(|&i| self.is_present(i)).collect();
        assert_eq!(2 * particles.len(), self.count());
        for &i in &particles {
            for &j in particles.iter().filter(|&&j| j < i) {
                let all = (0..D).all(|k| self.overlap_along(k, [i, j]));
                assert_eq!(self.near(i).any(|other| other == j), all, "{i} and {j}");
            }
        }
    }
}
