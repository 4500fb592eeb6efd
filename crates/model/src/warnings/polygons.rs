//! What looks wrong with a polygon model.

use crate::granular::Motion;
use crate::measure::time;
use crate::polygons::{Cast, PolygonModel, cast};
use crate::{Model, Placement, PlacementMethod};
use jostle_core::parameters::polygons::{Drive, NormalLaw};
use jostle_core::space::Vector;
use jostle_core::words::{digits, length_text};

use super::Warning;

pub(super) fn warnings(model: &Model, polygons: &PolygonModel) -> Vec<Warning> {
    let cast = Cast::of_bodies(model, polygons);
    let mut list = Vec::new();
    if cast.solids.is_empty() {
        list.push(Warning::of("species", "there are no particles at the start"));
        return list;
    }
    falling(model, polygons, &mut list);
    stillness(polygons, &mut list);
    softness(model, polygons, &cast, &mut list);
    slipperiness(polygons, &mut list);
    haste(model, polygons, &cast, &mut list);
    lightness(model, polygons, &cast, &mut list);
    density(model, &cast, &mut list);
    list
}

/// Nothing holds what falls.
fn falling(model: &Model, polygons: &PolygonModel, list: &mut Vec<Warning>) {
    for k in 0..2 {
        let pull = polygons.gravity[k];
        if pull.abs() <= 1e-9 * polygons.gravity.norm() || pull == 0.0 {
            continue;
        }
        let axis = ["x", "y"][k];
        let side = 2 * k + usize::from(pull > 0.0);
        if model.space.periodic[k] {
            list.push(Warning::of(
                "gravity",
                format!(
                    "gravity acts along {axis}, where the box is periodic: particles fall forever"
                ),
            ));
        } else if !polygons.sides[side] {
            list.push(Warning::of("gravity", format!(
                "the {} of the box is open and gravity points there: particles that leave it fall forever, \
                 and are still simulated",
                crate::polygons::SIDES[side]
            )));
        }
    }
}

/// Nothing would ever happen.
fn stillness(polygons: &PolygonModel, list: &mut Vec<Warning>) {
    let rests = |motion: &Motion| match motion {
        Motion::Rest => true,
        Motion::Alike(velocity) => *velocity == [0.0; 3],
        Motion::Maxwell(speed) => *speed == 0.0,
    };
    let still = polygons
        .bodies
        .iter()
        .all(|bodies| rests(&bodies.motion) && bodies.angular_velocity == 0.0);
    let driven = polygons.walls.iter().any(|wall| wall.drive != Drive::Fixed);
    if still && !driven && polygons.gravity == Vector::ZERO {
        list.push(Warning::of(
            "species",
            "nothing moves and nothing pulls: `speed` gives particles velocities",
        ));
    }
}

/// Bodies at the bottom sink into each other under the weight of those above: of a pile as wide as
/// the box, by more than a hundredth of their size.
fn softness(model: &Model, polygons: &PolygonModel, cast: &Cast, list: &mut Vec<Warning>) {
    const MOST: f64 = 0.01;
    let gravity = polygons.gravity;
    let across = usize::from(gravity[0].abs() > gravity[1].abs());
    let count = cast.solids.len() as f64;
    let mass: f64 = (0..cast.solids.len()).map(|n| cast.mass(n)).sum();
    let size = 2.0 * (0..cast.solids.len()).map(|n| cast.reach(n)).sum::<f64>() / count;
    let weight = mass * gravity.norm() * size / model.space.edges[across];
    // Two faces half as wide as the contact is long: the force is Y w²/l² (gradient) or Y w/l
    // (area) times the depth.
    let share = match polygons.law.normal {
        NormalLaw::Gradient => 0.25,
        NormalLaw::Area => 0.5,
    };
    let stiffness = polygons.law.stiffness * share;
    let sinks = weight / stiffness / size;
    if sinks > MOST {
        // 1 N/m is 1e-12 kg/µs².
        let needed = polygons.law.stiffness * sinks / MOST * 1e12;
        list.push(Warning::of("contact.stiffness", format!(
            "at the bottom of a pile as wide as the box, particles would overlap by {} % of their size: \
             `stiffness` = \"{} N/m\" makes it 1 %",
            digits(100.0 * sinks, 2),
            digits(needed, 2)
        )));
    }
}

/// Without friction nothing piles up.
fn slipperiness(polygons: &PolygonModel, list: &mut Vec<Warning>) {
    let law = &polygons.law;
    if polygons.gravity != Vector::ZERO && law.friction == 0.0 && law.wall_friction == 0.0 {
        list.push(Warning::of(
            "contact.friction",
            "there is no friction (`friction = 0`): slopes flow until they are level",
        ));
    }
}

/// What moves far in one step overlaps deeply before it is noticed.
fn haste(model: &Model, polygons: &PolygonModel, cast: &Cast, list: &mut Vec<Warning>) {
    const MOST: f64 = 0.01;
    let smallest = (0..cast.solids.len()).map(|n| cast.reach(n)).fold(f64::INFINITY, f64::min);
    let mut tell = |key: String, what: String, speed: f64| {
        let step = speed * model.run.timestep;
        if step > MOST * smallest {
            list.push(Warning::of(key, format!(
                "{what} moves {} in a time step, more than a hundredth of the smallest particle's radius, {}: {} \
                 would do",
                length_text(step),
                length_text(smallest),
                time(MOST * smallest / speed)
            )));
        }
    };
    for (species, bodies) in model.species.iter().zip(&polygons.bodies) {
        let speed = match bodies.motion {
            Motion::Rest => 0.0,
            Motion::Alike([x, y, _]) => Vector([x, y]).norm(),
            Motion::Maxwell(speed) => speed,
        };
        tell(format!("species.{}", species.name), species.name.clone(), speed);
    }
    for wall in &polygons.walls {
        let speed = match wall.drive {
            Drive::Fixed | Drive::Force { .. } => 0.0,
            Drive::Velocity(velocity) => velocity.norm(),
            Drive::Rotation { centre, angular_velocity } => {
                angular_velocity.abs() * wall.reach_from(centre)
            }
            Drive::Oscillation { amplitude, frequency, .. } => {
                std::f64::consts::TAU * frequency * amplitude.norm()
            }
        };
        tell(format!("wall.{}", wall.name), format!("the wall \"{}\"", wall.name), speed);
    }
}

/// A wall that a force drives feels all that press on it at once, and is followed in the same steps
/// as they.
fn lightness(model: &Model, polygons: &PolygonModel, bodies: &Cast, list: &mut Vec<Warning>) {
    // What the predictor and corrector follow safely, of a rate that they stand to 0.16.
    const MOST: f64 = 0.1;
    let count = bodies.solids.len() as f64;
    let mass = (0..bodies.solids.len()).map(|n| bodies.mass(n)).sum::<f64>() / count;
    let size = 2.0 * (0..bodies.solids.len()).map(|n| bodies.reach(n)).sum::<f64>() / count;
    // Each presses with a face as wide as half of the contact's length.
    let each = 0.25 * polygons.law.damping.max(0.1) * (polygons.law.stiffness * mass).sqrt();
    let all = cast(model, polygons);
    for (wall, name) in all.walls.iter().zip(&all.names) {
        let Drive::Force { mass, .. } = wall.drive else { continue };
        let beside = (2.0 * all.outlines[wall.outline as usize].circumradius() / size).ceil();
        let least = beside * each * model.run.timestep / MOST;
        if mass < least {
            list.push(Warning::of(format!("wall.{name}"), format!(
                "the wall \"{name}\" has a mass of {} kg, too little compared with the {beside} particles that can \
                 press on it at once to be followed in steps of {}; use {} kg, or shorter steps",
                digits(mass, 2),
                time(model.run.timestep),
                digits(least, 2)
            )));
        }
    }
}

fn density(model: &Model, cast: &Cast, list: &mut Vec<Warning>) {
    // Random sequential addition of disks jams near 0.547; of long bodies far below.
    const JAMS: f64 = 0.5;
    let area: f64 = (0..cast.solids.len()).map(|n| cast.area(n)).sum();
    let share = area / (model.space.edges[0] * model.space.edges[1]);
    let random = |p: &Placement| matches!(p.how, PlacementMethod::Random { .. });
    if share > JAMS && model.placement.iter().any(random) {
        list.push(Warning::of("species", format!(
            "the particles fill {share:.3} of the box, near or beyond what random placement reaches; `placement = \
             {{ lattice = N }}` packs denser"
        )));
    }
}
