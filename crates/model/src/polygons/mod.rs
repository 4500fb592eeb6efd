//! What a model of convex polygons says beyond boxes, species and placement. Lengths are in nm,
//! times in µs, masses in kg: a force of 1 kg nm/µs² is 1e3 N.

mod cast;
mod shape;

use jostle_core::parameters::polygons::{Drive, ForceLaw};
use jostle_core::rules::Region;
use jostle_core::space::Vector;

use super::granular::Motion;

pub use cast::{Cast, cast};
pub use shape::{Shape, regular_corners};

/// Bodies with outlines, walls, and what acts between them.
#[derive(Clone, Debug, PartialEq)]
pub struct PolygonModel {
    /// What pulls at every body alike. \[nm/µs²\]
    pub gravity: Vector<2>,
    /// What bodies that overlap do to each other.
    pub law: ForceLaw,
    /// Which sides of the box have a wall: left, right, bottom, top, as [`SIDES`] names them. Those
    /// of periodic axes have none.
    pub sides: [bool; 4],
    /// What bodies of each species are like, in the order of the model's species.
    pub bodies: Vec<Bodies>,
    /// The walls besides those of the box.
    pub walls: Vec<Barrier>,
}

/// The names of the box's own walls.
pub const SIDES: [&str; 4] = ["left", "right", "bottom", "top"];

/// What bodies of one species are like.
#[derive(Clone, Debug, PartialEq)]
pub struct Bodies {
    /// Their outline.
    pub shape: Shape,
    /// Mass per area. \[kg/nm²\]
    pub density: f64,
    /// How they are turned at the start.
    pub turned: Turned,
    /// How they move at the start.
    pub motion: Motion,
    /// How they turn at the start. \[rad/µs\]
    pub angular_velocity: f64,
    /// Where those at random or on a lattice are; none for the whole box.
    pub region: Option<Region>,
}

/// How bodies are turned at the start, counter-clockwise.
#[derive(Clone, Debug, PartialEq)]
pub enum Turned {
    /// Each by its own draw.
    Random,
    /// All alike. \[rad\]
    By(f64),
    /// Each as its place says. \[rad\]
    Each(Vec<f64>),
}

/// A wall.
#[derive(Clone, Debug, PartialEq)]
pub struct Barrier {
    /// Unlike any other wall's.
    pub name: String,
    /// What it looks like, and where.
    pub form: Form,
    /// How it moves.
    pub drive: Drive,
    /// The friction of bodies on it; none for that of all walls.
    pub friction: Option<f64>,
    /// From when on it is gone; none for never. \[µs\]
    pub opens_at: Option<f64>,
}

/// What a wall looks like, and where.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Its corners, counter-clockwise, where they are. \[nm\]
    Corners(Vec<[f64; 2]>),
    /// A shape somewhere.
    Shape {
        /// Its functional form.
        shape: Shape,
        /// Of its centroid. \[nm\]
        position: [f64; 2],
        /// \[rad\]
        angle: f64,
    },
}

impl Barrier {
    /// How far it reaches from a place. \[nm\]
    pub fn reach_from(&self, centre: Vector<2>) -> f64 {
        match &self.form {
            Form::Corners(corners) => {
                corners.iter().map(|&corner| (Vector(corner) - centre).norm()).fold(0.0, f64::max)
            }
            Form::Shape { shape, position, .. } => {
                (Vector(*position) - centre).norm() + shape.reach()
            }
        }
    }
}
