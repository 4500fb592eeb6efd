//! When particles first touch: the exact answer for two straight paths, two flights, a path and a
//! wall, or a path and a mesh; and how far apart two figures are, or how they overlap (the narrow
//! phase).

mod abreast;
mod flights;
mod flyby;
mod meshes;
pub mod polygons;
mod shells;
mod solids;
mod spheres;
mod walls;

pub use abreast::flight_contacts;
pub use flights::{Images, flight_contact};
pub use flyby::{Flyby, flybys};
pub use meshes::{SurfaceContact, mesh_contact};
pub use shells::{ShellEdge, next_edge, next_edge_nearest, tether_end, time_after_stay};
pub use solids::{Ends, Rod, SurfaceMeeting, comes_near, leaves_ball};
pub use spheres::{
    FirstContact, directed, first_contact, first_contact_nearest, first_contact_of,
    first_contact_on,
};
pub use walls::{WallContact, wall_contact};
