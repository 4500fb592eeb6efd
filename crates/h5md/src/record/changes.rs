//! The log of changes: always written, and enough to replay every membership.

use hdf5::Group;

use super::growing::{Buffered, CHUNK_ROWS, Table};
use super::header::{text_attribute, write_texts};
use super::schema::{BondRow, ChangeRow, PartyRow};
use super::sites::SiteLog;
use jostle_core::clusters::Bond;
use jostle_core::observe::{Change, ChangeKind, Party};

pub(super) struct Changes {
    changes: Buffered<ChangeRow>,
    reactants: Buffered<PartyRow>,
    products: Buffered<PartyRow>,
    broken: Buffered<BondRow>,
    made: Buffered<BondRow>,
    before: Buffered<i64>,
    after: Buffered<i64>,
    sites: Option<SiteLog>,
}

impl Changes {
    /// Creates the tables and their codes under `/events`; `with_sites` if particles have sites.
    pub(super) fn create(events: &Group, codes: &Group, with_sites: bool) -> hdf5::Result<Self> {
        write_texts(codes, "kinds", &ChangeKind::ALL.map(ChangeKind::name))?;
        let changes = Buffered::create(events, "changes", NO_CHANGE)?;
        let about = "place: nm; time: fraction of the step";
        text_attribute(changes.table.dataset(), "units", about)?;
        Ok(Self {
            changes,
            reactants: Buffered::create(events, "reactants", NONE)?,
            products: Buffered::create(events, "products", NONE)?,
            broken: Buffered::create(events, "bonds_broken", NO_BOND)?,
            made: Buffered::create(events, "bonds_made", NO_BOND)?,
            before: Buffered::create(events, "clusters_before", -1)?,
            after: Buffered::create(events, "clusters_after", -1)?,
            sites: with_sites.then(|| SiteLog::create(events)).transpose()?,
        })
    }

    /// Everything that grows; what is still to be written does not count.
    pub(super) fn tables(&mut self) -> Vec<&mut dyn Table> {
        let mut tables: Vec<&mut dyn Table> = vec![
            &mut self.changes.table,
            &mut self.reactants.table,
            &mut self.products.table,
            &mut self.broken.table,
            &mut self.made.table,
            &mut self.before.table,
            &mut self.after.table,
        ];
        tables.extend(self.sites.iter_mut().flat_map(SiteLog::tables));
        tables
    }

    /// How many changes are written.
    pub(super) fn rows(&self) -> usize {
        self.changes.table.rows()
    }

    /// Takes in a change.
    pub(super) fn push<const D: usize>(&mut self, change: &Change<'_, D>) {
        let (first_reactant, reactants) = self.reactants.push(change.reactants.iter().map(party));
        let (first_product, products) = self.products.push(change.products.iter().map(party));
        let bond = |bond: &Bond| BondRow { a: bond.ids[0] as i64, b: bond.ids[1] as i64 };
        if let Some(sites) = &mut self.sites {
            sites.push(change);
        }
        let (first_broken, broken) = self.broken.push(change.bonds_broken.iter().map(bond));
        let (first_made, made) = self.made.push(change.bonds_made.iter().map(bond));
        let id = |&id: &u64| id as i64;
        let (first_before, before) = self.before.push(change.clusters_before.iter().map(id));
        let (first_after, after) = self.after.push(change.clusters_after.iter().map(id));
        self.changes.rows.push(ChangeRow {
            step: change.step as i64,
            time: change.time,
            place: std::array::from_fn(|k| if k < D { change.place[k] } else { 0.0 }),
            first_reactant,
            first_product,
            first_broken,
            first_made,
            first_before,
            first_after,
            reactants,
            products,
            broken,
            made,
            before,
            after,
            subdivision: change.subdivision,
            rule: change.rule,
            kind: change.kind as u8,
        });
    }

    /// Writes out whole chunks once there are some.
    pub(super) fn write_chunks(&mut self) -> hdf5::Result<()> {
        if self.changes.rows.len() >= CHUNK_ROWS {
            self.write()?;
        }
        Ok(())
    }

    /// Writes out everything. The changes come last, so that what they point to is there.
    pub(super) fn write(&mut self) -> hdf5::Result<()> {
        self.reactants.write()?;
        self.products.write()?;
        self.broken.write()?;
        self.made.write()?;
        self.before.write()?;
        self.after.write()?;
        if let Some(sites) = &mut self.sites {
            sites.write()?;
        }
        self.changes.write()
    }
}

fn party(party: &Party) -> PartyRow {
    PartyRow {
        id: party.id as i64,
        radius: party.radius,
        species: party.species as i32,
        size: party.size,
    }
}

/// What fills the rest of a chunk.
const NONE: PartyRow = PartyRow { id: -1, radius: 0.0, species: -1, size: 0 };

/// What fills the rest of a chunk.
const NO_BOND: BondRow = BondRow { a: -1, b: -1 };

/// What fills the rest of a chunk.
const NO_CHANGE: ChangeRow = ChangeRow {
    step: -1,
    time: 0.0,
    place: [0.0; 3],
    first_reactant: 0,
    first_product: 0,
    first_broken: 0,
    first_made: 0,
    first_before: 0,
    first_after: 0,
    reactants: 0,
    products: 0,
    broken: 0,
    made: 0,
    before: 0,
    after: 0,
    subdivision: 0,
    rule: 0,
    kind: 0,
};
