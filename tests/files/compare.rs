//! Files compared with each other, and with what their own model gives when it is run again.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::program::{self, Apart, Done, MODEL, command, folder, jostle, repository};

/// A crowd in which something happens all the time.
fn model() -> String {
    let changes = [("200 nm", "70 nm"), ("0.05 um^2/s", "1 um^2/s"), ("5 /s", "0.01 /us")];
    changes.iter().fold(MODEL.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// A folder with the model, and a run of it that logs every contact.
fn with_run() -> tempfile::TempDir {
    let dir = folder();
    std::fs::write(dir.path().join("model.toml"), model()).unwrap();
    run(dir.path(), "a.h5md", &[]);
    dir
}

fn run(folder: &Path, out: &str, more: &[&str]) {
    let first = ["run", "model.toml", "-q", "--set", "output.log=all", "--out", out];
    jostle(folder, &[&first[..], more].concat()).succeeds();
}

/// Python with the packages that `make tools` fetched.
fn python(folder: &Path, arguments: &[&str]) -> String {
    Done::from(program::python(folder).args(arguments).output_apart()).succeeds().out
}

/// The first frame, change and contact that differ, by numpy.
fn by_numpy(folder: &Path, a: &str, b: &str) -> [Option<usize>; 3] {
    let script = repository().join("tests/python/first_difference.py");
    let out = python(folder, &[script.to_str().unwrap(), a, b]);
    let rows: Vec<Option<usize>> = out.split_whitespace().map(|row| row.parse().ok()).collect();
    rows.try_into().unwrap()
}

/// The first frame, change and contact that differ, as the program names them.
fn named(said: &str) -> [Option<usize>; 3] {
    ["frame", "change", "contact"].map(|what| {
        let after = said.split(&format!("the first that differs is {what} ")).nth(1)?;
        Some(after.lines().next()?.parse().unwrap())
    })
}

fn diff(folder: &Path, a: &str, b: &str, code: i32) -> String {
    let done = jostle(folder, &["diff", a, b]);
    assert_eq!(done.code, Some(code), "{}{}", done.out, done.err);
    assert!(done.err.is_empty(), "{}", done.err);
    done.out
}

/// Sets one value of a dataset.
fn flip(folder: &Path, file: &str, statement: &str) {
    let code = format!("import h5py\nwith h5py.File('{file}', 'r+') as f:\n    {statement}");
    python(folder, &["-c", &code]);
}

#[test]
fn results_are_equal_whatever_the_search_structure() {
    let dir = with_run();
    for (n, search) in ["naive", "slices"].iter().enumerate() {
        let out = format!("{n}.h5md");
        run(
            dir.path(),
            &out,
            &["--set", &format!("search.kind={search}"), "--set", "run.scheduler=rescan"],
        );
        let said = diff(dir.path(), "a.h5md", &out, 0);
        assert!(said.starts_with(&format!("a.h5md and {out} are equal: 41 frames, ")), "{said}");
        // The settings are told, and are no difference.
        assert!(said.contains("settings that differ, on which no results depend:\n  "), "{said}");
        assert!(!said.contains("on which results depend"), "{said}");
        assert!(said.contains(&format!("  search.kind: \"auto\" | \"{search}\"\n")), "{said}");
        assert_eq!(by_numpy(dir.path(), "a.h5md", &out), [None; 3]);
    }
}

#[test]
fn the_first_difference_is_the_one_that_numpy_finds() {
    let dir = with_run();
    run(dir.path(), "seed.h5md", &["--seed", "8"]);
    let said = diff(dir.path(), "a.h5md", "seed.h5md", 1);
    assert_eq!(named(&said), by_numpy(dir.path(), "a.h5md", "seed.h5md"), "{said}");
    assert_eq!(named(&said)[0], Some(0), "particles start elsewhere: {said}");
    assert!(
        said.contains("settings that differ, on which results depend:\n  run.seed: 7 | 8\n"),
        "{said}"
    );
    assert!(said.contains("40 of 40 particles elsewhere"), "{said}");

    // Two runs that part in the middle.
    for (name, at) in [("early", "155 us"), ("late", "1 ms")] {
        let rate = "set = { rule = 'pair_unbind', rate = '0.1 /us' }";
        let more = format!("{}[[schedule]]\nname = 'loose'\nat = '{at}'\n{rate}\n", model());
        std::fs::write(dir.path().join("model.toml"), more).unwrap();
        run(dir.path(), &format!("{name}.h5md"), &[]);
    }
    let said = diff(dir.path(), "early.h5md", "late.h5md", 1);
    let found = named(&said);
    assert_eq!(found, by_numpy(dir.path(), "early.h5md", "late.h5md"), "{said}");
    assert!(found[0] > Some(15) && found[1] > Some(0) && found[2] > Some(0), "{said}");
    assert!(said.contains("schedule.loose.at"), "{said}");
}

#[test]
fn a_shorter_run_is_the_beginning_of_a_longer_one() {
    let dir = with_run();
    run(dir.path(), "short.h5md", &["--steps", "155"]);
    for (a, b) in [("short.h5md", "a.h5md"), ("a.h5md", "short.h5md")] {
        let said = diff(dir.path(), a, b, 1);
        assert!(
            said.contains("short.h5md is the beginning of a.h5md: all it has is there (16 frames"),
            "{said}"
        );
    }
    // Once it differs anywhere, it is not.
    flip(dir.path(), "short.h5md", "f['particles/trajectory/cluster/value'][3, 2] = 77");
    let said = diff(dir.path(), "short.h5md", "a.h5md", 1);
    assert_eq!(named(&said), [Some(3), None, None], "{said}");
    assert!(said.contains("1 of 40 particles in another cluster") && said.contains("| "), "{said}");
    assert!(said.contains("the state hashes agree"), "{said}");
}

#[test]
fn a_single_value_is_found_wherever_it_is() {
    let dir = with_run();
    let contacts = "c = f['events/contacts']; row = c[29]; row['outcome'] ^= 1; c[29] = row";
    let step = "c = f['events/contacts_index']; row = c[5]; row['step'] += 1; c[5] = row";
    let party = "c = f['events/products']; row = c[3]; row['size'] += 1; c[3] = row";
    // Each change has two products.
    let cases = [
        (contacts, [None, None, Some(29)], "contact 29"),
        (step, [None, None, None], "contact"),
        (party, [None, Some(1), None], "first: step"),
        (
            "f['particles/trajectory/position/value'][7, 4, 1] += 1",
            [Some(7), None, None],
            "1 of 40 particles elsewhere",
        ),
        (
            "f['particles/trajectory/image/value'][9, 4, 1] += 1",
            [Some(9), None, None],
            "/image/value",
        ),
        (
            "f['observables/clusters/value'][11] += 1",
            [Some(11), None, None],
            "/observables/clusters/value",
        ),
        (
            "f['particles/trajectory/radius'][6] += 1",
            [None; 3],
            "first that differs is row of /particles/trajectory/radius 6",
        ),
        ("f['events/more'] = [1.0]", [None; 3], "rows of /events/more: "),
        ("f['events/more'] = 1.0", [None; 3], "rows of /events/more: "),
    ];
    for (statement, expected, words) in cases {
        std::fs::copy(dir.path().join("a.h5md"), dir.path().join("b.h5md")).unwrap();
        flip(dir.path(), "b.h5md", statement);
        for (a, b) in [("a.h5md", "b.h5md"), ("b.h5md", "a.h5md")] {
            let said = diff(dir.path(), a, b, 1);
            assert!(said.contains(words), "{statement}: {said}");
            let found = named(&said);
            if statement == step {
                assert!(found[0].is_none() && found[1].is_none() && found[2].is_some(), "{said}");
            } else {
                assert_eq!(found, expected, "{statement}: {said}");
            }
        }
    }
}

#[test]
fn single_values_are_compared() {
    let dir = with_run();
    std::fs::copy(dir.path().join("a.h5md"), dir.path().join("b.h5md")).unwrap();
    for (file, value) in [("a.h5md", 1.5), ("b.h5md", 2.5)] {
        flip(dir.path(), file, &format!("f['series/one/value'] = {value}"));
    }
    let said = diff(dir.path(), "a.h5md", "b.h5md", 1);
    assert!(
        said.contains("rows of /series/one/value: 1 and 1; the first that differs is"),
        "{said}"
    );
    flip(dir.path(), "b.h5md", "f['series/one/value'][()] = 1.5");
    diff(dir.path(), "a.h5md", "b.h5md", 0);
}

#[test]
fn what_cannot_be_compared_is_trouble_and_no_difference() {
    let dir = with_run();
    std::fs::write(dir.path().join("b.h5md"), "text").unwrap();
    for arguments in
        [&["diff", "a.h5md", "b.h5md"][..], &["diff", "a.h5md", "none.h5md"], &["rerun", "b.h5md"]]
    {
        let done = jostle(dir.path(), arguments);
        assert_eq!(done.code, Some(2), "{arguments:?}: {}", done.err);
        assert!(done.out.is_empty() && done.err.lines().count() == 1, "{}", done.err);
    }
}

#[test]
fn a_file_run_again_is_equal_to_the_bit() {
    let dir = with_run();
    let names = || std::fs::read_dir(dir.path()).unwrap().count();
    let before = names();
    let said =
        jostle(dir.path(), &["rerun", "a.h5md", "-q", "--set", "search.kind=cubic"]).succeeds().out;
    assert!(
        said.starts_with("a.h5md, run again for 400 steps: equal, to the bit (41 frames, "),
        "{said}"
    );
    // Fewer steps, which need not end with a frame.
    let said = jostle(dir.path(), &["rerun", "a.h5md", "-q", "--steps", "155"]).succeeds().out;
    assert!(said.contains("run again for 155 steps: equal, to the bit (16 frames, "), "{said}");
    // More than the file has.
    let said = jostle(dir.path(), &["rerun", "a.h5md", "-q", "--steps", "455"]).succeeds().out;
    let far = "run again for 455 steps: equal, to the bit as far as the file goes, 400 steps (41 frames, ";
    assert!(said.contains(far), "{said}");
    assert_eq!(names(), before, "nothing is kept");
    for key in ["run.seed=3", "output.log=none", "species.A.count=3"] {
        let done = jostle(dir.path(), &["rerun", "a.h5md", "-q", "--set", key]);
        assert_eq!(done.code, Some(2), "{key}: {}", done.err);
        assert!(
            done.err.contains("would differ in any case; only these can be set here"),
            "{}",
            done.err
        );
    }
    jostle(dir.path(), &["rerun", "a.h5md", "-q", "--until", "100 us", "--out", "kept.h5md"])
        .succeeds();
    assert!(
        diff(dir.path(), "kept.h5md", "a.h5md", 1).contains("kept.h5md is the beginning of a.h5md")
    );

    flip(
        dir.path(),
        "a.h5md",
        "c = f['events/contacts']; row = c[8]; row['outcome'] ^= 1; c[8] = row",
    );
    let done = jostle(dir.path(), &["rerun", "a.h5md", "-q"]);
    assert_eq!((done.code, named(&done.out)), (Some(1), [None, None, Some(8)]), "{}", done.out);
    // A contact that is missing from the log is noticed, though all that are there are right.
    flip(
        dir.path(),
        "kept.h5md",
        "f['events/contacts'].resize(len(f['events/contacts']) - 1, axis=0)",
    );
    let done = jostle(dir.path(), &["rerun", "kept.h5md", "-q"]);
    assert_eq!(done.code, Some(1), "{}", done.out);
    assert!(done.out.contains("equal as far as both go"), "{}", done.out);
}

#[test]
fn a_file_that_is_being_written_can_be_compared() {
    let dir = with_run();
    let long = ["run", "model.toml", "-q", "--set", "output.log=all", "--steps", "2000000000"];
    let mut child = command(dir.path()).args(long).args(["--out", "live.h5md"]).spawn_apart();
    let begun = Instant::now();
    // Until it has more frames than the other, which the program itself can tell.
    let said = loop {
        let done = jostle(dir.path(), &["diff", "a.h5md", "live.h5md"]);
        if done.out.contains("a.h5md is the beginning of live.h5md") {
            break done.out;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{}{}", done.out, done.err);
        std::thread::sleep(Duration::from_millis(200));
    };
    let again = jostle(dir.path(), &["rerun", "live.h5md", "-q", "--steps", "400"]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(said.contains("(41 frames, "), "{said}");
    assert!(again.succeeds().out.contains("equal, to the bit (41 frames, "));
}
