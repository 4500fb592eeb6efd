//! Datasets that grow: rows are appended, and rows may become wider.

use std::sync::Arc;

use hdf5::{Dataset, Extent, File, Group, H5Type, Hyperslab, SimpleExtents, SliceOrIndex};
use ndarray::{ArrayD, ArrayViewD, IxDyn};
use serde::{Deserialize, Serialize};

use super::schema::Mend;
use super::writer::{WORTH_IT, Write};

/// So much is copied at a time: little, since a run that continues is to take no more memory than
/// one that begins. \[bytes\]
const COPIED_AT_A_TIME: usize = 1 << 20;

/// What is taken over as a whole has no more rows.
const LONGEST_HISTORY: usize = 1_000_000;

/// After so many rows of a log it is seen whether enough of them wait.
const LOOK_EVERY: usize = 256;

/// How large a dataset is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Extents {
    rows: u64,
    /// Of one row.
    row: Vec<u64>,
}

/// What rows are made of.
pub(super) trait Row: H5Type + Copy + Send {}

impl<T: H5Type + Copy + Send> Row for T {}

/// A dataset that grows, whatever is in it.
pub(super) trait Table {
    /// How large it is, with the rows that are still to be written.
    fn extents(&self) -> Extents;

    /// How much is still to be written. \[bytes\]
    fn waiting(&self) -> usize;

    /// Takes what is still to be written.
    fn take_write(&mut self) -> Option<Write>;

    /// Writes everything, and has the library write out what it has kept: values first, then how
    /// many there are. If there is no room for the values, the file is left with fewer rows.
    fn flush(&mut self) -> hdf5::Result<()>;

    /// Takes the first rows of the dataset of the same name in another file, up to `extents`; it
    /// has to be empty.
    fn take_over(&mut self, from: &File, extents: &Extents) -> hdf5::Result<()>;
}

/// How a growing dataset is laid out.
pub(super) struct DatasetLayout<T> {
    /// The shape of a row; empty if a row is one value.
    row: Vec<usize>,
    /// Whether rows may become wider (along their first axis).
    widens: bool,
    /// The shape of a chunk, rows first.
    chunk: Vec<usize>,
    /// What stands where nothing was written.
    fill: T,
    /// Whether chunks are compressed (shuffle and deflate 1: higher levels cost much and save
    /// little on positions).
    compress: bool,
}

impl<T> DatasetLayout<T> {
    /// Rows of one value, `chunk` of them to a chunk.
    pub(super) fn column(chunk: usize, fill: T) -> Self {
        Self::rows(chunk, &[], fill)
    }

    /// Rows of a fixed shape, `chunk` of them to a chunk.
    pub(super) fn rows(chunk: usize, row: &[usize], fill: T) -> Self {
        Self {
            row: row.to_vec(),
            widens: false,
            chunk: [&[chunk], row].concat(),
            fill,
            compress: false,
        }
    }

    /// Compressed, if it is to be.
    pub(super) fn compressed(self, compress: bool) -> Self {
        Self { compress, ..self }
    }

    /// Rows with no entry yet, where an entry has the shape `entry`; a chunk holds `chunk` entries
    /// of one row.
    pub(super) fn widening(chunk: usize, entry: &[usize], fill: T, compress: bool) -> Self {
        Self {
            row: [&[0], entry].concat(),
            widens: true,
            chunk: [&[1, chunk], entry].concat(),
            fill,
            compress,
        }
    }
}

/// A column of a log.
pub(super) fn column<T: Row>(at: &Group, name: &str, fill: T) -> hdf5::Result<Growing<T>> {
    Growing::create(at, name, DatasetLayout::column(CHUNK_ROWS, fill))
}

/// Rows to a chunk where a row is a few numbers.
pub(super) const CHUNK_ROWS: usize = 1024;

/// A dataset whose first axis has no end. Rows are written when they are asked for.
pub(super) struct Growing<T> {
    dataset: Arc<Dataset>,
    /// How many rows there are, with those that wait.
    rows: usize,
    row: Vec<usize>,
    /// How many rows are written.
    written: usize,
    waiting: Vec<Rows<T>>,
    /// How much waits. \[bytes\]
    bytes: usize,
    mend: Option<Mend<T>>,
}

/// Rows that wait to be written.
struct Rows<T> {
    count: usize,
    /// How much of each row there is: it may be a beginning.
    row: Vec<usize>,
    values: Vec<T>,
}

impl<T: Row> Growing<T> {
    /// A new, empty dataset in `group`.
    pub(super) fn create(
        group: &Group,
        name: &str,
        layout: DatasetLayout<T>,
    ) -> hdf5::Result<Self> {
        let mut extents = vec![Extent::resizable(0)];
        extents.extend(layout.row.iter().enumerate().map(|(axis, &size)| {
            if layout.widens && axis == 0 { Extent::resizable(size) } else { Extent::fixed(size) }
        }));
        let mut builder = group.new_dataset_builder();
        if layout.compress {
            builder = builder.shuffle().deflate(1);
        }
        // A frame is compressed when it is written: the library would keep it until the file is flushed.
        if layout.widens {
            builder = builder.chunk_cache(1, 0, 1.0);
        }
        // The padding between the fields of a row is not written.
        let dataset = builder
            .packed(true)
            .empty::<T>()
            .shape(SimpleExtents::from_vec(extents))
            .chunk(layout.chunk)
            .fill_value(layout.fill)
            .create(name)?;
        Ok(Self {
            dataset: Arc::new(dataset),
            rows: 0,
            row: layout.row,
            written: 0,
            waiting: Vec::new(),
            bytes: 0,
            mend: None,
        })
    }

    /// The same, where what is taken over of another file is put right by `mend`.
    pub(super) fn mending(self, mend: Mend<T>) -> Self {
        Self { mend: Some(mend), ..self }
    }

    /// The dataset itself, for attributes and links.
    pub(super) fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// How many rows there are, with those that are still to be written.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// The shape of a row.
    pub(super) fn row(&self) -> &[usize] {
        &self.row
    }

    /// Whether it is time to see if enough waits; only now and then, since that takes longer than to
    /// append a row.
    pub(super) fn has_much(&self) -> bool {
        self.bytes >= WORTH_IT && self.rows.is_multiple_of(LOOK_EVERY)
    }

    /// Appends whole rows.
    pub(super) fn append(&mut self, values: &[T]) {
        let size: usize = self.row.iter().product();
        let count = values.len().checked_div(size).unwrap_or(0);
        if count == 0 {
            return;
        }
        self.rows += count;
        self.bytes += size_of_val(values);
        match self.waiting.last_mut() {
            Some(last) => {
                last.count += count;
                last.values.extend_from_slice(values);
            }
            None => {
                let (row, values) = (self.row.clone(), values.to_vec());
                self.waiting.push(Rows { count, row, values });
            }
        }
    }

    /// Appends rows of one value, and returns the number of the first and how many they are.
    pub(super) fn extend(&mut self, values: impl Iterator<Item = T>) -> (u64, u32) {
        let first = self.rows;
        values.for_each(|value| self.append(&[value]));
        (first as u64, (self.rows - first) as u32)
    }

    /// Appends one row of `width` entries, of which `values` holds the first ones; the rest, and
    /// what the row is shorter than others, is fill. If it is longer, all rows become wider.
    pub(super) fn append_row(&mut self, width: usize, values: Vec<T>) {
        let entry: usize = self.row[1..].iter().product();
        self.row[0] = self.row[0].max(width);
        self.rows += 1;
        self.bytes += size_of_val(&values[..]);
        let mut row = self.row.clone();
        row[0] = values.len() / entry;
        self.waiting.push(Rows { count: 1, row, values });
    }

    /// Takes what waits, as rows from the first that is not written.
    fn take_waiting(&mut self) -> impl FnOnce() -> hdf5::Result<()> + use<T> {
        let dataset = Arc::clone(&self.dataset);
        let waiting = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        let mut first = std::mem::replace(&mut self.written, self.rows);
        let shape = [&[self.rows], &self.row[..]].concat();
        move || {
            dataset.resize(shape)?;
            for Rows { count, row, values } in waiting {
                write(&dataset, first, count, &row, &values)?;
                first += count;
            }
            Ok(())
        }
    }

    /// Reads some rows of another dataset, as wide as the rows here.
    fn rows_of(&self, other: &Dataset, rows: std::ops::Range<usize>) -> hdf5::Result<Vec<T>> {
        let mut region = vec![SliceOrIndex::from(rows)];
        region.extend(self.row.iter().map(|&size| SliceOrIndex::from(0..size)));
        let found: ArrayD<T> = other.read_slice(Hyperslab::from(region))?;
        Ok(found.into_raw_vec_and_offset().0)
    }
}

/// Fills the beginnings of `count` rows of a dataset.
fn write<T: H5Type>(
    dataset: &Dataset,
    first: usize,
    count: usize,
    row: &[usize],
    values: &[T],
) -> hdf5::Result<()> {
    if values.is_empty() {
        return Ok(());
    }
    let shape = [&[count], row].concat();
    let mut region = vec![SliceOrIndex::from(first..first + count)];
    region.extend(row.iter().map(|&size| SliceOrIndex::from(0..size)));
    let view = ArrayViewD::from_shape(IxDyn(&shape), values)?;
    dataset.write_slice(view, Hyperslab::from(region))
}

impl<T: Row> Growing<T> {
    /// Takes over all rows, as [`Table::take_over`].
    pub(super) fn take_over_all(&mut self, from: &File) -> hdf5::Result<()> {
        let shape = self.history_in(from)?.shape();
        let Some((rows, row)) = shape.split_first() else { return Ok(()) };
        let row = row.iter().map(|&size| size as u64).collect();
        self.take_over(from, &Extents { rows: *rows as u64, row })
    }

    /// All rows of the dataset of the same name in another file.
    pub(super) fn all_rows_of(&self, from: &File) -> hdf5::Result<Vec<T>> {
        let other = self.history_in(from)?;
        let rows = other.shape().first().copied().unwrap_or(0);
        self.rows_of(&other, 0..rows)
    }

    /// The dataset of the same name in another file, if all of it may be read.
    fn history_in(&self, from: &File) -> hdf5::Result<Dataset> {
        let other = from.dataset(&self.dataset.name())?;
        match other.shape().first() {
            Some(&rows) if rows > LONGEST_HISTORY => {
                Err(format!("{} has {rows} rows", self.dataset.name()).into())
            }
            _ => Ok(other),
        }
    }
}

impl<T: Row> Table for Growing<T> {
    fn extents(&self) -> Extents {
        Extents { rows: self.rows as u64, row: self.row.iter().map(|&size| size as u64).collect() }
    }

    fn waiting(&self) -> usize {
        self.bytes
    }

    fn take_write(&mut self) -> Option<Write> {
        if self.written == self.rows {
            return None;
        }
        Some(Box::new(self.take_waiting()))
    }

    fn flush(&mut self) -> hdf5::Result<()> {
        if self.written < self.rows {
            self.take_waiting()()?;
        }
        self.dataset.flush()
    }

    fn take_over(&mut self, from: &File, extents: &Extents) -> hdf5::Result<()> {
        let name = self.dataset.name();
        let other = from.dataset(&name).map_err(|_| format!("{name} is missing"))?;
        let (rows, row) = (extents.rows as usize, extents.row.iter().map(|&size| size as usize));
        let row: Vec<usize> = row.collect();
        let there = other.shape();
        let has = there.len() == row.len() + 1
            && row.len() == self.row.len()
            && row.iter().skip(1).eq(self.row.iter().skip(1))
            && there.iter().zip([rows].iter().chain(&row)).all(|(there, needed)| there >= needed);
        if !has {
            return Err(format!("{name} has lost rows").into());
        }
        (self.rows, self.written, self.row) = (0, 0, row);
        self.waiting.clear();
        let bytes = self.row.iter().product::<usize>() * size_of::<T>();
        let at_a_time = (COPIED_AT_A_TIME / bytes.max(1)).max(1);
        for first in (0..rows).step_by(at_a_time) {
            let count = at_a_time.min(rows - first);
            self.rows += count;
            let mut values = Vec::new();
            if bytes > 0 {
                values = self.rows_of(&other, first..first + count)?;
                if let Some(mend) = self.mend {
                    mend(&other, &mut values)?;
                }
            }
            self.waiting.push(Rows { count, row: self.row.clone(), values });
            self.take_waiting()()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::schema::ContactRow;

    fn with_tables<T>(ask: impl FnOnce(&File, &File) -> T) -> T {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.h5", "b.h5"].map(|name| File::create(folder.path().join(name)).unwrap());
        ask(&a, &b)
    }

    #[test]
    fn rows_have_no_padding_in_the_file() {
        let size = with_tables(|file, _| {
            let root = file.group("/").unwrap();
            let table = Growing::create(&root, "rows", DatasetLayout::column(16, NOTHING)).unwrap();
            table.dataset().dtype().unwrap().size()
        });
        assert!(size < size_of::<ContactRow>(), "{size}");
    }

    const NOTHING: ContactRow = ContactRow {
        time: 0.0,
        a: 0,
        b: 0,
        place: [0.0; 3],
        approach: 0.0,
        normal: [0; 3],
        species_a: 0,
        species_b: 0,
        outcome: 0,
        rule: 0,
    };

    #[test]
    fn a_table_that_is_missing_is_named() {
        let why = with_tables(|file, other| {
            let root = file.group("/").unwrap();
            let mut table =
                Growing::create(&root, "rows", DatasetLayout::column(16, 0_u8)).unwrap();
            table.take_over(other, &Extents { rows: 0, row: Vec::new() }).unwrap_err().to_string()
        });
        assert!(why.contains("/rows is missing"), "{why}");
    }
}
