//! What particles live in and on besides the box: surfaces that they meet, each species in its
//! manner, and surfaces that some are confined to.
//!
//! A particle meets a surface as it meets another particle: at its first contact, in order of time.
//! Within a step it moves with the velocity that was drawn for it, as in a billiard, so that
//! reflection from a surface of any shape samples the uniform equilibrium exactly at any time step.
//!
//! A particle that bounces off a surface touches it with its own surface; one that may go through
//! touches it with its centre, since it has to be half way at some time. What has no extent keeps a
//! *skin* away from surfaces, a few ulp of the box wide, so that its place says on which side it
//! is.

mod anchor;
mod crossing;
mod field;
mod form;
mod manner;
mod obstacles;
mod occupancy;
mod polyhedron;
mod rod;
mod room;
mod shape;
mod ways;

pub use anchor::AnchorSurface;
pub use crossing::Crossing;
pub use field::SurfaceField;
pub use form::Form;
pub use manner::{Adsorption, Manner, Permeability, Sorption, SurfaceRateError, absorption};
pub use occupancy::SurfaceSites;
pub use room::room;
pub use shape::Shape;
pub use ways::Ways;

use crate::rules::Encounter;
use crate::space::{Domain, Face, Path, Vector};
use obstacles::Obstacles;

/// A surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface<const D: usize> {
    /// The name that the model gives.
    pub name: String,
    /// Its shape.
    pub shape: Shape<D>,
}

/// What a particle on its path can meet, other than a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wall {
    /// A surface, by its number.
    Surface(u16),
    /// A face of the box.
    Face(Face),
    /// The end of a straight path along a round surface that it lives on, or over an edge of a mesh; there it turns.
    Turn,
    /// The place where it has climbed as much energy as it may in a [`SurfaceField`], by its number; there it
    /// bounces.
    Field(u16),
}

/// Where particles of a species live that are confined to a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Confinement<const D: usize> {
    /// The number of the surface.
    pub surface: u16,
    /// How they move on it.
    pub shape: AnchorSurface<D>,
    /// The side on which others find them: the inner one, the outer one, or both.
    pub faces: Option<bool>,
}

/// All surfaces, and how each species stands to them.
///
/// ```
/// use jostle_core::environment::{Environment, Manner, Shape, Surface};
/// use jostle_core::space::{Domain, Vector};
///
/// // A cell of radius 40 nm: proteins (species 0) stay in, ions (species 1) ignore its membrane.
/// let domain = Domain::new([100.0; 3], [false; 3]);
/// let shape = Shape::Ball { centre: Vector([50.0; 3]), radius: 40.0 };
/// let membrane = Surface { name: "membrane".to_owned(), shape };
/// let manners = vec![vec![Manner::Reflect], vec![Manner::Ignore]];
/// let cell = Environment::new(vec![membrane], manners, vec![None, None]);
/// let sticks = |species, x| cell.in_the_way(&domain, species, Vector([x, 50.0, 50.0]), 2.0);
/// assert_eq!(sticks(0, 89.0).map(|surface| surface.name.as_str()), Some("membrane"));
/// assert!(sticks(0, 87.0).is_none() && sticks(1, 89.0).is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Environment<const D: usize> {
    surfaces: Vec<Surface<D>>,
    /// \[species\]\[surface\]
    manners: Vec<Vec<Manner>>,
    /// \[species\]
    anchors: Vec<Option<Confinement<D>>>,
    has_anchors: bool,
    fields: Vec<SurfaceField<D>>,
    /// \[surface\]; empty if none has any
    sites: Vec<Option<SurfaceSites>>,
    /// \[species\]
    obstacles: Vec<Obstacles<D>>,
}

impl Wall {
    /// Whether there is something to be touched, and not only a place where a path ends.
    pub fn is_touched(self) -> bool {
        matches!(self, Self::Surface(_) | Self::Face(_))
    }
}

impl<const D: usize> Environment<D> {
    /// Nothing but the box.
    pub fn none() -> Self {
        Self::default()
    }

    /// Surfaces, what each species does at each (\[species\]\[surface\]), and on which it lives
    /// (\[species\]).
    ///
    /// # Panics
    /// If a species lacks manners for a surface.
    pub fn new(
        surfaces: Vec<Surface<D>>,
        manners: Vec<Vec<Manner>>,
        anchors: Vec<Option<Confinement<D>>>,
    ) -> Self {
        assert!(
            manners.iter().all(|of| of.len() == surfaces.len()) && manners.len() == anchors.len()
        );
        let has_anchors = anchors.iter().any(Option::is_some);
        let obstacles = manners.iter().map(|manners| Obstacles::of(&surfaces, manners)).collect();
        Self { surfaces, manners, anchors, has_anchors, obstacles, ..Self::default() }
    }

    /// Whether there is nothing but the box.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty() && self.fields.is_empty()
    }

    /// The surfaces.
    pub fn surfaces(&self) -> &[Surface<D>] {
        &self.surfaces
    }

    /// What a species does at a surface.
    #[inline]
    pub fn manner(&self, species: u16, surface: u16) -> Manner {
        self.manners[species as usize][surface as usize]
    }

    /// Where particles of a species are confined to.
    #[inline]
    pub fn anchor(&self, species: u16) -> Option<&AnchorSurface<D>> {
        Some(&self.anchors.get(species as usize)?.as_ref()?.shape)
    }

    /// The number of the surface that particles of a species are confined to.
    #[inline]
    pub fn anchored_to(&self, species: u16) -> Option<u16> {
        Some(self.anchors.get(species as usize)?.as_ref()?.surface)
    }

    /// The axis about which alone particles of a species turn: the third in two dimensions, the normal of the
    /// plane that they are confined to in three. None if they turn freely.
    pub fn turns_about(&self, species: u16) -> Option<usize> {
        match (D, self.anchor(species)) {
            (2, _) => Some(2),
            (3, Some(AnchorSurface::Plane { axis, .. })) => Some(*axis),
            _ => None,
        }
    }

    /// Whether any particle is confined to a surface.
    #[inline]
    pub fn has_anchors(&self) -> bool {
        self.has_anchors
    }

    /// How near particles without extent, and centres, get to surfaces. \[nm\]
    #[inline]
    pub fn skin(domain: &Domain<D>) -> f64 {
        16.0 * domain.rounding()
    }

    /// How near the centre of a particle of `radius` comes to a surface that it meets in this
    /// manner. \[nm\]
    #[inline]
    pub fn margin(domain: &Domain<D>, manner: Manner, radius: f64) -> f64 {
        if manner.is_by_centre() { Self::skin(domain) } else { radius.max(Self::skin(domain)) }
    }

    /// The velocity of a particle of `species` which sets off at `position` at time `since` of the
    /// step: along the surface that it is confined to. \[nm per step\]
    #[inline]
    pub fn steer(
        &self,
        domain: &Domain<D>,
        species: u16,
        position: Vector<D>,
        velocity: Vector<D>,
        since: f64,
    ) -> Vector<D> {
        match self.anchor(species) {
            None => velocity,
            Some(anchor) => anchor.steer(domain, position, velocity, since),
        }
    }

    /// The first surface that a particle of `species` with this radius would stick in at
    /// `position`.
    pub fn in_the_way(
        &self,
        domain: &Domain<D>,
        species: u16,
        position: Vector<D>,
        radius: f64,
    ) -> Option<&Surface<D>> {
        let number = (0..self.surfaces.len() as u16)
            .find(|&surface| self.sticks_in(surface, domain, species, position, radius));
        number.map(|surface| &self.surfaces[surface as usize])
    }

    /// Whether a particle of `species` with this radius would stick in this surface at `position`.
    pub fn sticks_in(
        &self,
        surface: u16,
        domain: &Domain<D>,
        species: u16,
        position: Vector<D>,
        radius: f64,
    ) -> bool {
        let manner = self.manner(species, surface);
        let margin = Self::margin(domain, manner, radius) - domain.rounding();
        manner != Manner::Ignore
            && self.surfaces[surface as usize].shape.distance(domain, position) < margin
    }

    /// Whether a surface that keeps particles of `species` from one of the two places stands
    /// between them; not the one of the number `but`.
    pub fn separates(
        &self,
        domain: &Domain<D>,
        species: u16,
        [from, to]: [Vector<D>; 2],
        but: Option<u16>,
    ) -> bool {
        let way = domain.nearest_image(to - from);
        let path = Path { position: from, velocity: way, since: 0.0, radius: 0.0 };
        (0..self.surfaces.len() as u16).filter(|&surface| Some(surface) != but).any(|surface| {
            let shape = &self.surfaces[surface as usize].shape;
            self.manner(species, surface).separates()
                && shape.met_by(domain, &path, Self::skin(domain), 1.0).is_some()
        })
    }

    /// D of a lone particle of `species` at `place`, if there are regions in which it is another:
    /// that of the last of them that the place is in. The place may be said to be on one side of a
    /// surface, by its number and whether inside. \[nm²/µs\]
    pub fn diffusion_at(
        &self,
        domain: &Domain<D>,
        species: u16,
        place: Vector<D>,
        beside: Option<(u16, bool)>,
    ) -> Option<f64> {
        let regions =
            (0..self.surfaces.len() as u16).filter_map(|n| match self.manner(species, n) {
                Manner::Cross(crossing) => Some((n, crossing)),
                _ => None,
            });
        regions.fold(None, |found, (n, crossing)| {
            let is_in = || self.surfaces[n as usize].shape.is_inside(domain, place);
            let inside = beside
                .filter(|(surface, _)| *surface == n)
                .map_or_else(is_in, |(_, inside)| inside);
            if inside { Some(crossing.inside) } else { found.or(Some(crossing.outside)) }
        })
    }

    /// Whether there is a region for which a species has an affinity.
    pub fn has_affinities(&self) -> bool {
        let attracts =
            |manner: &Manner| matches!(manner, Manner::Cross(crossing) if crossing.affinity != 1.0);
        self.manners.iter().flatten().any(attracts)
    }

    /// The energy of a particle of `species` at `place`: in the regions for which it has an affinity, and
    /// beside surfaces. \[kT\]
    pub fn energy_at(&self, domain: &Domain<D>, species: u16, place: Vector<D>) -> f64 {
        let energy = |n: u16| match self.manner(species, n) {
            Manner::Cross(Crossing { affinity, .. })
                if affinity != 1.0 && self.surfaces[n as usize].shape.is_inside(domain, place) =>
            {
                -libm::log(affinity)
            }
            _ => 0.0,
        };
        let regions: f64 = (0..self.surfaces.len() as u16).map(energy).sum();
        let beside = |field: &SurfaceField<D>| field.energy(domain, species, place);
        self.fields.iter().map(beside).fold(regions, |sum, one| sum + one)
    }

    /// Whether one of `guest` with this radius at the second place, which is not confined to the same surface, is where
    /// one of `host` at the first interacts with others: on a side that this faces. On a mesh it has to be before the
    /// plane of the facet there as well, not round the corner, as [`Encounter::Target`] has it.
    pub fn is_seen(
        &self,
        domain: &Domain<D>,
        [host, guest]: [u16; 2],
        radius: f64,
        [at, there]: [Vector<D>; 2],
    ) -> bool {
        let is_before = || match self.anchor(host) {
            Some(AnchorSurface::Mesh(_)) => {
                self.could_face(domain, [host, guest], radius, [at, there])
            }
            _ => true,
        };
        self.faces(domain, host, there) && is_before()
    }

    /// Whether a particle at `place`, which particles are not confined to the same surface, is on a
    /// side on which particles of `species` interact with others.
    pub fn faces(&self, domain: &Domain<D>, species: u16, place: Vector<D>) -> bool {
        let Some(Some(confinement)) = self.anchors.get(species as usize) else { return true };
        let shape = &self.surfaces[confinement.surface as usize].shape;
        confinement.faces.is_none_or(|inside| shape.is_inside(domain, place) == inside)
    }

    /// Where one of `product` is, with this radius, that comes off the surface on which a particle
    /// of `species` was at `place`: on the side that this one faces, or else on this one.
    pub fn lifted(
        &self,
        domain: &Domain<D>,
        product: u16,
        species: u16,
        radius: f64,
        (place, inside): (Vector<D>, bool),
    ) -> Vector<D> {
        let Some(Some(confinement)) = self.anchors.get(species as usize) else { return place };
        let manner = self.manner(product, confinement.surface);
        if manner == Manner::Ignore {
            return place;
        }
        // In mid-step a particle on a sphere is on a chord.
        let place = confinement.shape.nearest(domain, place);
        let inwards = if confinement.faces.unwrap_or(inside) { -1.0 } else { 1.0 };
        let outwards = self.surfaces[confinement.surface as usize].shape.outwards(domain, place);
        place + outwards * (inwards * Self::margin(domain, manner, radius))
    }

    /// The share of those that come off the surface on which particles of `species` live, as `product` with this
    /// radius, which are then on the inner side: where that is free, as many as would touch it there.
    pub fn share_inside(
        &self,
        domain: &Domain<D>,
        product: u16,
        species: u16,
        radius: f64,
    ) -> Option<f64> {
        let Confinement { surface, shape, faces } = self.anchors.get(species as usize)?.as_ref()?;
        if let Some(inside) = faces {
            return Some(f64::from(u8::from(*inside)));
        }
        let margin = Self::margin(domain, self.manner(product, *surface), radius);
        let is_bound = |axis: usize| !domain.is_periodic(axis);
        Some(match *shape {
            AnchorSurface::Plane { axis, at } if is_bound(axis) && at <= 0.0 => 1.0,
            AnchorSurface::Plane { axis, at } if is_bound(axis) && at >= domain.edges()[axis] => {
                0.0
            }
            _ => {
                let beside = |more: f64| shape.extent_beside(&domain.edges(), more);
                let [inner, outer] = [beside(-margin), beside(margin)];
                inner / (inner + outer)
            }
        })
    }

    /// What a particle of `species` that is `margin` away from a surface does there, on the inner side or on the outer
    /// one.
    ///
    /// What lives on a rod with round ends is as dense everywhere on it, but to the ends there come more from outside,
    /// and fewer from inside, on each unit of its area than to the straight part. So each of these gets onto it at a
    /// higher rate, or a lower one, of which the mean is that of the manner. Onto a mesh they get by its faces: what
    /// touches an edge bounces, since none comes off there.
    pub fn manner_at(
        &self,
        domain: &Domain<D>,
        species: u16,
        surface: u16,
        (place, margin, inside): (Vector<D>, f64, bool),
    ) -> Manner {
        let manner = self.manner(species, surface);
        if !matches!(manner, Manner::Adsorb(_)) {
            return manner;
        }
        let (centre, rod) = match &self.surfaces[surface as usize].shape {
            Shape::Rod { centre, rod } => (centre, rod),
            Shape::Mesh(mesh) => {
                let place = shape::near(mesh, domain, place);
                let is_before_face = mesh.is_before_face(place, Self::skin(domain));
                return if is_before_face { manner } else { Manner::Reflect };
            }
            Shape::Plane { .. } | Shape::Ball { .. } => return manner,
        };
        let is_end = rod.is_end(domain.nearest_image(place - *centre));
        manner.at_multiple(rod.evenness(D, is_end, if inside { -margin } else { margin }))
    }

    /// Whether one of `guest` with this radius could be at the second place beside one of `host`, which lives on a rod
    /// or a mesh, at the first, if the rod bent there as flatly or as sharply as it does anywhere, and if the facet there
    /// had no end. What [`Encounter::Target`] knows is that much, not what the surface hides at the place itself.
    pub fn could_face(
        &self,
        domain: &Domain<D>,
        [host, guest]: [u16; 2],
        radius: f64,
        [at, there]: [Vector<D>; 2],
    ) -> bool {
        let confinement = self.anchors.get(host as usize).and_then(Option::as_ref);
        let Some(Confinement { surface, shape, faces }) = confinement else { return false };
        let manner = self.manner(guest, *surface);
        let clearance =
            if manner == Manner::Ignore { 0.0 } else { Self::margin(domain, manner, radius) };
        let outwards = self.surfaces[*surface as usize].shape.outwards(domain, at);
        let way = domain.nearest_image(there - at);
        let is_within = -way.dot(outwards) >= clearance;
        let is_outside = match shape {
            AnchorSurface::Rod { rod, .. } => {
                (way + outwards * rod.radius).norm() >= rod.radius + clearance
            }
            AnchorSurface::Mesh(_) => way.dot(outwards) >= clearance,
            AnchorSurface::Plane { .. } | AnchorSurface::Ball { .. } => return false,
        };
        match faces {
            Some(true) => is_within,
            Some(false) => is_outside,
            None => is_within || is_outside,
        }
    }

    /// How particles of two species meet whose radii are these. \[nm\]
    pub fn encounter(&self, a: u16, b: u16, radii: [f64; 2]) -> Encounter {
        let target = |confined: usize, host: u16, surface: u16, species: u16, radius: f64| {
            let manner = self.manner(species, surface);
            let clearance =
                manner.separates().then_some(if manner.is_by_centre() { 0.0 } else { radius });
            let shape = &self.surfaces[surface as usize].shape;
            let faces =
                self.anchors[host as usize].as_ref().and_then(|confinement| confinement.faces);
            // As much as shows where it bends so as to show most.
            let bends = match (faces, shape) {
                (None, _) | (Some(true), Shape::Rod { .. }) => 0.0,
                (Some(true), _) => -1.0,
                (Some(false), _) => 1.0,
            };
            Encounter::Target { confined, clearance, curvature: bends * shape.curvature() }
        };
        match (self.anchored_to(a), self.anchored_to(b)) {
            (None, None) => Encounter::Free,
            (Some(first), Some(second)) if first == second => {
                self.surfaces[first as usize].shape.encounter_within()
            }
            (Some(on), _) => target(0, a, on, b, radii[1]),
            (None, Some(on)) => target(1, b, on, a, radii[0]),
        }
    }

    /// The velocity of a particle inside or outside after reflection from a surface with this
    /// `normal`.
    ///
    /// Inside a round surface a grazing particle bounces again and again, ever more often the
    /// flatter its path; it is turned away from the surface so far that it meets it a thousand
    /// times in a step at most, which changes one path in some 10^10.
    pub fn reflected(&self, surface: u16, velocity: Vector<D>, normal: Vector<D>) -> Vector<D> {
        let approach = velocity.dot(normal);
        let least =
            0.5e-3 * velocity.norm_squared() * self.surfaces[surface as usize].shape.curvature();
        velocity - normal * (approach + approach.min(-least))
    }
}
