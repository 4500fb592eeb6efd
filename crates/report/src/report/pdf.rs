//! Shapes as a page of PDF. Letters are outlines: the page looks the same everywhere, and needs no
//! font.

use std::fmt::Write as _;
use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use tiny_skia::PathSegment;

use super::Colour;
use super::raster::{letters, line_start};
use super::sheet::{BRIGHTEST, DARKEST, SHADES, Shape, Sheet, Stroke, Text};

/// How far the control points of a quarter of a circle are from its ends, as a share of the radius.
const QUARTER: f64 = 0.552_284_749_8;
/// Points in an inch.
const POINTS: f64 = 72.0;

/// The picture as the bytes of a PDF file.
///
/// # Errors
/// None; writing to memory does not fail.
pub(super) fn pdf(sheet: &Sheet) -> io::Result<Vec<u8>> {
    let scale = POINTS / sheet.units_per_inch;
    let [width, height] = sheet.size.map(|side| side * scale);
    let mut page = PdfPage::default();
    // y points down on a sheet, and up on a page.
    page.say(format_args!("{} 0 0 {} 0 {} cm 1 J 1 j", n(scale), n(-scale), n(height)));
    for shape in &sheet.shapes {
        page.draw(shape);
    }
    let mut zipped = ZlibEncoder::new(Vec::new(), Compression::default());
    zipped.write_all(page.said.as_bytes())?;
    let zipped = zipped.finish()?;
    let opacities = page.opacities.iter().enumerate();
    let opacities: String =
        opacities.map(|(k, share)| format!("/O{k} << /ca {} >> ", n(*share))).collect();
    let gradients = page.gradients.iter().enumerate();
    let gradients: String =
        gradients.map(|(k, fill)| format!("/S{k} {} ", gradient(*fill))).collect();
    let title: String = sheet.title().encode_utf16().map(|unit| format!("{unit:04X}")).collect();
    let objects: [Vec<u8>; 5] = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 4 0 R /Resources << \
             /ExtGState << {opacities}>> \
             /Shading << {gradients}>> >> >>",
            n(width),
            n(height)
        )
        .into_bytes(),
        [
            format!("<< /Length {} /Filter /FlateDecode >>\nstream\n", zipped.len()).into_bytes(),
            zipped,
            b"\nendstream".to_vec(),
        ]
        .concat(),
        format!("<< /Title <FEFF{title}> /Producer (jostle) >>").into_bytes(),
    ];
    Ok(file(&objects))
}

/// A file of objects, of which the first is the root and the last says what the file is.
fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n".to_vec();
    let mut places = Vec::new();
    for (k, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n", k + 1).bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let (count, start) = (objects.len(), bytes.len());
    let rows: String = places.iter().map(|place| format!("{place:010} 00000 n \n")).collect();
    let end = format!(
        "xref\n0 {0}\n0000000000 65535 f \n{rows}trailer\n<< /Size {0} /Root 1 0 R /Info {count} 0 R >>\n\
         startxref\n{start}\n%%EOF\n",
        count + 1
    );
    bytes.extend(end.bytes());
    bytes
}

/// A number as PDF takes it, which knows no exponents.
fn n(x: f64) -> String {
    let text = format!("{x:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn rgb(Colour(red, green, blue): Colour) -> String {
    [red, green, blue].map(|part| n(f64::from(part) / 255.0)).join(" ")
}

/// Light and shadow on a disc of some colour, about the origin with radius 1.
fn gradient(fill: Colour) -> String {
    let stops = SHADES.map(|(at, colour, share)| (at, rgb(fill.mixed(colour, share))));
    let pieces: String = stops
        .windows(2)
        .map(|ends| {
            format!(
                "<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [{}] /C1 [{}] >> ",
                ends[0].1, ends[1].1
            )
        })
        .collect();
    let bounds: Vec<String> = stops[1..stops.len() - 1].iter().map(|(at, _)| n(*at)).collect();
    let encoded = "0 1 ".repeat(stops.len() - 1);
    let [x, y] = BRIGHTEST.map(n);
    format!(
        "<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [{x} {y} 0 {x} {y} {}] /Extend [true true] /Function << \
         /FunctionType 3 /Domain [0 1] /Bounds [{}] /Encode [{encoded}] /Functions [{pieces}] >> >>",
        n(DARKEST),
        bounds.join(" ")
    )
}

/// What a page says, and what it refers to.
#[derive(Default)]
struct PdfPage {
    said: String,
    opacities: Vec<f64>,
    /// The colours of shaded discs.
    gradients: Vec<Colour>,
    /// The colour of the disc that was drawn last.
    disc: Option<Colour>,
}

impl PdfPage {
    fn say(&mut self, what: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.said, "{what}");
    }

    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Line { points, stroke } => {
                self.pen(stroke);
                self.path(points);
                self.say(format_args!("S"));
            }
            Shape::Polygon { points, fill, opacity } => {
                let is_glass = *opacity < 1.0;
                if is_glass {
                    let known = self.opacities.iter().position(|known| known == opacity);
                    let k = known.unwrap_or(self.opacities.len());
                    if known.is_none() {
                        self.opacities.push(*opacity);
                    }
                    self.say(format_args!("q /O{k} gs"));
                }
                self.say(format_args!("{} rg", rgb(*fill)));
                self.path(points);
                self.say(format_args!("h f{}", if is_glass { " Q" } else { "" }));
            }
            Shape::Disc { centre, radius, fill, edge } => {
                self.disc = Some(*fill);
                self.say(format_args!("{} rg", rgb(*fill)));
                edge.iter().for_each(|edge| self.pen(edge));
                self.circle(*centre, *radius);
                self.say(format_args!("{}", if edge.is_some() { "b" } else { "f" }));
            }
            Shape::Shade { centre: [x, y], radius } => {
                let Some(fill) = self.disc else { return };
                let known = self.gradients.iter().position(|known| *known == fill);
                let k = known.unwrap_or(self.gradients.len());
                if known.is_none() {
                    self.gradients.push(fill);
                }
                let radius = n(*radius);
                self.say(format_args!("q {radius} 0 0 {radius} {} {} cm", n(*x), n(*y)));
                self.circle([0.0; 2], 1.0);
                self.say(format_args!("W n /S{k} sh Q"));
            }
            Shape::Text(text) => self.text(text),
        }
    }

    fn pen(&mut self, stroke: &Stroke) {
        let dash = stroke.dash.map_or("[]".to_owned(), |[a, b]| format!("[{} {}]", n(a), n(b)));
        self.say(format_args!("{} RG {} w {dash} 0 d", rgb(stroke.colour), n(stroke.width)));
    }

    fn path(&mut self, points: &[[f64; 2]]) {
        for (k, [x, y]) in points.iter().enumerate() {
            self.say(format_args!("{} {} {}", n(*x), n(*y), if k == 0 { "m" } else { "l" }));
        }
    }

    fn circle(&mut self, [x, y]: [f64; 2], r: f64) {
        let k = QUARTER * r;
        self.say(format_args!("{} {} m", n(x + r), n(y)));
        for [a, b, c] in [
            [[r, k], [k, r], [0.0, r]],
            [[-k, r], [-r, k], [-r, 0.0]],
            [[-r, -k], [-k, -r], [0.0, -r]],
            [[k, -r], [r, -k], [r, 0.0]],
        ] {
            let at = |[dx, dy]: [f64; 2]| format!("{} {}", n(x + dx), n(y + dy));
            self.say(format_args!("{} {} {} c", at(a), at(b), at(c)));
        }
        self.say(format_args!("h"));
    }

    fn text(&mut self, text: &Text) {
        let Some(path) = letters(&text.text, text.size) else { return };
        let ([x, y], [along, down]) = (text.at, line_start(text));
        match text.upwards {
            false => self.say(format_args!("q 1 0 0 1 {} {} cm", n(x + along), n(y + down))),
            true => self.say(format_args!("q 0 -1 1 0 {} {} cm", n(x + down), n(y - along))),
        }
        self.say(format_args!("{} rg", rgb(Colour::INK)));
        let at = |x: f32, y: f32| [f64::from(x), f64::from(y)];
        let mut pen = [0.0; 2];
        for segment in path.segments() {
            match segment {
                PathSegment::MoveTo(to) => {
                    pen = at(to.x, to.y);
                    self.say(format_args!("{} {} m", n(pen[0]), n(pen[1])));
                }
                PathSegment::LineTo(to) => {
                    pen = at(to.x, to.y);
                    self.say(format_args!("{} {} l", n(pen[0]), n(pen[1])));
                }
                PathSegment::QuadTo(control, to) => {
                    // PDF has curves of the third degree only.
                    let (control, to) = (at(control.x, control.y), at(to.x, to.y));
                    let third = |end: [f64; 2]| {
                        [0, 1].map(|k| n(end[k] + (control[k] - end[k]) * 2.0 / 3.0)).join(" ")
                    };
                    let (first, second) = (third(pen), third(to));
                    self.say(format_args!("{first} {second} {} {} c", n(to[0]), n(to[1])));
                    pen = to;
                }
                PathSegment::CubicTo(a, b, to) => {
                    let [a, b] = [a, b].map(|p| at(p.x, p.y).map(n).join(" "));
                    pen = at(to.x, to.y);
                    self.say(format_args!("{a} {b} {} {} c", n(pen[0]), n(pen[1])));
                }
                PathSegment::Close => self.say(format_args!("h")),
            }
        }
        self.say(format_args!("f Q"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheet::Anchor;
    use super::*;

    #[test]
    fn a_page_has_its_size_in_points_and_objects_where_the_table_says() {
        let mut sheet = Sheet::new([96.0, 48.0], "MSD ⟨r²⟩");
        sheet.disc([10.0, 10.0], 5.0, Colour(200, 0, 0), None);
        sheet.shade([10.0, 10.0], 5.0);
        sheet.text([40.0, 20.0], "time", 12.0, Anchor::Start);
        sheet.tint(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], Colour::INK);
        let bytes = pdf(&sheet).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.starts_with("%PDF-1.4") && text.ends_with("%%EOF\n"));
        assert!(text.contains("/MediaBox [0 0 72 36]") && text.contains("/ca 0.28"), "{text}");
        let find = |what: &[u8]| bytes.windows(what.len()).position(|part| part == what);
        let table = find(b"\nxref\n").unwrap() + 1;
        let start = std::str::from_utf8(&bytes[find(b"startxref\n").unwrap() + 10..]).unwrap();
        assert_eq!(start.lines().next(), Some(table.to_string().as_str()));
        let rows = std::str::from_utf8(&bytes[table..]).unwrap().lines().skip(3).take(5);
        for (k, row) in rows.enumerate() {
            let place: usize = row[..10].parse().unwrap();
            let head = format!("{} 0 obj", k + 1);
            assert!(bytes[place..].starts_with(head.as_bytes()), "{row}");
        }
    }

    #[test]
    fn numbers_have_no_exponents() {
        assert_eq!([1e-9, -0.25, 3.0, 1e7].map(n), ["0", "-0.25", "3", "10000000"]);
    }
}
