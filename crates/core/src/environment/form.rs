//! The shape of a surface whatever the number of dimensions, as model files and analyses have it.

use std::any::Any;
use std::sync::Arc;

use super::{AnchorSurface, Shape};
use crate::narrow::Rod;
use crate::space::Vector;
use crate::space::mesh::Mesh;

/// The shape of a surface; of coordinates, as many count as there are axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// All places with one coordinate the same.
    Plane {
        /// The axis that it is normal to.
        axis: usize,
        /// Where. \[nm\]
        at: f64,
    },
    /// A sphere; in two dimensions a circle.
    Ball {
        /// \[nm\]
        centre: [f64; 3],
        /// \[nm\]
        radius: f64,
    },
    /// A closed mesh of triangles, in three dimensions.
    Solid(Arc<Mesh<3>>),
    /// A closed polygon, in two dimensions.
    Outline(Arc<Mesh<2>>),
    /// A rod along an axis: a cylinder with round, flat or no ends.
    Rod {
        /// \[nm\]
        centre: [f64; 3],
        /// Its measures.
        rod: Rod,
    },
}

impl Form {
    /// As the engine has it.
    pub fn shape<const D: usize>(&self) -> Shape<D> {
        let place = |x: &[f64; 3]| Vector::from_fn(|k| x[k]);
        match self {
            Self::Plane { axis, at } => Shape::Plane { axis: *axis, at: *at },
            Self::Ball { centre, radius } => Shape::Ball { centre: place(centre), radius: *radius },
            Self::Rod { centre, rod } => Shape::Rod { centre: place(centre), rod: *rod },
            Self::Solid(mesh) => Shape::Mesh(in_dimension(mesh)),
            Self::Outline(mesh) => Shape::Mesh(in_dimension(mesh)),
        }
    }

    /// What it reaches from and to along each axis, and what volume (3D) or area (2D) is in it, in
    /// a box of these edges; of a plane, those of the box. \[nm, nm^d\]
    pub fn bounds_and_volume(&self, dimension: usize, edges: &[f64; 3]) -> ([[f64; 2]; 3], f64) {
        fn of<const D: usize>(shape: &Shape<D>, edges: &[f64; 3]) -> ([[f64; 2]; 3], f64) {
            let bounds = std::array::from_fn(|k| match k < D {
                true => shape.bounds(k).unwrap_or([0.0, edges[k]]),
                false => [0.0, edges[k]],
            });
            (bounds, shape.volume(edges))
        }
        match dimension {
            1 => of::<1>(&self.shape(), edges),
            2 => of::<2>(&self.shape(), edges),
            _ => of::<3>(&self.shape(), edges),
        }
    }

    /// The area (3D) or length (2D) of a surface that particles can live on. \[nm^(d-1)\]
    pub fn extent(&self, dimension: usize, edges: &[f64; 3]) -> f64 {
        self.extent_beside(dimension, edges, 0.0)
    }

    /// That of the places outside that are as far as `more` from it, or inside if `more` is negative. \[nm^(d-1)\]
    pub fn extent_beside(&self, dimension: usize, edges: &[f64; 3], more: f64) -> f64 {
        fn of<const D: usize>(shape: &Shape<D>, edges: &[f64; 3], more: f64) -> f64 {
            let edges = &std::array::from_fn(|k| edges[k]);
            AnchorSurface::on(shape, 0.0)
                .map_or(f64::NAN, |surface| surface.extent_beside(edges, more))
        }
        match dimension {
            1 => of::<1>(&self.shape(), edges, more),
            2 => of::<2>(&self.shape(), edges, more),
            _ => of::<3>(&self.shape(), edges, more),
        }
    }

    /// Whether it has an inside that ends somewhere, or goes through a box with periodic faces.
    pub fn is_closed(&self) -> bool {
        !matches!(self, Self::Plane { .. })
    }
}

/// A mesh of the requested dimension, which is its own: models of other dimensions have no
/// such mesh.
///
/// # Panics
/// If it is another.
fn in_dimension<const D: usize, const E: usize>(mesh: &Arc<Mesh<D>>) -> Arc<Mesh<E>> {
    let any: Arc<dyn Any + Send + Sync> = Arc::clone(mesh) as _;
    any.downcast().unwrap_or_else(|_| panic!("a mesh of {D} dimensions in {E}"))
}
