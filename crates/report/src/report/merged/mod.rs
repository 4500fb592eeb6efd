//! Figures of what the replicas of a sweep say together: curves with bands, points with intervals,
//! and maps over two axes.

mod curves;
mod dimensions;
mod maps;
mod view;

use jostle_sweep::{Merged, Plan};

use super::plot::{HeatMap, Plot};
use super::sheet::Sheet;
use dimensions::Source;
pub(super) use dimensions::short_value;
use view::MergedView;

/// The most figures of one table.
const MOST_FIGURES: usize = 6;
/// The most of these that show the same column as curves, if there are maps of it as well; and the
/// most maps of a column.
const MOST_OF_A_KIND: usize = 3;

/// A figure of a merged table.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedFigure {
    /// What tells it from the other figures of its table, as part of the name of a file:
    /// `rate_constant`, `rate_constant_map`.
    pub name: String,
    /// What it shows, in a few words.
    pub heading: String,
    /// What is seen in it, in sentences.
    pub caption: String,
    /// The figure itself, without a title.
    pub drawing: Drawing,
}

/// A plot or a map.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// Series, with bands or bars of 95 % intervals.
    Plot(Plot),
    /// Means at the points of two axes.
    Map(HeatMap),
}

impl MergedFigure {
    /// The figure with its heading above it.
    pub fn draw(&self) -> Sheet {
        let title = self.heading.clone();
        match &self.drawing {
            Drawing::Plot(plot) => Plot { title, ..plot.clone() }.draw(),
            Drawing::Map(map) => HeatMap { title, ..map.clone() }.draw(),
        }
    }
}

/// The figures of a merged table, the main one first: each measured column over time, size or
/// whatever its rows run over, or over the axes of the sweep. None if the rows differ in words
/// alone.
pub fn merged_figures(plan: &Plan, merged: &Merged) -> Vec<MergedFigure> {
    let view = MergedView::new(plan, merged);
    let mut figures: Vec<MergedFigure> = Vec::new();
    let mut is_complete = true;
    let columns = view.columns();
    // What is the same everywhere is drawn only if there is nothing else.
    let is_alike = !columns.iter().any(|column| column.differs(&view));
    for column in columns.iter().filter(|column| is_alike || column.differs(&view)) {
        let maps = maps::of(&view, column);
        let curves = match maps::replace_curves(&view) {
            true => vec![],
            false => curves::of(&view, column),
        };
        let most = if maps.is_empty() { MOST_FIGURES } else { MOST_OF_A_KIND };
        is_complete &= curves.len() <= most && maps.len() <= MOST_OF_A_KIND;
        figures.extend(curves.into_iter().take(most));
        figures.extend(maps.into_iter().take(MOST_OF_A_KIND));
    }
    if figures.len() > MOST_FIGURES || !is_complete {
        figures.truncate(MOST_FIGURES);
        if let Some(last) = figures.last_mut() {
            last.caption += " The rest of the table is not drawn.";
        }
    }
    name_apart(&mut figures);
    figures
}

/// Whether rows run over time, size or the like, so that curves say more than the numbers.
pub(super) fn runs_over_numbers(plan: &Plan, merged: &Merged) -> bool {
    MergedView::new(plan, merged).dimensions.iter().any(|one| one.source == Source::Running)
}

/// Numbers figures that have the same name.
fn name_apart(figures: &mut [MergedFigure]) {
    for n in 1..figures.len() {
        let (before, rest) = figures.split_at_mut(n);
        let name = rest[0].name.clone();
        let mut number = 2;
        while before.iter().any(|figure| figure.name == rest[0].name) {
            rest[0].name = format!("{name}_{number}");
            number += 1;
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
