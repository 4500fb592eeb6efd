//! Where a lone particle of each species may be: within the box, on its surface, on its side of
//! others, and clear of all.

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

use jostle_core::environment::{AnchorSurface, Environment, Manner};
use jostle_core::space::{Domain, Vector};

use super::random::somewhere;
use super::{Model, radius};

/// The box with its surfaces.
pub(super) struct Ground<'a, const D: usize> {
    pub(super) domain: &'a Domain<D>,
    model: &'a Model,
    environment: Environment<D>,
}

impl<'a, const D: usize> Ground<'a, D> {
    pub(super) fn new(model: &'a Model, domain: &'a Domain<D>) -> Self {
        Self { domain, model, environment: model.surroundings().environment(&model.species) }
    }

    /// How far from a face of the box along axis `k` the centre of a particle stays. \[nm\]
    pub(super) fn margin(&self, species: u16, k: usize) -> f64 {
        let stands_out = matches!(self.environment.anchor(species), Some(AnchorSurface::Plane { axis, .. }) if *axis == k);
        if self.domain.is_periodic(k) || stands_out { 0.0 } else { radius(self.model, species) }
    }

    /// Whether `place` is in the box, clear of its faces, or no more than `slack` beyond. \[nm\]
    pub(super) fn is_within(&self, species: u16, place: Vector<D>, slack: f64) -> bool {
        (0..D).all(|k| {
            let margin = self.margin(species, k) - slack;
            (margin..=self.domain.edges()[k] - margin).contains(&place[k])
        })
    }

    /// The nearest place in the box, clear of its faces, and on the surface that particles of this
    /// species live on.
    pub(super) fn brought_back(&self, species: u16, place: Vector<D>) -> Vector<D> {
        let place = self.settled(species, self.domain.wrap(place).0);
        Vector::from_fn(|k| {
            let margin = self.margin(species, k);
            if self.domain.is_periodic(k) {
                place[k]
            } else {
                place[k].clamp(margin, self.domain.edges()[k] - margin)
            }
        })
    }

    /// Whether a particle may be at `place`, else why not.
    pub(super) fn holds(&self, species: u16, place: Vector<D>) -> Result<(), String> {
        if self.environment.is_empty() {
            return Ok(());
        }
        let surfaces = self.environment.surfaces();
        if let Some(anchor) = self.environment.anchor(species) {
            let off = self.domain.nearest_image(anchor.nearest(self.domain, place) - place).norm();
            let longest = self.domain.edges().iter().fold(0.0, |a, b| f64::max(a, *b));
            if off > 1e-6 * longest {
                let name = self
                    .environment
                    .anchored_to(species)
                    .map_or("", |n| &surfaces[n as usize].name);
                return Err(format!("is {off:.4} nm off \"{name}\", the surface that it lives on"));
            }
        }
        for side in self.model.surroundings().sides(species) {
            let surface = &surfaces[side.surface as usize];
            if surface.shape.is_inside(self.domain, place) != side.inside {
                return Err(format!("is on the wrong side of \"{}\"", surface.name));
            }
        }
        match self.environment.in_the_way(self.domain, species, place, radius(self.model, species))
        {
            None => Ok(()),
            Some(surface) => Err(format!("sticks in \"{}\"", surface.name)),
        }
    }

    /// A place without what rounding keeps it off the surface that particles of this species live
    /// on.
    pub(super) fn settled(&self, species: u16, place: Vector<D>) -> Vector<D> {
        self.environment.anchor(species).map_or(place, |anchor| anchor.nearest(self.domain, place))
    }

    /// Whether particles of this species live on a surface.
    pub(super) fn is_anchored(&self, species: u16) -> bool {
        self.environment.anchor(species).is_some()
    }

    /// How many times as dense as elsewhere particles of this species are at a place in equilibrium, since
    /// regions have an affinity for them.
    pub(super) fn affinity(&self, species: u16, place: Vector<D>) -> f64 {
        let surfaces = self.model.surroundings().surfaces.iter().zip(self.environment.surfaces());
        let inside =
            surfaces.filter_map(|(surface, shaped)| match surface.manners[species as usize] {
                Manner::Cross(crossing) if crossing.affinity != 1.0 => {
                    shaped.shape.is_inside(self.domain, place).then_some(crossing.affinity)
                }
                _ => None,
            });
        inside.product()
    }

    /// The most that it can be anywhere.
    pub(super) fn highest_affinity(&self, species: u16) -> f64 {
        let all = self.model.surroundings().surfaces.iter();
        let affinity = all.map(|surface| match surface.manners[species as usize] {
            Manner::Cross(crossing) => crossing.affinity.max(1.0),
            _ => 1.0,
        });
        affinity.product()
    }

    /// A place drawn among all, each as likely; none if a particle may not be at this one.
    pub(super) fn somewhere(
        &self,
        species: u16,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Vector<D>> {
        let radius = radius(self.model, species);
        if self.environment.is_empty() {
            return Some(somewhere(self.domain, radius, random));
        }
        let place = match self.environment.anchor(species) {
            Some(AnchorSurface::Ball { centre, .. }) => {
                *centre + Vector::from_fn(|_| StandardNormal.sample(random))
            }
            Some(AnchorSurface::Rod { centre, rod, .. }) => {
                *centre + rod.place(self.domain.edges()[rod.axis], random.random())
            }
            Some(AnchorSurface::Mesh(mesh)) => mesh.place(random.random()),
            Some(_) => somewhere(self.domain, radius, random),
            None => self.within_bounds(species, random),
        };
        let place = self.domain.wrap(self.settled(species, place)).0;
        self.holds(species, place).ok().map(|()| place)
    }

    /// A place in the part of the box that the closed surfaces leave in which the species is.
    fn within_bounds(&self, species: u16, random: &mut Xoshiro256PlusPlus) -> Vector<D> {
        let margin = radius(self.model, species);
        let mut bounds: [[f64; 2]; D] = std::array::from_fn(|k| match self.domain.is_periodic(k) {
            true => [0.0, self.domain.edges()[k]],
            false => [margin, (self.domain.edges()[k] - margin).max(margin)],
        });
        for side in self.model.surroundings().sides(species).iter().filter(|side| side.inside) {
            let shape = &self.environment.surfaces()[side.surface as usize].shape;
            for (k, bounds) in bounds.iter_mut().enumerate() {
                if let Some([from, to]) = shape.bounds(k) {
                    *bounds = [bounds[0].max(from), bounds[1].min(to).max(bounds[0].max(from))];
                }
            }
        }
        Vector::from_fn(|k| bounds[k][0] + random.random::<f64>() * (bounds[k][1] - bounds[k][0]))
    }
}
