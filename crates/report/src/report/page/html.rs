//! Pieces of HTML. Everything that comes from a file goes through [`escaped`].

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::super::plot::Plot;
use jostle_files::cell;
pub use jostle_files::markup as escaped;

/// Points of a series in a figure; more than can be told apart would only make the page large.
const MOST_POINTS: usize = 1000;

/// A template with its `{{names}}` filled in. What is filled in is not looked at again, so text
/// from a file cannot ask for more.
pub fn filled(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out += before;
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        out += &value(name);
        rest = after;
    }
    out + rest
}

/// How pages look.
pub fn page_style() -> &'static str {
    include_str!("page.css")
}

/// JSON that may stand in a script element: no text in it can end the element.
pub fn json_text(value: &serde_json::Value) -> String {
    value
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

/// A table. Columns of numbers are flush right.
pub fn table(heads: &[&str], rows: &[Vec<String>]) -> String {
    let numeric = |k: usize| {
        let mut cells = rows.iter().filter_map(|row| row.get(k));
        cells.all(|cell| cell == "–" || cell.parse::<f64>().is_ok())
    };
    let class = |k: usize| if numeric(k) { " class=\"number\"" } else { "" };
    let row = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
        let cells = cells
            .enumerate()
            .map(|(k, cell)| format!("<{tag}{}>{}</{tag}>", class(k), escaped(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let body: String =
        rows.iter().map(|cells| row("td", &mut cells.iter().map(String::as_str))).collect();
    let head = row("th", &mut heads.iter().copied());
    format!("<div class=\"wide\"><table><thead>{head}</thead><tbody>{body}</tbody></table></div>\n")
}

/// Names and values.
pub fn facts(pairs: &[(String, String)]) -> String {
    let pair = |(name, value): &(String, String)| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value))
    };
    format!("<dl class=\"facts\">{}</dl>\n", pairs.iter().map(pair).collect::<String>())
}

/// A paragraph of text.
pub fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escaped(text))
}

/// A plot beside its heading, what is seen in it, and its numbers to take away as `name`.csv.
pub fn figure(name: &str, heading: &str, caption: &str, mut plot: Plot) -> String {
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
    let thinned =
        if every > 1 { format!(" One point of {every} is drawn.") } else { String::new() };
    // The heading stands in HTML; the title says to those who cannot see what the picture is.
    let svg = plot.draw().to_svg().replacen("<svg ", "<svg role=\"img\" ", 1);
    let svg = svg.replacen("<title></title>", &format!("<title>{}</title>", escaped(heading)), 1);
    format!(
        "<figure id=\"figure-{name}\"><div class=\"wide\">{svg}</div>\n<figcaption><h3>{}</h3><p>{}{thinned}</p>\
         <p><a class=\"data\" download=\"{name}.csv\" href=\"data:text/csv;base64,{}\">data</a></p>\
         </figcaption></figure>\n",
        escaped(heading),
        escaped(caption),
        BASE64_STANDARD.encode(csv_of(&plot))
    )
}

/// A picture (PNG) beside its heading and what is seen in it.
pub fn picture(name: &str, heading: &str, caption: &str, png: &[u8]) -> String {
    format!(
        "<figure id=\"figure-{name}\"><div class=\"wide\"><img alt=\"{0}\" src=\"data:image/png;base64,{1}\"></div>\n\
         <figcaption><h3>{0}</h3><p>{2}</p></figcaption></figure>\n",
        escaped(heading),
        BASE64_STANDARD.encode(png),
        escaped(caption)
    )
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
            y: Axis::linear("bodies"),
            series: vec![Series::line("a \"b\"", line)],
        }
    }

    #[test]
    fn what_is_filled_in_is_not_filled_in_again() {
        let value = |name: &str| if name == "a" { "{{b}}".to_owned() } else { "never".to_owned() };
        assert_eq!(filled("<{{a}}> {{", value), "<{{b}}> never");
        assert_eq!(filled("plain", |_| String::new()), "plain");
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
        let html = figure("x", "A & B", "seen", plot(3));
        let data = html.split("base64,").nth(1).unwrap().split('"').next().unwrap();
        let csv = String::from_utf8(BASE64_STANDARD.decode(data).unwrap()).unwrap();
        assert_eq!(
            csv,
            "series,time [ms],bodies\n\"a \"\"b\"\"\",0,0\n\"a \"\"b\"\"\",1,2\n\"a \"\"b\"\"\",2,4\n"
        );
        assert!(html.contains("<title>A &amp; B</title>") && !html.contains("One point"), "{html}");
    }

    #[test]
    fn long_series_are_thinned_and_the_caption_says_so() {
        let html = figure("x", "A", "seen.", plot(4001));
        assert!(html.contains("seen. One point of 5 is drawn."), "{html}");
    }

    #[test]
    fn tables_escape_their_cells() {
        let html = table(&["what", "n"], &[vec!["<b>".into(), "3".into()]]);
        assert!(html.contains("<td>&lt;b&gt;</td><td class=\"number\">3</td>"), "{html}");
    }
}
