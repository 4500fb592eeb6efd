//! The TC model: contacts take time, so that a cascade of collisions ends (Luding & McNamara 1998).
//!
//! Inelastic balls may collide without end in finite time. Real contacts last; particles that meet
//! again before the last contact would be over are in lasting contact, and that loses nothing. So
//! restitution is 1 if either partner had its last collision less than `t_c` ago. Under gravity
//! this is needed for velocity-dependent restitution as well: restitution that tends to 1 as a
//! power of the speed below 1 does not end the cascade, it only delays it.

use serde::{Deserialize, Serialize};

use super::restitution::{Material, Pair};

/// The time during which a contact counts as lasting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactTime {
    /// Contacts are over at once: the cascade is not stopped.
    None,
    /// The same for all. \[µs\]
    Constant(f64),
    /// As long as an elastic impact of this pair takes at this impact's speed (Hertz), the speed
    /// being taken as no less than [`SLOWEST`], since slow impacts last without bound.
    Hertz,
}

/// Slower impacts last no longer than this one. \[nm/µs\] The duration goes as `speed^(-1/5)`, so
/// that it stays within a factor of 4 from 1 m/s down to here.
pub const SLOWEST: f64 = 1.0;

impl ContactTime {
    /// How long an impact at normal speed `speed` \[nm/µs\] counts as lasting. \[µs\]
    pub fn of(&self, material: &Material, pair: &Pair, speed: f64) -> f64 {
        match *self {
            Self::None => 0.0,
            Self::Constant(time) => time,
            Self::Hertz => material.hertz(pair, speed.max(SLOWEST)).duration,
        }
    }
}

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

    #[test]
    fn contacts_last_as_long_as_hertz_says_but_not_without_bound() {
        let steel = Material::default();
        let pair = Pair::with_wall(5e6, steel.ball_mass(5e6));
        let time = |speed| ContactTime::Hertz.of(&steel, &pair, speed);
        assert_eq!(time(1000.0), steel.hertz(&pair, 1000.0).duration);
        assert!((time(SLOWEST) / time(1000.0) - libm::pow(1000.0, 0.2)).abs() < 1e-12);
        assert_eq!(time(0.0), time(SLOWEST));
        assert_eq!(time(1e-9), time(SLOWEST));
        assert_eq!(ContactTime::Constant(7.0).of(&steel, &pair, 1.0), 7.0);
        assert_eq!(ContactTime::None.of(&steel, &pair, 1.0), 0.0);
    }
}
