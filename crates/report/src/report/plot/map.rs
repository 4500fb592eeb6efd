//! Maps: a number for each cell of a grid, told by colour.

use super::super::Colour;
use super::super::sheet::{Anchor, Sheet};
use super::super::ticks::Scale;
use super::frame::Frame;
use super::{Axis, SIZE};
use jostle_files::shortened;

/// A map of numbers.
///
/// ```
/// use jostle_report::report::{Axis, HeatMap};
///
/// let map = HeatMap {
///     title: "Where receptors bind".into(),
///     x: Axis::linear("x [nm]"),
///     y: Axis::linear("y [nm]"),
///     value: Axis::linear("events per µm²"),
///     from_zero: true,
///     span: [[0.0, 500.0], [0.0, 500.0]],
///     marks: [vec![], vec![]],
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
    pub value: Axis,
    /// Whether the colours begin at zero, as for amounts; otherwise near the least number.
    pub from_zero: bool,
    /// From where to where the grid reaches, along x and along y.
    pub span: [[f64; 2]; 2],
    /// What stands at each column and at each row, instead of numbers along the axis; or nothing.
    pub marks: [Vec<String>; 2],
    /// The numbers, a row for each place along y, from below. NaN is left white, and so is what has
    /// no logarithm if the colours are logarithmic.
    pub rows: Vec<Vec<f64>>,
}

/// The width of the bar that tells the colours, and its distance from the map.
const BAR: [f64; 2] = [16.0, 22.0];
/// Shades of the bar.
const SHADES: usize = 64;
const LABEL: f64 = 13.0;
/// The most marks of rows, and the most characters of a mark.
const MOST_UP: usize = 20;
const LONGEST_MARK: usize = 14;
/// The most characters of all marks of columns together, with a gap after each.
const MOST_LETTERS: usize = 64;

impl HeatMap {
    /// Draws the map. A length along x is as long as one along y if both have the same unit.
    pub fn draw(&self) -> Sheet {
        let mut sheet = Sheet::new(SIZE, &self.title);
        let mut frame = Frame::with_room(
            (self.scale(0), self.scale(1)),
            !self.title.is_empty(),
            110.0,
            SIZE[1],
        );
        let has_marks = self.marks.iter().any(|marks| !marks.is_empty());
        if !has_marks && unit(&self.x.label) == unit(&self.y.label) {
            self.to_scale(&mut frame);
        }
        let least = self.from_zero.then_some(0.0);
        let shown = self.rows.iter().flatten().copied().chain(least);
        let values = Scale::around(shown.filter(|v| v.is_finite()), self.value.log);
        // The lines of marks lie in the middle of cells, where they would seem to tell something.
        let names = [&self.title, &self.x.label, &self.y.label].map(String::as_str);
        if has_marks {
            frame.axes(names, &mut sheet);
        }
        self.cells(&frame, &values, &mut sheet);
        if !has_marks {
            frame.axes(names, &mut sheet);
        }
        self.bar(&frame, &values, &mut sheet);
        sheet.size[0] = frame.right + BAR[1] + BAR[0] + 90.0;
        sheet
    }

    /// The scale along x (0) or y (1).
    fn scale(&self, axis: usize) -> Scale {
        let [low, high] = self.span[axis];
        let marks = &self.marks[axis];
        if marks.is_empty() {
            return Scale::spanning(low, high);
        }
        let most = if axis == 0 { most_across(marks) } else { MOST_UP };
        let every = marks.len().div_ceil(most);
        let width = (high - low) / marks.len() as f64;
        let place = |k: usize| low + (k as f64 + 0.5) * width;
        let labelled = marks.iter().enumerate().step_by(every);
        let labelled = labelled.map(|(k, mark)| (place(k), shortened(mark, LONGEST_MARK).into()));
        Scale { low, high, log: false, labelled: labelled.collect(), minor: Vec::new() }
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
            let told = |value: f64| value.is_finite() && (!values.log || value > 0.0);
            for (i, &value) in row.iter().enumerate().filter(|(_, value)| told(**value)) {
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
        sheet.text_upwards([right + 62.0, low - 0.5 * height], &self.value.label, LABEL);
    }
}

/// As many marks as there is room for below a map.
fn most_across(marks: &[String]) -> usize {
    let longest = marks.iter().map(|mark| mark.chars().count().min(LONGEST_MARK)).max();
    MOST_LETTERS / (longest.unwrap_or(0) + 2)
}

/// What stands in brackets.
fn unit(label: &str) -> Option<&str> {
    Some(label.split_once('[')?.1)
}

#[cfg(test)]
mod tests {
    use super::super::super::sheet::Shape;
    use super::*;

    fn map(marks: usize) -> HeatMap {
        HeatMap {
            title: String::new(),
            x: Axis::linear("rate"),
            y: Axis::linear("count"),
            value: Axis::linear("k"),
            from_zero: false,
            span: [[0.0, marks as f64], [0.0, 2.0]],
            marks: [
                (0..marks).map(|n| format!("x{n}")).collect(),
                vec!["few".into(), "many".into()],
            ],
            rows: vec![vec![-2.0; marks], vec![f64::NAN; marks]],
        }
    }

    fn texts(map: &HeatMap) -> Vec<String> {
        let shapes = map.draw().shapes.into_iter();
        let text = |shape| if let Shape::Text(text) = shape { Some(text.text) } else { None };
        shapes.filter_map(text).collect()
    }

    #[test]
    fn marks_stand_at_columns_and_rows_as_far_as_there_is_room() {
        let told = texts(&map(3));
        for expected in ["x0", "x1", "x2", "few", "many", "rate", "count", "k"] {
            assert!(told.iter().any(|text| text == expected), "{expected}: {told:?}");
        }
        let told = texts(&map(100));
        let marks = told.iter().filter(|text| text.starts_with('x')).count();
        assert!((5..=13).contains(&marks), "{told:?}");
    }

    #[test]
    fn colours_tell_negative_numbers_and_leave_white_what_is_none() {
        let mut map = map(2);
        map.rows = vec![vec![-2.0, -1.0], vec![f64::NAN, 0.0]];
        let fills = |map: &HeatMap| {
            let shapes = map.draw().shapes.into_iter();
            let fill = |shape| match shape {
                Shape::Polygon { fill, .. } => Some(fill),
                _ => None,
            };
            let mut cells: Vec<Colour> = shapes.filter_map(fill).collect();
            cells.truncate(cells.len() - SHADES);
            cells
        };
        let told = fills(&map);
        assert_eq!(told.len(), 3, "{told:?}");
        assert!(told[0] != told[1] && told[1] != told[2], "{told:?}");
        map.value.log = true;
        map.rows = vec![vec![1.0, 10.0], vec![0.0, 100.0]];
        let told = fills(&map);
        assert_eq!((told.len(), told[1]), (3, Colour::of_share(0.5)));
    }
}
