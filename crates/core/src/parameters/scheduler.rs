//! In what order contacts inside a step of the Brownian engine are settled.

use crate::named;

named! {
    /// How contacts inside a step are put in order. All give the same bits.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Scheduler {
        /// A local event queue; only changed particles are looked at again.
        Queue => "queue",
        /// All candidates are looked at again at each subdivision, as Johnson & Whalley (2002) print it
        /// (section 4.1), with the distance bound that it proposes.
        Rescan => "rescan",
        /// Particles that touch each other within the step are settled apart from all others, on any
        /// thread, where the search structure has neighbour lists; else the queue. Events other than
        /// bounces are settled one by one, as by the queue.
        Islands => "islands",
    }
}
