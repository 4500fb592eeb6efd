//! The first list of overlaps: a sweep along the axis that has the fewest.

use super::ring::steps;
use super::{Endpoint, Endpoints, NONE};

impl<const D: usize> Endpoints<D> {
    /// Lists all pairs that overlap along every axis.
    ///
    /// Going along one axis, the particles whose intervals have begun and not ended are kept in
    /// *lanes*, of which each takes an equal part of the endpoints along another axis. A particle
    /// is in
    /// each lane that its interval there reaches into; which overlap with it is in one of them too.
    /// A lane is as wide as intervals are in the mean, so that there are O(n) entries, however much
    /// sizes differ.
    pub fn find_overlaps(&mut self) {
        if self.count() == 0 {
            return;
        }
        let mut axes: [(usize, usize); D] = std::array::from_fn(|axis| (self.spans(axis), axis));
        axes.sort_unstable();
        // With one axis the lanes are along it too.
        let [(_, along), (span, across)] = [axes[0], axes[D.min(2) - 1]];
        let width = (2 * span / self.count()).max(1);
        let mut lanes = vec![Vec::new(); self.count().div_ceil(width)];
        let first = (0..self.ranks.len() as u32).filter(|&i| {
            self.is_present(i)
                && self.rank_of(along, Endpoint::end(i)) < self.rank_of(along, Endpoint::begin(i))
        });
        first.for_each(|i| self.lanes_of(i, across, width).for_each(|lane| lanes[lane].push(i)));
        for rank in 0..self.count() {
            let endpoint = self.at(along, rank);
            let particle = endpoint.owner();
            for lane in self.lanes_of(particle, across, width) {
                let open = &mut lanes[lane];
                if endpoint.is_end() {
                    if let Some(place) = open.iter().position(|&other| other == particle) {
                        open.swap_remove(place);
                    }
                    continue;
                }
                for &other in &*open {
                    if other != particle && self.others_overlap(along, [particle, other]) {
                        self.neighbours.add([particle, other]);
                    }
                }
                open.push(particle);
            }
        }
    }

    /// How many endpoints the intervals along an axis cover, all together.
    fn spans(&self, axis: usize) -> usize {
        let present =
            self.ranks.iter().map(|ranks| ranks[axis]).filter(|&[begin, _]| begin != NONE);
        present.map(|[begin, end]| steps(begin, end, self.count() as u32) as usize).sum()
    }

    /// The lanes of a particle. One lane may come twice, if the particle reaches across the seam.
    fn lanes_of(
        &self,
        particle: u32,
        axis: usize,
        width: usize,
    ) -> impl Iterator<Item = usize> + use<D> {
        let [begin, end] = self.ranks[particle as usize][axis].map(|rank| rank as usize);
        let lanes = self.count().div_ceil(width);
        let (to_seam, beyond) =
            if begin < end { (end / width + 1, 0) } else { (lanes, end / width + 1) };
        (begin / width..to_seam).chain(0..beyond)
    }
}
