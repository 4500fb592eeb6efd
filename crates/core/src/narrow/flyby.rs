//! Pairs that pass each other within a distance, one image after the other.

use super::shells::last_contact_of;
use super::spheres::{Start, first_contact_of, images_in_reach, only_one_image};
use crate::space::{Domain, Path, Vector};

/// How one image of a particle passes another particle, counted from where the younger of their paths
/// starts.
#[derive(Clone, Copy, Debug)]
pub struct Flyby<const D: usize> {
    /// When it starts. \[window time\]
    pub origin: f64,
    /// How long it lasts at most.
    pub lasts: f64,
    /// Which image: how many boxes it is away from the nearest one at the start, along each axis.
    pub image: [i64; D],
    /// From the one to this image of the other, at the start. \[length\]
    pub separation: Vector<D>,
    /// How fast that grows.
    pub approach: Vector<D>,
}

/// Calls `each` for every image of `b` that may come within `range` of `a` on these paths before `end`.
#[inline]
pub fn flybys<const D: usize>(
    domain: &Domain<D>,
    a: &Path<D>,
    b: &Path<D>,
    range: f64,
    end: f64,
    mut each: impl FnMut(&Flyby<D>),
) {
    let Start { origin, separation, approach, .. } = Start::of(domain, a, b);
    let lasts = end - origin;
    let flyby = |image, separation| Flyby { origin, lasts, image, separation, approach };
    if only_one_image(domain, separation, approach, range, lasts) {
        each(&flyby([0; D], separation));
        return;
    }
    images_in_reach(domain, separation, approach, range, lasts, |image, start| {
        each(&flyby(image, start));
    });
}

impl<const D: usize> Flyby<D> {
    /// When the two are nearest to each other, counted from the start.
    #[inline]
    pub fn nearest_at(&self) -> f64 {
        let squared = self.approach.norm_squared();
        if squared <= 0.0 {
            return 0.0;
        }
        (-self.separation.dot(self.approach) / squared).clamp(0.0, self.lasts)
    }

    /// Their distance at that time.
    #[inline]
    pub fn distance_at(&self, time: f64) -> f64 {
        self.squared_at(time).sqrt()
    }

    /// The square of that.
    #[inline]
    pub fn squared_at(&self, time: f64) -> f64 {
        (self.separation + self.approach * time).norm_squared()
    }

    /// When two that begin farther apart than `distance` come to it on their way out, after they have been nearer; none
    /// if they never get that near. It is the larger root, in which nothing cancels.
    fn parts_from_within(&self, distance: f64) -> Option<f64> {
        let Self { separation, approach, .. } = *self;
        let (radial, speed_squared) = (separation.dot(approach), approach.norm_squared());
        let c = separation.norm_squared() - distance * distance;
        let square = radial * radial - speed_squared * c;
        (square >= 0.0).then(|| (square.sqrt() - radial) / speed_squared)
    }

    /// When they come to `distance`, from outside or from inside; at once if they are there, but for
    /// rounding.
    pub fn comes_to(&self, distance: f64, outwards: bool) -> f64 {
        let Self { separation, approach, .. } = *self;
        let time = if outwards {
            let (radial, squared) = (separation.dot(approach), separation.norm_squared());
            match radial < 0.0 && squared > distance * distance {
                true => self.parts_from_within(distance),
                false => last_contact_of(squared, radial, approach.norm_squared(), distance),
            }
        } else {
            first_contact_of(separation, approach, distance, true)
        };
        // By rounding, they may miss a distance that they just graze.
        time.unwrap_or_else(|| self.nearest_at()).clamp(0.0, self.lasts)
    }
}
