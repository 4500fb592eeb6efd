//! The contacts themselves.

use std::ops::ControlFlow;

use super::super::tables::{Cell, Kind, Table, UnitSystem};
use super::filter::is_particle;
use super::query::{Met, Query};
use super::{LoggedImpacts, Words};
use jostle_h5md::reading::{ReadError, Reading};
use jostle_h5md::record::schema::ContactRow;

/// Rows that are handed on at a time.
const AT_A_TIME: usize = 1 << 13;

const COLUMNS: [(&str, Kind); 12] = [
    ("time (µs)", Kind::Number),
    ("step", Kind::Integer),
    ("a", Kind::Integer),
    ("b", Kind::Integer),
    ("species", Kind::Text),
    ("partner", Kind::Text),
    ("outcome", Kind::Text),
    ("rule", Kind::Text),
    ("x (nm)", Kind::Number),
    ("y (nm)", Kind::Number),
    ("z (nm)", Kind::Number),
    ("approach (nm/ns)", Kind::Number),
];

/// In granular runs.
const ENERGY_LOST: (&str, Kind) = ("energy lost (J)", Kind::Number);

/// The heads of a list of contacts, in the units that it is shown in, and what its columns hold.
pub fn columns(reading: &Reading) -> (Vec<String>, Vec<Kind>) {
    let units = UnitSystem::of(reading);
    all_columns(reading).map(|(head, kind)| (units.label(head).0, kind)).unzip()
}

/// The columns in the units of the file.
pub(super) fn all_columns(reading: &Reading) -> impl Iterator<Item = (&'static str, Kind)> {
    COLUMNS.into_iter().chain(LoggedImpacts::are_in(reading).then_some(ENERGY_LOST))
}

/// Hands on the contacts asked for, at most `most` of them, in pieces of a table with the
/// [`columns`]; the partner of a contact with a face of the box is that face, and its `b` is
/// missing. Tells how many there were.
///
/// # Errors
/// If the file cannot be read, or `push` fails.
pub fn list<E: From<ReadError>>(
    query: &Query<'_>,
    most: u64,
    mut push: impl FnMut(&Table) -> Result<(), E>,
) -> Result<u64, E> {
    let units = UnitSystem::of(query.reading);
    let columns = all_columns(query.reading).map(|(head, _)| head.to_owned()).collect();
    let empty = Table { columns, rows: Vec::new() };
    let mut piece = empty.clone();
    let (mut count, mut failed) = (0, None);
    query.visit(false, |met| {
        if count == most {
            return Ok(ControlFlow::Break(()));
        }
        count += 1;
        piece.push(query.words.row(&met));
        if piece.rows.len() == AT_A_TIME {
            failed = push(&std::mem::replace(&mut piece, empty.clone()).in_units(units)).err();
        }
        Ok(if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    if let Some(why) = failed {
        return Err(why);
    }
    if !piece.rows.is_empty() {
        push(&piece.in_units(units))?;
    }
    Ok(count)
}

impl Words {
    fn row(&self, met: &Met<'_>) -> Vec<Cell> {
        let row = met.row;
        let mut cells: Vec<Cell> = vec![
            met.time.into(),
            met.step.into(),
            row.a.into(),
            Some(row.b).filter(|b| is_particle(*b)).into(),
            self.species(row.species_a).into(),
            self.partner_text(row).into(),
            self.outcome(row.outcome).into(),
            self.rule(row.rule).into(),
            f64::from(row.place[0]).into(),
            f64::from(row.place[1]).into(),
            f64::from(row.place[2]).into(),
            f64::from(row.approach).into(),
        ];
        cells.extend(met.energy_lost.map(|lost| f64::from(lost).into()));
        cells
    }

    /// What a contact was with: a species, or a wall by name.
    pub(super) fn partner_text(&self, row: &ContactRow) -> String {
        match is_particle(row.b) {
            true => self.species(row.species_b),
            false => format!("wall {}", self.face(row.b)),
        }
    }

    /// The second partner of a pair: an identity, or a face.
    pub(super) fn partner(&self, b: u32) -> Cell {
        if is_particle(b) { b.into() } else { self.face(b).into() }
    }
}
