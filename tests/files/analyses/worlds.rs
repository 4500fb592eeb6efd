//! The models that are measured, and who holds the findings to independent ones.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use jostle::analysis::{Scope, SurvivalCurve};
use jostle::{model, run};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{self, Apart, Done, repository};

/// How many standard errors a measured value may be off.
pub(crate) const BOUND: f64 = 4.0;

/// Particles that ignore each other, in a box that each test describes.
pub(crate) const IDEAL: &str = r#"
[run]
timestep = "1 us"
seed = 3
[[species]]
name = "A"
radius = "1 nm"
diffusion = "2 um^2/s"
[[species]]
name = "B"
radius = "3 nm"
diffusion = "0.5 um^2/s"
count = 60
[[rule]]
name = "none"
do = "ignore"
cases = [{ on = ["A", "A"] }, { on = ["A", "B"] }, { on = ["B", "B"] }]
"#;

/// Receptors that form chains, change their state, decay and are made.
pub(crate) const CHAINS: &str = r#"
[space]
dimension = 2
edges = "150 nm"
[run]
timestep = "1 us"
steps = 4000
seed = 5
[[species]]
name = "R"
states = ["off", "on"]
radius = "2 nm"
diffusion = "1 um^2/s"
count = { off = 60, on = 60 }
[[rule]]
name = "join"
do = "bind"
merge = "bond"
on = ["R", "R"]
rate = "1 um^2/s"
max_bonds = 2
unbind = "1 /ms"
[[rule]]
name = "switch_on"
do = "convert"
on = "R{off}"
products = ["R{on}"]
rate = "0.5 /ms"
[[rule]]
name = "switch_off"
do = "convert"
on = "R{on}"
products = ["R{off}"]
rate = "0.5 /ms"
[[rule]]
name = "decay"
do = "decay"
on = "R{on}"
rate = "0.02 /ms"
[[rule]]
name = "make"
do = "create"
product = "R{off}"
rate = "50 /um^2/ms"
[output]
frame_every = 40
"#;

/// A + B and C in equilibrium.
pub(crate) const BINDING: &str = r#"
[space]
dimension = 3
edges = "60 nm"
boundary = ["periodic", "reflecting", "periodic"]
[run]
timestep = "10 ns"
steps = 20000
seed = 2
[[species]]
name = "A"
radius = "1 nm"
diffusion = "10 um^2/s"
count = 80
[[species]]
name = "B"
radius = "1.5 nm"
diffusion = "5 um^2/s"
count = 60
[[species]]
name = "C"
[[rule]]
name = "bind"
do = "bind"
merge = "coalesce"
on = ["A", "B"]
product = "C"
rate = "200 nm^3/us"
unbind = "0.1 /us"
[output]
frame_every = 200
log = "all"
"#;

/// Runs a model with some values set; the folder that its file is in, and the file.
pub(crate) fn made(text: &str, set: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let set: Vec<(String, String)> = set.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    let model = model::parse(text, "model", &set).unwrap_or_else(|faults| panic!("{faults}"));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.h5md");
    let never = AtomicBool::new(false);
    let options = run::Options {
        out: Some(&path),
        force: true,
        self_check: false,
        stop: &never,
        progress: &mut |_| (),
        checkpoints: Default::default(),
    };
    run::run(&model, options).unwrap();
    (dir, path)
}

/// An ideal gas of 400 A and 60 B, in a box with these edges and boundaries; a frame every 20
/// steps.
pub(crate) fn ideal(
    dimension: usize,
    edges: &str,
    boundary: &str,
    set: &[(&str, &str)],
) -> (TempDir, PathBuf) {
    let text = format!(
        "[space]\ndimension = {dimension}\nedges = {edges}\nboundary = {boundary}\n{IDEAL}[output]\nframe_every = 20\nprecision = \"double\"\n"
    );
    made(&text, &[&[("species.A.count", "400")], set].concat())
}

/// Holds what was found to what Python finds in the same file.
pub(crate) fn checked_by_python(what: &str, path: &Path, found: &Value) {
    let reported = path.with_extension("json");
    std::fs::write(&reported, found.to_string()).unwrap();
    let script = repository().join("tests/python/check_analyses.py");
    let mut python = program::python(repository());
    Done::from(python.arg(script).arg(what).arg(path).arg(reported).output_apart()).succeeds();
}

pub(crate) fn everything() -> Scope {
    Scope::default()
}

pub(crate) fn curve(curve: &SurvivalCurve) -> Value {
    let points =
        curve.points.iter().map(|p| json!([p.time, p.at_risk, p.ended, p.fraction, p.error]));
    json!({ "lives": curve.lives, "events": curve.rate.events, "exposure": curve.rate.exposure,
            "interval": curve.rate.interval(), "points": points.collect::<Vec<_>>() })
}
