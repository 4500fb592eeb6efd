//! Table 1 of Gavrilova & Rokne 2002, measured, and Lemmas 2 and 3.

mod lemmas;
mod measure;
mod random;
mod scene;
mod tables;

pub use lemmas::Ratio;
pub use measure::{Measured, PACKING};
pub use random::{AT_RANDOM, PointsAtRandom};

use measure::measure_again;
use scene::melted;

use super::structures::contestants;
use super::{Progress, ReproduceError, StudyReport};
use jostle_events::kinetic::KineticKind;

/// What is to be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComplexityPlan {
    /// Numbers of particles.
    pub sizes: Vec<usize>,
    /// Without a structure, up to so many.
    pub most_direct: usize,
    /// So many topological events of each structure, about.
    pub events: u64,
    /// Each measurement so often.
    pub rounds: usize,
    /// Numbers of particles among which sizes differ.
    pub mixed: Vec<usize>,
    /// Whether ratios of sizes go up to 16, or to 4 only.
    pub wide: bool,
}

impl ComplexityPlan {
    /// Up to 100 thousand particles: some minutes, on an optimised build.
    pub fn full() -> Self {
        Self {
            sizes: vec![100, 1_000, 10_000, 100_000],
            most_direct: 10_000,
            events: 200_000,
            rounds: 3,
            mixed: vec![10_000, 40_000],
            wide: true,
        }
    }

    /// Up to a thousand: some seconds.
    pub fn quick() -> Self {
        Self {
            sizes: vec![100, 1_000],
            most_direct: 1_000,
            events: 20_000,
            rounds: 1,
            mixed: vec![1_000],
            wide: false,
        }
    }
}

/// What was measured.
#[derive(Clone, Debug)]
pub struct ComplexityFindings {
    /// Table 1.
    pub measured: Vec<Measured>,
    /// The lemmas.
    pub ratios: Vec<Ratio>,
    /// Points at random in space.
    pub random: Vec<PointsAtRandom>,
}

impl ComplexityFindings {
    /// Tables.
    pub fn report(&self) -> StudyReport {
        StudyReport {
            title: "The complexities of the structures (Gavrilova & Rokne 2002, Table 1)"
                .to_owned(),
            sections: tables::sections(self),
            drawings: Vec::new(),
        }
    }
}

/// Measures everything.
///
/// # Errors
/// If a run fails.
pub fn complexity(
    plan: &ComplexityPlan,
    progress: Progress<'_>,
) -> Result<ComplexityFindings, ReproduceError> {
    let mut measured = Vec::new();
    for dimension in [2, 3] {
        for &particles in &plan.sizes {
            progress(&format!("{particles} particles in {dimension} dimensions"));
            match dimension {
                2 => measured.extend(gas::<2>(plan, particles)?),
                _ => measured.extend(gas::<3>(plan, particles)?),
            }
        }
    }
    let mut ratios = Vec::new();
    for &particles in &plan.mixed {
        progress(&format!("sizes that differ: {particles} particles"));
        let widest: &[f64] = if plan.wide { &[1.0, 2.0, 4.0, 8.0, 16.0] } else { &[1.0, 2.0, 4.0] };
        for &ratio in widest {
            ratios.push(lemmas::ratio::<2>(particles, ratio)?);
        }
        for &ratio in widest.iter().filter(|&&ratio| ratio <= 8.0) {
            ratios.push(lemmas::ratio::<3>(particles, ratio)?);
        }
    }
    progress("points at random");
    let enough = plan.sizes.iter().filter(|&&points| points >= 1000);
    let random =
        enough.map(|&points| random::points_at_random(points)).collect::<Result<_, _>>()?;
    Ok(ComplexityFindings { measured, ratios, random })
}

/// All structures in one gas.
fn gas<const D: usize>(
    plan: &ComplexityPlan,
    particles: usize,
) -> Result<Vec<Measured>, ReproduceError> {
    let scene = melted::<D>(particles, PACKING, 1.0)?;
    let in_time =
        |kind: &KineticKind| *kind != KineticKind::Direct || particles <= plan.most_direct;
    let kinds = contestants(D).into_iter().filter(in_time);
    // Without a structure it takes long, and is long enough for the clock.
    let rounds = |kind| if kind == KineticKind::Direct { 1 } else { plan.rounds };
    kinds.map(|kind| measure_again(kind, &scene, plan.events, rounds(kind))).collect()
}
