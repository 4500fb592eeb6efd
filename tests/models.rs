//! Every model that comes along runs, gives the same bits with every search structure, and has
//! nothing wrong with it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use jostle::analysis;
use jostle::model::{self, Model};
use jostle::run::{Options, forecast, run};

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut models: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    models.sort();
    assert!(models.len() >= 4, "{models:?}");
    models
}

fn load(path: &Path, overrides: &[(&str, &str)]) -> Model {
    let overrides: Vec<_> = overrides.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    model::load(path, &overrides).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The hashes of all states of a run, from its file.
fn hashes(model: &Model, out: &Path) -> Vec<u64> {
    let stop = AtomicBool::new(false);
    let options = Options { out: Some(out), force: true, stop: &stop, progress: &mut |_| () };
    run(model, options).unwrap_or_else(|error| panic!("{}: {error}", model.title));
    analysis::open(out).unwrap().state_hashes().unwrap()
}

#[test]
fn every_model_runs_ten_steps_the_same_with_every_search_structure() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.h5md");
    let ten = [("run.steps", "10"), ("output.frame_every", "1")];
    for path in models() {
        let expected = hashes(&load(&path, &[&ten[..], &[("search", "cubic")]].concat()), &out);
        assert_eq!(expected.len(), 11, "{}", path.display());
        assert!(expected.windows(2).all(|pair| pair[0] != pair[1]), "nothing moves in {}", path.display());
        for set in [
            &[("search", "naive")][..],
            &[("search", "slices")],
            &[("search", "auto"), ("run.threads", "1")],
            &[("search", "cubic"), ("search.relink", "move")],
            &[("search", "cubic"), ("search.listing", "touch")],
            &[("search", "cubic"), ("search.pruning", "true")],
            &[("search", "slices"), ("search.axis", "y"), ("run.threads", "2")],
        ] {
            let model = load(&path, &[&ten[..], set].concat());
            assert_eq!(hashes(&model, &out), expected, "{}: {set:?}", path.display());
        }
    }
}

#[test]
fn nothing_looks_wrong_with_any_model() {
    for path in models() {
        let model = load(&path, &[]);
        assert_eq!(model.warnings(), [""; 0], "{}", path.display());
        let forecast = forecast(&model).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for pair in forecast.pairs {
            let odds = pair.odds.expect("the sizes are known");
            let p = odds.probability.expect("the rate can be had");
            assert!(p > 0.0 && p < 1.0, "{}: {p}", pair.rule);
            assert!(odds.step_over_distance < odds.calibrated_up_to, "{}", pair.rule);
        }
        assert!(forecast.pace.is_some_and(|pace| pace.steps > 0 && pace.step > 0.0));
    }
}

#[test]
fn the_size_of_the_file_is_foreseen() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.h5md");
    for path in models() {
        let model = load(&path, &[("run.steps", "300"), ("output.frame_every", "3")]);
        hashes(&model, &out);
        let size = std::fs::metadata(&out).unwrap().len() as f64;
        let forecast = forecast(&model).unwrap();
        let contacts = if forecast.logs_all { forecast.contacts_size } else { 0.0 };
        let ratio = (forecast.frames_size + contacts) / size;
        assert!((0.7..1.4).contains(&ratio), "{}: foreseen {ratio} times {size}", path.display());
    }
}
