//! How many more replicas it takes until a mean is known well enough.
//!
//! That is decided from the merged results when all members are done, so that it depends on the
//! plan alone.

use std::path::Path;

use super::file::{Precision, Tolerance};
use super::merge::{MergedRow, merge};
use super::plan::{Plan, PlanError};
use jostle_analysis::{Cell, machine_name};

/// What is not known well enough.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lacking {
    /// Points that need more replicas, in order, and how many more each gets.
    pub points: Vec<(usize, u32)>,
    /// Points that need more than the sweep allows, in order.
    pub at_most: Vec<usize>,
    /// Points that say nothing of what is asked for, in order: no row, or no number in it.
    pub silent: Vec<usize>,
}

/// Finds the points at which the means are not known as well as `precision` asks. Each gets as many
/// replicas as the scatter found so far makes one expect to be needed, but at most twice as many as
/// it has: few replicas do not tell well how much they scatter.
///
/// # Errors
/// If a result cannot be read, or no member has the table, or the column.
pub fn lacking(plan: &Plan, folder: &Path, precision: &Precision) -> Result<Lacking, PlanError> {
    let merged = merge(plan, folder, &precision.table, None)?;
    let place = |heads: &[String], name: &str, what: &str| {
        // With its unit or without, as people read it or as files have it.
        let without_unit = |head: &str| machine_name(head.split(" (").next().unwrap_or(head));
        let known = |head: &String| {
            machine_name(head) == machine_name(name) || without_unit(head) == machine_name(name)
        };
        heads.iter().position(known).ok_or_else(|| {
            let reason = format!(
                "the table `{}` has no column `{name}` {what}; there are {}",
                merged.name,
                heads.join(", ")
            );
            PlanError::unusable(folder, reason)
        })
    };
    let column = place(&merged.measured, &precision.column, "that is measured")?;
    let only: Vec<(usize, &str)> = precision
        .only
        .iter()
        .map(|(head, word)| {
            Ok((place(&merged.about, head, "that names its rows, for `only`")?, word.as_str()))
        })
        .collect::<Result<_, PlanError>>()?;
    let is_meant = |row: &&MergedRow| only.iter().all(|&(k, word)| is_word(&row.about[k], word));
    let mut lacking = Lacking::default();
    for point in 0..plan.points().len() {
        let rows = merged.rows.iter().filter(|row| row.point == point).filter(is_meant);
        let values = rows.filter_map(|row| Some((row.replicas, row.values.get(column)?.as_ref()?)));
        let there = plan.replicas_of(point);
        let needed = values
            .map(|(replicas, value)| needed(replicas, value.mean, value.error, precision.error));
        match needed.max() {
            None => lacking.silent.push(point),
            Some(needed) if needed <= there => {}
            Some(_) if there >= precision.most => lacking.at_most.push(point),
            Some(needed) => {
                let all = needed.min(2 * there).min(precision.most);
                lacking.points.push((point, all - there));
            }
        }
    }
    Ok(lacking)
}

/// How many replicas would give a mean an error that is small enough, if they scatter as those found.
fn needed(replicas: usize, mean: f64, error: f64, tolerance: Tolerance) -> u32 {
    let target = match tolerance {
        Tolerance::Relative(share) => share * mean.abs(),
        Tolerance::Absolute(error) => error,
    };
    // If something has never happened, how rare it is remains unknown.
    let is_known = error.is_finite() && (error > 0.0 || mean != 0.0);
    if !is_known {
        return u32::MAX;
    }
    if error <= target {
        return 0;
    }
    let ratio = error / target;
    // As a cast does, this takes what is too large for the largest.
    (replicas as f64 * ratio * ratio).ceil() as u32
}

/// Whether a cell is this word, or this number.
fn is_word(cell: &Cell, word: &str) -> bool {
    match cell {
        Cell::Text(text) => text == word,
        Cell::Integer(value) => word.parse() == Ok(*value),
        Cell::Number(value) => word.parse() == Ok(*value),
        Cell::Missing => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replicas_are_needed_by_the_square_of_the_error() {
        let of = |mean, error, tolerance| needed(10, mean, error, tolerance);
        assert_eq!(of(4.0, 0.2, Tolerance::Absolute(0.1)), 40);
        assert_eq!(of(4.0, 0.2, Tolerance::Relative(0.05)), 0);
        assert_eq!(of(-4.0, 0.2, Tolerance::Relative(0.025)), 40);
        assert_eq!(of(0.0, 0.0, Tolerance::Relative(0.1)), u32::MAX);
        assert_eq!(of(1.0, f64::NAN, Tolerance::Relative(0.1)), u32::MAX);
        assert_eq!(of(3.0, 0.0, Tolerance::Relative(0.1)), 0);
    }

    #[test]
    fn rows_are_chosen_by_words_and_numbers() {
        assert!(is_word(&"bind".into(), "bind") && !is_word(&"bind".into(), "unbind"));
        assert!(is_word(&3u64.into(), "3") && is_word(&0.5.into(), "0.50"));
        assert!(!is_word(&Cell::Missing, "bind"));
    }
}
