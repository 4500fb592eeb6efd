//! Text that comes from files, made harmless for terminals, pages, drawings and spreadsheets.

use std::borrow::Cow;

/// Whether a character does something instead of standing for itself: control characters (escape
/// sequences of terminals begin with one), marks that turn the direction of the text after them,
/// separators of lines that are no line feed, and what XML does not allow.
pub fn is_unseen(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control()
        || turns
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// The text with `\u{fffd}` for every character that [is unseen](is_unseen), except line feeds and
/// tabs.
pub fn plain(text: &str) -> String {
    let kept = |c: char| matches!(c, '\n' | '\t') || !is_unseen(c);
    text.replace("\r\n", "\n")
        .chars()
        .map(|c| if kept(c) { c } else { char::REPLACEMENT_CHARACTER })
        .collect()
}

/// The same in one line: line feeds and tabs become spaces.
pub fn plain_line(text: &str) -> String {
    plain(text).replace(['\n', '\t'], " ")
}

/// Text that may stand in HTML, SVG and XML, in double quotes too.
pub fn markup(text: &str) -> String {
    plain(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Text for a cell of a table that a spreadsheet may open: what it would take for a formula gets an
/// apostrophe in front.
pub fn cell(text: &str) -> Cow<'_, str> {
    // The full-width forms are read as the plain ones by some programs.
    let begins =
        text.starts_with(['=', '+', '-', '@', '|', '\t', '\r', '＝', '＋', '－', '＠', '｜']);
    if begins && text.chars().count() > 1 && text.parse::<f64>().is_err() {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// At most `most` characters of a text, with an ellipsis where some are left out.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_shown_as_missing() {
        assert_eq!(
            plain("a\u{1b}[31mb\0c\u{202e}d\u{9b}e"),
            "a\u{fffd}[31mb\u{fffd}c\u{fffd}d\u{fffd}e"
        );
        assert_eq!(plain("two\r\nlines\tµ β 日本"), "two\nlines\tµ β 日本");
        assert_eq!(plain_line("two\r\nlines\r"), "two lines\u{fffd}");
    }

    #[test]
    fn markup_holds_no_tag_and_no_quote() {
        assert_eq!(markup("<a b=\"&\">\u{0}"), "&lt;a b=&quot;&amp;&quot;&gt;\u{fffd}");
    }

    #[test]
    fn formulas_are_quoted_and_numbers_are_not() {
        for formula in
            ["=1+1", "|calc", "+cmd|'/c calc'!A0", "-2+3", "@SUM(A1)", "＝1+1", "＠SUM(A1)"]
        {
            assert_eq!(cell(formula), format!("'{formula}"));
        }
        for plain in ["", "-", "-2.5", "+1e-3", "EGFR", "a=b"] {
            assert_eq!(cell(plain), plain);
        }
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(shortened("µµµ", 2), "µµ…");
        assert_eq!(shortened("µµ", 2), "µµ");
    }
}
