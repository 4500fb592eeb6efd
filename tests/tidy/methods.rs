//! No type does everything: how many methods one may have, over all of its `impl` blocks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::assert_none;
use crate::source::{File, files, word};

/// The most methods of one type.
const MOST_METHODS: usize = 60;

/// Types that have had more since before this was held, and how many: the numbers may only fall.
const KNOWN: &[(&str, usize)] = &[("crates/analysis/src/reading/mod.rs", 83)];

/// The type that a line opens an `impl` block of.
fn implemented(line: &str) -> Option<String> {
    let rest = line.strip_prefix("impl")?;
    let rest = match rest.strip_prefix('<') {
        Some(_) => after_generics(rest)?,
        None => rest.strip_prefix(' ')?,
    };
    let rest = rest.split_once(" for ").map_or(rest, |(_, of)| of).trim_start();
    let path = rest.split(['<', ' ', '{']).next()?;
    let name = word(path.rsplit("::").next()?);
    (!name.is_empty()).then_some(name)
}

/// What follows the generic parameters that `text` begins with.
fn after_generics(text: &str) -> Option<&str> {
    let mut depth = 0;
    let mut before = ' ';
    for (n, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            // Not the arrow of a function's type.
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[n + 1..]);
        }
        before = c;
    }
    None
}

/// Whether a line of an `impl` block begins a method of it: formatted source is indented by one stop there.
fn begins_method(line: &str) -> bool {
    let Some(line) = line.strip_prefix("    ").filter(|line| !line.starts_with(' ')) else {
        return false;
    };
    let mut words = line.split([' ', '(']).skip_while(|word| {
        matches!(*word, "pub" | "const" | "async" | "unsafe" | "crate)" | "super)") || word.ends_with(')')
    });
    line.contains("fn ") && words.any(|word| word == "fn") && !line.trim_start().starts_with("//")
}

/// How many methods a file gives to each type that it has `impl` blocks of, and the line of the first.
fn methods(file: &File) -> BTreeMap<String, (usize, usize)> {
    let mut found: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut of: Option<String> = None;
    for (n, line) in file.code[..file.tests_begin()].iter().enumerate() {
        if line.starts_with('}') {
            of = None;
        } else if let Some(name) = implemented(line) {
            of = Some(name);
        }
        if let Some(name) = of.as_ref().filter(|_| begins_method(line)) {
            found.entry(name.clone()).or_insert((0, n)).0 += 1;
        }
    }
    found
}

/// Whether a file says what a type is.
fn defines(file: &File, name: &str) -> bool {
    file.code.iter().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.windows(2).any(|two| matches!(two[0], "struct" | "enum" | "trait") && word(two[1]) == name)
    })
}

/// How many folders two files have in common.
fn in_common(a: &Path, b: &Path) -> usize {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).count()
}

#[test]
fn no_type_does_everything() {
    let sources: Vec<File> = files().into_iter().filter(|file| file.house().is_some()).collect();
    // Of types of one name, that is meant which is defined nearest to the block.
    let mut counts: BTreeMap<(PathBuf, String), usize> = BTreeMap::new();
    for file in &sources {
        for (name, (count, _)) in methods(file) {
            let places = sources.iter().filter(|other| defines(other, &name));
            let home =
                places.max_by_key(|other| (in_common(&other.path, &file.path), other.path == file.path));
            let home = home.map_or(file.path.clone(), |home| home.path.clone());
            *counts.entry((home, name)).or_default() += count;
        }
    }
    assert!(counts.values().any(|&count| count > 20), "this test counts nothing");
    let mut faults = Vec::new();
    for ((path, name), count) in counts {
        let known = KNOWN.iter().find(|(known, _)| path == Path::new(known));
        let most = known.map_or(MOST_METHODS, |(_, most)| *most);
        if count > most {
            faults.push(format!(
                "{}: `{name}` has {count} methods, more than {most}: move some to a type whose data they use",
                path.display()
            ));
        }
    }
    assert_none(&faults);
}

#[test]
fn blocks_and_methods_are_told_apart() {
    assert_eq!(implemented("impl<const D: usize> Brownian<D> {").as_deref(), Some("Brownian"));
    assert_eq!(
        implemented("impl<'a, F: Fn(u8) -> u8> Broad<3> for search::Auto<'a, F> {").as_deref(),
        Some("Auto")
    );
    assert_eq!(implemented("implied {"), None);
    assert!(begins_method("    pub(super) fn touch(&self) {"));
    assert!(begins_method("    pub(in crate::search) const fn touch() {"));
    assert!(!begins_method("        fn inner() {"));
    assert!(!begins_method("    let this = 1;"));
}
