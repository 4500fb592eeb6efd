//! Simulations that are collected from, stopped, ended and dropped.

use std::path::Path;

use super::*;
use crate::checkpoint::checkpoints_of;
use jostle_core::output::LogLevel;
use jostle_h5md::reading::open;
use jostle_h5md::record::schema::{ChangeRow, ContactRow, WALL};

/// Particles that bind and part in a narrow box with a wall.
fn model(more: &str) -> Model {
    let text = format!(
        "space = {{ dimension = 2, edges = '60 nm', boundary = ['periodic', 'reflecting'] }}\n\
         run = {{ timestep = '0.1 us', steps = 400, seed = 3, threads = 1 }}\n\
         output = {{ frame_every = 20, log = 'all' }}\n\
         [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '5 nm^2/us'\ncount = 60\n\
         [[rule]]\nname = 'pair'\non = ['A', 'A']\ndo = 'bind'\nmerge = 'bond'\nprobability = 0.3\n\
         unbind = '0.2 /us'\n{more}"
    );
    jostle_model::parse(&text, "model", &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

fn simulation(options: SimulationOptions) -> Simulation {
    Simulation::new(model(""), options).unwrap()
}

fn writing(out: &Path) -> SimulationOptions {
    SimulationOptions { out: Some(out.to_owned()), ..SimulationOptions::default() }
}

#[test]
fn what_is_collected_is_what_the_file_logs() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run.h5md");
    let collect = Collect { contacts: LogLevel::All, changes: true };
    let mut simulation = simulation(SimulationOptions { collect, ..writing(&out) });
    let mut parts = Vec::new();
    for steps in [1, 0, 9, 70, 320] {
        assert_eq!(simulation.step(steps).unwrap(), Ending::Finished);
        parts.push(simulation.collected().unwrap());
    }
    assert_eq!(simulation.collected().unwrap().contacts.len(), 0);
    assert_eq!(simulation.finish().unwrap().ending, Ending::Finished);
    let reading = open(&out).unwrap();
    let log: Vec<ContactRow> =
        reading.column("events/contacts", 0..reading.length("events/contacts").unwrap()).unwrap();
    let contacts = || parts.iter().map(|part| &part.contacts);
    let column = |of: fn(&crate::ContactColumns) -> Vec<i64>| -> Vec<i64> {
        contacts().flat_map(of).collect()
    };
    let logged = |of: fn(&ContactRow) -> i64| -> Vec<i64> { log.iter().map(of).collect() };
    assert!(log.len() > 1000 && log.iter().any(|row| row.b > WALL - 7));
    let whole = |list: &[u64]| list.iter().map(|&x| x as i64).collect::<Vec<_>>();
    assert_eq!(column(|c| c.a.iter().map(|&a| a as i64).collect()), logged(|row| row.a.into()));
    let partner = |row: &ContactRow| if row.b > WALL - 7 { -1 } else { i64::from(row.b) };
    assert_eq!(column(|c| c.b.clone()), logged(partner));
    let face = |row: &ContactRow| if row.b > WALL - 7 { i64::from(WALL - row.b) } else { -1 };
    assert_eq!(column(|c| c.face.iter().map(|&f| f.into()).collect()), logged(face));
    assert_eq!(
        column(|c| c.outcome.iter().map(|&o| o.into()).collect()),
        logged(|row| row.outcome.into())
    );
    let place: Vec<f32> = contacts().flat_map(|c| c.place.iter().map(|&x| x as f32)).collect();
    assert_eq!(place, log.iter().flat_map(|row| [row.place[0], row.place[1]]).collect::<Vec<_>>());
    let rows: Vec<ChangeRow> =
        reading.column("events/changes", 0..reading.length("events/changes").unwrap()).unwrap();
    let steps: Vec<i64> = parts.iter().flat_map(|part| whole(&part.changes.step)).collect();
    assert_eq!(steps, rows.iter().map(|row| row.step).collect::<Vec<_>>());
    assert!(rows.iter().any(|row| row.made > 0) && rows.iter().any(|row| row.broken > 0));
    let bonds: usize = parts.iter().map(|part| part.changes.bonds_made.values.len()).sum();
    assert_eq!(bonds, rows.iter().map(|row| row.made as usize).sum::<usize>());
}

#[test]
fn the_state_tells_of_every_particle() {
    let mut simulation = simulation(SimulationOptions::default());
    simulation.run_until(20.0).unwrap();
    let state = simulation.state().unwrap();
    assert_eq!((state.step, state.time_us, state.len()), (200, 20.0, 60));
    assert!(state.id.is_sorted() && state.position.len() == 120 && state.image.len() == 120);
    assert!(state.velocity.is_none() && state.angle.is_none());
    for (n, cluster) in state.cluster.iter().enumerate() {
        let members = state.cluster.iter().filter(|other| *other == cluster).count();
        assert_eq!(state.cluster_size[n] as usize, members);
    }
    assert!(state.largest_cluster > 1 && !state.bonds.is_empty());
    let names: Vec<_> = simulation.species().into_iter().map(|species| species.name).collect();
    assert_eq!(names, ["A"]);
    assert_eq!(simulation.causes().len(), 3);
    let done: Vec<_> =
        simulation.rule_counts().unwrap().iter().map(|counts| counts.done > 0).collect();
    assert_eq!(done, [true, true, false]);
}

#[test]
fn species_are_known_by_base_and_states() {
    let name = |base: &str, states: &[&str]| {
        (base.to_owned(), states.iter().map(|s| s.to_string()).collect())
    };
    let parts = |name: &str| {
        let SpeciesName { base, states, .. } = SpeciesName::of(name);
        (base, states)
    };
    assert_eq!(parts("EGFR{bound,free}"), name("EGFR", &["bound", "free"]));
    assert_eq!(parts("EGFR"), name("EGFR", &[]));
}

/// It stops after the step in which it is told to, and continues when it may.
#[test]
fn it_stops_when_told_to_and_can_be_attended() {
    let mut simulation = simulation(SimulationOptions::default());
    let stop = simulation.stop().clone();
    let mut seen = Vec::new();
    let ending = simulation.step_attended(1_000_000, Duration::from_millis(5), &mut |clock| {
        seen.push(clock.step);
        stop.store(seen.len() == 3, Ordering::Relaxed);
    });
    assert_eq!(ending.unwrap(), Ending::Interrupted);
    assert_eq!((seen.len(), seen[2]), (3, simulation.clock().step));
    let stopped_at = simulation.clock().step;
    assert_eq!(simulation.step(5).unwrap(), Ending::Interrupted);
    stop.store(false, Ordering::Relaxed);
    assert_eq!(simulation.step(5).unwrap(), Ending::Finished);
    assert_eq!(simulation.clock().step, stopped_at + 5);
    // The past is no time to run until.
    assert_eq!(simulation.run_until(1.0).unwrap(), Ending::Finished);
    assert_eq!(simulation.clock().step, stopped_at + 5);
    assert!(simulation.run_until(f64::NAN).is_err());
}

#[test]
fn one_that_is_dropped_can_be_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole.h5md", "parts.h5md"].map(|name| dir.path().join(name));
    let mut first = simulation(writing(&whole));
    first.step(400).unwrap();
    let hash = first.state_hash().unwrap();
    first.finish().unwrap();
    let keep = Some(Cadence::AtStops);
    let mut second = simulation(SimulationOptions { keep, ..writing(&parts) });
    second.run_until(13.0).unwrap();
    drop(second);
    let [latest, _] = checkpoints_of(&parts);
    let from = Some(Checkpoint::open(&latest, &parts).unwrap());
    let mut third = simulation(SimulationOptions { keep, from, ..writing(&parts) });
    assert_eq!(third.clock().step, 130);
    third.step(270).unwrap();
    assert_eq!(third.state_hash().unwrap(), hash);
    let summary = third.finish().unwrap();
    assert_eq!((summary.ending, summary.steps), (Ending::Finished, [400, 400]));
    assert!(latest.exists(), "it can be made longer");
    let hashes = |path: &Path| open(path).unwrap().state_hashes().unwrap();
    assert_eq!(hashes(&parts), hashes(&whole));
}

/// Every attempt to use it says why it cannot be used.
#[test]
fn one_that_has_ended_or_belongs_elsewhere_says_so() {
    let mut ended = simulation(SimulationOptions::default());
    ended.end().unwrap();
    for refused in [ended.step(1).err(), ended.state().err(), ended.finish().err()] {
        assert!(refused.unwrap().to_string().contains("has ended"));
    }
    let mut foreign = simulation(SimulationOptions::default());
    foreign.process += 1;
    for refused in [foreign.step(1).err(), foreign.collected().err(), foreign.finish().err()] {
        assert!(refused.unwrap().to_string().contains("(a fork)"));
    }
}

/// It may be handed from thread to thread.
#[test]
fn it_goes_on_in_any_thread_and_on_several() {
    let mut alone = simulation(SimulationOptions::default());
    alone.step(60).unwrap();
    let hash = alone.state_hash().unwrap();
    for threads in [1, 2] {
        let mut model = model("");
        model.run.threads = Some(threads);
        let mut simulation = Simulation::new(model, SimulationOptions::default()).unwrap();
        for _ in 0..3 {
            let thread = std::thread::spawn(move || simulation.step(20).map(|_| simulation));
            simulation = thread.join().unwrap().unwrap();
        }
        assert_eq!(simulation.state_hash().unwrap(), hash);
    }
}
