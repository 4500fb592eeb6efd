//! A run that is advanced in portions, and looked at in between, is the run that is not.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use jostle::model::Model;
use jostle::output::LogLevel;
use jostle::run::{Collect, Ending, Options, Simulation, SimulationOptions, run};

use crate::cases::CASES;
use crate::program::inherited_by_none;
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
    let out = Some(out.to_owned());
    let options = SimulationOptions { out, self_check: true, collect, ..Default::default() };
    let (steps, title) = (model.run.steps, model.title.clone());
    let mut simulation = Simulation::new(model.clone(), options).unwrap();
    for portion in [1, 2, 0, 13, 1, 40].into_iter().cycle() {
        let left = steps - simulation.clock().step;
        assert_eq!(simulation.step(left.min(portion)).unwrap(), Ending::Finished);
        let (state, hash) = (simulation.state().unwrap(), simulation.state_hash().unwrap());
        assert!(state.step == simulation.clock().step && hash != 0, "{title}");
        simulation.collected().unwrap();
        if left <= portion {
            break;
        }
    }
    assert_eq!(simulation.finish().unwrap().ending, Ending::Finished, "{title}");
}

#[test]
fn a_run_in_portions_is_the_same_run() {
    inherited_by_none();
    let dir = tempfile::tempdir().unwrap();
    let mut pairs = Vec::new();
    for case in CASES {
        let [whole, parts] =
            ["whole", "parts"].map(|what| dir.path().join(format!("{}_{what}.h5md", case.name)));
        let model = case.model(&[]);
        at_once(&model, &whole);
        in_portions(&model, &parts);
        pairs.push([whole, parts]);
    }
    hold_same(pairs.iter().map(|pair| pair.each_ref().map(|path| path.as_path())));
}
