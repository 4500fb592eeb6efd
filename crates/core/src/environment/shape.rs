//! What a surface looks like, and when a particle on a straight path meets it.

use std::sync::Arc;

use crate::narrow::{Ends, Rod, SurfaceMeeting, first_contact_on, leaves_ball, mesh_contact};
use crate::rules::Encounter;
use crate::space::mesh::Mesh;
use crate::space::{Domain, Path, Vector};

/// The shape of a surface. It has two sides: `inside`, and the other. Above a plane is inside.
///
/// ```
/// use jostle_core::environment::Shape;
/// use jostle_core::space::{Domain, Vector};
/// use std::f64::consts::PI;
///
/// let domain = Domain::new([20.0; 3], [true; 3]);
/// let ball = Shape::Ball { centre: Vector([2.0, 10.0, 10.0]), radius: 5.0 };
/// assert!((ball.volume(&[20.0; 3]) - 4.0 / 3.0 * PI * 125.0).abs() < 1e-9);
/// // It reaches through the periodic face.
/// assert!(ball.is_inside(&domain, Vector([18.0, 10.0, 10.0])));
/// assert_eq!(ball.distance(&domain, Vector([19.0, 10.0, 10.0])), 2.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Shape<const D: usize> {
    /// All points with one coordinate the same. Along a periodic axis the two sides of a plane are
    /// one region, and the plane is what one has to cross to get round.
    Plane {
        /// The axis that it is normal to.
        axis: usize,
        /// Where. \[nm\]
        at: f64,
    },
    /// A sphere; in two dimensions a circle.
    Ball {
        /// \[nm\]
        centre: Vector<D>,
        /// \[nm\]
        radius: f64,
    },
    /// A closed mesh: triangles in space, segments in the plane.
    Mesh(Arc<Mesh<D>>),
    /// A rod along an axis.
    Rod {
        /// \[nm\]
        centre: Vector<D>,
        /// Its measures.
        rod: Rod,
    },
}

impl<const D: usize> Shape<D> {
    /// When a ball on a path first comes as near to the surface as `margin`, before `end`; in
    /// window time, not counted from the path's start.
    pub fn met_by(
        &self,
        domain: &Domain<D>,
        path: &Path<D>,
        margin: f64,
        end: f64,
    ) -> Option<SurfaceMeeting<D>> {
        let remaining = end - path.since;
        let met = match self {
            Self::Plane { axis, at } => plane(domain, path, *axis, *at, margin),
            Self::Ball { centre, radius } => {
                let from_centre = domain.nearest_image(path.position - *centre);
                if from_centre.norm_squared() > radius * radius {
                    return from_outside(domain, path, *centre, *radius, margin, end);
                }
                let time = leaves_ball(from_centre, path.velocity, (radius - margin).max(0.0));
                let inwards = |x: Vector<D>| x * (-1.0 / x.norm().max(f64::MIN_POSITIVE));
                time.is_finite().then(|| SurfaceMeeting {
                    time,
                    normal: inwards(from_centre + path.velocity * time),
                })
            }
            Self::Rod { centre, rod } => {
                let from_centre = domain.nearest_image(path.position - *centre);
                if rod.distance(from_centre).0 <= 0.0 {
                    rod.left_by(from_centre, path.velocity, margin)
                } else {
                    let reach = margin + path.velocity.norm() * remaining;
                    let mut first: Option<SurfaceMeeting<D>> = None;
                    for_images(domain, from_centre, &|k| rod.extent(k) + reach, &mut |x| {
                        let met = rod.met_by(x, path.velocity, margin, remaining);
                        first = earlier(first, met);
                    });
                    first
                }
            }
            Self::Mesh(mesh) => return mesh_met_by(mesh, domain, path, margin, end),
        };
        let met = met.filter(|met| met.time <= remaining)?;
        Some(SurfaceMeeting { time: path.since + met.time, ..met })
    }

    /// Whether a point is farther from the surface than `reach`, by a cheap test that misses some; of planes and meshes it
    /// misses all.
    #[inline]
    pub(super) fn is_farther_than(&self, reach: f64, domain: &Domain<D>, point: Vector<D>) -> bool {
        match self {
            Self::Plane { .. } | Self::Mesh(_) => false,
            Self::Ball { centre, radius } => {
                let square = domain.nearest_image(point - *centre).norm_squared();
                let (inner, outer) = ((radius - reach).max(0.0), radius + reach);
                square < inner * inner || square > outer * outer
            }
            Self::Rod { centre, rod } => {
                let x = domain.nearest_image(point - *centre);
                (0..D).any(|k| x[k].abs() > rod.extent(k) + reach) || rod.is_deep_inside(x, reach)
            }
        }
    }

    /// How far a point is from the surface.
    pub fn distance(&self, domain: &Domain<D>, point: Vector<D>) -> f64 {
        match self {
            Self::Plane { axis, at } => {
                let mut apart = Vector::ZERO;
                apart[*axis] = point[*axis] - at;
                domain.nearest_image(apart)[*axis].abs()
            }
            Self::Ball { centre, radius } => {
                (domain.nearest_image(point - *centre).norm() - radius).abs()
            }
            Self::Rod { centre, rod } => {
                rod.distance(domain.nearest_image(point - *centre)).0.abs()
            }
            Self::Mesh(mesh) => {
                nearest_on(mesh, domain, point).map_or(f64::INFINITY, |(_, off)| off.norm())
            }
        }
    }

    /// Whether a point is on the inner side; above a plane, up to half the box away along a
    /// periodic axis.
    pub fn is_inside(&self, domain: &Domain<D>, point: Vector<D>) -> bool {
        match self {
            Self::Plane { axis, at } => {
                let mut apart = Vector::ZERO;
                apart[*axis] = point[*axis] - at;
                domain.nearest_image(apart)[*axis] >= 0.0
            }
            Self::Ball { centre, radius } => {
                domain.nearest_image(point - *centre).norm_squared() <= radius * radius
            }
            Self::Rod { centre, rod } => {
                rod.distance(domain.nearest_image(point - *centre)).0 <= 0.0
            }
            Self::Mesh(mesh) => mesh.contains(near(mesh, domain, point)),
        }
    }

    /// The unit vector at a point near the surface that points from the inside to the outside;
    /// down, at a plane.
    pub fn outwards(&self, domain: &Domain<D>, point: Vector<D>) -> Vector<D> {
        match self {
            Self::Plane { axis, .. } => {
                let mut down = Vector::ZERO;
                down[*axis] = -1.0;
                down
            }
            Self::Ball { centre, .. } => {
                let from_centre = domain.nearest_image(point - *centre);
                from_centre * (1.0 / from_centre.norm().max(f64::MIN_POSITIVE))
            }
            Self::Rod { centre, rod } => rod.distance(domain.nearest_image(point - *centre)).1,
            Self::Mesh(mesh) => {
                let Some((inside, off)) = nearest_on(mesh, domain, point) else {
                    return Vector::ZERO;
                };
                if off.norm() <= 64.0 * domain.rounding() {
                    return mesh.outwards(near(mesh, domain, point));
                }
                off * (if inside { -1.0 } else { 1.0 } / off.norm().max(f64::MIN_POSITIVE))
            }
        }
    }

    /// How sharply a particle inside is turned round which goes along the surface; 0 where it is
    /// flat. \[1/nm\]
    pub(super) fn curvature(&self) -> f64 {
        match self {
            Self::Plane { .. } | Self::Mesh(_) => 0.0,
            Self::Ball { radius, .. } => 1.0 / radius,
            Self::Rod { rod, .. } => 1.0 / rod.radius,
        }
    }

    /// How two that live on it meet. A rod is flat along its axis, and is taken for flat.
    pub(super) fn encounter_within(&self) -> Encounter {
        let curvature = match self {
            Self::Rod { .. } => 0.0,
            Self::Plane { .. } | Self::Mesh(_) | Self::Ball { .. } => self.curvature(),
        };
        Encounter::Within { curvature }
    }

    /// The volume (3D) or area (2D) inside, in a box of these edges; of a plane, that of the box.
    /// \[nm^d\]
    pub fn volume(&self, edges: &[f64]) -> f64 {
        let ball = |d: usize, r: f64| match d {
            1 => 2.0 * r,
            2 => std::f64::consts::PI * r * r,
            _ => 4.0 / 3.0 * std::f64::consts::PI * r * r * r,
        };
        match self {
            Self::Plane { .. } => edges[..D].iter().product(),
            Self::Ball { radius, .. } => ball(D, *radius),
            Self::Rod { rod, .. } => {
                let across = ball(D - 1, rod.radius);
                match rod.ends {
                    Ends::Open => edges[rod.axis] * across,
                    Ends::Flat => 2.0 * rod.half * across,
                    Ends::Round => 2.0 * rod.half * across + ball(D, rod.radius),
                }
            }
            Self::Mesh(mesh) => mesh.volume(),
        }
    }

    /// The lowest and the highest coordinates of what is inside; none along an axis on which it has
    /// no end.
    pub fn bounds(&self, k: usize) -> Option<[f64; 2]> {
        match self {
            Self::Plane { .. } => None,
            Self::Ball { centre, radius } => Some([centre[k] - radius, centre[k] + radius]),
            Self::Rod { centre, rod } => {
                let extent = rod.extent(k);
                extent.is_finite().then_some([centre[k] - extent, centre[k] + extent])
            }
            Self::Mesh(mesh) => Some(mesh.bounds().map(|corner| corner[k])),
        }
    }
}

impl Rod {
    /// How far it goes from its centre along axis `k`. \[nm\]
    fn extent(&self, k: usize) -> f64 {
        match (k == self.axis, self.ends) {
            (false, _) => self.radius,
            (true, Ends::Round) => self.half + self.radius,
            (true, Ends::Flat) => self.half,
            (true, Ends::Open) => f64::INFINITY,
        }
    }
}

/// A plane, from either side. Faces of the box are met at the same moment to the bit.
fn plane<const D: usize>(
    domain: &Domain<D>,
    path: &Path<D>,
    axis: usize,
    at: f64,
    margin: f64,
) -> Option<SurfaceMeeting<D>> {
    let (x, v) = (path.position[axis], path.velocity[axis]);
    if v == 0.0 {
        return None;
    }
    let gap = if domain.is_periodic(axis) {
        let edge = domain.edges()[axis];
        let above = (x - at) - edge * ((x - at) / edge).floor();
        if v > 0.0 { edge - above - margin } else { above - margin }
    } else if (v > 0.0) == (x < at) {
        if v > 0.0 { at - margin - x } else { x - margin - at }
    } else {
        return None;
    };
    let mut normal = Vector::ZERO;
    normal[axis] = -v.signum();
    Some(SurfaceMeeting { time: gap.max(0.0) / v.abs(), normal })
}

/// A sphere from outside: as two spheres meet, the one at rest.
fn from_outside<const D: usize>(
    domain: &Domain<D>,
    path: &Path<D>,
    centre: Vector<D>,
    radius: f64,
    margin: f64,
    end: f64,
) -> Option<SurfaceMeeting<D>> {
    let at_rest = Path { position: centre, velocity: Vector::ZERO, since: 0.0, radius };
    let met = first_contact_on(domain, &at_rest, &Path { radius: margin, ..*path }, end, true)?;
    Some(SurfaceMeeting { time: met.time, normal: met.separation * (1.0 / met.separation.norm()) })
}

fn earlier<const D: usize>(
    first: Option<SurfaceMeeting<D>>,
    other: Option<SurfaceMeeting<D>>,
) -> Option<SurfaceMeeting<D>> {
    match (first, other) {
        (Some(a), Some(b)) => Some(if b.time < a.time { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// Calls `look` with each periodic image of a separation that comes within `extent(k)` of the
/// origin along all axes, lowest first.
fn for_images<const D: usize>(
    domain: &Domain<D>,
    separation: Vector<D>,
    extent: &dyn Fn(usize) -> f64,
    look: &mut dyn FnMut(Vector<D>),
) {
    fn along<const D: usize>(
        domain: &Domain<D>,
        separation: Vector<D>,
        extent: &dyn Fn(usize) -> f64,
        look: &mut dyn FnMut(Vector<D>),
        k: usize,
    ) {
        if k == D {
            return look(separation);
        }
        let edge = domain.edges()[k];
        let (lowest, highest) = match domain.is_periodic(k) && extent(k).is_finite() {
            true => {
                let low = ((-extent(k) - separation[k]) / edge).ceil() as i64;
                (low, ((extent(k) - separation[k]) / edge).floor() as i64)
            }
            false => (0, 0),
        };
        for image in lowest..=highest {
            let mut moved = separation;
            moved[k] += image as f64 * edge;
            along(domain, moved, extent, look, k + 1);
        }
    }
    along(domain, separation, extent, look, 0);
}

/// The image of a point that is nearest to the middle of a mesh.
pub(super) fn near<const D: usize>(
    mesh: &Mesh<D>,
    domain: &Domain<D>,
    point: Vector<D>,
) -> Vector<D> {
    let [low, high] = mesh.bounds();
    let middle = (low + high) * 0.5;
    middle + domain.nearest_image(point - middle)
}

/// Whether a point is inside a mesh, and the shortest way from its surface to the point.
fn nearest_on<const D: usize>(
    mesh: &Mesh<D>,
    domain: &Domain<D>,
    point: Vector<D>,
) -> Option<(bool, Vector<D>)> {
    let point = near(mesh, domain, point);
    let nearest = mesh.nearest(point, f64::INFINITY)?;
    Some((mesh.contains(point), point - nearest.point))
}

/// When a ball first comes as near to a mesh as `margin`, from either side; in window time.
fn mesh_met_by<const D: usize>(
    mesh: &Mesh<D>,
    domain: &Domain<D>,
    path: &Path<D>,
    margin: f64,
    end: f64,
) -> Option<SurfaceMeeting<D>> {
    let [low, high] = mesh.bounds();
    let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
    let reach = margin + path.velocity.norm() * (end - path.since);
    let mut first = None;
    let from_middle = domain.nearest_image(path.position - middle);
    for_images(domain, from_middle, &|k| half[k] + reach, &mut |x| {
        let met = mesh_contact(mesh, &Path { position: middle + x, ..*path }, margin, end);
        first =
            earlier(first, met.map(|met| SurfaceMeeting { time: met.time, normal: met.normal }));
    });
    first
}
