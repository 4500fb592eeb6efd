//! Text in lines that a screen has room for.

use std::iter::{once, repeat};

use textwrap::core::display_width;
use textwrap::{Options, WordSplitter, wrap};

/// The columns a line may have.
const WIDTH: usize = 100;

/// A paragraph whose first line begins with `label` and whose others are indented by as much, in
/// lines of at most 100 columns. Line breaks in `text` are kept, and no word is cut.
pub fn paragraph(label: &str, text: &str) -> String {
    let indent = " ".repeat(display_width(label));
    let others = Options::new(WIDTH)
        .initial_indent(&indent)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation);
    let first = others.clone().initial_indent(label);
    let options = once(&first).chain(repeat(&others));
    let lines = text.lines().zip(options).flat_map(|(line, options)| wrap(line.trim(), options));
    lines.map(|line| line.into_owned() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_wrapped_under_their_label() {
        let long = "well-known words (3.2e-9 µm²/s) — ".repeat(20);
        let text = paragraph("  label  ", &long);
        let lines: Vec<_> = text.lines().collect();
        assert!(
            lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= WIDTH),
            "{text}"
        );
        assert!(lines[0].starts_with("  label  well-known"), "{text}");
        assert!(lines[1].starts_with("         ") && !lines[1].trim().is_empty(), "{text}");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&text)[1..], words(&long));
        assert_eq!(paragraph("a ", "b\nc"), "a b\n  c\n");
        assert_eq!(paragraph("a ", ""), "");
    }

    #[test]
    fn words_stay_whole_and_wide_letters_count_twice() {
        let long = "x".repeat(120);
        assert_eq!(paragraph("", &format!("a {long} b")), format!("a\n{long}\nb\n"));
        let wide = paragraph("", &"日本 ".repeat(40));
        assert!(wide.lines().all(|line| line.chars().count() <= WIDTH / 2 + 10), "{wide}");
    }
}
