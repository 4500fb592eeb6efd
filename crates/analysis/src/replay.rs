//! Replays the changes: from the first frame and the log alone, which particles belong together at
//! any step.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use jostle_core::observe::ChangeKind;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use jostle_h5md::record::schema::{BondRow, ChangeRow, PartyRow};

/// Changes that are held in memory at a time.
const AT_A_TIME: usize = 1 << 14;
const CHANGES: &str = "events/changes";

/// Which particles exist, and which particles belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memberships {
    cluster_of: BTreeMap<u64, u64>,
    /// Species and size.
    species_of: BTreeMap<u64, (i32, u32)>,
    /// Cluster and member, so that the members of a cluster lie together.
    members: BTreeSet<[u64; 2]>,
    /// Each bond twice, once from either end.
    bonds: BTreeSet<[u64; 2]>,
}

/// Goes through the changes from the first frame on, in the order of time.
pub(super) struct Replay<'a> {
    reading: &'a Reading,
    state: Memberships,
    batch: ChangeBatch,
    /// The next row of the batch, and of the log.
    next: [usize; 2],
    /// How many rows the log has.
    rows: usize,
}

impl<'a> Replay<'a> {
    /// What the first frame shows, and no change yet.
    pub(super) fn begin(reading: &'a Reading) -> Result<Self, ReadError> {
        Self::from_state(reading, first(reading)?)
    }

    fn from_state(reading: &'a Reading, state: Memberships) -> Result<Self, ReadError> {
        let rows = reading.length(CHANGES)?;
        Ok(Self { reading, state, batch: ChangeBatch::default(), next: [0; 2], rows })
    }

    /// Which particles belong together now.
    pub(super) fn state(&self) -> &Memberships {
        &self.state
    }

    /// Applies all changes before a moment. Times within a step are those of the log of contacts,
    /// which are rounded: a contact comes before the change that it leads to.
    pub(super) fn advance(&mut self, step: u64, time: f32) -> Result<(), ReadError> {
        let before = |row: &ChangeRow| (row.step as u64, row.time as f32) < (step, time);
        self.advance_while(before, |_, _| ())
    }

    /// Applies the next changes as long as they are due, and tells of each with the state after it.
    pub(super) fn advance_while(
        &mut self,
        due: impl Fn(&ChangeRow) -> bool,
        mut heard: impl FnMut(&Memberships, &Event<'_>),
    ) -> Result<(), ReadError> {
        loop {
            if self.next[0] == self.batch.rows.len() {
                let from = self.next[1];
                if from == self.rows {
                    return Ok(());
                }
                self.batch =
                    ChangeBatch::read(self.reading, from..self.rows.min(from + AT_A_TIME))?;
                self.next[0] = 0;
            }
            let row = &self.batch.rows[self.next[0]];
            if !due(row) {
                return Ok(());
            }
            let applied = self.batch.event(row).and_then(|event| {
                self.state.apply(&event)?;
                heard(&self.state, &event);
                Ok(())
            });
            applied.map_err(|reason| self.reading.damaged(CHANGES, reason))?;
            self.next = self.next.map(|n| n + 1);
        }
    }
}

/// The memberships at the end of `steps` steps: those of the first frame, and every change in the
/// steps before.
///
/// # Errors
/// If there is no frame, the file cannot be read, or the log contradicts itself.
pub fn replay(reading: &Reading, steps: u64) -> Result<Memberships, ReadError> {
    let mut replay = Replay::begin(reading)?;
    replay.advance_while(|row| (row.step as u64) < steps, |_, _| ())?;
    Ok(replay.state)
}

/// Applies every change in the first `steps` steps, and tells of each with the state after it.
pub(super) fn follow(
    reading: &Reading,
    state: &mut Memberships,
    steps: u64,
    heard: impl FnMut(&Memberships, &Event<'_>),
) -> Result<(), ReadError> {
    let mut replay = Replay::from_state(reading, std::mem::take(state))?;
    replay.advance_while(|row| (row.step as u64) < steps, heard)?;
    *state = replay.state;
    Ok(())
}

/// What the first frame shows.
pub(super) fn first(reading: &Reading) -> Result<Memberships, ReadError> {
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
        let size = data.coalesced[[0, slot]].max(1) as u32;
        state.species_of.insert(id, (species[slot], size));
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
#[derive(Default)]
struct ChangeBatch {
    rows: Vec<ChangeRow>,
    reactants: Part<PartyRow>,
    products: Part<PartyRow>,
    broken: Part<BondRow>,
    made: Part<BondRow>,
    before: Part<i64>,
    after: Part<i64>,
}

/// A part of a flat table: the number of its first row, and its rows.
struct Part<T> {
    first: u64,
    rows: Vec<T>,
}

impl<T> Default for Part<T> {
    fn default() -> Self {
        Self { first: 0, rows: Vec::new() }
    }
}

impl<T: jostle_h5md::hdf5::H5Type> Part<T> {
    /// The rows from that of the first to that of the last range.
    fn read(
        reading: &Reading,
        name: &str,
        ranges: impl Iterator<Item = (u64, u32)>,
    ) -> Result<Self, ReadError> {
        let (first, last, all) =
            ranges.fold((u64::MAX, 0, 0), |(first, last, all): (u64, u64, u64), (from, count)| {
                let count = u64::from(count);
                (first.min(from), last.max(from.saturating_add(count)), all.saturating_add(count))
            });
        let length = reading.length(name)? as u64;
        if all > length {
            return Err(reading.damaged(name, "the changes refer to more rows than there are"));
        }
        let last = last.min(length);
        let first = first.min(last);
        let rows = reading.column(name, first as usize..last as usize)?;
        Ok(Self { first, rows })
    }

    fn get(&self, from: u64, count: u32) -> Result<&[T], &'static str> {
        let begin = from.checked_sub(self.first).map(|begin| begin as usize);
        let rows = begin.and_then(|begin| self.rows.get(begin..)?.get(..count as usize));
        rows.ok_or("a change points to rows that do not exist")
    }
}

/// A change with its particles and clusters.
pub(super) struct Event<'a> {
    pub(super) row: &'a ChangeRow,
    pub(super) kind: ChangeKind,
    pub(super) reactants: &'a [PartyRow],
    pub(super) products: &'a [PartyRow],
    pub(super) broken: &'a [BondRow],
    pub(super) made: &'a [BondRow],
    pub(super) before: &'a [i64],
    pub(super) after: &'a [i64],
}

impl Event<'_> {
    /// When it happened. \[µs\]
    pub(super) fn time(&self, timestep: f64) -> f64 {
        (self.row.step as f64 + self.row.time) * timestep
    }
}

impl ChangeBatch {
    fn read(reading: &Reading, range: Range<usize>) -> Result<Self, ReadError> {
        let rows: Vec<ChangeRow> = reading.column(CHANGES, range)?;
        let of = |f: fn(&ChangeRow) -> (u64, u32)| rows.iter().map(f);
        let reactants = of(|row| (row.first_reactant, row.reactants));
        let products = of(|row| (row.first_product, row.products));
        let broken = of(|row| (row.first_broken, row.broken));
        let made = of(|row| (row.first_made, row.made));
        let before = of(|row| (row.first_before, row.before));
        let after = of(|row| (row.first_after, row.after));
        Ok(Self {
            reactants: Part::read(reading, "events/reactants", reactants)?,
            products: Part::read(reading, "events/products", products)?,
            broken: Part::read(reading, "events/bonds_broken", broken)?,
            made: Part::read(reading, "events/bonds_made", made)?,
            before: Part::read(reading, "events/clusters_before", before)?,
            after: Part::read(reading, "events/clusters_after", after)?,
            rows,
        })
    }

    fn event<'a>(&'a self, row: &'a ChangeRow) -> Result<Event<'a>, &'static str> {
        let kind = ChangeKind::ALL.get(row.kind as usize).copied();
        Ok(Event {
            row,
            kind: kind.ok_or("a kind of change that has no name")?,
            reactants: self.reactants.get(row.first_reactant, row.reactants)?,
            products: self.products.get(row.first_product, row.products)?,
            broken: self.broken.get(row.first_broken, row.broken)?,
            made: self.made.get(row.first_made, row.made)?,
            before: self.before.get(row.first_before, row.before)?,
            after: self.after.get(row.first_after, row.after)?,
        })
    }
}

impl Memberships {
    /// The cluster of every particle that exists, both by identity; a particle alone is its own.
    pub fn cluster_of(&self) -> &BTreeMap<u64, u64> {
        &self.cluster_of
    }

    /// The species of every particle that exists, an index into [`Reading::species`], and how many
    /// particles it is, those inside it counted one by one.
    pub fn species_of(&self) -> &BTreeMap<u64, (i32, u32)> {
        &self.species_of
    }

    /// The members of a cluster, by identity.
    pub fn members(&self, cluster: u64) -> impl Iterator<Item = u64> + '_ {
        self.members.range([cluster, 0]..=[cluster, u64::MAX]).map(|pair| pair[1])
    }

    /// The bonds, as pairs of identities, the lower first.
    pub fn bonds(&self) -> impl Iterator<Item = [u64; 2]> + '_ {
        self.bonds.iter().filter(|[a, b]| a < b).copied()
    }

    /// How many particles a cluster holds, those inside coalesced ones counted one by one.
    pub fn size(&self, cluster: u64) -> u64 {
        self.members(cluster).filter_map(|id| Some(u64::from(self.species_of.get(&id)?.1))).sum()
    }

    /// How many particles of some species a cluster holds, those inside coalesced ones counted one by one.
    /// \[species\]
    pub(super) fn size_of(&self, cluster: u64, wanted: &[bool]) -> u64 {
        let of = |id: u64| {
            let (species, size) = *self.species_of.get(&id)?;
            let species = usize::try_from(species).ok()?;
            wanted.get(species).is_some_and(|wanted| *wanted).then_some(u64::from(size))
        };
        self.members(cluster).filter_map(of).sum()
    }

    /// The particles that bonds join to a particle directly.
    pub fn partners(&self, id: u64) -> impl Iterator<Item = u64> + '_ {
        self.bonds.range([id, 0]..=[id, u64::MAX]).map(|pair| pair[1])
    }

    /// One law for all kinds of change: reactants go, products come, bonds break and are made; then
    /// every particle concerned falls into components under the bonds, and these, the one with the
    /// lowest identity first, are the clusters afterwards.
    fn apply(&mut self, event: &Event<'_>) -> Result<(), &'static str> {
        let mut concerned = BTreeSet::new();
        for &cluster in event.before {
            concerned.extend(second(&self.members, cluster as u64));
        }
        for party in event.reactants {
            let id = party.id as u64;
            if self.species_of.remove(&id).is_none() {
                return Err("a particle reacts that does not exist");
            }
            concerned.insert(id);
        }
        for party in event.products {
            self.species_of.insert(party.id as u64, (party.species, party.size));
            concerned.insert(party.id as u64);
        }
        for &BondRow { a, b } in event.broken {
            let [a, b] = [a as u64, b as u64];
            if !(self.bonds.remove(&[a, b]) && self.bonds.remove(&[b, a])) {
                return Err("a bond breaks that does not exist");
            }
        }
        for &BondRow { a, b } in event.made {
            self.bonds.extend([[a as u64, b as u64], [b as u64, a as u64]]);
        }
        self.regroup(concerned, event.after)
    }

    /// Gives every particle concerned that still exists the cluster that it is in now.
    fn regroup(&mut self, concerned: BTreeSet<u64>, after: &[i64]) -> Result<(), &'static str> {
        let mut left = concerned;
        let mut after = after.iter();
        while let Some(id) = left.pop_first() {
            if !self.species_of.contains_key(&id) {
                if let Some(former) = self.cluster_of.remove(&id) {
                    self.members.remove(&[former, id]);
                }
                continue;
            }
            let cluster = *after.next().ok_or("a particle is created without a cluster")? as u64;
            for id in self.joined(id) {
                left.remove(&id);
                self.enter(id, cluster);
            }
        }
        if after.next().is_some() { Err("a cluster is created without a particle") } else { Ok(()) }
    }

    /// Puts a particle into a cluster, out of the one it was in.
    fn enter(&mut self, id: u64, cluster: u64) {
        if let Some(former) = self.cluster_of.insert(id, cluster) {
            self.members.remove(&[former, id]);
        }
        self.members.insert([cluster, id]);
    }

    /// All particles that bonds join to a particle, itself included.
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
