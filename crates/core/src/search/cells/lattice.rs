//! One lattice, linked to the particles in both directions, with a short list of those for which
//! its cells are too narrow.

use std::sync::Mutex;

use super::grid::{Grid, Span};
use super::links::{Links, renumbered};
use super::short::ShortList;
use super::upkeep::Orders;
use crate::search::counters::Tally;
use crate::search::variants::Variant;
use crate::search::{Counters, Listing, Pair};
use crate::space::{Paths, Vector, Window};

/// A lattice of cells and the particles that belong to it.
///
/// Each of them that is not on the short list keeps, until the window's end, within half a cell of
/// the cells that list it; this is checked, particle by particle, whenever a path is taken up.
#[derive(Debug)]
pub(in crate::search) struct Lattice<const D: usize> {
    pub(in crate::search) how: Variant,
    pub(in crate::search) grid: Grid<D>,
    pub(in crate::search) links: Links<D>,
    pub(super) short: ShortList,
    /// As [`Paths::reach`], of the particles of this lattice, kept current, rounded up. \[slot\],
    /// \[length\]
    pub(super) reach: Vec<f32>,
    /// The last refit or relink is of the start of this window.
    pub(super) window: Window,
    /// Whether no path of a regular particle starts before the window.
    pub(super) fresh: bool,
    pub(super) tally: Tally,
    /// Room for what is found about the particles, batch by batch, when all are linked.
    pub(super) orders: Vec<Orders>,
    /// Room for the pairs of blocks of layers.
    pub(super) parts: Mutex<Vec<Vec<Pair>>>,
}

impl<const D: usize> Lattice<D> {
    /// Cells without particles, with room for `slots` of them.
    pub(in crate::search) fn new(
        how: Variant,
        grid: Grid<D>,
        slots: usize,
        window: Window,
    ) -> Self {
        let links = Links::new(grid.len(), slots);
        let mut lattice = Self {
            how,
            grid,
            links,
            short: ShortList::default(),
            reach: Vec::new(),
            window,
            fresh: true,
            tally: Tally::default(),
            orders: Vec::new(),
            parts: Mutex::default(),
        };
        lattice.make_room(slots);
        lattice
    }

    /// The same without particles, and with other cells.
    pub(in crate::search) fn with_grid(self, grid: Grid<D>, slots: usize) -> Self {
        Self { tally: self.tally, ..Self::new(self.how, grid, slots, self.window) }
    }

    pub(in crate::search) fn grid(&self) -> &Grid<D> {
        &self.grid
    }

    pub(in crate::search) fn links(&self) -> &Links<D> {
        &self.links
    }

    /// The particles that are too fast or too large for the cells, in no order.
    pub(in crate::search) fn short_list(&self) -> &[u32] {
        self.short.members()
    }

    #[inline]
    pub(in crate::search) fn is_short_listed(&self, i: u32) -> bool {
        self.short.contains(i)
    }

    pub(in crate::search) fn window(&self) -> Window {
        self.window
    }

    /// How far particle `i`, which belongs here, gets. \[length\]
    #[inline]
    pub(in crate::search) fn reach(&self, i: u32) -> f32 {
        self.reach[i as usize]
    }

    pub(in crate::search) fn counters(&self) -> Counters {
        self.tally.total()
    }

    /// The cells, in words.
    pub(in crate::search) fn describe(&self) -> String {
        let counts = self.grid.counts().map(|n| n.to_string());
        format!("{} cells of {}", counts.join(" x "), self.grid.widths().map(edge).join(" x "))
    }

    /// Makes room for more slots.
    pub(in crate::search) fn make_room(&mut self, slots: usize) {
        if slots >= self.links.slots() {
            self.links.resize(slots, &self.grid);
            self.short.grow(slots);
            self.reach.resize(slots, 0.0);
        }
    }

    /// Forgets particle `i`, if it is here.
    pub(in crate::search) fn remove(&mut self, i: u32) {
        if (i as usize) < self.links.slots() {
            self.links.unlink(i, &self.grid);
            self.short.set(i, false);
        }
    }

    /// The particle of slot `i` is now in `new_slot[i]`, or gone.
    pub(in crate::search) fn renumber(&mut self, new_slot: &[u32]) {
        self.short.grow(new_slot.len());
        self.short.renumber(new_slot);
        self.links.renumber(new_slot, &self.grid);
        self.reach.resize(new_slot.len(), 0.0);
        self.reach = renumbered(&self.reach, new_slot, 0.0);
    }

    /// Appends every pair of particles of this lattice that may touch.
    pub(in crate::search) fn pairs(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        // Each pair is found in one part only: both particles are in sorted entries, or one of them
        // has been linked since the sort, or one is on the short list. The first part skips short
        // members because their entries are hidden, and latecomers because they have none.
        match self.how.listing {
            Listing::Centre if !self.how.pruning => {
                self.pairs_by_layers(paths, out);
                self.pairs_of_latecomers(paths, out);
            }
            _ => self.pairs_of_each(paths, out),
        }
        self.pairs_of_short_list(paths, out);
    }

    /// The block of cells that list particle `i`, which is in some.
    #[inline]
    pub(super) fn span_of(&self, i: u32) -> Option<Span<D>> {
        let [first, last] = self.links.home(i)?;
        Some(self.grid.span_between(first, last))
    }

    /// The periods of the box; infinite along axes that do not close on themselves.
    #[inline]
    pub(super) fn periods(&self) -> [f32; D] {
        let domain = self.grid.domain();
        let edges = domain.edges();
        std::array::from_fn(|k| if domain.is_periodic(k) { edges[k] as f32 } else { f32::INFINITY })
    }

    /// What single precision may be wrong by, added to the reach of each entry. \[length\]
    #[inline]
    pub(super) fn slack(&self) -> f32 {
        let edges = self.grid.domain().edges();
        8.0 * f32::EPSILON * edges.iter().fold(0.0, |a, &b| f32::max(a, b as f32))
    }

    /// Whether `i`, which gets as far as `reach`, and `j`, which belongs here, may touch, as
    /// [`Paths::may_touch`] says, but as generous as single precision needs; most that do not are
    /// told along one axis.
    #[inline]
    pub(super) fn may_touch(&self, paths: &Paths<'_, D>, i: u32, reach: f32, j: u32) -> bool {
        let (i, j) = (i as usize, j as usize);
        let within = f64::from(reach + self.reach[j]);
        let apart = paths.position[j] - paths.position[i];
        let edges = paths.domain.edges();
        let far = |k: usize| {
            // Neither the particle nor its next image is within reach along this axis. Positions
            // are not wrapped: a separation of more than an edge is left to the full test below.
            let x = apart[k].abs();
            x > within && (!paths.domain.is_periodic(k) || x + within < edges[k])
        };
        !(0..D).any(far)
            && paths.domain.nearest_image(apart).norm_squared() <= within * within
            && interact(paths, i, j)
    }
}

/// The edge of a cell, in words.
fn edge(width: f64) -> String {
    format!("{width:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Whether both are alive and interact.
#[inline]
pub(super) fn interact<const D: usize>(paths: &Paths<'_, D>, i: usize, j: usize) -> bool {
    paths.alive[i] && paths.alive[j] && paths.groups.interact(paths.group[i], paths.group[j])
}

/// Where particle `i` is at `time`, or where its path starts if that is later; brought back into
/// the box. And that time.
#[inline]
pub(in crate::search) fn place_at<const D: usize>(
    paths: &Paths<'_, D>,
    i: usize,
    time: f64,
) -> (Vector<D>, f64) {
    let from = paths.since[i].max(time);
    (paths.domain.wrap(paths.at(i, from)).0, from)
}
