//! Where particles live that are confined to a surface: how their paths follow it.

use std::sync::Arc;

use super::Shape;
use super::shape::near;
use crate::narrow::{Ends, Rod};
use crate::space::mesh::Mesh;
use crate::space::{Domain, Path, Vector};

/// The surface that particles of a species are confined to with their centres.
///
/// On a plane a path is straight. On a sphere a particle goes along a great circle, in chords:
/// straight paths whose ends lie on the sphere, so that a search for first contacts sees
/// straight paths everywhere. A chord of length l lies l²/8R below the sphere at its middle;
/// `longest` bounds that. Every step ends on the sphere.
///
/// On a rod it goes along helices, which become great circles on round ends, in chords as well. A new velocity is drawn
/// for each step and followed straight along the surface; on any surface this keeps the density uniform, however
/// long the step.
///
/// On a mesh a path is straight on each facet and turns at the edges.
///
/// ```
/// use jostle_core::environment::AnchorSurface;
/// use jostle_core::space::{Domain, Vector};
/// use std::f64::consts::PI;
///
/// let domain = Domain::new([100.0; 3], [false; 3]);
/// let membrane = AnchorSurface::ball(Vector([50.0; 3]), 30.0, 2.0);
/// assert!((membrane.extent(&[100.0; 3]) - 4.0 * PI * 900.0).abs() < 1e-9);
/// // A push is felt along the surface only.
/// let pole = membrane.nearest(&domain, Vector([50.0, 50.0, 99.0]));
/// assert!((pole - Vector([50.0, 50.0, 80.0])).norm() < 1e-12);
/// let felt = membrane.tangential(&domain, pole, Vector([1.0, 0.0, 7.0]));
/// assert!((felt - Vector([1.0, 0.0, 0.0])).norm() < 1e-12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum AnchorSurface<const D: usize> {
    /// A plane normal to an axis.
    Plane {
        /// The axis.
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
        /// The longest chord. \[nm\]
        longest: f64,
    },
    /// A cylinder with round ends, or without ends.
    Rod {
        /// \[nm\]
        centre: Vector<D>,
        /// Its measures.
        rod: Rod,
        /// The longest chord. \[nm\]
        longest: f64,
    },
    /// A closed mesh: triangles in space, segments in the plane.
    Mesh(Arc<Mesh<D>>),
}

/// A particle that is off the sphere by no more than this is on it, up to rounding. \[radius\]
const ROUNDING: f64 = 1e-10;

/// Chords are counted with this much too many, so that rounding never leaves one out.
const GENEROUS: f64 = 1.0 + 1e-9;

impl<const D: usize> AnchorSurface<D> {
    /// An anchor on a sphere, for particles whose smallest radius is `least`. \[nm\]
    ///
    /// Chords stay within a thousandth of that radius of the sphere, and are a quarter of the
    /// sphere's radius at most.
    pub fn ball(centre: Vector<D>, radius: f64, least: f64) -> Self {
        Self::Ball { centre, radius, longest: longest_chord(radius, least) }
    }

    /// An anchor on a surface, for particles whose smallest radius is `least`; none on a rod with flat ends. \[nm\]
    pub fn on(shape: &Shape<D>, least: f64) -> Option<Self> {
        match shape {
            Shape::Plane { axis, at } => Some(Self::Plane { axis: *axis, at: *at }),
            Shape::Ball { centre, radius } => Some(Self::ball(*centre, *radius, least)),
            Shape::Rod { centre, rod } if rod.ends != Ends::Flat => {
                let longest = longest_chord(rod.radius, least);
                Some(Self::Rod { centre: *centre, rod: *rod, longest })
            }
            Shape::Rod { .. } => None,
            Shape::Mesh(mesh) => Some(Self::Mesh(Arc::clone(mesh))),
        }
    }

    /// Within how much of an edge of a mesh a particle is on it, up to rounding. \[nm\]
    fn slack(domain: &Domain<D>) -> f64 {
        16.0 * domain.rounding()
    }

    /// Whether it has edges.
    pub fn is_mesh(&self) -> bool {
        matches!(self, Self::Mesh(_))
    }

    /// Whether paths along it are chords.
    pub fn is_round(&self) -> bool {
        self.longest().is_some()
    }

    /// The longest chord, where paths are chords. \[nm\]
    fn longest(&self) -> Option<f64> {
        match self {
            Self::Plane { .. } | Self::Mesh(_) => None,
            Self::Ball { longest, .. } | Self::Rod { longest, .. } => Some(*longest),
        }
    }

    /// Whether `place` is behind the face of the box on which this surface lies, where no particle can be.
    pub fn is_behind_face(&self, domain: &Domain<D>, place: Vector<D>) -> bool {
        match *self {
            Self::Plane { axis, at } if !domain.is_periodic(axis) => {
                let x = place[axis];
                at <= 0.0 && x < at || at >= domain.edges()[axis] && x > at
            }
            _ => false,
        }
    }

    /// From the sphere's centre to a point, and the distance.
    fn out<const E: usize>(
        domain: &Domain<E>,
        centre: Vector<E>,
        point: Vector<E>,
    ) -> (Vector<E>, f64) {
        let from_centre = domain.nearest_image(point - centre);
        let distance = from_centre.norm();
        let outwards = from_centre * (1.0 / distance.max(f64::MIN_POSITIVE));
        (outwards, distance)
    }

    /// The component of a vector that is tangential to the surface at `point`.
    pub fn tangential(&self, domain: &Domain<D>, point: Vector<D>, vector: Vector<D>) -> Vector<D> {
        match self {
            Self::Plane { axis, .. } => {
                let mut flat = vector;
                flat[*axis] = 0.0;
                flat
            }
            Self::Ball { centre, .. } => {
                let (outwards, _) = Self::out(domain, *centre, point);
                vector - outwards * vector.dot(outwards)
            }
            Self::Rod { centre, rod, .. } => {
                let (_, outwards) = rod.distance(domain.nearest_image(point - *centre));
                vector - outwards * vector.dot(outwards)
            }
            Self::Mesh(mesh) => mesh.tangential(near(mesh, domain, point), vector),
        }
    }

    /// The nearest point of the surface.
    pub fn nearest(&self, domain: &Domain<D>, point: Vector<D>) -> Vector<D> {
        match self {
            Self::Plane { axis, at } => {
                let mut on = point;
                on[*axis] = *at;
                on
            }
            Self::Ball { centre, radius, .. } => {
                let (mut outwards, distance) = Self::out(domain, *centre, point);
                if distance == 0.0 {
                    outwards[0] = 1.0;
                }
                point + outwards * (radius - distance)
            }
            Self::Rod { centre, rod, .. } => {
                let (distance, outwards) = rod.distance(domain.nearest_image(point - *centre));
                point - outwards * distance
            }
            Self::Mesh(mesh) => {
                let image = near(mesh, domain, point);
                let nearest = mesh.nearest(image, f64::INFINITY);
                nearest.map_or(point, |nearest| point + (nearest.point - image))
            }
        }
    }

    /// The place on the surface at `distance` in a straight line from one on it, in the direction
    /// that comes nearest to `towards`; anywhere on it if it is nowhere so far.
    pub fn go(
        &self,
        domain: &Domain<D>,
        from: Vector<D>,
        towards: Vector<D>,
        distance: f64,
    ) -> Vector<D> {
        let flat = self.tangential(domain, from, towards);
        let direction = flat * (1.0 / flat.norm().max(f64::MIN_POSITIVE));
        match self {
            Self::Plane { .. } => from + direction * distance,
            Self::Ball { centre, radius, .. } => {
                let (outwards, _) = Self::out(domain, *centre, from);
                let (sine, cosine) = half_chord(distance, *radius);
                // The chord goes down by half of the angle under which it is seen.
                from + (direction * cosine - outwards * sine) * distance
            }
            Self::Rod { .. } | Self::Mesh(_) => {
                let there = self.reach(domain, from, towards, distance);
                there.unwrap_or_else(|| self.nearest(domain, from + direction * distance))
            }
        }
    }

    /// The place on the surface at `distance` in a straight line from one that need not be on it,
    /// in the direction that comes nearest to `towards`; none if the surface is farther than that,
    /// or ends before.
    pub fn reach(
        &self,
        domain: &Domain<D>,
        from: Vector<D>,
        towards: Vector<D>,
        distance: f64,
    ) -> Option<Vector<D>> {
        let (height, stretch) = match self {
            Self::Rod { centre, rod, .. } => {
                let flat = self.tangential(domain, from, towards);
                let direction = flat * (1.0 / flat.norm().max(f64::MIN_POSITIVE));
                let way = rod.way(domain.nearest_image(from - *centre), direction, distance)?;
                return Some(from + way * distance);
            }
            Self::Mesh(mesh) => {
                let image = near(mesh, domain, from);
                let there = mesh.reach(image, towards, distance)?;
                return Some(from + (there - image));
            }
            Self::Plane { axis, at } => (from[*axis] - at, 1.0),
            Self::Ball { centre, radius, .. } => {
                let (_, from_centre) = Self::out(domain, *centre, from);
                (from_centre - radius, radius / from_centre)
            }
        };
        // By the law of cosines; on a sphere, the chord from the foot of `from`.
        let squared = (distance * distance - height * height) * stretch;
        let within = |along: &f64| match self {
            Self::Ball { radius, .. } => *along <= 2.0 * radius,
            _ => true,
        };
        let along = (squared >= 0.0).then(|| squared.sqrt()).filter(within)?;
        Some(self.go(domain, self.nearest(domain, from), towards, along))
    }

    /// Two places on the surface at `distance` from each other, around one on it: the first away
    /// from, the second in the direction that comes nearest to `towards`, each by its share of the
    /// way.
    pub fn apart(
        &self,
        domain: &Domain<D>,
        around: Vector<D>,
        towards: Vector<D>,
        distance: f64,
        shares: [f64; 2],
    ) -> [Vector<D>; 2] {
        let first = self.go(domain, around, towards * -1.0, distance * shares[0]);
        if shares[1] == 0.0 {
            return [first, around];
        }
        [
            first,
            self.go(
                domain,
                first,
                domain.nearest_image(around - first) + towards * f64::EPSILON,
                distance,
            ),
        ]
    }

    /// Its area (3D) or length (2D) in a box with these edges; 1 in one dimension, where it is a
    /// point. \[nm^(d-1)\]
    pub fn extent(&self, edges: &[f64; D]) -> f64 {
        self.extent_beside(edges, 0.0)
    }

    /// That of the places outside that are as far as `more` from it, or inside if `more` is negative; of a mesh, of
    /// those that are before a facet of a convex one. \[nm^(d-1)\]
    pub fn extent_beside(&self, edges: &[f64; D], more: f64) -> f64 {
        match self {
            Self::Plane { axis, .. } => (0..D).filter(|k| k != axis).map(|k| edges[k]).product(),
            Self::Ball { radius, .. } => {
                let radius = (radius + more).max(0.0);
                let around = 2.0 * std::f64::consts::PI * radius;
                if D == 3 { 2.0 * around * radius } else { around }
            }
            Self::Rod { rod, .. } => rod.area(D, edges[rod.axis], more),
            Self::Mesh(mesh) => mesh.surface(),
        }
    }

    /// The velocity with which a particle at `position` sets off at time `since` of the step which
    /// is to go in the direction of `velocity` with its speed: along the surface. \[nm per step\]
    pub fn steer(
        &self,
        domain: &Domain<D>,
        position: Vector<D>,
        velocity: Vector<D>,
        since: f64,
    ) -> Vector<D> {
        if let Self::Mesh(mesh) = self {
            return mesh.steer(near(mesh, domain, position), velocity, Self::slack(domain));
        }
        let flat = self.tangential(domain, position, velocity);
        let Some(longest) = self.longest() else { return flat };
        let (speed, along) = (velocity.norm(), flat.norm());
        let remaining = 1.0 - since;
        if remaining <= 0.0 {
            return Vector::ZERO;
        }
        let (outwards, below, distance) = self.foot(domain, position);
        if along == 0.0 {
            // An immobile particle that was made beside a chord, below the surface, still ends its
            // step on it.
            let is_off = below.abs() > ROUNDING * (distance + below);
            return if is_off { outwards * (below / remaining) } else { Vector::ZERO };
        }
        let chord = speed * remaining / (speed * remaining / longest).ceil().max(1.0);
        let direction = match self {
            Self::Plane { .. } | Self::Mesh(_) => None,
            Self::Rod { centre, rod, .. } => {
                let from_centre = domain.nearest_image(position - *centre);
                rod.way(from_centre, flat * (1.0 / along), chord)
            }
            Self::Ball { radius, .. } => {
                // 1 - cos of the angle about the centre under which the chord ends on the sphere.
                let versine = (chord * chord - below * below) / (2.0 * radius * distance);
                let up = below - radius * versine;
                let aside = radius * (versine * (2.0 - versine)).max(0.0).sqrt();
                let direction = outwards * (up / chord) + flat * (aside / (along * chord));
                (versine > 0.0).then_some(direction)
            }
        };
        // It may have to go less far than the surface is away: back to that.
        direction.map_or_else(|| outwards * (below / remaining), |direction| direction * speed)
    }

    /// The direction away from a round surface at a point, how far below the surface the point is, and how far from the
    /// sphere's centre or the rod's axis. \[nm\]
    fn foot(&self, domain: &Domain<D>, point: Vector<D>) -> (Vector<D>, f64, f64) {
        match self {
            Self::Plane { .. } | Self::Mesh(_) => (Vector::ZERO, 0.0, f64::INFINITY),
            Self::Ball { centre, radius, .. } => {
                let (outwards, distance) = Self::out(domain, *centre, point);
                (outwards, radius - distance, distance)
            }
            Self::Rod { centre, rod, .. } => {
                let (height, outwards) = rod.distance(domain.nearest_image(point - *centre));
                (outwards, -height, rod.radius + height)
            }
        }
    }

    /// When a particle on this path has to be steered again; never on a plane.
    pub fn turns_at(&self, domain: &Domain<D>, path: &Path<D>) -> Option<f64> {
        let Path { position, velocity, since, .. } = *path;
        if let Self::Mesh(mesh) = self {
            let place = near(mesh, domain, position);
            let until = since + mesh.until_edge(place, velocity, Self::slack(domain));
            return (until < 1.0).then_some(until);
        }
        let longest = self.longest()?;
        let remaining = 1.0 - since;
        let chords = (velocity.norm() * remaining / longest * GENEROUS).ceil();
        (chords > 1.0).then(|| since + remaining / chords)
    }

    /// By what to multiply a free displacement in space, of this width along an axis, for it to be
    /// one along the surface. On a sphere it makes the mean cosine of the angle gone in a step,
    /// along a great circle in chords that are short, what it is for diffusion there, exp(-2 D
    /// t/R²): to 10^-4 of the exponent for steps up to R, one hundredth up to 1.4 R. Arcs of a
    /// circle are what they should be as they are, and so are helices on a cylinder. On round ends nothing is done, which
    /// would disturb the density beside the straight part: D is as if larger by (s/R)²/6 there, s being the width.
    pub fn damping(&self, width: f64) -> f64 {
        let Self::Ball { radius, .. } = self else { return 1.0 };
        let squared = (width / radius).powi(2);
        if D != 3 || squared == 0.0 {
            return 1.0;
        }
        // An arc whose angle has the mean square 2 u has the mean cosine 1 - u + u²/3 - u³/15 +
        // ...; that is exp(-y) if u is this series.
        const SERIES: [f64; 5] = [1.0, -1.0 / 6.0, -1.0 / 90.0, 23.0 / 7560.0, 97.0 / 113_400.0];
        let y = squared.min(2.0);
        let u = SERIES.iter().rev().fold(0.0, |sum, term| (sum + term) * y);
        (u / squared).sqrt()
    }
}

/// The longest chord about a radius of curvature, for particles whose smallest radius is `least`. \[nm\]
fn longest_chord(radius: f64, least: f64) -> f64 {
    let sagitta = 1e-3 * least;
    let longest = (8.0 * radius * sagitta).sqrt();
    let most = 0.25 * radius;
    if longest > 0.0 { longest.min(most) } else { 0.1 * most }
}

/// Sine and cosine of half the angle under which a chord is seen from the centre.
fn half_chord(chord: f64, radius: f64) -> (f64, f64) {
    let sine = (0.5 * chord / radius).min(1.0);
    (sine, (1.0 - sine * sine).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchor() -> AnchorSurface<3> {
        AnchorSurface::ball(Vector([50.0; 3]), 20.0, 1.0)
    }

    #[test]
    fn a_particle_on_a_sphere_ends_its_step_there_having_gone_as_far_as_it_should() {
        let domain = Domain::new([100.0; 3], [true; 3]);
        let anchor = anchor();
        for speed in [1e-9, 0.01, 0.3, 1.0, 7.0] {
            let mut place = Vector([50.0, 50.0 + 12.0, 50.0 + 16.0]);
            let mut velocity = Vector([0.6 * speed, 0.64 * speed, -0.48 * speed]);
            let (mut since, mut gone, mut chords) = (0.0, 0.0, 0);
            loop {
                velocity = anchor.steer(&domain, place, velocity, since);
                assert!((velocity.norm() - speed).abs() < 1e-12 * speed);
                let path = Path { position: place, velocity, since, radius: 1.0 };
                let until = anchor.turns_at(&domain, &path).unwrap_or(1.0);
                place += velocity * (until - since);
                gone += speed * (until - since);
                chords += 1;
                since = until;
                assert!((anchor.nearest(&domain, place) - place).norm() < 1e-12, "{speed}");
                if until == 1.0 {
                    break;
                }
            }
            assert!((gone - speed).abs() < 1e-12);
            assert_eq!(chords, (speed / (8.0_f64 * 20.0 * 1e-3).sqrt()).ceil().max(1.0) as i32);
            // Along the great circle that it set out on.
            let circle = Vector([0.0, 0.6, 0.8]);
            let forth = Vector([0.6, 0.64, -0.48]);
            let out = (place - Vector([50.0; 3])) * (1.0 / 20.0);
            let angle = libm::atan2(out.dot(forth), out.dot(circle));
            assert!((angle - speed / 20.0).abs() < 2e-5 * angle, "{angle} {speed}");
        }
    }

    #[test]
    fn a_place_beside_a_particle_off_the_surface_is_on_it_and_as_far_as_it_should_be() {
        let domain = Domain::new([100.0; 3], [true; 3]);
        let plane = AnchorSurface::Plane { axis: 1, at: 50.0 };
        for anchor in [anchor(), plane] {
            for height in [-1.5, 0.0, 1e-9, 2.0, 2.999] {
                let foot = anchor.nearest(&domain, Vector([57.0, 52.0, 68.0]));
                let centre = Vector([
                    50.0,
                    if matches!(anchor, AnchorSurface::Plane { .. }) { 0.0 } else { 50.0 },
                    50.0,
                ]);
                let up = domain.nearest_image(foot - centre);
                let up = anchor_normal(&anchor, up);
                let from = foot + up * height;
                let place = anchor.reach(&domain, from, Vector([0.3, 0.5, -0.7]), 3.0).unwrap();
                assert!((place - from).norm() - 3.0 < 1e-12, "{height}");
                assert!((place - from).norm() - 3.0 > -1e-12, "{height}");
                assert!((anchor.nearest(&domain, place) - place).norm() < 1e-12, "{height}");
            }
            let far = anchor.nearest(&domain, Vector([57.0, 52.0, 68.0])) + Vector([0.0, 3.1, 0.0]);
            let far = if matches!(anchor, AnchorSurface::Plane { .. }) {
                far
            } else {
                Vector([73.1, 50.0, 50.0])
            };
            assert_eq!(anchor.reach(&domain, far, Vector([1.0, 0.0, 0.0]), 3.0), None);
        }
    }

    /// The normal of a home where `outwards` points from its centre.
    fn anchor_normal(anchor: &AnchorSurface<3>, outwards: Vector<3>) -> Vector<3> {
        match anchor {
            AnchorSurface::Plane { .. } => Vector([0.0, 1.0, 0.0]),
            _ => outwards * (1.0 / outwards.norm()),
        }
    }

    #[test]
    fn a_path_may_be_taken_up_anew_in_the_midst_of_a_chord() {
        let domain = Domain::new([100.0; 3], [true; 3]);
        let anchor = anchor();
        let start = Vector([70.0, 50.0, 50.0]);
        let velocity = anchor.steer(&domain, start, Vector([0.0, 0.3, 0.0]), 0.0);
        let path = Path { position: start, velocity, since: 0.0, radius: 1.0 };
        assert_eq!(anchor.turns_at(&domain, &path), None);
        let middle = start + velocity * 0.5;
        let again = anchor.steer(&domain, middle, velocity, 0.5);
        assert!((again - velocity).norm() < 1e-9, "{again:?} {velocity:?}");
        let turned = anchor.steer(&domain, middle, Vector([0.0, 0.0, 0.3]), 0.5);
        let end = middle + turned * 0.5;
        assert!((anchor.nearest(&domain, end) - end).norm() < 1e-12);
    }
}
