//! What a run of a disk gas has done, for people.

use jostle_core::observe::Books;
use jostle_core::words::digits;
use jostle_events::granular::units::JOULE;

/// What a run of a disk gas has done.
#[derive(Clone, Debug)]
pub struct GasAccount {
    /// Of two disks, and with walls.
    pub collisions: [u64; 2],
    /// What the search has done, by name.
    pub work: Vec<(&'static str, u64)>,
    /// The books of the energy at the start and at the end.
    pub books: [Books; 2],
    /// Steps times disks.
    pub disk_steps: f64,
}

impl GasAccount {
    /// How much energy came or went, relative to what there was of motion and, in gravity, of height.
    pub fn imbalance(&self) -> f64 {
        let [first, last] = self.books.map(|books| books.kinetic + books.potential);
        let [kinetic, potential] = [self.books[0].kinetic, self.books[0].potential.abs()];
        (last - first) / (kinetic + potential).max(f64::MIN_POSITIVE)
    }

    /// Label and text, line by line.
    pub(crate) fn lines(&self, steps: u64) -> Vec<(&'static str, String)> {
        let [disks, walls] = self.collisions;
        let each = |(name, count): &(&str, u64)| {
            format!("{} {name}", digits(*count as f64 / steps.max(1) as f64, 6))
        };
        let work: Vec<_> = self.work.iter().filter(|(_, count)| *count > 0).map(each).collect();
        let joule = |energy: f64| format!("{} J", digits(energy / JOULE, 4));
        let [first, last] = &self.books;
        let energy = format!(
            "of motion {} at the start, {} at the end; of height {} and {}\n(in all {:+.1e} of what there was)",
            joule(first.kinetic),
            joule(last.kinetic),
            joule(first.potential),
            joule(last.potential),
            self.imbalance()
        );
        vec![
            ("contacts", format!("{disks} between disks, {walls} with walls")),
            ("per step", work.join(", ")),
            ("energy", energy),
        ]
    }
}
