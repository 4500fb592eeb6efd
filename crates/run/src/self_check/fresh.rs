//! Particles that a change has made, moved or released. They are checked right after the step of
//! the change, since two that overlap may have come apart by the time of the next full check.

use rayon::prelude::*;

use super::cells::{Cells, check_some};
use super::places::{self, CHUNK};
use super::{SelfCheckFault, Subject};
use jostle_core::observe::{Change, View};

/// If there are more than this, it is less work to check all particles.
const MOST: usize = 32;

/// The particles that the changes of a step concerned.
#[derive(Debug, Default)]
pub(super) struct Fresh {
    ids: Vec<u64>,
}

impl Fresh {
    /// The population changes.
    pub(super) fn change<const D: usize>(&mut self, change: &Change<'_, D>) {
        self.ids.extend(change.products.iter().map(|party| party.id));
    }

    /// Looks at those of the last step; how many pairs were tested.
    pub(super) fn look<const D: usize>(
        &mut self,
        view: &View<'_, D>,
        subject: &Subject<D>,
        cells: &mut Cells<D>,
    ) -> Result<u64, SelfCheckFault> {
        let mut ids = std::mem::take(&mut self.ids);
        if ids.is_empty() {
            return Ok(0);
        }
        ids.sort_unstable();
        ids.dedup();
        if ids.len() > MOST {
            places::check(view, subject)?;
            return cells.check(view, subject);
        }
        let p = view.particles;
        let all = (0..p.len() as u32).into_par_iter().with_min_len(CHUNK);
        let concerned =
            |&slot: &u32| p.alive[slot as usize] && ids.binary_search(&p.id[slot as usize]).is_ok();
        let slots: Vec<u32> = all.filter(concerned).collect();
        places::check_some(view, subject, &slots)?;
        check_some(view, subject, &slots)
    }
}
