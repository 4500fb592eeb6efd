//! What takes long.

use super::memory::spheres;
use super::watch::{predicted, watched};
use crate::program::jostle;

/// What a variable of the environment says, or else `usual`.
fn asked_for(variable: &str, usual: f64) -> f64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}={text} is no number")),
        Err(_) => usual,
    }
}

/// Bytes of a contact in the log.
const ROW: f64 = 41.0;

/// A log of 10^9 contacts (`CONTACTS=1e7 make long` for another number): none is missing, the file
/// is as large as predicted, and memory does not grow with it. It takes 41 GB of the disk and the
/// better part of an hour.
#[test]
fn a_log_of_a_thousand_million_contacts_is_whole() {
    let wanted = asked_for("CONTACTS", 1e9);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let model = "[space]\ndimension = 3\nedges = \"83 nm\"\n[run]\ntimestep = \"2 ns\"\nsteps = 1\n[[species]]\n\
                 name = \"A\"\nradius = \"2 nm\"\ndiffusion = \"20 um^2/s\"\nplacement = { lattice = 5000 }\n\
                 [output]\nlog = \"all\"\nframes = 10\n";
    std::fs::write(folder.path().join("model.toml"), model).unwrap();
    let file = folder.path().join("model.h5md");
    // How many steps that takes, found by a short run.
    let rows = || -> f64 {
        let said = jostle(folder.path(), &["contacts", "model.h5md", "--count"]).succeeds().out;
        said.trim().parse().expect(&said)
    };
    jostle(folder.path(), &["run", "model.toml", "--steps", "1000", "--quiet"]).succeeds();
    let steps = (wanted / rows() * 1000.0).ceil().to_string();
    let predicted =
        predicted(folder.path(), "file", &["model.toml", "--set", &format!("run.steps={steps}")]);
    let begun = std::time::Instant::now();
    let run = watched(folder.path(), &["run", "model.toml", "--steps", &steps, "--force"]);
    let seconds = begun.elapsed().as_secs_f64();
    let (rows, size) = (rows(), std::fs::metadata(&file).unwrap().len() as f64);
    println!(
        "{rows:.3e} contacts in {seconds:.0} s, {size:.3e} bytes ({predicted:.3e} predicted), {:.1} MB of memory",
        run.peak() * 1e-6
    );
    let counted = run.out.lines().find_map(|line| line.trim_start().strip_prefix("contacts"));
    let counted =
        counted.and_then(|line| line.split_whitespace().next()).expect("contacts are counted");
    assert_eq!(counted.parse(), Ok(rows), "as many rows as contacts");
    assert!((0.9 * wanted..1.1 * wanted).contains(&rows), "{rows}");
    assert!(
        (ROW..1.01 * ROW).contains(&((size - 2e6) / rows)) || wanted < 1e6,
        "{size} for {rows}"
    );
    assert!((size / predicted - 1.0).abs() < 0.2, "{size}, {predicted} predicted");
    // A log of a thousand times what fits into the library's memory leaves no trace in ours.
    assert!(run.peak() < 100e6, "{} bytes", run.peak());
}

/// A model of 10^7 particles (`BODIES=1e6 make long` for another number), for which it takes 6 GB
/// of memory.
#[test]
fn ten_million_particles_run_in_the_memory_predicted() {
    let particles = asked_for("BODIES", 1e7) as usize;
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let more = "[search]\nkind = \"verlet\"\n[output]\nframes = 1\n";
    let model = spheres(particles, 0.2, more).replace("steps = 12", "steps = 3");
    std::fs::write(folder.path().join("model.toml"), model).unwrap();
    let predicted = predicted(folder.path(), "memory", &["model.toml"]);
    let run = watched(folder.path(), &["run", "model.toml"]);
    println!("{particles} particles: {predicted:.3e} bytes predicted, {:.3e} at most", run.peak());
    assert!(
        (predicted / run.peak() - 1.0).abs() < 0.2,
        "{predicted} predicted, {} at most",
        run.peak()
    );
    assert!(run.out.contains("finished"), "{}", run.out);
}
