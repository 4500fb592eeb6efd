//! What Schinner (1999) prints and claims of polygons, and what is found here.

mod features;
pub mod heap;
mod heaps;
mod piles;
mod sorting;

use super::{Progress, ReportSection, ReproduceError, StudyReport};
use heap::Size;

/// What is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolygonsPlan {
    /// Hexagons of the pile.
    pub bodies: usize,
    /// Steps between two looks at the clock, and how many looks; the least time counts.
    pub steps: [usize; 2],
    /// Of the heaps.
    pub heap: Size,
    /// How many heaps of each kind.
    pub seeds: u64,
}

impl PolygonsPlan {
    /// Some minutes, on an optimised build.
    pub fn full() -> Self {
        Self { bodies: 2_500, steps: [100, 10], heap: Size { columns: 14, layers: 22 }, seeds: 4 }
    }

    /// Some seconds.
    pub fn quick() -> Self {
        Self { bodies: 300, steps: [50, 3], heap: Size { columns: 8, layers: 12 }, seeds: 1 }
    }
}

/// The tables and figures in which nothing but counts stands: Tables 1 to 3, Figures 5, 6 and 10.
pub fn counted() -> Vec<ReportSection> {
    let mut sections = sorting::sections();
    sections.push(features::figure_10());
    sections
}

/// Runs everything.
///
/// # Errors
/// If a run cannot start or cannot be trusted.
pub fn polygons(
    plan: &PolygonsPlan,
    progress: Progress<'_>,
) -> Result<StudyReport, ReproduceError> {
    let mut sections = sorting::sections();
    progress("polygons: closest features");
    sections.extend(features::sections(plan));
    progress(&format!("polygons: a pile of {} hexagons", plan.bodies));
    sections.extend(piles::sections(plan)?);
    progress("polygons: heaps");
    sections.push(heaps::section(plan)?);
    let title =
        "The tables, figures and claims of the paper on polygons (Schinner 1999)".to_owned();
    Ok(StudyReport { title, sections, drawings: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_has_its_table() {
        let heap = Size { columns: 5, layers: 5 };
        let plan = PolygonsPlan { bodies: 60, steps: [10, 1], heap, seeds: 1 };
        let report = polygons(&plan, &mut |_| ()).unwrap();
        let names: Vec<_> = report.sections.iter().map(|section| section.name).collect();
        let expected =
            ["tables_1_3", "table_2", "figures_5_6", "figure_10", "figure_11", "pile", "heaps"];
        assert_eq!(names, expected);
        assert!(report.sections.iter().all(|section| !section.table.rows.is_empty()));
    }
}
