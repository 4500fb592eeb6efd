//! Bodies and walls as contacts see them.

use serde::{Deserialize, Serialize};

use super::walls::WallMotion;
use jostle_core::space::{Pose, Vector};

/// A body or a wall as contacts see it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(from = "KeptRow", into = "KeptRow")]
pub(super) struct Row {
    pub(super) pose: Pose,
    /// \[rad\]
    pub(super) angle: f64,
    /// \[nm/µs\]
    pub(super) velocity: Vector<2>,
    /// \[rad/µs\]
    pub(super) angular_velocity: f64,
    /// No point of it has come further than this since the start. \[nm\]
    pub(super) travelled: f64,
}

/// What is kept of a row: a particle that moves gets a velocity before any particle asks for it,
/// and which does not has none.
#[derive(Serialize, Deserialize)]
struct KeptRow {
    position: Vector<2>,
    angle: f64,
    travelled: f64,
}

impl From<Row> for KeptRow {
    fn from(row: Row) -> Self {
        Self { position: row.pose.position, angle: row.angle, travelled: row.travelled }
    }
}

impl From<KeptRow> for Row {
    fn from(kept: KeptRow) -> Self {
        Self {
            pose: Pose::new(kept.position, kept.angle),
            angle: kept.angle,
            velocity: Vector::ZERO,
            angular_velocity: 0.0,
            travelled: kept.travelled,
        }
    }
}

/// What never changes of a body or a wall.
#[derive(Clone, Copy, Debug)]
pub(super) struct Make {
    pub(super) outline: u32,
    /// Of a body; infinite for walls. \[kg\]
    pub(super) mass: f64,
    /// \[kg nm²\]
    pub(super) moment_of_inertia: f64,
    /// 0 for walls. \[1/kg\]
    pub(super) inverse_mass: f64,
    /// One over the radius of a disk of the same area; 0 for walls. \[1/nm\]
    pub(super) curvature: f64,
    /// \[nm²\]
    pub(super) area: f64,
    /// The largest distance of its boundary from its centroid. \[nm\]
    pub(super) reach: f64,
    /// The coefficient of friction with bodies before it.
    pub(super) friction: f64,
}

impl Row {
    /// At the start.
    pub(super) fn new(motion: WallMotion) -> Self {
        Self {
            pose: Pose::new(motion.position, motion.angle),
            angle: motion.angle,
            velocity: motion.velocity,
            angular_velocity: motion.angular_velocity,
            travelled: 0.0,
        }
    }

    /// Moves; `reach` is the largest distance of the boundary from the centroid.
    #[inline]
    pub(super) fn go(&mut self, motion: WallMotion, reach: f64) {
        let turned = motion.angle - self.angle;
        let way = (motion.position - self.pose.position).norm() + reach * turned.abs();
        if turned == 0.0 {
            self.pose.position = motion.position;
        } else {
            self.pose = Pose::new(motion.position, motion.angle);
        }
        self.angle = motion.angle;
        self.velocity = motion.velocity;
        self.angular_velocity = motion.angular_velocity;
        if way != 0.0 {
            // Rounded upwards, so that not even a long sum of short ways is too small.
            self.travelled = (self.travelled + way) * (1.0 + 2.0 * f64::EPSILON);
        }
    }

    /// Of its material at `arm` from its centroid. \[nm/µs\]
    #[inline]
    pub(super) fn velocity_at(&self, arm: Vector<2>) -> Vector<2> {
        self.velocity + Vector([-arm[1], arm[0]]) * self.angular_velocity
    }
}
