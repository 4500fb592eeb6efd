//! H5MD files of other programs: what can be known is told, what is missing is named.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jostle::analysis::{self, ReadError};
use tempfile::TempDir;

use crate::program::{self, Apart, Done, jostle, repository};

/// A folder with files as other programs write them, made once.
fn files() -> &'static Path {
    static FILES: OnceLock<TempDir> = OnceLock::new();
    let dir = FILES.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let script = repository().join("tests/python/make_foreign.py");
        Done::from(program::python(dir.path()).arg(script).arg(dir.path()).output_apart())
            .succeeds();
        dir
    });
    dir.path()
}

fn file(name: &str) -> PathBuf {
    files().join(name)
}

#[test]
fn units_images_and_species_of_another_program_are_understood() {
    let reading = analysis::open(&file("lammps.h5md")).unwrap();
    assert_eq!((reading.frames(), reading.slots(), reading.dimension()), (12, 30, 3));
    assert_eq!(reading.creator(), "LAMMPS 2Aug2023");
    assert_eq!(reading.edges(), [100.0; 3]);
    let times = reading.times().unwrap();
    assert!((times[11] - 11.0 * 200e-9).abs() < 1e-15, "{times:?}");
    assert_eq!(reading.species(), ["species 1", "species 3"]);
    assert_eq!(reading.slot_species().unwrap()[..3], [0, 1, 0]);
    let (id, place) = reading.unwrapped(0..12, 0..30).unwrap();
    assert_eq!(id[[5, 7]], 7);
    let path = npy(&file("walk.npy"));
    // Stored in single precision, in Angstrom: 1000 takes 24 bits.
    let worst = place.iter().zip(&path).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn a_plane_with_even_steps_is_read() {
    let reading = analysis::open(&file("even.h5md")).unwrap();
    assert_eq!((reading.dimension(), reading.frames()), (2, 12));
    assert_eq!(reading.steps().unwrap()[..3], [0, 5, 10]);
    assert_eq!(reading.times().unwrap()[..2], [1e-3, 1.25e-3]);
    assert!((reading.timestep() - 0.25e-3 / 5.0).abs() < 1e-15);
    assert_eq!(reading.edges()[..2], [100.0; 2]);
    assert!(!reading.has_units());
    // Walls all around: positions are where the particles are, without images.
    let (_, place) = reading.unwrapped(0..1, 0..2).unwrap();
    assert_eq!(place[[0, 0, 2]], 0.0);
    assert!(matches!(reading.slot_radii(), Err(ReadError::Foreign { .. })));
}

#[test]
fn a_file_of_mdanalysis_is_read() {
    let reading = analysis::open(&file("mdanalysis.h5md")).unwrap();
    assert_eq!((reading.frames(), reading.slots()), (12, 30));
    assert!((reading.times().unwrap()[3] - 6e-6).abs() < 1e-12);
    assert_eq!(reading.edges(), [100.0; 3]);
}

#[test]
fn info_names_what_is_missing() {
    let info = |name: &str| jostle(files(), &["info", name]).succeeds().out;
    let text = info("lammps.h5md");
    for part in [
        "LAMMPS 2Aug2023",
        "100 nm periodic",
        "12, from 0 s",
        "species 3",
        "has no",
        "no contact log",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    let text = info("bare.h5md");
    for part in ["box", "none", "times, no box, no model"] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
}

#[test]
fn questions_that_such_a_file_cannot_answer_say_why() {
    let contacts = jostle(files(), &["contacts", "lammps.h5md"]);
    let said = contacts.fails();
    assert!(
        said.contains(
            "has no /events/codes/outcomes: it was written by LAMMPS 2Aug2023, not by jostle"
        ),
        "{said}"
    );
    let again = jostle(files(), &["run", "lammps.h5md", "--out", "again.h5md"]);
    assert!(again.fails().contains("written by LAMMPS"), "{}", again.err);
    for (name, part) in [
        ("table.h5md", "not an H5MD trajectory: it has no group /particles"),
        ("walk.npy", "is not an HDF5 file"),
    ] {
        let done = jostle(files(), &["info", name]);
        assert!(done.fails().contains(part), "{}", done.err);
    }
}

#[test]
fn what_can_be_measured_of_such_a_file_is_measured() {
    let analyse = |name: &str, what: &[&str]| jostle(files(), &[&["analyse", name], what].concat());
    let text = analyse("lammps.h5md", &[]).succeeds().out;
    for part in [
        "species 1  15 ± 0",
        "every particle is alone",
        "MSD/2dDt",
        "none: lammps.h5md has no /events/",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    for name in ["lammps.h5md", "even.h5md", "mdanalysis.h5md"] {
        for what in ["rdf", "density", "counts"] {
            analyse(name, &[what, "--csv", "tables", "--force"]).succeeds();
        }
    }
    let text = analyse("bare.h5md", &["rdf"]);
    assert!(text.fails().contains("it has no box, whose edges are needed"), "{}", text.err);
    let text = analyse("mdanalysis.h5md", &["displacement"]);
    assert!(text.fails().contains("has no /particles/trajectory/image"), "{}", text.err);
    let text = analyse("lammps.h5md", &["rates"]);
    assert!(text.fails().contains("written by LAMMPS"), "{}", text.err);
}

/// The numbers of a file that numpy saved.
fn npy(path: &Path) -> Vec<f64> {
    let bytes = std::fs::read(path).unwrap();
    let head = 10 + u16::from_le_bytes([bytes[8], bytes[9]]) as usize;
    bytes[head..].chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}
