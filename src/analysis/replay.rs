//! Replays the changes: from the first frame and the log alone, who belongs to whom at any step.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::error::ReadError;
use super::reading::Reading;
use crate::observe::ChangeKind;
use crate::record::schema::{ChangeRow, PartyRow};

/// Changes that are held in memory at a time.
const AT_A_TIME: usize = 1 << 14;
const CHANGES: &str = "events/changes";

/// Who exists, and who belongs to whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memberships {
    cluster_of: BTreeMap<u64, u64>,
    species_of: BTreeMap<u64, i32>,
    /// Cluster and member, so that the members of a cluster lie together.
    members: BTreeSet<[u64; 2]>,
    /// Each bond twice, once from either end.
    bonds: BTreeSet<[u64; 2]>,
}

/// The memberships at the end of `steps` steps: those of the first frame, and every change in the
/// steps before.
///
/// # Errors
/// If there is no frame, the file cannot be read, or the log contradicts itself.
pub fn replay(reading: &Reading, steps: u64) -> Result<Memberships, ReadError> {
    let mut state = first(reading)?;
    let changes = reading.length(CHANGES)?;
    for from in (0..changes).step_by(AT_A_TIME) {
        let batch = Batch::read(reading, from..changes.min(from + AT_A_TIME))?;
        for row in &batch.rows {
            if row.step as u64 >= steps {
                return Ok(state);
            }
            let applied = batch.event(row).and_then(|event| state.apply(&event));
            applied.map_err(|reason| reading.damaged(CHANGES, reason))?;
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
        state.enter(id, data.cluster[[0, slot]] as u64);
        state.species_of.insert(id, species[slot]);
    }
    for pair in reading.bonds(0)? {
        let id = |slot: i32| data.id.get([0, slot as usize]).map(|&id| id as u64);
        if let [Some(a), Some(b)] = pair.map(id) {
            state.bonds.extend([[a, b], [b, a]]);
        }
    }
    Ok(state)
}

/// Consecutive changes and what they point to.
struct Batch {
    rows: Vec<ChangeRow>,
    reactants: Part<PartyRow>,
    products: Part<PartyRow>,
    before: Part<i64>,
    after: Part<i64>,
}

/// A part of a flat table: the number of its first row, and its rows.
struct Part<T> {
    first: u64,
    rows: Vec<T>,
}

impl<T: hdf5::H5Type> Part<T> {
    /// The rows from that of the first to that of the last range.
    fn read(
        reading: &Reading,
        name: &str,
        ranges: impl Iterator<Item = (u64, u32)>,
    ) -> Result<Self, ReadError> {
        let (first, last) = ranges.fold((u64::MAX, 0), |(first, last), (from, count)| {
            (first.min(from), last.max(from.saturating_add(count as u64)))
        });
        let last = last.min(reading.length(name)? as u64);
        let first = first.min(last);
        let rows = reading.column(name, first as usize..last as usize)?;
        Ok(Self { first, rows })
    }

    fn get(&self, from: u64, count: u32) -> Result<&[T], &'static str> {
        let begin = from.checked_sub(self.first).map(|begin| begin as usize);
        let rows = begin.and_then(|begin| self.rows.get(begin..)?.get(..count as usize));
        rows.ok_or("a change points to rows that are not there")
    }
}

/// A change with its bodies and clusters.
struct Event<'a> {
    kind: ChangeKind,
    reactants: &'a [PartyRow],
    products: &'a [PartyRow],
    before: &'a [i64],
    after: &'a [i64],
}

impl Batch {
    fn read(reading: &Reading, range: Range<usize>) -> Result<Self, ReadError> {
        let rows: Vec<ChangeRow> = reading.column(CHANGES, range)?;
        let of = |f: fn(&ChangeRow) -> (u64, u32)| rows.iter().map(f);
        let reactants = of(|row| (row.first_reactant, row.reactants));
        let products = of(|row| (row.first_product, row.products));
        let before = of(|row| (row.first_before, row.before));
        let after = of(|row| (row.first_after, row.after));
        Ok(Self {
            reactants: Part::read(reading, "events/reactants", reactants)?,
            products: Part::read(reading, "events/products", products)?,
            before: Part::read(reading, "events/clusters_before", before)?,
            after: Part::read(reading, "events/clusters_after", after)?,
            rows,
        })
    }

    fn event(&self, row: &ChangeRow) -> Result<Event<'_>, &'static str> {
        let kind = ChangeKind::ALL.get(row.kind as usize).copied();
        Ok(Event {
            kind: kind.ok_or("a kind of change that has no name")?,
            reactants: self.reactants.get(row.first_reactant, row.reactants)?,
            products: self.products.get(row.first_product, row.products)?,
            before: self.before.get(row.first_before, row.before)?,
            after: self.after.get(row.first_after, row.after)?,
        })
    }
}

impl Memberships {
    /// The cluster of every body that exists, both by identity; a body alone is its own.
    pub fn cluster_of(&self) -> &BTreeMap<u64, u64> {
        &self.cluster_of
    }

    /// The species of every body that exists, an index into [`Reading::species`].
    pub fn species_of(&self) -> &BTreeMap<u64, i32> {
        &self.species_of
    }

    /// The bonds, as pairs of identities, the lower first.
    pub fn bonds(&self) -> impl Iterator<Item = [u64; 2]> + '_ {
        self.bonds.iter().filter(|[a, b]| a < b).copied()
    }

    fn apply(&mut self, event: &Event<'_>) -> Result<(), &'static str> {
        match event.kind {
            ChangeKind::Coalesced => {
                let cluster = *event.after.first().ok_or("a merger without a cluster")? as u64;
                self.remove(event.reactants)?;
                self.insert(event.products, |_| Some(cluster))?;
                self.rename(event.before, cluster);
            }
            ChangeKind::Bonded => {
                let cluster = *event.after.first().ok_or("a bond without a cluster")? as u64;
                let [a, b] = pair(event.reactants)?;
                self.bonds.extend([[a, b], [b, a]]);
                self.rename(event.before, cluster);
            }
            ChangeKind::Split => {
                self.remove(event.reactants)?;
                self.insert(event.products, |k| event.after.get(k).map(|&id| id as u64))?;
            }
            ChangeKind::Unbonded => {
                let [a, b] = pair(event.reactants)?;
                if !(self.bonds.remove(&[a, b]) && self.bonds.remove(&[b, a])) {
                    return Err("a bond breaks that is not there");
                }
                for (party, &cluster) in event.products.iter().zip(event.after) {
                    for id in self.joined(party.id as u64) {
                        self.enter(id, cluster as u64);
                    }
                }
            }
            ChangeKind::UnbindRefused => {}
        }
        Ok(())
    }

    /// Puts a body into a cluster, out of the one it was in.
    fn enter(&mut self, id: u64, cluster: u64) {
        if let Some(former) = self.cluster_of.insert(id, cluster) {
            self.members.remove(&[former, id]);
        }
        self.members.insert([cluster, id]);
    }

    fn remove(&mut self, parties: &[PartyRow]) -> Result<(), &'static str> {
        for party in parties {
            let id = party.id as u64;
            let cluster = self.cluster_of.remove(&id);
            let cluster = cluster.ok_or("a body reacts that does not exist")?;
            self.members.remove(&[cluster, id]);
            self.species_of.remove(&id);
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
            self.enter(party.id as u64, cluster);
            self.species_of.insert(party.id as u64, party.species);
        }
        Ok(())
    }

    /// Lets everybody in the clusters `before` be in cluster `after`.
    fn rename(&mut self, before: &[i64], after: u64) {
        for &cluster in before {
            for id in second(&self.members, cluster as u64) {
                self.enter(id, after);
            }
        }
    }

    /// All bodies that bonds join to a body, itself included.
    fn joined(&self, id: u64) -> BTreeSet<u64> {
        let mut joined = BTreeSet::from([id]);
        let mut left = vec![id];
        while let Some(id) = left.pop() {
            left.extend(second(&self.bonds, id).into_iter().filter(|&id| joined.insert(id)));
        }
        joined
    }
}

/// What stands beside `first` in a set of pairs.
fn second(pairs: &BTreeSet<[u64; 2]>, first: u64) -> Vec<u64> {
    let range = pairs.range([first, 0]..=[first, u64::MAX]);
    range.map(|pair| pair[1]).collect()
}

fn pair(parties: &[PartyRow]) -> Result<[u64; 2], &'static str> {
    match parties {
        [a, b] => Ok([a.id as u64, b.id as u64]),
        _ => Err("a bond that is not of two bodies"),
    }
}
