//! Certificates: what has to stay positive for an edge to stay, as a polynomial in time, and when
//! it fails.
//!
//! A change is due only where a certificate is *certainly* negative, beyond all rounding: at the
//! moment at which it falls below minus its tolerance, which is ten times the error with which it
//! can be known. That settles all degenerate cases together:
//! - Lattices, sites on one line and double roots: a certificate that is zero, or touches zero, is
//!   no event.
//! - The edge that a flip puts in has the certificate of the old one with its sign changed, so it
//!   stands at plus the tolerance: it does not flip back unless the motion turns round.
//! - At one moment flips end: each lowers the surface over the plane spanned by the sites lifted to
//!   |x|² - r² (or, at the hull, widens the area covered), by more than rounding could undo.
//!
//! The tolerance is some 1e-12 of the determinant's scale, so an edge outstays its certificate by
//! no more than the way that the rounding of coordinates and times stands for anyway. Two disks
//! that touch are joined by an edge whose certificate is far above that: their common edge in the
//! power diagram reaches at least as far as the incircle of three that touch each other.

use super::closed::ClosedBox;
use super::mesh::{Corner, Quad};
use super::power::{RelativeSite, Site, oriented_volume, power_in_sphere};
use super::roots::{Polynomial, cannot_fall_before, first_fall};
use jostle_core::space::{Flights, Vector};

/// Of a determinant: its tolerance per its scale times the error of a coordinate. The propagated
/// error of the coordinates is at most 24 such units, and that of the arithmetic at most 15.
const TOLERANCE: f64 = 400.0;

/// The sites at one moment.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    flights: &'a Flights<'a, 2>,
    pub now: f64,
    /// Of a torus; zero between walls, where there are no images. \[length\]
    periods: [f64; 2],
    /// By how much a coordinate may be wrong. \[length\]
    rounding: f64,
}

/// The certificate of an edge from now on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Certificate {
    /// Positive while the edge is right.
    pub value: Polynomial,
    /// Below minus this the edge is certainly wrong.
    pub tolerance: f64,
}

impl Certificate {
    /// How long it takes from now until the edge is certainly wrong; infinity if it never is.
    #[inline]
    pub(super) fn lasts(&self) -> f64 {
        let mut lifted = self.value;
        lifted[0] += self.tolerance;
        first_fall(&lifted)
    }

    /// Whether the edge is certainly wrong now. An eighth of the tolerance is still more than the
    /// error. The margin lets a look at the predicted time find the failure although the scale has
    /// changed in the meantime. If it does not, the failure is still to come, and at least one
    /// distinguishable time later than now.
    pub(super) fn has_failed(&self) -> bool {
        self.value[0] < -0.125 * self.tolerance
    }
}

impl<'a> View<'a> {
    pub(super) fn new(flights: &'a Flights<'a, 2>, now: f64) -> Self {
        Self { flights, now, periods: [0.0; 2], rounding: flights.domain.rounding() }
    }

    /// On a torus.
    pub(super) fn around(flights: &'a Flights<'a, 2>, now: f64, periods: [f64; 2]) -> Self {
        Self { flights, now, periods, rounding: ClosedBox::rounding(periods, flights) }
    }

    /// How one corner looks from another.
    #[inline]
    fn seen(&self, observer: Corner, corner: Corner) -> RelativeSite<2> {
        let (from, to) = (self.site(observer.site), self.site(corner.site));
        let apart = to.position - from.position;
        let turns = [0, 1].map(|k| f64::from(corner.away[k] - observer.away[k]));
        to.seen_at(Vector::from_fn(|k| apart[k] + turns[k] * self.periods[k]), &from)
    }

    /// Where `i` is, and how it moves.
    #[inline]
    pub(super) fn site(&self, i: u32) -> Site<2> {
        Site {
            position: self.flights.at(i, self.now),
            velocity: self.flights.velocity_at(i, self.now),
            radius: self.flights.all[i as usize].radius,
        }
    }

    /// What has to stay positive for `quad`; nothing if that cannot fail.
    pub(super) fn certificate(&self, quad: Quad) -> Option<Certificate> {
        match quad {
            Quad::Inner(all) => Some(self.inner(&self.seen_by_first(all))),
            Quad::Hull(all) | Quad::Corner(all) => Some(self.turn(&self.seen_by_tip(all))),
            Quad::Fixed => None,
        }
    }

    #[inline]
    fn seen_by_first(&self, [a, b, c, d]: [Corner; 4]) -> [RelativeSite<2>; 3] {
        [b, c, d].map(|corner| self.seen(a, corner))
    }

    #[inline]
    fn seen_by_tip(&self, [before, tip, after]: [u32; 3]) -> [RelativeSite<2>; 2] {
        let observer = self.site(tip);
        [before, after].map(|i| self.site(i).seen_from(&observer))
    }

    /// For an inner edge, from one end of it: the other end, then the left and the right corner.
    #[inline]
    fn inner(&self, seen: &[RelativeSite<2>; 3]) -> Certificate {
        // The circle of a, b, c must not have d inside: four rows moved round, an odd permutation,
        // change the sign.
        Certificate { value: power_in_sphere(seen), tolerance: self.inner_tolerance(seen) }
    }

    #[inline]
    fn inner_tolerance(&self, seen: &[RelativeSite<2>; 3]) -> f64 {
        let (size, error) = self.scale(seen);
        // The determinant is a sum of products x y w. An error of a coordinate enters through x or
        // y, which leaves size times power, and through w = x² + y² - r² + R², which leaves size
        // cubed.
        let power = seen.iter().fold(0.0, |most, site| f64::max(most, site.power[0].abs()));
        TOLERANCE * size * (size * size + power) * error
    }

    /// Whether three corners turn left.
    pub(super) fn turn_of(&self, [before, tip, after]: [Corner; 3]) -> Certificate {
        self.turn(&[before, after].map(|corner| self.seen(tip, corner)))
    }

    /// For an edge at the hull, from the tip: the site before and the site after it.
    #[inline]
    fn turn(&self, [before, after]: &[RelativeSite<2>; 2]) -> Certificate {
        let (size, error) = self.scale(&[*before, *after]);
        // (tip - before) x (after - tip).
        Certificate {
            value: oriented_volume(&[*after, *before]),
            tolerance: TOLERANCE * size * error,
        }
    }

    /// How far the sites are from the observer, and by how much that may be wrong: by the rounding
    /// of coordinates, and by part of the way made within the rounding of the time. No determinant
    /// changes within one rounding of the time by more than 24 epsilon times speed and time on its
    /// scale, which is half of the tolerance that results from that part alone.
    #[inline]
    fn scale(&self, seen: &[RelativeSite<2>]) -> (f64, f64) {
        let largest = |v: Vector<2>| v[0].abs().max(v[1].abs());
        let (mut size, mut speed) = (0.0, 0.0);
        for site in seen {
            size = f64::max(size, largest(site.position));
            speed = f64::max(speed, largest(site.velocity));
        }
        (size, self.rounding + 0.125 * f64::EPSILON * speed * self.now.abs())
    }

    /// Whether the edge in `quad` can be replaced by the other diagonal in `wait` from now. It can
    /// wherever it is wrong, as long as no disk is covered by others: the power cell of a disk
    /// contains the part that it does not share, and a corner that points inwards would have no
    /// cell.
    pub(super) fn can_flip(&self, quad: Quad, wait: f64) -> bool {
        let seen = |tip: u32, i: u32| self.site(i).seen_from(&self.site(tip)).later(wait);
        match quad {
            Quad::Inner([a, b, c, d]) => {
                [[d, b, c], [c, a, d]].iter().all(|[before, tip, after]| {
                    let turn = [before, after].map(|corner| self.seen(*tip, *corner).later(wait));
                    let turn = self.turn(&turn);
                    turn.value[0] >= -turn.tolerance
                })
            }
            // At the hull three sites are on one line, and only the one in the middle can pass
            // through the edge between the others.
            Quad::Hull(all) | Quad::Corner(all) => {
                let [before, tip, after] = all;
                seen(tip, before).position.dot(seen(tip, after).position) < 0.0
            }
            Quad::Fixed => false,
        }
    }

    /// When the edge in `quad` is to flip, or to be looked at again.
    #[inline]
    pub(super) fn due(&self, quad: Quad) -> f64 {
        let wait = match quad {
            Quad::Inner(all) => self.inner_lasts(&self.seen_by_first(all)),
            Quad::Hull(all) | Quad::Corner(all) => self.turn(&self.seen_by_tip(all)).lasts(),
            Quad::Fixed => f64::INFINITY,
        };
        // Inner edges that fail later are looked at when they do. Of the edges round a triangle
        // that becomes flat at the hull, only one is to flip, and it can be told in advance.
        let certain = wait == f64::INFINITY || (wait > 0.0 && matches!(quad, Quad::Inner(_)));
        match certain || self.can_flip(quad, wait) {
            true => self.now + wait,
            false => f64::INFINITY,
        }
    }

    /// A time up to which the edge in `quad` certainly stays: cheap, for edges that are likely to
    /// be replanned before that.
    #[inline]
    pub(super) fn stays_until(&self, quad: Quad) -> f64 {
        let Quad::Inner(all) = quad else { return self.due(quad) };
        let Certificate { mut value, tolerance } = self.inner(&self.seen_by_first(all));
        value[0] += tolerance;
        self.now + cannot_fall_before(&value)
    }

    /// How long an inner edge lasts. Where its four sites come together on the way, so that what is
    /// tolerable now is not then, it is looked at again shortly before.
    #[inline]
    fn inner_lasts(&self, seen: &[RelativeSite<2>; 3]) -> f64 {
        let certificate = self.inner(seen);
        let wait = certificate.lasts();
        let Certificate { mut value, tolerance } = certificate;
        if wait == f64::INFINITY || value[0] <= 2.0 * tolerance {
            return wait;
        }
        let then = seen.map(|site| site.later(wait));
        if self.inner_tolerance(&then) >= tolerance / 64.0 {
            return wait;
        }
        value[0] -= tolerance;
        first_fall(&value)
    }
}
