//! The surface of a closed mesh as something to live on: straight paths over its edges, and straight ways from one
//! place on it to another.
//!
//! Within a facet a path is straight. At an edge it goes on as it would if both facets were unfolded into one plane: what
//! of the velocity is along the edge stays, and so does the speed. Unfolding keeps areas, so that particles whose
//! velocities are drawn afresh for each step stay uniform, however long the step and however sharp the edges. A vertex is
//! met with probability zero; a path within rounding of one goes round it from facet to facet, as it would a little
//! beside.
//!
//! Nothing is remembered of the facet that a particle is on, so that a path follows from its place and its velocity alone.
//! It is that facet at the place whose plane the velocity lies in.

use crate::space::Vector;
use crate::space::mesh::{Facet, Mesh, Visitor};

/// What of a velocity is this small beside its norm is taken for rounding.
const SLANT: f64 = 1e-12;
/// How many edges a path crosses at most at one place, a vertex; past it lie at most as many facets as there are around
/// it, of which a straight path crosses half a turn.
const AROUND: usize = 1000;

/// Facets at a place, of which the one is looked for that a path goes along.
struct Underfoot<const D: usize> {
    place: Vector<D>,
    velocity: Vector<D>,
    /// How far off a facet may be. \[nm\]
    slack: f64,
    /// How steeply the path leads out of the best one, after how long out of its rim, and its number.
    best: Option<(f64, f64, u32)>,
}

impl<const D: usize> Visitor<D> for Underfoot<D> {
    fn enters(&self, low: Vector<D>, high: Vector<D>) -> bool {
        let (place, slack) = (self.place, self.slack);
        (0..D).all(|k| place[k] >= low[k] - slack && place[k] <= high[k] + slack)
    }

    fn sees(&mut self, facet: &Facet<D>) {
        if facet.offset(self.place, 0.0).norm() > self.slack {
            return;
        }
        let steep = self.velocity.dot(facet.normal).abs();
        let (_, until) = facet.rim(self.place, self.velocity);
        let alike = SLANT * self.velocity.norm();
        let is_better = self.best.is_none_or(|(least, longest, number)| {
            steep < least - alike
                || steep <= least + alike
                    && (until > longest || until == longest && facet.number < number)
        });
        if is_better {
            self.best = Some((steep, until, facet.number));
        }
    }
}

impl<const D: usize> Facet<D> {
    /// What of a vector is along the facet.
    fn along(&self, vector: Vector<D>) -> Vector<D> {
        vector - self.normal * vector.dot(self.normal)
    }

    /// The ridge over which a path from `place` leaves the facet, and after how long; never, if it does not move along it.
    fn rim(&self, place: Vector<D>, velocity: Vector<D>) -> (usize, f64) {
        let least = SLANT * velocity.norm();
        let over = |side: usize| {
            let out = self.out_over(side);
            let speed = velocity.dot(out);
            let gap = (self.corners[side] - place).dot(out);
            (speed > least).then(|| (side, (gap / speed).max(0.0)))
        };
        let sides = (0..D).filter_map(over);
        sides.reduce(|a, b| if b.1 < a.1 { b } else { a }).unwrap_or((0, f64::INFINITY))
    }
}

impl<const D: usize> Mesh<D> {
    /// The facet that a path from `place` goes along; the nearest one, if none is within `slack`. \[nm\]
    fn underfoot(&self, place: Vector<D>, velocity: Vector<D>, slack: f64) -> Option<&Facet<D>> {
        let mut feet = Underfoot { place, velocity, slack, best: None };
        self.walk(&mut feet);
        let nearest = || Some(self.nearest(place, f64::INFINITY)?.facet);
        let number = feet.best.map(|(.., number)| number).or_else(nearest)?;
        Some(self.facet(number))
    }

    /// The normal, out of the solid, of the facet at a place on the surface.
    pub(super) fn outwards(&self, place: Vector<D>) -> Vector<D> {
        let nearest = self.nearest(place, f64::INFINITY);
        nearest.map_or(Vector::ZERO, |nearest| self.facet(nearest.facet).normal)
    }

    /// Whether the point of the surface that is nearest to a place is in the face of a facet, to within `slack`, and not
    /// on an edge that the place is beyond. \[nm\]
    pub(super) fn is_before_face(&self, place: Vector<D>, slack: f64) -> bool {
        let nearest = self.nearest(place, f64::INFINITY);
        nearest.is_some_and(|nearest| {
            self.facet(nearest.facet).along(place - nearest.point).norm() <= slack
        })
    }

    /// What of a vector is along the surface at a place.
    pub(super) fn tangential(&self, place: Vector<D>, vector: Vector<D>) -> Vector<D> {
        match self.nearest(place, f64::INFINITY) {
            Some(nearest) => self.facet(nearest.facet).along(vector),
            None => Vector::ZERO,
        }
    }

    /// The velocity of what sets off from a place on the surface with this velocity: along the facet there, or along
    /// the next one, if the place is within `slack` of an edge over which it leads. \[nm\]
    pub(super) fn steer(&self, place: Vector<D>, velocity: Vector<D>, slack: f64) -> Vector<D> {
        let speed = velocity.norm();
        let with_speed = |velocity: Vector<D>| match velocity.norm() {
            0.0 => Vector::ZERO,
            norm => velocity * (speed / norm),
        };
        let Some(mut facet) = self.underfoot(place, velocity, slack) else { return Vector::ZERO };
        let mut velocity = with_speed(facet.along(velocity));
        for _ in 0..AROUND {
            let (side, until) = facet.rim(place, velocity);
            let out = facet.out_over(side);
            if until == f64::INFINITY || (facet.corners[side] - place).dot(out) > slack {
                break;
            }
            let (next, back) = self.across(facet.number, side);
            let over = velocity.dot(out);
            velocity = with_speed(velocity - (out + next.out_over(back)) * over);
            facet = next;
        }
        velocity
    }

    /// How long a path from `place` is on one facet. Where that is within `slack` of its rim, it has been steered over it.
    pub(super) fn until_edge(&self, place: Vector<D>, velocity: Vector<D>, slack: f64) -> f64 {
        let facet = self.underfoot(place, velocity, slack);
        facet.map_or(f64::INFINITY, |facet| facet.rim(place, velocity).1)
    }

    /// The place on the surface at `distance` in a straight line from one on it or near it, where a plane cuts it
    /// that is normal to it there and holds the direction `towards`; none if it is nowhere so far. \[nm\]
    pub(super) fn reach(
        &self,
        from: Vector<D>,
        towards: Vector<D>,
        distance: f64,
    ) -> Option<Vector<D>> {
        let foot = self.nearest(from, distance)?;
        let mut facet = self.facet(foot.facet);
        let flat = facet.along(towards);
        let norm = flat.norm();
        let mut way = if norm > 0.0 { flat * (1.0 / norm) } else { -facet.out_over(0) };
        let across = turned(facet.normal, way);
        let mut place = foot.point;
        // The plane cuts each facet once.
        for _ in 0..=self.facets().len() {
            let (side, until) = facet.rim(place, way);
            let apart = place - from;
            let along = apart.dot(way);
            let short = distance * distance - apart.norm_squared();
            let step = (along * along + short).max(0.0).sqrt() - along;
            if step <= until {
                return Some(place + way * step.max(0.0));
            }
            place += way * until;
            let (next, back) = self.across(facet.number, side);
            let into = -next.out_over(back);
            facet = next;
            way = match D {
                2 => into,
                _ => {
                    let cut = turned(across, facet.normal);
                    let norm = cut.norm();
                    // The plane of the facet itself, with probability zero.
                    if norm < 1e-9 { into } else { cut * (into.dot(cut).signum() / norm) }
                }
            };
        }
        None
    }
}

/// The vector product in 3D.
fn turned<const D: usize>(u: Vector<D>, v: Vector<D>) -> Vector<D> {
    if D != 3 {
        return Vector::ZERO;
    }
    Vector::from_fn(|k| u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::{RngExt, SeedableRng};
    use rand_distr::{Distribution, StandardNormal};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::AnchorSurface;
    use super::*;
    use crate::space::mesh::samples;
    use crate::space::{Domain, Path};

    /// In a box with edges of 20, a few units about its middle.
    fn anchor<const D: usize>(parts: samples::Parts<D>) -> (AnchorSurface<D>, Arc<Mesh<D>>) {
        let mesh = Arc::new(samples::mesh(samples::placed(parts, 1.0, [9.5; D])));
        (AnchorSurface::Mesh(Arc::clone(&mesh)), mesh)
    }

    fn cube() -> samples::Parts<3> {
        samples::prism(&samples::SQUARE)
    }

    fn tetrahedron() -> samples::Parts<3> {
        let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        (corners.map(Vector).to_vec(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    }

    fn domain<const D: usize>() -> Domain<D> {
        Domain::new([20.0; D], [true; D])
    }

    /// Where one is at the end of a step that sets out from here with this velocity, and the velocity that it has there.
    fn walked<const D: usize>(
        anchor: &AnchorSurface<D>,
        mut place: Vector<D>,
        mut velocity: Vector<D>,
    ) -> (Vector<D>, Vector<D>) {
        let (mut since, speed) = (0.0, velocity.norm());
        let mut turns = 0;
        while since < 1.0 {
            velocity = anchor.steer(&domain(), place, velocity, since);
            assert!((velocity.norm() - speed).abs() < 1e-12 * speed, "{velocity:?} {speed}");
            let path = Path { position: place, velocity, since, radius: 0.1 };
            let until = anchor.turns_at(&domain(), &path).unwrap_or(1.0);
            place += velocity * (until - since);
            since = until;
            assert!((anchor.nearest(&domain(), place) - place).norm() < 1e-12, "{place:?}");
            turns += 1;
            assert!(turns < 3000, "{place:?} {velocity:?}");
        }
        (place, velocity)
    }

    fn unit<const D: usize>(vector: Vector<D>) -> Vector<D> {
        vector * (1.0 / vector.norm())
    }

    fn normal<const D: usize>(generator: &mut Xoshiro256PlusPlus) -> Vector<D> {
        Vector::from_fn(|_| StandardNormal.sample(generator))
    }

    /// The four sides of a prism, unfolded, are a strip, in which a path is a straight line: also over the edges of the
    /// two triangles of each side, and over folds of 90 degrees, to and fro.
    #[test]
    fn a_path_round_a_cube_is_straight_in_the_strip_of_its_sides() {
        let (anchor, _) = anchor(cube());
        let unfolded = |around: f64, up: f64| {
            let (side, along) = (around.rem_euclid(4.0).floor(), around.rem_euclid(1.0));
            let [x, y] =
                [[along, 0.0], [1.0, along], [1.0 - along, 1.0], [0.0, 1.0 - along]][side as usize];
            Vector([9.5 + x, 9.5 + y, 9.5 + up])
        };
        for (from, way, up) in
            [(0.3, 5.1, 0.4), (3.9, -7.7, -0.3), (1.5, 0.2, 0.45), (2.25, 40.0, 0.0)]
        {
            let start = unfolded(from, 0.5);
            let velocity = anchor.tangential(&domain(), start, unfolded(from + 0.01, 0.5) - start);
            let velocity = velocity * (way / velocity.norm()) + Vector([0.0, 0.0, up]);
            let (end, _) = walked(&anchor, start, velocity);
            assert!((end - unfolded(from + way, 0.5 + up)).norm() < 1e-12, "{end:?}");
        }
    }

    /// Straight on is the same line both ways, over convex and hollow edges, sharp ones and thin facets.
    #[test]
    fn a_path_goes_back_as_it_came() {
        fn check<const D: usize>(parts: samples::Parts<D>, way: f64) {
            let (anchor, mesh) = anchor(parts);
            let mut generator = Xoshiro256PlusPlus::seed_from_u64(3);
            let mut worst = 0.0;
            for _ in 0..500 {
                let start = mesh.place(generator.random());
                let flat = anchor.tangential(&domain(), start, normal(&mut generator));
                let (end, velocity) = walked(&anchor, start, flat * (way / flat.norm()));
                let (back, _) = walked(&anchor, end, -velocity);
                worst = f64::max(worst, (back - start).norm());
            }
            assert!(worst < 1e-9 * way, "{worst} on the way back of {way}");
        }
        check(cube(), 9.0);
        check(tetrahedron(), 9.0);
        check(samples::turned(samples::prism(&samples::L)), 9.0);
        check(samples::needle(1e-2), 2.0);
        check(samples::icosphere(2), 9.0);
        check(samples::star(), 30.0);
        check(samples::polygon(&samples::L), 30.0);
    }

    /// Straight at a vertex, along an edge, from a vertex and from an edge: all go on somewhere.
    #[test]
    fn a_path_through_a_vertex_goes_on() {
        for parts in [
            cube(),
            tetrahedron(),
            samples::turned(samples::prism(&samples::L)),
            samples::icosphere(1),
        ] {
            let (anchor, mesh) = anchor(parts);
            let vertices: Vec<_> = mesh.vertices().to_vec();
            for facet in mesh.facets() {
                let corners = facet.map(|n| vertices[n as usize]);
                let middle = (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
                let half = (corners[0] + corners[1]) * 0.5;
                for (from, to) in [
                    (middle, corners[0]),
                    (half, corners[0]),
                    (corners[0], corners[1]),
                    (corners[2], half),
                    (half, middle),
                    (half, corners[2]),
                ] {
                    walked(&anchor, from, (to - from) * 7.3);
                    walked(&anchor, from, to - from);
                }
            }
        }
        let (anchor, _) = anchor(samples::star());
        let round = 10.0 * libm::sqrt(1.0 + 0.16 - 0.8 * libm::cos(std::f64::consts::PI * 0.2));
        for corner in [Vector([10.5, 9.5]), Vector([10.2, 9.5])] {
            let start = anchor.nearest(&domain(), corner);
            let (end, _) = walked(
                &anchor,
                start,
                unit(anchor.tangential(&domain(), start, Vector([0.3, 1.0]))) * round,
            );
            assert!((end - start).norm() < 1e-12, "{end:?}");
        }
    }

    /// 6000 walkers that begin uniform, at steps (rms along an axis) of a twentieth, half and twice an edge: how many
    /// are on each facet near its rim (nearer than a tenth of its heights) and farther in. Chi-squared, which chance
    /// takes above this once in 10^5, eight times.
    #[test]
    fn walkers_stay_uniform_at_any_step() {
        // 23 and 7 degrees of freedom.
        for (parts, most) in [(cube(), 66.0), (tetrahedron(), 36.0)] {
            let (anchor, mesh) = anchor(parts);
            let facets = mesh.facets().len();
            for (step, steps) in [(0.0, 0), (0.05, 40), (0.5, 12), (2.0, 5)] {
                let mut generator = Xoshiro256PlusPlus::seed_from_u64(11 + steps);
                let mut seen = vec![0.0; 2 * facets];
                const WALKERS: u32 = 6000;
                for _ in 0..WALKERS {
                    let mut place: Vector<3> = mesh.place(generator.random());
                    for _ in 0..steps {
                        let drawn = normal(&mut generator) * step;
                        let flat = anchor.tangential(&domain(), place, drawn);
                        place = anchor.nearest(&domain(), walked(&anchor, place, flat).0);
                    }
                    let number = mesh.nearest(place, 1.0).unwrap().facet;
                    let facet = mesh.facet(number);
                    let near = (0..3).any(|side| {
                        let out = facet.out_over(side);
                        let gap = (facet.corners[side] - place).dot(out);
                        let height = (facet.corners[side] - facet.corners[(side + 2) % 3]).dot(out);
                        gap < 0.1 * height
                    });
                    seen[2 * number as usize + usize::from(near)] += 1.0;
                }
                // What is farther from all edges is a triangle of seven tenths the size.
                let law = |bin: usize| {
                    let share = if bin.is_multiple_of(2) { 0.49 } else { 0.51 };
                    let facet = mesh.facet(bin as u32 / 2);
                    f64::from(WALKERS) * share * facet.measure() / mesh.surface()
                };
                let chi: f64 =
                    seen.iter().enumerate().map(|(n, x)| (x - law(n)).powi(2) / law(n)).sum();
                println!("{facets} facets, step {step}: chi squared {chi:.1}");
                assert!(chi < most, "{facets} facets, step {step}: {chi}, {seen:?}");
            }
        }
    }

    #[test]
    fn a_place_beside_one_on_a_mesh_or_off_it_is_on_it_and_as_far_as_it_should_be() {
        fn check<const D: usize>(parts: samples::Parts<D>) {
            let (anchor, mesh) = anchor(parts);
            let mut generator = Xoshiro256PlusPlus::seed_from_u64(5);
            for _ in 0..500 {
                let foot = mesh.place(generator.random());
                let away = normal(&mut generator);
                let height = generator.random_range(0.0..0.2);
                let facet = mesh.facet(mesh.nearest(foot, 1.0).unwrap().facet);
                let from = foot + facet.normal * height;
                let there = anchor.reach(&domain(), from, away, 0.3).unwrap();
                assert!(((there - from).norm() - 0.3).abs() < 1e-12, "{there:?}");
                assert!((anchor.nearest(&domain(), there) - there).norm() < 1e-12);
                let [one, other] = anchor.apart(&domain(), foot, away, 0.3, [0.4, 0.6]);
                assert!(((one - other).norm() - 0.3).abs() < 1e-12);
                assert!((anchor.nearest(&domain(), other) - other).norm() < 1e-12);
                // On one facet it is straight on.
                let flat = unit(anchor.tangential(&domain(), foot, away));
                let near = anchor.go(&domain(), foot, away, 1e-9);
                assert!((near - foot - flat * 1e-9).norm() < 1e-12);
            }
            assert_eq!(
                anchor.reach(&domain(), mesh.place([0.5; 2]), normal(&mut generator), 19.0),
                None
            );
        }
        check(cube());
        check(samples::turned(samples::prism(&samples::L)));
        check(samples::icosphere(2));
        check(samples::star());
    }
}
