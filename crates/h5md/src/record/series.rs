//! What is written more often than frames: `/series`.

use hdf5::Group;

use super::growing::{CHUNK_ROWS, DatasetLayout, Growing, Table};
use super::header::{Header, text_attribute, texts_attribute};
use jostle_core::observe::View;

/// Particles of each species at an interval of their own.
pub(super) struct Counts {
    every: u64,
    step: Growing<i64>,
    time: Growing<f64>,
    value: Growing<i64>,
}

impl Counts {
    /// Creates `/series/counts`, if the model asks for it.
    pub(super) fn create(file: &Group, header: &Header) -> hdf5::Result<Option<Self>> {
        let Some(every) = header.output.counts_every else { return Ok(None) };
        let group = file.create_group("series")?.create_group("counts")?;
        let names: Vec<&str> = header.species.iter().map(|s| s.name.as_str()).collect();
        let compress = header.output.compress;
        let rows = DatasetLayout::rows(CHUNK_ROWS, &[names.len()], 0).compressed(compress);
        let step = Growing::create(
            &group,
            "step",
            DatasetLayout::column(CHUNK_ROWS, -1).compressed(compress),
        )?;
        let time = Growing::create(
            &group,
            "time",
            DatasetLayout::column(CHUNK_ROWS, f64::NAN).compressed(compress),
        )?;
        text_attribute(time.dataset(), "unit", "ns")?;
        let value = Growing::create(&group, "value", rows)?;
        texts_attribute(value.dataset(), "species", &names)?;
        Ok(Some(Self { every, step, time, value }))
    }

    /// Everything that grows, always in the same order.
    pub(super) fn tables(&mut self) -> impl Iterator<Item = &mut dyn Table> {
        [&mut self.step as &mut dyn Table, &mut self.time, &mut self.value].into_iter()
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.step.rows()
    }

    /// Whether a row is due at a step.
    pub(super) fn is_due(&self, step: u64) -> bool {
        step.is_multiple_of(self.every)
    }

    /// Whether many rows wait to be written.
    pub(super) fn has_much(&self) -> bool {
        self.value.has_much()
    }

    /// Counts the particles there are.
    pub(super) fn push<const D: usize>(&mut self, view: &View<'_, D>) {
        let particles = view.particles;
        let mut count = vec![0; self.value.row()[0]];
        for i in (0..particles.len()).filter(|&i| particles.alive[i]) {
            count[particles.species[i] as usize] += 1;
        }
        self.value.append(&count);
        self.time.append(&[view.clock.time() * 1e3]);
        self.step.append(&[view.clock.step as i64]);
    }
}
