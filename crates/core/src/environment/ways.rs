//! In how many ways two touch that live on one mesh, and where the one is when the other is at a given place.
//!
//! Pairs meet at a distance R with the frequency of the step by which they approach each other, along the two surfaces:
//! to each place y of the one, with the other at x and n the direction from x to y, belongs the weight
//!
//! ```text
//! sqrt(D_x |n_x|² + D_y |n_y|²) δ(|y - x| - R) dy,
//! ```
//!
//! with n_x and n_y what of n is along the facets there. On a facet the places at this distance lie on a circle about the
//! foot of x, and δ dy is R dψ, ψ being the angle round the foot, whatever the height of x above the facet. In a plane
//! that is 2π R sqrt(D_x + D_y) in all. Near an edge of the mesh there are more ways, or fewer.

use std::f64::consts::TAU;

use super::AnchorSurface;
use super::shape::near;
use crate::space::mesh::{Facet, Mesh, Visitor};
use crate::space::{Domain, Vector};

/// Places and weights on [-1, 1] of the rule of Gauss and Legendre for eight points (Abramowitz and Stegun, 25.4).
const RULE: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// A part of the circle on a facet on which one is that touches another.
#[derive(Clone, Copy, Debug)]
struct Arc<const D: usize> {
    /// The middle of the circle, and two directions in the facet as long as its radius. \[nm\]
    foot: Vector<D>,
    axes: [Vector<D>; 2],
    /// From where to where.
    from: f64,
    to: f64,
}

impl<const D: usize> Arc<D> {
    fn at(&self, angle: f64) -> Vector<D> {
        let (sine, cosine) = libm::sincos(angle);
        self.foot + self.axes[0] * cosine + self.axes[1] * sine
    }
}

/// Where one can be that touches another at a place of the mesh.
#[derive(Clone, Debug)]
pub struct Ways<const D: usize> {
    place: Vector<D>,
    normal: Vector<D>,
    distance: f64,
    /// Shares of the two in the sum of their diffusion coefficients, the one at the place first.
    shares: [f64; 2],
    arcs: Vec<Arc<D>>,
    /// From the place as the mesh has it to where it was said to be, in periodic images.
    image: Vector<D>,
}

/// Gathers the facets that a circle is on.
struct Around<'a, const D: usize>(&'a mut Ways<D>);

impl<const D: usize> Visitor<D> for Around<'_, D> {
    fn enters(&self, low: Vector<D>, high: Vector<D>) -> bool {
        let (place, distance) = (self.0.place, self.0.distance);
        (0..D).all(|k| place[k] > low[k] - distance && place[k] < high[k] + distance)
    }

    fn sees(&mut self, facet: &Facet<D>) {
        self.0.add(facet);
    }
}

impl<const D: usize> Ways<D> {
    /// Adds the arcs on a triangle: what of the circle is within all three edges.
    fn add(&mut self, facet: &Facet<D>) {
        let height = facet.height(self.place);
        let squared = self.distance * self.distance - height * height;
        if squared <= 0.0 {
            return;
        }
        let radius = squared.sqrt();
        let foot = self.place - facet.normal * height;
        let along = facet.corners[1] - facet.corners[0];
        let first = along * (1.0 / along.norm());
        // Out over the first edge is to the right of it, seen from without.
        let second = -facet.out_over(0);
        let mut bounds = Vec::with_capacity(7);
        for side in 0..D {
            let out = facet.out_over(side);
            let gap = (facet.corners[side] - foot).dot(out);
            if gap <= -radius {
                return;
            }
            if gap < radius {
                let middle = libm::atan2(out.dot(second), out.dot(first));
                let half = libm::acos(gap / radius);
                bounds.extend([middle - half, middle + half].map(|angle| angle.rem_euclid(TAU)));
            }
        }
        let axes = [first * radius, second * radius];
        if bounds.is_empty() {
            self.arcs.push(Arc { foot, axes, from: 0.0, to: TAU });
            return;
        }
        bounds.sort_unstable_by(f64::total_cmp);
        bounds.push(bounds[0] + TAU);
        for ends in bounds.windows(2) {
            let arc = Arc { foot, axes, from: ends[0], to: ends[1] };
            let middle = arc.at(0.5 * (arc.from + arc.to));
            let is_within =
                |side: usize| (facet.corners[side] - middle).dot(facet.out_over(side)) >= 0.0;
            if arc.to > arc.from && (0..D).all(is_within) {
                self.arcs.push(arc);
            }
        }
    }

    /// How fast the two approach each other in the root mean square, over that in a plane.
    fn weight(&self, arc: &Arc<D>, angle: f64) -> f64 {
        let normal = (arc.at(angle) - self.place) * (1.0 / self.distance);
        let own = 1.0 - normal.dot(self.normal).powi(2);
        let other = arc.axes[0].norm_squared() / (self.distance * self.distance);
        (self.shares[0] * own + self.shares[1] * other).max(0.0).sqrt()
    }

    /// How many ways there are to meet here, over those in a plane.
    pub fn many(&self) -> f64 {
        let of = |arc: &Arc<D>| {
            let (middle, half) = (0.5 * (arc.from + arc.to), 0.5 * (arc.to - arc.from));
            let both = |&(place, weight): &(f64, f64)| {
                let ends = [middle - half * place, middle + half * place];
                weight * ends.map(|angle| self.weight(arc, angle)).iter().sum::<f64>()
            };
            half * RULE.iter().map(both).sum::<f64>()
        };
        self.arcs.iter().map(of).sum::<f64>() / TAU
    }

    /// Where the other is, all ways as likely as pairs come from there; none if there are none. `random` gives numbers
    /// between 0 and 1. \[nm\]
    pub fn one(&self, mut random: impl FnMut() -> f64) -> Option<Vector<D>> {
        let all: f64 = self.arcs.iter().map(|arc| arc.to - arc.from).sum();
        if all <= 0.0 {
            return None;
        }
        loop {
            let mut angle = random() * all;
            let mut arcs = self.arcs.iter();
            let mut arc = arcs.next()?;
            for next in arcs {
                if angle < arc.to - arc.from {
                    break;
                }
                angle -= arc.to - arc.from;
                arc = next;
            }
            let angle = (arc.from + angle).min(arc.to);
            if random() < self.weight(arc, angle) {
                return Some(arc.at(angle) + self.image);
            }
        }
    }
}

impl<const D: usize> AnchorSurface<D> {
    /// In how many ways one can touch another at `distance` \[nm\] that is at `place`; their diffusion coefficients, of
    /// that at the place first. None but on a mesh in space, elsewhere they are those of a plane.
    pub fn ways(
        &self,
        domain: &Domain<D>,
        place: Vector<D>,
        distance: f64,
        diffusion: [f64; 2],
    ) -> Option<Ways<D>> {
        let Self::Mesh(mesh) = self else { return None };
        if D != 3 {
            return None;
        }
        let image = near(mesh, domain, place);
        Some(ways(mesh, image, distance, diffusion, place - image))
    }
}

fn ways<const D: usize>(
    mesh: &Mesh<D>,
    place: Vector<D>,
    distance: f64,
    diffusion: [f64; 2],
    image: Vector<D>,
) -> Ways<D> {
    let sum = diffusion[0] + diffusion[1];
    let shares = if sum > 0.0 { diffusion.map(|one| one / sum) } else { [0.5; 2] };
    let normal = mesh.outwards(place);
    let mut ways = Ways { place, normal, distance, shares, arcs: Vec::new(), image };
    mesh.walk(&mut Around(&mut ways));
    ways
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::space::mesh::samples;

    fn cube() -> Mesh<3> {
        samples::mesh(samples::placed(samples::prism(&samples::SQUARE), 4.0, [3.0; 3]))
    }

    fn at(mesh: &Mesh<3>, place: [f64; 3], shares: [f64; 2]) -> Ways<3> {
        ways(mesh, Vector(place), 1.0, shares, Vector::ZERO)
    }

    /// Far from all edges as many as in a plane; at an edge of a cube two halves of a circle if the one at the place is
    /// at rest; above the edge of an octant at a corner three quarters of a circle.
    #[test]
    fn ways_are_counted_over_edges() {
        let mesh = cube();
        for shares in [[0.5, 0.5], [0.0, 1.0], [1.0, 0.0]] {
            assert!((at(&mesh, [5.0, 5.2, 7.0], shares).many() - 1.0).abs() < 1e-12);
        }
        let near_edge = at(&mesh, [3.0 + 1e-9, 5.0, 7.0], [0.0, 1.0]);
        assert!((near_edge.many() - 1.0).abs() < 1e-6, "{}", near_edge.many());
        let corner = at(&mesh, [3.0 + 1e-9, 3.0 + 1e-9, 7.0], [0.0, 1.0]);
        assert!((corner.many() - 0.75).abs() < 1e-6, "{}", corner.many());
        // At 0.6 from an edge, of the one facet what is on this side of it, and on the other a half circle of radius 0.8,
        // which counts as much less as one moves along it more slowly towards the place.
        let beside = at(&mesh, [3.6, 5.0, 7.0], [0.0, 1.0]).many();
        let law = 1.0 - libm::acos(0.6) / PI + 0.5 * 0.8;
        assert!((beside - law).abs() < 1e-12, "{beside} {law}");
    }

    /// The mean of the weights of 400 000 places on the mesh that are near the distance, by a thickness of a twentieth:
    /// five standard errors, and what the thickness does, which is a hundredth.
    #[test]
    fn ways_are_as_many_as_places_drawn_at_random() {
        let mesh = samples::mesh(samples::placed(
            samples::turned(samples::prism(&samples::L)),
            2.0,
            [10.0; 3],
        ));
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(2);
        let shares = [0.3, 0.7];
        for _ in 0..6 {
            let place: Vector<3> = mesh.place(generator.random());
            let ways = ways(&mesh, place, 1.0, shares, Vector::ZERO);
            let count = 400_000;
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..count {
                let other = mesh.place(generator.random());
                let apart = other - place;
                let distance = apart.norm();
                if (distance - 1.0).abs() > 0.025 {
                    continue;
                }
                let along = |at: Vector<3>| 1.0 - (apart.dot(mesh.outwards(at)) / distance).powi(2);
                let weight = (shares[0] * along(place) + shares[1] * along(other)).sqrt();
                sum += weight;
                squares += weight * weight;
            }
            let scale = mesh.surface() / (TAU * 0.05 * f64::from(count));
            let (drawn, error) = (sum * scale, f64::sqrt(squares) * scale);
            let many = ways.many();
            assert!((drawn - many).abs() < 5.0 * error + 0.01, "{drawn} +- {error}, {many}");
        }
    }

    /// What is drawn is on the mesh, as far as it should be, and on each facet as often as its ways say: 20 000 draws,
    /// five standard errors of the two halves.
    #[test]
    fn one_of_the_ways_is_drawn_as_often_as_it_counts() {
        let mesh = cube();
        let place = [3.6, 5.0, 7.0];
        let ways = at(&mesh, place, [0.4, 0.6]);
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(4);
        let count = 20_000;
        let mut over = 0.0;
        for _ in 0..count {
            let one = ways.one(|| generator.random()).unwrap();
            assert!(((one - Vector(place)).norm() - 1.0).abs() < 1e-12);
            assert!(mesh.nearest(one, 1.0).unwrap().distance < 1e-12);
            over += f64::from(u8::from(one[2] < 7.0 - 1e-9)) / f64::from(count);
        }
        let own = 1.0 - libm::acos(0.6) / PI;
        let law = 1.0 - own / ways.many();
        let error = (law * (1.0 - law) / f64::from(count)).sqrt();
        assert!((over - law).abs() < 5.0 * error, "{over} {law}");
    }
}
