//! Where bodies are and how they move: vectors, the box and its faces, and straight paths.

mod domain;
mod path;
mod vector;

pub use domain::{Domain, Face};
pub use path::{Groups, Paths, Window};
pub use vector::Vector;
