//! How often two particles meet: before they bind, or in all.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;

use super::super::replay::Replay;
use super::super::tables::Table;
use super::filter::is_particle;
use super::query::Query;
use super::rebinding::{bound, come_apart, in_order};
use jostle_h5md::reading::ReadError;
use jostle_h5md::record::schema::ChangeRow;

/// Numbers below this have a bin of their own; above, there are as many bins to a factor of ten.
const SINGLE: u32 = 10;

/// The distribution of how often pairs met.
#[derive(Clone, Debug, PartialEq)]
pub struct Meetings {
    /// Whether meetings are counted up to each binding, starting again at each release; otherwise all meetings of
    /// a pair are counted together.
    pub until_bound: bool,
    /// The least and the greatest number of meetings in each bin; the same in all files.
    pub bins: Vec<[u64; 2]>,
    /// How many there are in each bin.
    pub counts: Vec<u64>,
    /// The mean number of meetings. NaN if there is none
    pub mean: f64,
    /// Pairs that met, and had not bound when they were last seen; only with `until_bound`.
    pub unbound: u64,
}

/// How often pairs met before they bound, that time not included. Each binding counts, and counting
/// starts again when a pair comes apart; contacts while the two are bound to each other do not count. Of the
/// filter, everything but outcomes and rules makes sense.
///
/// # Errors
/// If the file cannot be read, or its log has no contacts that came to nothing.
pub fn meetings_before_bound(query: &Query<'_>) -> Result<Meetings, ReadError> {
    let reading = query.reading;
    if reading.text("parameters/log")? == "reactions" {
        let reason = "the run kept no bounces (log = \"reactions\"): log = \"all\" under [output] keeps them";
        return Err(reading.too_little(reason.to_owned()));
    }
    let is_bound = |outcome: u8| {
        query.words.outcomes.get(usize::from(outcome)).is_some_and(|word| word == "bound")
    };
    let mut replay = Replay::begin(reading)?;
    let mut held: HashSet<[u64; 2]> = replay.state().bonds().collect();
    let mut met_before: HashMap<[u64; 2], u64> = HashMap::new();
    let mut found: BTreeMap<u64, u64> = BTreeMap::new();
    query.visit(false, |met| {
        let row = met.row;
        if !is_particle(row.b) {
            return Ok(ControlFlow::Continue(()));
        }
        let before =
            |change: &ChangeRow| (change.step as u64, change.time as f32) < (met.step, row.time);
        replay.advance_while(before, |_, event| {
            held.extend(bound(event));
            for pair in come_apart(event) {
                held.remove(&pair);
                met_before.remove(&pair);
            }
        })?;
        let pair = in_order([row.a, row.b].map(i64::from));
        if is_bound(row.outcome) {
            *found.entry(met_before.remove(&pair).unwrap_or(0)).or_default() += 1;
            held.insert(pair);
        } else if !row.is_at_distance() && !held.contains(&pair) {
            *met_before.entry(pair).or_default() += 1;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(Meetings::of(true, &found, met_before.len() as u64))
}

/// How many contacts each pair had that had any, of those that pass the filter.
///
/// # Errors
/// If the file cannot be read.
pub fn contacts_per_pair(query: &Query<'_>) -> Result<Meetings, ReadError> {
    let mut contacts: HashMap<[u32; 2], u64> = HashMap::new();
    query.visit(false, |met| {
        if is_particle(met.row.b) && !met.row.is_at_distance() {
            *contacts.entry([met.row.a, met.row.b]).or_default() += 1;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let mut found = BTreeMap::new();
    contacts.into_values().for_each(|count| *found.entry(count).or_default() += 1);
    Ok(Meetings::of(false, &found, 0))
}

/// The least number in bin `k`.
fn least(k: u32) -> u64 {
    if k < SINGLE {
        k.into()
    } else {
        libm::pow(10.0, f64::from(k) / f64::from(SINGLE)).round() as u64
    }
}

impl Meetings {
    /// Of how many there are of each number.
    fn of(until_bound: bool, found: &BTreeMap<u64, u64>, unbound: u64) -> Self {
        let (mut bins, mut counts) = (Vec::new(), Vec::new());
        let most = found.last_key_value().map_or(0, |(most, _)| *most);
        let first = u32::from(!until_bound);
        if !found.is_empty() {
            for k in (first..).take_while(|&k| least(k) <= most) {
                let ends = [least(k), least(k + 1) - 1];
                bins.push(ends);
                counts.push(found.range(ends[0]..=ends[1]).map(|(_, count)| count).sum());
            }
        }
        let total: u64 = counts.iter().sum();
        let sum: f64 = found.iter().map(|(number, count)| *number as f64 * *count as f64).sum();
        Self { until_bound, bins, counts, mean: sum / total as f64, unbound }
    }

    /// How many there are in all bins.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The share of all in each bin, and its standard error if all are independent.
    pub fn shares(&self) -> Vec<[f64; 2]> {
        let total = self.total() as f64;
        let of = |&count: &u64| [count as f64 / total, (count as f64).sqrt() / total];
        self.counts.iter().map(of).collect()
    }

    /// One row for each bin.
    pub fn to_table(&self) -> Table {
        let what = if self.until_bound { "meetings" } else { "contacts" };
        let of = if self.until_bound { "bindings" } else { "pairs" };
        let mut table = Table::new(&[&format!("{what} from"), "to", of, "share", "std. error"]);
        for ((ends, count), [share, error]) in self.bins.iter().zip(&self.counts).zip(self.shares())
        {
            table.push(vec![
                ends[0].into(),
                ends[1].into(),
                (*count).into(),
                share.into(),
                error.into(),
            ]);
        }
        table
    }

    /// What the table does not say.
    pub fn said(&self) -> String {
        let (total, mean) = (self.total(), self.mean);
        let on_average = match mean.is_nan() {
            true => String::new(),
            false => format!(", after {mean:.3} meetings on average"),
        };
        match self.until_bound {
            true => format!(
                "pairs bound {total} times{on_average}; {} met without binding afterwards",
                self.unbound
            ),
            false if mean.is_nan() => "no pair met".to_owned(),
            false => format!("{total} pairs met, {mean:.3} times on average"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_one_bin() {
        for k in 0..190 {
            assert!(least(k) < least(k + 1), "{k}");
        }
        let found = BTreeMap::from([(0, 5), (3, 2), (11, 4), (1000, 1)]);
        let meetings = Meetings::of(true, &found, 7);
        assert_eq!(meetings.total(), 12);
        assert_eq!(meetings.bins[..12].to_vec(), {
            let single = (0..10).map(|n| [n, n]);
            single.chain([[10, 12], [13, 15]]).collect::<Vec<_>>()
        });
        let counted = |number: u64| {
            let bin = meetings.bins.iter().position(|[from, to]| (*from..=*to).contains(&number));
            meetings.counts[bin.unwrap()]
        };
        assert_eq!([0, 1, 3, 10, 1000].map(counted), [5, 0, 2, 4, 1]);
        assert!((meetings.mean - 1050.0 / 12.0).abs() < 1e-12);
        let shares: f64 = meetings.shares().iter().map(|share| share[0]).sum();
        assert!((shares - 1.0).abs() < 1e-12);
        assert!(Meetings::of(true, &BTreeMap::new(), 0).bins.is_empty());
        // A pair that has contacts has at least one.
        assert_eq!(Meetings::of(false, &BTreeMap::from([(2, 1)]), 0).bins, [[1, 1], [2, 2]]);
    }
}
