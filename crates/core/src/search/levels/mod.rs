//! Levels: several lattices of cells of different sizes, for particles that differ much in size or
//! in how far they travel (Johnson & Whalley 2002, section 5: "multiple lattices of cells of
//! different sizes").

mod choose;
mod query;
#[cfg(test)]
mod tests;

use rayon::prelude::*;

use super::cells::{Grid, Lattice, needed, renumbered, shortly};
use super::counters::Tally;
use super::renewal::Renewal;
use super::variants::Variant;
use super::{Broad, Counters, Kind, Relink, Settings};
use crate::space::{Paths, Window};

/// In place of the number of a lattice: none.
const NOWHERE: u8 = u8::MAX;

/// How many particles a task of the pool takes.
const BATCH: usize = 4096;

/// Lattices of cells, finest first. Each particle belongs to the finest one whose cells are wide
/// enough for its diameter and its travel, and is linked to the cells of that one only; there the
/// law of [`Cells`](super::Cells) holds. A particle that is too large or too fast for all belongs
/// to the coarsest, if need be on its short list.
///
/// Particles of one lattice are paired as in [`Cells`](super::Cells). Between two lattices, the
/// particles of one look for those of the other in all cells that they sweep. Whenever all pairs are
/// requested, the group for which this is less work does the looking.
#[derive(Debug)]
pub struct Levels<const D: usize> {
    pub(super) how: Variant,
    cell_size: Option<f64>,
    renewal: Renewal,
    /// None before the first refit.
    lattices: Vec<Lattice<D>>,
    /// The number of the lattice that each particle belongs to. \[slot\]
    home: Vec<u8>,
    window: Window,
    /// Work between lattices, and that of lattices that were given up.
    tally: Tally,
}

impl<const D: usize> Levels<D> {
    /// Lattices as `settings` say.
    pub fn new(settings: &Settings) -> Self {
        Self {
            how: Variant::new(settings),
            cell_size: settings.cell_size,
            renewal: Renewal::new(settings.resize),
            lattices: Vec::new(),
            home: Vec::new(),
            window: Window::STEP,
            tally: Tally::default(),
        }
    }

    /// The cells of each lattice, the finest first; none before the first refit.
    pub fn grids(&self) -> impl Iterator<Item = &Grid<D>> {
        self.lattices.iter().map(Lattice::grid)
    }

    /// The number of the lattice that a particle belongs to: none if it is dead.
    pub fn level_of(&self, particle: u32) -> Option<usize> {
        self.home.get(particle as usize).filter(|&&home| home != NOWHERE).map(|&home| home.into())
    }

    /// How many particles are on a short list.
    pub fn short_listed(&self) -> usize {
        self.lattices.iter().map(|lattice| lattice.short_list().len()).sum()
    }

    /// Holds every living particle to be linked in its own lattice and in no other, and the links
    /// to be well formed.
    ///
    /// # Panics
    /// If they are not. For tests.
    pub fn assert_well_formed(&self) {
        for (n, lattice) in self.lattices.iter().enumerate() {
            lattice.links().assert_well_formed(lattice.grid());
            for particle in 0..self.home.len() as u32 {
                let linked = lattice.links().home(particle).is_some();
                let level = self.level_of(particle);
                assert_eq!(
                    linked,
                    level == Some(n),
                    "particle {particle} of {level:?}, lattice {n}"
                );
            }
        }
    }

    /// Chooses the lattices afresh for the particles that are `here` and, if that makes a
    /// difference worth the work, empties them. Whether the links are to be made anew.
    fn lay_out(&mut self, paths: &Paths<'_, D>, here: impl Fn(usize) -> bool) -> bool {
        let here = (0..paths.len()).filter(|&i| here(i));
        let mut widths: Vec<f64> = here.map(|i| needed(paths, i, [true; D], self.window)).collect();
        let grids = choose::lattices(paths.domain, &mut widths, self.cell_size);
        if grids.len() == self.lattices.len()
            && self.grids().zip(&grids).all(|(a, b)| a.serves_for(b))
        {
            return false;
        }
        self.lattices.iter().for_each(|old| self.tally.add(&old.counters()));
        let lattice = |grid| Lattice::new(self.how, grid, paths.len(), self.window);
        self.lattices = grids.into_iter().map(lattice).collect();
        self.home.clear();
        self.home.resize(paths.len(), NOWHERE);
        true
    }

    /// Takes up all paths of those that are `here` at the start of the window, in the lattices as
    /// they are.
    fn link_all(&mut self, paths: &Paths<'_, D>, here: &[bool]) {
        let mut home = std::mem::take(&mut self.home);
        home.resize(paths.len(), NOWHERE);
        home.par_iter_mut().with_min_len(BATCH).enumerate().for_each(|(i, home)| {
            *home = if here[i] { self.suited(paths, i) } else { NOWHERE };
        });
        self.home = home;
        let mut here = Vec::new();
        for (n, lattice) in (0..).zip(&mut self.lattices) {
            here.clear();
            here.extend(self.home.iter().map(|&home| home == n));
            lattice.link_all(paths, self.window, &here);
        }
    }

    /// The finest lattice that suits particle `i`, or the coarsest.
    fn suited(&self, paths: &Paths<'_, D>, i: usize) -> u8 {
        let width = needed(paths, i, [true; D], self.window);
        let wide_enough = self.grids().position(|grid| width <= grid.room());
        wide_enough.unwrap_or(self.lattices.len().saturating_sub(1)) as u8
    }

    /// Puts particle `i` into the lattice that suits it, and into no other.
    fn settle(&mut self, i: u32, paths: &Paths<'_, D>) {
        let new = self.suited(paths, i as usize);
        if self.level_of(i) != Some(new.into()) {
            self.forget(i);
        }
        if let Some(lattice) = self.lattices.get_mut(usize::from(new)) {
            self.home[i as usize] = new;
            lattice.take_up_one(i, paths, true);
        }
    }

    fn forget(&mut self, i: u32) {
        if let Some(level) = self.level_of(i) {
            self.lattices[level].remove(i);
            self.home[i as usize] = NOWHERE;
        }
    }

    /// Makes room for a new particle in slot `i`, with other lattices where the particles have
    /// outgrown them.
    fn make_room(&mut self, i: u32, paths: &Paths<'_, D>) {
        let slots = self.home.len().max(i as usize + 1);
        self.home.resize(slots, NOWHERE);
        self.lattices.iter_mut().for_each(|lattice| lattice.make_room(slots));
        if !self.lattices.is_empty() && !self.renewal.outgrown(slots) {
            return;
        }
        let known: Vec<bool> =
            (0..paths.len() as u32).map(|particle| self.level_of(particle).is_some()).collect();
        self.renewal.done_between(slots);
        if self.lay_out(paths, |particle| known[particle]) {
            self.link_all(paths, &known);
        }
    }
}

impl<const D: usize> Broad<D> for Levels<D> {
    fn refit(&mut self, paths: &Paths<'_, D>, window: Window) {
        self.window = window;
        let particles = paths.alive.iter().filter(|&&alive| alive).count();
        let due = self.renewal.due(particles);
        if due || self.grids().next().is_none_or(|grid| grid.domain() != paths.domain) {
            self.lay_out(paths, |i| paths.alive[i]);
            self.renewal.done(particles);
        }
        self.link_all(paths, paths.alive);
        if self.renewal.overfull(self.short_listed(), particles) {
            self.renewal.done(particles);
            if self.lay_out(paths, |i| paths.alive[i]) {
                self.link_all(paths, paths.alive);
            }
        }
    }

    fn near(&self, i: u32, paths: &Paths<'_, D>, out: &mut Vec<u32>) {
        self.near_in_all(i, paths, out);
    }

    fn update(&mut self, i: u32, paths: &Paths<'_, D>) {
        if !paths.alive[i as usize] {
            return self.forget(i);
        }
        let Some(level) = self.level_of(i) else {
            return;
        };
        let lattice = &mut self.lattices[level];
        lattice.take_up_one(i, paths, self.how.relink == Relink::Move);
        if lattice.is_short_listed(i) {
            self.settle(i, paths);
        }
    }

    fn insert(&mut self, i: u32, paths: &Paths<'_, D>) {
        self.make_room(i, paths);
        if paths.alive[i as usize] {
            self.settle(i, paths);
        }
    }

    fn remove(&mut self, i: u32) {
        self.forget(i);
    }

    fn renumber(&mut self, new_slot: &[u32]) {
        self.lattices.iter_mut().for_each(|lattice| lattice.renumber(new_slot));
        self.home.resize(new_slot.len(), NOWHERE);
        self.home = renumbered(&self.home, new_slot, NOWHERE);
    }

    fn relink(&mut self, paths: &Paths<'_, D>, time: f64) {
        if self.how.relink == Relink::Move {
            self.window.start = time;
            self.link_all(paths, paths.alive);
        }
    }

    fn counters(&self) -> Counters {
        let mut total = self.tally.total();
        self.lattices.iter().for_each(|lattice| total += lattice.counters());
        total
    }

    fn describe(&self) -> String {
        let name = Kind::Levels.name();
        if self.lattices.is_empty() {
            return format!("{name}: no cells yet");
        }
        let cells: Vec<_> = self.lattices.iter().map(Lattice::describe).collect();
        let short = shortly(self.short_listed(), self.home.len());
        format!("{name}: {}, {}{short}", cells.join("; "), self.how.describe())
    }
}
