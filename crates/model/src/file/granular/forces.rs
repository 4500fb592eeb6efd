//! `[gravity]`, `[shaking]`, `[drag]` and `[field]`: what moves balls and walls.

use crate::granular::{Field, Gravity, Wave};
use crate::walker::Section;
use jostle_core::parameters::granular::Shaking;

pub(super) fn gravity(root: &Section<'_>, dimension: usize) -> Gravity {
    let section = root.table("gravity");
    let gravity = Gravity { driven: wave(&section), ..constant_gravity(&section, dimension) };
    section.finish();
    gravity
}

/// The part that does not change.
pub(in super::super) fn constant_gravity(section: &Section<'_>, dimension: usize) -> Gravity {
    let mut down = [0.0; 3];
    down[dimension - 1] = -1.0;
    let constant = section.get("acceleration").and_then(|item| {
        if item.is_list() {
            return item.components(dimension);
        }
        let strength = item.quantity()?;
        // Not -0.0, which would be written out and hashed as another number.
        Some(down.map(|part| if part == 0.0 { 0.0 } else { part * strength }))
    });
    let mut gravity =
        Gravity { acceleration: constant.unwrap_or([0.0; 3]), driven: None, direction: down };
    let strength = gravity.strength();
    if strength > 0.0 {
        gravity.direction = gravity.acceleration.map(|part| part / strength);
    }
    gravity
}

pub(super) fn shaking(root: &Section<'_>, dimension: usize) -> Option<Shaking> {
    let section = root.get("shaking")?.section()?;
    let walls = section.setting("walls");
    let along: Option<usize> = section.setting("axis");
    section.require("amplitude");
    let wave = wave(&section);
    section.finish();
    let shaking = |Wave { amplitude, frequency, phase }| Shaking {
        walls,
        axis: along.unwrap_or(dimension - 1),
        amplitude,
        frequency,
        phase,
    };
    wave.map(shaking)
}

/// `amplitude`, `frequency` and `phase`; none if there is no amplitude, or it is zero.
fn wave(section: &Section<'_>) -> Option<Wave> {
    let amplitude = section.get("amplitude");
    let frequency = section.get("frequency");
    let phase = section.setting("phase");
    let Some(item) = amplitude else {
        if let Some(item) = frequency {
            item.fault("a frequency needs an `amplitude` too");
        }
        return None;
    };
    let amplitude = item.quantity();
    let frequency = match frequency {
        Some(item) => item.quantity(),
        None => {
            section.require("frequency");
            None
        }
    };
    let wave = Wave { amplitude: amplitude?, frequency: frequency?, phase };
    (wave.amplitude > 0.0).then_some(wave)
}

pub(super) fn drag(root: &Section<'_>) -> f64 {
    let section = root.table("drag");
    let rate: Option<f64> = section.setting("rate");
    section.finish();
    rate.unwrap_or(0.0)
}

pub(super) fn field(root: &Section<'_>, dimension: usize) -> Option<Field> {
    let section = root.get("field")?.section()?;
    let centre = section.require("centre").and_then(|item| item.components(dimension));
    let rate: Option<f64> = section.setting("rate");
    section.finish();
    Some(Field { centre: centre?, rate: rate? })
}
