//! Maps: a number for each cell of a grid, told by colour.

use super::super::Colour;
use super::super::sheet::{Anchor, Sheet};
use super::super::ticks::Scale;
use super::frame::Frame;
use super::{Axis, SIZE};

/// A map of numbers that are not negative.
///
/// ```
/// use jostle_report::report::{Axis, HeatMap};
///
/// let map = HeatMap {
///     title: "Where receptors bind".into(),
///     x: Axis::linear("x [nm]"),
///     y: Axis::linear("y [nm]"),
///     value: "events per µm²".into(),
///     span: [[0.0, 500.0], [0.0, 500.0]],
///     rows: vec![vec![0.0, 1.0], vec![2.0, 3.0]],
/// };
/// assert!(map.draw().to_svg().contains("Where receptors bind"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Above the map; empty for none.
    pub title: String,
    /// The horizontal axis; always linear.
    pub x: Axis,
    /// The vertical axis; always linear.
    pub y: Axis,
    /// What the colours tell, with the unit.
    pub value: String,
    /// From where to where the grid reaches, along x and along y.
    pub span: [[f64; 2]; 2],
    /// The numbers, a row for each place along y, from below. NaN is left white.
    pub rows: Vec<Vec<f64>>,
}

/// The width of the bar that tells the colours, and its distance from the map.
const BAR: [f64; 2] = [16.0, 22.0];
/// Shades of the bar.
const SHADES: usize = 64;
const LABEL: f64 = 13.0;

impl HeatMap {
    /// Draws the map. A length along x is as long as one along y if both have the same unit.
    pub fn draw(&self) -> Sheet {
        let mut sheet = Sheet::new(SIZE, &self.title);
        let [x, y] = self.span.map(|[low, high]| Scale::spanning(low, high));
        let mut frame = Frame::with_room((x, y), !self.title.is_empty(), 110.0, SIZE[1]);
        if unit(&self.x.label) == unit(&self.y.label) {
            self.to_scale(&mut frame);
        }
        let highest =
            self.rows.iter().flatten().copied().filter(|v| v.is_finite()).fold(0.0, f64::max);
        let values = Scale::around([0.0, highest].into_iter(), false);
        self.cells(&frame, &values, &mut sheet);
        frame.axes([&self.title, &self.x.label, &self.y.label], &mut sheet);
        self.bar(&frame, &values, &mut sheet);
        sheet.size[0] = frame.right + BAR[1] + BAR[0] + 90.0;
        sheet
    }

    /// Narrows the frame so that lengths along both axes are alike.
    fn to_scale(&self, frame: &mut Frame) {
        let [wide, high] = self.span.map(|[low, high]| high - low);
        let scale = ((frame.right - frame.left) / wide).min((frame.bottom - frame.top) / high);
        frame.right = frame.left + scale * wide;
        frame.top = frame.bottom - scale * high;
    }

    fn cells(&self, frame: &Frame, values: &Scale, sheet: &mut Sheet) {
        let place =
            |k: usize, n: usize, [low, high]: [f64; 2]| low + (high - low) * k as f64 / n as f64;
        for (j, row) in self.rows.iter().enumerate() {
            for (i, &value) in row.iter().enumerate().filter(|(_, value)| value.is_finite()) {
                let corner = |di: usize, dj: usize| {
                    let x = place(i + di, row.len(), self.span[0]);
                    let y = place(j + dj, self.rows.len(), self.span[1]);
                    [frame.across(x), frame.up(y)]
                };
                sheet.rectangle(corner(0, 0), corner(1, 1), Colour::of_share(values.place(value)));
            }
        }
    }

    fn bar(&self, frame: &Frame, values: &Scale, sheet: &mut Sheet) {
        let [left, right] = [frame.right + BAR[1], frame.right + BAR[1] + BAR[0]];
        let (low, height) = (frame.bottom, frame.bottom - frame.top);
        let up = |share: f64| low - share * height;
        for k in 0..SHADES {
            let [from, to] = [k, k + 1].map(|k| up(k as f64 / SHADES as f64));
            sheet.rectangle(
                [left, from],
                [right, to],
                Colour::of_share(k as f64 / (SHADES - 1) as f64),
            );
        }
        for (value, label) in &values.labelled {
            sheet.text([right + 6.0, up(values.place(*value))], label, LABEL, Anchor::Start);
        }
        sheet.text_upwards([right + 62.0, low - 0.5 * height], &self.value, LABEL);
    }
}

/// What stands in brackets.
fn unit(label: &str) -> Option<&str> {
    Some(label.split_once('[')?.1)
}
