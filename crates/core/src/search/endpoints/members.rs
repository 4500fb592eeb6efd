//! Particles that come and go.

use super::{Endpoint, Endpoints, NONE, Places};

impl<const D: usize> Endpoints<D> {
    /// Makes room for particles `0..particles`, which are absent until they are inserted.
    pub fn cover(&mut self, particles: usize) {
        let particles = particles.max(self.ranks.len());
        self.ranks.resize(particles, [[NONE; 2]; D]);
        self.neighbours.cover(particles);
    }

    /// Inserts a particle that is absent, with its box as given, into axes that are in order. O(n).
    pub fn insert(&mut self, particle: u32, sides: [[f64; 2]; D], places: &mut [Places; D]) {
        for axis in 0..D {
            let (order, places) = (&mut self.order[axis], &mut places[axis]);
            places.put(particle, sides[axis], order.first().map_or(0.0, |&first| places.of(first)));
            for endpoint in [Endpoint::begin(particle), Endpoint::end(particle)] {
                let key = |e: Endpoint| (places.of(e), e.is_end());
                let rank = order.partition_point(|&e| key(e) <= key(endpoint));
                order.insert(rank, endpoint);
            }
            self.number(axis);
        }
        for other in 0..self.ranks.len() as u32 {
            if other != particle
                && self.is_present(other)
                && self.others_overlap(D, [particle, other])
            {
                self.neighbours.add([particle, other]);
            }
        }
    }

    /// Gives each particle another number, or drops it. O(n).
    pub fn rename(
        &mut self,
        particles: usize,
        places: &mut [Places; D],
        new_name: impl Fn(u32) -> Option<u32> + Copy,
    ) {
        self.neighbours = self.neighbours.renamed(particles, new_name);
        self.ranks = vec![[[NONE; 2]; D]; particles];
        for (axis, places) in places.iter_mut().enumerate() {
            let renamed = |old: &Endpoint| {
                let particle = new_name(old.owner())?;
                Some(if old.is_end() { Endpoint::end(particle) } else { Endpoint::begin(particle) })
            };
            self.order[axis] = self.order[axis].iter().filter_map(renamed).collect();
            *places = places.renamed(particles, new_name);
            self.number(axis);
        }
    }
}
