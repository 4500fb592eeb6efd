//! Every model that comes along runs, gives the same bits with every search structure, and has
//! nothing wrong with it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use jostle::analysis::{self, Reading};
use jostle::kinetic::KineticKind;
use jostle::model::{self, EngineModel, Model};
use jostle::output::LogLevel;
use jostle::run::{Options, Simulation, SimulationOptions, forecast, run};

use crate::program::nightly;

/// The models of one engine, `least` or more.
fn models_of(least: usize, is_one: impl Fn(&EngineModel) -> bool) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut models: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    models.retain(|path| is_one(&load(path, &[]).engine));
    models.sort();
    assert!(models.len() >= least, "{models:?}");
    models
}

/// The models of Brownian runs.
fn models() -> Vec<PathBuf> {
    models_of(4, |engine| matches!(engine, EngineModel::Brownian(_)))
}

fn load(path: &Path, overrides: &[(&str, &str)]) -> Model {
    let overrides: Vec<_> = overrides.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    model::load(path, &overrides).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The hashes of all states of a run, from its file.
fn hashes(model: &Model, out: &Path) -> Vec<u64> {
    let stop = AtomicBool::new(false);
    let options = Options {
        out: Some(out),
        force: true,
        self_check: true,
        stop: &stop,
        progress: &mut |_| (),
        checkpoints: Default::default(),
    };
    run(model, options).unwrap_or_else(|error| panic!("{}: {error}", model.title));
    analysis::open(out).unwrap().state_hashes().unwrap()
}

/// By day each model with every third structure, and each structure with every third model.
#[test]
fn every_model_runs_ten_steps_the_same_with_every_search_structure() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.h5md");
    let ten = [("run.steps", "10"), ("output.frame_every", "1")];
    let share = if nightly() { 1 } else { 3 };
    for (turn, path) in models().into_iter().enumerate() {
        let expected = hashes(&load(&path, &[&ten[..], &[("search", "cubic")]].concat()), &out);
        assert_eq!(expected.len(), 11, "{}", path.display());
        assert!(
            expected.windows(2).all(|pair| pair[0] != pair[1]),
            "nothing moves in {}",
            path.display()
        );
        let structures = [
            &[("search", "naive")][..],
            &[("search", "slices")],
            &[("search", "levels"), ("search.resize", "3")],
            &[("search", "auto"), ("run.threads", "1")],
            &[("search", "cubic"), ("search.relink", "move")],
            &[("search", "cubic"), ("search.listing", "touch")],
            &[("search", "cubic"), ("search.pruning", "true")],
            &[("search", "slices"), ("search.axis", "y"), ("run.threads", "2")],
            &[("search", "levels")],
            &[("search", "sweep")],
        ];
        for set in structures.into_iter().skip(turn % share).step_by(share) {
            let model = load(&path, &[&ten[..], set].concat());
            assert_eq!(hashes(&model, &out), expected, "{}: {set:?}", path.display());
        }
    }
}

/// The models of granular runs.
fn granular_models() -> Vec<PathBuf> {
    models_of(6, |engine| matches!(engine, EngineModel::Granular(_)))
}

/// The first hundred-and-fiftieth of each, a fiftieth in `make nightly`.
#[test]
fn every_granular_model_runs_the_same_with_every_search_structure() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.h5md");
    for path in granular_models() {
        let model = load(&path, &[]);
        let share = if nightly() { 50.0 } else { 150.0 };
        let until = format!("{:?} us", model.run.duration() / share);
        let short = [("run.until", until.as_str()), ("output.frames", "10")];
        let expected = hashes(&load(&path, &short), &out);
        assert_eq!(expected.len(), 11, "{}", path.display());
        assert!(
            expected.windows(2).all(|pair| pair[0] != pair[1]),
            "nothing moves in {}",
            path.display()
        );
        for kind in KineticKind::ALL {
            if kind.serves(model.space.dimension) {
                let model = load(&path, &[&short[..], &[("search.kind", kind.name())]].concat());
                assert_eq!(hashes(&model, &out), expected, "{}: {}", path.display(), kind.name());
            }
        }
        assert_eq!(model.warnings(), [""; 0], "{}", path.display());
        let forecast = forecast(&model).unwrap();
        assert!(forecast.pace.is_some(), "{}", path.display());
    }
}

/// The first 300 steps of each.
#[test]
fn every_polygon_model_runs_the_same_on_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.h5md");
    for path in models_of(6, |engine| matches!(engine, EngineModel::Polygons(_))) {
        let name = path.display();
        let short = [("run.steps", "300"), ("output.frame_every", "30")];
        let on = |threads| load(&path, &[&short[..], &[("run.threads", threads)]].concat());
        let expected = hashes(&on("1"), &out);
        assert_eq!(expected.len(), 11, "{name}");
        assert!(expected.windows(2).all(|pair| pair[0] != pair[1]), "nothing moves in {name}");
        assert_eq!(hashes(&on("2"), &out), expected, "{name}");
        let model = load(&path, &[]);
        assert_eq!(model.warnings(), [""; 0], "{name}");
        let forecast = forecast(&model).unwrap();
        assert!(forecast.pace.is_some(), "{name}");
        let polygons = model.polygons().unwrap();
        let contact = polygons.longest_timestep(&model.placement, model.run.seed, 1.0);
        assert!(contact >= 30.0 * model.run.timestep, "{name}");
    }
}

/// The membership and the species of every particle, as a frame has them.
fn last_frame(reading: &Reading) -> BTreeMap<u64, (u64, i32)> {
    let last = reading.frames() - 1;
    let data = reading.frame_data(last..last + 1, 0..reading.slots()).unwrap();
    let species = reading.slot_species().unwrap();
    let present = (0..reading.slots()).filter(|&slot| data.id[[0, slot]] >= 0);
    let particle =
        |slot: usize| (data.id[[0, slot]] as u64, (data.cluster[[0, slot]] as u64, species[slot]));
    present.map(particle).collect()
}

/// The first steps of every model, as many as a second or so allows; of the prion, past the first
/// division and with guanidine.
#[test]
fn the_log_replayed_from_the_first_frame_gives_the_last_frame_of_every_model() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.h5md");
    let mut changes = 0;
    for path in models() {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let steps = match name.as_str() {
            "psi_prion" => "12000",
            "egfr_clustering" | "annihilation_2d" | "two_species_binding" => "2000",
            "reversible_binding" => "20000",
            "michaelis_menten" => "30",
            _ => "200",
        };
        let mut set =
            vec![("run.steps", steps), ("output.frame_every", steps), ("search", "cubic")];
        if name == "psi_prion" {
            set.extend([("schedule.guanidine.at", "100 us"), ("schedule.wash.at", "150 us")]);
        }
        hashes(&load(&path, &set), &out);
        let reading = analysis::open(&out).unwrap();
        let state = analysis::replay(&reading, steps.parse().unwrap()).unwrap();
        let species = state.species_of();
        let replayed: BTreeMap<u64, (u64, i32)> = state
            .cluster_of()
            .iter()
            .map(|(&id, &cluster)| (id, (cluster, species[&id].0)))
            .collect();
        let last = last_frame(&reading);
        let differ = |id: &u64| replayed.get(id) != last.get(id);
        let odd: BTreeSet<u64> =
            replayed.keys().chain(last.keys()).copied().filter(differ).collect();
        let odd: Vec<_> = odd.iter().map(|id| (id, replayed.get(id), last.get(id))).collect();
        assert!(odd.is_empty(), "{name}: particle, as replayed, as it is: {odd:?}");
        let held = state.bonds().count();
        assert_eq!(held, reading.bonds(reading.frames() - 1).unwrap().len(), "{name}");
        let tree = analysis::genealogy(&reading).unwrap();
        let living = tree.lives.iter().filter(|life| life.died.is_none()).count();
        let clusters: BTreeSet<u64> = last.values().map(|(cluster, _)| *cluster).collect();
        assert_eq!(living, clusters.len(), "{name}");
        println!(
            "{name}, {steps} steps: {} lives, {} descents",
            tree.lives.len(),
            tree.descents.len()
        );
        changes += tree.descents.len();
    }
    assert!(changes > 500, "too little happened to prove anything: {changes}");
}

#[test]
fn nothing_looks_wrong_with_any_model() {
    for path in models() {
        let model = load(&path, &[]);
        assert_eq!(model.warnings(), [""; 0], "{}", path.display());
        let forecast =
            forecast(&model).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for pair in forecast.pairs {
            // Of a species that takes its size from its parts, nothing is known before.
            let Some(odds) = pair.odds else { continue };
            let p = odds.probability.expect("the rate can be had");
            assert!(p > 0.0 && p < 1.0, "{}: {p}", pair.rule);
            assert!(odds.step_over_distance < odds.calibrated_up_to, "{}", pair.rule);
        }
        assert!(forecast.pace.is_some_and(|pace| pace.steps > 0.0 && pace.step > 0.0));
    }
}

#[test]
fn the_size_of_the_file_is_predicted() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.h5md");
    for path in models() {
        let model = load(&path, &[("run.steps", "300"), ("output.frame_every", "3")]);
        hashes(&model, &out);
        let size = std::fs::metadata(&out).unwrap().len() as f64;
        let forecast = forecast(&model).unwrap();
        let [frames, contacts] = forecast.file.unwrap();
        let logged = if model.output.log == LogLevel::All { contacts } else { 0.0 };
        let ratio = (frames + logged) / size;
        // Well within the factor of 2 that `check` promises.
        assert!((0.6..1.6).contains(&ratio), "{}: predicted {ratio} times {size}", path.display());
    }
}

/// Rates in all the forms that rules take.
const RATES: [&str; 8] = [
    "1 /ms",
    "0.01 nm/us",
    "0.01 um^2/s",
    "1e5 /M/s",
    "1e-9 /nm^2/s",
    "1e-9 /nm^3/s",
    "1e-3 /nm/s",
    "0.5",
];

#[test]
fn every_model_can_be_changed_by_hand() {
    let mut set = 0;
    for path in models() {
        let model = load(&path, &[("run.steps", "4"), ("search", "cubic")]);
        let species = model.species.iter().map(|species| species.name.clone()).collect::<Vec<_>>();
        let rules = model.rules();
        let rules: Vec<_> =
            rules.names().into_iter().take(rules.first_scheduled().into()).collect();
        let middle = model.space.edges.map(|edge| 0.5 * edge);
        let middle = &middle[..model.space.dimension];
        let mut simulation = Simulation::new(model, SimulationOptions::default()).unwrap();
        // Each call reads all rate constants of the model again.
        for rule in rules.iter().take(3) {
            set += usize::from(RATES.iter().any(|rate| simulation.set_rate(rule, rate).is_ok()));
        }
        simulation.step(1).unwrap();
        // There may be no room, and what is in a molecule may have to stay.
        for name in &species {
            drop(simulation.add(name, middle));
        }
        simulation.step(1).unwrap();
        let ids = simulation.state().unwrap().id;
        for id in ids.iter().take(20) {
            drop(simulation.remove(&[*id]));
        }
        simulation.step(2).unwrap();
        simulation.finish().unwrap();
    }
    assert!(set > 40, "{set}");
}
