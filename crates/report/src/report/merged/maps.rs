//! Maps of a measured column over two axes of the sweep, or over a plane.

use std::collections::HashMap;

use super::super::plot::{Axis, HeatMap};
use super::dimensions::{Dimension, Source};
use super::view::{Column, Group, MergedView, grouped, span_decades};
use super::{Drawing, MergedFigure};

/// Whether the rows run over a plane, which curves cannot show.
pub(super) fn replace_curves(view: &MergedView<'_>) -> bool {
    plane(view).is_some()
}

/// The maps of a column: none unless the rows run over a plane, or the points over a grid.
pub(super) fn of(view: &MergedView<'_>, column: &Column) -> Vec<MergedFigure> {
    if let Some([x, y]) = plane(view) {
        let across: Vec<&Dimension> =
            view.dimensions.iter().filter(|one| *one != x && *one != y).collect();
        let groups = grouped(&column.rows, &across);
        return groups.iter().filter_map(|group| of_plane(view, column, [x, y], group)).collect();
    }
    // What also runs over time has no single mean at a point.
    if view.dimensions.iter().any(|one| one.source == Source::Running) {
        return vec![];
    }
    let Some([x, y]) = grid(view) else { return vec![] };
    let others = |source| {
        let all = view.dimensions.iter().filter(move |one| one.source == source);
        all.filter(move |one| *one != x && *one != y).collect::<Vec<_>>()
    };
    let kinds = grouped(&column.rows, &others(Source::Words));
    let map = |kind: &Group| {
        let places = grouped(&kind.rows, &others(Source::Sweep));
        let count = places.len();
        let place = places.into_iter().next()?;
        let at = match count {
            1 => String::new(),
            _ => format!(" At {}, the first of {count} combinations of other values.", place.name),
        };
        of_points(view, column, [x, y], &kind.name, &place.rows, &at)
    };
    kinds.iter().filter_map(map).collect()
}

/// The first two coordinates that the rows run over, if they do.
fn plane<'a>(view: &'a MergedView<'_>) -> Option<[&'a Dimension; 2]> {
    let mut coordinates = view.dimensions.iter().filter(|one| {
        one.source == Source::Running && ["x", "y", "z"].contains(&one.name.as_str())
    });
    Some([coordinates.next()?, coordinates.next()?])
}

/// The two axes of the sweep with most values, if there is a point for each pair of values. What is
/// neither a number nor of several kinds has no order that a map would show.
fn grid<'a>(view: &'a MergedView<'_>) -> Option<[&'a Dimension; 2]> {
    let has_order = |one: &&Dimension| one.is_numeric() || one.levels().len() > 2;
    let of_sweep = view.dimensions.iter().filter(|one| one.source == Source::Sweep);
    let mut axes: Vec<&Dimension> = of_sweep.filter(has_order).collect();
    axes.sort_by_key(|one| std::cmp::Reverse(one.levels().len()));
    let [x, y] = axes.get(..2)?.try_into().ok()?;
    let rows: Vec<usize> = (0..view.merged.rows.len()).collect();
    (grouped(&rows, &[x, y]).len() == x.levels().len() * y.levels().len()).then_some([x, y])
}

/// Which place each value of a dimension has on its axis.
fn places(one: &Dimension) -> HashMap<&str, usize> {
    let levels = one.levels().into_iter().enumerate();
    levels.map(|(n, row)| (one.texts[row].as_str(), n)).collect()
}

/// The means of some rows, a row of cells for each value of `y`, with NaN where there is none;
/// nothing if they do not differ.
fn cells(
    view: &MergedView<'_>,
    column: &Column,
    [x, y]: [&Dimension; 2],
    rows: &[usize],
) -> Option<Vec<Vec<f64>>> {
    let [columns, lines] = [x, y].map(places);
    let mut cells = vec![vec![f64::NAN; columns.len()]; lines.len()];
    for &row in rows {
        let [i, j] = [columns[x.texts[row].as_str()], lines[y.texts[row].as_str()]];
        cells[j][i] = column.value(view, row).map_or(f64::NAN, |value| value.mean);
    }
    let known = || cells.iter().flatten().filter(|value| value.is_finite());
    // What is the same everywhere needs no map.
    let differs = known().any(|value| Some(value) != known().next());
    differs.then_some(cells)
}

fn figure(column: &Column, kind: &str, caption: String, map: HeatMap) -> MergedFigure {
    MergedFigure {
        name: column.file_name(kind, "map"),
        heading: format!("{}, as a map", column.heading(kind)),
        caption,
        drawing: Drawing::Map(map),
    }
}

/// A map over two axes of the sweep, whose values stand in order.
fn of_points(
    view: &MergedView<'_>,
    column: &Column,
    [x, y]: [&Dimension; 2],
    kind: &str,
    rows: &[usize],
    at: &str,
) -> Option<MergedFigure> {
    let cells = cells(view, column, [x, y], rows)?;
    let marks = [x, y].map(|one| one.levels().into_iter().map(|row| mark(one, row)).collect());
    let log = span_decades(cells.iter().flatten().copied());
    let caption = format!(
        "Means over {} at each point. The values of both axes stand in order, not to scale.{at}{}",
        view.replicas(rows),
        if cells.iter().flatten().any(|value| value.is_nan()) { " White: not known." } else { "" }
    );
    let map = HeatMap {
        title: String::new(),
        x: Axis::linear(&x.label),
        y: Axis::linear(&y.label),
        value: Axis { label: column.label.clone(), log },
        from_zero: false,
        span: [[0.0, 1.0]; 2],
        marks,
        rows: cells,
    };
    Some(figure(column, kind, caption, map))
}

/// What stands at a column or a row: numbers without the unit, which the axis has.
fn mark(one: &Dimension, row: usize) -> String {
    let text = &one.texts[row];
    match one.is_numeric() {
        true => text.split_whitespace().next().unwrap_or(text).to_owned(),
        false => text.clone(),
    }
}

/// A map over a plane, to scale.
fn of_plane(
    view: &MergedView<'_>,
    column: &Column,
    [x, y]: [&Dimension; 2],
    group: &Group,
) -> Option<MergedFigure> {
    let cells = cells(view, column, [x, y], &group.rows)?;
    let span = [x, y].map(|one| {
        let levels = one.levels();
        let [low, high] = [levels[0], levels[levels.len() - 1]].map(|row| one.numbers[row]);
        let half = 0.5 * (high - low) / (levels.len() - 1) as f64;
        [low - half, high + half]
    });
    let map = HeatMap {
        title: String::new(),
        x: Axis::linear(&x.label),
        y: Axis::linear(&y.label),
        value: Axis::linear(&column.label),
        from_zero: cells.iter().flatten().all(|value| value.is_nan() || *value >= 0.0),
        span,
        marks: [vec![], vec![]],
        rows: cells,
    };
    let caption = format!("Means over {}.", view.replicas(&group.rows));
    Some(figure(column, &group.name, caption, map))
}
