//! `jostle sweep merge`.

use std::path::Path;

use super::super::tables::Destination;
use super::super::{Failure, say};
use super::{measure, open};
use jostle_sweep::{Merged, Plan};

/// Puts a table of all members together.
pub(super) fn carry_out(
    folder: &Path,
    table: Option<String>,
    against: Option<usize>,
    destination: &Destination,
) -> Result<(), Failure> {
    destination.check()?;
    if destination.plot.is_some() {
        return Err("--plot: merged tables are not drawn; write them with --out".into());
    }
    let plan = open(folder)?;
    let table = match table {
        Some(table) => table,
        None => measure::first_table(&plan.measures)?,
    };
    let merged = jostle_sweep::merge(&plan, folder, &table, against)?;
    destination.write(&match destination.is_screen() {
        true => merged.to_short_table(&plan),
        false => merged.to_table(&plan),
    })?;
    say_what_is_left_out(&plan, &merged);
    Ok(())
}

/// Says how many runs are not in it, and why.
pub(super) fn say_what_is_left_out(plan: &Plan, merged: &Merged) {
    for (count, what) in [(merged.missing, "not done yet"), (merged.failed, "failed")] {
        if count > 0 {
            say(&format!("{count} of {} runs are left out: {what}", plan.member_count()));
        }
    }
}
