//! Shapes to pixels, with soft edges, and pixels to PNG.

use std::io;

use ab_glyph::{Font, Glyph, ScaleFont, point};

use super::Colour;
use super::sheet::{Anchor, FONT, HALF_X_HEIGHT, Shape, Sheet, Stroke, Text, scale_of, text_width};

/// A larger picture is not drawn.
const MOST_PIXELS: f64 = 1e8;

/// The picture as the bytes of a PNG file, `scale` pixels per unit of length.
pub(super) fn png(sheet: &Sheet, scale: f64) -> io::Result<Vec<u8>> {
    let area = sheet.size.iter().map(|side| (side * scale).max(1.0)).product::<f64>();
    if area > MOST_PIXELS {
        return Err(io::Error::other(format!(
            "it would have {area:.3e} pixels, more than {MOST_PIXELS:e}"
        )));
    }
    let mut pixels = Pixels::new(sheet.size, scale);
    for shape in &sheet.shapes {
        pixels.draw(shape);
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width as u32, pixels.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Best);
    // Flat colours: what a filter predicts, the compression finds anyway.
    encoder.set_filter(png::FilterType::NoFilter);
    // 96 units to the inch
    let per_metre = (scale * 96.0 / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    encoder.write_header()?.write_image_data(&pixels.rgb)?;
    Ok(bytes)
}

struct Pixels {
    width: usize,
    height: usize,
    scale: f64,
    rgb: Vec<u8>,
}

impl Pixels {
    fn new(size: [f64; 2], scale: f64) -> Self {
        let [width, height] = size.map(|x| (x * scale).round().max(1.0) as usize);
        Self { width, height, scale, rgb: vec![255; 3 * width * height] }
    }

    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Line { points, stroke } => self.line(points, stroke),
            Shape::Polygon { points, fill, opacity } => self.polygon(points, *fill, *opacity),
            Shape::Disc { centre, radius, fill, edge } => {
                self.disc(*centre, *radius, *fill, edge.as_ref())
            }
            Shape::Text(text) => self.text(text),
        }
    }

    /// Lays `colour` over a pixel of which the share `cover` is covered.
    fn blend(&mut self, x: i64, y: i64, colour: Colour, cover: f64) {
        let inside = (0..self.width as i64).contains(&x) && (0..self.height as i64).contains(&y);
        if !inside || cover <= 0.0 {
            return;
        }
        let at = 3 * (y as usize * self.width + x as usize);
        let pixel = &mut self.rgb[at..at + 3];
        let below = Colour(pixel[0], pixel[1], pixel[2]);
        let mixed = below.mixed(colour, cover.min(1.0));
        pixel.copy_from_slice(&[mixed.0, mixed.1, mixed.2]);
    }

    /// Fills a shape that `inside` describes: how deep (in pixels) a point is inside it, negative
    /// outside. Looks at the pixels between two corners only.
    fn fill(
        &mut self,
        low: [f64; 2],
        high: [f64; 2],
        colour: Colour,
        inside: impl Fn([f64; 2]) -> f64,
    ) {
        self.tint(low, high, (colour, 1.0), inside);
    }

    /// The same, with a colour that covers only the given share of what lies below.
    fn tint(
        &mut self,
        low: [f64; 2],
        high: [f64; 2],
        (colour, opacity): (Colour, f64),
        inside: impl Fn([f64; 2]) -> f64,
    ) {
        let clamp = |x: f64, most: usize| x.clamp(-1.0, most as f64) as i64;
        let (x0, x1) = (clamp(low[0] - 1.0, self.width), clamp(high[0] + 1.0, self.width));
        let (y0, y1) = (clamp(low[1] - 1.0, self.height), clamp(high[1] + 1.0, self.height));
        for y in y0..=y1 {
            for x in x0..=x1 {
                let depth = inside([x as f64 + 0.5, y as f64 + 0.5]);
                self.blend(x, y, colour, opacity * (depth + 0.5).min(1.0));
            }
        }
    }

    fn disc(&mut self, centre: [f64; 2], radius: f64, fill: Colour, edge: Option<&Stroke>) {
        let [x, y] = centre.map(|c| c * self.scale);
        let r = radius * self.scale;
        let distance = move |p: [f64; 2]| ((p[0] - x).powi(2) + (p[1] - y).powi(2)).sqrt();
        self.fill([x - r, y - r], [x + r, y + r], fill, |p| r - distance(p));
        if let Some(edge) = edge {
            let half = 0.5 * edge.width * self.scale;
            let out = r + half;
            self.fill([x - out, y - out], [x + out, y + out], edge.colour, |p| {
                half - (distance(p) - r).abs()
            });
        }
    }

    fn polygon(&mut self, points: &[[f64; 2]], fill: Colour, opacity: f64) {
        let points: Vec<[f64; 2]> = points.iter().map(|p| p.map(|c| c * self.scale)).collect();
        let next = |n: usize| points[(n + 1) % points.len()];
        let twice_area: f64 =
            (0..points.len()).map(|n| points[n][0] * next(n)[1] - next(n)[0] * points[n][1]).sum();
        let side = twice_area.signum();
        let (low, high) = bounds(&points);
        // Inside a convex polygon, the depth is the distance from the nearest edge.
        self.tint(low, high, (fill, opacity), |p| {
            (0..points.len())
                .map(|n| {
                    let (a, b) = (points[n], next(n));
                    let along = [b[0] - a[0], b[1] - a[1]];
                    let cross = along[0] * (p[1] - a[1]) - along[1] * (p[0] - a[0]);
                    side * cross / along[0].hypot(along[1]).max(1e-9)
                })
                .fold(f64::INFINITY, f64::min)
        });
    }

    fn line(&mut self, points: &[[f64; 2]], stroke: &Stroke) {
        let points: Vec<[f64; 2]> = points.iter().map(|p| p.map(|c| c * self.scale)).collect();
        let half = 0.5 * stroke.width * self.scale;
        let dash = stroke.dash.map(|d| d.map(|length| length * self.scale));
        for [a, b] in pieces(&points, dash) {
            let (low, high) = bounds(&[a, b]);
            let along = [b[0] - a[0], b[1] - a[1]];
            let squared = (along[0].powi(2) + along[1].powi(2)).max(1e-12);
            self.fill(low.map(|c| c - half), high.map(|c| c + half), stroke.colour, |p| {
                let from = [p[0] - a[0], p[1] - a[1]];
                let part = ((from[0] * along[0] + from[1] * along[1]) / squared).clamp(0.0, 1.0);
                half - (from[0] - part * along[0]).hypot(from[1] - part * along[1])
            });
        }
    }

    fn text(&mut self, text: &Text) {
        let size = text.size * self.scale;
        let width = text_width(&text.text, size);
        let start = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -0.5 * width,
            Anchor::End => -width,
        };
        let [x, y] = text.at.map(|c| c * self.scale);
        // Where the text's own origin is; glyphs are laid out from there along a baseline.
        let down = HALF_X_HEIGHT * size;
        for glyph in glyphs(&text.text, size) {
            let Some(outline) = FONT.outline_glyph(glyph) else {
                continue;
            };
            let corner = outline.px_bounds().min;
            outline.draw(|i, j, cover| {
                let along = f64::from(corner.x) + f64::from(i) + start;
                let across = f64::from(corner.y) + f64::from(j) + down;
                let (px, py) = if text.upwards {
                    (x + across, y - along - 1.0)
                } else {
                    (x + along, y + across)
                };
                let at = (px.round() as i64, py.round() as i64);
                self.blend(at.0, at.1, Colour::INK, f64::from(cover));
            });
        }
    }
}

/// The letters of a line of text, from the origin along the baseline.
fn glyphs(text: &str, size: f64) -> Vec<Glyph> {
    let scale = scale_of(size);
    let font = FONT.as_scaled(scale);
    let mut x = 0.0;
    text.chars()
        .map(|c| {
            let id = font.glyph_id(c);
            let glyph = id.with_scale_and_position(scale, point(x, 0.0));
            x += font.h_advance(id);
            glyph
        })
        .collect()
}

/// No line of a picture is longer. \[pixels\]
const LONGEST_DASHED: f64 = 1e6;

/// The straight pieces of a line, cut into dashes if it has any.
fn pieces(points: &[[f64; 2]], dash: Option<[f64; 2]>) -> Vec<[[f64; 2]; 2]> {
    let segments = points.windows(2).map(|w| [w[0], w[1]]);
    let Some([on, off]) = dash else {
        return segments.collect();
    };
    let mut pieces = Vec::new();
    // How far into the pattern of one dash and one gap we are.
    let mut phase = 0.0;
    for [a, b] in segments {
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        if length.is_nan() || length > LONGEST_DASHED {
            continue;
        }
        let at = |s: f64| [0, 1].map(|k| a[k] + (b[k] - a[k]) * (s / length));
        let mut done = 0.0;
        while done < length {
            let (drawn, rest) =
                if phase < on { (true, on - phase) } else { (false, on + off - phase) };
            let end = (done + rest).min(length);
            if drawn {
                pieces.push([at(done), at(end)]);
            }
            phase = if end - done < rest {
                phase + end - done
            } else if drawn {
                on
            } else {
                0.0
            };
            done = end;
        }
    }
    pieces
}

/// The corners of the smallest upright box around some points.
fn bounds(points: &[[f64; 2]]) -> ([f64; 2], [f64; 2]) {
    let fold =
        |k: usize, f: fn(f64, f64) -> f64, from: f64| points.iter().map(|p| p[k]).fold(from, f);
    (
        [0, 1].map(|k| fold(k, f64::min, f64::INFINITY)),
        [0, 1].map(|k| fold(k, f64::max, f64::NEG_INFINITY)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink(pixels: &Pixels) -> f64 {
        let dark = pixels.rgb.chunks(3).map(|p| 255.0 - f64::from(p[0]));
        dark.sum::<f64>() / 255.0
    }

    fn black(shape: impl Fn(&mut Pixels)) -> f64 {
        let mut pixels = Pixels::new([100.0, 100.0], 1.0);
        shape(&mut pixels);
        ink(&pixels)
    }

    #[test]
    fn shapes_cover_their_area() {
        let colour = Colour(0, 0, 0);
        let disc = black(|p| p.disc([50.3, 49.6], 20.2, colour, None));
        let exact = std::f64::consts::PI * 20.2 * 20.2;
        assert!((disc - exact).abs() < 0.01 * exact, "{disc} for {exact}");
        let square = [[10.0, 10.0], [60.0, 10.0], [60.0, 40.0], [10.0, 40.0]];
        let half = black(|p| p.polygon(&square, colour, 0.5));
        let area = black(|p| p.polygon(&square, colour, 1.0));
        assert!((half - 0.5 * area).abs() < 0.01 * area, "{half} {area}");
        assert!((area - 1500.0).abs() < 15.0, "{area}");
        let stroke = Stroke::solid(colour, 4.0);
        let line = black(|p| p.line(&[[10.0, 10.0], [70.0, 90.0]], &stroke));
        let exact = 4.0 * 100.0 + std::f64::consts::PI * 4.0;
        assert!((line - exact).abs() < 0.02 * exact, "{line} for {exact}");
    }

    #[test]
    fn shapes_beyond_the_sheet_are_cut_off() {
        let colour = Colour(0, 0, 0);
        let quarter = black(|p| p.disc([0.0, 0.0], 40.0, colour, None));
        let exact = std::f64::consts::PI * 400.0;
        assert!((quarter - exact).abs() < 0.01 * exact, "{quarter}");
        assert_eq!(black(|p| p.disc([-500.0, 1e9], 40.0, colour, None)), 0.0);
    }

    #[test]
    fn dashes_cover_their_share_of_a_line_with_corners() {
        let points = [[0.0, 0.0], [30.0, 0.0], [30.0, 70.0]];
        let drawn: f64 = pieces(&points, Some([6.0, 4.0]))
            .iter()
            .map(|[a, b]| (b[0] - a[0]).hypot(b[1] - a[1]))
            .sum();
        assert!((drawn - 60.0).abs() < 1e-9, "{drawn}");
    }

    #[test]
    fn a_png_says_its_size_and_starts_as_it_must() {
        let bytes = png(&Sheet::new([10.0, 20.0], ""), 2.0).unwrap();
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        let read = png::Decoder::new(bytes.as_slice()).read_info().unwrap();
        assert_eq!((read.info().width, read.info().height), (20, 40));
    }
}
