//! Rate constants of several runs, pooled: all events over all exposure.
//!
//! A mean of the constants of runs would weigh a run with a bond for a moment as much as one with
//! bonds for the whole time, and know nothing of runs without an event.

use std::collections::HashMap;

use jostle_analysis::{Cell, PoissonRate, Rates};

use super::results::NamedTable;
use super::rows::{Rows, number, pseudo_values};

/// The tables that are pooled, and that of the exposures.
const POOLED: [&str; 2] = ["rates", "rates_over_time"];
const EXPOSURES: &str = "rate_exposures";

/// What the columns are called that are replaced.
const CONSTANT: &str = "rate constant";
const MOLAR: &str = "k (/M/s)";
const ENDS: [&str; 2] = ["95 % from", "95 % to"];

/// For how long there was what could have reacted, in the members of one point.
#[derive(Default)]
pub(crate) struct Exposures {
    /// Whether rates are distinguished by time; none where the table is not one of rates.
    over_time: Option<bool>,
    members: Vec<u32>,
    /// By what reacts, and the time if that matters: the exposure of each member. \[member\]
    known: HashMap<(String, u64), Vec<f64>>,
}

impl Exposures {
    /// Takes what a member says, if the table of this name is one of rates.
    pub(crate) fn add(&mut self, replica: u32, name: &str, tables: &[NamedTable]) {
        let Some(wanted) = tables.iter().find(|table| table.name == name) else { return };
        if !POOLED.contains(&wanted.kind()) {
            return;
        }
        let prefix = name.strip_suffix(wanted.kind()).unwrap_or_default();
        let exposures = format!("{prefix}{EXPOSURES}");
        let Some(exposures) = tables.iter().find(|table| table.name == exposures) else { return };
        let over_time = wanted.kind() != POOLED[0];
        self.over_time = Some(over_time);
        let n = self.members.len();
        self.members.push(replica);
        for row in exposures.to_table().rows {
            let [Cell::Text(of), _, time, exposure] = &row[..] else { continue };
            let time = if over_time { number(time).to_bits() } else { 0 };
            let parts = self.known.entry((of.clone(), time)).or_default();
            parts.resize(n + 1, 0.0);
            parts[n] += number(exposure);
        }
    }

    /// Replaces the means of rate constants by all events over all exposure.
    pub(crate) fn pool_into(mut self, rows: &mut Rows) {
        let Some(over_time) = self.over_time else { return };
        self.known.values_mut().for_each(|parts| parts.resize(self.members.len(), 0.0));
        let place = |heads: &[String], head: &str| heads.iter().position(|known| known == head);
        let (Some(of), Some(events), Some(constant)) = (
            place(&rows.about, "of"),
            place(&rows.measured, "events"),
            place(&rows.measured, CONSTANT),
        ) else {
            return;
        };
        let time = place(&rows.about, "time (µs)").filter(|_| over_time);
        let ends = ENDS.map(|end| place(&rows.measured, end));
        let molar = place(&rows.measured, MOLAR);
        let unit = place(&rows.about, "unit");
        for row in &mut rows.rows {
            let Cell::Text(of) = &row.about[of] else { continue };
            let time = time.map_or(0, |time| number(&row.about[time]).to_bits());
            let Some(exposures) = self.known.get(&(of.clone(), time)) else { continue };
            if row.replicas != self.members {
                continue;
            }
            let counts = &row.samples[events].values;
            let all: f64 = counts.iter().sum();
            let exposure: f64 = exposures.iter().sum();
            let rate = PoissonRate { events: all as u64, exposure };
            let without: Vec<f64> = match self.members.len() {
                1 => Vec::new(),
                _ => counts
                    .iter()
                    .zip(exposures)
                    .map(|(count, part)| (all - count) / (exposure - part))
                    .collect(),
            };
            row.samples[constant].pooled = Some(rate.rate());
            row.samples[constant].values = pseudo_values(rate.rate(), &without);
            for (end, value) in ends.into_iter().zip(rate.interval()) {
                if let Some(end) = end {
                    row.samples[end].pooled = Some(value);
                }
            }
            let is_molar = unit.is_some_and(|unit| row.about[unit] == Rates::UNIT_OF_VOLUME);
            if let Some(molar) = molar.filter(|_| is_molar) {
                let factor = Rates::PER_MOLAR_SECOND;
                row.samples[molar].pooled = Some(rate.rate() * factor);
                let values = row.samples[constant].values.iter().map(|value| value * factor);
                row.samples[molar].values = values.collect();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_analysis::Table;

    /// The tables of a member with so many events and so much exposure; without an event, there is
    /// no row.
    fn tables(events: u64, exposure: f64) -> Vec<NamedTable> {
        let mut rates =
            Table::new(&["rule", "of", "events", CONSTANT, ENDS[0], ENDS[1], "unit", MOLAR]);
        if events > 0 {
            let k = events as f64 / exposure;
            let about: [Cell; 2] = ["bind".into(), "A + B".into()];
            let numbers: [Cell; 4] = [events.into(), k.into(), 0.0.into(), 9.0.into()];
            let last: [Cell; 2] = ["nm^3/us".into(), (k * Rates::PER_MOLAR_SECOND).into()];
            rates.push([&about[..], &numbers, &last].concat());
        }
        let mut exposures = Table::new(&Rates::EXPOSURES);
        for time in [0.5, 1.5] {
            exposures.push(vec![
                "A + B".into(),
                "nm^3/us".into(),
                time.into(),
                (0.5 * exposure).into(),
            ]);
        }
        vec![NamedTable::new("", "rates", &rates), NamedTable::new("", EXPOSURES, &exposures)]
    }

    #[test]
    fn a_rate_is_all_events_over_all_exposure() {
        let (mut rows, mut exposures) = (Rows::default(), Exposures::default());
        for (n, (events, exposure)) in [(3, 1.0), (0, 4.0), (1, 3.0)].into_iter().enumerate() {
            let tables = tables(events, exposure);
            rows.add(n as u32, &tables[0]);
            exposures.add(n as u32, "rates", &tables);
        }
        rows.fill();
        exposures.pool_into(&mut rows);
        let sample = |head: &str| {
            let k = rows.measured.iter().position(|known| known == head).unwrap();
            &rows.rows[0].samples[k]
        };
        assert_eq!(rows.rows[0].replicas, [0, 1, 2]);
        assert_eq!(sample(CONSTANT).pooled, Some(0.5));
        assert_eq!(sample(MOLAR).pooled, Some(0.5 * Rates::PER_MOLAR_SECOND));
        assert_eq!([0, 1].map(|n| sample(ENDS[n]).pooled.unwrap()), {
            PoissonRate { events: 4, exposure: 8.0 }.interval()
        });
        // 3 · 0.5 - 2 · (1/7, 1, 3/5)
        let expected = [1.5 - 2.0 / 7.0, -0.5, 0.3];
        for (found, expected) in sample(CONSTANT).values.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    #[test]
    fn where_only_one_run_has_exposure_the_error_is_not_known() {
        let (mut rows, mut exposures) = (Rows::default(), Exposures::default());
        for (n, (events, exposure)) in [(1, 2.0), (0, 0.0), (0, 0.0)].into_iter().enumerate() {
            let tables = tables(events, exposure);
            rows.add(n as u32, &tables[0]);
            exposures.add(n as u32, "rates", &tables);
        }
        rows.fill();
        exposures.pool_into(&mut rows);
        let k = rows.measured.iter().position(|known| known == CONSTANT).unwrap();
        let constant = &rows.rows[0].samples[k];
        assert_eq!(constant.pooled, Some(0.5));
        assert!(constant.values.iter().all(|value| value.is_nan()), "{constant:?}");
    }
}
