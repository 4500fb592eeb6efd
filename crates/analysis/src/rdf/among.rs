//! How often two particles of an ideal gas are so far apart in a box with surfaces in it: by going
//! from places of the one in all directions, and asking how often the other may be there.
//!
//! Places, directions and distances together are points of a sequence of low discrepancy (additive
//! recurrence with the powers of the generalised golden ratio), so that they tell shares to a few
//! thousandths.

use std::f64::consts::{PI, TAU};

use crate::surfaces::Surfaces;
use jostle_core::environment::Form;
use jostle_core::environment::{Manner, Shape};
use jostle_core::random::{Purpose, Random};
use jostle_core::space::ball_volume;
use jostle_core::space::{Domain, Vector};

/// Places, directions and distances for one shell, at most.
const STARTS: usize = 1 << 14;
/// Places by which the room of a kind is measured, and pairs of places that are compared.
const PROBES: usize = 1 << 19;

/// A surface, as one kind of particles knows it.
struct Bound<const D: usize> {
    shape: Shape<D>,
    /// How near centres get. \[nm\]
    margin: f64,
    /// Whether any has been seen outside, and inside.
    seen: [bool; 2],
}

/// Where particles of one kind are: on the sides of surfaces on which any has been seen.
pub(super) struct Room<const D: usize> {
    domain: Domain<D>,
    radius: f64,
    /// The surface that they live on, and how large that is. \[nm^(d-1)\]
    anchor: Option<(u16, Shape<D>, f64)>,
    bounds: Vec<Bound<D>>,
    /// Some of the places where they may be, each with numbers for a way from there.
    starts: Vec<(Vector<D>, [f64; 3])>,
    /// How much room they have. \[nm^d, on a surface nm^(d-1)\]
    extent: f64,
}

/// A sequence in the unit cube of `K` dimensions.
fn recurrence<const K: usize>() -> impl Iterator<Item = [f64; K]> {
    // The root of x^(K+1) = x + 1.
    let mut root = 1.5_f64;
    for _ in 0..60 {
        root = libm::pow(1.0 + root, 1.0 / (K as f64 + 1.0));
    }
    let steps: [f64; K] = std::array::from_fn(|k| libm::pow(root, -(k as f64 + 1.0)));
    (1..).map(move |n| {
        steps.map(|step| {
            let x = 0.5 + step * f64::from(n);
            x - libm::floor(x)
        })
    })
}

/// A direction in the first `dimension` axes, all as likely.
fn direction<const D: usize>(dimension: usize, [u, v]: [f64; 2]) -> Vector<D> {
    let (s, c) = (libm::sin(TAU * u), libm::cos(TAU * u));
    let up = 2.0 * v - 1.0;
    let flat = (1.0 - up * up).max(0.0).sqrt();
    let along = match dimension {
        1 => [if u < 0.5 { -1.0 } else { 1.0 }, 0.0, 0.0],
        2 => [c, s, 0.0],
        _ => [flat * c, flat * s, up],
    };
    Vector::from_fn(|k| along[k])
}

impl<const D: usize> Room<D> {
    /// Of particles of the species with this number and radius \[nm\]; no particle has been seen
    /// yet.
    pub(super) fn of(surfaces: &Surfaces, domain: &Domain<D>, species: u16, radius: f64) -> Self {
        let around = &surfaces.surroundings;
        let anchor = around.anchor(species).map(|anchor| {
            let form: &Form = &around.surfaces[anchor.surface as usize].form;
            (anchor.surface, form.shape(), form.extent(D, &surfaces.edges))
        });
        let elsewhere =
            |n: &usize| anchor.as_ref().is_none_or(|(surface, ..)| usize::from(*surface) != *n);
        let bound = |n: usize| {
            let surface = &around.surfaces[n];
            let by_centre = surface
                .manners
                .get(species as usize)
                .is_none_or(|manner| *manner == Manner::Ignore || manner.is_by_centre());
            let margin = if by_centre { 0.0 } else { radius };
            Bound { shape: surface.form.shape(), margin, seen: [false; 2] }
        };
        let bounds = (0..around.surfaces.len()).filter(elsewhere).map(bound).collect();
        Self { domain: domain.clone(), radius, anchor, bounds, starts: Vec::new(), extent: 0.0 }
    }

    /// One of them has been seen here.
    pub(super) fn see(&mut self, place: Vector<D>) {
        for bound in self.bounds.iter_mut().filter(|bound| bound.seen != [true; 2]) {
            bound.seen[usize::from(bound.shape.is_inside(&self.domain, place))] = true;
        }
    }

    /// All of them have been seen: finds places, and how much room there is.
    pub(super) fn measured(mut self) -> Self {
        let within = self.frame();
        let all = recurrence::<6>().take(PROBES);
        let all = all.map(|[x, y, z, u, v, w]| (self.somewhere(&within, [x, y, z]), [u, v, w]));
        let mut starts: Vec<_> = all.filter(|&(place, _)| self.contains(place)).collect();
        let box_volume = || within.iter().map(|[from, to]| to - from).product();
        let whole: f64 = self.anchor.as_ref().map_or_else(box_volume, |(_, _, extent)| *extent);
        self.extent = whole * starts.len() as f64 / PROBES as f64;
        starts.truncate(STARTS);
        self.starts = starts;
        self
    }

    /// The box, or what of it is around closed surfaces out of which none has been seen.
    fn frame(&self) -> [[f64; 2]; D] {
        let inside = || self.bounds.iter().filter(|bound| bound.seen == [false, true]);
        std::array::from_fn(|k| {
            let whole = [0.0, self.domain.edges()[k]];
            inside()
                .filter_map(|bound| bound.shape.bounds(k))
                .fold(whole, |a, b| [a[0].max(b[0]), a[1].min(b[1])])
        })
    }

    /// Whether there is no room at all.
    pub(super) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// A place in this part of the box, or on the surface that they live on.
    fn somewhere(&self, within: &[[f64; 2]; D], numbers: [f64; 3]) -> Vector<D> {
        let mut place =
            Vector::from_fn(|k| within[k][0] + (within[k][1] - within[k][0]) * numbers[k]);
        match &self.anchor {
            Some((_, Shape::Plane { axis, at }, _)) => place[*axis] = *at,
            Some((_, Shape::Ball { centre, radius }, _)) => {
                place = *centre + direction::<D>(D, [numbers[0], numbers[1]]) * *radius;
            }
            Some((_, Shape::Rod { centre, rod }, _)) => {
                let edge = self.domain.edges()[rod.axis];
                let from_centre = rod.place(edge, [numbers[0], numbers[1]]);
                place = self.domain.wrap(*centre + from_centre).0;
            }
            Some((_, Shape::Mesh(mesh), _)) => {
                place = self.domain.wrap(mesh.place([numbers[0], numbers[1]])).0;
            }
            None => {}
        }
        place
    }

    fn contains(&self, place: Vector<D>) -> bool {
        let (place, _) = self.domain.wrap(place);
        let edges = self.domain.edges();
        let normal = match &self.anchor {
            Some((_, Shape::Plane { axis, .. }, _)) => Some(*axis),
            _ => None,
        };
        let mut walls = (0..D).filter(|&k| !self.domain.is_periodic(k) && Some(k) != normal);
        walls.all(|k| (self.radius..=edges[k] - self.radius).contains(&place[k]))
            && self.bounds.iter().all(|bound| {
                bound.seen[usize::from(bound.shape.is_inside(&self.domain, place))]
                    && (bound.margin == 0.0
                        || bound.shape.distance(&self.domain, place) >= bound.margin)
            })
    }

    /// The probability that one of these and one of `other`, each anywhere in its room with equal
    /// chance, are between two distances apart, up to half the shortest edge of the box. \[nm\]
    pub(super) fn shares<'a>(&'a self, other: &'a Self) -> Box<dyn Fn(f64, f64) -> f64 + 'a> {
        match (&self.anchor, &other.anchor) {
            (None, Some(_)) => other.shares(self),
            (_, None) => self.shells(other, D, None),
            (Some((own, ..)), Some((others, ..))) if own != others => self.straight(other),
            (Some((_, Shape::Plane { axis, .. }, _)), _) => self.shells(other, D - 1, Some(*axis)),
            (Some((_, Shape::Ball { radius, .. }, _)), _) if !self.sees_images(*radius) => {
                Box::new(|from, to| cap(D, *radius, to) - cap(D, *radius, from))
            }
            _ => self.straight(other),
        }
    }

    /// Whether images of a sphere are nearer than what is on it.
    fn sees_images(&self, radius: f64) -> bool {
        let edges = self.domain.edges();
        (0..D).any(|k| self.domain.is_periodic(k) && edges[k] < 4.0 * radius)
    }

    /// Goes from places of the one by distances of the shell, in the first axes or in the plane
    /// across one of them.
    fn shells<'a>(
        &'a self,
        other: &'a Self,
        dimension: usize,
        across: Option<usize>,
    ) -> Box<dyn Fn(f64, f64) -> f64 + 'a> {
        // There are many shells, and the ways are the same for all.
        let ways = self.starts.iter().map(|&(start, [u, v, w])| {
            let mut way = direction::<D>(dimension, [u, v]);
            if let Some(axis) = across {
                way.0.swap(axis, D - 1);
            }
            (start, way, w)
        });
        let ways: Vec<_> = ways.collect();
        let power = move |r: f64| r.powi(dimension as i32);
        let root = move |volume: f64| match dimension {
            1 => volume,
            2 => volume.sqrt(),
            _ => libm::cbrt(volume),
        };
        Box::new(move |from, to| {
            let [inner, outer] = [from, to].map(power);
            let found = ways.iter().filter(|&&(start, way, w)| {
                other.contains(start + way * root(inner + w * (outer - inner)))
            });
            let shell = ball_volume(dimension, to) - ball_volume(dimension, from);
            shell / other.extent * found.count() as f64 / ways.len() as f64
        })
    }

    /// Compares places of the one with places of the other, drawn at random: a sequence of low
    /// discrepancy would not do, whose points keep apart.
    fn straight(&self, other: &Self) -> Box<dyn Fn(f64, f64) -> f64> {
        let random = Random::new(0);
        let frames = [self.frame(), other.frame()];
        let pairs = (0..PROBES as u64).map(|n| {
            let numbers =
                |m: u64| [0, 1, 2].map(|k| random.uniform(Purpose::Placement, [n, k, m, 0]));
            (self.somewhere(&frames[0], numbers(0)), other.somewhere(&frames[1], numbers(1)))
        });
        let real = pairs.filter(|&(a, b)| self.contains(a) && other.contains(b));
        let mut apart: Vec<f64> =
            real.map(|(a, b)| self.domain.nearest_image(b - a).norm()).collect();
        apart.sort_by(f64::total_cmp);
        let nearer = move |distance: f64| {
            apart.partition_point(|&one| one < distance) as f64 / apart.len().max(1) as f64
        };
        Box::new(move |from, to| nearer(to) - nearer(from))
    }
}

/// The part of a sphere, or a circle, that is within a straight distance of one of its points.
fn cap(dimension: usize, radius: f64, distance: f64) -> f64 {
    let x = (0.5 * distance / radius).min(1.0);
    match dimension {
        3 => x * x,
        _ => 2.0 * libm::asin(x) / PI,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::narrow::{Ends, Rod};
    use jostle_model::surroundings::{Anchor, SurfaceModel, Surroundings};

    const EDGE: f64 = 30.0;

    fn surfaces(form: Form, anchors: Vec<Option<Anchor>>) -> Surfaces {
        let manners = vec![Manner::Reflect; anchors.len()];
        let surface = SurfaceModel { name: "wall".into(), form, manners, sites: None };
        let sides = vec![Vec::new(); anchors.len()];
        Surfaces {
            dimension: 3,
            edges: [EDGE; 3],
            periodic: [true; 3],
            surroundings: Surroundings::new(vec![surface], anchors, sides, 3, &[EDGE; 3]),
        }
    }

    fn domain() -> Domain<3> {
        Domain::new([EDGE; 3], [true; 3])
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.01 * expected, "{found} for {expected}");
    }

    const LIVES: Option<Anchor> = Some(Anchor { surface: 0, faces: None });

    #[test]
    fn in_a_sphere_it_is_the_known_distribution_of_distances() {
        let ball = Form::Ball { centre: [10.0; 3], radius: 7.0 };
        let mut room = Room::of(&surfaces(ball, vec![None]), &domain(), 0, 1.0);
        room.see(Vector([10.0; 3]));
        let room = room.measured();
        // Centres keep to a sphere of radius 6: 3 x² - 9/4 x³ + 3/16 x⁵ in units of it.
        let known = |x: f64| {
            let x = x / 6.0;
            x.powi(3) - 9.0 / 16.0 * x.powi(4) + x.powi(6) / 32.0
        };
        for (from, to) in [(0.0, 1.0), (2.0, 2.2), (5.0, 6.0), (9.0, 10.0)] {
            close(room.shares(&room)(from, to), known(to) - known(from));
        }
    }

    #[test]
    fn on_surfaces_shells_are_rings() {
        let plane = Form::Plane { axis: 1, at: 3.0 };
        let all = surfaces(plane, vec![LIVES, None]);
        let on = Room::of(&all, &domain(), 0, 0.5).measured();
        close(on.shares(&on)(2.0, 3.0), PI * 5.0 / (EDGE * EDGE));
        let mut above = Room::of(&all, &domain(), 1, 0.5);
        above.see(Vector([1.0, 5.0, 1.0]));
        above.see(Vector([1.0, 1.0, 1.0]));
        let above = above.measured();
        // All of the shell but what is within a radius of the plane.
        let room = EDGE * EDGE * (EDGE - 1.0);
        let band = |r: f64| 4.0 / 3.0 * PI * r.powi(3) - PI * (r * r - 1.0 / 12.0);
        close(on.shares(&above)(2.0, 3.0), (band(3.0) - band(2.0)) / room);
        close(above.shares(&on)(2.0, 3.0), (band(3.0) - band(2.0)) / room);
        let ball = Form::Ball { centre: [10.0; 3], radius: 7.0 };
        let round = Room::of(&surfaces(ball, vec![LIVES]), &domain(), 0, 0.5).measured();
        close(round.shares(&round)(2.0, 3.0), 5.0 / (4.0 * 49.0));
        // A rod with hardly any straight part is a sphere, and a wide one is nearly flat: as far as a chord r the area
        // is π r² (1 + r²/32 R²).
        let rod = |half, radius, ends| {
            let rod = Rod { axis: 1, half, radius, ends };
            let on = surfaces(Form::Rod { centre: [15.0; 3], rod }, vec![LIVES]);
            Room::of(&on, &domain(), 0, 0.5).measured()
        };
        let short = rod(1e-3, 7.0, Ends::Round);
        close(short.shares(&short)(2.0, 6.0), 32.0 / (4.0 * 49.0));
        let wide = rod(f64::INFINITY, 8.0, Ends::Open);
        let area = |r: f64| PI * r * r * (1.0 + r * r / (32.0 * 64.0));
        close(wide.shares(&wide)(2.0, 6.0), (area(6.0) - area(2.0)) / (2.0 * PI * 8.0 * EDGE));
    }
}
