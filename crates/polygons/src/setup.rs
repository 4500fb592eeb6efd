//! How an engine starts.

use std::f64::consts::PI;

use super::balance::Accounts;
use super::contacts::Contacts;
use super::gear::Gear;
use super::report::Snapshot;
use super::rows::{Make, Row};
use super::skin::Skin;
use super::walls::{Standing, WallMotion};
use super::{Phases, Polygons, SetupError, Tally, may_touch};
use jostle_core::narrow::polygons::{FeatureCounters, Meeting, Tracked, meet};
use jostle_core::observe::Clock;
use jostle_core::parameters::polygons::{ForceLaw, PlacedWall, Solid};
use jostle_core::space::{Domain, Outline, Pose, Vector};

/// Bodies that overlap by so little at the start are taken to touch. \[area of the smaller one\]
const ROUNDING: f64 = 1e-9;

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
    pub walls: Vec<PlacedWall>,
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
            .chain(walls.iter().map(|wall| wall.motion(0.0, timestep)))
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

fn course(solid: &Solid) -> WallMotion {
    WallMotion {
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

fn solid_wall(wall: &PlacedWall, outlines: &[Outline], law: &ForceLaw) -> Make {
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
