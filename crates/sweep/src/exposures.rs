//! Rate constants of several runs, pooled: all events over all exposure.
//!
//! A mean of the constants of runs would weigh a run with a bond for a moment as much as one with
//! bonds for the whole time, and know nothing of runs without an event.

use std::collections::HashMap;

use jostle_analysis::{Cell, PoissonRate, Rates, Table};

use super::results::NamedTable;
use super::rows::{Rows, key_of, number, pseudo_values};

/// A table whose rates are events over exposure, and how its columns are called.
struct Pooling {
    table: &'static str,
    /// The table that has the exposure, and its column.
    exposures: [&'static str; 2],
    /// What tells exposures apart: columns of both tables.
    by: &'static [&'static str],
    events: &'static str,
    rate: &'static str,
    ends: [&'static str; 2],
}

/// What is pooled.
const POOLED: [Pooling; 3] = [
    Pooling {
        table: "rates",
        exposures: ["rate_exposures", "exposure"],
        by: &["of"],
        events: "events",
        rate: "k",
        ends: ["k low", "k high"],
    },
    Pooling {
        table: "rates_over_time",
        exposures: ["rate_exposures", "exposure"],
        by: &["of", "time (µs)"],
        events: "events",
        rate: "k",
        ends: ["k low", "k high"],
    },
    Pooling {
        table: "transitions",
        exposures: ["transition_exposures", "clusters × time (s)"],
        by: &["from size"],
        events: "transitions",
        rate: "rate per cluster (/s)",
        ends: ["95 % from (/s)", "95 % to (/s)"],
    },
];

/// The rate constant in other units.
const MOLAR: &str = "k (/M/s)";

/// For how long there was what could have reacted, in the members of one point.
#[derive(Default)]
pub(crate) struct Exposures {
    /// Which table is pooled, if any.
    pooling: Option<&'static Pooling>,
    members: Vec<u32>,
    /// By what tells exposures apart: that of each member. \[member\]
    known: HashMap<Vec<String>, Vec<f64>>,
}

impl Exposures {
    /// Takes what a member says, if the table of this name is one that is pooled.
    pub(crate) fn add(&mut self, replica: u32, name: &str, tables: &[NamedTable]) {
        let Some(wanted) = tables.iter().find(|table| table.name == name) else { return };
        let Some(pooling) = POOLED.iter().find(|one| one.table == wanted.kind()) else { return };
        let prefix = name.strip_suffix(wanted.kind()).unwrap_or_default();
        let [exposures, column] = pooling.exposures;
        let exposures = format!("{prefix}{exposures}");
        let Some(exposures) = tables.iter().find(|table| table.name == exposures) else { return };
        let Table { columns, rows } = exposures.to_table();
        let (Some(by), Some(exposure)) = (places(&columns, pooling.by), place(&columns, column))
        else {
            return;
        };
        self.pooling = Some(pooling);
        let n = self.members.len();
        self.members.push(replica);
        for row in rows {
            let parts = self.known.entry(key_of(&picked(&row, &by))).or_default();
            parts.resize(n + 1, 0.0);
            parts[n] += number(&row[exposure]);
        }
    }

    /// Whether the table is one that is pooled.
    pub(crate) fn are_pooled(&self) -> bool {
        self.pooling.is_some()
    }

    /// Replaces the means of rates by all events over all exposure.
    pub(crate) fn pool_into(&mut self, rows: &mut Rows) {
        let Some(pooling) = self.pooling else { return };
        self.known.values_mut().for_each(|parts| parts.resize(self.members.len(), 0.0));
        let column = |head: &str| place(&rows.measured, head);
        let (Some(by), Some(events), Some(rate)) =
            (places(&rows.about, pooling.by), column(pooling.events), column(pooling.rate))
        else {
            return;
        };
        let (ends, molar) = (pooling.ends.map(column), column(MOLAR));
        let exposure = column(pooling.exposures[1]);
        let unit = place(&rows.about, "unit");
        for row in &mut rows.rows {
            let Some(exposures) = self.known.get(&key_of(&picked(&row.about, &by))) else {
                continue;
            };
            if row.replicas != self.members {
                continue;
            }
            let counts = &row.samples[events].values;
            let (pooled, values) = pool(counts, exposures);
            if let Some(exposure) = exposure {
                row.samples[exposure].values.clone_from(exposures);
            }
            for (end, value) in ends.into_iter().zip(pooled.interval()) {
                if let Some(end) = end {
                    row.samples[end].pooled = Some(value);
                }
            }
            let is_molar = unit.is_some_and(|unit| row.about[unit] == Rates::UNIT_OF_VOLUME);
            if let Some(molar) = molar.filter(|_| is_molar) {
                let factor = Rates::PER_MOLAR_SECOND;
                row.samples[molar].pooled = Some(pooled.rate() * factor);
                row.samples[molar].values = values.iter().map(|value| value * factor).collect();
            }
            row.samples[rate].pooled = Some(pooled.rate());
            row.samples[rate].values = values;
        }
    }
}

impl Exposures {
    /// Rows for events that no member has, although what could have reacted was present: the rate is 0,
    /// and its upper limit is known.
    pub(crate) fn rows_without_events(
        &self,
        [about, measured]: [&[String]; 2],
        missing: impl Iterator<Item = Vec<Cell>>,
    ) -> Rows {
        let mut rows = Rows::default();
        let Some(pooling) = self.pooling else { return rows };
        let column = |head: &str| place(measured, head);
        let (Some(by), Some(events), Some(rate)) =
            (places(about, pooling.by), column(pooling.events), column(pooling.rate))
        else {
            return rows;
        };
        (rows.about, rows.measured) = (about.to_vec(), measured.to_vec());
        for cells in missing {
            let known = self.known.get(&key_of(&picked(&cells, &by)));
            let Some(exposures) = known.filter(|parts| parts.iter().sum::<f64>() > 0.0) else {
                continue;
            };
            let none = vec![0.0; self.members.len()];
            let (pooled, values) = pool(&none, exposures);
            let row = rows.row(cells);
            let row = &mut rows.rows[row];
            row.replicas.clone_from(&self.members);
            row.samples.resize_with(measured.len(), Default::default);
            row.samples[events].values = none;
            row.samples[rate].pooled = Some(0.0);
            row.samples[rate].values = values;
            for (end, value) in pooling.ends.iter().zip(pooled.interval()) {
                if let Some(end) = column(end) {
                    row.samples[end].pooled = Some(value);
                }
            }
            if let Some(exposure) = column(pooling.exposures[1]) {
                row.samples[exposure].values.clone_from(exposures);
            }
        }
        rows
    }
}

/// All events over all exposure, and what each member adds to that.
fn pool(counts: &[f64], exposures: &[f64]) -> (PoissonRate, Vec<f64>) {
    let (events, exposure) = (counts.iter().sum::<f64>(), exposures.iter().sum::<f64>());
    let pooled = PoissonRate { events: events as u64, exposure };
    let without = counts
        .iter()
        .zip(exposures)
        .map(|(count, part)| (events - count) / (exposure - part))
        .filter(|_| counts.len() > 1);
    let values = pseudo_values(pooled.rate(), &without.collect::<Vec<_>>());
    // Without any event there is no scatter that would say how well that is known.
    let values = if events > 0.0 { values } else { vec![f64::NAN; counts.len()] };
    (pooled, values)
}

/// Where a column is.
fn place(heads: &[String], head: &str) -> Option<usize> {
    heads.iter().position(|known| known == head)
}

/// Where several are, if all are there.
fn places(heads: &[String], wanted: &[&str]) -> Option<Vec<usize>> {
    wanted.iter().map(|head| place(heads, head)).collect()
}

/// The cells in some columns.
fn picked(row: &[Cell], columns: &[usize]) -> Vec<Cell> {
    columns.iter().map(|&k| row.get(k).cloned().unwrap_or(Cell::Missing)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONSTANT: &str = "k";
    const ENDS: [&str; 2] = ["k low", "k high"];
    const EXPOSURES: &str = "rate_exposures";

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

    #[test]
    fn transitions_are_pooled_with_the_clusters_of_all_runs() {
        let heads = [
            "from size",
            "to size",
            "transitions",
            "clusters × time (s)",
            "rate per cluster (/s)",
            "95 % from (/s)",
            "95 % to (/s)",
        ];
        let (mut rows, mut exposures) = (Rows::default(), Exposures::default());
        for (n, (events, time)) in [(2_u64, 0.5), (0, 1.5)].into_iter().enumerate() {
            let mut table = Table::new(&heads);
            if events > 0 {
                let sizes: [Cell; 2] = [2u64.into(), 1u64.into()];
                let numbers: [Cell; 5] =
                    [events.into(), time.into(), 4.0.into(), 0.5.into(), 14.0.into()];
                table.push([&sizes[..], &numbers].concat());
            }
            let mut there = Table::new(&["from size", "clusters × time (s)"]);
            there.push(vec![2u64.into(), time.into()]);
            let tables = [
                NamedTable::new("", "transitions", &table),
                NamedTable::new("", "transition_exposures", &there),
            ];
            rows.add(n as u32, &tables[0]);
            exposures.add(n as u32, "transitions", &tables);
        }
        rows.fill();
        exposures.pool_into(&mut rows);
        let sample = |k: usize| &rows.rows[0].samples[k];
        assert_eq!(sample(2).pooled, Some(1.0));
        assert_eq!(
            (sample(0).values.as_slice(), sample(1).values.as_slice()),
            (&[2.0, 0.0][..], &[0.5, 1.5][..])
        );
    }
}
