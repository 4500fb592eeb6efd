//! Disks and the lines between them, side by side.

use super::Colour;
use super::sheet::{Anchor, Sheet, Stroke};

/// Disks in a box, and straight lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Tessellation<'a> {
    /// Above the picture.
    pub title: &'a str,
    /// The box. \[length\]
    pub edges: [f64; 2],
    /// Centres and radii. \[length\]
    pub discs: &'a [([f64; 2], f64)],
    /// From where to where. \[length\]
    pub lines: &'a [[[f64; 2]; 2]],
}

/// The width of a picture, and what is around and above it.
const WIDTH: f64 = 640.0;
const MARGIN: f64 = 12.0;
const HEAD: f64 = 34.0;

/// Draws several of them, from left to right.
pub fn draw_tessellations(title: &str, all: &[Tessellation<'_>]) -> Sheet {
    let mut sheets = all.iter().map(draw);
    let mut sheet = sheets.next().unwrap_or_else(|| Sheet::new([WIDTH, HEAD], title));
    sheets.for_each(|next| sheet.append_right(next, 0.0));
    sheet.retitled(title)
}

fn draw(one: &Tessellation<'_>) -> Sheet {
    let scale = (WIDTH - 2.0 * MARGIN) / one.edges[0];
    let height = one.edges[1] * scale;
    let mut sheet = Sheet::new([WIDTH, HEAD + height + MARGIN], one.title);
    // Upwards, as in mathematics.
    let place = |[x, y]: [f64; 2]| [MARGIN + x * scale, HEAD + height - y * scale];
    for &(centre, radius) in one.discs {
        sheet.disc(place(centre), radius * scale, Colour::of_class(5), None);
    }
    for line in one.lines {
        sheet.line(line.map(place).to_vec(), Stroke::solid(Colour::INK, 0.7));
    }
    let [w, h] = one.edges;
    let frame = [[0.0, 0.0], [w, 0.0], [w, h], [0.0, h], [0.0, 0.0]];
    sheet.line(frame.map(place).to_vec(), Stroke::solid(Colour::INK, 1.0));
    sheet.text([0.5 * WIDTH, 0.5 * HEAD], one.title, 15.0, Anchor::Middle);
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_pictures_stand_side_by_side() {
        let discs = [([1.0, 1.0], 0.5), ([3.0, 1.0], 0.5)];
        let lines = [[[1.0, 1.0], [3.0, 1.0]]];
        let one = Tessellation { title: "left", edges: [4.0, 2.0], discs: &discs, lines: &lines };
        let sheet =
            draw_tessellations("both", &[one.clone(), Tessellation { title: "right", ..one }]);
        let svg = sheet.to_svg();
        assert_eq!(svg.matches("<circle").count(), 4);
        // a line and a frame each
        assert_eq!(svg.matches("<polyline").count(), 4);
        assert!(svg.contains(">left</text>") && svg.contains(">right</text>"));
        assert!(svg.contains("<title>both</title>"));
        assert!((sheet.size[0] - 2.0 * WIDTH).abs() < 1e-9);
    }
}
