//! Sweep: the boxes that particles sweep in a window, sorted along each axis from the order that
//! they had in the last one (Schinner 1999, section 3.3: incremental sort-and-update).
//!
//! Measured for 10 000 spheres on one thread, refit and pairs, with steps of 0.6 % of the smallest
//! radius: 1.4 ms if radii are spread evenly (in their logarithm) over 1 : 200, 1.9 ms over 1 : 20,
//! where cubes take 2.0 and 1.7 ms. Equal spheres at packing 0.1 take 2.5 ms, cubes 1.3 ms, and
//! with steps ten times as long 8 ms: a particle passes many others on each axis that are nowhere
//! near it, so that exchanges are what costs. At rest there are none, and equal spheres take 1.1
//! ms.

mod query;
#[cfg(test)]
mod tests;

use crate::search::counters::Tally;
use crate::search::endpoints::{Endpoints, Places};
use crate::search::{Broad, Counters, GONE, Kind};
use crate::space::{Domain, Paths, Window};

/// So many newcomers at a refit are inserted one by one; with more of them all is sorted afresh.
const FEW: usize = 16;

/// The boxes of all particles in order along each axis, and the list of those that overlap. Sizes
/// do not matter, nor does anything have to be chosen. The work of a refit is O(n) and one for each
/// two endpoints that have changed places since the last one; where that would be more than n log
/// n, all is sorted afresh.
///
/// A box wider than half of a periodic edge overlaps with nearly all: such particles are on a short
/// list and tested against every particle. The dead stay in the order until the next refit.
#[derive(Debug)]
pub struct EndpointSearch<const D: usize> {
    endpoints: Endpoints<D>,
    /// Where the endpoints lie along each axis.
    places: [Places; D],
    /// As they were at the last refit; none before the first.
    domain: Option<Domain<D>>,
    end: f64,
    /// The short list.
    wide: Vec<u32>,
    /// Which particles are on it. \[slot\]
    is_wide: Vec<bool>,
    /// How often all was sorted afresh.
    sorts: u64,
    tally: Tally,
}

impl<const D: usize> Default for EndpointSearch<D> {
    fn default() -> Self {
        Self {
            endpoints: Endpoints::default(),
            places: std::array::from_fn(|_| Places::default()),
            domain: None,
            end: 1.0,
            wide: Vec::new(),
            is_wide: Vec::new(),
            sorts: 0,
            tally: Tally::default(),
        }
    }
}

impl<const D: usize> EndpointSearch<D> {
    /// What it holds of each particle whose box overlaps few others. \[bytes\]
    pub const EACH: usize = Endpoints::<D>::EACH + size_of::<[[f64; 2]; D]>() + size_of::<bool>();

    /// A structure without particles.
    pub fn new() -> Self {
        Self::default()
    }

    /// How often all endpoints were sorted afresh.
    pub fn sorts(&self) -> u64 {
        self.sorts
    }

    /// Holds order, ranks and lists to each other. For tests.
    ///
    /// # Panics
    /// If they do not agree.
    pub fn assert_well_formed(&self) {
        self.endpoints.assert_well_formed();
        for axis in 0..D {
            self.endpoints.assert_sorted(axis, &self.places[axis]);
        }
        assert!(self.wide.iter().all(|&i| self.is_wide[i as usize]));
        assert_eq!(self.wide.len(), self.is_wide.iter().filter(|&&wide| wide).count());
    }

    /// Where the box that `i` sweeps in the rest of the window begins and ends along each axis.
    fn sides(&self, i: u32, paths: &Paths<'_, D>) -> [[f64; 2]; D] {
        let i = i as usize;
        let (start, end) = (paths.position[i], paths.at(i, self.end));
        let half = paths.radius[i] + paths.domain.rounding();
        std::array::from_fn(|k| [start[k].min(end[k]) - half, start[k].max(end[k]) + half])
    }

    /// Sorts those that are `here` afresh.
    fn start_afresh(&mut self, here: &[bool], paths: &Paths<'_, D>) {
        self.sorts += 1;
        let slots = paths.len();
        self.domain = Some(paths.domain.clone());
        let edges = paths.domain.edges();
        self.places = std::array::from_fn(|k| {
            Places::new(slots, paths.domain.is_periodic(k).then_some(edges[k]))
        });
        for i in (0..slots as u32).filter(|&i| here[i as usize]) {
            let sides = self.sides(i, paths);
            self.places.iter_mut().zip(sides).for_each(|(places, sides)| places.put(i, sides, 0.0));
        }
        self.endpoints.build(
            slots,
            |i| here[i as usize],
            |axis, endpoint| self.places[axis].of(endpoint),
        );
    }

    /// Sorts what has moved, with those that are `here`. Whether that was possible without too much
    /// work.
    fn sort_anew(&mut self, here: &[bool], paths: &Paths<'_, D>) -> bool {
        let slots = paths.len();
        let new: Vec<u32> = (0..slots as u32)
            .filter(|&i| here[i as usize] && !self.endpoints.is_present(i))
            .take(FEW + 1)
            .collect();
        if new.len() > FEW {
            return false;
        }
        let known = self.endpoints.count() / 2;
        if here.iter().filter(|&&here| here).count() < known + new.len() {
            let stays = |i: u32| here.get(i as usize).is_some_and(|&here| here).then_some(i);
            self.endpoints.rename(slots, &mut self.places, stays);
        }
        self.make_room(slots);
        (0..D).for_each(|axis| self.endpoints.rewind(axis, &mut self.places[axis]));
        for i in (0..slots as u32).filter(|&i| self.endpoints.is_present(i)) {
            let sides = self.sides(i, paths);
            self.places.iter_mut().zip(sides).for_each(|(places, sides)| places.follow(i, sides));
        }
        let count = self.endpoints.count() as u64;
        let most = count * u64::from(count.max(2).ilog2());
        for (axis, places) in self.places.iter_mut().enumerate() {
            let Some(exchanges) = self.endpoints.sort(axis, places, most) else { return false };
            self.tally.add(&Counters { relinks: exchanges, ..Counters::default() });
        }
        for i in new {
            self.endpoints.insert(i, self.sides(i, paths), &mut self.places);
        }
        true
    }

    /// Whether `i` is on the short list.
    fn is_wide(&self, i: u32) -> bool {
        self.is_wide.get(i as usize).is_some_and(|&wide| wide)
    }

    fn make_room(&mut self, slots: usize) {
        self.endpoints.cover(slots);
        self.places.iter_mut().for_each(|places| places.cover(slots));
        self.is_wide.resize(self.is_wide.len().max(slots), false);
    }

    /// Takes up the box of one particle as it is now.
    fn take_up(&mut self, i: u32, paths: &Paths<'_, D>) {
        let sides = self.sides(i, paths);
        if self.is_wide(i) {
            return;
        }
        if is_too_wide(sides, paths.domain) {
            self.is_wide[i as usize] = true;
            self.wide.push(i);
            self.tally.add(&Counters { short_listed: 1, ..Counters::default() });
        } else if self.endpoints.is_present(i) {
            for (axis, places) in self.places.iter_mut().enumerate() {
                places.follow(i, sides[axis]);
                let exchanges = self.endpoints.settle_box(axis, i, places);
                self.tally.add(&Counters { relinks: exchanges, ..Counters::default() });
            }
        } else {
            self.endpoints.insert(i, sides, &mut self.places);
        }
    }

    /// Lists which particles are too wide, and returns which of the others is here. \[slot\]
    fn list_the_wide(&mut self, paths: &Paths<'_, D>) -> Vec<bool> {
        let is_wide =
            |i| paths.alive[i as usize] && is_too_wide(self.sides(i, paths), paths.domain);
        self.wide = (0..paths.len() as u32).filter(|&i| is_wide(i)).collect();
        self.is_wide.clear();
        self.is_wide.resize(paths.len(), false);
        self.wide.iter().for_each(|&i| self.is_wide[i as usize] = true);
        self.tally.add(&Counters { short_listed: self.wide.len() as u64, ..Counters::default() });
        self.is_wide.iter().zip(paths.alive).map(|(wide, alive)| *alive && !wide).collect()
    }
}

/// Whether a box is wider than half of the edge of a periodic axis.
fn is_too_wide<const D: usize>(sides: [[f64; 2]; D], domain: &Domain<D>) -> bool {
    let edges = domain.edges();
    (0..D).any(|k| domain.is_periodic(k) && sides[k][1] - sides[k][0] > 0.5 * edges[k])
}

impl<const D: usize> Broad<D> for EndpointSearch<D> {
    fn refit(&mut self, paths: &Paths<'_, D>, window: Window) {
        self.end = window.end;
        let here = self.list_the_wide(paths);
        if self.domain.as_ref() != Some(paths.domain) || !self.sort_anew(&here, paths) {
            self.start_afresh(&here, paths);
        }
    }

    fn near(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) {
        self.near_one(i, paths, out);
    }

    fn update(&mut self, i: u32, paths: &Paths<'_, D>) {
        if paths.alive[i as usize] {
            self.take_up(i, paths);
        }
    }

    fn insert(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.make_room(i as usize + 1);
        // A particle that had the slot before may have been wide.
        self.remove(i);
        if paths.alive[i as usize] {
            self.take_up(i, paths);
        }
    }

    fn remove(&mut self, i: u32) {
        if self.is_wide(i) {
            self.is_wide[i as usize] = false;
            self.wide.retain(|&wide| wide != i);
        }
    }

    fn renumber(&mut self, new_slot: &[u32]) {
        let slots = new_slot.iter().filter(|&&new| new != GONE).map(|&new| new as usize + 1);
        let slots = slots.max().unwrap_or(0);
        let new_name = |i: u32| new_slot.get(i as usize).copied().filter(|&new| new != GONE);
        self.endpoints.rename(slots, &mut self.places, new_name);
        self.wide = self.wide.iter().filter_map(|&i| new_name(i)).collect();
        self.is_wide = vec![false; slots];
        self.wide.iter().for_each(|&i| self.is_wide[i as usize] = true);
    }

    fn counters(&self) -> Counters {
        self.tally.total()
    }

    fn describe(&self) -> String {
        let name = Kind::Endpoints.name();
        let short = match self.wide.len() {
            0 => String::new(),
            wide => format!(", {wide} too wide for it"),
        };
        match self.endpoints.count() / 2 {
            0 => format!("{name}: no boxes yet"),
            boxes => format!("{name}: {boxes} boxes in order along each axis{short}"),
        }
    }
}
