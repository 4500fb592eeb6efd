//! Schinner 1999, sections 3.3 and 5, and what it says of features that last: a pile, falling and
//! at rest.

use super::PolygonsPlan;
use crate::bench::polygons::pile::Pile;
use crate::reproduce::report::digits;
use crate::reproduce::sample::least;
use crate::reproduce::{PrintedVerdict, ReportSection, ReproduceError};
use jostle_analysis::Table;
use jostle_run::in_pool;

/// A second thread is to make it so much faster, at least.
const FASTER: f64 = 1.8;

/// At rest there is next to nothing to sort: so many exchanges per body and step at most.
const FEW: f64 = 0.01;

pub(super) fn sections(plan: &PolygonsPlan) -> Result<Vec<ReportSection>, ReproduceError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let [steps, rounds] = plan.steps;
    let mut pile = Pile::new(plan.bodies)?;
    in_pool(cores, || pile.fall())??;
    let falling = pile.measure(10 * steps as u64)?;
    in_pool(cores, || pile.settle())??;
    let features = pile.engine.tally().features;
    let at_rest = pile.measure(10 * steps as u64)?;
    let mut table = Table::new(&["claim", "printed", "ours", "verdict"]);
    let mut row = |claim: &str, printed: &str, ours: String, holds: bool| {
        let verdict = PrintedVerdict::of(holds).name().to_owned();
        table.push_texts(vec![claim.to_owned(), printed.to_owned(), ours, verdict]);
    };
    let bodies = plan.bodies as f64;
    let per_body = |exchanges: f64| exchanges / bodies;
    let [fall, rest] = [falling, at_rest].map(|stretch| per_body(stretch.exchanges));
    let said = format!("{} falling, {} at rest", digits(fall), digits(rest));
    row(
        "exchanges per body and step: none where nothing moves",
        "0 at rest",
        said,
        rest < FEW && rest < fall,
    );
    let life = features.calls as f64 / features.changes as f64;
    row("closest features last for many steps", "several hundreds", digits(life), life >= 200.0);
    let looked = features.steps as f64 / features.calls as f64;
    row(
        "pairs of features looked at per question",
        "about 1",
        format!("{looked:.4}"),
        looked < 1.1,
    );
    row(
        "full searches are rare",
        "rather rare",
        format!("{} of {} questions", features.full_searches, features.calls),
        (features.full_searches as f64) < 1e-3 * features.calls as f64,
    );
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..2 * rounds {
        for (threads, times) in [1, 2].into_iter().zip(&mut times) {
            times.push(in_pool(threads, || pile.measure(steps as u64))??.seconds);
        }
    }
    let [one, two] = times.map(least);
    row("two processors against one", "1.9 to 1.95", digits(one / two), one / two >= FASTER);
    let caption = "Sections 3.3, 4.2 and 5: a pile of irregular hexagons";
    Ok(vec![ReportSection::new("pile", caption, table).remarks(vec![format!(
        "{bodies} hexagons on {cores} cores; features over the whole fall. Two threads count as reproduced from \
         {FASTER} on, which needs two idle cores."
    )])])
}
