//! `jostle analyse` of the folder of a sweep.

use std::io::Write;
use std::path::Path;

use super::super::Failure;
use super::super::tables::Destination;
use super::{merge, say_warnings};
use crate::analysis::ask::Analysis;
use crate::report::{MergedFigure, merged_figures};
use crate::sweep::{Plan, kind_of, main_table, open};

/// Rows shown of a table; files have them all.
const MOST_ROWS: usize = 60;

/// Tells what has been measured of the runs of a sweep: what is asked for, or everything.
pub(in crate::cli) fn analyse(
    folder: &Path,
    what: &[&'static Analysis],
    destination: &mut Destination,
) -> Result<(), Failure> {
    let plan = open(folder)?;
    let tables = main_tables(&plan, what)?;
    if !destination.is_screen() {
        let [table] = &tables[..] else {
            return Err("--out and --format need exactly one WHAT".into());
        };
        return merge::execute(folder, Some(table.clone()), None, destination);
    }
    let mut figures = Vec::new();
    let names: Vec<&str> = tables.iter().map(String::as_str).collect();
    let all_merged = crate::sweep::merge_all(&plan, folder, &names, None)?;
    for (table, merged) in tables.iter().zip(all_merged) {
        let merged = match merged {
            Ok(merged) => merged,
            // One table that nobody has does not keep the others from being told.
            Err(why) if names.len() > 1 => {
                writeln!(crate::cli::printed(), "{table}\n\n  none: {why}\n")?;
                continue;
            }
            Err(why) => return Err(why.into()),
        };
        let all = merged.to_short_table(&plan);
        let shown = all.thinned(MOST_ROWS);
        let mut out = crate::cli::printed();
        writeln!(out, "{table}\n\n{shown}")?;
        let left_out = all.rows.len() - shown.rows.len();
        if left_out > 0 {
            writeln!(out, "({left_out} rows in between are not shown; --out FILE writes all)\n")?;
        }
        merge::say_what_is_left_out(&plan, &merged);
        let names = |figure: MergedFigure| MergedFigure {
            name: format!("{table}_{}", figure.name),
            ..figure
        };
        figures.extend(merged_figures(&plan, &merged).into_iter().map(names));
    }
    say_warnings(&plan, folder)?;
    merge::draw(destination, figures)
}

/// The main tables of what is asked for, all if nothing is.
fn main_tables(plan: &Plan, what: &[&'static Analysis]) -> Result<Vec<String>, Failure> {
    let asked: Vec<&str> = what.iter().map(|what| what.tables[0]).collect();
    let mut tables = Vec::new();
    for measured in &plan.measures {
        let kind = kind_of(measured)?;
        if asked.is_empty() || asked.contains(&kind) {
            tables.push(main_table(measured)?);
        }
    }
    if tables.is_empty() {
        let all: Vec<String> = plan.measures.iter().map(main_table).collect::<Result<_, _>>()?;
        return Err(match all.is_empty() {
            true => "the sweep measures nothing: it has no [[measure]]".into(),
            false => format!("that has not been measured; the sweep has {}", all.join(", ")).into(),
        });
    }
    Ok(tables)
}
