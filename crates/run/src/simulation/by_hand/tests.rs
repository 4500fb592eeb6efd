//! Particles added and taken away by hand, and rates set: the same in all ways to run a model, and
//! known to the file.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::checkpoint::{Cadence, Checkpoint, Checkpoints, checkpoints_of};
use crate::{Collect, Collected, Ending, Options, SimulationOptions, run};
use jostle_core::output::LogLevel;
use jostle_h5md::reading::open;
use jostle_h5md::record::schema::{BY_HAND, ChangeRow, RateRow, RunCode, RunRow};
use jostle_model::Model;

/// Particles that form chains, coalesce and decay.
fn model(search: &str, scheduler: &str, threads: usize) -> Model {
    let text = format!(
        "space = {{ dimension = 3, edges = '40 nm', boundary = ['periodic', 'reflecting', 'periodic'] }}\n\
         run = {{ timestep = '10 ns', steps = 400, seed = 5, threads = {threads}, scheduler = '{scheduler}' }}\n\
         search = {{ kind = '{search}' }}\noutput = {{ frame_every = 20, log = 'all' }}\n\
         [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '20 um^2/s'\ncount = 60\n\
         [[species]]\nname = 'B'\nradius = '1.5 nm'\ndiffusion = '40 um^2/s'\ncount = 60\n\
         [[species]]\nname = 'AB'\n\
         [[rule]]\nname = 'pair'\non = ['A', 'A']\ndo = 'bind'\nmerge = 'bond'\nprobability = 0.4\nunbind = '0.5 /us'\n\
         [[rule]]\nname = 'join'\non = ['A', 'B']\ndo = 'bind'\nmerge = 'coalesce'\nproduct = 'AB'\n\
         probability = 0.3\nunbind = '1 /us'\n\
         [[rule]]\nname = 'decay'\non = 'B'\ndo = 'convert'\nproducts = []\nrate = '0.01 /us'\n"
    );
    jostle_model::parse(&text, "model", &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

fn start(model: Model, out: Option<&Path>) -> Simulation {
    let options = SimulationOptions {
        out: out.map(Path::to_owned),
        self_check: true,
        keep: Some(Cadence::AtStops),
        collect: Collect { contacts: LogLevel::Reactions, changes: true },
        ..SimulationOptions::default()
    };
    Simulation::new(model, options).unwrap()
}

/// Adds a few particles one by one wherever there is room, and takes away others: lone ones,
/// members of chains, coalesced ones. Returns how many came and went.
fn meddle(simulation: &mut Simulation) -> [usize; 2] {
    let before = simulation.state().unwrap();
    let (mut added, mut places) = (0, Vec::new());
    for n in 0..216 {
        let place = [n % 6, n / 6 % 6, n / 36].map(|k| 3.5 + 6.6 * f64::from(k));
        if simulation.add("B", &place).is_ok() {
            added += 1;
            places.push(place);
        }
    }
    let mut of_cluster = before.id.iter().zip(&before.cluster_size).zip(&before.species);
    let chosen = of_cluster.by_ref().filter(|((id, size), species)| {
        (**size > 1 || **species == 2 || *id % 7 == 0) && *id % 2 == 0
    });
    let mut gone: Vec<u64> = chosen.map(|((id, _), _)| *id).collect();
    assert!(added > 3 && gone.len() > 8, "{added}, {gone:?}");
    gone.reverse();
    simulation.remove(&gone).unwrap();
    simulation.set_rate("pair", "0.9").unwrap();
    simulation.set_rate("decay", "50 /ms").unwrap();
    let after = simulation.state().unwrap();
    assert_eq!(after.len(), before.len() + added - gone.len());
    assert!(gone.iter().all(|id| !after.id.contains(id)));
    [added, gone.len()]
}

/// The whole of it, in one way of running it.
fn hash_and_changes(model: Model) -> (u64, Collected) {
    let mut simulation = start(model, None);
    simulation.step(100).unwrap();
    meddle(&mut simulation);
    simulation.step(150).unwrap();
    meddle(&mut simulation);
    simulation.step(150).unwrap();
    let found = (simulation.state_hash().unwrap(), simulation.collected().unwrap());
    simulation.finish().unwrap();
    found
}

#[test]
fn nothing_depends_on_how_a_changed_model_is_run() {
    let (hash, collected) = hash_and_changes(model("naive", "queue", 1));
    for other in [
        model("verlet", "islands", 2),
        model("cubic", "queue", 1),
        model("sweep", "queue", 2),
        model("slices", "rescan", 1),
    ] {
        let way = (other.brownian().unwrap().search.kind, other.run.threads);
        let found = hash_and_changes(other);
        assert!((hash, &collected) == (found.0, &found.1), "{way:?}");
    }
}

#[test]
fn the_file_tells_of_it_and_can_be_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole.h5md", "parts.h5md"].map(|name| dir.path().join(name));
    let mut counts = [0; 2];
    for (out, until) in [(&whole, 400), (&parts, 250)] {
        let mut simulation = start(model("verlet", "queue", 1), Some(out));
        simulation.step(100).unwrap();
        counts = meddle(&mut simulation);
        simulation.step(until - 100).unwrap();
        assert_eq!(simulation.causes().last().unwrap(), BY_HAND);
        simulation.finish().unwrap();
    }
    // An ordinary run takes it up.
    let [latest, _] = checkpoints_of(&parts);
    let from = Some(Checkpoint::open(&latest, &parts).unwrap());
    let options = Options {
        out: Some(&parts),
        force: false,
        self_check: true,
        stop: &AtomicBool::new(false),
        progress: &mut |_| (),
        checkpoints: Checkpoints { from, ..Checkpoints::default() },
    };
    assert_eq!(run(&model("cubic", "queue", 1), options).unwrap().ending, Ending::Finished);
    let [whole, parts] = [&whole, &parts].map(|path| open(path).unwrap());
    assert_eq!(whole.state_hashes().unwrap(), parts.state_hashes().unwrap());
    for reading in [whole, parts] {
        let causes = reading.rules().unwrap();
        assert_eq!(causes.iter().filter(|cause| *cause == BY_HAND).count(), 1);
        let all = |name: &str| 0..reading.length(name).unwrap();
        let changes: Vec<ChangeRow> =
            reading.column("events/changes", all("events/changes")).unwrap();
        let by_hand = changes.iter().filter(|row| row.rule as usize == causes.len() - 1);
        let by_hand: Vec<_> = by_hand.collect();
        assert!(by_hand.iter().all(|row| (row.step, row.time) == (100, 0.0)));
        assert_eq!(by_hand.iter().map(|row| row.products).sum::<u32>() as usize, counts[0]);
        assert_eq!(by_hand.iter().map(|row| row.reactants).sum::<u32>() as usize, counts[1]);
        assert!(by_hand.iter().any(|row| row.broken > 0 && row.after > 0));
        let log: Vec<RunRow> = reading.column("runs/log", all("runs/log")).unwrap();
        let altered = log.iter().filter(|row| row.code == RunCode::Altered as u8);
        assert_eq!(altered.map(|row| row.step).collect::<Vec<_>>(), [100]);
        let rates: Vec<RateRow> = reading.column("runs/rates_set", all("runs/rates_set")).unwrap();
        let row = |rule: &str, rate| {
            let rule = causes.iter().position(|cause| cause == rule).unwrap() as u16;
            RateRow { step: 100, rate, rule }
        };
        assert_eq!(rates, [row("pair", 0.9), row("decay", 0.05)]);
    }
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let [mut asked, mut other] = [(); 2].map(|()| start(model("verlet", "queue", 1), None));
    asked.step(50).unwrap();
    let state = asked.state().unwrap();
    let taken = &state.position[..3];
    let refuse = |result: Result<(), RunError>, why: &str| {
        let Err(RunError::Refused(text)) = result else { panic!("{why}: {result:?}") };
        assert!(text.contains(why), "{why}: {text}");
    };
    let mut add = |species: &str, places: &[f64]| asked.add(species, places).map(drop);
    refuse(add("B", taken), "would overlap particle");
    refuse(add("B", &[-1.0, 20.0, 20.0]), "outside the box");
    refuse(add("B", &[20.0, 1.4, 20.0]), "outside the box, or stick out of it");
    refuse(add("B", &[f64::NAN; 3]), "outside the box");
    refuse(add("AB", &[20.0; 3]), "has no radius");
    refuse(add("C", &[20.0; 3]), "species: A, B, AB");
    refuse(add("B", &[20.0; 4]), "4 numbers are no whole number of places in 3 dimensions");
    refuse(asked.remove(&[1_000_000]), "there is no particle 1000000");
    refuse(asked.set_rate("pairs", "0.5"), "rules: pair, join");
    refuse(asked.set_rate("pair", "1.5"), "between 0 and 1");
    refuse(asked.set_rate("decay", "5 nm"), "rate");
    refuse(asked.set_rate("decay", "-5 /s"), "above zero");
    // Two new ones overlap each other, though there is room for each of them.
    let mut room = (0..10_000).map(|n| [n % 20, n / 20 % 20, n / 400].map(|k| 1.9 * f64::from(k)));
    let place = room.find(|place| {
        let mut probe = start(model("naive", "queue", 1), None);
        probe.step(50).unwrap();
        probe.add("B", place).is_ok()
    });
    let [x, y, z] = place.unwrap();
    refuse(asked.add("B", &[x, y, z, x, y, z]).map(drop), "would overlap new particle 0");
    asked.step(100).unwrap();
    other.step(150).unwrap();
    assert_eq!(asked.state_hash().unwrap(), other.state_hash().unwrap());
    let text = include_str!("../../../../../models/bouncing_ball.toml");
    let granular = jostle_model::parse(text, "granular", &[]).unwrap();
    let mut ball = Simulation::new(granular, SimulationOptions::default()).unwrap();
    refuse(ball.remove(&[0]), "only models of particles in Brownian motion");
}
