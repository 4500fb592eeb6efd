//! What a membrane costs: receptors that live on a sheet under ligands, against as many free
//! particles, in turns.

use super::timing::Runner;
use super::{Progress, SpeedPlan, add_row};
use crate::bench::BenchError;
use crate::bench::study::digits;
use jostle_analysis::Table;
use jostle_model::{Model, parse};
use jostle_run::in_pool;

/// Ligands for each receptor.
const LIGANDS: usize = 10;
const PARTICLES: usize = 110_000;

/// The time of a step with a sheet, and without.
///
/// # Errors
/// If a model cannot be set up, or a step fails.
pub(super) fn table(plan: &SpeedPlan, progress: &mut Progress<'_>) -> Result<Table, BenchError> {
    let mut table =
        Table::new(&["receptors", "ligands", "with a sheet [ms/step]", "all free [ms/step]"]);
    table.columns.extend(["times slower", "median times slower"].map(str::to_owned));
    let receptors = plan.particles(PARTICLES) / (LIGANDS + 1);
    let ligands = LIGANDS * receptors;
    progress(&format!("sheet: {receptors} receptors under {ligands} ligands"));
    let timings = in_pool(plan.threads, || {
        let steps = SpeedPlan::steps_to_state(ligands);
        let warm = |on_sheet| Runner::<3>::warm(&model(plan, receptors, on_sheet)?, steps);
        let mut runners = [warm(true)?, warm(false)?];
        let in_turn = plan.steps_in_turn(ligands, runners[0].pace(), 0.1);
        for _ in 0..plan.rounds {
            runners.iter_mut().try_for_each(|runner| runner.turn(in_turn))?;
        }
        Ok::<_, BenchError>(runners.map(|runner| runner.timing()))
    });
    let [sheet, free] = timings??;
    add_row(
        &mut table,
        progress,
        vec![
            receptors.to_string(),
            ligands.to_string(),
            digits(1e3 * sheet.least.wall),
            digits(1e3 * free.least.wall),
            digits(sheet.least.wall / free.least.wall),
            digits(sheet.median / free.median),
        ],
    );
    Ok(table)
}

/// A sheet with a tenth of it covered, under ligands that fill a hundredth of what is above it; or
/// the same particles, all free.
fn model(plan: &SpeedPlan, receptors: usize, on_sheet: bool) -> Result<Model, BenchError> {
    let ligands = LIGANDS * receptors;
    // Disks of radius 2 nm; spheres of the same.
    let edge = (receptors as f64 * std::f64::consts::PI * 4.0 / 0.1).sqrt();
    let height = ligands as f64 * 33.510_321_638_291_124 / (0.01 * edge * edge);
    let on = if on_sheet { "on = \"sheet\"" } else { "" };
    let mut model = parse(
        &format!(
            r#"
            [space]
            dimension = 3
            edges = ["{edge} nm", "{edge} nm", "{height} nm"]
            boundary = ["periodic", "periodic", "reflecting"]
            [run]
            timestep = "1 ns"
            steps = 1
            [[surface]]
            name = "sheet"
            plane = {{ axis = "z", at = "0 nm" }}
            [[species]]
            name = "ligand"
            radius = "2 nm"
            diffusion = "20 um^2/s"
            count = {ligands}
            [[species]]
            name = "receptor"
            radius = "2 nm"
            diffusion = "2 um^2/s"
            count = {receptors}
            {on}
            [output]
            log = "none"
            "#
        ),
        "bench",
        &[],
    )?;
    if let (false, Some(brownian)) = (on_sheet, model.brownian_mut()) {
        brownian.surroundings = Default::default();
    }
    Ok(model.searched(plan.settings()))
}
