//! Sites that point somewhere, as other programs and pictures get them.

use std::path::Path;

use jostle::analysis::{self, SiteData};
use jostle::report::{ColourBy, Snapshot};
use serde_json::Value;

use crate::program::{self, Apart, Done, by_night, jostle, repository};

/// In a plane: a site along the x axis of the particle and one across it, and particles without
/// sites.
const MODEL: &str = r#"
[space]
dimension = 2
edges = "40 nm"
boundary = "reflecting"
[run]
timestep = "2 ns"
steps = 500
seed = 8
[[species]]
name = "M"
radius = "2.5 nm"
diffusion = "20 um^2/s"
count = 12
sites = [
  { name = "head", direction = [1, 0], opening = "40 deg" },
  { name = "side", direction = [0, 1], opening = "40 deg" },
]
[[species]]
name = "C"
radius = "1 nm"
diffusion = "50 um^2/s"
count = 4
[output]
frame_every = 500
"#;

fn run() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("m.toml"), MODEL).unwrap();
    jostle(dir.path(), &["run", "m.toml", "-q"]).succeeds();
    dir
}

/// How the particles are turned in the last frame: those of M, in the order of their identities.
fn quaternions(folder: &Path) -> Vec<[f32; 4]> {
    let reading = analysis::open(&folder.join("m.h5md")).unwrap();
    let (frame, slots) = (reading.frames() - 1, reading.slots());
    let all = SiteData::of(&reading).unwrap().orientations(frame..frame + 1, 0..slots).unwrap();
    let (all, species) = (all.unwrap(), reading.slot_species().unwrap());
    let id = reading.frame_data(frame..frame + 1, 0..slots).unwrap().id;
    let mut found: Vec<(i64, [f32; 4])> = (0..slots)
        .filter(|&slot| species[slot] == 0)
        .map(|slot| (id[[0, slot]], all[[0, slot]]))
        .collect();
    found.sort_by_key(|(id, _)| *id);
    found.into_iter().map(|(_, quaternion)| quaternion).collect()
}

/// The last frame in a format.
fn exported(folder: &Path, out: &str) -> Vec<u8> {
    jostle(folder, &["export", "m.h5md", "--out", out, "--frames", "1", "--force"]).succeeds();
    std::fs::read(folder.join(out)).unwrap()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// The numbers of an array in a VTK file.
fn array(bytes: &[u8], name: &str) -> Vec<f64> {
    let place = |words: &str| {
        bytes.windows(words.len()).position(|part| part == words.as_bytes()).unwrap() + words.len()
    };
    let entry = String::from_utf8_lossy(&bytes[place(&format!("Name=\"{name}\""))..][..120]);
    let offset: usize =
        entry.split("offset=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    let data = &bytes[place("<AppendedData encoding=\"raw\">\n_") + offset..];
    let length = u64::from_le_bytes(data[..8].try_into().unwrap()) as usize;
    data[8..8 + length].chunks(8).map(|x| f64::from_le_bytes(x.try_into().unwrap())).collect()
}

#[test]
fn a_particle_is_turned_alike_in_every_format() {
    let dir = run();
    let [w, x, y, z] = quaternions(dir.path())[2];
    assert!([x, y] == [0.0; 2] && z != 0.0, "it turns in the plane");

    let table = text(exported(dir.path(), "m.csv"));
    let head = "frame,step,time_us,id,species,state,x_nm,y_nm,radius_nm,qw,qx,qy,qz,cluster,";
    assert!(table.starts_with(head), "{table}");
    let row = table.lines().nth(3).unwrap();
    assert!(row.contains(&format!(",2.5,{w},0,0,{z},")), "{row}");

    let extended = text(exported(dir.path(), "m.xyz"));
    assert!(extended.contains(":id:I:1:orientation:R:4:cluster:I:1:"), "{extended}");
    let row = extended.lines().nth(4).unwrap();
    assert!(row.contains(&format!(" 2.5 2 0 0 {z} {w} ")), "{row}");

    let frame = exported(dir.path(), "m.vtp");
    assert_eq!(array(&frame, "orientation")[8..12], [w, x, y, z].map(f64::from));
    let angle = 2.0 * f64::from(z).atan2(f64::from(w));
    let (s, c) = angle.sin_cos();
    for (site, expected) in [("head", [c, s, 0.0]), ("side", [-s, c, 0.0])] {
        let vectors = array(&frame, &format!("direction_{site}"));
        let apart = vectors[6..9].iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(apart.fold(0.0, f64::max) < 1e-6, "{site}: {vectors:?}");
        // Particles without the site come last.
        assert_eq!(vectors[3 * 12..], [0.0; 3 * 4], "{site}");
    }

    let scene: Value = serde_json::from_slice(&exported(dir.path(), "m.simularium")).unwrap();
    let agents = &scene["spatialData"]["bundleData"][0]["data"];
    let angles = [6, 7, 8].map(|n| agents[2 * 11 + n].as_f64().unwrap());
    assert_eq!(angles[..2], [0.0; 2]);
    assert!((angles[2] - angle).sin().abs() < 1e-6, "{} and {angle}", angles[2]);
    assert!((angles[2] - angle).cos() > 0.0, "{} and {angle}", angles[2]);
}

#[test]
fn only_where_sites_point_somewhere_do_exports_say_how_particles_are_turned() {
    let dir = run();
    let part = ["export", "m.h5md", "--out", "part.csv", "--species", "C"];
    jostle(dir.path(), &part).succeeds();
    let table = std::fs::read_to_string(dir.path().join("part.csv")).unwrap();
    let head = "frame,step,time_us,id,species,state,x_nm,y_nm,radius_nm,cluster,cluster_size\n";
    assert!(table.starts_with(head), "{table}");
    // A table with these columns is a place to start from as well.
    exported(dir.path(), "start.csv");
    let again = MODEL
        .replace("count = 12", "placement = { file = \"start.csv\" }")
        .replace("count = 4", "placement = { file = \"start.csv\" }");
    std::fs::write(dir.path().join("again.toml"), again).unwrap();
    jostle(dir.path(), &["run", "again.toml", "-q", "--steps", "1"]).succeeds();
}

#[test]
fn a_picture_has_a_patch_for_each_site_that_points_somewhere() {
    let dir = run();
    let reading = analysis::open(&dir.path().join("m.h5md")).unwrap();
    let snapshot = Snapshot::of_frame(&reading, reading.frames() - 1, ColourBy::Species).unwrap();
    let mut found: Vec<[f64; 3]> = Vec::new();
    for (class, directions) in snapshot.classes.iter().zip(&snapshot.directions) {
        assert_eq!(directions.len(), if *class == 0 { 2 } else { 0 });
        found.extend(directions);
    }
    for [w, _, _, z] in quaternions(dir.path()) {
        let (s, c) = (2.0 * f64::from(z).atan2(f64::from(w))).sin_cos();
        for expected in [[c, s, 0.0], [-s, c, 0.0]] {
            let near = |one: &&[f64; 3]| (0..3).all(|k| (one[k] - expected[k]).abs() < 1e-6);
            assert_eq!(found.iter().filter(near).count(), 1, "{expected:?}");
        }
    }
    let picture = |colour: &str| {
        let arguments = ["snapshot", "m.h5md", "--out", "m.svg", "--force", "--colour", colour];
        jostle(dir.path(), &arguments).succeeds();
        std::fs::read_to_string(dir.path().join("m.svg")).unwrap()
    };
    // Four more wipe what stands out over the edges.
    for colour in ["species", "size", "state:head"] {
        assert_eq!(picture(colour).matches("<polygon ").count(), 2 * 12 + 4, "{colour}");
    }
}

/// Molecules with two sites that point somewhere and one that has states, which bind and decay;
/// others with a site of the same name and other states; and particles without sites.
const PLAYED: &str = r#"
[space]
dimension = 2
edges = "50 nm"
[run]
timestep = "2 ns"
steps = 1000
seed = 4
[[species]]
name = "M"
radius = "2.5 nm"
diffusion = "20 um^2/s"
count = 14
sites = [
  { name = "head", direction = [1, 0], opening = "90 deg" },
  { name = "side", direction = [0, 1], opening = "90 deg" },
  { name = "y", states = ["u", "p"] },
]
[[species]]
name = "C"
radius = "1.5 nm"
diffusion = "50 um^2/s"
count = 4
sites = [{ name = "y", states = ["u", "q", "p"] }]
[[species]]
name = "D"
radius = "1 nm"
diffusion = "50 um^2/s"
count = 3
[[rule]]
name = "bind"
do = "bind"
merge = "bond"
on = ["M(head)", "M(side)"]
at = ["head", "side"]
rate = "400 um^2/s"
unbind = "0.5 /us"
[[rule]]
name = "modify"
reaction = "M(y~u) -> M(y~p)"
rate = "1 /us"
[[rule]]
name = "change"
reaction = "C(y~u) -> C(y~q)"
rate = "1 /us"
[[rule]]
name = "decay"
reaction = "M(y~p,head,side) -> 0"
rate = "0.3 /us"
[output]
frame_every = 100
"#;

/// A script looks at the player of a run in Chromium.
fn played(model: &str, drawer: &str) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("m.toml"), model).unwrap();
    jostle(dir.path(), &["run", "m.toml", "-q"]).succeeds();
    jostle(dir.path(), &["report", "m.h5md"]).succeeds();
    let at = |name: &str| dir.path().join(name).display().to_string();
    let mut python = program::python(repository());
    let script = repository().join("tests/python/drive_sites.py");
    python.arg(script).args([&at("m.html"), &at("m.h5md"), drawer]);
    Done::from(python.output_apart()).succeeds();
}

/// The same in space.
fn in_space() -> String {
    let model = PLAYED.replace("dimension = 2", "dimension = 3").replace("50 nm", "40 nm");
    let model = model.replace("[1, 0]", "[0.6, 0.8, 0]").replace("[0, 1]", "[0, 0, 1]");
    model.replace("400 um^2/s", "6000 nm^3/us")
}

#[test]
fn patches_and_states_in_the_plane_are_played_in_chromium_with_webgl() {
    if !by_night() {
        return;
    }
    played(PLAYED, "WebGL");
}

#[test]
fn patches_and_states_in_space_are_played_in_chromium_with_webgl() {
    played(&in_space(), "WebGL");
}

#[test]
fn patches_and_states_in_the_plane_are_played_in_chromium_on_a_plain_canvas() {
    played(PLAYED, "Canvas2D");
}

#[test]
fn patches_and_states_in_space_are_played_in_chromium_on_a_plain_canvas() {
    if !by_night() {
        return;
    }
    played(&in_space(), "Canvas2D");
}

/// What the page of a model says of sites, and whether it speaks of patches.
fn told(model: &str) -> (Value, bool) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("m.toml"), model).unwrap();
    jostle(dir.path(), &["run", "m.toml", "-q"]).succeeds();
    jostle(dir.path(), &["report", "m.h5md"]).succeeds();
    let page = std::fs::read_to_string(dir.path().join("m.html")).unwrap();
    let head = page.split("id=\"head\">").nth(1).unwrap().split("</script>").next().unwrap();
    let head: Value = serde_json::from_str(head).unwrap();
    (head["sites"].clone(), page.contains("Patches show where sites point."))
}

#[test]
fn a_page_tells_the_player_of_sites_if_there_are_any() {
    let (sites, patches) = told(MODEL);
    assert!(patches);
    assert_eq!(sites["axes"], serde_json::json!([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], []]));
    let classes = |site: &str| {
        let names = ["free", "bound"].map(|state| format!("{site} {state}"));
        serde_json::json!({ "site": site, "classes": [names[0], names[1], format!("without {site}")] })
    };
    assert_eq!(sites["states"], serde_json::json!([classes("head"), classes("side")]));

    let aimless = MODEL.replace(", direction = [1, 0], opening = \"40 deg\"", "");
    let aimless = aimless.replace(", direction = [0, 1], opening = \"40 deg\"", "");
    let (sites, patches) = told(&aimless);
    assert!(!patches && sites["axes"].is_null());
    assert_eq!(sites["states"].as_array().unwrap().len(), 2);

    let (before, after) = aimless.split_once("sites = [").unwrap();
    let (sites, patches) = told(&[before, after.split_once("]\n").unwrap().1].concat());
    assert!(!patches && sites.is_null());
}
