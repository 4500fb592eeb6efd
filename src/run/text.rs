//! Quantities and paragraphs as people read them.

pub use crate::model::words::{digits, length_in_unit, length_text, time_text};

/// A number of bytes in a unit that suits it, to three digits.
pub fn bytes_text(bytes: f64) -> String {
    let (value, unit) = match bytes {
        b if b >= 999.5e6 => (bytes / 1e9, "GB"),
        b if b >= 999.5e3 => (bytes / 1e6, "MB"),
        b if b >= 999.5 => (bytes / 1e3, "kB"),
        _ => (bytes, "bytes"),
    };
    format!("{} {unit}", digits(value, 3))
}

/// A wall time \[s\]: seconds, minutes or hours.
pub fn wall_text(seconds: f64) -> String {
    match seconds {
        s if s < 119.5 => format!("{} s", digits(s, 2)),
        s if s < 119.5 * 60.0 => format!("{:.0} min", s / 60.0),
        s if s < 48.0 * 3600.0 => format!("{:.0} h", s / 3600.0),
        s => format!("{:.0} days", s / 86400.0),
    }
}

/// A word in the number that goes with a count: `1 step`, `2 steps`, `3 bodies`.
pub fn counted(count: u64, word: &str) -> String {
    match (count, word.strip_suffix('y')) {
        (1, _) => format!("1 {word}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {word}s"),
    }
}

/// Columns of tables for eyes are at most so wide: what is longer, and no name in a model is, sticks out.
const WIDEST: usize = 200;

/// How wide a column of such `texts` is. \[characters\]
pub fn column_width(texts: impl IntoIterator<Item = impl AsRef<str>>) -> usize {
    let lengths = texts.into_iter().map(|text| text.as_ref().chars().count());
    lengths.max().unwrap_or(0).min(WIDEST)
}

/// The columns a line may have.
const WIDTH: usize = 100;

/// A paragraph whose first line begins with `label` and whose others are indented by as much, in
/// lines of at most 100 columns. Line breaks in `text` are kept.
pub fn paragraph(label: &str, text: &str) -> String {
    let indent = label.chars().count();
    let mut out = String::new();
    let mut begin = label.to_owned();
    for line in text.lines() {
        let mut now = std::mem::replace(&mut begin, " ".repeat(indent));
        let mut column = indent;
        for word in line.split(' ') {
            let long = word.chars().count();
            if column > indent && column + 1 + long > WIDTH {
                out += now.trim_end();
                out.push('\n');
                now = " ".repeat(indent);
                column = indent;
            }
            if column > indent {
                now.push(' ');
                column += 1;
            }
            now += word;
            column += long;
        }
        out += now.trim_end();
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_wall_times_come_in_units_that_suit_them() {
        let sizes = [(12.0, "12 bytes"), (4096.0, "4.1 kB"), (999_900.0, "1 MB"), (3.46e7, "34.6 MB")];
        for (size, text) in sizes {
            assert_eq!(bytes_text(size), text);
        }
        assert_eq!([0.5, 90.0, 600.0, 1e4].map(wall_text), ["0.5 s", "90 s", "10 min", "3 h"]);
        assert_eq!([12345.678, 0.0487, 1e-9].map(|x| digits(x, 3)), ["12300", "0.0487", "1.00e-9"]);
    }

    #[test]
    fn words_go_with_their_counts() {
        let words = [counted(1, "frame"), counted(0, "frame"), counted(1, "body"), counted(2, "body")];
        assert_eq!(words, ["1 frame", "0 frames", "1 body", "2 bodies"]);
    }

    #[test]
    fn paragraphs_are_wrapped_under_their_label() {
        let long = "word ".repeat(40);
        let text = paragraph("  label  ", long.trim());
        let lines: Vec<_> = text.lines().collect();
        assert!(lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(lines[0].starts_with("  label  word") && lines[1].starts_with("         word"), "{text}");
        assert_eq!(paragraph("a ", "b\nc"), "a b\n  c\n");
    }
}
