//! The surface of a rod as something to live on: how large it is, places on it, and straight ways from one place on
//! it to another.
//!
//! Every vector is from the centre of the rod.

use std::f64::consts::{PI, TAU};

use crate::narrow::{Ends, Rod};
use crate::space::Vector;

/// How often the direction of a straight way is improved at most. Three or four times do, and halving takes sixty.
const ROUNDS: usize = 80;

impl Rod {
    /// The lengths along the rod of its straight part, in a box with this edge, and of each of its ends, if its radius
    /// is larger by `more`; and that radius. \[nm\]
    fn measures(&self, edge: f64, more: f64) -> [f64; 3] {
        let radius = (self.radius + more).max(0.0);
        match self.ends {
            Ends::Open => [edge, 0.0, radius],
            Ends::Flat => [2.0 * self.half, 0.0, radius],
            Ends::Round => [2.0 * self.half, radius, radius],
        }
    }

    /// The area (3D) or the length (2D) of the places outside that are as far as `more` from its surface, or inside if
    /// `more` is negative; without flat ends. A rod without ends goes through a box with this edge. \[nm^(d-1)\]
    pub fn area(&self, dimension: usize, edge: f64, more: f64) -> f64 {
        let [straight, end, radius] = self.measures(edge, more);
        if dimension == 3 {
            // Of a sphere, slices of the same thickness have the same area, that of a cylinder (Archimedes).
            TAU * radius * (straight + 2.0 * end)
        } else {
            2.0 * straight + TAU * end
        }
    }

    /// How much larger the surface at a distance of `more` outside, or inside if that is negative, is than its own, on
    /// the whole over at a place on the straight part or on an end. On a cylinder without ends, as on a sphere, both are
    /// the same.
    pub fn evenness(&self, dimension: usize, is_end: bool, more: f64) -> f64 {
        if self.ends != Ends::Round {
            return 1.0;
        }
        let stretch = (self.radius + more).max(0.0) / self.radius;
        let here = stretch.powi(dimension as i32 - if is_end { 1 } else { 2 });
        let whole = self.area(dimension, 0.0, more) / self.area(dimension, 0.0, 0.0);
        if here > 0.0 { whole / here } else { 1.0 }
    }

    /// Whether a place is beyond the straight part.
    pub fn is_end<const D: usize>(&self, place: Vector<D>) -> bool {
        self.ends == Ends::Round && place[self.axis].abs() > self.half
    }

    /// A place on the surface for two numbers between 0 and 1; all places are as likely if they are uniform.
    pub fn place<const D: usize>(&self, edge: f64, [u, v]: [f64; 2]) -> Vector<D> {
        let [straight, end, radius] = self.measures(edge, 0.0);
        let (mut place, second) = (Vector::ZERO, (self.axis + 1) % D);
        if D == 3 {
            let along = (u - 0.5) * (straight + 2.0 * end);
            let beyond = (along.abs() - 0.5 * straight).max(0.0);
            let across = (radius * radius - beyond * beyond).max(0.0).sqrt();
            place[self.axis] = along;
            place[second] = across * libm::cos(TAU * v);
            place[(self.axis + 2) % D] = across * libm::sin(TAU * v);
            return place;
        }
        let around = u * (2.0 * straight + TAU * end);
        if around < 2.0 * straight || end == 0.0 {
            let is_first = around < straight;
            place[self.axis] = around - straight * if is_first { 0.5 } else { 1.5 };
            place[second] = if is_first { radius } else { -radius };
        } else {
            let angle = (around - 2.0 * straight) / end - 0.5 * PI;
            let out = radius * libm::cos(angle);
            place[self.axis] = out + (0.5 * straight).copysign(out);
            place[second] = radius * libm::sin(angle);
        }
        place
    }

    /// The unit vector of a straight way of this length from a place on the surface, or near it, to one on it, between
    /// the direction of `towards`, a unit vector along the surface, and straight in; none if no such way ends there.
    pub fn way<const D: usize>(
        &self,
        from: Vector<D>,
        towards: Vector<D>,
        length: f64,
    ) -> Option<Vector<D>> {
        let (height, outwards) = self.distance(from);
        let direction = |sine: f64| towards * (1.0 - sine * sine).max(0.0).sqrt() - outwards * sine;
        // The rod is convex: on the plane that touches it at the foot of the place no way ends inside.
        let (mut low, mut high) = (height / length, ((height + self.radius) / length).min(1.0));
        if length <= 0.0 || low.abs() >= 1.0 {
            return None;
        }
        let rounding = 4.0 * f64::EPSILON * (from.norm() + length);
        let mut sine = low;
        for _ in 0..ROUNDS {
            let (off, grows) = self.distance(from + direction(sine) * length);
            if off.abs() <= rounding {
                break;
            }
            *(if off > 0.0 { &mut low } else { &mut high }) = sine;
            let cosine = (1.0 - sine * sine).max(0.0).sqrt();
            let slope = length * (towards.dot(grows) * sine / cosine + outwards.dot(grows));
            let next = sine + off / slope;
            let middle = 0.5 * (low + high);
            let next = if next > low && next < high { next } else { middle };
            if next == sine {
                break;
            }
            sine = next;
        }
        let (off, _) = self.distance(from + direction(sine) * length);
        (off.abs() <= 1e3 * rounding).then(|| direction(sine))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{AnchorSurface, Shape};
    use super::*;
    use crate::random::{Purpose, Random};
    use crate::space::{Domain, Path};

    fn rod(ends: Ends) -> Rod {
        Rod { axis: 2, half: 12.0, radius: 10.0, ends }
    }

    fn anchor<const D: usize>(ends: Ends) -> AnchorSurface<D> {
        let rod = Rod { axis: D - 1, ..rod(ends) };
        AnchorSurface::on(&Shape::Rod { centre: Vector([30.0; D]), rod }, 0.5).unwrap()
    }

    fn numbers(n: u64) -> [f64; 4] {
        std::array::from_fn(|k| Random::new(7).uniform(Purpose::Placement, [n, k as u64, 0, 0]))
    }

    /// A particle that sets out from here with this velocity: where it is at the end of the step, and the velocity of
    /// its last chord.
    fn walked<const D: usize>(
        anchor: &AnchorSurface<D>,
        mut place: Vector<D>,
        mut velocity: Vector<D>,
    ) -> (Vector<D>, Vector<D>) {
        let domain = Domain::new([60.0; D], [true; D]);
        let (mut since, speed) = (0.0, velocity.norm());
        while since < 1.0 {
            velocity = anchor.steer(&domain, place, velocity, since);
            assert!((velocity.norm() - speed).abs() < 1e-12 * speed);
            let path = Path { position: place, velocity, since, radius: 1.0 };
            let until = anchor.turns_at(&domain, &path).unwrap_or(1.0);
            place += velocity * (until - since);
            since = until;
            assert!((anchor.nearest(&domain, place) - place).norm() < 1e-11, "{place:?}");
        }
        (place, velocity)
    }

    /// On the straight part along the helix, to what chords are longer than arcs: 1/24 of (longest chord/R)², times the
    /// way.
    #[test]
    fn a_path_along_a_cylinder_is_a_helix() {
        let anchor = anchor::<3>(Ends::Open);
        for (along, around) in [(0.0, 35.1), (40.0, 3.1), (1e-7, 2e-7), (-11.0, 5.0)] {
            let start = Vector([40.0, 30.0, 30.0]);
            let (end, _) = walked(&anchor, start, Vector([0.0, around, along]));
            let angle: f64 = around / 10.0;
            let helix =
                Vector([30.0 + 10.0 * angle.cos(), 30.0 + 10.0 * angle.sin(), 30.0 + along]);
            let way = Vector([along, around]).norm();
            assert!((end - helix).norm() < 3e-5 * way + 1e-12, "{end:?} {helix:?}");
        }
    }

    /// There and back again, over the seams and round the ends: straight on is the same line both ways. What is left is
    /// that of single chords over a seam.
    #[test]
    fn a_path_round_the_ends_goes_back_as_it_came() {
        let anchor = anchor::<3>(Ends::Round);
        let domain = Domain::new([60.0; 3], [true; 3]);
        for n in 0..300 {
            let [u, v, a, b] = numbers(n);
            let start = Vector([30.0; 3]) + rod(Ends::Round).place(60.0, [u, v]);
            let towards = Vector([a - 0.5, b - 0.5, a * b - 0.2]);
            let flat = anchor.tangential(&domain, start, towards);
            let way = 60.0 * b;
            let (end, velocity) = walked(&anchor, start, flat * (way / flat.norm()));
            let flat = anchor.tangential(&domain, end, velocity * -1.0);
            let (back, _) = walked(&anchor, end, flat * (way / flat.norm()));
            assert!((back - start).norm() < 0.02, "{start:?} {back:?}");
        }
    }

    /// A meridian leads over both tips and back: its length is known.
    #[test]
    fn a_meridian_closes() {
        let deep = anchor::<3>(Ends::Round);
        let start = Vector([40.0, 30.0, 31.0]);
        let round = 2.0 * 24.0 + TAU * 10.0;
        let (end, velocity) = walked(&deep, start, Vector([0.0, 0.0, round]));
        assert!((end - start).norm() < 3e-3 && velocity[2] > 0.0, "{end:?}");
        let flat = anchor::<2>(Ends::Round);
        let (end, _) = walked(&flat, Vector([40.0, 31.0]), Vector([0.0, -round]));
        assert!((end - Vector([40.0, 31.0])).norm() < 3e-3, "{end:?}");
    }

    #[test]
    fn a_place_beside_one_off_a_rod_is_on_it_and_as_far_as_it_should_be() {
        let domain = Domain::new([60.0; 3], [true; 3]);
        for ends in [Ends::Round, Ends::Open] {
            let anchor = anchor::<3>(ends);
            let mut found = 0;
            for n in 0..1000 {
                let [u, v, a, b] = numbers(n);
                let foot = Vector([30.0; 3]) + rod(ends).place(60.0, [u, v]);
                let (_, outwards) =
                    rod(ends).distance(domain.nearest_image(foot - Vector([30.0; 3])));
                let height = 6.0 * (a - 0.5);
                let from = foot + outwards * height;
                let towards = Vector([b - 0.5, a - 0.5, 0.3]);
                let Some(there) = anchor.reach(&domain, from, towards, 2.5) else {
                    assert!(height.abs() > 2.49, "{height}");
                    continue;
                };
                found += 1;
                assert!(((there - from).norm() - 2.5).abs() < 1e-12);
                assert!((anchor.nearest(&domain, there) - there).norm() < 1e-10);
                let [one, other] = anchor.apart(&domain, foot, towards, 3.0, [0.3, 0.7]);
                assert!(((one - other).norm() - 3.0).abs() < 1e-12);
                assert!((anchor.nearest(&domain, other) - other).norm() < 1e-10);
            }
            assert!(found > 700, "{found}");
        }
    }

    /// 20 000 places: along the axis and in the plane by the arc, each bin of twenty has its share within five standard
    /// errors (in all once in 10^4 seeds).
    #[test]
    fn places_are_uniform_over_the_area() {
        const BINS: usize = 20;
        let rod = rod(Ends::Round);
        let mut bins = [[0.0; BINS]; 2];
        for n in 0..20_000 {
            let [u, v, ..] = numbers(n);
            let deep: Vector<3> = rod.place(0.0, [u, v]);
            assert!(rod.distance(deep).0.abs() < 1e-9);
            bins[0][((deep[2] + 22.0) / 44.0 * BINS as f64) as usize] += 1.0;
            let flat: Vector<2> = Rod { axis: 0, ..rod }.place(0.0, [u, v]);
            assert!(Rod { axis: 0, ..rod }.distance(flat).0.abs() < 1e-9);
            let arc = match flat[0].abs() > 12.0 {
                true => libm::atan2(flat[1], flat[0] - 12.0_f64.copysign(flat[0])),
                false => continue,
            };
            bins[1][(((arc + PI) / TAU * BINS as f64) as usize).min(BINS - 1)] += 1.0;
        }
        for bins in bins {
            let each = bins.iter().sum::<f64>() / BINS as f64;
            assert!(bins.iter().all(|n| (n - each).abs() < 5.0 * each.sqrt()), "{bins:?}");
        }
        let area = TAU * 10.0 * 44.0;
        assert!((rod.area(3, 60.0, 0.0) - area).abs() < 1e-9);
        assert!((rod.area(2, 60.0, 0.0) - (48.0 + TAU * 10.0)).abs() < 1e-9);
    }
}
