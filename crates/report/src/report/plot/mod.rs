//! Plots of lines, points, histograms and maps, with units, logarithmic axes, error bars and a
//! legend.

mod frame;
mod map;
mod panels;
mod units;

use super::sheet::Sheet;
use super::ticks::Scale;
use frame::Frame;
pub use map::HeatMap;
pub use panels::Panels;

/// A plot of one or more series.
///
/// ```
/// use jostle_report::report::{Axis, Plot, Series};
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
    /// Or from where to where each y may be: intervals that need not be symmetric.
    pub intervals: Vec<[f64; 2]>,
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
    /// A line within a band as wide as its errors.
    Band,
    /// A line that keeps each value until the next point: survival, counts.
    Stairs,
    /// Filled bars: each point is the left edge of a bin and its height, the last the right edge of
    /// all. Errors are drawn in the middle of the bins.
    Histogram,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), log: false }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Self {
        Self { label: label.to_owned(), log: true }
    }
}

impl Series {
    /// A series drawn in the given style, without errors.
    pub fn new(name: &str, points: Vec<[f64; 2]>, style: Style) -> Self {
        Self { name: name.to_owned(), points, errors: Vec::new(), intervals: Vec::new(), style }
    }

    /// A line.
    pub fn line(name: &str, points: Vec<[f64; 2]>) -> Self {
        Self::new(name, points, Style::Line)
    }

    /// Points.
    pub fn points(name: &str, points: Vec<[f64; 2]>) -> Self {
        Self::new(name, points, Style::Points)
    }

    /// Bars between the edges of bins, of which there is one more than heights.
    pub fn histogram(name: &str, edges: &[f64], heights: &[f64]) -> Self {
        let mut points: Vec<[f64; 2]> = edges.iter().zip(heights).map(|(&x, &y)| [x, y]).collect();
        points.extend(edges.get(heights.len()).zip(heights.last()).map(|(&x, &y)| [x, y]));
        Self::new(name, points, Style::Histogram)
    }

    /// With the standard error of each point.
    #[must_use]
    pub fn errors(mut self, errors: Vec<f64>) -> Self {
        self.errors = errors;
        self
    }

    /// With an interval for each point, from where to where its y may be.
    #[must_use]
    pub fn intervals(mut self, intervals: Vec<[f64; 2]>) -> Self {
        self.intervals = intervals;
        self
    }

    /// Whether a point has an error that can be drawn.
    fn has_error(&self, n: usize) -> bool {
        let [low, high] = self.span(n);
        low.is_finite() && high.is_finite() && low < high
    }

    /// The least and greatest y of each point, errors included.
    fn span(&self, n: usize) -> [f64; 2] {
        if let Some(&interval) = self.intervals.get(n) {
            return interval;
        }
        let (y, error) = (self.points[n][1], self.errors.get(n).map_or(0.0, |e| e.abs()));
        [y - error, y + error]
    }
}

/// The sheet's width and height; it is wider if the legend has long names, so that the plot keeps
/// its width.
const SIZE: [f64; 2] = [760.0, 480.0];

impl Plot {
    /// Draws the plot.
    pub fn draw(&self) -> Sheet {
        self.draw_of_height(SIZE[1])
    }

    /// Draws the plot on a sheet of this height.
    fn draw_of_height(&self, height: f64) -> Sheet {
        let frame = Frame::of(self, height);
        self.draw_in(&frame).of_plot(self)
    }

    /// Draws the plot without its title on a sheet of this width.
    pub(super) fn draw_of_width(&self, width: f64) -> Sheet {
        let plot = Self { title: String::new(), ..self.clone() };
        plot.draw_in(&Frame::of_width(&plot, width))
    }

    fn draw_in(&self, frame: &Frame) -> Sheet {
        let height = frame.height;
        let mut sheet = Sheet::new([frame.width, height], &self.title);
        frame.axes([&self.title, &self.x.label, &self.y.label], &mut sheet);
        // What is filled lies under what is not.
        for (n, series) in self.series.iter().enumerate() {
            frame.fill(series, n, &mut sheet);
        }
        for (n, series) in self.series.iter().enumerate() {
            frame.series(series, n, &mut sheet);
        }
        frame.legend(self, &mut sheet);
        sheet
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
        // Errors of what cannot be negative do not stretch the axis below zero.
        let positive = points().all(|(s, n)| s.points[n][1] >= 0.0);
        let ys = points().flat_map(|(s, n)| {
            let [low, high] = s.span(n);
            let low = if positive { low.max(0.0) } else { low };
            let high = if high.is_finite() { high } else { s.points[n][1] };
            // An error bar that nearly reaches zero does not stretch a logarithmic axis.
            let foot = if s.style == Style::Histogram && !log_y { 0.0 } else { high };
            [s.points[n][1], if log_y { high } else { low }, high, foot]
        });
        (Scale::around(points().map(|(s, n)| s.points[n][0]), log_x), Scale::around(ys, log_y))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheet::{Anchor, Shape, text_width};
    use super::*;

    fn example() -> Plot {
        let curve =
            |f: &dyn Fn(f64) -> f64| (0..6).map(|n| 10f64.powi(n)).map(|x| [x, f(x)]).collect();
        Plot {
            title: "Time per step".into(),
            x: Axis::log("particles"),
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
        for expected in ["Time per step", "particles", "time per step [ms]", "naive", "linear"] {
            assert!(texts.contains(&expected), "{expected} is not in {texts:?}");
        }
    }

    #[test]
    fn everything_stays_on_the_sheet_and_the_legend_off_the_data() {
        let plot = example();
        let sheet = plot.draw();
        let frame = Frame::of(&plot, SIZE[1]);
        for shape in &sheet.shapes {
            if let Shape::Text(text) = shape {
                let width = text_width(&text.text, text.size);
                let left = match text.anchor {
                    Anchor::Start => text.at[0],
                    Anchor::Middle if text.upwards => text.at[0],
                    Anchor::Middle => text.at[0] - 0.5 * width,
                    Anchor::End => text.at[0] - width,
                };
                assert!((0.0..=sheet.size[0]).contains(&left), "{text:?}");
                if plot.series.iter().any(|s| s.name == text.text) {
                    assert!(left > frame.right && left + width <= sheet.size[0], "{text:?}");
                }
            }
        }
    }

    #[test]
    fn points_without_a_place_are_left_out_and_interrupt_lines() {
        let mut plot = example();
        plot.series = vec![Series::line(
            "gap",
            vec![[1.0, 1.0], [2.0, 2.0], [3.0, -1.0], [4.0, f64::NAN], [5.0, 5.0], [6.0, 6.0]],
        )];
        let sheet = plot.draw();
        let wide = |s: &&Shape| matches!(s, Shape::Line { stroke, .. } if stroke.width == 2.0);
        // two runs and the sample in the legend
        assert_eq!(sheet.shapes.iter().filter(wide).count(), 3);
    }

    #[test]
    fn bars_stand_between_their_edges_and_bands_are_as_wide_as_the_errors() {
        let mut plot = example();
        let band = Series::new("band", vec![[1.0, 2.0], [2.0, 3.0], [4.0, 2.0]], Style::Band);
        plot.series = vec![
            Series::histogram("bars", &[1.0, 2.0, 4.0], &[3.0, 1.0]),
            band.errors(vec![0.5; 3]),
        ];
        let sheet = plot.draw();
        let filled = |s: &&Shape| matches!(s, Shape::Polygon { .. });
        // two bars, two pieces of the band, and both again in the legend
        assert_eq!(sheet.shapes.iter().filter(filled).count(), 6);
        // Beside an empty bin, which has no place on a logarithmic axis, a bar keeps its place.
        plot.series = vec![Series::histogram("bars", &[1.0, 2.0, 3.0, 4.0], &[3.0, 0.0, 1.0])];
        assert_eq!(plot.draw().shapes.iter().filter(filled).count(), 3);
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
