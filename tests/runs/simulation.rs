//! A run that is advanced in portions, and looked at in between, is the run that is not.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use jostle::model::Model;
use jostle::output::LogLevel;
use jostle::run::{Collect, Ending, Options, Simulation, SimulationOptions, run};

use crate::cases::CASES;
use crate::program::{inherited_by_none, jostle, nightly};
use crate::same::hold_same;

fn at_once(model: &Model, out: &Path) {
    let options = Options {
        out: Some(out),
        force: false,
        self_check: false,
        stop: &AtomicBool::new(false),
        progress: &mut |_| (),
        checkpoints: Default::default(),
    };
    run(model, options).unwrap_or_else(|error| panic!("{}: {error}", model.title));
}

fn in_portions(model: &Model, out: &Path) {
    let collect = Collect { contacts: LogLevel::All, changes: true };
    let options = SimulationOptions {
        out: Some(out.to_owned()),
        self_check: true,
        collect,
        ..Default::default()
    };
    let (steps, title) = (model.run.steps, model.title.clone());
    let mut simulation = Simulation::new(model.clone(), options).unwrap();
    let mut hashes = vec![(0, simulation.state_hash().unwrap())];
    for portion in [1, 2, 0, 13, 1, 40].into_iter().cycle() {
        let left = steps - simulation.clock().step;
        assert_eq!(simulation.step(left.min(portion)).unwrap(), Ending::Finished);
        let (state, hash) = (simulation.state().unwrap(), simulation.state_hash().unwrap());
        assert_eq!(state.step, simulation.clock().step, "{title}");
        hashes.push((state.step as i64, hash));
        simulation.collected().unwrap();
        if left <= portion {
            break;
        }
    }
    assert_eq!(simulation.finish().unwrap().ending, Ending::Finished, "{title}");
    // The state is that of the frames, where there is one.
    let reading = jostle::analysis::open(out).unwrap();
    let frames = reading.steps().unwrap().into_iter().zip(reading.state_hashes().unwrap());
    let frames: std::collections::BTreeMap<i64, u64> = frames.collect();
    hashes.retain(|(step, _)| frames.contains_key(step));
    assert!(hashes.len() > 1 || !steps.is_multiple_of(model.output.frame_every), "{title}");
    assert!(hashes.iter().all(|(step, hash)| frames[step] == *hash), "{title}");
}

/// By day one run of each engine.
#[test]
fn a_run_in_portions_is_the_same_run() {
    inherited_by_none();
    let dir = tempfile::tempdir().unwrap();
    let mut pairs = Vec::new();
    for case in CASES.iter().filter(|case| nightly() || case.is_for_kills()) {
        let [whole, parts] =
            ["whole", "parts"].map(|what| dir.path().join(format!("{}_{what}.h5md", case.name)));
        let model = case.model(&[]);
        at_once(&model, &whole);
        in_portions(&model, &parts);
        pairs.push([whole, parts]);
    }
    hold_same(pairs.iter().map(|pair| pair.each_ref().map(|path| path.as_path())));
}

/// Its model says nothing of that, so it cannot be run again, but for what came before.
#[test]
fn what_was_changed_by_hand_is_not_run_again() {
    inherited_by_none();
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run.h5md");
    let model = CASES[0].model(&[("run.steps", "200")]);
    let options = SimulationOptions { out: Some(out), ..Default::default() };
    let mut simulation = Simulation::new(model, options).unwrap();
    simulation.step(100).unwrap();
    let ids = simulation.state().unwrap().id;
    simulation.remove(&ids[..5]).unwrap();
    simulation.step(100).unwrap();
    simulation.finish().unwrap();
    let again = jostle(dir.path(), &["rerun", "run.h5md", "--quiet"]);
    let why = again.fails();
    assert!(why.contains("changed by hand at step 100") && why.contains("--steps 100"), "{why}");
    let before = jostle(dir.path(), &["rerun", "run.h5md", "--quiet", "--steps", "100"]).succeeds();
    assert!(before.out.contains("equal, to the bit"), "{}", before.out);
    let info = jostle(dir.path(), &["info", "run.h5md"]).succeeds().out;
    assert!(info.contains("changed by hand") && info.contains("finished"), "{info}");
    for analysis in ["rates", "counts", "lifetimes"] {
        jostle(dir.path(), &["analyse", "run.h5md", analysis]).succeeds();
    }
}
