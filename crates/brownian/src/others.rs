//! What becomes of further molecules of a complex when one of its molecules is converted.

use super::sites::Molecules;
use super::system::System;
use jostle_core::particles::Particles;
use jostle_core::rules::{Case, Product};
use jostle_core::sites::{Complex, SiteChange};

/// The molecules of a complex that change or go together with one that is converted.
#[derive(Clone, Debug, Default)]
pub(super) struct Others {
    /// The slots of those that go.
    pub(super) gone: Vec<u32>,
    /// The slots of those whose states change, and how.
    changes: Vec<(u32, SiteChange)>,
}

impl Others {
    /// What a case says of those that are bound to the particles in `slots`, of which these
    /// `products` come.
    pub(super) fn of<const D: usize, const N: usize>(
        system: &System<D>,
        case: Option<&Case<N>>,
        slots: [u32; N],
        products: &[Product],
    ) -> Self {
        let mut found = Self::default();
        let Some(case) = case else { return found };
        let molecules = Molecules(system);
        for other in case.others() {
            let start = slots[usize::from(other.of)];
            let step = |slot, &site| Some(molecules.bound_to(slot, site)?.0);
            let Some(slot) = other.path.iter().try_fold(start, step) else { continue };
            match other.change {
                Some(change) => found.changes.push((slot, change)),
                None => found.gone.push(slot),
            }
        }
        if case.takes_complexes() {
            for (n, &slot) in slots.iter().enumerate() {
                if products.iter().any(|product| product.kin && product.continues == Some(n as u8))
                {
                    continue;
                }
                let unit = system.clusters.unit_of(&system.particles, slot);
                let members = unit.map_or(&[][..], |unit| &unit.members);
                let more = members.iter().filter(|&member| !slots.contains(member));
                found.gone.extend(more);
            }
        }
        // What is left of their units gets new identities in this order.
        found.gone.sort_unstable_by_key(|&slot| system.particles.id[slot as usize]);
        found.gone.dedup();
        found
    }

    /// The slots of those whose states change.
    pub(super) fn changed(&self) -> Vec<u32> {
        self.changes.iter().map(|(slot, _)| *slot).collect()
    }

    /// Changes their states.
    pub(super) fn apply<const D: usize>(&self, particles: &mut Particles<D>) {
        for &(slot, change) in &self.changes {
            let code = &mut particles.sites[slot as usize];
            *code = change.of(*code);
        }
    }
}
