//! For tests: holds the run to its promises at every event.

use super::events::{Expected, Next};
use super::{Granular, flights};
use jostle_core::space::Flights;

impl<const D: usize> Granular<D> {
    /// From now on holds the search structure to what it promises, at every event: it is well
    /// formed, and particles that collide are neighbours in it. For tests; slow.
    pub fn watch(&mut self) {
        self.watched = true;
    }

    /// Before the event of `slot` is carried out.
    pub(super) fn examine(&self, slot: u32) {
        self.search.assert_well_formed(&flights!(self), self.now);
        let overlap = self.largest_overlap();
        assert!(overlap < 1e-9, "an overlap of {overlap:e} at {}", self.now);
        let Some(Next { expected: Expected::Partner { particle, begun }, .. }) =
            self.next.get(slot as usize)
        else {
            return;
        };
        if self.begun[*particle as usize] == *begun {
            for (i, j) in [(slot, *particle), (*particle, slot)] {
                let mut near = Vec::new();
                self.search.near(i, &flights!(self), self.now, &mut near);
                assert!(near.contains(&j), "{i} and {j} collide and are no neighbours");
            }
        }
    }

    /// By how much the two that overlap most do so now; 0 if none do. Looks at every pair.
    /// \[sum of the radii\]
    pub fn largest_overlap(&self) -> f64 {
        let flights = flights!(self);
        let mut largest = 0.0;
        for i in 0..flights.len() as u32 {
            for j in 0..i {
                let apart = flights.at(j, self.now) - flights.at(i, self.now);
                let radii = self.flights[i as usize].radius + self.flights[j as usize].radius;
                largest = f64::max(largest, 1.0 - self.domain.nearest_image(apart).norm() / radii);
            }
        }
        largest
    }
}
