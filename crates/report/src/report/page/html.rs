//! What pages are made of. Text is escaped where a template shows it.

use std::fmt;

use askama::Template;
use askama::filters::Escaper;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::super::plot::{HeatMap, Plot};
use super::super::sheet::Sheet;
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
    /// Names of files, and where they are from here.
    Links(Vec<(String, String)>),
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
    let is_one = |number: &str| number.parse::<f64>().is_ok();
    let is_number = |cell: &String| cell == "–" || cell.split(" ± ").all(is_one);
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
    with_data(name, heading, caption, &plot.draw(), csv_of(&plot))
}

/// A map beside its heading, what is seen in it, and its numbers to take away as `name`.csv.
pub(super) fn map(name: &str, heading: &str, caption: &str, map: &HeatMap) -> Piece {
    with_data(name, heading, caption.to_owned(), &map.draw(), csv_of_map(map))
}

fn with_data(name: &str, heading: &str, caption: String, sheet: &Sheet, csv: Vec<u8>) -> Piece {
    // The heading stands in HTML; the title says to those who cannot see what the picture is.
    let svg = sheet.clone().retitled(heading).to_svg();
    Piece::Figure(Figure {
        name: name.to_owned(),
        heading: heading.to_owned(),
        caption,
        svg: svg.replacen("<svg ", "<svg role=\"img\" ", 1),
        csv: BASE64_STANDARD.encode(csv),
    })
}

/// Keeps one point of so many in each series, and its last one.
fn thin(plot: &mut Plot) -> usize {
    let longest = plot.series.iter().map(|series| series.points.len()).max().unwrap_or(0);
    let every = longest.div_ceil(MOST_POINTS).max(1);
    for series in &mut plot.series {
        let last = series.points.len().saturating_sub(1);
        let kept = |k: usize| k.is_multiple_of(every) || k == last;
        keep(&mut series.points, kept);
        keep(&mut series.errors, kept);
        keep(&mut series.intervals, kept);
    }
    every
}

/// Keeps what is at some places.
pub(super) fn keep<T>(things: &mut Vec<T>, kept: impl Fn(usize) -> bool) {
    let mut place = 0;
    things.retain(|_| {
        place += 1;
        kept(place - 1)
    });
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
    let errors = plot.series.iter().any(|series| !series.errors.is_empty());
    let intervals = plot.series.iter().any(|series| !series.intervals.is_empty());
    let mut head = vec!["series", plot.x.label.as_str(), plot.y.label.as_str()];
    head.extend(errors.then_some("standard error"));
    head.extend(intervals.then_some(["interval from", "interval to"]).into_iter().flatten());
    let mut rows = vec![head.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for series in &plot.series {
        for (k, [x, y]) in series.points.iter().enumerate() {
            let mut row = vec![series.name.clone(), x.to_string(), y.to_string()];
            row.extend(errors.then(|| series.errors.get(k).map_or(String::new(), f64::to_string)));
            // One without width says that it is not known.
            let ends = series.intervals.get(k).filter(|[low, high]| low < high);
            let ends =
                ends.map_or([String::new(), String::new()], |ends| ends.map(|y| y.to_string()));
            row.extend(intervals.then_some(ends).into_iter().flatten());
            rows.push(row);
        }
    }
    csv_text(rows)
}

/// The numbers of a map: one row per cell that has one.
fn csv_of_map(map: &HeatMap) -> Vec<u8> {
    let place = |axis: usize, k: usize, count: usize| match map.marks[axis].get(k) {
        Some(mark) => mark.clone(),
        None => {
            let [low, high] = map.span[axis];
            (low + (high - low) * (k as f64 + 0.5) / count as f64).to_string()
        }
    };
    let mut rows = vec![[&map.x, &map.y, &map.value].map(|axis| axis.label.clone()).to_vec()];
    for (j, row) in map.rows.iter().enumerate() {
        for (i, value) in row.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            let [x, y] = [place(0, i, row.len()), place(1, j, map.rows.len())];
            rows.push(vec![x, y, value.to_string()]);
        }
    }
    csv_text(rows)
}

fn csv_text(rows: Vec<Vec<String>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
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

    /// What a figure carries to be taken away.
    fn data(html: &str) -> String {
        let data = html.split("base64,").nth(1).unwrap().split('"').next().unwrap();
        String::from_utf8(BASE64_STANDARD.decode(data).unwrap()).unwrap()
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
        assert_eq!(
            data(&html),
            "series,time [ms],particles\n\"a \"\"b\"\"\",0,0\n\"a \"\"b\"\"\",1,2\n\"a \"\"b\"\"\",2,4\n"
        );
        assert!(html.contains("<title>A &amp; B</title>") && !html.contains("One point"), "{html}");
    }

    #[test]
    fn the_numbers_of_a_figure_have_their_intervals() {
        let mut plot = plot(2);
        plot.series[0].intervals = vec![[-1.0, 1.0], [2.0, 2.0]];
        let html = figure("x", "A", "seen", plot).to_string();
        let csv = data(&html);
        assert!(csv.starts_with("series,time [ms],particles,interval from,interval to\n"), "{csv}");
        assert!(csv.contains(",0,0,-1,1\n") && csv.ends_with(",1,2,,\n"), "{csv}");
    }

    #[test]
    fn a_map_carries_its_numbers() {
        let numbers = HeatMap {
            title: String::new(),
            x: Axis::linear("rate"),
            y: Axis::linear("y [nm]"),
            value: Axis::linear("k"),
            from_zero: false,
            span: [[0.0, 1.0], [0.0, 4.0]],
            marks: [vec!["slow".into(), "fast".into()], vec![]],
            rows: vec![vec![1.5, f64::NAN], vec![2.5, 3.5]],
        };
        let html = map("x", "A", "seen", &numbers).to_string();
        assert_eq!(data(&html), "rate,y [nm],k\nslow,1,1.5\nslow,3,2.5\nfast,3,3.5\n");
    }

    #[test]
    fn thinned_points_keep_their_intervals() {
        let mut plot = plot(4001);
        plot.series[0].intervals = (0..4001).map(|n| [f64::from(n), f64::from(n) + 0.5]).collect();
        thin(&mut plot);
        let series = &plot.series[0];
        assert_eq!(series.points.len(), 801);
        assert!(series.points.iter().zip(&series.intervals).all(|(p, i)| p[0] == i[0]));
    }

    #[test]
    fn links_lead_to_where_they_say() {
        let html = Piece::Links(vec![("a<b".into(), "kept/a%3Cb".into())]).to_string();
        assert!(html.contains("<a href=\"kept/a%3Cb\">a&lt;b</a>"), "{html}");
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
        let html = table(&["k", "of"], vec![vec!["3 ± 0.5".into(), "3 ± x".into()]]).to_string();
        assert!(html.contains("<td class=\"number\">3 ± 0.5</td><td>3 ± x</td>"), "{html}");
    }
}
