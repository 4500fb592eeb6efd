//! One axis of the boxes: its endpoints in order, and which pairs its exchanges concern.

#[cfg(test)]
use jostle_core::search::endpoints::assert_sorted;
use jostle_core::search::endpoints::{
    Endpoint, Endpoints, Places, Ring, intervals_overlap, rewind, settle_box, sort,
};

/// In place of a rank: none.
const NONE: u32 = u32::MAX;

/// Endpoints along one axis in order. Nothing here knows of the other axis, so that both may be
/// sorted side by side; an exchange is only noted, and judged when both are in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Axis {
    /// \[rank\]
    order: Vec<Endpoint>,
    /// \[body\]\[beginning, end\]
    ranks: Vec<[u32; 2]>,
    places: Places,
    /// Pairs of which an end has overtaken a beginning, since the last [`Axis::forget`].
    joined: Vec<[u32; 2]>,
    /// Pairs of which a beginning has fallen behind an end.
    parted: Vec<[u32; 2]>,
    exchanges: u64,
}

impl Axis {
    /// Takes over the order of axis `axis`, whose endpoints lie at `places`.
    pub(super) fn take(
        &mut self,
        bodies: usize,
        endpoints: &Endpoints<2>,
        axis: usize,
        places: Places,
    ) {
        self.order.clear();
        self.order.extend((0..endpoints.count()).map(|rank| endpoints.at(axis, rank)));
        self.ranks.clear();
        self.ranks.resize(bodies, [NONE; 2]);
        for (rank, e) in self.order.iter().enumerate() {
            self.ranks[e.owner() as usize][e.side()] = rank as u32;
        }
        self.places = places;
        self.forget();
    }

    /// How many exchanges there have been.
    pub(super) fn exchanges(&self) -> u64 {
        self.exchanges
    }

    /// Continues counting from so many.
    pub(super) fn count_from(&mut self, exchanges: u64) {
        self.exchanges = exchanges;
    }

    /// Where the endpoints lie.
    pub(super) fn places(&self) -> &Places {
        &self.places
    }

    /// Forgets the exchanges noted.
    pub(super) fn forget(&mut self) {
        self.joined.clear();
        self.parted.clear();
    }

    /// Moves the intervals of `moved`, no wide bodies among them, and brings them into order.
    /// Whether that was possible with `most` exchanges.
    pub(super) fn follow(
        &mut self,
        moved: &[u32],
        at: impl Fn(u32) -> [f64; 2],
        most: u64,
    ) -> bool {
        let mut places = std::mem::take(&mut self.places);
        rewind(self, &mut places);
        let done = self.arrange(moved, at, most, &mut places);
        self.places = places;
        self.exchanges += done.unwrap_or(0);
        done.is_some()
    }

    /// One by one if few have moved, all in one go if many have. Returns the number of exchanges.
    fn arrange(
        &mut self,
        moved: &[u32],
        at: impl Fn(u32) -> [f64; 2],
        most: u64,
        places: &mut Places,
    ) -> Option<u64> {
        if moved.len() > self.order.len() / MANY {
            moved.iter().for_each(|&body| places.follow(body, at(body)));
            return sort(self, places, most);
        }
        let mut exchanges = 0;
        for &body in moved {
            places.follow(body, at(body));
            exchanges += settle_box(self, body, places);
            if exchanges > most {
                return None;
            }
        }
        Some(exchanges)
    }

    /// Pairs that have come to overlap along this axis, and maybe ceased to since.
    pub(super) fn joined(&self) -> &[[u32; 2]] {
        &self.joined
    }

    /// Pairs that have ceased to overlap along this axis, and maybe come to again.
    pub(super) fn parted(&self) -> &[[u32; 2]] {
        &self.parted
    }

    /// Whether two bodies overlap along this axis, in the order as it is.
    #[inline]
    pub(super) fn overlap(&self, [i, j]: [u32; 2]) -> bool {
        intervals_overlap(self.ranks[i as usize], self.ranks[j as usize], self.order.len() as u32)
    }

    /// Whether a body has endpoints here.
    #[cfg(test)]
    pub(super) fn has(&self, body: u32) -> bool {
        self.ranks[body as usize][0] != NONE
    }

    /// Holds order, ranks and places to each other.
    ///
    /// # Panics
    /// If they do not agree.
    #[cfg(test)]
    pub(super) fn assert_well_formed(&self) {
        for (rank, &e) in self.order.iter().enumerate() {
            assert_eq!(self.rank_of(e), rank);
        }
        assert_sorted(self, &self.places);
    }
}

/// With more than one endpoint in so many on the move, all are sorted in one go. Settling a body
/// looks at about as many endpoints.
const MANY: usize = 8;

impl Ring for Axis {
    #[inline]
    fn count(&self) -> usize {
        self.order.len()
    }

    #[inline]
    fn at(&self, rank: usize) -> Endpoint {
        self.order[rank]
    }

    #[inline]
    fn rank_of(&self, endpoint: Endpoint) -> usize {
        self.ranks[endpoint.owner() as usize][endpoint.side()] as usize
    }

    #[inline]
    fn exchange(&mut self, rank: usize) {
        let next = self.after(rank);
        let (p, q) = (self.order[rank], self.order[next]);
        debug_assert_ne!(p.owner(), q.owner(), "a body's interval is never turned inside out");
        self.order.swap(rank, next);
        self.ranks[q.owner() as usize][q.side()] = rank as u32;
        self.ranks[p.owner() as usize][p.side()] = next as u32;
        match (p.is_end(), q.is_end()) {
            (true, false) => self.joined.push([p.owner(), q.owner()]),
            (false, true) => self.parted.push([p.owner(), q.owner()]),
            _ => {}
        }
    }
}
