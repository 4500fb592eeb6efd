//! What can go wrong, and the watch on bodies that collide for ever.

use serde::{Deserialize, Serialize};

use super::Granular;
use super::restitution::Pair;
use jostle_core::observe::ObserverError;

/// Why an engine cannot start.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum SetupError {
    /// Two bodies overlap.
    #[error("bodies {0} and {1} overlap at the start by {2:e} of the sum of their radii")]
    Overlap(u32, u32, f64),
    /// A body sticks in a wall.
    #[error("body {0} sticks in a wall at the start, by {1:e} of its radius")]
    Stuck(u32, f64),
    /// A body is where periods cannot be counted.
    #[error("body {0} is more than {most} periods of the box outside it at the start", most = jostle_core::space::MOST_PERIODS)]
    TooFar(u32),
    /// Forces need trajectory events.
    #[error("forces that change along the path need trajectory events (`run.trajectory_every`)")]
    NoTrajectoryEvents,
    /// More bodies than can be told apart.
    #[error("at most {most} bodies are possible, not {found}", most = super::events::MOST_BODIES)]
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
    /// Collisions come so fast that time does not go on.
    #[error(
        "body {body} at {time} us: {} collisions while the gaps that they closed came to less than {:e} of its \
         radius: an inelastic collapse, or bodies that rest on each other or on a wall; the TC model goes on \
         from there (`tc` under [collisions]), in which collisions that follow each other faster than a contact \
         lasts lose nothing",
        CALM_COLLISIONS,
        CALM_TRAVEL
    )]
    Collapse {
        /// Who.
        body: u32,
        /// \[µs\]
        time: f64,
    },
    /// A number is not finite any longer.
    #[error("body {body} at {time} us: its place or speed is no number any longer")]
    Lost {
        /// Who.
        body: u32,
        /// \[µs\]
        time: f64,
    },
    /// The counts of periods have 32 bits.
    #[error(
        "at {time} us body {body} is more than {} periods of the box from where it began, and they \
         cannot be counted any longer; a larger box would do",
        jostle_core::space::MOST_PERIODS
    )]
    TooFar {
        /// Who.
        body: u32,
        /// \[µs\]
        time: f64,
    },
    /// An observer failed.
    #[error("{0}")]
    Observer(ObserverError),
}

/// Bodies that overlap by rounding are taken to touch. \[sum of the radii\]
pub(super) const MOST_OVERLAP: f64 = 1e-9;

/// So many collisions of a body ...
const CALM_COLLISIONS: u32 = 2000;
/// ... that close gaps of less than this in all are a collapse. \[radius\]
const CALM_TRAVEL: f64 = 1e-6;

/// What a body has gone through since it last moved.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Calm {
    collisions: u32,
    /// When it began. \[µs\]
    since: f64,
    /// What its collisions closed of the gaps before them. \[length\]
    travelled: f64,
}

impl<const D: usize> Granular<D> {
    /// Takes note of a collision of `body`, one of the `pair`, that closed a gap. In the TC model
    /// what rests collides often and hardly moves, but time goes on.
    ///
    /// # Errors
    /// If its collisions do not let time go on.
    pub(super) fn keep_watch(
        &mut self,
        body: u32,
        pair: &Pair,
        closed: f64,
        time: f64,
    ) -> Result<(), RunFault> {
        let calm = &mut self.calm[body as usize];
        if calm.collisions == 0 {
            calm.since = time;
        }
        calm.collisions += 1;
        calm.travelled += closed;
        if calm.travelled > CALM_TRAVEL * self.flights[body as usize].radius {
            *calm = Calm::default();
        }
        if calm.collisions > CALM_COLLISIONS {
            let rest = self.collisions.hop(pair);
            if rest > 0.0 && time - calm.since >= rest {
                *calm = Calm::default();
                return Ok(());
            }
            return Err(RunFault::Collapse { body, time });
        }
        Ok(())
    }
}
