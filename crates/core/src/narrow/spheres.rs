//! First contact of two spheres on straight paths (Johnson & Whalley 2002, section 3.3).
//!
//! One law: the answer is a function of the two paths and the periodic images, never of which asks,
//! when, or through which search structure. It is computed from the start of the younger path, not
//! from now: asked at another moment, it would round differently.

use crate::space::{Domain, Path, Paths, Vector};

/// A first contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstContact<const D: usize> {
    /// When. \[window time\]
    pub time: f64,
    /// From the centre of the one to the touching image of the other, at that time; of any length
    /// where the two are points. \[length\]
    pub separation: Vector<D>,
}

/// When the surfaces of particles `a` and `b` first touch on their present paths, before `end`.
/// `hard` particles that overlap by rounding touch at once if they approach; others, which may
/// overlap, touch when their surfaces cross inwards. Give the particle with the lower identity
/// first.
#[inline]
pub fn first_contact<const D: usize>(
    paths: &Paths<'_, D>,
    a: usize,
    b: usize,
    end: f64,
    hard: bool,
) -> Option<FirstContact<D>> {
    first_contact_on(paths.domain, &paths.path(a), &paths.path(b), end, hard)
}

/// The same of two paths by themselves.
#[inline]
pub fn first_contact_on<const D: usize>(
    domain: &Domain<D>,
    a: &Path<D>,
    b: &Path<D>,
    end: f64,
    hard: bool,
) -> Option<FirstContact<D>> {
    let start = Start::of(domain, a, b);
    let Start { origin, separation, approach, distance } = start;
    let remaining = end - origin;
    let contact = if only_one_image(domain, separation, approach, distance, remaining) {
        start.first_contact(end, hard).map(|t| (t, separation))
    } else {
        earliest_image(domain, separation, approach, distance, remaining, hard)
    };
    contact.map(|(t, start)| {
        let separation = directed(start + approach * t, approach);
        FirstContact { time: origin + t, separation }
    })
}

/// When two hard spheres first touch on these paths before `end`, of which only the nearest images
/// can meet: the time of [`first_contact_on`], whichever of the two comes first.
#[inline(always)]
pub fn first_contact_nearest<const D: usize>(
    domain: &Domain<D>,
    a: &Path<D>,
    b: &Path<D>,
    end: f64,
) -> Option<f64> {
    let start = Start::of(domain, a, b);
    start.first_contact(end, true).map(|t| start.origin + t)
}

/// How two spheres stand to each other where the younger of their paths starts.
#[derive(Clone, Copy)]
pub(super) struct Start<const D: usize> {
    /// When that is. \[window time\]
    pub(super) origin: f64,
    /// From the one to the nearest image of the other. \[length\]
    pub(super) separation: Vector<D>,
    /// How fast that grows.
    pub(super) approach: Vector<D>,
    /// Of their centres when they touch. \[length\]
    pub(super) distance: f64,
}

impl<const D: usize> Start<D> {
    #[inline(always)]
    pub(super) fn of(domain: &Domain<D>, a: &Path<D>, b: &Path<D>) -> Self {
        // Not `f64::max`, which takes care of what is not a number, in the innermost loop of all.
        let origin = if a.since > b.since { a.since } else { b.since };
        let separation = domain.nearest_image(b.at(origin) - a.at(origin));
        let (approach, distance) = (b.velocity - a.velocity, a.radius + b.radius);
        Self { origin, separation, approach, distance }
    }

    /// The time from there to the first contact with the nearest image, if that is before `end`.
    #[inline(always)]
    fn first_contact(&self, end: f64, hard: bool) -> Option<f64> {
        let remaining = end - self.origin;
        first_contact_of(self.separation, self.approach, self.distance, hard)
            .filter(|t| *t <= remaining)
    }
}

/// A separation that has a direction: where it is so short that its square is nothing (of points
/// that meet head on), a unit vector against the `approach`.
#[inline]
pub fn directed<const D: usize>(separation: Vector<D>, approach: Vector<D>) -> Vector<D> {
    const LEAST: f64 = f64::MIN_POSITIVE / f64::EPSILON;
    if separation.norm_squared() >= LEAST {
        separation
    } else {
        approach * (-1.0 / approach.norm())
    }
}

/// The time, counted from now, at which two spheres first touch: the one at rest at the origin, the
/// other at `separation` moving with `velocity`; `distance` is the sum of their radii.
///
/// The smaller root of |separation + t velocity| = distance (Johnson & Whalley 2002, equation 15)
/// in its stable form, without cancellation when the spheres almost touch, and with the approach
/// test that they lack: spheres that move apart, or not at all, do not touch again.
///
/// ```
/// use jostle_core::narrow::first_contact_of;
/// use jostle_core::space::Vector;
///
/// // The worked example of Johnson & Whalley (2002, section 3.3): radii of 0.2, the second sphere one
/// // to the right, coming with a relative velocity of two.
/// let (apart, velocity) = (Vector([1.0, 0.0, 0.0]), Vector([-2.0, 0.0, 0.0]));
/// let time = first_contact_of(apart, velocity, 0.4, true).unwrap();
/// assert!((time - 0.3).abs() < 1e-15);
/// // Two that touch and part do not touch again.
/// assert_eq!(first_contact_of(apart * 0.4, -velocity, 0.4, true), None);
/// ```
#[inline]
pub fn first_contact_of<const D: usize>(
    separation: Vector<D>,
    velocity: Vector<D>,
    distance: f64,
    hard: bool,
) -> Option<f64> {
    let b = separation.dot(velocity);
    if b >= 0.0 {
        return None;
    }
    let mut c = separation.norm_squared() - distance * distance;
    if c <= 0.0 {
        if !hard {
            return None;
        }
        c = 0.0;
    }
    let discriminant = b * b - velocity.norm_squared() * c;
    (discriminant >= 0.0).then(|| c / (discriminant.sqrt() - b))
}

/// Whether, of all periodic images, only the nearest can be met.
#[inline]
pub(super) fn only_one_image<const D: usize>(
    domain: &Domain<D>,
    separation: Vector<D>,
    approach: Vector<D>,
    distance: f64,
    remaining: f64,
) -> bool {
    let edges = domain.edges();
    (0..D).all(|k| {
        !domain.is_periodic(k)
            || edges[k] - separation[k].abs()
                > distance + approach[k].abs() * remaining + domain.rounding()
    })
}

/// The earliest contact over all periodic images that the path can meet; ties go to the lowest
/// image, axis by axis.
#[cold]
pub(super) fn earliest_image<const D: usize>(
    domain: &Domain<D>,
    separation: Vector<D>,
    approach: Vector<D>,
    distance: f64,
    remaining: f64,
    hard: bool,
) -> Option<(f64, Vector<D>)> {
    let mut best: Option<(f64, Vector<D>)> = None;
    images_in_reach(domain, separation, approach, distance, remaining, |_, start| {
        if let Some(t) = first_contact_of(start, approach, distance, hard)
            && t <= remaining
            && best.is_none_or(|(earliest, _)| t < earliest)
        {
            best = Some((t, start));
        }
    });
    best
}

/// Calls `each` for every periodic image that the path may bring within `distance`, in order, axis by
/// axis: with how many boxes it is away from that at `separation`, and with where it starts.
#[cold]
pub(super) fn images_in_reach<const D: usize>(
    domain: &Domain<D>,
    separation: Vector<D>,
    approach: Vector<D>,
    distance: f64,
    remaining: f64,
    mut each: impl FnMut([i64; D], Vector<D>),
) {
    let edges = domain.edges();
    let mut lowest = [0i64; D];
    let mut highest = [0i64; D];
    for k in (0..D).filter(|&k| domain.is_periodic(k)) {
        let travel = approach[k] * remaining;
        let slack = distance + domain.rounding();
        let (from, to) = (separation[k] + travel.min(0.0), separation[k] + travel.max(0.0));
        lowest[k] = ((-slack - to) / edges[k]).ceil() as i64;
        highest[k] = ((slack - from) / edges[k]).floor() as i64;
        if lowest[k] > highest[k] {
            return;
        }
    }
    let mut image = lowest;
    loop {
        each(image, Vector::from_fn(|k| separation[k] + image[k] as f64 * edges[k]));
        let Some(k) = (0..D).rev().find(|&k| image[k] < highest[k]) else { return };
        image[k] += 1;
        image[k + 1..].copy_from_slice(&lowest[k + 1..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Groups;

    /// The worked example of section 3.3: the roots are 0.3 and 0.7.
    #[test]
    fn the_worked_example_of_johnson_and_whalley() {
        let t = first_contact_of(Vector([1.0, 0.0, 0.0]), Vector([-2.0, 0.0, 0.0]), 0.4, true);
        assert!((t.unwrap() - 0.3).abs() < 1e-15);
    }

    /// Where Johnson & Whalley (2002) err: overlap throughout, touching and leaving, no relative
    /// motion.
    #[test]
    fn particles_that_do_not_approach_do_not_touch() {
        let touch =
            |x: f64, v: f64| first_contact_of(Vector([x, 0.0]), Vector([v, 0.0]), 1.0, true);
        assert_eq!(touch(1.0, 0.5), None, "touching and leaving");
        assert_eq!(touch(1.0, 0.0), None, "touching, at rest");
        assert_eq!(touch(0.5, 0.0), None, "overlapping, at rest");
        assert_eq!(touch(1.0, -0.5), Some(0.0), "touching and approaching");
        assert_eq!(touch(1.0 - 1e-15, -0.5), Some(0.0), "overlapping by rounding");
        let soft = first_contact_of(Vector([0.5, 0.0]), Vector([-0.5, 0.0]), 1.0, false);
        assert_eq!(soft, None, "particles that may overlap touch only when they cross inwards");
    }

    #[test]
    fn a_grazing_path_misses_and_a_shorter_one_does_not_arrive() {
        assert_eq!(first_contact_of(Vector([3.0, 1.001]), Vector([-5.0, 0.0]), 1.0, true), None);
        let t = first_contact_of(Vector([3.0, 0.0]), Vector([-1.0, 0.0]), 1.0, true);
        assert_eq!(t, Some(2.0));
    }

    /// To the bit, and also the other way round.
    #[test]
    fn the_nearest_image_alone_gives_the_same_time() {
        let domain = Domain::new([50.0, 60.0, 70.0], [true, true, false]);
        let mut state = 7_u64;
        let mut draw = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut touching = 0;
        for _ in 0..20_000 {
            let mut path = |spread: f64| Path {
                position: Vector::from_fn(|k| [49.0, 0.5, 30.0][k] + spread * (draw() - 0.5)),
                velocity: Vector::from_fn(|_| 6.0 * (draw() - 0.5)),
                since: 0.5 * draw(),
                radius: 0.4 + 0.4 * draw(),
            };
            let (a, b) = (path(0.0), path(5.0));
            let full = first_contact_on(&domain, &a, &b, 1.0, true).map(|contact| contact.time);
            assert_eq!(first_contact_nearest(&domain, &a, &b, 1.0), full);
            assert_eq!(first_contact_nearest(&domain, &b, &a, 1.0), full);
            touching += u32::from(full.is_some());
        }
        assert!(touching > 1000, "{touching}");
    }

    fn two<const D: usize>(
        edges: [f64; D],
        x: [Vector<D>; 2],
        v: [Vector<D>; 2],
        since: [f64; 2],
        radius: f64,
    ) -> Option<FirstContact<D>> {
        let domain = Domain::new(edges, [true; D]);
        let groups = Groups::all();
        let paths = Paths {
            domain: &domain,
            position: &x,
            velocity: &v,
            since: &since,
            radius: &[radius; 2],
            group: &[0; 2],
            groups: &groups,
            alive: &[true; 2],
        };
        first_contact(&paths, 0, 1, 1.0, true)
    }

    #[test]
    fn contacts_are_found_through_the_faces_and_further_images() {
        let c = two(
            [10.0],
            [Vector([0.5]), Vector([9.0])],
            [Vector([-1.0]), Vector([0.0])],
            [0.0; 2],
            0.5,
        );
        assert_eq!(c.unwrap().time, 0.5);
        assert_eq!(c.unwrap().separation, Vector([-1.0]));
        // Moving right by 2 box lengths: meets the image on the right first, not the nearest one.
        let c = two(
            [4.0],
            [Vector([1.0]), Vector([0.0])],
            [Vector([8.0]), Vector([0.0])],
            [0.0; 2],
            0.25,
        );
        assert_eq!(c.unwrap().time, 2.5 / 8.0);
    }

    #[test]
    fn time_counts_from_the_younger_path() {
        let c = two(
            [100.0],
            [Vector([10.0]), Vector([15.0])],
            [Vector([8.0]), Vector([0.0])],
            [0.0, 0.5],
            0.5,
        );
        assert_eq!(c, Some(FirstContact { time: 0.5, separation: Vector([1.0]) }));
        let c = two(
            [100.0],
            [Vector([10.0]), Vector([15.0])],
            [Vector([8.0]), Vector([0.0])],
            [0.5, 0.0],
            0.5,
        );
        assert_eq!(c.unwrap().time, 1.0);
    }
}
