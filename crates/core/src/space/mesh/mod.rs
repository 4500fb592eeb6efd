//! Closed meshes: surfaces of triangles (3D) or segments (2D) that bound a solid, as obstacles and
//! containers.

mod closed;
mod crossing;
mod error;
mod facet;
mod inside;
#[cfg(test)]
pub(crate) mod samples;
mod segments;
#[cfg(test)]
mod tests;
mod tree;

use super::Vector;

pub use error::MeshError;
use error::place;
pub(crate) use facet::Facet;
use tree::BoxTree;
pub(crate) use tree::Visitor;

/// The most facets of a mesh: each has up to two nodes in a tree, which are numbered too.
const MOST: usize = 1 << 30;
/// Coordinates beyond are refused, so that areas and their squares are numbers.
const LARGEST: f64 = 1e60;

/// A closed mesh. It may consist of several surfaces, side by side or within each other: a surface
/// within another bounds a cavity, one within a cavity a solid again.
///
/// Surfaces do not cross or touch themselves or each other (except that corners may meet in 3D),
/// and all facets face out of the solid: corners run counter-clockwise as seen from without (3D),
/// or with the solid to the left (2D).
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh<const D: usize> {
    vertices: Vec<Vector<D>>,
    facets: Vec<[u32; D]>,
    tree: BoxTree<D>,
    /// Where each facet stands in the tree. \[facet\]
    in_tree: Vec<u32>,
    /// What is on the other side of each ridge. \[facet\]
    neighbours: Vec<[u32; D]>,
    /// How large all facets up to this one are together. \[facet\]
    surface_up_to: Vec<f64>,
    volume: f64,
    surface: f64,
    rounding: f64,
}

/// The point of a mesh that is nearest to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest<const D: usize> {
    /// How far away. \[length\]
    pub distance: f64,
    /// Where it is. \[length\]
    pub point: Vector<D>,
    /// The facet that it lies on; of several the one with the lowest number.
    pub facet: u32,
}

impl<const D: usize> Mesh<D> {
    /// The mesh with these vertices \[length\] and, for each facet, the numbers of its corners:
    /// three of a triangle in 3D, the two ends of a segment in 2D. Facets of one surface have to
    /// face the same side; which one does not matter. Vertices without facets are allowed and mean
    /// nothing.
    ///
    /// # Errors
    /// If there is no facet, a coordinate is not finite, a corner is no vertex, a facet is
    /// degenerate, a surface is open or branches, neighbours face different sides, or facets cross
    /// or touch each other.
    pub fn new(vertices: Vec<Vector<D>>, mut facets: Vec<[u32; D]>) -> Result<Self, MeshError> {
        check_numbers(&vertices, &facets)?;
        let largest = vertices
            .iter()
            .flat_map(|vertex| vertex.0)
            .fold(0.0, |most, x| f64::max(most, x.abs()));
        let rounding = 8.0 * f64::EPSILON * largest;
        let shapes = shapes(&vertices, &facets, rounding)?;
        let surfaces = closed::surfaces(&vertices, &facets)?;
        let mut tree = BoxTree::new(shapes.clone());
        if let Some([a, b]) = crossing::crossing(&tree, &facets, rounding) {
            return Err(MeshError::Crossing {
                facets: [a, b],
                place: place(shapes[a as usize].middle()),
            });
        }
        let volumes = orient(&shapes, &surfaces, &mut tree, &mut facets);
        let volume = volumes.iter().sum();
        let mut surface = 0.0;
        let add = |shape: &Facet<D>| {
            surface += shape.measure();
            surface
        };
        let surface_up_to = shapes.iter().map(add).collect();
        let (in_tree, neighbours) = (tree.places(), closed::neighbours(&facets));
        Ok(Self {
            vertices,
            facets,
            tree,
            in_tree,
            neighbours,
            surface_up_to,
            volume,
            surface,
            rounding,
        })
    }

    /// Where the corners are. \[length\]
    pub fn vertices(&self) -> &[Vector<D>] {
        &self.vertices
    }

    /// The corners of each facet, as numbers of vertices.
    pub fn facets(&self) -> &[[u32; D]] {
        &self.facets
    }

    /// The box around it: its lowest and its highest coordinates. \[length\]
    pub fn bounds(&self) -> [Vector<D>; 2] {
        self.tree.bounds()
    }

    /// The volume of the solid, without its cavities (in 2D, the area).
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The area of the surface (in 2D, its length).
    pub fn surface(&self) -> f64 {
        self.surface
    }

    /// A length below which two places of the mesh cannot be distinguished with certainty: 8 ulp of
    /// its largest coordinate. \[length\]
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Whether `point` lies in the solid. Of points within a few ulp of the surface, the answer may
    /// be either.
    pub fn contains(&self, point: Vector<D>) -> bool {
        inside::is_odd(&self.tree, point, |_| true)
    }

    /// Where the line through `point` along an axis meets the surface, in no order. \[length\]
    pub(crate) fn cuts_along(&self, axis: usize, point: Vector<D>) -> Vec<f64> {
        inside::cuts(&self.tree, point, axis)
    }

    /// The point of the surface nearest to `point`, if there is one not farther than `within`
    /// \[length\].
    pub fn nearest(&self, point: Vector<D>, within: f64) -> Option<Nearest<D>> {
        let far = point.0.iter().fold(0.0, |most, x| f64::max(most, x.abs()));
        let (facet, offset) =
            self.tree.nearest(point, within, self.rounding + 8.0 * f64::EPSILON * far)?;
        Some(Nearest { distance: offset.norm(), point: point - offset, facet })
    }

    /// A facet by its number.
    pub(crate) fn facet(&self, number: u32) -> &Facet<D> {
        &self.tree.facets()[self.in_tree[number as usize] as usize]
    }

    /// The facet on the other side of a ridge of this one, and which of its ridges that is.
    pub(crate) fn across(&self, facet: u32, side: usize) -> (&Facet<D>, usize) {
        let other = self.neighbours[facet as usize][side];
        // Two facets share one ridge only, or they would lie on each other.
        let back = self.neighbours[other as usize].iter().position(|&one| one == facet);
        (self.facet(other), back.unwrap_or(0))
    }

    /// The least height of a facet (in 2D its length). \[length\]
    pub fn thinnest(&self) -> f64 {
        self.tree.facets().iter().map(Facet::thickness).fold(f64::INFINITY, f64::min)
    }

    /// How long all edges are together, each counted once; in 2D, how many corners there are. \[length\]
    pub fn ridges(&self) -> f64 {
        let of = |facet: &Facet<D>| match D {
            2 => 2.0,
            _ => {
                Facet::<D>::sides().map(|[a, b]| (facet.corners[b] - facet.corners[a]).norm()).sum()
            }
        };
        0.5 * self.tree.facets().iter().map(of).sum::<f64>()
    }

    /// A place on the surface for two numbers between 0 and 1; all places are as likely if they are uniform. \[length\]
    pub fn place(&self, [u, v]: [f64; 2]) -> Vector<D> {
        let reach = u * self.surface;
        let last = self.facets.len() - 1;
        let number = self.surface_up_to.partition_point(|&up_to| up_to <= reach).min(last);
        let before = if number == 0 { 0.0 } else { self.surface_up_to[number - 1] };
        let share = ((reach - before) / (self.surface_up_to[number] - before)).clamp(0.0, 1.0);
        let corners = &self.facet(number as u32).corners;
        let along = (corners[1] - corners[0]) * if D == 2 { share } else { 1.0 };
        if D == 2 {
            return corners[0] + along;
        }
        // What is nearer than the share to the first corner has the square of it for its area.
        let down = share.sqrt();
        corners[0] + (along * (1.0 - v) + (corners[2] - corners[0]) * v) * down
    }

    /// Shows the visitor all facets in boxes that it enters.
    #[inline]
    pub(crate) fn walk(&self, visitor: &mut impl Visitor<D>) {
        self.tree.walk(visitor);
    }
}

fn check_numbers<const D: usize>(
    vertices: &[Vector<D>],
    facets: &[[u32; D]],
) -> Result<(), MeshError> {
    if !(2..=3).contains(&D) {
        return Err(MeshError::Dimension);
    }
    if facets.is_empty() {
        return Err(MeshError::Empty);
    }
    if facets.len() > MOST {
        return Err(MeshError::TooMany(facets.len()));
    }
    for (number, facet) in (0..).zip(facets) {
        if let Some(&vertex) = facet.iter().find(|&&vertex| vertex as usize >= vertices.len()) {
            return Err(MeshError::Index { facet: number, vertex, vertices: vertices.len() });
        }
    }
    for (number, vertex) in (0..).zip(vertices) {
        if !vertex.0.iter().all(|x| x.abs() < LARGEST) {
            return Err(MeshError::Coordinate { vertex: number, place: place(*vertex) });
        }
    }
    Ok(())
}

/// The facets with their places, unless their corners lie in less than a plane (a line in 2D).
fn shapes<const D: usize>(
    vertices: &[Vector<D>],
    facets: &[[u32; D]],
    rounding: f64,
) -> Result<Vec<Facet<D>>, MeshError> {
    let shape = |(number, facet): (u32, &[u32; D])| {
        let corners = facet.map(|vertex| vertices[vertex as usize]);
        let shape = Facet::new(number, corners);
        if shape.thickness() > rounding {
            return Ok(shape);
        }
        let within = if D == 2 { "at one place" } else { "on one line" };
        Err(MeshError::Degenerate { facet: number, place: corners.map(place).join(", "), within })
    };
    (0..).zip(facets).map(shape).collect()
}

/// Turns surfaces round so that all facets face out of the solid. Returns the volume that each adds
/// or, if it bounds a cavity, takes away. \[surface\]
fn orient<const D: usize>(
    shapes: &[Facet<D>],
    surfaces: &[u32],
    tree: &mut BoxTree<D>,
    facets: &mut [[u32; D]],
) -> Vec<f64> {
    let mut volumes = vec![0.0; shapes.len()];
    let [low, high] = tree.bounds();
    let middle = (low + high) * 0.5;
    for (shape, &surface) in shapes.iter().zip(surfaces) {
        volumes[surface as usize] += shape.volume_to(middle);
    }
    let mut turned = vec![false; shapes.len()];
    for surface in (0..shapes.len()).filter(|&facet| surfaces[facet] as usize == facet) {
        let from = shapes[surface].middle();
        let cavity =
            inside::is_odd(tree, from, |facet| surfaces[facet as usize] as usize != surface);
        turned[surface] = cavity == (volumes[surface] > 0.0);
        if turned[surface] {
            volumes[surface] = -volumes[surface];
        }
    }
    let turned = |facet: u32| turned[surfaces[facet as usize] as usize];
    tree.turn(turned);
    for (_, facet) in (0..).zip(facets).filter(|(number, _)| turned(*number)) {
        facet.swap(D - 2, D - 1);
    }
    volumes
}
