//! When a particle first touches a reflecting face of the box.

use crate::space::{Domain, Face, Path};
use std::hint::select_unpredictable;

/// A contact with a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallContact {
    /// When. \[window time\]
    pub time: f64,
    /// With which face.
    pub face: Face,
}

/// The first contact of a particle with a reflecting face on its path, before `end`. Of two faces met
/// at once (an edge), the one with the lower number counts first.
#[inline]
pub fn wall_contact<const D: usize>(
    domain: &Domain<D>,
    path: &Path<D>,
    end: f64,
) -> Option<WallContact> {
    let (x, v, r) = (path.position, path.velocity, path.radius);
    let edges = domain.edges();
    let mut first: Option<WallContact> = None;
    // More than rounding adds to a moment.
    let lasting = (end - path.since) + 1e-9 * (end.abs() + path.since.abs());
    for k in (0..D).filter(|&k| !domain.is_periodic(k)) {
        if v[k] == 0.0 {
            continue;
        }
        let upper = v[k] > 0.0;
        // Half of all go either way, and a branch that is guessed wrongly costs more than both gaps.
        let gap = select_unpredictable(upper, edges[k] - r - x[k], x[k] - r);
        // Most are out of reach, and there is nothing to divide.
        if gap > v[k].abs() * lasting {
            continue;
        }
        let time = path.since + gap.max(0.0) / v[k].abs();
        if time <= end && first.is_none_or(|f| time < f.time) {
            first = Some(WallContact { time, face: Face { axis: k as u8, upper } });
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Vector;

    #[test]
    fn the_first_face_met_counts_and_leaving_particles_meet_none() {
        let domain = Domain::new([10.0, 10.0], [false, false]);
        let meet = |x: [f64; 2], v: [f64; 2]| {
            let path = Path { position: Vector(x), velocity: Vector(v), since: 0.0, radius: 1.0 };
            wall_contact(&domain, &path, 1.0).map(|w| (w.time, w.face.name()))
        };
        assert_eq!(meet([2.0, 8.0], [-2.0, 4.0]), Some((0.25, "y+".into())));
        assert_eq!(meet([2.0, 8.0], [-0.5, 0.5]), None);
        assert_eq!(meet([1.0, 5.0], [3.0, 0.0]), None, "touching and leaving");
        assert_eq!(meet([1.0, 5.0], [-3.0, 0.0]), Some((0.0, "x-".into())));
        assert_eq!(meet([2.0, 2.0], [-2.0, -2.0]), Some((0.5, "x-".into())), "an edge of the box");
    }
}
