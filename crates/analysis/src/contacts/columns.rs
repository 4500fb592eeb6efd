//! The list of contacts by columns: for programs, which take in millions of rows at once.

use std::ops::ControlFlow;

use super::super::tables::{Column, Columns, NO_WORD, UnitSystem, Values};
use super::Words;
use super::filter::is_particle;
use super::list::all_columns;
use super::query::{Met, Query};
use jostle_h5md::reading::ReadError;
use jostle_h5md::record::schema::{ContactRow, NO_RULE, NO_SPECIES, WALL};

/// What a row takes in memory: eight numbers and integers, four places of words. \[bytes\]
const ROW_SIZE: usize = 8 * 8 + 4 * 4;
/// Contacts that are gathered before they are put into the columns.
const AT_A_TIME: usize = 1 << 14;

/// The contacts asked for, at most `most` of them: the same table as [`list`](super::list) hands on
/// in pieces. Two threads of the pool that it is called in fill the columns, since most of the time
/// goes into new memory.
///
/// # Errors
/// If the file cannot be read, or there is no room for so many rows.
pub fn listed(query: &Query<'_>, most: u64) -> Result<Columns, ReadError> {
    let expected = query.expected()?.min(most) as usize;
    let room = Vec::<u8>::new().try_reserve_exact(expected.saturating_mul(ROW_SIZE));
    room.map_err(|_| {
        let reason = format!("there is no memory for a list of {expected} contacts; limit it");
        query.reading.too_little(reason)
    })?;
    let (mut circumstances, mut partners) = (Circumstances::new(expected), Partners::new(expected));
    let words = &query.words;
    let mut gathered = Vec::with_capacity(AT_A_TIME);
    let mut put = |gathered: &mut Vec<Gathered>| {
        rayon::join(|| circumstances.extend(gathered), || partners.extend(gathered, words));
        gathered.clear();
    };
    let mut count = 0;
    if most > 0 {
        query.visit(false, |met| {
            let Met { time, step, row, energy_lost, .. } = met;
            gathered.push(Gathered { time, step: step as i64, row: *row, energy_lost });
            if gathered.len() == AT_A_TIME {
                put(&mut gathered);
            }
            count += 1;
            Ok(if count == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
    }
    put(&mut gathered);
    let [time, step, x, y, z, approach, energy_lost] = circumstances.values();
    let [a, b, species, partner, outcome, rule] = partners.values();
    let values = [time, step, a, b, species, partner, outcome, rule, x, y, z, approach];
    let values = values.into_iter().chain([energy_lost]);
    let heads = all_columns(query.reading).map(|(head, _)| head.to_owned());
    let columns = heads.zip(values).map(|(head, values)| Column { head, values });
    Ok(Columns { columns: columns.collect() }.in_units(UnitSystem::of(query.reading)))
}

/// A contact that was found.
struct Gathered {
    /// \[µs\]
    time: f64,
    step: i64,
    row: ContactRow,
    /// \[J\]
    energy_lost: Option<f32>,
}

/// When and where contacts were, and how fast the surfaces approached.
struct Circumstances {
    time: Vec<f64>,
    step: Vec<i64>,
    place: [Vec<f64>; 3],
    approach: Vec<f64>,
    /// Of all, or of none.
    energy_lost: Vec<f64>,
}

impl Circumstances {
    fn new(rows: usize) -> Self {
        let numbers = || Vec::with_capacity(rows);
        Self {
            time: numbers(),
            step: Vec::with_capacity(rows),
            place: [numbers(), numbers(), numbers()],
            approach: numbers(),
            energy_lost: Vec::new(),
        }
    }

    fn extend(&mut self, contacts: &[Gathered]) {
        self.time.extend(contacts.iter().map(|contact| contact.time));
        self.step.extend(contacts.iter().map(|contact| contact.step));
        for (k, list) in self.place.iter_mut().enumerate() {
            list.extend(contacts.iter().map(|contact| f64::from(contact.row.place[k])));
        }
        self.approach.extend(contacts.iter().map(|contact| f64::from(contact.row.approach)));
        self.energy_lost
            .extend(contacts.iter().filter_map(|contact| contact.energy_lost.map(f64::from)));
    }

    fn values(self) -> [Values; 7] {
        let step = Values::Integers(self.step, None);
        let [x, y, z] = self.place.map(Values::Numbers);
        let [time, approach, energy_lost] =
            [self.time, self.approach, self.energy_lost].map(Values::Numbers);
        [time, step, x, y, z, approach, energy_lost]
    }
}

/// What took part in contacts, and what came of them.
struct Partners {
    a: Vec<i64>,
    b: Vec<i64>,
    /// Which contacts are with a wall, if any is.
    walls: Vec<bool>,
    species: Codes,
    partner: Codes,
    outcome: Codes,
    rule: Codes,
}

impl Partners {
    fn new(rows: usize) -> Self {
        let codes = || Codes::new(rows);
        Self {
            a: Vec::with_capacity(rows),
            b: Vec::with_capacity(rows),
            walls: Vec::new(),
            species: codes(),
            partner: codes(),
            outcome: codes(),
            rule: codes(),
        }
    }

    fn extend(&mut self, contacts: &[Gathered], words: &Words) {
        for row in contacts.iter().map(|contact| &contact.row) {
            self.push(row, words);
        }
    }

    fn push(&mut self, row: &ContactRow, words: &Words) {
        let with_wall = !is_particle(row.b);
        if with_wall && self.walls.is_empty() {
            self.walls = vec![false; self.a.len()];
        }
        if with_wall || !self.walls.is_empty() {
            self.walls.push(with_wall);
        }
        self.a.push(row.a.into());
        self.b.push(if with_wall { 0 } else { row.b.into() });
        self.species.push(row.species_a.into(), || words.species(row.species_a));
        self.partner.push(partner_code(row), || words.partner_text(row));
        self.outcome.push(row.outcome.into(), || words.outcome(row.outcome));
        match row.rule {
            NO_RULE => self.rule.places.push(NO_WORD),
            rule => self.rule.push(rule.into(), || words.rule(rule).unwrap_or_default()),
        }
    }

    fn values(self) -> [Values; 6] {
        let Self { a, b, walls, species, partner, outcome, rule } = self;
        let missing = (!walls.is_empty()).then_some(walls);
        let (a, b) = (Values::Integers(a, None), Values::Integers(b, missing));
        [a, b, species.values(), partner.values(), outcome.values(), rule.values()]
    }
}

/// One number for each partner that has a name of its own: species below [`NO_SPECIES`], walls from
/// there on.
fn partner_code(row: &ContactRow) -> usize {
    match is_particle(row.b) {
        true => row.species_b.into(),
        false => usize::from(NO_SPECIES) + 1 + (WALL - row.b) as usize,
    }
}

/// Words for codes, of which few occur.
struct Codes {
    places: Vec<i32>,
    words: Vec<String>,
    /// By code: the place of its word.
    known: Vec<i32>,
}

impl Codes {
    fn new(rows: usize) -> Self {
        Self { places: Vec::with_capacity(rows), words: Vec::new(), known: Vec::new() }
    }

    fn push(&mut self, code: usize, word: impl FnOnce() -> String) {
        let place = match self.known.get(code) {
            Some(&place) if place != NO_WORD => place,
            _ => self.learn(code, word()),
        };
        self.places.push(place);
    }

    fn learn(&mut self, code: usize, word: String) -> i32 {
        if self.known.len() <= code {
            self.known.resize(code + 1, NO_WORD);
        }
        // Two codes may have the same word.
        let place = self.words.iter().position(|known| *known == word).unwrap_or_else(|| {
            self.words.push(word);
            self.words.len() - 1
        });
        self.known[code] = place as i32;
        place as i32
    }

    fn values(self) -> Values {
        Values::Texts(self.places, self.words)
    }
}
