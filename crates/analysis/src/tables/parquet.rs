//! Parquet files: columns of optional values, a row group per batch.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::{Cell, Kind, TableError};

impl From<ParquetError> for TableError {
    fn from(error: ParquetError) -> Self {
        Self::Parquet(error.to_string())
    }
}

/// A Parquet file that is being written.
pub(super) struct ParquetFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    kinds: Vec<Kind>,
}

impl<W: Write + Send> ParquetFile<W> {
    pub(super) fn begin(names: &[String], kinds: &[Kind], out: W) -> Result<Self, TableError> {
        let fields = names.iter().zip(kinds).map(|(name, kind)| field(name, *kind));
        let fields = fields.collect::<Result<Vec<_>, _>>()?;
        let schema = Arc::new(Type::group_type_builder("table").with_fields(fields).build()?);
        let properties = Arc::new(WriterProperties::builder().build());
        Ok(Self {
            writer: SerializedFileWriter::new(out, schema, properties)?,
            kinds: kinds.to_vec(),
        })
    }

    /// Writes rows as a row group.
    pub(super) fn push(&mut self, rows: &[Vec<Cell>]) -> Result<(), TableError> {
        let mut group = self.writer.next_row_group()?;
        for (k, kind) in self.kinds.iter().enumerate() {
            let cells = rows.iter().map(|row| &row[k]);
            match kind {
                Kind::Text => write_column::<ByteArrayType, _>(&mut group, cells.map(bytes)),
                Kind::Integer => write_column::<Int64Type, _>(&mut group, cells.map(integer)),
                Kind::Number => write_column::<DoubleType, _>(&mut group, cells.map(Cell::number)),
            }?;
        }
        group.close()?;
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(), TableError> {
        self.writer.close()?;
        Ok(())
    }
}

fn field(name: &str, kind: Kind) -> Result<Arc<Type>, ParquetError> {
    let physical = match kind {
        Kind::Text => Physical::BYTE_ARRAY,
        Kind::Integer => Physical::INT64,
        Kind::Number => Physical::DOUBLE,
    };
    let text = (kind == Kind::Text).then_some(LogicalType::String);
    let field = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
    Ok(Arc::new(field.with_logical_type(text).build()?))
}

/// Writes the next column of a row group.
fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let (mut present, mut levels) = (Vec::new(), Vec::new());
    for value in values {
        levels.push(i16::from(value.is_some()));
        present.extend(value);
    }
    let column = group.next_column()?;
    let mut column = column.ok_or_else(|| ParquetError::General("a column too many".into()))?;
    column.typed::<T>().write_batch(&present, Some(&levels), None)?;
    column.close()
}

fn bytes(cell: &Cell) -> Option<ByteArray> {
    match cell {
        Cell::Missing => None,
        cell => Some(ByteArray::from(cell.exact().into_bytes())),
    }
}

fn integer(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Integer(value) => Some(*value),
        _ => None,
    }
}
