//! Replays the changes: from the first frame and the log alone, who belongs to whom at any step.

use std::collections::{BTreeMap, BTreeSet};

use super::error::ReadError;
use super::reading::Reading;
use crate::observe::ChangeKind;
use crate::record::schema::{ChangeRow, PartyRow};

/// Changes that are held in memory at a time.
const AT_A_TIME: usize = 1 << 14;

/// Who exists, and who belongs to whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memberships {
    /// The cluster of every body that exists, by identity.
    pub cluster_of: BTreeMap<u64, u64>,
    /// The species of every body that exists, an index into [`Reading::species`].
    pub species_of: BTreeMap<u64, i32>,
    /// The bonds, as pairs of identities, the lower first.
    pub bonds: BTreeSet<[u64; 2]>,
}

/// The memberships at the end of `steps` steps: those of the first frame, and every change in the
/// steps before.
///
/// # Errors
/// If there is no frame, the file cannot be read, or the log contradicts itself.
pub fn replay(reading: &Reading, steps: u64) -> Result<Memberships, ReadError> {
    let mut state = first(reading)?;
    let changes = reading.length("events/changes")?;
    for from in (0..changes).step_by(AT_A_TIME) {
        let rows = from..changes.min(from + AT_A_TIME);
        for change in reading.column::<ChangeRow>("events/changes", rows)? {
            if change.step as u64 >= steps {
                return Ok(state);
            }
            let event = Event::read(reading, &change)?;
            let applied = state.apply(&event);
            applied.map_err(|reason| reading.damaged("events/changes", reason))?;
        }
    }
    Ok(state)
}

/// What the first frame shows.
fn first(reading: &Reading) -> Result<Memberships, ReadError> {
    if reading.frames() == 0 {
        return Err(ReadError::TooLittle {
            path: reading.path().to_owned(),
            reason: "there is no frame to start from".into(),
        });
    }
    let mut state = Memberships::default();
    let data = reading.frame_data(0..1, 0..reading.slots())?;
    let species = reading.slot_species()?;
    for slot in (0..reading.slots()).filter(|&slot| data.id[[0, slot]] >= 0) {
        let id = data.id[[0, slot]] as u64;
        state.cluster_of.insert(id, data.cluster[[0, slot]] as u64);
        state.species_of.insert(id, species[slot]);
    }
    for pair in reading.bonds(0)? {
        let id = |slot: i32| data.id.get([0, slot as usize]).map(|&id| id as u64);
        if let [Some(a), Some(b)] = pair.map(id) {
            state.bonds.insert([a.min(b), a.max(b)]);
        }
    }
    Ok(state)
}

/// A change with its bodies and clusters.
struct Event {
    kind: ChangeKind,
    reactants: Vec<PartyRow>,
    products: Vec<PartyRow>,
    before: Vec<i64>,
    after: Vec<i64>,
}

impl Event {
    fn read(reading: &Reading, row: &ChangeRow) -> Result<Self, ReadError> {
        fn part<T: hdf5::H5Type>(
            reading: &Reading,
            name: &str,
            first: u64,
            count: u32,
        ) -> Result<Vec<T>, ReadError> {
            let first = first as usize;
            reading.column(&format!("events/{name}"), first..first + count as usize)
        }
        let kind = ChangeKind::ALL.get(row.kind as usize).copied();
        let unknown = || reading.damaged("events/changes", "a kind of change that has no name");
        Ok(Self {
            kind: kind.ok_or_else(unknown)?,
            reactants: part(reading, "reactants", row.first_reactant, row.reactants)?,
            products: part(reading, "products", row.first_product, row.products)?,
            before: part(reading, "clusters_before", row.first_before, row.before)?,
            after: part(reading, "clusters_after", row.first_after, row.after)?,
        })
    }
}

impl Memberships {
    fn apply(&mut self, event: &Event) -> Result<(), &'static str> {
        match event.kind {
            ChangeKind::Coalesced => {
                let cluster = *event.after.first().ok_or("a merger without a cluster")? as u64;
                self.remove(&event.reactants)?;
                self.insert(&event.products, |_| Some(cluster))?;
                self.rename(&event.before, cluster);
            }
            ChangeKind::Bonded => {
                let cluster = *event.after.first().ok_or("a bond without a cluster")? as u64;
                self.bonds.insert(pair(&event.reactants)?);
                self.rename(&event.before, cluster);
            }
            ChangeKind::Split => {
                self.remove(&event.reactants)?;
                self.insert(&event.products, |k| event.after.get(k).map(|&id| id as u64))?;
            }
            ChangeKind::Unbonded => {
                if !self.bonds.remove(&pair(&event.reactants)?) {
                    return Err("a bond breaks that is not there");
                }
                for (party, &cluster) in event.products.iter().zip(&event.after) {
                    for id in self.joined(party.id as u64) {
                        self.cluster_of.insert(id, cluster as u64);
                    }
                }
            }
            ChangeKind::UnbindRefused => {}
        }
        Ok(())
    }

    fn remove(&mut self, parties: &[PartyRow]) -> Result<(), &'static str> {
        for party in parties {
            let id = party.id as u64;
            self.species_of.remove(&id);
            let existed = self.cluster_of.remove(&id).is_some();
            existed.then_some(()).ok_or("a body reacts that does not exist")?;
        }
        Ok(())
    }

    fn insert(
        &mut self,
        parties: &[PartyRow],
        cluster: impl Fn(usize) -> Option<u64>,
    ) -> Result<(), &'static str> {
        for (k, party) in parties.iter().enumerate() {
            let cluster = cluster(k).ok_or("a body comes to be without a cluster")?;
            self.cluster_of.insert(party.id as u64, cluster);
            self.species_of.insert(party.id as u64, party.species);
        }
        Ok(())
    }

    /// Lets everybody in the clusters `before` be in cluster `after`.
    fn rename(&mut self, before: &[i64], after: u64) {
        for cluster in self.cluster_of.values_mut() {
            if before.contains(&(*cluster as i64)) {
                *cluster = after;
            }
        }
    }

    /// All bodies that bonds join to a body, itself included.
    fn joined(&self, id: u64) -> BTreeSet<u64> {
        let mut joined = BTreeSet::from([id]);
        let mut left = vec![id];
        while let Some(id) = left.pop() {
            for &[a, b] in self.bonds.iter().filter(|bond| bond.contains(&id)) {
                let other = if a == id { b } else { a };
                if joined.insert(other) {
                    left.push(other);
                }
            }
        }
        joined
    }
}

fn pair(parties: &[PartyRow]) -> Result<[u64; 2], &'static str> {
    match parties {
        [a, b] => Ok([a.id.min(b.id) as u64, a.id.max(b.id) as u64]),
        _ => Err("a bond that is not of two bodies"),
    }
}
