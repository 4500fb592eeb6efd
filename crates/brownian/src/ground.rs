//! The box and the surfaces in it, as those see them that come to be somewhere.

use jostle_core::environment::Environment;
use jostle_core::space::{Domain, Vector};

/// The box and its surfaces.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a, const D: usize> {
    pub(super) domain: &'a Domain<D>,
    pub(super) environment: &'a Environment<D>,
}

impl<const D: usize> Ground<'_, D> {
    /// Whether walls of the box or surfaces are on both sides of a particle at a place, along an axis, and
    /// nearer than it could turn round between.
    pub(super) fn leaves_no_room(&self, species: u16, place: Vector<D>, radius: f64) -> bool {
        /// Beyond its radius, as a share of that.
        const GAP: f64 = 1e-3;
        let Self { domain, environment } = self;
        let anchor = environment.anchored_to(species);
        let stops = |n: u16| {
            let manner = environment.manner(species, n);
            anchor != Some(n) && manner.separates() && !manner.is_by_centre()
        };
        let is_blocked = |k: usize, sign: f64| {
            let mut beside = place;
            beside[k] += sign * (1.0 + GAP) * radius;
            let is_outside = beside[k] < 0.0 || beside[k] > domain.edges()[k];
            let mut surfaces = (0u16..).zip(environment.surfaces());
            (is_outside && !domain.is_periodic(k))
                || surfaces.any(|(n, surface)| {
                    let side = |at: Vector<D>| surface.shape.is_inside(domain, at);
                    stops(n) && side(place) != side(beside)
                })
        };
        (0..D).any(|k| is_blocked(k, 1.0) && is_blocked(k, -1.0))
    }
}
