//! One run of a column with one structure, and everything that is counted in it.

use std::time::Instant;

use super::placement::{MILLIMETRE, SECOND};
use super::printed::{Column, EDGE, TIMESTEP};
use crate::reproduce::ReproduceError;
use crate::reproduce::structures;
use jostle_core::observe::{Contact, Observer, ObserverError, Partner, View};
use jostle_core::space::{Domain, Vector};
use jostle_core::state_hash::WordHash;
use jostle_events::granular::container::Container;
use jostle_events::granular::forces::Forces;
use jostle_events::granular::{
    Collisions, Grain, Granular, Setup, Tally, Trajectory, TrajectoryClock,
};
use jostle_events::kinetic::{KineticKind, Topology};

/// What a run did.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// What the engine counted.
    pub tally: Tally,
    /// What the structure counted.
    pub topology: Topology,
    /// Pairs of a ball and a time step in which it collided.
    pub busy_steps: u64,
    /// Balls that collided at all.
    pub balls_hit: u64,
    /// Faces of the box that the cell of a ball borders on, the mean over balls and time steps, for
    /// cells as wide as the largest ball.
    pub border_faces: f64,
    /// Cells along an edge.
    pub cells: f64,
    /// Walls of the container.
    pub walls: usize,
    /// How long it took. \[s\]
    pub seconds: f64,
    /// What the structure holds. \[bytes\]
    pub bytes: usize,
    /// All collisions, in order, and the last state, by their bits.
    pub fingerprint: u64,
    /// Kinetic energy at the end.
    pub kinetic: f64,
    /// In constant gravity, at the end.
    pub potential: f64,
    /// Energy lost in collisions.
    pub dissipated: f64,
    /// Energy given by the walls.
    pub wall_work: f64,
}

impl Counts {
    /// Collisions as the paper counts them: of balls, and of a ball and a wall.
    pub fn collisions(&self) -> f64 {
        (self.tally.collisions + self.tally.wall_collisions) as f64
    }

    /// How many ball-collisions there were: two for each collision of balls.
    pub fn ball_collisions(&self) -> f64 {
        (2 * self.tally.collisions + self.tally.wall_collisions) as f64
    }

    /// Collision checks as the paper counts them: pairs, and the walls that the structure does not
    /// rule out. Without a structure and in the triangulation these are all of them; with cells those
    /// that a ball's cell borders on; with bounding boxes none.
    pub fn checks(&self, structure: &str) -> f64 {
        let walls = match structure {
            "direct" | "laguerre" => self.walls as f64,
            "cubic" | "tree" => self.border_faces,
            _ => 0.0,
        };
        self.tally.pair_tests as f64 + walls * self.tally.wall_tests as f64
    }
}

/// What acts on the balls of a run, and how they bounce.
#[derive(Clone, Debug)]
pub struct Physics<const D: usize> {
    /// The walls.
    pub container: Container<D>,
    /// What bends paths.
    pub forces: Forces<D>,
    /// What collisions leave.
    pub collisions: Collisions,
    /// What a collision does to the trajectory events.
    pub clock: TrajectoryClock,
    /// \[s\]
    pub duration: f64,
}

impl Physics<2> {
    /// The gas that the tables are of: elastic, without forces, between fixed walls.
    ///
    /// # Errors
    /// None in fact: the box has walls.
    pub fn of_the_tables(column: &Column, clock: TrajectoryClock) -> Result<Self, ReproduceError> {
        Ok(Self {
            container: Container::new_box(square(), None)?,
            forces: Forces::default(),
            collisions: Collisions::elastic(),
            clock,
            duration: column.duration,
        })
    }
}

/// The box.
pub fn square() -> Domain<2> {
    Domain::new([EDGE * MILLIMETRE; 2], [false; 2])
}

/// Runs `grains`, with cells (where there are any) as wide as the largest ball.
///
/// # Errors
/// If the run cannot start or cannot be trusted.
pub fn run<const D: usize>(
    physics: &Physics<D>,
    grains: &[Grain<D>],
    kind: KineticKind,
) -> Result<Counts, ReproduceError> {
    let largest = grains.iter().map(|grain| grain.radius).fold(0.0, f64::max);
    let cells = (EDGE * MILLIMETRE / (2.0 * largest * (1.0 + 1e-9))).floor();
    let every = TIMESTEP * SECOND;
    let setup = Setup {
        container: physics.container.clone(),
        forces: physics.forces.clone(),
        trajectory: Some(Trajectory { every, clock: physics.clock }),
        collisions: physics.collisions,
        search: structures::build(kind, Some(2.0 * largest))
            .ok_or(ReproduceError::NoStructure(kind))?,
        output_interval: every,
    };
    let mut ledger = RunLedger::new(grains.len(), cells);
    let begun = Instant::now();
    let mut engine = Granular::new(setup, grains)?;
    for _ in 0..(physics.duration / TIMESTEP).round() as u64 {
        engine.step(&mut ledger)?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let view = engine.view();
    for (place, velocity) in view.particles.position.iter().zip(&view.particles.velocity) {
        place.0.iter().chain(&velocity.0).for_each(|&x| ledger.fold.number(x));
    }
    let balance = engine.balance();
    Ok(Counts {
        tally: engine.tally(),
        topology: engine.search().topology(),
        busy_steps: ledger.busy_steps,
        balls_hit: ledger.busy.iter().filter(|&&step| step != NEVER).count() as u64,
        border_faces: ledger.border_faces as f64 / ledger.seen.max(1) as f64,
        cells,
        walls: physics.container.walls().count(),
        seconds,
        bytes: engine.search().bytes(),
        fingerprint: ledger.fold.value(),
        kinetic: balance.kinetic,
        potential: balance.potential,
        dissipated: balance.dissipated,
        wall_work: balance.wall_work,
    })
}

/// The step in which a ball has collided that never has.
const NEVER: u64 = u64::MAX;

/// Keeps what the engine does not count.
struct RunLedger {
    fold: WordHash,
    /// The step in which each ball last collided. \[ball\]
    busy: Vec<u64>,
    busy_steps: u64,
    /// Along an edge.
    cells: f64,
    border_faces: u64,
    seen: u64,
}

impl RunLedger {
    fn new(balls: usize, cells: f64) -> Self {
        Self {
            fold: WordHash::default(),
            busy: vec![NEVER; balls],
            busy_steps: 0,
            cells,
            border_faces: 0,
            seen: 0,
        }
    }

    fn was_busy(&mut self, ball: u64, step: u64) {
        if let Some(last) = self.busy.get_mut(ball as usize)
            && *last != step
        {
            *last = step;
            self.busy_steps += 1;
        }
    }
}

impl<const D: usize> Observer<D> for RunLedger {
    fn wants_contacts(&self) -> bool {
        true
    }

    fn contact(&mut self, contact: &Contact<D>) -> Result<(), ObserverError> {
        self.fold.word(contact.step);
        self.fold.word(contact.time.to_bits());
        self.fold.word(contact.id);
        self.fold.word(contact.approach.to_bits());
        self.was_busy(contact.id, contact.step);
        let partner = match contact.partner {
            Partner::Particle { id, .. } => {
                self.was_busy(id, contact.step);
                id
            }
            Partner::Wall(face) => u64::MAX - face.index() as u64,
            Partner::Side | Partner::Surface(_) => u64::MAX - 6,
        };
        self.fold.word(partner);
        Ok(())
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        let per_length = self.cells / (EDGE * MILLIMETRE);
        let faces = |place: &Vector<D>| -> u64 {
            let along = |k: usize| {
                let cell = (place[k] * per_length).floor();
                u64::from(cell <= 0.0) + u64::from(cell >= self.cells - 1.0)
            };
            (0..D).map(along).sum()
        };
        self.border_faces += view.particles.position.iter().map(faces).sum::<u64>();
        self.seen += view.particles.position.len() as u64;
        Ok(())
    }
}
