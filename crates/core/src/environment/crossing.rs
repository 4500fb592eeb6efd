//! Into a region where a species diffuses otherwise, and out of it.

use crate::space::Vector;

/// A species in a region in which it diffuses with another D, and for which it may have an
/// affinity.
///
/// The uniform equilibrium, or one in which the region holds `affinity` times the concentration, is
/// kept at any time step, by letting particles go through the region's surface as light or a ball
/// on a ramp does. Within a step a particle of mass 1/D has the energy v²/4 D dt (in kT). Its
/// momentum along the surface, v/D, stays what it is; its energy changes by that of the place,
/// -(d/2) ln D - ln affinity, which makes up for the greater momenta that particles of smaller D
/// have; and a particle that lacks the energy is reflected. This map keeps the phase volume, so
/// that the distribution that it keeps is exact. As the time step shrinks, it becomes diffusion
/// whose flux is -D grad c on either side, with c (over the affinity) and the flux continuous at
/// the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// D out of all regions. \[nm²/µs\]
    pub outside: f64,
    /// D on the inner side, but where a later region reaches in. \[nm²/µs\]
    pub inside: f64,
    /// The concentration inside over that outside, in equilibrium.
    pub affinity: f64,
}

impl Crossing {
    /// The velocity on the other side of a particle that comes with `velocity` from this one,
    /// against the `normal` that points to where it comes from; none if it is reflected. D is the
    /// first of two on this side, the second on the other, and `dimensions` is in how many it
    /// moves. \[nm per step, nm²/µs\]
    pub fn through<const D: usize>(
        &self,
        from_inside: bool,
        [here, there]: [f64; 2],
        velocity: Vector<D>,
        normal: Vector<D>,
        timestep: f64,
        dimensions: usize,
    ) -> Option<Vector<D>> {
        let ratio = there / here;
        let towards = velocity.dot(normal);
        let along = velocity - normal * towards;
        let affinity =
            if from_inside { -libm::log(self.affinity) } else { libm::log(self.affinity) };
        let climb = -0.5 * dimensions as f64 * libm::log(ratio) - affinity;
        // In units of 4 D dt kT on this side.
        let energy = towards * towards + along.norm_squared() * (1.0 - ratio)
            - 4.0 * here * timestep * climb;
        (energy > 0.0).then(|| along * ratio - normal * (energy * ratio).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_undoes_the_way_there() {
        let region = Crossing { outside: 2.0, inside: 0.5, affinity: 3.0 };
        let normal = Vector([0.0, 1.0]);
        let mut through = 0;
        for n in 0..200 {
            let v = Vector([0.03 * f64::from(n % 20), -0.05 * (1.0 + f64::from(n / 20))]);
            let Some(there) = region.through(false, [2.0, 0.5], v, normal, 0.01, 2) else {
                continue;
            };
            assert!(there[1] < 0.0);
            let back =
                region.through(true, [0.5, 2.0], there * -1.0, normal * -1.0, 0.01, 2).unwrap();
            assert!((back + v).norm() < 1e-12, "{v:?} {there:?} {back:?}");
            through += 1;
        }
        assert!(through > 100 && through <= 200, "{through}");
    }

    #[test]
    fn nothing_happens_where_nothing_changes() {
        let region = Crossing { outside: 2.0, inside: 2.0, affinity: 1.0 };
        let v = Vector([0.3, -0.4, 0.5]);
        let there = region.through(true, [2.0; 2], v, Vector([0.0, 1.0, 0.0]), 0.01, 3).unwrap();
        assert!((there - v).norm() < 1e-15);
    }
}
