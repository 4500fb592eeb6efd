//! The container: faces of the box, or an upright cylinder. All of it, or one face, may oscillate
//! along one axis.
//!
//! Its mass is infinite: it is moved by nothing but its drive (Gavrilova et al. 2003, section 4).

mod flat;
mod lateral;
#[cfg(test)]
mod shaken_floor;
#[cfg(test)]
mod tests;

pub use jostle_core::parameters::granular::{Displacement, Shaken, Shaking};

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
        let moves = |face: &Face| self.driven(*face).filter(|shaking| !shaking.is_still());
        let faces = || self.domain.walls().filter(|face| self.has(face.axis as usize));
        let still = faces().filter(|face| moves(face).is_none());
        for face in still.chain(faces().filter(|face| moves(face).is_some())) {
            let approach = self.approach(flight, acceleration, face);
            let time = match moves(&face) {
                None => approach.still(inwards(face.upper) * self.offset(face, flight.since)),
                Some(shaking) => {
                    let end = first.map_or(end, |(time, _)| end.min(time));
                    approach.shaken(&shaking, inwards(face.upper), end).time
                }
            };
            first = earlier(first, time, Wall::Face(face));
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

    /// How `wall` moves at `time` \[µs\]: its velocity \[nm/µs\] and acceleration \[nm/µs²\].
    pub fn motion(&self, wall: Wall, time: f64) -> [Vector<D>; 2] {
        let moves = |shaking: &Shaking| {
            let is_driven = matches!(wall, Wall::Face(face) if self.driven(face).is_some());
            shaking.walls == Shaken::All || is_driven
        };
        let Some(shaking) = self.shaking.filter(moves) else { return [Vector::ZERO; 2] };
        let now = shaking.at(time);
        let along = |part| Vector::from_fn(|k| if k == shaking.axis { part } else { 0.0 });
        [along(now.velocity), along(now.acceleration)]
    }

    /// How far the surface of a particle is from `wall` at `time` \[µs\]; negative where they
    /// overlap. \[nm\]
    pub fn gap(&self, wall: Wall, position: Vector<D>, radius: f64, time: f64) -> f64 {
        match (wall, &self.cylinder) {
            (Wall::Face(face), _) => {
                let k = face.axis as usize;
                let distance = self.distance(position[k], radius, k, face.upper);
                distance - inwards(face.upper) * self.offset(face, time)
            }
            (Wall::Lateral, Some(cylinder)) => {
                cylinder.radius - radius - cylinder.across(position).norm()
            }
            (Wall::Lateral, None) => f64::INFINITY,
        }
    }

    /// The oscillation of a face along its normal, if it has one.
    fn driven(&self, face: Face) -> Option<Shaking> {
        self.shaking.filter(|s| s.axis == face.axis as usize && s.moves(face.upper))
    }

    /// How far a face has moved along its axis.
    fn offset(&self, face: Face, time: f64) -> f64 {
        self.driven(face).map_or(0.0, |shaking| shaking.at(time).offset)
    }

    /// Whether axis `k` ends in flat walls.
    fn has(&self, k: usize) -> bool {
        !self.domain.is_periodic(k) && self.cylinder.is_none_or(|c| c.axis == k)
    }

    /// From the mean place of a face to the surface of a particle.
    fn distance(&self, x: f64, radius: f64, k: usize, upper: bool) -> f64 {
        if upper { self.domain.edges()[k] - x - radius } else { x - radius }
    }

    fn approach(&self, flight: &Flight<D>, acceleration: Vector<D>, face: Face) -> Approach {
        let (k, sign) = (face.axis as usize, inwards(face.upper));
        Approach {
            since: flight.since,
            distance: self.distance(flight.position[k], flight.radius, k, face.upper),
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
