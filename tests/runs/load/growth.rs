//! `check` foretells how many particles there will be, and how large the file will become, also
//! where they multiply.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use jostle::model::{self, Model};
use jostle::run::checkpoint::Checkpoints;
use jostle::run::{Options, Summary, forecast, run};

use crate::program::jostle;

const HEAD: &str = "title = \"grows\"\n[space]\ndimension = 3\nedges = \"10 um\"\n\
                    [run]\ntimestep = \"10 ns\"\nsteps = 500\n[output]\nframe_every = 1\n";

fn species(name: &str, count: usize) -> String {
    format!(
        "[[species]]\nname = \"{name}\"\nradius = \"0.5 nm\"\ndiffusion = \"10 um^2/s\"\ncount = {count}\n"
    )
}

/// Three that grow: by doubling, out of nothing, and by a reaction with what is there.
fn growing() -> [String; 3] {
    let doubling = "[[rule]]\nname = \"grow\"\ndo = \"convert\"\non = \"A\"\nproducts = [\"A\", \"A\"]\nrate = \"1 /us\"\n";
    let nothing =
        "[[rule]]\nname = \"grow\"\ndo = \"create\"\nproduct = \"A\"\nrate = \"1 /um^3/us\"\n";
    let contact = "[[rule]]\nname = \"grow\"\non = [\"A\", \"F\"]\ndo = \"convert\"\nproducts = [\"A\", \"A\", \"A\"]\n\
                   rate = \"100 nm^3/us\"\n";
    [
        format!("{HEAD}{}{doubling}", species("A", 100)),
        format!("{HEAD}{}{nothing}", species("A", 0)),
        format!("{HEAD}{}{}{contact}", species("A", 300), species("F", 3000))
            .replace("10 um\"", "100 nm\""),
    ]
}

fn parsed(text: &str) -> Model {
    model::parse(text, "model.toml", &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

fn run_into(out: &Path, model: &Model) -> Summary {
    let options = Options {
        out: Some(out),
        force: false,
        self_check: false,
        stop: &AtomicBool::new(false),
        progress: &mut |_| (),
        checkpoints: Checkpoints::default(),
    };
    run(model, options).unwrap()
}

/// Within a factor of two: some thousand events each, which scatter by some hundredths (in the
/// first, of a hundred that double, by a tenth).
#[test]
fn growth_is_predicted() {
    let dir = tempfile::tempdir().unwrap();
    for (n, text) in growing().iter().enumerate() {
        let model = parsed(text);
        let reported = forecast(&model).unwrap();
        let done = run_into(&dir.path().join(format!("{n}.h5md")), &model);
        let within = |what: &str, reported: f64, found: f64| {
            println!("{n}: {what}: {reported:.4e} predicted, {found:.4e} found");
            assert!(
                (0.5..2.0).contains(&(reported / found)),
                "{n}: {what}: {reported} predicted, {found} found"
            );
        };
        within("bodies", reported.outlook.last[0], done.population[0].2 as f64);
        within("events", reported.outlook.events[0], done.rule_counts[0].1.done as f64);
        within("bytes", reported.file.unwrap()[0], done.written.as_ref().unwrap().bytes as f64);
        assert!(done.population[0].2 > 4 * done.population[0].1, "{:?}", done.population);
    }
}

/// Rows of counts that are most of a file, within a fourth.
#[test]
fn rows_of_counts_are_part_of_the_predicted_file() {
    let dir = tempfile::tempdir().unwrap();
    let text = format!("{HEAD}{}", species("A", 10))
        .replace("steps = 500", "steps = 100000")
        .replace("frame_every = 1", "frames = 1\ncompress = false\ncounts_every = 1");
    let model = parsed(&text);
    let [predicted, _] = forecast(&model).unwrap().file.unwrap();
    let found = run_into(&dir.path().join("counts.h5md"), &model).written.unwrap().bytes as f64;
    println!("{predicted:.4e} bytes predicted, {found:.4e} found");
    assert!(found > 2e6 && (0.8..1.25).contains(&(predicted / found)), "{predicted}, {found}");
}

#[test]
fn particles_that_outgrow_memory_and_rules_that_hardly_ever_apply_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let [doubling, ..] = growing();
    let model = doubling.replace("1 /us", "20 /us").replace("steps = 500", "steps = 100000");
    let rare = "[[rule]]\nname = \"rare\"\ndo = \"decay\"\non = \"B\"\nrate = \"1 /s\"\n";
    std::fs::write(dir.path().join("model.toml"), format!("{model}{}{rare}", species("B", 10)))
        .unwrap();
    let said = jostle(dir.path(), &["check", "model.toml"]).succeeds().out;
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.contains("particles multiply: after about")
            && flat.contains("than this machine has memory for"),
        "{said}"
    );
    assert!(!flat.contains("Nothing looks wrong"), "{said}");
    std::fs::write(dir.path().join("model.toml"), format!("{HEAD}{}{rare}", species("B", 10)))
        .unwrap();
    let said = jostle(dir.path(), &["check", "model.toml"]).succeeds().out;
    // 10 particles, 5 us, 1 /s.
    assert!(
        said.contains("rare  about 5e-5 times: this run is too short to see it")
            || said.contains("rare  about 0.00005"),
        "{said}"
    );
    // 10 in 1000 um^3, which is 1e-12 l.
    assert!(said.contains("10 in 1000 µm³: 0.01661 nM"), "{said}");
}
