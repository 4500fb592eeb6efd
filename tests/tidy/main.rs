//! Holds the house to its plan: layers, sizes, words. Every table here is meant to be edited; the
//! failure says file, line and what would be right.

mod engines;
mod methods;
mod names;
mod rules;
mod source;
mod supply;

use std::collections::{BTreeMap, BTreeSet};

use source::{File, files, uses, word};

/// One layer: modules that may use each other (never in a circle), and all modules of the layers
/// before it.
struct Layer {
    modules: &'static [&'static str],
    /// Whether the modules of this layer do not know each other.
    strangers: bool,
    /// Whether they read or write files.
    io: bool,
}

const fn layer(modules: &'static [&'static str]) -> Layer {
    Layer { modules, strangers: false, io: false }
}

/// The layers, lowest first.
const LAYERS: &[Layer] = &[
    layer(&[
        "named",
        "planted",
        "prefetch",
        "space",
        "random",
        "agenda",
        "theory",
        "docking",
        "formula",
        "sites",
        "species",
        "output",
        "parameters",
        "words",
        "statistics",
        "stopwatch",
        "units",
        "unions",
    ]),
    layer(&["search", "narrow"]),
    layer(&["potentials"]),
    layer(&["particles", "clusters", "motion", "rules"]),
    layer(&["environment"]),
    layer(&["observe", "state_hash"]),
    layer(&["engine", "kinetic"]),
    Layer { strangers: true, ..layer(&["brownian", "gas", "granular", "polygons"]) },
    Layer { io: true, ..layer(&["files"]) },
    Layer { io: true, ..layer(&["hdf5", "claims", "contained", "locks", "texts"]) },
    Layer { io: true, ..layer(&["record"]) },
    Layer { io: true, ..layer(&["reading"]) },
    Layer { io: true, ..layer(&["positions"]) },
    Layer { io: true, ..layer(&["model"]) },
    Layer { io: true, ..layer(&["run"]) },
    Layer { io: true, ..layer(&["analysis"]) },
    Layer { io: true, ..layer(&["sweep"]) },
    Layer { io: true, ..layer(&["report", "export"]) },
    layer(&["progress", "networks"]),
    Layer { io: true, ..layer(&["document"]) },
    Layer { io: true, ..layer(&["bench", "converge", "reproduce"]) },
    Layer { io: true, ..layer(&["validate"]) },
    Layer { io: true, ..layer(&["cli"]) },
    Layer { io: true, ..layer(&["python"]) },
];

/// The root of the library: it names all modules, and none may use it.
const ROOT: &str = "lib";
/// The program's own file, above everything.
const PROGRAM: &str = "main";

/// Who may tell one kind of search structure from another: `search` itself, `model`, which reads
/// the word, and everything from `run` upwards.
const KNOW_THE_KINDS: &[&str] = &[
    "search",
    "model",
    "run",
    "analysis",
    "report",
    "validate",
    "bench",
    "reproduce",
    "cli",
    PROGRAM,
];

/// Who may print and exit.
const SPEAK: &[&str] = &["cli", PROGRAM];

/// What reads or writes files. Only layers with `io` may.
const FILES: &[&str] = &["std::fs", "std::io", "std::env", "std::net", "File::", "hdf5::", "csv::"];

/// What prints or ends the program.
const SPEECH: &[&str] =
    &["println!", "print!", "eprintln!", "eprint!", "process::exit", "process::abort"];

/// What opens a file by its name.
const OPENS: &[&str] = &[
    "File::open(",
    "fs::read(",
    "read_to_string(",
    "OpenOptions::new(",
    "options().",
    "from_path(",
];

/// Who may open files by their names, and why. What a file of a user names, or a stranger may have made,
/// is read by `jostle_files::named_bytes_of` and what stands on it, or by the HDF5 library.
const OPEN_FILES: &[(&str, &str)] = &[
    ("crates/files/src/text_file.rs", "the reader itself"),
    ("crates/files/src/place.rs", "asks what is at a place where something is to be written"),
    ("crates/files/src/fresh.rs", "writes"),
    ("crates/files/src/beside.rs", "locks what is on its way to its place"),
    ("crates/h5md/src/reading/mod.rs", "looks at the first bytes of regular files, and asks HDF5"),
    (
        "crates/h5md/src/positions/trajectory.rs",
        "asks HDF5, after `positions::read` has looked at the place",
    ),
    ("crates/h5md/src/locks.rs", "asks for locks"),
    ("crates/h5md/src/record/claim.rs", "asks for locks"),
    ("crates/h5md/src/record/passing.rs", "makes and claims what a run writes"),
    ("crates/h5md/src/record/recorder.rs", "brings to the disk what it has written"),
    ("crates/h5md/src/record/recover.rs", "mends the first bytes of regular files"),
    ("crates/h5md/src/record/resume.rs", "asks HDF5, of a file that is recovered"),
    ("crates/h5md/src/contained.rs", "asks HDF5, in its tests"),
    ("crates/run/src/checkpoint/mod.rs", "locks checkpoints, which are regular files"),
    ("crates/run/src/checkpoint/file.rs", "reads checkpoints, piece by piece"),
    ("crates/run/src/memory.rs", "asks the system"),
    ("crates/run/src/memory_guard.rs", "asks the system"),
    ("crates/lab/src/bench/machine.rs", "asks the system"),
    ("crates/lab/src/bench/clock.rs", "asks the system"),
    ("crates/lab/src/bench/memory.rs", "asks the system"),
    ("crates/lab/src/bench/contact_log.rs", "reads what it has just written"),
    ("src/cli/signals.rs", "asks the system"),
    ("src/cli/movie.rs", "reads what a program that it started has said"),
    ("crates/sweep/src/work/task.rs", "locks tasks"),
];

/// What is never left behind, and what to do instead.
const NEVER: &[(&str, &str)] = &[
    ("TODO", "do it now, or write down what is missing where users see it"),
    ("FIXME", "fix it"),
    ("XXX", "say what is meant"),
    ("#[ignore", "a test runs, or lives behind the feature `long`"),
    ("todo!", "write it"),
    ("unimplemented!", "write it, or return an error"),
    ("dbg!", "use log::debug!"),
    (".mul_add(", "results must not depend on fused multiplication: write a * b + c"),
];

/// American spelling in names or prose, and ours.
const SPELLING: &[(&str, &str)] =
    &[("neighbor", "neighbour"), ("behavior", "behaviour"), ("analyze", "analyse")];

/// Where American commands are understood.
const ALSO_AMERICAN: [&str; 2] = ["alias = \"analyze\"", "[\"analyze\""];

/// The most lines that a file may have.
const MOST_LINES: usize = 550;

/// The number of a module's layer.
fn rank(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.modules.contains(&module))
}

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{} fault(s)\n{}\n", faults.len(), faults.join("\n"));
}

/// What is wrong with `module` using `used`, if anything.
fn objection(module: &str, used: &str) -> Option<String> {
    if module == used || module == PROGRAM || module == ROOT {
        return None;
    }
    let Some(theirs) = rank(used) else {
        return Some(format!(
            "`{used}` is no module of the table LAYERS in tests/tidy/main.rs: put it there, or name the \
             module that the item lives in"
        ));
    };
    let ours = rank(module)?;
    if theirs > ours {
        let lower: Vec<_> = LAYERS[..=ours].iter().flat_map(|l| l.modules).collect();
        return Some(format!(
            "`{module}` may not use `{used}`, which stands above it; it may use {lower:?}"
        ));
    }
    (theirs == ours && LAYERS[ours].strangers).then(|| {
        format!("`{module}` and `{used}` do not know each other: move what they share down")
    })
}

/// The one file of the Python module that is about the program: it passes a command line on.
const COMMAND: &str = "crates/python/src/command.rs";

#[test]
fn the_library_stands_under_the_program() {
    let mut faults = Vec::new();
    let of_python = |file: &File| file.house() == Some("python") && !file.path.ends_with(COMMAND);
    for file in files().iter().filter(|file| of_python(file)) {
        for (line, text) in file.code.iter().enumerate() {
            if text.contains("jostle::cli") || text.contains("downcast") {
                let what = "Python calls the library, and tells errors apart by their types: move what it needs out \
                            of `cli`";
                faults.push(file.at(line, what));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn every_module_has_its_place() {
    let mut faults = Vec::new();
    for file in files() {
        let Some(module) = file.module() else {
            continue;
        };
        if rank(&module).is_none() && module != ROOT && module != PROGRAM {
            faults.push(
                file.at(0, &format!("put `{module}` into the table LAYERS in tests/tidy/main.rs")),
            );
        }
    }
    assert_none(&faults);
}

#[test]
fn modules_use_lower_layers_only() {
    let mut faults = Vec::new();
    for file in files() {
        let Some(module) = file.module() else {
            continue;
        };
        for (line, used) in uses(&file) {
            faults.extend(objection(&module, &used).map(|what| file.at(line, &what)));
        }
    }
    assert_none(&faults);
}

#[test]
fn modules_do_not_use_each_other_in_a_circle() {
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files() {
        if let Some(module) = file.module().filter(|m| m != ROOT && m != PROGRAM) {
            let used = uses(&file).into_iter().map(|(_, used)| used);
            let others: Vec<_> = used.filter(|used| *used != module).collect();
            graph.entry(module).or_default().extend(others);
        }
    }
    // Take away what uses nothing that is left, again and again: only circles remain.
    loop {
        let done = graph.iter().find(|(_, used)| !used.iter().any(|u| graph.contains_key(u)));
        let Some(done) = done.map(|(module, _)| module.clone()) else {
            break;
        };
        graph.remove(&done);
    }
    assert!(
        graph.is_empty(),
        "these modules use each other in a circle; move what they share to a lower one: {:?}",
        graph.keys()
    );
}

#[test]
fn only_the_upper_layers_touch_files() {
    let mut faults = Vec::new();
    for file in files() {
        let Some(layer) = file.module().and_then(|m| rank(&m)) else {
            continue;
        };
        if LAYERS[layer].io {
            continue;
        }
        for (line, text) in file.code.iter().enumerate() {
            for word in FILES.iter().filter(|word| text.contains(**word)) {
                let what = format!(
                    "`{word}`: engines and what they stand on do no input or output; observers do"
                );
                faults.push(file.at(line, &what));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn the_library_neither_prints_nor_exits() {
    let mut faults = Vec::new();
    for file in files() {
        let Some(module) = file.module() else {
            continue;
        };
        if SPEAK.contains(&module.as_str()) {
            continue;
        }
        for (line, text) in file.code[..file.tests_begin()].iter().enumerate() {
            for word in SPEECH.iter().filter(|word| text.contains(**word)) {
                faults.push(
                    file.at(line, &format!("`{word}`: return an error, or use the log crate")),
                );
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn files_that_others_name_are_read_by_one_reader() {
    let mut faults = Vec::new();
    for file in files() {
        let is_known = OPEN_FILES.iter().any(|(path, _)| file.path == std::path::Path::new(path));
        let is_test = file.path.iter().any(|part| part == "tests");
        if file.house().is_none() || is_known || is_test {
            continue;
        }
        for (line, text) in file.code[..file.tests_begin()].iter().enumerate() {
            for word in OPENS.iter().filter(|word| text.contains(**word)) {
                let what = format!(
                    "`{word}`: read it by jostle_files::named_bytes_of or named_text_of, or say in OPEN_FILES why not"
                );
                faults.push(file.at(line, &what));
            }
        }
    }
    assert_none(&faults);
}

/// The kinds of search structures that a file declares: `Kind::Naive`, ...
fn kinds(file: &File) -> Vec<String> {
    let lines = file.code.iter();
    let after = lines.skip_while(|l| !l.contains("pub enum Kind ")).skip(1);
    let variants = after.take_while(|l| !l.starts_with('}'));
    variants
        .map(|l| word(l.trim()))
        .filter(|name| !name.is_empty())
        .map(|name| format!("Kind::{name}"))
        .collect()
}

/// Whether `name` stands in `text` as a whole: `KineticKind::Cubic` is no `Kind::Cubic`.
fn names(text: &str, name: &str) -> bool {
    let mut places = text.match_indices(name);
    places.any(|(n, _)| !text[..n].ends_with(|c: char| c.is_alphanumeric()))
}

#[test]
fn no_crate_below_run_asks_which_search_structure_it_is() {
    let all = files();
    let search = all.iter().filter(|f| f.module().as_deref() == Some("search"));
    let kinds: Vec<String> = search.flat_map(kinds).collect();
    assert!(kinds.len() >= 2, "`pub enum Kind` is not in crates/core/src/search: {kinds:?}");

    let mut faults = Vec::new();
    for file in &all {
        let Some(module) = file.module() else {
            continue;
        };
        if KNOW_THE_KINDS.contains(&module.as_str()) {
            continue;
        }
        for (line, text) in file.code.iter().enumerate() {
            for kind in kinds.iter().filter(|kind| names(text, kind)) {
                faults.push(file.at(line, &format!("`{kind}`: ask the trait, or decide in `run`")));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn every_file_says_what_it_is_and_stays_short() {
    let mut faults = Vec::new();
    for file in files() {
        if !file.lines.first().is_some_and(|l| l.starts_with("//! ")) {
            faults.push(file.at(0, "begin with `//! ` and one sentence that says what this is"));
        }
        if file.lines.len() > MOST_LINES {
            let what = format!("{} lines: split it, {MOST_LINES} is the most", file.lines.len());
            faults.push(file.at(MOST_LINES, &what));
        }
    }
    assert_none(&faults);
}

#[test]
fn nothing_is_left_behind() {
    let mut faults = Vec::new();
    for file in files() {
        for (line, text) in file.lines.iter().enumerate() {
            for (word, instead) in NEVER.iter().filter(|(word, _)| text.contains(word)) {
                faults.push(file.at(line, &format!("`{word}`: {instead}")));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn words_are_spelt_the_british_way() {
    let mut faults = Vec::new();
    for file in files() {
        let ours = |text: &&String| !ALSO_AMERICAN.iter().any(|command| text.contains(command));
        for (line, text) in file.lines.iter().enumerate().filter(|(_, text)| ours(text)) {
            let text = text.to_lowercase();
            for (theirs, ours) in SPELLING.iter().filter(|(theirs, _)| text.contains(theirs)) {
                faults.push(file.at(line, &format!("`{theirs}`: we write `{ours}`")));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn the_table_of_layers_means_what_it_says() {
    assert!(objection("motion", "space").is_none());
    assert!(objection("motion", "observe").is_some());
    assert!(objection("brownian", "granular").is_some());
    assert!(objection("record", "files").is_none());
    assert!(objection("record", "nonsense").is_some());
}
