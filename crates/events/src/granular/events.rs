//! What each particle expects: the first thing that will happen to it, as far as it knows.

use super::container::Wall;
use super::{Granular, flights};
use jostle_core::narrow::{Images, flight_contact, flight_contacts};
use jostle_core::space::Flights;

/// What a particle's slot in the timetable stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Expected {
    Nothing,
    /// A collision with a particle, as long as that one is in the flight it had `begun` then.
    Partner {
        particle: u32,
        begun: u32,
    },
    Wall(Wall),
    Trajectory,
}

/// The first thing that will happen to a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Next {
    pub(super) time: f64,
    /// Says what the event is: the order of events at the same time.
    key: u64,
    pub(super) expected: Expected,
}

impl Next {
    pub(super) const NOTHING: Self =
        Self { time: f64::INFINITY, key: u64::MAX, expected: Expected::Nothing };

    /// Whether it will ever come.
    pub(super) fn is_due(&self) -> bool {
        self.time < f64::INFINITY
    }

    /// Whether an event at `time` with this key comes first.
    fn is_after(&self, time: f64, key: u64) -> bool {
        time < self.time || (time == self.time && key < self.key)
    }
}

/// Keys of topological events are below this one, see [`Facets`](crate::kinetic::Facets).
const TRAJECTORY: u64 = 1 << 60;
const WALL: u64 = 2 << 60;
const COLLISION: u64 = 3 << 60;

/// The most particles whose pairs fit into a key.
pub(super) const MOST_PARTICLES: usize = 1 << 30;

fn collision(a: u32, b: u32) -> u64 {
    COLLISION | u64::from(a) << 30 | u64::from(b)
}

impl<const D: usize> Granular<D> {
    /// Looks at everything that the new flight of `i` may lead to.
    pub(super) fn foresee(&mut self, i: u32) {
        let mut next = self.without_partners(i);
        let mut near = std::mem::take(&mut self.near);
        near.clear();
        self.search.near(i, &flights!(self), self.now, &mut near);
        self.tally.pair_tests += near.len() as u64;
        let mut contacts = std::mem::take(&mut self.contacts);
        contacts.clear();
        flight_contacts(&flights!(self), i, &near, self.now, self.images(), &mut contacts);
        let mut partner = None;
        for (&j, &time) in near.iter().zip(&contacts) {
            let key = collision(i.min(j), i.max(j));
            if next.is_after(time, key) {
                (next.time, next.key, partner) = (time, key, Some(j));
            }
        }
        self.contacts = contacts;
        if let Some(j) = partner {
            next.expected = self.partner(j);
        }
        self.near = near;
        self.expect(i, next);
    }

    /// Looks at a pair whose flights are known but not to each other. It is enough that `a` knows.
    pub(super) fn look_at(&mut self, a: u32, b: u32) {
        self.tally.pair_tests += 1;
        let (time, key) = self.collision_of(a, b, self.images());
        if self.next[a as usize].is_after(time, key) {
            self.expect(a, Next { time, key, expected: self.partner(b) });
        }
    }

    pub(super) fn images(&self) -> Images {
        if self.search.tells_images_apart() { Images::Nearest } else { Images::Near }
    }

    fn partner(&self, j: u32) -> Expected {
        Expected::Partner { particle: j, begun: self.begun[j as usize] }
    }

    #[inline]
    pub(super) fn collision_of(&self, i: u32, j: u32, images: Images) -> (f64, u64) {
        let (a, b) = if i < j { (i, j) } else { (j, i) };
        (flight_contact(&flights!(self), a, b, self.now, images), collision(a, b))
    }

    /// What happens to `i` if it meets no particle.
    fn without_partners(&mut self, i: u32) -> Next {
        let mut next = Next::NOTHING;
        if let Some(trajectory) = &self.trajectory {
            next = Next {
                time: trajectory.due[i as usize],
                key: TRAJECTORY | u64::from(i),
                expected: Expected::Trajectory,
            };
        }
        self.tally.wall_tests += 1;
        let flight = &self.flights[i as usize];
        if let Some((time, wall)) = self.container.first_wall(flight, self.acceleration, next.time)
        {
            let met = Next { time, key: WALL | u64::from(i), expected: Expected::Wall(wall) };
            if next.is_after(met.time, met.key) {
                next = met;
            }
        }
        next
    }

    fn expect(&mut self, i: u32, next: Next) {
        self.next[i as usize] = next;
        self.timetable.plan(i, next.time, next.key);
    }
}
