//! Files as others read them: h5py, MDAnalysis, a reader beside the writer, and what is left of a
//! killed run.

use std::path::Path;
use std::process::{Command, Output};

use jostle::analysis;
use jostle::observe::{Observer, Outcome};
use jostle::record::{Recorder, Recovery, Status, recover};

use crate::fake::{EDGES, TIMESTEP, World, header, output};
use crate::program::{self, Apart, inherited_by_none, repository};

/// Runs a Python script with the packages that `make tools` fetched.
fn python(arguments: &[&str]) -> Output {
    program::python(repository()).args(arguments).output_apart()
}

fn succeeds(output: &Output) {
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{out}\n{err}");
}

/// A test of this file, in another process, at most so large a file being allowed.
/// \[blocks of 512 bytes\]
fn within(blocks: u32, test: &str, path: &Path) -> Output {
    let again = program::again(module_path!(), test, path);
    // The signal would end the program before it can say a word.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(script)
        .arg(again.get_program())
        .args(again.get_args())
        .env("JOSTLE_CHILD", path);
    command.output_apart()
}

/// A history with everything in it; returns where the particle with identity 0 was.
fn live<const D: usize>(world: &mut World<D>, recorder: &mut Recorder<D>) -> Vec<Option<[f64; 3]>> {
    recorder.step(&world.view()).expect("the first frame is written");
    let mut places = vec![place(world)];
    let mut whole = 0;
    for step in 0..12 {
        match step {
            2 => world.bond(2, 3, recorder),
            3 => world.bond(3, 4, recorder),
            4 => whole = world.coalesce(0, 1, recorder),
            6 => world.unbond(2, 3, recorder),
            8 => world.split(whole, recorder),
            9 => drop(world.coalesce(5, 6, recorder)),
            _ => world.touch(7, 8, Outcome::Bounced, recorder),
        }
        world.step(recorder);
        places.push(place(world));
    }
    places
}

fn place<const D: usize>(world: &World<D>) -> Option<[f64; 3]> {
    let i = world.particles.id.iter().position(|&id| id == 0)?;
    let position = world.particles.position[i];
    Some(std::array::from_fn(|k| if k < D { position[k] } else { 0.0 }))
}

fn checked_by_python<const D: usize>(boundary: [&str; 3], edges: [f64; 3]) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("world.h5md");
    let mut world = World::<D>::new(10);
    let mut recorder = world.recorder(&path, output());
    let places = live(&mut world, &mut recorder);
    recorder.finish(Status::Finished, world.clock).unwrap();
    let places: Vec<String> =
        places.iter().map(|place| place.map_or("null".into(), |x| format!("{x:?}"))).collect();
    let times: Vec<f64> = (0..13).map(|step| step as f64 * TIMESTEP * 1e3).collect();
    // Two complexes arise, one after the other, so one slot serves both.
    let mut species = ["ligand", "receptor"].repeat(5);
    species.push("complex");
    let expected = format!(
        r#"{{"dimension": {D}, "slots": 11, "box": {edges:?}, "times": {times:?},
             "boundary": {boundary:?}, "species": {species:?}, "places": [{}],
             "model": "title = \"µ\"\n", "runs": ["started", "finished"]}}"#,
        places.join(",")
    );
    let script = repository().join("tests/python/check_h5md.py");
    succeeds(&python(&[script.to_str().unwrap(), &path.display().to_string(), &expected]));
}

#[test]
fn h5py_and_mdanalysis_read_a_file_in_space() {
    checked_by_python::<3>(["periodic"; 3], EDGES);
}

#[test]
fn h5py_and_mdanalysis_read_a_plane_as_a_slab_and_a_line_as_a_rod() {
    // As thick as the largest particle of known size.
    checked_by_python::<2>(["periodic", "periodic", "none"], [EDGES[0], EDGES[1], 4.0]);
    checked_by_python::<1>(["periodic", "none", "none"], [EDGES[0], 4.0, 4.0]);
}

const COUNT_ALONG: &str = "import h5py, sys
with h5py.File(sys.argv[1], 'r', swmr=True) as f:
    print(len(f['particles/trajectory/position/step']))";

#[test]
fn others_read_along_while_the_file_grows() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("live.h5md");
    let mut world = World::<3>::new(10);
    let mut recorder = world.recorder(&path, output());
    for frames in [13, 25] {
        if frames == 13 {
            live(&mut world, &mut recorder);
        } else {
            (0..12).for_each(|_| world.step(&mut recorder));
        }
        recorder.flush(world.clock).unwrap();
        let seen = python(&["-c", COUNT_ALONG, &path.display().to_string()]);
        succeeds(&seen);
        assert_eq!(String::from_utf8_lossy(&seen.stdout).trim(), frames.to_string());
    }
}

const READ_ALL: &str = "import h5py, sys
with h5py.File(sys.argv[1], 'r') as f:
    f.visititems(lambda name, item: item[()] if isinstance(item, h5py.Dataset) else None)
    print(len(f['particles/trajectory/position/step']), len(f['events/changes']))";

#[test]
fn a_killed_run_loses_nothing_that_was_flushed() {
    if let Some(path) = std::env::var_os("JOSTLE_CHILD") {
        let mut world = World::<2>::new(2000);
        let mut asked = output();
        asked.compress = true;
        let mut recorder = world.recorder(Path::new(&path), asked);
        live(&mut world, &mut recorder);
        recorder.flush(world.clock).unwrap();
        (0..5).for_each(|_| world.step(&mut recorder));
        std::process::abort();
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("killed.h5md");
    let test = "a_killed_run_loses_nothing_that_was_flushed";
    let child = program::again(module_path!(), test, &path).output_apart();
    assert!(!child.status.success() && path.exists());
    let name = path.display().to_string();
    assert!(!python(&["-c", READ_ALL, &name]).status.success());

    // Our own reader does not mind; others want it recovered.
    let info = analysis::info(&analysis::open(&path).unwrap()).unwrap();
    assert!(info.is_open() && info.frames >= 13, "{info}");
    inherited_by_none();
    assert_eq!(recover(&path).unwrap(), Recovery::Mark);
    assert_eq!(recover(&path).unwrap(), Recovery::Nothing, "there is nothing more to recover");
    let seen = python(&["-c", READ_ALL, &name]);
    succeeds(&seen);
    let text = String::from_utf8_lossy(&seen.stdout);
    let counts: Vec<usize> = text.split_whitespace().map(|n| n.parse().unwrap()).collect();
    assert!(counts[0] >= 13 && counts[1] == 6, "{counts:?}");
}

#[test]
fn a_full_disk_is_a_clear_error_and_keeps_what_was_safe() {
    if let Some(path) = std::env::var_os("JOSTLE_CHILD") {
        let mut world = World::<3>::new(1000);
        let header = header::<3>(1000, output());
        let made = Recorder::create(Path::new(&path), &header, false);
        let mut recorder = made.unwrap_or_else(|error| panic!("error: {error}"));
        recorder.step(&world.view()).unwrap();
        for _ in 0..1000 {
            world.clock.step += 1;
            let written = recorder.step(&world.view());
            if let Err(error) = written.and_then(|()| Ok(recorder.flush(world.clock)?)) {
                println!("error: {error}");
                drop(recorder);
                std::process::exit(3);
            }
        }
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let test = "a_full_disk_is_a_clear_error_and_keeps_what_was_safe";
    for blocks in [1000, 2000, 2333, 2501, 4096] {
        let path = dir.path().join(format!("{blocks}.h5md"));
        let child = within(blocks, test, &path);
        let [out, err] = [&child.stdout, &child.stderr].map(|text| String::from_utf8_lossy(text));
        assert_eq!(child.status.code(), Some(3), "{out}\n{err}");
        let said = out.split(&format!("{blocks}.h5md: file too large; kept: at least ")).nth(1);
        let kept = said.and_then(|rest| rest.split(' ').next()?.parse().ok());
        let kept: usize = kept.unwrap_or_else(|| panic!("it must say how many: {out}"));
        assert!(!err.contains("HDF5-DIAG"), "{err}");
        succeeds(&python(&["-c", READ_ALL, &path.display().to_string()]));
        let reading = analysis::open(&path).unwrap();
        let frames = reading.frames();
        assert!(kept > 5 && frames >= kept, "{kept} of {frames}");
        let sizes = analysis::cluster_sizes(&reading, &analysis::Scope::default()).unwrap();
        assert!(sizes.frames[..kept].iter().all(|at| at.particles() == 1000));
    }
    // Not even the tables fit: there is no file then.
    let path = dir.path().join("none.h5md");
    let child = within(20, test, &path);
    let err = String::from_utf8_lossy(&child.stderr);
    assert!(err.contains("cannot create") && err.contains("too large"), "{err}");
    assert!(!path.exists());
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let header = header::<3>(10, output());
    let refused =
        |path: &Path| Recorder::<3>::create(path, &header, true).err().unwrap().to_string();
    let error = refused(&dir.path().join("none/x.h5md"));
    assert!(error.contains("none/x.h5md: No such file"), "{error}");
    let error = refused(&dir.path().join("x.h5"));
    assert!(error.contains(".h5md"), "{error}");
}
