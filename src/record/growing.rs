//! Datasets that grow: rows are appended, and rows may become wider.

use std::marker::PhantomData;

use hdf5::{Dataset, Extent, Group, H5Type, Hyperslab, SimpleExtents, SliceOrIndex};
use ndarray::{ArrayViewD, IxDyn};

/// How a growing dataset is laid out.
pub(super) struct Layout<T> {
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

impl<T> Layout<T> {
    /// Rows of one value, `chunk` of them to a chunk.
    pub(super) fn column(chunk: usize, fill: T) -> Self {
        Self::rows(chunk, &[], fill)
    }

    /// Rows of a fixed shape, `chunk` of them to a chunk.
    pub(super) fn rows(chunk: usize, row: &[usize], fill: T) -> Self {
        Self { row: row.to_vec(), widens: false, chunk: [&[chunk], row].concat(), fill, compress: false }
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

/// A dataset whose first axis has no end.
pub(super) struct Growing<T> {
    dataset: Dataset,
    rows: usize,
    row: Vec<usize>,
    marker: PhantomData<T>,
}

impl<T: H5Type> Growing<T> {
    /// A new, empty dataset in `group`.
    pub(super) fn create(group: &Group, name: &str, layout: Layout<T>) -> hdf5::Result<Self> {
        let mut extents = vec![Extent::resizable(0)];
        extents.extend(layout.row.iter().enumerate().map(|(axis, &size)| {
            if layout.widens && axis == 0 { Extent::resizable(size) } else { Extent::fixed(size) }
        }));
        let mut builder = group.new_dataset_builder();
        if layout.compress {
            builder = builder.shuffle().deflate(1);
        }
        let dataset = builder
            .empty::<T>()
            .shape(SimpleExtents::from_vec(extents))
            .chunk(layout.chunk)
            .fill_value(layout.fill)
            .create(name)?;
        Ok(Self { dataset, rows: 0, row: layout.row, marker: PhantomData })
    }

    /// The dataset itself, for attributes and links.
    pub(super) fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// The shape of a row.
    pub(super) fn row(&self) -> &[usize] {
        &self.row
    }

    /// Appends whole rows.
    pub(super) fn append(&mut self, values: &[T]) -> hdf5::Result<()> {
        let size: usize = self.row.iter().product();
        let count = values.len().checked_div(size).unwrap_or(0);
        if count == 0 {
            return Ok(());
        }
        self.grow(count)?;
        let row = self.row.clone();
        self.write(count, &row, values)
    }

    /// Appends one row of `width` entries, of which `values` holds the first ones; the rest, and
    /// what the row is shorter than others, is fill. If it is longer, all rows become wider.
    pub(super) fn append_row(&mut self, width: usize, values: &[T]) -> hdf5::Result<()> {
        let entry: usize = self.row[1..].iter().product();
        self.row[0] = self.row[0].max(width);
        self.grow(1)?;
        if values.is_empty() {
            return Ok(());
        }
        let mut row = self.row.clone();
        row[0] = values.len() / entry;
        self.write(1, &row, values)
    }

    fn grow(&mut self, count: usize) -> hdf5::Result<()> {
        let mut shape = vec![self.rows + count];
        shape.extend(&self.row);
        self.dataset.resize(shape)?;
        self.rows += count;
        Ok(())
    }

    /// Fills the beginnings of the last `count` rows.
    fn write(&self, count: usize, row: &[usize], values: &[T]) -> hdf5::Result<()> {
        let mut shape = vec![count];
        shape.extend(row);
        let mut region = vec![SliceOrIndex::from(self.rows - count..self.rows)];
        region.extend(row.iter().map(|&size| SliceOrIndex::from(0..size)));
        let view = ArrayViewD::from_shape(IxDyn(&shape), values)?;
        self.dataset.write_slice(view, Hyperslab::from(region))
    }
}
