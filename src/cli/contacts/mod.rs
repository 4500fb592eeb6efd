//! `jostle contacts`.

mod asked;
mod filter;
mod found;
mod table;

use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use super::quantities::{Span, range, time};
use super::tables::Destination;
use crate::analysis::contacts::{
    Apart, Grouping, Key, LogBins, PlaceMap, Query, columns, list, places,
};
use crate::analysis::{self, Cell, Reading, Table, UnitSystem, machine_name, machine_names};
use crate::files::{Inputs, paragraph};
pub(super) use asked::LogAsked;
use filter::FilterArguments;
use found::{Found, not_logged};
pub(super) use table::LogTable;

/// The command line of `jostle contacts`.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct ContactsArguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    #[command(flatten)]
    filter: FilterArguments,
    #[command(flatten)]
    question: Question,
    /// The maximum number of rows to show [default: 50 on the screen, all in a file].
    #[arg(long, value_name = "ROWS")]
    limit: Option<usize>,
    #[command(flatten)]
    destination: Destination,
}

/// What is asked of the contacts; without any of these they are listed.
#[derive(clap::Args)]
struct Question {
    /// Only print the number of contacts.
    #[arg(long, conflicts_with_all = ["group_by", "histogram"])]
    count: bool,
    /// Count contacts in groups; separate several criteria with commas.
    #[arg(
        long,
        value_enum,
        value_name = "KEYS",
        value_delimiter = ',',
        conflicts_with = "histogram"
    )]
    group_by: Vec<By>,
    /// With --group-by time: the length of a bin ("1 ms") [default: a twentieth of the total].
    #[arg(long, value_name = "TIME", value_parser = time, requires = "group_by")]
    every: Option<f64>,
    /// Only groups whose column is in a range, such as before_bound=51.. or contacts=..9.
    #[arg(long, value_name = "COLUMN=RANGE", value_parser = column_and_range, requires = "group_by")]
    having: Vec<(String, Span)>,
    /// Sort groups by a column, largest first.
    #[arg(long, value_name = "COLUMN", requires = "group_by")]
    sort: Option<String>,
    /// A histogram of the time between contacts, of the time until a separated pair binds
    /// again, or of positions.
    #[arg(long, value_enum)]
    histogram: Option<LogQuestion>,
    /// With --histogram interval: between contacts of the same pair, of the same particle, or any
    /// [default: pair].
    #[arg(long, value_enum, requires = "histogram")]
    of: Option<Of>,
    /// With --histogram place: along these one or two axes [default: x,y, or x in one dimension].
    #[arg(long, value_enum, value_delimiter = ',', requires = "histogram")]
    axes: Vec<Axis>,
    /// The number of bins along each axis [default: 40, or 25 along each of two axes].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000), requires = "histogram")]
    bins: Option<u16>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum By {
    /// The two species.
    Species,
    /// The outcome.
    Outcome,
    /// The rule that decided the outcome.
    Rule,
    /// Each particle.
    Id,
    /// Each pair of particles; shows how often they met before they bound.
    Pair,
    /// The cluster that a particle belongs to when it touches another.
    Cluster,
    /// The face of the box, or the surface in it, that a particle touched.
    Wall,
    /// Bins of time (--every).
    Time,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LogQuestion {
    /// The time between contacts.
    Interval,
    /// The time until a separated pair binds again.
    Rebinding,
    /// The positions of contacts.
    Place,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Of {
    /// The same two particles.
    Pair,
    /// The same particle.
    Particle,
    /// Any contact.
    Any,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Axis {
    /// The first axis.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

/// Cells along each axis of a map.
const MOST_CELLS: usize = 400;

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

pub(super) fn carry_out(arguments: ContactsArguments) -> Result<(), Failure> {
    let ContactsArguments { file, filter, question, mut destination, limit } = arguments;
    destination.check(Inputs::of([&file]))?;
    let reading = analysis::open(&file)?;
    let filter = filter.to_filter()?;
    if question.is_list() {
        list_them(&reading, &Query::new(&reading, &filter)?, &destination, limit)?;
    } else {
        if question.count && destination.plot.is_some() {
            let text = "--plot: a single number has no picture; use --group-by or --histogram";
            return Err(text.into());
        }
        let units = UnitSystem::of(&reading);
        let bins = LogBins::About(question.bins(40));
        let found = question.find(&reading, &filter, bins, units)?;
        tell(&found, &destination, limit, units)?;
        if let Found::Rebinding(_) = found {
            // That is no matter of the log of contacts.
            return Ok(());
        }
    }
    not_logged(&reading)?.into_iter().try_for_each(say)
}

/// Draws, writes and explains what was found.
fn tell(
    found: &Found,
    destination: &Destination,
    limit: Option<usize>,
    units: UnitSystem,
) -> Result<(), Failure> {
    if let (Found::Count(count), true) = (found, destination.is_screen()) {
        writeln!(crate::cli::printed(), "{count}")?;
        return Ok(());
    }
    if destination.plot.is_some()
        && let Some(sheet) = found.draw(units)
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

impl By {
    fn key(self) -> Key {
        match self {
            Self::Species => Key::Species,
            Self::Outcome => Key::Outcome,
            Self::Rule => Key::Rule,
            Self::Id => Key::Particle,
            Self::Pair => Key::Pair,
            Self::Cluster => Key::Cluster,
            Self::Wall => Key::Wall,
            Self::Time => Key::Time,
        }
    }
}

impl Of {
    fn apart(self) -> Apart {
        match self {
            Self::Pair => Apart::Pair,
            Self::Particle => Apart::Particle,
            Self::Any => Apart::Any,
        }
    }
}

impl Question {
    fn bins(&self, default: usize) -> usize {
        self.bins.map_or(default, usize::from)
    }

    /// The axes of a map, checked against the dimension of the model.
    fn axes(&self, dimension: usize) -> Result<Vec<usize>, Failure> {
        let mut axes: Vec<usize> = self.axes.iter().map(|axis| *axis as usize).collect();
        if axes.is_empty() {
            axes = (0..dimension.min(2)).collect();
        }
        let twice = axes.len() == 2 && axes[0] == axes[1];
        if axes.len() > 2 || twice || axes.iter().any(|axis| *axis >= dimension) {
            let text = "give one axis, or two different ones, out of";
            return Err(format!("--axes: {text} {}", &"x, y, z"[..3 * dimension - 2]).into());
        }
        Ok(axes)
    }

    fn map(&self, query: &Query<'_>) -> Result<PlaceMap, Failure> {
        let axes = self.axes(query.dimension())?;
        let bins = self.bins(if axes.len() > 1 { 25 } else { 40 });
        if axes.len() > 1 && bins > MOST_CELLS {
            return Err(
                format!("--bins {bins}: at most {MOST_CELLS} along each of two axes").into()
            );
        }
        Ok(places(query, &axes, bins)?)
    }

    fn grouping(&self) -> Result<Grouping, Failure> {
        let mut keys: Vec<Key> = Vec::new();
        for key in self.group_by.iter().map(|by| by.key()) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        if self.every.is_some() && !keys.contains(&Key::Time) {
            return Err("--every: only with --group-by time".into());
        }
        Ok(Grouping { keys, every: self.every })
    }

    /// The rows that --having lets through, in the order of --sort.
    fn chosen(&self, mut table: Table) -> Result<Table, Failure> {
        for (column, span) in &self.having {
            let k = place_of(column, &table, "--having")?;
            table
                .rows
                .retain(|row| value(&row[k]).is_some_and(|x| (span.low..=span.high).contains(&x)));
        }
        if let Some(column) = &self.sort {
            let k = place_of(column, &table, "--sort")?;
            let key = |row: &Vec<Cell>| value(&row[k]).unwrap_or(f64::NEG_INFINITY);
            table.rows.sort_by(|a, b| key(b).total_cmp(&key(a)));
        }
        Ok(table)
    }
}

fn value(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Integer(value) => Some(*value as f64),
        Cell::Number(value) => Some(*value),
        _ => None,
    }
}

/// Which column is meant.
fn place_of(column: &str, table: &Table, option: &str) -> Result<usize, Failure> {
    let names = machine_names(&table.columns);
    let wanted = [column, &machine_name(column)];
    let found = wanted.iter().find_map(|wanted| names.iter().position(|name| name == wanted));
    found.ok_or_else(|| {
        format!("{option} {column}: there is no such column; there are {}", names.join(", ")).into()
    })
}

fn column_and_range(text: &str) -> Result<(String, Span), String> {
    let (column, text) =
        text.split_once('=').ok_or("write COLUMN=RANGE, e.g. before_bound=51..")?;
    Ok((column.trim().to_owned(), range(text)?))
}
