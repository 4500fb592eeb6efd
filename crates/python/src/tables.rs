//! Tables of results: Arrow inside, handed to numpy and to every program that reads Arrow.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Float64Array, Int32Array, Int64Array, RecordBatch,
    RecordBatchIterator, StringArray,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field, Schema};
use jostle::analysis::{
    self, Cell, Column, Columns, Format, Kind, NO_WORD, ROWS_OF_GROUP, Stream, Values,
    machine_names,
};
use jostle::files::fresh;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple, PyType};

use crate::outputs::may_write;
use crate::pictures::{Lines, Sheet, plot};

/// Of a field: the head of the column as people read it.
const HEAD: &str = "head";
/// Of a field: the unit of its numbers.
const UNIT: &str = "unit";

/// A table of words and numbers, as far as it is kept in Rust.
#[pyclass(frozen, module = "jostle._jostle")]
pub(crate) struct Table {
    batch: RecordBatch,
}

impl From<Columns> for Table {
    fn from(columns: Columns) -> Self {
        let rows = columns.rows();
        let names = names(&columns.columns);
        let named = columns.columns.into_iter().zip(names);
        let (fields, arrays): (Vec<_>, Vec<_>) =
            named.map(|(column, name)| arrow(column, name)).unzip();
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new_with_options(schema, arrays, &options);
        Self { batch: batch.expect("the columns of a table are of the same length") }
    }
}

impl From<&analysis::Table> for Table {
    fn from(table: &analysis::Table) -> Self {
        Columns::from(table).into()
    }
}

/// The names of columns, each once.
fn names(columns: &[Column]) -> Vec<String> {
    machine_names(columns.iter().map(|column| &column.head))
}

/// A column as Arrow has it; its values are not copied.
fn arrow(column: Column, name: String) -> (Field, ArrayRef) {
    let mut notes = HashMap::from([(HEAD.to_owned(), column.head.clone())]);
    notes.extend(column.unit().map(|unit| (UNIT.to_owned(), unit.to_owned())));
    let array: ArrayRef = match column.values {
        Values::Numbers(values) => {
            let missing = values.iter().any(|value| value.is_nan());
            let there = missing.then(|| values.iter().map(|value| !value.is_nan()).collect());
            Arc::new(Float64Array::new(values.into(), there))
        }
        Values::Integers(values, missing) => {
            let there = missing.map(|missing| missing.into_iter().map(|is| !is).collect());
            Arc::new(Int64Array::new(values.into(), there))
        }
        Values::Texts(mut places, words) => {
            let missing = places.contains(&NO_WORD);
            let there = missing.then(|| places.iter().map(|&place| place != NO_WORD).collect());
            // Below what is missing there has to be the place of some word all the same.
            places.iter_mut().filter(|place| **place == NO_WORD).for_each(|place| *place = 0);
            let words: Arc<StringArray> = Arc::new(words.into_iter().map(Some).collect());
            let words =
                if words.is_empty() { Arc::new(StringArray::from(vec![""])) } else { words };
            let places = Int32Array::new(places.into(), there);
            Arc::new(DictionaryArray::new(places, words))
        }
    };
    let field = Field::new(name, array.data_type().clone(), true).with_metadata(notes);
    (field, array)
}

/// Which rows of an array are missing, if any is.
fn missing(array: &dyn Array) -> Option<Vec<bool>> {
    let there = array.nulls().filter(|nulls| nulls.null_count() > 0)?;
    Some(there.iter().map(|there| !there).collect())
}

impl Table {
    fn field(&self, k: usize) -> &Field {
        self.batch.schema_ref().field(k)
    }

    fn head(&self, k: usize) -> &str {
        let field = self.field(k);
        field.metadata().get(HEAD).map_or(field.name(), String::as_str)
    }

    fn column_at(&self, k: usize) -> PyResult<&ArrayRef> {
        let count = self.batch.num_columns();
        let wrong = || PyIndexError::new_err(format!("column {k}: the table has {count}"));
        self.batch.columns().get(k).ok_or_else(wrong)
    }

    /// What stands in a row of a column.
    fn cell(&self, k: usize, row: usize) -> Cell {
        let array = self.batch.column(k);
        if array.is_null(row) {
            return Cell::Missing;
        }
        match array.data_type() {
            DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into(),
            DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
            _ => {
                let array = array.as_dictionary::<Int32Type>();
                let place = array.keys().value(row) as usize;
                array.values().as_string::<i32>().value(place).into()
            }
        }
    }

    /// A column as numbers; NaN is what is missing or a word.
    fn numbers(&self, k: usize) -> Vec<f64> {
        let number = |row: usize| self.cell(k, row).number().unwrap_or(f64::NAN);
        (0..self.batch.num_rows()).map(number).collect()
    }

    /// Some rows, with their cells.
    fn table(&self, rows: impl Iterator<Item = usize>) -> analysis::Table {
        let columns = self.batch.num_columns();
        let row = |n: usize| (0..columns).map(|k| self.cell(k, n)).collect();
        analysis::Table { columns: self.heads(), rows: rows.map(row).collect() }
    }

    /// At most `most` rows, evenly chosen, the first and the last among them.
    fn thinned(&self, most: usize) -> analysis::Table {
        let rows = self.batch.num_rows();
        match rows <= most || most < 2 {
            true => self.table(0..rows.min(most)),
            false => self.table((0..most).map(|n| n * (rows - 1) / (most - 1))),
        }
    }

    fn kinds(&self) -> Vec<Kind> {
        let kind = |field: &Arc<Field>| match field.data_type() {
            DataType::Float64 => Kind::Number,
            DataType::Int64 => Kind::Integer,
            _ => Kind::Text,
        };
        self.batch.schema_ref().fields().iter().map(kind).collect()
    }

    fn write(&self, path: &std::path::Path, format: Format) -> Result<(), analysis::TableError> {
        let rows = self.batch.num_rows();
        fresh(path, |out| {
            let mut stream = Stream::begin(format, &self.heads(), &self.kinds(), out)?;
            for from in (0..rows).step_by(ROWS_OF_GROUP) {
                stream.push(&self.table(from..rows.min(from + ROWS_OF_GROUP)))?;
            }
            stream.finish()
        })
    }
}

/// The places of the words of a column, and the words.
fn texts(array: &dyn Array) -> (Vec<i32>, Vec<String>) {
    let array = array.as_dictionary::<Int32Type>();
    let places = array.keys().iter().map(|place| place.unwrap_or(NO_WORD)).collect();
    let words = array.values().as_string::<i32>();
    (places, words.iter().map(|word| word.unwrap_or_default().to_owned()).collect())
}

#[pymethods]
impl Table {
    /// Puts a table together from its heads and, for each column, the values, what is missing and
    /// the words, as [`Table::parts`] gives them.
    #[new]
    fn new(heads: Vec<String>, parts: Vec<Bound<'_, PyTuple>>) -> PyResult<Self> {
        if heads.len() != parts.len() {
            return Err(PyValueError::new_err("a table has as many heads as columns"));
        }
        let column = |(head, parts): (String, &Bound<'_, PyTuple>)| -> PyResult<Column> {
            Ok(Column { head, values: of_parts(parts)? })
        };
        let columns = heads.into_iter().zip(&parts).map(column).collect::<PyResult<Vec<_>>>()?;
        let columns = Columns { columns };
        let rows = columns.rows();
        if columns.columns.iter().any(|column| column.values.len() != rows) {
            return Err(PyValueError::new_err("the columns of a table are of the same length"));
        }
        Ok(columns.into())
    }

    /// Heads and parts, from which the table can be made again.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyType>, Parts<'py>)> {
        let (py, table) = (slf.py(), slf.get());
        let count = table.batch.num_columns();
        let heads = (0..count).map(|k| table.head(k).to_owned()).collect();
        let parts = (0..count).map(|k| table.parts(py, k)).collect::<PyResult<Vec<_>>>()?;
        Ok((slf.get_type(), (heads, parts)))
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The names of the columns: `lag_us`.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The heads of the columns as people read them: `lag (µs)`.
    #[getter]
    fn heads(&self) -> Vec<String> {
        (0..self.batch.num_columns()).map(|k| self.head(k).to_owned()).collect()
    }

    /// The units of the columns, where they have one.
    #[getter]
    fn units(&self) -> Vec<Option<String>> {
        let count = self.batch.num_columns();
        (0..count).map(|k| self.field(k).metadata().get(UNIT).cloned()).collect()
    }

    /// What a column holds: its values, which of them are missing, and its words. The values of
    /// words are their places in the list of words, or -1.
    fn parts<'py>(&self, py: Python<'py>, column: usize) -> PyResult<Bound<'py, PyTuple>> {
        let array = self.column_at(column)?;
        let none = || py.None().into_bound(py);
        let missing = || match missing(&**array) {
            Some(missing) => missing.into_pyarray(py).into_any(),
            None => none(),
        };
        let parts = match array.data_type() {
            DataType::Float64 => {
                let array = array.as_primitive::<Float64Type>();
                [PyArray1::from_slice(py, array.values()).into_any(), none(), none()]
            }
            DataType::Int64 => {
                let array = array.as_primitive::<Int64Type>();
                [PyArray1::from_slice(py, array.values()).into_any(), missing(), none()]
            }
            _ => {
                let (places, words) = texts(&**array);
                [places.into_pyarray(py).into_any(), none(), PyList::new(py, words)?.into_any()]
            }
        };
        PyTuple::new(py, parts)
    }

    /// Some rows, each as a dictionary; what is missing is None.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        start: usize,
        stop: usize,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let names = self.names();
        let row = |n: usize| -> PyResult<Bound<'py, PyDict>> {
            let dict = PyDict::new(py);
            for (k, name) in names.iter().enumerate() {
                match self.cell(k, n) {
                    Cell::Text(text) => dict.set_item(name, text)?,
                    Cell::Integer(value) => dict.set_item(name, value)?,
                    Cell::Number(value) => dict.set_item(name, value)?,
                    Cell::Missing => dict.set_item(name, py.None())?,
                }
            }
            Ok(dict)
        };
        (start..stop.min(self.batch.num_rows())).map(row).collect()
    }

    /// At most this many rows, evenly chosen, as the program prints them: the heads, then the cells.
    fn shown(&self, most: usize) -> (Vec<String>, Vec<Vec<String>>) {
        let table = self.thinned(most);
        let rows = table.rows.iter().map(|row| row.iter().map(ToString::to_string).collect());
        (table.columns.clone(), rows.collect())
    }

    /// The same with aligned columns.
    fn text(&self, most: usize) -> String {
        self.thinned(most).to_string()
    }

    /// Writes the table; the ending of the name says how: .csv, .json, .parquet or .txt.
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let format = Format::of_ending(ending).ok_or_else(|| {
            let name = path.display();
            PyValueError::new_err(format!(
                "{name}: the name must end in .csv, .json, .parquet or .txt"
            ))
        })?;
        may_write(path.clone(), overwrite)?;
        py.detach(|| self.write(&path, format))
            .map_err(|why| PyOSError::new_err(format!("{}: {why}", path.display())))
    }

    /// Draws one column over another, with a line for each word of a third one.
    fn plot(&self, x: Option<usize>, y: Option<usize>, by: Option<usize>) -> PyResult<Sheet> {
        let has = |k: &usize, kind| self.kinds()[*k] == kind;
        let numeric = |k: &usize| !has(k, Kind::Text);
        let all = || 0..self.batch.num_columns();
        let first = |not: Option<usize>| all().find(|k| Some(*k) != not && numeric(k));
        let x = x.or_else(|| first(y)).filter(numeric);
        let after = |x: usize| all().skip(x + 1).find(|k| has(k, Kind::Number));
        let y = y.or_else(|| x.and_then(after)).or_else(|| first(x)).filter(numeric);
        let (Some(x), Some(y)) = (x, y) else {
            return Err(PyValueError::new_err("a plot needs two columns of numbers"));
        };
        let by = by.or_else(|| all().find(|k| has(k, Kind::Text)));
        if by.is_some_and(|by| numeric(&by)) {
            return Err(PyValueError::new_err("by: this column has numbers, not words"));
        }
        let error = Some(y + 1).filter(|k| all().contains(k));
        let error = error.filter(|k| self.field(*k).name().starts_with("std_error"));
        Ok(plot(&Lines {
            heads: [x, y].map(|k| self.head(k)),
            x: self.numbers(x),
            y: self.numbers(y),
            errors: error.map_or(Vec::new(), |k| self.numbers(k)),
            words: by.map_or(Default::default(), |by| texts(&**self.batch.column(by))),
        }))
    }

    /// The schema in Arrow's C data interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&**self.batch.schema_ref());
        let schema = schema.map_err(|why| PyValueError::new_err(why.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The table in Arrow's C stream interface; nothing is copied.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Consumers may ask for other types, but have to take what they get.
        let _ = requested_schema;
        let batches = std::iter::once(Ok(self.batch.clone()));
        let reader = RecordBatchIterator::new(batches, self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// What a table is made of.
type Parts<'py> = (Vec<String>, Vec<Bound<'py, PyTuple>>);

/// The values of a column, from what [`Table::parts`] gives.
fn of_parts(parts: &Bound<'_, PyTuple>) -> PyResult<Values> {
    let wrong = || PyValueError::new_err("a column is its values, what is missing, and its words");
    if parts.len() != 3 {
        return Err(wrong());
    }
    let (values, missing, words) = (parts.get_item(0)?, parts.get_item(1)?, parts.get_item(2)?);
    if let Ok(numbers) = values.extract::<PyReadonlyArray1<'_, f64>>() {
        return Ok(Values::Numbers(numbers.as_array().to_vec()));
    }
    if let Ok(integers) = values.extract::<PyReadonlyArray1<'_, i64>>() {
        let integers = integers.as_array().to_vec();
        let missing: Option<PyReadonlyArray1<'_, bool>> = missing.extract().map_err(|_| wrong())?;
        let missing = missing.map(|missing| missing.as_array().to_vec());
        if missing.as_ref().is_some_and(|missing| missing.len() != integers.len()) {
            return Err(wrong());
        }
        return Ok(Values::Integers(integers, missing));
    }
    let places: PyReadonlyArray1<'_, i32> = values.extract().map_err(|_| wrong())?;
    let words: Vec<String> = words.extract().map_err(|_| wrong())?;
    let places = places.as_array().to_vec();
    let is_there = |place: &i32| *place == NO_WORD || words.get(*place as usize).is_some();
    if !places.iter().all(is_there) {
        return Err(wrong());
    }
    Ok(Values::Texts(places, words))
}
