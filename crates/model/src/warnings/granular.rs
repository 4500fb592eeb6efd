//! What looks wrong with a granular model.

use crate::granular::{GranularModel, Motion, RestitutionModel};
use crate::{Model, Placement, PlacementMethod, measure};
use jostle_core::parameters::granular::ContactTime;
use jostle_core::words::{length_text, time_text};

use super::Warning;

pub(super) fn warnings(model: &Model, granular: &GranularModel) -> Vec<Warning> {
    let mut list = Vec::new();
    collapse(granular, &mut list);
    falling(model, granular, &mut list);
    stillness(model, granular, &mut list);
    coarse(granular, &mut list);
    density(model, &mut list);
    list
}

/// Inelastic collapse: infinitely many collisions in a finite time (McNamara and Young 1992).
fn collapse(granular: &GranularModel, list: &mut Vec<Warning>) {
    let law = &granular.collisions;
    let loses =
        !matches!(law.restitution, RestitutionModel::Elastic | RestitutionModel::Constant(1.0));
    if loses && law.contact_time == ContactTime::None {
        list.push(Warning::of("collisions.tc",
            "every collision loses energy, however soon it follows another (tc = \"none\"): balls that come \
             to rest on each other can collide infinitely often; `tc = \"auto\"` prevents this"
        ));
    }
}

pub(super) fn falling(model: &Model, granular: &GranularModel, list: &mut Vec<Warning>) {
    for k in (0..model.space.dimension).filter(|&k| model.space.periodic[k]) {
        if granular.gravity.acceleration[k] != 0.0 {
            let axis = ["x", "y", "z"][k];
            list.push(Warning::of(
                "gravity",
                format!("gravity acts along {axis}, where the box is periodic: balls fall forever"),
            ));
        }
    }
}

/// Nothing would ever happen.
pub(super) fn stillness(model: &Model, granular: &GranularModel, list: &mut Vec<Warning>) {
    if model.placement.iter().all(|p| p.count() == 0) {
        list.push(Warning::of("species", "there are no particles at the start"));
        return;
    }
    let rests = |motion: &Motion| match motion {
        Motion::Rest => true,
        Motion::Alike(velocity) => *velocity == [0.0; 3],
        Motion::Maxwell(speed) => *speed == 0.0,
    };
    let gravity = &granular.gravity;
    let pulled = gravity.strength() > 0.0 || gravity.driven.is_some() || granular.field.is_some();
    if !pulled
        && granular.shaking.is_none()
        && granular.balls.iter().all(|balls| rests(&balls.motion))
    {
        list.push(Warning::of(
            "species",
            "nothing moves and nothing pulls: `speed` gives balls velocities",
        ));
    }
}

/// Between two trajectory events a path is a parabola: forces that change much in between are
/// coarse.
fn coarse(granular: &GranularModel, list: &mut Vec<Warning>) {
    let Some(events) = granular.trajectory else {
        return;
    };
    let driven = granular
        .gravity
        .driven
        .map(|wave| ("gravity", "gravity oscillates", 1.0 / wave.angular_frequency()));
    let drag = (granular.drag > 0.0)
        .then(|| ("drag", "drag takes a ball's velocity", 1.0 / granular.drag));
    let field =
        granular.field.map(|field| ("field", "a ball oscillates in the field", 1.0 / field.rate));
    for (key, what, time) in [driven, drag, field].into_iter().flatten() {
        if events.every > 0.2 * time {
            list.push(Warning::of(key, format!(
                "{what} within {} or so, but paths are renewed only every {}; a tenth of the former would be enough",
                time_text(time),
                time_text(events.every)
            )));
        }
    }
}

pub(super) fn density(model: &Model, list: &mut Vec<Warning>) {
    // Random sequential addition jams near 0.38 (3D), 0.547 (2D) and 0.747 (1D).
    let jams = [0.74, 0.53, 0.36][model.space.dimension - 1];
    let phi = measure::packing_fraction(model);
    let random = |p: &Placement| {
        matches!(p.how, PlacementMethod::Random { .. } | PlacementMethod::Room { .. })
    };
    if phi > jams && model.placement.iter().any(random) {
        let largest = measure::largest_radius(model).unwrap_or(0.0);
        list.push(Warning::of("species", format!(
            "balls of up to {} radius fill {phi:.3}, which is near or beyond what random placement reaches; \
             `placement = {{ lattice = N }}` packs denser",
            length_text(largest)
        )));
    }
}
