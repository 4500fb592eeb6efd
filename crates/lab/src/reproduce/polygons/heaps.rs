//! Schinner 1999, section 1: heaps of round particles are flatter than those of rough ones.

use rayon::prelude::*;

use super::PolygonsPlan;
use super::heap::{Grain, angle_of_repose};
use crate::reproduce::report::digits;
use crate::reproduce::{PrintedVerdict, ReportSection, ReproduceError, Sample};
use jostle_analysis::Table;

/// What is heaped up, and the coefficients of friction.
const GRAINS: [Grain; 2] = [Grain::Disk, Grain::Polygon(6)];
const FRICTION: [f64; 2] = [0.2, 0.5];

pub(super) fn section(plan: &PolygonsPlan) -> Result<ReportSection, ReproduceError> {
    let cases = FRICTION.into_iter().flat_map(|mu| GRAINS.map(|grain| (mu, grain)));
    let runs: Vec<(f64, Grain, u64)> =
        cases.flat_map(|(mu, grain)| (0..plan.seeds).map(move |seed| (mu, grain, seed))).collect();
    let angles: Vec<f64> = runs
        .par_iter()
        .map(|&(mu, grain, seed)| angle_of_repose(grain, mu, plan.heap, seed))
        .collect::<Result<_, _>>()?;
    let sample = |mu: f64, grain: Grain| {
        let of = runs.iter().zip(&angles).filter(|(run, _)| (run.0, run.1) == (mu, grain));
        Sample::of(of.map(|(_, angle)| *angle))
    };
    let mut table =
        Table::new(&["friction", "disks [degrees]", "sd", "polygons [degrees]", "sd", "verdict"]);
    for mu in FRICTION {
        let [round, rough] = GRAINS.map(|grain| sample(mu, grain));
        table.push_texts(vec![
            mu.to_string(),
            digits(round.mean),
            digits(round.deviation),
            digits(rough.mean),
            digits(rough.deviation),
            PrintedVerdict::of(rough.mean > round.mean).name().to_owned(),
        ]);
    }
    Ok(ReportSection::new("heaps", "Section 1: the angle of repose", table).remarks(vec![format!(
        "{} of each kind: {} particles of radii that differ by up to 20 %, on a floor of fixed disks, of \
         which one side is opened once they have settled; {}. The paper says that heaps of round particles \
         are much flatter, and prints no angle.",
        plan.seeds,
        plan.heap.columns * plan.heap.layers,
        GRAINS.map(Grain::name).join(" and ")
    )]))
}
