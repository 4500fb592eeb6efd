//! Walls: where they are and how they move.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use super::gear::Gear;
use jostle_core::parameters::polygons::{Drive, PlacedWall};
use jostle_core::space::Vector;

/// A wall on its way.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    pub(super) wall: PlacedWall,
    /// Whether it is there.
    pub(super) present: bool,
    /// Of a wall that a force drives: how far it has come along its line.
    servo: Option<Servo>,
}

#[derive(Clone, Debug)]
struct Servo {
    /// Unit vector of the force.
    line: Vector<2>,
    /// \[nm/µs²\]
    push: f64,
    gear: Gear<1>,
}

/// What changes of a wall besides its place.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct KeptWall {
    present: bool,
    /// Of a wall that a force drives.
    gear: Option<Gear<1>>,
}

/// Where a wall is, and its velocity and angular velocity. \[nm\], \[rad\], \[nm/µs\], \[rad/µs\]
pub(super) struct WallMotion {
    pub(super) position: Vector<2>,
    pub(super) angle: f64,
    pub(super) velocity: Vector<2>,
    pub(super) angular_velocity: f64,
}

impl Standing {
    /// At time 0.
    pub(super) fn new(wall: PlacedWall, dt: f64) -> Self {
        let servo = match wall.drive {
            Drive::Force { force, mass } => {
                let strength = force.norm();
                let push = strength / mass;
                let gear = Gear::new([0.0], [0.0], [push], dt);
                Some(Servo { line: force * (1.0 / strength), push, gear })
            }
            _ => None,
        };
        Self { present: wall.opens_at.is_none_or(|time| time > 0.0), wall, servo }
    }

    /// What is to be kept of it.
    pub(super) fn kept(&self) -> KeptWall {
        KeptWall { present: self.present, gear: self.servo.as_ref().map(|servo| servo.gear) }
    }

    /// Takes up what was kept of it. Whether that was of such a wall.
    pub(super) fn resume(&mut self, kept: KeptWall) -> bool {
        self.present = kept.present;
        match (&mut self.servo, kept.gear) {
            (Some(servo), Some(gear)) => {
                servo.gear = gear;
                gear.is_finite()
            }
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether it moves; a wall that is gone stays where it was.
    pub(super) fn is_driven(&self) -> bool {
        self.present && self.wall.drive != Drive::Fixed
    }

    /// A step begins.
    pub(super) fn predict(&mut self) {
        if let Some(servo) = &mut self.servo {
            servo.gear.predict();
        }
    }

    /// Contacts press on it with `force()`.
    pub(super) fn correct(&mut self, force: impl FnOnce() -> Vector<2>, dt: f64) {
        if let (Some(servo), Drive::Force { mass, .. }) = (&mut self.servo, self.wall.drive) {
            servo.gear.correct([servo.push + force().dot(servo.line) / mass], dt);
        }
    }

    /// Where it is at a time \[µs\]; one that a force drives is where its last step has led.
    pub(super) fn motion(&self, time: f64, dt: f64) -> WallMotion {
        let PlacedWall { position, angle, .. } = self.wall;
        let mut motion =
            WallMotion { position, angle, velocity: Vector::ZERO, angular_velocity: 0.0 };
        match self.wall.drive {
            Drive::Fixed => {}
            Drive::Velocity(velocity) => {
                motion.position += velocity * time;
                motion.velocity = velocity;
            }
            Drive::Rotation { centre, angular_velocity } => {
                let turned = angular_velocity * time;
                let (sine, cosine) = libm::sincos(turned);
                let arm = position - centre;
                let arm =
                    Vector([cosine * arm[0] - sine * arm[1], sine * arm[0] + cosine * arm[1]]);
                motion.position = centre + arm;
                motion.angle = angle + turned;
                motion.velocity = Vector([-arm[1], arm[0]]) * angular_velocity;
                motion.angular_velocity = angular_velocity;
            }
            Drive::Oscillation { amplitude, frequency, phase } => {
                let omega = TAU * frequency;
                let (sine, cosine) = libm::sincos(omega * time + phase);
                motion.position += amplitude * sine;
                motion.velocity = amplitude * (omega * cosine);
            }
            Drive::Force { .. } => {
                if let Some(servo) = &self.servo {
                    motion.position += servo.line * servo.gear.place()[0];
                    motion.velocity = servo.line * servo.gear.velocity(dt)[0];
                }
            }
        }
        motion
    }
}
