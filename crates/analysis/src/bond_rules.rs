//! Which rules made the bonds of a frame.

use std::collections::BTreeMap;

use super::replay;
use jostle_h5md::reading::{ReadError, Reading};
use jostle_h5md::record::schema::BondRow;

/// The names of the rules that made the bonds of a frame, by the identities of the two particles,
/// the lower first. Bonds that were there at the start were made by no rule; of a file without a
/// log of changes, no rule is known.
///
/// # Errors
/// If the file cannot be read, or the log contradicts itself.
pub fn bond_rules(
    reading: &Reading,
    frame: usize,
) -> Result<BTreeMap<[u64; 2], String>, ReadError> {
    if !reading.has("events/changes") {
        return Ok(BTreeMap::new());
    }
    let names = reading.rules()?;
    let steps = reading.steps()?.get(frame).map_or(0, |&step| step as u64);
    let pair = |&BondRow { a, b }: &BondRow| [a.min(b) as u64, a.max(b) as u64];
    let mut rules = BTreeMap::new();
    let mut state = replay::first(reading)?;
    replay::follow(reading, &mut state, steps, |_, event| {
        for bond in event.broken {
            rules.remove(&pair(bond));
        }
        let name = names.get(usize::from(event.row.rule));
        if let Some(name) = name {
            rules.extend(event.made.iter().map(|bond| (pair(bond), name.clone())));
        }
    })?;
    Ok(rules)
}
