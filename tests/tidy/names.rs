//! A name means one thing: no two types of a crate are called alike. What only tests use is left
//! out.

use std::collections::BTreeMap;
use std::path::Path;

use crate::assert_none;
use crate::methods::types_in;
use crate::source::{File, files};

/// Modules that are only there for tests, by the names of their files or folders.
const FOR_TESTS: &[&str] =
    &["tests", "adversaries", "conformance", "scenes", "samples", "shaken_floor", "storms"];

fn is_for_tests(path: &Path) -> bool {
    path.with_extension("").iter().any(|part| FOR_TESTS.iter().any(|name| part == *name))
}

/// Names that several types of one crate have, with the files of these.
fn doubled(sources: &[File]) -> Vec<String> {
    let mut places: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    for file in sources.iter().filter(|file| !is_for_tests(&file.path)) {
        let Some(house) = file.house() else { continue };
        for name in types_in(&file.code[..file.tests_begin()]) {
            places.entry((house, name)).or_default().push(file.path.display().to_string());
        }
    }
    let several = places.into_iter().filter(|(_, files)| files.len() > 1);
    several
        .map(|((house, name), files)| {
            format!("{house} has several types called `{name}`: {}", files.join(", "))
        })
        .collect()
}

#[test]
fn no_type_name_means_two_things_in_a_crate() {
    assert_none(&doubled(&files()));
}

#[test]
fn a_doubled_name_is_found_within_a_crate_only() {
    let file = |path: &str, text: &str| File {
        path: path.into(),
        lines: Vec::new(),
        code: text.lines().map(str::to_owned).collect(),
    };
    let both = [
        file("crates/core/src/search/cells.rs", "pub(super) struct Entry {\n}"),
        file("crates/core/src/agenda.rs", "enum Entry<T> {\n}"),
        file("crates/run/src/lib.rs", "pub struct Entry;"),
        file("crates/core/src/search/tests.rs", "struct Entry;"),
    ];
    let found = doubled(&both);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("`Entry`: crates/core/src/search/cells.rs, crates/core/src/agenda"));
}
