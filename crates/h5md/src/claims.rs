//! How far a file is believed that tells the size of its own contents.
//!
//! The extents of a dataset are numbers in its header. A damaged or hostile file may speak of 10^18
//! rows and hold none: before anything is reserved or gone through, what is claimed is held against
//! what is stored.

use hdf5::{Dataset, H5Type};

/// What a dataset may claim without holding it: rows that are not written yet are filled in by the
/// library. \[bytes\]
const UNWRITTEN: u64 = 64 << 20;
/// Compression (deflate) makes nothing smaller by more than this.
const DENSEST: u64 = 1100;
/// Larger chunks are not unpacked. \[bytes\]
const LARGEST_CHUNK: u64 = 1 << 28;
/// What belongs to one moment lies in no more chunks than these, and one for each [`CHUNK`] bytes:
/// the library takes some 4 kB for each while it reads.
const MOST_CHUNKS: u128 = 1 << 14;
/// \[bytes\]
const CHUNK: u128 = 1 << 12;
/// More texts are in no table of names.
const MOST_TEXTS: usize = 1 << 20;

/// The most rows that [`rows`] believes in where none are stored. \[bytes\]
pub const UNWRITTEN_ROWS: u64 = 8 << 20;

/// Whether a dataset may hold so many bytes, of which `unwritten` may be missing in the file.
fn held(dataset: &Dataset, claimed: u128, unwritten: u64) -> Result<(), String> {
    if claimed <= u128::from(unwritten) {
        return Ok(());
    }
    let stored = dataset.storage_size();
    if claimed <= u128::from(unwritten) + u128::from(stored) * u128::from(DENSEST) {
        return Ok(());
    }
    let shape = dataset.shape();
    Err(format!(
        "its extents, {shape:?}, claim {claimed} bytes, but the file has only {stored} bytes of it"
    ))
}

fn bytes(shape: &[usize], size: usize) -> u128 {
    shape.iter().fold(size as u128, |bytes, &n| bytes.saturating_mul(n as u128))
}

/// The size of an element of a dataset. \[bytes\]
fn element(dataset: &Dataset) -> usize {
    dataset.dtype().map_or(1, |kind| kind.size())
}

/// Whether some rows and columns of a dataset can be read at once.
///
/// # Errors
/// If they would take far more memory than is stored of them in the file.
pub fn part<T: H5Type>(dataset: &Dataset, shape: &[usize]) -> Result<(), String> {
    let chunk = dataset.chunk().unwrap_or_default();
    let size = bytes(&chunk, element(dataset));
    if size > u128::from(LARGEST_CHUNK) {
        return Err(format!(
            "its chunks, {chunk:?}, take {size} bytes each, more than {LARGEST_CHUNK}"
        ));
    }
    held(dataset, bytes(shape, size_of::<T>()), UNWRITTEN)
}

/// The same of what belongs to one moment, which lies in a few chunks: a list of many frames may
/// well have one or more for each of them.
///
/// # Errors
/// If it would take far more memory than is stored of it in the file, or lies in very many chunks.
pub fn moment<T: H5Type>(dataset: &Dataset, shape: &[usize]) -> Result<(), String> {
    part::<T>(dataset, shape)?;
    let chunk = dataset.chunk().unwrap_or_default();
    // What is read of an axis that `shape` leaves out is in one chunk.
    let read = shape.iter().rev().zip(chunk.iter().rev());
    let chunks =
        read.fold(1, |n: u128, (&of, &size)| n.saturating_mul(of.div_ceil(size.max(1)) as u128));
    let most = MOST_CHUNKS + bytes(shape, size_of::<T>()) / CHUNK;
    if chunks > most {
        return Err(format!(
            "it is stored in {chunks} chunks, {chunk:?}, but at most {most} are read at once; larger chunks are needed"
        ));
    }
    Ok(())
}

/// Whether a dataset can be read as a whole.
///
/// # Errors
/// If it would take far more memory than is stored of it in the file.
pub fn whole<T: H5Type>(dataset: &Dataset) -> Result<(), String> {
    part::<T>(dataset, &dataset.shape())
}

/// Whether a dataset has all the rows that it claims, but for `unwritten` bytes, if each had one
/// element: before anything is done for each of them.
///
/// # Errors
/// If far fewer are stored in the file.
pub fn rows(dataset: &Dataset, unwritten: u64) -> Result<(), String> {
    let rows = dataset.shape().first().copied().unwrap_or(0);
    held(dataset, bytes(&[rows], element(dataset)), unwritten)
}

/// Whether texts in an array of this shape can be read.
///
/// # Errors
/// If there are more than in any table of names.
pub fn texts(shape: &[usize]) -> Result<(), String> {
    let count = bytes(shape, 1);
    if count <= MOST_TEXTS as u128 {
        return Ok(());
    }
    Err(format!("it has {count} texts, but at most {MOST_TEXTS} are read"))
}

#[cfg(test)]
mod tests {
    use hdf5::{Extent, File, SimpleExtents};

    use super::*;

    fn claiming(folder: &tempfile::TempDir, rows: usize, written: usize, chunk: usize) -> Dataset {
        let file = File::create(folder.path().join("claims.h5")).unwrap();
        let extents = SimpleExtents::from_vec(vec![Extent::resizable(rows)]);
        let dataset = file.new_dataset::<f64>().shape(extents).chunk(chunk).create("list").unwrap();
        if written > 0 {
            dataset.write_slice(&ndarray::Array1::from_elem(written, 1.0), 0..written).unwrap();
        }
        dataset
    }

    #[test]
    fn a_list_without_contents_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let dataset = claiming(&folder, 1 << 60, 0, 1 << 10);
        let error = whole::<f64>(&dataset).unwrap_err();
        assert!(error.contains("1152921504606846976") && error.contains("only 0 bytes"), "{error}");
        assert!(rows(&dataset, UNWRITTEN_ROWS).is_err());
        part::<f64>(&dataset, &[1 << 20]).unwrap();
    }

    #[test]
    fn what_is_stored_is_believed() {
        let folder = tempfile::tempdir().unwrap();
        let dataset = claiming(&folder, 1 << 20, 1 << 20, 1 << 10);
        whole::<f64>(&dataset).unwrap();
        rows(&dataset, 0).unwrap();
    }

    #[test]
    fn a_chunk_is_no_larger_than_memory_allows() {
        let folder = tempfile::tempdir().unwrap();
        let dataset = claiming(&folder, 1 << 40, 0, 1 << 28);
        assert!(part::<f64>(&dataset, &[1]).unwrap_err().contains("chunks"));
        assert!(texts(&[1 << 40, 1 << 40]).is_err());
    }

    #[test]
    fn chunks_are_no_more_than_memory_allows() {
        let folder = tempfile::tempdir().unwrap();
        let dataset = claiming(&folder, 1 << 16, 0, 3);
        whole::<f64>(&dataset).unwrap();
        let error = moment::<f64>(&dataset, &[1 << 16]).unwrap_err();
        assert!(error.contains("21846 chunks") && error.contains("at most 16512"), "{error}");
        moment::<f64>(&dataset, &[1 << 15]).unwrap();
    }
}
