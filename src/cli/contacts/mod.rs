//! `jostle contacts`.

use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use super::options::Typed;
use super::tables::Destination;
use crate::analysis::ask::{LogFound, LogOptions, not_logged};
use crate::analysis::contacts::{Query, columns, list};
use crate::analysis::{self, Reading, Table, UnitSystem};
use crate::files::{Inputs, paragraph};
use crate::report::figures::of_log;

/// The command line of `jostle contacts`.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct ContactsArguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    #[command(flatten)]
    asked: Typed<LogOptions>,
    #[command(flatten)]
    destination: Destination,
}

/// Rows shown on the screen unless more are asked for.
const MOST_ROWS: usize = 50;

const EXAMPLES: &str = "Examples:
  all contacts of particle 417
    jostle contacts run.h5md --id 417
  pairs that met more than 50 times before they bound
    jostle contacts run.h5md --group-by pair --having before_bound=51..
  how long a pair that came apart takes to bind again
    jostle contacts run.h5md --histogram rebinding --plot rebinding.svg
  contact rate per species pair over time, with error bars
    jostle contacts run.h5md --group-by species,time --every \"1 ms\" --plot rates.svg
  where on the membrane binding happens
    jostle contacts run.h5md --outcome bound --histogram place --plot where.png
  everything in a plane, as a table for pandas
    jostle contacts run.h5md --time \"1 ms..2 ms\" --out contacts.parquet";

pub(super) fn execute(arguments: ContactsArguments) -> Result<(), Failure> {
    let ContactsArguments { file, asked, mut destination } = arguments;
    let asked = asked.options;
    let limit = asked.limit;
    destination.check(Inputs::of([&file]))?;
    let reading = analysis::open(&file)?;
    if asked.is_list() {
        let filter = asked.filter()?;
        list_them(&reading, &Query::new(&reading, &filter)?, &destination, limit)?;
    } else {
        if asked.count && destination.plot.is_some() {
            let text = "--plot: a single number has no picture; use --group-by or --histogram";
            return Err(text.into());
        }
        let units = UnitSystem::of(&reading);
        let found = asked.find(&reading, asked.bins(), units)?;
        tell(&found, &destination, limit, units)?;
        if let LogFound::Rebinding(_) = found {
            // That is no matter of the log of contacts.
            return Ok(());
        }
    }
    not_logged(&reading)?.into_iter().try_for_each(say)
}

/// Draws, writes and explains what was found.
fn tell(
    found: &LogFound,
    destination: &Destination,
    limit: Option<usize>,
    units: UnitSystem,
) -> Result<(), Failure> {
    if let (LogFound::Count(count), true) = (found, destination.is_screen()) {
        writeln!(crate::cli::printed(), "{count}")?;
        return Ok(());
    }
    if destination.plot.is_some()
        && let Some(sheet) = of_log(found, units)
    {
        destination.draw(|| Ok(sheet))?;
    }
    let table = found.to_table(units);
    let all = table.rows.len();
    let (table, left) = limited(table, limit, destination);
    destination.write(&table)?;
    if left > 0 {
        let rows = found.row();
        say(&format!("and {left} more of {all} {rows}: --limit N, or --out FILE writes all"))?;
    }
    found.remarks().iter().try_for_each(|remark| say(remark))
}

fn list_them(
    reading: &Reading,
    query: &Query<'_>,
    destination: &Destination,
    limit: Option<usize>,
) -> Result<(), Failure> {
    if destination.plot.is_some() {
        return Err("--plot: a list has no picture; use --group-by or --histogram".into());
    }
    let on_screen = destination.is_screen();
    let most = limit.unwrap_or(if on_screen { MOST_ROWS } else { usize::MAX }) as u64;
    let (heads, kinds) = columns(reading);
    let shown = destination.write_stream(&heads, &kinds, |push| {
        list(query, most, |piece| push(piece).map_err(Failure::from))
    })?;
    if !on_screen || shown < most {
        return say(&format!("{shown} contacts"));
    }
    match query.count()? - shown {
        0 => say(&format!("{shown} contacts")),
        more => {
            say(&format!("and {more} more of {}: --limit N, --count, or --out FILE", shown + more))
        }
    }
}

/// The first rows, if the table goes to the screen or that many are asked for; and how many are
/// left.
fn limited(mut table: Table, limit: Option<usize>, destination: &Destination) -> (Table, usize) {
    let most = limit.unwrap_or(if destination.is_screen() { MOST_ROWS } else { usize::MAX });
    let left = table.rows.len().saturating_sub(most);
    table.rows.truncate(most);
    (table, left)
}

/// What is not part of the table goes to standard error, so that a table can be piped.
fn say(text: &str) -> Result<(), Failure> {
    write!(std::io::stderr(), "{}", paragraph("", text))?;
    Ok(())
}
