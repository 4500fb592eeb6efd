//! How often each rule has applied, from the log of changes.

use std::collections::BTreeMap;

use jostle_core::observe::ChangeKind;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use jostle_h5md::record::schema::ChangeRow;

/// Rows that are held in memory at a time.
const AT_A_TIME: usize = 1 << 14;
const CHANGES: &str = "events/changes";

/// How often a rule did one kind of thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The name of the rule, or of the entry of the schedule.
    pub rule: String,
    /// What it did.
    pub kind: ChangeKind,
    /// How often, in each of equal stretches of the run.
    pub counts: Vec<u64>,
}

impl Applied {
    /// How often in all.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// Counts the changes of the first `steps` steps by rule and kind, in `stretches` equal stretches
/// of them. In the order of the rules in the model.
///
/// # Errors
/// If the file cannot be read, or has a kind of change that has no name.
pub fn rules_applied(
    reading: &Reading,
    steps: u64,
    stretches: usize,
) -> Result<Vec<Applied>, ReadError> {
    let names = reading.rules()?;
    let length = reading.length(CHANGES)?;
    let mut counts: BTreeMap<(u16, ChangeKind), Vec<u64>> = BTreeMap::new();
    for from in (0..length).step_by(AT_A_TIME) {
        let rows: Vec<ChangeRow> = reading.column(CHANGES, from..length.min(from + AT_A_TIME))?;
        for row in rows.iter().filter(|row| (row.step as u64) < steps) {
            let kind = ChangeKind::ALL.get(row.kind as usize).copied();
            let kind =
                kind.ok_or_else(|| reading.damaged(CHANGES, "a kind of change that has no name"))?;
            let stretch = (row.step as u64 as u128 * stretches as u128 / steps as u128) as usize;
            counts.entry((row.rule, kind)).or_insert_with(|| vec![0; stretches])[stretch] += 1;
        }
    }
    let name =
        |rule: u16| names.get(rule as usize).cloned().unwrap_or_else(|| format!("rule {rule}"));
    Ok(counts
        .into_iter()
        .map(|((rule, kind), counts)| Applied { rule: name(rule), kind, counts })
        .collect())
}
