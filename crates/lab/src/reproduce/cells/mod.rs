//! What Johnson & Whalley (2002) print and claim of detecting collisions in cells: the
//! worked example of section 3.3 (Figure 3), the chain of contacts of section 4.1, and Figure 6.
//!
//! Figure 6 gives no values, no density, step or machine: what can be repeated are its claims, on
//! counts of work first and on times, which are only ever compared with each other.

mod claims;
mod examples;

pub use claims::{Claim, claims};
pub use examples::{Example, examples};

use super::{PrintedVerdict, Progress, ReportSection, ReproduceError, StudyReport};
use crate::bench::{self, Contestant, Entry, Study, contest, crowd, rested};
use jostle_analysis::Table;
use jostle_core::search::Kind;

/// What is to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct CellsPlan {
    /// Of Figure 6: numbers of particles, rounds, steps.
    pub figure: bench::Plan,
    /// Packing fractions at which cubes and slices are compared.
    pub packings: Vec<f64>,
    /// So many particles there.
    pub particles: usize,
}

impl CellsPlan {
    /// Some minutes, on an optimised build.
    pub fn full() -> Self {
        Self::of(
            bench::Plan {
                sizes: vec![100, 300, 1_000, 3_000, 10_000, 30_000],
                ..bench::Plan::full()
            },
            1_000,
        )
    }

    /// Some seconds.
    pub fn quick() -> Self {
        let (sizes, rounds, particle_steps) = (vec![100, 300, 1_000], 3, 5_000);
        Self::of(bench::Plan { sizes, rounds, particle_steps, ..bench::Plan::quick() }, 300)
    }

    fn of(figure: bench::Plan, particles: usize) -> Self {
        let figure = bench::Plan { studies: vec!["figure6"], ..figure };
        Self { figure, packings: vec![0.003, 0.01, 0.03, 0.1, 0.2, 0.3], particles }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct CellsFindings {
    /// The worked examples.
    pub examples: Vec<Example>,
    /// Figure 6.
    pub figure: Study,
    /// Pairs looked at per step without cells and with them, by the number of particles.
    pub work: [Vec<[f64; 2]>; 2],
    /// Algorithms B (cubes) and C (slices) at several densities, one after the other.
    pub densities: Vec<[Entry; 2]>,
}

/// Runs everything.
///
/// # Errors
/// If a run fails, or two algorithms end in different states.
pub fn cells(plan: &CellsPlan, progress: Progress<'_>) -> Result<CellsFindings, ReproduceError> {
    progress("worked examples");
    let examples = examples()?;
    let mut report = bench::search(&plan.figure, 1, progress)?;
    let figure = report.studies.remove(0);
    let algorithms = [printed(Kind::Cubic, "B (cubes)"), printed(Kind::Slices, "C (slices)")];
    let mut densities = Vec::new();
    for &packing in &plan.packings {
        progress(&format!("cubes and slices at {} %", 100.0 * packing));
        let model = rested::<3>(crowd(3, plan.particles, packing)?)?;
        let effort = bench::ContestEffort {
            rounds: plan.figure.rounds,
            steps: (plan.figure.particle_steps / plan.particles).max(1) as u64,
        };
        let found = contest::<3>(&model, &algorithms, effort)?;
        densities.extend(<[Entry; 2]>::try_from(found));
    }
    let sizes = &plan.figure.sizes[..plan.figure.sizes.len().min(3)];
    let work = [work(Kind::Naive, sizes)?, work(Kind::Cubic, sizes)?];
    Ok(CellsFindings { examples, figure, work, densities })
}

/// Pairs that a search structure looks at per step with the event queue, by the number of
/// particles. (When everything is looked at again at each contact, of which there are as many as
/// particles, a power of N comes on top.)
///
/// # Errors
/// If a run fails.
pub fn work(kind: Kind, sizes: &[usize]) -> Result<Vec<[f64; 2]>, ReproduceError> {
    let count = |&particles: &usize| -> Result<[f64; 2], ReproduceError> {
        let model = rested::<3>(crowd(3, particles, 0.01)?)?;
        let effort = bench::ContestEffort { rounds: 1, steps: 20 };
        let found = contest::<3>(&model, &[Contestant::plain(kind)], effort)?;
        let pairs =
            found.iter().flat_map(|entry| entry.work).find(|(name, _)| *name == "pairs considered");
        Ok([particles as f64, pairs.map_or(f64::NAN, |(_, count)| count)])
    };
    sizes.iter().map(count).collect()
}

/// Algorithms B and C as printed: relinked once per step, pruned by direction, everything looked at
/// again at each contact.
fn printed(kind: Kind, name: &str) -> Contestant {
    Contestant::plain(kind).rescan().pruning().named(name)
}

impl CellsFindings {
    /// Tables and the picture.
    pub fn report(&self) -> StudyReport {
        let mut table = Table::new(&["claim", "by the paper", "ours", "verdict"]);
        let verdict = |holds| PrintedVerdict::of(holds).name().to_owned();
        for Example { what, printed, ours } in &self.examples {
            let holds = (printed - ours).abs() < examples::TOLERANCE;
            table.push_texts(vec![
                what.clone(),
                format!("{printed:.6}"),
                format!("{ours:.6}"),
                verdict(holds),
            ]);
        }
        for Claim { what, printed, ours, holds } in claims(self) {
            table.push_texts(vec![what, printed, ours, verdict(holds)]);
        }
        let mut sections = vec![ReportSection::new(
            "claims",
            "What the paper prints and claims, and what is found",
            table,
        )];
        let names = ["times", "medians", "to_naive", "to_default", "anatomy", "work"];
        for (section, name) in self.figure.sections.iter().zip(names) {
            let caption = format!("Figure 6: {}", section.caption);
            sections.push(ReportSection::new(name, &caption, section.table.clone()));
        }
        let drawings = self.figure.pictures.iter().map(|(name, plot)| (*name, plot.draw()));
        StudyReport {
            title: "The worked examples and Figure 6 of the paper on detecting collisions in cells (Johnson & Whalley 2002)"
                .into(),
            sections,
            drawings: drawings.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_are_exact_and_the_counts_of_work_are_as_claimed() {
        let figure = bench::Plan {
            sizes: vec![100, 300],
            rounds: 1,
            particle_steps: 500,
            ..bench::Plan::quick()
        };
        let plan = CellsPlan { packings: vec![0.01], particles: 50, ..CellsPlan::of(figure, 50) };
        let findings = cells(&plan, &mut |_| ()).unwrap();
        assert_eq!(findings.examples.len(), 7);
        for Example { what, printed, ours } in &findings.examples {
            assert!((printed - ours).abs() < examples::TOLERANCE, "{what}: {ours}");
        }
        // Times of so few steps mean nothing; what is counted does.
        let counted =
            claims(&findings).into_iter().filter(|claim| claim.what.contains("pairs looked at"));
        assert!(counted.clone().count() == 2 && counted.clone().all(|claim| claim.holds));
        assert!(findings.report().sections.iter().all(|section| !section.table.rows.is_empty()));
    }
}
