//! Standard populations for the event-driven engine: what starts them, on a lattice.

use std::f64::consts::PI;

use jostle_core::random::Random;
use jostle_core::space::{Domain, Vector};
use jostle_events::granular::Grain;

/// Radius of the small spheres. \[nm\]
const RADIUS: f64 = 0.5;

/// Spheres in a periodic cube: `small` ones of diameter 1, and `large` ones of diameter `ratio`,
/// all of one density and one temperature (kT = 1 for the small ones of mass 1).
pub(super) struct Mixture {
    pub(super) small: usize,
    pub(super) large: usize,
    pub(super) ratio: f64,
    /// Share of the volume.
    pub(super) packing: f64,
}

/// The places of a face-centred cubic lattice of so many cells along each edge.
fn lattice(cells: usize, edge: f64) -> impl Iterator<Item = Vector<3>> {
    let width = edge / cells as f64;
    let corners = [[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]];
    let cell = move |n: usize| [n / cells / cells, n / cells % cells, n % cells];
    let place = move |at: [usize; 3], corner: [f64; 3]| {
        Vector::from_fn(|k| (at[k] as f64 + corner[k] + 0.25) * width)
    };
    (0..cells.pow(3)).flat_map(move |n| corners.map(move |corner| place(cell(n), corner)))
}

impl Mixture {
    /// The box, and the spheres in it, which do not overlap. Small ones are on the sites that large
    /// ones leave free, of the widest lattice that has enough of them.
    pub(super) fn make(&self) -> (Domain<3>, Vec<Grain<3>>) {
        let ball = |radius: f64| 4.0 / 3.0 * PI * radius * radius * radius;
        let volume =
            self.small as f64 * ball(RADIUS) + self.large as f64 * ball(self.ratio * RADIUS);
        let edge = (volume / self.packing).cbrt();
        let domain = Domain::new([edge; 3], [true; 3]);
        let large = self.large_places(edge);
        let is_free = |place: &Vector<3>| {
            let reach = (1.0 + self.ratio) * RADIUS;
            large.iter().all(|at| domain.nearest_image(*at - *place).norm() > reach)
        };
        let enough = |cells: &usize| {
            lattice(*cells, edge).filter(is_free).nth(self.small.saturating_sub(1)).is_some()
        };
        let least = ((self.small as f64 / 4.0).cbrt().floor() as usize).max(1);
        let cells = (least..2 * least + 8).find(enough).unwrap_or(least);
        let sites: Vec<_> = lattice(cells, edge).filter(is_free).collect();
        // Evenly thinned, so that the density is the same everywhere.
        let small = (0..self.small.min(sites.len())).map(|n| sites[n * sites.len() / self.small]);
        let random = Random::new(1);
        let places =
            large.iter().copied().map(|at| (at, self.ratio)).chain(small.map(|at| (at, 1.0)));
        let grain = |(id, (position, size)): (usize, (Vector<3>, f64))| {
            let mass = size * size * size;
            let velocity = random.normal::<3>(0, id as u64) * (1.0 / mass.sqrt());
            Grain { position, velocity, radius: size * RADIUS, mass, species: 0 }
        };
        (domain, places.enumerate().map(grain).collect())
    }

    /// The large ones are far from each other.
    fn large_places(&self, edge: f64) -> Vec<Vector<3>> {
        let cells = (1..).find(|cells: &usize| 4 * cells.pow(3) >= self.large).unwrap_or(1);
        lattice(cells, edge).take(self.large).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixtures_are_as_dense_as_asked_for_and_no_particle_overlaps() {
        let mixture = Mixture { small: 2000, large: 4, ratio: 8.0, packing: 0.15 };
        let (domain, grains) = mixture.make();
        assert_eq!(grains.len(), 2004);
        let filled: f64 = grains.iter().map(|g| 4.0 / 3.0 * PI * g.radius.powi(3)).sum();
        assert!((filled / domain.volume() - 0.15).abs() < 1e-12);
        for (i, a) in grains.iter().enumerate() {
            for b in &grains[..i] {
                let apart = domain.nearest_image(a.position - b.position).norm();
                assert!(apart > a.radius + b.radius, "{apart}");
            }
        }
    }
}
