//! Files of granular runs hold masses, velocities, impacts and the energy balance, other readers
//! open them, and what `jostle analyse` makes of impacts and energy is what numpy makes of them.

use std::path::Path;

use jostle::clusters::Clusters;
use jostle::observe::{Clock, Contact, EnergyBalance, Impact, Observer, Partner, View};
use jostle::output::{LogLevel, Output};
use jostle::particles::{Particle, Particles};
use jostle::random::{Purpose, Random};
use jostle::record::{Grains, Header, Recorder, Status};
use jostle::space::{Domain, Face, Vector};
use jostle::species::{Drift, Species};

use crate::program::{self, Apart, Done, folder, jostle, repository};

/// \[nm\]
const EDGES: [f64; 3] = [2e8, 2e8, 1e8];
/// \[µs\]
const OUTPUT_INTERVAL: f64 = 5e3;
const BALLS: usize = 30;
const FRAMES: u64 = 20;

fn uniform(key: [u64; 4]) -> f64 {
    Random::new(3).uniform(Purpose::Placement, key)
}

/// \[nm\] All different.
fn radius(id: u64) -> f64 {
    1e6 * (1.0 + uniform([0, id, 0, 0]))
}

fn species(id: u64) -> u16 {
    u16::from(id >= 20)
}

fn header(log: LogLevel) -> Header {
    let species = |name: &str| Species {
        name: name.into(),
        radius: Some(2e6),
        diffusion_coefficient: None,
        drift: Drift::Still,
        sites: Default::default(),
    };
    Header {
        title: "a mill by decree".into(),
        author: "nobody".into(),
        edges: EDGES,
        periodic: [false; 3],
        species: vec![species("steel"), species("glass")],
        output: Output { log, compress: false, ..Output::default() },
        timestep: OUTPUT_INTERVAL,
        seed: 1,
        particles: BALLS,
        search: "none".into(),
        grains: Some(Grains {
            engine: "granular",
            masses: (0..BALLS as u64).map(|id| 1e-9 * radius(id)).collect(),
        }),
        ..Header::default()
    }
}

fn particles(step: u64) -> Particles<3> {
    let mut particles = Particles::default();
    for id in 0..BALLS as u64 {
        particles.push(Particle {
            sites: 0,
            position: Vector::from_fn(|k| EDGES[k] * uniform([1, id, step, k as u64])),
            velocity: Vector::from_fn(|k| {
                OUTPUT_INTERVAL * (uniform([2, id, step, k as u64]) - 0.5) * 1e3
            }),
            since: 0.0,
            radius: radius(id),
            diffusion_coefficient: 0.0,
            species: species(id),
            id,
            image: [0; 3],
        });
    }
    particles
}

/// Impacts of all kinds, some of which lose nothing.
fn contact(step: u64, n: u64) -> Contact<3> {
    let draw = |what: u64| uniform([3, step, n, what]);
    let id = (draw(0) * (BALLS - 1) as f64) as u64;
    let other = id + 1 + (draw(1) * (BALLS as u64 - 1 - id) as f64) as u64;
    let partner = match n % 4 {
        0 => Partner::Wall(Face { axis: 1, upper: false }),
        1 => Partner::Side,
        _ => Partner::Particle { id: other, species: species(other) },
    };
    // Energies over six decades.
    let energy_lost = if n.is_multiple_of(7) { 0.0 } else { 1e-9 * libm::pow(10.0, 6.0 * draw(2)) };
    Contact {
        step,
        time: (n as f64 + 0.5) / 100.0,
        subdivision: n as u32,
        id,
        species: species(id),
        place: Vector([1e6, 2e6, 3e6]),
        normal: Vector([0.0, 0.0, 1.0]),
        approach: 1e3 * OUTPUT_INTERVAL * draw(3),
        impact: Some(Impact {
            energy_lost,
            heated_volume: 1e-12 * draw(4),
            temperature_rise: 50.0 * draw(5),
        }),
        ..Contact::bounce(partner)
    }
}

fn write(path: &Path, log: LogLevel) {
    let mut recorder = Recorder::<3>::create(path, &header(log), false).unwrap();
    let domain = Domain::new(EDGES, [false; 3]);
    for step in 0..FRAMES {
        let particles = particles(step);
        let balance = EnergyBalance {
            kinetic: 2e6 + step as f64,
            potential: 1e6,
            elastic: 0.0,
            dissipated: 3e4 * step as f64,
            wall_work: 3e4 * step as f64 + 0.5 * step as f64,
            force_work: 0.5 * step as f64,
            momentum: [1e3, -2e3, 3e3 * step as f64],
        };
        let clusters = Clusters::default();
        let clock = Clock { step, timestep: OUTPUT_INTERVAL };
        let view =
            View { balance: Some(balance), ..View::new(clock, &domain, &particles, &clusters) };
        recorder.step(&view).unwrap();
        for n in (0..100).take(if step + 1 < FRAMES { 100 } else { 0 }) {
            recorder.contact(&contact(step, n)).unwrap();
        }
    }
    recorder
        .finish(Status::Finished, Clock { step: FRAMES - 1, timestep: OUTPUT_INTERVAL })
        .unwrap();
}

fn python(script: &str, arguments: &[&str]) {
    let mut python = program::python(repository());
    python.arg(repository().join("tests/python").join(script)).args(arguments);
    Done::from(python.output_apart()).succeeds();
}

#[test]
fn others_read_the_file_and_measure_the_same() {
    let dir = folder();
    let path = dir.path().join("mill.h5md");
    write(&path, LogLevel::All);
    let options =
        ["analyse", "mill.h5md", "impacts", "energy", "--csv", "tables", "--plot", "mill.svg"];
    let said = jostle(dir.path(), &options).succeeds().out;
    assert!(
        said.contains("steel") && said.contains("power (W)") && said.contains("unexplained"),
        "{said}"
    );
    for (figure, label) in
        [("mill.svg", "energy lost in an impact"), ("mill_energy.svg", "wall work")]
    {
        let drawn = std::fs::read_dir(dir.path()).unwrap().filter_map(|entry| {
            let path = entry.unwrap().path();
            let svg = path.extension().is_some_and(|end| end == "svg");
            svg.then(|| std::fs::read_to_string(path).unwrap())
        });
        assert!(drawn.into_iter().any(|svg| svg.contains(label)), "no {figure} with {label}");
    }
    let at = |name: &str| dir.path().join(name).display().to_string();
    python("check_granular.py", &[&at("mill.h5md"), &at("tables"), "0", "inf"]);
    // A part of the time, and one species.
    let part = ["--from", "20 ms", "--to", "61 ms", "--csv", "part", "--bins", "12"];
    jostle(dir.path(), &[&["analyse", "mill.h5md", "impacts", "energy"][..], &part].concat())
        .succeeds();
    python("check_granular.py", &[&at("mill.h5md"), &at("part"), "20000", "61000"]);
    let glass = ["analyse", "mill.h5md", "impacts", "--species", "glass", "--out", "glass.csv"];
    jostle(dir.path(), &glass).succeeds();
    let table = std::fs::read_to_string(dir.path().join("glass.csv")).unwrap();
    assert!(table.contains("steel,glass") && !table.contains("steel,steel"), "{table}");
}

/// Analyses of grains speak of millimetres and milliseconds, and list what impacts lose.
#[test]
fn contacts_of_grains_are_chosen_by_the_energy_that_they_lose() {
    let dir = folder();
    write(&dir.path().join("mill.h5md"), LogLevel::All);
    let contacts = |options: &[&str]| {
        jostle(dir.path(), &[&["contacts", "mill.h5md"][..], options].concat()).succeeds().out
    };
    let all: Vec<f64> = {
        contacts(&["--out", "all.csv"]);
        let table = std::fs::read_to_string(dir.path().join("all.csv")).unwrap();
        let head = "time_ms,step,a,b,species,partner,outcome,rule,x_mm,y_mm,z_mm,approach_m_per_s,energy_lost_j";
        assert!(table.starts_with(head), "{}", &table[..200]);
        let lost = |line: &str| line.rsplit(',').next().unwrap().parse().unwrap();
        table.lines().skip(1).map(lost).collect()
    };
    let mut sorted = all.clone();
    sorted.sort_by(f64::total_cmp);
    let [low, high] = [sorted[sorted.len() / 3], sorted[2 * sorted.len() / 3]];
    let within = all.iter().filter(|lost| (low..high).contains(lost)).count();
    assert!(within > 100, "{within}");
    let range = format!("{low} J..{high} J");
    assert_eq!(contacts(&["--count", "--energy-lost", &range]).trim(), within.to_string());
    let groups = contacts(&["--group-by", "outcome", "--energy-lost", &range]);
    assert!(groups.contains("rate (/ms)"), "{groups}");
    let density = jostle(dir.path(), &["analyse", "mill.h5md", "density"]).succeeds();
    assert!(density.out.contains("/mm³"), "{}", density.out);
    jostle(dir.path(), &["run", "model.toml", "-q"]).succeeds();
    let done = jostle(dir.path(), &["contacts", "model.h5md", "--energy-lost", "1 J.."]);
    assert!(done.fails().contains("only granular runs"), "{}", done.err);
}

/// The tables of a file are in millimetres and milliseconds, those of sweeps as the files are.
#[test]
fn tables_say_in_which_unit_they_are() {
    let dir = folder();
    std::fs::copy(repository().join("models/bouncing_ball.toml"), dir.path().join("ball.toml"))
        .unwrap();
    let sweep = "[sweep]\nmodel = \"ball.toml\"\nseed = 1\nreplicas = 2\n\
                 [[measure]]\nwhat = \"density\"\n[keep]\nfiles = \"all\"\n";
    std::fs::write(dir.path().join("ball.sweep.toml"), sweep).unwrap();
    let run = |arguments: &[&str]| jostle(dir.path(), arguments).succeeds();
    run(&["run", "ball.toml", "-q"]);
    run(&["analyse", "ball.h5md", "density", "--out", "of_file.csv"]);
    run(&["sweep", "plan", "ball.sweep.toml", "--out", "balls"]);
    run(&["sweep", "run", "balls", "-q"]);
    run(&["sweep", "merge", "balls", "density", "--out", "of_sweep.csv"]);
    let first = |name: &str| -> Vec<String> {
        let table = std::fs::read_to_string(dir.path().join(name)).unwrap();
        let lines: Vec<&str> = table.lines().take(2).collect();
        let heads: Vec<&str> = lines[0].split(',').collect();
        let place = heads.iter().position(|head| head.starts_with("x_")).unwrap();
        vec![heads[place].to_owned(), lines[1].split(',').nth(place).unwrap().to_owned()]
    };
    let (of_file, of_sweep) = (first("of_file.csv"), first("of_sweep.csv"));
    assert_eq!([&of_file[0][..], &of_sweep[0][..]], ["x_mm", "x_nm"]);
    let number = |text: &str| text.parse::<f64>().unwrap();
    assert!((number(&of_file[1]) * 1e6 / number(&of_sweep[1]) - 1.0).abs() < 1e-12);
}

#[test]
fn files_without_impacts_say_why() {
    let dir = folder();
    write(&dir.path().join("mill.h5md"), LogLevel::None);
    let done = jostle(dir.path(), &["analyse", "mill.h5md", "impacts"]);
    assert!(done.fails().contains("log = \"all\""), "{}", done.err);
    jostle(dir.path(), &["analyse", "mill.h5md", "energy"]).succeeds();
    jostle(dir.path(), &["run", "model.toml", "-q"]).succeeds();
    for what in ["impacts", "energy"] {
        let done = jostle(dir.path(), &["analyse", "model.h5md", what]);
        assert!(done.fails().contains("Brownian"), "{}", done.err);
    }
}

/// A mill that is run, run again with another structure, stopped early and described.
#[test]
fn a_mill_runs_again_to_the_same_bits() {
    let dir = folder();
    let model = program::repository().join("models/shaker_cylinder_3d.toml").display().to_string();
    let until = ["--until", "20 ms"];
    let said = jostle(dir.path(), &[&["run", &model, "--out", "mill.h5md"][..], &until].concat())
        .succeeds()
        .out;
    assert!(said.contains("between balls") && said.contains("lost in collisions"), "{said}");
    let again = ["rerun", "mill.h5md", "--set", "search.kind=segments"];
    let said = jostle(dir.path(), &again).succeeds().out;
    assert!(said.contains("equal, to the bit"), "{said}");
    let said = jostle(dir.path(), &["rerun", "mill.h5md", "--steps", "4"]).succeeds().out;
    assert!(said.contains("run again for 4 steps") && said.contains("equal, to the bit"), "{said}");
    let said = jostle(dir.path(), &["check", &model]).succeeds().out;
    assert!(said.contains("an upright cylinder") && said.contains("times gravity"), "{said}");
    let said = jostle(dir.path(), &["info", "mill.h5md"]).succeeds().out;
    assert!(said.contains("60 mm with walls"), "{said}");
    let other = ["run", "mill.h5md", "--seed", "2", "--out", "other.h5md", "-q"];
    jostle(dir.path(), &other).succeeds();
    assert_eq!(jostle(dir.path(), &["diff", "mill.h5md", "other.h5md"]).code, Some(1));
    let wall = ["contacts", "mill.h5md", "--species", "wall", "--out", "walls.csv"];
    jostle(dir.path(), &wall).succeeds();
    assert!(std::fs::read_to_string(dir.path().join("walls.csv")).unwrap().contains("side"));
    jostle(dir.path(), &["report", "mill.h5md", "--out", "page.html"]).succeeds();
    jostle(dir.path(), &["snapshot", "mill.h5md", "--out", "mill.png"]).succeeds();
    jostle(dir.path(), &["export", "mill.h5md", "--to", "xyz", "--out", "mill.xyz"]).succeeds();
}
