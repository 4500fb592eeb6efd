//! What a run leaves behind, to be compared with another run bit by bit.

use jostle::observe::{Change, Contact, Observer, ObserverError, Partner, View};
use jostle::state_hash::state_hash;

/// All that an observer can hear, in words of 64 bits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Trace {
    pub(crate) listens: bool,
    pub(crate) hashes: Vec<u64>,
    pub(crate) virial: Vec<Option<u64>>,
    pub(crate) contacts: Vec<Vec<u64>>,
    pub(crate) changes: Vec<Vec<u64>>,
}

impl<const D: usize> Observer<D> for Trace {
    fn wants_contacts(&self) -> bool {
        self.listens
    }

    fn wants_edges(&self) -> bool {
        self.listens
    }

    fn contact(&mut self, c: &Contact<D>) -> Result<(), ObserverError> {
        let partner = match c.partner {
            Partner::Particle { id, species } => [id, u64::from(species)],
            Partner::Wall(face) => [u64::MAX, face.index() as u64],
            Partner::Side => [u64::MAX; 2],
            Partner::Surface(surface) => [u64::MAX - 1, u64::from(surface)],
        };
        let mut row =
            vec![c.step, c.time.to_bits(), u64::from(c.subdivision), c.id, partner[0], partner[1]];
        row.extend(c.place.0.iter().chain(&c.normal.0).map(|x| x.to_bits()));
        row.extend([c.approach.to_bits(), c.outcome as u64, c.rule.map_or(u64::MAX, u64::from)]);
        self.contacts.push(row);
        Ok(())
    }

    fn change(&mut self, c: &Change<'_, D>) -> Result<(), ObserverError> {
        let mut row = vec![
            c.step,
            c.time.to_bits(),
            u64::from(c.subdivision),
            c.kind as u64,
            u64::from(c.rule),
        ];
        row.extend(c.place.0.iter().map(|x| x.to_bits()));
        for party in c.reactants.iter().chain(c.products) {
            row.extend([party.id, u64::from(party.species), party.radius.to_bits()]);
        }
        row.extend(c.bonds_broken.iter().chain(c.bonds_made).flat_map(|bond| &bond.ids));
        row.extend(c.clusters_before.iter().chain(c.clusters_after));
        self.changes.push(row);
        Ok(())
    }

    fn step(&mut self, view: &View<'_, D>) -> Result<(), ObserverError> {
        view.clusters.assert_well_formed(view.particles);
        self.hashes.push(state_hash(view.particles, view.clusters));
        self.virial.push(view.virial.map(f64::to_bits));
        Ok(())
    }
}
