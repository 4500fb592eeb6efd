//! Several threads against one, in turns.

use super::populations::Population;
use super::timing::Runner;
use super::{Progress, SpeedPlan, add_row};
use crate::bench::BenchError;
use crate::bench::study::digits;
use jostle_analysis::Table;
use jostle_model::Model;
use jostle_run::in_pool;

const PACKINGS: [f64; 3] = [0.01, 0.1, 0.3];

const PARTICLES: usize = 100_000;

/// How many times faster several threads are than one.
///
/// # Errors
/// Also if the two end in different states.
pub(super) fn table(plan: &SpeedPlan, progress: &mut Progress<'_>) -> Result<Table, BenchError> {
    let threads = plan.threads.max(2);
    let mut table = Table::new(&["population", "bodies", "threads", "one thread [ms/step]"]);
    table.columns.extend(
        ["several [ms/step]", "times faster", "median times faster", "same state", "state hash"]
            .map(str::to_owned),
    );
    for packing in PACKINGS {
        let population = Population::crowd(3, plan.particles(PARTICLES), packing);
        progress(&format!("threads: {}, {}", population.name(), population.particles));
        let model = population.model()?.searched(plan.settings());
        let [one, several] = race(plan, &model, population, [1, threads])?;
        let (a, b) = (one.timing(), several.timing());
        add_row(
            &mut table,
            progress,
            vec![
                population.name(),
                a.particles.to_string(),
                threads.to_string(),
                digits(1e3 * a.least.wall),
                digits(1e3 * b.least.wall),
                digits(a.least.wall / b.least.wall),
                digits(a.median / b.median),
                "yes".to_owned(),
                format!("{:016x}", a.state.0),
            ],
        );
    }
    Ok(table)
}

/// The same model on each number of threads, in turns of as many steps.
fn race(
    plan: &SpeedPlan,
    model: &Model,
    population: Population,
    threads: [usize; 2],
) -> Result<[Runner<3>; 2], BenchError> {
    let steps = SpeedPlan::steps_to_state(population.particles);
    let [one, several] =
        threads.map(|threads| in_pool(threads, || Runner::<3>::warm(model, steps)));
    let mut runners = [one??, several??];
    let (expected, found) = (runners[0].state(), runners[1].state());
    if found != expected {
        let name = format!("the run on {} threads", threads[1]);
        return Err(BenchError::StatesDiffer { name, steps, found: found.0, expected: expected.0 });
    }
    let in_turn = plan.steps_in_turn(population.particles, runners[0].pace(), population.step);
    for _ in 0..plan.rounds {
        for (runner, threads) in runners.iter_mut().zip(threads) {
            in_pool(threads, || runner.turn(in_turn))??;
        }
    }
    Ok(runners)
}
