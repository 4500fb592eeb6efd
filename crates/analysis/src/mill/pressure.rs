//! The pressure of a granular run, from its collisions.

use std::collections::HashMap;

use super::energy;
use super::log::visit;
use crate::pressure::Pressure;
use crate::running::Running;
use crate::scope::{Scope, too_little};
use crate::statistics::Estimate;
use jostle_core::units::METRE;
use jostle_h5md::reading::{ReadError, Reading};
use jostle_h5md::record::schema::{ContactRow, ImpactRow, LAST_WALL};

/// Mass \[kg\] and radius \[m\] of a ball.
type Ball = [f64; 2];

/// Measures the pressure of balls in a periodic box over the intervals between frames:
/// P V = N T + ⟨Σ J R⟩/d, the sum being over all collisions in a time, J the momentum passed on, R the
/// distance of the centres, and T = 2 E/(d (N - 1)) the granular temperature, with the kinetic energy
/// E in the frame of the centre of mass.
///
/// # Errors
/// If the box has walls, no contacts were logged, fewer than two frames are within the scope, or the
/// file cannot be read.
pub(crate) fn granular_pressure(reading: &Reading, scope: &Scope) -> Result<Pressure, ReadError> {
    let dimension = reading.dimension();
    if !reading.periodic()?[..dimension].iter().all(|&is| is) {
        let reason = "the pressure is measured in boxes that are periodic along all axes: walls bear a part of it \
                      that is not measured";
        return Err(too_little(reading, reason.to_owned()));
    }
    let balls = balls(reading)?;
    let frames = scope.frames(reading, 2)?;
    let times = &reading.times()?[frames];
    let sums = virial(reading, scope, &balls, times)?;
    let found = energy(reading, scope)?;
    let (count, axes) = (balls.len() as f64, dimension as f64);
    let mass: f64 = balls.values().map(|[mass, _]| mass).sum();
    let volume: f64 =
        reading.box_edges()?[..dimension].iter().map(|edge| edge * METRE.recip()).product();
    let temperature = |frame: usize| -> Option<f64> {
        let drift: f64 =
            found.momentum.get(frame)?.iter().map(|p| p * p).sum::<f64>() / (2.0 * mass);
        Some(2.0 * (found.kinetic.get(frame)? - drift) / (axes * (count - 1.0)))
    };
    let mut running = Running::new(5);
    let (mut middles, mut series) = (Vec::new(), Vec::new());
    for (n, sum) in sums.iter().enumerate() {
        let (Some(before), Some(after)) = (temperature(n), temperature(n + 1)) else { break };
        let temperature = 0.5 * (before + after);
        let lasted = (times[n + 1] - times[n]) * MICROSECOND;
        let ideal = count * temperature / volume;
        let excess = sum / (axes * volume * lasted);
        let factor = if ideal > 0.0 { 1.0 + excess / ideal } else { 1.0 };
        running.push(&[temperature, ideal, excess, ideal + excess, factor]);
        middles.push(0.5 * (times[n] + times[n + 1]));
        series.push([ideal, excess, factor]);
    }
    let all = running.estimates();
    let [temperature, ideal, excess, total, factor] = std::array::from_fn(|n| all[n]);
    let moving =
        Estimate { mean: count, error: 0.0, samples: times.len(), independent: times.len() as f64 };
    let unit = ["N", "N/m", "Pa"][dimension - 1];
    let temperature = Some(temperature);
    Ok(Pressure {
        dimension,
        unit,
        moving,
        temperature,
        ideal,
        excess,
        total,
        factor,
        times: middles,
        series,
    })
}

/// \[s\]
const MICROSECOND: f64 = 1e-6;

/// All balls, by identity. They are there from the start to the end.
fn balls(reading: &Reading) -> Result<HashMap<u32, Ball>, ReadError> {
    let masses = reading.numbers("particles/trajectory/mass")?;
    let radii = reading.slot_radii()?;
    let data = reading.frame_data(0..1, 0..reading.slots())?;
    let all = data.id.iter().zip(masses.iter().zip(&radii)).filter(|(id, _)| **id >= 0);
    Ok(all.map(|(&id, (&mass, radius))| (id as u32, [mass, radius / METRE])).collect())
}

/// The sum of momentum passed on times distance over all collisions between two frames.
/// \[interval\] \[J s\]
fn virial(
    reading: &Reading,
    scope: &Scope,
    balls: &HashMap<u32, Ball>,
    times: &[f64],
) -> Result<Vec<f64>, ReadError> {
    let mut sums = vec![0.0; times.len() - 1];
    visit(reading, scope, |time, contact, impact| {
        let interval = times.partition_point(|&frame| frame <= time);
        let ours = interval.checked_sub(1).and_then(|n| sums.get_mut(n));
        let pair = [contact.a, contact.b].map(|id| balls.get(&id));
        if let (Some(sum), [Some(a), Some(b)], true) = (ours, pair, contact.b < LAST_WALL) {
            *sum += passed_on(contact, impact, [a, b]) * (a[1] + b[1]);
        }
    })?;
    Ok(sums)
}

/// The momentum that a collision passes on. \[kg m/s\]
fn passed_on(contact: &ContactRow, impact: &ImpactRow, [a, b]: [&Ball; 2]) -> f64 {
    let mass = a[0] * b[0] / (a[0] + b[0]);
    // 1 nm/ns is 1 m/s.
    let speed = f64::from(contact.approach);
    let energy = 0.5 * mass * speed * speed;
    if energy <= 0.0 {
        return 0.0;
    }
    let lost = (f64::from(impact.energy_lost) / energy).clamp(0.0, 1.0);
    mass * speed * (1.0 + (1.0 - lost).sqrt())
}
