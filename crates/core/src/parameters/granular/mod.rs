//! What a model says of balls that collide: what they are made of, what a collision leaves, how the
//! container is shaken, and which structure finds pairs.

mod contact_time;
mod kinetic_kind;
mod material;
mod restitution;
mod shaking;
mod trajectory;

pub use contact_time::{ContactTime, SLOWEST};
pub use kinetic_kind::KineticKind;
pub use material::{EffectiveBall, Hertz, Material};
pub use restitution::Restitution;
pub use shaking::{Displacement, Shaken, Shaking};
pub use trajectory::{Trajectory, TrajectoryClock};
