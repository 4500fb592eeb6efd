//! Models of polygons through the program: what is run is run again to the same bits, on any number
//! of threads; a run that is stopped leaves a whole file; others read it; `check`, `list`, `info`
//! and the pictures know what polygons are.
#![cfg(unix)]

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use jostle::analysis;

use crate::program::{self, Apart, Done, command, folder, jostle, shell};

/// Grains fall into a box whose floor opens, between a peg, a wall that shakes and one that turns.
const MODEL: &str = r#"
title = "A small storm"

[space]
dimension = 2
edges = ["60 mm", "60 mm"]
boundary = ["periodic", "reflecting"]

[run]
engine = "polygons"
timestep = "auto"
steps = 3000
seed = 7

[gravity]
acceleration = "9.81 m/s^2"
angle = "10 deg"

[contact]
stiffness = "2e6 N/m"

[[species]]
name = "grain"
shape = { random = [5, 8], radius = ["1.5 mm", "3 mm"], aspect = 0.7 }
density = "5000 kg/m^2"
angle = "random"
speed = "0.5 m/s"
count = 25

[[species]]
name = "egg"
shape = { ellipse = ["3 mm", "2 mm"], sides = 16 }
density = "3000 kg/m^2"
angular_velocity = "5 Hz"
placement = { lattice = 6 }

[[species]]
name = "coin"
shape = { disk = "2 mm" }
density = "8000 kg/m^2"
velocity = ["0.2 m/s", "0 m/s"]
placement = { positions = [["10 mm", "50 mm"], ["30 mm", "50 mm", "45 deg"]] }

[[wall]]
name = "peg"
shape = { regular = 6, radius = "4 mm" }
position = ["20 mm", "20 mm"]
drive = { rotation = "60 rpm" }

[[wall]]
name = "shaker"
rectangle = [["40 mm", "2 mm"], ["50 mm", "6 mm"]]
drive = { oscillation = ["0 mm", "1 mm"], frequency = "20 Hz" }
friction = 0.1

[output]
frame_every = 300
log = "all"
"#;

fn write(dir: &Path) {
    std::fs::write(dir.join("storm.toml"), MODEL).unwrap();
}

#[test]
fn a_run_is_run_again_to_the_same_bits_on_any_number_of_threads() {
    let dir = folder();
    write(dir.path());
    let said = jostle(dir.path(), &["run", "storm.toml", "--set", "run.threads=1"]).succeeds().out;
    for word in ["finished", "full searches", "exchanges", "kinetic", "unexplained"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let again = ["rerun", "storm.h5md", "--set", "run.threads=2"];
    let said = jostle(dir.path(), &again).succeeds().out;
    assert!(said.contains("equal, to the bit"), "{said}");
    let two = ["run", "storm.toml", "--set", "run.threads=2", "--out", "two.h5md", "-q"];
    jostle(dir.path(), &two).succeeds();
    jostle(dir.path(), &["diff", "storm.h5md", "two.h5md"]).succeeds();
    let other = ["run", "storm.toml", "--seed", "2", "--out", "other.h5md", "-q"];
    jostle(dir.path(), &other).succeeds();
    assert_eq!(jostle(dir.path(), &["diff", "storm.h5md", "other.h5md"]).code, Some(1));
}

#[test]
fn every_command_knows_what_polygons_are() {
    let dir = folder();
    write(dir.path());
    let said = jostle(dir.path(), &["check", "storm.toml"]).succeeds().out;
    for word in ["25 grain: 5 to 8 corners", "2 coin: disks", "2000000", "lasts", "run time"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let said = jostle(dir.path(), &["list"]).succeeds().out;
    assert!(said.contains("polygons with friction") && said.contains("falling_letters"), "{said}");
    jostle(dir.path(), &["run", "storm.toml", "-q"]).succeeds();
    let said = jostle(dir.path(), &["info", "storm.h5md"]).succeeds().out;
    assert!(said.contains("polygon") && said.contains("60 mm periodic"), "{said}");
    jostle(dir.path(), &["report", "storm.h5md", "--out", "page.html"]).succeeds();
    jostle(dir.path(), &["snapshot", "storm.h5md", "--out", "storm.png"]).succeeds();
    jostle(dir.path(), &["export", "storm.h5md", "--to", "xyz", "--out", "storm.xyz"]).succeeds();
    let said = jostle(dir.path(), &["analyse", "storm.h5md", "energy"]).succeeds().out;
    assert!(said.contains("unexplained"), "{said}");
}

/// Ctrl-C, sent to a run without end.
#[test]
fn a_run_that_is_stopped_leaves_a_whole_file() {
    let dir = folder();
    write(dir.path());
    let arguments =
        ["run", "storm.toml", "--steps", "1000000000", "--set", "output.frame_every=50"];
    let child = command(dir.path())
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn_apart();
    let path = dir.path().join("storm.h5md");
    let begun = Instant::now();
    while !analysis::open(&path).is_ok_and(|reading| reading.frames() > 3) {
        assert!(begun.elapsed() < Duration::from_secs(60), "the run does not get under way");
        std::thread::sleep(Duration::from_millis(20));
    }
    shell(Path::new("."), &format!("kill -INT {}", child.id())).succeeds();
    let done: Done = child.wait_with_output().unwrap().into();
    assert_eq!(done.code, Some(75), "{}", done.err);
    assert!(done.out.starts_with("A small storm: interrupted\n"), "{}", done.out);
    let info = analysis::info(&analysis::open(&path).unwrap()).unwrap();
    assert_eq!((info.runs.last().unwrap().what.as_str(), info.is_open()), ("interrupted", false));
    let said = jostle(dir.path(), &["rerun", "storm.h5md"]).succeeds().out;
    assert!(said.contains("equal, to the bit"), "{said}");
}

const READ: &str = "import h5py, sys, warnings
import MDAnalysis
import numpy as np
warnings.simplefilter('ignore')
path = sys.argv[1]
with h5py.File(path, 'r') as f:
    f.visititems(lambda name, item: item[()] if isinstance(item, h5py.Dataset) else None)
    at = f['particles/trajectory']
    frames, bodies = at['orientation/value'].shape
    assert (frames, bodies) == (11, 33), (frames, bodies)
    shape = at['shape'][()]
    first = f['parameters/shapes/first'][()]
    corners = f['parameters/shapes/corners'][()]
    mass = at['mass'][()].reshape(-1)[:bodies]
    for body in range(25):
        own = corners[first[shape[body]]:first[shape[body] + 1]]
        assert 5 <= len(own) <= 8
        x, y = own.T
        area = 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))
        # 5000 kg/m^2, and 1 nm^2 is 1e-18 m^2.
        assert abs(mass[body] / (5000 * area * 1e-18) - 1) < 1e-6, (mass[body], area)
    assert list(f['parameters/walls/name'].asstr()[()]) == ['bottom', 'top', 'peg', 'shaker']
    turned = f['particles/walls/orientation/value'][()] if 'value' in f['particles/walls/orientation'] \\
        else f['particles/walls/orientation'][()]
    assert turned[-1][2] > turned[0][2] and turned[-1][0] == turned[0][0]
    assert f['parameters/engine'].asstr()[()] == 'polygons'
universe = MDAnalysis.Universe.empty(33, trajectory=False)
universe.load_new(path, format='H5MD', convert_units=False)
assert len(universe.trajectory) == 11
assert np.isfinite(universe.trajectory[10].positions).all()
";

#[test]
fn h5py_and_mdanalysis_read_a_run() {
    let dir = folder();
    write(dir.path());
    jostle(dir.path(), &["run", "storm.toml", "-q"]).succeeds();
    let mut python = program::python(dir.path());
    Done::from(python.args(["-c", READ, "storm.h5md"]).output_apart()).succeeds();
}

#[test]
fn bodies_continue_from_where_a_file_left_them() {
    let dir = folder();
    write(dir.path());
    // Before anybody presses on anybody: who overlaps is refused.
    jostle(dir.path(), &["run", "storm.toml", "-q", "--steps", "5"]).succeeds();
    let next =
        MODEL.replace("placement = { lattice = 6 }", "placement = { file = \"storm.h5md\" }");
    std::fs::write(dir.path().join("next.toml"), next).unwrap();
    let said = jostle(dir.path(), &["check", "next.toml"]).succeeds().out;
    assert!(said.contains("6 egg"), "{said}");
}
