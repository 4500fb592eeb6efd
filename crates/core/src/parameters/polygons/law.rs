//! What two outlines that overlap do to each other: the parameters of the force.

use crate::named;

named! {
    /// How the normal force follows from the overlap.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NormalLaw {
        /// The gradient of an energy `K A²/2` of the overlap's area `A` (Feng and Owen 2004):
        /// conservative, and so the default. `K = Y / l²`, and `l = 4 r1 r2 / (r1 + r2)` of the radii
        /// of disks of the same areas, `4 r1` against a wall.
        ///
        /// The overlap of a face that lies flush on another keeps its area if the face rocks. So a
        /// block at rest leans by about its overlap, until a corner bears it; and corners are soft,
        /// their force growing with the third power of the depth. A stack of ten blocks stands if they
        /// overlap by less than about a thousandth of their size.
        Gradient => "gradient",
        /// `Y A / l` along the normal of the chord, at the centroid of the overlap (Tillemans and
        /// Herrmann 1995): not conservative between two polygons, but it holds flush faces upright.
        Area => "area",
    }
}

/// What contacts do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceLaw {
    /// How the normal force follows from the overlap.
    pub normal: NormalLaw,
    /// `Y`: \[kg/µs²\]
    pub stiffness: f64,
    /// `gamma`: a face of width `w` that meets a wall is damped with a ratio of `gamma/2 w/l` of
    /// the critical one (Gradient), `gamma/2 sqrt(w/l)` (Area).
    pub damping: f64,
    /// Between two bodies: the tangential force is at most so much times the normal one.
    pub friction: f64,
    /// The same between a body and a wall that has none of its own.
    pub wall_friction: f64,
    /// The stiffness of the tangential spring. \[`stiffness`\]
    pub tangential: f64,
    /// Resistance to rolling, between any two: a torque of at most so much times the normal force and the
    /// reduced radius `r1 r2 / (r1 + r2)`, `r1` against a wall (Ai, Chen, Rotter and Ooi 2011, model C).
    pub rolling: f64,
}

impl ForceLaw {
    /// Whether the normal force has an energy.
    pub fn is_conservative(&self) -> bool {
        self.normal == NormalLaw::Gradient
    }
}

/// A tangential push turns a body as well as moving it: a push along the surface of a disk
/// accelerates it three times as much as one at its centre.
pub const SPIN: f64 = 3.0;
