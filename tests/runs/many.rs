//! Models of many species and of many rules: they give the same bits whatever finds the pairs, take
//! no time to read, and rules of any number are told by name.

use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use jostle::analysis;
use jostle::model::{self, Model};
use jostle::run::{Options, run};

use crate::program::{jostle, nightly};

/// Numbers that look as if drawn, the same in each run.
struct Draws(u64);

impl Draws {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % count
    }
}

/// A box of `count` species, of which there are `each` particles.
fn species(dimension: usize, edge: f64, count: u64, each: u64, steps: u64) -> String {
    let mut text = format!(
        "[space]\ndimension = {dimension}\nedges = \"{edge} nm\"\n[run]\ntimestep = \"10 ns\"\nsteps = {steps}\n\
         [output]\nlog = \"all\"\n"
    );
    for n in 0..count {
        writeln!(
            text,
            "[[species]]\nname = \"S{n}\"\nradius = \"{} nm\"\ndiffusion = \"{} um^2/s\"\ncount = {each}",
            1.0 + 0.1 * (n % 7) as f64,
            5 + n % 11
        )
        .unwrap();
    }
    text
}

/// A hundred species, of which half of all pairs ignore each other, and which turn into each other.
fn ignoring_at_random() -> String {
    const COUNT: u64 = 100;
    let mut draws = Draws(3);
    let mut text = species(3, 38.0, COUNT, 6, 40);
    text += "[[rule]]\nname = \"strangers\"\ndo = \"ignore\"\ncases = [\n";
    for a in 0..COUNT {
        for b in (0..=a).filter(|_| draws.below(2) == 0) {
            writeln!(text, "{{ on = [\"S{a}\", \"S{b}\"] }},").unwrap();
        }
    }
    text += "]\n";
    for n in 0..COUNT {
        let other = draws.below(COUNT);
        if other != n {
            writeln!(
                text,
                "[[rule]]\nname = \"turn{n}\"\ndo = \"convert\"\non = \"S{n}\"\nproducts = [\"S{other}\"]\n\
                 rate = \"0.2 /us\""
            )
            .unwrap();
        }
    }
    text
}

fn parsed(text: &str, overrides: &[(&str, &str)]) -> Model {
    let overrides: Vec<_> = overrides.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    model::parse(text, "many.toml", &overrides).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The hashes of all states of a run, and how many contacts it has logged.
fn hashes(model: &Model, out: &Path) -> (Vec<u64>, usize) {
    let stop = AtomicBool::new(false);
    let options = Options {
        out: Some(out),
        force: true,
        self_check: true,
        stop: &stop,
        progress: &mut |_| (),
        checkpoints: Default::default(),
    };
    run(model, options).unwrap_or_else(|error| panic!("{error}"));
    let reading = analysis::open(out).unwrap();
    (reading.state_hashes().unwrap(), reading.length("events/contacts").unwrap())
}

#[test]
fn a_hundred_species_run_the_same_with_every_structure_and_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let (out, text) = (dir.path().join("out.h5md"), ignoring_at_random());
    let of = |set: &[(&str, &str)]| {
        let all = [&[("output.frame_every", "1")], set].concat();
        hashes(&parsed(&text, &all), &out)
    };
    let (expected, contacts) = of(&[("search", "naive"), ("run.threads", "1")]);
    assert_eq!(expected.len(), 41);
    assert!(contacts > 1000, "{contacts}");
    for kind in ["cubic", "slices", "levels", "sweep", "swept", "verlet", "auto"] {
        for threads in ["1", "2"] {
            let found = of(&[("search", kind), ("run.threads", threads)]);
            assert_eq!(found, (expected.clone(), contacts), "{kind}, {threads} threads");
        }
    }
    for scheduler in ["queue", "rescan"] {
        let found = of(&[("search", "verlet"), ("run.scheduler", scheduler)]);
        assert_eq!(found, (expected.clone(), contacts), "{scheduler}");
    }
}

/// Ten thousand rules: three quarters of them at contacts, and the last of these lets `S0` pass.
fn of_many_rules() -> String {
    const COUNT: u64 = 1000;
    let mut draws = Draws(4);
    let mut text = species(3, 80.0, COUNT, 1, 100).replacen("count = 1", "count = 400", 1);
    for n in 0..7499 {
        let [a, b] = [draws.below(COUNT - 1) + 1, draws.below(COUNT - 1) + 1];
        let what = match n % 3 {
            0 => format!(
                "do = \"convert\"\nproducts = [\"S{}\", \"S{b}\"]",
                1 + (a + 6) % (COUNT - 1)
            ),
            1 => "do = \"bind\"\nmerge = \"bond\"\nmax_bonds = 3".to_owned(),
            _ => "do = \"annihilate\"".to_owned(),
        };
        writeln!(
            text,
            "[[rule]]\nname = \"r{n}\"\non = [\"S{a}\", \"S{b}\"]\n{what}\nrate = \"1 nm^3/us\""
        )
        .unwrap();
    }
    text += "[[rule]]\nname = \"the_last\"\non = [\"S0\", \"S0\"]\ndo = \"bind\"\nmerge = \"bond\"\nmax_bonds = 2\n\
             probability = 0.5\n";
    for n in 0..2500 {
        let [a, b] = [draws.below(COUNT), draws.below(COUNT)];
        let what = match a == b {
            true => "do = \"decay\"".to_owned(),
            false => format!("do = \"convert\"\nproducts = [\"S{b}\"]"),
        };
        writeln!(text, "[[rule]]\nname = \"t{n}\"\non = \"S{a}\"\n{what}\nrate = \"10 /s\"")
            .unwrap();
    }
    text
}

#[test]
fn ten_thousand_rules_are_read_and_run_and_told_by_name() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("many.toml"), of_many_rules()).unwrap();
    let checked = jostle(dir.path(), &["check", "many.toml"]).succeeds().out;
    for said in ["and 900 more species", "and 9900 more\n", "and 9900 more rules"] {
        assert!(checked.contains(said), "{said}");
    }
    assert!(checked.lines().count() < 3000, "{}", checked.lines().count());
    let ran = jostle(dir.path(), &["run", "many.toml"]).succeeds();
    assert!(
        ran.out.contains("the_last") && ran.out.contains(" rules have not applied"),
        "{}",
        ran.out
    );
    assert!(ran.out.lines().count() < 500 && ran.err.lines().count() < 500);

    // It is the rule of the number 7499, in one byte 75.
    let ask = |words: &[&str]| {
        let said = jostle(dir.path(), &[&["contacts", "many.h5md"], words].concat());
        said.succeeds().out
    };
    let bound: usize = ask(&["--outcome", "bound", "--count"]).trim().parse().unwrap();
    assert!(bound > 20, "{bound}");
    assert_eq!(ask(&["--rule", "the_last", "--count"]).trim(), bound.to_string());
    let groups = ask(&["--group-by", "rule", "--format", "csv"]);
    let row = groups.lines().find(|row| row.starts_with("the_last,")).unwrap();
    assert!(row.split(',').any(|cell| cell == bound.to_string()), "{groups}");
    // Where no rule says anything, the name is left out.
    assert!(groups.lines().any(|row| row.starts_with(',')), "{groups}");
    let log = jostle(dir.path(), &["analyse", "many.h5md", "contacts"]).succeeds().out;
    assert!(log.contains("rows in between are not shown") && log.lines().count() < 200, "{log}");
    for what in [&["analyse", "many.h5md", "rates"][..], &["info", "many.h5md"]] {
        jostle(dir.path(), what).succeeds();
    }
    for (what, out, most) in
        [("report", "page.html", 20 << 20), ("snapshot", "picture.png", 4 << 20)]
    {
        jostle(dir.path(), &[what, "many.h5md", "--out", out]).succeeds();
        let size = std::fs::metadata(dir.path().join(out)).unwrap().len();
        assert!(size < most, "{out}: {size} bytes");
    }
}

/// As many species as there can be (4096), by day a quarter of them, are told apart, and the run knows
/// which of them pass.
#[test]
fn four_thousand_species_run() {
    let dir = tempfile::tempdir().unwrap();
    let most: u16 = if nightly() { 4096 } else { 1024 };
    let last = most - 1;
    let mut text = species(2, 900.0, most.into(), 1, 5).replacen(
        "timestep",
        "interactions = \"reactive\"\ntimestep",
        1,
    );
    text += &format!("[[rule]]\nname = \"meet\"\non = [\"S0\", \"S{last}\"]\ndo = \"bounce\"\n");
    let model = parsed(&text, &[]);
    assert!(!model.rules().pass(last, 0) && model.rules().ignore(last, last - 1));
    let (found, contacts) = hashes(&model, &dir.path().join("out.h5md"));
    assert!(found.len() > 1 && contacts < 2, "{contacts}");
}
