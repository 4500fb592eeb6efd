//! When bodies first touch: the exact answer for two straight paths, two flights, or a path
//! and a wall; and how far apart two figures are, or how they overlap (the narrow phase).

mod flights;
pub mod polygons;
mod spheres;
mod walls;

pub use flights::{Images, flight_contact};
pub use spheres::{FirstContact, directed, first_contact, first_contact_of, first_contact_on};
pub use walls::{WallContact, wall_contact, wall_contact_on};
