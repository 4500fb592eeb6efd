//! The certificates of facets: what has to stay positive for a facet to stay, and what is to be
//! done when it fails.
//!
//! As in the plane ([`Certificate`]), a change is due only where a certificate is certainly
//! negative. Each determinant has a tolerance of its own, eight times a bound of its error, which
//! takes in how far away each site is: the frame is some ten boxes away, and would otherwise spoil
//! all signs near the hull.

use super::super::certificate::Certificate;
use super::super::power::{RelativeSite, oriented_volume, power_in_sphere};
use super::super::roots::{cannot_fall_before, first_fall};
use super::mesh::{Joint, NONE, TetrahedronMesh};
use super::sites::Sites;
use jostle_core::space::Flights;

/// Tolerances per bound of the error.
const TOLERANCE: f64 = 8.0;

/// The sites at one moment.
#[derive(Clone, Copy)]
pub(super) struct SpatialView<'a> {
    flights: &'a Flights<'a, 3>,
    sites: &'a Sites,
    now: f64,
    rounding: f64,
}

/// What a facet that has failed calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// The two tetrahedra become three round the line between their apexes.
    TwoToThree,
    /// The three tetrahedra round this edge of the facet become two.
    ThreeToTwo([u32; 3], [u32; 2]),
    /// The four tetrahedra round this edge become four round the line between the apexes, which
    /// crosses it.
    FourToFour([u32; 4], [u32; 2]),
    /// Something else has to change first.
    Wait,
}

/// How far sites are from the observer, for bounds of errors.
#[derive(Clone, Copy, Default)]
struct Spread {
    /// The product of all distances.
    product: f64,
    /// The sum of the errors of coordinates, and of their ratios to the distances.
    errors: f64,
    ratios: f64,
}

impl<'a> SpatialView<'a> {
    pub(super) fn new(flights: &'a Flights<'a, 3>, sites: &'a Sites, now: f64) -> Self {
        Self { flights, sites, now, rounding: sites.rounding(flights) }
    }

    #[inline]
    fn is_particle(&self, site: u32) -> bool {
        self.sites.particle(site, self.flights.len() as u32).is_some()
    }

    /// How some sites look from one.
    #[inline]
    fn seen_from<const N: usize>(&self, observer: u32, sites: [u32; N]) -> [RelativeSite<3>; N] {
        let of = |site| self.sites.site(site, self.flights, self.now);
        let observer = of(observer);
        sites.map(|site| {
            let site = of(site);
            site.seen_at(self.sites.apart(observer.position, site.position), &observer)
        })
    }

    /// The other four of a joint as seen from one of the corners that they share: the nearest to
    /// the others are particles, and so is this one.
    #[inline]
    fn seen(&self, joint: &Joint) -> [RelativeSite<3>; 4] {
        let [mut a, mut b, mut c] = joint.base;
        while !self.is_particle(a) && (self.is_particle(b) || self.is_particle(c)) {
            (a, b, c) = (b, c, a);
        }
        self.seen_from(a, [b, c, joint.apexes[0], joint.apexes[1]])
    }

    fn spread(&self, seen: &[RelativeSite<3>]) -> Spread {
        let time = 0.125 * f64::EPSILON * self.now.abs();
        let mut spread = Spread { product: 1.0, ..Spread::default() };
        for site in seen {
            let largest = |v: &[f64; 3]| v[0].abs().max(v[1].abs()).max(v[2].abs());
            let size = largest(&site.position.0);
            let error =
                self.rounding + 4.0 * f64::EPSILON * size + time * largest(&site.velocity.0);
            let size = size.max(error);
            spread.product *= size;
            spread.errors += error;
            spread.ratios += error / size;
        }
        spread
    }

    /// The determinant is a sum of terms w x y z with the w = |x|² - r² + R² of one site and a
    /// minor, of six products, of the three others. The error of a coordinate e at the distance s
    /// makes one of w of at most 6 s e.
    #[inline]
    fn tolerance(&self, seen: &[RelativeSite<3>; 4]) -> f64 {
        let spread = self.spread(seen);
        let mut power = 0.0;
        for site in seen {
            let [x, y, z] = site.position.0.map(f64::abs);
            power += site.power[0].abs() / x.max(y).max(z).max(self.rounding);
        }
        TOLERANCE * spread.product * (36.0 * spread.errors + 6.0 * power * spread.ratios)
    }

    #[inline]
    fn of(&self, seen: &[RelativeSite<3>; 4]) -> Certificate {
        Certificate { value: power_in_sphere(seen), tolerance: self.tolerance(seen) }
    }

    /// What has to stay positive for the facet of `joint`.
    pub(super) fn certificate(&self, joint: &Joint) -> Certificate {
        self.of(&self.seen(joint))
    }

    /// A time up to which the facet certainly stays: cheap, for facets that are likely to be planned
    /// again before that.
    #[inline]
    pub(super) fn stays_until(&self, joint: &Joint) -> f64 {
        let seen = self.seen(joint);
        let Certificate { mut value, tolerance } = self.of(&seen);
        value[0] += tolerance;
        self.now + cannot_fall_before(&value).min(self.fits(&seen))
    }

    /// How long the sites are near enough to each other to be told from their images.
    #[inline]
    fn fits(&self, seen: &[RelativeSite<3>; 4]) -> f64 {
        match self.sites.torus() {
            Some(torus) => torus.lasts(ranges(seen), rates(seen)),
            None => f64::INFINITY,
        }
    }

    /// Whether the sites are too far from each other by now to be told from their images.
    pub(super) fn is_too_narrow(&self, joint: &Joint) -> bool {
        self.sites.torus().is_some_and(|torus| torus.is_too_narrow(ranges(&self.seen(joint))))
    }

    /// When the facet fails. Where its five sites come together on the way, so that what is
    /// tolerable now is not then, it is looked at again shortly before.
    pub(super) fn due(&self, joint: &Joint) -> f64 {
        let seen = self.seen(joint);
        let certificate = self.of(&seen);
        let wait = certificate.lasts().min(self.fits(&seen));
        let Certificate { mut value, tolerance } = certificate;
        if wait == f64::INFINITY || value[0] <= 2.0 * tolerance {
            return self.now + wait;
        }
        if self.tolerance(&seen.map(|site| site.later(wait))) >= tolerance / 64.0 {
            return self.now + wait;
        }
        value[0] -= tolerance;
        self.now + first_fall(&value).min(wait)
    }

    /// When a facet that has failed will have failed by as much again.
    pub(super) fn fails_twice_as_much(&self, certificate: &Certificate) -> f64 {
        let mut value = certificate.value;
        value[0] = f64::max(-value[0], 0.125 * certificate.tolerance);
        self.now + first_fall(&value)
    }

    /// On which side of the triangle a, b, c the site d is, in tolerances: positive if they are
    /// positively oriented.
    pub(super) fn side(&self, [mut a, mut b, mut c, mut d]: [u32; 4]) -> f64 {
        // Even permutations.
        for _ in 0..3 {
            if self.is_particle(a) {
                break;
            }
            (a, b, c, d) = (b, c, a, d);
        }
        if !self.is_particle(a) && self.is_particle(d) {
            (a, b, c, d) = (d, c, b, a);
        }
        let seen = self.seen_from(a, [b, c, d]);
        let Spread { product, ratios, .. } = self.spread(&seen);
        oriented_volume(&seen)[0] / (TOLERANCE * 6.0 * product * ratios)
    }

    /// What to do about a facet that has failed. Where its two tetrahedra make a convex body, they
    /// become three. Where one edge of it is reflex, the third of three round it is there already.
    pub(super) fn what_to_do(&self, joint: &Joint, mesh: &TetrahedronMesh) -> Move {
        let [d, e] = joint.apexes;
        let edge = |k: usize| [joint.base[k], joint.base[(k + 1) % 3]];
        let sides = [0, 1, 2].map(|k| self.side([edge(k)[0], edge(k)[1], e, d]));
        let least = if sides[0] <= sides[1] && sides[0] <= sides[2] {
            0
        } else if sides[1] <= sides[2] {
            1
        } else {
            2
        };
        if sides[least] > 1.0 {
            return Move::TwoToThree;
        }
        if (0..3).any(|k| k != least && sides[k] < -1.0) {
            return Move::Wait;
        }
        let pivot = edge(least);
        match mesh.around(joint.sides[0], pivot) {
            Some(([a, b, c, _], 3)) => Move::ThreeToTwo([a, b, c], pivot),
            Some((all, 4)) if sides[least] >= -1.0 => {
                let opposite = |t: u32| {
                    let known = [pivot[0], pivot[1], d, e];
                    mesh.corners(t).into_iter().find(|corner| !known.contains(corner))
                };
                // The other apex of the ring, beyond the flat side.
                let far = all
                    .into_iter()
                    .filter(|t| !joint.sides.contains(t))
                    .find_map(opposite)
                    .unwrap_or(NONE);
                let fits = far != NONE
                    && pivot.into_iter().enumerate().all(|(k, end)| {
                        let [one, other] = if k == 0 { [e, d] } else { [d, e] };
                        self.side([end, far, one, other]) >= -1.0
                    });
                if fits { Move::FourToFour(all, pivot) } else { Move::Wait }
            }
            _ if sides[least] > 0.0 => Move::TwoToThree,
            _ => Move::Wait,
        }
    }
}

/// The largest extent of either of the two tetrahedra, which share the observer and the first two,
/// along each axis.
fn ranges(seen: &[RelativeSite<3>; 4]) -> [f64; 3] {
    std::array::from_fn(|k| {
        let [b, c, d, e] = seen.each_ref().map(|site| site.position[k]);
        let (low, high) = (b.min(c).min(0.0), b.max(c).max(0.0));
        f64::max(high.max(d) - low.min(d), high.max(e) - low.min(e))
    })
}

/// How fast these grow at most.
fn rates(seen: &[RelativeSite<3>; 4]) -> [f64; 3] {
    std::array::from_fn(|k| {
        let along = seen.each_ref().map(|site| site.velocity[k]);
        along.iter().fold(0.0, |high: f64, v| high.max(*v))
            - along.iter().fold(0.0, |low: f64, v| low.min(*v))
    })
}
