//! Where text that is no TOML goes wrong first: at a quote, a bracket or a brace. The parser of
//! TOML continues behind a slip and complains of everything that follows.

/// What is wrong with a text that is no TOML, and at which byte, if it is a quote, bracket or
/// brace.
pub(super) fn slip(text: &str) -> Option<(usize, String)> {
    Scan { text, at: 0, open: Vec::new() }.run()
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    /// What is open: the bracket and where it stands.
    open: Vec<(u8, usize)>,
}

impl Scan<'_> {
    fn run(mut self) -> Option<(usize, String)> {
        let mut begins_line = true;
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            if begins_line && self.is_header() {
                if let Some(&(bracket, at)) = self.open.last() {
                    return Some((at, unclosed(bracket)));
                }
                self.skip_line();
                continue;
            }
            begins_line = byte == b'\n' || (begins_line && byte.is_ascii_whitespace());
            match byte {
                b'#' => {
                    self.skip_line();
                    continue;
                }
                b'"' | b'\'' => {
                    let began = self.at;
                    if !self.skip_text(byte) {
                        return Some((
                            began,
                            "the text that begins here in quotes does not end on this line".into(),
                        ));
                    }
                    continue;
                }
                b'[' | b'{' => self.open.push((byte, self.at)),
                b']' | b'}' => {
                    let opens = if byte == b']' { b'[' } else { b'{' };
                    match self.open.pop() {
                        Some((bracket, _)) if bracket == opens => {}
                        Some((bracket, at)) => return Some((at, unclosed(bracket))),
                        None => {
                            let bracket = char::from(byte);
                            return Some((self.at, format!("there is a `{bracket}` too many")));
                        }
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
        self.open.first().map(|&(bracket, at)| (at, unclosed(bracket)))
    }

    /// Whether the line from here on is `[section]` or `[[section]]`, which no list can hold.
    fn is_header(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        if rest.first() != Some(&b'[') {
            return false;
        }
        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        let line = String::from_utf8_lossy(&rest[..end]);
        let line = line.split('#').next().unwrap_or_default().trim();
        let inner = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        let inner =
            inner.map(|i| i.strip_prefix('[').and_then(|i| i.strip_suffix(']')).unwrap_or(i));
        let is_bare = |c: char| c.is_ascii_alphabetic() || "_-.".contains(c);
        inner.is_some_and(|name| {
            name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_bare)
        })
    }

    fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    }

    /// Goes behind a text in quotes; false if it does not end.
    fn skip_text(&mut self, quote: u8) -> bool {
        let bytes = self.text.as_bytes();
        let long = bytes[self.at..].starts_with(&[quote; 3]);
        self.at += if long { 3 } else { 1 };
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\\' if quote == b'"' => self.at += 1,
                b'\n' if !long => return false,
                _ if long && bytes[self.at..].starts_with(&[quote; 3]) => {
                    self.at += 3;
                    return true;
                }
                _ if !long && byte == quote => {
                    self.at += 1;
                    return true;
                }
                _ => {}
            }
            self.at += 1;
        }
        false
    }
}

fn unclosed(bracket: u8) -> String {
    let (opens, closes) = if bracket == b'[' { ('[', ']') } else { ('{', '}') };
    format!("the `{opens}` opened here is not closed by a `{closes}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(usize, String)> {
        slip(text).map(|(at, message)| (1 + text[..at].matches('\n').count(), message))
    }

    #[test]
    fn a_slip_is_found_where_it_is() {
        let cases = [
            ("a = 1\nb = { c = 2\n[run]\nd = [1]\n", 2, "`{`"),
            ("a = [\n { b = [1, 2] },\n { b = [1, 2 },\n]\n[[rule]]\n", 3, "`[`"),
            ("a = [1, 2\nb = 3\n", 1, "`[`"),
            ("a = { b = 1 }}\n", 1, "`}` too many"),
            ("a = \"two\nb = \"{\"\n", 1, "quotes"),
            ("# }\na = \"}\" # ]\nb = '''\n]'''\nc = ]\n", 5, "`]` too many"),
        ];
        for (text, line, what) in cases {
            let (at, message) = found(text).unwrap_or_else(|| panic!("{text}"));
            assert!(at == line && message.contains(what), "{text}: {at}: {message}");
        }
        assert_eq!(found("[run]\na = [\"]\", '{', \"\\\"]\"]\n[[rule]]\non = [[1], [2]]\n"), None);
    }
}
