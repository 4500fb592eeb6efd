//! What bodies and walls look like, for runs of bodies that are not round: `/parameters/shapes`.

use hdf5::Group;
use jostle_core::named;

use super::header::{text_attribute, write_integers, write_numbers, write_pairs, write_texts};

named! {
    /// What a shape is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(i32)]
    pub enum ShapeKind {
        /// A convex polygon.
        Polygon = 0 => "polygon",
        /// An ellipse.
        Ellipse = 1 => "ellipse",
        /// A disk.
        Disk = 2 => "disk",
    }
}

/// A shape that bodies and walls may have.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// What it is.
    pub kind: ShapeKind,
    /// Counter-clockwise about the centroid, which is the origin; of an ellipse, those of the
    /// polygon through which it touches others; none of a disk. \[nm\]
    pub corners: Vec<[f64; 2]>,
    /// Of an ellipse; of a disk, its radius twice; of a polygon, the radius of its circumcircle
    /// about the centroid twice. \[nm\]
    pub semi_axes: [f64; 2],
}

/// What a file of a run of bodies with outlines needs to know besides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shapes {
    /// The shapes that there are.
    pub shapes: Vec<Shape>,
    /// The shape of each body, by identity: these count from 0, and all bodies are there from the
    /// start to the end.
    pub shape_of: Vec<u32>,
    /// By identity. \[kg\]
    pub masses: Vec<f64>,
    /// By identity, about the centroid. \[kg m²\]
    pub moments_of_inertia: Vec<f64>,
    /// The walls, in the order of their numbers.
    pub walls: Vec<WallShape>,
}

/// What a wall looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WallShape {
    /// What the model calls it.
    pub name: String,
    /// Its place among [`Shapes::shapes`].
    pub shape: u32,
}

impl Shapes {
    /// Writes the shapes and the names of the walls below `/parameters`.
    pub(super) fn write(&self, parameters: &Group) -> hdf5::Result<()> {
        let at = parameters.create_group("shapes")?;
        let mut first = vec![0];
        let mut corners = Vec::new();
        for shape in &self.shapes {
            corners.extend(&shape.corners);
            first.push(corners.len() as i32);
        }
        let kinds: Vec<i32> = self.shapes.iter().map(|shape| shape.kind as i32).collect();
        let axes: Vec<[f64; 2]> = self.shapes.iter().map(|shape| shape.semi_axes).collect();
        write_integers(&at, "first", &first)?;
        write_integers(&at, "kind", &kinds)?;
        write_texts(&at, "kinds", &ShapeKind::ALL.map(ShapeKind::name))?;
        for (name, lengths) in [("corners", &corners), ("semi_axes", &axes)] {
            let dataset = write_pairs(&at, name, lengths)?;
            text_attribute(&dataset, "unit", "nm")?;
        }
        let names: Vec<&str> = self.walls.iter().map(|wall| wall.name.as_str()).collect();
        write_texts(&parameters.create_group("walls")?, "name", &names)
    }

    /// Writes what never changes of the bodies beside their frames.
    pub(super) fn write_bodies(&self, trajectory: &Group) -> hdf5::Result<()> {
        let shapes: Vec<i32> = self.shape_of.iter().map(|&shape| shape as i32).collect();
        write_integers(trajectory, "shape", &shapes)?;
        write_numbers(trajectory, "moment_of_inertia", "kg m2", &self.moments_of_inertia)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_places_in_the_list() {
        for (n, kind) in ShapeKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, n);
        }
    }
}
