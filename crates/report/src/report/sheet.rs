//! A sheet of paper with shapes and text on it, to be written as SVG, PDF or PNG.
//!
//! Places are in units of 1/96 inch, unless it is made to fit a width, from the upper left corner, y
//! downwards, as SVG has them.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};

use super::{Colour, Plot, pdf, raster};
use jostle_files::{fresh, markup};

/// The units of length of a sheet in an inch.
const UNITS_PER_INCH: f64 = 96.0;
/// Of a plot that is laid out for a width: the labels of its axes, 14 units high, have 8 points.
const UNITS_OF_FIGURES: f64 = 126.0;
/// Of PNG pictures, unless others are asked for.
pub const DOTS_PER_INCH: f64 = 192.0;

/// How the names of pictures end.
pub const PICTURES: [&str; 3] = ["svg", "pdf", "png"];

/// Why a picture could not be written.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The file could not be written.
    #[error("cannot write the picture {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The name ends otherwise than in one of [`PICTURES`].
    #[error(
        "cannot tell the format of the picture {path}: its name must end in .svg, .pdf or .png"
    )]
    Format {
        /// The file.
        path: PathBuf,
    },
}

/// Where a piece of text is relative to its place, horizontally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    pub(super) colour: Colour,
    pub(super) width: f64,
    /// The length of dashes and of the gaps between them.
    pub(super) dash: Option<[f64; 2]>,
}

impl Stroke {
    pub(super) const fn solid(colour: Colour, width: f64) -> Self {
        Self { colour, width, dash: None }
    }
}

/// One piece of text, vertically centred on its place (on the middle of its small letters).
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) at: [f64; 2],
    pub(super) text: String,
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    /// Whether it reads upwards.
    pub(super) upwards: bool,
}

/// What is on a sheet.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Line {
        points: Vec<[f64; 2]>,
        stroke: Stroke,
    },
    /// A filled convex polygon.
    Polygon {
        points: Vec<[f64; 2]>,
        fill: Colour,
        /// How much of what lies below it covers, from 0 to 1.
        opacity: f64,
    },
    Disc {
        centre: [f64; 2],
        radius: f64,
        fill: Colour,
        edge: Option<Stroke>,
    },
    /// Light from the upper left and shadow on a disc, which make a sphere of it.
    Shade {
        centre: [f64; 2],
        radius: f64,
    },
    Text(Text),
}

impl Shape {
    /// The same shape, elsewhere.
    fn shifted(mut self, [dx, dy]: [f64; 2]) -> Self {
        match &mut self {
            Self::Line { points, .. } | Self::Polygon { points, .. } => {
                points.iter_mut().for_each(|point| *point = [point[0] + dx, point[1] + dy]);
            }
            Self::Disc { centre, .. } | Self::Shade { centre, .. } => {
                *centre = [centre[0] + dx, centre[1] + dy]
            }
            Self::Text(text) => text.at = [text.at[0] + dx, text.at[1] + dy],
        }
        self
    }
}

/// A drawing, ready to be written.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub(super) size: [f64; 2],
    pub(super) shapes: Vec<Shape>,
    title: String,
    /// Units of length in an inch.
    pub(super) units_per_inch: f64,
    /// What is drawn, if it is a plot: it can be laid out for another width.
    plot: Option<Box<Plot>>,
}

/// The letters of PNG pictures, and the measure of all text.
pub(super) static FONT: LazyLock<FontRef<'static>> = LazyLock::new(|| {
    FontRef::try_from_slice(include_bytes!("../../fonts/DejaVuSans.ttf"))
        .expect("the font that is compiled in is whole")
});

/// Half the height of small letters, as a share of the font's size.
pub(super) const HALF_X_HEIGHT: f64 = 0.36;

/// The font's scale at a given size (of its em).
pub(super) fn scale_of(size: f64) -> PxScale {
    // ab_glyph scales by the height from the lowest to the highest letter, the world by the em.
    let em = FONT.units_per_em().unwrap_or(2048.0);
    PxScale::from(size as f32 * FONT.height_unscaled() / em)
}

/// The width of a piece of text.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let font = FONT.as_scaled(scale_of(size));
    let advances = text.chars().map(|c| font.h_advance(font.glyph_id(c)));
    f64::from(advances.sum::<f32>())
}

impl Sheet {
    pub(super) fn new(size: [f64; 2], title: &str) -> Self {
        let (shapes, plot) = (Vec::new(), None);
        Self { size, shapes, title: title.to_owned(), units_per_inch: UNITS_PER_INCH, plot }
    }

    pub(super) fn line(&mut self, points: Vec<[f64; 2]>, stroke: Stroke) {
        self.shapes.push(Shape::Line { points, stroke });
    }

    pub(super) fn polygon(&mut self, points: Vec<[f64; 2]>, fill: Colour) {
        self.shapes.push(Shape::Polygon { points, fill, opacity: 1.0 });
    }

    /// A filled convex polygon through which one sees what lies below.
    pub(super) fn tint(&mut self, points: Vec<[f64; 2]>, fill: Colour) {
        self.shapes.push(Shape::Polygon { points, fill, opacity: 0.28 });
    }

    /// A filled rectangle between two corners.
    pub(super) fn rectangle(&mut self, [x0, y0]: [f64; 2], [x1, y1]: [f64; 2], fill: Colour) {
        self.polygon(vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]], fill);
    }

    pub(super) fn disc(
        &mut self,
        centre: [f64; 2],
        radius: f64,
        fill: Colour,
        edge: Option<Stroke>,
    ) {
        self.shapes.push(Shape::Disc { centre, radius, fill, edge });
    }

    /// Light and shadow on the disc that was drawn there.
    pub(super) fn shade(&mut self, centre: [f64; 2], radius: f64) {
        self.shapes.push(Shape::Shade { centre, radius });
    }

    pub(super) fn text(&mut self, at: [f64; 2], text: &str, size: f64, anchor: Anchor) {
        self.shapes.push(Shape::Text(Text {
            at,
            text: text.to_owned(),
            size,
            anchor,
            upwards: false,
        }));
    }

    pub(super) fn text_upwards(&mut self, at: [f64; 2], text: &str, size: f64) {
        self.shapes.push(Shape::Text(Text {
            at,
            text: text.to_owned(),
            size,
            anchor: Anchor::Middle,
            upwards: true,
        }));
    }

    /// The drawing of a plot.
    pub(super) fn of_plot(self, plot: &Plot) -> Self {
        Self { plot: Some(Box::new(plot.clone())), ..self }
    }

    /// The same drawing, this wide. A plot is laid out for this width, with letters of 8 points and
    /// without its title, which stands in the caption of a figure; any other drawing is scaled.
    #[must_use]
    pub fn of_width(&self, inches: f64) -> Self {
        match &self.plot {
            Some(plot) => {
                let sheet = plot.draw_of_width(inches * UNITS_OF_FIGURES);
                Self { units_per_inch: UNITS_OF_FIGURES, title: self.title.clone(), ..sheet }
            }
            None => Self { units_per_inch: self.size[0] / inches, ..self.clone() },
        }
    }

    /// Puts another sheet to the right of what is there, at a distance.
    pub(super) fn append_right(&mut self, other: Self, gap: f64) {
        let shift = self.size[0] + gap;
        self.plot = None;
        self.shapes.extend(other.shapes.into_iter().map(|shape| shape.shifted([shift, 0.0])));
        self.size = [shift + other.size[0], self.size[1].max(other.size[1])];
    }

    /// Puts another sheet below what is there, at a distance.
    pub(super) fn append_below(&mut self, other: Self, gap: f64) {
        let shift = self.size[1] + gap;
        self.plot = None;
        self.shapes.extend(other.shapes.into_iter().map(|shape| shape.shifted([0.0, shift])));
        self.size = [self.size[0].max(other.size[0]), shift + other.size[1]];
    }

    /// The same drawing under another title.
    pub(super) fn retitled(self, title: &str) -> Self {
        Self { title: title.to_owned(), ..self }
    }

    /// The drawing as an SVG document. Text stays text.
    pub fn to_svg(&self) -> String {
        let [width, height] = self.size;
        let [wide, high] = self.size.map(|side| match self.units_per_inch {
            UNITS_PER_INCH => side.to_string(),
            units => format!("{:.4}in", side / units),
        });
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" \
             viewBox=\"0 0 {width} {height}\" \
             font-family=\"DejaVu Sans, Verdana, Helvetica, sans-serif\">\n\
             <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
            markup(&self.title)
        );
        if self.shapes.iter().any(|shape| matches!(shape, Shape::Shade { .. })) {
            svg.push_str(&shading());
        }
        for shape in &self.shapes {
            svg.push_str(&element(shape));
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// What it shows, in words.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The drawing as a PDF file. Its letters are outlines.
    ///
    /// # Errors
    /// None; writing to memory does not fail.
    pub fn to_pdf(&self) -> std::io::Result<Vec<u8>> {
        pdf::pdf(self)
    }

    /// The drawing as a PNG file, with two pixels per unit of length.
    ///
    /// # Errors
    /// If it is too large for one.
    pub fn to_png(&self) -> std::io::Result<Vec<u8>> {
        raster::png(self, 2.0)
    }

    /// Writes the drawing as SVG.
    fn svg(&self, path: &Path) -> Result<(), PictureError> {
        write(path, self.to_svg().as_bytes())
    }

    /// Writes the drawing as PNG, with so many pixels per unit of length.
    fn png(&self, path: &Path, scale: f64) -> Result<(), PictureError> {
        let bytes = raster::png(self, scale)
            .map_err(|source| PictureError::Write { path: path.to_owned(), source })?;
        write(path, &bytes)
    }

    /// Writes the drawing in the format that the file's name asks for: `.svg`, `.pdf`, or `.png` with 192
    /// dots per inch.
    ///
    /// # Errors
    /// If the name ends otherwise, or the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), PictureError> {
        self.save_at(path, DOTS_PER_INCH)
    }

    /// The same with so many dots per inch, of which only PNG has need.
    ///
    /// # Errors
    /// As for [`Self::save`], and if the picture is too large for a PNG file.
    pub fn save_at(&self, path: &Path, dots_per_inch: f64) -> Result<(), PictureError> {
        let ending = path.extension().map(|e| e.to_ascii_lowercase());
        match ending.as_deref().and_then(|e| e.to_str()) {
            Some("svg") => self.svg(path),
            Some("pdf") => {
                let bytes = pdf::pdf(self)
                    .map_err(|source| PictureError::Write { path: path.to_owned(), source })?;
                write(path, &bytes)
            }
            Some("png") => self.png(path, dots_per_inch / self.units_per_inch),
            _ => Err(PictureError::Format { path: path.to_owned() }),
        }
    }
}

/// The width of a picture in inches, as people write it: `3.4 in`, `86 mm`, `8.6 cm` or `245 pt`.
///
/// # Errors
/// If it is no such width.
pub fn picture_width(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let number = text[..text.len() - unit.len()].parse::<f64>().ok();
    let per_inch = match unit.trim() {
        "in" | "inch" | "inches" => 1.0,
        "cm" => 2.54,
        "mm" => 25.4,
        "pt" => 72.0,
        _ => f64::NAN,
    };
    let inches = number.map(|number| number / per_inch);
    inches.filter(|inches| (0.5..=100.0).contains(inches)).ok_or_else(|| {
        "give a width from 0.5 to 100 inches with its unit, such as \"3.4 in\", \"86 mm\" or \"8.6 cm\"".to_owned()
    })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), PictureError> {
    fresh(path, |file| io::Write::write_all(file, bytes))
        .map_err(|source| PictureError::Write { path: path.to_owned(), source })
}

/// One shape as an SVG element.
fn element(shape: &Shape) -> String {
    match shape {
        Shape::Line { points, stroke } => format!(
            "<polyline fill=\"none\" {} points=\"{}\"/>\n",
            stroke_attributes(stroke),
            coordinates(points)
        ),
        Shape::Polygon { points, fill, opacity } => {
            let opacity =
                if *opacity < 1.0 { format!(" fill-opacity=\"{opacity}\"") } else { String::new() };
            format!(
                "<polygon fill=\"{}\"{opacity} points=\"{}\"/>\n",
                fill.hex(),
                coordinates(points)
            )
        }
        Shape::Disc { centre: [x, y], radius, fill, edge } => format!(
            "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\" fill=\"{}\" {}/>\n",
            fill.hex(),
            edge.as_ref().map(stroke_attributes).unwrap_or_default()
        ),
        Shape::Shade { centre: [x, y], radius } => format!(
            "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\" fill=\"url(#shade)\"/>\n"
        ),
        Shape::Text(text) => text_element(text),
    }
}

/// Where the light on a sphere is brightest, as a share of its radius to the right of its centre and below.
pub(super) const BRIGHTEST: [f64; 2] = [-0.3, -0.36];
/// How far from there its rim is darkest, as a share of its radius.
pub(super) const DARKEST: f64 = 1.44;
/// Light and shadow in between: how far, which colour, and how much of what lies below it covers.
pub(super) const SHADES: [(f64, Colour, f64); 4] = [
    (0.0, Colour::WHITE, 0.55),
    (0.45, Colour::WHITE, 0.0),
    (0.5, Colour::INK, 0.0),
    (1.0, Colour::INK, 0.42),
];

/// What circles are filled with that shade discs.
fn shading() -> String {
    // Of the square around a circle, whose sides are two radii long.
    let [x, y] = BRIGHTEST.map(|share| 0.5 + 0.5 * share);
    let stops = SHADES.map(|(at, colour, opacity)| {
        format!(
            "<stop offset=\"{at}\" stop-color=\"{}\" stop-opacity=\"{opacity}\"/>",
            colour.hex()
        )
    });
    format!(
        "<defs><radialGradient id=\"shade\" cx=\"{x}\" cy=\"{y}\" r=\"{}\">{}</radialGradient></defs>\n",
        0.5 * DARKEST,
        stops.concat()
    )
}

fn text_element(text: &Text) -> String {
    let [x, y] = text.at;
    let down = HALF_X_HEIGHT * text.size;
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let place = if text.upwards {
        format!("transform=\"translate({:.2} {y:.2}) rotate(-90)\"", x + down)
    } else {
        format!("x=\"{x:.2}\" y=\"{:.2}\"", y + down)
    };
    format!(
        "<text {place} font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{}\">{}</text>\n",
        text.size,
        Colour::INK.hex(),
        markup(&text.text)
    )
}

fn stroke_attributes(stroke: &Stroke) -> String {
    let mut attributes = format!(
        "stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"",
        stroke.colour.hex(),
        stroke.width
    );
    if let Some([dash, gap]) = stroke.dash {
        // Writing to a string cannot fail.
        let _ = write!(attributes, " stroke-dasharray=\"{dash} {gap}\"");
    }
    attributes
}

fn coordinates(points: &[[f64; 2]]) -> String {
    let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.2},{y:.2}")).collect();
    points.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn svg_is_well_formed_whatever_the_text() {
        let mut sheet = Sheet::new([100.0, 50.0], "a < b & \"c\"");
        sheet.text([1.0, 2.0], "x > <y>", 12.0, Anchor::Start);
        let svg = sheet.to_svg();
        assert!(svg.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"));
        assert!(svg.contains(">x &gt; &lt;y&gt;</text>"));
        assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
    }

    #[test]
    fn text_is_as_wide_as_its_letters() {
        let one = text_width("m", 10.0);
        assert!((text_width("mmmm", 10.0) - 4.0 * one).abs() < 1e-4);
        // The em of DejaVu Sans holds an m of 0.974 em.
        assert!((one - 9.74).abs() < 0.01, "{one}");
    }

    #[test]
    fn a_name_without_a_known_ending_is_refused() {
        let error = Sheet::new([1.0, 1.0], "").save(Path::new("picture.gif"));
        assert!(matches!(error, Err(PictureError::Format { .. })));
    }

    #[test]
    fn a_folder_that_does_not_exist_is_reported_with_its_name() {
        let sheet = Sheet::new([8.0, 8.0], "");
        let error = sheet.save(Path::new("/nowhere/at/all.png")).unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all.png"), "{error}");
    }
}
