//! No type does everything: how many methods one may have, over all of its `impl` blocks. What it
//! implements of a trait is not counted, since it is the trait that says how much that is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::assert_none;
use crate::source::{File, files, word};

/// The most methods of one type.
const MOST_METHODS: usize = 60;

/// Types that have had more since before this was held, and how many: the numbers may only fall.
const KNOWN: &[(&str, usize)] = &[("crates/h5md/src/reading/mod.rs", 84)];

/// The type that a line opens an `impl` block of its own of.
fn implemented(line: &str) -> Option<String> {
    let rest = line.strip_prefix("impl")?;
    let rest = match rest.strip_prefix('<') {
        Some(_) => after_generics(rest)?,
        None => rest.strip_prefix(' ')?,
    };
    if rest.contains(" for ") {
        return None;
    }
    let path = rest.trim_start().split(['<', ' ', '{']).next()?;
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

/// Whether a line of an `impl` block begins a method of it: formatted source is indented by one
/// stop there.
fn begins_method(line: &str) -> bool {
    let Some(line) = line.strip_prefix("    ").filter(|line| !line.starts_with(' ')) else {
        return false;
    };
    let mut words = line.split([' ', '(']).skip_while(|word| {
        matches!(*word, "pub" | "const" | "async" | "unsafe" | "crate)" | "super)")
            || word.ends_with(')')
    });
    line.contains("fn ") && words.any(|word| word == "fn") && !line.trim_start().starts_with("//")
}

/// How many methods a file gives to each type that it has `impl` blocks of.
fn methods(file: &File) -> BTreeMap<String, usize> {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let mut of: Option<String> = None;
    for line in &file.code[..file.tests_begin()] {
        if line.starts_with('}') {
            of = None;
        } else if let Some(name) = implemented(line) {
            of = Some(name);
        }
        if let Some(name) = of.as_ref().filter(|_| begins_method(line)) {
            *found.entry(name.clone()).or_default() += 1;
        }
    }
    found
}

/// The types that some lines of code define, aliases included. What is indented as `type` belongs
/// to a trait.
pub(crate) fn types_in(code: &[String]) -> impl Iterator<Item = String> {
    code.iter().filter_map(|line| {
        let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
        let defines = match words.next()? {
            "struct" | "enum" | "trait" | "union" => true,
            "type" => !line.starts_with(' '),
            _ => false,
        };
        defines.then(|| word(words.next().unwrap_or_default()))
    })
}

/// How many folders two files have in common.
fn in_common(a: &Path, b: &Path) -> usize {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).count()
}

#[test]
fn no_type_does_everything() {
    let sources: Vec<File> = files().into_iter().filter(|file| file.house().is_some()).collect();
    let mut places: BTreeMap<String, Vec<&File>> = BTreeMap::new();
    for file in &sources {
        types_in(&file.code).for_each(|name| places.entry(name).or_default().push(file));
    }
    // Of types of one name, that is meant which is defined nearest to the block.
    let mut counts: BTreeMap<(PathBuf, String), usize> = BTreeMap::new();
    for file in &sources {
        for (name, count) in methods(file) {
            let homes = places.get(&name).into_iter().flatten();
            let home = homes
                .max_by_key(|home| (in_common(&home.path, &file.path), home.path == file.path));
            let Some(home) = home.map(|home| home.path.clone()) else { continue };
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
fn blocks_and_methods_are_distinguished() {
    assert_eq!(implemented("impl<const D: usize> Brownian<D> {").as_deref(), Some("Brownian"));
    assert_eq!(
        implemented("impl<'a, F: Fn(u8) -> u8> search::Auto<'a, F> {").as_deref(),
        Some("Auto")
    );
    assert_eq!(implemented("impl<const D: usize> Broad<D> for Auto<D> {"), None);
    assert_eq!(implemented("implied {"), None);
    assert!(begins_method("    pub(super) fn touch(&self) {"));
    assert!(begins_method("    pub(in crate::search) const fn touch() {"));
    assert!(!begins_method("        fn inner() {"));
    assert!(!begins_method("    let this = 1;"));
}
