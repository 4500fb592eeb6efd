//! The scheduler `rescan`: after every event, all candidates are looked at again (Johnson & Whalley 2002,
//! section 4.1, as printed). It is here to be compared with the queue, which has the same results.

use super::plan::{Due, contact, wall};
use super::{Brownian, Scratch};
use jostle_core::search::{Broad, Search};

impl<const D: usize> Brownian<D> {
    /// The earliest first contact of all candidates, or what is `planned`, whichever comes first.
    /// A pair is skipped without an exact test if the two cannot cover the distance between them
    /// before the earliest contact found so far.
    pub(super) fn rescan(&mut self, planned: Option<(f64, Due)>) -> Option<(f64, Due)> {
        let paths = self.system.paths();
        self.search.relink(&paths, self.system.now);
        self.scratch.candidates.clear();
        self.search.pairs(&paths, &mut self.scratch.candidates);
        let now = self.system.now;
        let mut best = planned;
        let mut tests = 0;
        for pair in &self.scratch.candidates {
            let (i, j) = (pair.0 as usize, pair.1 as usize);
            let bound = best.map_or(1.0, |(time, _)| time);
            let travel =
                (paths.velocity[i].norm() + paths.velocity[j].norm()) * (bound - now).max(0.0);
            let within = paths.radius[i] + paths.radius[j] + travel + paths.domain.rounding();
            let apart = paths.domain.nearest_image(paths.at(j, now) - paths.at(i, now));
            if apart.norm_squared() > within * within {
                continue;
            }
            tests += 1;
            let found = contact(&self.system, [pair.0, pair.1]);
            best = earlier(best, found.filter(|found| !self.scratch.has_passed(*found)));
        }
        if self.system.ground().has_walls() {
            for slot in 0..self.system.particles.len() as u32 {
                best = earlier(best, wall(&self.system, slot));
            }
        }
        self.tally.narrow_tests += tests;
        best
    }
}

impl Scratch {
    /// Whether two have passed through each other at this very contact.
    fn has_passed(&self, (time, due): (f64, Due)) -> bool {
        matches!(due, Due::Contact { ids, .. } if self.passed.contains(&(ids, time.to_bits())))
    }
}

fn earlier(best: Option<(f64, Due)>, found: Option<(f64, Due)>) -> Option<(f64, Due)> {
    match (best, found) {
        (Some(first), Some(second)) => Some(if second < first { second } else { first }),
        (first, second) => first.or(second),
    }
}
