//! What can go wrong, and the watch on particles that collide for ever.

use serde::{Deserialize, Serialize};

use super::Granular;
use super::restitution::EffectiveBall;
use jostle_core::observe::ObserverError;

/// Why an engine cannot start.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum SetupError {
    /// Two particles overlap.
    #[error("particles {0} and {1} overlap at the start by {2:e} of the sum of their radii")]
    Overlap(u32, u32, f64),
    /// A particle sticks in a wall.
    #[error("particle {0} sticks in a wall at the start, by {1:e} of its radius")]
    Stuck(u32, f64),
    /// A particle is where periods cannot be counted.
    #[error("particle {0} is more than {most} periods of the box outside it at the start", most = jostle_core::space::MOST_PERIODS)]
    TooFar(u32),
    /// Forces need trajectory events.
    #[error("forces that change along the path need trajectory events (`run.trajectory_every`)")]
    NoTrajectoryEvents,
    /// More particles than can be distinguished.
    #[error("at most {most} particles are possible, not {found}", most = super::events::MOST_PARTICLES)]
    TooMany {
        /// How many there are.
        found: usize,
    },
    /// A state that was kept is not of this engine.
    #[error("the state that was kept is damaged, or not of this model: {0}")]
    State(&'static str),
}

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
pub enum RunFault {
    /// Collisions come so fast that time does not advance.
    #[error(
        "particle {particle} at {time} us: {} collisions while the gaps that they closed came to less than {:e} of its \
         radius: an inelastic collapse, or particles that rest on each other or on a wall; the TC model continues \
         from there (`tc` under [collisions]), in which collisions that follow each other faster than a contact \
         lasts lose nothing",
        CALM_COLLISIONS,
        CALM_TRAVEL
    )]
    Collapse {
        /// The particle that collides so often, by its place in the arrays.
        particle: u32,
        /// \[µs\]
        time: f64,
    },
    /// A number is not finite any longer.
    #[error("particle {particle} at {time} us: its place or speed is no number any longer")]
    Lost {
        /// The particle, by its place in the arrays.
        particle: u32,
        /// \[µs\]
        time: f64,
    },
    /// The counts of periods have 32 bits.
    #[error(
        "at {time} us particle {particle} is more than {} periods of the box from where it began, and they \
         cannot be counted any longer; a larger box would do",
        jostle_core::space::MOST_PERIODS
    )]
    TooFar {
        /// The particle, by its place in the arrays.
        particle: u32,
        /// \[µs\]
        time: f64,
    },
    /// An observer failed.
    #[error("{0}")]
    Observer(ObserverError),
}

/// Particles that overlap by rounding are taken to touch. \[sum of the radii\]
pub(super) const MOST_OVERLAP: f64 = 1e-9;

/// So many collisions of a particle ...
const CALM_COLLISIONS: u32 = 2000;
/// ... that close gaps of less than this in all are a collapse. \[radius\]
const CALM_TRAVEL: f64 = 1e-6;

/// What a particle has gone through since it last moved.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Standstill {
    collisions: u32,
    /// When it began. \[µs\]
    since: f64,
    /// What its collisions closed of the gaps before them. \[length\]
    travelled: f64,
}

impl<const D: usize> Granular<D> {
    /// Takes note of a collision of `particle`, one of the `pair`, that closed a gap. In the TC
    /// model what rests collides often and hardly moves, but time advances.
    ///
    /// # Errors
    /// If its collisions do not let time advance.
    pub(super) fn keep_watch(
        &mut self,
        particle: u32,
        pair: &EffectiveBall,
        closed: f64,
        time: f64,
    ) -> Result<(), RunFault> {
        let calm = &mut self.calm[particle as usize];
        if calm.collisions == 0 {
            calm.since = time;
        }
        calm.collisions += 1;
        calm.travelled += closed;
        if calm.travelled > CALM_TRAVEL * self.flights[particle as usize].radius {
            *calm = Standstill::default();
        }
        if calm.collisions > CALM_COLLISIONS {
            let rest = self.collisions.hop(pair);
            if rest > 0.0 && time - calm.since >= rest {
                *calm = Standstill::default();
                return Ok(());
            }
            return Err(RunFault::Collapse { particle, time });
        }
        Ok(())
    }
}
