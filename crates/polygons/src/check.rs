//! What has to hold before a run.

use super::{Setup, SetupError};
use jostle_core::parameters::polygons::{
    Drive, ForceLaw, LEAST_PERIOD, STEPS_PER_CONTACT, contact_time,
};

/// Holds all numbers to be such that a run can begin.
///
/// # Errors
/// The first fault.
pub(super) fn check(setup: &Setup) -> Result<(), SetupError> {
    positive("the time step [us]", setup.timestep)?;
    law(&setup.law)?;
    finite("gravity [nm/us^2]", &setup.gravity.0)?;
    solids(setup)?;
    walls(setup)?;
    let contact = contact_time(&setup.law, &setup.outlines, &setup.solids);
    let longest = contact / STEPS_PER_CONTACT;
    if setup.timestep > longest * (1.0 + 1e-9) {
        return Err(SetupError::Timestep { timestep: setup.timestep, contact, longest });
    }
    fits(setup)
}

fn law(law: &ForceLaw) -> Result<(), SetupError> {
    positive("the stiffness of contacts [kg/us^2]", law.stiffness)?;
    not_negative("the damping of contacts", law.damping)?;
    not_negative("the coefficient of friction", law.friction)?;
    not_negative("the coefficient of friction with walls", law.wall_friction)?;
    not_negative("the coefficient of rolling friction", law.rolling)?;
    not_negative("the stiffness of the tangential spring", law.tangential)
}

fn solids(setup: &Setup) -> Result<(), SetupError> {
    for (n, solid) in setup.solids.iter().enumerate() {
        let which = format!("body {n}");
        outline(&which, solid.outline, setup)?;
        finite(&format!("the place of {which} [nm]"), &solid.position.0)?;
        finite(&format!("the velocity of {which} [nm/us]"), &solid.velocity.0)?;
        finite(&format!("the angle of {which} [rad]"), &[solid.angle])?;
        finite(&format!("the angular velocity of {which} [rad/us]"), &[solid.angular_velocity])?;
        positive(&format!("the density of {which} [kg/nm^2]"), solid.density)?;
    }
    Ok(())
}

fn walls(setup: &Setup) -> Result<(), SetupError> {
    for (n, wall) in setup.walls.iter().enumerate() {
        let which = format!("wall {n}");
        outline(&which, wall.outline, setup)?;
        finite(&format!("the place of {which} [nm]"), &wall.position.0)?;
        finite(&format!("the angle of {which} [rad]"), &[wall.angle])?;
        not_negative(
            &format!("the coefficient of friction of {which}"),
            wall.friction.unwrap_or(0.0),
        )?;
        for (what, number, is_positive) in numbers(&wall.drive) {
            let what = format!("the {what} of {which}");
            finite(&what, &[number])?;
            if is_positive {
                positive(&what, number)?;
            }
        }
        if let Some(time) = wall.opens_at.filter(|time| time.is_nan()) {
            return Err(wrong(
                &format!("the time at which {which} opens [us]"),
                time,
                "it has to be a number",
            ));
        }
    }
    Ok(())
}

/// What moves a wall, as numbers, each with whether it has to be positive.
fn numbers(drive: &Drive) -> Vec<(&'static str, f64, bool)> {
    match *drive {
        Drive::Fixed => Vec::new(),
        Drive::Velocity(v) => vec![("velocity", v[0], false), ("velocity", v[1], false)],
        Drive::Rotation { centre, angular_velocity } => vec![
            ("centre", centre[0], false),
            ("centre", centre[1], false),
            ("angular velocity", angular_velocity, false),
        ],
        Drive::Oscillation { amplitude, frequency, phase } => vec![
            ("amplitude", amplitude[0], false),
            ("amplitude", amplitude[1], false),
            ("frequency", frequency, false),
            ("phase", phase, false),
        ],
        Drive::Force { force, mass } => {
            vec![("force", force.norm(), true), ("mass", mass, true)]
        }
    }
}

/// Holds no particle to be near two images of another: contacts are between nearest images.
fn fits(setup: &Setup) -> Result<(), SetupError> {
    let reach = |n: usize| setup.outlines[setup.solids[n].outline as usize].circumradius();
    let largest = (0..setup.solids.len()).max_by(|a, b| reach(*a).total_cmp(&reach(*b)));
    let Some((body, reach)) = largest.map(|n| (n as u32, reach(n))) else {
        return Ok(());
    };
    let least = LEAST_PERIOD * reach;
    for (axis, edge) in setup.domain.edges().into_iter().enumerate() {
        if setup.domain.is_periodic(axis) && edge < least {
            return Err(SetupError::TooLarge { body, reach, edge, least });
        }
    }
    Ok(())
}

fn outline(which: &str, found: u32, setup: &Setup) -> Result<(), SetupError> {
    let count = setup.outlines.len();
    match (found as usize) < count {
        true => Ok(()),
        false => Err(SetupError::Outline { which: which.to_string(), found, count }),
    }
}

fn finite(what: &str, numbers: &[f64]) -> Result<(), SetupError> {
    match numbers.iter().find(|x| !x.is_finite()) {
        Some(x) => Err(wrong(what, *x, "it has to be a finite number")),
        None => Ok(()),
    }
}

fn positive(what: &str, x: f64) -> Result<(), SetupError> {
    let right = x.is_finite() && x > 0.0;
    if right { Ok(()) } else { Err(wrong(what, x, "it has to be a positive, finite number")) }
}

fn not_negative(what: &str, x: f64) -> Result<(), SetupError> {
    let right = x.is_finite() && x >= 0.0;
    if right { Ok(()) } else { Err(wrong(what, x, "it has to be 0 or a positive, finite number")) }
}

fn wrong(what: &str, found: f64, right: &'static str) -> SetupError {
    SetupError::Number { what: what.to_string(), found, right }
}
