//! The bonds of an H5MD file, and which rules made them.

use std::collections::HashMap;

use hdf5::{File, H5Type};
use ndarray::s;

use jostle_files::positions::FileBond;

use crate::claims;
use crate::texts::texts;

/// What is read of a change in the log of a run.
#[derive(H5Type, Clone, Copy)]
#[repr(C)]
struct Change {
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

/// The bonds of the last frame between particles with these `ids` (-1 in an empty slot), if the
/// file has them as a series: a list for each frame, filled up with -1.
pub(super) fn of_last_frame(
    file: &File,
    frames: usize,
    ids: &[i64],
) -> Result<Vec<FileBond>, String> {
    let Ok(series) = file.dataset("/connectivity/bonds/value") else { return Ok(Vec::new()) };
    let &[rows, width, 2] = series.shape().as_slice() else { return Ok(Vec::new()) };
    if rows < frames || width == 0 {
        return Ok(Vec::new());
    }
    claims::moment::<i64>(&series, &[width, 2])?;
    let pairs = series
        .read_slice_2d::<i64, _>(s![frames - 1, .., ..])
        .map_err(|error| error.to_string())?;
    let id = |slot: i64| ids.get(usize::try_from(slot).ok()?).copied().filter(|id| *id >= 0);
    let mut bonds = Vec::new();
    for pair in pairs.rows() {
        let [first, second] = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        if let (Some(a), Some(b)) = (id(first), id(second))
            && a != b
        {
            bonds.push(([first as u64, second as u64], [a.min(b), a.max(b)]));
        }
    }
    bonds.sort_unstable();
    bonds.dedup();
    let until = last_step(file).unwrap_or(i64::MAX);
    let makers = makers(file, bonds.iter().map(|bond| bond.1), until).unwrap_or_default();
    let bond = |(slots, ids)| FileBond { slots, rule: makers.get(&ids).cloned().flatten() };
    Ok(bonds.into_iter().map(bond).collect())
}

/// The step of the last frame.
fn last_step(file: &File) -> Option<i64> {
    let steps = file.dataset("/particles/trajectory/position/step").ok()?;
    let &[count] = steps.shape().as_slice() else { return None };
    claims::part::<i64>(&steps, &[1]).ok()?;
    steps.read_slice_1d::<i64, _>(s![count.checked_sub(1)?..]).ok()?.first().copied()
}

/// The name of the rule of the last change before step `until` that made each of some bonds, as far
/// as the log has it.
fn makers(
    file: &File,
    bonds: impl Iterator<Item = [i64; 2]>,
    until: i64,
) -> Option<HashMap<[i64; 2], Option<String>>> {
    let mut found: HashMap<[i64; 2], Option<String>> = bonds.map(|ids| (ids, None)).collect();
    let mut left = found.len();
    let rules = texts(&*file.dataset("/parameters/rules").ok()?)?;
    let changes = file.dataset("/events/changes").ok()?;
    let made = file.dataset("/events/bonds_made").ok()?;
    let mut end = changes.shape().first().copied()?;
    while end > 0 && left > 0 {
        let begin = end.saturating_sub(AT_A_TIME);
        claims::part::<Change>(&changes, &[end - begin]).ok()?;
        let rows = changes.read_slice_1d::<Change, _>(s![begin..end]).ok()?;
        end = begin;
        for row in rows.iter().rev().filter(|row| row.made > 0 && row.step < until) {
            let from = usize::try_from(row.first_made).ok()?;
            let to = from.checked_add(row.made as usize)?;
            claims::part::<Ends>(&made, &[row.made as usize]).ok()?;
            for Ends { a, b } in made.read_slice_1d::<Ends, _>(s![from..to]).ok()? {
                if let Some(maker @ None) = found.get_mut(&[a, b]) {
                    *maker = rules.get(usize::from(row.rule)).cloned();
                    left -= 1;
                }
            }
        }
    }
    Some(found)
}
