//! Reads datasets and says in users' words what is wrong with them.

use std::marker::PhantomData;
use std::ops::Range;

use hdf5::filters::Filter;
use hdf5::types::{TypeDescriptor, VarLenUnicode};
use hdf5::{Dataset, H5Type};
use ndarray::{Array, Dimension};

use super::Reading;
use super::error::ReadError;
use crate::claims;
use crate::record::schema::{ContactRow, Mend};
use crate::texts::whole_text;
use jostle_core::words::abridged;
use jostle_files::plain_line;

/// A dataset with one value per row, opened once: what many parts are read from.
pub struct Column<T> {
    dataset: Dataset,
    rows: usize,
    path: std::path::PathBuf,
    name: &'static str,
    mend: Option<Mend<T>>,
    holds: PhantomData<T>,
}

const CONTACTS: &str = "events/contacts";

impl<T: H5Type> Column<T> {
    /// How many rows there were when it was opened.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there were none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Some rows.
    pub fn read(&self, rows: Range<usize>) -> Result<Vec<T>, ReadError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let damaged = |reason| ReadError::Damaged {
            path: self.path.clone(),
            what: self.name.to_owned(),
            reason,
        };
        claims::part::<T>(&self.dataset, &[rows.len()]).map_err(damaged)?;
        let read = self.dataset.read_slice_1d::<T, _>(rows);
        let values = read.map_err(|error| damaged(error.to_string()))?;
        let mut values = values.into_raw_vec_and_offset().0;
        if let Some(mend) = self.mend {
            mend(&self.dataset, &mut values).map_err(|error| damaged(error.to_string()))?;
        }
        Ok(values)
    }
}

impl Column<ContactRow> {
    /// The log of contacts of a file, of any version of the format.
    ///
    /// # Errors
    /// If it is not there, or not a log of contacts.
    pub fn of_contacts(reading: &Reading) -> Result<Self, ReadError> {
        Ok(Self { mend: Some(ContactRow::mend), ..reading.open_column(CONTACTS)? })
    }
}

impl Reading {
    /// Whether the file has a dataset or a group of this name.
    pub fn has(&self, name: &str) -> bool {
        self.file.link_exists(name)
    }

    /// A column of a table or series, to be read piece by piece.
    ///
    /// # Errors
    /// If it is not there, or holds values of another type.
    pub fn open_column<T: H5Type>(&self, name: &'static str) -> Result<Column<T>, ReadError> {
        let (dataset, rows) = (self.dataset(name)?, self.length(name)?);
        fits::<T>(&dataset).map_err(|reason| self.damaged(name, &reason))?;
        Ok(Column { dataset, rows, path: self.path.clone(), name, mend: None, holds: PhantomData })
    }

    /// How many rows of a dataset count.
    pub fn length(&self, name: &str) -> Result<usize, ReadError> {
        self.length_of_at_most(name, claims::UNWRITTEN_ROWS)
    }

    /// The same where so many bytes of it may not be stored in the file.
    pub fn length_of_at_most(&self, name: &str, unwritten: u64) -> Result<usize, ReadError> {
        let dataset = self.dataset(name)?;
        claims::rows(&dataset, unwritten).map_err(|reason| self.damaged(name, &reason))?;
        let rows = dataset.shape().first().copied().unwrap_or(0);
        Ok(self.complete.rows(name, rows))
    }

    /// Some rows of a dataset that has one value per row.
    pub fn column<T: H5Type>(&self, name: &str, rows: Range<usize>) -> Result<Vec<T>, ReadError> {
        let values: ndarray::Array1<T> = self.slice(name, rows)?;
        Ok(values.into_raw_vec_and_offset().0)
    }

    /// A part of a dataset.
    pub fn slice<T, S, N>(&self, name: &str, selection: S) -> Result<Array<T, N>, ReadError>
    where
        T: H5Type,
        S: Into<hdf5::Selection>,
        N: Dimension,
    {
        let selection: hdf5::Selection = selection.into();
        let dataset = self.dataset(name)?;
        let refused = |reason: String| self.damaged(name, &reason);
        let shape =
            selection.out_shape(dataset.shape()).map_err(|error| refused(error.to_string()))?;
        claims::part::<T>(&dataset, &shape).map_err(refused)?;
        fits::<T>(&dataset).map_err(refused)?;
        dataset.read_slice(selection).map_err(|error| match missing_filter(&dataset) {
            Some(reason) => self.refused(name, &reason),
            None => refused(error.to_string()),
        })
    }

    /// All numbers of a small dataset.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, ReadError> {
        let dataset = self.dataset(name)?;
        claims::whole::<f64>(&dataset).map_err(|reason| self.damaged(name, &reason))?;
        dataset.read_raw().map_err(|error| self.damaged(name, &error.to_string()))
    }

    /// The value of a dataset that has one.
    pub fn scalar<T: H5Type>(&self, name: &str) -> Result<T, ReadError> {
        let dataset = self.dataset(name)?;
        fits::<T>(&dataset).map_err(|reason| self.damaged(name, &reason))?;
        dataset.read_scalar().map_err(|error| self.damaged(name, &error.to_string()))
    }

    /// The text of a dataset that has one.
    pub fn text(&self, name: &str) -> Result<String, ReadError> {
        Ok(whole_text(&self.scalar::<VarLenUnicode>(name)?))
    }

    /// A text as it may be shown, in one line.
    pub fn line(&self, name: &str) -> Result<String, ReadError> {
        self.text(name).map(|text| plain_line(&text))
    }

    /// A list of texts, each in one line.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, ReadError> {
        let dataset = self.dataset(name)?;
        claims::texts(&dataset.shape()).map_err(|reason| self.damaged(name, &reason))?;
        let read = dataset.read_raw::<VarLenUnicode>();
        let texts = read.map_err(|error| self.damaged(name, &error.to_string()))?;
        Ok(texts.iter().map(|text| plain_line(&whole_text(text))).collect())
    }

    /// A dataset by its path.
    ///
    /// # Errors
    /// If it is not there.
    pub fn dataset(&self, name: &str) -> Result<Dataset, ReadError> {
        self.file.dataset(name).map_err(|_| self.lacks(name))
    }

    /// Something is not in the file.
    pub fn lacks(&self, name: &str) -> ReadError {
        let missing = format!("/{}", name.trim_start_matches('/'));
        ReadError::Foreign { path: self.path.clone(), missing, by: self.creator.clone() }
    }

    /// The error that the file is sound, but holds too little to answer a question.
    pub fn too_little(&self, reason: String) -> ReadError {
        ReadError::TooLittle { path: self.path.clone(), reason }
    }

    /// The error that something in the file is in a form that is not read.
    pub(super) fn refused(&self, what: &str, reason: &str) -> ReadError {
        ReadError::Refused {
            path: self.path.clone(),
            what: format!("/{}", what.trim_start_matches('/')),
            reason: reason.to_owned(),
        }
    }

    /// The error that something in the file contradicts itself.
    pub fn damaged(&self, what: &str, reason: &str) -> ReadError {
        ReadError::Damaged {
            path: self.path.clone(),
            what: what.to_owned(),
            reason: reason.to_owned(),
        }
    }

    /// Something was asked for by a name that is not among the known ones.
    pub fn no_such(
        &self,
        what: &'static str,
        name: &str,
        known: impl Iterator<Item = String>,
    ) -> ReadError {
        let known = abridged(known, "of them").join(", ");
        let known = if known.is_empty() { "none".to_owned() } else { known };
        ReadError::NoSuch { path: self.path.clone(), what, name: name.to_owned(), known }
    }
}

/// Why a dataset cannot be unpacked, if it is compressed in a way that this HDF5 does not know.
fn missing_filter(dataset: &Dataset) -> Option<String> {
    let filter = dataset.filters().into_iter().find(|filter| !filter.is_available())?;
    let name = match filter {
        Filter::SZip(..) => "szip".to_owned(),
        Filter::User(32000, _) => "LZF".to_owned(),
        Filter::User(32001, _) => "Blosc".to_owned(),
        other => format!("filter {} of HDF5", other.id()),
    };
    Some(format!(
        "it is compressed by {name}, which is not unpacked here; \
         h5repack -f GZIP=4 IN OUT makes a file of it that is read"
    ))
}

/// Whether a row of a table in the file has all that a row of ours has: what is missing would be
/// read as whatever was in memory.
fn fits<T: H5Type>(dataset: &Dataset) -> Result<(), String> {
    let TypeDescriptor::Compound(ours) = T::type_descriptor() else {
        return Ok(());
    };
    let kind =
        dataset.dtype().and_then(|kind| kind.to_descriptor()).map_err(|error| error.to_string())?;
    let TypeDescriptor::Compound(theirs) = kind else {
        return Err(format!("it is not a table, but of {kind}"));
    };
    let is_there = |name: &str, ty: &TypeDescriptor| {
        theirs.fields.iter().any(|f| f.name == name && (f.ty == *ty || is_shorter(&f.ty, ty)))
    };
    match ours.fields.iter().find(|field| !is_there(&field.name, &field.ty)) {
        Some(field) => Err(format!("it has no column `{}` of {}", field.name, field.ty)),
        None => Ok(()),
    }
}

/// Whether a column holds integers without a sign that are shorter than ours, as those of older
/// files may be: HDF5 makes longer ones of them.
fn is_shorter(theirs: &TypeDescriptor, ours: &TypeDescriptor) -> bool {
    let unsigned = |kind: &TypeDescriptor| matches!(kind, TypeDescriptor::Unsigned(_));
    unsigned(theirs) && unsigned(ours) && theirs.size() < ours.size()
}
