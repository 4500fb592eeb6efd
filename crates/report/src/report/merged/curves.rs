//! Curves with bands, and points with intervals.

use super::super::plot::{Axis, Plot, Series, Style};
use super::dimensions::{Dimension, Source};
use super::view::{Column, Group, MergedView, evenly, grouped, span_decades};
use super::{Drawing, MergedFigure};

/// The most series of a figure: as many as there are colours.
const MOST_SERIES: usize = 8;

/// What a figure runs over, and how it is said.
struct Abscissa<'a> {
    along: &'a Dimension,
    /// What tells series apart.
    across: Vec<&'a Dimension>,
    style: Style,
    remark: &'static str,
}

/// The figures of a column as curves.
pub(super) fn of(view: &MergedView<'_>, column: &Column) -> Vec<MergedFigure> {
    let points = Dimension::of_points(&view.merged.rows);
    let abscissas = abscissas(view, column, &points);
    abscissas.iter().flat_map(|abscissa| figures(view, column, abscissa)).collect()
}

/// What the rows run over: time, size and the like; otherwise the axis of the sweep with most
/// numbers, or all axes if no two points differ in one alone.
fn abscissas<'a>(
    view: &'a MergedView<'_>,
    column: &Column,
    points: &'a Dimension,
) -> Vec<Abscissa<'a>> {
    let dimensions = || view.dimensions.iter();
    let others = |along: &Dimension| dimensions().filter(|one| *one != along).collect::<Vec<_>>();
    if let Some(along) = dimensions().find(|one| one.source == Source::Running) {
        return vec![Abscissa { along, across: others(along), style: Style::Band, remark: "" }];
    }
    let of_sweep = || dimensions().filter(|one| one.source == Source::Sweep);
    let numeric: Vec<&Dimension> = of_sweep().filter(|one| one.is_numeric()).collect();
    let words = || dimensions().filter(|one| one.source == Source::Words).collect::<Vec<_>>();
    // Of several with as many, the first.
    let Some(&along) = numeric.iter().rev().max_by_key(|one| one.levels().len()) else {
        let several = of_sweep().next().is_some();
        let abscissa = Abscissa {
            along: points,
            across: words(),
            style: Style::Points,
            remark: " Points have the numbers of the table of points.",
        };
        return several.then_some(abscissa).into_iter().collect();
    };
    let groups = grouped(&column.rows, &others(along));
    if numeric.len() > 1 && groups.iter().all(|group| group.rows.len() < 2) {
        let remark = " Other values differ from point to point as well.";
        let style = Style::Points;
        let abscissa = |along| Abscissa { along, across: words(), style, remark };
        return numeric.into_iter().map(abscissa).collect();
    }
    vec![Abscissa { along, across: others(along), style: Style::LinePoints, remark: "" }]
}

/// A figure, or one for each kind of rows if one would be too full.
fn figures(view: &MergedView<'_>, column: &Column, abscissa: &Abscissa<'_>) -> Vec<MergedFigure> {
    let words = |one: &&&Dimension| one.source == Source::Words;
    let groups = grouped(&column.rows, &abscissa.across).len();
    let kinds: Vec<&Dimension> = abscissa.across.iter().filter(words).copied().collect();
    if groups <= MOST_SERIES || kinds.len() == abscissa.across.len() {
        let all = Group { name: String::new(), rows: column.rows.clone() };
        return figure(view, column, abscissa, &all, &abscissa.across).into_iter().collect();
    }
    let rest: Vec<&Dimension> = abscissa.across.iter().filter(|one| !words(one)).copied().collect();
    let mut kinds = grouped(&column.rows, &kinds);
    // Of many kinds, those that are the same everywhere tell least.
    if kinds.iter().any(|kind| column.differs_in(view, &kind.rows)) {
        kinds.retain(|kind| column.differs_in(view, &kind.rows));
    }
    kinds.iter().filter_map(|kind| figure(view, column, abscissa, kind, &rest)).collect()
}

/// The figure of some rows, a series for each group of them; none if nothing is known of them.
fn figure(
    view: &MergedView<'_>,
    column: &Column,
    abscissa: &Abscissa<'_>,
    rows: &Group,
    across: &[&Dimension],
) -> Option<MergedFigure> {
    let all = grouped(&rows.rows, across).into_iter();
    let all = all.map(|group| (series(view, column, abscissa, &group), group.rows));
    let all: Vec<(Series, Vec<usize>)> = all.filter(|(one, _)| !one.points.is_empty()).collect();
    let count = all.len();
    let shown = evenly(all, MOST_SERIES);
    let mut said = match count > shown.len() {
        true => format!(" {} of {count} series are shown, evenly chosen.", shown.len()),
        false => String::new(),
    };
    let (series, rows_shown): (Vec<Series>, Vec<Vec<usize>>) = shown.into_iter().unzip();
    let reaches = || {
        let values = rows_shown.iter().flatten().filter_map(|&row| column.value(view, row));
        values.map(|value| value.reach)
    };
    let is_known = reaches().any(|reach| !reach.is_nan());
    if is_known && reaches().any(f64::is_nan) {
        said += " Where there is none, it is not known how much replicas scatter.";
    }
    let how = match (is_known, reaches().any(|reach| reach > 0.0), abscissa.style) {
        (true, true, Style::Band) => "within bands of 95 % intervals",
        (true, true, _) => "with 95 % intervals",
        (true, false, _) => "which do not differ",
        (false, ..) => "without intervals, since it is not known how much replicas scatter",
    };
    let means = format!("Means over {}, {how}.", view.replicas(&rows_shown.concat()));
    let ys = series.iter().flat_map(|one| &one.points).map(|point| point[1]);
    let log = abscissa.along.is_log();
    let log_y = log && span_decades(ys);
    let axis = |label: &str, log| Axis { label: label.to_owned(), log };
    let plot = Plot {
        title: String::new(),
        x: axis(&abscissa.along.label, log),
        y: axis(&column.label, log_y),
        series,
    };
    (count > 0).then(|| MergedFigure {
        name: column.file_name(&rows.name, ""),
        heading: column.heading(&rows.name),
        caption: format!("{means}{}{said}", abscissa.remark),
        drawing: Drawing::Plot(plot),
    })
}

/// The points of a group, in the order along the figure.
fn series(
    view: &MergedView<'_>,
    column: &Column,
    abscissa: &Abscissa<'_>,
    group: &Group,
) -> Series {
    let point = |&row: &usize| {
        let value = column.value(view, row)?;
        let x = abscissa.along.numbers[row];
        // What has no error has no interval, and does not stretch the axis.
        let reach = if value.reach.is_finite() { value.reach } else { 0.0 };
        let interval = [value.mean - reach, value.mean + reach];
        (x.is_finite() && value.mean.is_finite()).then_some(([x, value.mean], interval))
    };
    let mut known: Vec<([f64; 2], [f64; 2])> = group.rows.iter().filter_map(point).collect();
    known.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    let (points, intervals): (Vec<_>, Vec<_>) = known.into_iter().unzip();
    // One point is no line.
    let style = match (points.len(), abscissa.style) {
        (1, _) => Style::Points,
        (_, Style::Band) if intervals.iter().all(|[low, high]| low >= high) => Style::Line,
        (_, style) => style,
    };
    Series::new(&group.name, points, style).intervals(intervals)
}
