//! What pages are made of. Text is escaped where a template shows it.

use std::fmt;

use askama::Template;
use askama::filters::Escaper;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::super::plot::Plot;
use jostle_files::{cell, markup};

/// Points of a series in a figure; more than can be distinguished would only make the page large.
const MOST_POINTS: usize = 1000;

/// How pages look.
pub const STYLE: &str = include_str!("page.css");

/// How templates escape text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Markup;

impl Escaper for Markup {
    fn write_escaped_str<W: fmt::Write>(&self, mut to: W, text: &str) -> fmt::Result {
        to.write_str(&markup(text))
    }
}

/// A piece of a page.
#[derive(Clone, Debug, Template)]
#[template(path = "piece.html")]
pub enum Piece {
    /// A heading within a part.
    Heading(String),
    /// A paragraph of text.
    Paragraph(String),
    /// Why a part of the page is missing.
    Missing(String),
    /// Names and values.
    Facts(Vec<(String, String)>),
    /// A table.
    Table(Table),
    /// A plot.
    Figure(Figure),
    /// A picture in pixels.
    Picture(Picture),
    /// A model file.
    Model(ModelText),
}

/// A table. Columns of numbers are flush right.
#[derive(Clone, Debug)]
pub struct Table {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
    numeric: Vec<bool>,
}

impl Table {
    /// What makes the cells of a column flush right.
    fn class(&self, column: usize) -> &'static str {
        if self.numeric[column] { " class=\"number\"" } else { "" }
    }
}

/// A plot beside its heading, what is seen in it, and its numbers to take away as `name`.csv.
#[derive(Clone, Debug)]
pub struct Figure {
    name: String,
    heading: String,
    caption: String,
    svg: String,
    /// In base64.
    csv: String,
}

/// A picture beside its heading and what is seen in it.
#[derive(Clone, Debug)]
pub struct Picture {
    name: &'static str,
    heading: &'static str,
    caption: String,
    /// In base64.
    png: String,
}

/// A model as it was written, what was set on top, and what it was taken to mean.
#[derive(Clone, Debug)]
pub struct ModelText {
    pub(super) text: String,
    pub(super) overrides: Vec<String>,
    pub(super) resolved: String,
}

/// JSON that may stand in a script element: no text in it can end the element.
pub(super) fn json_text(value: &serde_json::Value) -> String {
    value
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// A paragraph of text.
pub(super) fn paragraph(text: &str) -> Piece {
    Piece::Paragraph(text.to_owned())
}

/// A table. Rows are as long as its head.
pub(super) fn table(heads: &[&str], rows: Vec<Vec<String>>) -> Piece {
    let is_number = |cell: &String| cell == "–" || cell.parse::<f64>().is_ok();
    let numeric = |k: usize| rows.iter().filter_map(|row| row.get(k)).all(is_number);
    let longest = rows.iter().map(Vec::len).fold(heads.len(), usize::max);
    Piece::Table(Table {
        numeric: (0..longest).map(numeric).collect(),
        heads: heads.iter().map(|&head| head.to_owned()).collect(),
        rows,
    })
}

/// A plot beside its heading, what is seen in it, and its numbers to take away as `name`.csv.
pub fn figure(name: &str, heading: &str, caption: &str, mut plot: Plot) -> Piece {
    let every = thin(&mut plot);
    let mut caption = caption.to_owned();
    if every > 1 {
        caption += &format!(" One point of {every} is drawn.");
    }
    // The heading stands in HTML; the title says to those who cannot see what the picture is.
    let svg = plot.draw().retitled(heading).to_svg();
    Piece::Figure(Figure {
        name: name.to_owned(),
        heading: heading.to_owned(),
        caption,
        svg: svg.replacen("<svg ", "<svg role=\"img\" ", 1),
        csv: BASE64_STANDARD.encode(csv_of(&plot)),
    })
}

/// Keeps one point of so many in each series, and its last one.
fn thin(plot: &mut Plot) -> usize {
    let longest = plot.series.iter().map(|series| series.points.len()).max().unwrap_or(0);
    let every = longest.div_ceil(MOST_POINTS).max(1);
    for series in &mut plot.series {
        let last = series.points.len().saturating_sub(1);
        let kept = |k: usize| k.is_multiple_of(every) || k == last;
        series.points =
            (series.points.iter().enumerate()).filter(|(k, _)| kept(*k)).map(|(_, p)| *p).collect();
        series.errors =
            (series.errors.iter().enumerate()).filter(|(k, _)| kept(*k)).map(|(_, e)| *e).collect();
    }
    every
}

/// A picture (PNG) beside its heading and what is seen in it.
pub(super) fn picture(
    name: &'static str,
    heading: &'static str,
    caption: String,
    png: &[u8],
) -> Piece {
    Piece::Picture(Picture { name, heading, caption, png: BASE64_STANDARD.encode(png) })
}

/// The numbers of a plot: one row per point.
fn csv_of(plot: &Plot) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let errors = plot.series.iter().any(|series| !series.errors.is_empty());
    let mut head = vec!["series", plot.x.label.as_str(), plot.y.label.as_str()];
    head.extend(errors.then_some("standard error"));
    let mut rows = vec![head.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for series in &plot.series {
        for (k, [x, y]) in series.points.iter().enumerate() {
            let mut row = vec![series.name.clone(), x.to_string(), y.to_string()];
            row.extend(errors.then(|| series.errors.get(k).map_or(String::new(), f64::to_string)));
            rows.push(row);
        }
    }
    for row in rows {
        // Rows are all of the same length, and a vector takes everything.
        let _ = writer.write_record(row.iter().map(|text| cell(text).into_owned()));
    }
    writer.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::super::plot::{Axis, Series};
    use super::*;

    fn plot(points: usize) -> Plot {
        let line = (0..points).map(|n| [n as f64, 2.0 * n as f64]).collect();
        Plot {
            title: String::new(),
            x: Axis::linear("time [ms]"),
            y: Axis::linear("particles"),
            series: vec![Series::line("a \"b\"", line)],
        }
    }

    #[test]
    fn what_is_filled_in_is_not_filled_in_again() {
        assert_eq!(
            paragraph("{{ text }} <&>\0").to_string(),
            "<p>{{ text }} &lt;&amp;&gt;\u{fffd}</p>\n"
        );
    }

    #[test]
    fn no_text_ends_the_script_it_stands_in() {
        let text = json_text(&serde_json::json!({ "title": "</script><script>alert(1)</script>" }));
        assert!(!text.contains('<'), "{text}");
        let back: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["title"], "</script><script>alert(1)</script>");
    }

    #[test]
    fn a_figure_carries_its_numbers() {
        let html = figure("x", "A & B", "seen", plot(3)).to_string();
        let data = html.split("base64,").nth(1).unwrap().split('"').next().unwrap();
        let csv = String::from_utf8(BASE64_STANDARD.decode(data).unwrap()).unwrap();
        assert_eq!(
            csv,
            "series,time [ms],particles\n\"a \"\"b\"\"\",0,0\n\"a \"\"b\"\"\",1,2\n\"a \"\"b\"\"\",2,4\n"
        );
        assert!(html.contains("<title>A &amp; B</title>") && !html.contains("One point"), "{html}");
    }

    #[test]
    fn long_series_are_thinned_and_the_caption_says_so() {
        let html = figure("x", "A", "seen.", plot(4001)).to_string();
        assert!(html.contains("seen. One point of 5 is drawn."), "{html}");
    }

    #[test]
    fn tables_escape_their_cells() {
        let html = table(&["what", "n"], vec![vec!["<b>".into(), "3".into()]]).to_string();
        assert!(html.contains("<td>&lt;b&gt;</td><td class=\"number\">3</td>"), "{html}");
    }
}
