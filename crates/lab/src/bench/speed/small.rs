//! Small models: what the choice of a number of threads costs against the best number that could be
//! named.

use std::sync::atomic::AtomicBool;

use super::timing::{Turn, least_and_median};
use super::{Progress, SpeedPlan, add_row};
use crate::bench::BenchError;
use crate::bench::study::digits;
use jostle_analysis::Table;
use jostle_model::{Model, Placement, parse};
use jostle_run::{Options, run};

/// Models that come with jostle, of 17 to 10 000 particles.
const MODELS: [(&str, &str); 6] = [
    ("psi_prion", include_str!("../../../models/psi_prion.toml")),
    ("egfr_clustering", include_str!("../../../models/egfr_clustering.toml")),
    ("gene_expression", include_str!("../../../models/gene_expression.toml")),
    ("crowded_spheres", include_str!("../../../models/crowded_spheres.toml")),
    ("reversible_binding", include_str!("../../../models/reversible_binding.toml")),
    ("michaelis_menten", include_str!("../../../models/michaelis_menten.toml")),
];

/// A run takes so long on one thread, or as long as the model says. \[s\]
const LONG: f64 = 1.0;
/// Steps by which it is seen how long one takes.
const FIRST: u64 = 200;

/// How long the same runs take on one thread, on several, and on the number that is chosen during
/// the run.
pub(super) fn table(plan: &SpeedPlan, progress: &mut Progress<'_>) -> Result<Table, BenchError> {
    let threads = plan.threads.max(2);
    let mut table = Table::new(&["model", "bodies", "steps", "threads", "one thread [s]"]);
    table.columns.extend(
        ["several [s]", "chosen [s]", "chosen / one", "chosen / fastest"].map(str::to_owned),
    );
    for (name, text) in MODELS {
        progress(&format!("small models: {name}"));
        let mut model = parse(text, name, &[])?;
        model.run.steps = FIRST.min(model.run.steps);
        if !plan.quick {
            let long = parse(text, name, &[])?.run.steps;
            let pace = time(&model, Some(1))?.wall / model.run.steps as f64;
            model.run.steps = ((LONG / pace) as u64).clamp(FIRST.min(long), long);
        }
        let numbers = [Some(1), Some(threads), None];
        let mut turns = numbers.map(|_| Vec::new());
        for _ in 0..plan.rounds {
            for (turns, threads) in turns.iter_mut().zip(numbers) {
                turns.push(time(&model, threads)?);
            }
        }
        let [one, several, chosen] = turns.map(|turns| least_and_median(turns).0.wall);
        add_row(
            &mut table,
            progress,
            vec![
                name.to_owned(),
                model.placement.iter().map(Placement::count).sum::<usize>().to_string(),
                model.run.steps.to_string(),
                threads.to_string(),
                digits(one),
                digits(several),
                digits(chosen),
                digits(chosen / one),
                digits(chosen / one.min(several)),
            ],
        );
    }
    Ok(table)
}

/// A run on so many threads, or on the number that it chooses, without a file.
fn time(model: &Model, threads: Option<usize>) -> Result<Turn, BenchError> {
    let mut model = model.clone();
    model.run.threads = threads;
    let options = Options {
        out: None,
        force: false,
        self_check: false,
        stop: &AtomicBool::new(false),
        progress: &mut |_| (),
        checkpoints: Default::default(),
    };
    let (_, turn) = Turn::of(|| run(&model, options))?;
    Ok(turn)
}
