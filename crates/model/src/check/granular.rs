//! Faults that lie between the sections of a granular model.

use crate::granular::{Enclosure, GranularModel, MassLaw};
use crate::walker::Reader;
use crate::{Model, measure};
use jostle_core::parameters::granular::Shaken;
use jostle_core::words::{length_text, time_text};

const AXES: [&str; 3] = ["x", "y", "z"];

pub(super) fn check(model: &Model, granular: &GranularModel, reader: &Reader<'_>) {
    sizes(model, reader);
    cylinder(model, granular, reader);
    shaking(model, granular, reader);
    trajectory(model, granular, reader);
    periods(model, reader);
    search(model, granular, reader);
    masses(model, granular, reader);
    super::packing::check(model, reader);
}

/// Every edge holds the largest ball.
pub(super) fn sizes(model: &Model, reader: &Reader<'_>) {
    for (k, axis) in AXES
        .iter()
        .enumerate()
        .take(model.space.dimension)
        .filter(|&(k, _)| !model.space.periodic[k])
    {
        for species in &model.species {
            let diameter = 2.0 * species.radius.unwrap_or(f64::NAN);
            // In a round wall there has to be some room across.
            let round = k < 2 && model.engine.is_cylinder();
            if diameter > model.space.edges[k] || (round && diameter >= model.space.edges[k]) {
                reader.fault_at(
                    "space.edges",
                    format!(
                        "the edge along {axis} is {}, less than the diameter of {}, {}",
                        length_text(model.space.edges[k]),
                        species.name,
                        length_text(diameter)
                    ),
                );
            }
        }
    }
}

/// A cylinder stands upright in its box, with nothing that pulls or moves it sideways.
fn cylinder(model: &Model, granular: &GranularModel, reader: &Reader<'_>) {
    if granular.shape != Enclosure::Cylinder {
        return;
    }
    if model.space.dimension != 3 {
        reader.fault_at(
            "space.shape",
            "a cylinder needs three dimensions; in two, use `shape = \"box\"`",
        );
        return;
    }
    let [x, y, _] = model.space.edges;
    if x != y && !x.is_nan() && !y.is_nan() {
        reader.fault_at(
            "space.edges",
            format!(
                "the edges along x and y must both be the diameter of the cylinder, but they are {} and {}",
                length_text(x),
                length_text(y)
            ),
        );
    }
    if model.space.periodic[0] || model.space.periodic[1] {
        reader.fault_at(
            "space.boundary",
            "the wall of a cylinder is reflecting along x and y; only z can be periodic, for example \
             boundary = [\"reflecting\", \"reflecting\", \"periodic\"]",
        );
    }
    let pull = granular.gravity.acceleration;
    if pull[0] != 0.0 || pull[1] != 0.0 {
        reader.fault_at(
            "gravity.acceleration",
            "gravity is along the axis of a cylinder, which is z",
        );
    }
    if granular.shaking.is_some_and(|shaking| shaking.axis != 2) {
        reader.fault_at("shaking.axis", "a cylinder is shaken along its axis, which is z");
    }
}

/// There are walls to shake, and they go no farther than makes sense.
fn shaking(model: &Model, granular: &GranularModel, reader: &Reader<'_>) {
    let Some(shaking) = granular.shaking else {
        return;
    };
    let axis = AXES[shaking.axis];
    if model.space.periodic[shaking.axis] {
        reader.fault_at(
            "shaking",
            format!(
                "the box is periodic along {axis}: there is no wall to shake; a reflecting boundary \
                     has two"
            ),
        );
    }
    // Balls are placed in the container as it is at rest.
    let inwards = if shaking.moves(false) { shaking.start() } else { -shaking.start() };
    if shaking.walls != Shaken::All && inwards > 0.0 {
        reader.fault_at(
            "shaking.phase",
            format!(
                "the {} wall would start {} inside its rest position, where balls may be: choose a phase with \
                 which it starts there or outside, such as {}",
                shaking.walls.name(),
                length_text(inwards),
                if shaking.moves(false) { "\"-90 deg\"" } else { "\"90 deg\"" },
            ),
        );
    }
    let edge = model.space.edges[shaking.axis];
    if shaking.amplitude > 0.5 * edge {
        reader.fault_at(
            "shaking.amplitude",
            format!(
                "a wall that moves by {} either way would leave the container, which is {} long along \
                 {axis}: use at most half of that",
                length_text(shaking.amplitude),
                length_text(edge)
            ),
        );
    }
}

/// Paths are parabolas; where the acceleration changes, they are drawn anew often enough.
fn trajectory(model: &Model, granular: &GranularModel, reader: &Reader<'_>) {
    let until = model.run.duration();
    if let Some(events) = granular.trajectory {
        if events.every > until {
            reader.fault_at(
                "run.trajectory_every",
                format!(
                    "paths would be renewed every {}, but the run ends after {}",
                    time_text(events.every),
                    time_text(until)
                ),
            );
        }
        return;
    }
    let forces = [
        ("field", granular.field.is_some()),
        ("drag", granular.drag > 0.0),
        ("gravity.amplitude", granular.gravity.driven.is_some()),
    ];
    if let Some((key, _)) = forces.iter().find(|(_, there)| *there) {
        reader.fault_at(
            key,
            "this changes the acceleration of a ball in flight, so paths have to be renewed: \
             `trajectory_every` under `[run]` says how often, for example `trajectory_every = \"1 ms\"`",
        );
    }
}

/// A ball touches no other and not itself over two faces at a time.
pub(super) fn periods(model: &Model, reader: &Reader<'_>) {
    let Some(radius) = measure::largest_radius(model) else {
        return;
    };
    for k in (0..model.space.dimension).filter(|&k| model.space.periodic[k]) {
        if model.space.edges[k] <= 4.0 * radius {
            reader.fault_at(
                "space.edges",
                format!(
                    "the box is periodic along {}, so its edge must be more than twice the largest \
                     diameter, {}; it is {}",
                    AXES[k],
                    length_text(2.0 * radius),
                    length_text(model.space.edges[k])
                ),
            );
        }
    }
}

/// Not every structure is for every box.
pub(super) fn search(model: &Model, granular: &GranularModel, reader: &Reader<'_>) {
    let Some(kind) = granular.search else {
        return;
    };
    if !kind.serves(model.space.dimension) {
        reader.fault_at(
            "search.kind",
            format!(
                "\"{}\" works only in two and three dimensions, but this box has one; use \"auto\"",
                kind.name(),
            ),
        );
    }
}

/// Every ball has a mass that can be distinguished from zero, and a plausible one.
fn masses(model: &Model, granular: &GranularModel, reader: &Reader<'_>) {
    for (species, balls) in model.species.iter().zip(&granular.balls) {
        let mass = balls.mass_of(balls.radius[0]);
        if mass.is_nan() || mass >= f64::MIN_POSITIVE && balls.mass_of(balls.radius[1]).is_finite()
        {
            continue;
        }
        let key = if matches!(balls.mass, MassLaw::Given(_)) { "mass" } else { "density" };
        reader.fault_of_species(
            &species.name,
            key,
            format!("a ball would have a mass of {mass:?} kg"),
        );
    }
}
