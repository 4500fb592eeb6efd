//! Small result files without fault, one of each engine, and one of another program.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use hdf5::File;
use jostle::model;
use jostle::run::{self, Options};
use ndarray::{Array1, Array3};
use tempfile::TempDir;

const BROWNIAN: &str = r#"
title = "Receptors"
[space]
dimension = 2
edges = ["60 nm", "50 nm"]
[run]
timestep = "1 us"
steps = 40
seed = 5
[[species]]
name = "R"
states = [["free", "bound"]]
radius = "2.5 nm"
diffusion = "1 um^2/s"
count = { free = 12 }
[[species]]
name = "L"
radius = "1.2 nm"
diffusion = "5 um^2/s"
count = 12
[[species]]
name = "M"
radius = "1 nm"
diffusion = "5 um^2/s"
sites = [{ name = "a" }, { name = "y", states = ["u", "p"] }, { name = "a" }]
count = 8
[[species]]
name = "P"
radius = "1 nm"
diffusion = "5 um^2/s"
sites = [{ name = "front", direction = [1, 0], opening = "60 deg" }, { name = "back" }]
count = 4
[[rule]]
name = "chain"
reaction = "M(a) + M(a) <-> M(a!1).M(a!1)"
probability = 0.2
unbind = "0.01 /us"
[[rule]]
name = "mark"
reaction = "M(a!+,y~u) -> M(a!+,y~p)"
rate = "0.05 /us"
[[rule]]
name = "ligate"
on = ["L", "R{free}"]
do = "bind"
merge = "coalesce"
product = "R{bound}"
probability = 0.8
unbind = "0.02 /us"
[[rule]]
name = "pair"
on = ["R", "R"]
do = "bind"
merge = "bond"
probability = 0.8
max_bonds = 2
unbind = "0.01 /us"
[[potential]]
name = "attract"
between = ["L", "L"]
steps = [{ to = "4 nm", energy = "-1 kT" }, { to = "6 nm", energy = "0.5 kT" }]
[output]
frame_every = 10
log = "all"
"#;

const GRANULAR: &str = r#"
[space]
dimension = 3
edges = "60 mm"
boundary = "reflecting"
[run]
engine = "granular"
until = "60 ms"
seed = 1
[gravity]
acceleration = "9.81 m/s^2"
[collisions]
restitution = "viscoelastic"
reference = { coefficient = 0.93, speed = "1 m/s", radius = "5 mm" }
[[species]]
name = "ball"
radius = "6 mm"
density = "7850 kg/m^3"
count = 12
speed = "1 m/s"
[output]
every = "20 ms"
log = "all"
"#;

const POLYGONS: &str = r####"
[space]
dimension = 2
edges = ["60 mm", "60 mm"]
boundary = "reflecting"
[run]
engine = "polygons"
timestep = "auto"
until = "20 ms"
seed = 1
[gravity]
acceleration = "9.81 m/s^2"
[contact]
stiffness = "2e5 N/m"
damping = 0.5
friction = 0.4
[[species]]
name = "tile"
shape = { rectangle = ["5 mm", "5 mm"] }
density = "5000 kg/m^2"
[species.placement]
corner = ["20 mm", "3 mm"]
pitch = "5.01 mm"
picture = ["###", "###"]
[[wall]]
name = "peg"
shape = { disk = "6 mm" }
position = ["50 mm", "10 mm"]
[output]
every = "5 ms"
log = "all"
"####;

const GAS: &str = r#"
[space]
dimension = 2
edges = ["60 mm", "60 mm"]
boundary = "reflecting"
[run]
engine = "gas"
contact = "exact"
timestep = "0.2 ms"
until = "4 ms"
seed = 1
[[species]]
name = "puck"
radius = "2 mm"
mass = "1 g"
speed = "1 m/s"
count = 20
[output]
every = "1 ms"
log = "all"
"#;

/// A small result file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Small {
    Brownian,
    Granular,
    Polygons,
    Gas,
    /// As another program writes it, with no more than H5MD asks for.
    Foreign,
}

impl Small {
    pub const ALL: [Self; 5] =
        [Self::Brownian, Self::Granular, Self::Polygons, Self::Gas, Self::Foreign];

    /// The model that it is made from; of a file of another program there is none.
    pub fn text(self) -> &'static str {
        match self {
            Self::Brownian => BROWNIAN,
            Self::Granular => GRANULAR,
            Self::Polygons => POLYGONS,
            Self::Gas => GAS,
            Self::Foreign => "",
        }
    }

    /// Its bytes; it is made once.
    pub fn bytes(self) -> &'static [u8] {
        static MADE: [OnceLock<Vec<u8>>; 5] = [const { OnceLock::new() }; 5];
        MADE[self as usize].get_or_init(|| {
            let dir = place();
            let path = dir.path().join("small.h5md");
            match self {
                Self::Foreign => foreign(&path).expect("the file can be written"),
                ours => make(ours.text(), &path),
            }
            std::fs::read(&path).expect("it has just been written")
        })
    }
}

/// A new folder, in memory where the system has one there.
pub fn place() -> TempDir {
    let shared = Path::new("/dev/shm");
    let made = if shared.is_dir() { tempfile::tempdir_in(shared) } else { tempfile::tempdir() };
    made.expect("there is room for a folder")
}

fn make(text: &str, out: &Path) {
    let model = model::parse(text, "small.toml", &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let stop = AtomicBool::new(false);
    let options = Options {
        out: Some(out),
        force: false,
        self_check: false,
        stop: &stop,
        progress: &mut |_| (),
        checkpoints: Default::default(),
    };
    run::run(&model, options).unwrap_or_else(|error| panic!("{error}"));
}

fn foreign(path: &Path) -> hdf5::Result<()> {
    let file = File::create(path)?;
    let at = file.create_group("particles/atoms")?;
    let positions = Array3::from_shape_fn((3, 8, 3), |(t, n, k)| (t + 3 * n + k) as f32);
    at.new_dataset_builder().with_data(&positions).create("position/value")?;
    at.new_dataset_builder()
        .with_data(&Array1::from_vec(vec![0i64, 10, 20]))
        .create("position/step")?;
    at.new_dataset_builder()
        .with_data(&Array1::from_vec(vec![0.0, 1.0, 2.0]))
        .create("position/time")?;
    at.new_dataset_builder()
        .with_data(&Array1::from_vec(vec![1i32, 1, 1, 1, 2, 2, 2, 2]))
        .create("species")?;
    at.new_dataset_builder().with_data(&Array1::from_vec(vec![30.0f64; 3])).create("box/edges")?;
    file.close()
}
