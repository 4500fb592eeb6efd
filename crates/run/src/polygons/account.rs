//! What a run of polygons has done, for people.

use jostle_core::observe::{Books, Outlines};
use jostle_core::words::digits;
use jostle_polygons::{Polygons, Tally};

/// 1 J in kg nm²/µs².
const JOULE: f64 = 1e6;

/// The largest overlap that carries a force. \[nm²\]
fn largest(outlines: Outlines<'_>) -> f64 {
    outlines.forces.iter().map(|force| force.overlap).fold(0.0, f64::max)
}

/// What a run of polygons has done.
#[derive(Clone, Copy, Debug)]
pub struct PolygonAccount {
    /// Steps times bodies.
    pub body_steps: f64,
    /// What the engine did.
    pub tally: Tally,
    /// The largest overlap at the end. \[nm²\]
    pub largest: f64,
    /// The books of the energy at the start and at the end.
    pub books: [Books; 2],
}

impl PolygonAccount {
    pub(super) fn of(engine: &mut Polygons, first: &Books) -> Self {
        Self {
            body_steps: engine.clock().step as f64 * engine.masses().len() as f64,
            tally: engine.tally(),
            largest: engine.view().outlines.map_or(0.0, largest),
            books: [*first, engine.books()],
        }
    }

    /// What the books leave unexplained, over the energy that was turned over. 0 but for rounding and the
    /// integrator's error.
    pub fn imbalance(&self) -> f64 {
        let sum = |books: &Books| books.kinetic + books.potential + books.elastic + books.dissipated;
        let [first, last] = &self.books;
        let given = last.wall_work + last.force_work;
        let turned = first.kinetic + last.kinetic + last.dissipated + last.wall_work.abs();
        (sum(last) - sum(first) - given).abs() / turned.max(f64::MIN_POSITIVE)
    }

    /// Label and text, line by line.
    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let Tally { contacts, candidates, contact_steps, skipped, features, exchanges, .. } = self.tally;
        let per = |number: u64, of: u64| digits(number as f64 / of.max(1) as f64, 3);
        let contacts = format!(
            "{contacts} at the end, of {candidates} pairs whose boxes overlap; the largest overlap is {} mm^2\n\
             {contact_steps} in all steps",
            digits(self.largest * 1e-12, 3)
        );
        let closest = format!(
            "{} calls of {} steps each ({} full searches), {skipped} more were not needed; the closest pair of \
             features changed {} times",
            features.calls,
            per(features.steps, features.calls),
            features.full_searches,
            features.changes
        );
        let boxes = format!("{} exchanges of ends along x, {} along y", exchanges[0], exchanges[1]);
        let joule = |energy: f64| format!("{} J", digits(energy / JOULE, 4));
        let [first, last] = &self.books;
        let energy = format!(
            "kinetic {} at the start, {} at the end; potential {} and {}; in contacts {}; lost in contacts {}; \
             given by walls {}\n(unexplained: {:.1e} of what was turned over)",
            joule(first.kinetic),
            joule(last.kinetic),
            joule(first.potential),
            joule(last.potential),
            joule(last.elastic),
            joule(last.dissipated),
            joule(last.wall_work),
            self.imbalance()
        );
        vec![("contacts", contacts), ("closest", closest), ("boxes", boxes), ("energy", energy)]
    }
}
