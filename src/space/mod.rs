//! Where bodies are, how they move and what they look like: vectors, the box and its faces,
//! straight paths within a window, flights in continuous time, convex polygons, closed meshes.

mod domain;
mod flight;
pub(crate) mod mesh;
mod outline;
mod path;
mod polygon;
mod pose;
mod serial;
mod vector;

pub use domain::{Domain, Face, MOST_PERIODS, periods_in_all};
pub use flight::{Flight, Flights, first_reach};
pub use mesh::{Mesh, MeshError, Nearest};
pub use outline::{Ellipse, Outline};
pub use path::{Groups, Path, Paths, Window};
pub(crate) use polygon::cross;
pub use polygon::{Polygon, PolygonFault, centroid};
pub use pose::Pose;
pub(crate) use serial::holds;
pub use serial::{array, rows};
pub use vector::Vector;
