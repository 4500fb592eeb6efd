//! Reads the source as far as the tests beside it need: lines, code without comments, modules used.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates that hold several modules of the table of layers; every other crate is one.
const OF_SEVERAL_MODULES: &[&str] = &["jostle", "core", "events", "h5md", "report", "lab"];

/// Whether a crate is one module.
fn is_one_module(house: &str) -> bool {
    !OF_SEVERAL_MODULES.contains(&house)
}

/// One source file.
pub(crate) struct File {
    /// From the root of the repository.
    pub(crate) path: PathBuf,
    /// Its lines as they are.
    pub(crate) lines: Vec<String>,
    /// Its lines without comments and without what stands in quotes.
    pub(crate) code: Vec<String>,
}

impl File {
    /// The crate that it belongs to: `core` for crates/core/src/..., `jostle` for src/...; none for
    /// tests.
    pub(crate) fn house(&self) -> Option<&str> {
        let mut parts = self.path.iter().filter_map(|part| part.to_str());
        match (parts.next()?, parts.next()?, parts.next()) {
            ("src", ..) => Some("jostle"),
            ("crates", name, Some("src")) => Some(name),
            _ => None,
        }
    }

    /// The module that it belongs to: `search` for crates/core/src/search/cells/mod.rs, and `run`
    /// for all of crates/run/src, since some crates are one module; none outside of these.
    pub(crate) fn module(&self) -> Option<String> {
        let house = self.house()?;
        if is_one_module(house) {
            return Some(house.to_owned());
        }
        let below = self.path.iter().skip_while(|part| *part != "src").nth(1)?;
        Some(below.to_str()?.trim_end_matches(".rs").to_owned())
    }

    /// Where its tests begin; they may print.
    pub(crate) fn tests_begin(&self) -> usize {
        if self.path.ends_with("tests.rs") {
            return 0;
        }
        // Modules of tests in files of their own are named at the top.
        let mut pairs = self.code.iter().zip(self.code.iter().skip(1));
        let first =
            pairs.position(|(l, next)| l.trim() == "#[cfg(test)]" && !next.trim().ends_with(';'));
        first.unwrap_or(self.code.len())
    }

    /// `path:line: ...` for a failure.
    pub(crate) fn at(&self, line: usize, what: &str) -> String {
        format!("{}:{}: {what}", self.path.display(), line + 1)
    }
}

/// All Rust files of the repository but the tables beside this file, which name what is forbidden.
pub(crate) fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["src", "crates", "tests", "examples", "benches"] {
        collect(&root.join(folder), &mut found);
    }
    found.sort();
    let tables = ["tests/tidy/main.rs", "tests/tidy/engines.rs"].map(Path::new);
    let paths = found.iter().filter_map(|path| path.strip_prefix(root).ok());
    let paths = paths.filter(|path| !tables.contains(path));
    paths
        .map(|path| {
            let text = fs::read_to_string(root.join(path)).expect("source is readable text");
            File {
                path: path.to_owned(),
                code: bare(&text).lines().map(str::to_owned).collect(),
                lines: text.lines().map(str::to_owned).collect(),
            }
        })
        .collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Source with comments and the insides of quotes blanked out, line breaks kept.
fn bare(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let (length, keep) = token(rest);
        let length = length.max(c.len_utf8()).min(rest.len());
        let (piece, after) = rest.split_at(length);
        if keep {
            out.push_str(piece);
        } else {
            out.extend(piece.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        }
        rest = after;
    }
    out
}

/// The length of the comment, the quoted text or the piece of code that `rest` begins with, and
/// whether it is code.
fn token(rest: &str) -> (usize, bool) {
    let to = |end: &str, from: usize| {
        rest[from..].find(end).map_or(rest.len(), |n| from + n + end.len())
    };
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), false);
    }
    if rest.starts_with("/*") {
        return (to("*/", 2), false);
    }
    for (open, close) in [("r##\"", "\"##"), ("r#\"", "\"#"), ("r\"", "\"")] {
        if rest.starts_with(open) {
            return (to(close, open.len()), false);
        }
    }
    if rest.starts_with('"') {
        let mut escaped = false;
        for (n, c) in rest.char_indices().skip(1) {
            match c {
                '"' if !escaped => return (n + 1, false),
                _ => escaped = c == '\\' && !escaped,
            }
        }
        return (rest.len(), false);
    }
    if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
        return (to("'", 1), false);
    }
    // A whole word at once, so that the r of `for"` is not taken for the start of a raw text.
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    (word.unwrap_or(rest.len()), true)
}

/// The modules that a file names after `crate::`, `jostle::` or `jostle_core::` and the like, with
/// the line. A group, `crate::{a::B, c}`, counts as its members.
pub(crate) fn uses(file: &File) -> Vec<(usize, String)> {
    let text = file.code.join("\n");
    let mut found = Vec::new();
    let of_several = |house: &str| (format!("jostle_{house}::"), None);
    let mut marks: Vec<(String, Option<String>)> =
        OF_SEVERAL_MODULES.iter().map(|house| of_several(house)).collect();
    marks.push(("jostle::".to_owned(), None));
    if file.house().is_none_or(|house| !is_one_module(house)) {
        marks.push(("crate::".to_owned(), None));
    }
    for house in houses().into_iter().filter(|house| is_one_module(house)) {
        marks.push((format!("jostle_{house}::"), Some(house)));
    }
    for (mark, whole) in &marks {
        for (n, _) in text.match_indices(mark.as_str()) {
            let line = text[..n].matches('\n').count();
            let after = &text[n + mark.len()..];
            match (whole, after.strip_prefix('{')) {
                (Some(house), _) => found.push((line, house.clone())),
                (None, Some(group)) => found.extend(members(group).into_iter().map(|m| (line, m))),
                (None, None) => found.push((line, word(after))),
            }
        }
    }
    found
}

/// The names of the folders in crates/.
fn houses() -> Vec<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let entries = fs::read_dir(crates).expect("there is a folder crates").flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

/// The first words of the members of a group whose opening brace has been read.
fn members(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut names = Vec::new();
    let mut fresh = true;
    for (n, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            c if fresh && !c.is_whitespace() => {
                names.push(word(&group[n..]));
                fresh = false;
            }
            _ => {}
        }
    }
    names
}

pub(crate) fn word(text: &str) -> String {
    let letters = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_');
    letters.collect()
}

#[test]
fn this_reader_of_source_reads_it_right() {
    let text = "use crate::space; // crate::run\nlet a = \"crate::cli \\\" crate::cli\"; /* crate::\n\
                model */ let b = r#\"crate::record\"#; let c = '\"'; crate::search::Pair;\n\
                use crate::{rules::{Rule, Other}, observe, particles::*};\n";
    let file = File {
        path: PathBuf::from("src/motion.rs"),
        lines: Vec::new(),
        code: bare(text).lines().map(str::to_owned).collect(),
    };
    let found: Vec<_> = uses(&file);
    let expected = [(0, "space"), (2, "search"), (3, "rules"), (3, "observe"), (3, "particles")];
    assert_eq!(found, expected.map(|(line, used)| (line, used.to_owned())));
    assert_eq!(file.module().as_deref(), Some("motion"));
}
