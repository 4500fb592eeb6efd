//! Bodies that come and go.

use super::{Endpoint, Endpoints, NONE, Places};

impl<const D: usize> Endpoints<D> {
    /// Makes room for bodies `0..bodies`, who are absent until they are inserted.
    pub fn cover(&mut self, bodies: usize) {
        let bodies = bodies.max(self.ranks.len());
        self.ranks.resize(bodies, [[NONE; 2]; D]);
        self.neighbours.cover(bodies);
    }

    /// Inserts a body that is absent, with its box as given, into axes that are in order. O(n).
    pub fn insert(&mut self, body: u32, sides: [[f64; 2]; D], places: &mut [Places; D]) {
        for axis in 0..D {
            let (order, places) = (&mut self.order[axis], &mut places[axis]);
            places.put(body, sides[axis], order.first().map_or(0.0, |&first| places.of(first)));
            for endpoint in [Endpoint::begin(body), Endpoint::end(body)] {
                let key = |e: Endpoint| (places.of(e), e.is_end());
                let rank = order.partition_point(|&e| key(e) <= key(endpoint));
                order.insert(rank, endpoint);
            }
            self.number(axis);
        }
        for other in 0..self.ranks.len() as u32 {
            if other != body && self.is_present(other) && self.others_overlap(D, [body, other]) {
                self.neighbours.add([body, other]);
            }
        }
    }

    /// Gives each body another number, or drops it. O(n).
    pub fn rename(
        &mut self,
        bodies: usize,
        places: &mut [Places; D],
        new_name: impl Fn(u32) -> Option<u32> + Copy,
    ) {
        self.neighbours = self.neighbours.renamed(bodies, new_name);
        self.ranks = vec![[[NONE; 2]; D]; bodies];
        for (axis, places) in places.iter_mut().enumerate() {
            let renamed = |old: &Endpoint| {
                let body = new_name(old.body())?;
                Some(if old.is_end() { Endpoint::end(body) } else { Endpoint::begin(body) })
            };
            self.order[axis] = self.order[axis].iter().filter_map(renamed).collect();
            *places = places.renamed(bodies, new_name);
            self.number(axis);
        }
    }
}
