//! The discrete-element engine: convex polygons, ellipses and disks that press on each other where
//! they overlap (Schinner 1999, *Fast algorithms for the simulation of polygonal particles*, Figure
//! 12).
//!
//! Bodies and walls are *rows*, bodies first: to a contact a wall is a body without curvature and
//! inverse mass. Pairs whose padded boxes overlap stand in one list, in the order of their rows;
//! each remembers its closest features and the spring of friction. Pieces of the list are worked on
//! by several threads. Forces are then summed body by body, in the order of the partners, so that
//! no sum depends on which was first and no thread waits for another (Schinner protects each body
//! by a mutex).
//!
//! Places are never wrapped along periodic axes: a contact is between nearest images.
//!
//! # How exact it is
//!
//! Gear's method is of fifth order where forces are smooth. They are not where a contact begins
//! with a damping force at once (then velocities are off by up to damping ratio times angular
//! frequency times time step, to either side), nor where a corner comes to lie within an overlap:
//! there the force has a bend, and what the sum of the energy balance is off by shrinks with about
//! the second power of the step.
//!
//! Two that overlap by more than half of the smaller one stop the run: from there on they would be
//! pressed through each other.

mod balance;
pub mod boxes;
mod check;
mod chunks;
mod contacts;
mod error;
mod face;
mod gear;
mod law;
mod press;
mod report;
mod rows;
mod setup;
mod skin;
mod state;
mod tally;
#[cfg(test)]
mod tests;
mod walls;

pub use error::{RunFault, SetupError};
pub use jostle_core::parameters::polygons::{
    DECAY_TIMES, Drive, ForceLaw, HeadOn, LEAST_PERIOD, NormalLaw, PlacedWall, STEPS_PER_CONTACT,
    Solid, contact_time,
};
pub use setup::Setup;
pub use state::State;
pub use tally::{Phases, Tally};

use balance::Accounts;
use contacts::Contacts;
use gear::Gear;
use jostle_core::observe::Clock;
use jostle_core::space::{Domain, Outline, Vector};
use jostle_core::stopwatch::Stopwatch;
use press::Findings;
use report::Snapshot;
use rows::{Make, Row};
use skin::Skin;
use walls::{Standing, WallMotion};

/// The engine.
///
/// ```
/// use jostle_core::space::{Domain, Outline, Polygon, Vector};
/// use jostle_polygons::{ForceLaw, NormalLaw, Polygons, Setup, Solid};
///
/// // A square that is thrown up comes down as it went: y = v t - g t²/2, and its energy is kept.
/// let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Vector);
/// let law = ForceLaw {
///     normal: NormalLaw::Gradient,
///     stiffness: 1.0,
///     damping: 0.0,
///     friction: 0.0,
///     wall_friction: 0.0,
///     tangential: 0.0,
///     rolling: 0.0,
/// };
/// let square = Solid {
///     outline: 0,
///     position: Vector([5.0, 5.0]),
///     angle: 0.3,
///     velocity: Vector([0.0, 2.0]),
///     angular_velocity: 1.0,
///     density: 1.0,
///     species: 0,
/// };
/// let mut engine = Polygons::new(Setup {
///     domain: Domain::new([10.0; 2], [false; 2]),
///     outlines: vec![Outline::Polygon(Polygon::new(&corners)?)],
///     solids: vec![square],
///     walls: Vec::new(),
///     law,
///     gravity: Vector([0.0, -1.0]),
///     timestep: 0.01,
/// })?;
/// for _ in 0..400 {
///     engine.step()?;
/// }
/// let place = engine.view().particles.position[0];
/// assert!((place - square.position).norm() < 1e-9, "{place:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Polygons {
    domain: Domain<2>,
    outlines: Vec<Outline>,
    law: ForceLaw,
    /// \[nm/µs²\]
    gravity: Vector<2>,
    clock: Clock,
    /// x, y and angle of each body, with their derivatives. \[body\], \[nm\], \[rad\]
    motion: Vec<Gear<3>>,
    /// \[wall\]
    walls: Vec<Standing>,
    /// Where contacts see bodies and walls: where the prediction of this step led. \[row\]
    rows: Vec<Row>,
    /// What never changes. \[row\]
    makes: Vec<Make>,
    skin: Skin,
    contacts: Contacts,
    /// \[piece of the list of contacts\]
    findings: Vec<Findings>,
    accounts: Accounts,
    tally: Tally,
    phases: Phases,
    snapshot: Snapshot,
}

/// So many bodies are one piece of work, and with fewer one thread does all.
const CHUNK: [usize; 2] = [256, 2048];

impl Polygons {
    /// Continues by one time step (Schinner 1999, Figure 12).
    ///
    /// # Errors
    /// If the run cannot be trusted any longer.
    pub fn step(&mut self) -> Result<(), RunFault> {
        let mut watch = Stopwatch::start();
        self.predict();
        watch.split(&mut self.phases.predict);
        self.sort()?;
        watch.split(&mut self.phases.boxes);
        self.press()?;
        watch.split(&mut self.phases.contacts);
        self.correct();
        watch.split(&mut self.phases.correct);
        self.clock.step += 1;
        Ok(())
    }

    /// Every particle continues along their Taylor series, walls as they are driven.
    fn predict(&mut self) {
        let dt = self.clock.timestep;
        let end = self.end_of_step();
        let (bodies, walls) = self.rows.split_at_mut(self.motion.len());
        let makes = &self.makes;
        chunks::each(&mut self.motion, bodies, CHUNK, |n, motion, rows| {
            for ((gear, row), make) in motion.iter_mut().zip(rows).zip(&makes[n * CHUNK[0]..]) {
                gear.predict();
                let ([x, y, angle], [vx, vy, angular_velocity]) = (gear.place(), gear.velocity(dt));
                let (position, velocity) = (Vector([x, y]), Vector([vx, vy]));
                row.go(WallMotion { position, angle, velocity, angular_velocity }, make.reach);
            }
        });
        for ((wall, row), make) in self.walls.iter_mut().zip(walls).zip(&makes[self.motion.len()..])
        {
            if wall.is_driven() {
                wall.predict();
                row.go(wall.motion(end, dt), make.reach);
            }
        }
        self.open(end);
    }

    /// Takes away the walls that are to be gone by `time`, and their contacts; what was stored
    /// there is lost.
    fn open(&mut self, time: f64) {
        for (row, wall) in (self.motion.len() as u32..).zip(&mut self.walls) {
            if wall.present && wall.wall.opens_at.is_some_and(|opening| opening <= time) {
                wall.present = false;
                self.accounts.damped.energy += self.contacts.drop_row(row, self.rows.len());
            }
        }
    }

    /// Sorts anew the bodies that have left their padded boxes, and takes up and drops pairs.
    fn sort(&mut self) -> Result<(), RunFault> {
        let renewed = self.skin.renew(&self.outlines, &self.rows, &self.makes, self.clock.timestep);
        if !renewed.map_err(|row| self.lost(row))? {
            return Ok(());
        }
        self.skin.gained.retain(|pair| may_touch(*pair, self.motion.len(), &self.walls));
        if !self.skin.gained.is_empty() || !self.skin.lost.is_empty() {
            self.contacts.change(&self.skin.gained, &self.skin.lost, self.rows.len());
        }
        Ok(())
    }

    fn lost(&self, row: usize) -> RunFault {
        RunFault::Lost { which: self.against(row as u32), time: self.end_of_step() }
    }

    /// \[µs\]
    fn end_of_step(&self) -> f64 {
        (self.clock.step + 1) as f64 * self.clock.timestep
    }

    /// Sums the forces on each body and takes them in.
    fn correct(&mut self) {
        let dt = self.clock.timestep;
        let (contacts, gravity) = (&self.contacts, self.gravity);
        let bodies = self.motion.len();
        chunks::each(&mut self.motion, &mut self.rows[..bodies], CHUNK, |n, motion, _| {
            let first = n * CHUNK[0];
            for (i, gear) in (first..).zip(motion) {
                let make = &self.makes[i];
                let (force, torque) = contacts.sum(i);
                let [ax, ay] = (force * make.inverse_mass + gravity).0;
                gear.correct([ax, ay, torque / make.moment_of_inertia], dt);
            }
        });
        for (row, wall) in (bodies..).zip(&mut self.walls) {
            if wall.is_driven() {
                wall.correct(|| contacts.sum(row).0, dt);
            }
        }
    }
}

/// Whether a pair can press on each other: walls do not on walls, and no particle on a wall that is
/// gone.
fn may_touch([a, b]: [u32; 2], bodies: usize, walls: &[Standing]) -> bool {
    let (a, b) = (a as usize, b as usize);
    a < bodies && (b < bodies || walls[b - bodies].present)
}
