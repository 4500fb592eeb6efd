//! The container: faces of the box, or an upright cylinder, all of which may oscillate along one
//! axis.
//!
//! Its mass is infinite: it is moved by nothing but its drive (Gavrilova et al. 2003, section 4).

mod flat;
mod lateral;
#[cfg(test)]
mod shaken_floor;
#[cfg(test)]
mod tests;

pub use jostle_core::parameters::granular::{Displacement, Shaking};

use flat::Approach;
use jostle_core::space::{Domain, Face, Flight, Vector};
use lateral::Cylinder;

/// What a particle may hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wall {
    /// A face of the box, or an end of the cylinder.
    Face(Face),
    /// The lateral wall of the cylinder.
    Lateral,
}

/// The walls around the particles.
#[derive(Clone, Debug, PartialEq)]
pub struct Container<const D: usize> {
    domain: Domain<D>,
    shaking: Option<Shaking>,
    cylinder: Option<Cylinder<D>>,
}

/// Why there is no such container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContainerError {
    /// The axis has no faces that could oscillate.
    #[error("the container cannot be shaken along axis {axis}: it has no walls there")]
    NoWallsToShake {
        /// The axis of shaking.
        axis: usize,
    },
    /// Amplitude, frequency or phase.
    #[error("amplitude and frequency of shaking must be finite and not negative, the phase finite")]
    NoSuchShaking,
    /// Only along the axis does a cylinder oscillate.
    #[error("a cylinder upright along axis {upright} cannot be shaken along axis {axis}")]
    ShakenAcross {
        /// The axis of the cylinder.
        upright: usize,
        /// The axis of shaking.
        axis: usize,
    },
    /// Cylinders need three dimensions, and a box that is closed and square across their axis.
    #[error(
        "a cylinder needs three dimensions and a box that is closed and square across its axis"
    )]
    NoRoomForCylinder,
}

impl<const D: usize> Container<D> {
    /// The faces of the closed axes of a box. Periodic axes have no walls.
    pub fn new_box(domain: Domain<D>, shaking: Option<Shaking>) -> Result<Self, ContainerError> {
        if let Some(shaking) = &shaking {
            check(shaking, &domain)?;
        }
        Ok(Self { domain, shaking, cylinder: None })
    }

    /// A cylinder that fills the box across its axis `upright`, with flat ends where the box has
    /// faces along that axis. All acceleration has to be along the axis.
    pub fn cylinder(
        domain: Domain<D>,
        upright: usize,
        shaking: Option<Shaking>,
    ) -> Result<Self, ContainerError> {
        let mut across = (0..D).filter(|&k| k != upright);
        let edges = domain.edges();
        let [Some(a), Some(b), None] = [across.next(), across.next(), across.next()] else {
            return Err(ContainerError::NoRoomForCylinder);
        };
        if upright >= D || edges[a] != edges[b] || domain.is_periodic(a) || domain.is_periodic(b) {
            return Err(ContainerError::NoRoomForCylinder);
        }
        if let Some(shaking) = &shaking {
            if shaking.axis != upright {
                return Err(ContainerError::ShakenAcross { upright, axis: shaking.axis });
            }
            check(shaking, &domain)?;
        }
        let cylinder = Cylinder { axis: upright, radius: 0.5 * edges[a] };
        Ok(Self { domain, shaking, cylinder: Some(cylinder) })
    }

    /// The box around the container at its mean place.
    pub fn domain(&self) -> &Domain<D> {
        &self.domain
    }

    /// How it oscillates.
    pub fn shaking(&self) -> Option<&Shaking> {
        self.shaking.as_ref()
    }

    /// All walls, in order: of impacts at the same time the first in this order comes first.
    pub fn walls(&self) -> impl Iterator<Item = Wall> + '_ {
        let faces = self.domain.walls().filter(|face| self.has(face.axis as usize)).map(Wall::Face);
        faces.chain(self.cylinder.map(|_| Wall::Lateral))
    }

    /// The first impact of a flight on a wall, until `end` \[µs\]: when, and on which wall. `None`
    /// where there is none; with `end` infinite, none ever.
    ///
    /// It is the first moment from the start of the flight on at which there is no gap and it is
    /// closing: which overlap the wall by rounding hits it at once if he approaches it, and not
    /// before he comes back if he leaves it. It depends on the flight and the container alone, so
    /// it is to be asked when the flight starts. Impacts are found up to the rounding of times,
    /// those on oscillating walls from the side of no overlap.
    ///
    /// In a cylinder `acceleration` \[nm/µs²\] has to be along the axis.
    pub fn first_wall(
        &self,
        flight: &Flight<D>,
        acceleration: Vector<D>,
        end: f64,
    ) -> Option<(f64, Wall)> {
        let mut first = None;
        if let Some(cylinder) = &self.cylinder {
            first = earlier(first, cylinder.first(flight), Wall::Lateral);
        }
        // Walls that oscillate come last: they need be looked at only until the first impact so
        // far.
        let moves = |k| self.shaking.filter(|s| s.axis == k && !s.is_still());
        let still = (0..D).filter(|&k| moves(k).is_none());
        let moving = (0..D).filter(|&k| moves(k).is_some());
        for k in still.chain(moving).filter(|&k| self.has(k)) {
            for upper in [false, true] {
                let approach = self.approach(flight, acceleration, k, upper);
                let time = match moves(k) {
                    None => approach.still(inwards(upper) * self.offset(k, flight.since)),
                    Some(shaking) => {
                        let end = first.map_or(end, |(time, _)| end.min(time));
                        approach.shaken(&shaking, inwards(upper), end).time
                    }
                };
                first = earlier(first, time, Wall::Face(Face { axis: k as u8, upper }));
            }
        }
        first.filter(|&(time, _)| time <= end)
    }

    /// The unit vector into the container, normal to `wall` where a particle at `position` touches
    /// it.
    pub fn normal(&self, wall: Wall, position: Vector<D>) -> Vector<D> {
        match (wall, &self.cylinder) {
            (Wall::Face(face), _) => {
                let along = |k| if k == face.axis as usize { inwards(face.upper) } else { 0.0 };
                Vector::from_fn(along)
            }
            (Wall::Lateral, Some(cylinder)) => {
                let across = cylinder.across(position);
                across * (-1.0 / across.norm())
            }
            (Wall::Lateral, None) => Vector::ZERO,
        }
    }

    /// How fast the container moves at `time` \[µs\]. \[nm/µs\]
    pub fn velocity(&self, time: f64) -> Vector<D> {
        let Some(shaking) = self.shaking else { return Vector::ZERO };
        let speed = shaking.at(time).velocity;
        Vector::from_fn(|k| if k == shaking.axis { speed } else { 0.0 })
    }

    /// How the container's motion changes at `time` \[µs\]. \[nm/µs²\]
    pub fn acceleration(&self, time: f64) -> Vector<D> {
        let Some(shaking) = self.shaking else { return Vector::ZERO };
        let acceleration = shaking.at(time).acceleration;
        Vector::from_fn(|k| if k == shaking.axis { acceleration } else { 0.0 })
    }

    /// How far the surface of a particle is from `wall` at `time` \[µs\]; negative where they
    /// overlap. \[nm\]
    pub fn gap(&self, wall: Wall, position: Vector<D>, radius: f64, time: f64) -> f64 {
        match (wall, &self.cylinder) {
            (Wall::Face(face), _) => {
                let k = face.axis as usize;
                let distance = self.distance(position[k], radius, k, face.upper);
                distance - inwards(face.upper) * self.offset(k, time)
            }
            (Wall::Lateral, Some(cylinder)) => {
                cylinder.radius - radius - cylinder.across(position).norm()
            }
            (Wall::Lateral, None) => f64::INFINITY,
        }
    }

    /// How far the container has moved along axis `k`.
    fn offset(&self, k: usize, time: f64) -> f64 {
        self.shaking.filter(|s| s.axis == k).map_or(0.0, |s| s.at(time).offset)
    }

    /// Whether axis `k` ends in flat walls.
    fn has(&self, k: usize) -> bool {
        !self.domain.is_periodic(k) && self.cylinder.is_none_or(|c| c.axis == k)
    }

    /// From the mean place of a face to the surface of a particle.
    fn distance(&self, x: f64, radius: f64, k: usize, upper: bool) -> f64 {
        if upper { self.domain.edges()[k] - x - radius } else { x - radius }
    }

    fn approach(
        &self,
        flight: &Flight<D>,
        acceleration: Vector<D>,
        k: usize,
        upper: bool,
    ) -> Approach {
        let sign = inwards(upper);
        Approach {
            since: flight.since,
            distance: self.distance(flight.position[k], flight.radius, k, upper),
            speed: sign * flight.velocity[k],
            acceleration: sign * acceleration[k],
        }
    }
}

/// The earlier of two impacts; at the same time, that on the first wall.
fn earlier(first: Option<(f64, Wall)>, time: Option<f64>, wall: Wall) -> Option<(f64, Wall)> {
    match (first, time) {
        (_, None) => first,
        (Some(best), Some(time)) if best < (time, wall) => first,
        (_, Some(time)) => Some((time, wall)),
    }
}

/// The direction into the container along the axis of a face.
fn inwards(upper: bool) -> f64 {
    if upper { -1.0 } else { 1.0 }
}

fn check<const D: usize>(shaking: &Shaking, domain: &Domain<D>) -> Result<(), ContainerError> {
    let fine = |x: f64| x.is_finite() && x >= 0.0;
    if !(fine(shaking.amplitude) && fine(shaking.frequency) && shaking.phase.is_finite()) {
        return Err(ContainerError::NoSuchShaking);
    }
    if shaking.axis >= D || domain.is_periodic(shaking.axis) {
        return Err(ContainerError::NoWallsToShake { axis: shaking.axis });
    }
    Ok(())
}
