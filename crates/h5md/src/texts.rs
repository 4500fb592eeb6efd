//! Texts in HDF5 files, which programs store in different ways.

use hdf5::types::{FixedAscii, FixedUnicode, VarLenAscii, VarLenUnicode};
use hdf5::{Container, H5Type};

use jostle_files::{plain, plain_line};

use crate::claims;

/// A dataset or an attribute of texts, stored in any of the usual ways. Each is one line, without
/// characters that are not seen.
pub fn texts(data: &Container) -> Option<Vec<String>> {
    fn read<T: H5Type>(data: &Container, bytes: fn(&T) -> &[u8]) -> Option<Vec<String>> {
        let raw = data.read_raw::<T>().ok()?;
        Some(raw.iter().map(|text| plain_line(&String::from_utf8_lossy(bytes(text)))).collect())
    }
    claims::texts(&data.shape()).ok()?;
    read(data, VarLenUnicode::as_bytes)
        .or_else(|| read(data, VarLenAscii::as_bytes))
        .or_else(|| read(data, FixedAscii::<64>::as_bytes))
        .or_else(|| read(data, FixedUnicode::<64>::as_bytes))
}

/// A text as the library read it, who does not look whether it is UTF-8. Characters that are not
/// seen are [replaced](plain).
pub fn whole_text(text: &VarLenUnicode) -> String {
    plain(&String::from_utf8_lossy(text.as_bytes()))
}
