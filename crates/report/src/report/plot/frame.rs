//! Where everything on a plot goes: axes, marks, series and legend.

use super::super::Colour;
use super::super::sheet::{Anchor, Sheet, Stroke, text_width};
use super::super::ticks::Scale;
use super::{Plot, SIZE, Series, Style};
use jostle_files::shortened;

const TITLE: f64 = 17.0;
const LABEL: f64 = 14.0;
const TICK: f64 = 12.5;
const LEGEND: f64 = 13.0;
const MARGIN: f64 = 18.0;
/// The most characters of a name in the legend.
const LONGEST_NAME: usize = 120;
/// The room for a legend that the sheet has anyway.
const USUAL_LEGEND: f64 = 190.0;
/// A plot that would be narrower has its legend below.
const LEAST_ACROSS: f64 = 300.0;
/// The length of the sample line in the legend.
const SAMPLE: f64 = 26.0;

/// The rectangle that the data are drawn in.
pub(super) struct Frame {
    /// Of the whole sheet.
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    x: Scale,
    y: Scale,
    /// Whether the legend is below the axes, not at their right.
    has_legend_below: bool,
}

impl Frame {
    pub(super) fn of(plot: &Plot, height: f64) -> Self {
        let names = plot
            .series
            .iter()
            .map(|series| text_width(&shortened(&series.name, LONGEST_NAME), LEGEND));
        let names = names.fold(0.0, f64::max);
        let legend = if names > 0.0 { names + SAMPLE + 30.0 } else { 0.0 };
        Self::with_room(plot.scales(), !plot.title.is_empty(), legend, height)
    }

    /// A frame on a sheet of some width, with the legend at the right if there is room for it.
    pub(super) fn of_width(plot: &Plot, width: f64) -> Self {
        let usual = Self::of(plot, 0.63 * width);
        let legend = usual.width - usual.right;
        if width - legend - usual.left >= LEAST_ACROSS {
            return Self { width, right: width - legend, ..usual };
        }
        let frame = Self { width, right: width - MARGIN, has_legend_below: true, ..usual };
        let rows = frame.places_below(plot).last().map_or(0.0, |[_, y]| y - frame.height);
        Self { height: frame.height + rows + MARGIN, ..frame }
    }

    /// Where the entries of a legend below the axes begin.
    fn places_below(&self, plot: &Plot) -> Vec<[f64; 2]> {
        let (mut x, mut y) = (self.left, self.bottom + 1.6 * LABEL + 1.8 * TICK + 1.4 * LEGEND);
        let mut places = Vec::new();
        for series in plot.series.iter().filter(|series| !series.name.is_empty()) {
            let wide = SAMPLE + 8.0 + text_width(&shortened(&series.name, LONGEST_NAME), LEGEND);
            if x > self.left && x + wide > self.width - 0.5 * MARGIN {
                (x, y) = (self.left, y + 1.7 * LEGEND);
            }
            places.push([x, y]);
            x += wide + 20.0;
        }
        places
    }

    /// A frame on a sheet of some height, with some room for a legend at its right.
    pub(super) fn with_room((x, y): (Scale, Scale), title: bool, legend: f64, height: f64) -> Self {
        let width = SIZE[0] + (legend - USUAL_LEGEND).max(0.0);
        let ticks = y.labelled.iter().map(|(_, label)| text_width(label, TICK)).fold(0.0, f64::max);
        Self {
            left: MARGIN + 1.6 * LABEL + ticks + 12.0,
            right: width - MARGIN - legend.max(14.0),
            width,
            height,
            top: if title { MARGIN + 2.0 * TITLE } else { MARGIN },
            bottom: height - MARGIN - 1.6 * LABEL - 1.8 * TICK,
            x,
            y,
            has_legend_below: false,
        }
    }

    pub(super) fn across(&self, x: f64) -> f64 {
        self.left + self.x.place(x) * (self.right - self.left)
    }

    pub(super) fn up(&self, y: f64) -> f64 {
        self.bottom - self.y.place(y) * (self.bottom - self.top)
    }

    /// Axes with marks, labels and the title; over a grid if there is one.
    pub(super) fn axes(&self, [title, x_label, y_label]: [&str; 3], sheet: &mut Sheet) {
        let grid = Stroke::solid(Colour::FAINT, 0.8);
        let ink = Stroke::solid(Colour::INK, 1.0);
        let (left, right, top, bottom) = (self.left, self.right, self.top, self.bottom);
        for (value, label) in &self.x.labelled {
            let x = self.across(*value);
            sheet.line(vec![[x, bottom], [x, top]], grid);
            sheet.line(vec![[x, bottom], [x, bottom + 6.0]], ink);
            sheet.text([x, bottom + 8.0 + 0.8 * TICK], label, TICK, Anchor::Middle);
        }
        for (value, label) in &self.y.labelled {
            let y = self.up(*value);
            sheet.line(vec![[left, y], [right, y]], grid);
            sheet.line(vec![[left - 6.0, y], [left, y]], ink);
            sheet.text([left - 10.0, y], label, TICK, Anchor::End);
        }
        for &value in &self.x.minor {
            let x = self.across(value);
            sheet.line(vec![[x, bottom], [x, bottom + 3.0]], ink);
        }
        for &value in &self.y.minor {
            let y = self.up(value);
            sheet.line(vec![[left - 3.0, y], [left, y]], ink);
        }
        sheet.line(vec![[left, top], [left, bottom], [right, bottom]], ink);
        let middle = [0.5 * (left + right), 0.5 * (top + bottom)];
        sheet.text([left, MARGIN + 0.5 * TITLE], title, TITLE, Anchor::Start);
        let below = bottom + 1.2 * LABEL + 1.8 * TICK;
        let size = fitting(x_label, right - MARGIN);
        sheet.text([middle[0], below], x_label, size, Anchor::Middle);
        let size = fitting(y_label, 2.0 * middle[1].min(self.height - middle[1]));
        sheet.text_upwards([MARGIN + 0.5 * LABEL, middle[1]], y_label, size);
    }

    /// Whether a point has a place on both axes.
    fn shows(&self, [x, y]: [f64; 2]) -> bool {
        let ok = |scale: &Scale, v: f64| v.is_finite() && (!scale.log || v > 0.0);
        ok(&self.x, x) && ok(&self.y, y)
    }

    pub(super) fn series(&self, series: &Series, n: usize, sheet: &mut Sheet) {
        let colour = Colour::of_class(n);
        if let Some(stroke) = stroke(series.style, colour) {
            self.lines(series, stroke, sheet);
        }
        if series.style == Style::Band {
            return;
        }
        for (k, &point) in series.points.iter().enumerate().filter(|(_, point)| self.shows(**point))
        {
            let mut at = [self.across(point[0]), self.up(point[1])];
            if let (Style::Histogram, Some(next)) = (series.style, series.points.get(k + 1)) {
                // The middle of the bin as one sees it, also on a logarithmic axis.
                at[0] = 0.5 * (at[0] + self.across(next[0]));
            }
            if series.has_error(k) {
                let [low, high] = series.span(k).map(|y| self.up(y));
                let bar = Stroke::solid(colour, 1.2);
                sheet.line(vec![[at[0], low], [at[0], high]], bar);
                for y in [low, high] {
                    sheet.line(vec![[at[0] - 3.5, y], [at[0] + 3.5, y]], bar);
                }
            }
            if has_points(series.style) {
                marker(at, n, sheet);
            }
        }
    }

    /// The line through a series, which a point without a place interrupts; of a histogram, the
    /// outline of each bar, since empty bins have no place on a logarithmic axis.
    fn lines(&self, series: &Series, stroke: Stroke, sheet: &mut Sheet) {
        if series.style == Style::Histogram {
            for pair in series.points.windows(2).filter(|pair| self.shows(pair[0])) {
                sheet.line(self.bar(pair), stroke);
            }
            return;
        }
        for run in series.points.split(|p| !self.shows(*p)).filter(|run| run.len() > 1) {
            let corners = if series.style == Style::Stairs { in_stairs(run) } else { run.to_vec() };
            sheet.line(
                corners.into_iter().map(|p| [self.across(p[0]), self.up(p[1])]).collect(),
                stroke,
            );
        }
    }

    /// The corners of a bar, from its foot on the left to that on the right.
    fn bar(&self, pair: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let [left, right] = [self.across(pair[0][0]), self.across(pair[1][0])];
        let foot = if self.y.log { self.bottom } else { self.up(0.0) };
        let top = self.up(pair[0][1]);
        vec![[left, foot], [left, top], [right, top], [right, foot]]
    }

    /// What a series fills: bars down to the axis, bands.
    pub(super) fn fill(&self, series: &Series, n: usize, sheet: &mut Sheet) {
        let colour = Colour::of_class(n);
        for (k, pair) in
            series.points.windows(2).enumerate().filter(|(_, pair)| self.shows(pair[0]))
        {
            match series.style {
                Style::Histogram => sheet.tint(self.bar(pair), colour),
                Style::Band
                    if self.shows(pair[1]) && series.has_error(k) && series.has_error(k + 1) =>
                {
                    let [x0, x1] = [self.across(pair[0][0]), self.across(pair[1][0])];
                    let [a, b] = [k, k + 1].map(|k| series.span(k).map(|y| self.up(y)));
                    sheet.tint(vec![[x0, a[0]], [x1, b[0]], [x1, b[1]], [x0, a[1]]], colour);
                }
                _ => (),
            }
        }
    }

    /// The legend stands to the right of the plot or below it, where it covers nothing.
    pub(super) fn legend(&self, plot: &Plot, sheet: &mut Sheet) {
        let named = plot.series.iter().enumerate().filter(|(_, s)| !s.name.is_empty());
        let below = if self.has_legend_below { self.places_below(plot) } else { Vec::new() };
        for (row, (n, series)) in named.enumerate() {
            let beside = [self.right + 18.0, self.top + 10.0 + 1.7 * LEGEND * row as f64];
            let [x, y] = below.get(row).copied().unwrap_or(beside);
            if matches!(series.style, Style::Histogram | Style::Band) {
                let end = x + SAMPLE;
                let corners = vec![[x, y - 5.0], [end, y - 5.0], [end, y + 5.0], [x, y + 5.0]];
                sheet.tint(corners, Colour::of_class(n));
            }
            if let Some(stroke) = stroke(series.style, Colour::of_class(n)) {
                sheet.line(vec![[x, y], [x + SAMPLE, y]], stroke);
            }
            if has_points(series.style) {
                marker([x + 0.5 * SAMPLE, y], n, sheet);
            }
            sheet.text(
                [x + SAMPLE + 8.0, y],
                &shortened(&series.name, LONGEST_NAME),
                LEGEND,
                Anchor::Start,
            );
        }
    }
}

/// The size of a label that has this much room.
fn fitting(label: &str, room: f64) -> f64 {
    LABEL * (room / text_width(label, LABEL)).min(1.0)
}

fn stroke(style: Style, colour: Colour) -> Option<Stroke> {
    let solid = Stroke::solid(colour, 2.0);
    match style {
        Style::Points => None,
        Style::Line | Style::LinePoints | Style::Band | Style::Stairs => Some(solid),
        Style::Histogram => Some(Stroke { width: 1.4, ..solid }),
        Style::Dashed => Some(Stroke { dash: Some([7.0, 5.0]), ..solid }),
    }
}

/// The corners of the stairs through some points.
fn in_stairs(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let steps = points.windows(2).flat_map(|pair| [pair[0], [pair[1][0], pair[0][1]]]);
    steps.chain(points.last().copied()).collect()
}

fn has_points(style: Style) -> bool {
    matches!(style, Style::Points | Style::LinePoints)
}

/// The mark of series `n`: shape as well as colour tell the series apart, on grey paper too.
fn marker([x, y]: [f64; 2], n: usize, sheet: &mut Sheet) {
    let colour = Colour::of_class(n);
    let r = 4.2;
    let offsets: &[[f64; 2]] = match n % 5 {
        0 => return sheet.disc([x, y], r, colour, None),
        1 => &[[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
        2 => &[[0.0, -1.2], [1.1, 0.8], [-1.1, 0.8]],
        3 => &[[0.0, -1.3], [1.3, 0.0], [0.0, 1.3], [-1.3, 0.0]],
        _ => &[[0.0, 1.2], [-1.1, -0.8], [1.1, -0.8]],
    };
    let corners = offsets.iter().map(|[dx, dy]| [x + r * dx, y + r * dy]);
    sheet.polygon(corners.collect(), colour);
}
