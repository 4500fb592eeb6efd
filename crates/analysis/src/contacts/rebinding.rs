//! How long two that came apart take until they bind each other again.

use std::collections::HashMap;

use super::super::histogram::{FineBins, Histogram, LogBins};
use super::super::replay::{Event, Memberships, Replay};
use super::Words;
use super::filter::{Filter, Test};
use jostle_core::observe::ChangeKind;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use jostle_h5md::record::schema::PartyRow;

/// Times from the end of a bond or a complex of two particles until the same two are bound again.
#[derive(Clone, Debug, PartialEq)]
pub struct Rebinding {
    /// In logarithmic bins. \[µs\]
    pub histogram: Histogram,
    /// How often two came apart.
    pub parted: u64,
    /// Of these, how many were bound to each other again before the end of the file. The others may
    /// have done so later: the histogram knows short times better than long ones.
    pub again: u64,
    /// The mean of the times seen. \[µs\] NaN if there is none
    pub mean: f64,
}

/// Measures rebinding times from the log of changes, which every file has. Of the filter, the times
/// (at which two came apart), the particles and the species count.
///
/// # Errors
/// If the file cannot be read, or has no species of such a name.
pub fn rebinding(
    reading: &Reading,
    filter: &Filter,
    bins: LogBins,
) -> Result<Rebinding, ReadError> {
    let words = Words::of(reading)?;
    let test = Test::of(filter, &words, reading)?;
    let [from, to] = filter.time.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    let timestep = reading.timestep();
    let mut apart: HashMap<[u64; 2], f64> = HashMap::new();
    let mut fine = FineBins::new();
    let (mut parted, mut again, mut sum) = (0, 0, 0.0);
    let mut replay = Replay::begin(reading)?;
    replay.advance_while(
        |_| true,
        |state, event| {
            let time = (event.row.step as f64 + event.row.time) * timestep;
            for pair in bound(event) {
                if let Some(before) = apart.remove(&pair) {
                    fine.add(time - before);
                    sum += time - before;
                    again += 1;
                }
            }
            for pair in come_apart(event) {
                if (from..to).contains(&time) && asked_for(&test, state, pair) {
                    parted += 1;
                    apart.insert(pair, time);
                }
            }
        },
    )?;
    let mean = sum / again as f64;
    Ok(Rebinding { histogram: fine.logarithmic("time apart", "µs", bins), parted, again, mean })
}

/// The lower identity first.
pub(super) fn in_order([a, b]: [i64; 2]) -> [u64; 2] {
    [a.min(b) as u64, a.max(b) as u64]
}

/// The pairs that a change binds.
pub(super) fn bound(event: &Event<'_>) -> Vec<[u64; 2]> {
    match (event.kind, event.reactants) {
        (ChangeKind::Coalesced, [a, b]) => vec![in_order([a.id, b.id])],
        _ => event.made.iter().map(|bond| in_order([bond.a, bond.b])).collect(),
    }
}

/// The pairs that a change sets free of each other.
pub(super) fn come_apart(event: &Event<'_>) -> Vec<[u64; 2]> {
    // Unbinding, cuts, conversions: whatever ends a bond.
    let parted = event.broken.iter().map(|bond| in_order([bond.a, bond.b]));
    match event.kind {
        ChangeKind::Split => pairs_of(event.products).collect(),
        // A complex that is one particle sets its parts free, one of them perhaps as another species
        // (`ES -> E + P`). One that stays what it is has made the others.
        ChangeKind::Converted if is_release(event) => {
            parted.chain(pairs_of(event.products)).collect()
        }
        _ => parted.collect(),
    }
}

/// Whether a conversion takes one particle apart.
fn is_release(event: &Event<'_>) -> bool {
    match event.reactants {
        [one] => event.products.iter().all(|product| product.species != one.species),
        _ => false,
    }
}

/// All pairs of some particles.
fn pairs_of(parties: &[PartyRow]) -> impl Iterator<Item = [u64; 2]> + '_ {
    let pairs =
        parties.iter().enumerate().flat_map(|(n, a)| parties[..n].iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| in_order([a.id, b.id]))
}

fn asked_for(test: &Test, state: &Memberships, pair: [u64; 2]) -> bool {
    let species = pair.map(|id| state.species_of().get(&id).map(|(species, _)| *species as u16));
    match species {
        [Some(a), Some(b)] => test.passes_pair(pair.map(|id| id as u32), [a, b]),
        _ => false,
    }
}
