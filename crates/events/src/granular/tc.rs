//! The TC model: contacts take time, so that a cascade of collisions ends (Luding & McNamara 1998).
//!
//! Inelastic balls may collide without end in finite time. Real contacts last; particles that meet
//! again before the last contact would be over are in lasting contact, and that loses nothing. So
//! restitution is 1 if either partner had its last collision less than `t_c` ago. Under gravity
//! this is needed for velocity-dependent restitution as well: restitution that tends to 1 as a
//! power of the speed below 1 does not end the cascade, it only delays it.

use serde::{Deserialize, Serialize};

pub use jostle_core::parameters::granular::{ContactTime, SLOWEST};

/// When each particle last collided, and how often that made a collision elastic.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LastContacts {
    last: Vec<f64>,
    elastic: u64,
}

impl LastContacts {
    /// Of `particles` particles, none of which has collided.
    pub fn new(particles: usize) -> Self {
        Self { last: vec![f64::NEG_INFINITY; particles], elastic: 0 }
    }

    /// Notes a collision of `i` at `time` \[µs\], with `j` or with a wall, and tells whether either
    /// was in lasting contact: its last collision was less than `contact_time` \[µs\] ago. Walls
    /// have no memory of their own.
    pub fn collision(&mut self, i: u32, j: Option<u32>, time: f64, contact_time: f64) -> bool {
        let mut lasting = false;
        for particle in [Some(i), j].into_iter().flatten() {
            let last = &mut self.last[particle as usize];
            lasting |= time - *last < contact_time;
            *last = time;
        }
        self.elastic += u64::from(lasting);
        lasting
    }

    /// How many collisions were made elastic.
    pub fn elastic(&self) -> u64 {
        self.elastic
    }

    /// When each particle last collided; minus infinity for those that never did. \[particle\],
    /// \[µs\]
    pub fn times(&self) -> &[f64] {
        &self.last
    }

    /// Resumes with the times and the count of an earlier run.
    pub fn resume(last: Vec<f64>, elastic: u64) -> Self {
        Self { last, elastic }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_met_a_moment_ago_is_in_lasting_contact() {
        let mut contacts = LastContacts::new(3);
        assert!(!contacts.collision(0, Some(1), 10.0, 2.0));
        // Either partner suffices.
        assert!(contacts.collision(2, Some(1), 11.9, 2.0));
        assert!(!contacts.collision(0, None, 12.0, 2.0));
        assert!(contacts.collision(2, None, 13.0, 2.0));
        assert_eq!(contacts.elastic(), 2);
        assert_eq!(contacts.times(), [12.0, 11.9, 13.0]);
        let mut resumed = LastContacts::resume(contacts.times().to_vec(), contacts.elastic());
        assert!(resumed.collision(0, None, 13.9, 2.0));
        assert_eq!(resumed.elastic(), 3);
    }

    #[test]
    fn without_contact_time_nothing_lasts() {
        let mut contacts = LastContacts::new(2);
        for _ in 0..5 {
            assert!(!contacts.collision(0, Some(1), 1.0, 0.0));
        }
        assert_eq!(contacts.elastic(), 0);
    }
}
