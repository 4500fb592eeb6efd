//! Compares datasets row by row.

use std::ops::Range;

use jostle_h5md::hdf5::types::TypeDescriptor;
use jostle_h5md::hdf5::{H5Type, Hyperslab, SliceOrIndex};
use ndarray::{Array, IxDyn};

use super::{BLOCKS, CHANGES, CONTACTS, IMPACTS};
use jostle_h5md::reading::Reading;
use jostle_h5md::reading::{Column, ReadError};
use jostle_h5md::record::schema::{BlockRow, BondRow, ChangeRow, ImpactRow, PartyRow};

/// Numbers, or rows of a table, that are held in memory at a time.
const AT_A_TIME: usize = 1 << 18;

/// How many rows a dataset has; one if it holds a single value, none if it is not there.
pub(super) fn length(reading: &Reading, name: &str) -> Result<usize, ReadError> {
    if !reading.has_dataset(name) {
        return Ok(0);
    }
    if reading.dataset(name)?.is_scalar() { Ok(1) } else { reading.length(name) }
}

/// How many frames there are, up to the end of the first `steps` steps.
pub(super) fn frames(reading: &Reading, steps: Option<u64>) -> Result<usize, ReadError> {
    let Some(steps) = steps else { return Ok(reading.frames()) };
    Ok(reading.steps()?.partition_point(|&step| step as u64 <= steps))
}

/// How many changes there are in the first `steps` steps.
pub(super) fn changes(reading: &Reading, steps: Option<u64>) -> Result<usize, ReadError> {
    let Some(steps) = steps else { return length(reading, CHANGES) };
    first_row(reading, CHANGES, |change: &ChangeRow| change.step as u64 >= steps)
}

/// How many contacts there are in the first `steps` steps.
pub(super) fn contacts(reading: &Reading, steps: Option<u64>) -> Result<usize, ReadError> {
    let all = length(reading, CONTACTS)?;
    let Some(steps) = steps else { return Ok(all) };
    let block = first_row(reading, BLOCKS, |block: &BlockRow| block.step as u64 >= steps)?;
    if block < length(reading, BLOCKS)? {
        Ok(first_contact_of(reading, block)?.min(all))
    } else {
        Ok(all)
    }
}

/// The first row of a range in which two files differ. Of rows that are wider in one file than in
/// the other, what the other lacks has to be fill.
pub(super) fn first_difference(
    pair: [&Reading; 2],
    name: &str,
    rows: Range<usize>,
) -> Result<Option<usize>, ReadError> {
    let there = pair.map(|reading| reading.has_dataset(name));
    if there != [true; 2] {
        return Ok((there.contains(&true) && !rows.is_empty()).then_some(rows.start));
    }
    // Of a file that is being written, some datasets may be behind others.
    let rows = rows.start..rows.end.min(length(pair[0], name)?).min(length(pair[1], name)?);
    if rows.is_empty() {
        return Ok(None);
    }
    let kinds = [pair[0].kind(name)?, pair[1].kind(name)?];
    if kinds[0] != kinds[1] && name != CONTACTS {
        return Ok(Some(rows.start));
    }
    match &kinds[0] {
        TypeDescriptor::Float(_) => numbers(pair, name, rows, |x: &f64| x.to_bits()),
        TypeDescriptor::Integer(_) => numbers(pair, name, rows, |n: &i64| *n as u64),
        TypeDescriptor::Unsigned(_) => numbers(pair, name, rows, |n: &u64| *n),
        TypeDescriptor::VarLenUnicode => texts(pair, name, rows),
        TypeDescriptor::Compound(_) => match name {
            CHANGES => column::<ChangeRow>(pair, name, rows),
            CONTACTS => contact_rows(pair, rows),
            BLOCKS => column::<BlockRow>(pair, name, rows),
            IMPACTS => column::<ImpactRow>(pair, name, rows),
            "events/reactants" | "events/products" => column::<PartyRow>(pair, name, rows),
            "events/bonds_broken" | "events/bonds_made" => column::<BondRow>(pair, name, rows),
            _ => Err(pair[0].damaged(name, UNKNOWN)),
        },
        // The sites at which bonds end.
        TypeDescriptor::FixedArray(_, 2) => column::<[i16; 2]>(pair, name, rows),
        _ => Err(pair[0].damaged(name, UNKNOWN)),
    }
}

const UNKNOWN: &str = "data of a kind that cannot be compared";

/// Datasets of numbers in any number of dimensions; numbers are distinguished by their bits.
fn numbers<T: H5Type + Copy>(
    pair: [&Reading; 2],
    name: &str,
    rows: Range<usize>,
    bits: fn(&T) -> u64,
) -> Result<Option<usize>, ReadError> {
    let shapes = [pair[0].dataset(name)?.shape(), pair[1].dataset(name)?.shape()];
    let entries = shapes.each_ref().map(|shape| shape.get(2..).unwrap_or_default());
    if shapes[0].len() != shapes[1].len() || entries[0] != entries[1] {
        return Ok(Some(rows.start));
    }
    let widths = shapes
        .each_ref()
        .map(|shape| shape.iter().skip(1).fold(1, |width: usize, &n| width.saturating_mul(n)));
    let fill =
        pair[0].dataset(name)?.create_plist().ok().and_then(|list| list.fill_value_as::<T>());
    let fill = fill.as_ref().map(bits);
    let block = (AT_A_TIME / widths[0].max(widths[1]).max(1)).max(1);
    for from in rows.clone().step_by(block) {
        let part = from..rows.end.min(from + block);
        let read = |k: usize| -> Result<Vec<u64>, ReadError> {
            Ok(values(pair[k], name, part.clone(), &shapes[k])?.iter().map(bits).collect())
        };
        let [a, b] = [read(0)?, read(1)?];
        if a == b && widths[0] == widths[1] {
            continue;
        }
        let row = |all: &[u64], n: usize, width: usize| all[n * width..(n + 1) * width].to_vec();
        for n in 0..part.len() {
            if !same(&row(&a, n, widths[0]), &row(&b, n, widths[1]), fill) {
                return Ok(Some(from + n));
            }
        }
    }
    Ok(None)
}

/// Whether two rows are the same, where the wider one may have fill at its end.
fn same(a: &[u64], b: &[u64], fill: Option<u64>) -> bool {
    let both = a.len().min(b.len());
    let rest = a[both..].iter().chain(&b[both..]);
    a[..both] == b[..both] && rest.into_iter().all(|value| Some(*value) == fill)
}

/// Some rows of a dataset with the given shape, one after the other.
fn values<T: H5Type>(
    reading: &Reading,
    name: &str,
    rows: Range<usize>,
    shape: &[usize],
) -> Result<Vec<T>, ReadError> {
    if shape.is_empty() {
        return Ok(vec![reading.scalar(name)?]);
    }
    if shape[1..].contains(&0) {
        return Ok(Vec::new());
    }
    let mut region = vec![SliceOrIndex::from(rows)];
    region.extend(shape[1..].iter().map(|&size| SliceOrIndex::from(0..size)));
    let values: Array<T, IxDyn> = reading.slice(name, Hyperslab::from(region))?;
    Ok(values.into_iter().collect())
}

/// Tables whose rows are of a known type.
fn column<T: H5Type + PartialEq + std::fmt::Debug>(
    pair: [&Reading; 2],
    name: &str,
    rows: Range<usize>,
) -> Result<Option<usize>, ReadError> {
    table(rows, |n, part| pair[n].column::<T>(name, part))
}

/// Logs of contacts, of whatever versions of the format.
fn contact_rows(pair: [&Reading; 2], rows: Range<usize>) -> Result<Option<usize>, ReadError> {
    let logs = [Column::of_contacts(pair[0])?, Column::of_contacts(pair[1])?];
    table(rows, |n, part| logs[n].read(part))
}

/// Tables of which `read` reads some rows, of the first or of the second.
fn table<T: PartialEq + std::fmt::Debug>(
    rows: Range<usize>,
    read: impl Fn(usize, Range<usize>) -> Result<Vec<T>, ReadError>,
) -> Result<Option<usize>, ReadError> {
    for from in rows.clone().step_by(AT_A_TIME) {
        let part = from..rows.end.min(from + AT_A_TIME);
        let (a, b) = (read(0, part.clone())?, read(1, part)?);
        // Written out, numbers that are not numbers are equal as well.
        let differ = |(a, b): (&T, &T)| a != b && format!("{a:?}") != format!("{b:?}");
        if let Some(n) = a.iter().zip(&b).position(differ) {
            return Ok(Some(from + n));
        }
    }
    Ok(None)
}

fn texts(pair: [&Reading; 2], name: &str, rows: Range<usize>) -> Result<Option<usize>, ReadError> {
    let [a, b] = [pair[0].texts(name)?, pair[1].texts(name)?];
    Ok(rows.into_iter().find(|&row| a.get(row) != b.get(row)))
}

/// The change that a row of the flat table number `table` belongs to.
pub(super) fn change_of(reading: &Reading, table: usize, row: u64) -> Result<usize, ReadError> {
    let end = |change: &ChangeRow| {
        let (first, count) = range(change, table);
        first.saturating_add(u64::from(count))
    };
    first_row(reading, CHANGES, |change: &ChangeRow| end(change) > row)
}

/// Where the rows of a change are in the flat table number `table`: the first, and how many.
pub(super) fn range(row: &ChangeRow, table: usize) -> (u64, u32) {
    [
        (row.first_reactant, row.reactants),
        (row.first_product, row.products),
        (row.first_broken, row.broken),
        (row.first_made, row.made),
        (row.first_before, row.before),
        (row.first_after, row.after),
    ][table]
}

/// The first contact of a block.
pub(super) fn first_contact_of(reading: &Reading, block: usize) -> Result<usize, ReadError> {
    let rows: Vec<BlockRow> = reading.column(BLOCKS, block..block + 1)?;
    Ok(rows.first().map_or(0, |block| block.first as usize))
}

/// The block that a contact is in.
pub(super) fn block_of(reading: &Reading, contact: usize) -> Result<Option<BlockRow>, ReadError> {
    let next = first_row(reading, BLOCKS, |block: &BlockRow| block.first > contact as u64)?;
    let Some(block) = next.checked_sub(1) else { return Ok(None) };
    let rows: Vec<BlockRow> = reading.column(BLOCKS, block..block + 1)?;
    Ok(rows.first().copied())
}

/// The first row for which `holds`, given that it holds for all later ones, by bisection; the
/// number of rows if there is none.
fn first_row<T: H5Type>(
    reading: &Reading,
    name: &str,
    holds: impl Fn(&T) -> bool,
) -> Result<usize, ReadError> {
    let (mut low, mut high) = (0, length(reading, name)?);
    while low < high {
        let middle = (low + high) / 2;
        let row: Vec<T> = reading.column(name, middle..middle + 1)?;
        if row.first().is_some_and(&holds) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wider_row_is_the_same_if_the_rest_is_fill() {
        assert!(same(&[1, 2], &[1, 2, 9, 9], Some(9)));
        assert!(same(&[1, 2, 9], &[1, 2], Some(9)));
        assert!(!same(&[1, 2], &[1, 2, 9, 8], Some(9)));
        assert!(!same(&[1, 2], &[1, 2, 9], None));
        assert!(!same(&[1, 3], &[1, 2], Some(9)));
    }
}
