//! When two particles in flight touch. Under an acceleration that all share their relative motion
//! is straight, so that the test is the quadratic of two straight paths.

use super::first_contact_of;
use crate::space::{Flights, Vector};

/// Which periodic images of a pair are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Images {
    /// The nearest one, or both at half an edge.
    Nearest,
    /// All within half an edge and the contact distance.
    Near,
}

/// When the surfaces of `a` and `b` touch, for all of their flights; infinity if never.
///
/// The time is a function of the two flights and of the periodic image that is met, computed from
/// the start of the younger flight: the same bits whichever asks, and when. `now` only says which
/// `images` are looked at: the nearest, or those near then (see `MOST_TRAVEL` of the kinetic
/// structures). Particles that overlap by rounding touch at the start of the younger flight if they
/// approach, and not at all if they do not (the stable rule of Bannerman et al. 2014). Give the
/// particle with the lower number first.
#[inline]
pub fn flight_contact<const D: usize>(
    flights: &Flights<'_, D>,
    a: u32,
    b: u32,
    now: f64,
    images: Images,
) -> f64 {
    let (one, other) = (&flights.all[a as usize], &flights.all[b as usize]);
    let origin = one.since.max(other.since);
    let g = flights.acceleration;
    let apart = other.at(origin, g) - one.at(origin, g);
    let approach = other.velocity_at(origin, g) - one.velocity_at(origin, g);
    let distance = one.radius + other.radius;
    // As seen now; the start is the same if one of them has just set out.
    let seen = if now == origin { apart } else { apart + approach * (now - origin) };
    let domain = flights.domain;
    let edges = domain.edges();
    let periods = domain.nearest_periods(seen);
    let image = |from: Vector<D>| Vector::from_fn(|k| from[k] - periods[k] * edges[k]);
    let nearest = image(seen);
    // At half an edge it is rounding that says which image is the nearest.
    let tie = |k: usize| match images {
        Images::Nearest => 1e-9 * edges[k],
        Images::Near => distance,
    };
    let ambiguous = |k: usize| domain.is_periodic(k) && 0.5 * edges[k] - nearest[k].abs() <= tie(k);
    if (0..D).any(ambiguous) {
        return origin + earliest_image(flights, [apart, seen], approach, distance);
    }
    first_contact_of(image(apart), approach, distance, true).map_or(f64::INFINITY, |t| origin + t)
}

/// The time until the earliest contact, counted from where the pair is `apart`, with the images of
/// the separation `seen` that are within half an edge and the contact distance.
#[cold]
fn earliest_image<const D: usize>(
    flights: &Flights<'_, D>,
    [apart, seen]: [Vector<D>; 2],
    approach: Vector<D>,
    distance: f64,
) -> f64 {
    let edges = flights.domain.edges();
    let (mut lowest, mut highest) = ([0i64; D], [0i64; D]);
    for k in (0..D).filter(|&k| flights.domain.is_periodic(k)) {
        let within = 0.5 * edges[k] + distance;
        lowest[k] = ((-within - seen[k]) / edges[k]).ceil() as i64;
        highest[k] = ((within - seen[k]) / edges[k]).floor() as i64;
    }
    let mut earliest = f64::INFINITY;
    let mut image = lowest;
    loop {
        let start = Vector::from_fn(|k| apart[k] + image[k] as f64 * edges[k]);
        if let Some(t) = first_contact_of(start, approach, distance, true) {
            earliest = earliest.min(t);
        }
        let Some(k) = (0..D).rev().find(|&k| image[k] < highest[k]) else {
            return earliest;
        };
        image[k] += 1;
        image[k + 1..].copy_from_slice(&lowest[k + 1..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Domain, Flight};

    fn flight(x: [f64; 2], v: [f64; 2], since: f64) -> Flight<2> {
        Flight { position: Vector(x), velocity: Vector(v), since, radius: 0.5 }
    }

    fn when(all: &[Flight<2>], periodic: bool, acceleration: [f64; 2], now: f64) -> f64 {
        let domain = Domain::new([10.0, 10.0], [periodic; 2]);
        flight_contact(
            &Flights { domain: &domain, acceleration: Vector(acceleration), all },
            0,
            1,
            now,
            Images::Near,
        )
    }

    #[test]
    fn gravity_does_not_bend_the_relative_motion() {
        let all = [flight([1.0, 5.0], [1.0, 3.0], 0.0), flight([5.0, 5.0], [-0.5, 3.0], 0.0)];
        assert_eq!(when(&all, false, [0.0, 0.0], 0.0), 2.0);
        assert_eq!(when(&all, false, [0.0, -9.0], 0.0), 2.0);
    }

    #[test]
    fn a_pair_meets_through_the_face_it_is_nearest_to() {
        let all = [flight([1.0, 5.0], [-1.0, 0.0], 0.0), flight([9.0, 5.0], [0.0, 0.0], 0.0)];
        assert_eq!(when(&all, true, [0.0; 2], 0.0), 1.0);
        assert_eq!(when(&all, false, [0.0; 2], 0.0), f64::INFINITY);
    }

    /// Half a box apart, both images are looked at.
    #[test]
    fn of_two_images_as_near_the_one_met_first_counts() {
        let all = [flight([0.0, 5.0], [0.0, 0.0], 0.0), flight([4.9, 5.0], [1.0, 0.0], 0.0)];
        assert_eq!(when(&all, true, [0.0; 2], 0.0), (10.0 - 1.0) - 4.9);
        assert_eq!(when(&all, true, [0.0; 2], 3.0), (10.0 - 1.0) - 4.9);
    }

    #[test]
    fn the_bits_do_not_depend_on_when_one_asks() {
        let all = [flight([1.1, 5.2], [0.37, 0.011], 0.3), flight([5.3, 5.1], [-0.51, 0.012], 1.7)];
        let first = when(&all, true, [0.1, -0.003], 1.7);
        assert!(first.is_finite());
        for n in 0..20 {
            assert_eq!(when(&all, true, [0.1, -0.003], 1.7 + 0.1 * f64::from(n)), first);
        }
    }
}
