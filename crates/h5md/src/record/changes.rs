//! The log of changes: always written, and enough to replay every membership.

use hdf5::Group;

use super::growing::{Growing, Table, column};
use super::header::{text_attribute, write_texts};
use super::schema::{BondRow, ChangeRow, PartyRow};
use super::sites::SiteLog;
use jostle_core::clusters::Bond;
use jostle_core::observe::{Change, ChangeKind, Party};

pub(super) struct Changes {
    changes: Growing<ChangeRow>,
    reactants: Growing<PartyRow>,
    products: Growing<PartyRow>,
    broken: Growing<BondRow>,
    made: Growing<BondRow>,
    before: Growing<i64>,
    after: Growing<i64>,
    sites: Option<SiteLog>,
}

impl Changes {
    /// Creates the tables and their codes under `/events`; `with_sites` if particles have sites.
    pub(super) fn create(events: &Group, codes: &Group, with_sites: bool) -> hdf5::Result<Self> {
        write_texts(codes, "kinds", &ChangeKind::ALL.map(ChangeKind::name))?;
        let changes = column(events, "changes", NO_CHANGE)?;
        let about = "place: nm; time: fraction of the step";
        text_attribute(changes.dataset(), "units", about)?;
        Ok(Self {
            changes,
            reactants: column(events, "reactants", NONE)?,
            products: column(events, "products", NONE)?,
            broken: column(events, "bonds_broken", NO_BOND)?,
            made: column(events, "bonds_made", NO_BOND)?,
            before: column(events, "clusters_before", -1)?,
            after: column(events, "clusters_after", -1)?,
            sites: with_sites.then(|| SiteLog::create(events)).transpose()?,
        })
    }

    /// Everything that grows.
    pub(super) fn tables(&mut self) -> Vec<&mut dyn Table> {
        let mut tables: Vec<&mut dyn Table> = vec![
            &mut self.changes,
            &mut self.reactants,
            &mut self.products,
            &mut self.broken,
            &mut self.made,
            &mut self.before,
            &mut self.after,
        ];
        tables.extend(self.sites.iter_mut().flat_map(SiteLog::tables));
        tables
    }

    /// How many changes there are.
    pub(super) fn rows(&self) -> usize {
        self.changes.rows()
    }

    /// Whether many changes wait to be written.
    pub(super) fn has_much(&self) -> bool {
        self.changes.has_much()
    }

    /// Takes in a change.
    pub(super) fn push<const D: usize>(&mut self, change: &Change<'_, D>) {
        let (first_reactant, reactants) = self.reactants.extend(change.reactants.iter().map(party));
        let (first_product, products) = self.products.extend(change.products.iter().map(party));
        let bond = |bond: &Bond| BondRow { a: bond.ids[0] as i64, b: bond.ids[1] as i64 };
        if let Some(sites) = &mut self.sites {
            sites.push(change);
        }
        let (first_broken, broken) = self.broken.extend(change.bonds_broken.iter().map(bond));
        let (first_made, made) = self.made.extend(change.bonds_made.iter().map(bond));
        let id = |&id: &u64| id as i64;
        let (first_before, before) = self.before.extend(change.clusters_before.iter().map(id));
        let (first_after, after) = self.after.extend(change.clusters_after.iter().map(id));
        self.changes.append(&[ChangeRow {
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
        }]);
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
