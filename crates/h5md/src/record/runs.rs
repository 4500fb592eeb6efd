//! The history of a file: when runs began, how they ended, what they took, and what they warned of.

use std::time::{SystemTime, UNIX_EPOCH};

use hdf5::{Dataset, File, Group};

use super::growing::{DatasetLayout, Growing, Table};
use super::header::write_texts;
use super::schema::{COMPLETE, CompleteRow, NO_RULE, RateRow, RunCode, RunRow};
use super::warnings::{WarningCode, WarningRow, latest};

/// The table of rates that were set by hand.
const RATES: &str = "rates_set";
/// The table of what runs warned of.
const WARNINGS: &str = "warnings";

/// Writes `/runs/log`. These are rows and not attributes, since nothing but rows can be written
/// once others may read along.
pub(super) struct Runs {
    log: Growing<RunRow>,
    figures: Growing<f64>,
    rates: Growing<RateRow>,
    warnings: Growing<WarningRow>,
    complete: Dataset,
    /// The last step before which something was altered by hand.
    altered: Option<u64>,
}

impl Runs {
    /// Creates the table and its codes.
    pub(super) fn create(file: &Group, figures: &[String]) -> hdf5::Result<Self> {
        let group = file.create_group("runs")?;
        write_texts(&group, "codes", &RunCode::ALL.map(RunCode::name))?;
        let fill = RunRow { unix_time: 0.0, step: -1, frames: 0, code: u8::MAX };
        write_texts(&group, "figure_names", figures)?;
        write_texts(&group, "warning_codes", &WarningCode::ALL.map(WarningCode::name))?;
        let no_warning = WarningRow { step: -1, count: 0, of: 0, rule: NO_RULE, code: u8::MAX };
        let no_rate = RateRow { step: -1, rate: f64::NAN, rule: u16::MAX };
        // Written at once, so that it has its place in the file and never needs another.
        let complete = file.new_dataset::<CompleteRow>().create(COMPLETE)?;
        complete.write_scalar(&CompleteRow::default())?;
        Ok(Self {
            log: Growing::create(&group, "log", DatasetLayout::column(16, fill))?,
            figures: Growing::create(
                &group,
                "figures",
                DatasetLayout::rows(16, &[figures.len().max(1)], f64::NAN),
            )?,
            rates: Growing::create(&group, RATES, DatasetLayout::column(16, no_rate))?,
            warnings: Growing::create(&group, WARNINGS, DatasetLayout::column(16, no_warning))?,
            complete,
            altered: None,
        })
    }

    /// Writes out everything, once all else is written out: first how much of that counts. The
    /// history comes last, which may say that the run is finished.
    pub(super) fn flush(&mut self, complete: CompleteRow) -> hdf5::Result<()> {
        self.complete.write_scalar(&complete)?;
        self.complete.flush()?;
        let Self { figures, rates, warnings, log, .. } = self;
        let tables: [&mut dyn Table; 4] = [figures, rates, warnings, log];
        tables.into_iter().try_for_each(Table::flush)
    }

    /// Takes over the history of another file.
    pub(super) fn take_over(&mut self, from: &File) -> hdf5::Result<()> {
        self.log.take_over_all(from)?;
        self.figures.take_over_all(from)?;
        // Files of earlier versions have neither.
        if from.link_exists(&format!("runs/{RATES}")) {
            self.rates.take_over_all(from)?;
        }
        match from.link_exists(&format!("runs/{WARNINGS}")) {
            true => self.take_over_warnings(from),
            false => Ok(()),
        }
    }

    /// Takes over what runs have warned of, once each: a run may be resumed again and again.
    fn take_over_warnings(&mut self, from: &File) -> hdf5::Result<()> {
        let rows = self.warnings.all_rows_of(from)?;
        self.warnings.append(&latest(rows));
        Ok(())
    }

    /// When the first run of a file began, as it says in the file: what tells it from others.
    /// \[s since 1970\]
    pub(super) fn began(file: &File) -> hdf5::Result<Option<f64>> {
        let log = file.dataset("runs/log")?;
        if log.shape().first().is_none_or(|&rows| rows == 0) {
            return Ok(None);
        }
        let first = log.read_slice_1d::<RunRow, _>(0..1)?;
        Ok(first.first().map(|row| row.unix_time))
    }

    /// Adds what a run took, a number for each of the names given at first.
    pub(super) fn push_figures(&mut self, figures: &[f64]) {
        self.figures.append(figures);
    }

    /// Adds what a run warns of at its end.
    pub(super) fn push_warnings(&mut self, warnings: &[WarningRow]) {
        self.warnings.append(warnings);
    }

    /// Adds that the state was altered by hand before a step, once for each step, and the rate that
    /// was set.
    pub(super) fn push_altered(&mut self, step: u64, frames: u64, rate: Option<(u16, f64)>) {
        if let Some((rule, rate)) = rate {
            self.rates.append(&[RateRow { step: step as i64, rate, rule }]);
        }
        if self.altered.replace(step) != Some(step) {
            self.push(RunCode::Altered, step, frames);
        }
    }

    /// Adds a row, with the present time, which is returned. \[s since 1970\]
    pub(super) fn push(&mut self, code: RunCode, step: u64, frames: u64) -> f64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let unix_time = now.map_or(0.0, |since| since.as_secs_f64());
        self.log.append(&[RunRow {
            unix_time,
            step: step as i64,
            frames: frames as i64,
            code: code as u8,
        }]);
        unix_time
    }
}
