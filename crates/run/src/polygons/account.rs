//! What a run of polygons has done, for people.

use crate::summary::{Account, RunTotals, imbalance, joule};
use jostle_core::observe::Outlines;
use jostle_core::words::digits;
use jostle_polygons::{Polygons, Tally};

/// The largest overlap that carries a force. \[nm²\]
fn largest(outlines: Outlines<'_>) -> f64 {
    outlines.forces.iter().map(|force| force.overlap).fold(0.0, f64::max)
}

pub(super) fn account(engine: &mut Polygons, totals: &RunTotals<'_>) -> Account {
    let tally = engine.tally();
    let largest = engine.view().outlines.map_or(0.0, largest);
    Account {
        lines: lines(&tally, largest, totals),
        contacts: tally.contacts,
        work: (engine.clock().step as f64 * totals.particles, "body-steps"),
        costs: costs(engine),
        counts: format!("{tally:?}"),
    }
}

fn lines(tally: &Tally, largest: f64, totals: &RunTotals<'_>) -> Vec<(&'static str, String)> {
    let Tally { contacts, candidates, contact_steps, skipped, features, exchanges, .. } = tally;
    let per = |number: u64, of: u64| digits(number as f64 / of.max(1) as f64, 3);
    let contacts = format!(
        "{contacts} at the end, of {candidates} pairs whose boxes overlap; the largest overlap is {} mm^2\n\
         {contact_steps} in all steps",
        digits(largest * 1e-12, 3)
    );
    let closest = format!(
        "{} calls with {} steps each ({} full searches), {skipped} more were unnecessary; the closest pair \
         of features changed {} times",
        features.calls,
        per(features.steps, features.calls),
        features.full_searches,
        features.changes
    );
    let boxes = format!("{} exchanges of ends along x, {} along y", exchanges[0], exchanges[1]);
    let [first, last] = &totals.balance;
    let energy = format!(
        "kinetic {} at the start, {} at the end; potential {} and {}; in contacts {}; lost in contacts {}; \
         given by walls {}\n(unexplained: {:.1e} of the energy exchanged)",
        joule(first.kinetic),
        joule(last.kinetic),
        joule(first.potential),
        joule(last.potential),
        joule(last.elastic),
        joule(last.dissipated),
        joule(last.wall_work),
        imbalance(&totals.balance)
    );
    vec![("contacts", contacts), ("closest", closest), ("boxes", boxes), ("energy", energy)]
}

/// Where the time went.
fn costs(engine: &Polygons) -> Vec<String> {
    let p = engine.phases();
    let phases = [
        ("predict", p.predict),
        ("boxes", p.boxes),
        ("contacts", p.contacts),
        ("correct", p.correct),
    ];
    let whole = phases.iter().map(|(_, time)| time.as_secs_f64()).sum::<f64>().max(1e-9);
    let shares =
        phases.map(|(name, time)| format!("{name} {:.0} %", 100.0 * time.as_secs_f64() / whole));
    vec![format!("time in the engine: {}", shares.join(", "))]
}
