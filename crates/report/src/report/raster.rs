//! Shapes to pixels, with soft edges, and pixels to PNG.

use std::borrow::Cow;
use std::io;

use ab_glyph::{Font, OutlineCurve, Point, ScaleFont};
use tiny_skia::{
    Color, FillRule, GradientStop, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap,
    Point as Point2, PremultipliedColorU8, RadialGradient, Shader, SpreadMode, StrokeDash,
    Transform,
};

use super::sheet::{
    Anchor, BRIGHTEST, DARKEST, FONT, HALF_X_HEIGHT, SHADES, Shape, Sheet, Stroke, Text, scale_of,
    text_width,
};
use super::{Colour, clip};

/// A larger picture is not drawn.
const MOST_PIXELS: f64 = 1e8;
/// The library draws no path that reaches much farther beyond the paper: what does is cut there.
/// \[pixels\]
const ROOM: f64 = 2000.0;
/// No edge of a disc is wider.
const RIM: f64 = 20.0;

/// The picture as the bytes of a PNG file, `scale` pixels per unit of length.
pub(super) fn png(sheet: &Sheet, scale: f64) -> io::Result<Vec<u8>> {
    encoded(&drawn(sheet, scale)?, scale * sheet.units_per_inch)
}

/// A picture as rows of pixels, from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Pixels {
    /// Width and height.
    pub size: [u32; 2],
    /// Red, green and blue of each pixel.
    pub rgb: Vec<u8>,
}

/// The picture as pixels, one per unit of length.
///
/// # Errors
/// If it is too large.
pub fn pixels(sheet: &Sheet) -> io::Result<Pixels> {
    let drawn = drawn(sheet, 1.0)?;
    Ok(Pixels { size: [drawn.width(), drawn.height()], rgb: opaque(&drawn) })
}

/// On white paper every pixel is opaque.
fn opaque(pixels: &Pixmap) -> Vec<u8> {
    let rgb: Vec<[u8; 3]> =
        pixels.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect();
    rgb.into_flattened()
}

fn drawn(sheet: &Sheet, scale: f64) -> io::Result<Pixmap> {
    let area = sheet.size.iter().map(|side| (side * scale).max(1.0)).product::<f64>();
    let too_large =
        || io::Error::other(format!("it would have {area:.3e} pixels, more than {MOST_PIXELS:e}"));
    if area > MOST_PIXELS {
        return Err(too_large());
    }
    let mut canvas = Canvas::new(sheet.size, scale).ok_or_else(too_large)?;
    // What lies below a disc that covers all of the paper is not seen.
    let first = sheet.shapes.iter().rposition(|shape| canvas.is_covered_by(shape));
    for shape in &sheet.shapes[first.unwrap_or(0)..] {
        canvas.draw(shape);
    }
    Ok(canvas.pixels)
}

fn encoded(pixels: &Pixmap, dots_per_inch: f64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Best);
    // Flat colours: what a filter predicts, the compression finds anyway.
    encoder.set_filter(png::FilterType::NoFilter);
    let per_metre = (dots_per_inch / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    encoder.write_header()?.write_image_data(&opaque(pixels))?;
    Ok(bytes)
}

/// White paper that is drawn on in units of length.
struct Canvas {
    pixels: Pixmap,
    to_pixels: Transform,
    unit_circle: Path,
    /// Light and shadow on it.
    shading: Shader<'static>,
    /// In units of length.
    size: [f64; 2],
    /// Pixels per unit of length.
    scale: f64,
}

impl Canvas {
    fn new(size: [f64; 2], scale: f64) -> Option<Self> {
        let [width, height] = size.map(|side| (side * scale).round().max(1.0) as u32);
        let mut pixels = Pixmap::new(width, height)?;
        pixels.fill(Color::WHITE);
        let to_pixels = Transform::from_scale(scale as f32, scale as f32);
        Some(Self {
            pixels,
            to_pixels,
            unit_circle: unit_circle()?,
            shading: shading()?,
            size,
            scale,
        })
    }

    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Line { points, stroke } => self.line(points, stroke),
            Shape::Polygon { points, fill, opacity } => self.polygon(points, *fill, *opacity),
            Shape::Disc { centre, radius, fill, edge } => {
                self.disc(*centre, *radius, *fill, edge.as_ref());
            }
            Shape::Shade { centre, radius } => self.shade(*centre, *radius),
            Shape::Text(text) => self.text(text),
        }
    }

    /// Whether a shape leaves nothing to be seen of what is below it.
    fn is_covered_by(&self, shape: &Shape) -> bool {
        let Shape::Disc { centre: [x, y], radius, .. } = shape else { return false };
        let [width, height] = self.size;
        [[0.0, 0.0], [width, 0.0], [0.0, height], [width, height]]
            .iter()
            .all(|[u, v]| libm::hypot(u - x, v - y) < radius - RIM)
    }

    /// A disc, and an edge whose middle is its rim: a larger disc that shows around a smaller one.
    fn disc(&mut self, centre: [f64; 2], radius: f64, fill: Colour, edge: Option<&Stroke>) {
        let half = edge.map_or(0.0, |edge| 0.5 * edge.width);
        if let Some(edge) = edge {
            self.round(centre, radius + half, edge.colour);
        }
        if radius > half {
            self.round(centre, radius - half, fill);
        }
    }

    fn round(&mut self, [x, y]: [f64; 2], radius: f64, colour: Colour) {
        if !self.is_near(&[[x - radius, y - radius], [x + radius, y + radius]]) {
            return self.part_of_disc([x, y], radius, colour);
        }
        let radius = radius as f32;
        let place = Transform::from_row(radius, 0.0, 0.0, radius, x as f32, y as f32)
            .post_concat(self.to_pixels);
        let paint = paint(colour, 1.0);
        self.pixels.fill_path(&self.unit_circle, &paint, FillRule::Winding, place, None);
    }

    /// Light and shadow on a disc; none on one that reaches far beyond the paper.
    fn shade(&mut self, [x, y]: [f64; 2], radius: f64) {
        if !self.is_near(&[[x - radius, y - radius], [x + radius, y + radius]]) {
            return;
        }
        let radius = radius as f32;
        let place = Transform::from_row(radius, 0.0, 0.0, radius, x as f32, y as f32)
            .post_concat(self.to_pixels);
        let paint = Paint { shader: self.shading.clone(), ..Paint::default() };
        self.pixels.fill_path(&self.unit_circle, &paint, FillRule::Winding, place, None);
    }

    /// The part on the paper of a disc that reaches far beyond it, pixel by pixel.
    fn part_of_disc(&mut self, [x, y]: [f64; 2], radius: f64, Colour(r, g, b): Colour) {
        let [x, y, radius] = [x, y, radius].map(|length| length * self.scale);
        let (width, height) = (self.pixels.width(), self.pixels.height());
        // The pixels that it may touch; where a number is none, there are none.
        let along = |centre: f64, pixels: u32| {
            let end = |at: f64| at.clamp(0.0, f64::from(pixels)) as usize;
            end(centre - radius - 1.0)..end(centre + radius + 1.0)
        };
        let (columns, rows) = (along(x, width), along(y, height));
        for row in rows {
            let first = row * width as usize;
            let pixels = &mut self.pixels.pixels_mut()[first..first + width as usize];
            for (column, pixel) in columns.clone().zip(&mut pixels[columns.clone()]) {
                let away = libm::hypot(column as f64 + 0.5 - x, row as f64 + 0.5 - y);
                let share = (0.5 + radius - away).clamp(0.0, 1.0);
                let mixed = |old: u8, new: u8| {
                    (f64::from(old) + share * (f64::from(new) - f64::from(old))).round() as u8
                };
                let [red, green, blue] =
                    [mixed(pixel.red(), r), mixed(pixel.green(), g), mixed(pixel.blue(), b)];
                let opaque = PremultipliedColorU8::from_rgba(red, green, blue, u8::MAX);
                *pixel = opaque.unwrap_or(*pixel);
            }
        }
    }

    /// Whether points are so near the paper that paths through them can be drawn.
    fn is_near(&self, points: &[[f64; 2]]) -> bool {
        let [low, high] = self.around();
        points.iter().all(|point| (0..2).all(|k| low[k] <= point[k] && point[k] <= high[k]))
    }

    /// The corners of the paper with some room around it.
    fn around(&self) -> [[f64; 2]; 2] {
        let room = ROOM / self.scale;
        [[-room; 2], self.size.map(|side| side + room)]
    }

    fn polygon(&mut self, points: &[[f64; 2]], fill: Colour, opacity: f64) {
        let points = match self.is_near(points) {
            true => Cow::Borrowed(points),
            false => Cow::Owned(clip::polygon(points, self.around())),
        };
        let Some(path) = through(&points, true) else { return };
        let paint = paint(fill, opacity);
        self.pixels.fill_path(&path, &paint, FillRule::Winding, self.to_pixels, None);
    }

    fn line(&mut self, points: &[[f64; 2]], stroke: &Stroke) {
        if !self.is_near(points) {
            let pieces = points
                .windows(2)
                .filter_map(|ends| clip::segment([ends[0], ends[1]], self.around()));
            pieces.collect::<Vec<_>>().iter().for_each(|piece| self.stroke(piece, stroke));
            return;
        }
        self.stroke(points, stroke);
    }

    fn stroke(&mut self, points: &[[f64; 2]], stroke: &Stroke) {
        let Some(path) = through(points, false) else { return };
        let dash = stroke.dash.map(|lengths| lengths.map(|length| length as f32).to_vec());
        let pen = tiny_skia::Stroke {
            width: stroke.width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash: dash.and_then(|lengths| StrokeDash::new(lengths, 0.0)),
            ..tiny_skia::Stroke::default()
        };
        self.pixels.stroke_path(&path, &paint(stroke.colour, 1.0), &pen, self.to_pixels, None);
    }

    fn text(&mut self, text: &Text) {
        let Some(letters) = letters(&text.text, text.size) else { return };
        let [x, y] = text.at.map(|c| c as f32);
        let [along, down] = line_start(text).map(|c| c as f32);
        let place = match text.upwards {
            false => Transform::from_translate(x + along, y + down),
            true => Transform::from_row(0.0, -1.0, 1.0, 0.0, x + down, y - along),
        };
        let place = place.post_concat(self.to_pixels);
        let paint = paint(Colour::INK, 1.0);
        self.pixels.fill_path(&letters, &paint, FillRule::Winding, place, None);
    }
}

fn paint(Colour(red, green, blue): Colour, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, (255.0 * opacity).round() as u8);
    paint
}

/// What makes a sphere of the unit circle.
fn shading() -> Option<Shader<'static>> {
    let stop = |(at, Colour(red, green, blue), opacity): (f64, Colour, f64)| {
        let opacity = (255.0 * opacity).round() as u8;
        GradientStop::new(at as f32, Color::from_rgba8(red, green, blue, opacity))
    };
    let [x, y] = BRIGHTEST.map(|share| share as f32);
    let centre = Point2::from_xy(x, y);
    let stops = SHADES.map(stop).to_vec();
    let identity = Transform::identity();
    RadialGradient::new(centre, 0.0, centre, DARKEST as f32, stops, SpreadMode::Pad, identity)
}

/// Four arcs whose radius is right to three parts in ten thousand.
fn unit_circle() -> Option<Path> {
    const ARM: f32 = 0.552_284_8;
    let mut path = PathBuilder::new();
    path.move_to(1.0, 0.0);
    path.cubic_to(1.0, ARM, ARM, 1.0, 0.0, 1.0);
    path.cubic_to(-ARM, 1.0, -1.0, ARM, -1.0, 0.0);
    path.cubic_to(-1.0, -ARM, -ARM, -1.0, 0.0, -1.0);
    path.cubic_to(ARM, -1.0, 1.0, -ARM, 1.0, 0.0);
    path.close();
    path.finish()
}

/// The path from point to point; nothing if it has no place on any sheet.
fn through(points: &[[f64; 2]], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (n, [x, y]) in points.iter().map(|p| p.map(|c| c as f32)).enumerate() {
        if n == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    if closed {
        path.close();
    }
    path.finish()
}

/// Where a line of text begins relative to its place: along it, and down from it to the baseline.
pub(super) fn line_start(text: &Text) -> [f64; 2] {
    let width = text_width(&text.text, text.size);
    let start = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -0.5 * width,
        Anchor::End => -width,
    };
    [start, HALF_X_HEIGHT * text.size]
}

/// The outlines of a line of text, from the origin along the baseline; nothing if it is blank.
pub(super) fn letters(text: &str, size: f64) -> Option<Path> {
    let font = FONT.as_scaled(scale_of(size));
    let mut path = PathBuilder::new();
    let mut x = 0.0;
    for id in text.chars().map(|c| font.glyph_id(c)) {
        if let Some(outline) = FONT.outline(id) {
            let place = |p: Point| (x + p.x * font.h_scale_factor(), -p.y * font.v_scale_factor());
            letter(&outline.curves, place, &mut path);
        }
        x += font.h_advance(id);
    }
    path.finish()
}

/// Adds the outlines of a letter, each of them closed.
fn letter(curves: &[OutlineCurve], place: impl Fn(Point) -> (f32, f32), path: &mut PathBuilder) {
    let mut pen = None;
    for curve in curves {
        let (from, to) = match *curve {
            OutlineCurve::Line(from, to)
            | OutlineCurve::Quad(from, _, to)
            | OutlineCurve::Cubic(from, _, _, to) => (from, to),
        };
        if pen != Some(from) {
            path.close();
            let (x, y) = place(from);
            path.move_to(x, y);
        }
        pen = Some(to);
        let (x, y) = place(to);
        match *curve {
            OutlineCurve::Line(..) => path.line_to(x, y),
            OutlineCurve::Quad(_, control, _) => {
                let (x1, y1) = place(control);
                path.quad_to(x1, y1, x, y);
            }
            OutlineCurve::Cubic(_, first, second, _) => {
                let ((x1, y1), (x2, y2)) = (place(first), place(second));
                path.cubic_to(x1, y1, x2, y2, x, y);
            }
        }
    }
    path.close();
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Colour = Colour(0, 0, 0);

    /// How many pixels are black, shares included, once something is drawn on 100 × 100 of them.
    fn black(draw: impl Fn(&mut Canvas)) -> f64 {
        let mut canvas = Canvas::new([100.0, 100.0], 1.0).unwrap();
        draw(&mut canvas);
        let dark = canvas.pixels.pixels().iter().map(|p| 255.0 - f64::from(p.red()));
        dark.sum::<f64>() / 255.0
    }

    #[test]
    fn shapes_cover_their_area() {
        let disc = black(|c| c.disc([50.3, 49.6], 20.2, BLACK, None));
        let exact = std::f64::consts::PI * 20.2 * 20.2;
        assert!((disc - exact).abs() < 0.01 * exact, "{disc} for {exact}");
        let square = [[10.0, 10.0], [60.0, 10.0], [60.0, 40.0], [10.0, 40.0]];
        let half = black(|c| c.polygon(&square, BLACK, 0.5));
        let area = black(|c| c.polygon(&square, BLACK, 1.0));
        assert!((half - 0.5 * area).abs() < 0.01 * area, "{half} {area}");
        assert!((area - 1500.0).abs() < 15.0, "{area}");
        let stroke = Stroke::solid(BLACK, 4.0);
        let line = black(|c| c.line(&[[10.0, 10.0], [70.0, 90.0]], &stroke));
        let exact = 4.0 * 100.0 + std::f64::consts::PI * 4.0;
        assert!((line - exact).abs() < 0.02 * exact, "{line} for {exact}");
    }

    #[test]
    fn an_edge_lies_half_within_and_half_without() {
        let edge = Stroke::solid(BLACK, 4.0);
        let ring = black(|c| c.disc([50.0, 50.0], 20.0, Colour::WHITE, Some(&edge)));
        let exact = std::f64::consts::PI * (22.0 * 22.0 - 18.0 * 18.0);
        assert!((ring - exact).abs() < 0.01 * exact, "{ring} for {exact}");
    }

    #[test]
    fn shapes_beyond_the_sheet_are_cut_off() {
        let quarter = black(|c| c.disc([0.0, 0.0], 40.0, BLACK, None));
        let exact = std::f64::consts::PI * 400.0;
        assert!((quarter - exact).abs() < 0.01 * exact, "{quarter}");
        assert_eq!(black(|c| c.disc([-500.0, 1e9], 40.0, BLACK, None)), 0.0);
        let pen = Stroke { dash: Some([7.0, 5.0]), ..Stroke::solid(BLACK, 2.0) };
        for far in [1e9, f64::INFINITY, f64::NAN] {
            assert_eq!(black(|c| c.line(&[[0.0, -200.0], [far, -200.0]], &pen)), 0.0);
        }
    }

    #[test]
    fn what_reaches_far_beyond_the_sheet_shows_its_part() {
        for far in [1e4, 1e9, 1e15] {
            // The left half: the rim is a straight line as far as one sees.
            let half = black(|c| c.disc([50.0 - far, 50.0], far, BLACK, None));
            assert!((half - 5000.0).abs() < 20.0, "{far}: {half}");
            let square = [[-far, -far], [50.0, -far], [50.0, far], [-far, far]];
            let half = black(|c| c.polygon(&square, BLACK, 1.0));
            assert!((half - 5000.0).abs() < 20.0, "{far}: {half}");
            let pen = Stroke { dash: Some([6.0, 4.0]), ..Stroke::solid(BLACK, 4.0) };
            for pen in [Stroke::solid(BLACK, 4.0), pen] {
                let share = pen.dash.map_or(1.0, |_| 0.92);
                let line = black(|c| c.line(&[[-far, 30.0], [far, 30.0]], &pen));
                assert!((line - 400.0 * share).abs() < 40.0, "{far}: {line}");
            }
        }
        for all in [1e9, 1e300] {
            assert_eq!(black(|c| c.disc([50.0, 50.0], all, BLACK, None)), 1e4);
            let edge = Stroke::solid(Colour::WHITE, 2.0);
            assert_eq!(black(|c| c.disc([50.0, 50.0], all, BLACK, Some(&edge))), 1e4);
        }
        for none in [f64::NAN, f64::INFINITY] {
            assert_eq!(black(|c| c.disc([none, 50.0], 10.0, BLACK, None)), 0.0);
            assert_eq!(
                black(|c| c.polygon(&[[none, 0.0], [9.0, 9.0], [0.0, 9.0]], BLACK, 1.0)),
                0.0
            );
        }
    }

    #[test]
    fn dashes_cover_their_share_of_a_line_with_corners() {
        let points = [[20.0, 20.0], [50.0, 20.0], [50.0, 90.0]];
        let pen = Stroke { dash: Some([6.0, 4.0]), ..Stroke::solid(BLACK, 2.0) };
        let drawn = black(|c| c.line(&points, &pen));
        let exact = 10.0 * (6.0 * 2.0 + std::f64::consts::PI);
        assert!((drawn - exact).abs() < 0.03 * exact, "{drawn} for {exact}");
    }

    #[test]
    fn letters_cover_as_much_whichever_way_they_read() {
        let said = |upwards: bool| {
            let text = Text {
                at: [50.0, 50.0],
                text: "Oµ-".to_owned(),
                size: 24.0,
                anchor: Anchor::Middle,
                upwards,
            };
            black(|c| c.text(&text))
        };
        let (level, upwards) = (said(false), said(true));
        assert!(level > 100.0 && level < 600.0, "{level}");
        assert!((level - upwards).abs() < 0.02 * level, "{level} {upwards}");
    }

    #[test]
    fn a_png_says_its_size_and_starts_as_it_must() {
        let bytes = png(&Sheet::new([10.0, 20.0], ""), 2.0).unwrap();
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        let read = png::Decoder::new(bytes.as_slice()).read_info().unwrap();
        assert_eq!((read.info().width, read.info().height), (20, 40));
    }
}
