//! Displacements by the size of the unit: what bonds hold together moves as one.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::super::lags::{Lags, MOST_ORIGINS};
use super::super::scope::Scope;
use super::tally::{Sums, Tally};
use jostle_h5md::reading::AT_A_TIME;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// Particles that move as one, in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Unit {
    cluster: i64,
    /// How many particles, those inside coalesced ones counted one by one.
    size: u64,
    members: u32,
    /// The first frame from which on it has been the same.
    since: usize,
    /// The centre of friction, unwrapped. \[nm\]
    centre: [f64; 3],
}

/// Goes through the frames once. Frames that later ones are compared with are held in memory, as
/// many as fit.
pub(super) fn by_size(
    reading: &Reading,
    scope: &Scope,
    lags: &Lags,
) -> Result<BTreeMap<u64, Tally>, ReadError> {
    let weights = Weights::of(reading, scope)?;
    let fit_in = AT_A_TIME / (size_of::<Unit>() / 8 * reading.slots().max(1));
    let stride = lags.frames.len().div_ceil(MOST_ORIGINS.min(fit_in.max(2)));
    let mut origins: Vec<(usize, Vec<Unit>)> = Vec::new();
    let mut tallies = BTreeMap::new();
    let mut last = Vec::new();
    for frame in 0..lags.frames.len() {
        let mut units = weights.units(reading, lags.frames.start + frame, frame)?;
        inherit(&mut units, &last);
        for (origin, earlier) in &origins {
            let lag = lags.lags.iter().position(|&lag| frame - origin == lag);
            if let Some(lag) = lag.filter(|_| lags.fits(*origin, frame)) {
                compare(earlier, &units, *origin, |unit, displacement| {
                    let tally = tallies.entry(unit.size).or_insert_with(|| Tally::new(lags));
                    let mut sums = Sums::default();
                    sums.add(displacement);
                    tally.add(lag, unit.cluster as usize, &sums);
                    if lag == 0 {
                        let (particle, ends) = (unit.cluster as usize, [*origin, frame]);
                        tally.travelled.add(particle, ends, lags.frames.len(), displacement);
                    }
                });
            }
        }
        if frame % stride == 0 {
            origins.push((frame, units.clone()));
        }
        last = units;
    }
    Ok(tallies)
}

/// What members count with.
struct Weights {
    /// None for particles that are not looked at. \[slot\]
    of_slot: Vec<Option<f64>>,
}

impl Weights {
    /// 1/D if all that are looked at have one, so that the centre is that of friction; else all
    /// alike.
    fn of(reading: &Reading, scope: &Scope) -> Result<Self, ReadError> {
        let wanted = scope.species(reading)?;
        let diffusion = reading.diffusion_coefficients().unwrap_or_default();
        let known = |s: usize| diffusion.get(s).copied().flatten().filter(|&d| d > 0.0);
        let all_known = (0..wanted.len()).filter(|&s| wanted[s]).all(|s| known(s).is_some());
        let weight = |s: usize| known(s).filter(|_| all_known).map_or(1.0, |d| 1.0 / d);
        let species = reading.named_species()?;
        let of_slot = species.into_iter().map(|s| s.filter(|&s| wanted[s]).map(weight)).collect();
        Ok(Self { of_slot })
    }

    /// The units of a frame, in the order of their clusters.
    fn units(&self, reading: &Reading, row: usize, frame: usize) -> Result<Vec<Unit>, ReadError> {
        let rows = row..row + 1;
        let data = reading.frame_data(rows.clone(), 0..reading.slots())?;
        let (_, position) = reading.unwrapped(rows, 0..reading.slots())?;
        let here = (0..reading.slots()).filter(|&slot| data.id[[0, slot]] >= 0);
        let mut members: Vec<(i64, usize)> =
            here.map(|slot| (data.cluster[[0, slot]], slot)).collect();
        members.sort_unstable();
        let mut units: Vec<Unit> = Vec::new();
        for together in members.chunk_by(|a, b| a.0 == b.0) {
            // A unit counts if all of it is looked at.
            let weight: Option<f64> = together.iter().map(|&(_, slot)| self.of_slot[slot]).sum();
            let Some(weight) = weight else {
                continue;
            };
            let mut unit = Unit {
                cluster: together[0].0,
                size: 0,
                members: together.len() as u32,
                since: frame,
                centre: [0.0; 3],
            };
            for &(_, slot) in together {
                unit.size += data.coalesced[[0, slot]].max(1) as u64;
                let share = self.of_slot[slot].unwrap_or(0.0) / weight;
                for axis in 0..3 {
                    unit.centre[axis] += share * position[[0, slot, axis]];
                }
            }
            units.push(unit);
        }
        Ok(units)
    }
}

/// Calls `meet` for each unit that two frames have in common.
fn in_common(earlier: &[Unit], later: &mut [Unit], mut meet: impl FnMut(&Unit, &mut Unit)) {
    let (mut i, mut j) = (0, 0);
    while i < earlier.len() && j < later.len() {
        match earlier[i].cluster.cmp(&later[j].cluster) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                meet(&earlier[i], &mut later[j]);
                (i, j) = (i + 1, j + 1);
            }
        }
    }
}

/// Units that were the same in the frame before have been so for as long as they had then.
fn inherit(units: &mut [Unit], before: &[Unit]) {
    in_common(before, units, |was, is| {
        if (was.size, was.members) == (is.size, is.members) {
            is.since = was.since;
        }
    });
}

/// Tells the displacement of each unit that has been the same since the frame `origin`.
fn compare(earlier: &[Unit], later: &[Unit], origin: usize, mut tell: impl FnMut(&Unit, [f64; 3])) {
    let mut kept: Vec<Unit> = later.iter().filter(|unit| unit.since <= origin).copied().collect();
    in_common(earlier, &mut kept, |from, to| {
        tell(to, [0, 1, 2].map(|axis| to.centre[axis] - from.centre[axis]));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(cluster: i64, size: u64, x: f64) -> Unit {
        Unit { cluster, size, members: size as u32, since: 0, centre: [x, 0.0, 0.0] }
    }

    #[test]
    fn only_units_that_stayed_the_same_are_compared() {
        let first = [unit(1, 1, 0.0), unit(2, 2, 0.0), unit(5, 1, 0.0)];
        let mut second = [unit(1, 1, 3.0), unit(2, 3, 3.0), unit(7, 1, 3.0)];
        second.iter_mut().for_each(|unit| unit.since = 1);
        inherit(&mut second, &first);
        assert_eq!(second.map(|unit| unit.since), [0, 1, 1]);
        let mut reported = Vec::new();
        compare(&first, &second, 0, |unit, moved| reported.push((unit.cluster, moved)));
        assert_eq!(reported, [(1, [3.0, 0.0, 0.0])]);
    }
}
