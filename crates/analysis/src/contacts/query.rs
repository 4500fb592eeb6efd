//! Finds the contacts that pass a filter.

use std::ops::{ControlFlow, Range};

use super::super::replay::Replay;
use super::LoggedImpacts;
use super::Words;
use super::filter::{Filter, Test, is_particle};
use super::scan::{count, first_row, scan};
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use jostle_h5md::record::schema::ContactRow;

/// A contact that was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Met<'a> {
    /// \[µs\]
    pub time: f64,
    /// The step, counted from 0.
    pub step: u64,
    /// The row of the log.
    pub row: &'a ContactRow,
    /// In granular runs: the kinetic energy that became heat; NaN if that is not known. \[J\]
    pub energy_lost: Option<f32>,
    /// The clusters that the two belong to as they touch, where these are asked for.
    pub clusters: [Option<u64>; 2],
}

impl Met<'_> {
    /// The particles that take part.
    pub(super) fn particles(&self) -> impl Iterator<Item = u32> {
        [Some(self.row.a), Some(self.row.b).filter(|b| is_particle(*b))].into_iter().flatten()
    }
}

/// A filter, ready to be used on a file.
pub struct Query<'a> {
    pub(super) reading: &'a Reading,
    pub(super) words: Words,
    test: Test,
    cluster: Option<u64>,
    /// \[µs\]
    time: [f64; 2],
}

impl<'a> Query<'a> {
    /// Prepares a filter.
    ///
    /// # Errors
    /// If it names a species, an outcome or a rule that the file does not have, or the file has no
    /// contact log.
    pub fn new(reading: &'a Reading, filter: &Filter) -> Result<Self, ReadError> {
        let words = Words::of(reading)?;
        let test = Test::of(filter, &words, reading)?;
        if filter.energy_lost.is_some() && !LoggedImpacts::are_in(reading) {
            return Err({
                let reason = "only granular runs log the energy that impacts lose";
                reading.too_little(reason.to_owned())
            });
        }
        let time = filter.time.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        Ok(Self { reading, words, test, cluster: filter.cluster, time })
    }

    /// Whether of the pairs that are asked for all contacts are.
    pub(super) fn has_whole_pairs(&self) -> bool {
        let always = self.time == [f64::NEG_INFINITY, f64::INFINITY];
        always && self.cluster.is_none() && self.test.has_whole_pairs()
    }

    /// 1, 2 or 3.
    pub fn dimension(&self) -> usize {
        self.reading.dimension()
    }

    /// From when to when contacts are asked for and were logged: from 0 to the last frame or the
    /// last contact at most. \[µs\]
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn span(&self) -> Result<[f64; 2], ReadError> {
        let end = self.reading.last_step()? as f64 * self.reading.timestep();
        Ok([self.time[0].clamp(0.0, end), self.time[1].clamp(0.0, end)])
    }

    /// How many contacts there are. What only depends on time is answered from the index.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn count(&self) -> Result<u64, ReadError> {
        if !self.test.is_open() {
            let mut found = 0;
            self.visit(false, |_| {
                found += 1;
                Ok(ControlFlow::Continue(()))
            })?;
            return Ok(found);
        }
        let steps = self.steps();
        // The first and the last step may be cut by the times.
        let inner = self.whole(&steps);
        let ends = [steps.start..inner.start, inner.end..steps.end];
        let mut found = count(self.reading, inner)?;
        for end in ends {
            self.visit_steps(end, false, &mut |_| {
                found += 1;
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(found)
    }

    /// How many rows a list is going to have, as far as that is known beforehand; 0 if not.
    pub(super) fn expected(&self) -> Result<u64, ReadError> {
        if self.test.is_open() { count(self.reading, self.steps()) } else { Ok(0) }
    }

    /// Calls `visit` for every contact, in the order of time, until it says to stop; with the
    /// clusters of the particles if `clusters` is set.
    ///
    /// # Errors
    /// If the file cannot be read, or `visit` fails.
    pub fn visit(
        &self,
        clusters: bool,
        mut visit: impl FnMut(Met<'_>) -> Result<ControlFlow<()>, ReadError>,
    ) -> Result<(), ReadError> {
        self.visit_steps(self.steps(), clusters, &mut visit)
    }

    fn visit_steps(
        &self,
        steps: Range<u64>,
        clusters: bool,
        visit: &mut impl FnMut(Met<'_>) -> Result<ControlFlow<()>, ReadError>,
    ) -> Result<(), ReadError> {
        let timestep = self.reading.timestep();
        let whole = self.whole(&steps);
        let mut replay = match clusters || self.cluster.is_some() {
            true => Some(Replay::begin(self.reading)?),
            false => None,
        };
        let mut impacts = match LoggedImpacts::are_in(self.reading) {
            true => LoggedImpacts::open(self.reading, first_row(self.reading, steps.start)?)?,
            false => None,
        };
        scan(self.reading, steps, |step, rows| {
            let within = whole.contains(&step);
            let lost = match &mut impacts {
                Some(impacts) => Some(impacts.of_next(rows.len())?),
                None => None,
            };
            for (n, row) in rows.iter().enumerate().filter(|(_, row)| self.test.passes(row)) {
                // A damaged file may have fewer impacts than contacts.
                let energy_lost =
                    lost.map(|lost| lost.get(n).map_or(f32::NAN, |impact| impact.energy_lost));
                if !self.test.passes_energy(energy_lost) {
                    continue;
                }
                let time = (step as f64 + f64::from(row.time)) * timestep;
                if !within && !(self.time[0]..self.time[1]).contains(&time) {
                    continue;
                }
                let mut met = Met { time, step, row, energy_lost, clusters: [None; 2] };
                if let Some(replay) = &mut replay {
                    replay.advance(step, row.time)?;
                    met.clusters = [row.a, row.b]
                        .map(|id| replay.state().cluster_of().get(&u64::from(id)).copied());
                    if self.cluster.is_some() && !met.clusters.contains(&self.cluster) {
                        continue;
                    }
                }
                if visit(met)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    /// The steps that the times asked for touch.
    fn steps(&self) -> Range<u64> {
        let timestep = self.reading.timestep();
        let first = (self.time[0] / timestep).floor().max(0.0);
        // A contact at the very end of a step has the time at which the next begins.
        let first = (first - 1.0).max(0.0) as u64;
        let last = (self.time[1] / timestep).ceil().clamp(0.0, i64::MAX as f64) as u64;
        first..last.max(first)
    }

    /// Of some steps, those that lie wholly within the times asked for.
    fn whole(&self, steps: &Range<u64>) -> Range<u64> {
        let timestep = self.reading.timestep();
        let inside = |step: u64| {
            step as f64 * timestep >= self.time[0] && (step + 1) as f64 * timestep < self.time[1]
        };
        let mut whole = steps.clone();
        while whole.start < whole.end && !inside(whole.start) {
            whole.start += 1;
        }
        while whole.start < whole.end && !inside(whole.end - 1) {
            whole.end -= 1;
        }
        whole
    }
}
