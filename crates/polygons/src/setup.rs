//! How an engine starts.

use std::f64::consts::PI;

use super::balance::Accounts;
use super::contacts::Contacts;
use super::gear::Gear;
use super::law::SPIN;
use super::report::Snapshot;
use super::rows::{Make, Row};
use super::skin::Skin;
use super::walls::{Course, Standing};
use super::{Drive, ForceLaw, NormalLaw, Phases, Polygons, SetupError, Tally, Wall, may_touch};
use jostle_core::narrow::polygons::{FeatureCounters, Meeting, Tracked, meet};
use jostle_core::observe::Clock;
use jostle_core::space::{Domain, Outline, Pose, Vector};

/// A time step is at most this part of the shortest contact.
pub const STEPS_PER_CONTACT: f64 = 30.0;

/// Gear's method gets unstable where damping is faster than 0.16 per step (measured for an
/// oscillator); a body in two contacts is damped twice as fast as in one.
pub const DECAY_TIMES: f64 = 0.08 * STEPS_PER_CONTACT;

/// Bodies that overlap by so little at the start are taken to touch. \[area of the smaller one\]
const ROUNDING: f64 = 1e-9;

/// A body at the start. Its identity is its place in the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Index into the outlines.
    pub outline: u32,
    /// Of its centroid; along periodic axes in any period. \[nm\]
    pub position: Vector<2>,
    /// Counter-clockwise. \[rad\]
    pub angle: f64,
    /// \[nm/µs\]
    pub velocity: Vector<2>,
    /// \[rad/µs\]
    pub angular_velocity: f64,
    /// \[kg/nm²\]
    pub density: f64,
    /// Index into the model's species.
    pub species: u16,
}

/// Everything that an engine is made of.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Its periodic axes close; along the others nothing holds bodies but walls. A wall that
    /// continues through a periodic face has to be wider than the box by the size of the largest
    /// body.
    pub domain: Domain<2>,
    /// What bodies and walls look like.
    pub outlines: Vec<Outline>,
    /// The bodies.
    pub solids: Vec<Solid>,
    /// The walls.
    pub walls: Vec<Wall>,
    /// What contacts do.
    pub law: ForceLaw,
    /// \[nm/µs²\]
    pub gravity: Vector<2>,
    /// \[µs\]
    pub timestep: f64,
}

impl Polygons {
    /// An engine at time 0.
    ///
    /// # Errors
    /// If a number cannot be, the time step is too long, or bodies overlap or stick in walls.
    pub fn new(setup: Setup) -> Result<Self, SetupError> {
        let mut engine = Self::assembled(setup)?;
        let Self { outlines, rows, makes, clock, skin, .. } = &mut engine;
        skin.build(outlines, rows, makes, clock.timestep);
        engine.skin.gained.retain(|pair| may_touch(*pair, engine.motion.len(), &engine.walls));
        engine.contacts.change(&engine.skin.gained, &[], engine.rows.len());
        engine.apart()?;
        Ok(engine)
    }

    /// All parts put together, at time 0, and no particle looked at.
    pub(super) fn assembled(setup: Setup) -> Result<Self, SetupError> {
        super::check::check(&setup)?;
        let Setup { domain, outlines, solids, walls, law, gravity, timestep } = setup;
        let walls: Vec<Standing> =
            walls.iter().map(|wall| Standing::new(*wall, timestep)).collect();
        let rows: Vec<Row> = solids
            .iter()
            .map(course)
            .chain(walls.iter().map(|wall| wall.course(0.0, timestep)))
            .map(Row::new)
            .collect();
        let makes: Vec<Make> = solids
            .iter()
            .map(|solid| body(solid, &outlines, &law))
            .chain(walls.iter().map(|wall| solid_wall(&wall.wall, &outlines, &law)))
            .collect();
        Ok(Self {
            motion: solids.iter().map(|solid| motion(solid, gravity, timestep)).collect(),
            snapshot: Snapshot::new(&solids, &outlines),
            clock: Clock { step: 0, timestep },
            skin: Skin::new(&domain),
            contacts: Contacts::default(),
            findings: Vec::new(),
            accounts: Accounts::default(),
            tally: Tally::default(),
            phases: Phases::default(),
            domain,
            outlines,
            law,
            gravity,
            walls,
            rows,
            makes,
        })
    }

    /// Holds all to be apart at the start.
    fn apart(&self) -> Result<(), SetupError> {
        for contact in &self.contacts.list {
            let [a, b] = contact.pair.map(|row| row as usize);
            let between = self.rows[b].pose.position - self.rows[a].pose.position;
            let place = |row: usize, position| {
                let outline = &self.outlines[self.makes[row].outline as usize];
                (outline, Pose { position, turn: self.rows[row].pose.turn })
            };
            let (outline_a, pose_a) = place(a, Vector::ZERO);
            let (outline_b, pose_b) = place(b, self.domain.nearest_image(between));
            let (mut tracked, mut counters) = (Tracked::default(), FeatureCounters::default());
            let meeting =
                meet((outline_a, &pose_a), (outline_b, &pose_b), &mut tracked, &mut counters);
            let Meeting::Overlapping(overlap) = meeting else {
                continue;
            };
            let part = overlap.area / self.makes[a].area.min(self.makes[b].area);
            if part <= ROUNDING {
                continue;
            }
            let chord = overlap.gradient.norm();
            let apart = 2.0 * if chord > 0.0 { overlap.area / chord } else { self.makes[a].reach };
            let body = a as u32;
            return Err(match b.checked_sub(self.motion.len()) {
                Some(wall) => SetupError::Stuck { body, wall: wall as u32, part, apart },
                None => SetupError::Overlap { bodies: [body, b as u32], part, apart },
            });
        }
        Ok(())
    }
}

fn course(solid: &Solid) -> Course {
    Course {
        position: solid.position,
        angle: solid.angle,
        velocity: solid.velocity,
        angular_velocity: solid.angular_velocity,
    }
}

fn motion(solid: &Solid, gravity: Vector<2>, dt: f64) -> Gear<3> {
    let ([x, y], [vx, vy], [gx, gy]) = (solid.position.0, solid.velocity.0, gravity.0);
    Gear::new([x, y, solid.angle], [vx, vy, solid.angular_velocity], [gx, gy, 0.0], dt)
}

fn body(solid: &Solid, outlines: &[Outline], law: &ForceLaw) -> Make {
    let outline = &outlines[solid.outline as usize];
    let mass = solid.density * outline.area();
    Make {
        outline: solid.outline,
        mass,
        moment_of_inertia: solid.density * outline.second_moment(),
        inverse_mass: 1.0 / mass,
        curvature: (PI / outline.area()).sqrt(),
        area: outline.area(),
        reach: outline.circumradius(),
        friction: law.friction,
    }
}

fn solid_wall(wall: &Wall, outlines: &[Outline], law: &ForceLaw) -> Make {
    let outline = &outlines[wall.outline as usize];
    Make {
        outline: wall.outline,
        mass: f64::INFINITY,
        moment_of_inertia: f64::INFINITY,
        inverse_mass: 0.0,
        curvature: 0.0,
        area: outline.area(),
        reach: outline.circumradius(),
        friction: wall.friction.unwrap_or(law.wall_friction),
    }
}

/// About the shortest time in which something happens in a contact of two of these bodies \[µs\]:
/// half a period of the stiffest contact there can be, between two bodies as light as the lightest,
/// face to face on the widest face; or [`DECAY_TIMES`] of the strongest damping, if that is less.
/// Infinite without bodies.
///
/// A time step is at most a [`STEPS_PER_CONTACT`]th of it.
pub fn contact_time(law: &ForceLaw, outlines: &[Outline], solids: &[Solid]) -> f64 {
    let (mut lightest, mut widest) = (f64::INFINITY, 1.0_f64);
    for solid in solids {
        let outline = &outlines[solid.outline as usize];
        lightest = lightest.min(solid.density * outline.area());
        // The width of a contact, in radii of a disk of the same area.
        widest = widest.max(longest_edge(outline) * (PI / outline.area()).sqrt());
    }
    if solids.is_empty() {
        return f64::INFINITY;
    }
    // Of a reduced mass m/2, with l = 2 r.
    let (rate, width) = ((2.0 * law.stiffness / lightest).sqrt(), 0.5 * widest);
    let (omega, decay) = match law.normal {
        NormalLaw::Gradient => (rate * width, law.damping * rate * width * width),
        NormalLaw::Area => (rate * width.sqrt(), law.damping * rate * width),
    };
    let is_rough = law.friction > 0.0 || law.wall_friction > 0.0;
    let rubbing = if is_rough { law.damping * rate * (SPIN * law.tangential).sqrt() } else { 0.0 };
    (PI / omega).min(DECAY_TIMES / decay.max(rubbing))
}

/// 0 for disks. \[nm\]
fn longest_edge(outline: &Outline) -> f64 {
    let corners = outline.polygon().map_or(&[][..], |polygon| polygon.corners());
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| (*b - *a).norm()).fold(0.0, f64::max)
}

impl Drive {
    /// What moves it, as numbers, each with whether it has to be positive.
    pub(super) fn numbers(&self) -> Vec<(&'static str, f64, bool)> {
        match *self {
            Self::Fixed => Vec::new(),
            Self::Velocity(v) => vec![("velocity", v[0], false), ("velocity", v[1], false)],
            Self::Rotation { centre, angular_velocity } => vec![
                ("centre", centre[0], false),
                ("centre", centre[1], false),
                ("angular velocity", angular_velocity, false),
            ],
            Self::Oscillation { amplitude, frequency, phase } => vec![
                ("amplitude", amplitude[0], false),
                ("amplitude", amplitude[1], false),
                ("frequency", frequency, false),
                ("phase", phase, false),
            ],
            Self::Force { force, mass } => {
                vec![("force", force.norm(), true), ("mass", mass, true)]
            }
        }
    }
}
