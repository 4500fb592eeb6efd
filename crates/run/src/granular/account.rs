//! What a granular run has done, for people.

use jostle_core::observe::Books;
use jostle_core::search::kinetic::Topology;
use jostle_core::words::digits;
use jostle_events::granular::units::JOULE;
use jostle_events::granular::{Granular, Tally};

/// What a granular run has done.
#[derive(Clone, Copy, Debug)]
pub struct Account {
    /// Events by kind.
    pub tally: Tally,
    /// What the search structure did.
    pub topology: Topology,
    /// The books of the energy at the start and at the end.
    pub books: [Books; 2],
}

impl Account {
    pub(super) fn of<const D: usize>(engine: &Granular<D>, first: &Books) -> Self {
        Self { tally: engine.tally(), topology: engine.search().topology(), books: [*first, engine.books()] }
    }

    /// All events.
    pub fn events(&self) -> u64 {
        let Tally { collisions, wall_collisions, trajectory_events, .. } = self.tally;
        collisions + wall_collisions + trajectory_events + self.topology.events
    }

    /// What the books leave unexplained, over the energy that was turned over. 0 but for rounding.
    pub fn imbalance(&self) -> f64 {
        let sum = |books: &Books| books.kinetic + books.potential + books.dissipated;
        let [first, last] = &self.books;
        let given = last.wall_work + last.force_work;
        let turned = first.kinetic + last.kinetic + last.dissipated + last.wall_work.abs();
        (sum(last) - sum(first) - given).abs() / turned.max(f64::MIN_POSITIVE)
    }

    /// Label and text, line by line.
    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let Tally { collisions, wall_collisions, trajectory_events, lasting, .. } = self.tally;
        let mut contacts = format!("{collisions} between balls, {wall_collisions} with walls");
        if lasting > 0 {
            contacts += &format!("; {lasting} in lasting contact, which lost nothing");
        }
        let events = format!(
            "{} in all: {trajectory_events} of trajectories, {} of the search structure",
            self.events(),
            self.topology.events
        );
        let joule = |energy: f64| format!("{} J", digits(energy / JOULE, 4));
        let [first, last] = &self.books;
        let energy = format!(
            "kinetic {} at the start, {} at the end; lost in collisions {}; given by walls {}, by other \
             forces {}\n(unexplained: {:.1e} of what was turned over)",
            joule(first.kinetic),
            joule(last.kinetic),
            joule(last.dissipated),
            joule(last.wall_work),
            joule(last.force_work),
            self.imbalance()
        );
        vec![("contacts", contacts), ("events", events), ("energy", energy)]
    }
}
