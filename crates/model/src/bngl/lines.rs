//! The lines of a BNGL file without comments, those that go on after a `\` joined, and a cursor that
//! knows where in the file it is.

/// A place in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// What is wrong at a place, or worth saying of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slip {
    pub(super) spot: Spot,
    pub(super) message: String,
}

impl Slip {
    pub(super) fn new(spot: Spot, message: impl Into<String>) -> Self {
        Self { spot, message: message.into() }
    }
}

/// Text that is read as one line.
#[derive(Debug)]
pub(super) struct Statement {
    text: String,
    /// Where parts of it begin, in bytes, and where they stand in the file.
    parts: Vec<(usize, Spot)>,
}

impl Statement {
    pub(super) fn cursor(&self) -> Cursor<'_> {
        Cursor { statement: self, at: 0 }
    }

    fn spot(&self, at: usize) -> Spot {
        let part = self.parts.iter().rfind(|(from, _)| *from <= at);
        let (from, spot) = part.copied().unwrap_or_default();
        Spot { column: spot.column + self.text[from..at].chars().count(), ..spot }
    }

    /// Puts another line behind this one.
    pub(super) fn append(&mut self, other: Self) {
        let before = self.text.len();
        self.text += &other.text;
        self.parts.extend(other.parts.into_iter().map(|(at, spot)| (before + at, spot)));
    }

    /// Takes out a mark wherever it stands as a word of its own, with the colons behind it.
    pub(super) fn drop_marks(&mut self, mark: &str) {
        let mut from = 0;
        while let Some(at) = self.text[from..].find(mark).map(|at| from + at) {
            let behind = &self.text[at + mark.len()..];
            if behind.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                from = at + mark.len();
                continue;
            }
            let colons = behind.len() - behind.trim_start_matches(':').len();
            let end = at + mark.len() + colons;
            let (spot, length) = (self.spot(end), end - at);
            self.parts.retain(|(start, _)| !(at..end).contains(start) || *start == 0);
            self.parts
                .iter_mut()
                .filter(|(start, _)| *start >= end)
                .for_each(|part| part.0 -= length);
            let place = self.parts.iter().position(|(start, _)| *start > at);
            self.parts.insert(place.unwrap_or(self.parts.len()), (at, spot));
            self.text.replace_range(at..end, "");
            from = at;
        }
    }

    /// How many brackets are open at its end.
    pub(super) fn open_brackets(&self) -> usize {
        outside_quotes(&self.text).fold(0, |open, (_, c)| match c {
            '(' | '{' => open + 1,
            ')' | '}' => open.saturating_sub(1),
            _ => open,
        })
    }
}

/// The characters of a line that do not stand in quotes, with their places.
fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut is_quoted = false;
    text.char_indices().filter(move |(_, c)| {
        is_quoted ^= *c == '"';
        !is_quoted
    })
}

/// The lines of a file in which something is said.
pub(super) fn statements(text: &str) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut open: Option<Statement> = None;
    for (n, line) in text.lines().enumerate() {
        let comment = outside_quotes(line).find(|(_, c)| *c == '#');
        let said = line[..comment.map_or(line.len(), |(at, _)| at)].trim_end();
        let (said, goes_on) = match said.strip_suffix('\\') {
            Some(said) => (said, true),
            None => (said, false),
        };
        let part =
            Statement { text: said.to_owned(), parts: vec![(0, Spot { line: n + 1, column: 1 })] };
        match &mut open {
            Some(statement) => statement.append(part),
            None => open = Some(part),
        }
        if !goes_on {
            found.extend(open.take());
        }
    }
    found.extend(open);
    found.retain(|statement| !statement.text.trim().is_empty());
    found
}

/// A place in a statement, from which it is read on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'s> {
    statement: &'s Statement,
    at: usize,
}

impl<'s> Cursor<'s> {
    /// What has not been read.
    pub(super) fn rest(&self) -> &'s str {
        &self.statement.text[self.at..]
    }

    /// Where the next character is.
    pub(super) fn spot(&self) -> Spot {
        self.statement.spot(self.at)
    }

    /// Where the character is that many bytes on.
    pub(super) fn spot_after(&self, bytes: usize) -> Spot {
        self.statement.spot(self.at + bytes)
    }

    pub(super) fn slip(&self, message: impl Into<String>) -> Slip {
        Slip::new(self.spot(), message)
    }

    /// Reads that many bytes.
    pub(super) fn advance(&mut self, bytes: usize) -> &'s str {
        let taken = &self.rest()[..bytes];
        self.at += bytes;
        taken
    }

    pub(super) fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.advance(rest.len() - rest.trim_start().len());
    }

    /// Whether nothing follows.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.skip_spaces();
        self.rest().is_empty()
    }

    /// Reads a text if it comes next.
    pub(super) fn takes(&mut self, text: &str) -> bool {
        self.skip_spaces();
        let found = self.rest().starts_with(text);
        if found {
            self.advance(text.len());
        }
        found
    }

    /// Reads a word of letters, digits and `_`, if one comes next.
    pub(super) fn word(&mut self) -> Option<&'s str> {
        self.skip_spaces();
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        (length > 0).then(|| self.advance(length))
    }

    /// Reads a word that does not begin with a digit.
    pub(super) fn name(&mut self) -> Option<&'s str> {
        self.skip_spaces();
        if self.rest().starts_with(|c: char| c.is_ascii_digit()) { None } else { self.word() }
    }

    /// The next word without reading it, or the next character.
    pub(super) fn shown(&self) -> String {
        let mut ahead = *self;
        match (ahead.word(), ahead.rest().chars().next()) {
            (Some(word), _) => format!("\"{word}\""),
            (None, Some(c)) => format!("\"{c}\""),
            (None, None) => "the end of the line".to_owned(),
        }
    }

    /// Skips a label, as in `R: A(b) 10`, or a number in front of a name, by which older files count
    /// their entries.
    pub(super) fn skip_index(&mut self) {
        let mut ahead = *self;
        let is_number = ahead.word().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit()));
        let rest = ahead.rest();
        let name = rest.trim_start();
        if is_number
            && name.len() < rest.len()
            && name.starts_with(|c: char| c.is_alphabetic() || "_$@{".contains(c))
        {
            *self = ahead;
        }
        let mut ahead = *self;
        if ahead.name().is_some()
            && ahead.takes(":")
            && ahead.rest().starts_with(char::is_whitespace)
        {
            *self = ahead;
        }
    }

    /// Refuses what is left.
    pub(super) fn expect_end(&mut self) -> Result<(), Slip> {
        if self.is_at_end() {
            return Ok(());
        }
        Err(self.slip(format!("{} is not expected here", self.shown())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_file() {
        let text = "a # b\n\n  cd \\ # more\n   é f\nwrite(\"#\")\n";
        let found = statements(text);
        assert_eq!(found.len(), 3);
        assert_eq!(found[2].cursor().rest(), "write(\"#\")");
        let mut cursor = found[1].cursor();
        assert_eq!(cursor.word(), Some("cd"));
        assert_eq!(cursor.word(), Some("é"));
        cursor.skip_spaces();
        assert_eq!((cursor.rest(), cursor.spot()), ("f", Spot { line: 4, column: 6 }));
        assert_eq!(cursor.word(), Some("f"));
        assert!(cursor.is_at_end() && cursor.word().is_none());
    }

    #[test]
    fn marks_are_taken_out_and_places_stay() {
        let mut found = statements("R: @c:A(b)@c.B@c(a) -> \\\n@c::C()@cd 1");
        found[0].drop_marks("@c");
        let mut cursor = found[0].cursor();
        assert_eq!(cursor.rest(), "R: A(b).B(a) -> C()@cd 1");
        for (text, line, column) in
            [("R", 1, 1), ("A", 1, 7), (".B", 1, 13), ("(a", 1, 17), ("C", 2, 5), ("1", 2, 12)]
        {
            let at = cursor.rest().find(text).unwrap();
            cursor.advance(at);
            assert_eq!(cursor.spot(), Spot { line, column }, "{text}");
        }
    }

    #[test]
    fn entries_may_be_numbered() {
        for (text, rest) in [
            ("1 k 2", "k 2"),
            ("k 2", "k 2"),
            ("R1: A 2", "A 2"),
            ("2 R: A", "A"),
            ("c:A", "c:A"),
            ("1: A", "1: A"),
            ("0 -> A", "0 -> A"),
        ] {
            let found = statements(text);
            let mut cursor = found[0].cursor();
            cursor.skip_index();
            cursor.skip_spaces();
            assert_eq!(cursor.rest(), rest);
        }
    }
}
