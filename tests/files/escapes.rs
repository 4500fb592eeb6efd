//! What comes from a file and would do harm where it is shown stands there as text: in pages,
//! drawings, graphs, tables, exports and on the terminal. Each is read by a real parser, and has
//! the same structure as that of a file with plain names.

use std::path::{Path, PathBuf};

use jostle::model::LogLevel;
use jostle::observe::{Observer, Outcome};
use jostle::record::{Header, Recorder, Status};
use tempfile::TempDir;

use crate::fake::{World, header, output};
use crate::program::{self, Apart, jostle, repository};

/// Names that would do harm; three species and four rules of each line, the last one is for all
/// other texts.
const HOSTILE: [[&str; 8]; 3] = [
    [
        "<script>window.broken=1</script>",
        "\"><img src=x onerror=alert(1)>",
        "a'b & c]]>",
        "</text></svg><!--",
        "{{frames}}",
        "</title>&lt;",
        "\\\" onload=\"x",
        "</script><script>alert(1)</script>",
    ],
    [
        "\u{1b}[31mred\u{1b}]0;owned\u{7}",
        "two\nlines\r\nand\ttab",
        "\u{202e}fdp.exe",
        "\u{2066}a\u{2069}\u{200f}",
        "\u{9b}31m\u{85}x",
        "\u{feff}b\u{2028}c\u{fffe}",
        "nul\0and more",
        "\u{1b}[2J\u{1b}[H\u{202e}title",
    ],
    [
        "=cmd|'/C calc'!A0",
        "+1+1",
        "@SUM(A1:A9)",
        "-2+3+cmd",
        "=HYPERLINK(\"http://x\")",
        "a,b;c|d #e",
        "x{y z,\"w\"}",
        "=1+1",
    ],
];
const PLAIN: [&str; 8] = ["ligand", "receptor", "complex", "merge", "hold", "fall", "let", "title"];

fn named(names: &[&str; 8]) -> Header {
    let mut header = header::<2>(12, jostle::model::Output { log: LogLevel::All, ..output() });
    for (species, name) in header.species.iter_mut().zip(names) {
        species.name = (*name).to_owned();
    }
    header.rules = names[3..7].iter().map(|name| (*name).to_owned()).collect();
    let other = names[7].to_owned();
    header.title.clone_from(&other);
    header.author.clone_from(&other);
    header.search.clone_from(&other);
    header.figures = vec![other.clone()];
    header.source.text = format!("{other}\n");
    header.source.overrides = vec![("seed".into(), other)];
    header
}

/// A file with bonds, coalescence and contacts under such names.
fn file(dir: &Path, name: &str, names: &[&str; 8]) -> PathBuf {
    let path = dir.join(name);
    let header = named(names);
    let mut world = World::<2>::new(header.particles);
    let mut recorder = Recorder::<2>::create(&path, &header, false).unwrap();
    let r = &mut recorder;
    r.step(&world.view()).unwrap();
    for step in 1..12 {
        match step {
            1 => world.bond(2, 3, r),
            2 => drop(world.coalesce(0, 1, r)),
            5 => world.bond(5, 6, r),
            8 => world.unbond(2, 3, r),
            _ => (),
        }
        world.touch(7, 8, Outcome::Bounced, r);
        world.hit_wall(9, r);
        world.step(r);
    }
    recorder.finish(Status::Finished, world.clock).unwrap();
    path
}

/// Everything that is made of a file, in a folder; what was said meanwhile.
fn all_of(file: &Path) -> (TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let name = file.to_str().unwrap();
    let mut said = String::new();
    let commands: &[&[&str]] = &[
        &["report", name, "--out", "page.html"],
        &["snapshot", name, "--out", "snapshot.svg"],
        &["export", name, "--out", "bodies.xyz"],
        &["export", name, "--out", "bodies.csv"],
        &["export", name, "--out", "bodies.simularium"],
        &["export", name, "--out", "bodies.pvd"],
        &["genealogy", name, "--out", "tree.graphml"],
        &["genealogy", name, "--out", "tree.dot"],
        &["genealogy", name, "--out", "tree.csv"],
        &["analyse", name, "counts", "--out", "counts.csv", "--plot", "counts.svg"],
        &["analyse", name, "counts", "--out", "counts.json"],
        &["analyse", name, "rates", "--out", "rates.csv", "--plot", "rates.svg"],
        &["contacts", name, "--out", "contacts.csv"],
        &["contacts", name, "--group-by", "species,rule", "--out", "groups.json"],
        &["info", name],
        &["analyse", name],
        &["contacts", name],
        &["contacts", name, "--species", "nobody"],
        &["genealogy", name],
        &["diff", name, name],
        &["rerun", name],
    ];
    for arguments in commands {
        let done = jostle(dir.path(), arguments);
        assert!(
            [Some(0), Some(1), Some(2)].contains(&done.code),
            "{arguments:?}: {}{}",
            done.out,
            done.err
        );
        assert!(!done.err.contains("panicked"), "{arguments:?}: {}", done.err);
        let written =
            arguments.iter().position(|word| *word == "--out").map(|at| arguments[at + 1]);
        assert!(
            written.is_none_or(|name| dir.path().join(name).exists()),
            "{arguments:?}: {}",
            done.err
        );
        said += &(done.out + &done.err);
    }
    (dir, said)
}

#[test]
fn hostile_names_change_no_structure_and_steer_no_terminal() {
    let files = tempfile::tempdir().unwrap();
    let (plain, _) = all_of(&file(files.path(), "plain.h5md", &PLAIN));
    for names in &HOSTILE {
        let (hostile, said) = all_of(&file(files.path(), "hostile.h5md", names));
        let steering = |c: char| c != '\n' && jostle::files::is_unseen(c);
        let found = said.chars().find(|&c| steering(c));
        assert!(found.is_none(), "{found:?} goes to the terminal: {said}");
        let script = repository().join("tests/python/check_escapes.py");
        let done = program::python(files.path())
            .arg(script)
            .args([plain.path(), hostile.path()])
            .output_apart();
        let reported =
            [&done.stdout, &done.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        assert!(done.status.success(), "{names:?}\n{}\n{}", reported[0], reported[1]);
        std::fs::remove_file(files.path().join("hostile.h5md")).unwrap();
    }
}
