//! Energies of particles beside a surface: attraction to a membrane, depletion at a wall, weight, traps.
//!
//! A field is a smooth potential of the distance from a surface, by the law of bounces
//! ([`Climb`]), with a partner that stays where it is: a particle that has climbed as much energy as
//! it may bounces along the gradient. As for pairs this preserves exp(−U) at any time step, and nothing
//! is stored: the energy that may be climbed is a function of the identity and of when the present path
//! began.

use super::{Environment, Shape, Wall};
use crate::narrow::{Flyby, flybys};
use crate::potentials::Climb;
use crate::space::{Domain, Path, Vector};

/// The potentials of all species beside one surface, or beside a face of the box.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceField<const D: usize> {
    /// The shape of the surface: a plane or a sphere.
    pub shape: Shape<D>,
    /// Of particles that touch the surface at their radius; none of species that it does not act on.
    /// \[species\]
    pub climbs: Vec<Option<Climb>>,
}

impl<const D: usize> SurfaceField<D> {
    /// Whether particles of `species` have an energy in it.
    pub fn acts_on(&self, species: u16) -> bool {
        self.of(species).is_some()
    }

    /// When a particle of `species` on a path has climbed as much as it may, before
    /// `end`. `uniform` draws a number in [0, 1) for one periodic image, from which that follows. \[window time\]
    pub fn next_bounce(
        &self,
        domain: &Domain<D>,
        species: u16,
        path: &Path<D>,
        end: f64,
        uniform: impl Fn([i64; D]) -> f64,
    ) -> Option<f64> {
        let climb = self.of(species)?;
        match self.shape {
            Shape::Plane { axis, at } => {
                // A plane is a point on its axis.
                let line = Domain::new([domain.edges()[axis]], [domain.is_periodic(axis)]);
                let along = |place: f64, velocity: f64| Path {
                    position: Vector([place]),
                    velocity: Vector([velocity]),
                    since: path.since,
                    radius: path.radius,
                };
                let [plane, particle] =
                    [along(at, 0.0), along(path.position[axis], path.velocity[axis])];
                let image = |[k]: [i64; 1]| {
                    let mut image = [0; D];
                    image[axis] = k;
                    image
                };
                first_bounce(climb, 0.0, &line, [&plane, &particle], end, |k| uniform(image(k)))
            }
            Shape::Ball { centre, radius } => {
                let centre = Path { position: centre, velocity: Vector::ZERO, ..*path };
                first_bounce(climb, radius, domain, [&centre, path], end, uniform)
            }
            Shape::Mesh(_) | Shape::Rod { .. } => None,
        }
    }

    /// The energy of a particle of `species` at `place`. \[kT\]
    pub fn energy(&self, domain: &Domain<D>, species: u16, place: Vector<D>) -> f64 {
        self.of(species).map_or(0.0, |climb| climb.energy(self.shape.distance(domain, place)))
    }

    fn of(&self, species: u16) -> Option<&Climb> {
        self.climbs.get(usize::from(species))?.as_ref()
    }
}

/// When the second of two, the first of which rests at the centre of a sphere of this radius, has climbed
/// as much as it may; of all images, whichever is first.
fn first_bounce<const E: usize>(
    climb: &Climb,
    radius: f64,
    domain: &Domain<E>,
    [centre, particle]: [&Path<E>; 2],
    end: f64,
    uniform: impl Fn([i64; E]) -> f64,
) -> Option<f64> {
    let mut first: Option<f64> = None;
    flybys(domain, centre, particle, radius + climb.range(), end, |flyby: &Flyby<E>| {
        let bounce = climb.bounce_beside(radius, flyby, domain.rounding(), || uniform(flyby.image));
        if let Some(time) = bounce {
            first = Some(first.map_or(time, |first| first.min(time)));
        }
    });
    first
}

impl<const D: usize> Environment<D> {
    /// The same with energies beside surfaces.
    pub fn with_fields(mut self, fields: Vec<SurfaceField<D>>) -> Self {
        self.fields = fields;
        self
    }

    /// The energies beside surfaces.
    pub fn fields(&self) -> &[SurfaceField<D>] {
        &self.fields
    }

    /// Whether particles have energies beside surfaces.
    #[inline]
    pub fn has_fields(&self) -> bool {
        !self.fields.is_empty()
    }

    /// Where a particle of `species` on a path first has climbed as much energy as it may, and when, before
    /// `end`. `uniform` draws a number in [0, 1) for a field by its number and a periodic image, from which that follows.
    pub fn first_climb(
        &self,
        domain: &Domain<D>,
        species: u16,
        path: &Path<D>,
        end: f64,
        uniform: impl Fn(u16, [i64; D]) -> f64,
    ) -> Option<(f64, Wall)> {
        let bounces = (0..).zip(&self.fields).filter_map(|(n, field)| {
            let uniform = |image| uniform(n, image);
            let time = field.next_bounce(domain, species, path, end, uniform)?;
            Some((time, Wall::Field(n)))
        });
        bounces.reduce(|a, b| if b.0 < a.0 { b } else { a })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::potentials::{EnergyShape, FORMS};

    fn field<const D: usize>(
        shape: Shape<D>,
        name: &str,
        given: &[f64],
        cutoff: f64,
    ) -> SurfaceField<D> {
        let form = FORMS.iter().find(|form| form.name == name).unwrap();
        let given = given.iter().copied().map(Some).collect();
        let smooth = EnergyShape::Form(form, given).from_contact(0.001);
        SurfaceField { shape, climbs: vec![Some(Climb::new(smooth, 0.001, cutoff)), None] }
    }

    /// When a particle at `from` bounces that goes to `to` within the window, and may climb `left`.
    fn bounce<const D: usize>(
        field: &SurfaceField<D>,
        periodic: bool,
        from: [f64; D],
        to: [f64; D],
        left: f64,
    ) -> Option<f64> {
        let domain = Domain::new([10.0; D], [periodic; D]);
        let (from, to) = (Vector(from), Vector(to));
        let path = Path { position: from, velocity: to - from, since: 0.0, radius: 0.001 };
        assert_eq!(field.next_bounce(&domain, 1, &path, 1.0, |_| 0.0), None);
        field.next_bounce(&domain, 0, &path, 1.0, |_| -libm::expm1(-left))
    }

    /// On both sides of a plane or a circle, on the way to it and through it: the energy at the bounce is higher by what
    /// could be climbed.
    #[test]
    fn a_particle_bounces_where_it_has_climbed_what_it_may() {
        let plane = |at| Shape::Plane { axis: 1, at };
        let ring = |radius| Shape::Ball { centre: Vector([5.0; 2]), radius };
        let rises = [
            (field(plane(4.0), "linear", &[2.0], 4.9), [1.0, 5.0], [2.0, 8.5]),
            (field(plane(4.0), "linear", &[-2.0], 4.9), [1.0, 8.0], [2.0, 4.5]),
            (field(plane(4.0), "linear", &[2.0], 4.9), [1.0, 4.5], [2.0, 0.1]),
            (field(plane(9.5), "linear", &[2.0], 4.9), [1.0, 9.7], [2.0, 13.1]),
            (field(plane(9.5), "gaussian", &[3.0, 1.0, 0.0], 4.9), [1.0, 2.9], [2.0, -0.4]),
            (field(ring(2.0), "gaussian", &[3.0, 0.5, 0.0], 2.5), [9.0, 5.2], [7.1, 5.0]),
            (field(ring(2.0), "gaussian", &[3.0, 0.5, 0.0], 1.9), [5.1, 5.1], [7.0, 5.0]),
            (field(ring(2.0), "gaussian", &[-3.0, 0.5, 0.0], 1.9), [7.0, 5.0], [5.1, 5.1]),
            (field(ring(2.0), "gaussian", &[-3.0, 0.5, 0.0], 2.5), [7.0, 5.0], [9.0, 5.2]),
            (field(ring(0.0), "harmonic", &[1.0, 0.0], 4.9), [5.5, 5.0], [9.0, 5.5]),
        ];
        for (n, (field, from, to)) in rises.iter().enumerate() {
            let domain = Domain::new([10.0; 2], [true; 2]);
            for left in [0.1, 0.7] {
                let time = bounce(field, true, *from, *to, left).unwrap_or(f64::NAN);
                let (from, to) = (Vector(*from), Vector(*to));
                let energy = |place| field.energy(&domain, 0, domain.wrap(place).0);
                let at = |share: f64| energy(from + (to - from) * (time * share));
                let lowest =
                    (0..10_000).map(|n| at(f64::from(n) / 1e4)).fold(f64::INFINITY, f64::min);
                let climbed = at(1.0) - lowest;
                assert!((climbed - left).abs() < 1e-3, "{n} {left}: {time} {climbed}");
            }
        }
    }
}
