//! Tables 1 to 5 and Figures 1 to 3 of Gavrilova et al. 2003 with all structures, and the mill that
//! the paper describes.
//!
//! The paper leaves out what acts on the balls, how fast they are, where they start and how events
//! are counted. Its own numbers tell: they are those of an elastic gas without forces between fixed
//! walls, of some 6.5 mm/s, in which collisions with walls count.

mod mill;
mod mixture;
mod pictures;
pub(in crate::reproduce) mod placement;
pub mod printed;
pub mod run;
mod study;
mod tables;
mod verdict;

pub use super::PrintedVerdict;
pub use mill::{Milled, mill, mill_in_space};
pub use mixture::BallMixture;
pub use study::{Results, Trial, study};
pub use verdict::{Comparison, Quantity, compare};

use super::structures::contestants;
use super::{Progress, ReproduceError, StudyReport};
use printed::COLUMNS;

/// What is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShakerPlan {
    /// Of [`COLUMNS`], by number.
    pub columns: Vec<usize>,
    /// How often.
    pub seeds: u64,
    /// Columns whose balls are shaken.
    pub milled: Vec<usize>,
    /// Balls that are shaken in a cylinder.
    pub milled_in_space: Vec<BallMixture>,
}

impl ShakerPlan {
    /// All columns: some minutes, on an optimised build.
    pub fn full(seeds: u64) -> Self {
        Self {
            columns: (0..COLUMNS.len()).collect(),
            seeds,
            milled: vec![0, 2, 4, 5, 7, 9],
            milled_in_space: vec![
                BallMixture::MonoDilute,
                BallMixture::PolyDilute,
                BallMixture::PolyMiddle,
            ],
        }
    }

    /// A column of each table, twice: some seconds.
    pub fn quick() -> Self {
        Self {
            columns: vec![0, 7, 14, 19],
            seeds: 2,
            milled: vec![2],
            milled_in_space: vec![BallMixture::PolyDilute],
        }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct ShakerFindings {
    /// The columns.
    pub results: Vec<Results>,
    /// The mill, in the plane and in space.
    pub milled: Vec<Milled>,
}

impl ShakerFindings {
    /// All printed numbers beside ours.
    pub fn comparisons(&self) -> Vec<Comparison> {
        self.results.iter().flat_map(compare).collect()
    }

    /// Tables and pictures.
    pub fn report(&self) -> StudyReport {
        StudyReport {
            title: "The tables and figures of the shaker ball mill (Gavrilova et al. 2003)"
                .to_owned(),
            sections: tables::sections(self),
            drawings: pictures::drawings(&self.results),
        }
    }
}

/// Runs everything.
///
/// # Errors
/// If balls cannot be placed, a run fails, or two structures give different results.
pub fn shaker(plan: &ShakerPlan, progress: Progress<'_>) -> Result<ShakerFindings, ReproduceError> {
    let kinds = contestants(2);
    let columns = plan.columns.iter().filter_map(|&n| COLUMNS.get(n));
    let results = columns
        .map(|column| study(column, &kinds, plan.seeds, progress))
        .collect::<Result<_, _>>()?;
    let mut milled = mill(&plan.milled, &kinds, progress)?;
    milled.extend(mill_in_space(&plan.milled_in_space, &contestants(3), progress)?);
    Ok(ShakerFindings { results, milled })
}
