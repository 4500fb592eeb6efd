//! Where particles are, how they move and what they look like: vectors, the box and its faces,
//! straight paths within a window, flights in continuous time, convex polygons, closed meshes.

mod dimension;
mod domain;
mod flight;
pub mod mesh;
mod orientation;
mod outline;
mod path;
mod polygon;
mod pose;
mod serial;
mod vector;

pub use dimension::of_dimension;
pub use domain::{Domain, Face, MOST_PERIODS, periods_in_all, to_whole};
pub use flight::{Flight, Flights, first_reach};
pub use mesh::{Mesh, MeshError, Nearest};
pub use orientation::{Orientation, across, any_across, vector_product};
pub use outline::{Ellipse, Outline};
pub use path::{Groups, Path, Paths, Window};
pub use polygon::cross;
pub use polygon::{Polygon, PolygonFault, centroid};
pub use pose::Pose;
#[doc(hidden)]
pub use serial::holds;
pub use serial::{array, rows};
pub use vector::Vector;

/// The volume (3D), area (2D) or length (1D) of a ball.
pub fn ball_volume(dimension: usize, radius: f64) -> f64 {
    match dimension {
        1 => 2.0 * radius,
        2 => std::f64::consts::PI * radius * radius,
        _ => 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius,
    }
}
