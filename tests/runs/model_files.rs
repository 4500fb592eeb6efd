//! Every file in `models/` is a model without faults or warnings, its particles can be placed, and
//! its resolved text gives the same model again.

use std::path::Path;

use jostle::model::{self, Model, placement};

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
