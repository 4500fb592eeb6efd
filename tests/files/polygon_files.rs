//! Files of polygon runs hold outlines, walls and contact forces; other readers open them, and what
//! `jostle analyse` makes of the forces is what one works out by hand, and what numpy makes of
//! them.

use std::path::Path;
use std::process::Command;

use jostle::analysis::{self, Along, Place, Scope};
use jostle::output::LogLevel;

use crate::outlines::{MM, column, storm};
use crate::program::{self, Apart, Done, by_night, folder, jostle, repository};

fn python(script: &str, arguments: &[&str]) {
    held_by(program::python(repository()), script, arguments);
}

fn held_by(mut python: Command, script: &str, arguments: &[&str]) {
    python.arg(repository().join("tests/python").join(script)).args(arguments);
    Done::from(python.env("QT_QPA_PLATFORM", "offscreen").output_apart()).succeeds();
}

fn close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-5 * expected.abs().max(1e-9),
        "{found}, expected {expected}"
    );
}

#[test]
fn others_read_the_file_and_measure_the_same() {
    let dir = folder();
    let at = |name: &str| dir.path().join(name).display().to_string();
    storm(40, 12).write(&dir.path().join("storm.h5md"), LogLevel::All);
    let asked = ["analyse", "storm.h5md", "forces", "stress", "energy"];
    let how = ["--along", "y", "--bins", "5", "--csv", "tables", "--plot", "storm.svg"];
    let said = jostle(dir.path(), &[&asked[..], &how].concat()).succeeds().out;
    for word in ["coordination number", "floor", "gate", "deviator over pressure", "elastic"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    python("check_polygons.py", &[&at("storm.h5md"), &at("tables"), "5"]);
}

/// A column of eight disks of 0.5 N each in a box 10 mm wide: the stress in a bin is the weight
/// above its middle over the width.
#[test]
fn the_stress_in_a_column_is_the_weight_above() {
    let dir = folder();
    let path = dir.path().join("column.h5md");
    let (count, weight) = (8, 0.5);
    column(count, weight).write(&path, LogLevel::All);
    let reading = analysis::open(&path).unwrap();
    let all = Scope::default();
    let found =
        analysis::stress(&reading, &all, &Place::default(), Some((Along::Axis(1), count))).unwrap();
    let bins = found.profile.as_ref().unwrap().bins.clone();
    for (n, bin) in bins.iter().enumerate() {
        close(bin.at, (10.0 * n as f64 + 5.0) * MM);
        close(bin.stress[3].mean, weight * (count as f64 - n as f64 - 0.5) / 10e-3);
        assert_eq!(bin.stress[3].error, 0.0);
        close(bin.stress[0].mean, 0.0);
    }
    let mean = 0.5 * weight * count as f64 / 10e-3;
    close(found.mean()[3], mean);
    close(found.principal().direction, 90.0);
    close(found.principal().deviator, 0.5 * mean);
    let upper = Place { ranges: [None, Some([40.0 * MM, 80.0 * MM]), None] };
    let found = analysis::stress(&reading, &all, &upper, None).unwrap();
    close(found.area, 400.0 * MM * MM);
    close(found.mean()[3], 0.25 * weight * count as f64 / 10e-3);
    let network = analysis::forces(&reading, &all, 40).unwrap();
    close(network.walls[0].force[1].mean, -weight * count as f64);
    assert_eq!((network.frames[0].contacts, network.frames[0].wall_contacts), (count - 1, 1));
    close(network.frames[0].coordination, (2 * (count - 1) + 1) as f64 / count as f64);
    close(network.frames[0].fabric, 2.0);
    // Forces of 1 to 7 weights between bodies.
    close(network.frames[0].mean, 4.0 * weight);
    close(network.frames[0].participation, 28.0 * 28.0 / (7.0 * 140.0));
}

#[test]
fn what_a_file_does_not_hold_is_said() {
    let dir = folder();
    storm(10, 3).write(&dir.path().join("quiet.h5md"), LogLevel::None);
    for what in ["forces", "stress"] {
        let done = jostle(dir.path(), &["analyse", "quiet.h5md", what]);
        assert!(done.fails().contains("log = \"all\""), "{}", done.err);
    }
    let done = jostle(dir.path(), &["snapshot", "quiet.h5md", "--forces", "--out", "quiet.png"]);
    assert!(done.fails().contains("log = \"all\""), "{}", done.err);
    let done = jostle(dir.path(), &["analyse", "quiet.h5md", "impacts"]);
    assert!(done.fails().contains("granular"), "{}", done.err);
    for what in ["counts", "displacement", "density", "rdf", "energy"] {
        jostle(dir.path(), &["analyse", "quiet.h5md", what]).succeeds();
    }
    jostle(dir.path(), &["run", "model.toml", "-q"]).succeeds();
    let done = jostle(dir.path(), &["analyse", "model.h5md", "forces"]);
    assert!(done.fails().contains("polygon"), "{}", done.err);
    for (options, why) in [
        (&["stress", "--along", "z"][..], "along x or along y"),
        (&["stress", "--place", "x=1 m.."], "outside the box"),
        (&["energy", "--place", "x=0 nm.."], "--place: only for stress and first-passage"),
        (&["forces", "--species", "nobody"], "nobody"),
    ] {
        storm_once(dir.path());
        let done = jostle(dir.path(), &[&["analyse", "storm.h5md"], options].concat());
        assert!(done.fails().contains(why), "{options:?}: {}", done.err);
    }
}

fn storm_once(folder: &Path) {
    let path = folder.join("storm.h5md");
    if !path.exists() {
        storm(30, 6).write(&path, LogLevel::All);
    }
}

#[test]
fn files_are_compared_with_all_that_they_hold() {
    let dir = folder();
    let mut story = storm(20, 5);
    story.write(&dir.path().join("a.h5md"), LogLevel::All);
    story.write(&dir.path().join("b.h5md"), LogLevel::All);
    jostle(dir.path(), &["diff", "a.h5md", "b.h5md"]).succeeds();
    story.moments[3].bodies[7].angle += 1e-12;
    story.write(&dir.path().join("turned.h5md"), LogLevel::All);
    let done = jostle(dir.path(), &["diff", "a.h5md", "turned.h5md"]);
    assert!(done.code == Some(1) && done.out.contains("frame 3"), "{}", done.out);
    story.moments[3].bodies[7].angle = storm(20, 5).moments[3].bodies[7].angle;
    story.moments[2].forces[4].sliding ^= true;
    story.write(&dir.path().join("pressed.h5md"), LogLevel::All);
    let done = jostle(dir.path(), &["diff", "a.h5md", "pressed.h5md"]);
    assert!(done.code == Some(1) && done.out.contains("events/forces"), "{}", done.out);
}

#[test]
fn everything_is_drawn_exported_and_described() {
    let dir = folder();
    storm(60, 10).write(&dir.path().join("storm.h5md"), LogLevel::All);
    let done = |arguments: &[&str]| jostle(dir.path(), arguments).succeeds().out;
    let said = done(&["info", "storm.h5md"]);
    assert!(
        said.contains("polygons") && said.contains("3 walls") && said.contains("forces"),
        "{said}"
    );
    done(&["snapshot", "storm.h5md", "--frame", "0,9", "--forces", "--out", "forces.svg"]);
    done(&["snapshot", "storm.h5md", "--colour", "speed", "--out", "speed.svg"]);
    let svg = std::fs::read_to_string(dir.path().join("speed.svg")).unwrap();
    assert!(svg.contains("<polygon") && svg.contains("<circle") && svg.contains("m/s"));
    done(&["report", "storm.h5md", "--out", "page.html"]);
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("Forces and stress") && page.contains("Energy"));
}

fn played(drawer: &str) {
    let dir = folder();
    let at = |name: &str| dir.path().join(name).display().to_string();
    for (name, count, more) in [("storm", 40, &[][..]), ("alone", 1, &["alone"])] {
        let (file, page) = (format!("{name}.h5md"), format!("{name}.html"));
        storm(count, 12).write(&dir.path().join(&file), LogLevel::All);
        jostle(dir.path(), &["report", &file, "--out", &page]).succeeds();
        python("drive_polygons.py", &[&[&at(&page), &at(&file), drawer], more].concat());
    }
}

#[test]
fn outlines_are_played_in_chromium_with_webgl() {
    played("WebGL");
}

#[test]
fn outlines_are_played_in_chromium_on_a_plain_canvas() {
    if !by_night() {
        return;
    }
    played("Canvas2D");
}

/// Other programs find orientations and outlines in what is exported.
#[test]
fn exports_hold_how_bodies_are_turned() {
    let dir = folder();
    storm(30, 2).write(&dir.path().join("storm.h5md"), LogLevel::None);
    let text = |name: &str| {
        let done = ["export", "storm.h5md", "--frames", "1", "--out", name];
        jostle(dir.path(), &done).succeeds();
        String::from_utf8_lossy(&std::fs::read(dir.path().join(name)).unwrap()).into_owned()
    };
    let xyz = text("storm.xyz");
    assert!(xyz.contains(":orientation:R:4:aspherical_shape:R:3:angle:R:1:outline:I:1"), "{xyz}");
    let csv = text("storm.csv");
    assert!(csv.lines().next().unwrap().contains("angle_rad,shape"), "{csv}");
    // 30 bodies, the floor, the gate and the wheel.
    let vtp = text("storm.vtp");
    assert!(vtp.contains("NumberOfPolys=\"33\"") && vtp.contains("Name=\"angle\""), "{vtp}");
    text("storm.simularium");
    let at = |name: &str| dir.path().join(name).display().to_string();
    let Some(python) = program::python_with_readers(repository()) else { return };
    held_by(
        python,
        "check_polygon_exports.py",
        &[&at("storm.vtp"), &at("storm.xyz"), &at("storm.h5md")],
    );
}
