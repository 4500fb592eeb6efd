//! Cells: a regular lattice, linked to the bodies in both directions, with a short list for those
//! that it does not suit. `cubic` and `slices` differ only in the axes that are divided.

#[cfg(test)]
mod adversaries;
mod around;
mod grid;
mod layers;
mod line;
mod links;
mod prune;
mod short;
mod size;
mod upkeep;

pub use grid::{Grid, Span};
pub use links::Links;
pub use size::least_cell_size;

use super::counters::Tally;
use super::{Broad, Counters, Listing, Pair, Relink, Search, Settings};
use crate::space::{Paths, Vector, Window};
use short::ShortList;

/// Cells and the links between them and the bodies: Algorithms A and B of the source with all axes
/// divided, C with one (Johnson & Whalley 2002, sections 3 and 4).
///
/// Each body that is not on the short list keeps, until the window's end, within half a cell of the
/// cells that list it; this is checked, body by body, whenever a path is taken up.
#[derive(Debug)]
pub struct Cells<const D: usize> {
    name: &'static str,
    divided: [bool; D],
    relink: Relink,
    listing: Listing,
    pruning: bool,
    cell_size: Option<f64>,
    /// None before the first refit.
    grid: Option<Grid<D>>,
    links: Links,
    short: ShortList,
    /// As [`Paths::reach`], kept current, rounded up. \[slot\], \[length\]
    reach: Vec<f32>,
    /// The last refit or relink is of the start of this window.
    window: Window,
    upkeep: upkeep::Upkeep,
    tally: Tally,
    /// Only for the test that the shared runner bites: believes the cell condition unseen.
    #[cfg(test)]
    pub(super) credulous: bool,
}

impl<const D: usize> Cells<D> {
    /// Cells along the axes that are `divided`, otherwise as `settings` say; `name` is for
    /// [`Broad::describe`].
    pub(super) fn new(name: &'static str, divided: [bool; D], settings: &Settings) -> Self {
        Self {
            name,
            divided,
            relink: settings.relink,
            listing: settings.listing,
            pruning: settings.pruning,
            cell_size: settings.cell_size,
            grid: None,
            links: Links::new(0, 0, settings.listing),
            short: ShortList::default(),
            reach: Vec::new(),
            window: Window::STEP,
            upkeep: upkeep::Upkeep::default(),
            tally: Tally::default(),
            #[cfg(test)]
            credulous: false,
        }
    }

    /// The lattice, once there has been a refit.
    pub fn grid(&self) -> Option<&Grid<D>> {
        self.grid.as_ref()
    }

    /// The bodies that a cell lists, those on the short list included.
    pub fn bodies_in(&self, cell: u32) -> &[u32] {
        self.links.bodies_in(cell)
    }

    /// The cells that list a body: none if it is dead.
    pub fn cells_of(&self, body: u32) -> &[u32] {
        self.links.cells_of(body)
    }

    /// The bodies that are too fast or too large for the cells, in no order.
    pub fn short_list(&self) -> &[u32] {
        self.short.members()
    }

    /// Holds the two directions of the dual representation to be each other's inverse.
    ///
    /// # Panics
    /// If they are not. For tests.
    pub fn assert_well_formed(&self) {
        self.links.assert_well_formed();
    }

    /// The block of cells that list body `i`, which is in some.
    #[inline]
    fn span_of(&self, grid: &Grid<D>, i: u32) -> Option<Span<D>> {
        let cells = self.links.cells_of(i);
        Some(grid.span_between(*cells.first()?, *cells.last()?))
    }

    /// Whether `i` and `j` may touch, as [`Paths::may_touch`] says, but as generous as single
    /// precision needs; most that do not are told along one axis.
    #[inline]
    fn may_touch(&self, paths: &Paths<'_, D>, i: u32, j: u32) -> bool {
        let (i, j) = (i as usize, j as usize);
        let within = f64::from(self.reach[i] + self.reach[j]);
        let apart = paths.position[j] - paths.position[i];
        let edges = paths.domain.edges();
        let far = |k: usize| {
            // Off in a direction in which the nearest image is the body itself.
            let x = apart[k].abs();
            x > within && (!paths.domain.is_periodic(k) || x + within < edges[k])
        };
        !(0..D).any(far)
            && paths.domain.nearest_image(apart).norm_squared() <= within * within
            && notice(paths, i, j)
    }

    /// Directions in which regular body `i` has no need to look; 0 without pruning.
    #[inline]
    fn pruned(&self, grid: &Grid<D>, paths: &Paths<'_, D>, span: &Span<D>, i: u32) -> u8 {
        if !self.pruning {
            return 0;
        }
        let i = i as usize;
        let (place, _) = place_at(paths, i, self.window.start);
        let pad = paths.radius[i] + paths.domain.rounding();
        prune::directions(grid, span, place, paths.velocity[i], pad)
    }
}

/// Whether both live and take notice of each other.
#[inline]
fn notice<const D: usize>(paths: &Paths<'_, D>, i: usize, j: usize) -> bool {
    paths.alive[i] && paths.alive[j] && paths.groups.notice(paths.group[i], paths.group[j])
}

/// [`Paths::reach`], rounded up to single precision.
#[inline]
fn reach_of<const D: usize>(paths: &Paths<'_, D>, i: usize, end: f64) -> f32 {
    (paths.reach(i, end) * (1.0 + f64::from(f32::EPSILON))) as f32
}

/// Where body `i` is at `time`, or where its path starts if that is later; brought back into the
/// box. And that time.
#[inline]
fn place_at<const D: usize>(paths: &Paths<'_, D>, i: usize, time: f64) -> (Vector<D>, f64) {
    let from = paths.since[i].max(time);
    (paths.domain.wrap(paths.at(i, from)).0, from)
}

impl<const D: usize> Broad<D> for Cells<D> {
    fn refit(&mut self, paths: &Paths<'_, D>, window: Window, _: f64) {
        self.window = window;
        self.take_up_all(paths);
    }

    fn near(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) {
        let (mut work, before) = (Counters::default(), out.len());
        self.around(paths, i, self.short.members(), &mut work, |j| out.push(j));
        work.pairs_reported = (out.len() - before) as u64;
        self.tally.add(&work);
    }

    fn update(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.take_up_one(i, paths, self.relink == Relink::Move);
    }

    fn insert(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.make_room(i, paths);
        self.take_up_one(i, paths, true);
    }

    fn remove(&mut self, i: u32) {
        if (i as usize) < self.links.slots() {
            self.links.unlink(i);
            self.short.set(i, false);
        }
    }

    fn renumber(&mut self, new_slot: &[u32]) {
        self.short.grow(new_slot.len());
        self.short.renumber(new_slot);
        self.links.renumber(new_slot);
        self.reach.resize(new_slot.len(), 0.0);
        self.reach = links::renumbered(&self.reach, new_slot, 0.0);
    }

    fn relink(&mut self, paths: &Paths<'_, D>, time: f64) {
        if self.relink == Relink::Move {
            self.window.start = time;
            self.link_all(paths);
        }
    }

    fn counters(&self) -> Counters {
        self.tally.total()
    }

    fn describe(&self) -> String {
        let Some(grid) = &self.grid else {
            return format!("{}: no cells yet", self.name);
        };
        let by = |numbers: [String; D]| numbers.join(" x ");
        let (short, all) = (self.short.members().len(), self.links.slots());
        let short = if short == 0 { String::new() } else { format!(", {short} of {all} on the short list") };
        format!(
            "{}: {} cells of {}, listed by {}, relinked every {}{}{short}",
            self.name,
            by(grid.counts().map(|n| n.to_string())),
            by(grid.widths().map(edge)),
            self.listing.name(),
            self.relink.name(),
            if self.pruning { ", with pruning" } else { "" },
        )
    }
}

/// The edge of a cell, in words.
fn edge(width: f64) -> String {
    format!("{width:.3}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl<const D: usize> Search<D> for Cells<D> {
    fn pairs(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        let Some(grid) = &self.grid else {
            return;
        };
        match self.listing {
            Listing::Centre => layers::pairs(self, grid, paths, out),
            Listing::Touch => self.pairs_of_each(paths, out),
        }
        self.pairs_of_short_list(paths, out);
    }
}
