//! The bonds of an H5MD file, and which rules made them.

use std::collections::HashMap;

use hdf5::H5Type;

use jostle_files::positions::FileBond;

use crate::claims;
use crate::reading::{ReadError, Reading};

/// The bonds of all frames.
const BONDS: &str = "connectivity/bonds/value";

/// What is read of a change in the log of a run.
#[derive(H5Type, Clone, Copy)]
#[repr(C)]
struct MadeBonds {
    step: i64,
    first_made: u64,
    made: u32,
    rule: u16,
}

/// The two identities that a bond joins, the lower first.
#[derive(H5Type, Clone, Copy)]
#[repr(C)]
struct Ends {
    a: i64,
    b: i64,
}

/// So many changes are in memory at a time.
const AT_A_TIME: usize = 1 << 16;

/// The bonds of a frame between particles with these `ids` (-1 in an empty slot), if the file has
/// them as a series: a list for each frame, filled up with -1.
pub(super) fn of_frame(
    reading: &Reading,
    frame: usize,
    ids: &[i64],
) -> Result<Vec<FileBond>, ReadError> {
    let Ok(series) = reading.dataset(BONDS) else { return Ok(Vec::new()) };
    let &[rows, width, 2] = series.shape().as_slice() else { return Ok(Vec::new()) };
    if rows <= frame || width == 0 {
        return Ok(Vec::new());
    }
    claims::moment::<i64>(&series, &[width, 2])
        .map_err(|reason| reading.damaged(BONDS, &reason))?;
    let id = |slot: i64| ids.get(usize::try_from(slot).ok()?).copied().filter(|id| *id >= 0);
    let mut bonds = Vec::new();
    for [a, b] in reading.bonds(frame)? {
        let [first, second] = [i64::from(a.min(b)), i64::from(a.max(b))];
        if let (Some(a), Some(b)) = (id(first), id(second))
            && a != b
        {
            bonds.push(([first as u64, second as u64], [a.min(b), a.max(b)]));
        }
    }
    bonds.sort_unstable();
    bonds.dedup();
    let until = reading.steps()?.get(frame).copied().unwrap_or(i64::MAX);
    let makers = makers(reading, bonds.iter().map(|bond| bond.1), until).unwrap_or_default();
    let bond = |(slots, ids)| FileBond { slots, rule: makers.get(&ids).cloned().flatten() };
    Ok(bonds.into_iter().map(bond).collect())
}

/// The name of the rule of the last change before step `until` that made each of some bonds, as far
/// as the log has it.
fn makers(
    reading: &Reading,
    bonds: impl Iterator<Item = [i64; 2]>,
    until: i64,
) -> Option<HashMap<[i64; 2], Option<String>>> {
    let mut found: HashMap<[i64; 2], Option<String>> = bonds.map(|ids| (ids, None)).collect();
    let mut left = found.len();
    let rules = reading.rules().ok()?;
    let changes = reading.open_column::<MadeBonds>("events/changes").ok()?;
    let made = reading.open_column::<Ends>("events/bonds_made").ok()?;
    let mut end = changes.len();
    while end > 0 && left > 0 {
        let begin = end.saturating_sub(AT_A_TIME);
        let rows = changes.read(begin..end).ok()?;
        end = begin;
        for row in rows.iter().rev().filter(|row| row.made > 0 && row.step < until) {
            let from = usize::try_from(row.first_made).ok()?;
            let to = from.checked_add(row.made as usize)?;
            for Ends { a, b } in made.read(from..to).ok()? {
                if let Some(maker @ None) = found.get_mut(&[a, b]) {
                    *maker = rules.get(usize::from(row.rule)).cloned();
                    left -= 1;
                }
            }
        }
    }
    Some(found)
}
