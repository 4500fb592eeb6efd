//! The memory that `check` foretells is that of the run, within a fifth.

use super::watch::{predicted, watched};
use crate::program::nightly;

/// A box of spheres that fill the share `packing`, and what else there is in the model.
pub(crate) fn spheres(count: usize, packing: f64, more: &str) -> String {
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 8.0 * count as f64;
    crowd(3, (volume / packing).cbrt(), count, more)
}

fn disks(count: usize, packing: f64, more: &str) -> String {
    let area = std::f64::consts::PI * 4.0 * count as f64;
    crowd(2, (area / packing).sqrt(), count, more)
}

fn crowd(dimension: usize, edge: f64, count: usize, more: &str) -> String {
    format!(
        "[space]\ndimension = {dimension}\nedges = \"{edge} nm\"\n[run]\ntimestep = \"10 ns\"\nsteps = 12\n[[species]]\n\
         name = \"A\"\nradius = \"2 nm\"\ndiffusion = \"1 um^2/s\"\nplacement = {{ lattice = {count} }}\n{more}"
    )
}

const IGNORE: &str = "[[rule]]\nname = \"ghosts\"\non = [\"A\", \"A\"]\ndo = \"ignore\"\n";
const BIND: &str = "[[rule]]\nname = \"bind\"\non = [\"A\", \"A\"]\ndo = \"bind\"\nmerge = \"bond\"\nprobability = 0.05\n";

fn balls(count: usize) -> String {
    let edge = (count as f64).cbrt() * 1.3;
    format!(
        "[space]\ndimension = 3\nedges = \"{edge} mm\"\n[run]\nengine = \"granular\"\nuntil = \"2 ms\"\n[[species]]\n\
         name = \"ball\"\nradius = \"0.4 mm\"\nspeed = \"0.1 m/s\"\nplacement = {{ lattice = {count} }}\n[output]\n\
         frames = 2\n"
    )
}

fn gas(count: usize, contact: &str) -> String {
    let edge = (count as f64).sqrt() * 8.0;
    format!(
        "[space]\ndimension = 2\nedges = \"{edge} mm\"\nboundary = \"reflecting\"\n[run]\nengine = \"gas\"\n\
         contact = \"{contact}\"\ntimestep = \"0.2 ms\"\nsteps = 12\n[[species]]\nname = \"puck\"\nradius = \"2 mm\"\n\
         mass = \"1 g\"\nspeed = \"1 m/s\"\nplacement = {{ lattice = {count} }}\n[output]\nframes = 2\n"
    )
}

fn hexagons(count: usize) -> String {
    let edge = (count as f64).sqrt() * 3.0;
    format!(
        "[space]\ndimension = 2\nedges = \"{edge} mm\"\n[run]\nengine = \"polygons\"\ntimestep = \"1 us\"\nsteps = 10\n\
         [contact]\nstiffness = \"1e6 N/m\"\n[[species]]\nname = \"hexagon\"\ndensity = \"5000 kg/m^2\"\n\
         shape = {{ regular = 6, radius = \"1 mm\" }}\ncount = {count}\n"
    )
}

/// By day what most people run, by night every structure as well.
#[test]
fn the_memory_that_check_foretells_is_that_of_the_run_within_a_fifth() {
    let by_day = [
        ("free", spheres(200_000, 0.1, IGNORE)),
        ("hard", spheres(200_000, 0.2, "")),
        ("bonds", spheres(200_000, 0.1, BIND)),
        ("small", spheres(1000, 0.2, "")),
        ("balls", balls(30_000)),
        ("hexagons", hexagons(30_000)),
        ("gas, events", gas(100_000, "events")),
    ];
    let by_night = [
        ("slices", spheres(100_000, 0.2, "[search]\nkind = \"slices\"\n")),
        ("sweep", spheres(50_000, 0.4, "[search]\nkind = \"sweep\"\n")),
        ("sweep in a plane", disks(200_000, 0.1, "[search]\nkind = \"sweep\"\n")),
        ("swept", spheres(50_000, 0.05, "[search]\nkind = \"swept\"\n")),
        ("swept in a plane", disks(200_000, 0.3, "[search]\nkind = \"swept\"\n")),
        ("auto, all tried", disks(50_000, 0.3, "").replace("steps = 12", "steps = 60")),
        (
            "long steps",
            spheres(20_000, 0.05, "[search]\nkind = \"cubic\"\n").replace("1 um^2/s", "500 um^2/s"),
        ),
        ("gas, exact", gas(100_000, "exact")),
        ("gas, after the move", gas(100_000, "after_move")),
    ];
    for (name, model) in by_day.into_iter().chain(by_night.into_iter().filter(|_| nightly())) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("model.toml"), model).unwrap();
        let predicted = predicted(dir.path(), "memory", &["model.toml"]);
        let run = watched(dir.path(), &["run", "model.toml"]);
        assert!(run.out.contains("finished"), "{}", run.out);
        let peak = run.peak();
        println!("{name}: {:.1} MB predicted, {:.1} MB at most", predicted * 1e-6, peak * 1e-6);
        let ratio = peak / predicted;
        assert!(
            (1.0 / 1.2..=1.2).contains(&ratio),
            "{name}: {predicted} predicted, {peak} at most"
        );
    }
}
