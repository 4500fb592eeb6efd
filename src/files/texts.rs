//! Texts in HDF5 files, which programs store in different ways.

use hdf5::Container;
use hdf5::types::{FixedAscii, FixedUnicode, VarLenAscii, VarLenUnicode};

/// A dataset or an attribute of texts, stored in any of the usual ways.
pub fn texts(data: &Container) -> Option<Vec<String>> {
    fn read<T: hdf5::H5Type + AsRef<str>>(data: &Container) -> Option<Vec<String>> {
        let raw = data.read_raw::<T>().ok()?;
        Some(raw.iter().map(|text| text.as_ref().to_owned()).collect())
    }
    read::<VarLenUnicode>(data)
        .or_else(|| read::<VarLenAscii>(data))
        .or_else(|| read::<FixedAscii<64>>(data))
        .or_else(|| read::<FixedUnicode<64>>(data))
}
