//! Populations that stay as they are: time per step in the long run.

use super::populations::{Population, Ties};
use super::timing::{Runner, Timing};
use super::{Progress, SpeedPlan, add_row};
use crate::bench::BenchError;
use crate::bench::scene::none_overlaps;
use crate::bench::study::digits;
use jostle_analysis::Table;
use jostle_run::in_pool;

/// The rows and who they are.
pub(super) const ROWS: [(&str, Population); 11] = [
    ("free-1e5", Population::points(100_000)),
    ("free-1e6", Population::points(1_000_000)),
    ("spheres-1", Population::crowd(3, 100_000, 0.01)),
    ("spheres-10", Population::crowd(3, 100_000, 0.1)),
    ("spheres-30", Population::crowd(3, 100_000, 0.3)),
    ("wells-10", Population { ties: Ties::Wells, ..Population::crowd(3, 100_000, 0.1) }),
    ("chains", Population { ties: Ties::Chains, ..Population::crowd(3, 10_000, 0.1) }),
    ("spheres-1e6", Population::crowd(3, 1_000_000, 0.1)),
    ("short-steps", Population { step: 0.02, ..Population::crowd(3, 100_000, 0.3) }),
    ("disks-10", Population::crowd(2, 100_000, 0.1)),
    ("disks-40", Population::crowd(2, 100_000, 0.4)),
];

/// Numbers of spheres at 10 % by which the cost of each is followed.
const SCALE: [usize; 5] = [10_000, 30_000, 100_000, 300_000, 1_000_000];
const HUGE: usize = 10_000_000;

/// Beyond so many particles it takes too long to look whether any two overlap.
const MOST_TO_LOOK_AT: usize = 2_000_000;

/// What has been measured so far: some populations are in several tables.
#[derive(Default)]
pub(super) struct Known(Vec<(Population, Timing, &'static str)>);

impl Known {
    /// Measures a population, or knows it.
    fn of(
        &mut self,
        plan: &SpeedPlan,
        population: Population,
        progress: &mut Progress<'_>,
    ) -> Result<&(Population, Timing, &'static str), BenchError> {
        if let Some(n) = self.0.iter().position(|known| known.0 == population) {
            return Ok(&self.0[n]);
        }
        progress(&format!("speed: {}, {}", population.name(), population.particles));
        let (timing, overlaps) = in_pool(plan.threads, || match population.dimension {
            2 => measured::<2>(plan, population),
            _ => measured::<3>(plan, population),
        })??;
        self.0.push((population, timing, overlaps));
        Ok(&self.0[self.0.len() - 1])
    }
}

fn measured<const D: usize>(
    plan: &SpeedPlan,
    population: Population,
) -> Result<(Timing, &'static str), BenchError> {
    let Population { particles, packing, step, ties, .. } = population;
    let model = population.model()?.searched(plan.settings());
    let mut runner = Runner::<D>::warm(&model, SpeedPlan::steps_to_state(particles))?;
    for _ in 0..plan.rounds(particles) {
        runner.turn(plan.steps_in_turn(particles, runner.pace(), step))?;
    }
    let overlaps = match packing {
        Some(_) if particles > MOST_TO_LOOK_AT => "-",
        // Their model places whole molecules, and cannot be asked about beads.
        Some(_) if ties == Ties::Chains => "-",
        Some(_) if none_overlaps::<D>(&model, &runner.engine)? => "none",
        Some(_) => "SOME",
        None => "-",
    };
    Ok((runner.timing(), overlaps))
}

/// Particle steps per second of each population that is asked for.
pub(super) fn table(
    plan: &SpeedPlan,
    known: &mut Known,
    progress: &mut Progress<'_>,
) -> Result<Table, BenchError> {
    let mut table = Table::new(&["row", "population", "bodies", "million body-steps/s"]);
    table
        .columns
        .extend(["least [ms/step]", "median [ms/step]", "processor [ms/step]"].map(str::to_owned));
    table.columns.extend(
        [
            "contacts per step",
            "edges per step",
            "overlaps",
            "state hash",
            "after steps",
            "structure",
        ]
        .map(str::to_owned),
    );
    for (row, population) in ROWS.into_iter().filter(|(row, _)| plan.wants(row)) {
        let population =
            Population { particles: plan.particles(population.particles), ..population };
        let (_, timing, overlaps) = known.of(plan, population, progress)?;
        let (hash, steps) = timing.state;
        add_row(
            &mut table,
            progress,
            vec![
                row.to_owned(),
                population.name(),
                timing.particles.to_string(),
                digits(timing.particle_steps()),
                digits(1e3 * timing.least.wall),
                digits(1e3 * timing.median),
                timing.least.processor.map_or("-".into(), |seconds| digits(1e3 * seconds)),
                digits(timing.contacts),
                digits(timing.edges),
                (*overlaps).to_owned(),
                format!("{hash:016x}"),
                steps.to_string(),
                timing.search.clone(),
            ],
        );
    }
    Ok(table)
}

/// What a particle costs by how many there are.
pub(super) fn scale(
    plan: &SpeedPlan,
    known: &mut Known,
    progress: &mut Progress<'_>,
) -> Result<Table, BenchError> {
    let mut table = Table::new(&["bodies", "least [ns/body-step]", "to the fewest", "structure"]);
    let mut first = None;
    let huge = plan.huge.then_some(HUGE);
    for particles in SCALE.into_iter().chain(huge) {
        let population = Population::crowd(3, plan.particles(particles), 0.1);
        let (_, timing, _) = known.of(plan, population, progress)?;
        let cost = timing.least.wall / timing.particles as f64;
        let ratio = cost / *first.get_or_insert(cost);
        add_row(
            &mut table,
            progress,
            vec![
                timing.particles.to_string(),
                digits(1e9 * cost),
                digits(ratio),
                timing.search.clone(),
            ],
        );
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_population_is_measured_once() {
        let plan = SpeedPlan::quick();
        let mut reported = 0;
        let mut count = |_: &str| reported += 1;
        let mut progress: Progress<'_> = &mut count;
        let mut known = Known::default();
        let population = Population::crowd(3, 100, 0.1);
        let first = known.of(&plan, population, &mut progress).unwrap().1.state;
        let again = known.of(&plan, population, &mut progress).unwrap().1.state;
        assert_eq!(first, again);
        assert_eq!(reported, 1);
    }
}
