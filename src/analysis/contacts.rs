//! What the contact log says.

use std::collections::BTreeMap;
use std::ops::Range;

use super::error::ReadError;
use super::reading::Reading;
use super::table::Table;
use crate::record::schema::{BlockRow, ContactRow, NO_SPECIES};

/// Rows that are held in memory at a time.
const AT_A_TIME: usize = 1 << 16;
const CONTACTS: &str = "events/contacts";
const BLOCKS: &str = "events/contacts_index";

/// How often two species met, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairCount {
    /// The two species in alphabetical order; the second is `wall` for contacts with the box.
    pub pair: [String; 2],
    /// What came of it.
    pub outcome: String,
    /// How often.
    pub count: u64,
}

/// Contacts by species and outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactsByPair {
    /// In the order of the species' names.
    pub pairs: Vec<PairCount>,
    /// All together.
    pub total: u64,
}

impl ContactsByPair {
    /// One row per pair and outcome.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&["species", "partner", "outcome", "contacts"]);
        for PairCount { pair: [a, b], outcome, count } in &self.pairs {
            table.push(vec![a.clone(), b.clone(), outcome.clone(), count.to_string()]);
        }
        table
    }
}

/// Counts contacts by species and outcome, in the steps given, or in all.
///
/// # Errors
/// If the file cannot be read.
pub fn contacts_by_pair(reading: &Reading, steps: Option<Range<u64>>) -> Result<ContactsByPair, ReadError> {
    let outcomes = reading.texts("events/codes/outcomes")?;
    let mut counts: BTreeMap<([u16; 2], u8), u64> = BTreeMap::new();
    let steps = steps.unwrap_or(0..i64::MAX as u64);
    visit_contacts(reading, steps, |_, row| {
        *counts.entry(([row.species_a, row.species_b], row.outcome)).or_default() += 1;
    })?;
    let name = |species: u16| match species {
        NO_SPECIES => "wall".to_owned(),
        species => reading.species_name(species as i64),
    };
    let mut named: BTreeMap<([String; 2], u8), u64> = BTreeMap::new();
    for (([a, b], outcome), count) in counts {
        let mut pair = [name(a), name(b)];
        if b != NO_SPECIES {
            pair.sort();
        }
        *named.entry((pair, outcome)).or_default() += count;
    }
    let total = named.values().sum();
    let pairs = named.into_iter().map(|((pair, outcome), count)| PairCount {
        pair,
        outcome: word(&outcomes, outcome),
        count,
    });
    Ok(ContactsByPair { pairs: pairs.collect(), total })
}

/// The word for a code.
pub(super) fn word(words: &[String], code: u8) -> String {
    let word = words.get(code as usize).cloned();
    word.unwrap_or_else(|| format!("code {code}"))
}

/// Calls `visit(step, contact)` for every contact logged in the given steps, in the order of
/// time. Finds the first by bisection and holds a bounded number of rows in memory.
///
/// # Errors
/// If the file cannot be read, or the index contradicts the log.
pub fn visit_contacts(
    reading: &Reading,
    steps: Range<u64>,
    mut visit: impl FnMut(u64, &ContactRow),
) -> Result<(), ReadError> {
    let blocks = reading.length(BLOCKS)?;
    let all = reading.length(CONTACTS)?;
    let first = find_block(reading, blocks, steps.start)?;
    let last = find_block(reading, blocks, steps.end)?;
    let mut begin = first;
    while begin < last {
        let end = last.min(begin + AT_A_TIME);
        // One more block than is looked at tells where the last one ends.
        let index: Vec<BlockRow> = reading.column(BLOCKS, begin..blocks.min(end + 1))?;
        let row_of = |k: usize| index.get(k).map_or(all, |block| all.min(block.first as usize));
        let rows = row_of(0)..row_of(end - begin);
        if rows.start > rows.end {
            return Err(reading.damaged(BLOCKS, "it does not ascend"));
        }
        let mut block = 0;
        for from in rows.clone().step_by(AT_A_TIME) {
            let part: Vec<ContactRow> = reading.column(CONTACTS, from..rows.end.min(from + AT_A_TIME))?;
            for (k, row) in part.iter().enumerate() {
                while block + 1 < end - begin && row_of(block + 1) <= from + k {
                    block += 1;
                }
                visit(index[block].step as u64, row);
            }
        }
        begin = end;
    }
    Ok(())
}

/// The first block whose step is not before `step`.
fn find_block(reading: &Reading, blocks: usize, step: u64) -> Result<usize, ReadError> {
    let (mut low, mut high) = (0, blocks);
    while low < high {
        let middle = (low + high) / 2;
        let block: Vec<BlockRow> = reading.column(BLOCKS, middle..middle + 1)?;
        let before = block.first().is_some_and(|block| (block.step as u64) < step);
        if before {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}
