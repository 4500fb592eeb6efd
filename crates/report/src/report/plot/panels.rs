//! Several plots on one sheet, each with axes of its own.

use super::super::sheet::Sheet;
use super::Plot;

/// Plots that belong together but have no axis in common, such as rates in different units.
#[derive(Clone, Debug, PartialEq)]
pub struct Panels {
    /// What the sheet is about.
    pub title: String,
    /// From above, and from left to right where they are many.
    pub plots: Vec<Plot>,
}

/// The height of one of several panels.
const HEIGHT: f64 = 300.0;
/// Between two of them.
const GAP: f64 = 14.0;
/// More than these stand in two columns.
const IN_A_COLUMN: usize = 3;

impl Panels {
    /// Draws them. A single one is as high as any other plot.
    pub fn draw(&self) -> Sheet {
        if let [one] = &self.plots[..] {
            return one.draw();
        }
        let columns = if self.plots.len() > IN_A_COLUMN { 2 } else { 1 };
        let mut sheet = Sheet::new([0.0, 0.0], &self.title);
        for (n, plots) in self.plots.chunks(columns).enumerate() {
            let mut row = Sheet::new([0.0, 0.0], "");
            for (k, plot) in plots.iter().enumerate() {
                row.append_right(plot.draw_of_height(HEIGHT), if k == 0 { 0.0 } else { GAP });
            }
            sheet.append_below(row, if n == 0 { 0.0 } else { GAP });
        }
        sheet
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Series};
    use super::*;

    #[test]
    fn panels_stand_in_rows_and_do_not_cover_each_other() {
        let plot = Plot {
            title: "one".into(),
            x: Axis::linear("time [s]"),
            y: Axis::linear("k [/s]"),
            series: vec![Series::line("", vec![[0.0, 1.0], [1.0, 2.0]])],
        };
        let size = |count: usize| {
            let panels = Panels { title: "several".into(), plots: vec![plot.clone(); count] };
            panels.draw().size
        };
        let [width, _] = plot.draw().size;
        assert_eq!(size(1), plot.draw().size);
        assert_eq!(size(2), [width, 2.0 * HEIGHT + GAP]);
        assert_eq!(size(5), [2.0 * width + GAP, 3.0 * HEIGHT + 2.0 * GAP]);
        assert!(Panels { title: String::new(), plots: vec![] }.draw().to_svg().contains("</svg>"));
    }
}
