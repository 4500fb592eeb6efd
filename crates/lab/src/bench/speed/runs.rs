//! Whole runs of particles that bind: from the first step to the last, the choice of a search
//! structure included.

use std::sync::atomic::AtomicBool;

use super::populations::{
    Merge, PRIONS, binding_disks, hexamers, michaelis_menten, pairing_spheres, prions, receptors,
    receptors_with_sites, reversible,
};
use super::timing::{Turn, alive, least_and_median, short, structure};
use super::{Progress, SpeedPlan, add_row};
use crate::bench::BenchError;
use crate::bench::study::digits;
use jostle_analysis::Table;
use jostle_brownian::{Brownian, StepError};
use jostle_core::observe::NoObserver;
use jostle_core::state_hash::state_hash;
use jostle_model::Model;
use jostle_run::{Options, engine, in_pool, run};

pub(super) const ROWS: [&str; 11] = [
    "binding",
    "binding-bonds",
    "clustering",
    "clustering-2",
    "clustering-sites",
    "hexamers",
    "bonds-3d",
    "coalesce-3d",
    "prions",
    "reversible",
    "michaelis-menten",
];

/// Particles are counted each time that so many steps are done.
const COUNTED_EVERY: u64 = 10;

/// Receptors have found each other by then, and spheres are in equilibrium.
const STEPS_TO_CLUSTERS: u64 = 20_000;
const STEPS_TO_PAIRS: u64 = 500;

/// A run that has taken so long is not repeated. \[s\]
const ENOUGH: f64 = 8.0;

/// A run from the first step to the last.
struct Run {
    turn: Turn,
    steps: u64,
    /// At the start.
    particles: usize,
    /// At the end.
    left: usize,
    /// Steps times particles.
    particle_steps: f64,
    contacts: u64,
    /// The state hash at the end; none if it is not known.
    state: Option<u64>,
    /// The search structure: its name, and what `auto` has chosen.
    search: String,
}

/// Seconds, and particle steps per second, of each run that is asked for.
pub(super) fn table(plan: &SpeedPlan, progress: &mut Progress<'_>) -> Result<Table, BenchError> {
    let mut table =
        Table::new(&["row", "run", "bodies", "mean bodies", "bodies at the end", "steps"]);
    table.columns.extend(
        [
            "least [s]",
            "median [s]",
            "processor [s]",
            "million body-steps/s",
            "contacts per step",
            "state hash",
            "structure",
        ]
        .map(str::to_owned),
    );
    for row in ROWS.into_iter().filter(|row| plan.wants(row)) {
        progress(&format!("speed: {}", words(row)));
        let (mut turns, mut last) = (Vec::new(), once(row, plan)?);
        turns.push(last.turn);
        while turns.len() < plan.rounds && turns.iter().map(|turn| turn.wall).sum::<f64>() < ENOUGH
        {
            last = once(row, plan)?;
            turns.push(last.turn);
        }
        let (least, median) = least_and_median(turns);
        let mean = last.particle_steps / last.steps as f64;
        add_row(
            &mut table,
            progress,
            vec![
                row.to_owned(),
                words(row).to_owned(),
                last.particles.to_string(),
                format!("{mean:.0}"),
                last.left.to_string(),
                last.steps.to_string(),
                digits(least.wall),
                digits(median),
                least.processor.map_or("-".into(), digits),
                digits(last.particle_steps / least.wall / 1e6),
                digits(last.contacts as f64 / last.steps as f64),
                last.state.map_or("-".into(), |state| format!("{state:016x}")),
                last.search,
            ],
        );
    }
    Ok(table)
}

fn words(row: &str) -> &'static str {
    match row {
        "binding" => "disks at 5 % become one when they meet",
        "binding-bonds" => "disks at 5 % stick together in pairs when they meet",
        "clustering" => "receptors gather in a membrane, all apart at first",
        "clustering-2" => "the same, two in a cluster on average",
        "clustering-sites" => "as clustering, with sites in place of max_bonds",
        "hexamers" => "6000 molecules build rings of six, all apart at first",
        "bonds-3d" => "spheres at 10 % bond in pairs and part",
        "coalesce-3d" => "spheres at 10 % coalesce in pairs and split",
        "prions" => "psi_prion.toml, 27 times as large, with the structure of the other rows",
        "reversible" => "A + B <-> C, all apart at first",
        _ => "michaelis_menten.toml, with its file",
    }
}

fn once(row: &str, plan: &SpeedPlan) -> Result<Run, BenchError> {
    let search = plan.settings();
    let particles = plan.particles(20_000);
    match row {
        "binding" => steps::<2>(
            &binding_disks(particles, Merge::Coalesce)?.searched(search),
            plan.steps(400),
            plan.threads,
        ),
        "binding-bonds" => steps::<2>(
            &binding_disks(particles, Merge::Bond)?.searched(search),
            plan.steps(400),
            plan.threads,
        ),
        "clustering" => {
            let model = receptors(plan.particles(71_700), false)?.searched(search);
            steps::<2>(&model, plan.steps(8000), plan.threads)
        }
        "clustering-sites" => {
            let model = receptors_with_sites(plan.particles(71_700))?.searched(search);
            steps::<2>(&model, plan.steps(8000), plan.threads)
        }
        "hexamers" => {
            let model = hexamers(plan.particles(6000))?.searched(search);
            steps::<3>(&model, plan.steps(20_000), plan.threads)
        }
        "clustering-2" => {
            let model = receptors(plan.particles(71_700), true)?.searched(search);
            let is_ready = |engine: &Brownian<2>| {
                mean_cluster_size(engine) >= 2.0 || engine.clock().step >= STEPS_TO_CLUSTERS
            };
            steps_once::<2>(&model, is_ready, plan.steps(1000), plan.threads)
        }
        "bonds-3d" | "coalesce-3d" => {
            let merge = if row == "bonds-3d" { Merge::Bond } else { Merge::Coalesce };
            let model = pairing_spheres(plan.particles(100_000), merge)?.searched(search);
            let before = plan.steps(STEPS_TO_PAIRS);
            let is_ready = |engine: &Brownian<3>| engine.clock().step >= before;
            steps_once::<3>(&model, is_ready, plan.steps(250), plan.threads)
        }
        "prions" => {
            let model = prions(plan.particles(PRIONS))?.searched(search);
            steps::<3>(&model, plan.steps(2000), plan.threads)
        }
        "reversible" => {
            steps::<3>(&reversible(particles / 2)?.searched(search), plan.steps(3000), plan.threads)
        }
        _ => with_file(plan),
    }
}

/// How many particles a cluster has, lone ones included; a coalesced pair counts as two.
fn mean_cluster_size<const D: usize>(engine: &Brownian<D>) -> f64 {
    let (particles, clusters) = (engine.particles(), engine.clusters());
    let living = (0..particles.len() as u32).filter(|&slot| particles.alive[slot as usize]);
    let (mut singles, mut all) = (0, 0);
    for slot in living {
        singles += clusters.size_among(particles, &[slot]);
        all += usize::from(clusters.unit_of(particles, slot).is_none());
    }
    f64::from(singles) / (all + clusters.unit_count()) as f64
}

/// The engine alone, once it is set up.
fn steps<const D: usize>(model: &Model, steps: u64, threads: usize) -> Result<Run, BenchError> {
    steps_once::<D>(model, |_| true, steps, threads)
}

/// The same, from the moment on at which it is ready; that is looked at now and then.
fn steps_once<const D: usize>(
    model: &Model,
    is_ready: impl Fn(&Brownian<D>) -> bool + Sync,
    steps: u64,
    threads: usize,
) -> Result<Run, BenchError> {
    in_pool(threads, || {
        let mut engine = engine::<D>(model)?;
        while !is_ready(&engine) {
            all_steps(&mut engine, COUNTED_EVERY)?;
        }
        let before = engine.tally().contacts;
        let particles = alive(&engine);
        let (particle_steps, turn) = Turn::of(|| all_steps(&mut engine, steps))?;
        let state = Some(state_hash(engine.particles(), engine.clusters()));
        let (contacts, search) = (engine.tally().contacts - before, structure(&engine));
        let left = alive(&engine);
        Ok(Run { turn, steps, particles, left, particle_steps, contacts, state, search })
    })?
}

/// Does so many steps: the sum of the particles that there were in each.
fn all_steps<const D: usize>(engine: &mut Brownian<D>, steps: u64) -> Result<f64, StepError> {
    let (mut particle_steps, mut done, mut particles) = (0.0, 0, alive(engine));
    while done < steps {
        let some = COUNTED_EVERY.min(steps - done);
        for _ in 0..some {
            engine.step(&mut NoObserver)?;
        }
        let before = std::mem::replace(&mut particles, alive(engine));
        particle_steps += 0.5 * (before + particles) as f64 * some as f64;
        done += some;
    }
    Ok(particle_steps)
}

/// All that `jostle run` does: placing the particles, the steps, the file.
fn with_file(plan: &SpeedPlan) -> Result<Run, BenchError> {
    let mut model = michaelis_menten()?.searched(plan.settings());
    model.run.threads = Some(plan.threads);
    model.run.steps = plan.steps(model.run.steps);
    let unwritten = |source| BenchError::Write { path: std::env::temp_dir(), source };
    let folder = tempfile::tempdir().map_err(unwritten)?;
    let stop = AtomicBool::new(false);
    let options = Options {
        out: Some(&folder.path().join("run.h5md")),
        force: false,
        self_check: false,
        stop: &stop,
        progress: &mut |_| (),
        checkpoints: Default::default(),
    };
    let (summary, turn) = Turn::of(|| run(&model, options))?;
    Ok(Run {
        turn,
        steps: model.run.steps,
        particles: model.placement.iter().map(jostle_model::Placement::count).sum(),
        left: summary.population.iter().map(|(_, _, at_the_end)| at_the_end).sum(),
        particle_steps: summary.account.work.0,
        contacts: summary.account.contacts,
        state: None,
        search: short(&summary.search),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_counts_particles_that_get_fewer() {
        let model = binding_disks(200, Merge::Coalesce).unwrap();
        let run = steps::<2>(&model, 25, 1).unwrap();
        assert_eq!((run.particles, run.steps), (200, 25));
        assert!(run.left < run.particles);
        assert!(
            run.particle_steps < 200.0 * 25.0 && run.particle_steps > 100.0 * 25.0,
            "{}",
            run.particle_steps
        );
        assert!(run.contacts > 0 && run.turn.wall > 0.0);
        let again = steps::<2>(&model, 25, 2).unwrap();
        assert_eq!(run.state, again.state);
    }
}
