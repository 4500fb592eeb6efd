//! What can go wrong.

use jostle_core::observe::{Against, ObserverError};

/// Why an engine cannot start.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum SetupError {
    /// Two bodies overlap.
    #[error(
        "bodies {bodies:?} overlap at the start, by {part:.3} of the smaller one's area: put them at least \
         {apart:.3} nm further apart"
    )]
    Overlap {
        /// The two bodies, counted from 0.
        bodies: [u32; 2],
        /// \[area of the smaller one\]
        part: f64,
        /// How far the one has to move, about. \[nm\]
        apart: f64,
    },
    /// A body sticks in a wall.
    #[error(
        "body {body} sticks in wall {wall} at the start, with {part:.3} of its area: put it at least \
         {apart:.3} nm further away"
    )]
    Stuck {
        /// The body, counted from 0.
        body: u32,
        /// Counted from 0.
        wall: u32,
        /// \[area of the body\]
        part: f64,
        /// How far the body has to move, about. \[nm\]
        apart: f64,
    },
    /// A state that was kept is not of this engine.
    #[error("the state that was kept is damaged, or not of this model: {0}")]
    State(&'static str),
    /// A number that cannot be.
    #[error("{what} is {found}, but {right}")]
    Number {
        /// What it is of.
        what: String,
        /// The number.
        found: f64,
        /// What it would have to be.
        right: &'static str,
    },
    /// There is no such outline.
    #[error("{which} has outline {found}, but there are only {count} outlines, counted from 0")]
    Outline {
        /// Body or wall.
        which: String,
        /// The number of the outline.
        found: u32,
        /// How many there are.
        count: usize,
    },
    /// The time step does not resolve contacts.
    #[error(
        "a time step of {timestep:e} us is too long for contacts that are so stiff, or so strongly damped: it \
         takes as little as {contact:e} us there until something has happened, so take at most {longest:e} us, \
         or make contacts softer"
    )]
    Timestep {
        /// What was wanted. \[µs\]
        timestep: f64,
        /// [`contact_time`](super::contact_time). \[µs\]
        contact: f64,
        /// What would be right. \[µs\]
        longest: f64,
    },
    /// A body is next to two images of another.
    #[error(
        "body {body} reaches {reach} nm from its centroid: on a periodic axis of {edge} nm it would meet two \
         images of another body; the box has to be at least {least} nm wide there"
    )]
    TooLarge {
        /// The body, counted from 0.
        body: u32,
        /// \[nm\]
        reach: f64,
        /// \[nm\]
        edge: f64,
        /// \[nm\]
        least: f64,
    },
}

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
pub enum RunFault {
    /// Two overlap so far that the law does not press them apart any longer.
    #[error(
        "body {body} at {time} us: it overlaps {} with {part:.2} of the smaller one's area, {}; take a shorter time \
         step or stiffer contacts (or thicker walls)",
        name(against),
        if *part > 0.5 {
            "and from half on contacts press in the wrong direction"
        } else {
            "right through it or inside it, so that nothing says which way is out"
        }
    )]
    Deep {
        /// The body, counted from 0.
        body: u32,
        /// What it is too deep in.
        against: Against,
        /// \[area of the smaller one\]
        part: f64,
        /// \[µs\]
        time: f64,
    },
    /// A number is not finite any longer, or a particle is too fast for the time step.
    #[error(
        "{} at {time} us: it goes farther than its own size in a time step, or its place is no number any longer; a \
         shorter time step would help",
        name(which)
    )]
    Lost {
        /// Body or wall.
        which: Against,
        /// \[µs\]
        time: f64,
    },
    /// An observer failed.
    #[error("{0}")]
    Observer(ObserverError),
}

/// What a body is up against.
fn name(against: &Against) -> String {
    match against {
        Against::Body(id) => format!("body {id}"),
        Against::Wall(wall) => format!("wall {wall}"),
    }
}
