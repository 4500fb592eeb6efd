//! What a model says of convex polygons: how they press on each other, and how bodies and walls are
//! placed and driven.

mod law;
mod limits;
mod rebound;
mod solid;
mod wall;

pub use law::{ForceLaw, NormalLaw, SPIN};
pub use limits::{DECAY_TIMES, LEAST_PERIOD, STEPS_PER_CONTACT, contact_time};
pub use rebound::HeadOn;
pub use solid::Solid;
pub use wall::{Drive, PlacedWall};
