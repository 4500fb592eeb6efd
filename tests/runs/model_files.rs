//! Every file in `models/` is a model without faults or warnings, its particles can be placed, and
//! its resolved text gives the same model again.

use std::path::Path;

use jostle::model::{self, Model, placement};

use crate::program::{folder, jostle};

fn particles(model: &Model) -> usize {
    let placed = match model.space.dimension {
        1 => placement::place::<1>(model).map(|particles| particles.len()),
        2 => placement::place::<2>(model).map(|particles| particles.len()),
        _ => placement::place::<3>(model).map(|particles| particles.len()),
    };
    placed.unwrap_or_else(|error| panic!("{}: {error}", model.title))
}

#[test]
fn every_model_loads_places_its_particles_and_reads_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let model = model::load(&path, &[]).unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!(model.warnings(), [""; 0], "{}", path.display());
        let asked: usize = model.placement.iter().map(model::Placement::count).sum();
        assert_eq!(particles(&model), asked);
        let mut again = model::parse(&model.source.resolved, "resolved", &[])
            .unwrap_or_else(|faults| panic!("{faults}\n{}", model.source.resolved));
        again.source = model.source.clone();
        assert_eq!(again, model);
        seen += 1;
    }
    assert!(seen >= 4, "only {seen} models");
}

/// The largest there are: by the option, in the model, and in what follows from the file.
#[test]
fn a_seed_of_64_bits_is_kept_by_all() {
    let dir = folder();
    let largest = u64::MAX.to_string();
    let run = ["run", "model.toml", "--quiet", "--seed", &largest, "--out", "a.h5md"];
    jostle(dir.path(), &run).succeeds();
    let text = std::fs::read_to_string(dir.path().join("model.toml")).unwrap();
    let text = text.replace("seed = 7", &format!("seed = {largest}"));
    std::fs::write(dir.path().join("largest.toml"), text).unwrap();
    jostle(dir.path(), &["run", "largest.toml", "--quiet", "--out", "b.h5md"]).succeeds();
    jostle(dir.path(), &["diff", "a.h5md", "b.h5md"]).succeeds();
    jostle(dir.path(), &["rerun", "a.h5md"]).succeeds();
    let info = jostle(dir.path(), &["info", "a.h5md", "--json"]).succeeds().out;
    assert!(info.contains(&format!("\"seed\": {largest}")), "{info}");
    let sweep = format!(
        "[sweep]\nmodel = 'model.toml'\nseed = {largest}\nreplicas = 1\n[[measure]]\nwhat = 'counts'\n"
    );
    std::fs::write(dir.path().join("a.sweep.toml"), sweep).unwrap();
    jostle(dir.path(), &["sweep", "plan", "a.sweep.toml", "--out", "sweep"]).succeeds();
    let plan = std::fs::read_to_string(dir.path().join("sweep/plan.json")).unwrap();
    assert!(plan.contains(&largest), "{plan}");
}
