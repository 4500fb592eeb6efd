//! `jostle sweep merge`.

use std::path::Path;

use super::super::tables::Destination;
use super::super::{Failure, inputs_of, say};
use super::say_warnings;
use crate::report::{MergedFigure, merged_figures};
use crate::sweep::{Merged, Plan, first_table, open};

/// Puts a table of all members together.
pub(super) fn execute(
    folder: &Path,
    table: Option<String>,
    against: Option<usize>,
    destination: &mut Destination,
) -> Result<(), Failure> {
    destination.check(inputs_of(folder))?;
    let plan = open(folder)?;
    let table = match table {
        Some(table) => table,
        None => first_table(&plan.measures)?,
    };
    let merged = crate::sweep::merge(&plan, folder, &table, against)?;
    destination.write(&match destination.is_screen() {
        true => merged.to_short_table(&plan),
        false => merged.to_table(&plan),
    })?;
    say_what_is_left_out(&plan, &merged);
    say_warnings(&plan, folder)?;
    draw(destination, merged_figures(&plan, &merged))
}

/// Draws figures, if they are wanted: the first under the name given, the others next to it.
pub(super) fn draw(destination: &Destination, figures: Vec<MergedFigure>) -> Result<(), Failure> {
    let Some(path) = &destination.plot else { return Ok(()) };
    if figures.is_empty() {
        return Err(format!("{}: there is nothing to draw", path.display()).into());
    }
    for (n, figure) in figures.iter().enumerate() {
        destination.draw_beside((n > 0).then_some(figure.name.as_str()), &figure.draw())?;
    }
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
