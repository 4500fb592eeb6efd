//! A regular lattice of cells: each cell lists its particles, and each particle knows its cells.
//! Particles that are too fast or too large for the cells are kept on a short list. `cubic` and
//! `slices` differ only in the axes that are divided.

#[cfg(test)]
mod adversaries;
mod around;
mod entries;
mod grid;
mod lanes;
mod lattice;
mod layers;
mod line;
mod links;
mod places;
mod short;
mod size;
mod sort;
mod upkeep;

pub(super) use around::ask;
pub use grid::{Grid, Span};
pub(super) use lattice::{Lattice, place_at};
pub(super) use links::renumbered;
pub use size::least_cell_size;
pub(super) use size::{needed, spread, suitable};

use rayon::prelude::*;

use super::renewal::Renewal;
use super::variants::Variant;
use super::{Broad, Counters, Pair, Relink, Search, Settings};
use crate::space::{Paths, Window};
use entries::Entries;
use upkeep::BATCH;

/// Stands for the cell width that a particle needs if there is no such particle.
const NOT_HERE: f64 = -1.0;

/// Cells and the links between them and the particles: Algorithms A and B of Johnson & Whalley
/// (2002, sections 3 and 4) with all axes divided, C with one.
#[derive(Debug)]
pub struct Cells<const D: usize> {
    name: &'static str,
    divided: [bool; D],
    cell_size: Option<f64>,
    pub(super) how: Variant,
    renewal: Renewal,
    /// None before the first refit.
    lattice: Option<Lattice<D>>,
}

impl<const D: usize> Cells<D> {
    /// What it holds of each particle: its entry and its two homes, its reach, its place on the
    /// short list, and about one cell. \[bytes\]
    pub const EACH: usize =
        Entries::<D>::EACH + size_of::<[u32; 2]>() + size_of::<f32>() + size_of::<[u32; 2]>();

    /// Cells along the axes that are `divided`, otherwise as `settings` say; `name` is for
    /// [`Broad::describe`].
    pub(super) fn new(name: &'static str, divided: [bool; D], settings: &Settings) -> Self {
        Self {
            name,
            divided,
            cell_size: settings.cell_size,
            how: Variant::new(settings),
            renewal: Renewal::new(settings.resize),
            lattice: None,
        }
    }

    /// The lattice, once there has been a refit.
    pub fn grid(&self) -> Option<&Grid<D>> {
        self.lattice.as_ref().map(Lattice::grid)
    }

    /// The particles that a cell lists, those on the short list included.
    pub fn particles_in(&self, cell: u32) -> Vec<u32> {
        self.lattice.as_ref().map_or_else(Vec::new, |lattice| lattice.links().particles_in(cell))
    }

    /// The cells that list a particle: none if it is dead.
    pub fn cells_of(&self, particle: u32) -> Vec<u32> {
        self.lattice
            .as_ref()
            .map_or_else(Vec::new, |lattice| lattice.links().cells_of(particle, lattice.grid()))
    }

    /// The particles that are too fast or too large for the cells, in no order.
    pub fn short_list(&self) -> &[u32] {
        self.lattice.as_ref().map_or(&[], Lattice::short_list)
    }

    /// Holds the two directions of the dual representation to be each other's inverse.
    ///
    /// # Panics
    /// If they are not. For tests.
    pub fn assert_well_formed(&self) {
        self.lattice.iter().for_each(|lattice| lattice.links().assert_well_formed(lattice.grid()));
    }

    /// Chooses the cells afresh at a refit and, if that makes a difference worth the work, empties
    /// them. Whether the links are to be made anew.
    fn lay_out(&mut self, paths: &Paths<'_, D>, window: Window, particles: usize) -> bool {
        let grid = self.suitable_grid(paths, paths.alive, window, particles);
        self.renewal.done(particles);
        if self.grid().is_some_and(|old| old.serves_for(&grid)) {
            return false;
        }
        self.replace_grid(grid, window, paths.len());
        true
    }

    fn suitable_grid(
        &self,
        paths: &Paths<'_, D>,
        here: &[bool],
        window: Window,
        particles: usize,
    ) -> Grid<D> {
        let width = self.cell_size.unwrap_or_else(|| {
            // A parallel iterator with a filter cannot write each result straight to its place, so
            // the slots that do not count are marked and dropped afterwards. The order of the
            // widths does not matter, since `suitable` only selects one of them by rank.
            let width = |i| if here[i] { needed(paths, i, self.divided, window) } else { NOT_HERE };
            let mut widths: Vec<f64> =
                (0..paths.len()).into_par_iter().with_min_len(BATCH).map(width).collect();
            if widths.contains(&NOT_HERE) {
                widths.retain(|&width| width != NOT_HERE);
            }
            suitable(&mut widths)
        });
        Grid::new(paths.domain, self.divided, width, most_cells(particles, self.cell_size))
    }

    fn replace_grid(&mut self, grid: Grid<D>, window: Window, slots: usize) {
        self.lattice = Some(match self.lattice.take() {
            Some(old) => old.with_grid(grid, slots),
            None => Lattice::new(self.how, grid, slots, window),
        });
    }

    fn link_all(&mut self, paths: &Paths<'_, D>, window: Window) {
        if let Some(lattice) = &mut self.lattice {
            lattice.link_all(paths, window, paths.alive);
        }
    }

    /// Makes room for a new particle in slot `i`, with finer cells where the particles have
    /// outgrown them.
    fn make_room(&mut self, i: u32, paths: &Paths<'_, D>) {
        let known = self.lattice.as_ref().map_or(0, |lattice| lattice.links().slots());
        let slots = known.max(i as usize + 1);
        let window = match &mut self.lattice {
            Some(lattice) => {
                lattice.make_room(slots);
                if !self.renewal.outgrown(slots) {
                    return;
                }
                lattice.window()
            }
            None => Window::STEP,
        };
        // The new particle itself is not linked yet and must not be here: `insert` takes it up as
        // soon as there is room. Those alive but unknown are left for their own `insert`.
        let linked = |particle| {
            self.lattice.as_ref().is_some_and(|lattice| lattice.links().home(particle).is_some())
        };
        let known: Vec<bool> =
            (0..paths.len()).map(|i| paths.alive[i] && linked(i as u32)).collect();
        let grid = self.suitable_grid(paths, &known, window, slots);
        self.renewal.done_between(slots);
        self.replace_grid(grid, window, slots);
        if let Some(lattice) = &mut self.lattice {
            lattice.link_all(paths, window, &known);
        }
    }
}

/// The largest number of cells for so many particles. Entries are tested several at a time, so
/// finer cells would save nothing, unless the user asks for a size.
pub(super) fn most_cells(particles: usize, cell_size: Option<f64>) -> usize {
    // Linear in the number of particles either way, so that a few small and slow particles in a
    // large box do not exhaust the memory.
    match cell_size {
        Some(_) => 8 * particles + 4096,
        None => 2 * particles + 64,
    }
}

impl<const D: usize> Broad<D> for Cells<D> {
    fn refit(&mut self, paths: &Paths<'_, D>, window: Window) {
        let particles = paths.alive.iter().filter(|&&alive| alive).count();
        let due = self.renewal.due(particles);
        if due || self.grid().is_none_or(|grid| grid.domain() != paths.domain) {
            self.lay_out(paths, window, particles);
        }
        self.link_all(paths, window);
        // Only the short list tells whether the cells still suit the particles, and it is known
        // only after linking. Usually that was all; if the list is too long, and other cells would
        // be better, everything is linked a second time.
        if self.renewal.overfull(self.short_list().len(), particles)
            && self.lay_out(paths, window, particles)
        {
            self.link_all(paths, window);
        }
    }

    fn near(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) {
        let Some(lattice) = &self.lattice else {
            return;
        };
        let (mut work, before) = (Counters::default(), out.len());
        lattice.around(paths, i, lattice.short_list(), &mut work, |j| out.push(j));
        work.pairs_reported = (out.len() - before) as u64;
        lattice.tally.add(&work);
    }

    fn update(&mut self, i: u32, paths: &Paths<'_, D>) {
        if let Some(lattice) = &mut self.lattice {
            lattice.take_up_one(i, paths, self.how.relink == Relink::Move);
        }
    }

    fn insert(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.make_room(i, paths);
        if let Some(lattice) = &mut self.lattice {
            lattice.take_up_one(i, paths, true);
        }
    }

    fn remove(&mut self, i: u32) {
        if let Some(lattice) = &mut self.lattice {
            lattice.remove(i);
        }
    }

    fn renumber(&mut self, new_slot: &[u32]) {
        if let Some(lattice) = &mut self.lattice {
            lattice.renumber(new_slot);
        }
    }

    fn relink(&mut self, paths: &Paths<'_, D>, time: f64) {
        if self.how.relink == Relink::Move {
            let window = self.lattice.as_ref().map_or(Window::STEP, Lattice::window);
            self.link_all(paths, Window { start: time, ..window });
        }
    }

    fn counters(&self) -> Counters {
        self.lattice.as_ref().map_or_else(Counters::default, Lattice::counters)
    }

    fn describe(&self) -> String {
        let Some(lattice) = &self.lattice else {
            return format!("{}: no cells yet", self.name);
        };
        let short = shortly(lattice.short_list().len(), lattice.links().slots());
        format!("{}: {}, {}{short}", self.name, lattice.describe(), self.how.describe())
    }
}

/// The length of the short list in words; nothing if it is empty.
pub(super) fn shortly(short: usize, all: usize) -> String {
    if short == 0 { String::new() } else { format!(", {short} of {all} on the short list") }
}

impl<const D: usize> Search<D> for Cells<D> {
    fn pairs(&self, paths: &Paths<'_, D>, out: &mut Vec<Pair>) {
        if let Some(lattice) = &self.lattice {
            lattice.pairs(paths, out);
        }
    }
}
