//! The part of the page about one table that was measured.

use std::path::Path;

use jostle_analysis::Cell;
use jostle_sweep::{Merged, Plan, PlanError, is_error, merge_all};

use super::super::super::merged::{
    Drawing, MergedFigure, merged_figures, runs_over_numbers, short_value,
};
use super::super::html::{self, Piece, table};
use super::super::parts::Part;

/// Rows of a table that are shown.
const MOST_ROWS: usize = 60;

/// The parts about these tables.
pub(super) fn parts(
    plan: &Plan,
    folder: &Path,
    folder_name: &str,
    names: &[String],
) -> Result<Vec<Part>, PlanError> {
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let merged = merge_all(plan, folder, &words, None)?;
    let parts = words.iter().zip(merged);
    Ok(parts.map(|(name, merged)| part(plan, merged, folder_name, name)).collect())
}

/// Figures and, where rows do not run over time or the like, numbers.
fn part(plan: &Plan, merged: Result<Merged, PlanError>, folder_name: &str, name: &str) -> Part {
    let mut pieces = match merged {
        Ok(merged) => told(plan, &merged),
        Err(why) => vec![Piece::Missing(format!("{why}."))],
    };
    pieces.push(Piece::Paragraph(format!(
        "All numbers: jostle sweep merge {folder_name} {name} --out {name}.csv"
    )));
    Part { id: format!("table-{name}"), title: in_words(name), pieces }
}

/// The name of a table for people: `Counts over time`. A letter that is a word stands for a quantity,
/// and stays as it is.
fn in_words(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_alphanumeric() => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => words,
    }
}

fn told(plan: &Plan, merged: &Merged) -> Vec<Piece> {
    let figures = merged_figures(plan, merged);
    let mut pieces: Vec<Piece> = figures.into_iter().map(|one| drawn(&merged.name, one)).collect();
    if pieces.is_empty() || !runs_over_numbers(plan, merged) {
        pieces.extend(numbers(plan, merged));
    }
    pieces
}

fn drawn(table: &str, MergedFigure { name, heading, caption, drawing }: MergedFigure) -> Piece {
    let name = format!("{table}-{name}");
    let heading = in_words(&heading);
    match drawing {
        Drawing::Plot(plot) => html::figure(&name, &heading, &caption, plot),
        Drawing::Map(map) => html::map(&name, &heading, &caption, &map),
    }
}

/// The merged table, as far as a page has room for it.
fn numbers(plan: &Plan, merged: &Merged) -> Vec<Piece> {
    let all = merged.to_short_table(plan);
    let mut shown = all.thinned(MOST_ROWS);
    // Errors that members state for themselves would stand beside those between them.
    let kept: Vec<bool> = shown.columns.iter().map(|head| !is_error(head)).collect();
    html::keep(&mut shown.columns, |k| kept[k]);
    shown.rows.iter_mut().for_each(|row| html::keep(row, |k| kept[k]));
    // The number of the point is followed by what it sets, which the table of points has exactly.
    let set = 1..=plan.keys().len();
    let text = |(k, cell): (usize, &Cell)| match cell {
        Cell::Missing => "–".to_owned(),
        Cell::Text(text) if set.contains(&k) => short_value(text),
        cell => cell.to_string(),
    };
    let rows = shown.rows.iter().map(|row| row.iter().enumerate().map(text).collect()).collect();
    let heads: Vec<&str> = shown.columns.iter().map(String::as_str).collect();
    let mut pieces = vec![table(&heads, rows)];
    if shown.rows.len() < all.rows.len() {
        let text = format!("{} of {} rows, evenly chosen.", shown.rows.len(), all.rows.len());
        pieces.push(Piece::Paragraph(text));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_named_for_people() {
        assert_eq!(in_words("late_counts_over_time"), "Late counts over time");
        assert_eq!(in_words("g: A, B"), "g: A, B");
        assert_eq!([in_words(""), in_words("g")], ["", "g"]);
    }
}
