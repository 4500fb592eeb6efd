//! Plots of lines and points, with units, logarithmic axes, error bars and a legend.

use std::path::Path;

use super::Colour;
use super::sheet::{Anchor, PictureError, Sheet, Stroke, text_width};
use super::ticks::Scale;

/// A plot of one or more series.
///
/// ```
/// use jostle::report::{Axis, Plot, Series};
///
/// let plot = Plot {
///     title: "Mean squared displacement".into(),
///     x: Axis::log("time [µs]"),
///     y: Axis::log("⟨r²⟩ [nm²]"),
///     series: vec![
///         Series::points("measured", vec![[1.0, 4.1], [10.0, 39.5], [100.0, 402.0]])
///             .errors(vec![0.3, 2.0, 15.0]),
///         Series::line("4 D t", vec![[1.0, 4.0], [100.0, 400.0]]),
///     ],
/// };
/// assert!(plot.draw().to_svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Above the plot; empty for none.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is plotted, in the order of the legend.
    pub series: Vec<Series>,
}

/// An axis of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it shows, with the unit: `time [µs]`.
    pub label: String,
    /// Whether it is logarithmic. Numbers that are not positive are then left out.
    pub log: bool,
}

/// One line or one kind of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// For the legend; a series without a name is not listed there.
    pub name: String,
    /// Pairs of x and y. Points that are not numbers are left out.
    pub points: Vec<[f64; 2]>,
    /// The standard error of each y, or nothing.
    pub errors: Vec<f64>,
    /// How it is drawn.
    pub style: Style,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A line.
    Line,
    /// A dashed line: theory, guides to the eye.
    Dashed,
    /// Points.
    Points,
    /// Points joined by a line.
    LinePoints,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            log: false,
        }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            log: true,
        }
    }
}

impl Series {
    /// A series drawn in the given style, without errors.
    pub fn new(name: &str, points: Vec<[f64; 2]>, style: Style) -> Self {
        Self {
            name: name.to_owned(),
            points,
            errors: Vec::new(),
            style,
        }
    }

    /// A line.
    pub fn line(name: &str, points: Vec<[f64; 2]>) -> Self {
        Self::new(name, points, Style::Line)
    }

    /// Points.
    pub fn points(name: &str, points: Vec<[f64; 2]>) -> Self {
        Self::new(name, points, Style::Points)
    }

    /// With the standard error of each point.
    #[must_use]
    pub fn errors(mut self, errors: Vec<f64>) -> Self {
        self.errors = errors;
        self
    }

    /// The least and greatest y of each point, errors included.
    fn span(&self, n: usize) -> [f64; 2] {
        let (y, error) = (
            self.points[n][1],
            self.errors.get(n).map_or(0.0, |e| e.abs()),
        );
        [y - error, y + error]
    }
}

const SIZE: [f64; 2] = [760.0, 480.0];
const TITLE: f64 = 17.0;
const LABEL: f64 = 14.0;
const TICK: f64 = 12.5;
const LEGEND: f64 = 13.0;
const MARGIN: f64 = 18.0;
/// The length of the sample line in the legend.
const SAMPLE: f64 = 26.0;

impl Plot {
    /// Draws the plot.
    pub fn draw(&self) -> Sheet {
        let mut sheet = Sheet::new(SIZE, &self.title);
        let frame = Frame::of(self);
        frame.axes(self, &mut sheet);
        for (n, series) in self.series.iter().enumerate() {
            frame.series(series, n, &mut sheet);
        }
        frame.legend(self, &mut sheet);
        sheet
    }

    /// Writes the plot as SVG, in which text stays text.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn svg(&self, path: &Path) -> Result<(), PictureError> {
        self.draw().svg(path)
    }

    /// Writes the plot as PNG.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn png(&self, path: &Path) -> Result<(), PictureError> {
        self.draw().png(path)
    }

    fn scales(&self) -> (Scale, Scale) {
        let (log_x, log_y) = (self.x.log, self.y.log);
        // A point that has no place on one axis does not stretch the other.
        let shown = move |p: &[f64; 2]| {
            p[0].is_finite() && p[1].is_finite() && (!log_x || p[0] > 0.0) && (!log_y || p[1] > 0.0)
        };
        let points = || {
            let pairs = self.series.iter();
            let pairs = pairs.flat_map(|s| (0..s.points.len()).map(move |n| (s, n)));
            pairs.filter(move |(s, n)| shown(&s.points[*n]))
        };
        let ys = points().flat_map(|(s, n)| {
            let [low, high] = s.span(n);
            // An error bar that nearly reaches zero does not stretch a logarithmic axis.
            [s.points[n][1], if log_y { high } else { low }, high]
        });
        (
            Scale::around(points().map(|(s, n)| s.points[n][0]), log_x),
            Scale::around(ys, log_y),
        )
    }
}

/// The rectangle that the data are drawn in.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: Scale,
    y: Scale,
}

impl Frame {
    fn of(plot: &Plot) -> Self {
        let (x, y) = plot.scales();
        let widest = |texts: &mut dyn Iterator<Item = &str>, size: f64| {
            texts.map(|text| text_width(text, size)).fold(0.0, f64::max)
        };
        let ticks = widest(
            &mut y.labelled.iter().map(|(_, label)| label.as_str()),
            TICK,
        );
        let names = widest(&mut plot.series.iter().map(|s| s.name.as_str()), LEGEND);
        let legend = if names > 0.0 {
            names + SAMPLE + 30.0
        } else {
            0.0
        };
        Self {
            left: MARGIN + 1.6 * LABEL + ticks + 12.0,
            right: SIZE[0] - MARGIN - legend.max(14.0),
            top: if plot.title.is_empty() {
                MARGIN
            } else {
                MARGIN + 2.0 * TITLE
            },
            bottom: SIZE[1] - MARGIN - 1.6 * LABEL - 1.8 * TICK,
            x,
            y,
        }
    }

    fn across(&self, x: f64) -> f64 {
        self.left + self.x.place(x) * (self.right - self.left)
    }

    fn up(&self, y: f64) -> f64 {
        self.bottom - self.y.place(y) * (self.bottom - self.top)
    }

    fn axes(&self, plot: &Plot, sheet: &mut Sheet) {
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
        sheet.text(
            [left, MARGIN + 0.5 * TITLE],
            &plot.title,
            TITLE,
            Anchor::Start,
        );
        let below = SIZE[1] - MARGIN - 0.4 * LABEL;
        sheet.text([middle[0], below], &plot.x.label, LABEL, Anchor::Middle);
        sheet.text_upwards([MARGIN + 0.5 * LABEL, middle[1]], &plot.y.label, LABEL);
    }

    /// Whether a point has a place on both axes.
    fn shows(&self, [x, y]: [f64; 2]) -> bool {
        let ok = |scale: &Scale, v: f64| v.is_finite() && (!scale.log || v > 0.0);
        ok(&self.x, x) && ok(&self.y, y)
    }

    fn series(&self, series: &Series, n: usize, sheet: &mut Sheet) {
        let colour = Colour::of_class(n);
        let place = |p: [f64; 2]| [self.across(p[0]), self.up(p[1])];
        if let Some(stroke) = stroke(series.style, colour) {
            // A point without a place interrupts the line.
            for run in series.points.split(|p| !self.shows(*p)) {
                if run.len() > 1 {
                    sheet.line(run.iter().map(|p| place(*p)).collect(), stroke);
                }
            }
        }
        for (k, &point) in series.points.iter().enumerate() {
            if !self.shows(point) {
                continue;
            }
            let at = place(point);
            if series
                .errors
                .get(k)
                .is_some_and(|e| e.is_finite() && *e != 0.0)
            {
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

    /// The legend stands to the right of the plot, where it covers nothing.
    fn legend(&self, plot: &Plot, sheet: &mut Sheet) {
        let named = plot
            .series
            .iter()
            .enumerate()
            .filter(|(_, s)| !s.name.is_empty());
        for (row, (n, series)) in named.enumerate() {
            let x = self.right + 18.0;
            let y = self.top + 10.0 + 1.7 * LEGEND * row as f64;
            if let Some(stroke) = stroke(series.style, Colour::of_class(n)) {
                sheet.line(vec![[x, y], [x + SAMPLE, y]], stroke);
            }
            if has_points(series.style) {
                marker([x + 0.5 * SAMPLE, y], n, sheet);
            }
            sheet.text([x + SAMPLE + 8.0, y], &series.name, LEGEND, Anchor::Start);
        }
    }
}

fn stroke(style: Style, colour: Colour) -> Option<Stroke> {
    let solid = Stroke::solid(colour, 2.0);
    match style {
        Style::Points => None,
        Style::Line | Style::LinePoints => Some(solid),
        Style::Dashed => Some(Stroke {
            dash: Some([7.0, 5.0]),
            ..solid
        }),
    }
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

#[cfg(test)]
mod tests {
    use super::super::sheet::Shape;
    use super::*;

    fn example() -> Plot {
        let curve =
            |f: &dyn Fn(f64) -> f64| (0..6).map(|n| 10f64.powi(n)).map(|x| [x, f(x)]).collect();
        Plot {
            title: "Time per step".into(),
            x: Axis::log("bodies"),
            y: Axis::log("time per step [ms]"),
            series: vec![
                Series::new("naive", curve(&|x| 1e-6 * x * x), Style::LinePoints),
                Series::points("slices along z", curve(&|x| 1e-3 * x)).errors(vec![1e-3; 6]),
                Series::new("linear", curve(&|x| 2e-4 * x), Style::Dashed),
            ],
        }
    }

    fn texts(sheet: &Sheet) -> Vec<&str> {
        let shapes = sheet.shapes.iter();
        shapes
            .filter_map(|s| match s {
                Shape::Text(text) => Some(text.text.as_str()),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn title_axes_and_every_series_are_named() {
        let sheet = example().draw();
        let texts = texts(&sheet);
        for expected in [
            "Time per step",
            "bodies",
            "time per step [ms]",
            "naive",
            "linear",
        ] {
            assert!(texts.contains(&expected), "{expected} is not in {texts:?}");
        }
    }

    #[test]
    fn everything_stays_on_the_sheet_and_the_legend_off_the_data() {
        let plot = example();
        let sheet = plot.draw();
        let frame = Frame::of(&plot);
        for shape in &sheet.shapes {
            if let Shape::Text(text) = shape {
                let width = text_width(&text.text, text.size);
                let left = match text.anchor {
                    Anchor::Start => text.at[0],
                    Anchor::Middle if text.upwards => text.at[0],
                    Anchor::Middle => text.at[0] - 0.5 * width,
                    Anchor::End => text.at[0] - width,
                };
                assert!(left >= 0.0 && left <= SIZE[0], "{text:?}");
                if plot.series.iter().any(|s| s.name == text.text) {
                    assert!(left > frame.right && left + width <= SIZE[0], "{text:?}");
                }
            }
        }
    }

    #[test]
    fn points_without_a_place_are_left_out_and_interrupt_lines() {
        let mut plot = example();
        plot.series = vec![Series::line(
            "gap",
            vec![
                [1.0, 1.0],
                [2.0, 2.0],
                [3.0, -1.0],
                [4.0, f64::NAN],
                [5.0, 5.0],
                [6.0, 6.0],
            ],
        )];
        let sheet = plot.draw();
        let wide = |s: &&Shape| matches!(s, Shape::Line { stroke, .. } if stroke.width == 2.0);
        // two runs and the sample in the legend
        assert_eq!(sheet.shapes.iter().filter(wide).count(), 3);
    }

    #[test]
    fn an_empty_plot_is_still_a_plot() {
        let plot = Plot {
            title: String::new(),
            x: Axis::linear("x"),
            y: Axis::linear("y"),
            series: Vec::new(),
        };
        assert!(plot.draw().to_svg().contains("</svg>"));
    }
}
