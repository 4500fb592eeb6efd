//! Boxes in the plane, kept in order along both axes from step to step, and the list of those that
//! overlap (Schinner 1999, *Fast algorithms for the simulation of polygonal particles*, section
//! 3.3: incremental sort-and-update).
//!
//! # Both axes at once
//!
//! By Schinner's Table 3 an exchange along one axis matters if the pair overlaps along the other.
//! Which order of the other axis is meant it does not say; it must be the new one, or which comes
//! to overlap along both axes in one step is missed. So the axes are sorted first, side by side,
//! each noting its exchanges that may join or part a pair. Then, with both in order, each notes
//! which overlap along both and is not in the list, and which particles are in the list and does
//! not overlap along this one. What they found is put in order before it is applied: the same
//! whatever the number of threads, and in whatever order exchanges came.
//!
//! # Wide boxes
//!
//! On a circle a box wider than half of it is next to nearly every particle, and one as wide as the
//! whole of it (a wall along a periodic axis) has no ends to sort. Such bodies are on a short list
//! and compared with all that move by their places.

mod axis;
mod kept;
#[cfg(test)]
mod tests;
mod wide;

use axis::Axis;
use jostle_core::search::endpoints::{Endpoints, Neighbours, Places};
use jostle_core::space::Domain;
pub use kept::KeptBoxes;
use wide::Wide;

/// With fewer on the move, one thread does it all: to set another one to work takes longer.
const FEW: usize = 256;

/// So many exchanges along an axis are never too many. Beyond it, more than n log2 n among n
/// endpoints are: measured for 10 000 boxes, an exchange takes 16 ns, and to sort afresh 5 ms.
const EXCHANGES: u64 = 4096;

/// Where a box begins and ends along each axis. \[axis\]\[begin, end\]
type Sides = [[f64; 2]; 2];

/// Boxes sorted along both axes from step to step, and which overlap. Boxes that touch overlap.
/// Along a periodic axis all images of a box count.
///
/// Work grows with the number of bodies that have moved and of endpoints that have changed places;
/// nothing moved is nothing done. If so many have changed places that to sort afresh is less work,
/// all is sorted afresh.
#[derive(Clone, Debug)]
pub struct Boxes {
    /// The edges of periodic axes. \[length\]
    periods: [Option<f64>; 2],
    /// Which particles are not wide.
    axes: [Axis; 2],
    wide: Wide,
    neighbours: Neighbours,
    /// How often all was sorted afresh.
    sorts: u64,
}

/// Pairs that come to overlap, and those that cease to.
type Changes = [Vec<[u32; 2]>; 2];

impl Boxes {
    /// No boxes yet, in this domain.
    pub fn new(domain: &Domain<2>) -> Self {
        let edges = domain.edges();
        Self {
            periods: [0, 1].map(|axis| domain.is_periodic(axis).then_some(edges[axis])),
            axes: Default::default(),
            wide: Wide::default(),
            neighbours: Neighbours::default(),
            sorts: 0,
        }
    }

    /// Takes up all boxes afresh. `sides[body][axis]` is where the box of a body begins and ends
    /// \[length\], in any period. `gained` becomes the list of all pairs that overlap, in order,
    /// the lower body of each first.
    pub fn build(&mut self, sides: &[Sides], gained: &mut Vec<[u32; 2]>) {
        self.sort_afresh(sides);
        gained.clear();
        self.list(gained);
    }

    /// Takes up the boxes of the bodies `moved`, each named once; all others have kept theirs.
    /// `gained` becomes the list of the pairs that overlap from now on, `lost` of those that no
    /// longer do, in order, the lower body of each first. Both axes side by side, on the present
    /// rayon pool, if there is enough to do.
    pub fn update(
        &mut self,
        moved: &[u32],
        sides: &[Sides],
        gained: &mut Vec<[u32; 2]>,
        lost: &mut Vec<[u32; 2]>,
    ) {
        gained.clear();
        lost.clear();
        if moved.is_empty() {
            return;
        }
        if self.wide.are_as_before(moved, sides, self.periods) && self.arrange(moved, sides) {
            self.judge(moved, sides, gained, lost);
            for &pair in &*lost {
                self.neighbours.remove(pair);
            }
            for &pair in &*gained {
                self.neighbours.add(pair);
            }
        } else {
            self.start_afresh(sides, gained, lost);
        }
    }

    /// The bodies whose boxes overlap that of `body`.
    pub fn near(&self, body: u32) -> impl Iterator<Item = u32> + '_ {
        self.neighbours.of(body)
    }

    /// How many exchanges of endpoints there have been along each axis.
    pub fn exchanges(&self) -> [u64; 2] {
        [0, 1].map(|axis| self.axes[axis].exchanges())
    }

    /// How often all endpoints were sorted afresh.
    pub fn sorts(&self) -> u64 {
        self.sorts
    }

    /// Sorts both axes. Whether that was possible without too much work.
    fn arrange(&mut self, moved: &[u32], sides: &[Sides]) -> bool {
        let narrow: Vec<u32>;
        let moved = match self.wide.list().is_empty() {
            true => moved,
            false => {
                narrow = moved.iter().copied().filter(|&body| !self.wide.has(body)).collect();
                &narrow
            }
        };
        let count = 2 * sides.len() as u64;
        let most = EXCHANGES.max(count * u64::from(count.ilog2()));
        let [x, y] = &mut self.axes;
        let along =
            |axis: &mut Axis, k: usize| axis.follow(moved, |body| sides[body as usize][k], most);
        let [x, y] = both(moved.len(), || along(x, 0), || along(y, 1));
        x && y
    }

    /// What the exchanges come to, now that both axes are in order.
    fn judge(
        &mut self,
        moved: &[u32],
        sides: &[Sides],
        gained: &mut Vec<[u32; 2]>,
        lost: &mut Vec<[u32; 2]>,
    ) {
        let of_axis = |axis: usize| self.judge_axis(axis);
        let found = both(moved.len(), || of_axis(0), || of_axis(1));
        let by_wide = self.wide.judge(moved, sides, self.periods, &self.neighbours);
        for [more, fewer] in found.into_iter().chain([by_wide]) {
            gained.extend(more);
            lost.extend(fewer);
        }
        for list in [gained, lost] {
            list.sort_unstable();
            list.dedup();
        }
        self.axes.iter_mut().for_each(Axis::forget);
    }

    fn judge_axis(&self, axis: usize) -> Changes {
        let (this, other) = (&self.axes[axis], &self.axes[1 - axis]);
        let is_gained = |&pair: &[u32; 2]| {
            other.overlap(pair) && this.overlap(pair) && !self.neighbours.has(pair)
        };
        // Along a circle a pair may overlap at the other ends of its boxes still.
        let is_lost = |&pair: &[u32; 2]| self.neighbours.has(pair) && !this.overlap(pair);
        [
            this.joined().iter().copied().filter(is_gained).map(ordered).collect(),
            this.parted().iter().copied().filter(is_lost).map(ordered).collect(),
        ]
    }

    /// Sorts all afresh, and says what is new.
    fn start_afresh(
        &mut self,
        sides: &[Sides],
        gained: &mut Vec<[u32; 2]>,
        lost: &mut Vec<[u32; 2]>,
    ) {
        let [mut before, mut now] = Changes::default();
        self.list(&mut before);
        self.sort_afresh(sides);
        self.list(&mut now);
        let missing = |from: &[[u32; 2]], pair: &[u32; 2]| from.binary_search(pair).is_err();
        gained.extend(now.iter().filter(|pair| missing(&before, pair)));
        lost.extend(before.iter().filter(|pair| missing(&now, pair)));
    }

    fn sort_afresh(&mut self, sides: &[Sides]) {
        self.sorts += 1;
        self.wide = Wide::among(sides, self.periods);
        let places = self.places_at(sides);
        self.take_up(sides, places);
    }

    /// The places of all that are not wide, within the period that starts at 0.
    fn places_at(&self, sides: &[Sides]) -> [Places; 2] {
        let mut places = self.periods.map(|period| Places::new(sides.len(), period));
        for body in (0..sides.len() as u32).filter(|&body| !self.wide.has(body)) {
            let sides = sides[body as usize];
            places.iter_mut().zip(sides).for_each(|(places, sides)| places.put(body, sides, 0.0));
        }
        places
    }

    /// Sorts all that are not wide by their places, and finds every particle's neighbours.
    fn take_up(&mut self, sides: &[Sides], places: [Places; 2]) {
        let bodies = sides.len();
        let mut endpoints = Endpoints::<2>::default();
        endpoints.build(bodies, |body| !self.wide.has(body), |axis, e| places[axis].of(e));
        for (k, places) in places.into_iter().enumerate() {
            self.axes[k].take(bodies, &endpoints, k, places);
        }
        self.neighbours = endpoints.into_neighbours();
        let with_wide = self.wide.judge(self.wide.list(), sides, self.periods, &self.neighbours);
        for &pair in &with_wide[0] {
            self.neighbours.add(pair);
        }
    }

    /// Holds order, places and lists to each other.
    ///
    /// # Panics
    /// If they do not agree.
    #[cfg(test)]
    fn assert_well_formed(&self, sides: &[Sides]) {
        self.axes.iter().for_each(Axis::assert_well_formed);
        self.neighbours.assert_well_formed();
        for body in 0..sides.len() as u32 {
            assert!(
                self.axes.iter().all(|axis| axis.has(body) != self.wide.has(body)),
                "body {body}"
            );
        }
    }

    /// Appends all pairs that overlap, in order.
    fn list(&self, out: &mut Vec<[u32; 2]>) {
        for body in 0..self.neighbours.count() as u32 {
            let first = out.len();
            out.extend(self.near(body).filter(|&other| body < other).map(|other| [body, other]));
            out[first..].sort_unstable();
        }
    }
}

/// Runs both, side by side if there is enough to do.
fn both<R: Send>(
    work: usize,
    x: impl FnOnce() -> R + Send,
    y: impl FnOnce() -> R + Send,
) -> [R; 2] {
    if work < FEW || rayon::current_num_threads() < 2 {
        return [x(), y()];
    }
    rayon::join(x, y).into()
}

/// The lower body first.
fn ordered([i, j]: [u32; 2]) -> [u32; 2] {
    [i.min(j), i.max(j)]
}
