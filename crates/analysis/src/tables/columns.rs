//! A table by its columns, as programs take it in: one list of values for each, without a cell for
//! every place.

use super::{Cell, Kind, Table, machine_name};

/// In [`Values::Texts`]: there is no word here.
pub const NO_WORD: i32 = -1;

/// A table by its columns, all of the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// The columns, from left to right.
    pub columns: Vec<Column>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The head, with the unit: `lag (µs)`.
    pub head: String,
    /// What stands below it.
    pub values: Values,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers; NaN is a missing one.
    Numbers(Vec<f64>),
    /// Integers, and which of them are missing (no list: none is).
    Integers(Vec<i64>, Option<Vec<bool>>),
    /// Words, each once, and for each row the place of its word, or [`NO_WORD`].
    Texts(Vec<i32>, Vec<String>),
}

impl Values {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Integers(values, _) => values.len(),
            Self::Texts(places, _) => places.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell of a row.
    pub fn cell(&self, row: usize) -> Cell {
        match self {
            Self::Numbers(values) => values[row].into(),
            Self::Integers(_, Some(missing)) if missing[row] => Cell::Missing,
            Self::Integers(values, _) => values[row].into(),
            Self::Texts(places, words) => usize::try_from(places[row])
                .ok()
                .and_then(|place| words.get(place))
                .map_or(Cell::Missing, |word| Cell::Text(word.clone())),
        }
    }

    /// What they are.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Numbers(_) => Kind::Number,
            Self::Integers(..) => Kind::Integer,
            Self::Texts(..) => Kind::Text,
        }
    }
}

impl Column {
    /// The head as programs like it: `lag_us`.
    pub fn name(&self) -> String {
        machine_name(&self.head)
    }

    /// The unit in the head, if it has one: `µs`.
    pub fn unit(&self) -> Option<&str> {
        let (_, unit) = self.head.strip_suffix(')')?.rsplit_once('(')?;
        Some(unit)
    }
}

impl From<&Table> for Columns {
    fn from(table: &Table) -> Self {
        let columns = table.columns.iter().zip(table.kinds()).enumerate();
        let columns = columns.map(|(k, (head, kind))| Column {
            head: head.clone(),
            values: values(kind, table.rows.iter().map(|row| &row[k])),
        });
        Self { columns: columns.collect() }
    }
}

fn values<'a>(kind: Kind, cells: impl Iterator<Item = &'a Cell> + Clone) -> Values {
    match kind {
        Kind::Number => {
            Values::Numbers(cells.map(|cell| cell.number().unwrap_or(f64::NAN)).collect())
        }
        Kind::Integer => {
            let missing = cells.clone().any(|cell| *cell == Cell::Missing);
            let missing = missing.then(|| cells.clone().map(|c| *c == Cell::Missing).collect());
            let value = |cell: &Cell| if let Cell::Integer(value) = cell { *value } else { 0 };
            Values::Integers(cells.map(value).collect(), missing)
        }
        Kind::Text => {
            let mut words = Vocabulary::default();
            let places = cells.map(|cell| match cell {
                Cell::Missing => NO_WORD,
                cell => words.place(&cell.exact()),
            });
            Values::Texts(places.collect(), words.words)
        }
    }
}

/// Words, each once, in the order in which they come up.
#[derive(Default)]
struct Vocabulary {
    words: Vec<String>,
    places: std::collections::HashMap<String, i32>,
}

impl Vocabulary {
    fn place(&mut self, word: &str) -> i32 {
        if let Some(place) = self.places.get(word) {
            return *place;
        }
        let place = self.words.len() as i32;
        self.words.push(word.to_owned());
        self.places.insert(word.to_owned(), place);
        place
    }
}

impl Columns {
    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// The heads, with units.
    pub fn heads(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.head.clone()).collect()
    }

    /// What the columns hold.
    pub fn kinds(&self) -> Vec<Kind> {
        self.columns.iter().map(|column| column.values.kind()).collect()
    }

    /// Some rows as a table.
    pub fn table(&self, rows: impl Iterator<Item = usize>) -> Table {
        let row = |n: usize| self.columns.iter().map(|column| column.values.cell(n)).collect();
        Table { columns: self.heads(), rows: rows.map(row).collect() }
    }

    /// At most `most` rows, evenly chosen, the first and the last among them.
    pub fn thinned(&self, most: usize) -> Table {
        let rows = self.rows();
        if rows <= most || most < 2 {
            return self.table(0..rows);
        }
        self.table((0..most).map(|n| n * (rows - 1) / (most - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Table {
        let mut table = Table::new(&["name", "count", "lag (µs)", "b"]);
        table.push(vec!["a".into(), 3.into(), 0.5.into(), 7.into()]);
        table.push(vec![Cell::Missing, Cell::Missing, f64::NAN.into(), "x-".into()]);
        table.push(vec!["a".into(), 4.into(), 2.into(), Cell::Missing]);
        table
    }

    #[test]
    fn a_table_is_the_same_by_rows_and_by_columns() {
        let columns = Columns::from(&example());
        assert_eq!((columns.rows(), columns.kinds()), (3, example().kinds()));
        let back = columns.table(0..3);
        let mut same = example();
        // A column of words has words, and one of numbers has numbers.
        same.rows[0][3] = "7".into();
        same.rows[2][2] = 2.0.into();
        assert_eq!(back, same);
        let Values::Texts(places, words) = &columns.columns[0].values else { panic!("texts") };
        assert_eq!((&places[..], &words[..]), (&[0, NO_WORD, 0][..], &["a".to_owned()][..]));
    }

    #[test]
    fn heads_name_units() {
        let columns = Columns::from(&example());
        let found: Vec<_> = columns.columns.iter().map(|c| (c.name(), c.unit())).collect();
        assert_eq!(found[2], ("lag_us".to_owned(), Some("µs")));
        assert_eq!(found[1], ("count".to_owned(), None));
    }

    #[test]
    fn thinning_is_that_of_tables() {
        let mut table = Table::new(&["n"]);
        (0..100u64).for_each(|n| table.push(vec![n.into()]));
        assert_eq!(Columns::from(&table).thinned(7), table.thinned(7));
    }
}
