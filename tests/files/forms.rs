//! The forms that H5MD allows, and those that programs write: each is read as h5py and numpy read it,
//! or refused for what it is.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jostle::analysis::{self, Scope};
use jostle::h5md::positions;
use jostle::model::{self, PlacementMethod};
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{self, Apart, Done, jostle, repository};

/// A folder with files in many forms, made once.
fn files() -> &'static Path {
    static FILES: OnceLock<TempDir> = OnceLock::new();
    let dir = FILES.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let script = repository().join("tests/python/make_forms.py");
        Done::from(program::python(dir.path()).arg(script).arg(dir.path()).output_apart())
            .succeeds();
        dir
    });
    dir.path()
}

fn file(name: &str) -> PathBuf {
    files().join(name)
}

fn open(name: &str) -> analysis::Reading {
    analysis::open(&file(&format!("{name}.h5md"))).unwrap_or_else(|error| panic!("{error}"))
}

/// What numpy made of it.
fn known(name: &str) -> Value {
    let text = std::fs::read_to_string(file("known.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()[name].clone()
}

fn assert_near<'a>(found: impl IntoIterator<Item = &'a f64>, expected: &Value, within: f64) {
    let found: Vec<f64> = found.into_iter().copied().collect();
    let expected: Vec<f64> = serde_json::from_value(expected.clone()).unwrap();
    assert_eq!(found.len(), expected.len());
    let near = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= within);
    assert!(near, "{found:?} is not {expected:?}");
}

/// Why a file is not read.
fn refused(name: &str) -> String {
    let done = jostle(files(), &["info", &format!("{name}.h5md")]);
    assert!(!done.fails().contains("damaged"), "{}", done.err);
    done.err
}

/// How many others each particle has nearer than a distance, and g(r) from half of the farthest
/// distance on. \[nm\]
fn neighbours(name: &str, within: f64) -> (f64, f64) {
    let reading = open(name);
    let found =
        analysis::radial_distribution(&reading, &Scope::default(), Some(200), None).unwrap();
    let points = &found.pairs[0].points;
    let near: u64 = points.iter().filter(|at| at.distance < within).map(|at| at.pairs).sum();
    let particles = (0..found.frames)
        .map(|n| n * (reading.frames() - 1) / (found.frames - 1).max(1))
        .map(|n| reading.identities(n..n + 1, 0..reading.slots()).unwrap())
        .map(|ids| ids.iter().filter(|id| **id >= 0).count())
        .sum::<usize>();
    let far = &points[points.len() / 2..];
    let g = far.iter().map(|at| at.g).sum::<f64>() / far.len() as f64;
    (2.0 * near as f64 / particles as f64, g)
}

#[test]
fn a_crystal_in_a_sheared_box_has_twelve_neighbours() {
    for name in ["sheared", "sheared_once"] {
        let reading = open(name);
        let of = known("sheared");
        let vectors = reading.boxes().get(0).unwrap();
        for (edge, expected) in vectors.0.iter().zip(of["vectors"].as_array().unwrap()) {
            assert_near(edge, expected, 1e-15);
        }
        assert_near(&reading.positions(0..1, 7..8).unwrap(), &of["particle"], 1e-15);
        let (near, _) = neighbours(name, 0.35);
        assert_eq!(near, 12.0, "{name}");
        // What is not done for such a box is not done wrong, either.
        let said = reading.box_edges().unwrap_err().to_string();
        assert!(said.contains("its box is sheared"), "{said}");
        let density = jostle(files(), &["analyse", &format!("{name}.h5md"), "density"]);
        assert!(density.fails().contains("its box is sheared"), "{}", density.err);
    }
}

#[test]
fn an_ideal_gas_has_no_structure_in_any_box() {
    for name in ["sheared_gas", "changing", "changing_sheared"] {
        let (_, g) = neighbours(name, 1.0);
        assert!((g - 1.0).abs() < 0.01, "{name}: {g}");
    }
    let (_, place) = open("sheared_gas").unwrapped(3..4, 11..12).unwrap();
    assert_near(&place, &known("sheared_gas"), 1e-12);
    let said = open("changing").box_edges().unwrap_err().to_string();
    assert!(said.contains("its box changes in time"), "{said}");
    let text = jostle(files(), &["info", "changing.h5md"]).succeeds().out;
    assert!(text.contains("changes in time, first 20 nm x 20 nm x 20 nm, last 10 nm"), "{text}");
}

#[test]
fn sheared_boxes_are_exported_as_they_are() {
    let to = |format: &str| {
        let out = format!("sheared.{format}");
        jostle(files(), &["export", "sheared.h5md", "--out", &out, "--force"])
    };
    to("xyz").succeeds();
    let text = std::fs::read_to_string(file("sheared.xyz")).unwrap();
    let vectors = known("sheared")["vectors"].to_string().replace(['[', ']'], "");
    let lattice = text.split("Lattice=\"").nth(1).unwrap().split('"').next().unwrap();
    let numbers = |text: &str, by| -> Vec<f64> {
        text.split(by).map(|number: &str| number.trim().parse().unwrap()).collect()
    };
    assert_eq!(numbers(lattice, ' '), numbers(&vectors, ','));
    to("gro").succeeds();
    let text = std::fs::read_to_string(file("sheared.gro")).unwrap();
    let last = "   1.80000   1.29904   1.95959   0.00000   0.00000  -0.75000   0.00000   0.00000   0.00000";
    assert!(text.trim_end().ends_with(last), "{}", text.lines().last().unwrap());
    to("pdb").succeeds();
    let text = std::fs::read_to_string(file("sheared.pdb")).unwrap();
    let cryst = "CRYST1   18.000   15.000   19.596  90.00  90.00 120.00 P 1";
    assert!(text.contains(cryst), "{text:.300}");
    assert!(to("simularium").fails().contains("its box is sheared"));
    let picture = jostle(files(), &["snapshot", "sheared.h5md", "--out", "sheared.svg"]);
    assert!(picture.fails().contains("its box is sheared"), "{}", picture.err);
    // A frame has its own box.
    jostle(files(), &["export", "changing.h5md", "--out", "changing.xyz", "--force"]).succeeds();
    let text = std::fs::read_to_string(file("changing.xyz")).unwrap();
    assert_eq!(text.matches("Lattice=\"20 0 0 0 20 0 0 0 20\"").count(), 1);
    assert_eq!(text.matches("Lattice=\"10 0 0 0 10 0 0 0 10\"").count(), 1);
}

#[test]
fn what_fills_up_frames_is_no_particle() {
    for name in ["padded", "filled"] {
        let reading = open(name);
        let numbers: Vec<usize> = (0..3)
            .map(|n| reading.identities(n..n + 1, 0..20).unwrap())
            .map(|ids| ids.iter().filter(|id| **id >= 0).count())
            .collect();
        assert_eq!(serde_json::json!(numbers), known("padded"), "{name}");
        let counts = reading.counts(0..3).unwrap();
        assert_eq!(counts.row(1).sum(), 20, "{name}");
        assert_eq!(counts.row(2).sum(), 12, "{name}");
    }
    assert_eq!(open("padded").species(), ["species 6", "species 8"]);
    assert_eq!(open("filled").identities(0..1, 3..4).unwrap()[[0, 0]], 8);
}

#[test]
fn everything_has_the_unit_that_it_says() {
    let reading = open("units");
    assert_eq!(reading.box_edges().unwrap(), [5.0; 3]);
    let velocities = reading.velocities(1).unwrap().unwrap();
    assert_near(velocities.row(2), &known("velocity"), 1e-9);
}

#[test]
fn species_are_those_of_each_frame() {
    let reading = open("species");
    assert_eq!(reading.species(), ["A", "B"]);
    let counts = reading.counts(0..4).unwrap();
    assert_eq!(counts.column(1).to_vec(), [2, 4, 6, 8]);
    let said = reading.slot_species().unwrap_err().to_string();
    assert!(said.contains("the species of its particles change in time"), "{said}");
    jostle(files(), &["export", "species.h5md", "--out", "species.xyz", "--force"]).succeeds();
    let text = std::fs::read_to_string(file("species.xyz")).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("B ")).count(), 20);
    assert_eq!(reading.slot_radii().unwrap(), [0.2; 10]);
    // Pictures show a frame, the player all of them.
    let red_and_blue = |frame: &str| {
        let out = "species.svg";
        let arguments = ["snapshot", "species.h5md", "--frame", frame, "--out", out, "--force"];
        jostle(files(), &arguments).succeeds();
        std::fs::read_to_string(file(out)).unwrap()
    };
    assert_ne!(red_and_blue("0"), red_and_blue("3"));
    let report = jostle(files(), &["report", "species.h5md", "--out", "species.html"]).succeeds();
    assert!(report.err.contains("not told apart in the player"), "{}", report.err);
    for name in ["named", "texts"] {
        let reading = open(name);
        assert_eq!(reading.species(), ["A", "B"], "{name}");
        assert_eq!(reading.slot_species().unwrap()[..3], [1, 1, 0], "{name}");
    }
}

#[test]
fn positions_without_times_or_in_half_precision_are_read() {
    let reading = open("fixed");
    assert_eq!((reading.frames(), reading.slots()), (1, 10));
    assert_eq!(reading.box_edges().unwrap(), [5.0; 3]);
    for name in ["fixed", "timeless"] {
        let name = &format!("{name}.h5md");
        jostle(files(), &["analyse", name, "rdf"]).succeeds();
        for format in ["xyz", "csv", "gro", "pdb", "vtp"] {
            let out = format!("timeless.{format}");
            let arguments = ["export", name, "--out", &out, "--frames", "0", "--force"];
            jostle(files(), &arguments).succeeds();
        }
        let done = jostle(files(), &["export", name, "--out", "timeless.simularium"]);
        assert!(done.fails().contains("needs the time of each frame"), "{}", done.err);
    }
    let text = std::fs::read_to_string(file("timeless.xyz")).unwrap();
    assert!(!text.contains("Time="), "{text}");
    assert_near(&open("half").positions(2..3, 5..6).unwrap(), &known("half"), 0.0);
}

#[test]
fn of_several_groups_one_is_named() {
    assert!(refused("groups").contains("several groups (protein, water)"));
    let water = analysis::open(&file("groups.h5md:water")).unwrap();
    assert_eq!(water.slots(), 4);
    assert_near(&water.positions(3..4, 3..4).unwrap(), &known("water"), 0.0);
    let done = jostle(files(), &["info", "groups.h5md:wine"]);
    assert!(done.fails().contains("no group \"wine\" has positions"), "{}", done.err);
}

#[test]
fn what_is_not_read_is_refused_for_what_it_is() {
    for (name, parts) in [
        ("other_steps", ["/particles/atoms/image/value", "stored at other steps"]),
        ("furlongs", ["unit of length, \"furlong\"", "nm, Angstrom, "]),
        ("letters", ["/particles/atoms/position/value", "it holds no numbers"]),
        ("texts_changing", ["neither numbers nor an enumeration", "texts are read"]),
        ("lzf", ["compressed by LZF", "h5repack"]),
    ] {
        let said = refused(name);
        assert!(parts.iter().all(|part| said.contains(part)), "{name}: {said}");
    }
}

/// The places of the species of a model that starts from one of the files.
fn started(placement: &str) -> Result<Vec<[f64; 3]>, String> {
    let text = format!(
        "[space]\ndimension = 3\nedges = \"5 nm\"\nboundary = \"periodic\"\n\
         [run]\ntimestep = \"0.000005 ns\"\nsteps = 1\n\
         [[species]]\nname = \"B\"\nradius = \"0.001 nm\"\ndiffusion = \"1 um^2/s\"\n\
         placement = {placement}\n"
    );
    let path = file("start.toml");
    let model = model::parse(&text, &path.display().to_string(), &[]);
    let model = model.map_err(|faults| format!("{faults}"))?;
    match &model.placement[..] {
        [one] => match &one.how {
            PlacementMethod::Positions(places) => Ok(places.clone()),
            other => panic!("{other:?}"),
        },
        others => panic!("{others:?}"),
    }
}

#[test]
fn particles_start_from_any_group_and_any_image() {
    for (name, key, particle, count) in [
        ("wrapped.h5md", "", "wrapped", 10),
        ("groups.h5md:water", "", "water", 4),
        ("groups.h5md:protein", "", "protein", 10),
    ] {
        let places = started(&format!("{{ file = \"{name}\"{key} }}")).unwrap();
        assert_eq!(places.len(), count, "{name}");
        let last = places.last().unwrap();
        match name {
            "wrapped.h5md" => {
                let all = known(particle);
                assert_near(last, &all[9], 1e-12);
            }
            _ => assert_near(&places[3], &known(particle), 1e-12),
        }
    }
    assert_eq!(started("{ file = \"one_number.h5md\" }").unwrap().len(), 10);
    assert_eq!(started("{ file = \"named.h5md\" }").unwrap().len(), 2);
    assert_eq!(started("{ file = \"species.h5md\" }").unwrap().len(), 8);
    assert_eq!(started("{ file = \"fixed.h5md\" }").unwrap().len(), 10);
    let said = started("{ file = \"numbers.h5md\" }").unwrap_err();
    assert!(said.contains("its species have numbers, -2, 7, and no names"), "{said}");
    assert!(said.contains("`species_number = 7` next to `file`"), "{said}");
    assert_eq!(started("{ file = \"numbers.h5md\", species_number = 7 }").unwrap().len(), 2);
    let said = started("{ file = \"sheared.h5md\" }").unwrap_err();
    assert!(said.contains("its box is sheared"), "{said}");
    let said = started("{ file = \"groups.h5md\" }").unwrap_err();
    assert!(
        said.contains("groups.h5md is refused: /particles: it has positions of several"),
        "{said}"
    );
    // The species of what has no particles in it is asked where there are any.
    assert_eq!(positions::read(&file("padded.h5md"), 3).unwrap().places.len(), 12);
}
