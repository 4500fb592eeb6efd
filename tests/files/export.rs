//! Exported files, opened by the programs that they are meant for.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use jostle::analysis;
use jostle::export::{self, ExportError, Format, LengthUnit, Options};
use jostle::observe::Observer;
use jostle::record::Status;

use crate::fake::{World, output};
use crate::program::{self, Apart, Done, jostle, repository};

/// On a line with walls: rods that coalesce, come apart and decay, so that their number varies.
const LINE: &str = r#"
[space]
dimension = 1
edges = "400 nm"
boundary = "reflecting"
[run]
timestep = "0.5 us"
steps = 300
seed = 3
[[species]]
name = "A"
radius = "1.5 nm"
diffusion = "1 um^2/s"
count = 30
[[species]]
name = "AA"
diffusion = "0.5 um^2/s"
[[rule]]
name = "join"
on = ["A", "A"]
do = "bind"
merge = "coalesce"
product = "AA"
probability = 0.5
unbind = "0.02 /us"
[[rule]]
name = "decay"
on = "A"
do = "decay"
rate = "0.002 /us"
[output]
frame_every = 20
"#;

/// In a plane: receptors with two sites that take up ligands and form bonded chains.
const PLANE: &str = r#"
title = "Receptors & <ligands>"
[space]
dimension = 2
edges = ["120 nm", "90 nm"]
[run]
timestep = "1 us"
steps = 300
seed = 5
[[species]]
name = "EGFR"
states = [["free", "bound"], ["bare", "marked"]]
radius = "2.5 nm"
diffusion = "0.5 um^2/s"
count = { "free,bare" = 20, "free,marked" = 5 }
[[species]]
name = "EGF"
radius = "1.2 nm"
diffusion = "5 um^2/s"
count = 20
[[rule]]
name = "ligate"
on = ["EGF", "EGFR{free}"]
do = "bind"
merge = "coalesce"
product = "EGFR{bound}"
probability = 0.8
unbind = "0.003 /us"
[[rule]]
name = "pair"
on = ["EGFR{bound}", "EGFR{bound}"]
do = "bind"
merge = "bond"
probability = 0.8
max_bonds = 2
unbind = "0.002 /us"
[output]
frame_every = 20
"#;

/// In space, in double precision: bonded chains, and particles that come to be.
const SPACE: &str = r#"
[space]
dimension = 3
edges = ["40 nm", "30 nm", "24 nm"]
boundary = ["periodic", "reflecting", "periodic"]
[run]
timestep = "0.1 us"
steps = 200
seed = 9
[[species]]
name = "M"
radius = "1.5 nm"
diffusion = "5 um^2/s"
count = 60
[[rule]]
name = "chain"
on = ["M", "M"]
do = "bind"
merge = "bond"
probability = 0.5
max_bonds = 2
unbind = "0.05 /us"
[[rule]]
name = "make"
do = "create"
product = "M"
rate = "2e-5 /nm^3/us"
[output]
frame_every = 10
precision = "double"
"#;

/// In space, particles whose sites point somewhere, and some without sites.
const DIRECTED: &str = r#"
[space]
dimension = 3
edges = "30 nm"
[run]
timestep = "2 ns"
steps = 4000
seed = 4
[[species]]
name = "M"
radius = "2 nm"
diffusion = "30 um^2/s"
count = 20
sites = [
  { name = "head", direction = [1, 0, 0], opening = "60 deg" },
  { name = "tail", direction = [-1, 1, 0.5], opening = "60 deg" },
]
[[species]]
name = "L"
radius = "1 nm"
diffusion = "60 um^2/s"
count = 10
sites = [{ name = "tail", direction = [0, 0, 1], opening = "90 deg" }, { name = "free" }]
[[species]]
name = "C"
radius = "1 nm"
diffusion = "60 um^2/s"
count = 5
[[rule]]
name = "chain"
do = "bind"
merge = "bond"
on = ["M(head)", "M(tail)"]
at = ["head", "tail"]
rate = "60 nm^3/us"
unbind = "3e4 /s"
[output]
frame_every = 200
"#;

/// A folder with one run of each model.
fn runs() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("line", LINE), ("plane", PLANE), ("space", SPACE), ("directed", DIRECTED)]
    {
        std::fs::write(dir.path().join(format!("{name}.toml")), text).unwrap();
        jostle(dir.path(), &["run", &format!("{name}.toml"), "-q"]).succeeds();
    }
    dir
}

/// What a reader makes of an exported file, held to what h5py reads from that which it came from.
fn checked(folder: &Path, reader: &str, arguments: &[&str]) {
    let script = repository().join("tests/python/check_exports.py");
    let Some(mut python) = program::python_with_readers(folder) else { return };
    python.arg(script).arg(reader).args(arguments).env("QT_QPA_PLATFORM", "offscreen");
    let done: Done = python.output_apart().into();
    assert_eq!(done.code, Some(0), "{reader} {arguments:?}\n{}\n{}", done.out, done.err);
}

fn exported(folder: &Path, arguments: &[&str]) -> String {
    jostle(folder, &[&["export"], arguments].concat()).succeeds().out
}

/// Every file in a format, and in its place a part of the one in the plane.
fn all_and_a_part(reader: &str, format: &str, ending: &str) {
    let dir = runs();
    for name in ["line", "plane", "space", "directed"] {
        let (file, out) = (format!("{name}.h5md"), format!("{name}.{ending}"));
        exported(dir.path(), &[&file, "--to", format]);
        checked(dir.path(), reader, &[&file, &out]);
    }
    let part = ["--frames", "3..9", "--every", "2", "--species", "EGF,EGFR{bound,bare}"];
    let out = format!("part.{ending}");
    exported(dir.path(), &[&["plane.h5md", "--to", format, "--out", &out], &part[..]].concat());
    checked(dir.path(), reader, &[&["plane.h5md", &out], &part[..]].concat());
}

#[test]
fn ovito_reads_extended_xyz() {
    all_and_a_part("ovito", "xyz", "xyz");
}

#[test]
fn ase_reads_extended_xyz_and_mdtraj_reads_gro() {
    let dir = runs();
    let script = repository().join("tests/python/check_atoms.py");
    for name in ["line", "plane", "space", "directed"] {
        let file = format!("{name}.h5md");
        for format in ["xyz", "gro"] {
            exported(dir.path(), &[&file, "--to", format]);
        }
        let mut python = program::python(dir.path());
        let done: Done = python.arg(&script).arg(name).output_apart().into();
        done.succeeds();
    }
}

#[test]
fn simulariumio_reads_json() {
    all_and_a_part("simularium", "simularium", "simularium");
}

#[test]
fn simulariumio_reads_the_binary_form() {
    all_and_a_part("simularium", "simularium-binary", "simularium");
}

#[test]
fn vtk_reads_frames_and_their_collection() {
    all_and_a_part("vtk", "vtp", "pvd");
}

#[test]
fn pandas_reads_the_table() {
    all_and_a_part("pandas", "csv", "csv");
}

#[test]
fn mdanalysis_reads_extended_xyz_in_its_own_unit() {
    let dir = runs();
    for (name, unwrap) in [("line", None), ("space", Some("--unwrap"))] {
        let (file, out) = (format!("{name}.h5md"), format!("{name}.xyz"));
        let mut arguments = vec![file.as_str(), "--out", &out, "--length-unit", "angstrom"];
        arguments.extend(unwrap);
        exported(dir.path(), &arguments);
        for reader in ["mdanalysis", "ovito"] {
            let mut arguments = vec![file.as_str(), &out, "--scale", "10"];
            arguments.extend(unwrap);
            checked(dir.path(), reader, &arguments);
        }
    }
}

/// What is in a folder, hidden files included.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_refusal_says_why_and_leaves_nothing_behind() {
    let dir = runs();
    std::fs::write(dir.path().join("old.csv"), "mine").unwrap();
    std::fs::create_dir(dir.path().join("old.frames")).unwrap();
    std::fs::write(dir.path().join("old.frames/thesis.tex"), "mine").unwrap();
    let before = names(dir.path());
    let cases: [(&[&str], &str); 12] = [
        (&["plane.h5md"], "--to FORMAT"),
        (&["plane.h5md", "--out", "a.docx"], "a.docx: no format has this ending"),
        (&["plane.h5md", "--out", "old.csv"], "old.csv already exists"),
        (&["plane.h5md", "--out", "no/such/folder.csv"], "there is no such folder"),
        (&["plane.h5md", "--out", "a.vtp"], "can hold one frame, but 16 are requested"),
        (&["plane.h5md", "--out", "old.pvd", "--force"], "thesis.tex is in it"),
        (&["plane.h5md", "--to", "csv", "--frames", "99.."], "there are 16 frames, counted from 0"),
        (
            &["plane.h5md", "--to", "csv", "--species", "EGFR{lost}"],
            "there is no species \"EGFR{lost}\"",
        ),
        (
            &["plane.h5md", "--to", "xyz", "--species", "X"],
            "there are: EGFR{free,bare}, EGFR{free,marked}",
        ),
        (&["plane.toml", "--to", "xyz"], "is not an HDF5 file"),
        (&["none.h5md", "--to", "xyz"], "cannot open none.h5md"),
        (&["plane.h5md", "--out", "."], "no format has this ending"),
    ];
    for (arguments, words) in cases {
        let done = jostle(dir.path(), &[&["export"], arguments].concat());
        assert!(done.fails().contains(words), "{arguments:?}: {}", done.err);
        assert_eq!(names(dir.path()), before, "{arguments:?}");
    }
    assert_eq!(std::fs::read(dir.path().join("old.csv")).unwrap(), b"mine");
    // A file that breaks off in the middle of the frames.
    let whole = std::fs::read(dir.path().join("space.h5md")).unwrap();
    std::fs::write(dir.path().join("space.h5md"), &whole[..whole.len() * 2 / 3]).unwrap();
    assert!(!jostle(dir.path(), &["export", "space.h5md", "--to", "csv"]).fails().is_empty());
    assert_eq!(names(dir.path()), before);
}

#[test]
fn asked_to_stop_it_leaves_nothing_behind() {
    let dir = runs();
    let before = names(dir.path());
    let reading = analysis::open(&dir.path().join("space.h5md")).unwrap();
    for (format, ending) in
        [(Format::Xyz, "xyz"), (Format::SimulariumBinary, "simularium"), (Format::Vtp, "pvd")]
    {
        let options = Options {
            frames: 0..usize::MAX,
            every: 1,
            species: Vec::new(),
            unwrap: false,
            length_unit: LengthUnit::Nanometre,
            force: false,
            stop: &AtomicBool::new(true),
        };
        let out = dir.path().join("out").with_extension(ending);
        let done = export::export(&reading, &out, format, &options);
        assert!(matches!(done, Err(ExportError::Interrupted)), "{done:?}");
        assert_eq!(names(dir.path()), before);
    }
}

#[test]
fn a_single_frame_and_forced_replacement() {
    let dir = runs();
    let said = exported(dir.path(), &["plane.h5md", "--out", "one.vtp", "--frames", "7"]);
    assert!(said.starts_with("one.vtp: 1 frame, "), "{said}");
    let collection = "<?xml version=\"1.0\"?><VTKFile><Collection><DataSet timestep=\"140\" \
                      file=\"one.vtp\"/></Collection></VTKFile>";
    std::fs::write(dir.path().join("one.pvd"), collection).unwrap();
    checked(dir.path(), "vtk", &["plane.h5md", "one.pvd", "--frames", "7"]);
    for frames in ["0..9", "3..4"] {
        exported(dir.path(), &["plane.h5md", "--to", "vtp", "--force", "--frames", frames]);
        checked(dir.path(), "vtk", &["plane.h5md", "plane.pvd", "--frames", frames]);
    }
    let left = names(&dir.path().join("plane.frames"));
    assert_eq!(left, BTreeSet::from(["frame_000003.vtp", "frame_000004.vtp"].map(str::to_owned)));
}

#[test]
fn a_frame_as_a_table_can_be_where_another_model_starts() {
    let dir = runs();
    exported(dir.path(), &["plane.h5md", "--out", "start.csv", "--frames", "0"]);
    let counts = ["count = { \"free,bare\" = 20, \"free,marked\" = 5 }", "count = 20"];
    let placed = counts.iter().fold(PLANE.to_owned(), |text, count| {
        text.replacen(count, "placement = { file = \"start.csv\" }", 1)
    });
    std::fs::write(dir.path().join("again.toml"), placed).unwrap();
    jostle(dir.path(), &["run", "again.toml", "-q", "--steps", "1"]).succeeds();
    exported(dir.path(), &["again.h5md", "--to", "csv", "--frames", "0"]);
    let rows = |name: &str| -> BTreeSet<String> {
        let text = std::fs::read_to_string(dir.path().join(name)).unwrap();
        let cells = text.lines().skip(1).map(|row| row.splitn(5, ',').nth(4).unwrap().to_owned());
        // Up to the radius: the clusters, of one each, have the identities of their particles.
        cells.map(|row| row.rsplitn(3, ',').nth(2).unwrap().to_owned()).collect()
    };
    assert_eq!(rows("again.csv"), rows("start.csv"));
}

/// A file of another program: no radii, no clusters, one box for all frames.
const FOREIGN: &str = "import h5py, numpy
with h5py.File('foreign.h5md', 'w') as f:
    f.create_group('h5md').attrs['version'] = [1, 1]
    f.create_group('h5md/creator').attrs['name'] = 'somebody'
    box = f.create_group('particles/all/box')
    box.attrs['dimension'] = 3
    box.attrs['boundary'] = ['periodic'] * 3
    box['edges'] = [10.0, 20.0, 30.0]
    at = f.create_group('particles/all/position')
    at['value'] = numpy.arange(24.0).reshape(2, 4, 3) / 8
    at['value'].attrs['unit'] = 'nm'
    at['step'] = [0, 5]
    at['time'] = [0.0, 500.0]
    at['time'].attrs['unit'] = 'ns'
    f['particles/all/species'] = [1, 1, 2, 2]
";

#[test]
fn a_file_of_another_program_is_exported_without_what_it_does_not_have() {
    let dir = tempfile::tempdir().unwrap();
    Done::from(program::python(dir.path()).args(["-c", FOREIGN]).output_apart()).succeeds();
    for format in ["xyz", "csv", "vtp", "simularium", "simularium-binary"] {
        let done =
            jostle(dir.path(), &["export", "foreign.h5md", "--to", format, "--force"]).succeeds();
        assert_eq!(done.err, "note: foreign.h5md has no radii and no clusters\n");
    }
    let table = std::fs::read_to_string(dir.path().join("foreign.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "frame,step,time_us,id,species,state,x_nm,y_nm,z_nm");
    assert_eq!(lines[8], "1,5,0.5,3,species 2,,2.625,2.75,2.875");
    let text = std::fs::read_to_string(dir.path().join("foreign.xyz")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].contains("Properties=type:S:1:pos:R:3:id:I:1 Time=0 "), "{}", lines[1]);
    assert!(lines[1].starts_with("Lattice=\"10 0 0 0 20 0 0 0 30\" "), "{}", lines[1]);
    assert_eq!(lines[11], "species_2 2.625 2.75 2.875 3");
    assert_eq!(jostle(dir.path(), &["diff", "foreign.h5md", "foreign.h5md"]).code, Some(0));
}

#[test]
fn a_file_that_is_being_written_can_be_exported() {
    let dir = tempfile::tempdir().unwrap();
    let mut world = World::<3>::new(50);
    let mut recorder = world.recorder(&dir.path().join("live.h5md"), output());
    let done = jostle(dir.path(), &["export", "live.h5md", "--to", "csv"]);
    assert_eq!(done.fails(), "error: live.h5md: there is no frame in it yet\n");
    recorder.step(&world.view()).unwrap();
    for frames in [4, 9] {
        while world.clock.step + 1 < frames {
            world.step(&mut recorder);
        }
        recorder.flush(world.clock).unwrap();
        for (reader, format, out) in [
            ("ovito", "xyz", "live.extxyz"),
            ("simularium", "simularium-binary", "live.simularium"),
        ] {
            let said =
                exported(dir.path(), &["live.h5md", "--to", format, "--out", out, "--force"]);
            assert!(said.contains(&format!(": {frames} frames, ")), "{said}");
            checked(dir.path(), reader, &["live.h5md", out]);
        }
    }
    recorder.finish(Status::Finished, world.clock).unwrap();
}

/// Rods that coalesce and decay, so that slots are empty in the last frame.
#[test]
fn a_topology_and_the_file_are_one_universe() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("line.toml"), LINE).unwrap();
    jostle(dir.path(), &["run", "line.toml", "-q"]).succeeds();
    for format in ["gro", "pdb"] {
        jostle(dir.path(), &["export", "line.h5md", "--to", format, "--frames", "15"]).succeeds();
    }
    let script = repository().join("tests/python/check_topology.py");
    let mut python = program::python(dir.path());
    Done::from(python.arg(script).args(["line.h5md", "line.gro", "line.pdb", "15"]).output_apart())
        .succeeds();
    // A part of the particles would not fit the file.
    let refused =
        jostle(dir.path(), &["export", "line.h5md", "--to", "gro", "--species", "A", "--force"]);
    assert!(refused.fails().contains("an atom for each particle"), "{}", refused.err);
}

#[test]
fn a_topology_says_how_it_calls_species_with_long_names() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("plane.toml"), PLANE).unwrap();
    jostle(dir.path(), &["run", "plane.toml", "-q"]).succeeds();
    let said = jostle(dir.path(), &["export", "plane.h5md", "--out", "plane.pdb"]).succeeds().out;
    assert!(said.contains("EGFR{free,bare} is EGFR") && !said.contains("EGF is"), "{said}");
    let text = std::fs::read_to_string(dir.path().join("plane.pdb")).unwrap();
    assert!(text.lines().all(|line| line.len() <= 80 && line.is_ascii()), "{text}");
    let names: BTreeSet<&str> = text
        .lines()
        .filter(|line| line.starts_with("ATOM"))
        .map(|line| line[12..16].trim())
        .collect();
    let reading = analysis::open(&dir.path().join("plane.h5md")).unwrap();
    let used: BTreeSet<i32> = reading.slot_species().unwrap().into_iter().collect();
    assert_eq!(names.len(), used.len(), "species with atoms of the same name: {names:?}");
}
