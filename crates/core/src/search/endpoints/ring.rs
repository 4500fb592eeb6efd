//! Endpoints of one axis, going round: what sorting asks of them.

use super::{Endpoint, Endpoints};

/// Endpoints in circular order, two of a particle or none.
pub trait Ring {
    /// How many endpoints there are.
    fn count(&self) -> usize;

    /// The endpoint of a rank.
    fn at(&self, rank: usize) -> Endpoint;

    /// The rank of an endpoint.
    fn rank_of(&self, endpoint: Endpoint) -> usize;

    /// Exchanges the endpoints at `rank` and after it, which belong to different particles.
    fn exchange(&mut self, rank: usize);

    /// The rank after `rank`: after the last one comes the first.
    #[inline]
    fn after(&self, rank: usize) -> usize {
        if rank + 1 == self.count() { 0 } else { rank + 1 }
    }

    /// The rank before `rank`: before the first one comes the last.
    #[inline]
    fn before(&self, rank: usize) -> usize {
        if rank == 0 { self.count() - 1 } else { rank - 1 }
    }
}

/// One axis of [`Endpoints`].
pub(super) struct OfEndpoints<'a, const D: usize> {
    pub(super) endpoints: &'a mut Endpoints<D>,
    pub(super) axis: usize,
}

impl<const D: usize> Ring for OfEndpoints<'_, D> {
    #[inline]
    fn count(&self) -> usize {
        self.endpoints.count()
    }

    #[inline]
    fn at(&self, rank: usize) -> Endpoint {
        self.endpoints.at(self.axis, rank)
    }

    #[inline]
    fn rank_of(&self, endpoint: Endpoint) -> usize {
        self.endpoints.rank_of(self.axis, endpoint)
    }

    #[inline]
    fn exchange(&mut self, rank: usize) {
        self.endpoints.exchange(self.axis, rank);
    }
}

/// Whether two intervals overlap, given the ranks of their beginnings and ends on a ring of
/// `count`: one of them begins within the other, going round.
#[inline]
pub fn overlap(a: [u32; 2], b: [u32; 2], count: u32) -> bool {
    steps(a[0], b[0], count) < steps(a[0], a[1], count)
        || steps(b[0], a[0], count) < steps(b[0], b[1], count)
}

/// How many ranks lie between two, going round.
#[inline]
pub(super) fn steps(from: u32, to: u32, count: u32) -> u32 {
    if to < from { to + count - from } else { to - from }
}
