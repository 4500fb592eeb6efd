//! Whether unwrapped paths are continuous through every change: no particle may jump by an edge of
//! the box.
//!
//! A particle that changes is afterwards where it was, but for what particles measure. One that
//! rests inside another goes where that goes; when it is set free it is beside it, on its own side
//! of the periodic faces.

use std::collections::BTreeMap;

use super::SelfCheckFault;
use jostle_core::observe::{Change, ChangeKind, Party};
use jostle_core::space::Domain;

/// The periods along each axis.
type Periods = [f64; 3];

/// A particle that rests inside another.
#[derive(Clone, Copy, Debug)]
struct Guest {
    carrier: u64,
    /// By how many periods its path was ahead of that of its carrier when it was taken in.
    ahead: Periods,
}

/// Follows the paths of those that changes are about.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    /// Of the box; infinite where it is not periodic.
    edges: [f64; 3],
    guests: BTreeMap<u64, Guest>,
    /// The particles that each particle has taken in.
    held: BTreeMap<u64, Vec<u64>>,
}

impl Paths {
    pub(super) fn begin<const D: usize>(&mut self, domain: &Domain<D>) {
        let edge = |k: usize| {
            if k < D && domain.is_periodic(k) { domain.edges()[k] } else { f64::INFINITY }
        };
        *self = Self { edges: std::array::from_fn(edge), ..Self::default() };
    }

    /// Follows a change.
    pub(super) fn change<const D: usize>(
        &mut self,
        change: &Change<'_, D>,
    ) -> Result<(), SelfCheckFault> {
        let Change { kind, reactants, products, .. } = change;
        let was = |id: u64| reactants.iter().find(|reactant| reactant.id == id);
        for product in *products {
            let before = match was(product.id) {
                Some(reactant) => Some(reactant.unwrapped),
                None => self.release(product.id, reactants),
            };
            if let Some(before) = before {
                self.compare(change, product, before)?;
            }
        }
        match (kind, products) {
            (ChangeKind::Refused, _) => {}
            (ChangeKind::Coalesced, [product]) => {
                reactants
                    .iter()
                    .filter(|guest| guest.id != product.id)
                    .for_each(|guest| self.take_in(guest, product));
            }
            _ => {
                let continues = |id: u64| products.iter().any(|product| product.id == id);
                // Of those inside one that was cut it is not known in which piece they are.
                let cut = *kind == ChangeKind::Fragmented;
                reactants
                    .iter()
                    .filter(|one| cut || !continues(one.id))
                    .for_each(|one| self.forget(one.id));
            }
        }
        Ok(())
    }

    fn take_in(&mut self, guest: &Party, carrier: &Party) {
        let apart = |k: usize| (guest.unwrapped[k] - carrier.unwrapped[k]) / self.edges[k];
        let ahead = std::array::from_fn(|k| apart(k).round());
        self.guests.insert(guest.id, Guest { carrier: carrier.id, ahead });
        self.held.entry(carrier.id).or_default().push(guest.id);
    }

    /// Where a particle is known to have been so far which comes out of one of these.
    fn release(&mut self, id: u64, reactants: &[Party]) -> Option<[f64; 3]> {
        let (mut ahead, mut holder) = ([0.0; 3], id);
        let from = loop {
            let guest = self.guests.get(&holder)?;
            ahead = std::array::from_fn(|k| ahead[k] + guest.ahead[k]);
            holder = guest.carrier;
            if let Some(reactant) = reactants.iter().find(|reactant| reactant.id == holder) {
                break reactant.unwrapped;
            }
        };
        let guest = self.guests.remove(&id)?;
        if let Some(held) = self.held.get_mut(&guest.carrier) {
            held.retain(|&other| other != id);
        }
        let shift = |k: usize| if ahead[k] == 0.0 { 0.0 } else { ahead[k] * self.edges[k] };
        Some(std::array::from_fn(|k| from[k] + shift(k)))
    }

    /// Forgets all particles inside another.
    fn forget(&mut self, id: u64) {
        let mut gone = vec![id];
        while let Some(carrier) = gone.pop() {
            for guest in self.held.remove(&carrier).unwrap_or_default() {
                self.guests.remove(&guest);
                gone.push(guest);
            }
        }
    }

    fn compare<const D: usize>(
        &self,
        change: &Change<'_, D>,
        product: &Party,
        before: [f64; 3],
    ) -> Result<(), SelfCheckFault> {
        // Particles that were in contact, or come to be, are this near to each other.
        let reach: f64 =
            change.reactants.iter().chain(change.products).map(|party| 2.0 * party.radius).sum();
        for k in (0..D).filter(|&k| reach < 0.5 * self.edges[k]) {
            let by = product.unwrapped[k] - before[k];
            if by.abs() > 0.5 * self.edges[k] {
                return Err(SelfCheckFault::Jump {
                    step: change.step,
                    id: product.id,
                    axis: ["x", "y", "z"][k],
                    by,
                });
            }
        }
        Ok(())
    }
}
