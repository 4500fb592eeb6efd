//! The pressure, from the virial that contacts and edges of potentials add up to.

use std::collections::BTreeSet;

use super::mill::granular_pressure;
use super::pair_energy::is_brownian;
use super::running::Running;
use super::scope::{Scope, too_little};
use super::statistics::Estimate;
use super::surfaces::{SURFACES, model_with};
use super::tables::{Cell, Table};
use jostle_h5md::reading::{ReadError, Reading, are_tethered, virial};

/// The osmotic pressure of the particles, as in a solvent that passes the ends of the box. Averages are
/// over the intervals between frames, with errors by blocking.
#[derive(Clone, Debug, PartialEq)]
pub struct Pressure {
    /// Of the box: 1, 2 or 3 dimensions.
    pub dimension: usize,
    /// That of the pressure: kT/nm, kT/nm² or kT/nm³; in granular runs N, N/m or Pa.
    pub unit: &'static str,
    /// How many particles there are, all that are part of one rigid cluster counting as one.
    pub moving: Estimate,
    /// In granular runs: twice the kinetic energy for each degree of freedom, in the frame of the
    /// centre of mass. \[J\]
    pub temperature: Option<Estimate>,
    /// What it would be without interactions. \[unit\]
    pub ideal: Estimate,
    /// What contacts and edges add. \[unit\]
    pub excess: Estimate,
    /// Their sum. \[unit\]
    pub total: Estimate,
    /// The compressibility factor, PV/(N kT).
    pub factor: Estimate,
    /// The middles of the intervals. \[µs\]
    pub times: Vec<f64>,
    /// Ideal part, excess and compressibility factor. \[interval\]
    pub series: Vec<[f64; 3]>,
}

impl Pressure {
    /// One row for each quantity.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&["quantity", "unit", "mean", "std. error"]);
        let unit = self.unit;
        let first = match self.temperature {
            Some(temperature) => [
                Some(("particles", "", self.moving)),
                Some(("granular temperature", "J", temperature)),
            ],
            None => [Some(("particles and rigid clusters", "", self.moving)), None],
        };
        let rest = [
            ("ideal pressure", unit, self.ideal),
            ("excess pressure", unit, self.excess),
            ("pressure", unit, self.total),
            ("compressibility factor", "", self.factor),
        ];
        for (quantity, unit, found) in first.into_iter().flatten().chain(rest) {
            table.push(vec![
                Cell::from(quantity),
                unit.into(),
                found.mean.into(),
                found.error.into(),
            ]);
        }
        table
    }

    /// One row for each interval between frames.
    pub fn series_to_table(&self) -> Table {
        let unit = self.unit;
        let mut table = Table::new(&[
            "time (µs)",
            &format!("ideal ({unit})"),
            &format!("excess ({unit})"),
            &format!("pressure ({unit})"),
            "compressibility factor",
        ]);
        for (time, [ideal, excess, factor]) in self.times.iter().zip(&self.series) {
            table.push(vec![
                Cell::from(*time),
                (*ideal).into(),
                (*excess).into(),
                (ideal + excess).into(),
                (*factor).into(),
            ]);
        }
        table
    }
}

/// Measures the pressure over the intervals between the frames of the scope.
///
/// In Brownian runs P V = N kT + ⟨Σ J R⟩/d, the sum being over all contacts and edges of a step, J the momentum passed
/// on and R the distance of the centres along it (Allen and Tildesley 2017, section 2.4, for impulses). It holds at any time
/// step, since within a step particles move as those of a gas with masses 1/(2 D Δt). Granular runs have the pressure of
/// their collisions.
///
/// # Errors
/// If the run is not Brownian, an earlier version wrote it, the box has walls, surfaces or particles that
/// do not move, fewer than two frames are within the scope, or the file cannot be read.
pub fn pressure(reading: &Reading, scope: &Scope) -> Result<Pressure, ReadError> {
    let refused = |reason: &str| too_little(reading, reason.to_owned());
    if reading.is_granular() && !reading.is_gas() {
        return granular_pressure(reading, scope);
    }
    if !is_brownian(reading) {
        let reason = match reading.is_gas() {
            true => {
                "the pressure is that of Brownian and granular runs: hard disks are granular ones with a restitution of 1"
            }
            false => {
                "the pressure is that of Brownian and granular runs; polygon runs have a stress"
            }
        };
        return Err(refused(reason));
    }
    let Some(sums) = virial(reading)? else {
        return Err(refused(
            "an earlier version wrote it, without the virial: run the model again",
        ));
    };
    let dimension = reading.dimension();
    let periodic = reading.periodic()?;
    if !periodic[..dimension].iter().all(|&is| is) || model_with(reading, &[SURFACES])?.is_some() {
        let reason = "the pressure is measured in boxes that are periodic along all axes and have no surfaces: \
                      walls bear a part of it that is not measured";
        return Err(refused(reason));
    }
    let (species, tethered) = (reading.slot_species()?, are_tethered(reading)?);
    let present: BTreeSet<i32> = species.iter().copied().collect();
    let diffusion = reading.diffusion_coefficients()?;
    let fixed = present.iter().find(|&&s| {
        usize::try_from(s).is_ok_and(|s| diffusion.get(s).copied().flatten() == Some(0.0))
    });
    if let Some(&fixed) = fixed {
        let name = reading.species_name(i64::from(fixed));
        return Err(refused(&format!("{name:?} does not move, and bears a part of the pressure")));
    }
    let frames = scope.frames(reading, 2)?;
    if frames.end > sums.len() {
        return Err(reading.damaged("observables/virial/value", "it has fewer rows than frames"));
    }
    let edges = reading.box_edges()?;
    let volume: f64 = edges[..dimension].iter().product();
    let (steps, times) = (reading.steps()?, reading.times()?);
    let moving = frames.clone().map(|frame| moving_in(reading, &species, &tethered, frame));
    let moving: Vec<f64> = moving.collect::<Result<_, _>>()?;
    let mut running = Running::new(5);
    let mut found = (Vec::new(), Vec::new());
    for (n, frame) in frames.clone().skip(1).enumerate() {
        let passed = (steps[frame] - steps[frame - 1]) as f64;
        if passed <= 0.0 {
            continue;
        }
        let number = 0.5 * (moving[n] + moving[n + 1]);
        let ideal = number / volume;
        let sum = sums[frame] - sums[frame - 1];
        let excess = sum / (passed * dimension as f64 * volume);
        let factor = if number > 0.0 { 1.0 + excess / ideal } else { 1.0 };
        running.push(&[number, ideal, excess, ideal + excess, factor]);
        found.0.push(0.5 * (times[frame - 1] + times[frame]));
        found.1.push([ideal, excess, factor]);
    }
    let (times, series) = found;
    if series.is_empty() {
        return Err(refused("there is no step between its frames"));
    }
    let all = running.estimates();
    let [moving, ideal, excess, total, factor] = std::array::from_fn(|n| all[n]);
    let (unit, temperature) = (["kT/nm", "kT/nm²", "kT/nm³"][dimension - 1], None);
    Ok(Pressure {
        dimension,
        unit,
        moving,
        temperature,
        ideal,
        excess,
        total,
        factor,
        times,
        series,
    })
}

/// How many particles and rigid clusters there are in a frame, for these species of the slots and whether the
/// clusters of each species are flexible.
fn moving_in(
    reading: &Reading,
    species: &[i32],
    tethered: &[bool],
    frame: usize,
) -> Result<f64, ReadError> {
    let data = reading.frame_data(frame..frame + 1, 0..species.len())?;
    let mut single = 0;
    let mut rigid = BTreeSet::new();
    for (slot, species) in species.iter().enumerate().filter(|(slot, _)| data.id[[0, *slot]] >= 0) {
        let is_flexible = usize::try_from(*species).is_ok_and(|s| tethered.get(s) == Some(&true));
        match is_flexible {
            true => single += 1,
            false => drop(rigid.insert(data.cluster[[0, slot]])),
        }
    }
    Ok((single + rigid.len()) as f64)
}
