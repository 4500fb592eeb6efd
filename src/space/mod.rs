//! Where bodies are and how they move: vectors, the box and its faces, straight paths within a
//! window, and flights in continuous time.

mod domain;
mod flight;
mod path;
mod vector;

pub use domain::{Domain, Face};
pub use flight::{Flight, Flights, first_reach};
pub use path::{Groups, Paths, Window};
pub use vector::Vector;
