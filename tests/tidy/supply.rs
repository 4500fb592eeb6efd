//! What we stand on: every dependency comes from crates.io, at the version of the committed
//! `Cargo.lock`, under a licence that `deny.toml` allows; the licence of what is embedded ships
//! beside it; and every `unsafe` is known. `make deny` asks cargo-deny the same, and for
//! advisories.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where there may be `unsafe`: file, how often the word stands in its code, and why there is no
/// other way. (The macro `multiversion` calls functions for wider vector instructions behind a
/// check of its own.)
const UNSAFE: &[(&str, usize, &str)] = &[(
    "crates/core/src/prefetch.rs",
    1,
    "prefetching, worth a sixth of the time of a dense fluid, is in the standard library as an unsafe intrinsic",
)];

/// Dependencies whose manifest names a file instead of a licence: the licence that is in it, and
/// words of it.
const CLARIFIED: &[(&str, &str, &str)] =
    &[("hdf5-metno-src", "HDF5", "Redistribution and use in source and binary forms")];

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What a command says.
fn said(command: &mut Command) -> String {
    let output = command
        .current_dir(repository())
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// The licences that `deny.toml` allows.
fn allowed() -> Vec<String> {
    let deny: toml::Table = text(&repository().join("deny.toml")).parse().unwrap();
    let list = deny["licenses"]["allow"].as_array().unwrap();
    list.iter().map(|licence| licence.as_str().unwrap().to_owned()).collect()
}

/// Whether a licence expression (SPDX, or with the slash of old) can be met by licences of the
/// list.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let met = any_of(&mut words, allowed);
    assert_eq!(words.next(), None, "{expression}");
    met
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any_of(words: &mut Words<'_>, allowed: &[String]) -> bool {
    let mut met = all_of(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        met |= all_of(words, allowed);
    }
    met
}

fn all_of(words: &mut Words<'_>, allowed: &[String]) -> bool {
    let mut met = licence(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        met &= licence(words, allowed);
    }
    met
}

fn licence(words: &mut Words<'_>, allowed: &[String]) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let met = any_of(words, allowed);
        assert_eq!(words.next(), Some(")"));
        return met;
    }
    let mut name = words.next().expect("a licence").to_owned();
    if words.next_if_eq(&"WITH").is_some() {
        name = format!("{name} WITH {}", words.next().expect("an exception"));
    }
    allowed.contains(&name)
}

#[test]
fn licence_expressions_are_understood() {
    let allowed = ["MIT".to_owned(), "Unicode-3.0".to_owned()];
    for (expression, met) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0 OR MIT", true),
        ("(GPL-3.0 OR MIT) AND Unicode-3.0", true),
        ("GPL-3.0 AND MIT", false),
        ("MIT AND (GPL-3.0 OR Apache-2.0 WITH LLVM-exception)", false),
    ] {
        assert_eq!(is_met(expression, &allowed), met, "{expression}");
    }
}

/// Files that name the oldest Rust, and what stands before it.
const OLDEST_RUST: &[(&str, &str)] = &[
    ("Makefile", "jostle needs cargo "),
    ("README.md", "Both need Rust ("),
    ("docs/start/install.md", "- Rust "),
    ("packaging/Dockerfile", "FROM rust:"),
    (".github/workflows/test.yml", "rust: [\""),
    (".github/workflows/test.yml", "RUSTUP_TOOLCHAIN: \""),
];

#[test]
fn the_oldest_rust_is_the_same_everywhere() {
    let manifest: toml::Table = text(&repository().join("Cargo.toml")).parse().unwrap();
    let oldest = manifest["workspace"]["package"]["rust-version"].as_str().unwrap();
    for (file, before) in OLDEST_RUST {
        let text = text(&repository().join(file));
        let named: BTreeSet<&str> = text
            .split(before)
            .skip(1)
            .map(|rest| rest.split(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap())
            .collect();
        assert_eq!(named, BTreeSet::from([oldest]), "{file}, behind `{before}`");
    }
}

/// All dependencies that a build or test on this machine has, for whatever purpose.
#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    let rustc = said(Command::new("rustc").arg("-vV"));
    let host =
        rustc.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    let arguments =
        ["metadata", "--offline", "--locked", "--format-version", "1", "--filter-platform", host];
    let metadata = said(Command::new(env!("CARGO")).args(arguments));
    let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
    let used: Vec<_> =
        metadata["resolve"]["nodes"].as_array().unwrap().iter().map(|node| &node["id"]).collect();
    let allowed = allowed();
    let mut faults = Vec::new();
    let packages = metadata["packages"].as_array().unwrap();
    for package in packages.iter().filter(|package| used.contains(&&package["id"])) {
        let (name, licence) = (package["name"].as_str().unwrap(), package["license"].as_str());
        let clarified = CLARIFIED.iter().find(|(clarified, ..)| *clarified == name);
        let licence = match (licence, clarified) {
            (None, Some((_, licence, words))) => {
                let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap());
                let file = manifest.with_file_name(package["license_file"].as_str().unwrap());
                assert!(text(&file).contains(words), "{} has changed", file.display());
                Some(*licence)
            }
            (licence, _) => licence,
        };
        if !licence.is_some_and(|licence| is_met(licence, &allowed)) {
            faults.push(format!("{name}: {}", licence.unwrap_or("no licence")));
        }
    }
    assert!(packages.len() > 50, "only {} packages", packages.len());
    assert!(faults.is_empty(), "not among those that deny.toml allows:\n{}", faults.join("\n"));
}

#[test]
fn the_lock_file_is_committed_and_all_in_it_is_from_crates_io() {
    let path = repository().join("Cargo.lock");
    let lock: toml::Table = text(&path).parse().unwrap();
    if repository().join(".git").exists() {
        said(Command::new("git").args(["ls-files", "--error-unmatch", "Cargo.lock"]));
    }
    let packages = lock["package"].as_array().unwrap();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let source = package.get("source").and_then(|source| source.as_str());
        if name == "jostle" || name.starts_with("jostle-") {
            assert_eq!(source, None);
            continue;
        }
        assert_eq!(source, Some("registry+https://github.com/rust-lang/crates.io-index"), "{name}");
        let checksum = package.get("checksum").and_then(|checksum| checksum.as_str());
        assert!(checksum.is_some_and(|checksum| checksum.len() == 64), "{name} has no checksum");
    }
    assert!(packages.len() > 50, "only {} packages", packages.len());
}

/// A program that embeds the Brownian engine compiles no more than this, and needs no C compiler:
/// HDF5, Parquet and the command line stay outside.
#[test]
fn the_brownian_engine_stands_on_few_crates() {
    let arguments = [
        "tree",
        "--offline",
        "--locked",
        "--package",
        "jostle-brownian",
        "--edges",
        "normal,build",
    ];
    let tree =
        said(Command::new(env!("CARGO")).args(arguments).args(["--prefix", "none", "--no-dedupe"]));
    let crates: BTreeSet<&str> =
        tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(crates.contains("jostle-core") && crates.len() <= 32, "{}: {crates:?}", crates.len());
    let needs_c =
        ["cc", "cmake", "bindgen", "pkg-config"].iter().find(|tool| crates.contains(*tool));
    assert_eq!(needs_c, None);
}

/// Every crate can be published: its package holds all the files that it includes.
#[test]
fn every_crate_makes_a_package() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["package", "--workspace", "--offline", "--no-verify", "--allow-dirty"];
    let mut command = Command::new(env!("CARGO"));
    said(command.args(arguments).arg("--target-dir").arg(folder.path()));
    let mut faults = Vec::new();
    for path in sources_of_all_crates().iter().filter(|path| !is_test(path)) {
        let text = text(path);
        for macro_name in ["include_str!(\"", "include_bytes!(\""] {
            for part in text.split("#[cfg(test)]").next().unwrap().split(macro_name).skip(1) {
                let named = part.split('"').next().unwrap();
                let file = path.parent().unwrap().join(named);
                let own = home(path);
                if !plain(&file).starts_with(own) {
                    faults.push(format!("{}: {named} is outside of the package", path.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The folder of the crate that a file belongs to.
fn home(path: &Path) -> &Path {
    let mut above = path.ancestors();
    above.find(|folder| folder.join("Cargo.toml").exists()).expect("a file belongs to a crate")
}

/// Whether a file holds nothing but tests.
fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs")
}

/// A path without `..`; links are not followed, since a package holds what they lead to.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// Files of Rust below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// All files of Rust that users compile.
fn sources_of_all_crates() -> Vec<PathBuf> {
    [sources(&repository().join("src")), sources(&repository().join("crates"))].concat()
}

/// The path of a file from the root of the repository.
fn named(path: &Path) -> String {
    path.strip_prefix(repository()).unwrap().display().to_string()
}

#[test]
fn what_is_embedded_ships_with_its_licence() {
    let mut embedded = 0;
    for path in sources_of_all_crates() {
        let text = text(&path);
        for part in text.split("include_bytes!(\"").skip(1) {
            let file = path.parent().unwrap().join(part.split('"').next().unwrap());
            let file =
                file.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            if file.extension().is_none_or(|extension| extension != "ttf") {
                continue;
            }
            embedded += 1;
            let licence = file.with_file_name("LICENSE-DejaVu.txt");
            assert!(self::text(&licence).contains("Bitstream Vera"), "{}", licence.display());
        }
    }
    assert_eq!(embedded, 1, "another font is embedded: name its licence here");
}

/// How often the word `unsafe` stands in code: comments, lints and longer words do not count.
fn count_unsafe(text: &str) -> usize {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| *word == "unsafe").count()
}

#[test]
fn every_unsafe_is_in_the_list() {
    assert_eq!(count_unsafe("unsafe { unsafe_code() } // unsafe\nlet x = unsafe {};"), 2);
    let found: BTreeMap<String, usize> = sources_of_all_crates()
        .iter()
        .map(|path| (named(path), count_unsafe(&text(path))))
        .filter(|(_, count)| *count > 0)
        .collect();
    let known = UNSAFE.iter().map(|(file, count, _)| ((*file).to_owned(), *count)).collect();
    assert_eq!(
        found, known,
        "put it into the table UNSAFE, with the reason why there is no other way"
    );
    assert!(UNSAFE.iter().all(|(_, _, why)| !why.is_empty()));
}
