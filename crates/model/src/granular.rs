//! What a model of a granular run says beyond boxes, species and placement. Lengths are in nm,
//! times in µs, masses in kg, temperatures in K: an energy of 1 kg nm²/µs² is 1e-6 J.

use std::f64::consts::{PI, TAU};

use super::{Model, Placement, measure};
use jostle_core::named;
use jostle_core::parameters::granular::{
    ContactTime, EffectiveBall, KineticKind, Material, Restitution, Shaking, Trajectory,
};
use jostle_core::theory::{contact_value_2d, contact_value_3d};

/// Balls under forces that collide, event by event.
#[derive(Clone, Debug, PartialEq)]
pub struct GranularModel {
    /// What the walls enclose.
    pub shape: Enclosure,
    /// What pulls at every ball alike.
    pub gravity: Gravity,
    /// How the container is moved; none if it rests.
    pub shaking: Option<Shaking>,
    /// At what rate a ball that nothing pushes loses its velocity. \[1/µs\]
    pub drag: f64,
    /// A harmonic well.
    pub field: Option<Field>,
    /// What a collision leaves of the velocities.
    pub collisions: CollisionLaw,
    /// What balls and walls are made of.
    pub material: Material,
    /// When paths are drawn anew although nothing has happened; none for never.
    pub trajectory: Option<Trajectory>,
    /// The search structure; none lets the program choose.
    pub search: Option<KineticKind>,
    /// What balls of each species are like, in the order of the model's species.
    pub balls: Vec<Balls>,
}

impl GranularModel {
    /// The speed of typical impacts: that of the balls at the start, of the walls, or of a fall
    /// through the container, whichever is greatest. \[nm/µs\]
    pub fn typical_speed(&self, model: &Model) -> f64 {
        let start = self.balls.iter().map(|balls| match balls.motion {
            Motion::Rest => 0.0,
            Motion::Alike(v) => v.iter().map(|v| v * v).sum::<f64>().sqrt(),
            Motion::Maxwell(speed) => speed,
        });
        let walls = self.shaking.map_or(0.0, |shaking| shaking.largest_speed());
        start.fold(walls.max(self.gravity.fall(model)), f64::max)
    }

    /// Two like balls of a species, of its mean radius.
    pub fn like_balls(&self, species: usize) -> EffectiveBall {
        let balls = &self.balls[species];
        let radius = balls.mean_radius();
        EffectiveBall::of_two([radius; 2], [balls.mass_of(radius); 2])
    }

    /// How often a ball meets another at first (Enskog), where those of a single species fly about
    /// and fill this share of the room: the ideal rate times the contact value. \[1/µs\]
    pub fn collision_rate(&self, model: &Model, packing: f64) -> Option<f64> {
        let [balls] = self.balls.as_slice() else {
            return None;
        };
        let Motion::Maxwell(speed) = balls.motion else {
            return None;
        };
        let count: usize = model.placement.iter().map(Placement::count).sum();
        let density = count as f64 / measure::volume(model);
        let sigma = 2.0 * balls.mean_radius();
        // The mean relative speed is sqrt(2) times the mean speed.
        let relative = std::f64::consts::SQRT_2 * speed;
        Some(match model.space.dimension {
            3 => PI * sigma * sigma * density * relative * contact_value_3d(packing),
            2 => 2.0 * sigma * density * relative * contact_value_2d(packing),
            _ => density * relative / (1.0 - packing),
        })
    }
}

named! {
    /// What the walls enclose.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Enclosure {
        /// The box itself.
        Box => "box",
        /// The upright cylinder in the box, whose axis is along z.
        Cylinder => "cylinder",
    }
}

/// An oscillation: amplitude sin(2 pi frequency t + phase).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// \[nm\] or \[nm/µs²\]
    pub amplitude: f64,
    /// \[1/µs\]
    pub frequency: f64,
    /// \[rad\]
    pub phase: f64,
}

impl Wave {
    /// 2 pi times the frequency. \[rad/µs\]
    pub fn angular_frequency(&self) -> f64 {
        TAU * self.frequency
    }
}

/// What pulls at every ball alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gravity {
    /// The constant part; the first components of as many as there are axes count. \[nm/µs²\]
    pub acceleration: [f64; 3],
    /// The part that oscillates.
    pub driven: Option<Wave>,
    /// The unit vector along which it does: that of the constant part, or else down.
    pub direction: [f64; 3],
}

impl Gravity {
    /// How strong the constant part is. \[nm/µs²\]
    pub fn strength(&self) -> f64 {
        self.acceleration.iter().map(|g| g * g).sum::<f64>().sqrt()
    }

    /// The typical speed of a fall through the box. \[nm/µs\]
    pub(super) fn fall(&self, model: &Model) -> f64 {
        let along = |k: usize| self.acceleration[k].abs() * model.space.edges[k];
        (0..model.space.dimension).map(along).sum::<f64>().sqrt()
    }
}

/// A harmonic well: the acceleration is -rate² (x - centre).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// \[nm\]
    pub centre: [f64; 3],
    /// \[rad/µs\]
    pub rate: f64,
}

/// What a collision leaves of the velocities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionLaw {
    /// The coefficient of restitution.
    pub restitution: RestitutionModel,
    /// For how long after a collision a ball's next one loses nothing (Luding and McNamara 1998).
    pub contact_time: ContactTime,
}

/// The coefficient of restitution of a collision, as a file says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RestitutionModel {
    /// 1.
    Elastic,
    /// The same for all.
    Constant(f64),
    /// Viscoelastic Hertz spheres (Ramírez et al. 1999), with the dissipative constant of the
    /// material.
    Viscoelastic(Viscosity),
    /// Elastic up to the yield pressure, plastic beyond (Johnson 1985, Thornton 1997).
    Plastic,
}

impl RestitutionModel {
    /// The law of the engine, for particles of this material.
    pub fn law(self, material: &Material) -> Restitution {
        match self {
            Self::Elastic => Restitution::Constant(1.0),
            Self::Constant(coefficient) => Restitution::Constant(coefficient),
            Self::Plastic => Restitution::Plastic,
            Self::Viscoelastic(Viscosity::Constant(relaxation)) => {
                Restitution::Viscoelastic { relaxation }
            }
            Self::Viscoelastic(Viscosity::Reference { coefficient, speed, radius }) => {
                Restitution::viscoelastic_through(material, coefficient, speed, radius)
                    .unwrap_or(Restitution::Constant(coefficient))
            }
        }
    }
}

/// How the dissipative constant of viscoelastic spheres is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Viscosity {
    /// By itself. \[µs\]
    Constant(f64),
    /// By one collision of two like balls.
    Reference {
        /// The coefficient of restitution that it has.
        coefficient: f64,
        /// \[nm/µs\]
        speed: f64,
        /// \[nm\]
        radius: f64,
    },
}

/// What balls of one species are like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balls {
    /// The least and the largest radius; alike where all are of one size. \[nm\]
    pub radius: [f64; 2],
    /// How heavy they are.
    pub mass: MassLaw,
    /// How they move at the start.
    pub motion: Motion,
}

impl Balls {
    /// The radius in the middle of the range. \[nm\]
    pub fn mean_radius(&self) -> f64 {
        0.5 * (self.radius[0] + self.radius[1])
    }

    /// Whether each has a radius of its own.
    pub fn varies(&self) -> bool {
        self.radius[0] < self.radius[1]
    }

    /// The mass of a ball of the given radius \[nm\]. \[kg\]
    pub fn mass_of(&self, radius: f64) -> f64 {
        match self.mass {
            MassLaw::Given(mass) => mass,
            MassLaw::Volume { density } => 4.0 / 3.0 * PI * density * radius * radius * radius,
            MassLaw::Area { density } => PI * density * radius * radius * 2.0 * self.radius[1],
        }
    }
}

/// How heavy balls are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MassLaw {
    /// Each so much. \[kg\]
    Given(f64),
    /// Spheres.
    Volume {
        /// \[kg/nm³\]
        density: f64,
    },
    /// Discs as thick as the largest ball of their species is wide.
    Area {
        /// \[kg/nm³\]
        density: f64,
    },
}

/// How balls move at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// Not at all.
    Rest,
    /// All alike; the first components of as many as there are axes count. \[nm/µs\]
    Alike([f64; 3]),
    /// At random by Maxwell's law, at the temperature at which a ball of the mean radius has this
    /// mean speed. \[nm/µs\]
    Maxwell(f64),
}
